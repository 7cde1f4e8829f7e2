"""Friends learn that one is there; nobody else does, and nobody's name is borrowed."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cloakboard.netplay.errors import Forged, Lost, Malformed, NetplayError
from cloakboard.netplay.finding import presence
from cloakboard.netplay.finding.presence import Call, Doorman, Doorstep, Ping, Pong, ask, read_ping
from cloakboard.netplay.identity import Identity
from cloakboard.netplay.invite import Invite, Watch
from cloakboard.netplay.links.memory import MemoryNet, MemoryTransport, settle
from cloakboard.netplay.links.transport import Link

ANN, BOB, EVE = (Identity(letter * 32) for letter in (b"a", b"b", b"e"))
WHERE = "memory:0b"
MATCH = Watch("memory:0a", bytes(32), ANN.key).text()


class Street:
    """Ann's house with its doorman, and the way to it."""

    def __init__(self, *friends: Identity) -> None:
        self.net = MemoryNet()
        self.now = 1_000.0
        self.calls: list[Call] = []
        self.friends = {friend.key for friend in friends}
        self.doorman = Doorman(
            ANN, lambda key: key in self.friends, self.calls.append, lambda: self.now
        )
        self.house = Doorstep(self.net.transport(ANN.key), self.doorman)

    def way(self, identity: Identity) -> MemoryTransport:
        return self.net.transport(identity.key)

    async def asked(self, identity: Identity, invite: str = "", friend: bytes = ANN.key) -> Pong:
        way = self.way(identity)
        link = await way.dial(self.house.address())
        return await ask(link, identity, way.key, WHERE, friend, invite)


def run(test: Callable[[Street], Awaitable[None]], *friends: Identity) -> None:
    async def within() -> None:
        async with asyncio.timeout(10):
            street = Street(*friends)
            await test(street)
            await street.house.close()

    asyncio.run(within())


@pytest.mark.parametrize(
    ("match", "is_busy", "watch"),
    [(None, False, ""), (lambda: "", True, ""), (lambda: MATCH, True, MATCH)],
    ids=["in no match", "in one that nobody watches", "in one that others may watch"],
)
def test_a_friend_is_answered_and_told_of(
    match: Callable[[], str] | None, is_busy: bool, watch: str
) -> None:
    async def test(street: Street) -> None:
        street.doorman.match = match
        pong = await street.asked(BOB)
        assert (pong.key, pong.is_busy, pong.watch) == (ANN.key, is_busy, watch)
        assert pong.address == street.house.address()
        assert street.calls == [Call(BOB.key, WHERE)]

    run(test, BOB)


def test_a_closed_doorstep_accepts_nobody_any_more() -> None:
    async def test(street: Street) -> None:
        accepting = asyncio.create_task(street.house.accept())
        await asyncio.sleep(0)
        await street.house.close()
        with pytest.raises(Lost):
            await accepting
        with pytest.raises(Lost):
            await street.house.accept()

    run(test)


def test_a_stranger_hears_nothing_at_all() -> None:
    async def test(street: Street) -> None:
        way = street.way(EVE)
        link = await way.dial(street.house.address())
        with pytest.raises(Lost):
            await ask(link, EVE, way.key, WHERE, ANN.key)
        assert street.calls == []
        assert [sent.source for sent in street.net.sent] == [EVE.key]

    run(test, BOB)


def test_who_is_no_friend_any_more_hears_nothing() -> None:
    async def test(street: Street) -> None:
        await street.asked(BOB)
        street.friends.clear()
        street.now += 60
        with pytest.raises(Lost):
            await street.asked(BOB)

    run(test, BOB)


def test_asking_again_at_once_is_not_answered() -> None:
    async def test(street: Street) -> None:
        await street.asked(BOB)
        street.now += presence.ANSWER_EVERY_S - 0.1
        with pytest.raises(Lost):
            await street.asked(BOB)
        street.now += 0.1
        await street.asked(BOB)
        assert len(street.calls) == 2

    run(test, BOB)


def test_an_invite_comes_along_with_the_question() -> None:
    invite = Invite(WHERE, bytes(16), BOB.key).text()

    async def test(street: Street) -> None:
        await street.asked(BOB, invite)
        assert street.calls == [Call(BOB.key, WHERE, invite)]

    run(test, BOB)


@pytest.mark.parametrize(
    "invite", [Invite(WHERE, bytes(16), EVE.key).text(), "cloak1:zzzz", "https://example.org"]
)
def test_an_invite_that_is_not_the_friends_own_is_no_question(invite: str) -> None:
    async def test(street: Street) -> None:
        with pytest.raises(Lost):
            await street.asked(BOB, invite)
        assert street.calls == []

    run(test, BOB)


def test_a_friends_ping_said_by_another_machine_is_not_answered() -> None:
    """Eve has Bob's words but not his transport key."""

    async def test(street: Street) -> None:
        await street.asked(BOB)
        said = street.net.sent[0].frame
        assert read_ping(said) is not None
        street.now += 60
        link = await street.way(EVE).dial(street.house.address())
        await link.send(said)
        with pytest.raises(Lost):
            await link.receive()
        assert len(street.calls) == 1

    run(test, BOB)


@pytest.mark.parametrize("changed", ["key", "nonce", "address", "invite", "proof"])
def test_no_field_of_a_ping_can_be_changed(changed: str) -> None:
    async def test(street: Street) -> None:
        await street.asked(BOB)
        ping = read_ping(street.net.sent[0].frame)
        assert ping is not None
        other = Ping(
            EVE.key, bytes(32), "memory:0e", Invite(WHERE, bytes(16), BOB.key).text(), bytes(64)
        )
        street.now += 60
        link = await street.way(BOB).dial(street.house.address())
        forged = msgspec.structs.replace(ping, **{changed: getattr(other, changed)})
        await link.send(msgspec.msgpack.encode(forged))
        with pytest.raises(Lost):
            await link.receive()
        assert len(street.calls) == 1

    run(test, BOB, EVE)


def test_who_answers_must_be_the_friend_that_was_asked_for() -> None:
    async def test(street: Street) -> None:
        with pytest.raises(Forged, match="somebody else"):
            await street.asked(BOB, friend=EVE.key)

    run(test, BOB)


@pytest.mark.parametrize(
    "watch", [Watch("memory:0e", bytes(32), EVE.key).text(), "cloakwatch1:zzzz", "https://a.b"]
)
def test_a_match_that_is_not_the_friends_own_is_no_answer(watch: str) -> None:
    async def test(street: Street) -> None:
        street.doorman.match = lambda: watch
        with pytest.raises((Forged, Malformed)):
            await street.asked(BOB)

    run(test, BOB)


@pytest.mark.parametrize("changed", ["address", "is_busy", "watch", "proof"])
def test_an_answer_that_was_changed_is_refused(changed: str) -> None:
    class Between:
        """A link whose answers are altered on the way."""

        def __init__(self, link: Link) -> None:
            self._link = link
            self.peer = link.peer
            self.send = link.send

        async def receive(self) -> bytes:
            pong = msgspec.msgpack.decode(await self._link.receive(), type=Pong)
            other = Pong(pong.key, "memory:0e", not pong.is_busy, MATCH, bytes(64))
            return msgspec.msgpack.encode(
                msgspec.structs.replace(pong, **{changed: getattr(other, changed)})
            )

    async def test(street: Street) -> None:
        way = street.way(BOB)
        link = Between(await way.dial(street.house.address()))
        with pytest.raises(Forged):
            await ask(link, BOB, way.key, WHERE, ANN.key)  # type: ignore[arg-type]  # enough of it

    run(test, BOB)


@pytest.mark.parametrize("frame", [b"\x00", b"GET / HTTP/1.1\r\n\r\n", bytes(9_000)])
def test_what_answers_with_something_else_is_not_there(frame: bytes) -> None:
    async def test(street: Street) -> None:
        far, way = street.way(EVE), street.way(BOB)
        link, other = await asyncio.gather(way.dial(far.address()), far.accept())
        await other.send(frame)
        with pytest.raises(Malformed):
            await ask(link, BOB, way.key, WHERE, EVE.key)

    run(test, BOB)


def test_every_other_link_is_handed_on_whole() -> None:
    async def test(street: Street) -> None:
        link = await street.way(EVE).dial(street.house.address())
        await link.send(b"hello")
        await link.send(b"there")
        got = await street.house.accept()
        assert (got.peer, got.rtt_ms) == (EVE.key, 0)
        assert [await got.receive(), await got.receive()] == [b"hello", b"there"]
        await got.send(b"welcome")
        assert await link.receive() == b"welcome"
        await got.close()
        with pytest.raises(Lost):
            await link.receive()

    run(test, BOB)


@pytest.mark.parametrize("strangers", [1, 2 * presence.MAX_HEARD])
def test_silent_strangers_keep_nobody_out(strangers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Be they one machine that dials many times, or many."""
    monkeypatch.setattr(presence, "FIRST_S", 600)

    async def test(street: Street) -> None:
        for number in range(2 * presence.MAX_HEARD):
            eve = street.net.transport(bytes([100 + number % strangers]) * 32)
            await eve.dial(street.house.address())
        heard = street.house._heard
        while len(heard) < presence.MAX_HEARD:
            await asyncio.sleep(0)
        assert (await street.asked(BOB)).key == ANN.key
        await settle()
        assert len(street.net.links_of(ANN.key)) < presence.MAX_HEARD

    run(test, BOB)


def test_a_closed_house_says_so() -> None:
    async def test(street: Street) -> None:
        await street.house.close()
        with pytest.raises(NetplayError):
            await street.way(BOB).dial(street.house.address())

    run(test, BOB)


@given(st.binary(max_size=300))
def test_no_bytes_are_a_ping_unless_they_read_back(frame: bytes) -> None:
    ping = read_ping(frame)
    assert ping is None or msgspec.msgpack.decode(msgspec.msgpack.encode(ping), type=Ping) == ping
