"""Parts of the replay: the scrub bar, and the list of lines that leads to their steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from pyglet.window import key

from cloakboard.client import theme
from cloakboard.client.widgets import FocusMark, ScrollArea, Text, Widget, line_height, wrapped
from cloakboard.client.words import SIDES

if TYPE_CHECKING:
    from cloakboard.client.canvas import Box
    from cloakboard.client.film import Line
    from cloakboard.client.shapes import Shape
    from cloakboard.client.widgets import Stage

MOST_TICKS: Final = 240  # Turns with a tick of their own; beyond that every other one, and so on


class ScrubBar(Widget):
    """A bar with a tick for each Turn; dragging it, or its arrow keys, go to a step."""

    is_focusable = True

    def __init__(self, stage: Stage, on_step: Callable[[int], None]) -> None:
        super().__init__(stage)
        self.on_step = on_step
        self.steps = 0
        self.step = 0
        self._turns: tuple[int, ...] = ()
        self._groove = self.shape()
        self._done = self.shape()
        self._knob = self.shape(z=2)
        self._ticks: list[Shape] = []
        self._focus_mark = FocusMark(self)

    def say(self, step: int, steps: int, turns: tuple[int, ...]) -> None:
        """Shows where it stands; `turns` are the steps at which Turns begin."""
        said = (step, steps, turns)
        if said != (self.step, self.steps, self._turns):
            self.step, self.steps, self._turns = said
            self.refresh()

    def _x_of(self, step: int) -> float:
        pad = self.px(12)
        share = step / self.steps if self.steps else 0.0
        return self.box.x + pad + (self.box.width - 2 * pad) * share

    def step_at(self, x: float) -> int:
        """The step nearest to a place along the bar."""
        pad = self.px(12)
        room = max(1.0, self.box.width - 2 * pad)
        share = (self.at(x, 0)[0] - self.box.x - pad) / room
        return round(min(max(share, 0.0), 1.0) * self.steps)

    def on_press(self, x: float, y: float, button: int, modifiers: int) -> None:
        """Goes to the step there."""
        self.on_step(self.step_at(x))

    def on_drag(self, x: float, y: float) -> None:
        """Follows the mouse."""
        step = self.step_at(x)
        if step != self.step:
            self.on_step(step)

    def on_key(self, symbol: int, modifiers: int) -> bool:
        """Arrows, Home and End."""
        steps = {
            key.LEFT: self.step - 1,
            key.RIGHT: self.step + 1,
            key.HOME: 0,
            key.END: self.steps,
        }
        if symbol in steps:
            self.on_step(steps[symbol])
            return True
        return False

    def paint(self) -> None:
        """Groove, ticks, knob."""
        middle = self.box.y + self.box.height / 2
        left, right = self._x_of(0), self._x_of(self.steps or 1)
        here = self._x_of(self.step)
        height = self.px(6)
        self._groove.set(
            x=left, y=middle - height / 2, width=max(0, right - left), height=height,
            radius=height / 2, fill=theme.WELL, border=max(1, self.px(1)),
            edge=theme.PANEL_EDGE.faded(0.8),
        )  # fmt: skip
        self._done.set(
            x=left, y=middle - height / 2, width=max(0, here - left), height=height,
            radius=height / 2, fill=theme.AMBER.faded(0.8),
        )  # fmt: skip
        knob = self.px(18)
        self._knob.set(
            x=here - knob / 2, y=middle - knob / 2, width=knob, height=knob, radius=knob / 2,
            border=max(1, self.px(2)), fill=theme.AMBER,
            edge=theme.WARM if self.is_hovered or self.is_pressed else theme.WELL,
        )  # fmt: skip
        every = 1 + len(self._turns) // MOST_TICKS
        turns = self._turns[::every]
        while len(self._ticks) < len(turns):
            self._ticks.append(self.shape(z=1))
        for tick, step in zip(self._ticks, turns, strict=False):
            tick.visible = self.is_visible
            tick.set(
                x=round(self._x_of(step)), y=middle - self.px(13), width=max(1, self.px(1)),
                height=self.px(7), fill=theme.TEXT_FAINT.faded(0.7),
            )  # fmt: skip
        for tick in self._ticks[len(turns) :]:
            tick.visible = False
        self._focus_mark.paint(self.px(theme.RADIUS * 0.8))


class _Placed(NamedTuple):
    """A line in its place: its top edge and height below the list's top, unscrolled."""

    text: str
    top: float
    height: float
    step: int
    is_heading: bool


class LineList(ScrollArea):
    """Lines under a heading for each Turn; those up to the present step are bright. A click on
    one leads to its step. Only the lines in view exist."""

    def __init__(self, stage: Stage, on_step: Callable[[int], None]) -> None:
        super().__init__(stage, has_well=True)
        self.on_step = on_step
        self._bar_here = self.shape(z=1)
        self._shown: dict[int, Text] = {}  # the lines in view, by their place in `_placed`
        self._spare: list[Text] = []
        self._lines: tuple[Line, ...] = ()
        self._has_headings = True
        self._step = 0
        self._placed: list[_Placed] = []
        self._laid_for: tuple[object, ...] = ()

    def say(self, lines: Sequence[Line], step: int, has_headings: bool = True) -> None:
        """Shows these lines with the present step; notation needs no headings."""
        said = (tuple(lines), step, has_headings)
        if said == (self._lines, self._step, self._has_headings):
            return
        self._lines, self._step, self._has_headings = said
        self._lay_out()
        self._reveal_step()
        self.refresh()

    def place(self, box: Box) -> None:
        """Moves it and lays the lines out for the new width."""
        super().place(box)
        self._lay_out()
        self._reveal_step()

    def _lay_out(self) -> None:
        """Works out where each line is, if lines or width have changed."""
        width = self.content_box.width - 2 * self.px(10)
        wanted = (self._lines, self._has_headings, width, self.scale)
        if wanted == self._laid_for:
            return
        self._laid_for = wanted
        self._placed = []
        top, turn = float(self.px(8)), None
        style, heading = theme.SMALL, theme.TINY
        step_height = line_height(style, self.scale)
        for line in self._lines:
            if self._has_headings and line.turn != turn:
                turn = line.turn
                top += self.px(4)
                height = line_height(heading, self.scale)
                said = f"Turn {turn} · {SIDES[line.side]}"
                self._placed.append(_Placed(said, top, height, line.step, True))
                top += height
            height = step_height * len(wrapped(line.text, style, self.scale, width))
            self._placed.append(_Placed(line.text, top, height, line.step, False))
            top += height + self.px(3)
        self.set_content_height(top + self.px(8))

    def _current(self) -> int:
        """The step of the lines that are about the present one: of sentences the last that
        were said, of notation the Turn that holds it; -1 if there are none."""
        steps = [line.step for line in self._lines]
        if self._has_headings:
            return max((step for step in steps if step <= self._step), default=-1)
        return min((step for step in steps if step >= self._step), default=-1)

    def _here(self) -> tuple[float, float] | None:
        """Top and bottom edge of the present lines, below the list's top."""
        current = self._current()
        spans = [one for one in self._placed if one.step == current and not one.is_heading]
        return (spans[0].top, spans[-1].top + spans[-1].height) if spans else None

    def _reveal_step(self) -> None:
        here = self._here()
        if here is None:
            self.scroll_to(0)
            return
        top, bottom = here
        edge, more = self.box.top, self.px(24)
        self.reveal(self.box._replace(y=edge - bottom - more, height=bottom - top + 2 * more))

    def step_under(self, y: float) -> int | None:
        """The step of the line at a height of the window, or None."""
        below = self.box.top - y + self.offset
        found = (one for one in self._placed if one.top <= below < one.top + one.height)
        return next((one.step for one in found), None)

    def on_press(self, x: float, y: float, button: int, modifiers: int) -> None:
        """The line there, or the bar."""
        super().on_press(x, y, button, modifiers)
        step = self.step_under(y) if self._held is None else None
        if step is not None:
            self.on_step(step)

    def paint(self) -> None:
        """The lines in view and the present step's bar, besides what every such area has."""
        self._paint_lines()
        here = self._here()
        low = high = 0.0
        if here is not None:
            high = min(self.box.top - here[0] + self.offset, self.box.top - self.px(2))
            low = max(self.box.top - here[1] + self.offset, self.box.y + self.px(2))
        self._bar_here.set(
            x=self.box.x + self.px(3), y=low, width=self.px(3), height=max(0.0, high - low),
            radius=self.px(1.5), fill=theme.AMBER if high > low else theme.CLEAR,
        )  # fmt: skip
        super().paint()

    def _paint_lines(self) -> None:
        """A line that stays in view keeps its text, which then need not be laid out again."""
        box, pad, current = self.content_box, self.px(10), self._current()
        low, high = self.offset, self.offset + self.box.height
        in_view = {
            place: one
            for place, one in enumerate(self._placed)
            if one.top + one.height >= low and one.top <= high
        }
        self._spare += [self._shown.pop(place) for place in self._shown.keys() - in_view.keys()]
        for place, one in in_view.items():
            if place not in self._shown:
                self._shown[place] = self._spare.pop() if self._spare else self._another()
            style = theme.SMALL.tinted(theme.TEXT if one.step <= current else theme.TEXT_FAINT)
            if one.is_heading:
                style = theme.TINY.tinted(theme.AMBER.faded(0.9))
            self._shown[place].set(
                one.text, self.scale, box.x + pad, box.top - one.top,
                style=style, width=box.width - 2 * pad, wrap=True,
            )  # fmt: skip
        for text in self._spare:
            text.delete()

    def _another(self) -> Text:
        text = Text(self.content, theme.SMALL)
        self._texts.append(text)
        return text
