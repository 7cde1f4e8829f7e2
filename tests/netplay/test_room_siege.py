"""A room that is besieged: by guesses, floods, who takes no seat and who does not listen."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from cloakboard.netplay.errors import NetplayError, Refused
from cloakboard.netplay.identity import Identity
from cloakboard.netplay.invite import parse_invite
from cloakboard.netplay.links.entrance import MAX_KNOCKING
from cloakboard.netplay.links.greeting import NO_MATCH, Me, Table, greet, part, say
from cloakboard.netplay.links.memory import MemoryNet, settle
from cloakboard.netplay.links.transport import Link
from cloakboard.netplay.room.keeping import _Way
from cloakboard.netplay.room.negotiator import Negotiator
from cloakboard.netplay.room.statements import Load
from cloakboard.netplay.wire import Bye, Knock, unpack
from tests.netplay.players import Player, all_ready, full, gather, run
from tests.netplay.rig import identity
from tests.netplay.rooms import ROOM, drawing, gathered
from tests.netplay.test_room_door import stranger
from tests.tiny import game


@pytest.fixture(autouse=True)
def both_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.netplay.test_online.GAMES", {g.id: g for g in map(game, (2, 3, 4))})


def test_passwords_are_not_guessed_without_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cloakboard.netplay.room.keeping.MOST_GUESSES", 2)

    async def test(players: list[Player], net: MemoryNet) -> None:
        ann, bob = players
        ann.host(Table(game(2), password="tiger"))
        await ann.until(lambda room: True)
        for number in range(2):
            with pytest.raises(Refused, match="this room has a password"):
                await bob.join(stranger(ann.invites[0]), f"guess {number}")
        with pytest.raises(Refused, match="too many passwords"):
            await bob.join(stranger(ann.invites[0]), "tiger")
        bob.join(ann.invites[0], "of another room")  # a ticket is no guess
        await bob.until(full)

    run(test, tmp_path)


def test_who_has_no_seat_when_the_others_agree_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = Negotiator.enter

    def enter(self: Negotiator, wish: int | None = None) -> None:
        if self._name != "cy":
            usual(self, wish)

    monkeypatch.setattr(Negotiator, "enter", enter)

    async def test(players: list[Player], net: MemoryNet) -> None:
        ann, bob, cy = players
        hosting = ann.host(Table(game(2)))
        await ann.until(lambda room: True)
        looking = cy.join(ann.invites[0])
        await cy.until(lambda room: True)
        joining = bob.join(ann.invites[0])
        await bob.until(full)
        links = await all_ready([ann, bob], [hosting, joining])
        assert [len(one) for one in links] == [1, 1]
        with pytest.raises(Refused, match="the room is full"):
            await looking

    run(test, tmp_path, 3)


def test_of_two_who_want_the_last_seat_one_reads_that_the_room_is_full(tmp_path: Path) -> None:
    async def test(players: list[Player], net: MemoryNet) -> None:
        ann, bob, cy = players
        ann.host(Table(game(2)))
        await ann.until(lambda room: True)
        joining = [player.join(ann.invites[0]) for player in (bob, cy)]
        (late,), _ = await asyncio.wait(joining, return_when=asyncio.FIRST_COMPLETED)
        with pytest.raises(Refused, match="the room is full"):
            await late

    run(test, tmp_path, 3)


@pytest.mark.parametrize(("bound", "most"), [("MOST_OF_ONE", 4), ("MOST_BYTES_OF_ONE", 1500)])
def test_one_member_alone_does_not_fill_a_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bound: str, most: int
) -> None:
    monkeypatch.setattr(f"cloakboard.netplay.room.keeping.{bound}", most)

    async def test(players: list[Player], net: MemoryNet) -> None:
        ann, bob = players
        _, joining = await gather(players, Table(game(2)))
        for number in range(10):
            bob.does(partial(Negotiator.chat, text=f"line {number}"))
        with pytest.raises(Refused, match="too much in this room"):
            await joining
        await ann.until(lambda room: room.free == 1)
        for number in range(10):
            ann.does(partial(Negotiator.chat, text=f"line {number}"))

    run(test, tmp_path)


def test_a_match_of_other_players_is_not_gone_on_with(tmp_path: Path) -> None:
    async def test(players: list[Player], net: MemoryNet) -> None:
        ann, bob, cy = players
        await all_ready([ann, bob], await gather([ann, bob], Table(game(2))))
        assert ann.party.opened is not None
        match = ann.party.opened.match.id
        await ann.party.__aexit__()
        ann.sitting = None
        ann.invites.clear()
        await ann.new_party().__aenter__()
        hosting, joining = await gather([ann, cy], Table(game(2)))
        cy.does(lambda n: n.ask(Load(match, "our match")))
        await ann.until(lambda room: room.requests)
        ann.does(lambda n: n.accept(n.room.requests[0].place))
        await cy.until(lambda room: room.load)
        for player in (ann, cy):
            player.does(lambda n: n.ready())
        with pytest.raises(Refused, match="one of other players"):
            await hosting
        with pytest.raises(Refused, match="not among your saves"):
            await joining

    run(test, tmp_path, 3)


def test_who_was_cut_off_while_the_coin_was_tossed_owes_nothing_of_it() -> None:
    """Its share was laid down by a machine that has forgotten it."""
    gathering = gathered(2)
    gathering.members[1].ready()
    gathering.flush()
    gathering.keeper.ready()
    gathering.order(0)
    gathering.keeper.gone(identity(1).key, "came in anew")
    while gathering.order(0):
        continue
    again = Negotiator(
        identity(1), ROOM, identity(0).key, "bob", "", {gathering.game.id: gathering.game},
        drawing(9),
    )  # fmt: skip
    for line in gathering.keeper.lines:
        again.take(line)
    assert again.outbox == []
    again.enter()
    gathering.keeper.take(again.outbox.pop())
    assert gathering.keeper.room is not None
    assert gathering.keeper.room.free == 0


class Deaf:
    """A link whose other end reads nothing."""

    peer = bytes(32)
    rtt_ms = None
    is_closed = False

    async def send(self, frame: bytes) -> None:
        await asyncio.Event().wait()

    async def receive(self) -> bytes:
        await asyncio.Event().wait()
        return b""

    async def close(self) -> None:
        self.is_closed = True


def test_who_does_not_listen_holds_up_no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cloakboard.netplay.room.keeping.STEP_SECONDS", 0.01)
    monkeypatch.setattr("cloakboard.netplay.links.greeting.LAST_WORD_S", 0.01)

    async def test() -> None:
        async with asyncio.timeout(5):
            link = Deaf()
            await _Way(link, [b"a line"]).finish()
            await part(link, Refused("the room is full"))
            assert link.is_closed

    asyncio.run(test())


def test_who_comes_again_and_again_at_once_has_one_way(tmp_path: Path) -> None:
    async def knock(link: Link, me: Me, room: bytes) -> None:
        await greet(link, me, room, NO_MATCH)
        await say(link, Knock(b"", b""))
        with suppress(NetplayError):
            while True:
                await link.receive()

    async def test(players: list[Player], net: MemoryNet) -> None:
        ann, bob = players
        ann.host(Table(game(2)))
        await ann.until(lambda room: True)
        invite = parse_invite(ann.invites[0])
        transport, me = bob.party._ready()
        links = [await transport.dial(invite.address) for _ in range(4)]
        knocking = [asyncio.create_task(knock(link, me, invite.room)) for link in links]
        while sum(task.done() for task in knocking) < 3:
            await asyncio.sleep(0)
        assert len(net.links_of(ann.party._ready()[0].key)) == 1

    run(test, tmp_path)


def test_a_strangers_name_is_cleaned_before_anybody_is_asked_about_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may hold what a terminal takes for orders."""
    asked: list[str] = []

    async def admit(key: bytes, name: str) -> None:
        asked.append(name)

    async def test(players: list[Player], net: MemoryNet) -> None:
        ann, bob = players
        ann.plan = replace(ann.plan, admit=admit)
        bob.plan = replace(bob.plan, name="\x1b[2Jbob\u202e\r\n" + "b" * 99)
        for player in players:
            await player.new_party().__aenter__()
        ann.host(Table(game(2)))
        await ann.until(lambda room: True)
        monkeypatch.setattr("cloakboard.netplay.links.greeting.clean_name", lambda name: name)
        bob.join(stranger(ann.invites[0]))
        await bob.until(full)
        assert asked == ["[2Jbob " + "b" * 33]

    run(test, tmp_path)


@pytest.mark.parametrize("others", [0, MAX_KNOCKING - 1, MAX_KNOCKING])
def test_who_asks_to_be_let_in_holds_one_place_of_few(tmp_path: Path, others: int) -> None:
    """Its newer link takes the place of the older one, also where no other is left; with all taken
    by others it is told so."""
    asked: list[bytes] = []

    async def admit(key: bytes, name: str) -> None:
        asked.append(key)
        await asyncio.Event().wait()

    async def test(players: list[Player], net: MemoryNet) -> None:
        ann, bob = players
        ann.plan = replace(ann.plan, admit=admit)
        await ann.new_party().__aenter__()
        ann.host(Table(game(2)))
        await ann.until(lambda room: True)
        invite = parse_invite(stranger(ann.invites[0]))

        async def knock(who: Identity) -> Link:
            link = await net.transport(who.key).dial(invite.address)
            await greet(link, Me(who, who.key, "eve", "test"), invite.room, NO_MATCH)
            await say(link, Knock(b"", b""))
            await settle()
            return link

        held = [await knock(Identity(bytes([9, n]) * 16)) for n in range(others)]
        first, second = await knock(bob.identity), await knock(bob.identity)
        has_place = others < MAX_KNOCKING
        assert len(asked) == others + 2 * has_place
        assert [link in net._links for link in (first, second)] == [False, has_place]
        if not has_place:
            told = unpack(await first.receive())
            assert told == Bye("others wait to be let in; try again in a minute")
        assert all(link in net._links for link in held)

    run(test, tmp_path)
