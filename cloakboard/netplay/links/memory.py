"""A network within one process, for tests: its clock is turned by hand, its weather is chosen.

Nothing moves by itself and nothing sleeps: a frame with a delay arrives when the clock is turned
past it, a frame without one arrives while it is sent. A link keeps the order of its frames,
links among each other do not; `overtaking` gives up the order within a link too.
"""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from cloakboard.netplay.errors import NetplayError
from cloakboard.netplay.links.transport import (
    Mailbox,
    Patience,
    broken,
    closed_here,
    closed_there,
    mute,
    not_dialable,
    pack_frame,
    unanswered,
)

ADDRESS_PREFIX: Final = "memory"
_ROOM: Final = 1 << 16
_SETTLE_STEPS: Final = 50

Weather = Callable[["Sent"], Sequence[int]]
"""What becomes of a frame: the delay in milliseconds of each copy that arrives; none loses it."""


@dataclass(frozen=True, slots=True)
class Sent:
    """A frame as it was handed over: from whom, to whom (transport keys), and its bytes."""

    source: bytes
    target: bytes
    frame: bytes


class MemoryNet:
    """The network. `sent` is a capture of every frame in the order of sending.

    `delay_ms` holds for every frame unless a `weather` says otherwise. `cut_after`, if not None,
    counts down at each arrival; at zero every link breaks, and the count is None again.
    """

    def __init__(self, delay_ms: int = 0, patience: Patience | None = None) -> None:
        self.now_ms = 0
        self.delay_ms = delay_ms
        self.weather: Weather | None = None
        self.overtaking = False
        self.cut_after: int | None = None
        self.sent: list[Sent] = []
        self.patience: Final = patience or Patience()
        self._due: list[tuple[int, int, Callable[[], None]]] = []
        self._count = 0
        self._transports: dict[bytes, MemoryTransport] = {}
        self._links: list[MemoryLink] = []
        self._unplugged: dict[bytes, int] = {}
        self._held: list[tuple[MemoryLink, Callable[[], None]]] = []

    def transport(self, key: bytes) -> MemoryTransport:
        """The end of the network whose key is `key`; the one before it under that key is gone."""
        self._transports[key] = MemoryTransport(self, key)
        return self._transports[key]

    async def turn(self, ms: int) -> None:
        """Turn the clock on by `ms`, letting what falls due happen and tasks react in between."""
        until = self.now_ms + ms
        await settle()
        while self._due and self._due[0][0] <= until:
            self.now_ms, _, happen = heapq.heappop(self._due)
            happen()
            await settle()
        self.now_ms = until

    def cut(self, one: bytes | None = None, other: bytes | None = None) -> None:
        """Break the links between two keys, of one key, or all; both ends learn it at once.

        Frames on the way are lost. Dialling again works.
        """
        for link in list(self._links):
            if {key for key in (one, other) if key is not None} <= {link.own, link.peer}:
                link.stop(broken())

    def unplug(self, key: bytes) -> None:
        """Silence a peer without a word: frames from and to it wait, and when it stays so for
        `lost_ms` its links are lost at both ends."""
        self._unplugged[key] = since = self.now_ms

        def give_up() -> None:
            if self._unplugged.get(key) == since:
                for link in list(self._links):
                    if key in (link.own, link.peer):
                        link.stop(mute(self.patience.lost_ms))

        self.schedule(self.patience.lost_ms, give_up)

    def plug(self, key: bytes) -> None:
        """Undo `unplug`: what waited arrives now."""
        del self._unplugged[key]
        held, self._held = self._held, []
        for link, happen in held:
            self.arrive(link, happen)

    def schedule(self, delay_ms: int, happen: Callable[[], None]) -> None:
        """Let something happen when the clock has been turned on by `delay_ms`."""
        self._count += 1
        heapq.heappush(self._due, (self.now_ms + delay_ms, self._count, happen))

    def arrive(self, link: MemoryLink, happen: Callable[[], None]) -> None:
        """Let something reach `link`, unless one of its ends is unplugged: then it waits."""
        if link.own in self._unplugged or link.peer in self._unplugged:
            self._held.append((link, happen))
        else:
            happen()

    def count_arrival(self) -> None:
        """Take one off `cut_after` and break all links when it reaches zero."""
        if self.cut_after is not None:
            self.cut_after -= 1
            if self.cut_after <= 0:
                self.cut_after = None
                self.cut()

    async def connect(self, source: bytes, target: bytes) -> MemoryLink:
        """A new link from `source`, its other end queued at `target`. Raises `Lost`."""
        peer = self._transports.get(target)
        if peer is None or peer.is_closed:
            raise unanswered()
        if source in self._unplugged or target in self._unplugged:
            answered = asyncio.Event()
            self.schedule(self.patience.dial_ms, answered.set)
            await answered.wait()
            raise unanswered()
        here, there = MemoryLink(self, source, target), MemoryLink(self, target, source)
        here.twin, there.twin = there, here
        self._links += [here, there]
        peer.dialled.push(there)
        return here

    def forget(self, link: MemoryLink) -> None:
        """Strike a link that has ended off the list."""
        if link in self._links:
            self._links.remove(link)

    def links_of(self, key: bytes) -> list[MemoryLink]:
        """The ends at `key` of all links that are open."""
        return [link for link in self._links if link.own == key]


class MemoryLink:
    """One end of a link; a `transport.Link`."""

    twin: MemoryLink

    def __init__(self, net: MemoryNet, own: bytes, peer: bytes) -> None:
        self.own: Final = own
        self._peer: Final = peer
        self._net = net
        self._inbox: Mailbox[bytes] = Mailbox(_ROOM)
        self._last_due_ms = 0

    @property
    def peer(self) -> bytes:
        return self._peer

    @property
    def rtt_ms(self) -> int:
        """As `Link.rtt_ms`, by the net's delay."""
        return 2 * self._net.delay_ms

    async def send(self, frame: bytes) -> None:
        """As `Link.send`."""
        pack_frame(frame)
        self._inbox.check()
        net, sent = self._net, Sent(self.own, self._peer, frame)
        net.sent.append(sent)
        for delay_ms in net.weather(sent) if net.weather else (net.delay_ms,):
            self._post(delay_ms, lambda: self.twin.got_frame(frame))

    async def receive(self) -> bytes:
        """As `Link.receive`."""
        return await self._inbox.get()

    async def close(self) -> None:
        """As `Link.close`; the peer learns it after the frames that are on their way."""
        if not self._inbox.is_ended:
            self._post(self._net.delay_ms, lambda: self.twin.stop(closed_there()))
            self.stop(closed_here())

    def got_frame(self, frame: bytes) -> None:
        """A frame arrived at this end."""
        if not self._inbox.is_ended:
            self._inbox.push(frame)
            self._net.count_arrival()

    def stop(self, error: NetplayError) -> None:
        """End this end of the link, leaving what has arrived to be received."""
        self._inbox.end(error)
        self._net.forget(self)

    def _post(self, delay_ms: int, happen: Callable[[], None]) -> None:
        net = self._net
        due_ms = net.now_ms + delay_ms
        if not net.overtaking:
            due_ms = max(due_ms, self._last_due_ms)
        self._last_due_ms = max(due_ms, self._last_due_ms)
        if due_ms <= net.now_ms:
            net.arrive(self.twin, happen)
        else:
            net.schedule(due_ms - net.now_ms, lambda: net.arrive(self.twin, happen))


class MemoryTransport:
    """One peer's end of a `MemoryNet`; a `transport.Transport`."""

    def __init__(self, net: MemoryNet, key: bytes) -> None:
        self.key: Final = key
        self.dialled: Final[Mailbox[MemoryLink]] = Mailbox(_ROOM)
        self._net = net

    @property
    def port(self) -> int:
        """None is listened on."""
        return 0

    @property
    def is_closed(self) -> bool:
        return self.dialled.is_ended

    def address(self) -> str:
        """As `Transport.address`: `memory:` and the key in hex."""
        return f"{ADDRESS_PREFIX}:{self.key.hex()}"

    async def dial(self, address: str) -> MemoryLink:
        """As `Transport.dial`."""
        self.dialled.check()
        prefix, _, key = address.partition(":")
        try:
            target = bytes.fromhex(key)
        except ValueError:
            target = b""
        if prefix != ADDRESS_PREFIX or not target:
            raise not_dialable()
        return await self._net.connect(self.key, target)

    async def accept(self) -> MemoryLink:
        """As `Transport.accept`."""
        return await self.dialled.get()

    async def close(self) -> None:
        """As `Transport.close`."""
        self.dialled.end(closed_here())
        for link in self._net.links_of(self.key):
            await link.close()


async def settle() -> None:
    """Let every task that can run do so until it waits for something again."""
    for _ in range(_SETTLE_STEPS):
        await asyncio.sleep(0)
