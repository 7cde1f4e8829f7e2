"""Squares, columns, boards and pins (TD-01..08, TD-60), and sets of squares.

A square is 0..95: sixteen of White's board W, of the Neutral board N and of Black's board B,
rank by rank from the left, then four for each pin, of which only those of pins that hold an
attack board exist. A pin is 0..11 in the order QL1 KL1 QL2 .. KL6. A board is 0 W, 1 N, 2 B or
3 + pin. A column is `rank * 6 + file`, 0..59, with file 0..5 for z a b c d e and rank 0..9. A
set of squares is an integer whose bit `square` is set for a member.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

WHITE: Final = 0
BLACK: Final = 1
SIDES: Final = (WHITE, BLACK)

FILES: Final = "zabcde"
WIDTH: Final = len(FILES)
RANKS: Final = 10
COLUMNS: Final = WIDTH * RANKS

MAINS: Final = "WNB"
MAIN_SIZE: Final = 4
MAIN_SQUARES: Final = 16
PIN_SQUARES: Final = 4
PINS: Final = tuple(f"{line}L{number}" for number in range(1, 7) for line in "QK")
BOARDS: Final = (*MAINS, *PINS)
FIRST_PIN_SQUARE: Final = len(MAINS) * MAIN_SQUARES
SQUARES: Final = FIRST_PIN_SQUARE + len(PINS) * PIN_SQUARES

# A pin's lowest rank, by its number 1..6 (TD-05).
_PIN_RANK: Final = (0, 4, 2, 6, 4, 8)
# By number: the other pin in the same file of its board; the nearest on the boards above and
# below (TD-60).
_LENGTHWISE: Final = (2, 1, 4, 3, 6, 5)
_VERTICAL: Final = ((3,), (3, 4), (1, 2, 5), (2, 5, 6), (3, 4), (4,))

PIN_RANK: Final = tuple(_PIN_RANK[pin // 2] for pin in range(len(PINS)))
SIDEWAYS: Final = tuple(pin ^ 1 for pin in range(len(PINS)))
# The pins to which a board may go: sideways first, then lengthwise, then vertically (TD-60).
NEIGHBOURS: Final = tuple(
    (
        pin ^ 1,
        2 * (_LENGTHWISE[pin // 2] - 1) + pin % 2,
        *(2 * (number - 1) + pin % 2 for number in _VERTICAL[pin // 2]),
    )
    for pin in range(len(PINS))
)


def _places() -> Iterator[tuple[int, int, int, int]]:
    """Board, file, rank and height of each square in order."""
    for main in range(len(MAINS)):
        for rank in range(MAIN_SIZE):
            for file in range(1, 1 + MAIN_SIZE):
                yield main, file, 1 + 2 * main + rank, 2 + 2 * main
    for pin in range(len(PINS)):
        for rank in range(2):
            for file in range(2):
                left = 4 if pin % 2 else 0
                yield len(MAINS) + pin, left + file, PIN_RANK[pin] + rank, 3 + 2 * (pin // 4)


_PLACES: Final = tuple(_places())
BOARD: Final = tuple(place[0] for place in _PLACES)
FILE: Final = tuple(place[1] for place in _PLACES)
RANK: Final = tuple(place[2] for place in _PLACES)
HEIGHT: Final = tuple(place[3] for place in _PLACES)
COLUMN: Final = tuple(rank * WIDTH + file for _, file, rank, _ in _PLACES)
BIT: Final = tuple(1 << square for square in range(SQUARES))


def members(squares: int) -> Iterator[int]:
    """The squares of a set, ascending."""
    while squares:
        low = squares & -squares
        yield low.bit_length() - 1
        squares ^= low


def gathered(squares: Iterable[int]) -> int:
    """The set of these squares."""
    bits = 0
    for square in squares:
        bits |= BIT[square]
    return bits


MAIN: Final = gathered(range(FIRST_PIN_SQUARE))
ON_PIN: Final = tuple(
    gathered(range(FIRST_PIN_SQUARE + 4 * pin, FIRST_PIN_SQUARE + 4 * pin + 4))
    for pin in range(len(PINS))
)
IN_COLUMN: Final = tuple(
    gathered(square for square in range(SQUARES) if COLUMN[square] == column)
    for column in range(COLUMNS)
)


def existing(placement: int) -> int:
    """The squares there are when the pins of the set `placement` hold attack boards."""
    squares = MAIN
    for pin in members(placement):
        squares |= ON_PIN[pin]
    return squares


def is_attack(square: int) -> bool:
    """Whether the square belongs to an attack board."""
    return square >= FIRST_PIN_SQUARE


def pin_of(square: int) -> int:
    """The pin of an attack board's square; -1 for a main board's."""
    return BOARD[square] - len(MAINS)


def carried(square: int, pin: int, turned: bool) -> int:
    """Where a man on a square of an attack board stands after the board's move (TD-66)."""
    place = (square - FIRST_PIN_SQUARE) % PIN_SQUARES
    return FIRST_PIN_SQUARE + PIN_SQUARES * pin + (3 - place if turned else place)


def is_dark(square: int) -> bool:
    """The square's colour (TD-11)."""
    return (FILE[square] + RANK[square]) % 2 == 0


# The eight directions as steps of (file, rank): two for each line, opposite ones together.
LINES: Final = (((0, 1), (0, -1)), ((1, 0), (-1, 0)), ((1, 1), (-1, -1)), ((1, -1), (-1, 1)))
ALONG_FILE, ALONG_RANK = 0, 1
STRAIGHT: Final = LINES[:2]
DIAGONAL: Final = LINES[2:]
AROUND: Final = tuple(step for line in LINES for step in line)
LEAPS: Final = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
FORWARD: Final = (1, -1)  # by side, in ranks (TD-50)


def stepped(column: int, step: tuple[int, int]) -> int | None:
    """The next column in a direction, or None off the map."""
    file, rank = column % WIDTH + step[0], column // WIDTH + step[1]
    inside = 0 <= file < WIDTH and 0 <= rank < RANKS
    return rank * WIDTH + file if inside else None


def arm(column: int, step: tuple[int, int]) -> tuple[int, ...]:
    """All columns in a direction, nearest first."""
    columns: list[int] = []
    ahead = stepped(column, step)
    while ahead is not None:
        columns.append(ahead)
        ahead = stepped(ahead, step)
    return tuple(columns)


def _aligned(lines: Iterable[tuple[tuple[int, int], ...]]) -> tuple[int, ...]:
    """By square, all squares in columns in line with it."""
    steps = [step for line in lines for step in line]
    by_column = [
        sum(IN_COLUMN[ahead] for step in steps for ahead in arm(column, step))
        for column in range(COLUMNS)
    ]
    return tuple(by_column[COLUMN[square]] for square in range(SQUARES))


IN_LINE_STRAIGHT: Final = _aligned(STRAIGHT)
IN_LINE_DIAGONAL: Final = _aligned(DIAGONAL)
# By side, the squares from which a pawn of that side may take on a square, if all levels may
# be reached in one step.
PAWN_FROM: Final = tuple(
    tuple(
        sum(
            IN_COLUMN[behind]
            for step in ((1, -forward), (-1, -forward))
            if (behind := stepped(COLUMN[square], step)) is not None
        )
        for square in range(SQUARES)
    )
    for forward in FORWARD
)


def _betweens() -> Iterator[tuple[tuple[int, int], int]]:
    for column in range(COLUMNS):
        for step in AROUND:
            passed = 0
            for ahead in arm(column, step):
                yield (column, ahead), passed
                passed |= IN_COLUMN[ahead]


# By two columns in line: the squares of the columns strictly between them.
BETWEEN: Final = dict(_betweens())


def square_name(square: int) -> str:
    """File, rank and board: `b3N`, `z1QL1`."""
    return f"{FILES[FILE[square]]}{RANK[square]}{BOARDS[BOARD[square]]}"


NAMES: Final = tuple(square_name(square) for square in range(SQUARES))
NAMED: Final = {name: square for square, name in enumerate(NAMES)}
