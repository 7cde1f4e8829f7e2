"""What an observer of one player's matches is told."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from cloakboard.achievements.record import Audit
from cloakboard.engine.events import Event


class Mode(StrEnum):
    """Where a match is played."""

    NET = "net"
    HOTSEAT = "hotseat"
    COMPUTER = "computer"
    LESSON = "lesson"


class Began(msgspec.Struct, frozen=True, kw_only=True):
    """A match began; `seat` is the player's, seat 0 is to act."""

    game: str
    mode: Mode
    seat: int
    seats: int = 2


class Seen(msgspec.Struct, frozen=True, kw_only=True):
    """An event that the player's seat may know, in the Turn of seat `mover`."""

    seat: int
    mover: int
    event: Event

    @property
    def kind(self) -> str:
        """The event's tag, by which it is told from others without knowing its game."""
        return str(type(self.event).__struct_config__.tag)

    @property
    def is_own_turn(self) -> bool:
        """Whether it happened in the player's own Turn."""
        return self.seat == self.mover


class Closed(msgspec.Struct, frozen=True, kw_only=True):
    """A match is over, its audit done if there is one. What a folder of matches knows of each.

    seat       the player's, -1 of both (hotseat)
    changed    the options that differ from the standard
    rules      its option class
    own_setup  it began from a position that this player brought and that does not come along
    began      Unix time in seconds, as `ended`
    resumes    how often it was gone on with after a break
    others     keys of the other players
    what       of a lesson: which
    """

    game: str
    mode: Mode
    seat: int = -1
    winners: tuple[int, ...] = ()
    reason: str = ""
    turns: int = 0
    used_ms: int = 0
    audit: Audit | None = None
    rules: str = ""
    changed: tuple[tuple[str, bool | int | str], ...] = ()
    own_setup: bool = False
    began: int = 0
    ended: int = 0
    resumes: int = 0
    others: tuple[bytes, ...] = ()
    what: str = ""

    @property
    def is_won(self) -> bool:
        """Whether the player won it."""
        return self.seat in self.winners

    @property
    def is_drawn(self) -> bool:
        """Whether it ended and nobody won."""
        return bool(self.reason) and not self.winners


Moment = Began | Seen | Closed
