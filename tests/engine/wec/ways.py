"""What the tables of moving share: ends of Moves, refusals, routes."""

from __future__ import annotations

from typing import Any

import pytest

from cloakboard.engine.errors import IllegalAction
from cloakboard.engine.wec import GAME
from cloakboard.engine.wec.actions import Ref
from cloakboard.engine.wec.rules.moving import moves
from cloakboard.engine.wec.state import (
    BLACK,
    GROUND,
    WHITE,
    Piece,
    State,
)
from tests.engine.wec.build import cell, piece

AWAY = piece("K", 10, 10, WHITE)  # keeps the board from being empty of the enemy


def ends(
    now: State, ref: Ref, seat: int = BLACK, passenger: Ref | None = None, level: int = GROUND
) -> set[tuple[int, int]]:
    """Rows and columns of the cells at a level in which Moves of a piece end."""
    return {
        (move.route[-1] % 100 // 10 + 1, move.route[-1] % 10 + 1)
        for move in moves(now, seat)
        if move.piece == ref and move.passenger == passenger and move.route[-1] // 100 == level
    }


def refused(now: State, action: Any, seat: int = BLACK) -> str:
    """The rule by which an action is refused."""
    with pytest.raises(IllegalAction) as caught:
        GAME.legal(now, seat, action)
    assert action not in list(GAME.actions(now, seat))
    return caught.value.rule


def square_route(*squares: tuple[int, int]) -> tuple[int, ...]:
    return tuple(cell(*square) for square in squares)


def shadow(kind: str, row: int, column: int, side: int = WHITE, level: int = GROUND) -> Piece:
    """An unseen piece."""
    return piece(kind, row, column, side, level, hidden=True, gear=["SH"])
