"""Rooms over a transport in one process: who comes in, what they agree on, how the match begins."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cloakboard.netplay import journal, saves
from cloakboard.netplay.advert import Advert
from cloakboard.netplay.door import Conduct
from cloakboard.netplay.errors import Lost, NetplayError, Refused
from cloakboard.netplay.gathering import Sitting, unattended
from cloakboard.netplay.invite import parse_invite
from cloakboard.netplay.memory import MemoryNet
from cloakboard.netplay.online import LinkState
from cloakboard.netplay.party import Links
from cloakboard.netplay.room import Table
from cloakboard.netplay.room_settings import settings_of
from cloakboard.netplay.room_state import Phase
from cloakboard.netplay.statements import House, Load, Rules, Swap
from cloakboard.netplay.transcript import encode
from tests.netplay.test_online import Side
from tests.tiny import game

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


@pytest.fixture(autouse=True)
def both_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.netplay.test_online.GAMES", {g.id: g for g in map(game, (2, 3, 4))})


# Two and three --------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_room_of_members_that_are_all_ready_becomes_a_match(tmp_path: Path, seats: int) -> None:
    async def test(players: list[Player], net: MemoryNet) -> None:
        table = Table(game(seats), {"turns": 4}, settings={"scored": False})
        links = await all_ready(players, await gather(players, table))
        await asyncio.gather(
            *(player.play(link) for player, link in zip(players, links, strict=True))
        )
        for player in players:
            judgement, contents = saves.verify_file(player.file, player.party.games)
            assert judgement.text == "clean"
            opening = contents.entries[0]
            assert encode(opening) == encode(
                saves.verify_file(players[0].file, players[0].party.games)[1].entries[0]
            )
            assert player.party.online is not None
            assert settings_of(player.party.online.match.opening)["scored"] is False

    run(test, tmp_path, seats)


def test_three_machines_have_a_link_for_each_pair_and_find_a_cut_one_again(tmp_path: Path) -> None:
    async def test(players: list[Player], net: MemoryNet) -> None:
        links = await all_ready(players, await gather(players, Table(game(3), {"turns": 12})))
        for player in players:
            player.stop_after = 3
        playing = [
            asyncio.create_task(player.play(link))
            for player, link in zip(players, links, strict=True)
        ]
        keys = [player.identity.key for player in players]
        while all(player.stop_after for player in players):
            await asyncio.sleep(0)
        pairs = {frozenset((link.own, link.peer)) for key in keys for link in net.links_of(key)}
        assert pairs == {frozenset((a, b)) for a in keys for b in keys if a != b}
        net.cut(keys[1], keys[2])
        for player in players:
            player.stop_after = 10_000
            player.changed.set()
        await asyncio.gather(*playing)
        texts = {saves.verify_file(p.file, p.party.games)[0].text for p in players}
        assert texts == {"clean"}
        for player in players:
            assert "lost" in {t.quality for t in player.told if isinstance(t, LinkState)}
            assert player.party.online is not None
            assert player.party.online.match.core.place.epoch >= 1

    run(test, tmp_path, 3)


def test_three_stop_and_resume_from_their_saves(tmp_path: Path) -> None:
    async def test(players: list[Player], net: MemoryNet) -> None:
        links = await all_ready(players, await gather(players, Table(game(3), {"turns": 12})))
        for player in players:
            player.stop_after = 2
        playing = [
            asyncio.create_task(player.play(link))
            for player, link in zip(players, links, strict=True)
        ]
        while all(player.stop_after for player in players):
            await asyncio.sleep(0)
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        for player in players:
            await player.party.__aexit__()
            player.stop_after = 10_000
            await player.new_party().__aenter__()
            player.party.resume(player.file, lambda text: None)
        await asyncio.gather(*(player.play(None) for player in players))
        texts = {saves.verify_file(p.file, p.party.games)[0].text for p in players}
        assert texts == {"clean"}

    run(test, tmp_path, 3)


def test_who_came_later_dials_who_was_there(tmp_path: Path) -> None:
    async def test(players: list[Player], net: MemoryNet) -> None:
        await all_ready(players, await gather(players, Table(game(3))))
        found = [set(journal.read(player.file).addresses) for player in players]
        assert found == [set(), {0}, {0, 1}]

    run(test, tmp_path, 3)


# By hand ----------------------------------------------------------------------------------------


def test_members_change_rules_settings_and_seats_by_consent(tmp_path: Path) -> None:
    async def test(players: list[Player], net: MemoryNet) -> None:
        ann, bob = players
        tasks = await gather(players, Table(game(2)))
        bob.does(lambda n: n.ask(Rules((("fuel", 7),))))
        bob.does(lambda n: n.ask(House((("move_seconds", 40),))))
        bob.does(lambda n: n.ask(Swap(ann.identity.key)))
        await ann.until(lambda room: len(room.requests) == 3)
        assert ann.sitting is not None
        assert ann.sitting.room is not None
        for _ in range(3):
            ann.does(lambda n: n.accept(n.room.requests[0].place))
        for member in players:
            await member.until(lambda room: not room.requests and room.options["fuel"] == 7)
        await all_ready(players, tasks)
        assert ann.party.online is not None
        opening = ann.party.online.match.opening
        assert dict(opening.options)["fuel"] == 7
        assert dict(opening.room)["move_seconds"] == 40
        assert [seat.name for seat in opening.seats] == ["bob", "ann"]

    run(test, tmp_path)


def test_unattended_sides_accept_what_is_asked_and_begin(tmp_path: Path) -> None:
    async def test(players: list[Player], net: MemoryNet) -> None:
        ann, bob = players
        hosting = ann.host(Table(game(2)))
        await ann.until(lambda room: True)
        joining = asyncio.create_task(bob.party.join(ann.invites[0], unattended))
        await ann.until(full)
        ann.does(lambda n: n.ask(Rules((("fuel", 7),))))
        ann.does(lambda n: n.ask(Load(bytes(32), "")))
        await ann.until(lambda room: room.options["fuel"] == 7 and not room.requests)
        ann.does(lambda n: n.ready())
        await asyncio.gather(hosting, joining)

    run(test, tmp_path)


@pytest.mark.parametrize("who", [0, 1])
def test_any_member_ends_the_negotiation_with_a_reason(tmp_path: Path, who: int) -> None:
    async def test(players: list[Player], net: MemoryNet) -> None:
        tasks = await gather(players, Table(game(2)))
        players[who].does(lambda n: n.close("dinner is ready"))
        for task in tasks:
            with pytest.raises(Refused, match=f"{NAMES[who]}: dinner is ready"):
                await task

    run(test, tmp_path)


@pytest.mark.parametrize("how", ["leaves", "gives up", "is cut off"])
def test_a_guest_goes_and_another_comes(tmp_path: Path, how: str) -> None:
    async def test(players: list[Player], net: MemoryNet) -> None:
        ann, bob, cy = players
        hosting, joining = await gather([ann, bob], Table(game(2)))
        if how == "leaves":
            bob.does(lambda n: n.leave("late"))
            with pytest.raises(Refused, match="no longer in the room"):
                await joining
        elif how == "gives up":
            joining.cancel()
        else:
            net.cut(bob.identity.key)
            with pytest.raises(Lost):
                await joining
        await ann.until(lambda room: room.free == 1)
        joined = cy.join(ann.invites[0])
        await cy.until(full)
        await all_ready([ann, cy], [hosting, joined])
        assert ann.party.online is not None
        assert [s.name for s in ann.party.online.match.opening.seats] == ["ann", "cy"]

    run(test, tmp_path, 3)


def test_without_the_machine_that_keeps_it_the_room_ends(tmp_path: Path) -> None:
    async def test(players: list[Player], net: MemoryNet) -> None:
        hosting, *joining = await gather(players, Table(game(3)))
        hosting.cancel()
        for task in joining:
            with pytest.raises(Refused, match="the room was closed"):
                await task

    run(test, tmp_path, 3)


# The door ---------------------------------------------------------------------------------------


def stranger(invite: str) -> str:
    """The invite as an advert shows it, without its ticket."""
    return replace_ticket(invite, b"")


def replace_ticket(invite: str, ticket: bytes) -> str:
    parsed = parse_invite(invite)
    return type(parsed)(parsed.address, parsed.room, parsed.host, ticket).text()


@pytest.mark.parametrize(
    ("settings", "password", "given", "comes_in"),
    [
        ({}, "", "", True),
        ({"invite_only": True}, "", "", False),
        ({}, "tiger", "", False),
        ({}, "tiger", "lion", False),
        ({}, "tiger", "tiger", True),
        ({"invite_only": True}, "tiger", "tiger", True),
        ({"friends_only": True}, "", "", False),
        ({"members_only": True}, "", "", False),
    ],
)
def test_a_stranger_at_the_door(
    tmp_path: Path, settings: dict[str, Any], password: str, given: str, comes_in: bool
) -> None:
    async def test(players: list[Player], net: MemoryNet) -> None:
        ann, bob = players
        ann.host(Table(game(2), settings=settings, password=password))
        await ann.until(lambda room: True)
        joining = bob.join(stranger(ann.invites[0]), given)
        if comes_in:
            await bob.until(full)
        else:
            with pytest.raises(Refused):
                await joining
        captured = b"".join(sent.frame for sent in net.sent)
        assert b"tiger" not in captured
        assert parse_invite(ann.invites[0]).ticket not in captured

    run(test, tmp_path)


def test_an_invite_opens_what_a_password_would(tmp_path: Path) -> None:
    async def test(players: list[Player], net: MemoryNet) -> None:
        ann, bob = players
        ann.host(Table(game(2), settings={"invite_only": True}, password="tiger"))
        await ann.until(lambda room: True)
        bob.join(ann.invites[0])
        await bob.until(full)

    run(test, tmp_path)


@pytest.mark.parametrize("ticket", [b"", bytes(16)])
def test_another_ticket_is_none(tmp_path: Path, ticket: bytes) -> None:
    async def test(players: list[Player], net: MemoryNet) -> None:
        ann, bob = players
        ann.host(Table(game(2), settings={"invite_only": True}))
        await ann.until(lambda room: True)
        with pytest.raises(Refused, match="for who was invited"):
            await bob.join(replace_ticket(ann.invites[0], ticket))

    run(test, tmp_path)


def test_who_leaves_many_matches_stays_outside_by_the_keepers_own_records(tmp_path: Path) -> None:
    async def test(players: list[Player], net: MemoryNet) -> None:
        ann, bob = players
        ann.plan = replace(ann.plan, conduct=lambda key: Conduct(begun=10, left=3))
        await ann.new_party().__aenter__()
        ann.host(Table(game(2), settings={"max_disconnect_rate": 20}))
        await ann.until(lambda room: True)
        with pytest.raises(Refused, match="30% of the matches"):
            await bob.join(ann.invites[0])

    run(test, tmp_path)


def test_a_third_finds_a_room_for_two_full(tmp_path: Path) -> None:
    async def test(players: list[Player], net: MemoryNet) -> None:
        ann, bob, cy = players
        await gather([ann, bob], Table(game(2)))
        with pytest.raises(Refused, match="full"):
            await cy.join(ann.invites[0])

    run(test, tmp_path, 3)


@pytest.mark.parametrize("frame", [b"\xc1", b"", bytes(4000), b"\x92\xa3say\xa1x"])
def test_a_member_that_sends_nonsense_loses_its_seat_and_no_more(
    tmp_path: Path, frame: bytes
) -> None:
    async def test(players: list[Player], net: MemoryNet) -> None:
        ann, bob, cy = players
        await gather(players, Table(game(3)))
        (link,) = net.links_of(bob.identity.key)
        if frame:
            await link.send(frame)
            await ann.until(lambda room: room.free == 1)
            await cy.until(lambda room: room.free == 1)

    run(test, tmp_path, 3)


# What others see ----------------------------------------------------------------------------------


def test_a_room_is_announced_as_it_changes_and_withdrawn_in_the_end(tmp_path: Path) -> None:
    async def test(players: list[Player], net: MemoryNet) -> None:
        ann = players[0]
        table = Table(game(2), {"fuel": 5}, password="tiger")
        tasks = await gather(players, table)
        first, last = ann.shown[0], ann.shown[-1]
        assert first is not None
        assert last is not None
        assert (first.free, first.seats, first.needs_password) == (1, 2, True)
        assert first.invite.ticket == b""
        assert dict(first.settings) == {"fuel": 5}
        assert last.free == 0
        await all_ready(players, tasks)
        assert ann.shown[-1] is None

    run(test, tmp_path)


# Again -------------------------------------------------------------------------------------------


def test_an_earlier_match_is_gone_on_with_over_the_rooms_links(tmp_path: Path) -> None:
    async def test(players: list[Player], net: MemoryNet) -> None:
        ann, bob = players
        ann.stop_after = bob.stop_after = 2
        links = await all_ready(players, await gather(players, Table(game(2), {"turns": 12})))
        playing = [
            asyncio.create_task(player.play(link))
            for player, link in zip(players, links, strict=True)
        ]
        while ann.stop_after and bob.stop_after:
            await asyncio.sleep(0)
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        assert ann.party.online is not None
        match = ann.party.online.match.id
        for player in players:
            await player.party.__aexit__()
            player.sitting = None
            player.stop_after = 10_000
            await player.new_party().__aenter__()
        ann.invites.clear()
        bob.invites.clear()
        hosts = [bob, ann]
        tasks = await gather(hosts, Table(game(2)))
        ann.does(lambda n: n.ask(Load(match, "the long one")))
        await bob.until(lambda room: room.requests)
        bob.does(lambda n: n.accept(n.room.requests[0].place))
        await ann.until(lambda room: room.load)
        again = await all_ready(hosts, tasks)
        await asyncio.gather(*(p.play(link) for p, link in zip(hosts, again, strict=True)))
        judgements = [saves.verify_file(p.file, p.party.games)[0] for p in players]
        assert [j.text for j in judgements] == ["clean", "clean"]

    run(test, tmp_path)


@pytest.mark.parametrize("seats", [2, 3])
def test_a_rematch_has_the_same_terms_and_needs_no_invite(tmp_path: Path, seats: int) -> None:
    async def test(players: list[Player], net: MemoryNet) -> None:
        table = Table(game(seats), {"turns": 3, "fuel": 6}, settings={"move_seconds": 50})
        links = await all_ready(players, await gather(players, table))
        await asyncio.gather(*(p.play(link) for p, link in zip(players, links, strict=True)))
        for player in players:
            await player.party.__aexit__()
            player.first = player.file
            await player.new_party().__aenter__()
        again = [asyncio.create_task(p.party.rematch(p.first)) for p in players]
        await asyncio.gather(*again)
        for player in players:
            assert player.party.online is not None
            opening = player.party.online.match.opening
            assert dict(opening.options) == {"cells": 12, "turns": 3, "fuel": 6}
            assert settings_of(opening)["move_seconds"] == 50
            assert player.party.opened is not None
            assert player.party.opened.journal.path != player.first

    run(test, tmp_path, seats)


def test_what_goes_wrong_in_a_room_is_a_netplay_error(tmp_path: Path) -> None:
    async def test(players: list[Player], net: MemoryNet) -> None:
        ann = players[0]
        await gather(players, Table(game(2)))
        with pytest.raises(NetplayError):
            ann.does(lambda n: n.ask(Rules((("fuel", 1000),))))
        assert ann.sitting is not None
        assert ann.sitting.room is not None
        assert ann.sitting.room.phase is Phase.TALKING

    run(test, tmp_path)
