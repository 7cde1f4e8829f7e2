"""A room's screen over a room that lies in this process."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from cloakboard.client.room_seat import RoomSeat
from cloakboard.client.session import Session
from cloakboard.client.views.room import RoomActs, RoomScreen
from cloakboard.client.window import CloakWindow
from cloakboard.engine.registry import game
from cloakboard.netplay.errors import NetplayError
from cloakboard.netplay.room.cautions import Caution
from cloakboard.netplay.room.negotiator import Negotiator
from cloakboard.netplay.room.room_state import Room
from tests.netplay.rooms import Gathering

WEC = game("wec")


class Seat(RoomSeat):
    """A place in a room that lies in this process."""

    def __init__(self, gathering: Gathering, at: int) -> None:
        self.key = gathering.members[at].key
        self._gathering = gathering
        self._at = at
        self.problem = ""
        self.seconds_left: int | None = None
        self.locked = ""
        self.room: Room | None = gathering.members[at].room
        self.cautions: tuple[Caution, ...] = ()

    def do(self, act: Callable[[Negotiator], None]) -> None:
        try:
            act(self._gathering.members[self._at])
        except NetplayError as error:
            self.problem = str(error)
        self._gathering.flush()
        self.room = self._gathering.members[self._at].room

    def lock(self, password: str) -> None:
        self.locked = password

    def complaint(self) -> str:
        problem, self.problem = self.problem, ""
        return problem


class StubLobby:
    """A lobby whose room is there already."""

    def __init__(self) -> None:
        self.is_closed = False
        self.failed = ""
        self.begun: Any = None

    def host(self, game_id: str, options: object, setup: str = "", title: str = "") -> None: ...

    def join(self, invite: str, password: str = "") -> None: ...

    def resume(self, save: Path, invite: str = "") -> None: ...

    def rematch(self, save: Path) -> None: ...

    def room(self) -> RoomSeat | None:
        return None

    def invite(self) -> str:
        return "cloak1:" + "abcdefghij" * 24

    def status(self) -> str:
        return ""

    def failure(self) -> str:
        return self.failed

    def session(self) -> Session | None:
        return None if self.begun is None else self.begun

    def close(self) -> None:
        self.is_closed = True


class Shown:
    """A room of Ada and, once `guest` was called, Ben; the screen is Ada's or Ben's."""

    def __init__(
        self,
        window: CloakWindow,
        at: int = 0,
        full: bool = True,
        owns: Callable[[Room, bytes], bool] = lambda room, match: True,
    ) -> None:
        self.window = window
        self.gathering = Gathering(2, about=WEC, names=("Ada", "Ben"))
        self.lobby = StubLobby()
        self.began: list[object] = []
        if full:
            self.gathering.add()
        self.seat = Seat(self.gathering, at)
        self.picks: list[Callable[[Any], None]] = []
        acts = RoomActs(begin=self.began.append, pick=self.picks.append, owns=owns)
        self.screen = RoomScreen(window, self.lobby, self.seat, acts)
        window.open_screen(self.screen)
        self.frame()

    def guest(self) -> None:
        self.gathering.add()
        self.frame()

    def other(self, act: Callable[[Negotiator], None]) -> None:
        """What the other player says."""
        act(self.gathering.members[1 - self.seat._at])
        self.gathering.flush()
        self.frame()

    def frame(self) -> None:
        self.seat.room = self.gathering.members[self.seat._at].room
        self.window.on_update(0.016)
        self.window.on_draw()

    @property
    def room(self) -> Room:
        room = self.seat.room
        assert room is not None
        return room
