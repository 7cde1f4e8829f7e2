"""The block list at the door: who is on it comes in by no way, and is not told so."""

from __future__ import annotations

import asyncio

import pytest

from cloakboard.netplay.errors import Blocked, NetplayError, Refused
from cloakboard.netplay.identity import Identity
from cloakboard.netplay.links.greeting import NO_MATCH, NOT_NOW, Me, greet, part
from cloakboard.netplay.links.memory import MemoryNet
from cloakboard.netplay.links.transport import Link, closed_there
from cloakboard.netplay.wire import Bye, unpack

ANN, BOB = Identity(b"a" * 32), Identity(b"b" * 32)
ROOM = bytes(16)


async def greeted(link: Link, me: Me) -> NetplayError | None:
    """What a greeting comes to; whoever refuses takes leave as every room does."""
    try:
        await greet(link, me, ROOM, NO_MATCH)
    except NetplayError as error:
        await part(link, error)
        return error
    return None


@pytest.mark.parametrize("ann_dials", [False, True])
def test_a_blocked_key_is_refused_and_reads_only_that_it_is_not_the_time(ann_dials: bool) -> None:
    async def within() -> None:
        net = MemoryNet()
        one, other = (net.transport(who.key) for who in (ANN, BOB))
        ann = Me(ANN, one.key, "Ann", "test", {BOB.key}.__contains__)
        bob = Me(BOB, other.key, "Bob", "test")
        caller, called = (one, other) if ann_dials else (other, one)
        dialled, accepted = await asyncio.gather(caller.dial(called.address()), called.accept())
        at_ann, at_bob = (dialled, accepted) if ann_dials else (accepted, dialled)
        error, none = await asyncio.gather(greeted(at_ann, ann), greeted(at_bob, bob))
        assert isinstance(error, Blocked)
        assert "unblock" in str(error)
        assert none is None
        told = unpack(await at_bob.receive())
        assert told == Bye(NOT_NOW)
        assert "block" not in NOT_NOW

    asyncio.run(asyncio.wait_for(within(), 5))


def test_who_is_not_on_the_list_is_greeted() -> None:
    async def within() -> None:
        net = MemoryNet()
        one, other = (net.transport(who.key) for who in (ANN, BOB))
        ann = Me(ANN, one.key, "Ann", "test", {b"c" * 32}.__contains__)
        bob = Me(BOB, other.key, "Bob", "test")
        near, far = await asyncio.gather(one.dial(other.address()), other.accept())
        both = await asyncio.gather(greeted(near, ann), greeted(far, bob))
        assert not any(both)

    asyncio.run(asyncio.wait_for(within(), 5))


class Ended:
    """A link that the other side has ended, and whether it was let go of here."""

    peer, rtt_ms, is_closed = b"", None, False

    async def send(self, frame: bytes) -> None:
        raise closed_there()

    async def receive(self) -> bytes:
        raise closed_there()

    async def close(self) -> None:
        self.is_closed = True


def test_a_link_that_takes_no_last_word_is_let_go_of_all_the_same() -> None:
    link = Ended()
    asyncio.run(part(link, Refused("the room is full")))
    assert link.is_closed
