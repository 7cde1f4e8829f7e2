"""The program's window: a stack of screens, drawn only when something changed."""

from __future__ import annotations

from pathlib import Path
from typing import Final, Literal, Protocol

import arcade
from pyglet.window import key

from cloakboard.client import texts, theme
from cloakboard.client.canvas import Box, Canvas, Layer
from cloakboard.client.motion import Amount, Animator
from cloakboard.client.shapes import Shape
from cloakboard.client.sound import SoundBoard
from cloakboard.client.theme import Scale
from cloakboard.client.widgets import Stage, Toasts

SMALLEST: Final = (1024, 640)
BACKGROUND_Z: Final = -1000
FRAMES_AFTER_RESIZE: Final = 3
"""Drivers may give a resized window its new buffers only after the next frame."""


class WindowSettings(Protocol):
    """What the window reads from the player's settings, and writes back when it closes."""

    window_x: int | None
    window_y: int | None
    window_width: int
    window_height: int
    is_fullscreen: bool
    ui_scale: float
    language: str
    motion: str
    volume: float
    is_muted: bool


class Screen:
    """One screen: a canvas with a stage of widgets on it.

    Subclasses make their widgets in `__init__` and place them in `arrange`, which runs when
    the screen is first shown and whenever window or scale change.
    """

    def __init__(self, window: CloakWindow) -> None:
        self.window = window
        self.canvas = Canvas(window.ctx)
        self.stage = Stage(window, self.canvas, window.ui_scale)
        self.toasts = Toasts(self.stage)
        room = self.canvas.layer(BACKGROUND_Z)
        self._room = room.shapes.box(0, 0, 0, 0)
        self._glow = room.shapes.box(0, 0, 0, 0)

    @property
    def scale(self) -> Scale:
        """Real pixels per design pixel."""
        return self.stage.scale

    def px(self, length: float) -> int:
        """A design length in real pixels."""
        return self.stage.scale.px(length)

    def layer(self, z: int) -> Layer:
        """A new layer of this screen; widgets without a layer are at 0."""
        return self.canvas.layer(z)

    def resize(self, box: Box, scale: Scale) -> None:
        """Fit everything into the window's box."""
        self.stage.resize(box, scale)
        _paint_room(self._room, self._glow, box)
        self.arrange(box)
        self.stage.arrange_modals()
        self.toasts.arrange()

    def arrange(self, box: Box) -> None:
        """Place the widgets in the window's box (real pixels)."""

    def on_shown(self) -> None:
        """It has become the top screen."""

    def on_hidden(self) -> None:
        """It is no longer the top screen."""

    def on_closed(self) -> None:
        """It left the stack for good."""

    def update(self, passed_ms: float) -> None:
        """Time passes, sixty times a second; call `window.invalidate` if anything looks new."""

    def on_mouse(self, x: float, y: float) -> None:
        """The mouse moved and no widget is below it."""

    def on_press(self, x: float, y: float, button: int, modifiers: int) -> None:
        """A mouse button went down beside all widgets."""

    def on_release(self, x: float, y: float, button: int) -> None:
        """A mouse button that went down beside all widgets was let go."""

    def on_scroll(self, x: float, y: float, steps: float) -> None:
        """The wheel turned and no widget used it."""

    def on_key(self, symbol: int, modifiers: int) -> bool:
        """A key that no widget used went down; True if it was used."""
        return False

    def on_key_up(self, symbol: int, modifiers: int) -> None:
        """A key was let go."""

    def draw(self, width: int, height: int) -> None:
        """Draw it; a screen with a scene of its own draws that first."""
        self.canvas.draw(width, height)


def _paint_room(room: Shape, glow: Shape, box: Box) -> None:
    """The dark room, and the lamp's light that falls from above."""
    room.set(
        x=0, y=0, width=box.width, height=box.height, fill=theme.ROOM_LIGHT,
        fill_bottom=theme.ROOM_DARK,
    )  # fmt: skip
    width, height = box.width * 0.9, box.height * 0.9
    glow.set(
        x=(box.width - width) / 2, y=box.height - height * 0.55, width=width, height=height,
        radius=height / 2, blur=min(width, height) * 0.45,
        fill=theme.colour("#3A4A68", 0.35),
    )  # fmt: skip


class CloakWindow(arcade.Window):
    """Holds the screens and forwards events to the top one.

    `settings` gives size, place, scale, language, motion and volume, and gets size and place
    back when the window closes. `has_sound=False` keeps it silent.
    """

    def __init__(
        self, settings: WindowSettings, *, has_sound: bool = True, is_visible: bool = True
    ) -> None:
        theme.load_fonts(settings.language)
        texts.use(settings.language)
        self.settings = settings
        self.animator = Animator(Amount(settings.motion))
        self.sounds = SoundBoard(settings.volume, settings.is_muted, has_sound)
        self.ui_scale = Scale()
        self.drawn_frames = 0
        """How many frames have been drawn so far."""
        self._screens: list[Screen] = []
        self._frames_due = 1
        self._windowed: tuple[int, int, int, int] | None = None
        super().__init__(
            max(SMALLEST[0], settings.window_width),
            max(SMALLEST[1], settings.window_height),
            "Cloakboard",
            resizable=True,
            antialiasing=False,
            vsync=True,
            enable_polling=False,
            fixed_rate=60.0,
            visible=is_visible,
            center_window=settings.window_x is None,
        )
        self.set_minimum_size(*SMALLEST)
        if settings.window_x is not None and settings.window_y is not None:
            self.set_location(settings.window_x, settings.window_y)
        if settings.is_fullscreen:
            self.set_fullscreen(True)
        self._fit()

    @property
    def screen_stack(self) -> tuple[Screen, ...]:
        """The screens, the visible one last."""
        return tuple(self._screens)

    @property
    def top(self) -> Screen | None:
        """The visible screen."""
        return self._screens[-1] if self._screens else None

    @property
    def box(self) -> Box:
        """The whole window in real pixels."""
        return Box(0, 0, self.width, self.height)

    def open_screen(self, screen: Screen) -> None:
        """Show a screen on top of the others."""
        if self.top is not None:
            self.top.on_hidden()
        self._screens.append(screen)
        self._show_top()

    def close_screen(self) -> None:
        """Go back to the screen below; the last one closes the window."""
        if self._screens:
            gone = self._screens.pop()
            gone.on_hidden()
            gone.on_closed()
        if self._screens:
            self._show_top()
        else:
            self.close()

    def replace_screen(self, screen: Screen) -> None:
        """Show a screen in place of the top one."""
        if self._screens:
            gone = self._screens.pop()
            gone.on_hidden()
            gone.on_closed()
        self._screens.append(screen)
        self._show_top()

    def _show_top(self) -> None:
        self.animator.skip()
        screen = self._screens[-1]
        screen.resize(self.box, self.ui_scale)
        screen.on_shown()
        self.invalidate()

    def set_user_scale(self, user: float) -> None:
        """Change the player's own scale, 0.75..2."""
        self.settings.ui_scale = user
        self._fit()

    def set_language(self, language: str) -> None:
        """Shows texts in another language from now on; a screen made before turns to it when it
        is arranged anew, as when it comes to the top again."""
        self.settings.language = language
        theme.load_fonts(self.settings.language)
        texts.use(self.settings.language)

    def set_motion(self, amount: Amount) -> None:
        """Change how much moves."""
        self.settings.motion = amount.value
        self.animator.amount = amount
        self.animator.skip()

    def _fit(self) -> None:
        self.ui_scale = Scale.fitting(
            self.width, self.height, 1.0 if self.headless else self.scale, self.settings.ui_scale
        )
        if self.top is not None:
            self.top.resize(self.box, self.ui_scale)
        self.invalidate()

    def invalidate(self) -> None:
        """Have the next frame drawn."""
        self._frames_due = max(self._frames_due, 1)

    def read_clipboard(self) -> str:
        """The clipboard's text, empty if there is none."""
        return self.get_clipboard_text() or ""

    def write_clipboard(self, text: str) -> None:
        """Put a text into the clipboard."""
        self.set_clipboard_text(text)

    def toggle_fullscreen(self) -> None:
        """Full screen on or off; the window comes back where it was, on the same monitor."""
        if self.fullscreen:
            self.set_fullscreen(False)
            if self._windowed is not None:
                x, y, width, height = self._windowed
                self.set_size(width, height)
                self.set_location(x, y)
        else:
            self._windowed = (*self.get_location(), *self.get_size())
            self.set_fullscreen(True, self.screen)
        self.settings.is_fullscreen = self.fullscreen
        self._fit()

    def screenshot(self, path: Path | str) -> None:
        """Draw a frame and save it as a PNG picture."""
        self.switch_to()
        self.on_draw()
        self.flip()
        self.on_draw()
        arcade.get_image(0, 0, self.width, self.height).convert("RGB").save(path)

    def draw(self, dt: float) -> None:
        """Draw and show a frame if anything changed since the last one."""
        if self._frames_due:
            self._frames_due -= 1
            self.switch_to()
            self.on_draw()
            self.flip()

    def on_draw(self) -> None:
        """Draw the top screen."""
        self.drawn_frames += 1
        self.ctx.screen.use()
        self.ctx.viewport = (0, 0, self.width, self.height)
        self.clear(color=theme.ROOM_DARK)
        if self.top is not None:
            self.top.draw(self.width, self.height)

    def on_update(self, delta_time: float) -> None:
        """Let motion, hints and the screen go on."""
        passed_ms = min(delta_time, 0.1) * 1000
        if self.animator.advance(passed_ms):
            self.invalidate()
        if self.top is not None:
            self.top.stage.update(passed_ms)
            self.top.toasts.update(passed_ms)
            self.top.update(passed_ms)

    def on_resize(self, width: int, height: int) -> None:
        """Fit the screen into the new size."""
        if hasattr(self, "_ctx"):
            self._fit()
            self._frames_due = FRAMES_AFTER_RESIZE

    def on_expose(self) -> None:
        """The system wants it drawn again."""
        self.invalidate()

    def on_close(self) -> None:
        """Remember size and place, then close."""
        if not self.fullscreen and not self.headless:
            self.settings.window_width, self.settings.window_height = self.get_size()
            self.settings.window_x, self.settings.window_y = self.get_location()
        elif self._windowed is not None:
            x, y, width, height = self._windowed
            self.settings.window_x, self.settings.window_y = x, y
            self.settings.window_width, self.settings.window_height = width, height
        while self._screens:
            self._screens.pop().on_closed()
        self.close()

    def on_mouse_motion(self, x: int, y: int, dx: int, dy: int) -> None:
        """To the widget below, else to the screen."""
        if self.top is not None:
            self.invalidate()
            if self.top.stage.mouse_moved(x, y) is None and not self.top.stage.has_modal:
                self.top.on_mouse(x, y)

    def on_mouse_leave(self, x: int, y: int) -> None:
        """Nothing is below the mouse any more."""
        if self.top is not None:
            self.top.stage.mouse_left()
            self.invalidate()

    def on_mouse_press(self, x: int, y: int, button: int, modifiers: int) -> None:
        """To the widget below, else to the screen; it also ends running motion."""
        if self.top is not None:
            self.animator.skip()
            self.invalidate()
            if not self.top.stage.mouse_pressed(x, y, button, modifiers):
                self.top.on_press(x, y, button, modifiers)

    def on_mouse_drag(self, x: int, y: int, dx: int, dy: int, buttons: int, modifiers: int) -> None:
        """To the widget that was pressed, else to the screen."""
        if self.top is not None:
            self.invalidate()
            if not self.top.stage.mouse_dragged(x, y) and not self.top.stage.has_modal:
                self.top.on_mouse(x, y)

    def on_mouse_release(self, x: int, y: int, button: int, modifiers: int) -> None:
        """To the widget that was pressed, else to the screen."""
        if self.top is not None:
            self.invalidate()
            if not self.top.stage.mouse_released(x, y, button) and not self.top.stage.has_modal:
                self.top.on_release(x, y, button)

    def on_mouse_scroll(self, x: int, y: int, scroll_x: float, scroll_y: float) -> None:
        """To the widget below, else to the screen."""
        if self.top is not None:
            self.invalidate()
            if not self.top.stage.mouse_scrolled(x, y, scroll_y) and not self.top.stage.has_modal:
                self.top.on_scroll(x, y, scroll_y)

    def on_key_press(self, symbol: int, modifiers: int) -> Literal[True]:
        """F11 is full screen; else to the focused widget, then to the screen."""
        self.invalidate()
        if symbol == key.F11:
            self.toggle_fullscreen()
        elif self.top is not None:
            self.animator.skip()
            if not self.top.stage.key_pressed(symbol, modifiers):
                self.top.on_key(symbol, modifiers)
        return True

    def on_key_release(self, symbol: int, modifiers: int) -> None:
        """To the screen."""
        if self.top is not None:
            self.invalidate()
            self.top.on_key_up(symbol, modifiers)

    def on_text(self, text: str) -> None:
        """To the focused widget."""
        if self.top is not None and self.top.stage.text_typed(text):
            self.invalidate()

    def on_text_motion(self, motion: int) -> None:
        """To the focused widget."""
        if self.top is not None and self.top.stage.text_moved(motion, False):
            self.invalidate()

    def on_text_motion_select(self, motion: int) -> None:
        """To the focused widget."""
        if self.top is not None and self.top.stage.text_moved(motion, True):
            self.invalidate()
