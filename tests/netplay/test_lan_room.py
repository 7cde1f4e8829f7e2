"""A room on the local network: found, asked about once, and joined; or joined by its invite."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cloakboard.netplay.errors import Refused
from cloakboard.netplay.finding.advert import Advert
from cloakboard.netplay.finding.devices import Devices, Porter
from cloakboard.netplay.finding.places import LAN, Neighbours, Places, Showing
from cloakboard.netplay.links.greeting import Table
from cloakboard.netplay.links.memory import MemoryNet
from tests.netplay.adverts import Bell
from tests.netplay.test_online import LINE, Side

LOOPBACK = ["127.0.0.1"]


class Street:
    """Ann, who shows a room on the local network, and Bob, who looks for one."""

    def __init__(self, folder: Path) -> None:
        net = MemoryNet()
        self.ann, self.bob = Side(net, folder / "ann", 1), Side(net, folder / "bob", 2)
        self.near = [Neighbours(LOOPBACK) for _ in "ab"]
        self.bell = Bell()
        self.looking = Places(self.bob.identity, [], self.near[1]).look(self.bell)
        self.showing = self.show([LAN])

    def show(self, on: list[str]) -> Showing:
        self.showing = Places(self.ann.identity, [], self.near[0]).showing(on)
        self.porter = Porter(Devices(self.ann.profile.folder), lambda: self.showing.asks)
        self.ann.plan = replace(self.ann.plan, admit=self.porter.check)
        return self.showing

    async def host(self, show_invite: Callable[[str], None] = lambda text: None) -> Any:
        async with self.ann.new_party() as party:
            return await party.host(Table(LINE), show_invite, announcers=[self.showing])

    async def join(self, invite: str) -> Any:
        async with self.bob.new_party() as party:
            return await party.join(invite)

    async def found(self) -> Advert:
        def mine() -> list[Advert]:
            return [
                found.advert
                for found in self.looking.found()
                if found.advert.key == self.ann.identity.key
            ]

        await self.bell.until(lambda: bool(mine()))
        return mine()[0]

    async def asked(self) -> bytes:
        while not self.porter.asking:
            await asyncio.sleep(0)
        return self.porter.asking[0].key


def run(test: Callable[[Street], Awaitable[None]], folder: Path) -> None:
    async def within() -> None:
        async with asyncio.timeout(60), AsyncExitStack() as stack:
            street = Street(folder)
            stack.callback(street.ann.profile.close)
            stack.callback(street.bob.profile.close)
            for near in street.near:
                stack.push_async_callback(near.close)
            stack.push_async_callback(street.looking.close)
            await test(street)
            await street.showing.close()

    asyncio.run(within())


def test_24_a_room_is_found_and_its_player_lets_the_device_in_once(tmp_path: Path) -> None:
    async def test(street: Street) -> None:
        hosting = asyncio.create_task(street.host())
        advert = await street.found()
        assert (advert.game, advert.free, advert.invite.ticket) == (LINE.id, 1, b"")
        joining = asyncio.create_task(street.join(advert.text()))
        street.porter.answer(await street.asked(), True)
        await asyncio.gather(hosting, joining)
        assert len(list(street.ann.profile.saves.glob("*.cloak"))) == 1
        await street.showing.close()

        street.show([LAN])
        hosting = asyncio.create_task(street.host())
        while (again := await street.found()).room == advert.room:
            street.bell.rung.clear()
            await street.bell.rung.wait()
        await asyncio.gather(hosting, street.join(again.text()))
        assert len(list(street.ann.profile.saves.glob("*.cloak"))) == 2

    run(test, tmp_path)


def test_a_device_that_is_not_let_in_reads_so(tmp_path: Path) -> None:
    async def test(street: Street) -> None:
        hosting = asyncio.create_task(street.host())
        joining = asyncio.create_task(street.join((await street.found()).text()))
        street.porter.answer(await street.asked(), False)
        with pytest.raises(Refused, match="does not let you in"):
            await joining
        hosting.cancel()
        await asyncio.gather(hosting, return_exceptions=True)

    run(test, tmp_path)


def test_25_the_pasted_invite_works_without_multicast_and_asks_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_socket(**_: object) -> None:
        raise OSError(19, "No such device")

    monkeypatch.setattr("zeroconf.asyncio.AsyncZeroconf", no_socket)

    async def test(street: Street) -> None:
        invite: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        hosting = asyncio.create_task(street.host(invite.set_result))
        await asyncio.gather(hosting, street.join(await invite))
        assert "send your friend the invite instead" in street.showing.problem()
        assert street.looking.found() == ()

    run(test, tmp_path)
