"""Folding events into a state.

`apply` works pointwise on what the state knows: the same event leaves in the full state, in a
seat's view and in the public state what each of them may know (laws 1 and 2). So a few
consequences belong to the event itself and not to events of their own: squares are armed
(WEC-80), sightings go stale, locks end on both of their pieces, projectiles mark what they
follow.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

import msgspec

from cloakboard.engine.errors import IllegalAction
from cloakboard.engine.events import Event
from cloakboard.engine.wec.board import changed
from cloakboard.engine.wec.events import (
    Article,
    Came,
    Changed,
    Fell,
    Flew,
    Lapsed,
    LockEnded,
    LockMade,
    Sighted,
    SpentOne,
    Thwarted,
    TurnEnded,
    Won,
)
from cloakboard.engine.wec.state import (
    GROUND,
    Arming,
    Gear,
    Lock,
    Lying,
    Piece,
    Secret,
    Spent,
    State,
    piece_order,
)


def apply(state: State, event: Event) -> State:
    """The state after one event that its holder may know. Raises `IllegalAction` if the event
    changes what is not there."""
    return FOLDS[type(event)](state, event)


def lying_order(lying: Lying) -> tuple[int, str, int]:
    """Sort key of unowned articles: square, kind, Turn in which it may fire."""
    return lying.square, lying.gear.kind, lying.gear.ready


def knows(state: State, side: int) -> bool:
    """Whether the state holds that side's secrets."""
    return state.secrets[side] is not None


def _with(state: State, **fields: Any) -> State:
    return msgspec.structs.replace(state, **fields)


def _sorted(pieces: list[Piece]) -> tuple[Piece, ...]:
    return tuple(sorted(pieces, key=piece_order))


def _secrets(state: State, change: Callable[[int, Secret], Secret]) -> tuple[Secret | None, ...]:
    return tuple(
        None if secret is None else change(side, secret)
        for side, secret in enumerate(state.secrets)
    )


def _missing(what: str) -> IllegalAction:
    return IllegalAction("WEC-97", f"there is no such {what} here; the two games differ")


def _changed(state: State, event: Changed) -> State:
    before, after = event.before, event.after
    pieces = list(state.pieces)
    secrets = state.secrets
    if before is not None:
        if before.handle or knows(state, before.side):
            try:
                pieces.remove(before)
            except ValueError:
                raise _missing("piece") from None
        if not event.only and not before.handle:
            secrets = _secrets(state, lambda _, secret: _without_sighting(secret, before))
        if after is not None and after.side == before.side and after.cell != before.cell:
            left = before.side
            secrets = tuple(
                _left(secret, before.cell) if side == left and secret is not None else secret
                for side, secret in enumerate(secrets)
            )
    next_handle = state.next_handle
    if after is not None:
        insort(pieces, after, key=piece_order)
        next_handle = max(next_handle, after.handle + 1)
    return _with(state, pieces=tuple(pieces), secrets=secrets, next_handle=next_handle)


def _without_sighting(secret: Secret, shown: Piece) -> Secret:
    """The secret without its sighting of a piece that everyone sees now; of two alike the one
    with the same articles."""
    alike = [
        sighted
        for sighted in secret.sighted
        if (sighted.side, sighted.kind, sighted.hand, sighted.cell)
        == (shown.side, shown.kind, shown.hand, shown.cell)
    ]
    if not alike:
        return secret
    gone = next((sighted for sighted in alike if sighted.gear == shown.gear), alike[0])
    rest = list(secret.sighted)
    rest.remove(gone)
    return msgspec.structs.replace(secret, sighted=tuple(rest))


def _left(secret: Secret, cell: int) -> Secret:
    """The secret after one of its seat's pieces left a cell (WEC-80)."""
    if all(arming.square != cell or arming.left for arming in secret.armed):
        return secret
    armed = tuple(
        Arming(arming.square, arming.left or arming.square == cell) for arming in secret.armed
    )
    return msgspec.structs.replace(secret, armed=armed)


def _lapsed(state: State, event: Lapsed) -> State:
    pieces: list[Piece] = []
    found = 0
    for piece in state.pieces:
        if piece.handle not in event.handles:
            pieces.append(piece)
            continue
        found += 1
        if knows(state, piece.side):
            pieces.append(changed(piece, handle=0))
    if 0 in event.handles or found != len(event.handles):
        raise _missing("piece")
    return _with(state, pieces=_sorted(pieces))


def _sighted(state: State, event: Sighted) -> State:
    def see(side: int, secret: Secret) -> Secret:
        if side not in event.only:
            return secret
        return msgspec.structs.replace(secret, sighted=event.pieces)

    return _with(state, secrets=_secrets(state, see))


def _article(state: State, event: Article) -> State:
    lying = list(state.lying)
    article = Lying(event.square, event.gear)
    if event.came:
        insort(lying, article, key=lying_order)
    else:
        try:
            lying.remove(article)
        except ValueError:
            raise _missing("article") from None
    return _with(state, lying=tuple(lying))


def _flew(state: State, event: Flew) -> State:
    before, after = event.before, event.after
    shots = list(state.projectiles)
    pieces = state.pieces
    if before is not None:
        try:
            shots.remove(before)
        except ValueError:
            raise _missing("projectile") from None
        if before.homing and (after is None or not after.homing):
            pieces = _sorted([_chased_less(piece, before.number) for piece in pieces])
    if after is not None:
        insort(shots, after, key=lambda shot: shot.number)
        if before is None and after.homing:
            pieces = _sorted(_marked(pieces, event, after.number))
    return _with(
        state,
        projectiles=tuple(shots),
        pieces=pieces,
        next_shot=max(state.next_shot, after.number + 1 if after else 0),
    )


def _marked(pieces: tuple[Piece, ...], event: Flew, number: int) -> list[Piece]:
    """The pieces, the launch's target among them now followed by that projectile."""
    listed = list(pieces)
    for index, piece in enumerate(listed):
        if _is_target(piece, event):
            listed[index] = changed(piece, chased=tuple(sorted({*piece.chased, number})))
            break
    return listed


def _chased_less(piece: Piece, number: int) -> Piece:
    if number not in piece.chased:
        return piece
    return changed(piece, chased=tuple(other for other in piece.chased if other != number))


def _is_target(piece: Piece, event: Flew) -> bool:
    assert event.after is not None
    if event.target:
        return piece.handle == event.target
    return (piece.handle, piece.side, piece.cell, piece.kind) == (
        0,
        event.after.target_side,
        event.after.target_cell,
        event.target_kind,
    )


def _lock_made(state: State, event: LockMade) -> State:
    pieces = [
        changed(piece, locked=event.number) if piece.handle == event.target else piece
        for piece in state.pieces
    ]
    return _with(
        state,
        pieces=_sorted(pieces),
        locks=(*state.locks, Lock(event.number, event.side)),
        next_lock=max(state.next_lock, event.number + 1),
    )


def _lock_ended(state: State, event: LockEnded) -> State:
    number = event.number
    locks = tuple(lock for lock in state.locks if lock.number != number)
    if len(locks) == len(state.locks):
        raise _missing("lock")
    return _with(
        state, locks=locks, pieces=_sorted([_unlocked(piece, number) for piece in state.pieces])
    )


def _unlocked(piece: Piece, number: int) -> Piece:
    carried = any(gear.lock == number for gear in piece.gear)
    if number not in (piece.locked, piece.own_lock) and not carried:
        return piece
    return changed(
        piece,
        locked=0 if piece.locked == number else piece.locked,
        own_lock=0 if piece.own_lock == number else piece.own_lock,
        gear=tuple(
            msgspec.structs.replace(gear, lock=0) if gear.lock == number else gear
            for gear in piece.gear
        ),
    )


def _spent_one(state: State, event: SpentOne) -> State:
    if not event.only:
        return _with(state, spent=_one_more(state.spent, event.what))

    def spend(side: int, secret: Secret) -> Secret:
        if side != event.side:
            return secret
        return msgspec.structs.replace(secret, spent=_one_more(secret.spent, event.what))

    return _with(state, secrets=_secrets(state, spend))


def _one_more(spent: Spent, what: str) -> Spent:
    return msgspec.structs.replace(spent, **{what: getattr(spent, what) + 1})


def _came(state: State, event: Came) -> State:
    reserves = list(state.reserves)
    for index, reserve in enumerate(reserves):
        if (reserve.side, reserve.square, reserve.kind) == (event.side, event.square, event.kind):
            del reserves[index]
            break
    else:
        raise _missing("reinforcement")
    waits = any((r.side, r.square) == (event.side, event.square) for r in reserves)

    def rearm(side: int, secret: Secret) -> Secret:
        if side != event.side:
            return secret
        armed = tuple(
            Arming(arming.square) if arming.square == event.square else arming
            for arming in secret.armed
            if waits or arming.square != event.square
        )
        return msgspec.structs.replace(secret, armed=armed)

    return _with(state, reserves=tuple(reserves), secrets=_secrets(state, rearm))


def _thwarted(state: State, event: Thwarted) -> State:
    return state


def _fell(state: State, event: Fell) -> State:
    return _with(state, fallen=tuple(sorted({*state.fallen, event.side})))


def _turn_ended(state: State, event: TurnEnded) -> State:
    def renew(side: int, secret: Secret) -> Secret:
        return Secret(
            spent=Spent(), armed=_armed(state, side, secret.armed), sighted=secret.sighted
        )

    return _with(
        state,
        turn=state.turn + 1,
        side=1 - state.side,
        pieces=_sorted([_rested(p, state.turn + 1) for p in state.pieces]),
        lying=tuple(sorted([_lain(one, state.turn + 1) for one in state.lying], key=lying_order)),
        spent=Spent(),
        fallen=(),
        secrets=_secrets(state, renew),
    )


def _rested(piece: Piece, turn: int) -> Piece:
    """The piece at the start of a Turn. Hits are cleared (WEC-51), and counts that are over are
    0 again, so that a piece shown later does not tell what it did unseen."""
    past = piece.acted or piece.fired or 0 < piece.stunned <= turn
    if not (past or piece.hits or piece.shown_till or piece.gear or any(piece.own_ready)):
        return piece
    return changed(
        piece,
        hits=(),
        acted=0,
        fired=0,
        stunned=piece.stunned if piece.stunned > turn else 0,
        shown_till=piece.shown_till if piece.shown_till >= turn - 1 else 0,
        own_ready=tuple(ready if ready > turn else 0 for ready in piece.own_ready),
        gear=tuple(_cooled(gear, turn) for gear in piece.gear),
    )


def _lain(lying: Lying, turn: int) -> Lying:
    return Lying(lying.square, _cooled(lying.gear, turn)) if lying.gear.ready else lying


def _cooled(gear: Gear, turn: int) -> Gear:
    """The article at the start of a Turn: a count that is over is 0 again."""
    return Gear(gear.kind, 0, gear.lock) if 0 < gear.ready <= turn else gear


def _armed(state: State, side: int, armed: tuple[Arming, ...]) -> tuple[Arming, ...]:
    """Squares armed at the end of a Turn: those armed before, and those where the side has a
    piece at Ground and a reinforcement waits (WEC-80)."""
    waiting = {reserve.square for reserve in state.reserves if reserve.side == side}
    held = {p.square for p in state.pieces if p.side == side and p.level == GROUND}
    known = {arming.square for arming in armed}
    fresh = [Arming(square) for square in (waiting & held) - known]
    return tuple(sorted([*armed, *fresh], key=lambda arming: arming.square))


def _won(state: State, event: Won) -> State:
    return _with(state, winner=event.side)


FOLDS: Final[Mapping[type[Event], Callable[[State, Any], State]]] = MappingProxyType(
    {
        Changed: _changed,
        Lapsed: _lapsed,
        Sighted: _sighted,
        Article: _article,
        Flew: _flew,
        LockMade: _lock_made,
        LockEnded: _lock_ended,
        SpentOne: _spent_one,
        Came: _came,
        Thwarted: _thwarted,
        Fell: _fell,
        TurnEnded: _turn_ended,
        Won: _won,
    }
)
