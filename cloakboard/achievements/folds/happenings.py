"""A fold over the events of one match of any game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cloakboard.achievements.folds.progress import Progress
from cloakboard.achievements.moments import Moment, Seen


def happens(progress: Progress, moment: Moment, where: Mapping[str, Any]) -> Progress:
    """Counts events with the tag `tag` in the player's own Turns, whose fields are among those
    that `fields` lists; `own_side`: and whose `side` is the player's seat."""
    if not isinstance(moment, Seen) or moment.kind != where["tag"] or not moment.is_own_turn:
        return progress
    event: Any = moment.event
    if where.get("own_side") and event.side != moment.seat:
        return progress
    wanted: Mapping[str, list[Any]] = where.get("fields", {})
    fits = all(getattr(event, name) in values for name, values in wanted.items())
    return progress.more() if fits else progress
