"""Where this machine is found while the program runs, and which friends are found.

One transport at a time has the profile's port: a table's, for as long as somebody sits down to
play, else one that waits here for nothing but friends' pings. It is opened only for a player who
has friends and wishes to be found.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from enum import StrEnum
from typing import Final, TypeVar

from cloakboard.client.network import Network
from cloakboard.netplay.errors import NetplayError
from cloakboard.netplay.finding.friends import FriendsFile, Known
from cloakboard.netplay.finding.presence import Call, Doorman, Doorstep, ask
from cloakboard.netplay.links.network import open_network
from cloakboard.netplay.links.transport import Transport
from cloakboard.netplay.room.party import Plan

T = TypeVar("T")

ASK_EVERY_S: Final = 60.0  # one friend
ASK_S: Final = 15.0  # how long a friend's machine is looked for
AT_ONCE: Final = 4  # friends looked for
REST_S: Final = 2.0  # between a table's end and waiting again: the next table may follow
MOST_CALLS: Final = 8  # invites that wait to be read

_log = logging.getLogger(__name__)


class Presence(StrEnum):
    """What is known of a friend's machine."""

    UNKNOWN = "unknown"
    AWAY = "away"
    HERE = "here"
    BUSY = "busy"  # in a match


class Porch:
    """See above. Everything but the last group runs on the network's thread."""

    def __init__(
        self,
        network: Network,
        book: FriendsFile,
        plan: Callable[[], Plan],
        is_wanted: Callable[[], bool],
        open_: Callable[[Plan], Awaitable[Transport]] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`plan`: who waits here, as of now; `is_wanted`: whether the player wishes to be found;
        `open_`: opens a transport, None for iroh's; `clock`: seconds."""
        self._network = network
        self._book = book
        self._plan = plan
        self._is_wanted = is_wanted
        self._open = open_ or _open
        self._clock = clock
        self._turn = asyncio.Lock()
        self._at_once = asyncio.Semaphore(AT_ONCE)
        self._doorman: Doorman | None = None
        self._now: Doorstep | None = None
        self._is_lent = False
        self._is_closed = False
        self._waiting: asyncio.Task[None] | None = None
        self._asking: set[asyncio.Task[bool]] = set()
        self._asked: dict[bytes, float] = {}
        self._presence: dict[bytes, Presence] = {}
        self._watch: dict[bytes, str] = {}
        self._calls: deque[Call] = deque(maxlen=MOST_CALLS)
        self._sent: deque[tuple[bytes, bool]] = deque(maxlen=MOST_CALLS)

    # -- on the network's thread ---------------------------------------------------------------

    async def lend(self, plan: Plan) -> Transport:
        """A transport for a table, friends' pings answered meanwhile; see `party.Party`."""
        async with self._turn:
            await self._shut()
            try:
                inner = await self._open(plan)
            except NetplayError:
                self._wait(REST_S)
                raise
            lent = _Lent(inner, self._keeper_of_the_door(plan), self._given_back)
            self._now, self._is_lent = lent, True
            return lent

    async def _given_back(self) -> None:
        self._now, self._is_lent = None, False
        self._wait(REST_S)

    def _wait(self, rest_s: float = 0.0) -> None:
        """Begins to wait for friends, after a rest."""
        if not self._is_closed and (self._waiting is None or self._waiting.done()):
            self._waiting = asyncio.create_task(self._await_friends(rest_s))

    async def _await_friends(self, rest_s: float) -> None:
        await asyncio.sleep(rest_s)
        async with self._turn:
            if self._is_lent or not self._is_wanted() or not self._book.friends():
                return
            plan = self._plan()
            try:
                inner = await self._open(plan)
            except NetplayError as error:
                _log.warning("friends cannot find this machine: %s", error)
                return
            self._now = Doorstep(inner, self._keeper_of_the_door(plan))
            plan.profile.keep_port(inner.port)
        self._ask_all()
        while True:
            try:
                await (await self._now.accept()).close()  # nobody plays here
            except NetplayError:
                self._now = None
                return

    async def _shut(self) -> None:
        """Ends the waiting; the port is free afterwards."""
        if self._waiting is not None:
            self._waiting.cancel()
            await asyncio.gather(self._waiting, return_exceptions=True)
            self._waiting = None
        if self._now is not None and not self._is_lent:
            await self._now.close()
            self._now = None

    def _keeper_of_the_door(self, plan: Plan) -> Doorman:
        if self._doorman is None:
            self._doorman = Doorman(
                plan.identity,
                lambda key: self._is_wanted() and self._book.is_friend(key),
                self._called,
                self._clock,
            )
        return self._doorman

    def be_in(self, match: Callable[[], str] | None) -> None:
        """What friends who ask are told: that a match is played, with what gives the invite to
        watch it, or that none is."""
        if self._doorman is not None:
            self._doorman.match = match

    def _called(self, call: Call) -> None:
        self._presence[call.key] = Presence.HERE
        if call.invite:
            self._calls.append(call)
        self._keep(call.key, call.address)

    def _keep(self, key: bytes, address: str) -> None:
        """Notes a meeting, which is a write to the disk, outside this thread."""
        asyncio.get_running_loop().run_in_executor(None, self._book.saw, key, address)

    async def _look(self) -> None:
        if not self._is_wanted():
            self._presence.clear()
            await self._be_gone()
            return
        if self._now is None:
            self._wait()
        else:
            self._ask_all()

    def _ask_all(self) -> None:
        now = self._clock()
        for friend in self._book.friends():
            last = self._asked.get(friend.key)
            if friend.address and (last is None or now >= last + ASK_EVERY_S):
                self._asked[friend.key] = now
                self._ask_soon(friend, "")

    async def _be_gone(self) -> None:
        async with self._turn:
            await self._shut()

    async def end(self) -> None:
        """Lets go of everything, for good."""
        self._is_closed = True
        tasks = tuple(self._asking)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._be_gone()

    def _ask_soon(self, friend: Known, invite: str) -> asyncio.Task[bool]:
        task = asyncio.create_task(self._ask(friend, invite))
        self._asking.add(task)
        task.add_done_callback(self._asking.discard)
        return task

    async def _ask(self, friend: Known, invite: str) -> bool:
        """Whether a friend is there, and has the invite."""
        async with self._at_once:
            way = self._now
            if way is None:
                return False
            identity = self._plan().identity
            try:
                async with asyncio.timeout(ASK_S):
                    link = await way.dial(friend.address)
                    pong = await ask(link, identity, way.key, way.address(), friend.key, invite)
                    await link.close()
            except (TimeoutError, NetplayError):
                self._presence[friend.key] = Presence.AWAY
                return False
        self._presence[friend.key] = Presence.BUSY if pong.is_busy else Presence.HERE
        self._watch[friend.key] = pong.watch
        self._keep(friend.key, pong.address)
        return True

    async def send(self, key: bytes, invite: str) -> bool:
        """Hands a friend an invite; whether it arrived."""
        friend = self._book.get(key)
        has_it = friend is not None and bool(friend.address)
        if friend is not None and has_it:
            has_it = await self._ask_soon(friend, invite)
        self._sent.append((key, has_it))
        return has_it

    # -- on the window's thread ----------------------------------------------------------------

    def look(self) -> None:
        """Looks for the friends who have not just been looked for, and lets them find this
        machine if that is wished for."""
        self._network.run(self._look())

    def presence(self, key: bytes) -> Presence:
        """What is known of a friend's machine."""
        return self._presence.get(key, Presence.UNKNOWN)

    def watch(self, key: bytes) -> str:
        """The invite to watch a friend's match, or empty."""
        return self._watch.get(key, "") if self.presence(key) is Presence.BUSY else ""

    def address(self) -> str:
        """Where this machine is found, or empty."""
        now = self._now
        try:
            return now.address() if now is not None else ""
        except NetplayError:
            return ""

    def calls(self) -> list[Call]:
        """The friends' invites that have come since the last time."""
        return list(_taken(self._calls))

    def sent(self) -> list[tuple[bytes, bool]]:
        """The friends who were handed an invite since the last time, and whether they have it."""
        return list(_taken(self._sent))


def _taken(waiting: deque[T]) -> Iterator[T]:
    while waiting:
        yield waiting.popleft()


class _Lent(Doorstep):
    """A table's transport."""

    def __init__(
        self, inner: Transport, doorman: Doorman, given_back: Callable[[], Awaitable[None]]
    ) -> None:
        super().__init__(inner, doorman)
        self._given_back = given_back

    async def close(self) -> None:
        try:
            await super().close()
        finally:
            await self._given_back()


async def _open(plan: Plan) -> Transport:
    secret = plan.identity.transport_secret()
    return await open_network(
        secret, plan.profile.port, plan.local, plan.relays, near=plan.near
    )  # fmt: skip
