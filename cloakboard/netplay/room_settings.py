"""What a room may agree on beside the game's own rules, alike for all games (JQ-102 to JQ-112).

The schema builds the room's screen, the command line and adverts; its values stand in entry 0,
signed by every seat. What opens the door alone (the password's text, the members' list) stays on
the machine that keeps the door.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from cloakboard.engine.options import Option, Schema
from cloakboard.netplay.transcript import Opening

NO_RATE_LIMIT: Final = 100  # percent: nobody is above it
NO_COUNT_LIMIT: Final = 1000
NO_TIME_LIMIT: Final = 0

Settings = tuple[tuple[str, bool | int | str], ...]


def _switch(name: str, default: bool, rule: str, text: str) -> Option:
    return Option(name=name, default=default, rule=rule, text=text)


def _number(name: str, default: int, last: int, rule: str, text: str) -> Option:
    return Option(name=name, default=default, span=(0, last), rule=rule, text=text)


ROOM: Final = Schema(
    (
        _switch("scored", True, "JQ-80", "The match counts for ratings"),
        _number("move_seconds", NO_TIME_LIMIT, 3600, "JQ-111", "Seconds for each action (0: any)"),
        _number("grace_seconds", 60, 600, "JQ-87", "Seconds of grace beyond the time limit"),
        _switch("spectators", False, "JQ-104", "Others may watch what is public"),
        _number("spectator_delay", 0, 20, "JQ-104", "Turns by which spectators see it later"),
        _switch("computers_fill", False, "JQ-105", "Computers may play empty seats"),
        _switch(
            "computers_take_over",
            False,
            "JQ-105",
            "The computer may play for a player, on that player's machine",
        ),
        _switch("mute", False, "JQ-109", "No chat"),
        _switch("password", False, "JQ-102", "Who has no invite needs the password"),
        _switch("invite_only", False, "JQ-106", "Only who was invited may join"),
        _switch("members_only", False, "JQ-107", "Only the members on the list may join"),
        _switch("friends_only", False, "JQ-108", "Only friends of who opened it may join"),
        _number("max_disconnect_rate", NO_RATE_LIMIT, NO_RATE_LIMIT, "JQ-110",
                "Percent of matches left early, at most (100: any)"),
        _number("max_disconnects", NO_COUNT_LIMIT, NO_COUNT_LIMIT, "JQ-112",
                "Matches left early, at most (1000: any)"),
    )
)  # fmt: skip
"""`move_seconds` and `grace_seconds` are in seconds; `spectator_delay` in Turns."""


def settings(changes: Mapping[str, Any]) -> Settings:
    """All settings with `changes` laid over the standard ones, as entry 0 holds them. Raises
    `BadOption`."""
    return tuple(sorted(ROOM.complete(changes).items()))


def settings_of(opening: Opening) -> dict[str, Any]:
    """The settings that all seats have signed, by name; those that its version did not have are
    at their standard. Raises `BadOption` if they are none."""
    return ROOM.complete(dict(opening.room))
