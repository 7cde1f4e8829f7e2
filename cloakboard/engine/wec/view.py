"""What a seat may know of a state, and how a state is read (`result`, `turn`)."""

from __future__ import annotations

import msgspec

from cloakboard.engine.game import Result
from cloakboard.engine.wec.state import SIDES, State


def view(state: State, seat: int) -> State:
    """What the seat may know: its own pieces and secrets, and of the others what is public."""
    return _forget(state, (seat,))


def public(state: State) -> State:
    """What everyone may know."""
    return _forget(state, ())


def _forget(state: State, keep: tuple[int, ...]) -> State:
    return msgspec.structs.replace(
        state,
        pieces=tuple(p for p in state.pieces if p.handle or p.side in keep),
        secrets=tuple(state.secrets[side] if side in keep else None for side in SIDES),
    )


def result(state: State) -> Result | None:
    """How it ended (WEC-14), or None while it goes on."""
    return None if state.winner is None else Result((state.winner,), "primary")


def turn(state: State) -> int:
    """Number of Turns completed, of either side."""
    return state.turn - 1
