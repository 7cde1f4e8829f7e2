"""Weaponized Chess: the `Game` object."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from cloakboard.engine.events import Event
from cloakboard.engine.game import Game, Resolution, Result, Types
from cloakboard.engine.options import Schema
from cloakboard.engine.probes import Lookup, Probe
from cloakboard.engine.wec import fold, names, probes, rules, text, view
from cloakboard.engine.wec.actions import Action, AnyAction
from cloakboard.engine.wec.events import AnyEvent
from cloakboard.engine.wec.notation.header import RULES_VERSION
from cloakboard.engine.wec.options import OPTIONS
from cloakboard.engine.wec.setup import start
from cloakboard.engine.wec.state import State


class WeaponizedChess:
    """See `cloakboard.engine.game.Game` for what each method promises."""

    id: str = "wec"
    title: str = "Weaponized Chess"
    seats: int = 2
    rules_version: int = RULES_VERSION
    options: Schema = OPTIONS
    types: Types = Types(
        state=State,
        action=AnyAction,
        event=AnyEvent,
        probe=probes.AnyProbe,
        answer=probes.Answer,
        label=probes.Label,
        counters=("next_handle", "next_lock", "next_shot"),
    )

    def lookups(self, options: Mapping[str, Any], setup: str = "") -> Mapping[str, Lookup]:
        return probes.lookups(start(options, setup))

    def start(self, options: Mapping[str, Any], setup: str = "", seed: bytes = b"") -> State:
        return start(options, setup, seed)

    def to_act(self, state: State) -> tuple[int, ...]:
        return rules.to_act(state)

    def forced(self, state: State, seat: int) -> Action | None:
        return rules.forced(state, seat)

    def actions(self, state: State, seat: int) -> Iterator[Action]:
        return rules.actions(state, seat)

    def legal(self, state: State, seat: int, action: Action) -> None:
        rules.legal(state, seat, action)

    def split(self, state: State, seat: int, action: Action) -> tuple[Action | None, Action | None]:
        return rules.split(state, seat, action)

    def cover(self, state: State, seat: int) -> tuple[Probe, ...]:
        return (probes.Path(owner=1 - seat, asker=seat),)

    def resolve(self, state: State, seat: int, action: Action) -> Resolution:
        return rules.resolve(state, seat, action)

    def answer(self, state: State, probe: Probe) -> probes.Answer:
        return probes.answer(state, probe)

    def query(self, state: State, probe: Probe) -> tuple[int, ...]:
        return probes.query(state, probe)

    def holds(self, state: State, probe: Probe) -> Mapping[int, Any]:
        return probes.holds(state, probe)

    def apply(self, state: State, event: Event) -> State:
        return fold.apply(state, event)

    def view(self, state: State, seat: int) -> State:
        return view.view(state, seat)

    def public(self, state: State) -> State:
        return view.public(state)

    def admits(self, state: State, seat: int, event: Event) -> None:
        view.admits(state, seat, event)

    def may_ask(self, state: State, seat: int, probe: Probe) -> None:
        probes.may_ask(seat, probe)

    def result(self, state: State) -> Result | None:
        return view.result(state)

    def turn(self, state: State) -> int:
        return view.turn(state)

    def seat_names(self) -> tuple[str, ...]:
        return names.SEATS

    def text(self, state: State) -> str:
        return text.text(state)

    def say(self, state: State, action: Action) -> str:
        return text.say(state, action)


GAME: Final[Game] = WeaponizedChess()
