"""Rows to choose from, and areas that scroll."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import arcade
from pyglet.window import key

from cloakboard.client import theme
from cloakboard.client.canvas import Box
from cloakboard.client.shapes import Shape
from cloakboard.client.theme import CLEAR, Colour
from cloakboard.client.widgets.base import FocusMark, Widget
from cloakboard.client.widgets.controls import PRESS_KEYS
from cloakboard.client.widgets.stage import Stage
from cloakboard.client.widgets.text import Text, text_width

WHEEL_STEP: Final = 48
"""Design pixels per step of the wheel."""
BAR: Final = 8


class ScrollArea(Widget):
    """A box whose content may be higher than it, in a well if `has_well`. Make the content's
    widgets on `content`.

    Place content widgets relative to the window as if unscrolled, the first one's top at the
    area's top, then tell the whole height with `set_content_height`.
    """

    def __init__(self, stage: Stage, z: int = 1, *, has_well: bool = False) -> None:
        super().__init__(stage)
        self._well = self.shape(z=-1) if has_well else None
        self.content = stage.canvas.layer(z)
        self._content_height = 0.0
        self._offset = 0.0
        self._bar = self.shape(z=3)
        self._held: float | None = None

    @property
    def offset(self) -> float:
        """How far it is scrolled down, in real pixels."""
        return self._offset

    @property
    def limit(self) -> float:
        """The largest offset."""
        return max(0.0, self._content_height - self.box.height)

    @property
    def content_box(self) -> Box:
        """Where content goes: the box without the scroll bar's room."""
        return self.box.cut_right(self.px(BAR + 4))[1]

    def set_content_height(self, height: float) -> None:
        """Tell how high the content is, in real pixels."""
        self._content_height = height
        self.scroll_to(self._offset)

    def scroll_to(self, offset: float) -> None:
        """Scroll to an offset; it is held to what there is."""
        self._offset = round(min(max(offset, 0.0), self.limit))
        self.refresh()

    def reveal(self, box: Box) -> None:
        """Scroll as little as needed to show a box of the content."""
        if box.top + self._offset > self.box.top:
            self.scroll_to(self.box.top - box.top)
        elif box.y + self._offset < self.box.y:
            self.scroll_to(self.box.y - box.y)

    def scroll_to_end(self) -> None:
        """Show the end of the content."""
        self.scroll_to(self.limit)

    def show(self, is_visible: bool = True) -> None:
        """Its content layer goes with it."""
        super().show(is_visible)
        self.content.is_visible = is_visible

    def dispose(self) -> None:
        """Its content layer goes with it; dispose of the content's widgets first."""
        super().dispose()
        self.stage.canvas.drop(self.content)

    def on_scroll(self, x: float, y: float, steps: float) -> bool:
        """The wheel scrolls, if there is anything to scroll."""
        if not self.limit:
            return False
        self.scroll_to(self._offset - steps * self.px(WHEEL_STEP))
        return True

    def _bar_box(self) -> Box:
        height = max(self.px(28), self.box.height * self.box.height / max(1, self._content_height))
        travel = self.box.height - height
        share = self._offset / self.limit if self.limit else 0
        width = self.px(BAR)
        return Box(self.box.right - width, self.box.top - height - travel * share, width, height)

    def on_press(self, x: float, y: float, button: int, modifiers: int) -> None:
        """The bar can be dragged."""
        self._held = y if self._bar_box().contains(x, y) else None

    def on_drag(self, x: float, y: float) -> None:
        """Drag the bar."""
        if self._held is not None and self.limit:
            travel = max(1, self.box.height - self._bar_box().height)
            self.scroll_to(self._offset + (self._held - y) * self.limit / travel)
            self._held = y

    def paint(self) -> None:
        """The well, the content shifted, and the bar."""
        if self._well is not None:
            self._well.set(
                **self.box._asdict(), radius=self.px(theme.RADIUS), border=max(1, self.px(1)),
                fill=theme.WELL.faded(0.7), edge=theme.PANEL_EDGE.faded(0.6),
            )  # fmt: skip
        self.content.clip = self.box
        self.content.offset = (0, self._offset)
        bar = self._bar_box()
        ink = theme.TEXT_FAINT.faded(0.8 if self.is_hovered else 0.45)
        self._bar.set(
            x=bar.x, y=bar.y, width=bar.width, height=bar.height, radius=bar.width / 2,
            fill=ink if self.limit else CLEAR,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a `List`."""

    text: str
    detail: str = ""
    icon: str | None = None
    note: str = ""
    """Short text at the right end."""
    accent: Colour | None = None
    """Colour of picture and note."""


@dataclass(slots=True)
class _RowParts:
    body: Shape
    icon: arcade.Sprite
    text: Text
    detail: Text
    note: Text


class List(Widget):
    """Rows with one selected; only the rows in view exist.

    Arrows, Page Up/Down, Home and End select; Enter or a double click activates.
    """

    is_focusable = True

    def __init__(
        self,
        stage: Stage,
        rows: Sequence[Row] = (),
        *,
        row_height: int = theme.CONTROL,
        on_select: Callable[[int], None] | None = None,
        on_activate: Callable[[int], None] | None = None,
        empty_text: str = "",
        z: int = 1,
    ) -> None:
        super().__init__(stage)
        self.rows: Sequence[Row] = rows
        self.selected: int | None = None
        self.on_select = on_select
        self.on_activate = on_activate
        self.empty_text = empty_text
        self._row_height = row_height
        self._content = stage.canvas.layer(z)
        self._parts: list[_RowParts] = []
        self._offset = 0.0
        self._hovered_row: int | None = None
        self._well = self.shape()
        self._bar = self.shape(z=3)
        self._empty = self.text(theme.SOFT)
        self._focus_mark = FocusMark(self)

    def set_rows(self, rows: Sequence[Row]) -> None:
        """Replace the rows; the selection stays if it still exists."""
        self.rows = rows
        if self.selected is not None and self.selected >= len(rows):
            self.selected = len(rows) - 1 if rows else None
        self.refresh()

    def select(self, index: int | None, tells: bool = False) -> None:
        """Select a row and bring it into view; `tells` calls `on_select`."""
        if index is not None and not 0 <= index < len(self.rows):
            return
        self.selected = index
        if index is not None:
            self._reveal(index)
        self.refresh()
        if tells and index is not None and self.on_select is not None:
            self.on_select(index)

    @property
    def _step(self) -> int:
        return self.px(self._row_height)

    @property
    def _limit(self) -> float:
        return max(0.0, len(self.rows) * self._step - self.box.height + self.px(8))

    def _reveal(self, index: int) -> None:
        top, height = index * self._step, self.box.height - self.px(8)
        self._offset = min(max(self._offset, top + self._step - height), top)

    def _row_at(self, x: float, y: float) -> int | None:
        index = int((self.box.top - self.px(4) - y + self._offset) // self._step)
        return index if 0 <= index < len(self.rows) else None

    def show(self, is_visible: bool = True) -> None:
        """Its rows go with it."""
        super().show(is_visible)
        self._content.is_visible = is_visible

    def dispose(self) -> None:
        """Its rows go with it."""
        super().dispose()
        self.stage.canvas.drop(self._content)

    def on_move(self, x: float, y: float) -> None:
        """The row below the mouse lights up."""
        row = self._row_at(x, y)
        if row != self._hovered_row:
            self._hovered_row = row
            self.refresh()

    def on_press(self, x: float, y: float, button: int, modifiers: int) -> None:
        """A click selects; a click on the selected row activates it."""
        row = self._row_at(x, y)
        if row is None:
            return
        if row == self.selected and self.on_activate is not None:
            self.on_activate(row)
        else:
            self.select(row, tells=True)

    def on_scroll(self, x: float, y: float, steps: float) -> bool:
        """The wheel scrolls, if there is anything to scroll."""
        if not self._limit:
            return False
        self._offset = min(max(self._offset - steps * self.px(WHEEL_STEP), 0.0), self._limit)
        self.refresh()
        return True

    def on_key(self, symbol: int, modifiers: int) -> bool:
        """Select and activate by keyboard."""
        if not self.rows:
            return False
        page = max(1, int(self.box.height // self._step) - 1)
        steps = {key.UP: -1, key.DOWN: 1, key.PAGEUP: -page, key.PAGEDOWN: page}
        last = len(self.rows) - 1
        if symbol in steps:
            start = self.selected if self.selected is not None else -1
            self.select(min(max(start + steps[symbol], 0), last), tells=True)
        elif symbol == key.HOME:
            self.select(0, tells=True)
        elif symbol == key.END:
            self.select(last, tells=True)
        elif symbol in PRESS_KEYS and self.selected is not None:
            if self.on_activate is not None:
                self.on_activate(self.selected)
        else:
            return False
        return True

    def _part(self, index: int) -> _RowParts:
        while len(self._parts) <= index:
            layer = self._content
            sprite = arcade.Sprite()
            layer.sprites.append(sprite)
            self._parts.append(
                _RowParts(
                    layer.shapes.box(0, 0, 0, 0),
                    sprite,
                    Text(layer, theme.BODY),
                    Text(layer, theme.SMALL),
                    Text(layer, theme.SMALL),
                )
            )
        return self._parts[index]

    def paint(self) -> None:
        """The well, the rows in view and the bar."""
        x, y, width, height = self.box
        radius = self.px(theme.RADIUS)
        self._well.set(
            x=x, y=y, width=width, height=height, radius=radius, border=max(1, self.px(1)),
            fill=theme.WELL.faded(0.7), edge=theme.PANEL_EDGE.faded(0.6),
        )  # fmt: skip
        self._offset = min(self._offset, self._limit)
        inner = self.box.inset(self.px(4))
        self._content.clip = inner
        first = int(self._offset // self._step)
        used = 0
        for index in range(first, len(self.rows)):
            top = inner.top - index * self._step + self._offset
            if top <= inner.y:
                break
            self._paint_row(self._part(used), index, inner, top)
            used += 1
        for part in self._parts[used:]:
            part.body.set(fill=CLEAR)
            part.icon.visible = False
            for text in (part.text, part.detail, part.note):
                text.delete()
        self._paint_bar(inner)
        if not self.rows and self.empty_text:
            pad = self.px(theme.PAD)
            self._empty.set(
                self.empty_text, self.scale, x + pad, y + height - pad, width=width - 2 * pad,
                wrap=True,
            )  # fmt: skip
        else:
            self._empty.delete()
        self._focus_mark.paint(radius)

    def _paint_row(self, part: _RowParts, index: int, inner: Box, top: float) -> None:
        row = self.rows[index]
        is_selected = index == self.selected
        bar = self.px(BAR + 2) if self._limit else 0
        height = self._step
        fill = CLEAR
        if is_selected:
            fill = theme.AMBER.faded(0.2)
        elif index == self._hovered_row and self.is_hovered:
            fill = Colour(255, 255, 255, 14)
        part.body.set(
            x=inner.x, y=top - height + 1, width=inner.width - bar, height=height - 2,
            radius=self.px(7), border=max(1, self.px(1)), fill=fill,
            edge=theme.AMBER.faded(0.55) if is_selected else CLEAR,
        )  # fmt: skip
        middle = top - height / 2
        left, right = inner.x + self.px(12), inner.right - bar - self.px(12)
        part.icon.visible = row.icon is not None
        if row.icon is not None:
            size = round(min(height * 0.55, self.px(26)))
            self.set_icon(
                part.icon, row.icon, size, left + size / 2, middle, row.accent or theme.TEXT_SOFT
            )
            left += size + self.px(10)
        if row.note:
            style = theme.SMALL.tinted(row.accent or theme.TEXT_SOFT)
            taken = text_width(row.note, style, self.scale)
            part.note.set(row.note, self.scale, right - taken, middle, style=style)
            right -= taken + self.px(10)
        else:
            part.note.delete()
        ink = theme.BODY.tinted(theme.WARM if is_selected else theme.TEXT)
        shift = self.px(9) if row.detail else 0
        room = right - left
        part.text.set(row.text, self.scale, left, middle + shift, style=ink, width=room)
        if row.detail:
            part.detail.set(row.detail, self.scale, left, middle - self.px(9), width=room)
        else:
            part.detail.delete()

    def _paint_bar(self, inner: Box) -> None:
        width = self.px(BAR - 2)
        total = max(1, len(self.rows) * self._step)
        height = max(self.px(24), inner.height * min(1, inner.height / total))
        share = self._offset / self._limit if self._limit else 0
        self._bar.set(
            x=inner.right - width, y=inner.top - height - (inner.height - height) * share,
            width=width, height=height, radius=width / 2,
            fill=theme.TEXT_FAINT.faded(0.55) if self._limit else CLEAR,
        )  # fmt: skip
