"""One match as its achievements see it, from one seat."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from cloakboard.achievements.definitions import Definition
from cloakboard.achievements.folds import FOLDS, Progress
from cloakboard.achievements.moments import Began, Closed, Moment, Seen
from cloakboard.engine.events import Event, may_know

TURN_ENDED = "TurnEnded"  # of every game: the next seat is to act


class Observer:
    """Folds what one seat may know of a match into what it brings towards each achievement."""

    def __init__(self, every: Iterable[Definition], began: Began) -> None:
        self._began = began
        self._mover = 0
        self._watched = [
            one for one in every if one.over != "course" and one.counts(began.game, began.mode)
        ]
        self._progress = {one.id: Progress() for one in self._watched}
        self._tell(began)

    def see(self, event: Event) -> None:
        """Takes an event; one that the seat may not know is left out, whoever passes it on."""
        began = self._began
        if not may_know(event, began.seat):
            return
        seen = Seen(seat=began.seat, mover=self._mover, event=event)
        self._tell(seen)
        if seen.kind == TURN_ENDED:
            self._mover = (self._mover + 1) % began.seats

    def close(self, closed: Closed) -> None:
        """The match is over."""
        self._tell(closed)

    @property
    def amounts(self) -> dict[str, int]:
        """By achievement, what this match has brought so far."""
        return {id_: progress.count for id_, progress in self._progress.items()}

    def _tell(self, moment: Moment) -> None:
        for one in self._watched:
            fold, progress = FOLDS[one.fold], self._progress[one.id]
            self._progress[one.id] = fold(progress, moment, one.where)


def progress_of(
    one: Definition, played: Sequence[Closed], tallies: Mapping[str, Sequence[int]]
) -> int:
    """How far a player has come with an achievement, at most its goal."""
    if one.over == "course":
        progress = Progress()
        for closed in played:
            if one.counts(closed.game, closed.mode):
                progress = FOLDS[one.fold](progress, closed, one.where)
        return min(progress.count, one.goal)
    amounts = tallies.get(one.id, ())
    return min(sum(amounts) if one.over == "all" else max(amounts, default=0), one.goal)
