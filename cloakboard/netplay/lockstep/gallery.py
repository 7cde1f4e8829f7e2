"""Who knocks while a match is played: spectators, and a seat's machine that had to start again.

1. V, S `Hello` naming the match, as after a break. A key that holds a seat is handed over: its
   machine has lost the link that is still open here.
2. V `Watching`: how many entries it has. S `EntryFrame` with each later one, in order, as soon as
   it is old enough (`spectator_delay` Turns). (Answers: a player who asks a spectator.)
3. V says nothing more; whatever it sends but a `Bye` ends the link. (Answers: a spectator that
   takes part.)
4. Nothing leaves from the entry on in which the first secret is opened. What a spectator has is
   then part of what every seat has signed, and nothing else: no requests, no talk, no secret.
"""

from __future__ import annotations

import asyncio
from typing import Final

from cloakboard.netplay.errors import Malformed, NetplayError, Refused
from cloakboard.netplay.invite import Watch
from cloakboard.netplay.links.greeting import STEP_SECONDS, Me, greet, hear, part, say
from cloakboard.netplay.links.mesh import GREET_S, MAX_KNOCKING, NO_ROOM
from cloakboard.netplay.links.transport import Link, Transport
from cloakboard.netplay.lockstep.machine import Machine
from cloakboard.netplay.room_settings import settings_of
from cloakboard.netplay.transcript import Opened, encode, read_body
from cloakboard.netplay.wire import Bye, EntryFrame, Watching, unpack

MAX_SPECTATORS: Final = 8
ENDED: Final = "the match is over"
FULL: Final = "there is no room for more spectators at this machine"
PRIVATE: Final = "nobody watches this match"


def shown_entries(match: Machine) -> int:
    """How many entries, from the first, a spectator may have now."""
    delay = settings_of(match.opening)["spectator_delay"]
    core = match.core
    if core.result is not None:
        for at, entry in enumerate(match.entries):
            if at and isinstance(read_body(entry), Opened):
                return at
        return len(match.entries)
    latest = match.game.turn(core.shown) - delay
    young = (at for at, turn in enumerate(core.turns) if turn > latest)
    return next(young, len(match.entries))


class Gallery:
    """The spectators of one seat's machine."""

    def __init__(self, transport: Transport, me: Me, match: Machine) -> None:
        self._transport = transport
        self._me = me
        self._match = match
        self._is_open = settings_of(match.opening)["spectators"]
        self._changed = asyncio.Event()
        self._watching: set[Link] = set()

    @property
    def spectators(self) -> int:
        """How many watch at this machine."""
        return len(self._watching)

    def invite(self) -> str:
        """The line that lets its holder watch at this machine; empty if nobody may."""
        if not self._is_open:
            return ""
        return Watch(self._transport.address(), self._match.id, self._me.identity.key).text()

    def changed(self) -> None:
        """The chain has grown."""
        self._changed.set()
        self._changed = asyncio.Event()

    async def run(self) -> dict[int, Link]:
        """Lets spectators in until a seat's machine knocks: the seats that did, and their new
        links. Those who watch are sent away with it, and come again."""
        seats = {self._match.keys[seat]: seat for seat in self._match.others}
        knocking = asyncio.create_task(self._transport.accept())
        visits: set[asyncio.Task[tuple[int, Link] | None]] = set()
        try:
            while True:
                await asyncio.wait({knocking, *visits}, return_when=asyncio.FIRST_COMPLETED)
                done = {visit for visit in visits if visit.done()}
                visits -= done
                back = dict(found for visit in done if (found := visit.result()) is not None)
                if back:
                    return back
                if knocking.done():
                    link = knocking.result()
                    if len(visits) < MAX_KNOCKING + MAX_SPECTATORS:
                        visits.add(asyncio.create_task(self._visit(link, seats)))
                    else:
                        await link.close()
                    knocking = asyncio.create_task(self._transport.accept())
        finally:
            for task in (knocking, *visits):
                task.cancel()
            for one in await asyncio.gather(knocking, *visits, return_exceptions=True):
                link_left = one[1] if isinstance(one, tuple) else one
                if link_left is not None and not isinstance(link_left, BaseException):
                    await link_left.close()

    async def _visit(self, link: Link, seats: dict[bytes, int]) -> tuple[int, Link] | None:
        try:
            async with asyncio.timeout(GREET_S):
                hello = await greet(link, self._me, NO_ROOM, self._match.id)
                if hello.key in seats:
                    return seats[hello.key], link
                if not self._is_open:
                    raise Refused(PRIVATE)
                self._check_place()
                asked = await hear(link)
            self._check_place()  # others were greeted at the same time
            if not isinstance(asked, Watching) or asked.entries < 0:
                raise Malformed("a spectator says how far it has watched", what="message")
            await self._show(link, asked.entries)
        except (TimeoutError, asyncio.CancelledError) as error:
            await link.close()
            if isinstance(error, asyncio.CancelledError):
                raise
        except NetplayError as error:
            await part(link, error)
        return None

    def _check_place(self) -> None:
        if self.spectators >= MAX_SPECTATORS:
            raise Refused(FULL)

    async def _show(self, link: Link, sent: int) -> None:
        """Sends what there is to see, until the match is over or the spectator goes."""
        self._watching.add(link)
        leaving = asyncio.create_task(_leaves(link))
        try:
            while True:
                changed = self._changed
                while sent < (shown := shown_entries(self._match)):
                    for entry in self._match.entries[sent:shown]:
                        async with asyncio.timeout(STEP_SECONDS):  # a place is for who reads
                            await say(link, EntryFrame(encode(entry)))
                    sent = shown
                if self._match.core.result is not None:
                    raise Refused(ENDED)
                waiting = asyncio.create_task(changed.wait())
                await asyncio.wait({waiting, leaving}, return_when=asyncio.FIRST_COMPLETED)
                waiting.cancel()
                if leaving.done():
                    leaving.result()
                    return
        finally:
            leaving.cancel()
            self._watching.discard(link)


async def _leaves(link: Link) -> None:
    """Returns once a spectator goes. Raises `NetplayError` if it says anything else, or is lost."""
    if not isinstance(unpack(await link.receive()), Bye):
        raise Malformed("a spectator only watches", what="message")
    await link.close()
