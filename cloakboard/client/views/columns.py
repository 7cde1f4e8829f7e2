"""A table whose rows are sorted by the column that is clicked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from pyglet.window import key

from cloakboard.client import theme
from cloakboard.client.canvas import Box
from cloakboard.client.shapes import Shape
from cloakboard.client.theme import CLEAR, Colour
from cloakboard.client.widgets import FocusMark, Stage, Text, Widget

HEAD: Final = 32
ROW: Final = 36
WHEEL_ROWS: Final = 2


@dataclass(frozen=True, slots=True)
class Column:
    """A heading, its share of the width, whether its cells stand left, and what it means."""

    title: str
    share: float = 1.0
    is_left: bool = False
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A row: what its cells show, and what they are sorted by."""

    cells: tuple[str, ...]
    keys: tuple[int | str, ...]


@dataclass(slots=True)
class _Parts:
    body: Shape
    texts: list[Text] = field(default_factory=list)


class Columns(Widget):
    """Rows to select one of. Arrows, Home and End select; Left and Right change the column that
    sorts; Enter or a click on the selected row activates it."""

    is_focusable = True

    def __init__(
        self,
        stage: Stage,
        columns: Sequence[Column],
        *,
        sorted_by: int = 0,
        on_select: Callable[[int], None] | None = None,
        on_activate: Callable[[int], None] | None = None,
        empty_text: str = "",
        z: int = 1,
    ) -> None:
        super().__init__(stage)
        self.columns = tuple(columns)
        self.lines: Sequence[Line] = ()
        self.sorted_by = sorted_by
        self.is_falling = True
        self.selected: int | None = None
        self.order: list[int] = []
        self.on_select = on_select
        self.on_activate = on_activate
        self.empty_text = empty_text
        self._first = 0
        self._content = stage.canvas.layer(z)
        self._well = self.shape()
        self._rule = self.shape(z=1)
        self._heads = [self.text(theme.SMALL) for _ in columns]
        self._empty = self.text(theme.SOFT)
        self._parts: list[_Parts] = []
        self._focus_mark = FocusMark(self)

    def set_lines(self, lines: Sequence[Line]) -> None:
        """Replaces the rows; `selected` and the callbacks count in this order."""
        self.lines = lines
        self.selected = None
        self._first = 0
        self._sort()

    def sort_by(self, column: int) -> None:
        """Sorts by a column, by the same one again the other way round."""
        if column == self.sorted_by:
            self.is_falling = not self.is_falling
        else:
            self.sorted_by = column
            self.is_falling = not self.columns[column].is_left
        self._sort()

    def select(self, line: int | None) -> None:
        """Selects a row by its place in `lines`, and tells it."""
        self.selected = line
        if line is not None:
            place = self.order.index(line)
            self._first = min(max(self._first, place - self._shown + 1), place)
            if self.on_select is not None:
                self.on_select(line)
        self.refresh()

    def _sort(self) -> None:
        lines, column = self.lines, self.sorted_by
        self.order = sorted(
            range(len(lines)), key=lambda at: lines[at].keys[column], reverse=self.is_falling
        )
        self.refresh()

    @property
    def _shown(self) -> int:
        """How many rows there is room for."""
        return max(1, int((self.box.height - self.px(HEAD + 6)) // self.px(ROW)))

    def _edges(self) -> list[float]:
        """The left end of each column, and the right end of the last."""
        inner = self.box.inset(self.px(10), 0)
        whole = sum(column.share for column in self.columns)
        edges, at = [inner.x], inner.x
        for column in self.columns:
            at += inner.width * column.share / whole
            edges.append(at)
        return edges

    def _column_at(self, x: float) -> int:
        edges = self._edges()
        inner = [at for at in range(len(self.columns)) if edges[at] <= x]
        return inner[-1] if inner else 0

    def on_press(self, x: float, y: float, button: int, modifiers: int) -> None:
        """A heading sorts, a row is selected, the selected row is activated."""
        below = self.box.top - self.px(HEAD) - y
        if below < 0:
            self.sort_by(self._column_at(x))
            return
        place = self._first + int(below // self.px(ROW))
        if place >= len(self.order):
            return
        line = self.order[place]
        if line == self.selected and self.on_activate is not None:
            self.on_activate(line)
        else:
            self.select(line)

    def on_move(self, x: float, y: float) -> None:
        """The hint is that of the column below the mouse."""
        self.hint = self.columns[self._column_at(x)].hint

    def on_scroll(self, x: float, y: float, steps: float) -> bool:
        """The wheel scrolls, if there is anything to scroll."""
        most = max(0, len(self.order) - self._shown)
        if not most:
            return False
        self._first = min(max(0, self._first - round(steps * WHEEL_ROWS)), most)
        self.refresh()
        return True

    def on_key(self, symbol: int, modifiers: int) -> bool:
        """See the class."""
        if symbol in (key.LEFT, key.RIGHT):
            step = 1 if symbol == key.RIGHT else -1
            self.sort_by((self.sorted_by + step) % len(self.columns))
            return True
        if not self.order:
            return False
        at = self.order.index(self.selected) if self.selected is not None else -1
        goals = {key.UP: at - 1, key.DOWN: at + 1, key.HOME: 0, key.END: len(self.order) - 1}
        if symbol in goals:
            self.select(self.order[min(max(goals[symbol], 0), len(self.order) - 1)])
            return True
        if symbol in (key.RETURN, key.ENTER, key.NUM_ENTER) and self.selected is not None:
            if self.on_activate is not None:
                self.on_activate(self.selected)
            return True
        return False

    def show(self, is_visible: bool = True) -> None:
        """Its rows go with it."""
        super().show(is_visible)
        self._content.is_visible = is_visible

    def _part(self, index: int) -> _Parts:
        while len(self._parts) <= index:
            layer = self._content
            texts = [Text(layer, theme.BODY) for _ in self.columns]
            self._parts.append(_Parts(layer.shapes.box(0, 0, 0, 0), texts))
        return self._parts[index]

    def paint(self) -> None:
        """Headings, a line below them, the rows in view."""
        x, y, width, height = self.box
        radius, px = self.px(theme.RADIUS), self.px
        self._well.set(
            x=x, y=y, width=width, height=height, radius=radius, border=max(1, px(1)),
            fill=theme.WELL.faded(0.7), edge=theme.PANEL_EDGE.faded(0.6),
        )  # fmt: skip
        head = px(HEAD)
        self._rule.set(
            x=x + px(8), y=y + height - head, width=width - px(16), height=max(1, px(1)),
            fill=theme.PANEL_EDGE,
        )  # fmt: skip
        edges = self._edges()
        for at, (column, text) in enumerate(zip(self.columns, self._heads, strict=True)):
            ink = theme.AMBER if at == self.sorted_by else theme.TEXT_SOFT
            self._cell(text, column, column.title, edges, at, y + height - head / 2, ink)
        shown = self.order[self._first : self._first + self._shown]
        for index, line in enumerate(shown):
            self._paint_line(self._part(index), line, edges, y + height - head - index * px(ROW))
        for part in self._parts[len(shown) :]:
            part.body.set(fill=CLEAR, edge=CLEAR)
            for text in part.texts:
                text.delete()
        if self.lines:
            self._empty.delete()
        else:
            top = y + height - head - px(12)
            pad = px(theme.PAD)
            self._empty.set(
                self.empty_text, self.scale, x + pad, top, width=width - 2 * pad, wrap=True
            )
        self._focus_mark.paint(radius)

    def _paint_line(self, part: _Parts, line: int, edges: list[float], top: float) -> None:
        px, height = self.px, self.px(ROW)
        is_selected = line == self.selected
        part.body.set(
            x=self.box.x + px(4), y=top - height + 1, width=self.box.width - px(8),
            height=height - 2, radius=px(7), border=max(1, px(1)),
            fill=theme.AMBER.faded(0.2) if is_selected else CLEAR,
            edge=theme.AMBER.faded(0.55) if is_selected else CLEAR,
        )  # fmt: skip
        for at, (column, text) in enumerate(zip(self.columns, part.texts, strict=True)):
            ink = theme.WARM if is_selected or at == self.sorted_by else theme.TEXT
            self._cell(text, column, self.lines[line].cells[at], edges, at, top - height / 2, ink)

    def _cell(
        self,
        text: Text,
        column: Column,
        said: str,
        edges: list[float],
        at: int,
        middle: float,
        ink: Colour,
    ) -> None:
        gap = self.px(6)
        room = Box(edges[at] + gap / 2, 0, edges[at + 1] - edges[at] - gap, 0)
        style = (theme.SMALL if text in self._heads else theme.BODY).tinted(ink)
        text.set(
            said, self.scale, room.x, middle, style=style, width=room.width,
            align="left" if column.is_left else "right",
        )  # fmt: skip
