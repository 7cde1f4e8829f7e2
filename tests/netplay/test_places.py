"""A room is shown where it is switched on, and found once wherever it is."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from cloakboard.netplay.finding.places import LAN, Found, Look, Neighbours, Places
from tests.netplay.adverts import LIMIT_S, Bell, player, room
from tests.netplay.broker import Broker

LOOPBACK = ["127.0.0.1"]


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    broker = Broker(tmp_path)
    broker.start()
    yield broker
    broker.stop()


Trial = Callable[[Places, Places], Awaitable[None]]


def run(test: Trial, ann: int, halls: list[str]) -> None:
    """`test` with the places of a host, player `ann`, and of a guest."""

    async def both() -> None:
        near, far = Neighbours(LOOPBACK), Neighbours(LOOPBACK)
        try:
            async with asyncio.timeout(3 * LIMIT_S):
                await test(Places(player(ann), halls, near), Places(player(0), halls, far))
        finally:
            await asyncio.gather(near.close(), far.close())

    asyncio.run(both())


def of(look: Look, ann: int) -> list[Found]:
    return [found for found in look.found() if found.advert.key == player(ann).key]


def test_a_room_is_shown_where_it_is_switched_on(broker: Broker) -> None:
    ann, hall = secrets.randbits(100), f"127.0.0.1:{broker.port}"

    async def test(here: Places, there: Places) -> None:
        bell = Bell()
        look = there.look(bell)
        assert here.names == (LAN, hall)
        showing = here.showing([hall])
        showing.publish(room(ann))
        await bell.until(lambda: [found.place for found in of(look, ann)] == [hall])
        assert not showing.asks
        showing.switch(LAN, True)
        await bell.until(lambda: [found.place for found in of(look, ann)] == [LAN])
        showing.switch(hall, False)
        assert showing.asks
        assert [(s.place, s.is_on, s.problem) for s in showing.spots()] == [
            (LAN, True, ""),
            (hall, False, ""),
        ]
        showing.publish(room(ann, free=0))
        await bell.until(lambda: [f.advert.free for f in of(look, ann)] == [0])
        again = there.look(bell)
        await look.close()
        await bell.until(lambda: len(of(again, ann)) == 1)
        showing.switch(LAN, False)
        await bell.until(lambda: of(again, ann) == [])
        assert again.problems() == {}
        await asyncio.gather(showing.close(), again.close())

    run(test, ann, [f"mqtt://{hall}"])


def test_25_without_multicast_the_rest_goes_on(
    broker: Broker, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_socket(**_: object) -> None:
        raise OSError(19, "No such device")

    monkeypatch.setattr("zeroconf.asyncio.AsyncZeroconf", no_socket)
    ann, hall = secrets.randbits(100), f"127.0.0.1:{broker.port}"

    async def test(here: Places, there: Places) -> None:
        bell = Bell()
        look = there.look(bell)
        showing = here.showing([LAN, hall])
        showing.publish(room(ann))
        await bell.until(lambda: bool(of(look, ann)) and bool(look.problems()))
        assert list(look.problems()) == [LAN]
        assert "send your friend the invite instead" in look.problems()[LAN]
        await asyncio.sleep(0)
        assert "send your friend the invite instead" in showing.problem()
        await asyncio.gather(showing.close(), look.close())

    run(test, ann, [f"mqtt://{hall}"])


def test_a_hall_that_is_named_wrongly_is_told_of_and_the_others_are_used() -> None:
    async def test(here: Places, there: Places) -> None:
        assert here.names == (LAN, "hall.example.org")
        assert "named by its host" in here.wrong["hall 1"]

    run(test, 1, ["http://wrong", "hall.example.org"])


def test_who_keeps_off_the_local_network_is_not_on_it() -> None:
    async def test() -> None:
        places = Places(player(1), [], None)
        look, showing = places.look(Bell()), places.showing([LAN])
        showing.publish(room(1))
        assert (places.names, showing.spots(), look.found()) == ((), (), ())
        assert not showing.asks
        await asyncio.gather(showing.close(), look.close())

    asyncio.run(test())


def test_24_neighbours_are_asked_once_the_network_is_open() -> None:
    async def test() -> None:
        key = secrets.token_bytes(32)
        one, other = Neighbours(LOOPBACK), Neighbours(LOOPBACK)
        one.here(key, 4711)
        other.where(key)
        async with asyncio.timeout(LIMIT_S):
            lan = await other.lan()
            assert lan is not None
            bell = Bell()
            lan.heard_peer = bell.after(lan.heard_peer)  # type: ignore[method-assign]  # listens in
            lan.browse("_cloakpeer._udp.local.", lan.heard_peer, lan.lost_peer)
            await bell.until(lambda: other.where(key) == ("127.0.0.1:4711",))
        await asyncio.gather(one.close(), other.close())

    asyncio.run(test())
