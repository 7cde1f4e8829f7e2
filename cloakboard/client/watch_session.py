"""A match of others that is watched: the public state as it comes, and nothing to do."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable

from cloakboard.client import session as seam
from cloakboard.client.company import Company
from cloakboard.client.recording import Recording
from cloakboard.client.session import Happening, LinkState, Quality
from cloakboard.engine.errors import IllegalAction
from cloakboard.engine.game import Action, Game, Result, State
from cloakboard.netplay.lockstep import effects as net
from cloakboard.netplay.lockstep import online
from cloakboard.netplay.lockstep.core import Core
from cloakboard.netplay.lockstep.stand_in import StandIn
from cloakboard.netplay.veil.opening import clean_name

NEAR = 0  # the seat whose side is near


class WatchSession:
    """See `session.Session`. Made once entry 0 has come."""

    company: Company | None = None
    stand_in: StandIn | None = None

    def __init__(self, core: Core, leave: Callable[[], None]) -> None:
        """`leave` ends the watching."""
        self._core = core
        self._leave = leave
        self.game: Game = core.game
        self.seats_here: tuple[int, ...] = (NEAR,)
        self.names: tuple[str, ...] = tuple(clean_name(s.name) for s in core.opening.seats)
        self._inbox: deque[tuple[State, tuple[int, ...], Happening]] = deque()
        self._state = core.view
        self._to_act = core.floor()
        self._result: Result | None = core.result
        self._link = LinkState(Quality.GOOD)
        self._over = ""

    # -- on the network's thread ---------------------------------------------------------------

    def tell(self, told: net.Effect | online.LinkState) -> None:
        """Takes what is watched, for the next `poll`."""
        for happening in self._translate(told):
            result = self._core.result
            to_act = self._core.floor() if result is None else ()
            self._inbox.append((self._core.view, to_act, happening))

    def fail(self, text: str) -> None:
        """It can be watched no longer."""
        self._over = text
        gone = seam.LinkChanged(LinkState(Quality.GONE))
        for happening in (gone, seam.Noticed(text)):
            self._inbox.append((self._core.view, (), happening))

    def _translate(self, told: net.Effect | online.LinkState) -> Iterable[Happening]:
        match told:
            case net.Happened():
                for event in told.events:
                    yield seam.Happened(NEAR, event)
            case net.Consented(kind="undo"):
                yield seam.Jumped()
                yield seam.Noticed("The players took an action back.")
            case net.Consented(kind="pause"):
                yield seam.Noticed("The players paused the match.")
            case net.Continued():
                yield seam.Noticed("The pause is over; the match goes on.")
            case net.Ended():
                yield seam.Ended(told.result)
            case online.LinkState():
                yield seam.LinkChanged(
                    LinkState(Quality(told.quality), told.delay_ms, told.seconds_left)
                )

    # -- on the window's thread ----------------------------------------------------------------

    def state(self, seat: int) -> State:
        """What everyone may know."""
        return self._state

    def to_act(self) -> tuple[int, ...]:
        """The seats that are to act."""
        return self._to_act

    def waiting(self) -> str | None:
        """What is watched."""
        if self._result is not None:
            return None
        if self._over:
            return self._over
        if self._link.quality is Quality.LOST:
            return f"The connection is lost. Looking for the match: {self._link.seconds_left} s."
        if not self._to_act:
            return "You watch this match."
        return f"You watch. {self.names[self._to_act[0]]} is to play."

    def actions(self, seat: int) -> Iterable[Action]:
        """None."""
        return ()

    def act(self, seat: int, action: Action) -> None:
        """Raises `IllegalAction`."""
        raise IllegalAction("table", "You only watch this match")

    def resign(self, seat: int) -> None:
        """It is not one's own to give up."""

    def offer_draw(self, seat: int) -> None:
        """Nobody hears it."""

    def can_undo(self) -> bool:
        """Nothing can be taken back here."""
        return False

    def undo(self) -> None:
        """See `can_undo`."""

    def can_redo(self) -> bool:
        """See `can_undo`."""
        return False

    def redo(self) -> None:
        """See `can_undo`."""

    def poll(self) -> list[Happening]:
        """What happened since the last poll."""
        happenings: list[Happening] = []
        while self._inbox:
            self._state, self._to_act, happening = self._inbox.popleft()
            if isinstance(happening, seam.LinkChanged):
                self._link = happening.link
            elif isinstance(happening, seam.Ended):
                self._result = happening.result
            happenings.append(happening)
        return happenings

    def save(self, name: str) -> None:
        """Nothing of it is kept."""

    def result(self) -> Result | None:
        """How it ended."""
        return self._result

    def verdict(self) -> str | None:
        """The players audit each other."""
        return None

    def recording(self, seat: int) -> Recording | None:
        """Nothing of it is kept."""
        return None

    def link(self) -> LinkState:
        """The connection to the player at whose machine it is watched."""
        return self._link

    def close(self) -> None:
        """Watches no longer."""
        self.leave()

    def leave(self) -> None:
        """Watches no longer."""
        self._leave()
