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
WON: Final = "{} has won: {} is checkmated."
ENDINGS: Final = {
    STALEMATE: "A draw: {} cannot move.",
    BARE_KINGS: "A draw: only the kings are left.",
    FIFTY_MOVES: "A draw: fifty moves of each side without a capture or a pawn's move.",
    REPETITION: "A draw: the same position for the third time.",
}

MOVES: Final = "{man} moves to {square}"
TAKES: Final = "{man} takes the {taken}"
PASSES: Final = "{man} takes the {taken} in passing and goes to {square}"
BOARD_MOVES: Final = "Attack board {pin} moves to {to}"
TURNED: Final = ", turned by a half turn"
CARRYING: Final = ", carrying the {rider}"
BECOMES: Final = " and the pawn becomes a {kind}"


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
        return WON.format(SEATS[1 - state.side], side)
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
        return f"{SEATS[state.side]} castles {'queenside' if action.queenside else 'kingside'}"
    assert isinstance(action, Move | MoveBoard)
    becomes = BECOMES.format(kind=KIND_NAMES[action.promotion]) if action.promotion else ""
    if isinstance(action, Move):
        return _said_move(state, action) + becomes
    rider = next((name_at(state, one) for one in riders(state, action.pin)), "")
    said = BOARD_MOVES.format(pin=PINS[action.pin], to=PINS[action.to])
    turned = TURNED if action.turned else ""
    return said + turned + (CARRYING.format(rider=rider) if rider else "") + becomes


def sentences() -> Iterator[str]:
    """Every sentence that `say` can make, with its parts in braces."""
    yield from (f"{side} castles {wing}" for side in SEATS for wing in ("kingside", "queenside"))
    for becomes in ("", BECOMES):
        yield from (said + becomes for said in (MOVES, TAKES, PASSES))
        for turned in ("", TURNED):
            yield from (BOARD_MOVES + turned + carrying + becomes for carrying in ("", CARRYING))


def riders(state: State, pin: int) -> tuple[int, ...]:
    """The squares of the attack board on a pin where men stand."""
    first = FIRST_PIN_SQUARE + PIN_SQUARES * pin
    squares = range(first, first + PIN_SQUARES)
    return tuple(square for square in squares if state.men[square] != EMPTY)


def name_at(state: State, square: int) -> str:
    """Who stands on a square: `Knight on b1W`."""
    return f"{KIND_NAMES[kind_of(state.men[square])]} on {NAMES[square]}"


def _said_move(state: State, action: Move) -> str:
    man, square = name_at(state, action.origin), NAMES[action.target]
    taken = taken_by(state, action)
    if taken == NOWHERE:
        return MOVES.format(man=man, square=square)
    said = TAKES if taken == action.target else PASSES
    return said.format(man=man, taken=name_at(state, taken), square=square)
