"""Who comes into a room over a transport, and what the keeper makes of nonsense."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from cloakboard.netplay.errors import Refused
from cloakboard.netplay.invite import parse_invite
from cloakboard.netplay.links.greeting import Table
from cloakboard.netplay.links.memory import MemoryNet
from cloakboard.netplay.room.door import Conduct
from cloakboard.netplay.room.negotiator import Negotiator
from tests.netplay.players import Player, full, gather, run
from tests.tiny import game


@pytest.fixture(autouse=True)
def both_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.netplay.test_online.GAMES", {g.id: g for g in map(game, (2, 3, 4))})


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


def test_who_comes_in_keeps_the_rooms_limits_by_their_own_records(tmp_path: Path) -> None:
    async def test(players: list[Player], net: MemoryNet) -> None:
        ann, bob = players
        bob.plan = replace(bob.plan, conduct=lambda key: Conduct(begun=9, left=6))
        await bob.new_party().__aenter__()
        ann.host(Table(game(2), settings={"max_disconnects": 5}))
        await ann.until(lambda room: True)
        with pytest.raises(Refused, match="ann: 6 matches were left early"):
            await bob.join(ann.invites[0])
        assert ann.sitting is not None
        assert ann.sitting.room is not None
        assert ann.sitting.room.free == 1

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


def test_who_comes_in_and_takes_no_seat_must_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cloakboard.netplay.room.keeping.STEP_SECONDS", 0.05)

    async def test(players: list[Player], net: MemoryNet) -> None:
        ann, bob = players
        monkeypatch.setattr(
            "cloakboard.netplay.room.negotiator.Negotiator.enter", lambda self: None
        )
        ann.host(Table(game(2)))
        await ann.until(lambda room: True)
        with pytest.raises(Refused, match="nothing was said for a long time"):
            await bob.join(ann.invites[0])

    run(test, tmp_path)


def test_two_who_come_at_once_hear_the_same(tmp_path: Path) -> None:
    async def test(players: list[Player], net: MemoryNet) -> None:
        ann, bob, cy = players
        ann.host(Table(game(3)))
        await ann.until(lambda room: True)
        for number in range(40):
            ann.does(partial(Negotiator.chat, text=f"line {number}"))
        bob.join(ann.invites[0])
        cy.join(ann.invites[0])
        for number in range(40, 60):
            ann.does(partial(Negotiator.chat, text=f"line {number}"))
            await asyncio.sleep(0)
        for player in players:
            await player.until(lambda room: room.said == 1 + 60 + 2)
        rooms = [player.sitting.room for player in players if player.sitting is not None]
        assert rooms[0] == rooms[1] == rooms[2]

    run(test, tmp_path, 3)
