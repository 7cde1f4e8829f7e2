"""Driving `resolve`: one action from its first probe to its last event.

A driver answers each probe, applies each event at once and sends the new state back. Who
answers differs: `full_answer` for a machine that knows everything, `Published` for one that
goes by what was published.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any

import msgspec

from cloakboard.engine.chance import DRAW_LIMIT
from cloakboard.engine.errors import EngineError
from cloakboard.engine.events import Event, may_know
from cloakboard.engine.game import Action, Answer, Game, Key, Label, Resolution, State
from cloakboard.engine.probes import BLIND, PUBLIC, Form, Probe

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


def same_question(recorded: Probe, asked: Probe) -> bool:
    """Whether a machine that may know less asks what was asked: the same but for fields left
    at their defaults, which only a machine that holds the secret fills."""
    if type(recorded) is not type(asked):
        return False
    if (recorded.owner, recorded.asker) != (asked.owner, asked.asker):
        return False
    return all(
        getattr(asked, name) in (getattr(recorded, name), default)
        for name, default in _own_fields(type(asked))
    )


@cache
def _own_fields(kind: type[Probe]) -> tuple[tuple[str, Any], ...]:
    """Names and defaults of a probe's fields but for owner and asker."""
    shared = Probe.__struct_fields__
    fields = msgspec.structs.fields(kind)
    return tuple((field.name, field.default) for field in fields if field.name not in shared)


class Published:
    """Answers for the machine of seat `holder` (None: a spectator) from recorded exchanges:
    public ones as published, blind ones if it is the asker, its own worked out anew."""

    def __init__(self, game: Game, holder: int | None, exchanges: Iterable[Exchange]) -> None:
        self._game = game
        self._holder = holder
        self._left = iter(exchanges)

    def __call__(self, state: State, probe: Probe) -> Answer:
        """The answer this machine goes on with. Raises `Diverged` if it asks something else
        than was recorded, or would itself have answered otherwise."""
        recorded = next(self._left, None)
        if recorded is None or not same_question(recorded.probe, probe):
            raise Diverged("This machine asks what was not asked in the match", recorded, probe)
        known = recorded.answer if self._may_know(probe) else None
        if self._answers(probe):
            own = full_answer(self._game, state, probe, lambda: 0)
            if own != known:
                raise Diverged("This machine would have answered otherwise", known, own)
        return known

    def finish(self) -> None:
        """Raises `Diverged` unless every recorded exchange was asked for."""
        for unasked in self._left:
            raise Diverged("This machine does not ask what was asked", unasked, None)

    def _answers(self, probe: Probe) -> bool:
        return probe.owner == self._holder and probe.form not in BLIND | {Form.DRAW}

    def _may_know(self, probe: Probe) -> bool:
        knower = probe.asker if probe.form in BLIND else probe.owner
        return probe.form in PUBLIC or knower == self._holder


def public_replay(
    game: Game,
    state: State,
    holder: int | None,
    seat: int,
    action: Action,
    exchanges: Iterable[Exchange],
) -> Outcome:
    """The action resolved as the machine of seat `holder` (None: a spectator) resolves it on
    its own `state`, with the answers recorded in the match. `action` is the full action where
    `holder` is `seat`, its open part elsewhere. Raises `Diverged`."""
    published = Published(game, holder, exchanges)

    def check(event: Event, _: State) -> None:
        if not may_know(event, holder):
            raise Diverged("This machine worked out what it may not know", None, event)

    outcome = drive(game, state, seat, action, published, check)
    published.finish()
    return outcome
