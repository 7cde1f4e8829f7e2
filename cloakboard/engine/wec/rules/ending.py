"""Ending the Turn (WEC-12, WEC-14, WEC-17)."""

from __future__ import annotations

from collections.abc import Iterator

from cloakboard.engine.errors import IllegalAction
from cloakboard.engine.wec import projectiles, sight
from cloakboard.engine.wec.actions import EndTurn
from cloakboard.engine.wec.events import TurnEnded, Won
from cloakboard.engine.wec.rules.acting import Resolving, knows, used
from cloakboard.engine.wec.rules.dozing import has_doze
from cloakboard.engine.wec.rules.moving import has_move
from cloakboard.engine.wec.state import State


def endings(state: State, seat: int) -> Iterator[EndTurn]:
    """The end of the Turn, if it may be ended."""
    if _may_end(state, seat):
        yield EndTurn()


def check_end(state: State, seat: int, action: EndTurn) -> None:
    """WEC-12. A state without the seat's secrets cannot tell, since its Move may be unseen."""
    if not _may_end(state, seat):
        raise IllegalAction("WEC-12", "The Move of this Turn is still to be made; make it first.")


def _may_end(state: State, seat: int) -> bool:
    return (
        not knows(state, seat)
        or used(state, seat, "move") > 0
        or not (has_move(state, seat) or has_doze(state, seat))
    )


def resolve_end(state: State, seat: int, action: EndTurn) -> Resolving:
    """In the order of WEC-17: projectiles, the result, arming and counters, sight. Once the
    result is settled the rest is left out."""
    state = yield from projectiles.advance(state)
    if state.fallen:
        loser = seat if seat in state.fallen else 1 - seat
        state = yield Won(side=1 - loser)
        return state
    state = yield TurnEnded()
    return (yield from sight.settle(state))
