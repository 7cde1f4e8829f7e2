"""How each piece moves on an empty board, as tables of ways (WEC-40 to WEC-45).

Offsets are (forward, right) as the owner sits, headings 0..7 clockwise from forward. Every
set of moves is unchanged by a half turn but the pawns', so `side` matters for those alone in
what is reached, and for all in the order of the ways.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from types import MappingProxyType
from typing import Final, NamedTuple

from cloakboard.engine.wec.headings import HEADINGS, STEPS, offset
from cloakboard.engine.wec.options import Values, agreed, per_options
from cloakboard.engine.wec.pieces import PAWNS, PRIMARIES, SECONDARIES
from cloakboard.engine.wec.state import AIR, BLACK, GROUND, SIDES, SQUARES, SUB

Offset = tuple[int, int]  # (forward, right)

QUIET: Final = 0  # ends where no enemy is seen
TAKE: Final = 1  # ends only where one is seen
BOTH: Final = 2


class Way(NamedTuple):
    """One way to go: `end` and `through` are bit sets of the last cell and of the cells that
    must be free, `mode` is QUIET, TAKE or BOTH, `route` the cells entered, in order."""

    end: int
    through: int
    mode: int
    route: tuple[int, ...]


class Movement(NamedTuple):
    """The options that shape the ways."""

    name: str
    pawn_variant: str
    tank: int
    cleric: int
    queen_tank: int
    queen_cleric: int
    sub_jet_combat: bool


class Path(NamedTuple):
    """Path pieces: where the arms start, and by how many eighths of a circle each step's
    heading is turned from the start's, for the right hand; the left hand is its mirror."""

    starts: tuple[int, ...]
    turns: tuple[int, ...]


class Pawn(NamedTuple):
    """Pawn moves: without taking, taking, and the two-square ones from the origin square."""

    moves: tuple[Offset, ...]
    attacks: tuple[Offset, ...]
    double: tuple[Offset, ...] = ()


TANK_STARTS: Final = (0, 2, 4, 6)
CLERIC_STARTS: Final = (1, 3, 5, 7)

TANKS: Final = MappingProxyType(
    {
        "weaponized": Path(TANK_STARTS, (0, 0, 0, 0, 1, 1, 1, 1)),
        "standard": Path(TANK_STARTS, (0,) * 8),
        "mass_destruction": Path(TANK_STARTS, (1, -1, -1, 1, 1, -1, -1, 1)),
    }
)
CLERICS: Final = MappingProxyType(
    {
        "weaponized": Path(CLERIC_STARTS, (0, 0, 0, 0, 0, 2, 2, 0)),
        "standard": Path(CLERIC_STARTS, (0,) * 8),
        "mass_destruction": Path(CLERIC_STARTS, (0, -2, -2, -3, -3, -4, -4, -4)),
    }
)
# Targets of a right-handed chopper, in the order in which they are listed; those of a
# left-handed one are the mirror image, listed in an order of their own.
CHOPPERS: Final = MappingProxyType(
    {
        ("weaponized", "right"): (
            (2, -2), (2, 1), (2, 2), (1, -2), (-1, 2), (-2, -2), (-2, -1), (-2, 2),
        ),
        ("weaponized", "left"): (
            (2, -2), (2, -1), (2, 2), (1, 2), (-1, -2), (-2, -2), (-2, 1), (-2, 2),
        ),
        ("mass_destruction", "right"): (
            (3, 1), (2, -2), (2, 2), (1, -3), (-1, 3), (-2, -2), (-2, 2), (-3, -1),
        ),
        ("mass_destruction", "left"): (
            (3, -1), (2, -2), (2, 2), (1, 3), (-1, -3), (-2, -2), (-2, 2), (-3, 1),
        ),
        **{
            ("standard", hand): (
                (2, -1), (2, 1), (1, -2), (1, 2), (-1, -2), (-1, 2), (-2, -1), (-2, 1),
            )
            for hand in ("right", "left")
        },
    }
)  # fmt: skip
PAWN_MOVES: Final = MappingProxyType(
    {
        "weaponized": Pawn(((1, -1), (1, 1)), ((1, 0), (0, -1), (0, 1)), double=((2, -2), (2, 2))),
        "standard": Pawn(((1, 0),), ((1, -1), (1, 1)), double=((2, 0),)),
        "forward_and_sides": Pawn(*[((1, -1), (1, 0), (1, 1), (0, -1), (0, 1))] * 2),
        "forward": Pawn(*[((1, -1), (1, 0), (1, 1))] * 2),
        "all_but_straight_ahead": Pawn(*[((1, -1), (1, 1), (0, -1), (0, 1))] * 2),
    }
)


STEP: Final = tuple(
    tuple(tuple(offset(square, *ahead, side) for ahead in STEPS) for square in range(SQUARES))
    for side in SIDES
)
"""`STEP[side][square][heading]`: the next square, None beyond the edge."""

NEIGHBOURS: Final = tuple(
    tuple(sorted(square for square in STEP[BLACK][here] if square is not None))
    for here in range(SQUARES)
)
"""The up to eight squares around each, ascending."""


@per_options
def movement_of(options: Values) -> Movement:
    """What a state's options make of moving."""
    values = agreed(options)
    return Movement(
        values["movement"],
        values["pawn_variant"],
        values["tank_range"],
        values["cleric_range"],
        values["queen_tank_range"],
        values["queen_cleric_range"],
        values["sub_jet_combat"],
    )


@lru_cache(maxsize=1 << 16)
def ways(
    movement: Movement, kind: str, hand: str, unmoved: bool, side: int, cell: int
) -> tuple[Way, ...]:
    """Every way a piece could go from a cell on an empty board, shortest ways first where
    several lead to one cell; none off the Ground unless it is at home there (WEC-40)."""
    level, square = divmod(cell, SQUARES)
    if kind == "CH":
        return tuple(_by_air(movement, hand, side, level, square))
    if kind == "JE":
        return tuple(_of_jet(movement, side, level, square))
    if kind == "SU":
        return tuple(_of_sub(movement, side, level, square))
    if level != GROUND:
        return ()
    if kind in PAWNS:
        return tuple(_of_pawn(movement, unmoved, side, square))
    arms = _arms(movement, kind, hand)
    if arms:
        return tuple(_along(arms, side, square))
    return tuple(_around(side, cell, BOTH if kind in PRIMARIES else QUIET))


def _arms(movement: Movement, kind: str, hand: str) -> tuple[tuple[int, ...], ...]:
    """The arms of a path piece, each a tuple of headings, in the order listed."""
    tank, cleric = TANKS[movement.name], CLERICS[movement.name]
    if kind == "TA":
        return _turned(tank, hand, movement.tank)
    if kind == "CL":
        return _turned(cleric, hand, movement.cleric)
    if kind in SECONDARIES:
        return (
            *_turned(tank, "left", movement.queen_tank),
            *_turned(tank, "right", movement.queen_tank),
            *_turned(cleric, "left", movement.queen_cleric),
            *_turned(cleric, "right", movement.queen_cleric),
        )
    return ()


def _turned(path: Path, hand: str, reach: int) -> tuple[tuple[int, ...], ...]:
    sign = 1 if hand == "right" else -1
    return tuple(
        tuple((start + sign * turn) % 8 for turn in path.turns[:reach]) for start in path.starts
    )


def _along(arms: tuple[tuple[int, ...], ...], side: int, square: int) -> Iterator[Way]:
    """Ways along arms, fewest steps first, then in the order of the arms; one for each
    sequence of squares."""
    routes: dict[tuple[int, ...], None] = {}
    for count in range(1, max(len(arm) for arm in arms) + 1):
        for arm in arms:
            route = _walk(side, square, arm[:count])
            if len(route) == count <= len(arm):
                routes[route] = None
    return (_way(route, BOTH) for route in routes)


def _walk(side: int, square: int, headings: tuple[int, ...]) -> tuple[int, ...]:
    """The squares entered, as far as the board goes."""
    route: list[int] = []
    for heading in headings:
        ahead = STEP[side][square][heading]
        if ahead is None:
            break
        square = ahead
        route.append(square)
    return tuple(route)


def _around(side: int, cell: int, mode: int) -> Iterator[Way]:
    """One square in every direction at the cell's level."""
    base, square = cell - cell % SQUARES, cell % SQUARES
    return (_way((base + to,), mode) for to in STEP[side][square] if to is not None)


def _of_pawn(movement: Movement, unmoved: bool, side: int, square: int) -> Iterator[Way]:
    """WEC-42."""
    named = movement.pawn_variant if movement.name == "mass_destruction" else movement.name
    pawn = PAWN_MOVES[named]
    for ahead in pawn.moves:
        to = offset(square, *ahead, side)
        if to is not None:
            yield _way((to,), BOTH if ahead in pawn.attacks else QUIET)
    for ahead in pawn.attacks:
        to = offset(square, *ahead, side)
        if to is not None and ahead not in pawn.moves:
            yield _way((to,), TAKE)
    for forward, right in pawn.double if unmoved else ():
        to = offset(square, forward, right, side)
        via = offset(square, forward // 2, right // 2, side)
        if to is not None and via is not None:
            yield _way((via, to), QUIET)


def _of_sub(movement: Movement, side: int, level: int, square: int) -> Iterator[Way]:
    """WEC-43, WEC-41."""
    if level == AIR:
        return
    mode = BOTH if movement.sub_jet_combat else QUIET
    yield from _around(side, level * SQUARES + square, mode)
    yield _way(((SUB if level == GROUND else GROUND) * SQUARES + square,), mode)


def _of_jet(movement: Movement, side: int, level: int, square: int) -> Iterator[Way]:
    """WEC-44, WEC-41."""
    mode = BOTH if movement.sub_jet_combat else QUIET
    if level == GROUND:
        yield _way((AIR * SQUARES + square,), mode)
    if level != AIR:
        return
    for heading in HEADINGS:
        route = tuple(AIR * SQUARES + to for to in _walk(side, square, (heading, heading)))
        if route:
            yield _way(route[:1], mode)
        if len(route) == 2:
            yield _way(route, QUIET)
    yield _way((square,), mode)


def _by_air(movement: Movement, hand: str, side: int, level: int, square: int) -> Iterator[Way]:
    """WEC-45: every Air cell entered must be free, also the one it ends in."""
    if level == SUB:
        return
    up = (AIR * SQUARES + square,) if level == GROUND else ()
    for away in CHOPPERS[movement.name, hand]:
        target = offset(square, *away, side)
        if target is None:
            continue
        flights = [
            (*up, *(AIR * SQUARES + to for to in route)) for route in _shortest(away, side, square)
        ]
        for flight in flights:
            yield _way((*flight, target), BOTH)
        for flight in flights if level == GROUND else ():
            yield Way(1 << flight[-1], _bits(flight), QUIET, flight)


def _shortest(away: Offset, side: int, square: int) -> Iterator[tuple[int, ...]]:
    """Every shortest route of king-steps on the board, in the order of headings."""
    count = max(abs(away[0]), abs(away[1]))
    if count == 0:
        yield ()
        return
    for heading in HEADINGS:
        forward, right = STEPS[heading]
        rest = (away[0] - forward, away[1] - right)
        to = STEP[side][square][heading]
        if to is not None and max(abs(rest[0]), abs(rest[1])) == count - 1:
            for tail in _shortest(rest, side, to):
                yield (to, *tail)


def _way(route: tuple[int, ...], mode: int) -> Way:
    return Way(1 << route[-1], _bits(route[:-1]), mode, route)


def _bits(cells: tuple[int, ...]) -> int:
    return sum(1 << cell for cell in cells)
