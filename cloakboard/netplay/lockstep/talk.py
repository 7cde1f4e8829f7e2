"""Talk at a table: what may be said, how often, and in which form it is shown.

None of it is in the transcript or in a file (KNOWN_FAILURES 8). A quick phrase crosses as its id,
so that each side reads it in its own language.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from cloakboard.netplay.plain import one_line
from cloakboard.netplay.wire import Said

TEXT_LENGTH: Final = 200  # characters of what is typed
NAME_LENGTH: Final = 80  # of a name for a save
BURST: Final = 6  # said in a row at most
PAUSE_MS: Final = 2000  # after which one more may be said

STANDS_IN: Final = "stands_in"
PLAYS_AGAIN: Final = "plays_again"
ANNOUNCED: Final = frozenset({STANDS_IN, PLAYS_AGAIN})
"""Phrases by which a machine tells who plays at its seat; muted rooms hear them, too."""
PHRASES: Final = MappingProxyType(
    {
        "hello": "Hello!",
        "luck": "Good luck!",
        "moment": "One moment, please.",
        "thinking": "I am thinking.",
        "well": "Well played!",
        "sorry": "Sorry!",
        "thanks": "Thank you!",
        "back": "I am back.",
        "break": "Shall we take a break?",
        "again": "Another match?",
        "bye": "I have to go. See you!",
        STANDS_IN: "The computer plays for me now.",
        PLAYS_AGAIN: "I play myself again.",
    }
)
"""Quick phrases: id and English text."""


class Talk:
    """What one machine says and hears. Of those who talk too fast it hears no more than it would
    let its own player say."""

    def __init__(self, *, is_muted: bool) -> None:
        """`is_muted`: nobody talks in this room."""
        self.is_muted = is_muted
        self._free_at: dict[int, int] = {}  # by seat: when its whole burst is there again

    def passes(self, seat: int, said: Said, now_ms: int) -> Said | None:
        """What `seat` says, as it is shown; None if it is nothing, or comes too fast."""
        text = "" if said.phrase else one_line(said.text, TEXT_LENGTH)
        is_muted = self.is_muted and said.phrase not in ANNOUNCED
        if is_muted or (said.phrase not in PHRASES if said.phrase else not text):
            return None
        free_at = max(now_ms, self._free_at.get(seat, 0)) + PAUSE_MS
        if free_at > now_ms + BURST * PAUSE_MS:
            return None
        self._free_at[seat] = free_at
        return Said(said.phrase, text)
