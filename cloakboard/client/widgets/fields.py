"""A line of text to type, paste and copy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from pyglet.window import key, mouse

from cloakboard.client import theme
from cloakboard.client.canvas import Layer
from cloakboard.client.texts import Raw
from cloakboard.client.theme import CLEAR
from cloakboard.client.widgets.base import FocusMark, Widget
from cloakboard.client.widgets.stage import Stage
from cloakboard.client.widgets.text import text_width

_MOTIONS: Final = {
    key.MOTION_LEFT: -1,
    key.MOTION_RIGHT: 1,
}
_COMMAND: Final = key.MOD_CTRL | key.MOD_COMMAND


class TextField(Widget):
    """One line of text with a caret and a selection.

    Text arrives as the system commits it, so input methods for Korean and Chinese work where
    the system brings them. Pasted line breaks become spaces. `on_change` is told each change,
    `on_submit` is told Enter.
    """

    is_focusable = True

    def __init__(
        self,
        stage: Stage,
        placeholder: str = "",
        *,
        value: str = "",
        limit: int = 500,
        on_change: Callable[[str], None] | None = None,
        on_submit: Callable[[str], None] | None = None,
        layer: Layer | None = None,
    ) -> None:
        super().__init__(stage, layer)
        self.placeholder = placeholder
        self.value = value
        self.limit = limit
        self.on_change = on_change
        self.on_submit = on_submit
        self._caret = len(value)
        self._anchor = self._caret
        self._first = 0
        self._body = self.shape()
        self._selected = self.shape(z=1)
        self._caret_bar = self.shape(z=1)
        self._text = self.text(theme.BODY)
        self._focus_mark = FocusMark(self)

    def set_value(self, value: str) -> None:
        """Replace the text, caret at its end; `on_change` is not told."""
        self.value = value[: self.limit]
        self._caret = self._anchor = len(self.value)
        self.refresh()

    @property
    def selection(self) -> str:
        """The selected part, empty if none is."""
        low, high = sorted((self._caret, self._anchor))
        return self.value[low:high]

    def insert(self, text: str) -> None:
        """Put text in place of the selection; control characters are left out."""
        clean = "".join(c if c.isprintable() else " " for c in text.strip("\r\n"))
        low, high = sorted((self._caret, self._anchor))
        clean = clean[: max(0, self.limit - len(self.value) + high - low)]
        self.value = self.value[:low] + clean + self.value[high:]
        self._caret = self._anchor = low + len(clean)
        self._changed()

    def _changed(self) -> None:
        self.refresh()
        if self.on_change is not None:
            self.on_change(self.value)

    def _delete(self, step: int) -> None:
        if self._caret == self._anchor:
            self._anchor = min(max(self._caret + step, 0), len(self.value))
        if self.selection:
            self.insert("")

    def _go(self, place: int, selects: bool) -> None:
        self._caret = min(max(place, 0), len(self.value))
        if not selects:
            self._anchor = self._caret
        self.refresh()

    def on_text(self, text: str) -> bool:
        """Typed or committed text."""
        if text in "\r\n":
            return False
        self.insert(text)
        return True

    def on_text_motion(self, motion: int, selects: bool) -> bool:
        """Caret keys, which repeat while held."""
        if motion == key.MOTION_BACKSPACE:
            self._delete(-1)
        elif motion == key.MOTION_DELETE:
            self._delete(1)
        elif motion in _MOTIONS:
            low, high = sorted((self._caret, self._anchor))
            step = _MOTIONS[motion]
            if low != high and not selects:
                self._go(low if step < 0 else high, False)
            else:
                self._go(self._caret + step, selects)
        elif motion in (key.MOTION_BEGINNING_OF_LINE, key.MOTION_BEGINNING_OF_FILE):
            self._go(0, selects)
        elif motion in (key.MOTION_END_OF_LINE, key.MOTION_END_OF_FILE):
            self._go(len(self.value), selects)
        elif motion in (key.MOTION_PREVIOUS_WORD, key.MOTION_NEXT_WORD):
            self._go(self._word_edge(-1 if motion == key.MOTION_PREVIOUS_WORD else 1), selects)
        else:
            return False
        return True

    def _word_edge(self, step: int) -> int:
        place = self._caret
        seen_word = False
        while 0 <= (place if step > 0 else place - 1) < len(self.value):
            is_word = not self.value[place if step > 0 else place - 1].isspace()
            if seen_word and not is_word:
                break
            seen_word = seen_word or is_word
            place += step
        return place

    def on_key(self, symbol: int, modifiers: int) -> bool:
        """Enter, and the clipboard's keys; typing itself comes as text."""
        if modifiers & _COMMAND and not modifiers & key.MOD_ALT:
            if symbol == key.A:
                self._anchor, self._caret = 0, len(self.value)
                self.refresh()
            elif symbol in (key.C, key.X):
                if self.selection:
                    self.stage.host.write_clipboard(self.selection)
                    if symbol == key.X:
                        self.insert("")
            elif symbol == key.V:
                self.insert(self.stage.host.read_clipboard())
            else:
                return False
            return True
        if symbol in (key.RETURN, key.ENTER, key.NUM_ENTER):
            if self.on_submit is not None:
                self.on_submit(self.value)
                return True
            return False
        return symbol not in (key.TAB, key.ESCAPE) and not key.F1 <= symbol <= key.F24

    def on_press(self, x: float, y: float, button: int, modifiers: int) -> None:
        """A click sets the caret; the middle button pastes nothing."""
        if button == mouse.LEFT:
            self._go(self._place_at(x, y), bool(modifiers & key.MOD_SHIFT))

    def on_drag(self, x: float, y: float) -> None:
        """Dragging selects."""
        self._go(self._place_at(x, y), True)

    def _place_at(self, x: float, y: float) -> int:
        left = self.at(x, y)[0] - self.box.x - self.px(12)
        place = self._first
        while place < len(self.value):
            width = text_width(Raw(self.value[place]), theme.BODY, self.scale)
            if left < width / 2:
                break
            left -= width
            place += 1
        return place

    def _width(self, start: int, end: int) -> int:
        return text_width(Raw(self.value[start:end]), theme.BODY, self.scale)

    def _first_shown(self, room: float) -> int:
        """Where the part begins that is shown: as far before the caret as there is room for. Only
        that part is measured, since a pasted text may be long."""
        first, used = self._caret, 0
        while first and used + self._width(first - 1, first) <= room:
            first -= 1
            used += self._width(first, first + 1)
        while first < self._caret and self._width(first, self._caret) > room:
            first += 1  # a letter is wider among those of another script
        return first

    def paint(self) -> None:
        """Body, selection, the part of the text around the caret, and the caret."""
        x, y, width, height = self.box
        pad = self.px(12)
        room = width - 2 * pad - self.px(2)
        self._first = self._first_shown(room)
        last = self._first
        used = 0
        while last < len(self.value):
            used += self._width(last, last + 1)
            if used > room:
                break
            last += 1
        radius = self.px(theme.RADIUS * 0.8)
        edge = theme.PANEL_EDGE if not self.is_hovered else theme.TEXT_FAINT
        self._body.set(
            x=x, y=y, width=width, height=height, radius=radius, border=max(1, self.px(1)),
            fill=theme.WELL, edge=theme.AMBER.faded(0.8) if self.is_focused else edge,
        )  # fmt: skip
        left, middle = x + pad, y + height / 2
        shown = Raw(self.value[self._first : last])
        if self.value or self.is_focused:
            self._text.set(shown, self.scale, left, middle, style=theme.BODY.tinted(theme.WARM))
        else:
            style = theme.BODY.tinted(theme.TEXT_FAINT)
            self._text.set(self.placeholder, self.scale, left, middle, style=style, width=room)
        low, high = sorted((self._caret, self._anchor))
        start = self._width(self._first, max(low, self._first))
        end = self._width(self._first, min(max(high, self._first), last))
        self._selected.set(
            x=left + start, y=middle - self.px(11), width=end - start, height=self.px(22),
            radius=self.px(3),
            fill=theme.AMBER.faded(0.3) if self.is_focused and low != high else CLEAR,
        )  # fmt: skip
        self._caret_bar.set(
            x=left + self._width(self._first, self._caret), y=middle - self.px(11),
            width=max(1, self.px(2)), height=self.px(22),
            fill=theme.AMBER if self.is_focused else CLEAR,
        )  # fmt: skip
        self._focus_mark.paint(radius)
