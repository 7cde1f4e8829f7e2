"""Articles from hand to hand and to the ground, and reinforcements (WEC-23, WEC-30 to WEC-33,
WEC-80, WEC-81)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cloakboard.engine.errors import IllegalAction
from cloakboard.engine.wec import losses, sight
from cloakboard.engine.wec.actions import Drop, Exchange, PickUp, Reinforce
from cloakboard.engine.wec.board import Board, changed, lying_at, refs
from cloakboard.engine.wec.events import Article, Came, Thwarted
from cloakboard.engine.wec.headings import distance
from cloakboard.engine.wec.options import agreed
from cloakboard.engine.wec.pieces import PRIMARIES, SECONDARIES, WEAPONS
from cloakboard.engine.wec.rules.acting import (
    Resolving,
    check_actor,
    check_left,
    knows,
    left,
    may_act,
    meet,
    named,
    spend,
)
from cloakboard.engine.wec.state import GROUND, Gear, Piece, Reserve, State

LYING_AT_MOST = 2  # WEC-06
NO_ROOM = "It would carry more than it can; drop something first or choose another piece."
NO_STEALTH = "In this match a primary piece may not take a Stealth; leave it."
FLIES_BY_IT = "It flies by that pack; it can let go of it once it has landed."


def capacity(kind: str, gear: Iterable[Gear]) -> int:
    """How many articles a piece carries at most when it has these (WEC-23)."""
    if any(article.kind == "XXX" for article in gear):
        return 3
    return 2 if kind == "XP" else 1


def _fits(piece: Piece, gear: tuple[Gear, ...]) -> bool:
    return len(gear) <= capacity(piece.kind, gear)


def _may_have(state: State, piece: Piece, article: str) -> bool:
    """WEC-33."""
    return (
        article != "SH"
        or piece.kind not in PRIMARIES
        or bool(agreed(state.options)["king_may_stealth"])
    )


def _flies_by(piece: Piece, place: int) -> bool:
    """Whether the article is the last pack of the kind the piece flies by (WEC-71)."""
    flight, gear = piece.flight, piece.gear
    if flight is None or gear[place].kind != flight.pack:
        return False
    return sum(article.kind == flight.pack for article in gear) == 1


def pick_ups(state: State, seat: int) -> Iterator[PickUp]:
    """Every legal pick-up (WEC-30)."""
    if not left(state, seat, "pickup"):
        return
    for ref, piece in refs(state, seat):
        if piece.level != GROUND or not may_act(state, piece):
            continue
        if len(piece.gear) >= capacity(piece.kind, piece.gear):
            continue
        here = [lying.gear for lying in lying_at(state, piece.square)]
        for gear in dict.fromkeys(here):
            if _may_have(state, piece, gear.kind):
                yield PickUp(ref, gear.kind, gear.ready)


def check_pick_up(state: State, seat: int, action: PickUp) -> None:
    """WEC-30, WEC-33."""
    check_left(state, seat, "pickup")
    piece = check_actor(state, seat, action.piece)
    if piece.level != GROUND:
        raise IllegalAction("WEC-30", "Articles are picked up at Ground; come down first.")
    if _lying_gear(state, piece, action) is None:
        raise IllegalAction("WEC-30", "No such article lies there; go to its square first.")
    if len(piece.gear) >= capacity(piece.kind, piece.gear):
        raise IllegalAction("WEC-23", "Its hands are full; drop or hand over something first.")
    if not _may_have(state, piece, action.article):
        raise IllegalAction("WEC-33", NO_STEALTH)


def _lying_gear(state: State, piece: Piece, action: PickUp) -> Gear | None:
    for lying in lying_at(state, piece.square):
        if (lying.gear.kind, lying.gear.ready) == (action.article, action.ready):
            return lying.gear
    return None


def resolve_pick_up(state: State, seat: int, action: PickUp) -> Resolving:
    """The article goes to the piece; an Anti-stealth locks on (WEC-91)."""
    piece = named(state, seat, action.piece)
    veiled = piece.handle == 0
    gear = _lying_gear(state, piece, action)
    assert gear is not None
    state = yield from spend(state, seat, "pickup", veiled)
    state = yield Article(square=piece.square, gear=gear, came=False)
    after = changed(piece, gear=(*piece.gear, gear), acted=state.turn)
    state = yield from losses.replace(state, piece, after, "picks_up")
    if gear.kind == "ASH":
        state = yield from sight.pick_lock(state, after)
    return state


def drops(state: State, seat: int) -> Iterator[Drop]:
    """Every legal drop (WEC-31)."""
    if not left(state, seat, "drop"):
        return
    for ref, piece in refs(state, seat):
        if may_act(state, piece):
            for place in range(len(piece.gear)):
                if _drop_fault(state, piece, place) is None:
                    yield Drop(ref, place)


def _drop_fault(state: State, piece: Piece, place: int) -> tuple[str, str] | None:
    if len(lying_at(state, piece.square)) >= LYING_AT_MOST:
        return "WEC-31", "Two articles already lie in that square; drop it in another one."
    if not _fits(piece, _without(piece.gear, place)):
        return "WEC-23", "Without it the piece would carry too much; drop another one first."
    if _flies_by(piece, place):
        return "WEC-71", FLIES_BY_IT
    return None


def check_drop(state: State, seat: int, action: Drop) -> None:
    """WEC-31."""
    check_left(state, seat, "drop")
    piece = check_actor(state, seat, action.piece)
    if action.place not in range(len(piece.gear)):
        raise IllegalAction("WEC-31", "It carries no such article; choose one that it carries.")
    fault = _drop_fault(state, piece, action.place)
    if fault is not None:
        raise IllegalAction(*fault)


def resolve_drop(state: State, seat: int, action: Drop) -> Resolving:
    """The article falls to Ground of the square; a lock it held ends (WEC-91)."""
    piece = named(state, seat, action.piece)
    veiled = piece.handle == 0
    gear = piece.gear[action.place]
    state = yield from spend(state, seat, "drop", veiled)
    after = changed(piece, gear=_without(piece.gear, action.place), acted=state.turn)
    state = yield from losses.replace(state, piece, after, "drops")
    state = yield Article(square=piece.square, gear=Gear(gear.kind, gear.ready), came=True)
    return (yield from sight.end_lock(state, gear.lock))


def _without(gear: tuple[Gear, ...], place: int) -> tuple[Gear, ...]:
    return (*gear[:place], *gear[place + 1 :])


def exchanges(state: State, seat: int) -> Iterator[Exchange]:
    """Every legal exchange (WEC-32): gifts, and swaps named from the piece that comes first."""
    if not left(state, seat, "exchange"):
        return
    able = [(ref, piece) for ref, piece in refs(state, seat) if may_act(state, piece)]
    order = {ref: place for place, (ref, _) in enumerate(able)}
    for giver_ref, giver in able:
        if not giver.gear:
            continue
        for receiver_ref, receiver in able:
            if receiver_ref == giver_ref or not _near(giver, receiver):
                continue
            swaps = order[giver_ref] < order[receiver_ref]
            for give in range(len(giver.gear)):
                for take in range(-1, len(receiver.gear) if swaps else 0):
                    if _exchange_fault(state, giver, receiver, give, take) is None:
                        yield Exchange(giver_ref, receiver_ref, give, take)


def _near(one: Piece, other: Piece) -> bool:
    """WEC-32: the same square or the next, at the same level; a secondary piece reaches all."""
    if one.kind in SECONDARIES or other.kind in SECONDARIES:
        return True
    return one.level == other.level and distance(one.square, other.square) <= 1


def _swapped(
    giver: Piece, receiver: Piece, give: int, take: int
) -> tuple[tuple[Gear, ...], tuple[Gear, ...]]:
    """What both have afterwards; what comes is the newest."""
    given, returned = giver.gear[give], receiver.gear[take : take + 1] if take >= 0 else ()
    kept = _without(receiver.gear, take) if take >= 0 else receiver.gear
    return (*_without(giver.gear, give), *returned), (*kept, given)


def _exchange_fault(
    state: State, giver: Piece, receiver: Piece, give: int, take: int
) -> tuple[str, str] | None:
    gave, got = _swapped(giver, receiver, give, take)
    if not (_fits(giver, gave) and _fits(receiver, got)):
        return "WEC-23", NO_ROOM
    if not _may_have(state, receiver, giver.gear[give].kind):
        return "WEC-33", NO_STEALTH
    if take >= 0 and not _may_have(state, giver, receiver.gear[take].kind):
        return "WEC-33", NO_STEALTH
    if _flies_by(giver, give) or (take >= 0 and _flies_by(receiver, take)):
        return "WEC-71", FLIES_BY_IT
    return None


def check_exchange(state: State, seat: int, action: Exchange) -> None:
    """WEC-32, WEC-33."""
    check_left(state, seat, "exchange")
    giver = check_actor(state, seat, action.giver)
    receiver = check_actor(state, seat, action.receiver)
    if action.giver == action.receiver:
        raise IllegalAction("WEC-32", "Choose two different pieces.")
    if not _near(giver, receiver):
        raise IllegalAction(
            "WEC-32", "They must stand in the same square or next to each other, at one level."
        )
    if action.give not in range(len(giver.gear)) or action.take not in range(
        -1, len(receiver.gear)
    ):
        raise IllegalAction("WEC-32", "There is no such article; choose one that is carried.")
    fault = _exchange_fault(state, giver, receiver, action.give, action.take)
    if fault is not None:
        raise IllegalAction(*fault)


def resolve_exchange(state: State, seat: int, action: Exchange) -> Resolving:
    """The articles change hands, with the locks they hold (WEC-91)."""
    giver = named(state, seat, action.giver)
    receiver = named(state, seat, action.receiver)
    veiled = not (giver.handle and receiver.handle)
    gave, got = _swapped(giver, receiver, action.give, action.take)
    state = yield from spend(state, seat, "exchange", veiled)
    turn = state.turn
    state = yield from losses.replace(state, giver, changed(giver, gear=gave, acted=turn), "gives")
    return (
        yield from losses.replace(
            state, receiver, changed(receiver, gear=got, acted=turn), "receives"
        )
    )


def split_exchange(
    state: State, seat: int, action: Exchange
) -> tuple[Exchange | None, Exchange | None]:
    """Veiled if either piece is unseen."""
    both_public = action.giver.handle and action.receiver.handle
    return (action, None) if both_public else (None, action)


def reinforces(state: State, seat: int) -> Iterator[Reinforce]:
    """Every reinforcement that may be called now (WEC-80), as its owner sees it."""
    secret = state.secrets[seat]
    if secret is None or not left(state, seat, "reinforce"):
        return
    board = Board(state, seat)
    for arming in secret.armed:
        if not arming.left or arming.square in board.at:
            continue
        kinds = [
            reserve.kind
            for reserve in state.reserves
            if (reserve.side, reserve.square) == (seat, arming.square)
        ]
        for kind in dict.fromkeys(kinds):
            yield Reinforce(arming.square, kind)


def _reserve(state: State, seat: int, action: Reinforce) -> Reserve | None:
    for reserve in state.reserves:
        if (reserve.side, reserve.square, reserve.kind) == (seat, action.square, action.kind):
            return reserve
    return None


def check_reinforce(state: State, seat: int, action: Reinforce) -> None:
    """WEC-80. Whether the square is armed is its owner's secret."""
    check_left(state, seat, "reinforce")
    if _reserve(state, seat, action) is None:
        raise IllegalAction("WEC-80", "No such reinforcement waits there; choose another square.")
    if action.square in Board(state, seat).at:
        raise IllegalAction("WEC-80", "Its square is not empty at Ground; clear it first.")
    if knows(state, seat) and action not in reinforces(state, seat):
        raise IllegalAction(
            "WEC-80", "End a Turn with a piece there, move it away, then call for it."
        )


def resolve_reinforce(state: State, seat: int, action: Reinforce) -> Resolving:
    """The piece appears, unless an unseen enemy holds the square (WEC-80)."""
    reserve = _reserve(state, seat, action)
    assert reserve is not None
    state = yield from spend(state, seat, "reinforce", veiled=False)
    stop, state = yield from meet(state, seat, False, (action.square,))
    if stop is not None:
        state = yield Thwarted(side=seat, what="reinforce", square=action.square)
        return state
    state = yield Came(side=seat, square=action.square, kind=action.kind)
    piece = Piece(
        side=seat,
        kind=reserve.kind,
        cell=reserve.square,
        hand=reserve.hand,
        handle=state.next_handle,
        own_ready=(0,) * len(WEAPONS.get(reserve.kind, ())),
    )
    return (yield from losses.replace(state, None, piece, "reinforces"))
