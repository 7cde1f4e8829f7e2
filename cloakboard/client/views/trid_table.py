"""The table of tri-dimensional chess under the player's hand: mouse and keys."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

import arcade
from pyglet.window import key

from cloakboard.client.boards import trid_choose as choose
from cloakboard.client.boards.trid_look import Hit
from cloakboard.client.views.trid_screen import Press, TridScreen
from cloakboard.client.widgets import Tone
from cloakboard.engine.trid.board import PINS

ARROWS: Final = MappingProxyType(
    {key.LEFT: (-1, 0), key.RIGHT: (1, 0), key.UP: (0, 1), key.DOWN: (0, -1)}
)
ACT_KEYS: Final = frozenset({key.RETURN, key.ENTER, key.NUM_ENTER, key.SPACE})
DRAG: Final = 8  # design pixels that the mouse moves before a press is a drag
ORBIT: Final = 0.08  # radians that a key turns the scene


class TridTable(TridScreen):
    """A match that is played by mouse or keyboard."""

    # Mouse --------------------------------------------------------------------------------

    def on_mouse(self, x: float, y: float) -> None:
        """What is under the pointer is told; a drag beside the boards turns the scene."""
        last, self._mouse = self._mouse, (x, y)
        press = self._press
        if press is not None and self.is_deep and self._turns(press):
            self.scene.orbit((x - last[0]) * -0.008, (y - last[1]) * -0.008)
            self.window.invalidate()
            return
        if self.cursor is None and self.pin_cursor is None and self._pointed() != self._at:
            self.sync()
        origin = self.play.choosing.origin
        if press is not None and origin is not None and self._is_dragged(press, x, y):
            self.board.carry(origin, x, y)
            self.window.invalidate()

    def _is_dragged(self, press: Press, x: float, y: float) -> bool:
        return max(abs(x - press.x), abs(y - press.y)) > self.px(DRAG)

    @staticmethod
    def _turns(press: Press) -> bool:
        return press.button != arcade.MOUSE_BUTTON_LEFT or press.hit == Hit()

    def on_press(self, x: float, y: float, button: int, modifiers: int) -> None:
        """Left picks and goes; right turns the picked board by half."""
        self._mouse = (x, y)
        self.stage.set_focus(None)
        if self.skip():
            return
        self.cursor = self.pin_cursor = None
        hit = self.board.hit(x, y)
        choosing = self.play.choosing
        waits = hit != Hit() and (
            (hit.square is not None and hit.square == choosing.origin)
            or (hit.pin is not None and hit.pin == choosing.pin)
        )  # fmt: skip
        self._press = Press(x, y, hit, button, waits)
        if button == arcade.MOUSE_BUTTON_LEFT and hit != Hit() and not waits:
            self._point(hit)

    def on_release(self, x: float, y: float, button: int) -> None:
        """The end of a drag goes where it was let go."""
        press, self._press = self._press, None
        if press is None:
            return
        moved = self._is_dragged(press, x, y)
        self.board.put_down()
        if press.button != arcade.MOUSE_BUTTON_LEFT:
            if not moved and self.play.choosing.pin is not None:
                self.turn_board()
            return
        hit = self.board.hit(x, y)
        if moved and hit != press.hit and hit != Hit():
            if self.play.choosing != choose.Choosing():
                self._point(hit)
        elif press.waits and not moved:
            self._point(press.hit)

    def on_scroll(self, x: float, y: float, steps: float) -> None:
        """The wheel brings the scene nearer."""
        if self.is_deep:
            self.zoom(steps)

    def _point(self, hit: Hit) -> None:
        """A square or a pin was chosen."""
        if hit.square is not None:
            self.play.click_square(hit.square)
        elif hit.pin is not None:
            self.play.click_pin(hit.pin)
        self._after()

    # Keys ---------------------------------------------------------------------------------

    def on_key(self, symbol: int, modifiers: int) -> bool:
        """Arrows move the cursor, Page Up and Down change its level, Enter acts."""
        if self.skip():
            return True
        keys = COMMANDS if modifiers & key.MOD_CTRL else KEYS
        act = keys.get(symbol)
        if act is not None:
            act(self)
        elif symbol in ARROWS and modifiers & key.MOD_SHIFT:
            right, up = ARROWS[symbol]
            self.scene.orbit(right * ORBIT, up * ORBIT)
            self.window.invalidate()
        elif symbol in ARROWS:
            self._move_cursor(*ARROWS[symbol])
        elif symbol in ACT_KEYS:
            self._act()
        else:
            return False
        return True

    def _move_cursor(self, right: int, up: int) -> None:
        self.stage.set_focus(None)
        pins = choose.pins_for(self.play.menu, self.play.choosing)
        if pins and self.play.choosing.pin is not None:
            step = 1 if right + up > 0 else -1
            place = pins.index(self.pin_cursor) + step if self.pin_cursor in pins else 0
            self.pin_cursor = pins[place % len(pins)]
            self.status.say(f"To {PINS[self.pin_cursor]}; Enter moves the board.", Tone.ACT)
        elif self.cursor is None:
            self.cursor = choose.first_square(self.play.sight)
        else:
            sign = 1 if self.near == 0 else -1
            self.cursor = choose.moved(self.play.sight, self.cursor, right * sign, up * sign)
        self.sync()

    def level(self, up: int) -> None:
        """The cursor goes to the next square above or below."""
        if self.cursor is None:
            self.cursor = choose.first_square(self.play.sight)
        else:
            self.cursor = choose.levelled(self.play.sight, self.cursor, up)
        self.sync()

    def _act(self) -> None:
        at = self._pointed()
        if self.cursor is None and self.pin_cursor is None:
            self._move_cursor(1, 0)
            return
        self._point(at)


KEYS: Final[Mapping[int, Callable[[TridTable], None]]] = MappingProxyType(
    {
        key.F1: TridTable.guide,
        key.F9: TridTable.stand_in,
        key.V: TridTable.switch_view,
        key.B: TridTable.next_board,
        key.R: TridTable.turn_board,
        key.F: TridTable.flip,
        key.H: TridTable.look_back,
        key.K: lambda table: table.castle(False),
        key.L: lambda table: table.castle(True),
        key.COMMA: lambda table: table.step(-1),
        key.PERIOD: lambda table: table.step(1),
        key.PAGEUP: lambda table: table.level(1),
        key.PAGEDOWN: lambda table: table.level(-1),
        key.PLUS: lambda table: table.zoom(1),
        key.EQUAL: lambda table: table.zoom(1),
        key.NUM_ADD: lambda table: table.zoom(1),
        key.MINUS: lambda table: table.zoom(-1),
        key.NUM_SUBTRACT: lambda table: table.zoom(-1),
        key.HOME: TridTable.centre,
    }
)
COMMANDS: Final[Mapping[int, Callable[[TridTable], None]]] = MappingProxyType(
    {
        key.Z: TridTable.undo,
        key.Y: TridTable.redo,
        key.S: TridTable.save,
        key.E: TridTable.edit,
        key.T: lambda table: table.match.toggle_talk(),
    }
)
