"""A player who chooses by lot, for whoever runs a match: calls of `Match` or `Online` by name."""

from __future__ import annotations

import random
from typing import Any, Final, NamedTuple

from cloakboard.engine.game import Action
from cloakboard.netplay.lockstep.match import Match
from cloakboard.netplay.transcript import CONSENTED

MORE_MS: Final = 30_000  # time that players ask for
LOOKED_AT: Final = 600  # actions that a player looks at before it chooses


class Call(NamedTuple):
    """What the player does: a method's name, and what it is given."""

    name: str
    given: tuple[Any, ...]


class Player:
    """One seat's. `choices`: about how many the match should have of all seats."""

    def __init__(self, seed: int, seat: int, choices: int, lots: random.Random) -> None:
        self._seed = seed
        self._seat = seat
        self._long_enough = 4 * choices  # entries
        self._lots = lots

    def think_ms(self) -> int:
        """How long until the next decision."""
        return self._lots.randint(20, 1500)

    def decide(self, match: Match) -> Call | None:
        """An action, or a word to the others, or nothing for now."""
        lot = self._lots.randrange(60)
        if match.together and match.core.result is None and (lot < 6 or not match.may_act):
            return self._speak(match, lot)
        if match.may_act and len(match.entries) <= self._long_enough:
            return Call("act", (self._choose(match),))
        return Call("request", ("resign",)) if match.together and lot < 20 else None

    def _speak(self, match: Match, lot: int) -> Call | None:
        """Asks the others for something, or answers what they ask for."""
        asked = [p for p in match.pending if p.kind in CONSENTED and p.seat != self._seat]
        if asked and lot % 3:
            return Call("request", (asked[0].kind, asked[0].value))
        if asked:
            return Call("decline", (asked[0].kind,))
        if match.core.requests.is_paused:
            return Call("request", ("continue",))
        if lot in (1, 2) and match.undo_target is not None:
            return Call("request", ("undo", match.undo_target))
        return {
            0: Call("request", ("draw",)),
            3: Call("request", ("pause",)),
            4: Call("request", ("extend", MORE_MS)),
            5: Call("say", ("", "will it rain?")),
        }.get(lot)

    def _choose(self, match: Match) -> Action:
        """An action by lot, its class first; the same in every life of the program."""
        classes: dict[str, list[Action]] = {}
        for count, action in enumerate(match.game.actions(match.core.view, self._seat)):
            classes.setdefault(type(action).__name__, []).append(action)
            if count > LOOKED_AT:
                break
        lot = random.Random(f"{self._seed}/{self._seat}/{len(match.entries)}")
        return lot.choice(classes[lot.choice(sorted(classes))])
