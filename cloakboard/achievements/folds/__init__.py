"""The folds that definitions name: pure functions `(progress, moment, where) -> progress`.

`where` is the definition's own table of conditions. A fold of one match begins anew with each and
is told all its moments; one of a player's whole course is told `Closed` alone, oldest first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from cloakboard.achievements.folds import course, happenings, trid, wec
from cloakboard.achievements.folds.progress import Progress
from cloakboard.achievements.moments import Moment

Fold = Callable[[Progress, Moment, Mapping[str, Any]], Progress]

FOLDS: Final[Mapping[str, Fold]] = MappingProxyType(
    {
        "matches": course.matches,
        "streak": course.streak,
        "distinct": course.distinct,
        "same_friend": course.same_friend,
        "happens": happenings.happens,
        "changes": wec.changes,
        "follows": wec.follows,
        "won_after": wec.won_after,
        "won_keeping": wec.won_keeping,
        "takes": trid.takes,
        "takes_in_passing": trid.takes_in_passing,
        "won_keeping_men": trid.won_keeping_men,
        "mates_with": trid.mates_with,
    }
)

__all__ = ["FOLDS", "Fold", "Progress"]
