"""Where a chain stands, and what it needs next: the seam between entries and scripts."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any, NamedTuple

from cloakboard.netplay.transcript import Part


class Need(NamedTuple):
    """The next part: who owes it, its type, and how this machine makes it if it can."""

    seat: int
    kind: type[Part]
    make: Callable[[], Part] | None


# Yields what it needs, is sent it, and returns what its caller asked for.
Script = Generator[Need, Part, Any]


class Place:
    """The place after the last entry: match, epoch, number of the next entry, hash of the
    last. What is derived from a secret is bound to it."""

    __slots__ = ("epoch", "head", "match", "seq")

    def __init__(self, match: bytes) -> None:
        self.match = match
        self.epoch = 0
        self.seq = 1
        self.head = match
