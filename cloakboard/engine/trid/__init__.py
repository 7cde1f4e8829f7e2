"""Star Trek tri-dimensional chess: the `Game` object."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from cloakboard.engine.events import Event
from cloakboard.engine.game import Game, Resolution, Result, Types
from cloakboard.engine.options import Schema
from cloakboard.engine.probes import NO_LOOKUPS, Lookup, Probe
from cloakboard.engine.trid import fold, rules, text, view
from cloakboard.engine.trid.actions import Action, AnyAction
from cloakboard.engine.trid.events import AnyEvent
from cloakboard.engine.trid.options import OPTIONS
from cloakboard.engine.trid.setup import start
from cloakboard.engine.trid.state import State


class TriDimensionalChess:
    """See `cloakboard.engine.game.Game` for what each method promises. Nothing is hidden, so
    there are no probes, and no veiled actions to cover."""

    id: str = "trid"
    title: str = "Tri-Dimensional Chess"
    seats: int = 2
    rules_version: int = 1
    options: Schema = OPTIONS
    types: Types = Types(
        state=State, action=AnyAction, event=AnyEvent, probe=None, answer=None, label=None
    )

    def lookups(self, options: Mapping[str, Any], setup: str = "") -> Mapping[str, Lookup]:
        return NO_LOOKUPS

    def start(self, options: Mapping[str, Any], setup: str = "", seed: bytes = b"") -> State:
        return start(options, setup, seed)

    def to_act(self, state: State) -> tuple[int, ...]:
        return rules.to_act(state)

    def forced(self, state: State, seat: int) -> Action | None:
        return None

    def actions(self, state: State, seat: int) -> Iterator[Action]:
        return rules.actions(state, seat)

    def legal(self, state: State, seat: int, action: Action) -> None:
        rules.check_legal(state, seat, action)

    def split(self, state: State, seat: int, action: Action) -> tuple[Action | None, Action | None]:
        return action, None

    def cover(self, state: State, seat: int) -> tuple[Probe, ...]:
        return ()

    def resolve(self, state: State, seat: int, action: Action) -> Resolution:
        return rules.resolve(state, seat, action)

    def answer(self, state: State, probe: Probe) -> None:
        raise AssertionError("this game asks nothing")

    def query(self, state: State, probe: Probe) -> tuple[int, ...]:
        raise AssertionError("this game asks nothing")

    def holds(self, state: State, probe: Probe) -> Mapping[int, Any]:
        raise AssertionError("this game asks nothing")

    def apply(self, state: State, event: Event) -> State:
        return fold.apply(state, event)

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
        return view.turn(state)

    def seat_names(self) -> tuple[str, ...]:
        return text.SEATS

    def text(self, state: State) -> str:
        return text.text(state)

    def say(self, state: State, action: Action) -> str:
        return text.say(state, action)

    def perft(self, state: State, depth: int) -> int:
        return rules.perft(state, depth)


GAME: Final[Game] = TriDimensionalChess()
