"""Records and events that the tests of achievements are made of."""

from __future__ import annotations

from typing import Any

from cloakboard.achievements.moments import Closed, Mode
from cloakboard.achievements.record import Audit, MatchRecord, Player

ANNA, BEN, CARA, DANA = (bytes([number]) * 32 for number in range(1, 5))
NAMES = {ANNA: "Anna", BEN: "Ben", CARA: "Cara", DANA: "Dana"}
DAY = 24 * 60 * 60


def record(
    number: int, *keys: bytes, winners: tuple[int, ...] = (0,), **changes: Any
) -> MatchRecord:
    """A clean match of these players, ended at second `number`."""
    values: dict[str, Any] = {
        "match": number.to_bytes(32, "big"),
        "game": "wec",
        "rules_version": 1,
        "options": bytes(32),
        "rules": "standard",
        "players": tuple(Player(key, NAMES[key]) for key in keys or (ANNA, BEN)),
        "winners": winners,
        "reason": "primary" if winners else "agreed",
        "turns": 30,
        "used_ms": 60_000,
        "ended": number,
        "audit": Audit.CLEAN,
        "proof": (b"signed",),
    }
    return MatchRecord(**(values | changes))


def closed(number: int = 0, **changes: Any) -> Closed:
    """A match with Ben that Anna, in seat 0, won, ended at second `number`."""
    values: dict[str, Any] = {
        "game": "wec",
        "mode": Mode.NET,
        "seat": 0,
        "winners": (0,),
        "reason": "primary",
        "turns": 30,
        "audit": Audit.CLEAN,
        "rules": "standard",
        "ended": number,
        "others": (BEN,),
    }
    return Closed(**(values | changes))
