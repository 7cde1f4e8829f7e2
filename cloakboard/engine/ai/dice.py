"""A computer player that moves at random, the same way each time for the same seed."""

from __future__ import annotations

import random
from typing import Final

from cloakboard.engine.game import Action, Game, State

LOOKS: Final = 400  # actions looked at; dozes alone can be thousands


def choose(game: Game, view: State, seat: int, seed: int, count: int) -> Action | None:
    """A legal action of the seat, or None if it has none.

    First its kind, then one of that kind, each equally likely, so that no kind drowns the
    others. `count` is how many actions the seat has chosen before: the choice is a function
    of the arguments alone, so a match taken up again goes on as it would have gone.
    """
    kinds: dict[str, list[Action]] = {}
    for looked, action in enumerate(game.actions(view, seat)):
        kinds.setdefault(type(action).__name__, []).append(action)
        if looked >= LOOKS:
            break
    if not kinds:
        return None
    dice = random.Random(f"{seed}/{seat}/{count}")
    return dice.choice(kinds[dice.choice(sorted(kinds))])
