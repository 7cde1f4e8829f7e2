"""Parts of the board editor of tri-dimensional chess: the palette with whose turn it is, rights
and counts, and what is known of the man or the board that is selected."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from cloakboard.client import textures, theme
from cloakboard.client.boards.trid_look import token
from cloakboard.client.canvas import Box
from cloakboard.client.trid_draft import (
    LETTERS,
    BoardBrush,
    ManBrush,
    TridBrush,
    TridDraft,
    TridEraser,
)
from cloakboard.client.views.editor_parts import Swatch, grid
from cloakboard.client.widgets import Button, IconButton, Label, TextField, Widget
from cloakboard.engine.trid.board import BLACK, NAMES, PINS, SIDES, WHITE
from cloakboard.engine.trid.pieces import FRESH, kind_of, side_of
from cloakboard.engine.trid.pieces import NAMES as KIND_NAMES
from cloakboard.engine.trid.state import RIGHTS
from cloakboard.engine.trid.text import SEATS

if TYPE_CHECKING:
    import arcade

    from cloakboard.client.widgets import Stage

COLUMNS: Final = 6
CASTLINGS: Final = dict(
    zip(RIGHTS, ("White O-O", "White O-O-O", "Black O-O", "Black O-O-O"), strict=True)
)
DIGITS: Final = 4  # of a count


class TridPalette:
    """Men, attack boards and the eraser. `on_take` is told a brush, `on_drag` and `on_drop` where
    one is carried and let go."""

    def __init__(
        self,
        stage: Stage,
        on_take: Callable[[TridBrush], None],
        on_drag: Callable[[float, float], None],
        on_drop: Callable[[float, float], None],
        on_view: Callable[[], None],
    ) -> None:
        self.brush: TridBrush = None
        self.on_drag = on_drag
        self.on_drop = on_drop
        self._on_take = on_take
        self.men = [
            Swatch(
                stage, ManBrush(letter), f"{SEATS[side_of(letter)]} {KIND_NAMES[kind_of(letter)]}",
                self,
            )
            for letter in LETTERS
        ]  # fmt: skip
        self.boards = {
            side: Button(
                stage,
                f"{SEATS[side]}'s board",
                lambda side=side: self.take(BoardBrush(side)),  # type: ignore[misc]  # bound now
                icon="ui.levels",
                style=theme.SMALL,
            )
            for side in SIDES
        }
        for side, button in self.boards.items():
            button.hint = f"Puts an attack board that was first {SEATS[side]}'s on a pin"
        self.hand = Button(
            stage, "Select", lambda: self.take(None), icon="ui.pick_up", style=theme.SMALL
        )
        self.hand.hint = "Selects and drags men and attack boards (Escape)"
        self.eraser = Button(
            stage, "Erase", lambda: self.take(TridEraser()), icon="ui.trash", style=theme.SMALL
        )
        self.eraser.hint = "Takes away what is clicked; so does the right button (X)"
        self.view = Button(stage, "3-D view", on_view, icon="ui.levels", style=theme.SMALL)
        self.view.hint = "Flat view or 3-D view (V)"
        self._refresh()

    def place(self, box: Box, px: Callable[[float], int]) -> Box:
        """Places it at the top of a box; what is left."""
        gap = px(6)
        rest = grid(self.men, box, COLUMNS, px)
        for tools in ((self.hand, self.eraser, self.view), tuple(self.boards.values())):
            row, rest = rest.cut_top(px(32), gap)
            for button, room in zip(tools, row.columns(len(tools), gap), strict=True):
                button.place(room)
        return rest

    def take(self, brush: TridBrush) -> None:
        """This is the brush now; taking a brush that is on lays it down."""
        self.brush = None if brush == self.brush else brush
        self._refresh()
        self._on_take(self.brush)

    def texture(self, brush: TridBrush, size: int) -> arcade.Texture | None:
        """What a brush looks like; None for those without a picture."""
        return textures.token(token(brush.letter), size) if isinstance(brush, ManBrush) else None

    def _refresh(self) -> None:
        for side, button in self.boards.items():
            button.switch(self.brush == BoardBrush(side))
        self.hand.switch(self.brush is None)
        self.eraser.switch(isinstance(self.brush, TridEraser))
        for swatch in self.men:
            swatch.refresh()


class Terms:
    """Whose turn it is, castling rights and counts. `on_change` is told what came of a change."""

    def __init__(self, stage: Stage, draft: TridDraft, on_change: Callable[[str], None]) -> None:
        self._draft = draft
        self._on_change = on_change
        self._stage = stage
        self.sides = {
            side: Button(
                stage,
                f"{SEATS[side]} to play",
                lambda side=side: on_change(draft.set_side(side)),  # type: ignore[misc]  # bound now
                style=theme.SMALL,
            )
            for side in (WHITE, BLACK)
        }
        self.castlings = {
            right: Button(
                stage,
                text,
                lambda right=right: on_change(draft.toggle_castling(right)),  # type: ignore[misc]
                style=theme.SMALL,
            )
            for right, text in CASTLINGS.items()
        }
        self.labels = (
            Label(stage, "Move number", theme.SMALL),
            Label(stage, "Quiet half-moves", theme.SMALL),
        )
        self.number = TextField(stage, "1", limit=DIGITS, on_change=self._typed)
        self.counter = TextField(stage, "0", limit=DIGITS, on_change=self._typed)
        self.number.hint = "Castling is not allowed in a player's first turn"
        self.counter.hint = "Half-moves since the last capture or pawn move; 100 are a draw"

    def place(self, box: Box, px: Callable[[float], int]) -> Box:
        """Places them at the top of a box; what is left."""
        gap = px(6)
        rows = (
            (tuple(self.sides.values()), 32),
            ((self.castlings["K"], self.castlings["Q"]), 28),
            ((self.castlings["k"], self.castlings["q"]), 28),
        )
        rest = box
        for widgets, height in rows:
            row, rest = rest.cut_top(px(height), gap)
            for widget, room in zip(widgets, row.columns(2, gap), strict=True):
                widget.place(room)
        row, rest = rest.cut_top(px(32), px(8))
        fields = (self.number, self.counter)
        for label, text_field, room in zip(self.labels, fields, row.columns(2, gap), strict=True):
            at, named = room.cut_right(px(56), gap)
            label.place(named)
            text_field.place(at)
        return rest

    def sync(self) -> None:
        """Shows the draft."""
        state = self._draft.state
        for side, button in self.sides.items():
            button.switch(side == state.side)
        for right, button in self.castlings.items():
            button.switch(right in state.castling)
        for text_field, count in ((self.number, state.number), (self.counter, state.counter)):
            if self._stage.focus is not text_field and text_field.value != str(count):
                text_field.set_value(str(count))

    def _typed(self, text: str) -> None:
        state = self._draft.state
        counts = [
            int(one.value) if one.value.isascii() and one.value.isdecimal() else -1
            for one in (self.counter, self.number)
        ]
        if text and counts != [state.counter, state.number]:
            self._on_change(self._draft.set_counts(*counts))


class TridInspector:
    """The selected man or attack board."""

    def __init__(self, stage: Stage, draft: TridDraft, on_change: Callable[[str], None]) -> None:
        self._draft = draft
        self._on_change = on_change
        self.title = Label(stage, "", theme.STRONG)
        self.fresh = Button(stage, "May advance two", self._fresh, style=theme.SMALL)
        self.fresh.hint = "A pawn that has not moved may advance two squares"
        self.passed = Button(stage, "Has just done so", self._passed, style=theme.SMALL)
        self.passed.hint = "It has just advanced two squares and can be taken in passing"
        self.turn = Button(stage, "Turn by half", self._turn, style=theme.SMALL)
        self.turn.hint = "The men of the board go to the opposite corners (T)"
        self.owner = Button(stage, "", self._owner, style=theme.SMALL)
        self.owner.hint = "Whose attack board it was first"
        self.remove = IconButton(stage, "ui.trash", "Take it away (Delete)", self.erase)

    def place(self, box: Box, px: Callable[[float], int]) -> Box:
        """Places it at the top of a box; what is left."""
        row, rest = box.cut_top(px(28), px(2))
        remove, title = row.cut_right(px(30), px(6))
        self.title.place(title)
        self.remove.place(remove)
        row, rest = rest.cut_top(px(30), px(8))
        for pair in ((self.fresh, self.passed), (self.turn, self.owner)):
            for button, room in zip(pair, row.columns(2, px(6)), strict=True):
                button.place(room)
        return rest

    def sync(self) -> None:
        """Shows what is selected."""
        draft, state = self._draft, self._draft.state
        square, pin = draft.square, draft.pin
        letter = "" if square is None else state.men[square]
        is_pawn = bool(letter) and kind_of(letter) == "P"
        shown: tuple[tuple[Widget, bool], ...] = (
            (self.fresh, is_pawn), (self.passed, is_pawn), (self.turn, pin is not None),
            (self.owner, pin is not None), (self.remove, square is not None or pin is not None),
        )  # fmt: skip
        for widget, is_shown in shown:
            widget.show(is_shown)
        if square is not None:
            name = KIND_NAMES[kind_of(letter)]
            self.title.say(f"{SEATS[side_of(letter)]} {name} on {NAMES[square]}")
            self.fresh.switch(letter.upper() == FRESH)
            self.passed.switch(state.en_passant == square)
        elif pin is not None:
            owner = next(one.owner for one in state.boards if one.pin == pin)
            self.title.say(f"Attack board {PINS[pin]}")
            self.owner.say(f"First {SEATS[owner]}'s")
        else:
            self.title.say("Select a man or an attack board.")

    def erase(self) -> None:
        """Takes what is selected away."""
        if self._draft.square is not None:
            self._on_change(self._draft.erase(self._draft.square))
        elif self._draft.pin is not None:
            self._on_change(self._draft.erase_board(self._draft.pin))

    def _fresh(self) -> None:
        self._on_change(self._draft.toggle_fresh())

    def _passed(self) -> None:
        self._on_change(self._draft.toggle_passed())

    def _turn(self) -> None:
        if self._draft.pin is not None:
            self._on_change(self._draft.turn_board(self._draft.pin))

    def _owner(self) -> None:
        pin = self._draft.pin
        assert pin is not None
        owner = next(one.owner for one in self._draft.state.boards if one.pin == pin)
        self._on_change(self._draft.put_board(1 - owner, pin))
