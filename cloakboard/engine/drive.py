"""Driving `resolve`: one action from its first probe to its last event.

A driver answers each probe, applies each event at once and sends the new state back. On a
machine that knows everything `full_answer` answers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from cloakboard.engine.chance import DRAW_LIMIT
from cloakboard.engine.errors import EngineError
from cloakboard.engine.events import Event
from cloakboard.engine.game import Action, Answer, Game, Key, Label, Resolution, State
from cloakboard.engine.probes import BLIND, Form, Probe

Ask = Callable[[State, Probe], Answer]
Observer = Callable[[Event, State], None]


class Exchange(msgspec.Struct, frozen=True):
    """One probe and what it was answered."""

    probe: Probe
    answer: Any


class Outcome(msgspec.Struct, frozen=True):
    """What one action came to on one machine: the state after it, and all that led there."""

    state: Any
    exchanges: tuple[Exchange, ...]
    events: tuple[Event, ...]


class Diverged(EngineError):
    """A machine did not get to the questions or events that were recorded or may be known.
    `expected` and `actual` are what was recorded and what came."""

    def __init__(self, text: str, expected: object, actual: object) -> None:
        super().__init__(text)
        self.expected = expected
        self.actual = actual


def drive(
    game: Game,
    state: State,
    seat: int,
    action: Action,
    ask: Ask,
    observer: Observer | None = None,
) -> Outcome:
    """The action resolved on `state`. `ask` answers each probe from the state that the events
    so far have left; `observer` gets each event with the state after it."""
    exchanges: list[Exchange] = []
    events: list[Event] = []
    resolution = game.resolve(state, seat, action)
    told = next(resolution, None)
    while told is not None:
        if isinstance(told, Probe):
            answer = ask(state, told)
            exchanges.append(Exchange(told, answer))
            told = step(resolution, answer)
        else:
            state = game.apply(state, told)
            events.append(told)
            if observer is not None:
                observer(told, state)
            told = step(resolution, state)
    return Outcome(state, tuple(exchanges), tuple(events))


def step(resolution: Resolution, value: Answer | State) -> Probe | Event | None:
    """What a resolution yields once it is sent a value; None: it is over."""
    try:
        return resolution.send(value)
    except StopIteration:
        return None


def full_answer(game: Game, state: State, probe: Probe, draw: Callable[[], int]) -> Answer:
    """The answer of any probe from a state that holds every seat's secrets. `draw` is asked
    for the next integer in [0, 2**128)."""
    if probe.form in BLIND:
        keys = game.query(game.view(state, probe.asker), probe)
        rows = game.holds(game.view(state, probe.owner), probe)
        return blind_answer(probe, keys, rows)
    if probe.form is Form.DRAW:
        drawn = draw()
        assert 0 <= drawn < DRAW_LIMIT, "a draw has 128 bits"
        return drawn
    if probe.form is Form.CLAIM:
        return getattr(probe, "value")  # noqa: B009 - each game's claims type their value
    return game.answer(state, probe)


def blind_answer(
    probe: Probe, keys: Iterable[Key], rows: Mapping[Key, Label]
) -> tuple[tuple[Key, Label | None], ...]:
    """What the asker learns: the pairs of its keys that the owner holds, in the keys' order;
    of an OCCUPIED probe without the labels."""
    labelled = probe.form is not Form.OCCUPIED
    return tuple((key, rows[key] if labelled else None) for key in keys if key in rows)
