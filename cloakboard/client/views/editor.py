"""The board editor (RULES section 12): any position, checked as it is made, kept and played."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import arcade

from cloakboard.client import theme
from cloakboard.client.boards import wec_geometry as geometry
from cloakboard.client.boards.wec import Board
from cloakboard.client.boards.wec_figures import Figure, Style
from cloakboard.client.canvas import Box
from cloakboard.client.draft import ArticleBrush, Brush, Draft, Eraser, PieceBrush, turned
from cloakboard.client.library import Library, Listed, from_text, text_of
from cloakboard.client.marks import Mark
from cloakboard.client.views.editor_keys import asked, halves, press
from cloakboard.client.views.editor_parts import Inspector, Palette
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
from cloakboard.client.words import count, spelled
from cloakboard.engine.errors import EngineError
from cloakboard.engine.registry import game
from cloakboard.engine.wec.options import complete
from cloakboard.engine.wec.position import Scenario
from cloakboard.engine.wec.setup import standard
from cloakboard.engine.wec.state import BLACK, SQUARES, Piece

if TYPE_CHECKING:
    from cloakboard.client.window import CloakWindow

DRAG: Final = 6  # design pixels that the mouse moves before a press becomes a drag
RIGHT: Final = arcade.MOUSE_BUTTON_RIGHT


@dataclass(frozen=True, slots=True)
class EditorActs:
    """What leads out of the editor; each way of playing gets a position without faults."""

    leave: Callable[[], None]
    hotseat: Callable[[Scenario], None]
    computer: Callable[[Scenario], None]
    friend: Callable[[Scenario], None]


def standard_scenario() -> Scenario:
    """The standard game, to begin with."""
    return Scenario(position=standard(complete({})))


class EditorScreen(Screen):
    """A draft on a board, with a palette beside it."""

    palette: Palette

    def __init__(
        self,
        window: CloakWindow,
        scenario: Scenario,
        library: Library,
        acts: EditorActs,
        style: Style | None = None,
    ) -> None:
        super().__init__(window)
        self.draft = Draft(scenario)
        self.library = library
        self.acts = acts
        self.near = BLACK
        self.cursor: int | None = None
        self.refusal = ""
        self._kept = scenario
        self._drag: tuple[Piece, float, float] | None = None
        self._figure: Figure | None = None
        self._dialog: Dialog | None = None
        self.board = Board(self.canvas, style or Style())
        self._make_widgets(style or Style())
        self.stage.on_cancel = self._back

    def _make_widgets(self, style: Style) -> None:
        stage = self.stage
        self.title = Label(stage, "", theme.SUBHEADING)
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
        self.palette = Palette(stage, style, self._brush_taken, self._carried, self._dropped)
        self.inspector = Inspector(stage, self.draft, self._said)
        self.list = List(stage, row_height=46, on_select=self._show_fault)
        self.status = StatusLine(stage)
        self.buttons = [
            ActionButton(stage, text, act, icon=icon, key_name=name, look=look)
            for text, icon, act, name, look in (
                ("Empty", "ui.cross", self.clear, "", Look.NORMAL),
                ("Open", "ui.load", self.open, "^O", Look.NORMAL),
                ("Keep", "ui.save", self.keep, "^S", Look.NORMAL),
                ("Rules", "ui.settings", self.rules, "", Look.NORMAL),
                ("Two here", "ui.hotseat", lambda: self.play(self.acts.hotseat), "", Look.PRIMARY),
                (
                    "Computer",
                    "ui.computer",
                    lambda: self.play(self.acts.computer),
                    "",
                    Look.PRIMARY,
                ),
                ("Friend", "ui.friends", lambda: self.play(self.acts.friend), "", Look.PRIMARY),
            )
        ]

    # Placing ------------------------------------------------------------------------------

    def arrange(self, box: Box) -> None:
        """Board left, palette right, ways to keep and play below."""
        layout = arrange(box, self.scale)
        px = self.px
        size = px(34)
        right = layout.top.right - px(12)
        for tool in reversed(self.tools.values()):
            tool.place(Box(right - size, layout.top.y + (layout.top.height - size) / 2, size, size))
            right -= size + px(4)
        left = layout.top.x + px(16)
        self.title.place(Box(left, layout.top.y, right - left, layout.top.height))
        self.status.place(layout.status)
        for button, room in zip(
            self.buttons, layout.bar.columns(len(self.buttons), px(6)), strict=True
        ):
            button.place(room)
        rest = self.palette.place(layout.panel, px)
        rest = self.inspector.place(rest, px)
        self.list.place(rest)
        self._board_box = layout.board
        self._place_board()
        if self._dialog is not None and self._dialog.is_open:
            self._dialog.arrange()

    def _place_board(self) -> None:
        self.board.place(self._board_box, self.scale, self.near)
        self._sync()

    # What the screen says -------------------------------------------------------------------

    def _sync(self) -> None:
        draft = self.draft
        self.board.show(draft.picture(), BLACK, is_unmasked=True)
        waiting = [
            Piece(reserve.side, reserve.kind, reserve.square, reserve.hand)
            for reserve in draft.position.reserves
        ]
        marks: list[tuple[int, Mark]] = [(piece.square, Mark.REINFORCE) for piece in waiting]
        self._faults = (*draft.faults(), *draft.warnings())
        has_faults = bool(draft.faults())
        marks += [
            (f.cell % SQUARES, Mark.THREAT) for f in self._faults if has_faults and f.cell >= 0
        ]
        if draft.selected is not None:
            marks.append((draft.selected.cell % SQUARES, Mark.SELECTED))
        self.board.mark((), self.cursor, marks, waiting)
        paint = theme.CORAL if has_faults else theme.AMBER
        self.list.set_rows(
            [
                Row(text, detail, icon="ui.cross" if has_faults else "ui.info", accent=paint)
                for text, detail in map(halves, self._faults)
            ]
            or [Row("This position can be played.", icon="ui.end_turn", accent=theme.TEAL)]
        )
        self.inspector.sync()
        self.tools["undo"].enable(draft.can_undo)
        self.tools["redo"].enable(draft.can_redo)
        self.title.say(draft.position.title or "Board editor")
        if self.refusal:
            self.status.say(self.refusal, Tone.REFUSED)
        else:
            number = count(len(draft.position.pieces), "piece")
            self.status.say(f"{asked(self.palette)} ({number} so far.)", Tone.ACT)
        for button in self.buttons[4:]:
            button.enable(not has_faults)
        self.window.invalidate()

    def _said(self, refusal: str) -> None:
        self.refusal = refusal
        if refusal:
            self.window.sounds.play("refuse")
        else:
            self.window.sounds.play("drop")
        self._sync()

    def _brush_taken(self, brush: Brush) -> None:
        self.refusal = ""
        selected = self.draft.selected
        if isinstance(brush, ArticleBrush) and selected is not None:
            self.palette.brush = None
            self.palette.take(None)
            self._said(self.draft.give(selected, brush.kind))
            return
        if isinstance(brush, PieceBrush | Eraser):
            self.draft.selected = None
        self._sync()

    def _show_fault(self, index: int) -> None:
        if index < len(self._faults) and self._faults[index].cell >= 0:
            self.cursor = self._faults[index].cell
            self._sync()

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
            self._said(self.draft.erase(square, piece))
            return
        if self.palette.brush is None and piece is not None:
            self.draft.selected = self.draft.placed(piece)
            self._drag = (piece, x, y)
            self.refusal = ""
            self._sync()
            return
        self.apply(square, piece)

    def on_mouse(self, x: float, y: float) -> None:
        """A piece that is held follows the mouse."""
        if self._drag is None:
            return
        piece, start_x, start_y = self._drag
        if self._figure is None:
            if abs(x - start_x) + abs(y - start_y) < self.px(DRAG):
                return
            width = self.board.frame.unit * geometry.TOKEN_BY_LEVELS[1]
            self._figure = self.board.copy(piece, geometry.Spot(x, y, width))
        self._figure.move(x, y)
        self.window.invalidate()

    def on_release(self, x: float, y: float, button: int) -> None:
        """A piece that was held is put down where it is let go, beside the board it is gone."""
        if self._drag is None:
            return
        piece = self._drag[0]
        was_moving = self._figure is not None
        self._let_go()
        if not was_moving:
            return
        square = geometry.square_under(self.board.frame, x, y)
        if square is None:
            self._said(self.draft.erase(piece.square, piece))
        elif square != piece.square:
            cell = piece.level * SQUARES + square
            self._said(self.draft.move(self.draft.placed(piece), cell))

    def _let_go(self) -> None:
        self._drag = None
        if self._figure is not None:
            self._figure.remove()
            self._figure = None

    def _carried(self, x: float, y: float) -> None:
        """A brush is dragged from the palette."""
        square = geometry.square_under(self.board.frame, x, y)
        self.cursor = None if square is None else self.palette.level * SQUARES + square
        self._sync()

    def _dropped(self, x: float, y: float) -> None:
        square = geometry.square_under(self.board.frame, x, y)
        self.cursor = None
        if square is not None:
            self.apply(square, self.board.piece_at(x, y))
        else:
            self._sync()

    def apply(self, square: int, piece: Piece | None) -> None:
        """Applies the brush to a square, at the palette's level."""
        cell = self.palette.level * SQUARES + square
        self._said(self.draft.put(self.palette.brush, cell, piece))

    # What the player does -----------------------------------------------------------------

    def undo(self) -> None:
        """Takes the last change back."""
        self.draft.undo()
        self._said("")

    def redo(self) -> None:
        """Makes it again."""
        self.draft.redo()
        self._said("")

    def flip(self) -> None:
        """The other side sits at the bottom."""
        self.near = 1 - self.near
        self._place_board()

    def swap(self) -> None:
        """The sides change places."""
        self._said(self.draft.change(turned(self.draft.position)))

    def clear(self) -> None:
        """An empty board."""
        self._said(self.draft.clear())

    def copy(self) -> None:
        """The position as text."""
        self.window.write_clipboard(text_of(self.draft.scenario))
        self.toasts.tell("The position is in the clipboard, as text.")

    def paste(self) -> None:
        """A position from text."""
        try:
            scenario = from_text(self.window.read_clipboard())
        except EngineError as error:
            self.toasts.tell(str(error), theme.CORAL)
            return
        self.draft.open(scenario)
        self._said("")

    def open(self) -> None:
        """Chooses a start position."""
        self.window.open_screen(ScenariosScreen(self.window, self.library, self._open))

    def _open(self, listed: Listed | None) -> None:
        try:
            scenario = standard_scenario() if listed is None else self.library.draft(listed)
        except EngineError as error:
            self.toasts.tell(str(error), theme.CORAL)
            return
        self.draft.open(scenario)
        self._kept = self.draft.scenario
        self._said("")

    def keep(self) -> None:
        """Asks for a title and keeps the position."""
        self.window.open_screen(
            KeepScreen(self.window, self.draft.scenario, self.library, self._keep)
        )

    def _keep(self, scenario: Scenario) -> None:
        self._said(self.draft.change(scenario.position, self.draft.selected))
        try:
            path = self.library.keep(self.draft.scenario)
        except OSError as error:
            self.toasts.tell(f"Not kept: {error.strerror or error}", theme.CORAL)
            return
        self._kept = self.draft.scenario
        self.toasts.tell(f"Kept as {path.name}")

    def rules(self) -> None:
        """The options of the position."""
        page = RulesPage(self.window, game("wec"), self.draft.options, self._take_rules)
        self.window.open_screen(page)

    def _take_rules(self, options: dict[str, object]) -> None:
        self.draft.set_options(options)
        self._said("")

    def play(self, way: Callable[[Scenario], None]) -> None:
        """Plays it, if it can be played."""
        faults = self.draft.faults()
        if faults:
            self._said(spelled(f"{faults[0].text}."))
            return
        way(self.draft.scenario)

    def leave(self) -> None:
        """Leaves, after a question if something would be lost."""
        if self.draft.scenario == self._kept or self.draft.is_empty:
            self.acts.leave()
            return
        self._dialog = Dialog(
            self.stage,
            "Leave the editor?",
            "The changes since the position was last kept are lost.",
            (
                Choice("Keep it", self.keep, Look.PRIMARY),
                Choice("Leave", self.acts.leave, Look.DANGER),
                Choice("Stay"),
            ),
        )

    # Keys ---------------------------------------------------------------------------------

    def on_key(self, symbol: int, modifiers: int) -> bool:
        """Arrows move a cursor, Enter applies the brush there, numbers choose the level."""
        return press(self, symbol, modifiers)

    def put_cursor(self, square: int) -> None:
        """The keyboard's cursor stands there, at the palette's level."""
        self.stage.set_focus(None)
        self.cursor = self.palette.level * SQUARES + square
        self._sync()

    def under_cursor(self) -> Piece | None:
        """The piece under the keyboard's cursor."""
        assert self.cursor is not None
        here = self.board.pieces_at(self.cursor % SQUARES)
        return next((piece for piece in here if piece.cell == self.cursor), None)

    def delete(self) -> None:
        """Takes away what is under the cursor, or the selected piece."""
        selected = self.draft.selected
        if self.cursor is not None:
            self._said(self.draft.erase(self.cursor % SQUARES, self.under_cursor()))
        elif selected is not None:
            drawn = next(
                piece
                for piece in self.board.pieces_at(selected.cell % SQUARES)
                if self.draft.placed(piece) == selected
            )
            self._said(self.draft.erase(drawn.square, drawn))

    def _back(self) -> None:
        """Escape: lays the brush down, lets the selected piece go, then leaves."""
        if self.palette.brush is not None:
            self.palette.take(None)
        elif self.draft.selected is not None or self.cursor is not None:
            self.draft.selected = self.cursor = None
            self._said("")
        else:
            self.leave()
