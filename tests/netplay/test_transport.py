"""One contract for every transport, and the pieces that they are made of."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cloakboard.netplay.errors import Lost, Malformed
from cloakboard.netplay.links.memory import settle
from cloakboard.netplay.links.transport import MAX_FRAME, PING, FrameReader, Mailbox, pack_frame
from tests.netplay.links import Pair, iroh_pair, joined, memory_pair, run


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
            with pytest.raises(Lost, match=r"no sign of the other player for 2 s"):
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
    "address", ["", "garbage", "memory:xyz", "memory:", "endpointaa5wuj54z23", "é", "a" * 1_000_000]
)
def test_an_address_that_is_none_is_called_so(pair: Pair, address: str) -> None:
    async def test() -> None:
        async with pair() as kind:
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


@given(st.lists(st.binary(max_size=40).filter(bool)), st.integers(1, 9))
def test_a_stream_cut_anywhere_gives_the_frames(frames: list[bytes], step: int) -> None:
    stream = PING + b"".join(pack_frame(frame) + PING for frame in frames)
    reader = FrameReader()
    pieces = (stream[at : at + step] for at in range(0, len(stream), step))
    assert [frame for piece in pieces for frame in reader.feed(piece)] == frames


def test_the_form_is_four_bytes_big_endian_and_the_frame() -> None:
    assert pack_frame(b"abc") == b"\x00\x00\x00\x03abc"


def test_a_length_above_the_bound_is_refused_before_its_bytes_come() -> None:
    frames = FrameReader().feed(pack_frame(b"good") + (MAX_FRAME + 1).to_bytes(4, "big"))
    assert next(frames) == b"good"
    with pytest.raises(Malformed, match="announced a frame of 1048577 bytes"):
        next(frames)


def test_put_waits_for_room_and_an_end_frees_it() -> None:
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
