"""Programs without windows, over loopback: friends find each other, an invite leads into a room,
and a match is watched."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from cloakboard.client.friends import NetFriends
from cloakboard.client.porch import Presence
from cloakboard.client.room_seat import RoomSeat
from cloakboard.client.watch_session import WatchSession
from cloakboard.engine.registry import games
from cloakboard.keeping.keeper import Keeper
from cloakboard.netplay.identity import Identity
from cloakboard.netplay.invite import key_text
from cloakboard.netplay.profile import Profile
from cloakboard.netplay.room.negotiator import Negotiator
from cloakboard.netplay.room.statements import House
from cloakboard.netplay.settings import SettingsFile

LIMIT_S = 60


class Player:
    """A profile with its network part."""

    def __init__(self, folder: Path) -> None:
        self.profile = Profile.open(folder)
        self.key = Identity.open(folder).key
        self.settings = SettingsFile(folder)
        self.keeper = Keeper(folder, self.key, games())
        self.net = NetFriends(self.profile, self.settings, self.keeper, local=True, app="test")

    def close(self) -> None:
        self.net.close()
        self.keeper.close()
        self.profile.close()


@pytest.fixture
def players(tmp_path: Path) -> Iterator[tuple[Player, Player]]:
    ann, bob = (Player(tmp_path / name) for name in ("ann", "bob"))
    yield ann, bob
    for player in (ann, bob):
        player.close()


def until(holds: Callable[[], object]) -> None:
    """Waits for what another thread brings about."""
    end = time.monotonic() + LIMIT_S
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.mark.slow
def test_friends_find_each_other_and_an_invite_leads_into_a_room(
    players: tuple[Player, Player],
) -> None:
    ann, bob = players
    assert ann.net.porch.address() == ""  # nobody to wait for
    ann.net.book.add_key(bob.key, "Bob")
    ann.net.porch.look()
    until(ann.net.porch.address)
    bob.net.book.add(key_text(ann.key, ann.net.porch.address()), "Ann")
    bob.net.porch.look()
    until(lambda: bob.net.porch.presence(ann.key) is Presence.HERE)
    until(lambda: ann.net.book.friends()[0].address)
    assert ann.net.porch.presence(bob.key) is Presence.HERE

    hosting = ann.net.lobby(bob.key)
    hosting.host("trid", {})
    calls = bob.net.porch.calls()

    def called() -> bool:
        calls.extend(bob.net.porch.calls())
        return bool(calls)

    until(called)
    assert (calls[0].key, calls[0].invite) == (ann.key, hosting.invite())
    joining = bob.net.lobby()
    joining.join(calls[0].invite)
    until(lambda: hosting.room() is not None and joining.room() is not None)


def has_two(place: RoomSeat) -> bool:
    """Whether a member has heard that two are in the room."""
    return place.room is not None and len(place.room.members) == 2


@pytest.mark.slow
def test_a_friend_watches_a_match_that_others_may_see(
    players: tuple[Player, Player], tmp_path: Path
) -> None:
    ann, bob = players
    cid = Player(tmp_path / "cid")
    try:
        ann.net.book.add_key(cid.key, "Cid")
        hosting, joining = ann.net.lobby(), bob.net.lobby()
        hosting.host("trid", {})
        until(hosting.room)
        open_to_all = House((("spectators", True),))
        seat = hosting.room()
        assert seat is not None
        seat.do(partial(Negotiator.ask, change=open_to_all))
        joining.join(hosting.invite())
        until(joining.room)
        other = joining.room()
        assert other is not None
        for place in (seat, other):  # who is ready too early is so on other terms
            until(partial(has_two, place))
        for place in (seat, other):
            place.do(Negotiator.ready)
        until(lambda: hosting.session() and joining.session())

        cid.net.book.add(key_text(ann.key, ann.net.porch.address()), "Ann")
        cid.net.porch.look()
        until(lambda: cid.net.porch.watch(ann.key))
        assert cid.net.porch.presence(ann.key) is Presence.BUSY
        watching = cid.net.lobby()
        watching.join(cid.net.porch.watch(ann.key))
        until(watching.session)
        assert isinstance(watching.session(), WatchSession)
    finally:
        cid.close()


@pytest.mark.slow
def test_a_blocked_player_does_not_get_in(players: tuple[Player, Player]) -> None:
    ann, bob = players
    ann.net.book.block(bob.key)
    hosting = ann.net.lobby()
    hosting.host("trid", {})
    until(hosting.invite)
    joining = bob.net.lobby()
    joining.join(hosting.invite())
    until(joining.failure)
    assert "not taking guests now" in joining.failure()
    assert "block" not in joining.failure()
