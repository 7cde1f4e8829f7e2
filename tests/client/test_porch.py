"""Being found by friends while the program runs, and finding them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from cloakboard.client import porch as at
from cloakboard.client.network import Network
from cloakboard.client.porch import Porch, Presence
from cloakboard.netplay.errors import Lost, NetplayError
from cloakboard.netplay.finding.friends import FriendsFile
from cloakboard.netplay.finding.presence import Call
from cloakboard.netplay.identity import Identity
from cloakboard.netplay.invite import Invite, Watch
from cloakboard.netplay.links.memory import MemoryNet, settle
from cloakboard.netplay.links.transport import Transport
from cloakboard.netplay.profile import Profile
from cloakboard.netplay.room.party import Plan


class Loop(Network):
    """The network of a test, on its own loop."""

    def __init__(self) -> None:
        self.tasks: set[asyncio.Task[None]] = set()

    def run(self, work: Any) -> Any:
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        return task


class Home:
    """A player with a porch."""

    def __init__(self, net: MemoryNet, folder: Path) -> None:
        self.profile = Profile.open(folder)
        self.identity = Identity.open(folder)
        self.net = net
        self.wanted = True
        self.now = 1_000.0
        self.opened = 0
        self.loop = Loop()
        self.book = FriendsFile(folder, self.identity.key)
        self.plan = Plan(self.profile, self.identity, folder.name, "test")
        self.porch = Porch(
            self.loop, self.book, lambda: self.plan, lambda: self.wanted, self.open,
            lambda: self.now,
        )  # fmt: skip

    async def open(self, plan: Plan) -> Transport:
        self.opened += 1
        return self.net.transport(self.identity.key)

    @property
    def address(self) -> str:
        return f"memory:{self.identity.key.hex()}"

    def knows(self, other: Home) -> None:
        self.book.add_key(other.identity.key, other.plan.name, address=other.address)

    async def look(self) -> None:
        """Looks, and waits until that has come to an end."""
        self.porch.look()
        await settle()
        while self.porch._asking:
            await asyncio.wait(set(self.porch._asking))
        await asyncio.gather(*self.loop.tasks)

    def sees(self, other: Home) -> Presence:
        return self.porch.presence(other.identity.key)


@pytest.fixture
def homes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Home]]:
    monkeypatch.setattr(at, "REST_S", 0.0)
    net = MemoryNet()
    found = [Home(net, tmp_path / name) for name in ("ann", "bob")]
    yield found
    for home in found:
        home.profile.close()


def run(test: Callable[[], Awaitable[None]], homes: list[Home]) -> None:
    async def within() -> None:
        async with asyncio.timeout(20):
            await test()
            for home in homes:
                await home.porch.end()

    asyncio.run(within())


def test_who_has_no_friends_or_does_not_wish_it_opens_nothing(homes: list[Home]) -> None:
    ann, bob = homes

    async def test() -> None:
        await ann.look()
        ann.knows(bob)
        ann.wanted = False
        await ann.look()
        assert ann.opened == 0
        ann.wanted = True
        await ann.look()
        assert ann.opened == 1
        assert ann.porch.address() == ann.address
        ann.wanted = False
        await ann.look()
        assert ann.porch.address() == ""

    run(test, homes)


def test_two_friends_find_each_other_and_learn_where(homes: list[Home]) -> None:
    ann, bob = homes

    async def test() -> None:
        ann.knows(bob)
        bob.book.add_key(ann.identity.key, "Ann")  # without an address
        await bob.look()
        assert bob.sees(ann) is Presence.UNKNOWN
        await ann.look()
        assert ann.sees(bob) is Presence.HERE
        assert bob.sees(ann) is Presence.HERE
        while not bob.book.friends()[0].seen:
            await asyncio.sleep(0)
        assert bob.book.friends()[0].address == ann.address

    run(test, homes)


def test_a_friend_is_not_asked_again_before_its_time(homes: list[Home]) -> None:
    ann, bob = homes

    async def test() -> None:
        ann.knows(bob)
        await ann.look()
        assert ann.sees(bob) is Presence.AWAY
        bob.knows(ann)
        bob.wanted = True
        await bob.look()
        count = len(ann.net.sent)
        ann.now += at.ASK_EVERY_S - 1
        await ann.look()
        assert len(ann.net.sent) == count
        ann.now += 1
        bob.now += 10
        await ann.look()
        assert len(ann.net.sent) == count + 2  # a ping, a pong

    run(test, homes)


def test_a_table_borrows_the_place_and_friends_are_told_that_one_plays(
    homes: list[Home],
) -> None:
    ann, bob = homes

    async def test() -> None:
        ann.knows(bob)
        bob.knows(ann)
        await bob.look()
        lent = await bob.porch.lend(bob.plan)
        assert bob.opened == 2
        line = Watch(bob.address, bytes(32), bob.identity.key).text()
        bob.porch.be_in(lambda: line)
        await ann.look()
        assert ann.sees(bob) is Presence.BUSY
        assert ann.porch.watch(bob.identity.key) == line
        guest = ann.net.transport(b"g" * 32)
        await said_hello(guest, bob)
        got = await lent.accept()
        assert await got.receive() == b"hello"
        await lent.close()
        bob.porch.be_in(None)
        while not bob.porch.address():
            await asyncio.sleep(0)
        assert bob.opened == 3
        ann.now += 60
        bob.now += 60
        await ann.look()
        assert ann.sees(bob) is Presence.HERE
        assert ann.porch.watch(bob.identity.key) == ""

    async def said_hello(guest: Transport, home: Home) -> None:
        link = await guest.dial(home.address)
        await link.send(b"hello")

    run(test, homes)


def test_who_knocks_while_nobody_sits_down_is_turned_away(homes: list[Home]) -> None:
    ann, bob = homes

    async def test() -> None:
        ann.knows(bob)
        await ann.look()
        guest = ann.net.transport(b"g" * 32)
        link = await guest.dial(ann.address)
        await link.send(b"hello")
        with pytest.raises(Lost):
            await link.receive()

    run(test, homes)


def test_an_invite_reaches_a_friend_who_is_there(homes: list[Home]) -> None:
    ann, bob = homes

    async def test() -> None:
        invite = Invite(ann.address, bytes(16), ann.identity.key).text()
        ann.knows(bob)
        await ann.porch.lend(ann.plan)
        assert not await ann.porch.send(bob.identity.key, invite)
        bob.knows(ann)
        await bob.look()
        assert await ann.porch.send(bob.identity.key, invite)
        (call,) = bob.porch.calls()
        assert call == Call(ann.identity.key, ann.address, invite)
        assert bob.porch.calls() == []
        assert not await ann.porch.send(b"s" * 32, invite)
        key = bob.identity.key
        assert ann.porch.sent() == [(key, False), (key, True), (b"s" * 32, False)]
        assert ann.porch.sent() == []

    run(test, homes)


def test_a_table_without_a_network_leaves_the_place_free(homes: list[Home]) -> None:
    ann, bob = homes

    async def test() -> None:
        ann.knows(bob)

        async def fails(plan: Plan) -> Transport:
            raise NetplayError("no network")

        ann.porch._open = fails
        with pytest.raises(NetplayError):
            await ann.porch.lend(ann.plan)
        ann.porch._open = ann.open
        await ann.look()
        assert ann.porch.address() == ann.address

    run(test, homes)
