"""Time for each action, without a clock that all trust (VEIL 8).

1. Every entry states its author's thinking time, signed. An action's time is the sum of what its
   author stated since the action before; pauses and lost links do not count.
2. Who receives an entry compares the statement with its own clock. It accepts what is shorter by
   the round trip and `TOLERANCE_MS` at most, and else says so; the statement stands in the file.
3. Whose own time, grace included, is over signs that it lost on time. Nobody signs it for another
   seat: whoever waits for one that does not sign may wait on, save, or leave the match unrated.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from cloakboard.netplay.room_settings import settings_of
from cloakboard.netplay.transcript import Opening

TOLERANCE_MS: Final = 2000


class Thinking(NamedTuple):
    """Whose choice is waited for, and how long already. `limit_ms`: 0 for none; `grace_ms`: how
    much more is forgiven."""

    seat: int
    used_ms: int
    limit_ms: int
    grace_ms: int

    @property
    def is_over(self) -> bool:
        """Whether limit and grace are used up."""
        return 0 < self.limit_ms < self.used_ms - self.grace_ms


class Clock:
    """What a chain states of the time since the last action. All in milliseconds."""

    def __init__(self, opening: Opening) -> None:
        room = settings_of(opening)
        self._limit_ms: int = room["move_seconds"] * 1000
        self.grace_ms: int = room["grace_seconds"] * 1000
        self.extra_ms = 0
        self.used_ms = 0

    @property
    def has_limit(self) -> bool:
        """Whether time is limited at all."""
        return self._limit_ms > 0

    @property
    def limit_ms(self) -> int:
        """For this action; 0: none."""
        return self._limit_ms + self.extra_ms if self.has_limit else 0

    def waited(self, used_ms: int) -> None:
        """Who is to act has written an entry that is no action."""
        self.used_ms += used_ms

    def extend(self, extra_ms: int) -> None:
        """All agree to more time for this action."""
        self.extra_ms += extra_ms

    def restart(self) -> None:
        """An action was made, or taken back."""
        self.used_ms = self.extra_ms = 0


def is_understated(stated_ms: int, measured_ms: int, rtt_ms: int) -> bool:
    """Whether a stated time is too short for what this machine has measured."""
    return measured_ms > stated_ms + rtt_ms + TOLERANCE_MS
