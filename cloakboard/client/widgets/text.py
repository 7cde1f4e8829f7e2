"""Text on a layer: in the player's language, measured, shortened or wrapped to fit, and sharp."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Literal

import pyglet

from cloakboard.client import theme
from cloakboard.client.texts import catalogue, shown
from cloakboard.client.theme import Colour, Scale, TextStyle

if TYPE_CHECKING:
    from cloakboard.client.canvas import Layer

Align = Literal["left", "center", "right"]

CENTRE_SHARE: Final = 0.364
"""How far above the baseline capital letters have their middle, as a share of the size."""
LINE_SHARE: Final = 1.42
"""From one baseline to the next, as a share of the size."""
ELLIPSIS: Final = "…"


@lru_cache(maxsize=64)
def _font(family: str, size: int) -> pyglet.font.base.Font:
    return pyglet.font.load(family, size, dpi=72)


@lru_cache(maxsize=4096)
def _advance(char: str, family: str, size: int) -> int:
    glyphs, _ = _font(family, size).get_glyphs(char)
    return sum(glyph.advance for glyph in glyphs)


def text_width(text: str, style: TextStyle, scale: Scale) -> int:
    """Real pixels that a line of text takes."""
    text = shown(text)
    family, size = theme.face(text, style.bold), scale.text_px(style)
    return sum(_advance(char, family, size) for char in text)


def line_height(style: TextStyle, scale: Scale) -> int:
    """Real pixels from one line to the next."""
    return round(scale.text_px(style) * LINE_SHARE)


def shortened(text: str, style: TextStyle, scale: Scale, width: float) -> str:
    """The text if it fits into `width` real pixels, else its beginning and an ellipsis."""
    text = shown(text)
    if text_width(text, style, scale) <= width:
        return text
    family, size = theme.face(text, style.bold), scale.text_px(style)
    room = width - _advance(ELLIPSIS, family, size)
    kept = []
    for char in text:
        room -= _advance(char, family, size)
        if room < 0:
            break
        kept.append(char)
    return "".join(kept).rstrip() + ELLIPSIS


def _may_break_after(char: str) -> bool:
    return char == " " or char == "-" or unicodedata.east_asian_width(char) in "WF"


_NO_LINE_START: Final = frozenset("。，、．：；？！）」』】》〉”’％,.;:?!)]}")


def wrapped(text: str, style: TextStyle, scale: Scale, width: float) -> list[str]:
    """The text in lines of at most `width` real pixels.

    Lines end at spaces, at hyphens and between Chinese or Korean characters; a longer word is
    cut. Chinese closing marks do not begin a line.
    """
    text = shown(text)
    family, size = theme.face(text, style.bold), scale.text_px(style)
    lines: list[str] = []
    for paragraph in text.split("\n"):
        line, used, last_break = "", 0, 0
        for char in paragraph:
            advance = _advance(char, family, size)
            if line and used + advance > width and char != " ":
                cut = last_break or len(line)
                lines.append(line[:cut].rstrip())
                line = line[cut:].lstrip(" ")
                used = sum(_advance(each, family, size) for each in line)
                last_break = 0
            if line and char not in _NO_LINE_START and _may_break_after(line[-1]):
                last_break = len(line)
            line += char
            used += advance
        lines.append(line.rstrip())
    return lines


class Text:
    """A label: `set` what it says and where; only what changed is laid out again, which all has
    with the player's language."""

    def __init__(self, layer: Layer, style: TextStyle = theme.BODY) -> None:
        self._layer = layer
        self._style = style
        self._label: pyglet.text.Label | None = None
        self._said: tuple[object, ...] = ()
        self._catalogue = catalogue()
        self._visible = True
        self.width = 0
        self.height = 0

    def set(
        self,
        text: str,
        scale: Scale,
        x: float,
        y: float,
        *,
        style: TextStyle | None = None,
        width: float | None = None,
        align: Align = "left",
        wrap: bool = False,
    ) -> Text:
        """Show `text` at (x, y) real pixels.

        A single line has its middle at height y; `width` shortens it and is what `align` fills.
        With `wrap` it takes several lines, the top of the first at y. Without a width, x is the
        text's left, middle or right, as `align` says.
        """
        style = style or self._style
        self._style = style
        said = (text, scale, x, y, style, width, align, wrap)
        if said != self._said or self._catalogue is not catalogue():
            self._said, self._catalogue = said, catalogue()
            if self._visible:
                self._show(text, scale, x, y, style, width, align, wrap)
        return self

    def _show(
        self,
        text: str,
        scale: Scale,
        x: float,
        y: float,
        style: TextStyle,
        width: float | None,
        align: Align,
        wrap: bool,
    ) -> None:
        size = scale.text_px(style)
        text = shown(text)
        if wrap and width is not None:
            lines = wrapped(text, style, scale, width)
        else:
            lines = [text if width is None else shortened(text, style, scale, width)]
        self.width = max(text_width(line, style, scale) for line in lines)
        self.height = line_height(style, scale) * len(lines)
        slack = (width if width is not None else 0) - self.width
        shift = {"left": 0.0, "center": slack / 2, "right": slack}[align]
        middle = y - line_height(style, scale) / 2 if wrap else y
        place = (round(x + shift), round(middle - size * CENTRE_SHARE))
        self._write("\n".join(lines), theme.face(text, style.bold), size, style.colour, place)

    def _write(
        self, text: str, family: str, size: int, paint: Colour, place: tuple[int, int]
    ) -> None:
        label = self._label
        is_multiline = "\n" in text
        if label is not None and (
            label.multiline != is_multiline
            or label.font_name != family
            or label.font_size != size
            or (is_multiline and label.text != text)  # a new text would lose its line spacing
        ):
            label.delete()
            label = None
        if label is None:
            self._label = label = pyglet.text.Label(
                text,
                *place,
                font_name=family,
                font_size=size,
                dpi=72,
                color=paint,
                multiline=is_multiline,
                width=1 << 14 if is_multiline else None,
                anchor_x="left",
                anchor_y="baseline",
                batch=self._layer.texts,
            )
            if is_multiline:
                label.set_style("line_spacing", round(size * LINE_SHARE))
            return
        if tuple(label.color) != tuple(paint):
            label.color = paint
        if label.text != text:
            label.text = text
        label.position = (*place, 0)

    @property
    def visible(self) -> bool:
        """Whether it is drawn."""
        return self._visible

    @visible.setter
    def visible(self, visible: bool) -> None:
        if visible == self._visible:
            return
        self._visible = visible
        if not visible:
            self.delete()
        elif self._said:
            self._show(*self._said)  # type: ignore[arg-type]  # what `set` stored

    def delete(self) -> None:
        """Take it off the layer; `set` brings it back."""
        if self._label is not None:
            self._label.delete()
            self._label = None
        if self._visible:
            self._said = ()
