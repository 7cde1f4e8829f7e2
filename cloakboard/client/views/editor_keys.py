"""What the board editor of WEC says of the next click, and what its keys do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from pyglet.window import key

from cloakboard.client.boards import wec_geometry as geometry
from cloakboard.client.draft import ArticleBrush, Eraser, LockBrush, PieceBrush
from cloakboard.client.views.editor_parts import Palette
from cloakboard.client.words import ARTICLES, LEVELS, PIECES, SIDES
from cloakboard.engine.wec.state import AIR, BLACK, GROUND, SQUARES, SUB, square_at

if TYPE_CHECKING:
    from cloakboard.client.views.editor_wec import WecEditor

ARROWS: Final = MappingProxyType(
    {key.LEFT: (-1, 0), key.RIGHT: (1, 0), key.UP: (0, 1), key.DOWN: (0, -1)}
)
LEVEL_KEYS: Final = MappingProxyType({key._1: GROUND, key._2: AIR, key._3: SUB})
ACT_KEYS: Final = frozenset({key.RETURN, key.ENTER, key.NUM_ENTER, key.SPACE})
FIRST_SQUARE: Final = square_at(5, 5)  # where the cursor appears


def asked(palette: Palette) -> str:
    """What the next click does, in a sentence."""
    match palette.brush:
        case PieceBrush(side=side, kind=kind, is_reserve=True):
            return f"Click a square where {SIDES[side]}'s {PIECES[kind]} waits as a reinforcement."
        case PieceBrush(side=side, kind=kind):
            level = LEVELS[palette.level]
            return f"Click a square to put {SIDES[side]}'s {PIECES[kind]} there, at {level}."
        case ArticleBrush(kind=kind):
            return f"Click a square to lay the {ARTICLES[kind]}, or a piece to give it."
        case Eraser():
            return "Click what is to go."
        case LockBrush():
            return "Click the enemy piece to lock on to."
        case None:
            return "Take a piece from the palette, or drag one on the board; right takes away."


KEYS: Final[Mapping[int, Callable[[WecEditor], None]]] = MappingProxyType(
    {
        key.F: lambda screen: screen.flip(),
        key.B: lambda screen: screen.palette.set_side(BLACK),
        key.W: lambda screen: screen.palette.set_side(1 - BLACK),
        key.R: lambda screen: screen.palette.toggle_reserve(),
        key.X: lambda screen: screen.palette.take(Eraser()),
        key.L: lambda screen: screen.lock(),
    }
)


def press(screen: WecEditor, symbol: int) -> bool:
    """Does what a key stands for; False if it stands for nothing."""
    if symbol in ARROWS:
        square = FIRST_SQUARE
        if screen.cursor is not None:
            square = geometry.moved(screen.cursor % SQUARES, *ARROWS[symbol], screen.near)
        screen.put_cursor(square)
    elif symbol in LEVEL_KEYS:
        screen.palette.set_level(LEVEL_KEYS[symbol])
        if screen.cursor is not None:
            screen.put_cursor(screen.cursor % SQUARES)
    elif symbol in ACT_KEYS:
        if screen.cursor is not None:
            screen.apply(screen.cursor % SQUARES, screen.under_cursor())
    elif symbol in (key.DELETE, key.BACKSPACE):
        screen.delete()
    elif symbol in KEYS:
        KEYS[symbol](screen)
    else:
        return False
    return True
