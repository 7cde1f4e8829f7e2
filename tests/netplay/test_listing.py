"""A list of rooms holds what hosts signed, the newest of each, and has bounds."""

from __future__ import annotations

import pytest

from cloakboard.netplay.finding import listing
from cloakboard.netplay.finding.advert import LIFE_S, MAX_ADVERT, SKEW_S, Advert, sign_advert
from cloakboard.netplay.finding.listing import MAX_ROOMS_OF_ONE, Listing
from cloakboard.netplay.identity import Identity
from tests.netplay.adverts import player, room

NOW = 1_800_000_000.0


class Listed:
    """A list with a hand-turned clock that counts its changes."""

    def __init__(self, hides: bytes = b"", favours: bytes = b"") -> None:
        self.now = NOW
        self.changes = 0
        self.list = Listing(
            self.changed, hides=hides.__eq__, favours=favours.__eq__, clock=lambda: self.now
        )

    def changed(self) -> None:
        self.changes += 1

    def put(self, advert: Advert, counter: int = 1, host: Identity | None = None) -> None:
        host = host or player(int.from_bytes(advert.room, "big"))
        self.list.put(advert.room.hex(), sign_advert(host, advert, counter, self.now))

    def free(self) -> list[int]:
        return [advert.free for advert in self.list.adverts()]


def test_the_newest_advert_of_a_room_holds() -> None:
    listed = Listed()
    for counter, free in ((5, 1), (4, 0), (6, 2), (5, 1)):
        listed.put(room(1, free=free), counter)
    assert (listed.free(), listed.changes, listed.list.ignored) == ([2], 2, 2)


def test_a_renewal_keeps_a_room_and_is_no_change() -> None:
    listed = Listed()
    listed.put(room(1), 1)
    listed.now += LIFE_S
    listed.put(room(1), 2)
    listed.now += LIFE_S
    assert (listed.free(), listed.changes) == ([1], 1)


def test_a_room_that_is_not_renewed_goes() -> None:
    listed = Listed()
    listed.put(room(1))
    listed.now += LIFE_S + SKEW_S
    assert listed.free() == []


def test_a_room_goes_when_it_is_withdrawn_and_may_come_back() -> None:
    listed = Listed()
    listed.put(room(1))
    listed.list.drop(room(1).room.hex())
    assert (listed.free(), listed.changes) == ([], 2)
    listed.put(room(1), 2)
    assert listed.free() == [1]


def test_another_host_cannot_take_a_room_over() -> None:
    listed = Listed()
    listed.put(room(1))
    listed.put(room(1, player(2), free=0), 99, player(2))
    listed.put(room(1, free=2), 2)
    assert listed.free() == [2, 0]
    assert [a.key for a in listed.list.adverts()] == [player(1).key, player(2).key]


def test_a_room_is_seen_though_another_host_was_quicker_with_its_id() -> None:
    """Whoever overwrites a hall's topic must not hide the room until their advert expires."""
    listed = Listed()
    listed.put(room(1, player(2), free=0), 99, player(2))
    listed.put(room(1))
    assert [a.key for a in listed.list.adverts()] == [player(2).key, player(1).key]
    listed.list.drop(room(1).room.hex())
    assert listed.free() == []


@pytest.mark.parametrize(
    "name",
    ["", "00", room(2).room.hex(), room(1).room.hex() + "0", "g" * 32, " 1" * 16, "A" * 32],
)
def test_an_advert_under_another_name_is_left_out(name: str) -> None:
    listed = Listed()
    listed.list.put(name, sign_advert(player(1), room(1), 1, NOW))
    assert (listed.free(), listed.changes, listed.list.ignored) == ([], 0, 1)


@pytest.mark.parametrize("data", [b"", b"room", b"\x93" * 99, bytes(MAX_ADVERT + 1)])
def test_what_is_no_advert_is_left_out(data: bytes) -> None:
    listed = Listed()
    listed.list.put(room(1).room.hex(), data)
    assert (listed.free(), listed.list.ignored) == ([], 1)


def test_who_is_blocked_is_not_shown() -> None:
    listed = Listed(hides=player(1).key)
    listed.put(room(1))
    listed.put(room(2))
    assert [advert.host for advert in listed.list.adverts()] == ["Player 2"]


def test_one_host_shows_few_rooms() -> None:
    listed = Listed()
    for number in range(1, MAX_ROOMS_OF_ONE + 3):
        listed.put(room(number, player(7)), host=player(7))
    assert len(listed.list.adverts()) == MAX_ROOMS_OF_ONE
    listed.list.drop(room(1).room.hex())
    listed.put(room(20, player(7)), host=player(7))
    assert len(listed.list.adverts()) == MAX_ROOMS_OF_ONE


def test_a_flood_of_strangers_leaves_place_for_friends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing, "MAX_ROOMS", 20)
    listed = Listed(favours=player(99).key)
    for number in range(1, 40):
        listed.put(room(number))
    assert len(listed.list.adverts()) == 18
    listed.put(room(99))
    assert listed.list.adverts()[-1].host == "Player 99"


def test_what_is_no_longer_named_goes() -> None:
    listed = Listed()
    for number in (1, 2, 3):
        listed.put(room(number))
    for number in (1, 3):
        listed.list.drop(room(number).room.hex())
    assert [advert.host for advert in listed.list.adverts()] == ["Player 2"]
    listed.list.clear()
    assert listed.free() == []
