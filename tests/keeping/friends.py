"""Profiles that play each other in one process and keep what they played."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

from cloakboard.achievements.record import MatchRecord
from cloakboard.keeping.keeper import Keeper
from cloakboard.keeping.sharing import Sharing
from cloakboard.netplay.links.greeting import Table
from cloakboard.netplay.links.memory import MemoryNet
from tests.netplay.test_online import GAMES, LINE, Side

SHORT = {"turns": 3}


class Friend(Side):
    """One player with what it keeps."""

    def __init__(self, net: MemoryNet, folder: Path, seed: int) -> None:
        super().__init__(net, folder, seed)
        self.now = 1_000
        self.keeper = Keeper(folder, self.identity.key, GAMES, clock=lambda: self.now)
        self.sharing = Sharing(self.keeper)
        self.plan = replace(self.plan, share=self.sharing)

    def records(self) -> list[MatchRecord]:
        return self.keeper.ledger.records()

    def close(self) -> None:
        self.keeper.close()
        self.profile.close()


async def match(host: Friend, guest: Friend) -> None:
    """A match to its signed end, kept on both sides."""
    async with host.new_party(), guest.new_party():
        invite: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        hosting = asyncio.create_task(host.party.host(Table(LINE, SHORT), invite.set_result))
        guest_link = await guest.party.join(await invite)
        await asyncio.gather(host.play(await hosting), guest.play(guest_link))
        for side in (host, guest):
            assert side.party.opened is not None
            side.keeper.keep(side.party.opened.journal.path)


async def meet(host: Friend, guest: Friend) -> None:
    """An exchange of records and nothing else."""
    async with host.new_party(), guest.new_party():
        invite: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        hosting = asyncio.create_task(host.party.meet(invite.set_result))
        await guest.party.meet(lambda text: None, await invite)
        await hosting
