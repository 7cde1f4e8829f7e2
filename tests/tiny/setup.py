"""The start position of Line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cloakboard.engine.errors import BadSetup
from tests.tiny.options import SCHEMA
from tests.tiny.pieces import TOKENS, Kind, Token
from tests.tiny.state import Secrets, Shown, State


def start(seats: int, options: Mapping[str, Any], setup: str) -> State:
    """Each seat has an equal stretch of the line: gunner, runner, then a hidden scout
    (LINE-1). Raises `BadOption`; `BadSetup` for any text but the empty one."""
    if setup:
        raise BadSetup("Line has one start position only; leave the set-up empty")
    agreed = SCHEMA.complete(options)
    stretch = agreed["cells"] // seats
    shown: list[Shown] = []
    known: list[Secrets] = []
    for seat in range(seats):
        first = seat * stretch
        for offset, kind in enumerate((Kind.GUNNER, Kind.RUNNER)):
            shown.append(Shown(len(shown) + 1, seat, first + offset, kind))
        known.append(Secrets(hidden=(Token(first + 2, Kind.SCOUT),), fuel=agreed["fuel"]))
    return State(
        cells=agreed["cells"],
        turns=agreed["turns"],
        turn=0,
        mover=0,
        acted=False,
        shot=False,
        due=(),
        shown=tuple(shown),
        next_handle=len(shown) + 1,
        left=(TOKENS,) * seats,
        known=tuple(known),
    )
