"""What all widgets share."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

import arcade

from cloakboard.client import textures, theme
from cloakboard.client.canvas import Box, Layer
from cloakboard.client.motion import Animator
from cloakboard.client.shapes import Shape
from cloakboard.client.sound import SoundBoard
from cloakboard.client.theme import CLEAR, Colour, Scale, TextStyle
from cloakboard.client.widgets.text import Text

if TYPE_CHECKING:
    from cloakboard.client.widgets.stage import Stage


class Host(Protocol):
    """What a stage needs of the window."""

    animator: Animator
    sounds: SoundBoard

    def invalidate(self) -> None:
        """Have the window drawn again."""

    def read_clipboard(self) -> str:
        """The text in the clipboard, empty if there is none."""

    def write_clipboard(self, text: str) -> None:
        """Put a text into the clipboard."""


class Widget:
    """A rectangle that can be seen, pointed at and focused.

    A subclass makes its shapes and texts in `__init__` and puts them in place in `paint`,
    which runs whenever the box, the scale or the state changed.
    """

    is_focusable = False

    def __init__(self, stage: Stage, layer: Layer | None = None) -> None:
        self.stage = stage
        self.layer = layer or stage.layer
        self.box = Box(0, 0, 0, 0)
        self.hint = ""
        self.is_visible = True
        self.is_enabled = True
        self.is_hovered = False
        self.is_pressed = False
        self.on_dead: Callable[[], None] | None = None
        """Called for a click while it is not enabled: says why not."""
        self._shapes: list[Shape] = []
        self._texts: list[Text] = []
        self._sprites: list[arcade.Sprite] = []
        stage.add(self)

    @property
    def scale(self) -> Scale:
        """The stage's scale."""
        return self.stage.scale

    @property
    def is_focused(self) -> bool:
        """Whether keys go to it."""
        return self.stage.focus is self

    def px(self, length: float) -> int:
        """A design length in real pixels."""
        return self.stage.scale.px(length)

    def shape(self, z: int = 0) -> Shape:
        """A new shape of this widget."""
        shape = self.layer.shapes.box(0, 0, 0, 0, z=z)
        self._shapes.append(shape)
        return shape

    def text(self, style: TextStyle = theme.BODY) -> Text:
        """A new text of this widget."""
        text = Text(self.layer, style)
        self._texts.append(text)
        return text

    def icon(self) -> arcade.Sprite:
        """A new picture of this widget; give it a look with `set_icon`."""
        sprite = arcade.Sprite(textures.picture("ui.info", 16))
        self._sprites.append(sprite)
        self.layer.sprites.append(sprite)
        return sprite

    def set_icon(
        self, sprite: arcade.Sprite, name: str, size: int, x: float, y: float, paint: Colour
    ) -> None:
        """Show silhouette `name`, `size` real pixels large, its middle at (x, y)."""
        sprite.texture = textures.picture(name, size)
        sprite.size = (size, size)
        sprite.color = paint
        textures.place(sprite, x, y)

    def place(self, box: Box) -> None:
        """Move it to a box of whole real pixels."""
        self.box = Box(round(box.x), round(box.y), round(box.width), round(box.height))
        self.refresh()

    def refresh(self) -> None:
        """Paint it again, if it is visible."""
        if self.is_visible:
            self.paint()
            self.stage.host.invalidate()

    def show(self, is_visible: bool = True) -> None:
        """Make it visible or not; an invisible widget gets no mouse and no keys."""
        if is_visible == self.is_visible:
            return
        self.is_visible = is_visible
        for shape in self._shapes:
            shape.visible = is_visible
        for text in self._texts:
            text.visible = is_visible
        for sprite in self._sprites:
            sprite.visible = is_visible
        if is_visible:
            self.paint()
        elif self.is_focused:
            self.stage.set_focus(None)
        self.stage.host.invalidate()

    def enable(self, is_enabled: bool = True) -> None:
        """Let it act, or grey it out."""
        if is_enabled != self.is_enabled:
            self.is_enabled = is_enabled
            if not is_enabled and self.is_focused:
                self.stage.set_focus(None)
            self.refresh()

    def dispose(self) -> None:
        """Take it off the stage for good."""
        for shape in self._shapes:
            shape.remove()
        for text in self._texts:
            text.visible = False
        for sprite in self._sprites:
            sprite.remove_from_sprite_lists()
        self.stage.remove(self)

    def at(self, x: float, y: float) -> tuple[float, float]:
        """A point of the window as seen by this widget, whose layer may be scrolled."""
        return x - self.layer.offset[0], y - self.layer.offset[1]

    def is_hit(self, x: float, y: float) -> bool:
        """Whether a point of the window lies on it and is not clipped away."""
        clip = self.layer.clip
        return (clip is None or clip.contains(x, y)) and self.box.contains(*self.at(x, y))

    def paint(self) -> None:
        """Put shapes and texts in place for the present state."""

    def on_press(self, x: float, y: float, button: int, modifiers: int) -> None:
        """A mouse button went down on it."""

    def on_drag(self, x: float, y: float) -> None:
        """The mouse moved while a button that went down on it is held."""

    def on_release(self, x: float, y: float, button: int) -> None:
        """That button was let go, here or elsewhere."""

    def on_move(self, x: float, y: float) -> None:
        """The mouse moved over it with no button held."""

    def on_scroll(self, x: float, y: float, steps: float) -> bool:
        """The wheel turned over it, up is positive; True if it was used."""
        return False

    def on_key(self, symbol: int, modifiers: int) -> bool:
        """A key went down while it has the focus; True if it was used."""
        return False

    def on_text(self, text: str) -> bool:
        """Text was typed or committed by an input method; True if it was used."""
        return False

    def on_text_motion(self, motion: int, selects: bool) -> bool:
        """A caret key was pressed or repeated; True if it was used."""
        return False


class FocusMark:
    """The amber outline that a focused widget wears, a small gap away from it."""

    def __init__(self, widget: Widget) -> None:
        self._widget = widget
        self._shape = widget.shape(z=2)

    def paint(self, radius: float) -> None:
        """Show it if its widget has the focus, around a box with corners of `radius`."""
        widget = self._widget
        gap, width = widget.px(3), max(2, widget.px(2))
        outer = widget.box.inset(-gap)
        is_shown = widget.is_focused and widget.stage.shows_focus
        self._shape.set(
            x=outer.x,
            y=outer.y,
            width=outer.width,
            height=outer.height,
            radius=radius + gap,
            border=width,
            edge=theme.AMBER if is_shown else CLEAR,
        )
