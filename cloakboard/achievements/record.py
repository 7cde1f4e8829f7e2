"""What is kept of a finished match."""

from __future__ import annotations

from enum import StrEnum
from types import MappingProxyType
from typing import Final

import msgspec


class Audit(StrEnum):
    """What the audit of a match came to (VEIL 11)."""

    CLEAN = "clean"  # every seat has signed that all was honest
    PROVEN = "proven"  # this machine's audit names a seat that lied
    REFUSED = "refused by"  # every seat has signed, and not all found it clean
    PENDING = "pending"  # it has ended, and not every seat has signed
    CLAIMED = "claimed"  # never ended: one side says that the other stayed away


RANK: Final = MappingProxyType(
    {Audit.CLAIMED: 0, Audit.PENDING: 1, Audit.CLEAN: 2, Audit.REFUSED: 2, Audit.PROVEN: 3}
)
"""A record's state may only rise in this order."""

DRAWN: Final = ()
STANDARD: Final = "standard"  # the option class of a game as it comes


class Player(msgspec.Struct, frozen=True, array_like=True):
    """A seat's identity key (32 bytes), and the name it went by."""

    key: bytes
    name: str


class MatchRecord(msgspec.Struct, frozen=True, kw_only=True):
    """One match. Two machines that hold all signatures make equal records of it.

    match         its id, 32 bytes
    options       digest of everything agreed before it
    rules         its option class: `standard`, a bundle's name, or `own-` and eight digits
    players       in seat order
    has_setup     it began from a position of its own
    is_practice   its players agreed that it does not count
    winners       seats, ascending; none is a draw, unless `reason` is empty
    reason        a short word; empty: it never ended
    used_ms       thinking time of all seats
    ended         Unix time in seconds
    audit, by     its audit state, and the seats that this names: who lied, who refused, who has
                  not signed or stayed away
    note          the finding in words
    proof         entry 0 and the signed verdicts, encoded; empty while not every seat has signed
    """

    match: bytes
    game: str
    rules_version: int
    options: bytes
    rules: str
    players: tuple[Player, ...]
    has_setup: bool = False
    is_practice: bool = False
    winners: tuple[int, ...] = DRAWN
    reason: str = ""
    turns: int = 0
    used_ms: int = 0
    ended: int = 0
    audit: Audit
    by: tuple[int, ...] = ()
    note: str = ""
    proof: tuple[bytes, ...] = ()

    @property
    def is_rated(self) -> bool:
        """Whether it moves ratings: it ended, from the usual position, its audit is clean, and
        it was no practice."""
        is_usual = not self.has_setup and not self.is_practice
        return self.audit is Audit.CLEAN and bool(self.reason) and is_usual

    @property
    def is_signed(self) -> bool:
        """Whether every seat has signed, so that anybody can check it."""
        return bool(self.proof)

    def seat_of(self, key: bytes) -> int | None:
        """The seat of a player, None if it was not in the match."""
        return next((seat for seat, player in enumerate(self.players) if player.key == key), None)


def order(record: MatchRecord) -> tuple[int, bytes]:
    """Sort key: by time, the same on every machine."""
    return record.ended, record.match
