"""A flat board of squares: drawing it, and turning points into squares and back."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from cloakboard.client import theme
from cloakboard.client.canvas import Box, Layer
from cloakboard.client.shapes import Shape
from cloakboard.client.theme import Board, Colour, Scale
from cloakboard.client.widgets.text import Text


class Square(NamedTuple):
    """Row and column as drawn: row 0 is the lowest on the screen, column 0 the leftmost."""

    row: int
    column: int


_BLACK = Colour(0, 0, 0)
_WHITE = Colour(255, 255, 255)


class Lighting(StrEnum):
    """Where a board's light comes from: a lamp above its middle, daylight, or evenly from
    everywhere."""

    LAMP = "lamp"
    DAY = "day"
    EVEN = "even"


class BoardGrid:
    """The squares of a board with frame and coordinates, lit from above.

    `dark_first` says that the lower left square is dark. Labels are texts for the columns
    from left to right and the rows from the bottom; empty lists leave the margin out.
    """

    def __init__(
        self,
        layer: Layer,
        rows: int,
        columns: int,
        colours: Board = theme.WALNUT,
        dark_first: bool = True,
    ) -> None:
        self.rows = rows
        self.columns = columns
        self.colours = colours
        self.box = Box(0, 0, 0, 0)
        self.square_px = 0
        self.lighting = Lighting.LAMP
        self._dark_first = dark_first
        self._layer = layer
        self._shade = layer.shapes.box(0, 0, 0, 0)
        self._frame = layer.shapes.box(0, 0, 0, 0)
        self._lip = layer.shapes.box(0, 0, 0, 0)
        self._squares: dict[Square, Shape] = {
            Square(row, column): layer.shapes.box(0, 0, 0, 0)
            for row in range(rows)
            for column in range(columns)
        }
        self._labels: list[Text] = []

    def place(
        self,
        room: Box,
        scale: Scale,
        row_labels: list[str] | None = None,
        column_labels: list[str] | None = None,
        quarter: tuple[int, int] | None = None,
    ) -> None:
        """Draw the largest board that fits into `room`, centred, squares in whole pixels.

        A `quarter`, (right, up) each 0 or 1, is drawn alone and twice as large; the rest of the
        board lies beyond, to be clipped away by the layers.
        """
        has_labels = bool(row_labels or column_labels)
        margin = scale.px(22) if has_labels else scale.px(4)
        inner = room.inset(margin)
        zoom = 1 if quarter is None else 2
        side = min(inner.width * zoom / self.columns, inner.height * zoom / self.rows)
        self.square_px = max(1, int(side))
        width, height = self.square_px * self.columns, self.square_px * self.rows
        seen = room.middle(width // zoom, height // zoom)
        right, up = quarter or (0, 0)
        self.box = Box(seen.x - right * width // 2, seen.y - up * height // 2, width, height)
        self._paint_frame(self.box.inset(-margin), scale)
        for square, shape in self._squares.items():
            self._paint_square(square, shape)
        self._paint_labels(scale, margin, row_labels or [], column_labels or [])

    def _paint_frame(self, outer: Box, scale: Scale) -> None:
        blur = scale.px(22)
        self._shade.set(
            x=outer.x, y=outer.y - blur / 3, width=outer.width, height=outer.height,
            radius=scale.px(10), blur=blur, fill=theme.SHADE,
        )  # fmt: skip
        edge = self.colours.edge
        self._frame.set(
            x=outer.x, y=outer.y, width=outer.width, height=outer.height, radius=scale.px(9),
            border=max(1, scale.px(1)), fill=edge.mixed(_WHITE, 0.1),
            fill_bottom=edge.mixed(_BLACK, 0.25), edge=edge.mixed(_WHITE, 0.22),
        )  # fmt: skip
        lip = self.box.inset(-max(1, scale.px(2)))
        self._lip.set(
            x=lip.x, y=lip.y, width=lip.width, height=lip.height, fill=edge.mixed(_BLACK, 0.55)
        )

    def _paint_square(self, square: Square, shape: Shape) -> None:
        is_dark = (square.row + square.column) % 2 == (0 if self._dark_first else 1)
        paint = self.colours.dark if is_dark else self.colours.light
        box = self.square_box(square)
        shape.set(
            x=box.x, y=box.y, width=box.width, height=box.height,
            fill=self._lit(paint, square.row + 1, square.column),
            fill_bottom=self._lit(paint, square.row, square.column),
        )  # fmt: skip

    def _lit(self, paint: Colour, row: float, column: float) -> Colour:
        """The lamp hangs over the upper middle: squares far from it are darker. Daylight falls
        from the upper edge."""
        if self.lighting is Lighting.EVEN:
            return paint
        if self.lighting is Lighting.DAY:
            return paint.mixed(_WHITE, 0.2 + 0.14 * row / self.rows)
        across = (column + 0.5) / self.columns - 0.5
        along = row / self.rows - 0.62
        far = min(1.0, (across * across * 1.5 + along * along * 1.1) ** 0.5 * 1.5)
        return paint.mixed(theme.WARM, 0.13 * (1 - far)).mixed(theme.ROOM_DARK, 0.34 * far)

    def _paint_labels(
        self, scale: Scale, margin: int, row_labels: list[str], column_labels: list[str]
    ) -> None:
        for text in self._labels:
            text.delete()
        style = theme.TINY.tinted(self.colours.label.faded(0.85))
        self._labels = []
        side = self.square_px
        for index, label in enumerate(row_labels):
            y = self.box.y + (index + 0.5) * side
            for x in (self.box.x - margin, self.box.right):
                text = Text(self._layer, style)
                self._labels.append(text.set(label, scale, x, y, width=margin, align="center"))
        for index, label in enumerate(column_labels):
            x = self.box.x + index * side
            for y in (self.box.y - margin / 2, self.box.top + margin / 2):
                text = Text(self._layer, style)
                self._labels.append(text.set(label, scale, x, y, width=side, align="center"))

    def square_box(self, square: Square) -> Box:
        """A square's box."""
        side = self.square_px
        return Box(self.box.x + square.column * side, self.box.y + square.row * side, side, side)

    def square_at(self, x: float, y: float) -> Square | None:
        """The square at a point of the window, None beside the board."""
        if not self.box.contains(x, y):
            return None
        return Square(
            int((y - self.box.y) // self.square_px), int((x - self.box.x) // self.square_px)
        )
