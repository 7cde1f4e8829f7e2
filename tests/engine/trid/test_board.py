"""Squares, columns and pins (TD-01 to TD-11, TD-60)."""

from __future__ import annotations

from itertools import combinations

import pytest

from cloakboard.engine.trid.board import (
    BOARD,
    BOARDS,
    COLUMN,
    COLUMNS,
    FILE,
    FILES,
    HEIGHT,
    IN_COLUMN,
    NAMED,
    NAMES,
    NEIGHBOURS,
    ON_PIN,
    PINS,
    RANK,
    SIDEWAYS,
    SQUARES,
    carried,
    existing,
    is_dark,
    members,
)
from tests.engine.trid.build import table

START_PINS = sum(1 << PINS.index(pin) for pin in ("QL1", "KL1", "QL6", "KL6"))

# TD-05: pin, host, corner below it, its squares, height.
PIN_TABLE = """
QL1 W a1 z0 a0 z1 a1 3
KL1 W d1 d0 e0 d1 e1 3
QL2 W a4 z4 a4 z5 a5 3
KL2 W d4 d4 e4 d5 e5 3
QL3 N a3 z2 a2 z3 a3 5
KL3 N d3 d2 e2 d3 e3 5
QL4 N a6 z6 a6 z7 a7 5
KL4 N d6 d6 e6 d7 e7 5
QL5 B a5 z4 a4 z5 a5 7
KL5 B d5 d4 e4 d5 e5 7
QL6 B a8 z8 a8 z9 a9 7
KL6 B d8 d8 e8 d9 e9 7
"""

# TD-60: from, sideways, lengthwise, vertical.
WAYS = {
    "QL1": ("KL1", "QL2", {"QL3"}),
    "QL2": ("KL2", "QL1", {"QL3", "QL4"}),
    "QL3": ("KL3", "QL4", {"QL1", "QL2", "QL5"}),
    "QL4": ("KL4", "QL3", {"QL2", "QL5", "QL6"}),
    "QL5": ("KL5", "QL6", {"QL3", "QL4"}),
    "QL6": ("KL6", "QL5", {"QL4"}),
}


def test_td_01_sixty_four_squares_wherever_the_boards_are() -> None:
    placements = list(combinations(range(12), 4))
    assert len(placements) == 495
    for pins in placements:
        assert existing(sum(1 << pin for pin in pins)).bit_count() == 64


def test_td_02_td_03_main_boards() -> None:
    for board, low, height in (("W", 1, 2), ("N", 3, 4), ("B", 5, 6)):
        on_board = [sq for sq in range(SQUARES) if BOARDS[BOARD[sq]] == board]
        names = {f"{file}{rank}{board}" for file in "abcd" for rank in range(low, low + 4)}
        assert {NAMES[sq] for sq in on_board} == names
        assert {HEIGHT[sq] for sq in on_board} == {height}  # TD-06


@pytest.mark.parametrize("row", PIN_TABLE.strip().splitlines())
def test_td_05_td_06_pins(row: str) -> None:
    pin, host, corner, *squares, height = row.split()
    on_pin = list(members(ON_PIN[PINS.index(pin)]))
    assert [NAMES[sq] for sq in on_pin] == [name + pin for name in squares]
    assert {HEIGHT[sq] for sq in on_pin} == {int(height)}
    below = NAMED[corner + host]
    assert [sq for sq in on_pin if COLUMN[sq] == COLUMN[below]] == [NAMED[corner + pin]]
    assert HEIGHT[below] == int(height) - 1


def test_td_04_a_column_is_a_file_and_a_rank() -> None:
    for column in range(COLUMNS):
        names = {NAMES[sq][:2] for sq in members(IN_COLUMN[column])}
        assert len(names) <= 1
    assert {NAMES[sq] for sq in members(IN_COLUMN[COLUMN[NAMED["a4W"]]])} == {
        "a4W",
        "a4N",
        "a4QL2",
        "a4QL5",
    }


def test_td_07_overlaps() -> None:
    # Never more than four squares in a column, and four only in a4, a5, d4 and d5.
    fullest: dict[int, set[str]] = {}
    for pins in combinations(range(12), 4):
        exists = existing(sum(1 << pin for pin in pins))
        for squares in IN_COLUMN:
            there = list(members(squares & exists))
            if there:
                fullest.setdefault(len(there), set()).add(NAMES[there[0]][:2])
    assert max(fullest) == 4
    assert fullest[4] == {"a4", "a5", "d4", "d5"}


def test_td_08_wholly_void_columns_of_the_start() -> None:
    exists = existing(START_PINS)
    void = {
        f"{FILES[column % 6]}{column // 6}"
        for column in range(COLUMNS)
        if not IN_COLUMN[column] & exists
    }
    sides = {f"{file}{rank}" for file in "ze" for rank in range(2, 8)}
    assert void == {"b0", "c0", "b9", "c9"} | sides


def test_td_10_td_12_start() -> None:
    state = table().state
    assert [PINS[board.pin] for board in state.boards] == ["QL1", "KL1", "QL6", "KL6"]
    assert [board.owner for board in state.boards] == [0, 0, 1, 1]
    men = {NAMES[sq]: letter for sq, letter in enumerate(state.men) if letter != "."}
    white = {
        "K": "d0KL1",
        "Q": "a0QL1",
        "R": "z0QL1 e0KL1",
        "B": "b1W c1W",
        "N": "a1W d1W",
        "D": "a2W b2W c2W d2W z1QL1 a1QL1 d1KL1 e1KL1",
    }
    black = {
        "k": "d9KL6",
        "q": "a9QL6",
        "r": "z9QL6 e9KL6",
        "b": "b8B c8B",
        "n": "a8B d8B",
        "d": "a7B b7B c7B d7B z8QL6 a8QL6 d8KL6 e8KL6",
    }
    expected = {
        square: letter for letter, squares in (white | black).items() for square in squares.split()
    }
    assert men == expected
    assert (state.side, state.castling, state.number) == (0, "KQkq", 1)


def test_td_11_queens_stand_on_their_colour() -> None:
    assert is_dark(NAMED["a1W"])
    assert not is_dark(NAMED["a0QL1"])
    assert is_dark(NAMED["a9QL6"])
    for squares in IN_COLUMN:
        assert len({is_dark(sq) for sq in members(squares)}) <= 1


def test_td_60_ways_of_boards() -> None:
    swapped = str.maketrans("QK", "KQ")
    for pin, (sideways, lengthwise, vertical) in WAYS.items():
        for turn in (str, lambda name: name.translate(swapped)):
            ways = [PINS[to] for to in NEIGHBOURS[PINS.index(turn(pin))]]
            assert ways[:2] == [turn(sideways), turn(lengthwise)]
            assert set(ways[2:]) == {turn(name) for name in vertical}
            assert PINS[SIDEWAYS[PINS.index(turn(pin))]] == turn(sideways)


def test_td_65_td_66_riding_keeps_or_swaps_corners_and_colours() -> None:
    for name, unturned, turned in (("z0QL1", "d0KL1", "e1KL1"), ("a0QL1", "e0KL1", "d1KL1")):
        assert NAMES[carried(NAMED[name], PINS.index("KL1"), False)] == unturned
        assert NAMES[carried(NAMED[name], PINS.index("KL1"), True)] == turned
    for pin, ways in enumerate(NEIGHBOURS):
        for to in ways:
            for square in members(ON_PIN[pin]):
                assert is_dark(carried(square, to, True)) == is_dark(square)
                assert (FILE[square] + RANK[square]) % 2 == (
                    FILE[carried(square, to, False)] + RANK[carried(square, to, False)]
                ) % 2
