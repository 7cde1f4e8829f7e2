"""What the requests on a chain have come to: who gave up, who would draw, what all agreed on.

A request is signed, names the head that its author knew, and needs no floor; it counts from the
entry that takes it in. `resign`, `time`, `draw` and `continue` are taken in by any entry. Those of
`CONSENTED` hold once one `Agreed` entry takes in every seat's, for one and the same thing.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from cloakboard.engine.game import Result
from cloakboard.netplay.lockstep.clock import Clock
from cloakboard.netplay.transcript import GIVEN_UP, Opening, Request

LONGEST_EXTENSION_MS: Final = 60 * 60 * 1000


class Requests:
    """One chain's."""

    def __init__(self, opening: Opening, match: bytes, clock: Clock) -> None:
        self._seats = range(len(opening.seats))
        self._clock = clock
        self.gave_up: dict[int, str] = {}  # why, by seat
        self.draws: set[int] = set()  # seats whose offer stands
        self.is_paused = False
        self._seqs = {match: 0}  # of every entry, by its hash
        self._last_acts = [0] * len(self._seats)  # of each seat: number of its last action's entry

    @property
    def result(self) -> Result | None:
        """How the match ended by the seats' own will, or None."""
        if self.gave_up:
            winners = tuple(seat for seat in self._seats if seat not in self.gave_up)
            return Result(winners, next(iter(self.gave_up.values())))
        return Result((), "agreed") if len(self.draws) == len(self._seats) else None

    def takes(self, request: Request) -> bool:
        """Whether it means anything in a match that goes on. A draw or what needs consent does
        only until another seat, or any, has acted since the entry that its author knew:
        otherwise an offer once made and declined could be taken up at any later time."""
        match request.kind:
            case "time":
                return self._clock.has_limit and request.seat not in self.gave_up
            case "resign":
                return request.seat not in self.gave_up
            case "continue":
                return self.is_paused
            case "draw":
                others = (seat for seat in self._seats if seat != request.seat)
                return request.seat not in self.draws and self._is_fresh(request, others)
            case "pause":
                return not self.is_paused and self._is_fresh(request, self._seats)
            case "extend":
                fits = self._clock.has_limit and 0 < request.value <= LONGEST_EXTENSION_MS
                return fits and self._is_fresh(request, self._seats)
        return self._is_fresh(request, self._seats)

    def _is_fresh(self, request: Request, seats: Iterable[int]) -> bool:
        since = self._seqs.get(request.head, -1)
        return since >= max(self._last_acts[seat] for seat in seats)

    def knows(self, head: bytes) -> bool:
        """Whether an entry has this hash."""
        return head in self._seqs

    def acted(self, seat: int, seq: int) -> None:
        """A seat acted by entry `seq`: what others offered is declined."""
        self.draws &= {seat}
        self._last_acts[seat] = seq
        self._clock.restart()

    def take(self, request: Request) -> None:
        """An entry takes it in."""
        if request.kind in GIVEN_UP:
            self.gave_up[request.seat] = GIVEN_UP[request.kind]
        elif request.kind == "draw":
            self.draws.add(request.seat)
        elif request.kind == "continue":
            self.is_paused = False

    def agree(self, kind: str, value: int, seq: int) -> None:
        """All seats agreed, by entry `seq`. An undo closes what was asked before it."""
        if kind == "undo":
            self.draws.clear()
            self._clock.restart()
            self._last_acts = [seq] * len(self._seats)
        elif kind == "pause":
            self.is_paused = True
        elif kind == "extend":
            self._clock.extend(value)

    def follow(self, seq: int, head: bytes) -> None:
        """The entry `seq` stands, and its hash is `head`."""
        self._seqs[head] = seq
