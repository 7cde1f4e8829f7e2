"""What a room is at one moment: its members, its terms, what waits for an answer."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from cloakboard.engine.game import Game
from cloakboard.netplay.room.seating import seat_members, toss
from cloakboard.netplay.room.statements import Change, Values
from cloakboard.netplay.transcript import Opening, Record, SeatOpening, encode
from cloakboard.netplay.veil.opening import compose
from cloakboard.netplay.veil.secrets import tagged


class Phase(StrEnum):
    """See `negotiation`."""

    TALKING = "talking"
    TOSSING = "tossing"
    LAYING = "laying"
    SIGNING = "signing"
    AGREED = "agreed"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class Member:
    """Who is in the room. `share`: its commitment, empty while it is not ready; `coin`: its share,
    once open; `laid` and `signature`: its part of entry 0, and under entry 0."""

    key: bytes
    name: str
    wish: int
    address: str
    share: bytes = b""
    coin: bytes = b""
    laid: SeatOpening | None = None
    signature: bytes = b""

    @property
    def is_ready(self) -> bool:
        """Whether it wants to begin on the terms as they are."""
        return bool(self.share)

    def unready(self) -> Member:
        """The same member, not ready."""
        return Member(self.key, self.name, self.wish, self.address)


@dataclass(frozen=True, slots=True)
class Request:
    """A change that waits: the place at which it was said, who asks, who has accepted."""

    place: int
    author: bytes
    change: Change
    accepted: frozenset[bytes] = frozenset()


@dataclass(frozen=True, slots=True)
class News:
    """Something that happened, for the players to read: `kind` is one word, such as `chat`."""

    place: int
    kind: str
    member: str
    change: Change | None = None
    text: str = ""


class _Terms(Record, frozen=True):
    """What a ready mark stands under."""

    app: str
    game: str
    rules_version: int
    options: Values
    setup: str
    settings: Values
    load: bytes
    members: tuple[tuple[bytes, str, int], ...]


@dataclass(frozen=True, slots=True)
class Room:
    """A room. `options`: all of the game's; `settings`: all of the room's; `load`: the match to
    go on with, empty for a new one; `counts`: how often each key has spoken."""

    id: bytes
    game: Game
    app: str
    keeper: bytes
    options: Mapping[str, Any]
    setup: str
    title: str
    settings: Mapping[str, Any]
    load: bytes = b""
    members: tuple[Member, ...] = ()
    requests: tuple[Request, ...] = ()
    counts: Mapping[bytes, int] = field(default_factory=dict)
    said: int = 0
    reason: str = ""
    news: tuple[News, ...] = ()

    @property
    def phase(self) -> Phase:
        """See `negotiation`."""
        if self.reason:
            return Phase.CLOSED
        members = self.members
        if self.free or not all(member.is_ready for member in members):
            return Phase.TALKING
        if self.load:
            return Phase.AGREED
        if not all(member.coin for member in members):
            return Phase.TOSSING
        if not all(member.laid for member in members):
            return Phase.LAYING
        return Phase.AGREED if all(member.signature for member in members) else Phase.SIGNING

    @property
    def seats(self) -> range:
        """All seats in order of play."""
        return range(self.game.seats)

    @property
    def free(self) -> int:
        """How many seats nobody has taken."""
        return self.game.seats - len(self.members)

    @property
    def terms(self) -> bytes:
        """The digest of everything that a ready mark agrees to."""
        return tagged(
            "cloak/terms/1",
            encode(
                _Terms(
                    self.app,
                    self.game.id,
                    self.game.rules_version,
                    tuple(sorted(self.options.items())),
                    self.setup,
                    tuple(sorted(self.settings.items())),
                    self.load,
                    tuple((m.key, m.name, m.wish) for m in self.members),
                )
            ),
        )

    @property
    def coin(self) -> bytes:
        """The coin, which is the table's nonce too; all shares must be open."""
        return toss(self.id, self.terms, {m.key: m.coin for m in self.members})

    @property
    def seated(self) -> dict[bytes, int]:
        """The seat of each key; all shares must be open."""
        wishes = {m.key: m.wish for m in self.members}
        return seat_members(self.coin, wishes, self.game.seats)

    @property
    def clashes(self) -> frozenset[int]:
        """The seats that more than one member wishes."""
        wishes = [m.wish for m in self.members if m.wish in self.seats]
        return frozenset(seat for seat in wishes if wishes.count(seat) > 1)

    def opening(self) -> Opening:
        """Entry 0, as it follows from all that was said; every seat must have laid down its
        part."""
        seated = self.seated
        by_seat = sorted(self.members, key=lambda member: seated[member.key])
        seats = tuple(member.laid for member in by_seat if member.laid is not None)
        return compose(
            self.game, self.app, self.options, self.setup, self.coin, seats, self.settings
        )

    def member(self, key: bytes) -> Member | None:
        """The member with that key."""
        return next((member for member in self.members if member.key == key), None)

    def request(self, place: int) -> Request | None:
        """The request that waits, by its place."""
        return next((request for request in self.requests if request.place == place), None)

    def owing(self, request: Request) -> tuple[Member, ...]:
        """Whose answer a request waits for."""
        answered = request.accepted | {request.author}
        return tuple(member for member in self.members if member.key not in answered)


def with_member(room: Room, member: Member) -> Room:
    """The room with a member as it is now."""
    members = tuple(member if m.key == member.key else m for m in room.members)
    return dataclasses.replace(room, members=members)
