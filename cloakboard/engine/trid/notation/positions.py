"""Positions as text (TRID 10.3): seven fields with one space between.

boards  the four pins that hold attack boards, each with the letter of the board's first owner
men     boards B, N, W and the attack boards in that order, joined by `|`; rows from the highest
        rank, joined by `/`; digits for empty squares; D a pawn with the two-square right
then    side to move, castling rights, the pawn that can be taken in passing, the half-move
        counter, the move number
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from cloakboard.engine.errors import BadSetup
from cloakboard.engine.trid.board import (
    FIRST_PIN_SQUARE,
    MAIN_SIZE,
    MAIN_SQUARES,
    MAINS,
    NAMED,
    NAMES,
    PIN_SQUARES,
    PINS,
    SQUARES,
)
from cloakboard.engine.trid.faults import ATTACK_BOARDS, faults
from cloakboard.engine.trid.options import Values
from cloakboard.engine.trid.pieces import EMPTY, FRESH, KINDS
from cloakboard.engine.trid.state import NOWHERE, RIGHTS, AttackBoard, State

FIELDS: Final = 7
SIDE_LETTERS: Final = "wb"
LETTERS: Final = KINDS + FRESH + (KINDS + FRESH).lower()
MAX_COUNT: Final = 9999  # of the counter and the move number
_COUNT: Final = re.compile("0|[1-9][0-9]{0,3}")


def write_position(state: State) -> str:
    """The position of a state as text."""
    return " ".join(
        (
            ",".join(PINS[one.pin] + SIDE_LETTERS[one.owner] for one in state.boards),
            "|".join(_rows(state, board) for board in _boards(state.boards)),
            SIDE_LETTERS[state.side],
            state.castling or "-",
            NAMES[state.en_passant] if state.en_passant != NOWHERE else "-",
            str(state.counter),
            str(state.number),
        )
    )


def read_position(text: str, options: Values) -> State:
    """The state of a position that can be played, nothing seen before it, its end not judged.
    Raises `BadSetup` with what to mend; only the text that `write_position` gives is taken."""
    state = read_form(text, options)
    for fault in faults(state):
        raise BadSetup(fault.text)
    return state


def read_form(text: str, options: Values) -> State:
    """The same for any text of the right form, whether or not the rules allow the position."""
    fields = text.split(" ")
    if len(fields) != FIELDS:
        raise BadSetup(
            "A position has seven fields with one space between: boards, men, side to move,"
            f" castling, en passant, counter, number; this has {len(fields)}"
        )
    boards = _read_boards(fields[0])
    counter, number = _read_count(fields[5]), _read_count(fields[6])
    if fields[2] not in tuple(SIDE_LETTERS):
        raise BadSetup(f"The side to move is w or b, not {fields[2]!r}")
    if fields[3] != "-" and fields[3] not in _all_rights():
        raise BadSetup(f"Castling rights are some of KQkq in that order or -, not {fields[3]!r}")
    if fields[4] != "-" and fields[4] not in NAMED:
        raise BadSetup(f"The pawn taken in passing stands on a square or is -, not {fields[4]!r}")
    if number == 0:
        raise BadSetup("The move number counts from 1")
    state = State(
        options=options,
        boards=boards,
        men=_read_men(fields[1], boards),
        side=SIDE_LETTERS.index(fields[2]),
        castling=fields[3].replace("-", ""),
        en_passant=NAMED.get(fields[4], NOWHERE),
        counter=counter,
        number=number,
    )
    if write_position(state) != text:
        raise BadSetup(f"Write this position so: {write_position(state)}")
    return state


# -- boards and rows -------------------------------------------------------------------------


def _boards(boards: tuple[AttackBoard, ...]) -> Iterator[tuple[int, int]]:
    """The first square and the width of each board in the order of the text."""
    for main in reversed(range(len(MAINS))):
        yield main * MAIN_SQUARES, MAIN_SIZE
    for one in boards:
        yield FIRST_PIN_SQUARE + PIN_SQUARES * one.pin, PIN_SQUARES // 2


def _rows(state: State, board: tuple[int, int]) -> str:
    first, width = board
    rows = (state.men[first + width * row :][:width] for row in reversed(range(width)))
    return "/".join(re.sub(r"\.+", lambda gap: str(len(gap[0])), row) for row in rows)


def _read_boards(text: str) -> tuple[AttackBoard, ...]:
    known = {pin + letter: (pin, letter) for pin in PINS for letter in SIDE_LETTERS}
    words = text.split(",") if text else []
    for word in words:
        if word not in known:
            raise BadSetup(
                f"{word!r} is no attack board; write the pin and w or b, such as QL1w or KL6b"
            )
    read = tuple(
        AttackBoard(PINS.index(pin), SIDE_LETTERS.index(letter))
        for pin, letter in (known[word] for word in words)
    )
    pins = [one.pin for one in read]
    if len(pins) > ATTACK_BOARDS or pins != sorted(set(pins)):
        raise BadSetup(
            "Name the four different pins with attack boards in the order QL1,KL1,QL2,KL2,..KL6;"
            f" {text!r} does not"
        )
    return read


def _read_men(text: str, boards: tuple[AttackBoard, ...]) -> str:
    men = [EMPTY] * SQUARES
    parts = text.split("|")
    places = tuple(_boards(boards))
    if len(parts) != len(places):
        raise BadSetup(
            f"The men stand on {len(places)} boards joined by |: B, N, W, then the attack boards;"
            f" this has {len(parts)}"
        )
    for part, (first, width) in zip(parts, places, strict=True):
        rows = part.split("/")
        if len(rows) != width:
            raise BadSetup(f"A board of {width} rows is written as {width} parts, not {part!r}")
        for row, line in zip(reversed(range(width)), rows, strict=True):
            letters = re.sub("[1-4]", lambda gap: EMPTY * int(gap[0]), line)
            if EMPTY in line or len(letters) != width or set(letters) - set(LETTERS + EMPTY):
                raise BadSetup(
                    f"{line!r} is no row of {width} squares; use KQRBNPD, capitals for White, and"
                    " digits for empty squares"
                )
            for file, letter in enumerate(letters):
                men[first + width * row + file] = letter
    return "".join(men)


def _read_count(text: str) -> int:
    if not _COUNT.fullmatch(text):
        raise BadSetup(f"The last two fields are whole numbers up to {MAX_COUNT}, not {text!r}")
    return int(text)


def _all_rights() -> set[str]:
    return {
        "".join(right for bit, right in enumerate(RIGHTS) if chosen >> bit & 1)
        for chosen in range(1, 1 << len(RIGHTS))
    }
