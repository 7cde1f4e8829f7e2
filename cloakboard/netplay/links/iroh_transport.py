"""Links over iroh: peers dial each other by public key, encrypted end to end (QUIC, TLS 1.3).

A link is one connection with one bidirectional stream; the dialler's first sign of life opens
it. Import this through `network.open_network`, which tells a player when iroh is missing.
Everything runs on the event loop that opened the transport, in whatever thread that loop is;
iroh's binding finds it by itself, and its process-wide loop setting must stay unset.
"""

from __future__ import annotations

import asyncio
import ctypes
from collections.abc import Sequence
from contextlib import suppress
from ipaddress import ip_address
from typing import Final, Self
from weakref import WeakSet

from iroh import iroh_ffi as ffi

from cloakboard.netplay.errors import Malformed, NetplayError, Refused
from cloakboard.netplay.links.near import Near
from cloakboard.netplay.links.transport import (
    PING,
    FrameReader,
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
from cloakboard.netplay.links.waiting import Waiting
from cloakboard.netplay.settings import PUBLIC_RELAYS

ALPN: Final = b"cloakboard/1"
MAX_ADDRESS: Final = 1024
_LOOPBACK: Final = "127.0.0.1"
_READ_BYTES: Final = 1 << 16
_ROOM: Final = 16
_MAX_GREETED: Final = 16
_HERE_S: Final = 10.0  # between two times that it says where it waits


def _write_at_once(self: ffi._UniffiRustBufferBuilder, value: bytes) -> None:
    """Copy bytes to the library in one go.

    The binding's own `write` copies byte by byte in Python: 0.4 us a byte measured, so 10 ms
    a WEC Turn and, for the largest frame, 0.4 s in which the event loop stands still.
    """
    with self._reserve(len(value)):
        if value:
            end = ctypes.addressof(self.rbuf.data.contents) + self.rbuf.len
            ctypes.memmove(end, bytes(value), len(value))


ffi._UniffiRustBufferBuilder.write = _write_at_once  # type: ignore[method-assign]  # the aim


class IrohTransport:
    """One peer's end of the iroh network; a `transport.Transport`. Made by `open`."""

    def __init__(
        self, endpoint: ffi.Endpoint, local: bool, patience: Patience, near: Near | None = None
    ) -> None:
        self._endpoint: ffi.Endpoint | None = endpoint
        self._local = local
        self._near = None if local else near
        self._patience = patience
        self._key: Final = endpoint.id().to_bytes()
        self._links: WeakSet[IrohLink] = WeakSet()
        self._dialled: Mailbox[IrohLink] = Mailbox(_ROOM)
        self._greeted: set[asyncio.Task[None]] = set()
        self._strangers = Waiting(_MAX_GREETED)
        self._listening = asyncio.create_task(self._listen(endpoint))

    @classmethod
    async def open(
        cls,
        secret: bytes,
        port: int | None = None,
        local: bool = False,
        relays: Sequence[str] = (PUBLIC_RELAYS,),
        patience: Patience | None = None,
        near: Near | None = None,
    ) -> Self:
        """A transport whose key is made from 32 `secret` bytes, listening on UDP `port`.

        A port that is taken, or None, means any free one. `local`: loopback only, without any
        relay. Otherwise `relays` holds URLs, or `n0` for iroh's public ones; without any,
        connections are direct. Missing internet delays this by `relay_ms` and does not fail it.
        `near` helps to find peers of the local network whose address has changed.
        Raises `Malformed` for a relay that is no URL, `NetplayError` if nothing can be bound.
        """
        patience = patience or Patience()
        endpoint = await _bind(secret, port or 0, local, relays)
        transport = cls(endpoint, local, patience, near)
        try:
            transport._check_sockets()
            if relays and not local:
                with suppress(TimeoutError):
                    async with asyncio.timeout(patience.relay_ms / 1000):
                        await endpoint.online()
        except BaseException:
            await transport.close()
            raise
        return transport

    @property
    def key(self) -> bytes:
        """The transport key, 32 bytes; a peer's `Link.peer`."""
        return self._key

    @property
    def port(self) -> int:
        """The UDP port in use, to be kept for the next start."""
        return _split(self._opened().bound_sockets()[0])[1]

    def address(self) -> str:
        """As `Transport.address`: an iroh endpoint ticket."""
        endpoint = self._opened()
        where = endpoint.addr()
        if self._local:
            where = ffi.EndpointAddr(endpoint.id(), None, [f"{_LOOPBACK}:{self.port}"])
        return str(ffi.EndpointTicket.from_addr(where))

    async def dial(self, address: str) -> IrohLink:
        """As `Transport.dial`. Raises `Refused` for this transport's own address, and, if it is
        `local`, for one that leads off this machine."""
        endpoint, target = self._opened(), self._target(address)
        try:
            async with asyncio.timeout(self._patience.dial_ms / 1000):
                connection = await endpoint.connect(target, ALPN)
                stream = await connection.open_bi()
        except (TimeoutError, ffi.IrohError) as error:
            raise unanswered() from error
        return self._link(connection, stream, dialled=True)

    async def accept(self) -> IrohLink:
        """As `Transport.accept`."""
        while self._near is not None:
            self._near.here(self._key, self.port)
            with suppress(TimeoutError):
                async with asyncio.timeout(_HERE_S):
                    return await self._dialled.get()
        return await self._dialled.get()

    async def close(self) -> None:
        """As `Transport.close`; the port is free afterwards."""
        if self._endpoint is None:
            return
        endpoint, self._endpoint = self._endpoint, None
        self._dialled.end(closed_here())
        for task in self._greeted:
            task.cancel()
        await asyncio.gather(*(link.close() for link in list(self._links)))
        await asyncio.gather(*self._greeted, return_exceptions=True)
        closing = asyncio.ensure_future(endpoint.close())
        await asyncio.wait([closing, self._listening], timeout=self._patience.close_ms / 1000)
        closing.cancel()
        self._listening.cancel()

    def _opened(self) -> ffi.Endpoint:
        if self._endpoint is None:
            raise closed_here()
        return self._endpoint

    def _check_sockets(self) -> None:
        """A local transport must not be reachable from outside, whatever iroh binds besides."""
        sockets = self._opened().bound_sockets()
        if self._local and not all(_is_loopback(socket) for socket in sockets):
            raise NetplayError(
                f"could not keep to this machine (bound: {', '.join(sockets)}); "
                "start without --local"
            )

    def _target(self, address: str) -> ffi.EndpointAddr:
        try:
            target = ffi.EndpointTicket.from_string(address[:MAX_ADDRESS]).endpoint_addr()
        except ffi.IrohError as error:
            raise not_dialable() from error
        if target.id().to_bytes() == self._key:
            raise Refused("this invite is your own; send it to the other player", what="dialling")
        if self._local:
            near = [place for place in target.direct_addresses() if _is_loopback(place)]
            if not near:
                raise Refused(
                    "this invite leads to another machine; start without --local",
                    what="dialling",
                )
            target = ffi.EndpointAddr(target.id(), None, near)
        elif self._near is not None:
            heard = self._near.where(target.id().to_bytes())
            places = dict.fromkeys([*heard, *target.direct_addresses()])
            target = ffi.EndpointAddr(target.id(), target.relay_url(), list(places))
        return target

    async def _listen(self, endpoint: ffi.Endpoint) -> None:
        """Greet whoever dials, several at a time, so that who says nothing delays nobody."""
        while (incoming := await endpoint.accept_next()) is not None:
            if self._dialled.is_full:
                with suppress(ffi.IrohError):  # it is gone already
                    await incoming.refuse()
                continue
            task = asyncio.create_task(self._greet(incoming))
            self._greeted.add(task)
            self._strangers.enter(task, b"")  # its key is not known yet
            task.add_done_callback(self._greeted.discard)

    async def _greet(self, incoming: ffi.Incoming) -> None:
        try:
            async with asyncio.timeout(self._patience.hello_ms / 1000):
                connection = await (await incoming.accept()).connect()
                stream = await connection.accept_bi()
        except (TimeoutError, ffi.IrohError):
            return
        self._dialled.push(self._link(connection, stream, dialled=False))

    def _link(self, connection: ffi.Connection, stream: ffi.BiStream, dialled: bool) -> IrohLink:
        connection.set_max_concurrent_bi_streams(0 if dialled else 1)
        connection.set_max_concurrent_uni_streams(0)
        link = IrohLink(connection, stream, dialled, self._patience)
        self._links.add(link)
        return link


class IrohLink:
    """One connection; a `transport.Link`.

    One task reads and one writes, so a `send` or `receive` that is cancelled never leaves half
    a frame behind.
    """

    def __init__(
        self,
        connection: ffi.Connection,
        stream: ffi.BiStream,
        dialled: bool,
        patience: Patience,
    ) -> None:
        self._peer: Final = connection.remote_id().to_bytes()
        # These, and the streams, hold the socket, and so its port: let go when the link is closed.
        self._connection: ffi.Connection | None = connection
        self._patience = patience
        self._inbox: Mailbox[bytes] = Mailbox(_ROOM)
        self._outbox: Mailbox[bytes] = Mailbox(_ROOM)
        if dialled:
            self._outbox.push(PING)
        reader = asyncio.create_task(self._read(stream.recv()))
        writer = asyncio.create_task(self._write(stream.send()))
        self._tasks: tuple[asyncio.Task[None], ...] = (writer, reader)

    @property
    def peer(self) -> bytes:
        return self._peer

    @property
    def rtt_ms(self) -> int | None:
        """As `Link.rtt_ms`."""
        return self._connection.rtt() if self._connection is not None else None

    async def send(self, frame: bytes) -> None:
        """As `Link.send`."""
        await self._outbox.put(pack_frame(frame))

    async def receive(self) -> bytes:
        """As `Link.receive`."""
        return await self._inbox.get()

    async def close(self) -> None:
        """As `Link.close`."""
        self._end(closed_here())
        tasks = self._tasks
        if not tasks:
            return
        try:
            await asyncio.wait(tasks[:1], timeout=self._patience.close_ms / 1000)
        finally:
            for task in tasks:
                task.cancel()
            self._cut(0, b"closed")
        await asyncio.gather(*tasks, return_exceptions=True)
        self._tasks, self._connection = (), None

    async def _read(self, stream: ffi.RecvStream) -> None:
        frames = FrameReader()
        try:
            while True:
                async with asyncio.timeout(self._patience.lost_ms / 1000):
                    data = await stream.read(_READ_BYTES)
                if not data:
                    return self._end(closed_there())
                for frame in frames.feed(data):
                    await self._inbox.put(frame)
        except TimeoutError:
            self._give_up(mute(self._patience.lost_ms))
        except ffi.IrohError:
            self._give_up(broken())
        except NetplayError as error:
            self._give_up(error)
        finally:
            del stream  # see `_write`

    async def _write(self, stream: ffi.SendStream) -> None:
        """Send what is handed over and a sign of life in every pause, until the link ends and
        all of it is out; then wait until the peer has it."""
        try:
            while True:
                try:
                    async with asyncio.timeout(self._patience.ping_ms / 1000):
                        data = await self._outbox.get()
                except TimeoutError:
                    data = PING
                except NetplayError:
                    break
                await stream.write_all(data)
            await stream.finish()
            await stream.stopped()
        except ffi.IrohError:
            self._give_up(broken())
        finally:
            # The error that ended the link keeps this frame; a stream in it, the socket.
            del stream

    def _end(self, error: NetplayError) -> None:
        self._inbox.end(error)
        self._outbox.end(error)

    def _give_up(self, error: NetplayError) -> None:
        self._end(error)
        self._cut(1, b"given up")

    def _cut(self, code: int, reason: bytes) -> None:
        if self._connection is not None:
            self._connection.close(code, reason)


async def _bind(secret: bytes, port: int, local: bool, relays: Sequence[str]) -> ffi.Endpoint:
    """An endpoint on `port`, or on a free one if that is taken.

    iroh also binds the other family, to all interfaces, unless it is told a place for it: a
    local endpoint therefore names both loopbacks, and the second only where IPv6 exists.
    """
    places = [(f"{_LOOPBACK}:{port}", "[::1]:0"), (f"{_LOOPBACK}:{port}",)]
    places += [(f"{_LOOPBACK}:0", "[::1]:0"), (f"{_LOOPBACK}:0",)]
    if not local:
        places = [(f"0.0.0.0:{port}",), ("0.0.0.0:0",)]
    failure: ffi.IrohError | None = None
    for addresses in places:
        builder = _builder(secret, local, relays)
        for address in addresses:
            builder.bind_addr(address)
        try:
            return await builder.bind()
        except ffi.IrohError as error:
            failure = error
    raise NetplayError(
        "no network socket can be opened on this machine; check its firewall settings"
    ) from failure


def _builder(secret: bytes, local: bool, relays: Sequence[str]) -> ffi.EndpointBuilder:
    builder = ffi.EndpointBuilder()  # type: ignore[no-untyped-call]  # iroh leaves it untyped
    if PUBLIC_RELAYS in relays and not local:
        builder.apply_n0()
    else:
        builder.apply_minimal()
        builder.relay_mode(_own_relays(() if local else relays))
    builder.secret_key(secret)
    builder.alpns([ALPN])
    return builder


def _own_relays(relays: Sequence[str]) -> ffi.RelayMode:
    if not relays:
        return ffi.RelayMode.disabled()
    try:
        return ffi.RelayMode.custom_from_urls(list(relays))
    except ffi.IrohError as error:
        raise Malformed(
            f"one of the relays ({', '.join(relays)}) is no URL; correct the settings",
            what="relay",
        ) from error


def _split(socket: str) -> tuple[str, int]:
    host, _, port = socket.rpartition(":")
    return host.strip("[]"), int(port)


def _is_loopback(socket: str) -> bool:
    return ip_address(_split(socket)[0]).is_loopback
