"""Where WEC's squares, levels and pieces are on the screen, and what a point hits.

Pure functions, without a window. Pixels have their origin at the bottom left. Fractions
are of one square's side. Headings are 0..7 as the owner sits, clockwise from forward.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from cloakboard.engine.wec.state import AIR, BLACK, GROUND, SQUARES, SUB, square_at

SIDE: Final = 10  # squares along one edge, WEC-01

# (forward, right) of each heading, DATA "Conventions".
HEADINGS: Final = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))
DRAWING_ORDER: Final = (SUB, GROUND, AIR)

# How far above the middle of the square a level is drawn: alone, then beside others.
LIFT_ALONE: Final = MappingProxyType({SUB: -0.06, GROUND: -0.02, AIR: 0.10})
LIFT: Final = MappingProxyType({SUB: -0.22, GROUND: 0.0, AIR: 0.22})
TOKEN_BY_LEVELS: Final = (0.0, 0.76, 0.56, 0.5)  # token width by how many levels are occupied
# Beside other levels a single piece stands aside too, so that no level covers another.
ASIDE: Final = MappingProxyType({SUB: -0.2, GROUND: 0.0, AIR: 0.2})
PAIR_SHRINK: Final = 0.8
PAIR_SPREAD: Final = 0.19  # half the distance between two that share a level


@dataclass(frozen=True, slots=True)
class Frame:
    """The grid on the screen: its bottom left corner, its edge in pixels, and whose side is
    at the bottom."""

    left: float
    bottom: float
    edge: float
    near: int = BLACK

    @property
    def unit(self) -> float:
        """The side of one square in pixels."""
        return self.edge / SIDE


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a token is drawn: its centre and its width."""

    x: float
    y: float
    width: float


def row_column(square: int) -> tuple[int, int]:
    """Row and column, both 1..10 (WEC-01)."""
    return square // SIDE + 1, square % SIDE + 1


def _grid(frame: Frame, square: int) -> tuple[int, int]:
    """Steps to the right and up from the bottom left square as drawn."""
    up, right = divmod(square, SIDE)
    return (right, up) if frame.near == BLACK else (SIDE - 1 - right, SIDE - 1 - up)


def corner(frame: Frame, square: int) -> tuple[float, float]:
    """The bottom left corner of a square in pixels."""
    right, up = _grid(frame, square)
    return frame.left + right * frame.unit, frame.bottom + up * frame.unit


def centre(frame: Frame, square: int) -> tuple[float, float]:
    """The middle of a square in pixels."""
    x, y = corner(frame, square)
    return x + frame.unit / 2, y + frame.unit / 2


def square_under(frame: Frame, x: float, y: float) -> int | None:
    """The square a point lies in, or None beside the board."""
    right, up = int((x - frame.left) // frame.unit), int((y - frame.bottom) // frame.unit)
    if not (0 <= right < SIDE and 0 <= up < SIDE):
        return None
    square = up * SIDE + right
    return square if frame.near == BLACK else SQUARES - 1 - square


def moved(square: int, right: int, up: int, near: int) -> int:
    """The square that lies so many squares to the right and up on the screen, held at the
    edge of the board."""
    sign = 1 if near == BLACK else -1
    row, column = row_column(square)
    row, column = row + sign * up, column + sign * right
    return square_at(min(max(row, 1), SIDE), min(max(column, 1), SIDE))


def stepped(square: int, heading: int, side: int) -> int | None:
    """The next square in a heading of `side`, or None beyond the edge."""
    sign = 1 if side == BLACK else -1
    forward, right = HEADINGS[heading]
    row, column = row_column(square)
    row, column = row + sign * forward, column + sign * right
    return square_at(row, column) if 1 <= row <= SIDE and 1 <= column <= SIDE else None


def ray(square: int, heading: int, side: int, reach: int = SIDE) -> tuple[int, ...]:
    """The squares in a heading, the nearest first, at most `reach` of them."""
    found: list[int] = []
    current = stepped(square, heading, side)
    while current is not None and len(found) < reach:
        found.append(current)
        current = stepped(current, heading, side)
    return tuple(found)


@lru_cache(maxsize=1024)
def offsets(occupants: tuple[int, ...]) -> tuple[Spot, ...]:
    """Where each piece of one square is drawn, as fractions from the square's middle.

    `occupants`: the level of each piece, in any order but at most two alike; the answer is in
    the same order.
    """
    levels = {level: [i for i, at in enumerate(occupants) if at == level] for level in LIFT}
    occupied = [level for level, places in levels.items() if places]
    lifts = LIFT_ALONE if len(occupied) == 1 else LIFT
    spots = [Spot(0.0, 0.0, 0.0)] * len(occupants)
    for level, places in levels.items():
        width = TOKEN_BY_LEVELS[len(occupied)] * (PAIR_SHRINK if len(places) > 1 else 1.0)
        for order, place in enumerate(places):
            alone = ASIDE[level] if len(occupied) > 1 else 0.0
            aside = alone if len(places) == 1 else PAIR_SPREAD * (2 * order - 1)
            down = 0.0 if len(places) == 1 or len(occupied) > 1 else -0.08 * (2 * order - 1)
            spots[place] = Spot(aside, lifts[level] + down, width)
    return tuple(spots)


@lru_cache(maxsize=4096)
def spots(frame: Frame, square: int, occupants: tuple[int, ...]) -> tuple[Spot, ...]:
    """Where each piece of one square is drawn, in pixels: see `offsets`."""
    x, y = centre(frame, square)
    unit = frame.unit
    return tuple(
        Spot(x + spot.x * unit, y + spot.y * unit, spot.width * unit) for spot in offsets(occupants)
    )


def token_under(
    frame: Frame, square: int, occupants: tuple[int, ...], x: float, y: float
) -> int | None:
    """Index into `occupants` of the topmost token under a point, or None."""
    drawn = spots(frame, square, occupants)
    order = sorted(range(len(drawn)), key=lambda i: (DRAWING_ORDER.index(occupants[i]), i))
    for index in reversed(order):
        spot = drawn[index]
        if (x - spot.x) ** 2 + (y - spot.y) ** 2 <= (spot.width / 2) ** 2:
            return index
    return None
