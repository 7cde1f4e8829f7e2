"""What hits do: pieces lost, stunned and converted, and their articles scattered.

The generators here are parts of a resolution, used with `yield from`; each returns the new
state last. They work on public pieces: whoever is hit or met has been shown before (WEC-97).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import MappingProxyType
from typing import Final

import msgspec

from cloakboard.engine.wec.board import changed, lying_at, may_share, standing
from cloakboard.engine.wec.detection import holds_up, stands_alone
from cloakboard.engine.wec.events import Article, Changed, Fell, Flew
from cloakboard.engine.wec.headings import offset, towards
from cloakboard.engine.wec.kit import count
from cloakboard.engine.wec.options import agreed
from cloakboard.engine.wec.pieces import DEFENCE, PRIMARIES
from cloakboard.engine.wec.probes import Aboard, Room
from cloakboard.engine.wec.sight import Part, audience, end_lock, met, reveal, stated
from cloakboard.engine.wec.state import GROUND, LOST, Gear, Piece, Projectile, State

# What a hit that goes through does, by weapon kind; the words are causes of `Changed`.
DESTROYS: Final = MappingProxyType({"FL": "burnt", "RL": "rocket", "SL": "sam", "TL": "torpedo"})


def replace(state: State, before: Piece | None, after: Piece | None, cause: str) -> Part:
    """A piece becomes another record of itself, known to whom it may be."""
    state = yield Changed(only=audience(before, after), cause=cause, before=before, after=after)
    return state


def public_piece(state: State, handle: int) -> Piece:
    """The public piece of that handle, which must be there."""
    return next(piece for piece in state.pieces if piece.handle == handle)


def strike(state: State, pieces: Iterable[Piece], weapon: str, strength: int) -> Part:
    """Public pieces are hit together, `strength` times each, by one kind of weapon: FL, RL,
    SL, TL or ST (WEC-51). Conversion has cases of its own: `convert`."""
    lost: list[Piece] = []
    stunned: list[tuple[Piece, Piece]] = []
    for piece in together(pieces):
        after = counted(piece, weapon, strength)
        if not goes_through(after, weapon):
            state = yield from replace(state, piece, after, "hit")
        elif weapon == "ST":
            stunned.append((piece, after))
        else:
            lost.append(piece)
    if stunned:
        state = yield from _stun(state, stunned)
    if lost:
        state = yield from lose(state, lost, DESTROYS[weapon])
    return state


def counted(piece: Piece, weapon: str, strength: int) -> Piece:
    """The piece with the hits of this Turn added up."""
    hits = dict(piece.hits)
    hits[weapon] = hits.get(weapon, 0) + strength
    return changed(piece, hits=tuple(sorted(hits.items())))


def goes_through(piece: Piece, weapon: str) -> bool:
    """Whether the hits counted exceed the piece's defences of this moment (WEC-51)."""
    return dict(piece.hits)[weapon] > count(piece, DEFENCE[weapon])


def together(pieces: Iterable[Piece]) -> tuple[Piece, ...]:
    """Public pieces lost or stunned together, in the order in which they scatter: by handle, a
    passenger right after its carrier (WEC-62)."""
    struck = tuple(pieces)

    def place(piece: Piece) -> tuple[int, int]:
        if not stands_alone(piece):
            for other in struck:
                if (other.side, other.cell) == (piece.side, piece.cell) and holds_up(other):
                    return other.handle, piece.handle
        return piece.handle, 0

    return tuple(sorted(struck, key=place))


def lose(state: State, pieces: Iterable[Piece], cause: str) -> Part:
    """Public pieces are destroyed together. Whoever loses its carrier by it is destroyed too
    (WEC-47), locks and homing shots lose what they hold (WEC-60, WEC-91), the articles scatter
    (WEC-62), and a side that loses a primary is noted (WEC-14)."""
    lost = {piece.handle: piece for piece in pieces}
    causes = dict.fromkeys(lost, cause)
    for carrier in tuple(lost.values()):
        if not holds_up(carrier):
            continue
        mates = _public_mates(state, carrier)
        if len(mates) < 2:
            aboard = yield from stated(Aboard(owner=carrier.side, cells=(carrier.cell,)))
            state = yield from reveal(state, aboard)
            mates = _public_mates(state, carrier)
        for mate in mates:
            if mate.handle not in lost and not stands_alone(mate):
                lost[mate.handle] = mate
                causes[mate.handle] = "crushed"
    for piece in together(lost.values()):
        state = yield from _leave(state, piece.handle, causes[piece.handle])
    return state


def _public_mates(state: State, piece: Piece) -> list[Piece]:
    return [p for p in standing(state, piece.cell) if p.handle and p.side == piece.side]


def _leave(state: State, handle: int, cause: str) -> Part:
    """One public piece leaves the game."""
    state = yield from _unlock(state, public_piece(state, handle))
    piece = public_piece(state, handle)
    for number in piece.chased:
        shot = next(shot for shot in state.projectiles if shot.number == number)
        after = directed(shot, piece.square)
        state = yield Flew(square=shot.square, before=shot, after=after)
    piece = public_piece(state, handle)
    state = yield Changed(cause=cause, before=piece)
    state = yield from scatter(state, piece.side, piece.square, piece.gear)
    return (yield from _note_primary(state, piece))


def _unlock(state: State, piece: Piece) -> Part:
    """Every lock that the piece holds or that holds it ends (WEC-91)."""
    for number in (piece.locked, piece.own_lock, *(gear.lock for gear in piece.gear)):
        state = yield from end_lock(state, number)
    return state


def _note_primary(state: State, piece: Piece) -> Part:
    """Notes that a side lost a primary; once a Turn, for the side that owned it when it was
    first lost in it (WEC-14)."""
    first = (LOST, 1) not in piece.hits and piece.side not in state.fallen
    if piece.kind in PRIMARIES and first:
        state = yield Fell(side=piece.side)
    return state


def let_go(piece: Piece, after: Piece) -> Piece:
    """What the piece becomes: homing shots follow it no longer if it leaves its level, even if
    it comes back before they advance (WEC-60)."""
    return after if after.level == piece.level else changed(after, chased=())


def directed(shot: Projectile, target: int) -> Projectile:
    """A homing projectile after it lets go of a target last known in that square: it keeps the
    direction of its last step, else takes the one it would have taken (WEC-60). If it stands
    in that very square it goes forward."""
    heading = shot.heading
    if heading < 0:
        heading = towards(shot.square, target, shot.side) or 0
    return msgspec.structs.replace(
        shot, heading=heading, homing=False, target_side=-1, target_cell=-1
    )


def scatter(state: State, side: int, square: int, gear: Iterable[Gear]) -> Part:
    """Articles drop one by one from a piece of that side, each into the first square with room
    (WEC-07, WEC-62). Their counts of fire go with them (WEC-53)."""
    for article in gear:
        place = next(spot for spot in rings(square, side) if len(lying_at(state, spot)) < 2)
        dropped = msgspec.structs.replace(article, lock=0)
        state = yield Article(square=place, gear=dropped, came=True)
    return state


def rings(square: int, side: int) -> Iterator[int]:
    """The squares of the board in the order of WEC-62: the square itself, then rings of
    growing distance, each as `side` looks at it."""
    yield square
    for far in range(1, 10):
        sides = range(far - 1, -far, -1)
        ring = (
            *((far, right) for right in range(-far, far + 1)),
            *((forward, -far) for forward in sides),
            *((forward, far) for forward in sides),
            *((-far, right) for right in range(-far, far + 1)),
        )
        for forward, right in ring:
            spot = offset(square, forward, right, side)
            if spot is not None:
                yield spot


def _stun(state: State, struck: Iterable[tuple[Piece, Piece]]) -> Part:
    """Pieces are stunned together: they drop everything and cannot act for the stun time
    (WEC-56); those in flight come down (WEC-63). `struck`: each as it was, and with the hits
    counted."""
    free = state.turn + int(agreed(state.options)["stun_turns"]) + 1
    fallers: list[int] = []
    for piece, after in struck:
        if piece.flight is not None:
            fallers.append(piece.handle)
        for gear in piece.gear:
            state = yield from end_lock(state, gear.lock)
        before = public_piece(state, piece.handle)
        longer = max(piece.stunned, free)
        after = changed(before, gear=(), flight=None, stunned=longer, hits=after.hits)
        state = yield Changed(cause="stunned", before=before, after=after)
        state = yield from scatter(state, piece.side, piece.square, piece.gear)
    for handle in fallers:
        state = yield from _fall(state, public_piece(state, handle))
    return state


def _fall(state: State, piece: Piece) -> Part:
    """A stunned flyer comes down to Ground of its square, or is destroyed if an enemy is there
    or its own side leaves no room (WEC-63)."""
    landed = let_go(piece, changed(piece, cell=piece.square))
    ground = [other for other in standing(state, landed.cell) if other.handle]
    clear = may_share([*ground, landed])
    if clear:
        cell, state = yield from met(state, piece.side, (landed.cell,))
        clear = cell is None
    if clear:
        clear = (yield Room(owner=piece.side, cell=landed.cell, kind=piece.kind)) == 1
    if clear:
        return (yield from replace(state, piece, landed, "falls"))
    return (yield from lose(state, [piece], "crushed"))


def convert(state: State, pieces: Iterable[Piece], strength: int) -> Part:
    """Public enemies of the firer in one cell are hit by conversion (WEC-57, WEC-58). Of two,
    if one is immune and one of them carries the other, the passenger is destroyed."""
    turned: list[Piece] = []
    firm: list[Piece] = []
    for piece in together(pieces):
        after = counted(piece, "CS", strength)
        if goes_through(after, "CS"):
            turned.append(after)
        else:
            firm.append(after)
            state = yield from replace(state, piece, after, "hit")
    carried = (
        []
        if not (turned and firm)
        else [piece for piece in (*turned, *firm) if not stands_alone(piece)]
    )
    for piece in turned:
        if piece not in carried:
            state = yield from _turn(state, piece)
    lost = [public_piece(state, piece.handle) for piece in carried]
    if lost:
        state = yield from lose(state, lost, "converted")
    return state


def _turn(state: State, hit: Piece) -> Part:
    """A public piece changes sides. It keeps its articles, counts and stun; locks end, shots
    go on following it, and a flyer flies on in its new owner's Turns (WEC-57, WEC-71)."""
    state = yield from _unlock(state, public_piece(state, hit.handle))
    before = public_piece(state, hit.handle)
    side = 1 - before.side
    for number in before.chased:
        shot = next(shot for shot in state.projectiles if shot.number == number)
        after = msgspec.structs.replace(shot, target_side=side)
        state = yield Flew(square=shot.square, before=shot, after=after)
    flight = before.flight
    if flight is not None:
        flight = msgspec.structs.replace(flight, flown=state.turn)
    hits = hit.hits
    if before.kind in PRIMARIES:
        hits = tuple(sorted({*hits, (LOST, 1)}))
    turned = changed(before, side=side, hits=hits, flight=flight)
    state = yield Changed(cause="converted", before=before, after=turned)
    return (yield from _note_primary(state, before))


assert GROUND == 0, "a cell at Ground is its square"
