"""What a seat may know of a state, how a state is read, and which events a veiled action of
another seat can show at all (`admits`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

import msgspec

from cloakboard.engine.errors import IllegalAction
from cloakboard.engine.events import Event
from cloakboard.engine.game import Result
from cloakboard.engine.wec.board import changed, lying_at
from cloakboard.engine.wec.detection import CELLS
from cloakboard.engine.wec.events import (
    Article,
    Changed,
    Fell,
    Flew,
    LockEnded,
    LockMade,
    SpentOne,
)
from cloakboard.engine.wec.headings import HEADINGS, distance
from cloakboard.engine.wec.kit import has, is_sound
from cloakboard.engine.wec.losses import directed
from cloakboard.engine.wec.pieces import ARTICLES, PROJECTILE
from cloakboard.engine.wec.state import GROUND, SIDES, SQUARES, Piece, Projectile, State


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


def admits(state: State, seat: int, event: Event) -> None:
    """Raises `IllegalAction` if no veiled action of `seat` could show this public event.

    `state` holds what was public before the event. The conditions are necessary ones only: a
    piece never seen before may be any piece, so what it did is judged by the audit.
    """
    judge = JUDGES.get(type(event))
    if event.only or judge is None or not judge(state, seat, event):
        raise IllegalAction("WEC-97", "no unseen action could have shown this")


# What each cause may change on a public piece, and of whom (None: of either side).
Fields = frozenset[str]
ENDS: Final[Mapping[str, bool]] = MappingProxyType(
    {"taken": True, "burnt": False, "rocket": False, "crushed": False, "converted": True}
)  # causes that may end a public piece; whether only an enemy's
TOUCHES: Final[Mapping[str, Fields]] = MappingProxyType(
    {
        "hit": frozenset({"hits"}),
        "stunned": frozenset({"gear", "flight", "stunned", "hits"}),
        "converted": frozenset({"side", "flight", "hits"}),
        "falls": frozenset({"cell", "chased"}),
        "dozed": frozenset({"cell", "unmoved"}),
        "carried": frozenset({"cell", "unmoved", "flight", "chased"}),
        "gives": frozenset({"gear", "acted"}),
        "receives": frozenset({"gear", "acted"}),
    }
)
OWN_ONLY: Final = frozenset({"carried", "gives", "receives"})
FIRING: Final = frozenset({"handle", "gear", "own_ready", "fired", "acted", "shown_till"})


def _admits_changed(state: State, seat: int, event: Changed) -> bool:
    before, after = event.before, event.after
    if before is None:
        return False
    if not before.handle:
        return after is not None and _admits_shown(state, seat, event.cause, before, after)
    if before not in state.pieces:
        return False
    if after is None:
        return event.cause in ENDS and (not ENDS[event.cause] or before.side != seat)
    if not _differ(before, after) <= TOUCHES.get(event.cause, frozenset()):
        return False
    match event.cause:
        case "converted":
            return before.side != seat and after.side == seat
        case "stunned":
            return after.gear == () and after.flight is None and after.stunned > state.turn
        case "falls":
            return before.level != GROUND and after.cell == before.square
        case "dozed":
            at_ground = before.level == GROUND and after.cell in range(SQUARES)
            return at_ground and distance(before.square, after.square) == 1
        case _:
            on_board = after.cell in range(CELLS)
            return on_board and (before.side == seat or event.cause not in OWN_ONLY)


def _admits_shown(state: State, seat: int, cause: str, before: Piece, after: Piece) -> bool:
    """An unseen piece becomes public with the next handle."""
    if after.handle != state.next_handle or not is_sound(before) or not is_sound(after):
        return False
    if (
        before.side != seat
        and state.secrets[before.side] is not None
        and before not in state.pieces
    ):
        return False
    if cause == "fires":
        same_gear = [gear.kind for gear in before.gear] == [gear.kind for gear in after.gear]
        fired = after.fired == state.turn
        return before.side == seat and same_gear and fired and _differ(before, after) <= FIRING
    if cause == "locked" and (before.side == seat or not has(before, "SH")):
        return False
    return cause in ("shown", "locked") and after == changed(before, handle=after.handle)


def _differ(before: Piece, after: Piece) -> Fields:
    return frozenset(
        name for name in Piece.__struct_fields__ if getattr(before, name) != getattr(after, name)
    )


def _admits_article(state: State, seat: int, event: Article) -> bool:
    here = [lying.gear for lying in lying_at(state, event.square)]
    if not event.came:
        return event.gear in here
    known = event.gear.kind in ARTICLES and event.gear.lock == 0
    return known and event.square in range(SQUARES) and len(here) < 2


def _admits_flew(state: State, seat: int, event: Flew) -> bool:
    before, after = event.before, event.after
    if after is None or event.square != after.square:
        return False
    if before is not None:
        target = msgspec.structs.replace(before, target_side=1 - before.target_side)
        let_go = directed(before, before.target_cell % SQUARES)
        same_but_heading = msgspec.structs.replace(let_go, heading=after.heading)
        free = before.heading < 0 and after.heading in HEADINGS
        followed = before in state.projectiles and before.homing
        return followed and (after in (target, let_go) or (free and after == same_but_heading))
    return (
        after.number == state.next_shot
        and after.side == seat
        and after.kind in PROJECTILE.values()
        and after.square in range(SQUARES)
        and (_admits_homing(seat, after) if after.homing else after.heading in HEADINGS)
    )


def _admits_homing(seat: int, shot: Projectile) -> bool:
    target = shot.target_side == 1 - seat and shot.target_cell in range(CELLS)
    return target and shot.heading == -1 and shot.kind != PROJECTILE["RL"]


def _admits_lock_made(state: State, seat: int, event: LockMade) -> bool:
    fresh = event.number == state.next_lock and event.side == seat and event.holder == 0
    return fresh and any(
        piece.handle == event.target and piece.side != seat for piece in state.pieces
    )


def _admits_lock_ended(state: State, seat: int, event: LockEnded) -> bool:
    return any(lock.number == event.number for lock in state.locks)


def _admits_spent(state: State, seat: int, event: SpentOne) -> bool:
    return (event.side, event.what) == (seat, "fires") and state.spent.fires < 2


def _admits_fell(state: State, seat: int, event: Fell) -> bool:
    return event.side in SIDES and event.side not in state.fallen


JUDGES: Final[Mapping[type[Event], Callable[[State, int, Any], bool]]] = MappingProxyType(
    {
        Changed: _admits_changed,
        Article: _admits_article,
        Flew: _admits_flew,
        LockMade: _admits_lock_made,
        LockEnded: _admits_lock_ended,
        SpentOne: _admits_spent,
        Fell: _admits_fell,
    }
)
