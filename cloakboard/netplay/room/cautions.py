"""What this machine's own records say against somebody in a room, told to its own player alone.

The room's limits on matches left early (JQ-110, JQ-112) are checked at its door by the records of
the machine that keeps it, and by whoever comes in. Those who sit there already may know more than
either: their machines tell them, and leave it to them whether to play.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from cloakboard.netplay.room.door import Conduct, beyond
from cloakboard.netplay.room.room_state import Room

MOST_CAUTIONS: Final = 50


@dataclass(frozen=True, slots=True)
class Caution:
    """A member that is beyond a limit of the room by this machine's records. `place`: of the
    statement after which it was; `setting`: the limit, and `limit` its value."""

    place: int
    name: str
    conduct: Conduct
    setting: str
    limit: int


class Cautions:
    """The cautions of a member's stay in a room, the oldest first, in `all`."""

    def __init__(self, own: bytes, conduct: Callable[[bytes], Conduct]) -> None:
        """`own`: the key of this machine's player; `conduct`: what its records say of a key."""
        self.all: tuple[Caution, ...] = ()
        self._own = own
        self._conduct = conduct
        self._looked: object = None
        self._standing: frozenset[tuple[bytes, str, int]] = frozenset()

    def look(self, room: Room) -> None:
        """Takes in the room as it is now. The records are asked only when somebody has come or
        gone, or a limit has changed."""
        if room.member(self._own) is None:
            return  # what was before it came is not its company
        limits = (room.settings["max_disconnect_rate"], room.settings["max_disconnects"])
        others = [member for member in room.members if member.key != self._own]
        looked = (limits, [member.key for member in others])
        if looked == self._looked:
            return
        self._looked = looked
        standing, fresh = set(), []
        for member in others:
            conduct = self._conduct(member.key)
            over = beyond(room.settings, conduct)
            if over is not None:
                standing.add((member.key, *over))
                if (member.key, *over) not in self._standing:
                    fresh.append(Caution(room.said - 1, member.name, conduct, *over))
        self._standing = frozenset(standing)
        self.all = (*self.all, *fresh)[-MOST_CAUTIONS:]
