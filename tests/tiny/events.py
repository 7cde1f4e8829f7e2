"""What happens in Line, and how each event changes a state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from msgspec.structs import replace

from cloakboard.engine.events import Event
from tests.tiny.pieces import Token
from tests.tiny.state import Secrets, Shown, State


class Acted(Event, frozen=True, tag=True, kw_only=True):
    """The mover used its main action, or its shot."""

    shot: bool = False


class Appeared(Event, frozen=True, tag=True, kw_only=True):
    """A hidden token is shown from now on, under the next handle."""

    seat: int
    token: Token


class Lost(Event, frozen=True, tag=True, kw_only=True):
    """A shown token is gone for good."""

    handle: int


class Walked(Event, frozen=True, tag=True, kw_only=True):
    """A shown token stands in another cell."""

    handle: int
    cell: int


class Rolling(Event, frozen=True, tag=True, kw_only=True):
    """A shown token begins (-1, 1) or ceases (0) to roll, or has rolled in this Turn."""

    handle: int
    heading: int


class Vanished(Event, frozen=True, tag=True, kw_only=True):
    """A shown token went out of sight. Its seat alone has `Kept` besides."""

    handle: int


class Kept(Event, frozen=True, tag=True, kw_only=True):
    """Private: the seat has this token hidden."""

    seat: int
    token: Token


class Crept(Event, frozen=True, tag=True, kw_only=True):
    """Private: a hidden token moved."""

    seat: int
    token: Token
    cell: int
    fuel: int


class Planted(Event, frozen=True, tag=True, kw_only=True):
    """Private: a trap lies in the cell, for a unit of fuel."""

    seat: int
    cell: int


class Sprung(Event, frozen=True, tag=True, kw_only=True):
    """A trap of the seat went off and is gone."""

    seat: int
    cell: int


class Saw(Event, frozen=True, tag=True, kw_only=True):
    """Private: what the seat's scouts see of another seat, added to what they saw."""

    seat: int
    sight: tuple[tuple[int, Token], ...]


class Passed(Event, frozen=True, tag=True, kw_only=True):
    """The Turn ended and another seat is to move."""

    mover: int


AnyEvent = (
    Acted
    | Appeared
    | Lost
    | Walked
    | Rolling
    | Vanished
    | Kept
    | Crept
    | Planted
    | Sprung
    | Saw
    | Passed
)


def _learn(state: State, seat: int, **changes: Any) -> State:
    """The seat's secrets changed, where they are known."""
    own = state.known[seat]
    if own is None:
        return state
    known = (*state.known[:seat], replace(own, **changes), *state.known[seat + 1 :])
    return replace(state, known=known)


def _drop_shown(state: State, handle: int) -> State:
    return replace(
        state,
        shown=tuple(token for token in state.shown if token.handle != handle),
        due=tuple(other for other in state.due if other != handle),
    )


def _change_shown(state: State, handle: int, **changes: Any) -> State:
    shown = tuple(replace(t, **changes) if t.handle == handle else t for t in state.shown)
    return replace(state, shown=shown)


def _without(own: Secrets, token: Token) -> tuple[Token, ...]:
    return tuple(other for other in own.hidden if other != token)


def _acted(state: State, event: Acted) -> State:
    return replace(state, shot=True) if event.shot else replace(state, acted=True)


def _appeared(state: State, event: Appeared) -> State:
    token, seat = event.token, event.seat
    shown = Shown(state.next_handle, seat, token.cell, token.kind)
    state = replace(state, shown=(*state.shown, shown), next_handle=state.next_handle + 1)
    return _learn(state, seat, hidden=_without(state.secrets(seat), token))


def _lost(state: State, event: Lost) -> State:
    gone = state.by_handle(event.handle)
    assert gone is not None, "only shown tokens are lost"
    left = tuple(n - (seat == gone.seat) for seat, n in enumerate(state.left))
    return replace(_drop_shown(state, event.handle), left=left)


def _walked(state: State, event: Walked) -> State:
    return _change_shown(state, event.handle, cell=event.cell)


def _rolling(state: State, event: Rolling) -> State:
    state = replace(state, due=tuple(other for other in state.due if other != event.handle))
    return _change_shown(state, event.handle, rolling=event.heading)


def _kept(state: State, event: Kept) -> State:
    hidden = (*state.secrets(event.seat).hidden, event.token)
    return _learn(state, event.seat, hidden=tuple(sorted(hidden)))


def _crept(state: State, event: Crept) -> State:
    own = state.secrets(event.seat)
    hidden = (*_without(own, event.token), replace(event.token, cell=event.cell))
    return _learn(state, event.seat, hidden=tuple(sorted(hidden)), fuel=own.fuel - event.fuel)


def _planted(state: State, event: Planted) -> State:
    own = state.secrets(event.seat)
    traps = tuple(sorted((*own.traps, event.cell)))
    return _learn(state, event.seat, traps=traps, fuel=own.fuel - 1)


def _sprung(state: State, event: Sprung) -> State:
    traps = tuple(cell for cell in state.secrets(event.seat).traps if cell != event.cell)
    return _learn(state, event.seat, traps=traps)


def _saw(state: State, event: Saw) -> State:
    sight = (*state.secrets(event.seat).sight, *event.sight)
    return _learn(state, event.seat, sight=tuple(sorted(sight)))


def _passed(state: State, event: Passed) -> State:
    due = tuple(t.handle for t in state.shown if t.seat == event.mover and t.rolling)
    turn = state.turn + 1
    state = replace(state, turn=turn, mover=event.mover, acted=False, shot=False, due=due)
    return _learn(state, event.mover, sight=())


FOLDS: Final[Mapping[type[Event], Callable[[State, Any], State]]] = MappingProxyType(
    {
        Acted: _acted,
        Appeared: _appeared,
        Lost: _lost,
        Walked: _walked,
        Rolling: _rolling,
        Vanished: lambda state, event: _drop_shown(state, event.handle),
        Kept: _kept,
        Crept: _crept,
        Planted: _planted,
        Sprung: _sprung,
        Saw: _saw,
        Passed: _passed,
    }
)


def apply(state: State, event: Event) -> State:
    """The state after one event."""
    return FOLDS[type(event)](state, event)
