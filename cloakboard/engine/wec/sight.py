"""Becoming seen and unseen: shows, collisions, lock-on, and the settlement of sight.

The generators here are parts of a resolution, used with `yield from`; each returns the new
state last.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from typing import Any, Final

import msgspec

from cloakboard.engine.errors import IllegalAction
from cloakboard.engine.events import Event
from cloakboard.engine.probes import Probe
from cloakboard.engine.wec.board import changed
from cloakboard.engine.wec.detection import CELLS, hidden_by, is_seen, searched, sight_key
from cloakboard.engine.wec.events import Changed, Lapsed, LockEnded, LockMade, Sighted
from cloakboard.engine.wec.kit import is_sound
from cloakboard.engine.wec.options import agreed
from cloakboard.engine.wec.probes import (
    Aboard,
    Candidate,
    Detected,
    Lot,
    Met,
    Path,
    Shown,
    Sight,
    Standing,
    watching,
)
from cloakboard.engine.wec.state import SIDES, Piece, State, piece_order

Part = Generator[Probe | Event, Any, State]
Found = Generator[Probe | Event, Any, tuple[int | None, State]]
Stated = Generator[Probe | Event, Any, tuple[Piece, ...]]

ANYWHERE: Final = range(CELLS)
LOT_RANGE: Final = 1 << 32  # a draw modulo this fits a field of a probe


def audience(before: Piece | None, after: Piece | None) -> tuple[int, ...]:
    """Who may know of a change: everyone if the piece is or becomes public, else its side."""
    known = [piece for piece in (before, after) if piece is not None]
    return () if any(piece.handle for piece in known) else (known[0].side,)


def stated(probe: Met | Standing | Aboard | Candidate | Detected) -> Stated:
    """The unseen pieces that a probe's owner names, in the order of WEC-62.

    Raises `IllegalAction` if a stranger names what cannot be meant: a piece of another side,
    a public one, one in another cell, or no piece at all.
    """
    told = yield probe
    cells = getattr(probe, "cells", ANYWHERE)
    if not isinstance(told, Shown) or any(
        piece.side != probe.owner or piece.handle or piece.cell not in cells or not is_sound(piece)
        for piece in told.pieces
    ):
        raise IllegalAction("WEC-97", "a statement names pieces that were not asked for")
    return tuple(sorted(told.pieces, key=piece_order))


def reveal(state: State, pieces: Iterable[Piece], cause: str = "shown") -> Part:
    """The pieces become public, several at a time in the order of WEC-62 (WEC-97)."""
    for piece in sorted(pieces, key=piece_order):
        after = changed(piece, handle=state.next_handle)
        state = yield Changed(cause=cause, before=piece, after=after)
    return state


def met(state: State, mover_side: int, cells: tuple[int, ...]) -> Found:
    """The first of the cells that holds unseen pieces of the other side, which become public;
    None if none does (WEC-49). For an action that all machines resolve."""
    here = yield from stated(Met(owner=1 - mover_side, cells=cells))
    if not here:
        return None, state
    state = yield from reveal(state, here)
    return here[0].cell, state


def felt(state: State, mover_side: int, cells: tuple[int, ...]) -> Found:
    """The same for a veiled action of `mover_side`: the cells are asked for blindly, and only
    the first occupied one is named. At most 10 cells."""
    other = 1 - mover_side
    found = yield Path(owner=other, asker=mover_side, cells=cells)
    held = {key for key, _ in found or ()}
    first = next((cell for cell in cells if cell in held), None)
    if first is None:
        return None, state
    return (yield from met(state, mover_side, (first,)))


def pick_lock(state: State, piece: Piece) -> Part:
    """Lock-on by a piece that has just picked up an Anti-stealth, its last article (WEC-91).
    The target, one of the enemy's unseen stealthed pieces by lot, becomes public at once."""
    if not agreed(state.options)["stealth_lock_on"]:
        return state
    drawn = yield Lot(owner=piece.side)
    chosen = yield from stated(Candidate(owner=1 - piece.side, lot=drawn % LOT_RANGE))
    if not chosen:
        return state
    number, target = state.next_lock, state.next_handle
    state = yield from reveal(state, chosen[:1], "locked")
    state = yield LockMade(number=number, side=piece.side, holder=piece.handle, target=target)
    *others, picked = piece.gear
    gear = (*others, msgspec.structs.replace(picked, lock=number))
    after = changed(piece, gear=gear)
    state = yield Changed(only=audience(piece, after), cause="locks", before=piece, after=after)
    return state


def end_lock(state: State, number: int) -> Part:
    """A lock-on ends (WEC-91); 0 is no lock."""
    if number:
        state = yield LockEnded(number=number)
    return state


def settle(state: State) -> Part:
    """Sight at the end of a Turn, after `TurnEnded` (WEC-97).

    First each side, the mover first, names its unseen pieces that the enemy sees; shows and
    lapses are judged by the same detectors, those public before and those that nothing hides
    any more. Then each side's detectors look, that of the side to play next first; the answer
    is its alone. Those lookups happen whether or not there is a detector.
    """
    options = agreed(state.options)
    mover, ended = 1 - state.side, state.turn - 1
    mine = yield from stated(Detected(owner=mover))
    bare = tuple(piece for piece in mine if not hidden_by(options, piece))
    theirs = yield from stated(Detected(owner=state.side, beyond=bare))
    watchers = {side: watching(state, side, bare if side == mover else ()) for side in SIDES}
    lapsed = tuple(
        sorted(
            piece.handle
            for piece in state.pieces
            if piece.handle and not is_seen(options, piece, watchers[1 - piece.side], ended)
        )
    )
    if lapsed:
        state = yield Lapsed(handles=lapsed)
    state = yield from reveal(state, (*mine, *theirs))
    if searched(options):
        for asker in (state.side, mover):
            state = yield from _look(state, asker)
    return state


def _look(state: State, asker: int) -> Part:
    """What an asker's detectors see, if this machine may know it. Labels that no honest owner
    gives count as absent (VEIL 5)."""
    owner = 1 - asker
    found = yield Sight(owner=owner, asker=asker)
    if found is None:
        return state
    options = agreed(state.options)
    pieces = [
        piece
        for key, label in found
        for piece in (label if isinstance(label, tuple) else ())
        if piece.side == owner
        and not piece.handle
        and is_sound(piece)
        and sight_key(hidden_by(options, piece), piece.cell) == key
    ]
    state = yield Sighted(only=(asker,), pieces=tuple(sorted(pieces, key=piece_order)))
    return state
