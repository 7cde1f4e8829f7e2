"""The weather of the network in memory, which the tests of everything above it ask for."""

from __future__ import annotations

import asyncio

import pytest

from cloakboard.netplay.errors import Lost
from cloakboard.netplay.links.memory import MemoryNet, Sent
from cloakboard.netplay.links.transport import Link
from tests.netplay.links import ANN, BOB, CID, joined, run


def test_a_delayed_frame_comes_when_the_clock_is_turned_past_it() -> None:
    async def test() -> None:
        net, near, far = await linked()
        net.delay_ms = 30
        await near.send(b"x")
        waiting = asyncio.create_task(far.receive())
        await net.turn(29)
        assert not waiting.done()
        await net.turn(1)
        assert waiting.done() and waiting.result() == b"x" and net.now_ms == 30

    run(test)


def test_a_shorter_delay_does_not_overtake_unless_it_may() -> None:
    async def test() -> None:
        for overtaking, expected in ((False, [b"slow", b"fast"]), (True, [b"fast", b"slow"])):
            net, near, far = await linked()
            net.overtaking = overtaking
            net.weather = lambda sent: [50] if sent.frame == b"slow" else [10]
            await near.send(b"slow")
            await near.send(b"fast")
            await net.turn(50)
            assert [await far.receive(), await far.receive()] == expected

    run(test)


def test_frames_of_independent_links_arrive_in_another_order() -> None:
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


def test_weather_repeats_and_loses() -> None:
    async def test() -> None:
        net, near, far = await linked()
        net.weather = lambda sent: {b"twice": [0, 5], b"never": []}.get(sent.frame, [0])
        for frame in (b"twice", b"never", b"once"):
            await near.send(frame)
        await net.turn(5)
        await near.close()
        assert [await far.receive() for _ in range(3)] == [b"twice", b"twice", b"once"]
        with pytest.raises(Lost):
            await far.receive()

    run(test)


def test_a_cut_loses_what_is_on_the_way_and_dialling_works_again() -> None:
    async def test() -> None:
        net, near, far = await linked(delay_ms=10)
        await near.send(b"lost")
        net.cut(ANN, BOB)
        await net.turn(10)
        for end in (near, far):
            with pytest.raises(Lost, match="broke"):
                await end.receive()
        again, _ = await joined(net.transport(ANN), net.transport(BOB))
        await again.send(b"x")

    run(test)


def test_a_cut_of_one_pair_leaves_the_others() -> None:
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
def test_links_break_after_a_chosen_number_of_arrivals(count: int) -> None:
    async def test() -> None:
        net, near, far = await linked()
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


def test_an_unplugged_peer_that_is_back_in_time_has_missed_nothing() -> None:
    async def test() -> None:
        net, near, far = await linked()
        net.unplug(BOB)
        await near.send(b"held")
        await net.turn(net.patience.lost_ms - 1)
        net.plug(BOB)
        assert await far.receive() == b"held"
        await net.turn(net.patience.lost_ms)
        await near.send(b"x")
        assert await far.receive() == b"x"

    run(test)


def test_dialling_an_unplugged_peer_gives_up_after_the_patience() -> None:
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


def test_the_capture_holds_every_frame_with_its_ends() -> None:
    async def test() -> None:
        net, near, far = await linked()
        await near.send(b"there")
        await far.send(b"back")
        assert net.sent == [Sent(ANN, BOB, b"there"), Sent(BOB, ANN, b"back")]

    run(test)


async def linked(delay_ms: int = 0) -> tuple[MemoryNet, Link, Link]:
    net = MemoryNet(delay_ms)
    near, far = await joined(net.transport(ANN), net.transport(BOB))
    return net, near, far
