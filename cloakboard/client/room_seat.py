"""This player's place in a room, as the window sees it.

The network's thread leaves the room as it is now; what the player says goes the other way.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from cloakboard.client.network import Network
from cloakboard.client.texts import sentence
from cloakboard.engine.errors import EngineError
from cloakboard.netplay.errors import NetplayError
from cloakboard.netplay.room.cautions import Caution
from cloakboard.netplay.room.negotiator import Negotiator
from cloakboard.netplay.room.room_state import Member, Room
from cloakboard.netplay.room.sitting import Sitting


class RoomSeat:
    """A seat in a room. `room` is frozen, and None before anything was heard; `cautions`: what
    this machine's records say against others there; `key`: who sits here; `seconds_left`: how
    long the room is still looked for, None while its link holds."""

    def __init__(self, network: Network, key: bytes) -> None:
        self.key = key
        self.room: Room | None = None
        self.cautions: tuple[Caution, ...] = ()
        self._network = network
        self._sitting: Sitting | None = None
        self.seconds_left: int | None = None
        self._complaints: deque[str] = deque()

    def on_room(self, sitting: Sitting) -> None:
        """Something was heard in the room; on the network's thread."""
        self._sitting = sitting
        self.cautions = sitting.cautions  # before the room, whose change is what is looked for
        self.room = sitting.room

    def link_changed(self, seconds_left: int | None) -> None:
        """The way to the room is lost, or found; on the network's thread."""
        self.seconds_left = seconds_left

    @property
    def me(self) -> Member | None:
        """This player among the members."""
        return self.room.member(self.key) if self.room is not None else None

    @property
    def keeps(self) -> bool:
        """Whether the room lies on this machine."""
        return self.room is not None and self.room.keeper == self.key

    def do(self, act: Callable[[Negotiator], None]) -> None:
        """Says something in the room; what cannot be said is complained of."""
        self._network.run(self._do(lambda sitting: sitting.do(act)))

    def lock(self, password: str) -> None:
        """Sets the password of a room on this machine; empty takes it away."""
        self._network.run(self._do(lambda sitting: sitting.lock(password)))

    def complaint(self) -> str:
        """Why something could not be said, once; empty if all could."""
        return self._complaints.popleft() if self._complaints else ""

    async def _do(self, act: Callable[[Sitting], None]) -> None:
        if self._sitting is not None:
            try:
                act(self._sitting)
            except (NetplayError, EngineError) as error:
                self._complaints.append(sentence(str(error)))
