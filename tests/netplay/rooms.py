"""Rooms of several members in one process: the first orders what is said, by hand."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from cloakboard.engine.game import Game
from cloakboard.netplay.room.negotiator import Negotiator
from cloakboard.netplay.room.room_state import Room
from cloakboard.netplay.room.statements import Body, Rules, Said, sign_said
from tests.netplay.rig import identity
from tests.tiny import game

ROOM = bytes([7]) * 16
FUEL_5 = Rules((("fuel", 5),))
GAMES = {g.id: g for g in (game(2), game(3))}


def drawing(seed: int) -> Callable[[int], bytes]:
    """Random bytes that come out alike in every run."""
    return random.Random(seed).randbytes


class Gathering:
    """Members of a room of Line. What somebody says waits in `said` until `deliver` takes it in
    order, and then in `ways[member]` until that member hears it."""

    def __init__(
        self,
        seats: int = 2,
        settings: Mapping[str, Any] | None = None,
        wish: int = 0,
        about: Game | None = None,
        names: Sequence[str] = ("player 0", "player 1", "player 2"),
    ) -> None:
        self.game: Game = about or game(seats)
        self._names = names
        self.members: list[Negotiator] = []
        self.ways: list[deque[bytes]] = []
        keeper = self._join()
        keeper.open(self.game, "test", {}, settings=settings or {}, wish=wish)
        self.flush()

    def _join(self) -> Negotiator:
        seat = len(self.members)
        member = Negotiator(
            identity(seat),
            ROOM,
            identity(0).key,
            self._names[seat],
            f"memory:{seat}",
            {self.game.id: self.game},
            drawing(seat),
        )
        self.members.append(member)
        self.ways.append(deque())
        return member

    @property
    def keeper(self) -> Negotiator:
        return self.members[0]

    def add(self, wish: int | None = None) -> Negotiator:
        """One more member, with all that was said before."""
        member = self._join()
        for line in self.keeper.lines:
            member.take(line)
        member.enter(wish)
        self.flush()
        return member

    def order(self, seat: int) -> bool:
        """The keeper takes the next statement of a member; False if there is none."""
        if not self.members[seat].outbox:
            return False
        data = self.members[seat].outbox.pop(0)
        self.keeper.take(data)
        for way in self.ways[1:]:
            way.append(data)
        return True

    def hear(self, seat: int) -> bool:
        """A member hears what comes next; False if nothing is on its way."""
        if not self.ways[seat]:
            return False
        self.members[seat].take(self.ways[seat].popleft())
        return True

    def flush(self) -> None:
        """Everything said is heard by all, and what follows from it."""
        seats = range(len(self.members))
        while any(self.hear(seat) or self.order(seat) for seat in seats):
            continue

    def rooms(self) -> list[Room]:
        """What each member knows."""
        return [member.room for member in self.members if member.room is not None]

    def agree(self) -> None:
        """All are ready, and hear it."""
        for member in self.members:
            member.ready()
            self.flush()


def gathered(seats: int = 2) -> Gathering:
    """A full room."""
    room = Gathering(seats)
    for _ in range(seats - 1):
        room.add()
    return room


def forged(
    gathering: Gathering, author: int, body: Body, signer: int | None = None, **other: Any
) -> bytes:
    """What a changed client says next in the author's name."""
    keeper = gathering.keeper
    assert keeper.room is not None
    key = identity(author).key
    heard = len(keeper.lines)
    number = keeper.room.counts.get(key, 0) + 1
    said = Said(ROOM, key, number, heard, keeper._heads[heard], body)
    said = msgspec.structs.replace(said, **other)
    return sign_said(identity(author if signer is None else signer), said)
