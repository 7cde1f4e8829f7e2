"""The machine that opened a room keeps it: it lets visitors in at its door, puts what is said in
order, and sends that to all."""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from cloakboard.engine.game import Game
from cloakboard.netplay.errors import Forged, Lost, Malformed, NetplayError, Refused
from cloakboard.netplay.links.entrance import MAX_KNOCKING, Entrance, Passed
from cloakboard.netplay.links.greeting import (
    NO_MATCH,
    STEP_SECONDS,
    Me,
    Table,
    greet,
    hear,
    part,
)
from cloakboard.netplay.links.transport import Link, Transport
from cloakboard.netplay.room.door import Admit, Door, Visitor, refusal
from cloakboard.netplay.room.negotiator import Negotiator
from cloakboard.netplay.room.room_state import Phase
from cloakboard.netplay.room.sitting import FULL, MOST_LINES, Gathered, OnRoom, Sitting
from cloakboard.netplay.room.statements import Enter, House
from cloakboard.netplay.throttle import Throttle
from cloakboard.netplay.veil.opening import clean_name
from cloakboard.netplay.wire import Bye, Knock, RoomLine, RoomSay, Welcome, pack, unpack

MOST_IN_TIME: Final = 60  # statements of a member in `IN_TIME_S`
IN_TIME_S: Final = 5.0
MOST_OF_ONE: Final = 1000  # statements of one key, so that nobody alone can fill a room
MOST_BYTES_OF_ONE: Final = 1 << 20
MOST_GUESSES: Final = 12  # passwords that are looked at in `GUESSES_S`, whoever knocks
GUESSES_S: Final = 60.0
GONE: Final = "the connection is lost"


class _Way:
    """The way to one member: frames leave in order, and a slow member holds up nobody."""

    def __init__(self, link: Link, lines: Sequence[bytes]) -> None:
        """`lines`: all that was said so far."""
        self.link = link
        self._frames: asyncio.Queue[bytes | None] = asyncio.Queue(MOST_LINES)
        self._frames.put_nowait(pack(Welcome(len(lines))))
        for data in lines:
            self.put(data)
        self._sending = asyncio.create_task(self._send())

    def put(self, data: bytes) -> None:
        """Raises `Lost` if too much waits."""
        try:
            self._frames.put_nowait(pack(RoomLine(data)))
        except asyncio.QueueFull:
            raise Lost(GONE) from None

    async def _send(self) -> None:
        while (frame := await self._frames.get()) is not None:
            try:
                await self.link.send(frame)
            except NetplayError:
                return  # who reads this link finds it lost

    async def finish(self) -> None:
        """Until everything has left; who does not read is not waited for."""
        self._frames.put_nowait(None)
        await asyncio.wait({self._sending}, timeout=STEP_SECONDS)
        self.stop()

    def stop(self) -> None:
        """At once."""
        self._sending.cancel()

    async def end(self, why: NetplayError) -> None:
        """Says why, and closes the link."""
        self.stop()
        await part(self.link, why)


class Keeping(Sitting):
    """The place of the machine that opened the room."""

    def __init__(
        self,
        me: Me,
        room: bytes,
        table: Table,
        door: Door,
        on_room: OnRoom,
        address: str,
        games: Mapping[str, Game],
    ) -> None:
        key = me.identity.key
        negotiator = Negotiator(me.identity, room, key, me.name, address, games)
        super().__init__(negotiator, on_room, door.conduct)
        self._me = me
        self._id = room
        self._table = table
        self._door = door
        self._ways: dict[bytes, _Way] = {}
        self._asked_about: dict[bytes, asyncio.Task[Any]] = {}  # by key
        self._readers: set[asyncio.Task[None]] = set()
        self._is_flushing = False
        self._guesses = Throttle(MOST_GUESSES, GUESSES_S)
        self._bytes: Counter[bytes] = Counter()  # of all that each key has said

    async def run(self, transport: Transport) -> Gathered:
        """Until all have agreed. Raises `Refused` when the negotiation is ended, `Lost` when the
        transport is closed."""
        table = self._table
        self.negotiator.open(
            table.game, self._me.app, table.options, table.setup,
            title=table.title, settings=table.settings, wish=table.host_seat,
        )  # fmt: skip
        self.flush()
        entrance: Entrance[None] = Entrance(transport, self._visited)
        over = asyncio.create_task(self._over.wait())
        try:
            while not self._over.is_set():
                waited = {over, *entrance.awaited()}
                await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
                entrance.take()
            await self._finish()
            links = {key: way.link for key, way in self._ways.items()}
            return self._gathered(links, table.game)
        except BaseException as error:
            why = error if isinstance(error, NetplayError) else Refused("the room was closed")
            await asyncio.gather(*(way.end(why) for way in self._ways.values()))
            raise
        finally:
            for task in (over, *self._readers):
                task.cancel()
            await entrance.close()

    def lock(self, password: str) -> None:
        """As `Sitting.lock`. That there is one is a setting, which the others accept."""
        self._door = replace(self._door, password=password)
        self.do(lambda n: n.ask(House((("password", bool(password)),))))

    async def _finish(self) -> None:
        """Everybody hears the last word, and nobody's first word about the match is taken."""
        for task in self._readers:
            task.cancel()
        await asyncio.gather(*self._readers, return_exceptions=True)
        room = self.room
        assert room is not None
        seatless = [] if room.reason else [k for k in self._ways if room.member(k) is None]
        await asyncio.gather(
            *(self._ways.pop(key).end(Refused(FULL)) for key in seatless),
            *(way.finish() for way in self._ways.values()),
        )

    def flush(self) -> None:
        """Puts own words in order."""
        if self._is_flushing:
            return  # whoever flushes already takes these too
        self._is_flushing = True
        try:
            while self.negotiator.outbox:
                self._order(self.negotiator.outbox.pop(0))
        finally:
            self._is_flushing = False

    def _order(self, data: bytes) -> None:
        room = self.negotiator.take(data)
        for key, way in list(self._ways.items()):
            try:
                way.put(data)
            except Lost as error:
                self._lose(key, str(error))
        if room.phase is Phase.AGREED:
            for task in self._readers - {asyncio.current_task()}:
                task.cancel()  # the next frame may be about the match
        self._heard(room)

    async def _visited(self, link: Link, passed: Passed) -> None:
        """Greets who knocks, and hears it as long as it stays."""
        nonce = os.urandom(32)
        hello = await greet(link, self._me, self._id, NO_MATCH, nonce)
        knock = await hear(link)
        if not isinstance(knock, Knock):
            raise Malformed("the other machine does not knock", what="knock")
        key = hello.key
        proofs = (self._id, nonce, hello.nonce, key)
        visitor = self._check(key, knock, proofs)
        passed()
        if self._door.admit is not None and not visitor.is_known:
            await self._ask_about(key, clean_name(hello.name), self._door.admit)
            self._check(key, knock, proofs)
        await self._let_in(key, link)
        reader = asyncio.create_task(self._read(key, link))
        self._readers.add(reader)
        reader.add_done_callback(self._readers.discard)

    async def _ask_about(self, key: bytes, name: str, admit: Admit) -> None:
        """Waits for what this machine's player says. Who asks anew has given up its older link."""
        before, asking = self._asked_about.get(key), asyncio.current_task()
        if before is None and len(self._asked_about) >= MAX_KNOCKING:
            raise Refused("others wait to be let in; try again in a minute", what="door")
        assert asking is not None
        self._asked_about[key] = asking
        try:
            if before is not None:
                before.cancel()
                await asyncio.wait({before})
            await admit(key, name)
        finally:
            if self._asked_about.get(key) is asking:
                del self._asked_about[key]

    def _check(self, key: bytes, knock: Knock, link: tuple[bytes, ...]) -> Visitor:
        """Who knocks, if the settings let it in and there is room."""
        room = self.room
        assert room is not None
        visitor = self._door.visitor(key, (knock.ticket, knock.password), link)
        if knock.password and not visitor.is_invited and not self._guesses.takes():
            raise Refused(
                "too many passwords were tried here; wait a minute, or ask for an invite",
                what="password",
            )
        why = refusal(room.settings, visitor)
        if why is not None:
            raise Refused(why[1], what=why[0])
        is_crowded = len(self._ways) >= room.game.seats + MAX_KNOCKING
        if (room.free == 0 or is_crowded) and room.member(key) is None:
            raise Refused(FULL, what="room")
        return visitor

    async def _let_in(self, key: bytes, link: Link) -> None:
        """From here on it hears everything; a link it had before is given up."""
        while (before := self._ways.pop(key, None)) is not None:
            before.stop()
            await before.link.close()
        room = self.room
        if room is not None and room.member(key) is not None:
            self.negotiator.gone(key, "came in anew")
            self.flush()
        self._ways[key] = _Way(link, self.negotiator.lines)

    async def _read(self, key: bytes, link: Link) -> None:
        throttle = Throttle(MOST_IN_TIME, IN_TIME_S)
        try:
            while not self._over.is_set():
                room = self.room
                is_member = room is not None and room.member(key) is not None
                async with asyncio.timeout(None if is_member else STEP_SECONDS):
                    message = unpack(await link.receive())
                if isinstance(message, Bye):
                    raise Refused(message.reason)
                if not isinstance(message, RoomSay):
                    raise Malformed("the other machine sent a message out of place", what="say")
                if not throttle.takes():
                    raise Refused("too much was said in a short time", what="say")
                said = self.negotiator.check(message.data)
                if said.author != key:
                    raise Forged("a member spoke in another's name", what="say")
                self._bytes[key] += len(message.data)
                if said.number > MOST_OF_ONE or self._bytes[key] > MOST_BYTES_OF_ONE:
                    raise Refused("you have said too much in this room", what="say")
                if isinstance(said.body, Enter) and not is_member and room and room.free == 0:
                    raise Refused(FULL, what="room")  # another was quicker
                self._order(message.data)
                self.flush()
        except TimeoutError:
            await self._end(key, link, Refused("nothing was said for a long time; join again"))
        except NetplayError as error:
            await self._end(key, link, error)

    async def _end(self, key: bytes, link: Link, error: NetplayError) -> None:
        """Lets go of a link, unless its member has another one by now."""
        way = self._ways.get(key)
        if way is not None and way.link is link:
            if not isinstance(error, Lost):
                await part(link, error)
            self._lose(key, str(error))

    def _lose(self, key: bytes, reason: str) -> None:
        way = self._ways.pop(key, None)
        if way is not None:
            way.stop()
        room = self.room
        if room is not None and room.member(key) is not None and not self._over.is_set():
            self.negotiator.gone(key, reason)
            self.flush()
