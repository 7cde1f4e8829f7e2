"""Where men may go, read word for word (WEC-40..49, WEC-58, WEC-70..73), as a seat sees it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, Final, NamedTuple

from tests.engine.wec.reading.world import (
    AT_HOME,
    HEADINGS,
    OWN_COEXISTENCE,
    PRIMARY,
    Man,
    Name,
    Place,
    World,
    ahead,
    apart,
    standing,
)

DATA: Final = json.loads((Path(__file__).parents[3] / "data" / "wec" / "movement.json").read_text())
PAWNS: Final = ("RP", "STP", "FP", "CP", "SHP", "XP", "SOP")
SECONDARY: Final = ("Q", "AS", "AC", "PM")
NAMES: Final = {
    "TA": "tank", "CL": "cleric", "CH": "chopper", "DO": "dozer", "DS": "destroyer",
    "AAA": "aaa", "SU": "sub", "JE": "jet",
}  # fmt: skip
CARRIERS: Final = ("SU", "CH")
PACKS: Final = {"JP": ("Air", "king_may_fly"), "SC": ("Sub", "king_may_submerge")}

Route = tuple[Place, ...]


class Go(NamedTuple):
    """A move: who, the places it enters, who comes along."""

    who: Name
    route: Route
    along: Name | None


def chart(world: World, man: Man) -> Any:
    """What `movement.json` has for a man."""
    pieces = DATA[world.options["movement"]]
    if man.kind in PAWNS:
        pawn = pieces["pawn"]
        pawn = pawn["choices"][world.options["pawn_variant"]] if "choices" in pawn else pawn
        return pawn["origin" if man.unmoved else "elsewhere"]
    if man.kind in PRIMARY:
        return pieces["primary_government"]
    if man.kind in SECONDARY:
        return pieces["secondary_government"]
    name = NAMES[man.kind]
    return pieces[f"{name}_{man.hand}" if man.kind in ("TA", "CL", "CH") else name]


def can_act(world: World, man: Man) -> bool:
    """WEC-56, WEC-71, WEC-16."""
    used = world.options["action_constraint"] == "one_per_piece" and man.acted
    return not man.stunned and not man.flies and not used


def at_home(man: Man) -> bool:
    """WEC-47."""
    kinds = AT_HOME[man.place.level]
    return kinds is None or man.kind in kinds


def moves(world: World, seat: int) -> set[Go]:
    """Every Move but dozing that the seat has."""
    found: set[Go] = set()
    if world.moved or world.over or world.side != seat:
        return found
    seen = world.acted_upon(seat)
    for man in world.men:
        if man.side == seat and can_act(world, man) and at_home(man):
            for passenger in companies(world, man):
                for route in routes(world, seen, man, passenger):
                    found.add(Go(man.name, route, passenger.name if passenger else None))
    return found


def companies(world: World, man: Man) -> list[Man | None]:
    """Who may come along, None for nobody (WEC-46)."""
    if man.kind not in CARRIERS:
        return [None]
    mates = [m for m in standing(world.men, man.place) if m.side == man.side and m != man]
    bound = man.place.level != "Ground" and any(not at_home(m) and not m.flies for m in mates)
    return [*mates] if bound else [None, *mates]


def routes(world: World, seen: list[Man], man: Man, passenger: Man | None) -> list[Route]:
    """The routes of all its moves."""
    if man.kind in PAWNS:
        return list(pawn_routes(world, seen, man))
    if man.kind == "CH":
        return list(chopper_routes(world, seen, man, passenger))
    if man.kind == "JE":
        return list(jet_routes(world, seen, man))
    if man.kind == "SU":
        return list(sub_routes(world, seen, man, passenger))
    data = chart(world, man)
    if "offsets" in data:
        takes = data["takes_by_moving"]
        places = [ahead(man.place, forward, right, man.side) for forward, right in data["offsets"]]
        return [(p,) for p in places if p and may_end(seen, man, p, takes)]
    return path_routes(world, seen, man)


def may_end(seen: list[Man], man: Man, place: Place, takes: bool, loaded: bool = False) -> bool:
    """Whether a move may end there (WEC-03, WEC-04, WEC-40, WEC-41, WEC-58)."""
    here = standing(seen, place)
    own = [m for m in here if m.side == man.side]
    if not here:
        return True
    if len(own) == 0:
        return takes
    if len(own) < len(here):
        return False
    return len(own) == 1 and not loaded and coexist(own[0], man)


def coexist(one: Man, other: Man) -> bool:
    """WEC-04."""
    return one.kind in OWN_COEXISTENCE or other.kind in OWN_COEXISTENCE


def path_routes(world: World, seen: list[Man], man: Man) -> list[Route]:
    """Tanks, clerics, secondary pieces: to each square one route, the shortest, then the first
    (WEC-40)."""
    data = chart(world, man)
    best: dict[Place, Route] = {}
    for path in data["paths"]:
        if man.kind in SECONDARY:
            part = path["component"].split("_")[0]
            reach = world.options[f"queen_{part}_range"]
        else:
            reach = world.options["tank_range" if man.kind == "TA" else "cleric_range"]
        route: Route = ()
        for forward, right in path["steps"][:reach]:
            place = ahead(man.place, forward, right, man.side)
            if place is None:
                break
            route = (*route, place)
            if may_end(seen, man, place, takes=data["takes_by_moving"]) and (
                place not in best or len(route) < len(best[place])
            ):
                best[place] = route
            if standing(seen, place):
                break
    return list(best.values())


def pawn_routes(world: World, seen: list[Man], man: Man) -> Iterator[Route]:
    """WEC-42."""
    data = chart(world, man)
    for forward, right in data["moves"]:
        place = ahead(man.place, forward, right, man.side)
        if place is None or not may_end(seen, man, place, takes=False):
            continue
        if max(abs(forward), abs(right)) == 2:
            between = ahead(man.place, forward // 2, right // 2, man.side)
            if between and not standing(seen, between):
                yield between, place
        else:
            yield (place,)
    for forward, right in data["attacks"]:
        place = ahead(man.place, forward, right, man.side)
        foes = [m for m in standing(seen, place) if m.side != man.side] if place else []
        if place and foes and may_end(seen, man, place, takes=True):
            yield (place,)


def sub_routes(world: World, seen: list[Man], man: Man, passenger: Man | None) -> Iterator[Route]:
    """WEC-43."""
    takes = world.options["sub_jet_combat"] and passenger is None
    other = "Ground" if man.place.level == "Sub" else "Sub"
    offsets = chart(world, man)["offsets"]
    places = [ahead(man.place, forward, right, man.side) for forward, right in offsets]
    kept = passenger and passenger.kind in PRIMARY and not world.options["king_may_submerge"]
    for place in [*places, man.place.on(other)]:
        if place is None or (kept and (man.place.level, place.level) == ("Ground", "Sub")):
            continue
        if may_end(seen, man, place, takes, loaded=passenger is not None):
            yield (place,)


def jet_routes(world: World, seen: list[Man], man: Man) -> Iterator[Route]:
    """WEC-44, WEC-41."""
    takes = world.options["sub_jet_combat"]
    other = man.place.on("Air" if man.place.level == "Ground" else "Ground")
    if may_end(seen, man, other, takes):
        yield (other,)
    if man.place.level == "Ground":
        return
    for forward, right in HEADINGS:
        one = ahead(man.place, forward, right, man.side)
        two = ahead(man.place, 2 * forward, 2 * right, man.side)
        if one and may_end(seen, man, one, takes):
            yield (one,)
        if one and two and not standing(seen, one) and may_end(seen, man, two, takes=False):
            yield (one, two)


def chopper_routes(
    world: World, seen: list[Man], man: Man, passenger: Man | None
) -> Iterator[Route]:
    """WEC-45, WEC-55a."""
    data = chart(world, man)
    up: Route = (man.place.on("Air"),) if man.place.level == "Ground" else ()
    if up and passenger and passenger.kind in PRIMARY and not world.options["king_may_fly"]:
        return
    for forward, right in data["targets"]:
        if ahead(man.place, forward, right, man.side) is None:
            continue
        for way in king_ways(man.place.on("Air"), forward, right, man.side):
            flown = up + way
            if any(standing(seen, place) for place in flown):
                continue
            end = way[-1].on("Ground")
            if may_end(seen, man, end, data["takes_by_moving"], loaded=passenger is not None):
                yield (*flown, end)
            if up:
                yield flown


@cache
def king_ways(start: Place, forward: int, right: int, side: int) -> list[Route]:
    """Every shortest route of king-steps on the board."""
    found: list[Route] = []
    steps = max(abs(forward), abs(right))
    for headings in product(HEADINGS, repeat=steps):
        if (sum(h[0] for h in headings), sum(h[1] for h in headings)) != (forward, right):
            continue
        route: Route = ()
        for at in range(1, steps + 1):
            place = ahead(
                start, sum(h[0] for h in headings[:at]), sum(h[1] for h in headings[:at]), side
            )
            if place is None:
                break
            route = (*route, place)
        else:
            found.append(route)
    return found


def may_fire(world: World, man: Man) -> bool:
    """Whether it can fire a transport at all (WEC-11, WEC-16, WEC-52)."""
    allowed = world.options["action_constraint"] != "move_only" and world.fires < 2
    return allowed and not man.fired and can_act(world, man)


def bikes(world: World, seat: int) -> set[tuple[Name, Place]]:
    """WEC-70."""
    found: set[tuple[Name, Place]] = set()
    if world.over or world.side != seat:
        return found
    seen = world.acted_upon(seat)
    for man in world.men:
        if man.side != seat or man.place.level != "Ground" or "BI" not in man.idle:
            continue
        for forward, right in HEADINGS if may_fire(world, man) else ():
            place = ahead(man.place, forward, right, man.side)
            if place and may_end(seen, man, place, takes=False):
                found.add((man.name, place))
    return found


def take_offs(world: World, seat: int) -> set[tuple[Name, str]]:
    """Who can fire which pack, to any square but its own (WEC-71..73)."""
    found: set[tuple[Name, str]] = set()
    if world.over or world.side != seat:
        return found
    seen = world.acted_upon(seat)
    for man in world.men:
        if man.side != seat or not may_fire(world, man):
            continue
        mates = [m for m in standing(world.men, man.place) if m.side == seat and m != man]
        carried = any(mate.kind in CARRIERS and at_home(mate) for mate in mates)
        from_any = world.options["transport_from"] == "any" and carried
        for pack, (level, option) in PACKS.items():
            if pack not in man.idle or (man.kind in PRIMARY and not world.options[option]):
                continue
            if man.place.level != "Ground" and not from_any:
                continue
            entered = man.place.on(level)
            if entered == man.place or may_end(seen, man, entered, takes=True):
                found.add((man.name, pack))
    return found


class Doze(NamedTuple):
    """Who, the picked squares in order, the heading."""

    who: Name
    picked: Route
    heading: int


def dozes(world: World, seat: int) -> set[Doze]:
    """WEC-48."""
    found: set[Doze] = set()
    if world.moved or world.over or world.side != seat:
        return found
    seen = [m for m in world.acted_upon(seat) if m.place.level == "Ground"]
    public = [m for m in seen if m.side == seat or m.is_public]
    for man in world.men:
        if man.side != seat or man.kind != "DO" or man.place.level != "Ground":
            continue
        mates = [m for m in standing(public, man.place) if m.side == seat and m != man]
        if not mates or not can_act(world, man):
            continue
        for picked in groups(world, public, man):
            shifted = [m for m in public if m.place == man.place or m.place in picked]
            for heading, (forward, right) in enumerate(HEADINGS):
                if may_shift(seen, shifted, forward, right, seat):
                    found.add(Doze(man.name, picked, heading))
    return found


def groups(world: World, public: list[Man], dozer: Man) -> Iterator[Route]:
    """The sets of squares that can be picked."""
    near = sorted(
        {
            m.place
            for m in public
            if 1 <= apart(m.place, dozer.place) <= 4
            and len({other.side for other in standing(public, m.place)}) == 1
            and (m.side == dozer.side or world.options["doze_enemies"])
        }
    )
    found: list[set[Place]] = [set()]
    for size in range(5):
        for picked in (one for one in found.copy() if len(one) == size):
            yield tuple(sorted(picked))
            touched = picked or {dozer.place}
            for place in near if size < 4 else ():
                larger = {*picked, place}
                if len(larger) > size and larger not in found and touches(place, touched):
                    found.append(larger)


def touches(place: Place, others: Iterable[Place]) -> bool:
    """Whether it is a neighbour of one of the others."""
    return any(apart(place, other) == 1 for other in others)


def may_shift(seen: list[Man], shifted: list[Man], forward: int, right: int, seat: int) -> bool:
    """Whether all of them can be shifted so, as far as is seen (WEC-03..05, WEC-58)."""
    stay = [m for m in seen if m not in shifted]
    ends = [ahead(m.place, forward, right, seat) for m in shifted]
    for end in ends:
        if end is None:
            return False
        here = [m for m, at in zip(shifted, ends, strict=True) if at == end]
        here += standing(stay, end)
        if len(here) > 2 or len({m.side for m in here}) > 1:
            return False
        if len(here) == 2 and not coexist(*here):
            return False
    return True
