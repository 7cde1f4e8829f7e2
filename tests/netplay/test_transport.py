"""One contract for every transport, then what is each one's own."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any, Protocol

import pytest
from hypothesis import given
from hypothesis import strategies as st
from iroh import iroh_ffi as ffi

from cloakboard.netplay.errors import Lost, Malformed, NetplayError, Refused
from cloakboard.netplay.iroh_transport import ALPN, IrohTransport
from cloakboard.netplay.memory import MemoryNet, Sent, settle
from cloakboard.netplay.network import NetworkMissing, open_network
from cloakboard.netplay.transport import (
    MAX_FRAME,
    PING,
    FrameReader,
    Link,
    Mailbox,
    Patience,
    Transport,
    pack_frame,
)

SHORT = Patience(dial_ms=800, hello_ms=300, ping_ms=50, lost_ms=400, close_ms=500, relay_ms=100)
LIMIT_S = 10
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


@pytest.fixture(params=[memory_pair, iroh_pair], ids=["memory", "iroh"])
def pair(request: pytest.FixtureRequest) -> Pair:
    made: Pair = request.param
    return made


FRAMES = [
    pytest.param(b"x", id="one byte"),
    pytest.param(bytes(4), id="looks like a sign of life"),
    pytest.param(bytes(range(256)) * 4096, id="the largest"),
]


@pytest.mark.parametrize("frame", FRAMES)
def test_an_echo_comes_back_whole(pair: Pair, frame: bytes) -> None:
    async def test() -> None:
        async with pair() as kind:
            near, far = await joined(kind.one, kind.other)
            await near.send(frame)
            assert await far.receive() == frame
            await far.send(frame)
            assert await near.receive() == frame

    run(test)


def test_frames_keep_their_order_and_borders(pair: Pair) -> None:
    async def test() -> None:
        async with pair() as kind:
            near, far = await joined(kind.one, kind.other)
            frames = [bytes([size % 256]) * (size * 7 + 1) for size in range(300)]

            async def send_all() -> None:
                for frame in frames:
                    await near.send(frame)

            _, *received = await asyncio.gather(send_all(), *(far.receive() for _ in frames))
            assert received == frames

    run(test)


@pytest.mark.parametrize("size", [0, MAX_FRAME + 1])
def test_a_frame_of_a_forbidden_size_is_refused_and_the_link_goes_on(pair: Pair, size: int) -> None:
    async def test() -> None:
        async with pair() as kind:
            near, far = await joined(kind.one, kind.other)
            with pytest.raises(Malformed, match=f"1 to 1048576 bytes, not {size}"):
                await near.send(bytes(size))
            await near.send(b"next")
            assert await far.receive() == b"next"

    run(test)


def test_both_ends_name_the_key_of_the_other(pair: Pair) -> None:
    async def test() -> None:
        async with pair() as kind:
            near, far = await joined(kind.one, kind.other)
            back, forth = await joined(kind.other, kind.one)
            assert near.peer == forth.peer != far.peer == back.peer
            assert len(near.peer) == len(far.peer) == 32

    run(test)


def test_links_do_not_mix(pair: Pair) -> None:
    async def test() -> None:
        async with pair() as kind:
            first_near, first_far = await joined(kind.one, kind.other)
            second_near, second_far = await joined(kind.one, kind.other)
            await second_near.send(b"second")
            await first_near.send(b"first")
            assert await first_far.receive() == b"first"
            assert await second_far.receive() == b"second"

    run(test)


def test_what_was_sent_before_close_arrives_and_then_the_end(pair: Pair) -> None:
    async def test() -> None:
        async with pair() as kind:
            near, far = await joined(kind.one, kind.other)
            for number in range(16):
                await near.send(bytes([number]) * 50_000)
            _, *received = await asyncio.gather(near.close(), *(far.receive() for _ in range(16)))
            assert received == [bytes([number]) * 50_000 for number in range(16)]
            with pytest.raises(Lost, match="the other player closed"):
                await far.receive()
            with pytest.raises(Lost):
                await far.send(b"too late")

    run(test)


def test_a_closed_link_is_lost_on_its_own_side(pair: Pair) -> None:
    async def test() -> None:
        async with pair() as kind:
            near, _ = await joined(kind.one, kind.other)
            waiting = asyncio.create_task(near.receive())
            await asyncio.sleep(0)
            await near.close()
            with pytest.raises(Lost, match="closed on this side"):
                await waiting
            with pytest.raises(Lost):
                await near.send(b"x")
            await near.close()

    run(test)


def test_a_receive_that_was_cancelled_has_lost_nothing(pair: Pair) -> None:
    async def test() -> None:
        async with pair() as kind:
            near, far = await joined(kind.one, kind.other)
            waiting = asyncio.create_task(far.receive())
            await asyncio.sleep(0)
            waiting.cancel()
            await near.send(b"kept")
            assert await far.receive() == b"kept"

    run(test)


def test_a_peer_that_vanishes_is_lost_within_the_patience(pair: Pair) -> None:
    async def test() -> None:
        async with pair() as kind:
            link = await kind.vanish()
            with pytest.raises(Lost, match=r"no sign of the other player for 0\.4 s"):
                await link.receive()
            with pytest.raises(Lost):
                await link.send(b"x")

    run(test)


def test_a_closed_transport_ends_its_links_and_its_waiting(pair: Pair) -> None:
    async def test() -> None:
        async with pair() as kind:
            near, far = await joined(kind.one, kind.other)
            waiting = asyncio.create_task(kind.one.accept())
            await asyncio.sleep(0)
            await kind.one.close()
            with pytest.raises(Lost):
                await waiting
            with pytest.raises(Lost):
                await near.receive()
            with pytest.raises(Lost, match="the other player closed"):
                await far.receive()
            with pytest.raises(Lost):
                await kind.one.dial(kind.other.address())
            await kind.one.close()

    run(test)


@pytest.mark.parametrize(
    "address", ["", "garbage", "memory:xyz", "endpointaa5wuj54z23", "é", "a" * 1_000_000]
)
def test_an_address_that_is_none_is_called_so(pair: Pair, address: str) -> None:
    async def test() -> None:
        async with pair() as kind:
            if isinstance(kind, InMemory) and set(address) <= set("abcdef"):
                return
            with pytest.raises(Malformed, match="no address that can be dialled") as caught:
                await kind.one.dial(address)
            assert caught.value.what == "address"

    run(test)


def test_a_peer_that_is_gone_does_not_answer(pair: Pair) -> None:
    async def test() -> None:
        async with pair() as kind:
            address = kind.other.address()
            await kind.other.close()
            with pytest.raises(Lost, match="does not answer"):
                await kind.one.dial(address)

    run(test)


class TestFrames:
    @given(st.lists(st.binary(max_size=40).filter(bool)), st.integers(1, 9))
    def test_a_stream_cut_anywhere_gives_the_frames(self, frames: list[bytes], step: int) -> None:
        stream = PING + b"".join(pack_frame(frame) + PING for frame in frames)
        reader = FrameReader()
        pieces = (stream[at : at + step] for at in range(0, len(stream), step))
        assert [frame for piece in pieces for frame in reader.feed(piece)] == frames

    def test_the_form_is_four_bytes_big_endian_and_the_frame(self) -> None:
        assert pack_frame(b"abc") == b"\x00\x00\x00\x03abc"

    def test_a_length_above_the_bound_is_refused_before_its_bytes_come(self) -> None:
        frames = FrameReader().feed(pack_frame(b"good") + (MAX_FRAME + 1).to_bytes(4, "big"))
        assert next(frames) == b"good"
        with pytest.raises(Malformed, match="announced a frame of 1048577 bytes"):
            next(frames)


class TestMailbox:
    def test_put_waits_for_room_and_an_end_frees_it(self) -> None:
        async def test() -> None:
            box: Mailbox[int] = Mailbox(1)
            await box.put(1)
            second, third = (asyncio.create_task(box.put(number)) for number in (2, 3))
            await settle()
            assert not second.done() and not third.done()
            assert await box.get() == 1
            await settle()
            assert second.done() and not third.done()
            box.end(Lost("end"))
            with pytest.raises(Lost, match="end"):
                await third
            assert await box.get() == 2
            with pytest.raises(Lost, match="end"):
                await box.get()

        run(test)


class TestMemory:
    """The weather that the tests of everything above can ask for."""

    def test_a_delayed_frame_comes_when_the_clock_is_turned_past_it(self) -> None:
        async def test() -> None:
            net, near, far = await self.linked()
            net.delay_ms = 30
            await near.send(b"x")
            waiting = asyncio.create_task(far.receive())
            await net.turn(29)
            assert not waiting.done()
            await net.turn(1)
            assert waiting.done() and waiting.result() == b"x" and net.now_ms == 30

        run(test)

    def test_a_shorter_delay_does_not_overtake_unless_it_may(self) -> None:
        async def test() -> None:
            for overtaking, expected in ((False, [b"slow", b"fast"]), (True, [b"fast", b"slow"])):
                net, near, far = await self.linked()
                net.overtaking = overtaking
                net.weather = lambda sent: [50] if sent.frame == b"slow" else [10]
                await near.send(b"slow")
                await near.send(b"fast")
                await net.turn(50)
                assert [await far.receive(), await far.receive()] == expected

        run(test)

    def test_frames_of_independent_links_arrive_in_another_order(self) -> None:
        async def test() -> None:
            net = MemoryNet()
            ann, bob, cid = (net.transport(key) for key in (ANN, BOB, CID))
            from_ann, at_bob_of_ann = await joined(ann, bob)
            from_cid, at_bob_of_cid = await joined(cid, bob)
            net.weather = lambda sent: [20] if sent.source == ANN else [10]
            await from_ann.send(b"ann")
            await from_cid.send(b"cid")
            order: list[bytes] = []

            async def note(link: Link) -> None:
                order.append(await link.receive())

            notes = [asyncio.create_task(note(link)) for link in (at_bob_of_ann, at_bob_of_cid)]
            await net.turn(20)
            assert order == [b"cid", b"ann"]
            await asyncio.gather(*notes)

        run(test)

    def test_weather_repeats_and_loses(self) -> None:
        async def test() -> None:
            net, near, far = await self.linked()
            net.weather = lambda sent: {b"twice": [0, 5], b"never": []}.get(sent.frame, [0])
            for frame in (b"twice", b"never", b"once"):
                await near.send(frame)
            await net.turn(5)
            await near.close()
            assert [await far.receive() for _ in range(3)] == [b"twice", b"twice", b"once"]
            with pytest.raises(Lost):
                await far.receive()

        run(test)

    def test_a_cut_loses_what_is_on_the_way_and_dialling_works_again(self) -> None:
        async def test() -> None:
            net, near, far = await self.linked(delay_ms=10)
            await near.send(b"lost")
            net.cut(ANN, BOB)
            await net.turn(10)
            for end in (near, far):
                with pytest.raises(Lost, match="broke"):
                    await end.receive()
            again, _ = await joined(net.transport(ANN), self.bob)
            await again.send(b"x")

        run(test)

    def test_a_cut_of_one_pair_leaves_the_others(self) -> None:
        async def test() -> None:
            net = MemoryNet()
            ann, bob, cid = (net.transport(key) for key in (ANN, BOB, CID))
            cut, _ = await joined(ann, bob)
            kept, far = await joined(ann, cid)
            net.cut(ANN, BOB)
            with pytest.raises(Lost):
                await cut.send(b"x")
            await kept.send(b"x")
            assert await far.receive() == b"x"

        run(test)

    @pytest.mark.parametrize("count", [1, 2, 3])
    def test_links_break_after_a_chosen_number_of_arrivals(self, count: int) -> None:
        async def test() -> None:
            net, near, far = await self.linked()
            net.cut_after = count
            for _ in range(count):
                await near.send(b"x")
                assert await far.receive() == b"x"
            assert net.cut_after is None
            with pytest.raises(Lost, match="broke"):
                await near.send(b"x")
            with pytest.raises(Lost, match="broke"):
                await far.receive()

        run(test)

    def test_an_unplugged_peer_that_is_back_in_time_has_missed_nothing(self) -> None:
        async def test() -> None:
            net, near, far = await self.linked()
            net.unplug(BOB)
            await near.send(b"held")
            await net.turn(net.patience.lost_ms - 1)
            net.plug(BOB)
            assert await far.receive() == b"held"
            await net.turn(net.patience.lost_ms)
            await near.send(b"x")
            assert await far.receive() == b"x"

        run(test)

    def test_dialling_an_unplugged_peer_gives_up_after_the_patience(self) -> None:
        async def test() -> None:
            net = MemoryNet()
            ann, bob = net.transport(ANN), net.transport(BOB)
            net.unplug(BOB)
            dialling = asyncio.create_task(ann.dial(bob.address()))
            await net.turn(net.patience.dial_ms - 1)
            assert not dialling.done()
            await net.turn(1)
            with pytest.raises(Lost, match="does not answer"):
                await dialling

        run(test)

    def test_the_capture_holds_every_frame_with_its_ends(self) -> None:
        async def test() -> None:
            net, near, far = await self.linked()
            await near.send(b"there")
            await far.send(b"back")
            assert net.sent == [Sent(ANN, BOB, b"there"), Sent(BOB, ANN, b"back")]

        run(test)

    async def linked(self, delay_ms: int = 0) -> tuple[MemoryNet, Link, Link]:
        net = MemoryNet(delay_ms)
        self.bob = net.transport(BOB)
        near, far = await joined(net.transport(ANN), self.bob)
        return net, near, far


ECHO = """
import asyncio, os
from cloakboard.netplay.iroh_transport import IrohTransport

async def main():
    transport = await IrohTransport.open(os.urandom(32), local=True)
    print(transport.address(), flush=True)
    link = await transport.accept()
    while True:
        await link.send(await link.receive())

asyncio.run(main())
"""


class TestIroh:
    def test_24_a_local_transport_is_bound_to_loopback_only(self) -> None:
        async def test() -> None:
            transport = await open_local()
            assert transport._endpoint is not None
            sockets = transport._endpoint.bound_sockets()
            assert sockets
            for socket in sockets:
                assert socket.startswith(("127.0.0.1:", "[::1]:"))
            target = ffi.EndpointTicket.from_string(transport.address()).endpoint_addr()
            assert target.direct_addresses() == [f"127.0.0.1:{transport.port}"]
            assert target.relay_url() is None
            await transport.close()

        run(test)

    def test_24_a_local_transport_that_is_bound_elsewhere_does_not_open(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(ffi.Endpoint, "bound_sockets", lambda self: ["127.0.0.1:5", "[::]:6"])

        async def test() -> None:
            with pytest.raises(NetplayError, match=r"could not keep to this machine.*\[::\]:6"):
                await open_local()

        run(test)

    def test_the_same_secret_and_port_give_the_same_address_again(self) -> None:
        async def test() -> None:
            first = await open_local(bytes(32))
            address, port = first.address(), first.port
            await first.close()
            again = await open_local(bytes(32), port)
            assert (again.address(), again.port) == (address, port)
            await again.close()

        run(test)

    def test_a_port_that_is_taken_is_replaced(self) -> None:
        async def test() -> None:
            first = await open_local()
            second = await open_local(port=first.port)
            assert second.port != first.port
            await asyncio.gather(*(joined(first, second), joined(second, first)))
            await asyncio.gather(first.close(), second.close())

        run(test)

    def test_ones_own_invite_is_refused(self) -> None:
        async def test() -> None:
            transport = await open_local()
            with pytest.raises(Refused, match="your own"):
                await transport.dial(transport.address())
            await transport.close()

        run(test)

    def test_a_local_transport_does_not_dial_other_machines(self) -> None:
        async def test() -> None:
            transport = await open_local()
            key = ffi.SecretKey.generate().public()
            far = ffi.EndpointAddr(key, "https://relay.example.org", ["192.0.2.9:4000"])
            with pytest.raises(Refused, match="without --local"):
                await transport.dial(str(ffi.EndpointTicket.from_addr(far)))
            await transport.close()

        run(test)

    @pytest.mark.parametrize("relays", [(), ("https://relay.invalid",)], ids=["none", "own"])
    def test_25_without_internet_it_opens_and_reaches_its_neighbour(
        self, relays: tuple[str, ...]
    ) -> None:
        async def test() -> None:
            one, other = [
                await IrohTransport.open(os.urandom(32), relays=relays, patience=SHORT)
                for _ in range(2)
            ]
            near, far = await joined(one, other)
            await near.send(b"x")
            assert await far.receive() == b"x"
            await asyncio.gather(one.close(), other.close())

        run(test)

    def test_a_relay_that_is_no_url_is_named(self) -> None:
        async def test() -> None:
            with pytest.raises(Malformed, match=r"nonsense\) is no URL"):
                await IrohTransport.open(bytes(32), relays=["nonsense"], patience=SHORT)

        run(test)

    @pytest.mark.parametrize(
        "garbage",
        [
            pytest.param(b"\xff" * 4, id="endless frame"),
            pytest.param((MAX_FRAME + 1).to_bytes(4, "big"), id="one byte too long"),
            pytest.param(b"GET / HTTP/1.1\r\n\r\n", id="another protocol"),
        ],
    )
    def test_garbage_ends_the_link_with_the_reason(self, garbage: bytes) -> None:
        async def test() -> None:
            transport = await open_local()
            connection, _ = await dial_raw(await raw_endpoint(), transport, garbage)
            link = await transport.accept()
            with pytest.raises(Malformed, match="announced a frame of"):
                await link.receive()
            with pytest.raises(Malformed):
                await link.receive()
            assert "given up" in await connection.closed()
            await transport.close()

        run(test)

    def test_one_who_dials_and_says_nothing_keeps_nobody_waiting(self) -> None:
        async def test() -> None:
            one, other = await open_local(), await open_local()
            connection, _ = await dial_raw(await raw_endpoint(), one, b"")
            near, far = await joined(other, one)
            await near.send(b"x")
            assert await far.receive() == b"x"
            assert "closed by peer" in await connection.closed()
            await asyncio.gather(one.close(), other.close())

        run(test)

    def test_a_quiet_link_outlives_the_patience_by_its_signs_of_life(self) -> None:
        async def test() -> None:
            async with linked_pair() as (near, far):
                with pytest.raises(TimeoutError):
                    async with asyncio.timeout(2 * SHORT.lost_ms / 1000):
                        await far.receive()
                await near.send(b"still here")
                assert await far.receive() == b"still here"

        run(test)

    def test_a_peer_that_does_not_read_slows_the_sender_and_is_not_lost(self) -> None:
        patience = Patience(ping_ms=50, lost_ms=900)

        async def test() -> None:
            one, other = await open_local(patience=patience), await open_local(patience=patience)
            near, far = await joined(one, other)
            frames = [bytes([number]) * (MAX_FRAME // 8) for number in range(200)]

            async def send_all() -> None:
                for frame in frames:
                    await near.send(frame)

            sending = asyncio.create_task(send_all())
            await asyncio.wait([sending], timeout=1.5 * patience.lost_ms / 1000)
            assert not sending.done()
            assert [await far.receive() for _ in frames] == frames
            await sending
            await asyncio.gather(one.close(), other.close())

        run(test)

    def test_a_killed_peer_is_lost_within_the_patience(self) -> None:
        async def test() -> None:
            peer = subprocess.Popen(
                [sys.executable, "-c", ECHO],
                stdout=subprocess.PIPE,
                cwd=Path(__file__).parents[2],
            )
            try:
                assert peer.stdout is not None
                address = (await asyncio.to_thread(peer.stdout.readline)).decode().strip()
                transport = await open_local()
                link = await transport.dial(address)
                await link.send(b"x")
                assert await link.receive() == b"x"
                peer.send_signal(signal.SIGKILL)
                with pytest.raises(Lost):
                    await link.receive()
                await transport.close()
            finally:
                peer.kill()
                peer.communicate()

        run(test)

    def test_it_runs_on_a_loop_in_a_background_thread(self) -> None:
        outcome: list[bytes] = []

        async def test() -> None:
            async with linked_pair() as (near, far):
                await near.send(b"from a thread")
                outcome.append(await far.receive())

        worker = threading.Thread(target=run, args=(test,))
        worker.start()
        worker.join()
        assert outcome == [b"from a thread"]

    def test_open_network_opens_it(self) -> None:
        async def test() -> None:
            transport = await open_network(bytes(32), local=True, patience=SHORT)
            assert transport.address().startswith("endpoint")
            await transport.close()

        run(test)

    def test_40_without_iroh_only_the_network_is_missing(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(sys.modules, "iroh", None)
        monkeypatch.delitem(sys.modules, "cloakboard.netplay.iroh_transport")

        async def test() -> None:
            with pytest.raises(NetworkMissing, match="games on this machine work without it"):
                await open_network(bytes(32), local=True)

        run(test)

    def test_40_nothing_but_opening_the_network_loads_iroh(self) -> None:
        code = (
            "import sys, cloakboard.netplay.network, cloakboard.netplay.memory\n"
            "import cloakboard.netplay.invite, cloakboard.netplay.profile\n"
            "sys.exit('iroh' in sys.modules)"
        )
        subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[2])


@asynccontextmanager
async def linked_pair() -> AsyncIterator[tuple[Link, Link]]:
    async with iroh_pair() as kind:
        yield await joined(kind.one, kind.other)
