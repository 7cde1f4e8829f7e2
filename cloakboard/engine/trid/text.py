"""A position and a move in plain words, for terminals and screen readers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cloakboard.engine.trid.actions import Action, Castle, Move, MoveBoard
from cloakboard.engine.trid.board import (
    FILE,
    FILES,
    FIRST_PIN_SQUARE,
    MAIN_SIZE,
    MAIN_SQUARES,
    MAINS,
    NAMES,
    PIN_SQUARES,
    PINS,
    RANK,
    SIDES,
    SQUARES,
)
from cloakboard.engine.trid.pieces import EMPTY, KINDS, kind_of, man, side_of
from cloakboard.engine.trid.pieces import NAMES as KIND_NAMES
from cloakboard.engine.trid.rules import checked, taken_by
from cloakboard.engine.trid.state import (
    BARE_KINGS,
    CHECKMATE,
    FIFTY_MOVES,
    NOWHERE,
    REPETITION,
    STALEMATE,
    State,
)

SEATS: Final = ("White", "Black")
MAIN_NAMES: Final = ("White's board", "Neutral board", "Black's board")
ENDINGS: Final = {
    STALEMATE: "A draw: {} cannot move.",
    BARE_KINGS: "A draw: only the kings are left.",
    FIFTY_MOVES: "A draw: fifty moves of each side without a capture or a pawn's move.",
    REPETITION: "A draw: the same position for the third time.",
}


def text(state: State) -> str:
    """The position: whose turn it is, a grid for each board from Black's down, each attack board
    after the main board it stands on, then lists of men. White's letters are capitals. Ends with
    a line feed."""
    parts = [[_heading(state)]]
    for main in reversed(range(len(MAINS))):
        for one in reversed(state.boards):
            if one.pin // 4 == main:
                first = FIRST_PIN_SQUARE + PIN_SQUARES * one.pin
                title = f"Attack board {PINS[one.pin]}, first {SEATS[one.owner]}'s"
                parts.append([title, *_grid(state, first, PIN_SQUARES // 2)])
        parts.append([MAIN_NAMES[main], *_grid(state, main * MAIN_SQUARES, MAIN_SIZE)])
    parts += [[f"{SEATS[side]}'s men:", *_men(state, side)] for side in SIDES]
    return "\n".join("\n".join(part) + "\n" for part in parts)


def _heading(state: State) -> str:
    side = SEATS[state.side]
    start = f"Move {state.number}"
    if state.ended:
        return f"{start}. {ending(state)}"
    check = " The king is in check." if checked(state) != NOWHERE else ""
    return f"{start}, {side} to play.{check}"


def ending(state: State) -> str:
    """How a match that is over ended, in one sentence."""
    side = SEATS[state.side]
    if state.ended == CHECKMATE:
        return f"{SEATS[1 - state.side]} has won: {side} is checkmated."
    return ENDINGS[state.ended].format(side)


def _grid(state: State, first: int, width: int) -> Iterator[str]:
    yield "   " + " ".join(FILES[FILE[first + file]] for file in range(width))
    for row in reversed(range(width)):
        squares = range(first + width * row, first + width * (row + 1))
        letters = (
            man(kind_of(one), side_of(one)) if one != EMPTY else EMPTY
            for one in _on(state, squares)
        )
        yield f"{RANK[squares[0]]:>2} {' '.join(letters)}"


def _on(state: State, squares: range) -> str:
    return state.men[squares.start : squares.stop]


def _men(state: State, side: int) -> Iterator[str]:
    """One line for each kind the side has, the king first."""
    for kind in reversed(KINDS):
        squares = [
            NAMES[square]
            for square in range(SQUARES)
            if state.men[square] != EMPTY
            and side_of(state.men[square]) == side
            and kind_of(state.men[square]) == kind
        ]
        if squares:
            plural = "s" if len(squares) > 1 else ""
            yield f"  {KIND_NAMES[kind]}{plural} {', '.join(squares)}"


def say(state: State, action: Action) -> str:
    """One sentence without its full stop, from the state before the action."""
    if isinstance(action, Castle):
        wing = "queenside" if action.queenside else "kingside"
        return f"{SEATS[state.side]} castles {wing}"
    if isinstance(action, Move):
        return _said_move(state, action)
    assert isinstance(action, MoveBoard)
    rider = next((one for one in riders(state, action.pin)), None)
    said = f"Attack board {PINS[action.pin]} moves to {PINS[action.to]}"
    if action.turned:
        said += ", turned by a half turn"
    if rider is not None:
        said += f", carrying the {name_at(state, rider)}"
    return said + _becomes(action.promotion)


def riders(state: State, pin: int) -> tuple[int, ...]:
    """The squares of the attack board on a pin where men stand."""
    first = FIRST_PIN_SQUARE + PIN_SQUARES * pin
    squares = range(first, first + PIN_SQUARES)
    return tuple(square for square in squares if state.men[square] != EMPTY)


def name_at(state: State, square: int) -> str:
    """Who stands on a square: `Knight b1W`."""
    return f"{KIND_NAMES[kind_of(state.men[square])]} {NAMES[square]}"


def _said_move(state: State, action: Move) -> str:
    said = name_at(state, action.origin)
    taken = taken_by(state, action)
    if taken == NOWHERE:
        said += f" moves to {NAMES[action.target]}"
    elif taken == action.target:
        said += f" takes the {name_at(state, taken)}"
    else:
        said += f" takes the {name_at(state, taken)} in passing and goes to {NAMES[action.target]}"
    return said + _becomes(action.promotion)


def _becomes(kind: str) -> str:
    return f" and the pawn becomes a {KIND_NAMES[kind]}" if kind else ""
