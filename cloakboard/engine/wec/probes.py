"""Questions about what is hidden in WEC, and how a state that knows answers them.

What travels in an answer is whole records of unseen pieces (VEIL 5: descriptions), in the
order of `piece_order`, or one integer. A probe's secret fields stand at their defaults on
machines that do not know them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, ClassVar, Final

import msgspec

from cloakboard.engine.errors import IllegalAction
from cloakboard.engine.probes import Form, Lookup, Probe
from cloakboard.engine.wec.board import changed, may_share
from cloakboard.engine.wec.detection import (
    STEALTH,
    SUBMERSION,
    hidden_by,
    is_seen,
    searched,
    sight_key,
    stands_alone,
    zone_keys,
)
from cloakboard.engine.wec.headings import towards
from cloakboard.engine.wec.kit import has
from cloakboard.engine.wec.options import agreed
from cloakboard.engine.wec.pieces import PROJECTILE
from cloakboard.engine.wec.state import AIR, GROUND, SQUARES, SUB, Piece, State

LETS_GO: Final = -1  # a course: the target has left the level or the game
HERE: Final = 8  # a course: the target is in the projectile's square
FLIES_AT: Final = MappingProxyType({"R": GROUND, "S": AIR, "T": SUB})  # WEC-59
assert set(FLIES_AT) == set(PROJECTILE.values())

PATH_POINTS: Final = 10  # cells of the longest question of a veiled action (WEC-48: nine)


class Shown(msgspec.Struct, frozen=True):
    """The unseen pieces that an owner names, in the order of `piece_order`; often none."""

    pieces: tuple[Piece, ...] = ()


class Met(Probe, frozen=True, tag=True, kw_only=True):
    """The owner's unseen pieces in the first of the cells that holds any (WEC-49)."""

    form: ClassVar[Form] = Form.SHOW
    cells: tuple[int, ...]


class Standing(Probe, frozen=True, tag=True, kw_only=True):
    """The owner's unseen pieces in all of the cells: what a shot or a projectile hits."""

    form: ClassVar[Form] = Form.TELL
    cells: tuple[int, ...]


class Aboard(Probe, frozen=True, tag=True, kw_only=True):
    """The owner's unseen pieces in the cells that cannot stay there by themselves (WEC-47)."""

    form: ClassVar[Form] = Form.TELL
    cells: tuple[int, ...]


class Room(Probe, frozen=True, tag=True, kw_only=True):
    """1 if a piece of the owner's of this kind may stand in the cell beside the owner's own,
    else 0 (WEC-63)."""

    form: ClassVar[Form] = Form.TELL
    cell: int
    kind: str


class Course(Probe, frozen=True, tag=True, kw_only=True):
    """Where a homing projectile that follows an unseen piece of the owner's goes next: a
    heading as the projectile's owner sits, `HERE` or `LETS_GO` (WEC-60)."""

    form: ClassVar[Form] = Form.TELL
    number: int


class Detected(Probe, frozen=True, tag=True, kw_only=True):
    """The owner's unseen pieces that the enemy sees at the end of a Turn (WEC-97). `beyond`:
    enemy pieces that count as public detectors besides the public ones."""

    form: ClassVar[Form] = Form.TELL
    beyond: tuple[Piece, ...] = ()


class Lot(Probe, frozen=True, tag=True, kw_only=True):
    """Which candidate a lock-on takes (WEC-91)."""

    form: ClassVar[Form] = Form.DRAW


class Candidate(Probe, frozen=True, tag=True, kw_only=True):
    """The owner's piece that a lock-on takes: of the n candidates number `lot` mod n, from 0;
    none if there is none (WEC-91)."""

    form: ClassVar[Form] = Form.SHOW
    lot: int


class FirstOwn(Probe, frozen=True, tag=True, kw_only=True):
    """At which place along the cells, counted from 1, the owner's own first unseen piece
    stands; 0 if none does."""

    form: ClassVar[Form] = Form.OWN
    cells: tuple[int, ...]


class InLine(Probe, frozen=True, tag=True, kw_only=True):
    """The owner's first unseen piece along the cells of a stun shot, no farther than the
    asker's key says. Key: how far the asker sees the shot go. Label: at which place, counted
    from 1, that piece stands (WEC-56)."""

    form: ClassVar[Form] = Form.LIMIT
    lookup: ClassVar[str] = "limit"
    cells: tuple[int, ...]


class Reached(Probe, frozen=True, tag=True, kw_only=True):
    """At which place of the shot's line the first occupied square is, as its owner says;
    0: nowhere (WEC-56)."""

    form: ClassVar[Form] = Form.CLAIM
    value: int | None = None


class Path(Probe, frozen=True, tag=True, kw_only=True):
    """Which cells of a veiled action's way hold unseen pieces of the owner's. Key: cell."""

    form: ClassVar[Form] = Form.OCCUPIED
    lookup: ClassVar[str] = "path"
    cells: tuple[int, ...] = ()


class Sight(Probe, frozen=True, tag=True, kw_only=True):
    """What the asker's detectors see at the end of a Turn. Key: `sight_key`; label: the
    owner's unseen pieces there."""

    form: ClassVar[Form] = Form.SIGHT
    lookup: ClassVar[str] = "sight"


AnyProbe = (
    Met
    | Standing
    | Aboard
    | Room
    | Course
    | Detected
    | Lot
    | Candidate
    | FirstOwn
    | InLine
    | Reached
    | Path
    | Sight
)
Label = int | tuple[Piece, ...] | None
Answer = int | Shown | tuple[tuple[int, Label], ...] | None

DESCRIPTIONS_BYTES: Final = 320  # two pieces, three articles each, Turns up to 2**32
CELLS: Final = MappingProxyType({SUBMERSION: SQUARES, STEALTH: 3 * SQUARES})


def lookups(start: State) -> Mapping[str, Lookup]:
    """Sizes of the blind lookups of a match that starts so."""
    options = agreed(start.options)
    rows = {hiding: _cells_at_most(start, hiding) for hiding in (SUBMERSION, STEALTH)}
    both = min(sum(rows.values()), CELLS[STEALTH])
    sizes = {
        "path": Lookup(PATH_POINTS, both, 1, CELLS[STEALTH]),
        "limit": Lookup(1, options["stun_range"] + 1, 1, options["stun_range"] + 1),
    }
    kinds = searched(options)
    if kinds:
        sizes["sight"] = Lookup(
            sum(CELLS[hiding] for hiding in kinds),
            rows[SUBMERSION] * (SUBMERSION in kinds) + both * (STEALTH in kinds),
            DESCRIPTIONS_BYTES,
            2 * CELLS[STEALTH],
        )
    return MappingProxyType(sizes)


def _cells_at_most(start: State, hiding: str) -> int:
    """In how many cells unseen pieces of one side can ever stand, all of the enemy's converted:
    at Sub the subs, whose passengers share their cells, and whoever flies by a scuba; stealthed
    the AAA and Stealth Pawns, and whoever carries a Stealth."""
    kinds, article = (("SU",), "SC") if hiding == SUBMERSION else (("AAA", "SHP"), "SH")
    everyone = [p.kind for p in start.pieces] + [one.kind for one in start.reserves]
    gear = [one.gear for one in start.lying] + [one for p in start.pieces for one in p.gear]
    hidden = sum(kind in kinds for kind in everyone) + sum(one.kind == article for one in gear)
    return min(hidden, len(everyone), CELLS[hiding])


def unseen(state: State, seat: int) -> tuple[Piece, ...]:
    """The seat's pieces that are not public, as far as the state knows them."""
    return tuple(piece for piece in state.pieces if piece.side == seat and not piece.handle)


def answer(state: State, probe: Probe) -> Answer:
    """The answer to a SHOW, TELL or OWN probe, from a state that holds its owner's secrets."""
    return ANSWERS[type(probe)](state, probe)


def _met(state: State, probe: Met) -> Answer:
    for cell in probe.cells:
        here = _in(state, probe.owner, (cell,))
        if here:
            return Shown(here)
    return Shown()


def _standing(state: State, probe: Standing) -> Answer:
    return Shown(_in(state, probe.owner, probe.cells))


def _aboard(state: State, probe: Aboard) -> Answer:
    here = _in(state, probe.owner, probe.cells)
    return Shown(tuple(piece for piece in here if not stands_alone(piece)))


def _room(state: State, probe: Room) -> Answer:
    own = [p for p in state.pieces if p.side == probe.owner and p.cell == probe.cell]
    return int(may_share([*own, Piece(probe.owner, probe.kind, probe.cell)]))


def _course(state: State, probe: Course) -> Answer:
    shot = next((p for p in state.projectiles if p.number == probe.number), None)
    target = next((p for p in state.pieces if probe.number in p.chased), None)
    if shot is None or target is None or target.level != FLIES_AT[shot.kind]:
        return LETS_GO
    heading = towards(shot.square, target.square, shot.side)
    return HERE if heading is None else heading


def _detected(state: State, probe: Detected) -> Answer:
    options = agreed(state.options)
    watchers = watching(state, 1 - probe.owner, probe.beyond)
    mine = unseen(state, probe.owner)
    return Shown(tuple(p for p in mine if is_seen(options, p, watchers, state.turn - 1)))


def watching(state: State, seat: int, beyond: Iterable[Piece]) -> tuple[Piece, ...]:
    """The seat's pieces that count as public detectors: the public ones and `beyond`."""
    return (*(p for p in state.pieces if p.side == seat and p.handle), *beyond)


def _candidate(state: State, probe: Candidate) -> Answer:
    submersion = agreed(state.options)["dominance"] == SUBMERSION
    candidates = [
        piece
        for piece in unseen(state, probe.owner)
        if has(piece, "SH") and not piece.locked and not (submersion and piece.level == SUB)
    ]
    return Shown((candidates[probe.lot % len(candidates)],) if candidates else ())


def _first_own(state: State, probe: FirstOwn) -> Answer:
    return first_unseen(state, probe.owner, probe.cells)


ANSWERS: Final[Mapping[type[Probe], Callable[[State, Any], Answer]]] = MappingProxyType(
    {
        Met: _met,
        Standing: _standing,
        Aboard: _aboard,
        Room: _room,
        Course: _course,
        Detected: _detected,
        Candidate: _candidate,
        FirstOwn: _first_own,
    }
)


# At how many cells a veiled action asks in public at once: what a mover met, what a shot hits
# (two squares of a flamer), who was aboard what it destroyed.
VEILED_CELLS: Final[Mapping[type[Probe], int]] = MappingProxyType({Met: 1, Standing: 2, Aboard: 4})
VEILED_OTHERS: Final = (Room, Lot, Candidate)


def may_ask(seat: int, probe: Probe) -> None:
    """Raises `IllegalAction` if no veiled action of the seat asks this in public."""
    most = VEILED_CELLS.get(type(probe))
    cells = getattr(probe, "cells", ())
    fits = len(cells) <= most if most is not None else isinstance(probe, VEILED_OTHERS)
    if not fits or (probe.owner == seat and not isinstance(probe, Lot)):
        raise IllegalAction("WEC-97", "no unseen action asks this of the other side")


def first_unseen(state: State, seat: int, cells: tuple[int, ...]) -> int:
    """At which place along the cells, counted from 1, the seat's first unseen piece stands; 0
    if none does."""
    held = {piece.cell for piece in unseen(state, seat)}
    return next((place for place, cell in enumerate(cells, 1) if cell in held), 0)


def first_public(state: State, cells: tuple[int, ...]) -> int:
    """The same for the first public piece of either side."""
    held = {piece.cell for piece in state.pieces if piece.handle}
    return next((place for place, cell in enumerate(cells, 1) if cell in held), 0)


def nearest(*places: int) -> int:
    """The smallest of the places that are not 0; 0 if there is none."""
    return min((place for place in places if place), default=0)


def query(state: State, probe: Probe) -> tuple[int, ...]:
    """The asker's keys of a blind probe, ascending, from a state that holds the asker's secrets."""
    match probe:
        case Path(cells=cells):
            return tuple(sorted(cells))
        case InLine(asker=asker, cells=cells):
            known = nearest(first_unseen(state, asker, cells), first_public(state, cells))
            return (known or len(cells),)
        case _:
            return zone_keys(state, probe.asker)


def holds(state: State, probe: Probe) -> dict[int, Label]:
    """The owner's map of key to label of a blind probe, from a state that holds its secrets."""
    match probe:
        case Path(owner=owner):
            return {piece.cell: None for piece in unseen(state, owner)}
        case InLine(owner=owner, cells=cells):
            first = first_unseen(state, owner, cells)
            return dict.fromkeys(range(first, len(cells) + 1), first) if first else {}
        case _:
            return _in_sight(state, probe.owner)


def _in_sight(state: State, owner: int) -> dict[int, Label]:
    options = agreed(state.options)
    kinds = searched(options)
    held: dict[int, tuple[Piece, ...]] = {}
    for piece in unseen(state, owner):
        hiding = hidden_by(options, piece)
        if hiding in kinds:
            key = sight_key(hiding, piece.cell)
            held[key] = (*held.get(key, ()), described(piece))
    return dict(held)


def described(piece: Piece) -> Piece:
    """The record of an unseen piece as a detector gets it. What follows it is left out: the
    list has no bound, and a detector does not see it."""
    return changed(piece, chased=())


def _in(state: State, seat: int, cells: tuple[int, ...]) -> tuple[Piece, ...]:
    return tuple(piece for piece in unseen(state, seat) if piece.cell in cells)
