"""Positions, moves and random positions for the tests of tri-dimensional chess."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pytest

from cloakboard.engine.errors import BadSetup, IllegalAction
from cloakboard.engine.table import Table
from cloakboard.engine.trid import GAME
from cloakboard.engine.trid.actions import Action, Move
from cloakboard.engine.trid.board import NAMED, NAMES, PINS, SQUARES, existing, members
from cloakboard.engine.trid.moves import legal
from cloakboard.engine.trid.notation.moves import read_move, write_move
from cloakboard.engine.trid.notation.positions import write_position
from cloakboard.engine.trid.options import complete
from cloakboard.engine.trid.pieces import EMPTY
from cloakboard.engine.trid.position import position
from cloakboard.engine.trid.state import AttackBoard, State
from tests.play import Dice

REAR = "QL1w,KL1w,QL6b,KL6b"


def placed(words: str, side: str = "w", boards: str = REAR, rest: str = "- - 0 9") -> str:
    """A position string. `words`: each man's letter and square, `Kd0KL1 pa7B`."""
    pins = tuple(
        AttackBoard(PINS.index(word[:3]), "wb".index(word[3])) for word in boards.split(",")
    )
    men = [EMPTY] * SQUARES
    for word in words.split():
        men[NAMED[word[1:]]] = word[0]
    bare = write_position(State(options=complete({}), boards=pins, men="".join(men)))
    return " ".join([*bare.split(" ")[:2], side, rest])


def ends(state: State, square: str) -> set[str]:
    """Where the man on a square may go."""
    return {
        NAMES[action.target]
        for action in found(state)
        if isinstance(action, Move) and NAMES[action.origin] == square
    }


def table(text: str = "", play: Iterable[str] = (), **options: Any) -> Table:
    """A table after some moves from a position."""
    made = Table(GAME, options, text)
    for move in play:
        made.act(made.state.side, read_move(move))
    return made


def found(state: State) -> list[Action]:
    """The legal moves of a position, draws that have ended the match aside."""
    return list(legal(position(state)).actions())


def said(state: State) -> list[str]:
    """The same as machine text, sorted."""
    return sorted(write_move(action) for action in found(state))


def refused(made: Table, move: str) -> str:
    """The rule by which a move is refused; the state must not change by it."""
    before = made.state
    with pytest.raises(IllegalAction) as error:
        made.act(made.state.side, read_move(move))
    assert made.state == before
    assert str(error.value).endswith(".")
    return error.value.rule


def random_position(dice: Dice, options: Mapping[str, Any]) -> State:
    """A start position with boards and some men anywhere."""
    while True:
        pins: set[int] = set()
        while len(pins) < 4:
            pins.add(dice.choose(range(len(PINS))))
        boards = tuple(AttackBoard(pin, dice.choose((0, 1))) for pin in sorted(pins))
        squares = list(members(existing(sum(1 << pin for pin in pins))))
        men = [EMPTY] * SQUARES
        for letter in "Kk" + "".join(
            dice.choose("PPPDDpppddNnBbRrQq") for _ in range(dice.choose(range(3, 14)))
        ):
            men[squares.pop(dice.choose(range(len(squares))))] = letter
        state = State(
            options=complete(options),
            boards=boards,
            men="".join(men),
            side=dice.choose((0, 1)),
            number=9,
        )
        try:
            started: State = GAME.start(options, write_position(state))
        except BadSetup:
            continue
        return started
