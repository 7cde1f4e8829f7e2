"""Watches a match that is played here, so that what it earns can be told and kept.

A match with a friend is kept from its save once its audit is done; until then only what the
player's own seat has been told is looked at, and only what may be told by then is told.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from cloakboard.achievements.moments import Closed, Mode
from cloakboard.client.local_session import LocalSession
from cloakboard.client.session import Ended, Happened, Happening, Jumped

if TYPE_CHECKING:
    from cloakboard.achievements.observer import Observer
    from cloakboard.client.session import Session
    from cloakboard.engine.game import Result
    from cloakboard.keeping.keeper import Keeper


@runtime_checkable
class Heard(Protocol):
    """A session to whose `listener` everything is told that its `poll` gives."""

    listener: Callable[[Happening], None]


class Watcher:
    """Call it with everything that the session tells."""

    def __init__(self, session: Session, keeper: Keeper) -> None:
        self._session = session
        self._keeper = keeper
        self._observers: dict[int, Observer] = {}
        self._noted: dict[int, dict[str, int]] = {}
        if isinstance(session, LocalSession):
            self._look_again(session)
        elif all(session.game.turn(session.state(seat)) == 0 for seat in session.seats_here):
            self._begin(Mode.NET)

    def __call__(self, happening: Happening) -> None:
        """Takes in one thing that happened."""
        match happening:
            case Happened(seat=seat, event=event) if seat in self._observers:
                self._observers[seat].see(event)
                self._note(seat, ("once",))
            case Jumped():
                # Of a match between machines the events before are not told again.
                self._observers.clear()
                if isinstance(self._session, LocalSession):
                    self._look_again(self._session)
            case Ended(result=result):
                self._end(result)
            case _:
                pass

    def _begin(self, mode: Mode) -> None:
        session = self._session
        self._observers = {
            seat: self._keeper.observer(session.game, mode, seat) for seat in session.seats_here
        }
        self._noted = {seat: observer.amounts for seat, observer in self._observers.items()}

    def _look_again(self, session: LocalSession) -> None:
        """Begins anew with what stands now."""
        self._begin(Mode.COMPUTER if session.computers else Mode.HOTSEAT)
        for seat, observer in self._observers.items():
            for event in session.table.events:
                observer.see(event)
            self._noted[seat] = observer.amounts

    def _note(self, seat: int, when: tuple[str, ...]) -> None:
        amounts = self._observers[seat].amounts
        if amounts != self._noted[seat]:
            self._noted[seat] = amounts
            self._keeper.note(amounts, when)

    def _end(self, result: Result) -> None:
        session, keeper = self._session, self._keeper
        turns = session.game.turn(session.state(session.seats_here[0]))
        if isinstance(session, LocalSession):
            table = session.table
            keeper.keep_local(
                session.game,
                table.seed,
                session.seats_here,
                session.computers,
                table.events,
                result,
                turns,
            )
            return
        for seat, observer in self._observers.items():
            observer.close(
                Closed(
                    game=session.game.id,
                    mode=Mode.NET,
                    seat=seat,
                    winners=result.winners,
                    reason=result.reason,
                    turns=turns,
                )
            )
            self._note(seat, ("once", "end"))
        self._observers.clear()
