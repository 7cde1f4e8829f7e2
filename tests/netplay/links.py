"""Two transports in one process, of either kind, for the tests of links."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, Final, Protocol

from iroh import iroh_ffi as ffi

from cloakboard.netplay.links.iroh_transport import ALPN, IrohTransport
from cloakboard.netplay.links.memory import MemoryNet
from cloakboard.netplay.links.transport import PING, Link, Patience, Transport

SHORT: Final = Patience(
    dial_ms=2_500, hello_ms=1_000, ping_ms=150, lost_ms=2_000, close_ms=500, relay_ms=100
)
LIMIT_S: Final = 10
ANN, BOB, CID = (bytes([letter]) * 32 for letter in b"ABC")


class Kind(Protocol):
    """A transport under test: two ends, and a way to make one vanish and be missed."""

    one: Transport
    other: Transport

    async def vanish(self) -> Link:
        """A link at `one` whose peer has gone without a word."""


class InMemory:
    def __init__(self) -> None:
        self.net = MemoryNet(patience=SHORT)
        self.one: Transport = self.net.transport(ANN)
        self.other: Transport = self.net.transport(BOB)

    async def vanish(self) -> Link:
        near, _ = await joined(self.one, self.other)
        self.net.unplug(BOB)
        await self.net.turn(SHORT.lost_ms)
        return near


class OverIroh:
    def __init__(self, one: IrohTransport, other: IrohTransport) -> None:
        self.one: Transport = one
        self.other: Transport = other

    async def vanish(self) -> Link:
        """The peer's machine keeps its sockets and its QUIC, but nobody is at home."""
        endpoint = await raw_endpoint()
        await dial_raw(endpoint, self.one)
        return await self.one.accept()


@asynccontextmanager
async def memory_pair() -> AsyncIterator[Kind]:
    kind = InMemory()
    yield kind
    await close_both(kind)


@asynccontextmanager
async def iroh_pair() -> AsyncIterator[Kind]:
    kind = OverIroh(await open_local(), await open_local())
    yield kind
    await close_both(kind)


async def close_both(kind: Kind) -> None:
    await asyncio.gather(kind.one.close(), kind.other.close())


async def open_local(
    secret: bytes | None = None, port: int | None = None, patience: Patience = SHORT
) -> IrohTransport:
    return await IrohTransport.open(secret or os.urandom(32), port, local=True, patience=patience)


async def raw_endpoint() -> ffi.Endpoint:
    builder = ffi.EndpointBuilder()  # type: ignore[no-untyped-call]  # iroh leaves it untyped
    builder.apply_minimal()
    builder.relay_mode(ffi.RelayMode.disabled())
    builder.bind_addr("127.0.0.1:0")
    builder.alpns([ALPN])
    return await builder.bind()


async def dial_raw(
    endpoint: ffi.Endpoint, transport: Transport, first: bytes = PING
) -> tuple[ffi.Connection, ffi.BiStream]:
    """A connection that says `first` and nothing more; it lives as long as it is held."""
    target = ffi.EndpointTicket.from_string(transport.address()).endpoint_addr()
    connection = await endpoint.connect(target, ALPN)
    stream = await connection.open_bi()
    await stream.send().write_all(first)
    HELD.append((endpoint, connection, stream))
    return connection, stream


HELD: list[Any] = []


async def joined(one: Transport, other: Transport) -> tuple[Link, Link]:
    near, far = await asyncio.gather(one.dial(other.address()), other.accept())
    return near, far


Pair = Callable[[], AbstractAsyncContextManager[Kind]]


def run(test: Callable[[], Awaitable[None]]) -> None:
    """Run one test's coroutine; a test that hangs fails."""

    async def limited() -> None:
        try:
            async with asyncio.timeout(LIMIT_S):
                await test()
        finally:
            HELD.clear()

    asyncio.run(limited())
