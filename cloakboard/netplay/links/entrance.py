"""Those who knock: links of strangers, until one has shown that it belongs here.

To knock costs nothing, so who came first has no right to a place. When all are taken the oldest
gives way to a newcomer, of the same machine's if it holds one: links that stay silent keep out
nobody who has something to say. (Answers: strangers who hold every place for as long as they may.)
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final, Generic, TypeVar

from cloakboard.netplay.errors import NetplayError
from cloakboard.netplay.links.greeting import part
from cloakboard.netplay.links.transport import Link, Transport, accept_no_more
from cloakboard.netplay.links.waiting import Waiting

MAX_KNOCKING: Final = 8  # greeted at once
GREET_S: Final = 5.0

Found = TypeVar("Found")
"""What a visit may come to, such as a seat and the link to its machine."""
Passed = Callable[[], None]
"""Says that a link is no stranger's any more: it gives way to nobody from here on."""
Visit = Callable[[Link, Passed], Awaitable[Found | None]]
"""Greets who knocks and hears it out. Whatever `NetplayError` it raises is told to the other side;
who takes too long is sent away without a word."""


class Entrance(Generic[Found]):
    """Accepts links and lets each visit, several at a time."""

    def __init__(self, transport: Transport, visit: Visit[Found]) -> None:
        self._transport = transport
        self._visit = visit
        self._accepting: asyncio.Task[Link] | None = None
        self._visits: dict[asyncio.Task[Found | None], Link] = {}
        self._strangers = Waiting(MAX_KNOCKING)

    def awaited(self) -> set[asyncio.Task[Any]]:
        """What `take` waits for: call it when one of these is done."""
        if self._accepting is None:
            self._accepting = asyncio.create_task(self._transport.accept())
        return {self._accepting, *self._visits}

    def take(self) -> list[Found]:
        """Lets in who has knocked; what was found since the last time. Raises `Lost` once the
        transport is closed."""
        done = [visit for visit in self._visits if visit.done()]
        for visit in done:
            del self._visits[visit]
        if self._accepting is not None and self._accepting.done():
            accepted, self._accepting = self._accepting, None
            link = accepted.result()
            visit = asyncio.create_task(self._let_in(link))
            self._visits[visit] = link
            self._strangers.enter(visit, link.peer)
        results = [visit.result() for visit in done if not visit.cancelled()]
        return [found for found in results if found is not None]

    async def found(self) -> list[Found]:
        """Lets in who knocks until one is found."""
        while not (found := self.take()):
            await asyncio.wait(self.awaited(), return_when=asyncio.FIRST_COMPLETED)
        return found

    async def close(self) -> None:
        """Sends away everybody who is here, and lets nobody in until it is asked again."""
        accepting, self._accepting = self._accepting, None
        visits, self._visits = self._visits, {}
        for visit in visits:
            visit.cancel()
        if accepting is not None:
            await accept_no_more(accepting)
        await asyncio.gather(*visits, return_exceptions=True)
        for visit, link in visits.items():
            if visit.cancelled() or visit.result() is not None:
                await link.close()  # it never began, or came too late

    async def _let_in(self, link: Link) -> Found | None:
        def passed() -> None:
            self._strangers.leave(asyncio.current_task())

        try:
            try:
                return await self._visit(link, passed)
            except TimeoutError:
                await link.close()
            except NetplayError as error:
                await part(link, error)
        except asyncio.CancelledError:
            await link.close()
            raise
        return None
