"""Who of one's friends is there: a question and an answer between two machines, and no server.

1. The caller dials where it last found its friend and sends `Ping`: its key, where it is found,
   an invite if it has one, and its identity's signature under all of it and both transport keys.
   (Answers: a borrowed or relayed identity; the transport proves the keys at both ends.)
2. Only if the signature holds, the key is a friend's who is not blocked, and it has not just asked,
   the other side signs a `Pong` under the same nonce. (Answers: strangers who collect who is there
   and when; whoever is no friend sees the link close, as if nothing were there to talk to.)
   In a match that others may watch, the answer says how.

Who holds a machine's address can always find out that its endpoint is up; docs/veil.md says more.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Final

import msgspec

from cloakboard.netplay.errors import Forged, Malformed, NetplayError
from cloakboard.netplay.identity import Identity, verify
from cloakboard.netplay.invite import MAX_ADDRESS, MAX_TEXT, parse_invite, parse_watch
from cloakboard.netplay.links.transport import Held, Link, Mailbox, Transport, closed_here
from cloakboard.netplay.links.waiting import Waiting
from cloakboard.netplay.transcript import Record
from cloakboard.netplay.veil.secrets import tagged

PING_DOMAIN: Final = "cloak/ping/1"
PONG_DOMAIN: Final = "cloak/pong/1"
PING_BYTES: Final = 8 * 1024  # of either message
FIRST_S: Final = 10.0  # how long who dialled may take to say the first word
MAX_HEARD: Final = 16  # links that have said nothing yet
ANSWER_EVERY_S: Final = 3.0  # to one friend
_NONCE_BYTES: Final = 32
_ROOM: Final = 16

Key = Annotated[bytes, msgspec.Meta(min_length=32, max_length=32)]
Signature = Annotated[bytes, msgspec.Meta(min_length=64, max_length=64)]
Address = Annotated[str, msgspec.Meta(max_length=MAX_ADDRESS)]


class Ping(Record, frozen=True, tag="ping"):
    """Are you there? `address`: where the asker is found; `invite`: to a room of the asker's, or
    empty."""

    key: Key
    nonce: Annotated[bytes, msgspec.Meta(min_length=_NONCE_BYTES, max_length=_NONCE_BYTES)]
    address: Address
    invite: Annotated[str, msgspec.Meta(max_length=MAX_TEXT)]
    proof: Signature


class Pong(Record, frozen=True, tag="pong"):
    """I am. `is_busy`: in a match; `watch`: an invite to watch it at this machine, or empty."""

    key: Key
    address: Address
    is_busy: bool
    watch: Annotated[str, msgspec.Meta(max_length=MAX_TEXT)]
    proof: Signature


@dataclass(frozen=True, slots=True)
class Call:
    """A friend who asked: key, where its machine is found, and its invite or nothing."""

    key: bytes
    address: str
    invite: str = ""


_ping = msgspec.msgpack.Decoder(Ping)
_pong = msgspec.msgpack.Decoder(Pong)


async def ask(
    link: Link, identity: Identity, own: bytes, address: str, friend: bytes, invite: str = ""
) -> Pong:
    """Step 1 on a link that this side has dialled, and the friend's answer, checked. `own`: this
    side's transport key; `address`: where it is found. Raises `NetplayError` if there is none."""
    nonce = os.urandom(_NONCE_BYTES)
    said = _said(nonce, own, link.peer, address, invite)
    proof = identity.sign(PING_DOMAIN, said)
    ping = Ping(identity.key, nonce, address, invite, proof)
    await link.send(msgspec.msgpack.encode(ping))
    pong = _read_pong(await link.receive())
    if pong.key != friend:
        raise Forged("who answers is somebody else", what="presence")
    answer = _said(nonce, link.peer, own, pong.address, str(pong.is_busy), pong.watch)
    verify(friend, PONG_DOMAIN, answer, pong.proof)
    if pong.watch and parse_watch(pong.watch).host != friend:
        raise Forged("a friend passes on the match of somebody else", what="presence")
    return pong


def _read_pong(frame: bytes) -> Pong:
    try:
        if len(frame) <= PING_BYTES:
            return _pong.decode(frame)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        pass
    raise Malformed("the other machine does not say that it is there", what="presence")


def read_ping(frame: bytes) -> Ping | None:
    """The ping that a frame is, None for any other."""
    if len(frame) > PING_BYTES:
        return None
    try:
        return _ping.decode(frame)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None


def _said(nonce: bytes, own: bytes, peer: bytes, address: str, *more: str) -> bytes:
    return tagged("cloak/presence/1", nonce, own, peer, address, *more)


class Doorman:
    """Step 2: tells friends, and nobody else, that this machine is there."""

    def __init__(
        self,
        identity: Identity,
        is_friend: Callable[[bytes], bool],
        on_call: Callable[[Call], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`on_call` is told of every friend who asks, in the loop's thread; `clock`: seconds."""
        self.match: Callable[[], str] | None = None
        """In a match: what gives the invite to watch it, or empty. On the loop's thread."""
        self._identity = identity
        self._is_friend = is_friend
        self._on_call = on_call
        self._clock = clock
        self._answered: dict[bytes, float] = {}

    async def answer(self, link: Link, own: bytes, address: str, ping: Ping) -> bool:
        """Answers a friend's ping; False, and not a word, for anybody else's."""
        said = _said(ping.nonce, link.peer, own, ping.address, ping.invite)
        try:
            verify(ping.key, PING_DOMAIN, said, ping.proof)
            invite = _invite_of(ping)
        except NetplayError:
            return False
        now = self._clock()
        last = self._answered.get(ping.key)
        if not self._is_friend(ping.key) or (last is not None and now < last + ANSWER_EVERY_S):
            return False
        self._answered[ping.key] = now
        is_busy, watch = self.match is not None, self.match() if self.match is not None else ""
        told = _said(ping.nonce, own, link.peer, address, str(is_busy), watch)
        proof = self._identity.sign(PONG_DOMAIN, told)
        pong = Pong(self._identity.key, address, is_busy, watch, proof)
        await link.send(msgspec.msgpack.encode(pong))
        self._on_call(Call(ping.key, ping.address, invite))
        return True


def _invite_of(ping: Ping) -> str:
    """The invite in a ping, which must be to a room of the asker's own. Raises `NetplayError`."""
    if not ping.invite:
        return ""
    if parse_invite(ping.invite).host != ping.key:
        raise Forged("a friend passes on the invite of somebody else", what="invite")
    return ping.invite


class Doorstep:
    """A transport whose friends' pings are answered, and whose other links are accepted as those
    of any transport."""

    def __init__(self, inner: Transport, doorman: Doorman) -> None:
        """Begins to hear who knocks, on the running loop."""
        self._inner = inner
        self._doorman = doorman
        self._links: Mailbox[Link] = Mailbox(_ROOM)
        self._heard: set[asyncio.Task[None]] = set()
        self._strangers = Waiting(MAX_HEARD)
        self._listening = asyncio.create_task(self._listen())

    @property
    def key(self) -> bytes:
        return self._inner.key

    @property
    def port(self) -> int:
        return self._inner.port

    def address(self) -> str:
        """As `Transport.address`."""
        return self._inner.address()

    async def dial(self, address: str) -> Link:
        """As `Transport.dial`."""
        return await self._inner.dial(address)

    async def accept(self) -> Link:
        """As `Transport.accept`; a link comes once its other end has said a first word."""
        return await self._links.get()

    async def close(self) -> None:
        """As `Transport.close`."""
        self._links.end(closed_here())
        tasks = (self._listening, *self._heard)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._inner.close()

    async def _listen(self) -> None:
        while True:
            try:
                link = await self._inner.accept()
            except NetplayError as error:
                self._links.end(error)
                return
            task = asyncio.create_task(self._hear(link))
            self._heard.add(task)
            self._strangers.enter(task, link.peer)
            task.add_done_callback(self._heard.discard)
            await asyncio.sleep(0)  # it begins: only then it ends its link when it gives way

    async def _hear(self, link: Link) -> None:
        try:
            async with asyncio.timeout(FIRST_S):
                first = await link.receive()
            ping = read_ping(first)
            if ping is not None:
                await self._doorman.answer(link, self._inner.key, self._inner.address(), ping)
            elif not self._links.is_full:
                self._links.push(Held(link, first))
                return
        except (TimeoutError, NetplayError):
            pass  # who says nothing, or is gone
        except asyncio.CancelledError:
            await link.close()
            raise
        await link.close()
