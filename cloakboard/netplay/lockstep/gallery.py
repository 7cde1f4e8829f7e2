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
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from cloakboard.netplay.errors import Malformed, Refused
from cloakboard.netplay.invite import Watch
from cloakboard.netplay.links.entrance import GREET_S, Entrance, Passed
from cloakboard.netplay.links.greeting import STEP_SECONDS, Me, greet, hear, say
from cloakboard.netplay.links.mesh import NO_ROOM, Found
from cloakboard.netplay.links.transport import Link, Transport
from cloakboard.netplay.lockstep.audience import MAX_SPECTATORS
from cloakboard.netplay.lockstep.machine import Machine
from cloakboard.netplay.room_settings import settings_of
from cloakboard.netplay.transcript import Opened, encode, read_body
from cloakboard.netplay.veil.opening import clean_name
from cloakboard.netplay.wire import Bye, EntryFrame, Hello, Watching, unpack

ENDED: Final = "the match is over"
FULL: Final = "there is no room for more spectators at this machine"
PRIVATE: Final = "nobody watches this match"
ELSEWHERE: Final = "with the same profile this match is watched from another place now"


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


@dataclass(frozen=True, slots=True, eq=False)
class _Place:
    """A spectator's. `name`: what it calls itself, cleaned; `given_up`: its key watches over a
    newer link."""

    name: str
    given_up: asyncio.Event


class Gallery:
    """The spectators of one seat's machine: a place for each key, so many at most."""

    def __init__(
        self, transport: Transport, me: Me, match: Machine, on_change: Callable[[], None]
    ) -> None:
        """`on_change` is called when somebody has come to watch, or has gone."""
        self._transport = transport
        self._me = me
        self._match = match
        self._on_change = on_change
        self._is_open = settings_of(match.opening)["spectators"]
        self._changed = asyncio.Event()
        self._places: dict[bytes, _Place] = {}  # by key
        self._seats = {match.keys[seat]: seat for seat in match.others}
        self._entrance = Entrance(transport, self._visit)

    @property
    def spectators(self) -> int:
        """How many watch at this machine."""
        return len(self._places)

    @property
    def names(self) -> tuple[str, ...]:
        """What they call themselves, who came first first."""
        return tuple(place.name for place in self._places.values())

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
        try:
            return dict(await self._entrance.found())
        finally:
            await self._entrance.close()

    async def _visit(self, link: Link, passed: Passed) -> Found | None:
        async with asyncio.timeout(GREET_S):
            hello = await greet(link, self._me, NO_ROOM, self._match.id)
            if hello.key in self._seats:
                return self._seats[hello.key], link
            if not self._is_open:
                raise Refused(PRIVATE)
            self._check_place(hello.key)
            asked = await hear(link)
        if not isinstance(asked, Watching) or asked.entries < 0:
            raise Malformed("a spectator says how far it has watched", what="message")
        self._check_place(hello.key)  # others were greeted at the same time
        passed()
        await self._seat(hello, link, asked.entries)
        return None

    def _check_place(self, key: bytes) -> None:
        if key not in self._places and self.spectators >= MAX_SPECTATORS:
            raise Refused(FULL)

    async def _seat(self, hello: Hello, link: Link, sent: int) -> None:
        """Shows what there is to see, until the match is over or the spectator goes; who comes
        again with its key takes its place. Raises `NetplayError` with what it is told."""
        key = hello.key
        before = self._places.get(key)
        if before is not None:
            before.given_up.set()
        self._places[key] = place = _Place(clean_name(hello.name), asyncio.Event())
        self._on_change()
        showing, leaving, replaced = tasks = (
            asyncio.create_task(self._show(link, sent)),
            asyncio.create_task(_leaves(link)),
            asyncio.create_task(place.given_up.wait()),
        )
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            if replaced.done():
                raise Refused(ELSEWHERE)
            (showing if showing.done() else leaving).result()
        finally:
            if self._places.get(key) is place:
                del self._places[key]
                self._on_change()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _show(self, link: Link, sent: int) -> None:
        """Sends what there is to see. Raises `Refused` at the end of the match, `TimeoutError`
        for who does not read."""
        while True:
            changed = self._changed
            while sent < (shown := shown_entries(self._match)):
                for entry in self._match.entries[sent:shown]:
                    async with asyncio.timeout(STEP_SECONDS):  # a place is for who reads
                        await say(link, EntryFrame(encode(entry)))
                sent = shown
            if self._match.core.result is not None:
                raise Refused(ENDED)
            await changed.wait()


async def _leaves(link: Link) -> None:
    """Returns once a spectator goes. Raises `NetplayError` if it says anything else, or is lost."""
    if not isinstance(unpack(await link.receive()), Bye):
        raise Malformed("a spectator only watches", what="message")
    await link.close()
