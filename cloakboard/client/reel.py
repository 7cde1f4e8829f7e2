"""Looking back on a WEC match step by step: positions, sentences, notation.

A step is one action with all that came of it. Step 0 is the start position; after step n the
first n actions are done. Pure: no window.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final, NamedTuple

from cloakboard.client.recording import Recording
from cloakboard.client.words import PIECES, SIDES, place, told
from cloakboard.engine.events import Event, may_know
from cloakboard.engine.table import Record
from cloakboard.engine.wec import actions as acts
from cloakboard.engine.wec.board import find
from cloakboard.engine.wec.events import Article, Changed, Thwarted
from cloakboard.engine.wec.notation import write
from cloakboard.engine.wec.state import State

TAG: Final = "["  # how a line above the Turns begins


class Parted(NamedTuple):
    """A Move that an unseen enemy stopped: the cell it was meant for, and where it ended
    (WEC-49)."""

    start: int
    goal: int
    end: int


class Line(NamedTuple):
    """A line of the history: the step it belongs to, its Turn and the side that played it."""

    step: int
    turn: int
    side: int
    text: str


class Reel:
    """A recording as `eyes` saw it: a seat, or None for everything. Positions are worked out
    as far as they are asked for."""

    def __init__(self, recording: Recording, eyes: int | None) -> None:
        self.recording = recording
        self.eyes = eyes
        self._states: list[State] = [recording.start(eyes)]

    @property
    def steps(self) -> int:
        """How many actions there are."""
        return len(self.recording.log)

    def state(self, step: int) -> State:
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

    def action(self, step: int) -> acts.Action | None:
        """The action of a step as far as these eyes know it."""
        record = self.record(step)
        if record.action is None or self.eyes in (None, record.seat):
            known: acts.Action | None = record.action
        else:
            game = self.recording.game
            known, _ = game.split(self.state(step - 1), record.seat, record.action)
        return known

    def turn_starts(self) -> tuple[int, ...]:
        """For each Turn the step at which it begins."""
        turns = [self.state(step).turn for step in range(self.steps + 1)]
        return tuple(
            step for step, turn in enumerate(turns) if step == 0 or turn != turns[step - 1]
        )

    def parted(self, step: int) -> Parted | None:
        """Where a Move went otherwise than it was meant to, or None."""
        action = self.action(step) if step else None
        if not isinstance(action, acts.Move):
            return None
        piece = find(self.state(step - 1), self.record(step).seat, action.piece)
        goal = action.route[-1]
        for event in self.events(step):
            if isinstance(event, Changed) and event.cause == "moves" and event.after and piece:
                end = event.after.cell
                return Parted(piece.cell, goal, end) if end != goal else None
        return None

    def sentences(self, step: int) -> tuple[str, ...]:
        """What a step brought about, a sentence each; at least one."""
        if step == 0:
            return ("The start position.",)
        events = self.events(step)
        found: list[str] = []
        parted = self.parted(step)
        if parted is not None:
            found.append(_meant(self, step, parted))
        for index, event in enumerate(events):
            before = events[index - 1] if index else None
            after = events[index + 1] if index + 1 < len(events) else None
            if not told_with_its_piece(before, event, after):
                found.append(told(event))  # type: ignore[arg-type]  # events of this game
        found = [text for text in found if text]
        return tuple(found) or (self._plain(step),)

    def _plain(self, step: int) -> str:
        action = self.action(step)
        if action is None:
            return f"{SIDES[self.record(step).seat]} does something unseen."
        return f"{self.recording.game.say(self.state(step - 1), action)}."

    def lines(self) -> tuple[Line, ...]:
        """The history in words, a line for each sentence."""
        found: list[Line] = []
        for step in range(1, self.steps + 1):
            before = self.state(step - 1)
            is_end = isinstance(self.action(step), acts.EndTurn)
            sentences = self.sentences(step)
            if is_end and len(sentences) == 1 and sentences[0] == self._plain(step):
                continue
            found += [Line(step, before.turn, before.side, text) for text in sentences]
        return tuple(found)

    def notation(self) -> str:
        """The match as WEC notation, as these eyes may know it."""
        recording = self.recording
        names = recording.names
        if not recording.is_whole:  # what is left out is told with the opened secrets
            recording = replace(recording, result=None)
        return write(recording, (names[0], names[1]), recording.seat)

    def touched(self, step: int) -> tuple[int, ...]:
        """The squares that a step is about, ascending; none at the start position."""
        found: set[int] = set()
        for event in self.events(step) if step else ():
            match event:
                case Changed(before=before, after=after, cause=cause) if cause != "marked":
                    found.update(piece.square for piece in (before, after) if piece is not None)
                case Article(square=square) | Thwarted(square=square):
                    found.add(square)
                case _:
                    pass
        return tuple(sorted(found))

    def notation_lines(self) -> tuple[Line, ...]:
        """The Turns in notation, a line each; its step is the Turn's last."""
        turns = [text for text in self.notation().splitlines() if text and text[0] != TAG]
        starts = self.turn_starts()
        found: list[Line] = []
        for text in turns:
            number = int(text.split(".", 1)[0])
            index = number - self.state(0).turn
            first = starts[index]
            last = starts[index + 1] if index + 1 < len(starts) else self.steps
            state = self.state(first)
            found.append(Line(last, state.turn, state.side, text))
        return tuple(found)


def _meant(reel: Reel, step: int, parted: Parted) -> str:
    action = reel.action(step)
    assert isinstance(action, acts.Move)
    seat = reel.record(step).seat
    piece = find(reel.state(step - 1), seat, action.piece)
    assert piece is not None
    return (
        f"{SIDES[seat]}'s {PIECES[piece.kind]} sets out for {place(parted.goal)} and is stopped "
        f"at {place(parted.end)} by what it did not see."
    )


def told_with_its_piece(preceding: Event | None, event: Event, following: Event | None) -> bool:
    """Whether an article's coming or going is told with the piece that handles it."""
    if not isinstance(event, Article):
        return False
    handled, cause = (preceding, "drops") if event.came else (following, "picks_up")
    return isinstance(handled, Changed) and handled.cause == cause
