"""Who may know what of a state of Line, and the answers a seat owes from what it knows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from cloakboard.engine.errors import IllegalAction
from cloakboard.engine.events import Event
from cloakboard.engine.probes import Probe
from tests.tiny.events import Acted, Appeared, Lost
from tests.tiny.pieces import ZONE, Kind, Token
from tests.tiny.probes import Ahead, Buried, Duty, InLine, Met, Stock, Told, Way, Zone
from tests.tiny.state import State


def public(state: State) -> State:
    """What everyone may know."""
    return replace(state, known=(None,) * len(state.known))


def view(state: State, seat: int) -> State:
    """What the seat may know."""
    known = (own if other == seat else None for other, own in enumerate(state.known))
    return replace(state, known=tuple(known))


def answer(state: State, probe: Probe) -> Any:
    """The owner's answer to a SHOW, TELL or OWN probe, from a state that knows its secrets."""
    own = state.secrets(probe.owner)
    match probe:
        case Met():
            found = (state.hidden_at(probe.owner, cell) for cell in probe.cells)
            return next((token for token in found if token is not None), None)
        case Duty():
            enemies = {token.cell for token in state.shown if token.seat != probe.owner}
            near = (t for t in own.hidden if {t.cell - 1, t.cell + 1} & enemies)
            return Told(tuple(near), tuple(cell for cell in own.traps if cell in enemies))
        case Ahead():
            ahead = (n for n, c in enumerate(probe.line, 1) if state.hidden_at(probe.owner, c))
            return next(ahead, 0)
        case Buried():
            return probe.cell if own.fuel else 0
        case Stock():
            return own.fuel
    raise TypeError(f"{type(probe).__name__} is not answered by its owner")


def query(state: State, probe: Probe) -> tuple[int, ...]:
    """The asker's keys, ascending."""
    match probe:
        case Way():
            return tuple(sorted(probe.cells))
        case InLine():
            return (probe.limit,)
        case Zone():
            scouts = [t.cell for t in state.secrets(probe.asker).hidden if t.kind is Kind.SCOUT]
            near = {cell + by for cell in scouts for by in range(-ZONE, ZONE + 1) if by}
            return tuple(sorted(cell for cell in near if 0 <= cell < state.cells))
    raise TypeError(f"{type(probe).__name__} is no blind probe")


def holds(state: State, probe: Probe) -> Mapping[int, Token]:
    """The owner's tokens by key."""
    if isinstance(probe, InLine):
        rows: dict[int, Token] = {}
        first: Token | None = None
        for limit, cell in enumerate(probe.line, 1):
            first = first or state.hidden_at(probe.owner, cell)
            if first is not None:
                rows[limit] = first
        return rows
    return {token.cell: token for token in state.secrets(probe.owner).hidden}


def cover(state: State, seat: int) -> tuple[Probe, ...]:
    """What every veiled action asks."""
    return tuple(Way(owner=owner, asker=seat) for owner in state.others(seat))


def may_ask(state: State, seat: int, probe: Probe) -> None:
    """Raises `IllegalAction` if no hidden token asks this: it asks what it met, in one cell."""
    if not isinstance(probe, Met) or len(probe.cells) != 1 or probe.owner == seat:
        raise IllegalAction("LINE-4", "No hidden token asks that")


def admits(state: State, seat: int, event: Event) -> None:
    """Raises `IllegalAction` if no hidden token of the seat can show this event (LINE-4)."""
    can_creep = seat == state.mover and not state.acted and not state.due and state.unseen(seat)
    match event:
        case Acted(shot=False):
            plausible = True
        case Appeared(seat=owner, token=token):
            plausible = owner != seat and state.unseen(owner) > 0 and state.at(token.cell) is None
            if state.known[owner] is not None:
                plausible = plausible and token in state.secrets(owner).hidden
        case Lost(handle=handle):
            met = state.by_handle(handle)
            plausible = met is not None and met.seat != seat
        case _:
            plausible = False
    if not can_creep or not plausible:
        raise IllegalAction("LINE-4", "No hidden token of this seat can do that now")
