"""History and replay: a match step by step, in words and in notation, with what was hidden."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from pyglet.window import key

from cloakboard.client import theme
from cloakboard.client.boards import wec_geometry as geometry
from cloakboard.client.boards.wec import Board
from cloakboard.client.boards.wec_effects import Effects, sound_of
from cloakboard.client.boards.wec_figures import Style, token_of
from cloakboard.client.boards.wec_levels import LevelBoards, boards_height
from cloakboard.client.canvas import Box
from cloakboard.client.marks import Mark
from cloakboard.client.projector import Projector
from cloakboard.client.reel import Reel
from cloakboard.client.views.replay_parts import LineList, ScrubBar
from cloakboard.client.views.table_layout import arrange
from cloakboard.client.views.table_parts import InfoCard
from cloakboard.client.widgets import Button, IconButton, Label, Look, StatusLine, Tone
from cloakboard.client.window import Screen
from cloakboard.client.words import ARTICLES, SIDES, abilities, condition, piece_name, place
from cloakboard.engine.wec.state import BLACK, WHITE, Piece

if TYPE_CHECKING:
    from cloakboard.client.recording import Recording
    from cloakboard.client.shapes import Shape
    from cloakboard.client.window import CloakWindow

FADE_MS: Final = 900  # of what was hidden
EYES: Final = MappingProxyType({None: "Everything", BLACK: "Black's eyes", WHITE: "White's eyes"})
INFO: Final = 112
GAP: Final = 8


@dataclass(frozen=True, slots=True)
class ReplayActs:
    """What leads out of a replay. `export` writes a text and gives its path, or raises
    `OSError`; `go_on`, if there is a way, plays on from a step."""

    leave: Callable[[], None]
    export: Callable[[str, str], Path]
    go_on: Callable[[int], None] | None = None


class ReplayScreen(Screen):
    """A recording to look back on. `near` sits at the bottom; a whole recording begins at its
    end and shows what was hidden from `near`."""

    def __init__(
        self,
        window: CloakWindow,
        recording: Recording,
        acts: ReplayActs,
        *,
        near: int = BLACK,
        style: Style | None = None,
        name: str = "match",
        step: int | None = None,
    ) -> None:
        super().__init__(window)
        self.recording = recording
        self.acts = acts
        self.near = near if recording.seat is None else recording.seat
        self.style = style or Style()
        self.name = name
        self._reels: dict[int | None, Reel] = {}
        first = self._reel(self.near)
        self.projector = Projector(first, first.steps if step is None else step)
        self.shows_notation = False
        self._fades_in = recording.is_whole
        self._wait_ms = 0.0
        self._arrows: list[Shape] = []
        self._mouse = (0.0, 0.0)
        self.board = Board(self.canvas, self.style)
        self.effects = Effects(self.board, window.animator)
        self._make_widgets()
        self.stage.on_cancel = acts.leave

    def _make_widgets(self) -> None:
        stage = self.stage
        self.title = Label(stage, " against ".join(self.recording.names), theme.SUBHEADING)
        self.tools = {
            name: IconButton(stage, icon, hint, act)
            for name, icon, hint, act in (
                ("flip", "ui.exchange", "Turn the board round (F)", self.flip),
                ("copy", "ui.files", "Copy the notation (Ctrl+C)", self.copy),
                ("export", "ui.save", "Write the notation to a file (Ctrl+S)", self.export),
                ("go_on", "ui.play", "Play on from this position (P)", self.go_on),
                ("leave", "ui.exit", "Leave the replay (Escape)", self.acts.leave),
            )
        }
        self.tools["go_on"].show(self.acts.go_on is not None)
        eyes = EYES if self.recording.is_whole else {self.near: EYES[self.near]}
        self.eyes = {
            seat: Button(
                stage,
                text,
                lambda seat=seat: self.see(seat),  # type: ignore[misc]  # bound now
                icon="ui.eye" if seat is None else None,
                style=theme.SMALL,
                look=Look.QUIET,
            )
            for seat, text in eyes.items()
        }
        self.levels = LevelBoards(stage, lambda click, right: None)
        self.info = InfoCard(stage)
        self.notation = Button(
            stage, "Notation", self.toggle_notation, icon="ui.history", key_name="N"
        )
        self.lines = LineList(stage, self.go)
        self.status = StatusLine(stage)
        self.buttons = {
            name: IconButton(stage, icon, hint, act, look=Look.NORMAL)
            for name, icon, hint, act in (
                ("first", "ui.slower", "To the start (Home)", lambda: self.go(0)),
                ("back", "ui.previous", "One step back (Left)", lambda: self.by_steps(-1)),
                ("play", "ui.play", "Play by itself (Space)", self.play),
                ("forward", "ui.next", "One step on (Right)", lambda: self.by_steps(1)),
                ("last", "ui.faster", "To the end (End)", lambda: self.go(self._steps)),
            )
        }
        self.scrub = ScrubBar(stage, self.go)
        self.speed = Button(stage, "", self._faster, key_name="+ -", style=theme.SMALL)
        self.speed.hint = "How fast it plays by itself"

    def _reel(self, eyes: int | None) -> Reel:
        if eyes not in self._reels:
            self._reels[eyes] = Reel(self.recording, eyes)
        return self._reels[eyes]

    @property
    def _steps(self) -> int:
        return self.projector.reel.steps

    @property
    def _is_unmasked(self) -> bool:
        return self.projector.reel.eyes is None

    # Placing ------------------------------------------------------------------------------

    def arrange(self, box: Box) -> None:
        """Board left, panel right, the scrub bar below."""
        layout = arrange(box, self.scale)
        px, gap = self.px, self.px(GAP)
        size = px(34)
        right = layout.top.right - px(12)
        middle = layout.top.y + (layout.top.height - size) / 2
        for tool in reversed(self.tools.values()):
            if tool.is_visible:
                tool.place(Box(right - size, middle, size, size))
                right -= size + px(4)
        right -= px(12)
        for button in reversed(self.eyes.values()):
            width = button.natural_width()
            button.place(Box(right - width, middle, width, size))
            right -= width + px(4)
        left = layout.top.x + px(16)
        self.title.place(Box(left, layout.top.y, right - left, layout.top.height))
        self.status.place(layout.status)
        rest = layout.bar
        for button in self.buttons.values():
            at, rest = rest.cut_left(rest.height, px(6))
            button.place(at)
        speed, rest = rest.cut_right(px(128), gap)
        self.speed.place(speed)
        self.scrub.place(rest)
        panel = layout.panel
        height = min(boards_height(panel.width, self.scale), panel.height * 0.5)
        at, panel = panel.cut_top(height, gap)
        self.levels.place(at)
        at, panel = panel.cut_top(px(INFO), gap)
        self.info.place(at)
        at, panel = panel.cut_top(px(34), gap)
        self.notation.place(at)
        self.lines.place(panel)
        self._board_box = layout.board
        self._place_board()

    def _place_board(self) -> None:
        self.board.place(self._board_box, self.scale, self.near)
        self.levels.near = self.near
        self._rebuild()

    def _rebuild(self) -> None:
        """Shows the step as it is, whatever was moving."""
        self.window.animator.skip()
        self._wait_ms = 0.0
        self._show_state()
        self._sync()

    def _show_state(self) -> None:
        eyes = self.projector.reel.eyes
        viewer = self.near if eyes is None else eyes
        self.board.show(self.projector.shown, viewer, is_unmasked=self._is_unmasked)

    # Time ---------------------------------------------------------------------------------

    def update(self, passed_ms: float) -> None:
        """Shows events one after the other, and goes on by itself if it plays."""
        if self._fades_in and not self.window.animator.is_active:
            self._fades_in = False
            self.see(None)
            return
        self._wait_ms -= passed_ms
        if self._wait_ms > 0:
            return
        if self.projector.is_behind:
            self._show_events()
        elif self.projector.rest(passed_ms):
            if self.projector.forward():
                self._show_events()
            self._sync()

    def _show_events(self) -> None:
        self.window.animator.skip()
        self._wait_ms = 0.0
        while self._wait_ms <= 0 and (shown := self.projector.next_event()) is not None:
            before, event, _ = shown
            self._show_state()
            length = self.effects.play(before, event, self.projector.following())
            self._wait_ms = length / self.projector.speed
            sound = sound_of(event)
            if sound:
                self.window.sounds.play(sound)
        self._sync()

    # What the player does -----------------------------------------------------------------

    def go(self, step: int) -> None:
        """Stands at a step."""
        self.projector.play(False)
        self.projector.go(step)
        self._rebuild()

    def by_steps(self, count: int) -> None:
        """One step on, which is shown as it happened, or back."""
        self.projector.play(False)
        if count > 0 and self.projector.forward():
            self._show_events()
        elif count < 0:
            self.go(self.projector.step + count)
        self._sync()

    def by_turns(self, count: int) -> None:
        """To the next or the previous Turn."""
        self.go(self.projector.by_turns(count))

    def play(self) -> None:
        """Starts or stops playing by itself."""
        self.projector.play(not self.projector.is_playing)
        self._rebuild()

    def change_speed(self, change: int) -> None:
        """Faster or slower."""
        self.projector.set_speed(change)
        self._sync()

    def _faster(self) -> None:
        was = self.projector.speed
        self.projector.set_speed(1)
        if self.projector.speed == was:
            self.projector.set_speed(-10)
        self._sync()

    def see(self, eyes: int | None) -> None:
        """Looks through the eyes of a seat, or at everything; what comes into view fades in."""
        if eyes not in self.eyes:
            return
        before = {piece for look in self.board.looks for piece in (look.piece,)}
        self.projector.put_on(self._reel(eyes))
        if eyes is not None and eyes != self.near:
            self.near = eyes
            self._place_board()
            return
        self._rebuild()
        for look, figure in self.board.figures():
            if look.piece not in before:
                self.window.animator.add(FADE_MS, figure.fade, is_essential=True)

    def flip(self) -> None:
        """The other side sits at the bottom."""
        self.near = 1 - self.near
        self._place_board()

    def toggle_notation(self) -> None:
        """Words or notation in the panel."""
        self.shows_notation = not self.shows_notation
        self._sync()

    def copy(self) -> None:
        """The notation into the clipboard."""
        self.window.write_clipboard(self.projector.reel.notation())
        self.toasts.tell("The notation is in the clipboard.")

    def export(self) -> None:
        """The notation into a file."""
        try:
            path = self.acts.export(self.name, self.projector.reel.notation())
        except OSError as error:
            self.toasts.tell(f"Not written: {error.strerror or error}", theme.CORAL)
            return
        self.toasts.tell(f"Written to {path}")

    def go_on(self) -> None:
        """Plays on from here."""
        if self.acts.go_on is not None:
            self.acts.go_on(self.projector.step)

    # What the screen says -------------------------------------------------------------------

    def _sync(self) -> None:
        projector, reel = self.projector, self.projector.reel
        step = projector.step
        self.scrub.say(step, reel.steps, reel.turn_starts())
        if self.shows_notation:
            self.lines.say(reel.notation_lines(), step, has_headings=False)
        else:
            self.lines.say(reel.lines(), step)
        self.notation.switch(self.shows_notation)
        for eyes, button in self.eyes.items():
            button.switch(eyes == reel.eyes)
        icon = "ui.pause" if projector.is_playing else "ui.play"
        if self.buttons["play"].icon_name != icon:
            self.buttons["play"].icon_name = icon
            self.buttons["play"].refresh()
        for name in ("first", "back"):
            self.buttons[name].enable(step > 0)
        for name in ("forward", "last"):
            self.buttons[name].enable(step < reel.steps)
        self.speed.say(f"Speed {projector.speed:g}×")
        state = projector.shown
        turn = reel.state(max(0, step - 1))
        self.status.say(
            f"Turn {turn.turn}, {SIDES[turn.side]}: {' '.join(reel.sentences(step))}",
            Tone.FRIEND if reel.parted(step) is None else Tone.ACT,
        )
        below = [(square, Mark.LAST) for square in reel.touched(step)]
        self._draw_arrows()
        parted = reel.parted(step)
        if parted is not None:
            below.append((parted.goal % 100, Mark.GHOST))
        self.board.mark((), None, below)
        viewer = self.near if reel.eyes is None else reel.eyes
        self.levels.show_state(state, viewer, (), -1, is_unmasked=self._is_unmasked)
        self._tell_about()
        self.window.invalidate()

    def _draw_arrows(self) -> None:
        """Where a Move went, and where it was meant to go (WEC-49)."""
        for shape in self._arrows:
            shape.remove()
        self._arrows.clear()
        parted = self.projector.reel.parted(self.projector.step)
        if parted is None or self.projector.is_behind:
            return
        start, end, goal = (
            geometry.centre(self.board.frame, cell % 100)
            for cell in (parted.start, parted.end, parted.goal)
        )
        unit = self.board.frame.unit
        line = self.board.above.shapes.line
        self._arrows = [
            line(end, goal, unit * 0.07, theme.CORAL.faded(0.75)),
            line(start, end, unit * 0.09, theme.AMBER.faded(0.9)),
        ]

    def on_mouse(self, x: float, y: float) -> None:
        """What is under the pointer is told in the panel."""
        self._mouse = (x, y)
        self._tell_about()

    def _tell_about(self) -> None:
        square = geometry.square_under(self.board.frame, *self._mouse)
        if square is None:
            self.info.say("Point at a square", ("What stands and lies there is told here.",))
            return
        pieces = self.board.pieces_at(square)
        piece = self.board.piece_at(*self._mouse) or (pieces[0] if len(pieces) == 1 else None)
        state = self.projector.shown
        lying = tuple(
            f"Lies here: {ARTICLES[item.gear.kind]}"
            for item in state.lying
            if item.square == square
        )
        if piece is None:
            self.info.say(f"Square {place(square)}", lying or ("Nothing lies here",))
            return
        lines = condition(state, piece) + _hidden(piece) + abilities(piece) + lying
        title = f"{SIDES[piece.side]} {piece_name(piece)}"
        self.info.say(title, lines, token_of(piece, self.style))

    # Keys ---------------------------------------------------------------------------------

    def on_key(self, symbol: int, modifiers: int) -> bool:
        """Arrows step, Page keys go by Turns, Space plays."""
        keys = COMMANDS if modifiers & key.MOD_CTRL else KEYS
        if symbol not in keys:
            return False
        keys[symbol](self)
        return True


def _hidden(piece: Piece) -> tuple[str, ...]:
    return () if piece.handle else ("The enemy does not see it",)


def _see(eyes: int | None) -> Callable[[ReplayScreen], None]:
    return lambda screen: screen.see(eyes)


KEYS: Final = MappingProxyType(
    {
        key.LEFT: lambda screen: screen.by_steps(-1),
        key.RIGHT: lambda screen: screen.by_steps(1),
        key.UP: lambda screen: screen.by_turns(-1),
        key.DOWN: lambda screen: screen.by_turns(1),
        key.PAGEUP: lambda screen: screen.by_turns(-1),
        key.PAGEDOWN: lambda screen: screen.by_turns(1),
        key.HOME: lambda screen: screen.go(0),
        key.END: lambda screen: screen.go(screen.projector.reel.steps),
        key.SPACE: ReplayScreen.play,
        key.PLUS: lambda screen: screen.change_speed(1),
        key.EQUAL: lambda screen: screen.change_speed(1),
        key.NUM_ADD: lambda screen: screen.change_speed(1),
        key.MINUS: lambda screen: screen.change_speed(-1),
        key.NUM_SUBTRACT: lambda screen: screen.change_speed(-1),
        key.N: ReplayScreen.toggle_notation,
        key.F: ReplayScreen.flip,
        key.P: ReplayScreen.go_on,
        key.B: _see(BLACK),
        key.W: _see(WHITE),
        key.A: _see(None),
    }
)
COMMANDS: Final = MappingProxyType({key.C: ReplayScreen.copy, key.S: ReplayScreen.export})
