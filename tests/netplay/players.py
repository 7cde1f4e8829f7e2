"""Players that meet in rooms over a transport in one process."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from cloakboard.netplay.finding.advert import Advert
from cloakboard.netplay.links.greeting import Table
from cloakboard.netplay.links.memory import MemoryNet
from cloakboard.netplay.room.party import Links
from cloakboard.netplay.room.sitting import Sitting
from tests.netplay.test_online import Side

NAMES = ("ann", "bob", "cy", "dee")


class Player(Side):
    """A side that sits in a room by hand. `changed` fires whenever something is heard there."""

    def __init__(self, net: MemoryNet, folder: Path, seed: int) -> None:
        super().__init__(net, folder, seed)
        self.sitting: Sitting | None = None
        self.heard = asyncio.Event()
        self.invites: list[str] = []
        self.shown: list[Advert | None] = []
        self.first = folder

    def on_room(self, sitting: Sitting) -> None:
        self.sitting = sitting
        self.heard.set()

    def publish(self, advert: Advert) -> None:
        self.shown.append(advert)

    def withdraw(self) -> None:
        self.shown.append(None)

    def problem(self) -> str:
        return ""

    def host(self, table: Table) -> asyncio.Task[Links]:
        opening = self.party.host(table, self.invites.append, self.on_room, [self])
        return asyncio.create_task(opening)

    def join(self, invite: str, password: str = "") -> asyncio.Task[Links]:
        return asyncio.create_task(self.party.join(invite, self.on_room, password))

    async def until(self, is_so: Callable[[Any], bool]) -> None:
        """Waits until the room is so."""
        while self.sitting is None or self.sitting.room is None or not is_so(self.sitting.room):
            self.heard.clear()
            await self.heard.wait()

    def does(self, act: Callable[[Any], None]) -> None:
        assert self.sitting is not None
        self.sitting.do(act)


def run(
    test: Callable[[list[Player], MemoryNet], Awaitable[None]], folder: Path, count: int = 2
) -> None:
    """Runs a test of players whose parties are open."""

    async def within() -> None:
        async with asyncio.timeout(60), AsyncExitStack() as stack:
            net = MemoryNet()
            players = [Player(net, folder / name, at) for at, name in enumerate(NAMES[:count])]
            for player in players:
                stack.callback(player.profile.close)
                await stack.enter_async_context(player.party)
            await test(players, net)

    asyncio.run(within())


def full(room: Any) -> bool:
    return bool(room.free == 0)


def _has(count: int) -> Callable[[Any], bool]:
    return lambda room: len(room.members) == count


async def gather(players: Sequence[Player], table: Table) -> list[asyncio.Task[Links]]:
    """All in one room, in order."""
    tasks = [players[0].host(table)]
    await players[0].until(lambda room: True)
    for count, player in enumerate(players[1:], 2):
        tasks.append(player.join(players[0].invites[0]))
        for member in players[:count]:
            await member.until(_has(count))
    return tasks


async def all_ready(players: Sequence[Player], tasks: Sequence[asyncio.Task[Links]]) -> list[Links]:
    for player in players:
        player.does(lambda negotiator: negotiator.ready())
    return list(await asyncio.gather(*tasks))
