"""Rooms over a transport in one process: who comes in, what they agree on, how the match begins."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from cloakboard.netplay.errors import Lost, NetplayError, Refused
from cloakboard.netplay.invite import Invite
from cloakboard.netplay.links.greeting import Table
from cloakboard.netplay.links.memory import MemoryLink, MemoryNet
from cloakboard.netplay.lockstep import journal, saves
from cloakboard.netplay.lockstep.online import LinkState
from cloakboard.netplay.room.room_state import Phase
from cloakboard.netplay.room.sitting import unattended
from cloakboard.netplay.room.statements import House, Load, Rules, Swap
from cloakboard.netplay.room_settings import settings_of
from cloakboard.netplay.transcript import encode, header_hash
from cloakboard.netplay.veil.secrets import tagged
from tests.netplay.players import NAMES, Player, all_ready, full, gather, run
from tests.tiny import game


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


def test_a_link_that_breaks_as_soon_as_it_is_found_is_looked_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It breaks at the first frame, before anybody listens to it; the other two links hold."""
    send = MemoryLink.send
    broken: list[tuple[bytes, bytes]] = []

    async def breaks(link: MemoryLink, frame: bytes) -> None:
        if not broken and b"heads" in frame[:8]:
            broken.append((link.own, link.peer))
            raise Lost
        await send(link, frame)

    async def test(players: list[Player], net: MemoryNet) -> None:
        links = await all_ready(players, await gather(players, Table(game(3), {"turns": 12})))
        for player in players:
            player.stop_after = 3
        playing = [
            asyncio.create_task(player.play(link))
            for player, link in zip(players, links, strict=True)
        ]
        while all(player.stop_after for player in players):
            await asyncio.sleep(0)
        monkeypatch.setattr(MemoryLink, "send", breaks)
        net.cut(players[1].identity.key, players[2].identity.key)
        for player in players:
            player.stop_after = 10_000
            player.changed.set()
        await asyncio.gather(*playing)
        texts = {saves.verify_file(p.file, p.party.games)[0].text for p in players}
        assert broken and texts == {"clean"}

    run(test, tmp_path, 3)


@pytest.mark.parametrize("seats", [3, 4])
def test_all_stop_and_resume_from_their_saves(tmp_path: Path, seats: int) -> None:
    async def test(players: list[Player], net: MemoryNet) -> None:
        links = await all_ready(players, await gather(players, Table(game(seats), {"turns": 12})))
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

    run(test, tmp_path, seats)


def test_who_came_later_dials_who_was_there(tmp_path: Path) -> None:
    async def test(players: list[Player], net: MemoryNet) -> None:
        await all_ready(players, await gather(players, Table(game(4))))
        found = [set(journal.read(player.file).addresses) for player in players]
        assert found == [set(), {0}, {0, 1}, {0, 1, 2}]

    run(test, tmp_path, 4)


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


def test_a_guest_that_is_cut_off_finds_the_room_again(tmp_path: Path) -> None:
    async def test(players: list[Player], net: MemoryNet) -> None:
        ann, bob = players
        tasks = await gather(players, Table(game(2)))
        ann.does(lambda n: n.ready())
        bob.does(lambda n: n.ask(Rules((("fuel", 7),))))
        await bob.until(lambda room: room.requests)
        net.cut(bob.identity.key)
        await ann.until(lambda room: room.free == 1)
        assert ann.sitting is not None
        assert ann.sitting.room is not None
        assert ann.sitting.room.requests == ()  # of whoever is gone
        await ann.until(full)
        await bob.until(lambda room: full(room) and not room.members[0].is_ready)
        await all_ready(players, tasks)
        qualities = [told.quality for told in bob.told if isinstance(told, LinkState)]
        assert qualities[:3] == ["good", "lost", "good"]

    run(test, tmp_path)


@pytest.mark.parametrize("how", ["leaves", "gives up"])
def test_a_guest_goes_and_another_comes(tmp_path: Path, how: str) -> None:
    async def test(players: list[Player], net: MemoryNet) -> None:
        ann, bob, cy = players
        hosting, joining = await gather([ann, bob], Table(game(2)))
        if how == "leaves":
            bob.does(lambda n: n.leave("late"))
            with pytest.raises(Refused, match="no longer in the room"):
                await joining
        else:
            joining.cancel()
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


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_rematch_has_the_same_terms_and_needs_no_invite(tmp_path: Path, seats: int) -> None:
    async def test(players: list[Player], net: MemoryNet) -> None:
        table = Table(game(seats), {"turns": 3, "fuel": 6}, settings={"move_seconds": 50})
        links = await all_ready(players, await gather(players, table))
        await asyncio.gather(*(p.play(link) for p, link in zip(players, links, strict=True)))
        for player in players:
            await player.party.__aexit__()
            player.first = player.file
            await player.new_party().__aenter__()
        stranger = Player(net, tmp_path / "eve", 9)
        await stranger.party.__aenter__()
        again = [asyncio.create_task(p.party.rematch(p.first)) for p in players[1:]]
        await asyncio.sleep(0.01)  # whoever comes first waits for the one who keeps the room
        again.append(asyncio.create_task(players[0].party.rematch(players[0].first)))
        match = saves.verify_file(players[0].first, players[0].party.games)[1].entries[0]
        room = tagged("cloak/rematch/1", header_hash(match.header), size=16)
        key = players[0].identity.key
        with pytest.raises(Refused, match="players of an earlier match"):
            await stranger.party.join(Invite(f"memory:{key.hex()}", room, key).text())
        await asyncio.gather(*again)
        await stranger.party.__aexit__()
        stranger.profile.close()
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
