"""Rooms on the local network, by multicast DNS over the loopback."""

from __future__ import annotations

import asyncio
import secrets
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from zeroconf import ServiceStateChange

from cloakboard.netplay.finding.advert import MAX_ADVERT, Signer
from cloakboard.netplay.finding.lan import PEERS, Heard, Lan, LanMissing, Service, peer_label
from cloakboard.netplay.finding.lan_rooms import (
    ROOMS,
    LanAnnouncer,
    LanFinder,
    signed_in,
    text_record,
)
from cloakboard.netplay.finding.listing import Listing
from tests.netplay.adverts import LIMIT_S, Bell, player, room

LOOPBACK = ["127.0.0.1"]


def run(test: Callable[[Lan, Lan], Awaitable[None]]) -> None:
    """Two machines, as far as the loopback has two."""

    async def both() -> None:
        one, other = await Lan.open(LOOPBACK), await Lan.open(LOOPBACK)
        try:
            async with asyncio.timeout(2 * LIMIT_S):
                await test(one, other)
        finally:
            await asyncio.gather(one.close(), other.close())

    asyncio.run(both())


def stranger() -> int:
    """The number of a player and a room that no other test on this machine has at this time."""
    return secrets.randbits(100)


def free(finder: LanFinder, *numbers: int) -> list[int]:
    """Free seats of these players' rooms; other programs may show rooms on the loopback, too."""
    keys = [player(number).key for number in numbers]
    return [advert.free for advert in finder.adverts() if advert.key in keys]


def test_24_a_room_is_found_changes_and_goes() -> None:
    async def test(here: Lan, there: Lan) -> None:
        ann, bell = stranger(), Bell()
        finder = LanFinder(there, Listing(bell))
        announcer = LanAnnouncer(here, player(ann))
        announcer.publish(room(ann, free=1))
        await bell.until(lambda: free(finder, ann) == [1])
        announcer.publish(room(ann, free=0))
        await bell.until(lambda: free(finder, ann) == [0])
        announcer.withdraw()
        await bell.until(lambda: free(finder, ann) == [])
        assert (announcer.problem(), finder.problem()) == ("", "")

    run(test)


def test_24_who_looks_later_finds_a_room_too_and_its_end_is_noticed() -> None:
    async def test(here: Lan, there: Lan) -> None:
        ann, bob, bell = stranger(), stranger(), Bell()
        LanAnnouncer(here, player(ann)).publish(room(ann))
        LanAnnouncer(here, player(bob)).publish(room(bob))
        finder = LanFinder(there, Listing(bell))
        await bell.until(lambda: free(finder, ann, bob) == [1, 1])
        await here.close()
        await bell.until(lambda: free(finder, ann, bob) == [])

    run(test)


def test_a_forged_room_is_not_listed() -> None:
    async def test(here: Lan, there: Lan) -> None:
        ann, bob, bell = stranger(), stranger(), Bell()
        signed = Signer(player(ann)).sign(room(ann))
        forged = signed[:-1] + bytes([signed[-1] ^ 1])
        here.show(Service(ROOMS, room(ann).room.hex(), 1, text_record(forged)))
        finder = LanFinder(there, Listing(bell))
        LanAnnouncer(here, player(bob)).publish(room(bob))
        await bell.until(lambda: bool(free(finder, bob)))
        assert free(finder, ann) == []

    run(test)


def test_24_a_machine_that_waits_says_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(here: Lan, there: Lan) -> None:
        key, bell = secrets.token_bytes(32), Bell()
        for name in ("heard_peer", "lost_peer"):
            monkeypatch.setattr(there, name, bell.after(getattr(there, name)))
        assert there.where(key) == ()
        here.here(key, 4711)
        await bell.until(lambda: there.where(key) == ("127.0.0.1:4711",))
        here.hide(f"{peer_label(key)}.{PEERS}")
        await bell.until(lambda: there.where(key) == ())

    run(test)


class Slow:
    """Services whose records come when a test says so; `told` counts the requests."""

    def __init__(self) -> None:
        self.told = 0
        self.may_tell = asyncio.Event()

    def __call__(self, kind: str, name: str) -> Slow:
        return self

    async def async_request(self, zeroconf: object, timeout: int) -> bool:
        self.told += 1
        await self.may_tell.wait()
        return True


COME, CHANGED, GONE = (getattr(ServiceStateChange, n) for n in ("Added", "Updated", "Removed"))


@pytest.mark.parametrize(
    ("meanwhile", "requests", "heard"),
    [
        pytest.param((), 1, ["a"], id="nothing"),
        pytest.param((GONE,), 1, [], id="gone"),
        pytest.param((CHANGED,), 2, ["a"], id="changed"),
        pytest.param((GONE, COME), 2, ["a"], id="gone and come back"),
        pytest.param((CHANGED, GONE), 1, [], id="changed and gone"),
    ],
)
def test_what_happens_to_a_service_while_it_is_asked_counts(
    monkeypatch: pytest.MonkeyPatch,
    meanwhile: tuple[ServiceStateChange, ...],
    requests: int,
    heard: list[str],
) -> None:
    async def test() -> None:
        slow, names, tasks = Slow(), list[str](), list[asyncio.Task[None]]()
        monkeypatch.setattr("zeroconf.asyncio.AsyncServiceInfo", slow)
        ear = Heard(
            ROOMS,
            lambda label, info: names.append(label),
            lambda label: None,
            lambda work: tasks.append(asyncio.create_task(work)),
        )
        for change in (COME, *meanwhile):
            ear.changed(None, ROOMS, f"a.{ROOMS}", change)  # type: ignore[arg-type]  # not used
            await asyncio.sleep(0)
        slow.may_tell.set()
        await asyncio.gather(*tasks)
        assert (slow.told, names) == (requests, heard)

    asyncio.run(test())


def test_services_are_bounded_and_forgotten_on_another_network(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def test() -> None:
        slow, heard, lost = Slow(), list[str](), list[str]()
        tasks: list[asyncio.Task[None]] = []
        slow.may_tell.set()
        monkeypatch.setattr("zeroconf.asyncio.AsyncServiceInfo", slow)
        monkeypatch.setattr("cloakboard.netplay.finding.lan.MAX_SERVICES", 2)
        ear = Heard(
            ROOMS,
            lambda label, info: heard.append(label),
            lost.append,
            lambda work: tasks.append(asyncio.create_task(work)),
        )
        for label in "abca":
            ear.changed(None, ROOMS, f"{label}.{ROOMS}", COME)  # type: ignore[arg-type]  # not used
            await asyncio.gather(*tasks)
        assert heard == ["a", "b", "a"]
        ear.forget()
        assert sorted(lost) == ["a", "b"]
        ear.changed(None, ROOMS, f"c.{ROOMS}", COME)  # type: ignore[arg-type]  # not used
        await asyncio.gather(*tasks)
        assert heard[-1] == "c"

    asyncio.run(test())


@pytest.mark.parametrize("length", [0, 1, 240, 241, MAX_ADVERT])
def test_a_text_record_holds_any_signed_advert(length: int) -> None:
    signed = bytes(n % 251 for n in range(length))
    text = text_record(signed)
    properties: dict[bytes, bytes | None] = {}
    while text:
        string, text = text[1 : 1 + text[0]], text[1 + text[0] :]
        name, _, value = string.partition(b"=")
        properties[name] = value
    assert signed_in(properties) == signed


@pytest.mark.parametrize("properties", [{}, {b"v": b"2", b"0": b"x"}, {b"v": None}])
def test_a_text_record_of_another_form_holds_none(properties: dict[bytes, bytes | None]) -> None:
    assert signed_in(properties) == b""


def test_25_without_multicast_there_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_socket(*_: Any, **__: Any) -> None:
        raise OSError(19, "No such device")

    monkeypatch.setattr("zeroconf.asyncio.AsyncZeroconf", no_socket)

    async def test() -> None:
        with pytest.raises(LanMissing, match="send your friend the invite instead"):
            await Lan.open()

    asyncio.run(test())


def test_40_without_zeroconf_there_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "zeroconf", None)

    async def test() -> None:
        with pytest.raises(LanMissing, match="send your friend the invite instead"):
            await Lan.open()

    asyncio.run(test())
