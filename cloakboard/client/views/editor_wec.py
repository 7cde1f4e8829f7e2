"""The board editor of Weaponized Chess (RULES section 12)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import arcade

from cloakboard.client.boards import wec_geometry as geometry
from cloakboard.client.boards.wec import Board
from cloakboard.client.boards.wec_figures import Figure, Style
from cloakboard.client.canvas import Box
from cloakboard.client.draft import ArticleBrush, Brush, Draft, Eraser, LockBrush, PieceBrush
from cloakboard.client.library import Library
from cloakboard.client.marks import Mark
from cloakboard.client.views.editor import DRAG, EditorActs, EditorScreen
from cloakboard.client.views.editor_keys import asked, press
from cloakboard.client.views.editor_parts import Inspector, Palette
from cloakboard.engine.wec.position import Fault, Placed, Scenario
from cloakboard.engine.wec.state import BLACK, SQUARES, Piece

if TYPE_CHECKING:
    from cloakboard.client import drafting
    from cloakboard.client.window import CloakWindow

RIGHT: Final = arcade.MOUSE_BUTTON_RIGHT


class Held(NamedTuple):
    """A piece that the mouse went down on, as drawn and as the position has it, and where."""

    drawn: Piece
    placed: Placed
    x: float
    y: float


class WecEditor(EditorScreen):
    """Pieces at three levels, articles and reinforcements."""

    draft: Draft
    palette: Palette

    def __init__(
        self,
        window: CloakWindow,
        scenario: Scenario,
        library: Library[Scenario],
        acts: EditorActs,
        style: Style | None = None,
    ) -> None:
        self._style = style or Style()
        self.near = BLACK
        self.cursor: int | None = None
        self._held: Held | None = None
        self._figure: Figure | None = None
        super().__init__(window, Draft(scenario), library, acts)

    def make_parts(self) -> None:
        """The board, the palette, and the selected piece."""
        stage, style = self.stage, self._style
        self.board = Board(self.canvas, style)
        self.palette = Palette(stage, style, self._brush_taken, self._carried, self._dropped)
        self.inspector = Inspector(stage, self.draft, self.told, self.lock)

    def place_parts(self, board: Box, panel: Box) -> Box:
        """The board left, the rest from the top of the panel."""
        self._board_box = board
        self.board.place(board, self.scale, self.near)
        rest = self.palette.place(panel, self.px)
        return self.inspector.place(rest, self.px)

    def flip(self) -> None:
        """The other side sits at the bottom."""
        self.near = 1 - self.near
        self.board.place(self._board_box, self.scale, self.near)
        self.sync()

    # What the screen says -------------------------------------------------------------------

    def show_draft(self, *, has_faults: bool) -> None:
        """The pieces with what is wrong with them, and the selected one."""
        draft = self.draft
        self.board.show(draft.picture(), BLACK, is_unmasked=True)
        waiting = [
            Piece(reserve.side, reserve.kind, reserve.square, reserve.hand)
            for reserve in draft.position.reserves
        ]
        marks: list[tuple[int, Mark]] = [(piece.square, Mark.REINFORCE) for piece in waiting]
        if has_faults:
            marks += [(f.cell % SQUARES, Mark.THREAT) for f in draft.faults() if f.cell >= 0]
        if draft.selected is not None:
            marks.append((draft.selected.cell % SQUARES, Mark.SELECTED))
            bound = draft.bound_to(draft.selected)
            marks += [(placed.cell % SQUARES, Mark.SEEN) for placed in bound]
        self.board.mark((), self.cursor, marks, waiting)
        self.inspector.sync()

    def asked(self) -> str:
        """What the next click does."""
        return asked(self.palette)

    def point_at(self, fault: drafting.Fault) -> None:
        """The cursor goes there."""
        if isinstance(fault, Fault) and fault.cell >= 0:
            self.cursor = fault.cell

    def _brush_taken(self, brush: Brush) -> None:
        self.refusal = ""
        selected = self.draft.selected
        if isinstance(brush, ArticleBrush) and selected is not None:
            self.palette.brush = None
            self.palette.take(None)
            self.told(self.draft.give(selected, brush.kind))
            return
        if isinstance(brush, PieceBrush | Eraser):
            self.draft.selected = None
        self.sync()

    # Mouse --------------------------------------------------------------------------------

    def on_press(self, x: float, y: float, button: int, modifiers: int) -> None:
        """Left applies the brush or takes hold of a piece, right takes away."""
        self.stage.set_focus(None)
        square = geometry.square_under(self.board.frame, x, y)
        if square is None:
            return
        self.cursor = None
        piece = self.board.piece_at(x, y)
        if button == RIGHT:
            self.told(self.draft.erase(square, piece))
            return
        if self.palette.brush is None and piece is not None:
            self.draft.selected = self.draft.placed(piece)
            self._held = Held(piece, self.draft.selected, x, y)
            self.refusal = ""
            self.sync()
            return
        self.apply(square, piece)

    def on_mouse(self, x: float, y: float) -> None:
        """A piece that is held follows the mouse."""
        held = self._held
        if held is None:
            return
        if self._figure is None:
            if abs(x - held.x) + abs(y - held.y) < self.px(DRAG):
                return
            width = self.board.frame.unit * geometry.TOKEN_BY_LEVELS[1]
            self._figure = self.board.copy(held.drawn, geometry.Spot(x, y, width))
        self._figure.move(x, y)
        self.window.invalidate()

    def on_release(self, x: float, y: float, button: int) -> None:
        """A piece that was held is put down where it is let go, beside the board it is gone."""
        held, was_moving = self._held, self._figure is not None
        self._let_go()
        if held is None or not was_moving:
            return
        if held.placed not in self.draft.position.pieces:
            return  # a key has taken it away meanwhile
        square = geometry.square_under(self.board.frame, x, y)
        if square is None:
            self.told(self.draft.remove(held.placed))
        elif square != held.drawn.square:
            self.told(self.draft.move(held.placed, held.drawn.level * SQUARES + square))

    def _let_go(self) -> None:
        self._held = None
        if self._figure is not None:
            self._figure.remove()
            self._figure = None

    def _carried(self, x: float, y: float) -> None:
        """A brush is dragged from the palette."""
        square = geometry.square_under(self.board.frame, x, y)
        self.cursor = None if square is None else self.palette.level * SQUARES + square
        self.sync()

    def _dropped(self, x: float, y: float) -> None:
        square = geometry.square_under(self.board.frame, x, y)
        self.cursor = None
        if square is not None:
            self.apply(square, self.board.piece_at(x, y))
        else:
            self.sync()

    def apply(self, square: int, piece: Piece | None) -> None:
        """Applies the brush to a square, at the palette's level."""
        cell = self.palette.level * SQUARES + square
        refusal = self.draft.put(self.palette.brush, cell, piece)
        if isinstance(self.palette.brush, LockBrush) and not refusal:
            self.palette.take(None)
        self.told(refusal)

    def lock(self) -> None:
        """The next click says what the selected piece locks on to."""
        if self.draft.selected is not None:
            self.palette.take(LockBrush(self.draft.selected))

    # Keys ---------------------------------------------------------------------------------

    def press(self, symbol: int, modifiers: int) -> bool:
        """Arrows move a cursor, Enter applies the brush there, numbers choose the level."""
        return press(self, symbol)

    def put_cursor(self, square: int) -> None:
        """The keyboard's cursor stands there, at the palette's level."""
        self.stage.set_focus(None)
        self.cursor = self.palette.level * SQUARES + square
        self.sync()

    def under_cursor(self) -> Piece | None:
        """The piece under the keyboard's cursor."""
        assert self.cursor is not None
        here = self.board.pieces_at(self.cursor % SQUARES)
        return next((piece for piece in here if piece.cell == self.cursor), None)

    def delete(self) -> None:
        """Takes away what is under the cursor, or the selected piece."""
        selected = self.draft.selected
        if self.cursor is not None:
            self.told(self.draft.erase(self.cursor % SQUARES, self.under_cursor()))
        elif selected is not None:
            self.told(self.draft.remove(selected))

    def step_back(self) -> bool:
        """Lays the brush down, or lets the selected piece go."""
        if self.palette.brush is not None:
            self.palette.take(None)
        elif self.draft.selected is not None or self.cursor is not None:
            self.draft.selected = self.cursor = None
        else:
            return False
        return True
