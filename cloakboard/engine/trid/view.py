"""What a seat may know: everything. Nothing is hidden in this game."""

from __future__ import annotations

from cloakboard.engine.errors import IllegalAction
from cloakboard.engine.events import Event
from cloakboard.engine.probes import Probe
from cloakboard.engine.trid.board import BLACK
from cloakboard.engine.trid.state import State


def view(state: State, seat: int) -> State:
    """The state itself."""
    return state


def public(state: State) -> State:
    """The state itself."""
    return state


def admits(state: State, seat: int, event: Event) -> None:
    """Raises `IllegalAction`: no action is hidden, so none could show anything."""
    raise IllegalAction("TD-22", "every move is made in the open")


def may_ask(state: State, seat: int, probe: Probe) -> None:
    """Raises `IllegalAction`: nothing is hidden, so there is nothing to ask."""
    raise IllegalAction("TD-22", "every move is made in the open")


def turn(state: State) -> int:
    """Number of turns completed, of either side, from the first move's number on."""
    return 2 * (state.number - 1) + (state.side == BLACK)
