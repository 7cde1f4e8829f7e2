"""The rooms of others, and where one's own is shown, for the window's thread.

What screens ask is answered from what was last heard, so they never wait; what they wish is done
on the network's thread. A protocol stands for it where there is no network.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from cloakboard.client.network import Network
from cloakboard.netplay.errors import Malformed
from cloakboard.netplay.finding.devices import Devices, Porter
from cloakboard.netplay.finding.friends import FriendsFile
from cloakboard.netplay.finding.hall import parse_hall
from cloakboard.netplay.finding.places import LAN, Found, Look, Neighbours, Places, Showing, Spot
from cloakboard.netplay.identity import Identity
from cloakboard.netplay.links.near import Near
from cloakboard.netplay.settings import SettingsFile, read_relays

SETTLE_S: Final = 0.1  # between two times that many changes are taken in


@dataclass(frozen=True, slots=True)
class Knocking:
    """Somebody of the local network who waits to be let in."""

    key: bytes
    name: str
    words: str


class Street(Protocol):
    """See above. Nothing raises but `add_hall` and `set_relays`."""

    def look(self) -> None:
        """Looks for rooms from now on, or anew after the places have changed."""
        ...

    def rest(self) -> None:
        """Looks no longer."""
        ...

    def rooms(self) -> tuple[Found, ...]:
        """What is found; the same object as long as nothing has changed."""
        ...

    def problems(self) -> tuple[str, ...]:
        """Sentences: why some rooms may be missing."""
        ...

    def spots(self) -> tuple[Spot, ...]:
        """Where one's own room is shown, or would be."""
        ...

    def switch(self, place: str, is_on: bool) -> None:
        """Shows one's room there, or no longer; the next one, too."""
        ...

    def knocking(self) -> tuple[Knocking, ...]:
        """Who waits to be let in."""
        ...

    def answer(self, key: bytes, is_let_in: bool) -> None:
        """Lets somebody in, or not."""
        ...

    def halls(self) -> tuple[str, ...]:
        """The halls of the settings, by what they are called."""
        ...

    def add_hall(self, line: str) -> None:
        """Goes to one more hall. Raises `Malformed` for what names none."""
        ...

    def remove_hall(self, label: str) -> None:
        """Goes there no longer."""
        ...

    def uses_lan(self) -> bool:
        """Whether the local network is used."""
        ...

    def use_lan(self, is_used: bool) -> None:
        """Uses the local network from now on, or no longer."""
        ...

    def relays(self) -> str:
        """The relays of the settings, with blanks between."""
        ...

    def set_relays(self, text: str) -> None:
        """Uses these from the next connection on. Raises `Malformed` for what are none."""
        ...


class NetStreet:
    """See `Street`."""

    def __init__(
        self,
        network: Network,
        identity: Identity,
        folder: Path,
        settings: SettingsFile,
        book: FriendsFile,
        *,
        local: bool = False,
        neighbours: Callable[[], Neighbours] = Neighbours,
    ) -> None:
        """`local`: no other machine is looked for; `neighbours` makes the local network's end."""
        self._network = network
        self._identity = identity
        self._settings = settings
        self._book = book
        self._is_local = local
        self._neighbours = neighbours()
        self._on: set[str] = set()
        self._look: Look | None = None
        self._is_settling = False
        self._rooms: tuple[Found, ...] = ()
        self._problems: tuple[str, ...] = ()
        self._showing: Showing | None = None
        self._porter = Porter(
            Devices(folder), lambda: self._showing is not None and self._showing.asks
        )

    # -- on the network's thread ---------------------------------------------------------------

    @property
    def near(self) -> Near | None:
        """For the transport; see `network.open_network`."""
        return self._neighbours if self._uses_lan else None

    async def admit(self, key: bytes, name: str) -> None:
        """For the door of a room; see `door.Door`."""
        await self._porter.check(key, name)

    @asynccontextmanager
    async def shown(self) -> AsyncIterator[Showing]:
        """The announcer of a new room, on in the places where the last one was; in the end the
        room is taken from everywhere."""
        self._showing = showing = self._places().showing(tuple(self._on))
        try:
            yield showing
        finally:
            if self._showing is showing:
                self._showing = None
            await showing.close()

    async def end(self) -> None:
        """Lets go of everything."""
        await self._stop()
        if self._showing is not None:
            await self._showing.close()
        await self._neighbours.close()

    @property
    def _uses_lan(self) -> bool:
        return self._settings.now.lan and not self._is_local

    def _places(self) -> Places:
        return Places(
            self._identity,
            () if self._is_local else self._settings.now.halls,
            self._neighbours if self._uses_lan else None,
            hides=self._book.refuses,
            favours=self._book.is_friend,
        )

    async def _begin(self) -> None:
        await self._stop()
        self._look = self._places().look(self._changed)
        self._take_in()

    async def _stop(self) -> None:
        look, self._look = self._look, None
        if look is not None:
            await look.close()

    def _changed(self) -> None:
        if not self._is_settling:
            self._is_settling = True
            asyncio.get_running_loop().call_later(SETTLE_S, self._take_in)

    def _take_in(self) -> None:
        self._is_settling = False
        if self._look is not None:
            found = self._look.found()
            if found != self._rooms:
                self._rooms = found
            self._problems = tuple(self._look.problems().values())

    async def _switch(self, place: str, is_on: bool) -> None:
        if self._showing is not None:
            self._showing.switch(place, is_on)

    async def _answer(self, key: bytes, is_let_in: bool) -> None:
        self._porter.answer(key, is_let_in)

    # -- on the window's thread ----------------------------------------------------------------

    def look(self) -> None:
        """As `Street.look`."""
        self._network.run(self._begin())

    def rest(self) -> None:
        """As `Street.rest`."""
        self._network.run(self._stop())

    def rooms(self) -> tuple[Found, ...]:
        """As `Street.rooms`."""
        return self._rooms

    def problems(self) -> tuple[str, ...]:
        """As `Street.problems`."""
        return self._problems

    def spots(self) -> tuple[Spot, ...]:
        """As `Street.spots`."""
        showing = self._showing
        if showing is not None:
            return showing.spots()
        return tuple(Spot(place, place in self._on) for place in self._places().names)

    def switch(self, place: str, is_on: bool) -> None:
        """As `Street.switch`."""
        (self._on.add if is_on else self._on.discard)(place)
        self._network.run(self._switch(place, is_on))

    def knocking(self) -> tuple[Knocking, ...]:
        """As `Street.knocking`."""
        return tuple(Knocking(a.key, a.name, a.words) for a in self._porter.asking)

    def answer(self, key: bytes, is_let_in: bool) -> None:
        """As `Street.answer`."""
        self._network.run(self._answer(key, is_let_in))

    def halls(self) -> tuple[str, ...]:
        """As `Street.halls`."""
        return tuple(_label(line) for line in self._settings.now.halls)

    def add_hall(self, line: str) -> None:
        """As `Street.add_hall`."""
        label = parse_hall(line).label
        if label == LAN:
            raise Malformed("a hall cannot have that name; give its full host", what="hall")
        others = tuple(old for old in self._settings.now.halls if _label(old) != label)
        self._settings.change(halls=(*others, line.strip()))

    def remove_hall(self, label: str) -> None:
        """As `Street.remove_hall`."""
        halls = self._settings.now.halls
        self._settings.change(halls=tuple(line for line in halls if _label(line) != label))

    def uses_lan(self) -> bool:
        """As `Street.uses_lan`."""
        return self._settings.now.lan

    def use_lan(self, is_used: bool) -> None:
        """As `Street.use_lan`."""
        self._settings.change(lan=is_used)

    def relays(self) -> str:
        """As `Street.relays`."""
        return " ".join(self._settings.now.relays)

    def set_relays(self, text: str) -> None:
        """As `Street.set_relays`."""
        self._settings.change(relays=read_relays(text))


def _label(line: str) -> str:
    try:
        return parse_hall(line).label
    except Malformed:
        return line.rpartition("@")[2]
