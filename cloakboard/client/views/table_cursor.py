"""The keyboard's cursor on the table: moved by arrows, by levels, or by typing a square."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from pyglet.window import key

from cloakboard.client.boards import wec_geometry as geometry
from cloakboard.client.boards.wec_levels import exact_click
from cloakboard.client.typed import square_typed, typed
from cloakboard.client.words import LEVELS
from cloakboard.engine.wec.state import AIR, GROUND, SQUARES, SUB, square_at

if TYPE_CHECKING:
    from cloakboard.client.views.table import TableScreen

ARROWS: Final = MappingProxyType(
    {key.LEFT: (-1, 0), key.RIGHT: (1, 0), key.UP: (0, 1), key.DOWN: (0, -1)}
)
LEVEL_KEYS: Final = MappingProxyType({key._1: GROUND, key._2: AIR, key._3: SUB})
HIGHER: Final = MappingProxyType({SUB: GROUND, GROUND: AIR, AIR: AIR})
LOWER: Final = MappingProxyType({AIR: GROUND, GROUND: SUB, SUB: SUB})
ACT_KEYS: Final = frozenset({key.RETURN, key.ENTER, key.NUM_ENTER, key.SPACE})
FIRST_SQUARE: Final = square_at(5, 5)  # where the cursor appears


class KeyPointer:
    """`cell` is where the cursor is, None while there is none; `typing` what has been typed of
    a square."""

    def __init__(self, screen: TableScreen) -> None:
        self._screen = screen
        self.cell: int | None = None
        self.level = GROUND
        self.typing = ""

    def press(self, symbol: int, modifiers: int) -> bool:
        """A key; False if it is none of the cursor's."""
        if symbol in ARROWS:
            self._move(*ARROWS[symbol])
        elif symbol in (key.PAGEUP, key.PAGEDOWN):
            self._set_level((HIGHER if symbol == key.PAGEUP else LOWER)[self.level])
        elif symbol in ACT_KEYS:
            self._act(bool(modifiers & key.MOD_SHIFT))
        elif key._0 <= symbol <= key._9 or symbol in (key.COMMA, key.PERIOD):
            self._type(symbol)
        else:
            return False
        return True

    def appear(self) -> None:
        """Puts the cursor on the board if there is none."""
        if self.cell is None:
            self._put(FIRST_SQUARE)

    def _move(self, right: int, up: int) -> None:
        self.typing = ""
        square = FIRST_SQUARE
        if self.cell is not None:
            near = self._screen.play.viewer
            square = geometry.moved(self.cell % SQUARES, right, up, near)
        self._put(square)

    def _put(self, square: int) -> None:
        self._screen.stage.set_focus(None)
        self.cell = self.level * SQUARES + square
        self._screen.sync()

    def _set_level(self, level: int) -> None:
        self.level = level
        self.typing = ""
        self._put(FIRST_SQUARE if self.cell is None else self.cell % SQUARES)
        self._screen.toasts.tell(f"Level: {LEVELS[level]}")

    def _type(self, symbol: int) -> None:
        """A digit alone is a level; with a comma it is the row of a square."""
        text = "," if symbol in (key.COMMA, key.PERIOD) else chr(symbol)
        if text == "," and not self.typing:
            return
        self.typing = typed(self.typing, text)
        if self.typing == text and symbol in LEVEL_KEYS and self.cell is not None:
            self.level = LEVEL_KEYS[symbol]
            self._put(self.cell % SQUARES)
        self._screen.sync()

    def _act(self, fire: bool) -> None:
        named, self.typing = square_typed(self.typing), ""
        if named is not None:
            self._put(named)
        play, cell = self._screen.play, self.cell
        picked_again = cell is not None and cell % SQUARES in play.choosing.squares
        if cell is None or (picked_again and not play.choosing.aiming):
            self._screen.confirm()
            return
        square, level = cell % SQUARES, cell // SQUARES
        self._screen.click(exact_click(play.state, play.viewer, square, level), fire)
