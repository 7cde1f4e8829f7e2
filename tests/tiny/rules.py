"""The rules of Line.

LINE-1  Tokens stand on a line of cells, one to a cell. A seat without tokens is out.
LINE-2  A main action a Turn. A shown token steps; tokens in between that are seen bar the way,
        own ones its end too. It stops at the first hidden token it meets; it takes what
        stands in the cell where it ends. Each seat shows the first one it has on the way.
LINE-3  A leap goes to a drawn cell; an own token there keeps the runner where it is.
LINE-4  A hidden token creeps one or two cells, the second for a unit of fuel, and takes as in
        LINE-2 without being shown.
LINE-5  A rolling runner goes on in each Turn of its seat until the edge or an own token.
LINE-6  A trap costs a unit of fuel and goes off under a shown token of another seat, when a
        Turn ends. Found out then are hidden tokens beside shown ones of other seats.
LINE-7  A shot hits the first token, its own seat's too, within five cells.
LINE-8  A Turn ends when its main action is done, or none exists. Then the next seat's hidden
        scouts see two cells to each side.
LINE-9  The last seat with tokens wins. Nobody wins after the agreed number of Turns.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

from cloakboard.engine.chance import below
from cloakboard.engine.errors import IllegalAction
from cloakboard.engine.game import Resolution, Result
from tests.tiny.actions import (
    Action,
    Creep,
    End,
    Hide,
    Leap,
    Plant,
    Roll,
    RollOn,
    Shoot,
    Step,
)
from tests.tiny.events import (
    Acted,
    Appeared,
    Crept,
    Kept,
    Lost,
    Passed,
    Planted,
    Rolling,
    Saw,
    Sprung,
    Vanished,
    Walked,
)
from tests.tiny.pieces import CREEP, SHOT, STEPS, Kind, Token
from tests.tiny.probes import (
    Ahead,
    Buried,
    Duty,
    Fate,
    InLine,
    Met,
    Pairs,
    Stock,
    Struck,
    Told,
    Way,
    Zone,
)
from tests.tiny.state import Shown, State

HEADINGS: Final = (-1, 1)
Stage = Generator[Any, Any, State]


def way(state: State, cell: int, heading: int, length: int) -> tuple[int, ...]:
    """The cells from the one beside `cell` on, as far as the line goes."""
    cells = (cell + heading * step for step in range(1, length + 1))
    return tuple(cell for cell in cells if 0 <= cell < state.cells)


def is_free(state: State, seat: int, cells: tuple[int, ...], length: int) -> bool:
    """Whether the seat's token may try to go along all `length` cells (LINE-2)."""
    own = any(state.hidden_at(seat, cell) for cell in cells)
    barred = any(state.at(cell) for cell in cells[:-1])
    end = state.at(cells[-1]) if cells else None
    return len(cells) == length and not own and not barred and (end is None or end.seat != seat)


def main_actions(state: State, seat: int) -> Iterator[Action]:
    """Main actions as far as the state knows, in order of handle, then cell."""
    own = state.known[seat]
    for token in (token for token in state.shown if token.seat == seat):
        for heading in HEADINGS:
            for length in range(1, STEPS[token.kind] + 1):
                if is_free(state, seat, way(state, token.cell, heading, length), length):
                    yield Step(token.handle, heading, length)
        if token.kind is Kind.RUNNER and not token.rolling:
            yield Leap(token.handle)
            for heading in HEADINGS:
                if way(state, token.cell, heading, 1):
                    yield Roll(token.handle, heading)
        yield Hide(token.handle)
        if own is None:
            yield Plant(token.handle)
            continue
        for cell in range(max(0, token.cell - 1), min(state.cells, token.cell + 2)):
            if own.fuel and cell not in own.traps:
                yield Plant(token.handle, cell + 1)
    for hidden in state.secrets(seat).hidden:
        for heading in HEADINGS:
            for length in range(1, CREEP + 1):
                if state.secrets(seat).fuel < length - 1:
                    continue
                if is_free(state, seat, way(state, hidden.cell, heading, length), length):
                    yield Creep(hidden.cell, heading, length)


def actions(state: State, seat: int) -> Iterator[Action]:
    """Legal actions as far as the state knows: main ones, shots, the end of the Turn."""
    if seat not in to_act(state):
        return
    if (owed := forced(state, seat)) is not None:
        yield owed
        return
    ends = state.acted or state.known[seat] is None
    if not state.acted:
        mains = tuple(main_actions(state, seat))
        yield from mains
        ends = ends or not mains
    if not state.shot:
        for token in state.shown:
            if token.seat == seat and token.kind is Kind.GUNNER:
                for heading in HEADINGS:
                    if way(state, token.cell, heading, 1):
                        yield Shoot(token.handle, heading)
    if ends:
        yield End()


def legal(state: State, seat: int, action: Action) -> None:
    """Raises `IllegalAction` (LINE-2 to LINE-8)."""
    if action not in tuple(actions(state, seat)):
        raise IllegalAction("LINE-2", "This token cannot do that now; choose another action")


def to_act(state: State) -> tuple[int, ...]:
    """The mover, until the match is over."""
    return () if result(state) else (state.mover,)


def forced(state: State, seat: int) -> Action | None:
    """The next rolling runner goes on before anything else (LINE-5)."""
    return RollOn(state.due[0]) if seat == state.mover and state.due else None


def result(state: State) -> Result | None:
    """LINE-9."""
    alive = tuple(seat for seat, left in enumerate(state.left) if left)
    if len(alive) < 2:
        return Result(alive, "last")
    return Result((), "turns") if state.turn >= state.turns else None


def resolve(state: State, seat: int, action: Action) -> Resolution:
    """What the action does."""
    return RULES[type(action)](state, seat, action)


def _first_met(state: State, cells: tuple[int, ...], asked: tuple[int, ...]) -> Stage:
    """Each asked seat shows its first token on the way up to the nearest one so far."""
    for owner in asked:
        token: Token | None = yield Met(owner=owner, cells=cells)
        if token is not None:
            state = yield Appeared(seat=owner, token=token)
            cells = cells[: cells.index(token.cell) + 1]
    return state


def _take(state: State, seat: int, cell: int) -> Stage:
    """What another seat shows in the cell is lost."""
    met = state.at(cell)
    if met is not None and met.seat != seat:
        state = yield Lost(handle=met.handle)
    return state


def _walk(state: State, token: Shown, cells: tuple[int, ...], asked: tuple[int, ...]) -> Stage:
    """The token goes along the cells to the first one with a token, which it takes."""
    state = yield from _first_met(state, cells, asked)
    end = next((cell for cell in cells if state.at(cell)), cells[-1])
    state = yield from _take(state, token.seat, end)
    if state.at(end) is None:
        state = yield Walked(handle=token.handle, cell=end)
    return state


def _step(state: State, seat: int, action: Step) -> Resolution:
    token = _shown(state, action.handle)
    cells = way(state, token.cell, action.heading, action.length)
    yield from _walk(state, token, cells, state.others(seat))
    yield Acted()


def _leap(state: State, seat: int, action: Leap) -> Resolution:
    drawn: int = yield Fate(owner=seat)
    cells = (below(drawn, state.cells),)
    if not _bars(state, seat, cells[0]):
        yield from _walk(state, _shown(state, action.handle), cells, _all(state))
    yield Acted()


def _roll(state: State, seat: int, action: Roll) -> Resolution:
    yield from _roll_once(state, _shown(state, action.handle), action.heading)
    yield Acted()


def _roll_on(state: State, seat: int, action: RollOn) -> Resolution:
    token = _shown(state, action.handle)
    yield from _roll_once(state, token, token.rolling)


def _roll_once(state: State, token: Shown, heading: int) -> Resolution:
    cells = way(state, token.cell, heading, 1)
    if cells and not _bars(state, token.seat, cells[0]):
        state = yield from _walk(state, token, cells, _all(state))
    moved = _shown(state, token.handle).cell != token.cell
    yield Rolling(handle=token.handle, heading=heading if moved else 0)


def _hide(state: State, seat: int, action: Hide) -> Resolution:
    token = _shown(state, action.handle)
    fuel: int | None = yield Stock(owner=seat)
    yield Vanished(handle=token.handle)
    if fuel is not None:  # this machine holds the seat's secrets
        yield Kept(only=(seat,), seat=seat, token=Token(token.cell, token.kind))
    yield Acted()


def _plant(state: State, seat: int, action: Plant) -> Resolution:
    cell: int | None = yield Buried(owner=seat, cell=action.cell)
    if cell:
        yield Planted(only=(seat,), seat=seat, cell=cell - 1)
    yield Acted()


def _shoot(state: State, seat: int, action: Shoot) -> Resolution:
    line = way(state, _shown(state, action.handle).cell, action.heading, SHOT)
    stop = next((n for n, cell in enumerate(line, 1) if state.at(cell)), 0)
    line = line[:stop] if stop else line
    nearest: int | None = yield Ahead(owner=seat, line=line)
    hit = nearest or stop
    for owner in state.others(seat):
        limit = 0 if nearest is None else hit or len(line)
        pairs = yield InLine(owner=owner, asker=seat, line=line, limit=limit)
        for _, token in pairs or ():
            hit = line.index(token.cell) + 1
    claim = yield Struck(owner=seat, value=None if nearest is None else hit)
    if 0 < claim <= len(line):
        cell = line[claim - 1]
        if state.at(cell) is None:
            state = yield from _first_met(state, (cell,), _all(state))
        target = state.at(cell)
        if target is not None:
            yield Lost(handle=target.handle)
    yield Acted(shot=True)


def _creep(state: State, seat: int, action: Creep) -> Resolution:
    cells = way(state, action.cell, action.heading, action.length)
    token = state.hidden_at(seat, action.cell)
    assert token is not None, "only its own machine resolves a veiled action"
    met: int | None = None
    for owner, pairs in (yield from _ask_way(state, seat, cells)):
        for cell, _ in pairs:
            if cell in cells:
                met, cells = owner, cells[: cells.index(cell) + 1]
    if met is not None:
        state = yield from _first_met(state, cells[-1:], (met,))
    yield from _take(state, seat, cells[-1])
    fuel = len(cells) - 1
    yield Crept(only=(seat,), seat=seat, token=token, cell=cells[-1], fuel=fuel)
    yield Acted()


def _ask_way(
    state: State, seat: int, cells: tuple[int, ...]
) -> Generator[Way, Pairs, list[tuple[int, Pairs]]]:
    """What each other seat holds of the way, all asked before anything else happens."""
    asked: list[tuple[int, Pairs]] = []
    for owner in state.others(seat):
        asked.append((owner, (yield Way(owner=owner, asker=seat, cells=cells))))
    return asked


def _end(state: State, seat: int, action: End) -> Resolution:
    told: list[Told] = []
    for owner in range(len(state.left)):
        told.append((yield Duty(owner=owner)))
    for owner, duty in enumerate(told):
        for token in duty.found:
            state = yield Appeared(seat=owner, token=token)
    for owner, duty in enumerate(told):
        for cell in duty.sprung:
            state = yield Sprung(seat=owner, cell=cell)
            state = yield from _take(state, owner, cell)
    alive = [s for s in (*range(seat + 1, len(state.left)), *range(seat + 1)) if state.left[s]]
    if len(alive) < 2:
        return
    state = yield Passed(mover=alive[0])
    for owner in state.others(alive[0]):
        pairs = yield Zone(owner=owner, asker=alive[0])
        if pairs:
            sight = tuple((owner, token) for _, token in pairs)
            yield Saw(only=(alive[0],), seat=alive[0], sight=sight)


def _all(state: State) -> tuple[int, ...]:
    return tuple(range(len(state.left)))


def _shown(state: State, handle: int) -> Shown:
    token = state.by_handle(handle)
    assert token is not None, "legality knows the handle"
    return token


def _bars(state: State, seat: int, cell: int) -> bool:
    """Whether a shown token of the seat itself stands in the cell."""
    token = state.at(cell)
    return token is not None and token.seat == seat


RULES: Final[Mapping[type[Action], Callable[[State, int, Any], Resolution]]] = MappingProxyType(
    {
        Step: _step,
        Leap: _leap,
        Roll: _roll,
        RollOn: _roll_on,
        Hide: _hide,
        Plant: _plant,
        Shoot: _shoot,
        Creep: _creep,
        End: _end,
    }
)
