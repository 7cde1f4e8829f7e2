"""The board editor of any game: a position is made, checked as it is made, kept and played."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from pyglet.window import key

from cloakboard.client import theme
from cloakboard.client.canvas import Box
from cloakboard.client.library import Library, Listed, Start
from cloakboard.client.views.page import GameChoice, Offer
from cloakboard.client.views.rules_page import RulesPage
from cloakboard.client.views.scenarios import KeepScreen, ScenariosScreen
from cloakboard.client.views.table_layout import arrange
from cloakboard.client.views.table_parts import ActionButton
from cloakboard.client.widgets import (
    Choice,
    Dialog,
    IconButton,
    Label,
    List,
    Look,
    Row,
    StatusLine,
    Tone,
)
from cloakboard.client.window import Screen
from cloakboard.client.words import count
from cloakboard.engine.errors import EngineError
from cloakboard.engine.registry import game

if TYPE_CHECKING:
    from cloakboard.client.drafting import Drafting, Fault
    from cloakboard.client.window import CloakWindow

DRAG: Final = 6  # design pixels that the mouse moves before a press becomes a drag
PLAYS: Final = 3  # the last buttons of the bar, which play the position


@dataclass(frozen=True, slots=True)
class EditorActs:
    """What leads out of the editor; each way of playing gets a position without faults. `offer`:
    the games whose editor can be opened instead."""

    leave: Callable[[], None]
    hotseat: Callable[[Start], None]
    computer: Callable[[Start], None]
    friend: Callable[[Start], None]
    offer: Offer = field(default_factory=Offer)


class EditorScreen(Screen):
    """A draft on a board, with a palette beside it. A game's own editor brings both."""

    draft: Drafting[Any]

    def __init__(
        self,
        window: CloakWindow,
        draft: Drafting[Any],
        library: Library[Any],
        acts: EditorActs,
    ) -> None:
        super().__init__(window)
        self.draft = draft
        self.library = library
        self.acts = acts
        self.refusal = ""
        self.faults: tuple[Fault, ...] = ()
        self._kept = draft.scenario
        self._make_widgets()
        self.stage.on_cancel = self._back

    def _make_widgets(self) -> None:
        stage, acts = self.stage, self.acts
        self.title = Label(stage, "", theme.SUBHEADING)
        about = game(self.library.texts.game_id)
        others = Offer(acts.offer.games, lambda other: self._go(lambda: acts.offer.choose(other)))
        self.games = GameChoice(stage, about, others)
        self.tools = {
            name: IconButton(stage, icon, hint, act)
            for name, icon, hint, act in (
                ("undo", "ui.undo", "Take back the last change (Ctrl+Z)", self.undo),
                ("redo", "ui.redo", "Make it again (Ctrl+Y)", self.redo),
                ("flip", "ui.exchange", "Turn the board round (F)", self.flip),
                ("swap", "ui.friends", "Black's pieces become White's, and turn round", self.swap),
                ("copy", "ui.files", "Copy the position as text (Ctrl+C)", self.copy),
                ("paste", "ui.load", "Paste a position (Ctrl+V)", self.paste),
                ("leave", "ui.exit", "Leave the editor (Escape)", self.leave),
            )
        }
        self.make_parts()
        self.list = List(stage, row_height=46, on_select=self._show_fault)
        self.status = StatusLine(stage)
        self.buttons = [
            ActionButton(stage, text, act, icon=icon, key_name=name, look=look)
            for text, icon, act, name, look in (
                ("Empty", "ui.cross", self.clear, "", Look.NORMAL),
                ("Open", "ui.load", self.open, "^O", Look.NORMAL),
                ("Keep", "ui.save", self.keep, "^S", Look.NORMAL),
                ("Rules", "ui.settings", self.rules, "", Look.NORMAL),
                ("Two here", "ui.hotseat", lambda: self.play(acts.hotseat), "", Look.PRIMARY),
                ("Computer", "ui.computer", lambda: self.play(acts.computer), "", Look.PRIMARY),
                ("Friend", "ui.friends", lambda: self.play(acts.friend), "", Look.PRIMARY),
            )
        ]

    # What a game's own editor brings --------------------------------------------------------

    def make_parts(self) -> None:
        """Makes the board, and the widgets between tools and list."""
        raise NotImplementedError

    def place_parts(self, board: Box, panel: Box) -> Box:
        """Places them; what is left of the panel."""
        raise NotImplementedError

    def show_draft(self, *, has_faults: bool) -> None:
        """Shows the draft on the board and in the panel, with `faults`."""
        raise NotImplementedError

    def asked(self) -> str:
        """What the next click does, in a sentence."""
        raise NotImplementedError

    def point_at(self, fault: Fault) -> None:
        """Shows where a fault is."""
        raise NotImplementedError

    def flip(self) -> None:
        """The other side sits at the bottom."""
        raise NotImplementedError

    def step_back(self) -> bool:
        """Lays down what is held; False if there is nothing."""
        raise NotImplementedError

    def press(self, symbol: int, modifiers: int) -> bool:
        """Does what a key stands for; False if it stands for nothing."""
        raise NotImplementedError

    # Placing ------------------------------------------------------------------------------

    def arrange(self, box: Box) -> None:
        """Board left, palette right, ways to keep and play below."""
        layout = arrange(box, self.scale)
        px = self.px
        size = px(34)
        top = layout.top
        right = top.right - px(12)
        low = top.y + (top.height - size) / 2
        for tool in reversed(self.tools.values()):
            tool.place(Box(right - size, low, size, size))
            right -= size + px(4)
        right = self.games.place_before(right - px(8), low, size, px(6))
        left = top.x + px(16)
        self.title.place(Box(left, top.y, right - left, top.height))
        self.status.place(layout.status)
        for button, room in zip(
            self.buttons, layout.bar.columns(len(self.buttons), px(6)), strict=True
        ):
            button.place(room)
        self.list.place(self.place_parts(layout.board, layout.panel))
        self.sync()

    # What the screen says -------------------------------------------------------------------

    def sync(self) -> None:
        """Shows everything as it is."""
        draft = self.draft
        found = draft.faults()
        has_faults = bool(found)
        self.faults = (*found, *draft.warnings())
        self.show_draft(has_faults=has_faults)
        paint = theme.CORAL if has_faults else theme.AMBER
        self.list.set_rows(
            [
                Row(text, detail, icon="ui.cross" if has_faults else "ui.info", accent=paint)
                for text, detail in map(halves, self.faults)
            ]
            or [Row("This position can be played.", icon="ui.end_turn", accent=theme.TEAL)]
        )
        self.tools["undo"].enable(draft.can_undo)
        self.tools["redo"].enable(draft.can_redo)
        self.title.say(draft.scenario.title or "Board editor")
        if self.refusal:
            self.status.say(self.refusal, Tone.REFUSED)
        else:
            number = f"On the board: {count(draft.pieces, 'piece')}."
            self.status.say(" ".join((self.asked(), number)), Tone.ACT)
        for button in self.buttons[-PLAYS:]:
            button.enable(not has_faults)
        self.window.invalidate()

    def told(self, refusal: str) -> None:
        """Something was changed, or refused in words."""
        self.refusal = refusal
        self.window.sounds.play("refuse" if refusal else "drop")
        self.sync()

    def _show_fault(self, index: int) -> None:
        if index < len(self.faults):
            self.point_at(self.faults[index])
            self.sync()

    # What the player does -----------------------------------------------------------------

    def undo(self) -> None:
        """Takes the last change back."""
        self.draft.undo()
        self.told("")

    def redo(self) -> None:
        """Makes it again."""
        self.draft.redo()
        self.told("")

    def swap(self) -> None:
        """The sides change places."""
        self.told(self.draft.swap())

    def clear(self) -> None:
        """An empty board."""
        self.told(self.draft.clear())

    def copy(self) -> None:
        """The position as text."""
        self.window.write_clipboard(self.library.texts.write(self.draft.scenario))
        self.toasts.tell("The position is in the clipboard, as text.")

    def paste(self) -> None:
        """A position from text."""
        try:
            made = self.library.texts.paste(self.window.read_clipboard())
        except EngineError as error:
            self.toasts.tell(str(error), theme.CORAL)
            return
        self.draft.open(made)
        self.told("")

    def open(self) -> None:
        """Chooses a start position."""
        self.window.open_screen(ScenariosScreen(self.window, self.library, self._open))

    def _open(self, listed: Listed | None) -> None:
        try:
            made = self.library.texts.standard() if listed is None else self.library.draft(listed)
        except EngineError as error:
            self.toasts.tell(str(error), theme.CORAL)
            return
        self.draft.open(made)
        self._kept = self.draft.scenario
        self.told("")

    def keep(self) -> None:
        """Asks for a title and keeps the position."""
        made = self.draft.scenario
        self.window.open_screen(KeepScreen(self.window, made, self.library, self._keep))

    def _keep(self, title: str, teaches: str) -> None:
        self.told(self.draft.entitle(title, teaches))
        try:
            path = self.library.keep(self.draft.scenario)
        except OSError as error:
            self.toasts.tell(f"Not kept: {error.strerror or error}", theme.CORAL)
            return
        self._kept = self.draft.scenario
        self.toasts.tell(f"Kept as {path.name}")

    def rules(self) -> None:
        """The options of the position."""
        about = game(self.library.texts.game_id)
        page = RulesPage(self.window, about, self.draft.options, self._take_rules)
        self.window.open_screen(page)

    def _take_rules(self, options: dict[str, object]) -> None:
        self.draft.set_options(options)
        self.told("")

    def play(self, way: Callable[[Start], None]) -> None:
        """Plays it, if it can be played."""
        faults = self.draft.faults()
        if faults:
            self.told(f"{faults[0].text}.")
            return
        way(self.library.texts.start(self.draft.scenario))

    def leave(self) -> None:
        """Leaves, after a question if something would be lost."""
        self._go(self.acts.leave)

    def _go(self, where: Callable[[], None]) -> None:
        if self.draft.scenario == self._kept or self.draft.is_empty:
            where()
            return
        Dialog(
            self.stage,
            "Leave the editor?",
            "The changes since the position was last kept are lost.",
            (
                Choice("Keep it", self.keep, Look.PRIMARY),
                Choice("Leave", where, Look.DANGER),
                Choice("Stay"),
            ),
        )

    # Keys ---------------------------------------------------------------------------------

    def on_key(self, symbol: int, modifiers: int) -> bool:
        """With Ctrl what every editor can do, else what this game's can."""
        if not modifiers & key.MOD_CTRL:
            return self.press(symbol, modifiers)
        redoes = symbol == key.Z and modifiers & key.MOD_SHIFT
        command = COMMANDS.get(key.Y if redoes else symbol)
        if command is None:
            return False
        command(self)
        return True

    def _back(self) -> None:
        """Escape: lays down what is held, then leaves."""
        if self.step_back():
            self.told("")
        else:
            self.leave()


def halves(fault: Fault) -> tuple[str, str]:
    """The fact, and the way out."""
    fact, _, way_out = fault.text.partition("; ")
    return fact, way_out


COMMANDS: Final[Mapping[int, Callable[[EditorScreen], None]]] = MappingProxyType(
    {
        key.Z: EditorScreen.undo,
        key.Y: EditorScreen.redo,
        key.C: EditorScreen.copy,
        key.V: EditorScreen.paste,
        key.S: EditorScreen.keep,
        key.O: EditorScreen.open,
    }
)
