"""Looking back on a WEC match: what was done and seen, in sentences and in notation."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from cloakboard.client.film import TAG, Film, Line
from cloakboard.client.words import PIECES, SIDES, place, told
from cloakboard.engine.events import Event
from cloakboard.engine.wec import actions as acts
from cloakboard.engine.wec.board import find
from cloakboard.engine.wec.events import Article, Changed, Thwarted
from cloakboard.engine.wec.state import State


class Parted(NamedTuple):
    """A Move that an unseen enemy stopped: the cell it was meant for, and where it ended
    (WEC-49)."""

    start: int
    goal: int
    end: int


class Reel(Film):
    """See `Film`."""

    def state(self, step: int) -> State:
        """The position after so many actions."""
        found: State = super().state(step)
        return found

    def told(self, step: int) -> str:
        """When it was, and what came of it."""
        before = self.state(max(0, step - 1))
        return f"Turn {before.turn}, {SIDES[before.side]}: {' '.join(self.sentences(step))}"

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

    @cached_property
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

    @cached_property
    def notation_lines(self) -> tuple[Line, ...]:
        """The Turns in notation, a line each; its step is the Turn's last."""
        turns = [text for text in self.notation().splitlines() if text and text[0] != TAG]
        starts = self.turn_starts
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
