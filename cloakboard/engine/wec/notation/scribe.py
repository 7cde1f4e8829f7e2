"""From what happened at a table to the Turns of its history.

A scribe follows the table's log and says each action as the position before it names the
pieces. For a reader it goes by what that seat may know: an action that was not seen is left
out, and what it showed to everyone stands in notes (WEC-35, WEC-110).
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count
from types import MappingProxyType
from typing import Final

from cloakboard.engine.events import Event, may_know
from cloakboard.engine.game import Game
from cloakboard.engine.table import Record
from cloakboard.engine.wec import actions as acts
from cloakboard.engine.wec.actions import Action
from cloakboard.engine.wec.events import Article, Changed, Flew, Thwarted
from cloakboard.engine.wec.headings import SIGN, STEPS
from cloakboard.engine.wec.notation.clauses import (
    NAMES,
    Call,
    Clause,
    Doze,
    Fate,
    Move,
    Note,
    PickUp,
    Shot,
    Turn,
)
from cloakboard.engine.wec.notation.wording import CLAUSES, piece_of, plain
from cloakboard.engine.wec.probes import Candidate, answer
from cloakboard.engine.wec.state import Piece, Projectile, State

STUN_SHOWN: Final = 255  # the grammar has no larger count
# How a loss is called, by the cause of its event; other losses by the piece's code (WEC-64).
LOSSES: Final = MappingProxyType({"rocket": "RK", "sam": "SK", "torpedo": "TK", "burnt": "FL"})
NOTED: Final = MappingProxyType({"shown": "seen", "locked": "locked"})
MOVED: Final = frozenset({"dozed", "carried"})
HANDED: Final = frozenset({"gives", "receives"})


class Scribe:
    """Writes Turns. `state` is the start position as the reader knows it."""

    def __init__(self, game: Game, state: State, reader: int | None = None) -> None:
        self._game = game
        self._state = state
        self._reader = reader
        self._turns: list[Turn] = []
        self._begin()

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The Turns so far, the running one last if anything happened in it."""
        running = self.running
        begun = running.clauses or running.results or running.notes
        return (*self._turns, running) if begun else tuple(self._turns)

    @property
    def running(self) -> Turn:
        """The Turn that is not ended yet."""
        return self._turn(finished=False)

    def take(self, record: Record) -> None:
        """Notes one action with all that came of it. What the reader may not know of the record
        is not looked at: it may be left out, the action too (None)."""
        action = self._known_part(record)
        before = self._state
        events = [e for e in record.events if self._reader is None or may_know(e, self._reader)]
        told = None
        if action is not None and type(action) in CLAUSES:
            told = CLAUSES[type(action)](before, record.seat, action)
        for event in events:
            self._note(event, hidden=action is None)
            self._state = self._game.apply(self._state, event)
        if told is not None:
            self._add(told.name, self._outcome(told.clause, before, record, events))
        if isinstance(action, acts.Fly):
            self._fly(before, record.seat, action, events)
        if isinstance(action, acts.EndTurn):
            self._turns.append(self._turn(finished=True))
            self._begin()

    def _begin(self) -> None:
        self._clauses: dict[str, Clause] = {}
        self._results: list[Shot | Fate] = []
        self._notes: list[Note] = []
        self._number, self._side = self._state.turn, self._state.side

    def _turn(self, finished: bool) -> Turn:
        happened = tuple(self._clauses)
        listed = tuple(sorted(happened, key=NAMES.index))
        return Turn(
            number=self._number,
            clauses=tuple((name, self._clauses[name]) for name in listed),
            order=() if happened == listed else happened,
            results=tuple(self._results),
            notes=tuple(self._notes),
            unseen="MV" not in happened and self._reader not in (None, self._side),
            finished=finished,
        )

    def _known_part(self, record: Record) -> Action | None:
        if record.action is None or self._reader in (None, record.seat):
            known: Action | None = record.action
        else:
            known, _ = self._game.split(self._state, record.seat, record.action)
        return known

    def _add(self, name: str, clause: Clause) -> None:
        if name == "FI":
            name = "FI2" if "FI1" in self._clauses else "FI1"
        self._clauses[name] = clause

    def _outcome(
        self, clause: Clause, before: State, record: Record, events: Iterable[Event]
    ) -> Clause:
        """The clause with what came of the action: where it met an unseen enemy, and which
        candidate a lock-on took."""
        if isinstance(clause, PickUp) and self._reader is None:
            return PickUp(clause.man, clause.item, _draw(before, record))
        thwarted = [event.square for event in events if isinstance(event, Thwarted)]
        if thwarted and isinstance(clause, Doze):
            return Doze(clause.man, clause.goal, clause.heading, clause.men, clause.bare, *thwarted)
        if thwarted and isinstance(clause, Call):
            return Call(clause.square, clause.kind, clause.hand, *thwarted)
        if isinstance(clause, Move):
            ends = [
                event.after.cell
                for event in events
                if isinstance(event, Changed) and event.cause == "moves" and event.after
            ]
            if ends and ends[0] != clause.goal:
                return Move(clause.man, clause.goal, clause.passenger, clause.route, ends[0])
        return clause

    def _fly(self, before: State, seat: int, action: acts.Fly, events: Iterable[Event]) -> None:
        flyer = piece_of(before, seat, action.piece)
        for event in events:
            if isinstance(event, Changed) and event.cause in ("flies", "lands") and event.after:
                self._notes.append(Note("flight", plain(flyer), cell=event.after.cell))

    def _note(self, event: Event, hidden: bool) -> None:
        match event:
            case Changed():
                self._changed(event, hidden)
            case Flew(before=before, after=after, square=square):
                if before is not None or hidden:
                    kind = (before or after).kind  # type: ignore[union-attr]
                    self._results.append(
                        Shot(kind, square, None if after is None else _step(after))
                    )
            case Article(square=square, gear=gear, came=came) if hidden:
                word = "came" if came else "gone"
                self._notes.append(Note(word, article=gear.kind, cell=square))

    def _changed(self, event: Changed, hidden: bool) -> None:
        before, after, cause = event.before, event.after, event.cause
        known = after or before
        assert known is not None
        if before is not None and (cause in ("stunned", "converted") or after is None):
            self._results.append(self._fate(before, after, cause))
        if cause in NOTED:
            self._notes.append(Note(NOTED[cause], plain(known), side=known.side))
        elif (
            after is not None
            and after.handle
            and cause == "fires"
            and not (before is not None and before.handle)
        ):
            self._notes.append(Note("seen", plain(after), side=after.side))
        elif hidden and after is not None and before is not None and cause in MOVED:
            note = Note("moved", plain(before), cell=after.cell, side=after.side)
            self._notes.append(note)
        elif hidden and after is not None and cause in HANDED:
            self._notes.append(Note("holds", plain(after), side=after.side))

    def _fate(self, before: Piece, after: Piece | None, cause: str) -> Fate:
        word = {"stunned": "STK", "converted": "CK"}.get(cause) or LOSSES.get(cause, before.kind)
        stunned = max(before.stunned, after.stunned if after is not None else 0)
        stun = min(max(stunned - self._state.turn, 0), STUN_SHOWN)
        return Fate(word, plain(before), stun, before.side)


def _step(shot: Projectile) -> tuple[int, int]:
    """Rows and columns a projectile gains each Turn; none before its first step to a target."""
    if shot.heading < 0:
        return 0, 0
    forward, right = STEPS[shot.heading]
    sign = SIGN[shot.side]
    return sign * forward, sign * right


def _draw(before: State, record: Record) -> int:
    """The smallest draw that makes a lock-on take what it took."""
    for exchange in record.exchanges:
        if isinstance(exchange.probe, Candidate) and exchange.answer.pieces:
            owner = exchange.probe.owner
            return next(
                lot
                for lot in count()
                if answer(before, Candidate(owner=owner, lot=lot)) == exchange.answer
            )
    return 0
