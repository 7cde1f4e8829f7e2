"""Directions and distances on the board.

A heading is 0..7, clockwise from forward as the owner sits, odd ones diagonal; so White's
headings point the other way than Black's (WEC-01, DATA "Conventions").
"""

from __future__ import annotations

from typing import Final

from cloakboard.engine.wec.state import SQUARES

HEADINGS: Final = range(8)
# (forward, right) of one step in each heading.
STEPS: Final = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))
SIGN: Final = (1, -1)  # per side: rows and columns gained per step forward and right


def offset(square: int, forward: int, right: int, side: int) -> int | None:
    """The square an offset leads to, as `side` sits, or None beyond the edge."""
    row = square // 10 + SIGN[side] * forward
    column = square % 10 + SIGN[side] * right
    return row * 10 + column if 0 <= row < 10 and 0 <= column < 10 else None


def step(square: int, heading: int, side: int) -> int | None:
    """The next square in a heading, or None beyond the edge."""
    return offset(square, *STEPS[heading], side)


def line(cell: int, heading: int, side: int, reach: int) -> tuple[int, ...]:
    """The cells at the level of `cell` in a heading, nearest first, its own left out: at most
    `reach`, fewer at the edge."""
    base, square = cell - cell % SQUARES, cell % SQUARES
    cells: list[int] = []
    while len(cells) < reach:
        ahead = step(square, heading, side)
        if ahead is None:
            break
        square = ahead
        cells.append(base + square)
    return tuple(cells)


def towards(square: int, target: int, side: int) -> int | None:
    """The heading of a king-step to another square, along both axes while both differ
    (WEC-60); None if it is the same square."""
    rows = _sign(target // 10 - square // 10) * SIGN[side]
    columns = _sign(target % 10 - square % 10) * SIGN[side]
    return STEPS.index((rows, columns)) if rows or columns else None


def distance(one: int, other: int) -> int:
    """The larger of the row and column differences of two squares (WEC-94)."""
    return max(abs(one // 10 - other // 10), abs(one % 10 - other % 10))


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)
