"""All places where rooms are shown and found: the local network, and the halls of the settings.

Lives on the network's loop; what it tells may be looked at from any thread.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from cloakboard.netplay.errors import Malformed
from cloakboard.netplay.finding.advert import Advert, Announcer, Finder, OnChange
from cloakboard.netplay.finding.hall import HallAddress, HallAnnouncer, HallFinder, parse_hall
from cloakboard.netplay.finding.lan import UNHEARD, Lan, LanMissing
from cloakboard.netplay.finding.lan_rooms import LanAnnouncer, LanFinder
from cloakboard.netplay.finding.listing import Listing, nobody
from cloakboard.netplay.identity import Identity

LAN: Final = "lan"
"""The local network, among the names of places; halls go by their labels."""
AGAIN_S: Final = 30.0  # before the local network is tried again that could not be used


@dataclass(frozen=True, slots=True)
class Found:
    """A room, and the place that tells of it; of several the local network, else the first."""

    place: str
    advert: Advert


@dataclass(frozen=True, slots=True)
class Spot:
    """A place where a room may be shown: whether it is, and what is wrong there, if anything."""

    place: str
    is_on: bool
    problem: str = ""


class Neighbours:
    """The local network, opened when it is first needed; a `near.Near`."""

    def __init__(self, interfaces: list[str] | None = None) -> None:
        """`interfaces`: see `Lan.open`."""
        self.problem = ""
        self._interfaces = interfaces
        self._lan: Lan | None = None
        self._opening: asyncio.Task[Lan | None] | None = None
        self._again_at = 0.0
        self._closed = False

    async def lan(self) -> Lan | None:
        """None if it cannot be used; `problem` then says so in a sentence."""
        if self._lan is None and not self._closed and time.monotonic() >= self._again_at:
            if self._opening is None:
                self._opening = asyncio.create_task(self._open())
            await asyncio.shield(self._opening)
        return self._lan

    async def _open(self) -> Lan | None:
        try:
            self._lan = await Lan.open(self._interfaces)
            self.problem = ""
        except LanMissing as error:
            self.problem = str(error)
            self._again_at = time.monotonic() + AGAIN_S
        finally:
            self._opening = None
        return self._lan

    def here(self, key: bytes, port: int) -> None:
        """As `Near.here`; from the next time on if the network is not open yet."""
        if self._lan is not None:
            self._lan.here(key, port)
        else:
            self._wake(lambda lan: lan.here(key, port))

    def where(self, key: bytes) -> tuple[str, ...]:
        """As `Near.where`."""
        if self._lan is not None:
            return self._lan.where(key)
        self._wake(lambda lan: lan.where(key))
        return ()

    def _wake(self, then: Callable[[Lan], object]) -> None:
        if self._closed or time.monotonic() < self._again_at:
            return
        if self._opening is None:
            self._opening = asyncio.create_task(self._open())

        def opened(task: asyncio.Task[Lan | None]) -> None:
            lan = None if task.cancelled() else task.result()
            if lan is not None and not self._closed:
                then(lan)

        self._opening.add_done_callback(opened)

    async def close(self) -> None:
        """Shows and hears nothing any more."""
        self._closed = True
        if self._opening is not None:
            await asyncio.gather(self._opening, return_exceptions=True)
        if self._lan is not None:
            await self._lan.close()
            self._lan = None


class Places:
    """Where this player's rooms can be shown, and others' found."""

    def __init__(
        self,
        identity: Identity,
        halls: Sequence[str],
        neighbours: Neighbours | None,
        *,
        hides: Callable[[bytes], bool] = nobody,
        favours: Callable[[bytes], bool] = nobody,
    ) -> None:
        """`halls` as the settings have them; `neighbours` None: not on the local network.
        `hides` and `favours`: see `Listing`."""
        self.neighbours: Final = neighbours
        self.halls: dict[str, HallAddress] = {}
        self.wrong: dict[str, str] = {}
        self._identity = identity
        self._hides = hides
        self._favours = favours
        for line in halls:
            try:
                address = parse_hall(line)
            except Malformed as error:
                self.wrong[f"hall {len(self.wrong) + 1}"] = str(error)
            else:
                self.halls[address.label] = address

    @property
    def names(self) -> tuple[str, ...]:
        """All places that can be used."""
        return (LAN,) * (self.neighbours is not None) + tuple(self.halls)

    def look(self, on_change: OnChange) -> Look:
        """Looks for rooms everywhere from now on."""
        return Look(self, self._hides, self._favours, on_change)

    def showing(self, on: Sequence[str] = ()) -> Showing:
        """For one room: shown nowhere but in the places `on` until it is switched on there."""
        return Showing(self, self._identity, on)


class Look:
    """The rooms of all places. `close` it in the end."""

    def __init__(
        self,
        places: Places,
        hides: Callable[[bytes], bool],
        favours: Callable[[bytes], bool],
        on_change: OnChange,
    ) -> None:
        self._places = places
        self._hides = hides
        self._favours = favours
        self._on_change = on_change
        self._finders: dict[str, Finder] = {}
        self._opening: asyncio.Task[None] | None = None
        if places.neighbours is not None:
            self._opening = asyncio.create_task(self._look_near(places.neighbours))
        for label, address in places.halls.items():
            self._finders[label] = HallFinder(address, on_change, hides, favours)

    async def _look_near(self, neighbours: Neighbours) -> None:
        lan = await neighbours.lan()
        if lan is not None:
            listing = Listing(self._on_change, hides=self._hides, favours=self._favours)
            self._finders[LAN] = LanFinder(lan, listing)
        self._on_change()

    def found(self) -> tuple[Found, ...]:
        """Every room once, those of the local network first."""
        rooms: dict[tuple[bytes, bytes], Found] = {}
        for place in self._places.names:
            finder = self._finders.get(place)
            for advert in finder.adverts() if finder is not None else ():
                rooms.setdefault((advert.room, advert.key), Found(place, advert))
        return tuple(rooms.values())

    def problems(self) -> dict[str, str]:
        """By place, why its list is empty or old."""
        told = dict(self._places.wrong)
        neighbours = self._places.neighbours
        if neighbours is not None and neighbours.problem:
            told[LAN] = neighbours.problem
        for place, finder in self._finders.items():
            if finder.problem():
                told[place] = finder.problem()
        return told

    async def close(self) -> None:
        """Looks no longer."""
        if self._opening is not None:
            self._opening.cancel()
            await asyncio.gather(self._opening, return_exceptions=True)
        await asyncio.gather(*(finder.close() for finder in self._finders.values()))


class Showing:
    """One room's announcer in every place where the player has switched it on."""

    def __init__(self, places: Places, identity: Identity, on: Sequence[str]) -> None:
        self._places = places
        self._identity = identity
        self._on = {place for place in on if place in places.names}
        self._announcers: dict[str, LanAnnouncer | HallAnnouncer] = {}
        self._advert: Advert | None = None
        self._opening: set[asyncio.Task[None]] = set()

    @property
    def asks(self) -> bool:
        """Whether unknown devices are asked about: the room is on the local network, and not
        in a hall, where it is meant for strangers."""
        return self._on == {LAN}

    def spots(self) -> tuple[Spot, ...]:
        """All places, and how it stands with the room there."""
        return tuple(
            Spot(place, place in self._on, self._problem(place)) for place in self._places.names
        )

    def switch(self, place: str, is_on: bool) -> None:
        """Shows the room in a place, or no longer."""
        if is_on and place in self._places.names:
            self._on.add(place)
            if self._advert is not None:
                self._show(place, self._advert)
        elif not is_on:
            self._on.discard(place)
            if place in self._announcers:
                self._announcers[place].withdraw()

    def publish(self, advert: Advert) -> None:
        """As `Announcer.publish`."""
        self._advert = advert
        for place in self._on:
            self._show(place, advert)

    def withdraw(self) -> None:
        """As `Announcer.withdraw`."""
        self._advert = None
        for announcer in self._announcers.values():
            announcer.withdraw()

    def problem(self) -> str:
        """As `Announcer.problem`: of the first place that has one."""
        return next((spot.problem for spot in self.spots() if spot.problem), "")

    async def close(self) -> None:
        """Withdraws the room, and leaves all halls."""
        self.withdraw()
        for task in self._opening:
            task.cancel()
        await asyncio.gather(*self._opening, return_exceptions=True)
        halls = [a for a in self._announcers.values() if isinstance(a, HallAnnouncer)]
        await asyncio.gather(*(hall.close() for hall in halls))

    def _problem(self, place: str) -> str:
        if place not in self._on:
            return ""
        if place == LAN and self._places.neighbours is not None and self._places.neighbours.problem:
            return UNHEARD
        announcer = self._announcers.get(place)
        return announcer.problem() if announcer is not None else ""

    def _show(self, place: str, advert: Advert) -> None:
        announcer: Announcer | None = self._announcers.get(place)
        if announcer is None and place in self._places.halls:
            announcer = HallAnnouncer(self._places.halls[place], self._identity)
            self._announcers[place] = announcer
        if announcer is not None:
            announcer.publish(advert)
        elif not self._opening and self._places.neighbours is not None:
            task = asyncio.create_task(self._show_near(self._places.neighbours))
            self._opening.add(task)
            task.add_done_callback(self._opening.discard)

    async def _show_near(self, neighbours: Neighbours) -> None:
        lan = await neighbours.lan()
        if lan is not None:
            self._announcers[LAN] = announcer = LanAnnouncer(lan, self._identity)
            if self._advert is not None and LAN in self._on:
                announcer.publish(self._advert)
