"""What carries bytes between two peers: the interface, the form of a frame, the patience.

A link carries frames both ways, in order, each once, until it ends; what a frame means is not
known here. On a byte stream a frame is its length (4 bytes, big endian) and its bytes. A length
of zero is a sign of life: the dialler's first word, and what a quiet side says every `ping_ms`.
A peer is a stranger: lengths are bounded before anything is kept, frames that wait for a reader
are few, and a side that stays mute for `lost_ms` is lost, however its machine went away.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, Generic, Protocol, TypeVar

from cloakboard.netplay.errors import Lost, Malformed, NetplayError

MAX_FRAME: Final = 1 << 20
LENGTH_BYTES: Final = 4
PING: Final = bytes(LENGTH_BYTES)

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a transport waits, in milliseconds: for a dialled peer; for the first word of
    one that dialled; between own signs of life; for any sign of the peer's; for the last frames
    to arrive when a link is closed; for a relay when the transport opens."""

    dial_ms: int = 15_000
    hello_ms: int = 5_000
    ping_ms: int = 2_000
    lost_ms: int = 10_000
    close_ms: int = 2_000
    relay_ms: int = 3_000


class Link(Protocol):
    """A connection to one peer. `peer` is the key its transport proved, 32 bytes."""

    @property
    def peer(self) -> bytes: ...

    @property
    def rtt_ms(self) -> int | None:
        """The measured round trip in milliseconds, None before there is one."""

    async def send(self, frame: bytes) -> None:
        """Hand over a frame of 1 to `MAX_FRAME` bytes; waits while the peer is slow.

        Raises `Malformed` for a frame of another size, `Lost` once the link has ended. To
        return does not mean that the frame arrived.
        """

    async def receive(self) -> bytes:
        """The next frame. May be cancelled without losing one.

        Raises `Lost` when the link has ended and all that came before has been received,
        `Malformed` if it ended because the peer sent no frame. Never waits longer than
        `lost_ms` for a peer that is gone.
        """

    async def close(self) -> None:
        """Deliver what was sent, within `close_ms`, and end the link for both sides."""


class Held:
    """A link whose next frame has been received already."""

    def __init__(self, link: Link, frame: bytes) -> None:
        self._link = link
        self._frame: bytes | None = frame

    @property
    def peer(self) -> bytes:
        return self._link.peer

    @property
    def rtt_ms(self) -> int | None:
        """As `Link.rtt_ms`."""
        return self._link.rtt_ms

    async def send(self, frame: bytes) -> None:
        """As `Link.send`."""
        await self._link.send(frame)

    async def receive(self) -> bytes:
        """As `Link.receive`."""
        frame, self._frame = self._frame, None
        return await self._link.receive() if frame is None else frame

    async def close(self) -> None:
        """As `Link.close`."""
        await self._link.close()


class Transport(Protocol):
    """One peer's end of the network. `key`: what others see as `Link.peer`; `port`: what it
    listens on, to be kept for the next start (0 where there is none)."""

    @property
    def key(self) -> bytes: ...

    @property
    def port(self) -> int: ...

    def address(self) -> str:
        """Where others dial this peer now: the `address` of an invite."""

    async def dial(self, address: str) -> Link:
        """A link to the peer at `address`.

        Raises `Malformed` if that is no address, `Lost` if nobody answers within `dial_ms`.
        """

    async def accept(self) -> Link:
        """The next link that a peer has dialled. Raises `Lost` once the transport is closed."""

    async def close(self) -> None:
        """End all links and stop listening."""


async def accept_no_more(accepting: asyncio.Task[Link]) -> None:
    """Ends waiting for a dialler; one that came meanwhile is sent away, and can dial again."""
    accepting.cancel()
    with suppress(asyncio.CancelledError, NetplayError):
        await (await accepting).close()


def pack_frame(frame: bytes) -> bytes:
    """A frame as it goes on a byte stream. Raises `Malformed` if it is empty or too long."""
    if not 0 < len(frame) <= MAX_FRAME:
        raise Malformed(f"a frame holds 1 to {MAX_FRAME} bytes, not {len(frame)}", what="frame")
    return len(frame).to_bytes(LENGTH_BYTES, "big") + frame


class FrameReader:
    """Cuts a byte stream into frames; signs of life are swallowed."""

    def __init__(self) -> None:
        self._bytes = bytearray()

    def feed(self, data: bytes) -> Iterator[bytes]:
        """The frames that `data` completes. Raises `Malformed` at a length above `MAX_FRAME`,
        after the frames before it and without awaiting the bytes that it announces."""
        self._bytes += data
        while len(self._bytes) >= LENGTH_BYTES:
            length = int.from_bytes(self._bytes[:LENGTH_BYTES], "big")
            if length > MAX_FRAME:
                raise Malformed(
                    f"the other side announced a frame of {length} bytes, more than any of "
                    "Cloakboard's; the connection was ended",
                    what="frame",
                )
            end = LENGTH_BYTES + length
            if len(self._bytes) < end:
                return
            frame = bytes(self._bytes[LENGTH_BYTES:end])
            del self._bytes[:end]
            if frame:
                yield frame


class Mailbox(Generic[Item]):
    """Things on their way from one task to another, at most `room` at a time, until an end."""

    def __init__(self, room: int) -> None:
        self._room = room
        self._items: deque[Item] = deque()
        self._changed = asyncio.Event()
        self._end: NetplayError | None = None

    @property
    def is_ended(self) -> bool:
        return self._end is not None

    @property
    def is_full(self) -> bool:
        return len(self._items) >= self._room

    async def put(self, item: Item) -> None:
        """Add an item, waiting for room. Raises the end once there is one."""
        while self._end is None and self.is_full:
            await self._wait()
        self.check()
        self.push(item)

    def push(self, item: Item) -> None:
        """Add an item at once, whatever the room."""
        self._items.append(item)
        self._changed.set()

    async def get(self) -> Item:
        """Take the oldest item, waiting for one. Raises the end when none is left.

        A get that is cancelled has taken nothing.
        """
        while not self._items:
            self.check()
            await self._wait()
        self._changed.set()
        return self._items.popleft()

    def end(self, error: NetplayError) -> None:
        """Let every later `put`, and every `get` that finds nothing, raise `error`. The first
        end stays."""
        if self._end is None:
            self._end = error
            self._changed.set()

    def check(self) -> None:
        """Raise the end if there is one."""
        if self._end is not None:
            raise self._end.with_traceback(None)

    async def _wait(self) -> None:
        self._changed.clear()
        await self._changed.wait()


def closed_here() -> Lost:
    """What a link raises after its own side closed it."""
    return Lost("the connection was closed on this side")


def closed_there() -> Lost:
    """What a link raises after the peer closed it."""
    return Lost("the other player closed the connection")


def mute(lost_ms: int) -> Lost:
    """What a link raises when the peer gave no sign of life for `lost_ms`."""
    return Lost(f"no sign of the other player for {lost_ms / 1000:g} s; the connection is lost")


def broken() -> Lost:
    """What a link raises when the network gave it up."""
    return Lost("the connection to the other player broke")


def unanswered() -> Lost:
    """What dialling raises when nobody is there."""
    return Lost("the other player does not answer; ask whether Cloakboard is open there")


def not_dialable() -> Malformed:
    """What dialling raises for text that is no address."""
    return Malformed(
        "this invite holds no address that can be dialled; ask for a new one", what="address"
    )
