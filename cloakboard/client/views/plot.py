"""A small line of numbers over time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cloakboard.client import theme
from cloakboard.client.shapes import Shape, line_fields
from cloakboard.client.widgets import Stage, Widget

MOST: Final = 80  # the latest points that are shown
ROUNDED: Final = 50  # the scale ends at multiples of this


def bounds(values: Sequence[int]) -> tuple[int, int]:
    """Round numbers below and above all values, never equal."""
    low = min(values) // ROUNDED * ROUNDED
    high = -(-max(values) // ROUNDED) * ROUNDED
    return low, max(high, low + ROUNDED)


class Plot(Widget):
    """Points joined by lines, evenly spaced from the oldest to the newest."""

    def __init__(self, stage: Stage, title: str, empty_text: str) -> None:
        super().__init__(stage)
        self.values: tuple[int, ...] = ()
        self._title = title
        self._empty_text = empty_text
        self._well = self.shape()
        self._base = self.shape(z=1)
        self._texts3 = [self.text(theme.TINY) for _ in range(3)]
        self._heading = self.text(theme.SMALL)
        self._lines: list[Shape] = []
        self._dots: list[Shape] = []

    def tell(self, values: Sequence[int], title: str) -> None:
        """Shows other values under another title."""
        self.values, self._title = tuple(values[-MOST:]), title
        while len(self._dots) < len(self.values):
            self._lines.append(self.shape(z=2))
            self._dots.append(self.shape(z=3))
        self.refresh()

    def paint(self) -> None:
        """The well, the scale's two ends, lines and points."""
        x, y, width, height = self.box
        px = self.px
        self._well.set(
            x=x, y=y, width=width, height=height, radius=px(theme.RADIUS), border=max(1, px(1)),
            fill=theme.WELL.faded(0.7), edge=theme.PANEL_EDGE.faded(0.6),
        )  # fmt: skip
        room = width - px(20)
        self._heading.set(self._title, self.scale, x + px(10), y + height - px(16), width=room)
        for shape in (*self._lines, *self._dots, self._base):
            shape.set(fill=theme.CLEAR)
        high_text, low_text, note = self._texts3
        if not self.values:
            high_text.delete()
            low_text.delete()
            note.set(self._empty_text, self.scale, x + px(10), y + height / 2, width=room)
            return
        note.delete()
        low, high = bounds(self.values)
        left, right = x + px(48), x + width - px(14)
        bottom, top = y + px(16), y + height - px(36)
        high_text.set(str(high), self.scale, x + px(10), top)
        low_text.set(str(low), self.scale, x + px(10), bottom)
        step = (right - left) / max(1, len(self.values) - 1)
        points = [
            (left + at * step, bottom + (value - low) / (high - low) * (top - bottom))
            for at, value in enumerate(self.values)
        ]
        self._base.set(
            x=left, y=bottom, width=right - left, height=max(1, px(1)), fill=theme.PANEL_EDGE
        )
        for shape, start, end in zip(self._lines, points, points[1:], strict=False):
            shape.set(**line_fields(start, end, max(1.5, px(2))), fill=theme.TEAL)
        size = px(6)
        for shape, (at_x, at_y) in zip(self._dots, points, strict=False):
            shape.set(
                x=at_x - size / 2, y=at_y - size / 2, width=size, height=size, radius=size / 2,
                fill=theme.WARM,
            )  # fmt: skip
