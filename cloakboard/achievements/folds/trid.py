"""Folds over one match of tri-dimensional chess, whose men are letters, White's the capitals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from cloakboard.achievements.folds.progress import Progress
from cloakboard.achievements.moments import Closed, Moment, Seen

WHITE: Final = 0
PAWNS: Final = "PD"
ACTS: Final = ("Moved", "Castled", "BoardMoved")
MATE: Final = "checkmate"


def takes(progress: Progress, moment: Moment, where: Mapping[str, Any]) -> Progress:
    """Counts the enemy's men taken, of the kinds in `kinds`."""
    if not isinstance(moment, Seen) or moment.kind != "Taken":
        return progress
    event: Any = moment.event
    is_enemy = _side(event.man) != moment.seat
    return progress.more(is_enemy and event.man.upper() in where["kinds"])


def takes_in_passing(progress: Progress, moment: Moment, where: Mapping[str, Any]) -> Progress:
    """Counts the player's captures in passing: a pawn goes, and what it took stood elsewhere."""
    if not isinstance(moment, Seen) or not moment.is_own_turn:
        return progress
    event: Any = moment.event
    if moment.kind == "Taken":
        return progress.noted(event.square)
    if moment.kind == "Moved" and event.man.upper() in PAWNS:
        passed = bool(progress.note) and progress.note[0] != event.target
        return progress.noted().more(passed)
    return progress.noted()


def won_keeping_men(progress: Progress, moment: Moment, where: Mapping[str, Any]) -> Progress:
    """1 if the player won, after `turns_from` Turns or more, and lost no man of a kind in
    `kinds`."""
    if isinstance(moment, Seen) and moment.kind == "Taken":
        event: Any = moment.event
        if _side(event.man) == moment.seat and event.man.upper() in where["kinds"]:
            return progress.noted(event.man)
    if isinstance(moment, Closed) and moment.is_won and not progress.note:
        return progress.more(moment.turns >= where["turns_from"])
    return progress


def mates_with(progress: Progress, moment: Moment, where: Mapping[str, Any]) -> Progress:
    """1 if the player mates by an action with the tag `tag`, with a man in `men` if given."""
    if isinstance(moment, Seen) and moment.kind in ACTS and moment.is_own_turn:
        man = str(getattr(moment.event, "man", ""))
        return progress.noted(moment.kind, man.upper())
    if isinstance(moment, Closed) and moment.is_won and moment.reason == MATE and progress.note:
        tag, mover = progress.note
        return progress.more(tag == where["tag"] and mover in where.get("men", (mover,)))
    return progress


def _side(man: str) -> int:
    return WHITE if man.isupper() else 1 - WHITE
