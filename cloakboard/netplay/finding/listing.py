"""The rooms that one place tells of, whoever wrote what it says."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable
from typing import Final

import msgspec

from cloakboard.netplay.errors import NetplayError
from cloakboard.netplay.finding.advert import MAX_ADVERT, SKEW_S, Advert, OnChange, read_advert
from cloakboard.netplay.invite import ROOM_BYTES

MAX_ROOMS: Final = 2_000
MAX_ROOMS_OF_ONE: Final = 4
"""How many rooms one host may show at once; a key is cheap, so this stops slips, not malice."""
_ROOM_NAME: Final = re.compile(rf"[0-9a-f]{{{2 * ROOM_BYTES}}}")


def nobody(_key: bytes) -> bool:
    """Hides or favours no player."""
    return False


class Listing:
    """Rooms by id and host, bounded in number, size and work. What cannot be used is left out
    and counted in `ignored`. When the list is full, strangers' rooms make way for friends'.

    Who offers a room under another's id stands beside that, not in its place: only the key tells
    the two apart."""

    def __init__(
        self,
        on_change: OnChange,
        *,
        hides: Callable[[bytes], bool] = nobody,
        favours: Callable[[bytes], bool] = nobody,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """`hides` and `favours` say of a host's key whether its player is blocked, or a
        friend; `clock` gives unix seconds."""
        self.ignored = 0
        self._on_change = on_change
        self._hides = hides
        self._favours = favours
        self.clock = clock
        self._rooms: dict[tuple[bytes, bytes], Advert] = {}
        self._ids: Counter[bytes] = Counter()
        self._hosts: Counter[bytes] = Counter()

    def adverts(self) -> tuple[Advert, ...]:
        """The rooms that hold now, the first heard of first."""
        oldest = self.clock() - SKEW_S
        for advert in [a for a in self._rooms.values() if a.expires <= oldest]:
            self._forget(advert)
        return tuple(self._rooms.values())

    def put(self, name: str, data: bytes) -> None:
        """Takes in what is said of the room of that name, its id in hex. Never raises."""
        room = room_of(name)
        if room is None or len(data) > MAX_ADVERT or not self._has_place(room):
            self.ignored += 1
            return
        try:
            advert = read_advert(data, self.clock())
        except NetplayError:
            self.ignored += 1
            return
        known = self._rooms.get((room, advert.key))
        if advert.room != room or self._hides(advert.key):
            self.ignored += 1
        elif known is None:
            self._add(advert)
        elif known.counter < advert.counter:
            self._rooms[room, advert.key] = advert
            if _told(known) != _told(advert):
                self._on_change()
        else:
            self.ignored += known != advert

    def drop(self, name: str) -> None:
        """The room of that name is shown no longer."""
        room = room_of(name)
        if room not in self._ids:
            return
        gone = [advert for advert in self._rooms.values() if advert.room == room]
        for advert in gone:
            self._forget(advert)
        self._on_change()

    def clear(self) -> None:
        """Nothing is known any more."""
        if self._rooms:
            self._rooms.clear()
            self._ids.clear()
            self._hosts.clear()
            self._on_change()

    def _has_place(self, room: bytes) -> bool:
        """Whether it is worth the work of checking a signature; a tenth of the list is kept
        for friends, of whom only the signature tells."""
        return room in self._ids or len(self._rooms) < MAX_ROOMS

    def _add(self, advert: Advert) -> None:
        strangers_full = len(self._rooms) >= MAX_ROOMS - MAX_ROOMS // 10
        if (
            self._hosts[advert.key] >= MAX_ROOMS_OF_ONE
            or len(self._rooms) >= MAX_ROOMS
            or (strangers_full and not self._favours(advert.key))
        ):
            self.ignored += 1
            return
        self._rooms[advert.room, advert.key] = advert
        self._ids[advert.room] += 1
        self._hosts[advert.key] += 1
        self._on_change()

    def _forget(self, advert: Advert) -> None:
        del self._rooms[advert.room, advert.key]
        self._ids[advert.room] -= 1
        if not self._ids[advert.room]:
            del self._ids[advert.room]
        self._hosts[advert.key] -= 1
        if not self._hosts[advert.key]:
            del self._hosts[advert.key]


def room_of(name: str) -> bytes | None:
    """The room's id that a name is, None if it is none."""
    return bytes.fromhex(name) if _ROOM_NAME.fullmatch(name) else None


def _told(advert: Advert) -> Advert:
    """What a player sees of an advert: a renewal alone is no change."""
    return msgspec.structs.replace(advert, counter=0, expires=0)
