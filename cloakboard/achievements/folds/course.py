"""Folds over a player's whole course of matches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from cloakboard.achievements.folds.progress import Progress
from cloakboard.achievements.moments import Closed, Moment

DAY_S: Final = 24 * 60 * 60
Value = int | str | bytes

CONDITIONS: Final[Mapping[str, Callable[[Closed, Any], bool]]] = MappingProxyType(
    {
        "won": lambda closed, wanted: closed.is_won is wanted,
        "drawn": lambda closed, wanted: closed.is_drawn is wanted,
        "reason": lambda closed, wanted: closed.reason == wanted,
        "audit": lambda closed, wanted: closed.audit == wanted,
        "turns_from": lambda closed, wanted: closed.turns >= wanted,
        "turns_to": lambda closed, wanted: closed.turns <= wanted,
        "changed": lambda closed, wanted: _is_negotiated(closed) is wanted,
        "own_setup": lambda closed, wanted: closed.own_setup is wanted,
        "resumes_from": lambda closed, wanted: closed.resumes >= wanted,
        "days_from": lambda closed, wanted: closed.ended - closed.began >= wanted * DAY_S,
    }
)


def matches(progress: Progress, moment: Moment, where: Mapping[str, Any]) -> Progress:
    """Counts ended matches of which every condition holds."""
    return progress.more() if _fits(moment, where) else progress


def streak(progress: Progress, moment: Moment, where: Mapping[str, Any]) -> Progress:
    """The longest run of wins; a match that ended otherwise breaks it."""
    if not isinstance(moment, Closed):
        return progress
    now = sum(note for note in progress.note if isinstance(note, int))
    now = now + 1 if moment.is_won else 0
    return Progress(max(progress.count, now), (now,))


def distinct(progress: Progress, moment: Moment, where: Mapping[str, Any]) -> Progress:
    """How many different values of `of` there are among ended matches that fit the rest."""
    rest = {name: wanted for name, wanted in where.items() if name != "of"}
    if not isinstance(moment, Closed) or not _fits(moment, rest):
        return progress
    met = (*progress.note, *_values(moment, where["of"]))
    found = tuple(dict.fromkeys(met))
    return Progress(len(found), found)


def same_friend(progress: Progress, moment: Moment, where: Mapping[str, Any]) -> Progress:
    """The most matches that ended with one and the same player in them."""
    if not isinstance(moment, Closed) or not _fits(moment, where):
        return progress
    met = (*progress.note, *moment.others)
    return Progress(max(Counter(met).values(), default=0), met)


def _fits(moment: Moment, where: Mapping[str, Any]) -> bool:
    return (
        isinstance(moment, Closed)
        and bool(moment.reason)
        and all(CONDITIONS[name](moment, wanted) for name, wanted in where.items())
    )


def _is_negotiated(closed: Closed) -> bool:
    """Whether a rule that needs everyone's consent was changed."""
    return closed.rules not in ("", "standard")


def _values(closed: Closed, of: str) -> tuple[Value, ...]:
    match of:
        case "others":
            return closed.others
        case "days":
            return (closed.ended // DAY_S,)
        case "governments":
            chosen = dict(closed.changed).get(f"government.{closed.seat}", "")
            return (str(chosen),)
        case _:
            value: Value = getattr(closed, of)
            return (value,)
