"""Jump packs and scubas: taking off, and flying on at the start of each own Turn (WEC-71 to
WEC-73)."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from types import MappingProxyType
from typing import Any, Final

from msgspec.structs import replace

from cloakboard.engine.errors import IllegalAction
from cloakboard.engine.events import Event
from cloakboard.engine.probes import Probe
from cloakboard.engine.wec.actions import Fly, Ref, TakeOff
from cloakboard.engine.wec.board import Board, changed, refs, standing
from cloakboard.engine.wec.detection import holds_up
from cloakboard.engine.wec.headings import step, towards
from cloakboard.engine.wec.options import agreed
from cloakboard.engine.wec.pieces import PRIMARIES
from cloakboard.engine.wec.probes import Room, answer
from cloakboard.engine.wec.rules.acting import (
    Resolving,
    arrive,
    check_actor,
    check_landed,
    check_left,
    knows,
    left,
    may_act,
    meet,
    named,
    spend,
)
from cloakboard.engine.wec.rules.moving import usable, used_once
from cloakboard.engine.wec.state import AIR, GROUND, SQUARES, SUB, Flight, Piece, State

LEVEL: Final = MappingProxyType({"JP": AIR, "SC": SUB})
KEPT_DOWN: Final = MappingProxyType({"JP": "king_may_fly", "SC": "king_may_submerge"})


def take_offs(state: State, seat: int) -> Iterator[TakeOff]:
    """Every legal take-off, for each target square."""
    if not left(state, seat, "fires"):
        return
    board = Board(state, seat)
    for ref, piece in refs(state, seat):
        if not piece.gear or piece.flight is not None or not may_act(state, piece):
            continue
        for pack in LEVEL:
            if usable(state, piece, pack) is None or _fault(state, board, piece, pack):
                continue
            for target in range(SQUARES):
                if target != piece.square:
                    yield TakeOff(ref, pack, target)


def _fault(state: State, board: Board, piece: Piece, pack: str) -> tuple[str, str] | None:
    """Why the piece cannot take off where it is: a rule and its words."""
    values = agreed(state.options)
    if piece.level != GROUND:
        if values["transport_from"] == "ground":
            return "WEC-73", "A jump pack or scuba is fired at Ground; come down first."
        carried = any(holds_up(other) for other in board.ours(piece.cell) if other is not piece)
        if not carried and knows(state, piece.side):
            return "WEC-73", "Only a carried piece fires a jump pack or scuba off the Ground."
    if piece.kind in PRIMARIES and not values[KEPT_DOWN[pack]]:
        return "WEC-55a", "In this match that primary piece may not leave the Ground this way."
    cell = LEVEL[pack] * SQUARES + piece.square
    if cell != piece.cell and board.barred(piece.kind) >> cell & 1:
        return "WEC-72", "Own pieces bar its way up or down; move them or it first."
    return None


def check_take_off(state: State, seat: int, action: TakeOff) -> None:
    """WEC-71 to WEC-73."""
    check_left(state, seat, "fires")
    piece = check_actor(state, seat, action.piece)
    check_landed(piece)
    if action.pack not in LEVEL or usable(state, piece, action.pack) is None:
        raise IllegalAction("WEC-71", "It has no such pack that can be used in this Turn.")
    if action.target not in range(SQUARES) or action.target == piece.square:
        raise IllegalAction("WEC-71", "Choose a target square other than its own.")
    fault = _fault(state, Board(state, seat), piece, action.pack)
    if fault is not None:
        raise IllegalAction(*fault)


def resolve_take_off(state: State, seat: int, action: TakeOff) -> Resolving:
    """Lifts the piece to Air, or drops it to Sub, in its own square."""
    piece = named(state, seat, action.piece)
    veiled = piece.handle == 0
    number = flight_number(state, seat, veiled)
    place = usable(state, piece, action.pack)
    cell = LEVEL[action.pack] * SQUARES + piece.square
    state = yield from spend(state, seat, "fires", veiled)
    if cell != piece.cell:
        _, state = yield from meet(state, seat, veiled, (cell,))
    after = changed(
        piece,
        cell=cell,
        flight=Flight(action.pack, action.target, number, state.turn),
        gear=used_once(piece, place, state.turn),
        fired=state.turn,
        acted=state.turn,
    )
    return (yield from arrive(state, piece, after, "takes_off"))


def flight_number(state: State, seat: int, veiled: bool) -> int:
    """A number that rises with every take-off and that everyone who may know the flight works
    out alike: from the Turn, the public Fires before it and, if it is itself unseen, the unseen
    ones. At most two Fires are made in a Turn."""
    secret = state.secrets[seat]
    within = 2 if not veiled or secret is None else secret.spent.fires
    return 6 * state.turn + 3 * state.spent.fires + within


def owed(state: State, seat: int) -> Fly | None:
    """The advance that the seat owes next: flyers that have not advanced in this Turn, in the
    order in which they took off (WEC-17)."""
    if state.side != seat:
        return None
    waiting: list[tuple[int, Ref]] = [
        (piece.flight.number, ref)
        for ref, piece in refs(state, seat)
        if piece.flight is not None and piece.flight.flown < state.turn
    ]
    return Fly(min(waiting, key=lambda one: one[0])[1]) if waiting else None


def check_fly(state: State, seat: int, action: Fly) -> None:
    """An advance is made once, when it is owed."""
    piece = named(state, seat, action.piece)
    if piece.flight is None or piece.flight.flown >= state.turn:
        raise IllegalAction("WEC-71", "That piece does not fly on now; choose another action.")
    if knows(state, seat) and owed(state, seat) != action:
        raise IllegalAction("WEC-17", "Another flyer took off earlier and flies on first.")


def resolve_fly(state: State, seat: int, action: Fly) -> Resolving:
    """One king-step towards the target and, over it, down; or as far as it is let."""
    piece = named(state, seat, action.piece)
    assert piece.flight is not None
    veiled = piece.handle == 0
    way, state = yield from _open_way(state, piece)
    end = piece.cell
    if way:
        stop, state = yield from meet(state, seat, veiled, way)
        end = way[-1] if stop is None else stop
    landed = end < SQUARES
    flight = replace(piece.flight, flown=state.turn)
    after = changed(piece, cell=end, flight=None if landed else flight)
    return (yield from arrive(state, piece, after, "lands" if landed else "flies"))


def _way_on(piece: Piece, target: int) -> tuple[int, ...]:
    """The cells of one advance: the next one, and Ground under it if it is the target."""
    heading = towards(piece.square, target, piece.side)
    if heading is None:
        return (target,)
    ahead = step(piece.square, heading, piece.side)
    assert ahead is not None
    above = piece.level * SQUARES + ahead
    return (above, target) if ahead == target else (above,)


def _open_way(
    state: State, piece: Piece
) -> Generator[Probe | Event, Any, tuple[tuple[int, ...], State]]:
    """The cells of the advance up to where its own side or an opposed pair bars it, or a seen
    enemy is met (WEC-72). Whether own pieces bar a public flyer is its owner's to say, since
    they may be unseen."""
    assert piece.flight is not None
    way: list[int] = []
    for cell in _way_on(piece, piece.flight.target):
        here = [one for one in standing(state, cell) if one.handle]
        if len({one.side for one in here}) > 1:
            break
        probe = Room(owner=piece.side, cell=cell, kind=piece.kind)
        room = (yield probe) if piece.handle else answer(state, probe)
        if not room:
            break
        way.append(cell)
        if any(one.side != piece.side for one in here):
            break
    return tuple(way), state
