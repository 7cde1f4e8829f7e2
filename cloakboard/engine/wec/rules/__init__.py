"""What may be done and what it does: one row per action, one module per subject."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from cloakboard.engine.errors import IllegalAction
from cloakboard.engine.game import Resolution
from cloakboard.engine.wec import actions as acts
from cloakboard.engine.wec.actions import Action, Ref
from cloakboard.engine.wec.rules import dozing, ending, firing, flying, handling, moving
from cloakboard.engine.wec.state import State

Parts = tuple[Action | None, Action | None]


class Rule(NamedTuple):
    """`check` raises `IllegalAction`; `resolve` is the action's part of `Game.resolve`;
    `split` gives its open and its secret part."""

    check: Callable[[State, int, Any], None]
    resolve: Callable[[State, int, Any], Generator[Any, Any, Any]]
    split: Callable[[State, int, Any], Parts]


def _open(state: State, seat: int, action: Action) -> Parts:
    return action, None


def _of(field: str) -> Callable[[State, int, Action], Parts]:
    """Open if the piece named by that field is public, else veiled."""

    def split(state: State, seat: int, action: Action) -> Parts:
        ref: Ref = getattr(action, field)
        return (action, None) if ref.handle else (None, action)

    return split


_OF_PIECE: Final = _of("piece")

RULES: Final[Mapping[type[Action], Rule]] = MappingProxyType(
    {
        acts.Move: Rule(moving.check_move, moving.resolve_move, moving.split_move),
        acts.Doze: Rule(dozing.check_doze, dozing.resolve_doze, _of("dozer")),
        acts.Blast: Rule(firing.check_blast, firing.resolve_blast, _OF_PIECE),
        acts.Launch: Rule(firing.check_launch, firing.resolve_launch, _OF_PIECE),
        acts.LimitedRocket: Rule(
            firing.check_limited_rocket, firing.resolve_limited_rocket, _OF_PIECE
        ),
        acts.Bike: Rule(moving.check_bike, moving.resolve_bike, _OF_PIECE),
        acts.TakeOff: Rule(flying.check_take_off, flying.resolve_take_off, _OF_PIECE),
        acts.Fly: Rule(flying.check_fly, flying.resolve_fly, _OF_PIECE),
        acts.PickUp: Rule(handling.check_pick_up, handling.resolve_pick_up, _OF_PIECE),
        acts.Drop: Rule(handling.check_drop, handling.resolve_drop, _OF_PIECE),
        acts.Exchange: Rule(
            handling.check_exchange, handling.resolve_exchange, handling.split_exchange
        ),
        acts.Reinforce: Rule(handling.check_reinforce, handling.resolve_reinforce, _open),
        acts.EndTurn: Rule(ending.check_end, ending.resolve_end, _open),
    }
)

# In the order in which `actions` gives them.
LISTS: Final[tuple[Callable[[State, int], Iterator[Action]], ...]] = (
    moving.moves,
    ending.endings,
    firing.blasts,
    firing.launches,
    firing.limited_rockets,
    moving.bikes,
    flying.take_offs,
    handling.pick_ups,
    handling.drops,
    handling.exchanges,
    handling.reinforces,
    dozing.dozes,
)


def to_act(state: State) -> tuple[int, ...]:
    """The side whose Turn it is; nobody once the match is decided."""
    return (state.side,) if state.winner is None else ()


def forced(state: State, seat: int) -> Action | None:
    """The flight that the seat owes, else None (WEC-17, WEC-71)."""
    return flying.owed(state, seat) if state.winner is None else None


def actions(state: State, seat: int) -> Iterator[Action]:
    """Legal actions as far as the state knows: all Moves first, dozes last; a flight that is
    owed alone."""
    if seat not in to_act(state):
        return
    owed = forced(state, seat)
    if owed is not None:
        yield owed
        return
    for listed in LISTS:
        yield from listed(state, seat)


def legal(state: State, seat: int, action: Action) -> None:
    """Raises `IllegalAction`."""
    if state.winner is not None:
        raise IllegalAction("WEC-14", "The match is decided; start another one.")
    if seat != state.side:
        raise IllegalAction("WEC-10", "It is the other side's Turn; wait until it ends.")
    if not isinstance(action, acts.Fly) and forced(state, seat) is not None:
        raise IllegalAction("WEC-71", "A piece in flight flies on first; let it.")
    RULES[type(action)].check(state, seat, action)


def split(state: State, seat: int, action: Action) -> Parts:
    """The open and the secret part of an action."""
    return RULES[type(action)].split(state, seat, action)


def resolve(state: State, seat: int, action: Action) -> Resolution:
    """What the action does."""
    yield from RULES[type(action)].resolve(state, seat, action)
