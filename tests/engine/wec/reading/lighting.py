"""Which unseen men an action brings to light, read word for word (WEC-97)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from cloakboard.engine.wec.actions import (
    Bike,
    Blast,
    Doze,
    Drop,
    EndTurn,
    Exchange,
    Fly,
    Launch,
    LimitedRocket,
    Move,
    PickUp,
    Reinforce,
    TakeOff,
)
from tests.engine.wec.reading.going import called, felt, outcome, towards
from tests.engine.wec.reading.seeing import firing_shows, may_be_locked, veil
from tests.engine.wec.reading.world import (
    HEADINGS,
    Man,
    Place,
    Shot,
    World,
    ahead,
    place_of,
    standing,
)

WEAPONS_FIRED: Final = (Blast, Launch, LimitedRocket)


@dataclass(frozen=True)
class Lit:
    """Who comes to light: all of `surely`, besides at most `more` of `perhaps`, at least
    `least` of them."""

    surely: tuple[Man, ...] = ()
    perhaps: tuple[Man, ...] = ()
    least: int = 0
    most: int = 0


def lit_by(world: World, action: Any) -> Lit:
    """Whom an action of the side to play brings to light, of those that were unseen; at the end
    of a Turn by its projectiles. What a reinforcement shows by coming is left out."""
    seat = world.side
    match action:
        case Move() | Bike() | TakeOff() | Fly():
            return Lit(tuple(m for m in outcome(world, action).taken if not m.is_public))
        case Doze():
            return Lit(felt(world, action))
        case Blast() | Launch() | LimitedRocket():
            firer = called(world, action.piece)
            hit = list(struck(world, firer, action))
            shows = firing_shows(world, firer) or not veil(world, firer)
            if shows and firer not in hit:
                hit.append(firer)
            below = [m.place.on("Ground") for m in hit if m.flies]
            landing = [m for m in unseen(world, 1 - seat) if m.place in below and m not in hit]
            landing += [m for m in unseen(world, seat) if m.place in below and m not in hit]
            found = tuple(m for m in hit if not m.is_public)
            return Lit(found, tuple(landing), most=len(landing))
        case PickUp():
            found = tuple(m for m in unseen(world, 1 - seat) if may_be_locked(world, m))
            locks = action.article == "ASH" and world.options["stealth_lock_on"]
            number = 1 if found and locks else 0
            return Lit((), found, number, number)
        case Reinforce():
            return Lit(foes_at(world, place_of(action.square)))
        case EndTurn():
            places = {entered_by(world, shot) for shot in world.shots}
            return Lit(tuple(m for m in world.men if m.place in places and not m.is_public))
        case Drop() | Exchange():
            return Lit()
    raise AssertionError(f"not an action of WEC: {action}")


def unseen(world: World, side: int) -> list[Man]:
    """The side's men that are not public."""
    return [m for m in world.men if m.side == side and not m.is_public]


def foes_at(world: World, place: Place) -> tuple[Man, ...]:
    """Unseen men there of the side that is not to play."""
    return tuple(standing(unseen(world, 1 - world.side), place))


def struck(world: World, firer: Man, action: Any) -> Iterator[Man]:
    """Whom a shot hits at once (WEC-55..57, WEC-61)."""
    if isinstance(action, LimitedRocket):
        yield from standing(world.men, place_of(action.square))
    if not isinstance(action, Blast):
        return
    options = world.options
    reach = {"FL": options["flamer_range"], "ST": options["stun_range"], "CS": 1}[action.weapon]
    forward, right = HEADINGS[action.heading]
    for steps in range(1, reach + 1):
        place = ahead(firer.place, steps * forward, steps * right, firer.side)
        if place is None:
            return
        here = standing(world.men, place)
        yield from [m for m in here if action.weapon != "CS" or m.side != firer.side]
        if here and action.weapon == "ST":
            return


def entered_by(world: World, shot: Shot) -> Place | None:
    """Where a projectile comes to at the end of the Turn (WEC-60)."""
    step, side = shot.step, shot.side
    if shot.homing:
        followed = [m for m in world.men if shot.number in m.chased]
        here = [m.place for m in followed if m.place.level == shot.place.level]
        if here or step is None:
            goal = here[0] if here else shot.target
            assert goal is not None
            step, side = towards(shot.place, goal), 0
            if here and step == (0, 0):
                return shot.place
    assert step is not None
    return ahead(shot.place, *step, side)
