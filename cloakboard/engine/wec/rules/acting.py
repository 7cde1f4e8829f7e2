"""What all actions of a Turn have in common: allowance, who may act, and arriving (WEC-11).

Functions named `check_..` raise `IllegalAction`. Where a state does not know the seat's
secrets they check only what holds whatever those are.
"""

from __future__ import annotations

from collections.abc import Generator
from types import MappingProxyType
from typing import Any, Final

from cloakboard.engine.errors import IllegalAction
from cloakboard.engine.events import Event
from cloakboard.engine.probes import Probe
from cloakboard.engine.wec import losses, sight
from cloakboard.engine.wec.actions import Ref
from cloakboard.engine.wec.board import changed, find, standing
from cloakboard.engine.wec.events import SpentOne
from cloakboard.engine.wec.options import agreed
from cloakboard.engine.wec.state import GROUND, Piece, State

Resolving = Generator[Probe | Event, Any, State]

ALLOWED: Final = MappingProxyType(
    {"move": 1, "fires": 2, "pickup": 1, "drop": 1, "exchange": 1, "reinforce": 1}
)  # WEC-11
SPENT_TEXTS: Final = MappingProxyType(
    {
        "move": "The Move of this Turn is made; choose another action or end the Turn.",
        "fires": "Both Fires of this Turn are made; choose another action or end the Turn.",
        "pickup": "One article was picked up in this Turn already; wait for the next Turn.",
        "drop": "One article was dropped in this Turn already; wait for the next Turn.",
        "exchange": "One exchange was made in this Turn already; wait for the next Turn.",
        "reinforce": "One reinforcement was called in this Turn already; wait for the next Turn.",
    }
)


def knows(state: State, seat: int) -> bool:
    """Whether the state holds the seat's secrets."""
    return state.secrets[seat] is not None


def used(state: State, seat: int, what: str) -> int:
    """How much of the Turn's allowance the seat has used, as far as the state knows."""
    secret = state.secrets[seat]
    hidden: int = getattr(secret.spent, what) if secret is not None else 0
    public: int = getattr(state.spent, what)
    return public + hidden


def left(state: State, seat: int, what: str) -> bool:
    """Whether an action of that kind is left in this Turn (WEC-11, WEC-16)."""
    if what != "move" and agreed(state.options)["action_constraint"] == "move_only":
        return False
    return used(state, seat, what) < ALLOWED[what]


def check_left(state: State, seat: int, what: str) -> None:
    """WEC-11, WEC-16."""
    if what != "move" and agreed(state.options)["action_constraint"] == "move_only":
        raise IllegalAction("WEC-16", "In this match a Turn is the Move alone; make it, or end.")
    if used(state, seat, what) >= ALLOWED[what]:
        raise IllegalAction("WEC-11", SPENT_TEXTS[what])


def is_stunned(state: State, piece: Piece) -> bool:
    """WEC-56."""
    return piece.stunned > state.turn


def may_act(state: State, piece: Piece) -> bool:
    """Whether the piece may take an action at all: not stunned, nor used up (WEC-16)."""
    if piece.stunned > state.turn:
        return False
    return piece.acted < state.turn or (
        agreed(state.options)["action_constraint"] != "one_per_piece"
    )


def check_actor(state: State, seat: int, ref: Ref) -> Piece:
    """The seat's piece that is named, which may act (WEC-11, WEC-16, WEC-56)."""
    piece = find(state, seat, ref)
    if piece is None:
        raise IllegalAction("WEC-11", "There is no such piece of yours; choose one of your own.")
    if is_stunned(state, piece):
        raise IllegalAction(
            "WEC-56", "That piece is stunned; it can act again when its count is over."
        )
    if not may_act(state, piece):
        raise IllegalAction(
            "WEC-16", "That piece has taken its action of this Turn; choose another piece."
        )
    return piece


def check_landed(piece: Piece) -> None:
    """WEC-71: no action of its own that needs a Move or a Fire while it flies."""
    if piece.flight is not None:
        raise IllegalAction("WEC-71", "That piece is in flight; it can move or fire once it lands.")


def named(state: State, seat: int, ref: Ref) -> Piece:
    """The piece a checked action names."""
    piece = find(state, seat, ref)
    if piece is None:
        raise IllegalAction("WEC-11", "There is no such piece; choose one of your own.")
    return piece


def spend(state: State, seat: int, what: str, veiled: bool) -> Resolving:
    """Uses up one of the allowance, for everyone to see unless the action is veiled."""
    state = yield SpentOne(side=seat, what=what, only=(seat,) if veiled else ())
    return state


def meet(
    state: State, seat: int, veiled: bool, cells: tuple[int, ...]
) -> Generator[Probe | Event, Any, tuple[int | None, State]]:
    """The first of the cells that holds enemies nobody saw, which are shown; None if none does
    (WEC-49)."""
    asked = sight.felt if veiled else sight.met
    return (yield from asked(state, seat, cells))


def arrive(
    state: State,
    piece: Piece,
    after: Piece,
    cause: str,
    rider: Piece | None = None,
) -> Resolving:
    """The piece becomes `after` in its new cell, its rider comes along, and the enemies that
    stand there are taken (WEC-40, WEC-46, WEC-49)."""
    after = losses.let_go(piece, changed(after, unmoved=False))
    state = yield from losses.replace(state, piece, after, cause)
    if rider is not None:
        flight = None if after.level == GROUND else rider.flight
        carried = changed(rider, cell=after.cell, unmoved=False, flight=flight)
        state = yield from losses.replace(state, rider, losses.let_go(rider, carried), "carried")
    enemies = tuple(one for one in standing(state, after.cell) if one.side != piece.side)
    if enemies:
        state = yield from losses.lose(state, enemies, "taken")
    return state
