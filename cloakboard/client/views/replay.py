"""History and replay of any game: a match step by step, in words and in notation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from pyglet.window import key

from cloakboard.client import theme
from cloakboard.client.canvas import Box
from cloakboard.client.film import Film
from cloakboard.client.projector import Projector
from cloakboard.client.views.replay_parts import LineList, ScrubBar
from cloakboard.client.views.table_layout import arrange
from cloakboard.client.views.table_parts import InfoCard
from cloakboard.client.widgets import Button, IconButton, Label, Look, StatusLine, Tone
from cloakboard.client.window import Screen

if TYPE_CHECKING:
    from cloakboard.client.recording import Recording
    from cloakboard.client.window import CloakWindow
    from cloakboard.engine.events import Event
    from cloakboard.engine.game import State

INFO: Final = 112
GAP: Final = 8


@dataclass(frozen=True, slots=True)
class ReplayActs:
    """What leads out of a replay. `export` writes a text and gives its path, or raises
    `OSError`; `edit` opens the board editor with a position; `go_on`, if there is a way, plays on
    from a step."""

    leave: Callable[[], None]
    export: Callable[[str, str], Path]
    edit: Callable[[State], None]
    go_on: Callable[[int], None] | None = None


class ReplayScreen(Screen):
    """A recording to look back on. `near` sits at the bottom; a whole recording begins at its
    end. A game's own replay brings the board."""

    def __init__(
        self,
        window: CloakWindow,
        recording: Recording,
        acts: ReplayActs,
        *,
        near: int = 0,
        name: str = "match",
        step: int | None = None,
    ) -> None:
        super().__init__(window)
        self.recording = recording
        self.acts = acts
        self.near = near if recording.seat is None else recording.seat
        self.name = name
        self._films: dict[int | None, Film] = {}
        first = self.film(self.first_eyes())
        self.projector = Projector(first, first.steps if step is None else step)
        self.shows_notation = False
        self._wait_ms = 0.0
        self._mouse = (0.0, 0.0)
        self.make_board()
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
                ("edit", "ui.editor", "Edit this position (Ctrl+E)", self.edit),
                ("go_on", "ui.play", "Play on from this position (P)", self.go_on),
                ("leave", "ui.exit", "Leave the replay (Escape)", self.acts.leave),
            )
        }
        self.tools["go_on"].show(self.acts.go_on is not None)
        self.eyes = {
            seat: Button(
                stage,
                text,
                lambda seat=seat: self.see(seat),  # type: ignore[misc]  # bound now
                icon="ui.eye" if seat is None else None,
                style=theme.SMALL,
                look=Look.QUIET,
            )
            for seat, text in self.kinds_of_eyes().items()
        }
        self.make_parts()
        self.info = InfoCard(stage)
        self.notation = Button(
            stage, "Notation", self.toggle_notation, icon="ui.history", key_name="N"
        )
        self.lines = LineList(stage, self.go)
        self.status = StatusLine(stage)
        stage.uncovered = (self.status,)
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

    # What a game's own replay brings --------------------------------------------------------

    def make_film(self, eyes: int | None) -> Film:
        """The recording as a seat saw it, or all of it."""
        raise NotImplementedError

    def first_eyes(self) -> int | None:
        """Whose eyes it is first seen through."""
        return self.recording.seat

    def kinds_of_eyes(self) -> Mapping[int | None, str]:
        """Whose eyes can be chosen, and what their buttons say; none where all see the same."""
        return {}

    def make_board(self) -> None:
        """Makes the board."""
        raise NotImplementedError

    def make_parts(self) -> None:
        """Makes widgets of the panel that stand above the card."""

    def place_board(self) -> None:
        """Fits the board into `board_box`, with `near` at the bottom."""
        raise NotImplementedError

    def place_parts(self, panel: Box) -> Box:
        """Places them; what is left of the panel."""
        return panel

    def show_state(self) -> None:
        """Draws the position of the projector."""
        raise NotImplementedError

    def show_event(self, before: State, event: Event) -> tuple[float, str]:
        """Draws an event that has led to that position: its length in milliseconds, and the name
        of its sound, or nothing."""
        raise NotImplementedError

    def show_marks(self) -> None:
        """Draws what the step was about; once it has been shown."""

    def tell_about(self, x: float, y: float) -> None:
        """Tells in the card what is under the pointer."""
        raise NotImplementedError

    def tone(self) -> Tone:
        """The look of the sentence about the step."""
        return Tone.FRIEND

    # Placing ------------------------------------------------------------------------------

    def film(self, eyes: int | None) -> Film:
        """The film for these eyes."""
        if eyes not in self._films:
            self._films[eyes] = self.make_film(eyes)
        return self._films[eyes]

    @property
    def _steps(self) -> int:
        return self.projector.film.steps

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
        panel = self.place_parts(layout.panel)
        at, panel = panel.cut_top(px(INFO), gap)
        self.info.place(at)
        at, panel = panel.cut_top(px(34), gap)
        self.notation.place(at)
        self.lines.place(panel)
        self.board_box = layout.board
        self.rebuild()

    def rebuild(self) -> None:
        """Makes the board anew, and shows the step."""
        self.window.animator.skip()
        self.place_board()
        self._stand()

    def _stand(self) -> None:
        """Shows the step as it is, whatever was moving. The board stays: to make it anew at every
        step of the scrub bar would take longer than a frame."""
        self.window.animator.skip()
        self._wait_ms = 0.0
        self.show_state()
        self._sync()

    # Time ---------------------------------------------------------------------------------

    def update(self, passed_ms: float) -> None:
        """Shows events one after the other, and goes on by itself if it plays."""
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
            self.show_state()
            length, sound = self.show_event(before, event)
            self._wait_ms = length / self.projector.speed
            if sound:
                self.window.sounds.play(sound)
        self._sync()

    # What the player does -----------------------------------------------------------------

    def go(self, step: int) -> None:
        """Stands at a step."""
        self.projector.play(False)
        self.projector.go(step)
        self._stand()

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
        self.rebuild()

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
        """Looks through the eyes of a seat, or at everything."""
        if eyes not in self.eyes:
            return
        self.projector.put_on(self.film(eyes))
        if eyes is not None:
            self.near = eyes
        self.rebuild()

    def flip(self) -> None:
        """The other side sits at the bottom."""
        self.near = 1 - self.near
        self.rebuild()

    def toggle_notation(self) -> None:
        """Words or notation in the panel."""
        self.shows_notation = not self.shows_notation
        self._sync()

    def copy(self) -> None:
        """The notation into the clipboard."""
        self.window.write_clipboard(self.projector.film.notation())
        self.toasts.tell("The notation is in the clipboard.")

    def export(self) -> None:
        """The notation into a file."""
        try:
            path = self.acts.export(self.name, self.projector.film.notation())
        except OSError as error:
            self.toasts.tell(f"Not written: {error.strerror or error}", theme.CORAL)
            return
        self.toasts.tell(f"Written to {path}")

    def edit(self) -> None:
        """The position that is seen, in the board editor."""
        self.acts.edit(self.projector.film.state(self.projector.step))

    def go_on(self) -> None:
        """Plays on from here."""
        if self.acts.go_on is not None:
            self.acts.go_on(self.projector.step)

    # What the screen says -------------------------------------------------------------------

    def _sync(self) -> None:
        projector, film = self.projector, self.projector.film
        step = projector.step
        self.scrub.say(step, film.steps, film.turn_starts)
        if self.shows_notation:
            self.lines.say(film.notation_lines, step, has_headings=False)
        else:
            self.lines.say(film.lines, step, film.has_headings)
        self.notation.switch(self.shows_notation)
        for eyes, button in self.eyes.items():
            button.switch(eyes == film.eyes)
        icon = "ui.pause" if projector.is_playing else "ui.play"
        if self.buttons["play"].icon_name != icon:
            self.buttons["play"].icon_name = icon
            self.buttons["play"].refresh()
        for name in ("first", "back"):
            self.buttons[name].enable(step > 0)
        for name in ("forward", "last"):
            self.buttons[name].enable(step < film.steps)
        self.speed.say(f"Speed {projector.speed:g}×")
        self.status.say(film.told(step), self.tone())
        self.show_marks()
        self.tell_about(*self._mouse)
        self.window.invalidate()

    def on_mouse(self, x: float, y: float) -> None:
        """What is under the pointer is told in the panel."""
        self._mouse = (x, y)
        self.tell_about(x, y)

    # Keys ---------------------------------------------------------------------------------

    def on_key(self, symbol: int, modifiers: int) -> bool:
        """Arrows step, Page keys go by Turns, Space plays."""
        keys = COMMANDS if modifiers & key.MOD_CTRL else KEYS
        if symbol not in keys:
            return not modifiers & key.MOD_CTRL and self.press(symbol)
        keys[symbol](self)
        return True

    def press(self, symbol: int) -> bool:
        """What else a key does in this game; False if nothing."""
        return False


KEYS: Final[Mapping[int, Callable[[ReplayScreen], None]]] = MappingProxyType(
    {
        key.LEFT: lambda screen: screen.by_steps(-1),
        key.RIGHT: lambda screen: screen.by_steps(1),
        key.UP: lambda screen: screen.by_turns(-1),
        key.DOWN: lambda screen: screen.by_turns(1),
        key.PAGEUP: lambda screen: screen.by_turns(-1),
        key.PAGEDOWN: lambda screen: screen.by_turns(1),
        key.HOME: lambda screen: screen.go(0),
        key.END: lambda screen: screen.go(screen.projector.film.steps),
        key.SPACE: ReplayScreen.play,
        key.PLUS: lambda screen: screen.change_speed(1),
        key.EQUAL: lambda screen: screen.change_speed(1),
        key.NUM_ADD: lambda screen: screen.change_speed(1),
        key.MINUS: lambda screen: screen.change_speed(-1),
        key.NUM_SUBTRACT: lambda screen: screen.change_speed(-1),
        key.N: ReplayScreen.toggle_notation,
        key.F: ReplayScreen.flip,
        key.P: ReplayScreen.go_on,
    }
)
COMMANDS: Final[Mapping[int, Callable[[ReplayScreen], None]]] = MappingProxyType(
    {key.C: ReplayScreen.copy, key.S: ReplayScreen.export, key.E: ReplayScreen.edit}
)
