"""Looking back on a match of any game step by step: positions, sentences, notation.

A step is one action with all that came of it. Step 0 is the start position; after step n the
first n actions are done. Pure: no window.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple

from cloakboard.client.recording import Recording
from cloakboard.engine.events import Event, may_know
from cloakboard.engine.game import Action
from cloakboard.engine.registry import notation
from cloakboard.engine.table import Record

TAG = "["  # how a line of notation begins that is no move


class Line(NamedTuple):
    """A line of the history: the step it belongs to, its Turn and the side that played it."""

    step: int
    turn: int
    side: int
    text: str


class Film:
    """A recording as `eyes` saw it: a seat, or None for everything. Positions are worked out
    as far as they are asked for, what tells of the whole match once: it is asked for at every
    step."""

    has_headings = True  # whether lines in words stand under a heading for each Turn

    def __init__(self, recording: Recording, eyes: int | None) -> None:
        self.recording = recording
        self.eyes = eyes
        self._states: list[Any] = [recording.start(eyes)]

    @property
    def steps(self) -> int:
        """How many actions there are."""
        return len(self.recording.log)

    def state(self, step: int) -> Any:
        """The position after so many actions."""
        while len(self._states) <= step:
            state = self._states[-1]
            for event in self.events(len(self._states)):
                state = self.recording.game.apply(state, event)
            self._states.append(state)
        return self._states[step]

    def record(self, step: int) -> Record:
        """The action that leads to a step, 1 or more."""
        return self.recording.log[step - 1]

    def events(self, step: int) -> tuple[Event, ...]:
        """What these eyes know of what happened in a step, 1 or more."""
        events = self.record(step).events
        if self.eyes is None:
            return events
        return tuple(event for event in events if may_know(event, self.eyes))

    def action(self, step: int) -> Action | None:
        """The action of a step as far as these eyes know it."""
        record = self.record(step)
        if record.action is None or self.eyes in (None, record.seat):
            return record.action
        known, _ = self.recording.game.split(self.state(step - 1), record.seat, record.action)
        return known

    @cached_property
    def turn_starts(self) -> tuple[int, ...]:
        """For each Turn the step at which it begins."""
        game = self.recording.game
        turns = [game.turn(self.state(step)) for step in range(self.steps + 1)]
        return tuple(
            step for step, turn in enumerate(turns) if step == 0 or turn != turns[step - 1]
        )

    def notation(self) -> str:
        """The match in notation, as these eyes may know it."""
        recording = self.recording
        names = recording.names
        if not recording.is_whole:  # what is left out is told with the opened secrets
            recording = replace(recording, result=None)
        written = notation(recording.game.id)
        return written.write(recording, (names[0], names[1]), recording.seat)

    # What a game's own film tells ---------------------------------------------------------

    def told(self, step: int) -> str:
        """When a step was, and what came of it: `Turn 3, Black: ...`."""
        raise NotImplementedError

    def sentences(self, step: int) -> tuple[str, ...]:
        """What a step brought about, a sentence each; at least one."""
        raise NotImplementedError

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """The history in words, a line for each sentence."""
        raise NotImplementedError

    @cached_property
    def notation_lines(self) -> tuple[Line, ...]:
        """The Turns in notation, a line each; its step is the Turn's last."""
        raise NotImplementedError
