"""Folds over one match of Weaponized Chess.

Events are told apart by their tags and fields, so that nothing here hangs on the game's code; a
test holds these words against it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from cloakboard.achievements.folds.progress import Progress
from cloakboard.achievements.moments import Closed, Moment, Seen

CHANGED: Final = "Changed"
FLEW: Final = "Flew"
PRIMARIES: Final = ("K", "DI", "AV", "PR")
LOSSES: Final = ("taken", "burnt", "rocket", "sam", "torpedo", "crushed", "converted")
LOST_LEADER: Final = "primary"  # the result's reason


def changes(progress: Progress, moment: Moment, where: Mapping[str, Any]) -> Progress:
    """Counts changes of pieces.

    causes   the causes that count
    whose    `own` or `enemy`: whose piece it was before
    kinds    only these kinds
    stealthy only pieces that have Stealth, of their own or carried
    moved    only if the piece is elsewhere afterwards
    in_turn  the most within one own Turn, instead of all in the match
    any_turn also in the enemy's Turns
    """
    if not isinstance(moment, Seen):
        return progress
    if moment.kind == "TurnEnded":
        return progress.noted() if where.get("in_turn") else progress
    if not _counts(moment, where):
        return progress
    if not where.get("in_turn"):
        return progress.more()
    now = 1 + len(progress.note)
    return Progress(max(progress.count, now), (*progress.note, now))


def _counts(moment: Seen, where: Mapping[str, Any]) -> bool:
    event: Any = moment.event
    if moment.kind != CHANGED or event.cause not in where["causes"]:
        return False
    if not moment.is_own_turn and not where.get("any_turn"):
        return False
    piece = event.before or event.after
    if "whose" in where and (piece.side == moment.seat) is not (where["whose"] == "own"):
        return False
    if "kinds" in where and piece.kind not in where["kinds"]:
        return False
    if (
        where.get("stealthy")
        and piece.kind != "SHP"
        and not any(g.kind == "SH" for g in piece.gear)
    ):
        return False
    before, after = event.before, event.after
    return not where.get("moved") or (before and after and before.cell != after.cell)


def follows(progress: Progress, moment: Moment, where: Mapping[str, Any]) -> Progress:
    """The most squares that one homing projectile of the player, of a kind in `shots`, has
    followed its target. The note holds number and squares of each, one after the other."""
    if not isinstance(moment, Seen) or moment.kind != FLEW:
        return progress
    event: Any = moment.event
    before, after = event.before, event.after
    if before is None or after is None or not (before.homing and after.homing):
        return progress
    if after.side != moment.seat or after.kind not in where["shots"]:
        return progress
    if before.square == after.square:
        return progress
    steps = dict(zip(progress.note[::2], progress.note[1::2], strict=True))
    flown = int(steps.get(after.number, 0)) + 1
    steps[after.number] = flown
    note = tuple(value for pair in steps.items() for value in pair)
    return Progress(max(progress.count, flown), note)


def won_after(progress: Progress, moment: Moment, where: Mapping[str, Any]) -> Progress:
    """1 if the player won by the loss of the enemy's leader, and `causes` has how that fell."""
    if isinstance(moment, Seen) and moment.kind == CHANGED:
        event: Any = moment.event
        lost = event.before
        if lost and lost.side != moment.seat and lost.kind in PRIMARIES and event.cause in LOSSES:
            return progress.noted(event.cause)
    if isinstance(moment, Closed) and moment.is_won and moment.reason == LOST_LEADER:
        return progress.more(any(cause in where["causes"] for cause in progress.note))
    return progress


def won_keeping(progress: Progress, moment: Moment, where: Mapping[str, Any]) -> Progress:
    """1 if the player won, after `turns_from` Turns or more, and lost no piece of a kind in
    `kinds`."""
    if isinstance(moment, Seen) and moment.kind == CHANGED:
        event: Any = moment.event
        lost = event.before
        if (
            lost
            and lost.side == moment.seat
            and event.cause in LOSSES
            and lost.kind in where["kinds"]
        ):
            return progress.noted(lost.kind)
    if isinstance(moment, Closed) and moment.is_won and not progress.note:
        return progress.more(moment.turns >= where["turns_from"])
    return progress
