"""Projectiles at the end of a Turn (WEC-60): all advance one square, and hit where they enter.

1. The owner of each unseen target tells where its homing shot goes, the mover's first.
2. Each side names its unseen pieces in the cells entered, the mover first; they become public.
3. All projectiles advance, end at the edge, or end on what they hit.
4. The hits, cell by cell, in the order of the earliest launched projectile of each.
"""

from __future__ import annotations

from collections.abc import Generator
from types import MappingProxyType
from typing import Any, Final

import msgspec

from cloakboard.engine.errors import IllegalAction
from cloakboard.engine.events import Event
from cloakboard.engine.probes import Probe
from cloakboard.engine.wec import losses
from cloakboard.engine.wec.events import Flew
from cloakboard.engine.wec.headings import HEADINGS, step, towards
from cloakboard.engine.wec.pieces import PROJECTILE
from cloakboard.engine.wec.probes import FLIES_AT, HERE, LETS_GO, Course, Standing
from cloakboard.engine.wec.sight import Part, reveal, stated
from cloakboard.engine.wec.state import SQUARES, Piece, Projectile, State

WEAPON: Final = MappingProxyType({kind: weapon for weapon, kind in PROJECTILE.items()})


def advance(state: State) -> Part:
    """Steps 1 to 4 of the module text."""
    if not state.projectiles:
        return state
    shots = state.projectiles
    courses = yield from _courses(state)
    flown = {shot.number: _flown(state, shot, courses.get(shot.number)) for shot in shots}
    entered = tuple(sorted({_cell(after) for after in flown.values() if after is not None}))
    shown: list[Piece] = []
    if entered:
        for side in (state.side, 1 - state.side):
            shown.extend((yield from stated(Standing(owner=side, cells=entered))))
    state = yield from reveal(state, shown)
    held = {piece.cell for piece in state.pieces if piece.handle}
    hits: dict[int, int] = {}  # projectiles by the cell they hit, in order of launch
    for shot in shots:
        after = flown[shot.number]
        if after is not None and _cell(after) in held:
            hits[_cell(after)] = hits.get(_cell(after), 0) + 1
            state = yield Flew(square=after.square, before=shot)
        else:
            square = shot.square if after is None else after.square
            state = yield Flew(square=square, before=shot, after=after)
    for cell, strength in hits.items():
        kind = next(kind for kind, level in FLIES_AT.items() if level == cell // SQUARES)
        targets = [piece for piece in state.pieces if piece.handle and piece.cell == cell]
        state = yield from losses.strike(state, targets, WEAPON[kind], strength)
    return state


def _cell(shot: Projectile) -> int:
    return FLIES_AT[shot.kind] * SQUARES + shot.square


def _courses(state: State) -> Generator[Probe | Event, Any, dict[int, int]]:
    """The course of each homing projectile by its number: worked out where its target is
    public, else told by the target's owner."""
    courses: dict[int, int] = {}
    followed = {number: p for p in state.pieces if p.handle for number in p.chased}
    for side in (state.side, 1 - state.side):
        for shot in state.projectiles:
            if not shot.homing or shot.target_side != side:
                continue
            target = followed.get(shot.number)
            if target is None:
                course = yield Course(owner=side, number=shot.number)
                if course not in (*HEADINGS, HERE, LETS_GO):
                    raise IllegalAction("WEC-60", "A homing shot is said to go where it cannot.")
                courses[shot.number] = course
            elif target.level != FLIES_AT[shot.kind]:
                courses[shot.number] = LETS_GO
            else:
                heading = towards(shot.square, target.square, shot.side)
                courses[shot.number] = HERE if heading is None else heading
    return courses


def _flown(state: State, shot: Projectile, course: int | None) -> Projectile | None:
    """The projectile one square on, None beyond the edge. `course`: of a homing one."""
    if course == HERE:
        return shot
    if course == LETS_GO:
        shot = losses.directed(shot, shot.target_cell % SQUARES)
    elif course is not None:
        target = next((p for p in state.pieces if p.handle and shot.number in p.chased), None)
        cell = shot.target_cell if target is None else target.cell
        shot = msgspec.structs.replace(shot, heading=course, target_cell=cell)
    square = step(shot.square, shot.heading, shot.side)
    return None if square is None else msgspec.structs.replace(shot, square=square)
