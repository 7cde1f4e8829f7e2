"""WEC's three levels as three small boards: an overview, and an exact way to point at a cell."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import arcade

from cloakboard.client import theme
from cloakboard.client.boards import wec_geometry as geometry
from cloakboard.client.boards.wec_figures import SIDES, TINTS
from cloakboard.client.boards.wec_geometry import Frame
from cloakboard.client.choose import Click, Mark
from cloakboard.client.widgets import Widget
from cloakboard.client.words import LEVELS
from cloakboard.engine.wec.board import ref_of, seen
from cloakboard.engine.wec.state import AIR, GROUND, SQUARES, SUB, Piece, State

if TYPE_CHECKING:
    from cloakboard.client.shapes import Shape
    from cloakboard.client.widgets.stage import Stage

ORDER: Final = (SUB, GROUND, AIR)
GROUNDS: Final = MappingProxyType({GROUND: theme.WALNUT, AIR: theme.SKY, SUB: theme.DEEP})
CAPTION: Final = 18  # design pixels above each board


class LevelBoards(Widget):
    """Sub, Ground and Air side by side. `on_click` gets the cell pointed at and whether it was
    the right button."""

    def __init__(self, stage: Stage, on_click: Callable[[Click, bool], None]) -> None:
        super().__init__(stage)
        self.on_click = on_click
        self.near = 0
        self.state: State | None = None
        self.viewer = 0
        self.marks: tuple[Mark, ...] = ()
        self.cursor: int | None = None
        self._is_unmasked = False
        self._squares = {level: [self.shape() for _ in range(51)] for level in ORDER}
        self._captions = {level: self.text(theme.TINY.tinted(theme.TEXT_SOFT)) for level in ORDER}
        self._discs: list[Shape] = []

    def show_state(
        self,
        state: State,
        viewer: int,
        marks: tuple[Mark, ...],
        cursor: int,
        *,
        is_unmasked: bool = False,
    ) -> None:
        """Shows a viewer's state with the highlights of the large board; with `is_unmasked`
        every piece of a full state."""
        said = (state, viewer, marks, cursor, is_unmasked)
        if said != (self.state, self.viewer, self.marks, self.cursor, self._is_unmasked):
            self.state, self.viewer, self.marks, self.cursor, self._is_unmasked = said
            self.near = viewer
            self.refresh()

    def frame(self, level: int) -> Frame:
        """Where a level's board is."""
        box = self.box.columns(3, self.px(theme.GAP))[ORDER.index(level)]
        edge = min(box.width, box.height - self.px(CAPTION)) // geometry.SIDE * geometry.SIDE
        return Frame(round(box.x + (box.width - edge) / 2), round(box.y), edge, self.near)

    def paint(self) -> None:
        """The squares, the pieces as discs, the highlights."""
        used = 0
        for level in ORDER:
            frame = self.frame(level)
            self._paint_squares(level, frame)
            caption = frame.bottom + frame.edge + self.px(CAPTION) / 2
            self._captions[level].set(
                LEVELS[level], self.scale, frame.left, caption, width=frame.edge, align="center"
            )
            used = self._paint_marks(level, frame, used)
            used = self._paint_pieces(level, frame, used)
        for disc in self._discs[used:]:
            disc.visible = False

    def _paint_squares(self, level: int, frame: Frame) -> None:
        ground, *dark = self._squares[level]
        colours = GROUNDS[level]
        ground.set(
            x=frame.left, y=frame.bottom, width=frame.edge, height=frame.edge, fill=colours.light
        )
        squares = (s for s in range(SQUARES) if sum(geometry.row_column(s)) % 2)
        for square, shape in zip(squares, dark, strict=True):
            x, y = geometry.corner(frame, square)
            shape.set(x=x, y=y, width=frame.unit, height=frame.unit, fill=colours.dark)

    def _paint_marks(self, level: int, frame: Frame, used: int) -> int:
        paints = {"take": theme.CORAL, "aim": theme.CORAL, "along": theme.CORAL.faded(0.4)}
        for mark in self.marks:
            if mark.cell // SQUARES == level and mark.kind != "piece":
                x, y = geometry.corner(frame, mark.cell % SQUARES)
                paint = paints.get(mark.kind, theme.AMBER).faded(0.75)
                self._disc(used).set(
                    x=x, y=y, width=frame.unit, height=frame.unit, radius=0, border=0, fill=paint
                )
                used += 1
        if self.cursor is not None and self.cursor // SQUARES == level:
            x, y = geometry.corner(frame, self.cursor % SQUARES)
            self._disc(used).set(
                x=x,
                y=y,
                width=frame.unit,
                height=frame.unit,
                radius=0,
                border=max(1.0, frame.unit * 0.14),
                edge=theme.WARM,
                fill=theme.CLEAR,
            )
            used += 1
        return used

    def _paint_pieces(self, level: int, frame: Frame, used: int) -> int:
        if self.state is None:
            return used
        placed: dict[int, int] = {}
        visible = self.state.pieces if self._is_unmasked else seen(self.state, self.viewer)
        for piece in visible:
            if piece.level != level:
                continue
            order = placed.get(piece.square, 0)
            placed[piece.square] = order + 1
            x, y = geometry.centre(frame, piece.square)
            width = frame.unit * 0.72
            colours = theme.side_colours(SIDES[piece.side], TINTS[level])
            aside = frame.unit * 0.16 * order
            self._disc(used).set(
                x=x - width / 2 + aside,
                y=y - width / 2 + aside,
                width=width,
                height=width,
                radius=width / 2,
                border=max(1.0, width * 0.16),
                edge=colours.rim,
                fill=colours.base,
            )
            used += 1
        return used

    def _disc(self, index: int) -> Shape:
        while len(self._discs) <= index:
            self._discs.append(self.shape(z=1))
        self._discs[index].visible = self.is_visible
        return self._discs[index]

    def cell_at(self, x: float, y: float) -> tuple[int, int] | None:
        """Square and level at a point of the window, or None between the boards."""
        for level in ORDER:
            square = geometry.square_under(self.frame(level), *self.at(x, y))
            if square is not None:
                return square, level
        return None

    def on_press(self, x: float, y: float, button: int, modifiers: int) -> None:
        """Points at a cell, and at its piece if it holds one of the viewer's."""
        found = self.cell_at(x, y)
        if found is None or self.state is None:
            return
        square, level = found
        self.on_click(exact_click(self.state, self.viewer, square, level), button == RIGHT)


RIGHT: Final = arcade.MOUSE_BUTTON_RIGHT


def exact_click(state: State, viewer: int, square: int, level: int) -> Click:
    """A click that means one cell; it names the piece if a single own one stands there."""
    own: list[Piece] = [
        piece
        for piece in state.pieces
        if piece.side == viewer and piece.square == square and piece.level == level
    ]
    return Click(square, level, ref_of(state, own[0]) if len(own) == 1 else None)


def boards_height(width: float, scale: theme.Scale) -> float:
    """The height that three boards side by side take in a width, real pixels."""
    return (width - 2 * scale.px(theme.GAP)) / 3 + scale.px(CAPTION)
