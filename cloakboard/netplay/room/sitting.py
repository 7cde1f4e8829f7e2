"""A member's place in a room: what it hears, what it says, and what the room came to."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from cloakboard.engine.game import Game
from cloakboard.netplay.errors import Refused
from cloakboard.netplay.links.greeting import Begun
from cloakboard.netplay.links.transport import Link
from cloakboard.netplay.lockstep.judge import check_opening
from cloakboard.netplay.room.cautions import Caution, Cautions
from cloakboard.netplay.room.door import Conduct
from cloakboard.netplay.room.negotiator import Negotiator
from cloakboard.netplay.room.room_state import Phase, Room
from cloakboard.netplay.room.statements import Load

MOST_LINES: Final = 6000  # on their way to a member, all that was said before it came included
FULL: Final = "the room is full"


@dataclass(frozen=True, slots=True)
class Gathered:
    """What a room came to: its last state, the links by key, and, unless all wanted to go on
    with an earlier match (`Room.load`), the new one."""

    room: Room
    links: Mapping[bytes, Link]
    begun: Begun | None


class Sitting:
    """A member's place in a room. `do` is how a player, or a program for it, takes part."""

    def __init__(
        self, negotiator: Negotiator, on_room: OnRoom, conduct: Callable[[bytes], Conduct]
    ) -> None:
        """`on_room` is called after everything that is heard; `conduct`: what this machine knows
        of how a key's player has ended matches."""
        self.negotiator = negotiator
        self._on_room = on_room
        self._conduct = conduct
        self._cautions = Cautions(negotiator.key, conduct)
        self._over = asyncio.Event()

    @property
    def room(self) -> Room | None:
        """The room as far as it has been heard."""
        return self.negotiator.room

    @property
    def cautions(self) -> tuple[Caution, ...]:
        """What this machine's records say against others in the room, the oldest first."""
        return self._cautions.all

    def do(self, act: Callable[[Negotiator], None]) -> None:
        """Says something in the room. Raises `NetplayError` if it cannot be said."""
        if self.room is None or self.room.phase not in (Phase.AGREED, Phase.CLOSED):
            act(self.negotiator)
            self.flush()

    def lock(self, password: str) -> None:
        """Sets the password, empty for none. Raises `Refused` where the room is another's."""
        raise Refused("only the player who opened the room can set its password", what="password")

    def flush(self) -> None:
        """Sends on what waits to be said."""
        raise NotImplementedError

    def _heard(self, room: Room) -> None:
        self._cautions.look(room)
        self._on_room(self)
        if room.phase in (Phase.AGREED, Phase.CLOSED):
            self._over.set()

    def _gathered(self, links: Mapping[bytes, Link], game: Game) -> Gathered:
        """Raises `Refused` for a room that was closed."""
        room = self.room
        assert room is not None
        if room.phase is Phase.CLOSED:
            raise Refused(f"the negotiation was ended: {room.reason}")
        if room.member(self.negotiator.key) is None:
            raise Refused(FULL, what="room")
        if room.load:
            return Gathered(room, links, None)
        entry = self.negotiator.entry()
        opening, match = check_opening(entry, game)
        return Gathered(room, links, Begun(entry, opening, match, self.negotiator.seat))


OnRoom = Callable[[Sitting], None]


def unattended(sitting: Sitting) -> None:
    """What a program does in a room that nobody watches: it accepts all that is asked, but for
    earlier matches, and is ready once the room is full."""
    negotiator, room = sitting.negotiator, sitting.room
    if (
        room is None
        or room.phase is not Phase.TALKING
        or room.member(negotiator.key) is None
        or negotiator.is_waiting
    ):
        return
    owed = [r for r in room.requests if negotiator.key in {m.key for m in room.owing(r)}]
    if owed:
        request = owed[0]
        if isinstance(request.change, Load):
            sitting.do(lambda n: n.decline(request.place))
        else:
            sitting.do(lambda n: n.accept(request.place))
    elif room.free == 0 and not room.requests and not negotiator.is_ready:
        sitting.do(lambda n: n.ready())
