"""Where a match can be taken back to, and the states that stood there (VEIL 8).

1. The chain is never shortened. An `Agreed` entry that every seat has signed names an earlier
   entry; play goes on from the state before that one. (Answers: a past that one side forgets.)
2. It names the first entry of a Turn, or that of an action that asked nothing of anybody.
   (Answers: an action tried for what its answers tell, and taken back alone.)
3. Counters are never set back: numbers of entries, lookups and draws, and what the game itself
   counts (`Types.counters`). (Answers: one derived secret used twice.)
4. What was taken back stays in the chain, sealed as it was, and the audit plays it, too.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import msgspec

from cloakboard.engine.game import Game, State

FIRST: Final = 1  # the entry that follows entry 0


class Point(NamedTuple):
    """What stood before an entry: the seat's view, the public state, and how many events the
    seat knew."""

    view: State
    shown: State
    events: int


class Played(NamedTuple):
    """An action that stands: its entry and author, whether it asked nothing of another seat, and
    whether its author chose it (of other seats than one's own: as far as is known)."""

    seq: int
    author: int
    is_quiet: bool
    is_chosen: bool


class Timeline:
    """The places of one chain that an undo can lead to."""

    def __init__(self, game: Game, start: Point) -> None:
        self._game = game
        self._points = {FIRST: start}
        self._starts = {FIRST}  # first entries of Turns
        self._turn = game.turn(start.shown)
        self._played: list[Played] = []

    def acted(self, played: Played) -> None:
        """An action was begun by its entry. What asked something can be taken back with its
        whole Turn only."""
        self._played.append(played)
        if not played.is_quiet and played.seq not in self._starts:
            self._points.pop(played.seq, None)

    def stands(self, seq: int, point: Point) -> None:
        """The rules wait for a choice before entry `seq`."""
        turn = self._game.turn(point.shown)
        if turn != self._turn:
            self._turn = turn
            self._starts.add(seq)
        self._points[seq] = point

    def allows(self, seq: int) -> bool:
        """Whether play may go on from before entry `seq`, and that takes anything back."""
        if seq not in self._points or not self._played or self._played[-1].seq < seq:
            return False
        return seq in self._starts or any(one.seq == seq for one in self._played)

    def last_choice(self, seat: int) -> int | None:
        """Where an undo of the seat's last chosen action leads to: before it, or if it asked
        anything to the start of its Turn. None if it has none."""
        chosen = [one for one in self._played if one.author == seat and one.is_chosen]
        if not chosen:
            return None
        last = chosen[-1]
        return last.seq if last.is_quiet else max(s for s in self._starts if s <= last.seq)

    def go_back(self, seq: int, now: Point) -> Point:
        """What stands after an undo to before entry `seq`; `now` is what stood until then."""
        point = self._points[seq]
        self._points = {at: kept for at, kept in self._points.items() if at <= seq}
        self._starts = {at for at in self._starts if at <= seq}
        self._played = [one for one in self._played if one.seq < seq]
        self._turn = self._game.turn(point.shown)
        view = go_back(self._game, point.view, now.view)
        shown = view if point.shown is point.view else go_back(self._game, point.shown, now.shown)
        return Point(view, shown, point.events)


def go_back(game: Game, to: State, since: State) -> State:
    """The earlier state `to` with the counters of the later one."""
    counters = {name: max(getattr(to, name), getattr(since, name)) for name in game.types.counters}
    return msgspec.structs.replace(to, **counters) if counters else to
