"""Places of spectators at a machine: how many, who takes one, and who loses it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from cloakboard.netplay.errors import Refused
from cloakboard.netplay.invite import Watch
from cloakboard.netplay.links.entrance import MAX_KNOCKING
from cloakboard.netplay.links.greeting import greet, say
from cloakboard.netplay.links.memory import MemoryLink, MemoryNet
from cloakboard.netplay.links.mesh import NO_ROOM
from cloakboard.netplay.lockstep.audience import MAX_SPECTATORS
from cloakboard.netplay.lockstep.effects import Watched
from cloakboard.netplay.lockstep.gallery import (
    ELSEWHERE,
    ENDED,
    FULL,
)
from cloakboard.netplay.wire import (
    EntryFrame,
    Watching,
    unpack,
)
from tests.netplay.test_online import Side
from tests.netplay.test_spectators import OPEN, Seat, last_word, play_on, run, sees_the_end
from tests.netplay.test_waiting import silence


def test_a_machine_has_room_for_so_many_spectators(tmp_path: Path) -> None:
    async def test(host: Side, guest: Side, net: MemoryNet, watch: Watch) -> None:
        host.stop_after = guest.stop_after = 0
        seats = [Seat(net, tmp_path / f"s{n}", watch) for n in range(MAX_SPECTATORS + 1)]
        tasks = [asyncio.create_task(seat.spectator.run()) for seat in seats[:-1]]
        assert host.party.online is not None
        while host.party.online.gallery.spectators < MAX_SPECTATORS:
            await asyncio.sleep(0)
        with pytest.raises(Refused, match="no room"):
            await seats[-1].spectator.run()
        for task in tasks:
            task.cancel()
        play_on(host, guest)

    run(test, tmp_path)


def test_both_players_are_told_how_many_watch(tmp_path: Path) -> None:
    """Who watches is known where they watch alone; their names are cleaned there."""

    async def test(host: Side, guest: Side, net: MemoryNet, watch: Watch) -> None:
        host.stop_after = guest.stop_after = 0
        assert host.party.online is not None
        at = host.party.online.match.seat

        def told(side: Side) -> list[Watched]:
            return [one for one in side.told if isinstance(one, Watched)]

        seats = [Seat(net, tmp_path / name, watch) for name in ("cid", "dee")]
        tasks = []
        for count, seat in enumerate(seats, 1):
            tasks.append(asyncio.create_task(seat.spectator.run()))
            while len(told(host)) < count:
                await asyncio.sleep(0)
        assert told(host) == [Watched(at, 1, ("cid",)), Watched(at, 2, ("cid", "dee"))]
        while Watched(at, 2) not in told(guest):
            await asyncio.sleep(0.01)
        for task in tasks:
            task.cancel()
        for link in net.links_of(seats[0].identity.key):
            await link.close()
        while told(host)[-1] != Watched(at, 1, ("dee",)):
            await asyncio.sleep(0)
        assert {one.names for one in told(guest)} == {()}
        play_on(host, guest)

    run(test, tmp_path, OPEN)


def test_so_many_that_come_at_once_find_so_many_places(tmp_path: Path) -> None:
    """With one place left four are greeted before the first of them says that it would watch."""

    async def test(host: Side, guest: Side, net: MemoryNet, watch: Watch) -> None:
        host.stop_after = guest.stop_after = 0
        assert host.party.online is not None
        gallery = host.party.online.gallery
        links = []
        for number in range(MAX_SPECTATORS + 3):
            seat = Seat(net, tmp_path / f"s{number}", watch)
            links.append(await seat.transport.dial(watch.address))
            await greet(links[-1], seat.me, NO_ROOM, watch.match)
            if number < MAX_SPECTATORS - 1:
                await say(links[-1], Watching(0))
        while gallery.spectators < MAX_SPECTATORS - 1:
            await asyncio.sleep(0)
        for link in links[MAX_SPECTATORS - 1 :]:
            await say(link, Watching(0))
        assert [await last_word(link) for link in links[MAX_SPECTATORS:]] == [FULL] * 3
        assert gallery.spectators == MAX_SPECTATORS
        play_on(host, guest)

    run(test, tmp_path)


@pytest.mark.parametrize("others", [0, MAX_SPECTATORS - 1])
def test_who_watches_over_a_second_link_gives_up_the_first(others: int, tmp_path: Path) -> None:
    """Also where no place is left; and it is told, so that its machine does not come again."""

    async def test(host: Side, guest: Side, net: MemoryNet, watch: Watch) -> None:
        host.stop_after = guest.stop_after = 0
        assert host.party.online is not None
        gallery = host.party.online.gallery
        links = []
        seats = [Seat(net, tmp_path / f"s{number}", watch) for number in range(1 + others)]
        for seat in seats:
            links.append(await seat.transport.dial(watch.address))
            await greet(links[-1], seat.me, NO_ROOM, watch.match)
            await say(links[-1], Watching(0))
        while gallery.spectators < 1 + others:
            await asyncio.sleep(0)
        again = asyncio.create_task(seats[0].spectator.run())
        assert await last_word(links[0]) == ELSEWHERE
        assert gallery.spectators == 1 + others
        play_on(host, guest)
        await again
        assert [await last_word(link) for link in links[1:]] == [ENDED] * others

    run(test, tmp_path)


def test_silent_links_keep_no_spectator_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor those that have greeted and then say nothing."""
    monkeypatch.setattr("cloakboard.netplay.lockstep.gallery.GREET_S", 600)

    async def test(host: Side, guest: Side, net: MemoryNet, watch: Watch) -> None:
        host.stop_after = guest.stop_after = 0
        held = await silence(net, watch.address)
        for number in range(MAX_KNOCKING + MAX_SPECTATORS):
            seat = Seat(net, tmp_path / f"s{number}", watch)
            held.append(await seat.transport.dial(watch.address))
            await greet(held[-1], seat.me, NO_ROOM, watch.match)
        seat = Seat(net, tmp_path / "cid", watch)
        watching = asyncio.create_task(seat.spectator.run())
        assert host.party.online is not None
        while not host.party.online.gallery.spectators and not watching.done():
            await asyncio.sleep(0)
        play_on(host, guest)
        await sees_the_end(seat, watching)

    run(test, tmp_path)


def test_a_spectator_that_does_not_read_loses_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cloakboard.netplay.lockstep.gallery.STEP_SECONDS", 0.02)
    usual = MemoryLink.send

    async def send(self: MemoryLink, frame: bytes) -> None:
        if isinstance(unpack(frame), EntryFrame) and self.peer == cid:
            await asyncio.Event().wait()
        await usual(self, frame)

    cid = bytes(32)

    async def test(host: Side, guest: Side, net: MemoryNet, watch: Watch) -> None:
        nonlocal cid
        host.stop_after = guest.stop_after = 0
        seat = Seat(net, tmp_path / "cid", watch)
        cid = seat.transport.key
        monkeypatch.setattr(MemoryLink, "send", send)
        link = await seat.transport.dial(watch.address)
        await greet(link, seat.me, NO_ROOM, watch.match)
        await say(link, Watching(0))
        assert await last_word(link) is None
        assert host.party.online is not None
        assert host.party.online.gallery.spectators == 0
        play_on(host, guest)

    run(test, tmp_path)
