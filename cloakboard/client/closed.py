"""A match that is only looked at: it has its whole past, and nobody acts in it."""

from __future__ import annotations

from collections.abc import Iterable

from cloakboard.client.company import Company
from cloakboard.client.recording import Recording
from cloakboard.client.session import Happening, LinkState
from cloakboard.engine.errors import IllegalAction
from cloakboard.engine.game import Action, Result, State


class ClosedSession:
    """A recording as a session at its end."""

    company: Company | None = None

    def __init__(self, recording: Recording) -> None:
        self.game = recording.game
        self.names = recording.names
        self.seats_here = (
            tuple(range(recording.game.seats)) if recording.seat is None else (recording.seat,)
        )
        self._recording = recording
        state = recording.start(recording.seat)
        for record in recording.log:
            for event in record.events:
                state = recording.game.apply(state, event)
        self._state = state

    def state(self, seat: int) -> State:
        """The position at the end."""
        return self._state

    def to_act(self) -> tuple[int, ...]:
        """Nobody."""
        return ()

    def waiting(self) -> str | None:
        """What is to be done with it."""
        return None if self._recording.result else "The match has not ended; this is its last move."

    def actions(self, seat: int) -> Iterable[Action]:
        """None."""
        return ()

    def act(self, seat: int, action: Action) -> None:
        """Raises `IllegalAction`."""
        raise IllegalAction("table", "This match is only looked at")

    def resign(self, seat: int) -> None:
        """Nothing is given up any more."""

    def offer_draw(self, seat: int) -> None:
        """Nobody hears it."""

    def can_undo(self) -> bool:
        """Nothing is taken back."""
        return False

    def undo(self) -> None:
        """Nothing is taken back."""

    def can_redo(self) -> bool:
        """Nothing was taken back."""
        return False

    def redo(self) -> None:
        """Nothing was taken back."""

    def poll(self) -> list[Happening]:
        """Nothing happens."""
        return []

    def save(self, name: str) -> None:
        """It is kept already."""

    def result(self) -> Result | None:
        """How it ended."""
        return self._recording.result

    def verdict(self) -> str | None:
        """Nothing is audited here."""
        return None

    def recording(self, seat: int) -> Recording | None:
        """The recording itself."""
        return self._recording

    def link(self) -> LinkState:
        """There is no other machine."""
        return LinkState()

    def close(self) -> None:
        """Nothing is held open."""
