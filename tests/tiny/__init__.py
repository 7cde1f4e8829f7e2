"""Line: hidden tokens on a line of cells, for two seats to four.

A game for the tests alone. It has one of everything that the protocol offers and nothing of
any real game, so that what is built on the protocol is tried on two shapes at least.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from cloakboard.engine.events import Event
from cloakboard.engine.game import Game, Resolution, Result, Types
from cloakboard.engine.options import Schema
from cloakboard.engine.probes import Lookup, Probe
from tests.tiny import events, probes, rules, view
from tests.tiny.actions import Action, AnyAction, Creep, Plant
from tests.tiny.options import SCHEMA
from tests.tiny.pieces import Token
from tests.tiny.setup import start
from tests.tiny.state import State


class Line:
    """The `Game` object."""

    title: str = "Line"
    rules_version: int = 1
    options: Schema = SCHEMA
    types: Types = Types(
        state=State,
        action=AnyAction,
        event=events.AnyEvent,
        probe=probes.AnyProbe,
        answer=probes.AnyAnswer,
        label=Token,
        counters=("next_handle",),
    )

    def __init__(self, seats: int) -> None:
        self.seats = seats
        self.id = f"line{seats}"

    def lookups(self, options: Mapping[str, Any], setup: str = "") -> Mapping[str, Lookup]:
        return probes.LOOKUPS

    def start(self, options: Mapping[str, Any], setup: str = "", seed: bytes = b"") -> State:
        return start(self.seats, options, setup)

    def to_act(self, state: State) -> tuple[int, ...]:
        return rules.to_act(state)

    def forced(self, state: State, seat: int) -> Action | None:
        return rules.forced(state, seat)

    def actions(self, state: State, seat: int) -> Iterator[Action]:
        return rules.actions(state, seat)

    def legal(self, state: State, seat: int, action: Action) -> None:
        rules.legal(state, seat, action)

    def split(self, state: State, seat: int, action: Action) -> tuple[Action | None, Action | None]:
        match action:
            case Creep():
                return None, action
            case Plant(handle=handle):
                return Plant(handle), action
        return action, None

    def cover(self, state: State, seat: int) -> tuple[Probe, ...]:
        return view.cover(state, seat)

    def resolve(self, state: State, seat: int, action: Action) -> Resolution:
        return rules.resolve(state, seat, action)

    def answer(self, state: State, probe: Probe) -> Any:
        return view.answer(state, probe)

    def query(self, state: State, probe: Probe) -> tuple[int, ...]:
        return view.query(state, probe)

    def holds(self, state: State, probe: Probe) -> Mapping[int, Token]:
        return view.holds(state, probe)

    def apply(self, state: State, event: Event) -> State:
        return events.apply(state, event)

    def view(self, state: State, seat: int) -> State:
        return view.view(state, seat)

    def public(self, state: State) -> State:
        return view.public(state)

    def admits(self, state: State, seat: int, event: Event) -> None:
        view.admits(state, seat, event)

    def may_ask(self, state: State, seat: int, probe: Probe) -> None:
        view.may_ask(state, seat, probe)

    def result(self, state: State) -> Result | None:
        return rules.result(state)

    def turn(self, state: State) -> int:
        return state.turn

    def seat_names(self) -> tuple[str, ...]:
        return tuple(f"Seat {seat}" for seat in range(self.seats))

    def text(self, state: State) -> str:
        tokens = "".join(f"{t.kind.name.title()} at {t.cell}, Seat {t.seat}\n" for t in state.shown)
        return f"Turn {state.turn}, Seat {state.mover} to play\n{tokens}"

    def say(self, state: State, action: Action) -> str:
        fields = (f"{name} {getattr(action, name)}" for name in action.__struct_fields__)
        return " ".join((type(action).__name__, *fields))


def game(seats: int = 3) -> Game:
    """Line for two to four seats; the ids are `line2` to `line4`."""
    return Line(seats)


GAME: Final[Game] = game()
