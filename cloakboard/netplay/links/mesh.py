"""A match's links, one to each other seat: found again by dialling and by being dialled.

Of two seats the one that came later into the room dials; it was told where the other is. Who
answers must greet with the key that holds the seat.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from typing import Any, Final

from cloakboard.netplay.errors import Lost, Mismatch, NetplayError, Refused
from cloakboard.netplay.links.entrance import GREET_S, Entrance, Passed
from cloakboard.netplay.links.greeting import Me, greet, part
from cloakboard.netplay.links.transport import Link, Transport

REDIAL_S: Final = 0.5
TICK_S: Final = 1.0
ASLEEP_S: Final = 5.0  # between two looks at the clock: what is more was slept
NO_ROOM: Final = b""  # a match that goes on needs no room: its id names it
Found = tuple[int, Link]
"""A seat, and the link to its machine."""


class Mesh:
    """Finds the links of one seat of a match."""

    def __init__(
        self,
        transport: Transport,
        me: Me,
        match: bytes,
        keys: Mapping[int, bytes],
        addresses: Mapping[int, str],
    ) -> None:
        """`keys`: of the other seats; `addresses`: of those to dial, the rest dial here."""
        self._transport = transport
        self._me = me
        self._match = match
        self._seats = {key: seat for seat, key in keys.items()}
        self._addresses = addresses
        self._entrance = Entrance(transport, self._visit)

    async def find(
        self, held: Mapping[int, Link], patience_s: float, tell: Callable[[int], None]
    ) -> dict[int, Link]:
        """All links, those `held` among them. `tell` hears the whole seconds left, once a second
        while one is missing. Raises `Lost` when they are up, `Mismatch` when a seat that is
        dialled wants to go on with another match."""
        links = dict(held)
        left, looked_at = patience_s, time.monotonic()
        tasks: set[asyncio.Task[Found]] = {
            asyncio.create_task(self._seek(seat))
            for seat in self._addresses
            if seat in self._seats.values() and seat not in links
        }
        try:
            while len(links) < len(self._seats):
                now = time.monotonic()
                left -= min(now - looked_at, ASLEEP_S)  # a machine that sleeps does not look
                looked_at = now
                tell(max(0, round(left)))
                if left <= 0:
                    raise Lost(
                        "the other machine was not found; the match is saved: resume it later"
                    )
                waited: set[asyncio.Task[Any]] = {*tasks}
                if not set(self._seats.values()) <= {*self._addresses}:
                    waited |= self._entrance.awaited()
                await asyncio.wait(
                    waited, timeout=min(left, TICK_S), return_when=asyncio.FIRST_COMPLETED
                )
                for found in self._entrance.take():
                    await _keep(links, found)
                for task in [task for task in tasks if task.done()]:
                    tasks.discard(task)
                    await _keep(links, task.result())
            return links
        except BaseException:
            for link in links.values():
                await link.close()
            raise
        finally:
            await self._entrance.close()
            for task in tasks:
                task.cancel()
            for late in await asyncio.gather(*tasks, return_exceptions=True):
                if isinstance(late, tuple):
                    await late[1].close()  # came too late

    async def _seek(self, seat: int) -> Found:
        """A link to the machine of a seat, dialled until it answers."""
        while True:
            link: Link | None = None
            try:
                async with asyncio.timeout(GREET_S):
                    link = await self._transport.dial(self._addresses[seat])
                    if await self._greet(link) == seat:
                        return seat, link
                    raise Refused("who answers holds another seat in this match")
            except (TimeoutError, asyncio.CancelledError) as error:
                if link is not None:
                    await link.close()  # or the other side, when it looks up, takes it for good
                if isinstance(error, asyncio.CancelledError):
                    raise
            except NetplayError as error:
                if link is not None:
                    await part(link, error)
                if isinstance(error, Mismatch):
                    raise
            await asyncio.sleep(REDIAL_S)

    async def _visit(self, link: Link, _passed: Passed) -> Found | None:
        """The seat of who knocks. Who holds none here may be a spectator: without a word that
        would send it away for good it comes again, until the match goes on."""
        async with asyncio.timeout(GREET_S):
            seat = await self._greet(link)
        if seat is None:
            await link.close()
            return None
        return seat, link

    async def _greet(self, link: Link) -> int | None:
        """The seat of whoever is at the other end, None if it holds none of the others."""
        hello = await greet(link, self._me, NO_ROOM, self._match)
        return self._seats.get(hello.key)


async def _keep(links: dict[int, Link], found: Found) -> None:
    """A seat that comes anew has given up the link it had."""
    seat, link = found
    before = links.get(seat)
    links[seat] = link
    if before is not None:
        await before.close()
