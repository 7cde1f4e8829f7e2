"""The stage that gives the widgets of a screen mouse, keys, focus and hints."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from pyglet.window import key

from cloakboard.client import theme
from cloakboard.client.canvas import Box, Canvas
from cloakboard.client.theme import Scale
from cloakboard.client.widgets.base import Host, Widget
from cloakboard.client.widgets.text import text_width

OVERLAY_Z: Final = 1000
"""Layers of dialogs, toasts and hints lie above this z."""
HINT_DELAY_MS: Final = 350


class Modal(NamedTuple):
    """What has come before all else: its widgets, who had the focus, what fits it into the window
    anew, and what Escape does."""

    widgets: list[Widget]
    focus: Widget | None
    arrange: Callable[[], None]
    on_cancel: Callable[[], None] | None


class Stage:
    """The widgets of one screen. The window forwards its events here.

    Later widgets lie above earlier ones. While modal widgets are pushed only they get events.
    """

    def __init__(self, host: Host, canvas: Canvas, scale: Scale) -> None:
        self.host = host
        self.canvas = canvas
        self.layer = canvas.layer(0)
        self.scale = scale
        self.window_box = Box(0, 0, 0, 0)
        self.focus: Widget | None = None
        self.shows_focus = False
        self.on_cancel: Callable[[], None] | None = None
        """Called for Escape when nothing else wants it."""
        self.uncovered: tuple[Widget, ...] = ()
        """What hints never cover."""
        self._widgets: list[Widget] = []
        self._hovered: Widget | None = None
        self._pressed: Widget | None = None
        self._modals: list[Modal] = []
        self._hover_ms = 0.0
        self._hint = _Hint(self)

    def add(self, widget: Widget) -> None:
        """Take a widget in; `Widget.__init__` does it."""
        self._widgets.append(widget)
        if self._modals:
            self._modals[-1].widgets.append(widget)

    def remove(self, widget: Widget) -> None:
        """Let a widget go; `Widget.dispose` does it."""
        self._widgets = [each for each in self._widgets if each is not widget]
        for modal in self._modals:
            if widget in modal.widgets:
                modal.widgets.remove(widget)
        if self.focus is widget:
            self.focus = None
        if self._hovered is widget:
            self._hovered = None
        if self._pressed is widget:
            self._pressed = None
        self.host.invalidate()

    def resize(self, window: Box, scale: Scale) -> None:
        """Use this window and scale from now on; the screen then places its widgets again."""
        self.window_box = window
        self.scale = scale
        self._hint.show(False)

    def arrange_modals(self) -> None:
        """Fits what is modal into the window; the screen does so once its widgets are placed."""
        for modal in self._modals:
            modal.arrange()

    def push_modal(
        self, arrange: Callable[[], None], on_cancel: Callable[[], None] | None = None
    ) -> None:
        """Widgets made from now on take all events, until `pop_modal`; Escape cancels them.
        `arrange` fits them into the window whenever it has changed."""
        self._modals.append(Modal([], self.focus, arrange, on_cancel))
        self._hover(None)
        self.set_focus(None)

    def pop_modal(self) -> None:
        """Dispose of the last modal's widgets and give the focus back."""
        modal = self._modals.pop()
        for widget in list(modal.widgets):
            widget.dispose()
        self.set_focus(modal.focus if modal.focus in self._widgets else None)

    @property
    def has_modal(self) -> bool:
        """Whether a dialog is open."""
        return bool(self._modals)

    def _active(self) -> list[Widget]:
        return self._modals[-1].widgets if self._modals else self._widgets

    def find(self, x: float, y: float) -> Widget | None:
        """The topmost visible widget at a point."""
        for widget in reversed(self._active()):
            if widget.is_visible and widget.is_hit(x, y):
                return widget
        return None

    def set_focus(self, widget: Widget | None) -> None:
        """Send keys to a widget, or to none."""
        old, self.focus = self.focus, widget
        for each in (old, widget):
            if each is not None and each in self._widgets:
                each.refresh()

    def move_focus(self, step: int) -> None:
        """Focus the next (+1) or previous (-1) widget that can have it, in order of making."""
        able = [w for w in self._active() if w.is_focusable and w.is_visible and w.is_enabled]
        if not able:
            return
        self.shows_focus = True
        if self.focus in able:
            place = (able.index(self.focus) + step) % len(able)
        else:
            place = 0 if step > 0 else -1
        self.set_focus(able[place])
        self.host.sounds.play("focus")

    def _hover(self, widget: Widget | None) -> None:
        if widget is self._hovered:
            return
        old, self._hovered = self._hovered, widget
        self._hover_ms = 0.0
        self._hint.show(False)
        for each, is_hovered in ((old, False), (widget, True)):
            if each is not None:
                each.is_hovered = is_hovered
                each.refresh()

    def mouse_moved(self, x: float, y: float) -> Widget | None:
        """The mouse is at (x, y); gives the widget there."""
        widget = self.find(x, y)
        self._hover(widget)
        if widget is not None:
            widget.on_move(x, y)
        return widget

    def mouse_left(self) -> None:
        """The mouse went out of the window."""
        self._hover(None)

    def mouse_pressed(self, x: float, y: float, button: int, modifiers: int = 0) -> bool:
        """A button went down; True if a widget took it."""
        self._hint.show(False)
        had_focus_shown, self.shows_focus = self.shows_focus, False
        widget = self.find(x, y)
        if widget is not None and not widget.is_enabled and widget.on_dead is not None:
            widget.on_dead()
        if widget is None or not widget.is_enabled:
            if had_focus_shown and self.focus is not None:
                self.focus.refresh()
            return widget is not None or self.has_modal
        self._pressed = widget
        widget.is_pressed = True
        if widget.is_focusable:
            self.set_focus(widget)
        widget.on_press(x, y, button, modifiers)
        widget.refresh()
        return True

    def mouse_dragged(self, x: float, y: float) -> bool:
        """The mouse moved with a button down; True if a widget has hold of it."""
        if self._pressed is None:
            self.mouse_moved(x, y)
            return False
        self._pressed.on_drag(x, y)
        return True

    def mouse_released(self, x: float, y: float, button: int) -> bool:
        """A button was let go; True if a widget had hold of it."""
        widget, self._pressed = self._pressed, None
        if widget is None:
            return False
        widget.is_pressed = False
        widget.refresh()
        widget.on_release(x, y, button)
        return True

    def mouse_scrolled(self, x: float, y: float, steps: float) -> bool:
        """The wheel turned at (x, y); True if a widget used it."""
        for widget in reversed(self._active()):
            if widget.is_visible and widget.is_hit(x, y) and widget.on_scroll(x, y, steps):
                self.mouse_moved(x, y)
                return True
        return False

    def key_pressed(self, symbol: int, modifiers: int) -> bool:
        """A key went down; True if the focused widget, Tab or Escape used it."""
        self._hint.show(False)
        if self.focus is not None and self.focus.on_key(symbol, modifiers):
            return True
        if symbol == key.TAB and not modifiers & (key.MOD_CTRL | key.MOD_ALT):
            self.move_focus(-1 if modifiers & key.MOD_SHIFT else 1)
            return True
        if symbol == key.ESCAPE:
            if self._modals:
                cancel = self._modals[-1].on_cancel
                if cancel is not None:
                    cancel()
                return True
            if self.on_cancel is not None:
                self.on_cancel()
                return True
        return self.has_modal

    def text_typed(self, text: str) -> bool:
        """Text came from the keyboard or an input method; True if a widget used it."""
        return self.focus is not None and self.focus.on_text(text)

    def text_moved(self, motion: int, selects: bool) -> bool:
        """A caret key; True if a widget used it."""
        return self.focus is not None and self.focus.on_text_motion(motion, selects)

    def update(self, passed_ms: float) -> None:
        """Let time pass: a hint shows after the mouse has rested."""
        if self._hovered is None or not self._hovered.hint or self._hint.is_visible:
            return
        self._hover_ms += passed_ms
        if self._hover_ms >= HINT_DELAY_MS and self._pressed is None:
            self._hint.appear(self._hovered)


class _Hint(Widget):
    """The small text beside a widget that the mouse rests on."""

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage, stage.canvas.layer(OVERLAY_Z + 900))
        self._shade = self.shape()
        self._card = self.shape()
        self._text = self.text(theme.SMALL.tinted(theme.WARM))
        self._said = ""
        self.show(False)

    def appear(self, widget: Widget) -> None:
        """Show the widget's hint above or below it, inside the window."""
        self._said = widget.hint
        self.show()
        pad = self.px(9)
        width = text_width(self._said, theme.SMALL, self.scale) + 2 * pad
        height = self.px(28)
        x = widget.box.centre[0] + widget.layer.offset[0] - width / 2
        gap = self.px(6)
        above = widget.box.top + widget.layer.offset[1] + gap
        below = widget.box.y + widget.layer.offset[1] - gap - height
        window = self.stage.window_box
        x = min(max(x, self.px(4)), max(self.px(4), window.width - width - self.px(4)))
        covered = self._covered(Box(x, above, width, height))
        y = above
        if above + height >= window.height or (covered is not None and below > 0):
            y = below
        elif covered is not None:
            y = covered.top + gap
        self.place(Box(x, y, width, height))

    def _covered(self, hint: Box) -> Box | None:
        """Something that a hint there would cover and must not."""
        for widget in self.stage.uncovered:
            box = widget.box
            if (
                widget.is_visible
                and box.x < hint.right
                and hint.x < box.right
                and box.y < hint.top
                and hint.y < box.top
            ):
                return box
        return None

    def is_hit(self, x: float, y: float) -> bool:
        """A hint never takes the mouse."""
        return False

    def paint(self) -> None:
        """Card, shadow and text."""
        x, y, width, height = self.box
        blur = self.px(8)
        self._shade.set(
            x=x,
            y=y - self.px(2),
            width=width,
            height=height,
            radius=self.px(6),
            blur=blur,
            fill=theme.SHADE,
        )
        self._card.set(
            x=x,
            y=y,
            width=width,
            height=height,
            radius=self.px(6),
            border=1,
            fill=theme.PANEL_RAISED,
            edge=theme.PANEL_EDGE,
        )
        self._text.set(self._said, self.scale, x, y + height / 2, width=width, align="center")
