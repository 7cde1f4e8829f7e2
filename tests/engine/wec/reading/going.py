"""What comes of going somewhere where everything is known, read word for word (WEC-40, WEC-48,
WEC-49, WEC-70..72)."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from cloakboard.engine.wec.actions import Bike, Doze, Fly, Move, Ref, TakeOff
from tests.engine.wec.reading.moving import PACKS, Go, Route, coexist
from tests.engine.wec.reading.world import (
    HEADINGS,
    Man,
    Name,
    Place,
    World,
    ahead,
    place_of,
    standing,
)

Stand = tuple[Any, ...]  # side, kind, hand and place of a man
GOINGS: Final = (Move, Doze, Bike, TakeOff, Fly)


class Outcome(NamedTuple):
    """Where who went came to, and whom it took."""

    end: Place
    taken: tuple[Man, ...]


def name_of(ref: Ref) -> Name:
    """The name that an action has for a man."""
    return (ref.handle, ref.cell, ref.index)


def called(world: World, ref: Ref) -> Man:
    """The man of that name, which the seat to play has."""
    [man] = [m for m in world.men if m.name == name_of(ref) and m.side == world.side]
    return man


def go_of(move: Move) -> Go:
    """A Move in the reading's words."""
    along = name_of(move.passenger) if move.passenger else None
    return Go(name_of(move.piece), tuple(map(place_of, move.route)), along)


def outcome(world: World, action: Any) -> Outcome:
    """What comes of a Move, a bike, a take-off or an advance in flight."""
    match action:
        case Move(route=route):
            return walked(world, tuple(map(place_of, route)))
        case Bike(cell=cell):
            return walked(world, (place_of(cell),))
        case TakeOff(piece=ref, pack=pack):
            start = called(world, ref).place
            entered = start.on(PACKS[pack][0])
            return Outcome(start, ()) if entered == start else walked(world, (entered,))
        case Fly(piece=ref):
            return flown(world, called(world, ref))
    raise AssertionError(f"nobody goes anywhere: {action}")


def walked(world: World, route: Route) -> Outcome:
    """WEC-49: it stops where it meets whom its player does not see; at the end it takes all."""
    known = [m.looks for m in world.acted_upon(world.side)]
    for place in route:
        foes = [m for m in standing(world.men, place) if m.side != world.side]
        if place == route[-1] or any(m.looks not in known for m in foes):
            return Outcome(place, tuple(foes))
    raise AssertionError("one enters at least one place")


def flown(world: World, man: Man) -> Outcome:
    """WEC-71, WEC-72: one king-step, and over the target down, as far as it is let."""
    assert man.target is not None
    goal = man.target.on(man.place.level)
    step = ahead(man.place, *towards(man.place, goal), 0)
    assert step is not None
    cells = [step] if step != man.place else []
    end = man.place
    for place in [*cells, man.target.on("Ground")] if step == goal else cells:
        here = standing(world.men, place)
        own = [m for m in here if m.side == man.side]
        foes = [m for m in here if m.side != man.side]
        if (own and foes) or len(own) > 1 or (own and not coexist(own[0], man)):
            break
        end = place
        if foes:
            return Outcome(end, tuple(foes))
    return Outcome(end, ())


def towards(start: Place, end: Place) -> tuple[int, int]:
    """A king-step along both axes while both differ, as rows and columns (WEC-60)."""
    rows, columns = end.row - start.row, end.column - start.column
    return (rows > 0) - (rows < 0), (columns > 0) - (columns < 0)


def felt(world: World, doze: Doze) -> tuple[Man, ...]:
    """Whom a doze meets: the unseen of the first square that holds any (WEC-48)."""
    for place in (*picked_by(doze), *(end for _, end in shifts(world, doze))):
        here = standing(world.men, place)
        foes = tuple(m for m in here if m.side != world.side and not m.is_public)
        if foes:
            return foes
    return ()


def picked_by(doze: Doze) -> Route:
    """The squares it picks."""
    return tuple(map(place_of, doze.picked))


def shifts(world: World, doze: Doze) -> list[tuple[Place, Place]]:
    """The Dozer's square, then the picked ones, each with where it is shifted to."""
    squares = (called(world, doze.dozer).place, *picked_by(doze))
    ends = [ahead(place, *HEADINGS[doze.heading], world.side) for place in squares]
    return [(place, end) for place, end in zip(squares, ends, strict=True) if end is not None]


def after(world: World, action: Any) -> list[Stand]:
    """Where everyone stands when somebody has gone somewhere."""
    if isinstance(action, Doze):
        moved = {} if felt(world, action) else dict(shifts(world, action))
        ends = {
            m: moved[m.place]
            for m in world.men
            if m.place in moved and (m.side == world.side or m.is_public)
        }
        return [stand(m, ends.get(m, m.place)) for m in world.men]
    end, taken = outcome(world, action)
    names = [name_of(action.piece)]
    if isinstance(action, Move) and action.passenger is not None:
        names.append(name_of(action.passenger))
    group = [m for m in world.men if m.side == world.side and m.name in names]
    left = [m for m in world.men if m not in group and m not in taken]
    return [*(stand(m, m.place) for m in left), *(stand(m, end) for m in group)]


def stand(man: Man, place: Place) -> Stand:
    """What is compared of a man."""
    return (man.side, man.kind, man.hand, place)
