"""How many watch at each seat's machine, as each tells the others of its own.

A machine knows of those who watch there and of nobody else. It tells their number beside the chain,
in the form of a quick phrase that no player can choose; builds which do not know that phrase pass
over it. Names stay here: they are only what a spectator says of itself.
"""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import Final

from cloakboard.netplay.throttle import Throttle
from cloakboard.netplay.wire import Said

MAX_SPECTATORS: Final = 8  # at one machine
COUNTS: Final = MappingProxyType({f"watched_{n}": n for n in range(MAX_SPECTATORS + 1)})
"""Phrases by which a machine tells how many watch there."""
PAUSE_MS: Final = 2000  # between two that a machine tells
MOST_HEARD: Final = 12  # of a seat's in `HEARD_S`: twice what an unmodified program tells
HEARD_S: Final = 12.0


class Audience:
    """What one machine has told the others of its spectators, and they of theirs."""

    def __init__(self, *, is_open: bool, now_ms: Callable[[], int]) -> None:
        """`is_open`: the room lets others watch."""
        self._is_open = is_open
        self._now_ms = now_ms
        self._told = 0
        self._told_ms: int | None = None
        self._there: dict[int, int] = {}
        self._throttles: dict[int, Throttle] = {}

    def to_tell(self, count: int) -> Said | None:
        """What the others are told; None if they know it, or were told another number just now."""
        now = self._now_ms()
        is_early = self._told_ms is not None and abs(now - self._told_ms) < PAUSE_MS
        if not self._is_open or count == self._told or is_early:
            return None
        self._told, self._told_ms = count, now
        return Said(f"watched_{count}", "")

    def hears(self, seat: int, count: int) -> bool:
        """Whether the number that a seat's machine tells is news."""
        throttle = self._throttles.setdefault(
            seat, Throttle(MOST_HEARD, HEARD_S, lambda: self._now_ms() / 1000)
        )
        if not self._is_open or count == self._there.get(seat, 0) or not throttle.takes():
            return False
        self._there[seat] = count
        return True

    def forget(self, seat: int) -> bool:
        """A seat's machine is gone, and with it what each knew of the other; whether anybody
        watched there."""
        self._told, self._told_ms = 0, None
        return self._there.pop(seat, 0) > 0
