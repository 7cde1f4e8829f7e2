"""Things to press and to read: buttons, labels, panels."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Final, NamedTuple

from pyglet.window import key, mouse

from cloakboard.client import theme
from cloakboard.client.canvas import Layer
from cloakboard.client.theme import CLEAR, Colour, TextStyle
from cloakboard.client.widgets.base import FocusMark, Widget
from cloakboard.client.widgets.stage import Stage
from cloakboard.client.widgets.text import Align, line_height, text_width, wrapped

PRESS_KEYS: Final = frozenset({key.RETURN, key.ENTER, key.NUM_ENTER, key.SPACE})


class Look(StrEnum):
    """How much a button asks to be pressed."""

    PRIMARY = "primary"
    NORMAL = "normal"
    QUIET = "quiet"
    DANGER = "danger"


class _Paint(NamedTuple):
    fill: Colour
    fill_bottom: Colour
    edge: Colour
    text: Colour


_WHITE: Final = Colour(255, 255, 255)
_BLACK: Final = Colour(0, 0, 0)
_PAINTS: Final = {
    Look.PRIMARY: _Paint(
        theme.AMBER.mixed(_WHITE, 0.12), theme.AMBER.mixed(_BLACK, 0.1),
        theme.AMBER.mixed(_WHITE, 0.35), theme.TEXT_DARK,
    ),
    Look.NORMAL: _Paint(
        theme.PANEL_RAISED.mixed(_WHITE, 0.04), theme.PANEL_RAISED.mixed(_BLACK, 0.12),
        theme.PANEL_EDGE, theme.WARM,
    ),
    Look.QUIET: _Paint(CLEAR, CLEAR, CLEAR, theme.TEXT_SOFT),
    Look.DANGER: _Paint(
        theme.CORAL.mixed(_BLACK, 0.62), theme.CORAL.mixed(_BLACK, 0.70),
        theme.CORAL.faded(0.8), theme.CORAL.mixed(_WHITE, 0.55),
    ),
}  # fmt: skip


class Button(Widget):
    """A button with a text, an optional picture before it and its key after it."""

    is_focusable = True

    def __init__(
        self,
        stage: Stage,
        text: str,
        on_click: Callable[[], None],
        *,
        icon: str | None = None,
        look: Look = Look.NORMAL,
        key_name: str = "",
        align: Align = "center",
        style: TextStyle = theme.STRONG,
        layer: Layer | None = None,
    ) -> None:
        super().__init__(stage, layer)
        self.label = text
        self.on_click = on_click
        self.icon_name = icon
        self.look = look
        self.key_name = key_name
        self.is_on = False
        """A pressed-in look, for a button that switches something or is the current choice."""
        self._align = align
        self._style = style
        self._body = self.shape()
        self._text = self.text(style)
        self._key_text = self.text(theme.TINY)
        self._sprite = self.icon()
        self._focus_mark = FocusMark(self)

    def natural_width(self) -> int:
        """Real pixels it needs to show everything, however high it will be."""
        width = self.px(2 * theme.PAD)
        if self.label:
            width += text_width(self.label, self._style, self.scale)
        if self.icon_name:
            width += round(self.px(48) * 0.52) + (self.px(theme.GAP) if self.label else 0)
        if self.key_name:
            width += text_width(self.key_name, theme.TINY, self.scale) + self.px(theme.GAP)
        return width

    def say(self, text: str) -> None:
        """Change its text."""
        if text != self.label:
            self.label = text
            self.refresh()

    def switch(self, is_on: bool) -> None:
        """Set the pressed-in look."""
        if is_on != self.is_on:
            self.is_on = is_on
            self.refresh()

    def click(self) -> None:
        """Act as if it had been pressed."""
        if self.is_enabled:
            self.stage.host.sounds.play("click")
            self.on_click()

    def on_release(self, x: float, y: float, button: int) -> None:
        """A left click that ends on it counts."""
        if button == mouse.LEFT and self.is_hit(x, y):
            self.click()

    def on_key(self, symbol: int, modifiers: int) -> bool:
        """Enter and Space press it."""
        if symbol in PRESS_KEYS and not modifiers & (key.MOD_CTRL | key.MOD_ALT):
            self.click()
            return True
        return False

    def _icon_size(self) -> int:
        return max(self.px(14), round(min(self.box.height or self.px(40), self.px(48)) * 0.52))

    def _colours(self) -> _Paint:
        paint = _PAINTS[self.look]
        if not self.is_enabled:
            return _Paint(
                theme.PANEL.faded(0.7), theme.PANEL.faded(0.7), theme.PANEL_EDGE.faded(0.5),
                theme.TEXT_FAINT.faded(0.75),
            )  # fmt: skip
        if self.is_on:
            amber = theme.AMBER
            paint = _Paint(amber.faded(0.2), amber.faded(0.14), amber, amber.mixed(_WHITE, 0.4))
        if self.is_pressed:
            return _Paint(
                paint.fill.mixed(_BLACK, 0.2) if paint.fill.a else _BLACK.faded(0.25),
                paint.fill_bottom.mixed(_BLACK, 0.1) if paint.fill.a else _BLACK.faded(0.25),
                paint.edge, paint.text,
            )  # fmt: skip
        if self.is_hovered:
            return _Paint(
                paint.fill.mixed(_WHITE, 0.13) if paint.fill.a else _WHITE.faded(0.07),
                paint.fill_bottom.mixed(_WHITE, 0.13) if paint.fill.a else _WHITE.faded(0.07),
                paint.edge.mixed(_WHITE, 0.2) if paint.edge.a else CLEAR,
                theme.WARM if self.look is Look.QUIET else paint.text,
            )  # fmt: skip
        return paint

    def paint(self) -> None:
        """Body, picture, text, key."""
        x, y, width, height = self.box
        paint = self._colours()
        radius = self.px(theme.RADIUS * 0.8)
        self._body.set(
            x=x, y=y, width=width, height=height, radius=radius, border=max(1, self.px(1)),
            fill=paint.fill, fill_bottom=paint.fill_bottom, edge=paint.edge,
        )  # fmt: skip
        middle = y + height / 2
        pad = self.px(theme.PAD if self.label else 0)
        left, room = x + pad, width - 2 * pad
        if self.key_name:
            taken = text_width(self.key_name, theme.TINY, self.scale)
            style = theme.TINY.tinted(paint.text.faded(0.65))
            self._key_text.set(
                self.key_name, self.scale, x + width - pad - taken, middle, style=style
            )
            room -= taken + self.px(theme.GAP)
        else:
            self._key_text.delete()
        size = self._icon_size()
        self._sprite.visible = self.icon_name is not None
        if self.icon_name is not None:
            gap = self.px(theme.GAP) if self.label else 0
            used = size + gap + text_width(self.label, self._style, self.scale)
            if self._align == "center":
                left += max(0, (room - used) / 2)
            self.set_icon(self._sprite, self.icon_name, size, left + size / 2, middle, paint.text)
            left += size + gap
            room = max(0, room - size - gap) if self._align != "center" else used - size - gap
        align = "left" if self.icon_name is not None else self._align
        if self.label:
            room = min(room, x + width - pad - left)
            self._text.set(
                self.label, self.scale, left, middle, width=room, align=align,
                style=self._style.tinted(paint.text),
            )  # fmt: skip
        else:
            self._text.delete()
        self._focus_mark.paint(radius)


class IconButton(Button):
    """A square button with a picture; its hint says what it does."""

    def __init__(
        self,
        stage: Stage,
        icon: str,
        hint: str,
        on_click: Callable[[], None],
        *,
        look: Look = Look.QUIET,
        layer: Layer | None = None,
    ) -> None:
        super().__init__(stage, "", on_click, icon=icon, look=look, layer=layer)
        self.hint = hint


class Label(Widget):
    """A text that takes no mouse. Several lines with `wrap`, from the top of its box."""

    def __init__(
        self,
        stage: Stage,
        text: str = "",
        style: TextStyle = theme.BODY,
        *,
        align: Align = "left",
        wrap: bool = False,
        layer: Layer | None = None,
    ) -> None:
        super().__init__(stage, layer)
        self.label = text
        self.style = style
        self._align = align
        self._wrap = wrap
        self._text = self.text(style)

    def say(self, text: str, style: TextStyle | None = None) -> None:
        """Change the text, and its style if one is given."""
        if text != self.label or (style is not None and style != self.style):
            self.label = text
            self.style = style or self.style
            self.refresh()

    def natural_width(self) -> int:
        """Real pixels of the text in one line."""
        return text_width(self.label, self.style, self.scale)

    def natural_height(self, width: float) -> int:
        """Real pixels of the text at that width."""
        lines = len(wrapped(self.label, self.style, self.scale, width)) if self._wrap else 1
        return lines * line_height(self.style, self.scale)

    def is_hit(self, x: float, y: float) -> bool:
        """Only a label with a hint feels the mouse."""
        return bool(self.hint) and super().is_hit(x, y)

    def paint(self) -> None:
        """Lay the text out."""
        x, y, width, height = self.box
        top = y + height if self._wrap else y + height / 2
        self._text.set(
            self.label, self.scale, x, top, style=self.style, width=width, align=self._align,
            wrap=self._wrap,
        )  # fmt: skip


class Panel(Widget):
    """A raised card, with a title if it has one. It lies below what is made after it."""

    def __init__(self, stage: Stage, title: str = "", *, layer: Layer | None = None) -> None:
        super().__init__(stage, layer)
        self.title = title
        self._shade = self.shape(z=-2)
        self._body = self.shape(z=-1)
        self._text = self.text(theme.SUBHEADING)

    def is_hit(self, x: float, y: float) -> bool:
        """A panel never takes the mouse."""
        return False

    def paint(self) -> None:
        """Shadow, card and title."""
        x, y, width, height = self.box
        radius = self.px(theme.RADIUS)
        blur = self.px(14)
        self._shade.set(
            x=x + blur / 3, y=y - self.px(4), width=max(0, width - blur * 2 / 3), height=height,
            radius=radius, blur=blur, fill=theme.SHADE.faded(0.6),
        )  # fmt: skip
        top, bottom = theme.PANEL.mixed(_WHITE, 0.035), theme.PANEL.mixed(_BLACK, 0.1)
        self._body.set(
            x=x, y=y, width=width, height=height, radius=radius, border=max(1, self.px(1)),
            fill=top, fill_bottom=bottom, edge=theme.PANEL_EDGE.faded(0.75),
        )  # fmt: skip
        if self.title:
            pad = self.px(theme.PAD)
            self._text.set(
                self.title, self.scale, x + pad, y + height - self.px(24), width=width - 2 * pad
            )
