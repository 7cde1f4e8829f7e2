"""Bit sets of WEC's cells (bit `cell`, 0..299), and where a piece could go from one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from cloakboard.engine.wec.movement import NEIGHBOURS, Movement, ways


@lru_cache(maxsize=1 << 15)
def routes(
    movement: Movement, kind: str, hand: str, side: int, cell: int
) -> tuple[tuple[int, ...], ...]:
    """Every route of a piece on an empty board; a pawn's two-square ones too."""
    return tuple(way.route for way in ways(movement, kind, hand, True, side, cell))


def members(cells: int) -> Iterator[int]:
    """The cells of a bit set, ascending."""
    while cells:
        low = cells & -cells
        yield low.bit_length() - 1
        cells ^= low


def bits(cells: Iterable[int]) -> int:
    """The bit set of some cells."""
    found = 0
    for cell in cells:
        found |= 1 << cell
    return found


def around(squares: int) -> int:
    """The neighbours of Ground squares, as a bit set."""
    return bits(near for square in members(squares) for near in NEIGHBOURS[square])


def moved_too(cells: int, start: int, end: int) -> int:
    """The cells, and `end` if `start` is among them."""
    return cells | 1 << end if cells >> start & 1 else cells


def along(cells: int, carried: dict[int, int]) -> int:
    """Where carriers could have taken a passenger that could be in these cells."""
    found = 0
    for cell, ends in carried.items():
        if cells >> cell & 1:
            found |= ends
    return found
