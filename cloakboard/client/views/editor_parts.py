"""Parts of the board editor of WEC: the palette, and what is known of the selected piece."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol

import arcade

from cloakboard.client import textures, theme
from cloakboard.client.boards.wec_figures import HANDS, SIDES, TINTS, Style
from cloakboard.client.canvas import Box
from cloakboard.client.draft import (
    ArticleBrush,
    Brush,
    Draft,
    Eraser,
    PieceBrush,
    hands_of,
    has_free_lock,
)
from cloakboard.client.tokens import Token, wec_token
from cloakboard.client.widgets import Button, FocusMark, IconButton, Label, Widget
from cloakboard.client.widgets.controls import PRESS_KEYS
from cloakboard.client.words import ARTICLES, LEVELS, PIECES, place
from cloakboard.client.words import SIDES as SIDE_NAMES
from cloakboard.engine.wec.pieces import ARTICLES as ARTICLE_KINDS
from cloakboard.engine.wec.pieces import KINDS
from cloakboard.engine.wec.position import STUN_AT_MOST, Placed
from cloakboard.engine.wec.state import AIR, BLACK, GROUND, SUB, WHITE

if TYPE_CHECKING:
    from cloakboard.client.widgets import Stage

PIECE_COLUMNS: Final = 9
ARTICLE_COLUMNS: Final = 9
LEVEL_ORDER: Final = (SUB, GROUND, AIR)
SWATCH: Final = 0.9  # of a place in the palette: its picture
PIECE: Final = 52  # design pixels of a piece's place at most
ARTICLE_SHARE: Final = 0.8  # of that, for an article
STUNS: Final = (0, 1, 2, 3, 4, 5, 6, 8, 10, 20, 50, STUN_AT_MOST)


def warm(px: Callable[[float], int], style: Style) -> Iterator[None]:
    """Makes the palette's pictures, one at each step, so that a screen with time to spare can
    have them ready."""
    for kind in KINDS:
        for hand in hands_of(kind):
            textures.token(_token(PieceBrush(BLACK, kind, hand), GROUND, style), swatch(px(PIECE)))
            yield
    for kind in ARTICLE_KINDS:
        textures.article(kind, swatch(px(PIECE) * ARTICLE_SHARE))
        yield


def swatch(side: float) -> int:
    """How large a picture is in a place of the palette."""
    return round(round(side) * SWATCH)


def _token(brush: PieceBrush, level: int, style: Style) -> Token:
    return wec_token(
        brush.kind,
        SIDES[brush.side],
        hand=HANDS[brush.hand],
        tint=TINTS[level],
        set=style.set,
        has_patterns=style.has_patterns,
    )


class Holder(Protocol):
    """What swatches belong to: it holds the brush, and is told where one is carried and let go."""

    brush: Any
    on_drag: Callable[[float, float], None]
    on_drop: Callable[[float, float], None]

    def take(self, brush: Any) -> None: ...

    def texture(self, brush: Any, size: int) -> arcade.Texture | None: ...


class Swatch(Widget):
    """A picture to take a brush from, by a click or by dragging it to the board."""

    is_focusable = True

    def __init__(self, stage: Stage, brush: Any, hint: str, palette: Holder) -> None:
        super().__init__(stage)
        self.brush = brush
        self.hint = hint
        self._palette = palette
        self._back = self.shape()
        self._sprite = self.icon()
        self._focus_mark = FocusMark(self)

    def on_press(self, x: float, y: float, button: int, modifiers: int) -> None:
        """Takes the brush."""
        self._palette.take(self.brush)

    def on_drag(self, x: float, y: float) -> None:
        """Carries it along."""
        self._palette.on_drag(x, y)

    def on_release(self, x: float, y: float, button: int) -> None:
        """Let go over the board, it is put there."""
        if not self.is_hit(x, y):
            self._palette.on_drop(x, y)

    def on_key(self, symbol: int, modifiers: int) -> bool:
        """Enter takes the brush."""
        if symbol in PRESS_KEYS:
            self._palette.take(self.brush)
            return True
        return False

    def paint(self) -> None:
        """The picture, and a frame if it is the brush."""
        x, y, width, height = self.box
        if not width:
            return
        is_on = self._palette.brush == self.brush
        fill = theme.AMBER.faded(0.25) if is_on else theme.WARM.faded(0.07)
        self._back.set(
            x=x, y=y, width=width, height=height, radius=self.px(6), border=max(1, self.px(1.5)),
            fill=fill if is_on or self.is_hovered else theme.CLEAR,
            edge=theme.AMBER if is_on else theme.CLEAR,
        )  # fmt: skip
        size = swatch(min(width, height))
        texture = self._palette.texture(self.brush, size)
        self._sprite.visible = self.is_visible and texture is not None
        if texture is not None:
            self._sprite.texture = texture
            self._sprite.size = (texture.width, texture.height)
            textures.place(self._sprite, x + width / 2, y + height / 2)
        self._focus_mark.paint(self.px(6))


class Palette:
    """Sides, levels, pieces, articles and the eraser. `on_take` is told a brush, `on_drag` and
    `on_drop` where one is carried and let go."""

    def __init__(
        self,
        stage: Stage,
        style: Style,
        on_take: Callable[[Brush], None],
        on_drag: Callable[[float, float], None],
        on_drop: Callable[[float, float], None],
    ) -> None:
        self.style = style
        self.brush: Brush = None
        self.side = BLACK
        self.level = GROUND
        self.is_reserve = False
        self.on_drag = on_drag
        self.on_drop = on_drop
        self._on_take = on_take
        self.sides = {
            side: Button(stage, SIDE_NAMES[side], lambda side=side: self.set_side(side))  # type: ignore[misc]
            for side in (BLACK, WHITE)
        }
        self.levels = {
            level: Button(
                stage,
                LEVELS[level],
                lambda level=level: self.set_level(level),  # type: ignore[misc]  # bound now
                style=theme.SMALL,
            )
            for level in LEVEL_ORDER
        }
        self.pieces = [
            Swatch(stage, PieceBrush(BLACK, kind, hand), _named(kind, hand), self)
            for kind in KINDS
            for hand in hands_of(kind)
        ]
        self.articles = [
            Swatch(stage, ArticleBrush(kind), ARTICLES[kind], self) for kind in ARTICLE_KINDS
        ]
        self.reserve = Button(
            stage, "Reinforcement", self.toggle_reserve, icon="ui.reinforce", style=theme.SMALL
        )
        self.reserve.hint = "Pieces are put as reinforcements that wait on the square (R)"
        self.eraser = Button(
            stage, "Erase", lambda: self.take(Eraser()), icon="ui.trash", style=theme.SMALL
        )
        self.eraser.hint = "Takes away what is clicked; so does the right button (X)"
        self.hand = Button(
            stage, "Select", lambda: self.take(None), icon="ui.pick_up", style=theme.SMALL
        )
        self.hand.hint = "Selects and drags pieces (Escape)"
        self._refresh()

    def place(self, box: Box, px: Callable[[float], int]) -> Box:
        """Places it at the top of a box; what is left."""
        gap = px(6)
        row, rest = box.cut_top(px(34), gap)
        left, right = row.cut_left(row.width * 0.42, gap)
        for button, room in zip(self.sides.values(), left.columns(2, gap), strict=True):
            button.place(room)
        for button, room in zip(self.levels.values(), right.columns(3, gap), strict=True):
            button.place(room)
        rest = grid(self.pieces, rest, PIECE_COLUMNS, px)
        rest = grid(self.articles, rest, ARTICLE_COLUMNS, px, ARTICLE_SHARE)
        row, rest = rest.cut_top(px(32), px(8))
        tools = (self.hand, self.eraser, self.reserve)
        for button, room in zip(tools, row.columns(3, gap), strict=True):
            button.place(room)
        return rest

    def take(self, brush: Brush) -> None:
        """This is the brush now; taking a brush that is on lays it down."""
        self.brush = None if brush == self.brush else brush
        self._refresh()
        self._on_take(self.brush)

    def set_side(self, side: int) -> None:
        """Pieces of that side."""
        self.side = side
        self._turn_brush()

    def set_level(self, level: int) -> None:
        """Pieces are put at that level."""
        self.level = level
        self._turn_brush()

    def toggle_reserve(self) -> None:
        """Pieces, or reinforcements."""
        self.is_reserve = not self.is_reserve
        self._turn_brush()

    def _turn_brush(self) -> None:
        if isinstance(self.brush, PieceBrush):
            self.brush = PieceBrush(self.side, self.brush.kind, self.brush.hand, self.is_reserve)
        self._refresh()
        self._on_take(self.brush)

    def _refresh(self) -> None:
        for side, button in self.sides.items():
            button.switch(side == self.side)
        for level, button in self.levels.items():
            button.switch(level == self.level)
        self.reserve.switch(self.is_reserve)
        self.eraser.switch(isinstance(self.brush, Eraser))
        self.hand.switch(self.brush is None)
        for swatch in self.pieces:
            brush = swatch.brush
            assert isinstance(brush, PieceBrush)
            swatch.brush = PieceBrush(self.side, brush.kind, brush.hand, self.is_reserve)
            swatch.refresh()
        for swatch in self.articles:
            swatch.refresh()

    def texture(self, brush: Brush, size: int) -> arcade.Texture | None:
        """What a brush looks like; None for those without a picture."""
        match brush:
            case PieceBrush():
                return textures.token(_token(brush, self.level, self.style), size)
            case ArticleBrush(kind=kind):
                return textures.article(kind, size)
            case _:
                return None


def _named(kind: str, hand: str) -> str:
    return f"{PIECES[kind]}, {hand}-handed" if hand else PIECES[kind]


def grid(
    widgets: Sequence[Widget],
    box: Box,
    columns: int,
    px: Callable[[float], int],
    share: float = 1.0,
) -> Box:
    """Widgets in rows at the top of a box; what is left."""
    rows = -(-len(widgets) // columns)
    side = min(box.width / columns, px(PIECE)) * share
    area, rest = box.cut_top(rows * side, px(8))
    step = box.width / columns
    for index, widget in enumerate(widgets):
        row, column = divmod(index, columns)
        x = area.x + column * step + (step - side) / 2
        widget.place(Box(x, area.top - (row + 1) * side, side, side))
    return rest


class Inspector:
    """The selected piece: what it carries, its locks, hand, stun, whether it has moved."""

    def __init__(
        self,
        stage: Stage,
        draft: Draft,
        on_change: Callable[[str], None],
        on_lock: Callable[[], None],
    ) -> None:
        self._draft = draft
        self._on_change = on_change
        self._stage = stage
        self.title = Label(stage, "", theme.STRONG)
        self.carried = [
            IconButton(
                stage,
                "article.FL",
                "",
                lambda index=index: self._take(index),  # type: ignore[misc]
            )
            for index in range(3)
        ]
        self.carries = Label(stage, "", theme.SMALL)
        self.stun_less = IconButton(stage, "ui.down", "Fewer Turns", lambda: self._stun(-1))
        self.stun = Label(stage, "", theme.SMALL, align="center")
        self.stun_more = IconButton(stage, "ui.up", "Stunned for more Turns", lambda: self._stun(1))
        self.moved = Button(stage, "Has moved", self._move, style=theme.SMALL)
        self.moved.hint = "A pawn that has moved has no two-square Move"
        self.hand = Button(stage, "Other hand", self._turn, style=theme.SMALL)
        self.remove = IconButton(stage, "ui.trash", "Take the piece away (Delete)", self._remove)
        self.lock = IconButton(stage, "ui.lock", "Lock on to an enemy piece (L)", on_lock)
        self.unlock = IconButton(stage, "ui.unlock", "End its locks", self._unlock)
        self._widgets: tuple[Widget, ...] = (
            self.stun_less, self.stun, self.stun_more, self.moved, self.hand, self.remove,
            self.lock, self.unlock, *self.carried, self.carries,
        )  # fmt: skip

    def place(self, box: Box, px: Callable[[float], int]) -> Box:
        """Places it at the top of a box; what is left."""
        gap = px(6)
        row, rest = box.cut_top(px(28), px(2))
        title = row
        for icon in (self.remove, self.unlock, self.lock):
            at, title = title.cut_right(px(30), gap)
            icon.place(at)
        self.title.place(title)
        row, rest = rest.cut_top(px(32), gap)
        for article in self.carried:
            at, row = row.cut_left(px(32), px(4))
            article.place(at)
        self.carries.place(row)
        row, rest = rest.cut_top(px(30), px(8))
        less, row = row.cut_left(px(30), px(2))
        label, row = row.cut_left(px(112), px(2))
        more, row = row.cut_left(px(30), gap)
        self.stun_less.place(less)
        self.stun.place(label)
        self.stun_more.place(more)
        for button, room in zip((self.moved, self.hand), row.columns(2, gap), strict=True):
            button.place(room)
        return rest

    def sync(self) -> None:
        """Shows the selected piece."""
        placed = self._draft.selected
        for widget in self._widgets:
            widget.show(placed is not None)
        if placed is None:
            self.title.say("Select a piece to see what it carries.")
            return
        name = f"{SIDE_NAMES[placed.side]} {_named(placed.kind, placed.hand)}"
        self.title.say(f"{name} at {place(placed.cell)}")
        for index, button in enumerate(self.carried):
            has_one = index < len(placed.articles)
            button.show(has_one)
            if has_one:
                button.icon_name = f"article.{placed.articles[index]}"
                button.hint = f"Take the {ARTICLES[placed.articles[index]]} away"
                button.refresh()
        self.carries.say(self._bonds(placed))
        self.lock.show(has_free_lock(placed))
        self.unlock.show(bool(placed.holds or placed.locked))
        self.stun.say(f"Stunned {placed.stun} Turns" if placed.stun else "Not stunned")
        self.moved.switch(placed.moved)
        self.hand.show(bool(placed.hand))

    def _bonds(self, placed: Placed) -> str:
        """What it is locked on to, or who is locked on to it; else that it carries nothing."""
        bound = self._draft.bound_to(placed)
        if bound and placed.holds:
            return f"Locked on to the {_named(bound[0].kind, '')} at {place(bound[0].cell)}"
        if bound:
            return f"The {_named(bound[0].kind, '')} at {place(bound[0].cell)} is locked on to it"
        return "" if placed.articles else "Carries nothing: click an article to give it"

    def _unlock(self) -> None:
        self._change(self._draft.unlock)

    def _change(self, change: Callable[[Placed], str]) -> None:
        if self._draft.selected is not None:
            self._on_change(change(self._draft.selected))

    def _take(self, index: int) -> None:
        self._change(lambda placed: self._draft.take(placed, index))

    def _stun(self, step: int) -> None:
        def change(placed: Placed) -> str:
            near = min(range(len(STUNS)), key=lambda i: abs(STUNS[i] - placed.stun))
            stun = STUNS[min(max(near + step, 0), len(STUNS) - 1)]
            return self._draft.alter(placed, stun=stun)

        self._change(change)

    def _move(self) -> None:
        self._change(lambda placed: self._draft.alter(placed, moved=not placed.moved))

    def _turn(self) -> None:
        def change(placed: Placed) -> str:
            hand = "right" if placed.hand == "left" else "left"
            return self._draft.alter(placed, hand=hand)

        self._change(change)

    def _remove(self) -> None:
        self._change(self._draft.remove)
