"""Two players' lobbies in one process, over loopback: a room, a match, and a rematch."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import pytest

from cloakboard.client.friends import NetFriends, NetLobby
from cloakboard.client.net_session import NetSession
from cloakboard.client.room_seat import RoomSeat
from cloakboard.engine.registry import games
from cloakboard.keeping.keeper import Keeper
from cloakboard.netplay.identity import Identity
from cloakboard.netplay.profile import Profile
from cloakboard.netplay.room.negotiator import Negotiator
from cloakboard.netplay.room.statements import House
from cloakboard.netplay.room_settings import settings_of
from cloakboard.netplay.settings import SettingsFile

LIMIT_S: Final = 60.0


class Player:
    """A profile with its friends, as the program has them."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        profile = stack.enter_context(Profile.open(folder))
        settings = SettingsFile(folder)
        settings.change(name=folder.name, presence=False)
        keeper = Keeper(folder, Identity.open(folder).key, games())
        stack.callback(keeper.close)
        self.friends = NetFriends(profile, settings, keeper, local=True, app="test")
        stack.callback(self.friends.close)

    def lobby(self) -> NetLobby:
        lobby = self.friends.lobby()
        assert isinstance(lobby, NetLobby)
        return lobby


@pytest.fixture
def players(tmp_path: Path) -> Iterator[list[Player]]:
    with ExitStack() as stack:
        yield [Player(tmp_path / name, stack) for name in ("ada", "ben")]


def until(is_so: Callable[[], object], *lobbies: NetLobby) -> None:
    end = time.monotonic() + LIMIT_S
    while not is_so():
        assert time.monotonic() < end, "it did not come about"
        assert [lobby.failure() for lobby in lobbies] == [""] * len(lobbies)
        time.sleep(0.02)


def seat_in(lobby: NetLobby) -> RoomSeat:
    until(lambda: lobby.room() is not None and lobby.room().me is not None, lobby)  # type: ignore[union-attr]
    seat = lobby.room()
    assert seat is not None
    return seat


def begin(lobbies: list[NetLobby]) -> list[NetSession]:
    """All are in the room and ready; the matches."""
    seats = [seat_in(lobby) for lobby in lobbies]
    until(lambda: all(s.room is not None and s.room.free == 0 for s in seats), *lobbies)
    for seat in seats:
        seat.do(Negotiator.ready)
    until(lambda: all(lobby.session() for lobby in lobbies), *lobbies)
    found = [lobby.session() for lobby in lobbies]
    return [session for session in found if isinstance(session, NetSession)]


def test_a_room_a_match_and_a_rematch(players: list[Player]) -> None:
    ada, ben = (player.lobby() for player in players)
    ada.host("trid", {})
    until(ada.invite, ada)
    seat = seat_in(ada)
    seat.do(lambda n: n.ask(House((("scored", False),))))
    until(lambda: seat.room is not None and seat.room.settings["scored"] is False, ada)
    ben.join(ada.invite())
    sessions = begin([ada, ben])
    assert [session.seats_here for session in sessions] == [(0,), (1,)]
    first = [session.path for session in sessions]
    sessions[0].resign(0)
    until(lambda: all(session._online.match.closed for session in sessions), ada, ben)

    again = [player.lobby() for player in players]
    for lobby, path in zip(again, first, strict=True):
        lobby.rematch(path)
    rematch = begin(again)
    assert not {session.path for session in rematch} & set(first)
    for session in rematch:
        assert settings_of(session._online.match.opening)["scored"] is False
    for session in rematch:
        session.leave()
