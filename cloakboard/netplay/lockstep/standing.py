"""Where a chain stands on one machine: what is known, what has been agreed, who writes next.

`Core`, which writes and reads entries, is built on it.
"""

from __future__ import annotations

from cloakboard.engine.codec import state_digest
from cloakboard.engine.events import Event
from cloakboard.engine.game import Game, Result, State
from cloakboard.engine.options import COMPETITIVE
from cloakboard.netplay.lockstep.clock import Clock
from cloakboard.netplay.lockstep.requests import Requests
from cloakboard.netplay.lockstep.script import Scripts
from cloakboard.netplay.lockstep.undo import Timeline
from cloakboard.netplay.transcript import Opening, Outcome, Request
from cloakboard.netplay.veil.blind import Book, Hand
from cloakboard.netplay.veil.need import Need, Place, Script
from cloakboard.netplay.veil.secrets import Secret


class Standing:
    """What a machine knows after the last entry of a chain, and who may write the next."""

    def __init__(
        self,
        game: Game,
        opening: Opening,
        match: bytes,
        seat: int | None = None,
        hand: Hand | None = None,
        book: Book | None = None,
    ) -> None:
        """Stands after entry 0, whose body is `opening` and whose hash is `match`.

        Raises `EngineError` if the options or the start position are none of the game's.
        """
        self.game = game
        self.opening = opening
        self.seat = seat
        self.place = Place(match)
        self.scripts = Scripts(game, opening, self.place, seat, hand, book)
        self._hand = hand
        self.clock = Clock(opening)
        self.requests = Requests(opening, match, self.clock)
        self.timeline = Timeline(game, self.scripts.point())
        self.secrets: dict[int, Secret] = {}  # opened, by seat
        self.verdicts: dict[int, str] = {}
        self._turn = game.turn(self.shown)
        self.turns = [self._turn]  # completed before each entry, entry 0 first
        self.used_ms = 0  # of all seats, until the first secret was opened
        self._ended: int | None = None  # as the first verdict says
        self._acted: int | None = None  # whose action the entry in hand begins
        self._is_chosen = True  # that action, as far as is known here
        self._waited = True  # whether the rules waited for a choice before the entry in hand
        self._script: Script | None = None
        self._need: Need | None = None
        self._digested: tuple[State, bytes] = None, b""  # the last state digested

    # -- what stands next ------------------------------------------------------------------

    @property
    def view(self) -> State:
        """The state as this seat knows it; the public one of a watcher."""
        return self.scripts.view

    @property
    def shown(self) -> State:
        """The public state as of the last entry."""
        return self.scripts.shown

    @property
    def seats(self) -> range:
        """All seats in order of play."""
        return range(len(self.opening.seats))

    @property
    def result(self) -> Result | None:
        """How the match ended: by resignation, agreement, or the rules; None if it goes on."""
        agreed = self.requests.result
        return agreed or (None if self._need else self.game.result(self.shown))

    @property
    def idle(self) -> bool:
        """Whether the rules wait for a seat's choice."""
        return self._need is None and self.result is None

    def floor(self) -> tuple[int, ...]:
        """The seats that may write the next entry; a function of the chain alone."""
        result = self.result
        if result is None:
            return (self._need.seat,) if self._need else self.game.to_act(self.shown)
        for seat in self._opening_order(result):
            if seat not in self.secrets:
                return (seat,)
        return tuple(s for s in self.seats if s not in self.verdicts)[:1]

    def owes(self) -> bool:
        """Whether this seat must write now without a choice (a verdict excepted: it needs the
        audit, see `compose_verdict`)."""
        if self.seat is None or self.seat not in self.floor():
            return False
        if self.result is not None:
            return self.seat not in self.secrets
        if self._need:
            return True
        return not self.requests.is_paused and self.game.forced(self.view, self.seat) is not None

    @property
    def is_open(self) -> bool:
        """Whether the match has ended and every seat has opened its secret."""
        return self.result is not None and len(self.secrets) == len(self.seats)

    def owes_verdict(self) -> bool:
        """Whether all secrets are open and this seat must say what it found."""
        return self.is_open and self.seat in self.floor()

    def takes(self, request: Request) -> bool:
        """Whether a request, whose signature holds, means anything here and now."""
        if self.result is not None or not self.requests.takes(request):
            return False
        return request.kind != "undo" or self.may_undo(request.value)

    def may_undo(self, seq: int) -> bool:
        """Whether all seats may agree that play goes on from before entry `seq`: not in a
        competitive match, and not once it has ended."""
        competitive = dict(self.opening.options).get(COMPETITIVE, False)
        return not competitive and self.result is None and self.timeline.allows(seq)

    def outcome(self, ended: int) -> Outcome:
        """How the match ended, once it has: the same on every machine but for `ended`, which
        counts only until a seat has signed another time."""
        result = self.result
        assert result is not None
        ended = ended if self._ended is None else self._ended
        turns = self.game.turn(self.shown)
        return Outcome(result.winners, result.reason, turns, self.used_ms, ended)

    def digest(self) -> bytes:
        """Digest of the public state as of the last entry."""
        state, digest = self._digested
        if state is not self.shown:
            state, digest = self._digested = self.shown, state_digest(self.game, self.shown)
        return digest

    def drain(self) -> list[Event]:
        """The events this seat came to know since the last call, without those taken back."""
        return self.scripts.drain()

    def _opening_order(self, result: Result) -> list[int]:
        return sorted(self.seats, key=lambda seat: (seat in result.winners, seat))
