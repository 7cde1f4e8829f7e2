"""The edge of a room: links on one side, what is said on the other.

The machine that opened the room keeps it: it lets visitors in at its door, puts what is said in
order, and sends that to all. Every other member has one link, to the keeper.
"""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from cloakboard.engine.game import Game
from cloakboard.netplay.errors import Forged, Lost, Malformed, NetplayError, Refused
from cloakboard.netplay.finding.devices import ASK_S
from cloakboard.netplay.invite import Invite
from cloakboard.netplay.links.entrance import MAX_KNOCKING, Entrance, Passed
from cloakboard.netplay.links.greeting import (
    NO_MATCH,
    STEP_SECONDS,
    Begun,
    Me,
    Table,
    clean_reason,
    greet,
    hear,
    part,
    say,
)
from cloakboard.netplay.links.transport import Link, Transport
from cloakboard.netplay.lockstep.judge import check_opening
from cloakboard.netplay.room.cautions import Caution, Cautions
from cloakboard.netplay.room.door import (
    Admit,
    Conduct,
    Door,
    Visitor,
    conduct_refusal,
    prove,
    refusal,
    stretch,
    unknown,
)
from cloakboard.netplay.room.negotiator import Negotiator
from cloakboard.netplay.room.room_state import Phase, Room
from cloakboard.netplay.room.statements import Enter, House, Load
from cloakboard.netplay.throttle import Throttle
from cloakboard.netplay.veil.opening import clean_name
from cloakboard.netplay.wire import Bye, Knock, RoomLine, RoomSay, Welcome, pack, unpack

MOST_WAITING: Final = 6000  # frames on their way to a member that is slow
MOST_IN_TIME: Final = 60  # statements of a member in `IN_TIME_S`
IN_TIME_S: Final = 5.0
MOST_OF_ONE: Final = 1000  # statements of one key, so that nobody alone can fill a room
MOST_BYTES_OF_ONE: Final = 1 << 20
MOST_GUESSES: Final = 12  # passwords that are looked at in `GUESSES_S`, whoever knocks
GUESSES_S: Final = 60.0
GONE: Final = "the connection is lost"
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


class _Way:
    """The way to one member: frames leave in order, and a slow member holds up nobody."""

    def __init__(self, link: Link, lines: Sequence[bytes]) -> None:
        """`lines`: all that was said so far."""
        self.link = link
        self._frames: asyncio.Queue[bytes | None] = asyncio.Queue(MOST_WAITING)
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


class Visiting(Sitting):
    """The place of a machine that came by an invite."""

    def __init__(
        self,
        me: Me,
        invite: Invite,
        password: str,
        on_room: OnRoom,
        address: str,
        games: Mapping[str, Game],
        conduct: Callable[[bytes], Conduct] = unknown,
        is_back: bool = False,
    ) -> None:
        """`is_back`: it was in this room before, with whoever is there by its player's choice."""
        negotiator = Negotiator(me.identity, invite.room, invite.host, me.name, address, games)
        super().__init__(negotiator, on_room, conduct)
        self._me = me
        self._invite = invite
        self._is_back = is_back
        self._password = password
        self._to_say: asyncio.Queue[bytes] = asyncio.Queue()
        self._has_entered = False
        self._is_in = False

    async def run(self, link: Link) -> Gathered:
        """Until all have agreed. Raises `Refused` when the door stays shut or the negotiation is
        ended, other `NetplayError` with a way out."""
        invite = self._invite
        secret = b""
        if self._password:
            secret = await asyncio.to_thread(stretch, self._password, invite.room)
        nonce = os.urandom(32)
        hello = await greet(link, self._me, invite.room, NO_MATCH, nonce)
        if hello.key != invite.host:
            raise Forged("who answers is not the player that invited you; ask for a new invite")
        proofs = (invite.room, hello.nonce, nonce, self._me.identity.key)
        await say(link, Knock(prove(invite.ticket, proofs), prove(secret, proofs)))
        welcome = await hear(link, ASK_S + STEP_SECONDS)
        if not isinstance(welcome, Welcome) or not 0 < welcome.lines <= MOST_WAITING:
            raise Malformed("the other machine does not open its room", what="welcome")
        for _ in range(welcome.lines):
            await self._take(link)
        if not self._is_back:
            self._check_members()
        self.negotiator.enter()
        self._has_entered = True
        self.flush()
        sending = asyncio.create_task(self._send(link))
        try:
            while not self._over.is_set():
                await self._take(link)
        finally:
            sending.cancel()
        room = self.room
        assert room is not None
        return self._gathered({invite.host: link}, room.game)

    def _check_members(self) -> None:
        """The limits hold for whoever is in the room already, too, by this machine's records."""
        room = self.room
        assert room is not None
        for member in room.members:
            why = conduct_refusal(room.settings, self._conduct(member.key))
            if why is not None:
                raise Refused(f"{member.name}: {why[1]}", what=why[0])

    async def _take(self, link: Link) -> None:
        message = unpack(await link.receive())
        if isinstance(message, Bye):
            raise Refused(f"the other side left: {clean_reason(message.reason)}")
        if not isinstance(message, RoomLine):
            raise Malformed("the other machine sent a message out of place", what="line")
        room = self.negotiator.take(message.data)
        # What was said before it came may hold an earlier stay.
        is_in = self._has_entered and room.member(self.negotiator.key) is not None
        was_in, self._is_in = self._is_in, is_in
        self.flush()
        self._heard(room)
        if was_in and not self._is_in and not room.reason:
            raise Refused("you are no longer in the room; join again if you wish")

    def flush(self) -> None:
        """Hands own words to the keeper."""
        while self.negotiator.outbox:
            self._to_say.put_nowait(self.negotiator.outbox.pop(0))

    async def _send(self, link: Link) -> None:
        while True:
            try:
                await say(link, RoomSay(await self._to_say.get()))
            except NetplayError:
                return  # who reads this link finds it lost
