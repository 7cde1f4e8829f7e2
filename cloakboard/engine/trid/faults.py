"""What keeps a position from being played (RULES 10.3), for start positions and their editor."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec
from msgspec.structs import replace

from cloakboard.engine.trid.board import BLACK, FILE, NAMES, SIDES, WHITE, members
from cloakboard.engine.trid.moves import legal
from cloakboard.engine.trid.pieces import man
from cloakboard.engine.trid.position import HOME, position
from cloakboard.engine.trid.state import NOWHERE, State

ATTACK_BOARDS: Final = 4
SIDE_NAMES: Final = ("White", "Black")


class Fault(msgspec.Struct, frozen=True):
    """Words for the player, the fact and then the way out, and the square it is about; NOWHERE:
    the whole board."""

    text: str
    square: int = NOWHERE


def faults(state: State) -> Iterator[Fault]:
    """Whatever keeps the position from being played; nothing if it can be. What hangs on an
    earlier fault is told once that is mended."""
    if len(state.boards) != ATTACK_BOARDS:
        yield Fault(f"A position has four attack boards, not {len(state.boards)}; put them on pins")
    kings = tuple(_of_kings(state))
    yield from kings
    yield from filter(None, (castling_fault(state, right) for right in state.castling))
    if kings:
        return
    placed = position(replace(state, en_passant=NOWHERE))
    for side in SIDES:
        for square in members(placed.waiting(side)):
            yield Fault(
                f"The pawn on {NAMES[square]} stands where it promotes; put another man there",
                square,
            )
    if placed.is_check(1 - state.side):
        yield Fault(
            f"{SIDE_NAMES[state.side]} is to move and could take the king; let the other side move",
            placed.king(1 - state.side),
        )
    elif state.en_passant != NOWHERE:
        yield from _of_passing(state)


def _of_kings(state: State) -> Iterator[Fault]:
    for side in SIDES:
        kings = state.men.count(man("K", side))
        if kings != 1:
            yield Fault(f"{SIDE_NAMES[side]} has {kings} kings; there must be one")


def castling_fault(state: State, right: str) -> Fault | None:
    """What is wrong with one of the castling rights KQkq, or None."""
    side = WHITE if right.isupper() else BLACK
    king, near_rook, far_rook, _ = HOME[side]
    rook = near_rook if right.upper() == "K" else far_rook
    if state.men[king] == man("K", side) and state.men[rook] == man("R", side):
        return None
    return Fault(
        f"The castling right {right} needs a king on {NAMES[king]} and a rook on"
        f" {NAMES[rook]}; leave it away",
        king,
    )


def _of_passing(state: State) -> Iterator[Fault]:
    square = state.en_passant
    if state.men[square] != man("P", 1 - state.side):
        yield Fault(
            f"No pawn that has just moved stands on {NAMES[square]}; write - instead", square
        )
        return
    placed = position(state)
    passing = placed.passing_squares()
    if not any(
        targets & passing and FILE[origin] != FILE[square]
        for origin, targets in legal(placed).pawns
    ):
        yield Fault(
            f"Nobody can take the pawn on {NAMES[square]} in passing; write - instead", square
        )
