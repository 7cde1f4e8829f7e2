"""Few places for strangers: who gives way to whom, and that silence keeps nobody out anywhere."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from cloakboard.netplay.links.entrance import MAX_KNOCKING, Entrance, Passed
from cloakboard.netplay.links.greeting import Table
from cloakboard.netplay.links.memory import MemoryNet, settle
from cloakboard.netplay.links.transport import Link
from cloakboard.netplay.links.waiting import Waiting
from tests.netplay.players import Player, full, run
from tests.netplay.test_online import LINE, Side, begin, check_end
from tests.netplay.test_online import run as with_sides

FLOOD = 3 * MAX_KNOCKING


async def silence(net: MemoryNet, address: str, count: int = FLOOD) -> list[Link]:
    """So many machines that dial and say nothing."""
    return [await net.transport(bytes([200, n]) * 16).dial(address) for n in range(count)]


@pytest.mark.parametrize(
    ("came", "stay"),
    [
        pytest.param("abc", "abc", id="as many as there are places"),
        pytest.param("abcd", "bcd", id="the oldest gives way"),
        pytest.param("abcde", "cde", id="and the next"),
        pytest.param("abbb", "abb", id="a machine that floods gives way to itself"),
        pytest.param("abcb", "acb", id="its oldest does"),
        pytest.param("bbab", "bab", id="as long as it has one"),
    ],
)
def test_who_gives_way(came: Sequence[str], stay: Sequence[str]) -> None:
    async def test() -> None:
        waiting = Waiting(3)
        tasks = [asyncio.create_task(asyncio.Event().wait()) for _ in came]
        for who, task in zip(came, tasks, strict=True):
            waiting.enter(task, who.encode())
        await settle()
        left = [who for who, task in zip(came, tasks, strict=True) if not task.done()]
        assert left == list(stay)
        for task in tasks:
            task.cancel()

    asyncio.run(test())


def test_who_has_left_gives_way_to_nobody_and_its_place_is_free() -> None:
    async def test() -> None:
        waiting = Waiting(2)
        tasks = [asyncio.create_task(asyncio.Event().wait()) for _ in range(4)]
        waiting.enter(tasks[0], b"a")
        waiting.leave(tasks[0])
        for number in (1, 2, 3):
            waiting.enter(tasks[number], b"b")
        await settle()
        assert [task.done() for task in tasks] == [False, True, False, False]
        for task in tasks:
            task.cancel()

    asyncio.run(test())


@pytest.mark.parametrize("has_passed", [False, True])
def test_an_entrance_keeps_who_has_passed(has_passed: bool) -> None:
    """And closes the links of all the others, at the latest with itself."""

    async def visit(link: Link, passed: Passed) -> None:
        if has_passed and await link.receive():
            passed()
        await link.receive()

    async def test() -> None:
        net = MemoryNet()
        house = net.transport(b"h" * 32)
        entrance: Entrance[None] = Entrance(house, visit)
        finding = asyncio.create_task(entrance.found())
        first = await net.transport(b"f" * 32).dial(house.address())
        if has_passed:
            await first.send(b"let me in")
        await settle()
        for number in range(MAX_KNOCKING):
            await silence(net, house.address(), number + 1)
            await settle()
        assert len(net.links_of(b"f" * 32)) == has_passed
        assert len(net.links_of(house.key)) == MAX_KNOCKING + has_passed
        finding.cancel()
        await entrance.close()
        assert net.links_of(house.key) == []

    asyncio.run(test())


@pytest.mark.parametrize("is_let_in", [False, True])
def test_an_entrance_that_closes_leaves_no_link_open(is_let_in: bool) -> None:
    """Neither of who is silent, nor of a seat that comes too late, nor of who has just come."""

    async def visit(link: Link, passed: Passed) -> bytes:
        return await link.receive()

    async def test() -> None:
        net = MemoryNet()
        house = net.transport(b"h" * 32)
        entrance = Entrance(house, visit)
        links = [await net.transport(bytes([n]) * 32).dial(house.address()) for n in range(3)]
        for _ in range(2):
            entrance.awaited()
            await settle()
            assert entrance.take() == []
        entrance.awaited()
        await settle()
        if is_let_in:
            assert entrance.take() == []
        await links[0].send(b"0")
        if not is_let_in:
            await settle()
        await entrance.close()
        assert net.links_of(house.key) == []

    asyncio.run(test())


def test_silent_links_keep_nobody_out_of_a_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.netplay.test_online.GAMES", {LINE.id: LINE})

    async def test(players: list[Player], net: MemoryNet) -> None:
        ann, bob = players
        ann.host(Table(LINE))
        await ann.until(lambda room: True)
        held = await silence(net, f"memory:{ann.identity.key.hex()}")
        await settle()
        bob.join(ann.invites[0])
        await bob.until(full)
        assert held

    run(test, tmp_path)


def test_silent_links_keep_no_seat_from_being_found_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cloakboard.netplay.links.mesh.GREET_S", 600)

    async def test(host: Side, guest: Side, net: MemoryNet) -> None:
        links = await begin(host, guest)
        host.stop_after = guest.stop_after = 2
        playing = asyncio.create_task(host.play(links[0]))
        first = asyncio.create_task(guest.play(links[1]))
        while len(guest.party.online.match.entries if guest.party.online else ()) < 4:
            await asyncio.sleep(0)
        first.cancel()
        await asyncio.gather(first, return_exceptions=True)
        await guest.party.__aexit__()
        await settle()
        held = await silence(net, f"memory:{host.identity.key.hex()}")
        await settle()
        host.stop_after = guest.stop_after = 10_000
        await guest.new_party().__aenter__()
        guest.party.resume(guest.file, lambda text: None)
        await asyncio.gather(playing, guest.play(None))
        check_end(host, guest)
        assert held

    with_sides(test, tmp_path)
