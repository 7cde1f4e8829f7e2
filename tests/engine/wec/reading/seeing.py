"""Who is seen by whom, read word for word (WEC-90..97)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from tests.engine.wec.reading.world import (
    OWN_ANTI_STEALTH,
    OWN_STEALTH,
    OWN_TORPEDOES,
    Man,
    World,
    apart,
    standing,
)

Handles = frozenset[int]


def veil(world: World, man: Man) -> str:
    """What hides it: `stealth`, `submersion`, or nothing (WEC-90, WEC-96)."""
    stealthed = is_stealthed(man) and world.options["stealth_invisible"]
    submerged = man.place.level == "Sub" and world.options["sub_invisible"]
    if stealthed and submerged:
        dominant: str = world.options["dominance"]
        return dominant
    return "stealth" if stealthed else "submersion" if submerged else ""


def is_stealthed(man: Man) -> bool:
    """WEC-90."""
    return man.has("SH", OWN_STEALTH)


def detects(world: World, watcher: Man, man: Man) -> bool:
    """Whether one of the enemy's sees it by being near (WEC-92, WEC-93)."""
    away = apart(watcher.place, man.place)
    if veil(world, man) == "stealth":
        able = world.options["stealth_range_detection"] and watcher.has("ASH", OWN_ANTI_STEALTH)
        return able and away <= world.options["stealth_range"]
    return watcher.has("TL", OWN_TORPEDOES) and away <= world.options["sub_range"]


def is_always_shown(world: World, man: Man, fired: Handles) -> bool:
    """Whether it is seen for a reason other than a detector: nothing hides it, an enemy shares
    its cell, a lock, or it fired (WEC-58, WEC-91, WEC-95)."""
    hidden = veil(world, man)
    if not hidden or any(m.side != man.side for m in standing(world.men, man.place)):
        return True
    is_sunk = hidden == "submersion" and world.options["dominance"] == "submersion"
    return (man.locked and not is_sunk) or man.name[0] in fired


def first_seen(world: World) -> World:
    """What stands for the world before the first settlement: public are those that need no
    detector for it."""
    hidden = [m for m in world.men if not is_always_shown(world, m, frozenset())]
    men = tuple(replace(m, name=(0, 0, 0)) if m in hidden else m for m in world.men)
    return replace(world, men=men)


def settled(world: World, fired: Handles) -> tuple[list[Man], list[list[Man]]]:
    """What a settlement makes of a world just before it: the public men, and per seat those
    that it sees privately. `fired`: handles that having fired still shows (WEC-97)."""
    public, private = [], [list[Man](), list[Man]()]
    for man in world.men:
        foes = [m for m in world.men if m.side != man.side]
        counting = [m for m in foes if m.is_public or not veil(world, m)]
        if is_always_shown(world, man, fired) or seen_by(world, counting, man):
            public.append(man)
        elif seen_by(world, foes, man):
            private[1 - man.side].append(man)
    return public, private


def seen_by(world: World, watchers: Iterable[Man], man: Man) -> bool:
    """Whether one of them detects it."""
    return any(detects(world, watcher, man) for watcher in watchers)


def firing_shows(world: World, man: Man) -> bool:
    """Whether firing a weapon shows it (WEC-95, WEC-96)."""
    option = {"stealth": "seen_when_firing_stealth", "submersion": "seen_when_firing_sub"}
    hidden = veil(world, man)
    return hidden != "" and bool(world.options[option[hidden]])


def may_be_locked(world: World, man: Man) -> bool:
    """Whether an enemy's Anti-stealth can lock on to it (WEC-91)."""
    sunk = world.options["dominance"] == "submersion" and man.place.level == "Sub"
    return is_stealthed(man) and not man.is_public and not man.locked and not sunk
