"""Who may come into a room: the gates of JQ-117 in their order, and proofs for one link only."""

from __future__ import annotations

from typing import Any

import pytest

from cloakboard.netplay.errors import Refused
from cloakboard.netplay.invite import Invite
from cloakboard.netplay.links.greeting import Table
from cloakboard.netplay.room.door import Conduct, Door, Visitor, prove, refusal, stretch
from cloakboard.netplay.room_settings import ROOM
from cloakboard.netplay.settings import Settings
from tests.tiny import game

LINK = (b"room", b"nonce", b"other nonce", b"key")
ALL = {"password": True, "members_only": True, "friends_only": True}


@pytest.mark.parametrize(
    ("settings", "visitor", "refused_by"),
    [
        ({}, Visitor(), None),
        ({"password": True}, Visitor(), "password"),
        ({"password": True}, Visitor(has_password=True), None),
        ({"password": True}, Visitor(is_invited=True), None),
        ({"invite_only": True}, Visitor(), "invite_only"),
        ({"invite_only": True}, Visitor(is_invited=True), None),
        ({"invite_only": True, "password": True}, Visitor(has_password=True), None),
        ({"members_only": True}, Visitor(is_invited=True), "members_only"),
        ({"members_only": True}, Visitor(is_member=True), None),
        ({"friends_only": True, "password": True}, Visitor(has_password=True), "friends_only"),
        ({"friends_only": True}, Visitor(is_friend=True), None),
        ({"max_disconnect_rate": 10}, Visitor(conduct=Conduct(20, 2)), None),
        ({"max_disconnect_rate": 10}, Visitor(conduct=Conduct(27, 3)), "max_disconnect_rate"),
        ({"max_disconnect_rate": 0}, Visitor(), None),
        ({"max_disconnects": 5}, Visitor(conduct=Conduct(9, 5)), None),
        ({"max_disconnects": 5}, Visitor(conduct=Conduct(900, 6)), "max_disconnects"),
        (ALL, Visitor(), "password"),
        (ALL, Visitor(has_password=True), "members_only"),
        (ALL, Visitor(has_password=True, is_member=True), "friends_only"),
    ],
)
def test_the_first_gate_that_refuses_is_told_jq_117(
    settings: dict[str, Any], visitor: Visitor, refused_by: str | None
) -> None:
    why = refusal(ROOM.complete(settings), visitor)
    assert (why[0] if why else None) == refused_by


def test_the_rate_is_rounded_down_jq_88() -> None:
    assert [Conduct(*pair).percent for pair in ((27, 3), (8, 1), (0, 0), (3, 3))] == [
        11,
        12,
        0,
        100,
    ]


def test_a_proof_holds_for_one_link_and_one_secret() -> None:
    door = Door(b"room", b"t" * 16, "tiger")
    ticket, password = prove(b"t" * 16, LINK), prove(stretch("tiger", b"room"), LINK)
    visitor = door.visitor(b"key", (ticket, password), LINK)
    assert (visitor.is_invited, visitor.has_password) == (True, True)
    for at in range(len(LINK)):
        other = (*LINK[:at], b"another", *LINK[at + 1 :])
        visitor = door.visitor(b"key", (ticket, password), other)
        assert (visitor.is_invited, visitor.has_password) == (False, False)
    wrong = prove(stretch("lion", b"room"), LINK)
    assert not door.visitor(b"key", (password, wrong), LINK).has_password


@pytest.mark.parametrize("shown", [b"", bytes(32), b"x"])
def test_without_a_password_there_is_none_to_prove(shown: bytes) -> None:
    visitor = Door(b"room", b"").visitor(b"key", (shown, shown), LINK)
    assert (visitor.is_invited, visitor.has_password) == (False, False)


def test_a_door_for_certain_players_asks_nothing_else() -> None:
    door = Door(b"room", b"", "tiger", only=frozenset({b"bob"}))
    visitor = door.visitor(b"bob", (b"", b""), LINK)
    every = {"password": True, "members_only": True, "friends_only": True, "invite_only": True}
    assert refusal(ROOM.complete(every), visitor) is None
    with pytest.raises(Refused):
        door.visitor(b"cy", (prove(stretch("tiger", b"room"), LINK), b""), LINK)


def test_the_member_list_and_friends_are_asked_by_key() -> None:
    door = Door(b"room", b"", members=frozenset({b"bob"}), is_friend=lambda key: key == b"cy")
    visitors = [door.visitor(key, (b"", b""), LINK) for key in (b"bob", b"cy", b"dan")]
    assert [(v.is_member, v.is_friend) for v in visitors] == [
        (True, False),
        (False, True),
        (False, False),
    ]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("caf\u00e9", "cafe\u0301"),
        (" tiger", "tiger "),
        ("\udcff", "\udcff"),
        ("\uac00", "\u1100\u1161"),
    ],
    ids=["accent", "blanks", "no text", "hangul"],
)
def test_a_password_is_the_same_on_every_keyboard(one: str, other: str) -> None:
    assert stretch(one, b"room") == stretch(other, b"room")


TICKET, PASSWORD = b"sixteen byte key", "tiger lily"


@pytest.mark.parametrize(
    "holder",
    [
        Door(bytes(16), TICKET, PASSWORD),
        Table(game(2), password=PASSWORD),
        Invite("memory:0a", bytes(16), bytes(32), TICKET),
        Settings(halls=(f"mqtts://ann:{PASSWORD}@hall.example.org",)),
    ],
    ids=lambda holder: type(holder).__name__,
)
def test_what_opens_a_door_is_shown_by_no_repr(holder: object) -> None:
    for shown in (repr(holder), str(holder), f"{[holder]}"):
        assert PASSWORD not in shown
        assert repr(TICKET) not in shown and TICKET.hex() not in shown
