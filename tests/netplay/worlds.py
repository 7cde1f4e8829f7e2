"""Pairs of matches that one seat cannot tell apart by what the rules let it know."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Final

from cloakboard.engine.codec import encode
from cloakboard.engine.game import Action, Game
from cloakboard.netplay.lockstep.effects import Happened
from tests.netplay.rig import Rig

Frame = tuple[int, int, bytes]
SECRET: Final = ("Creep", "Plant", "Move")  # what `other` does in secret; to fire would show it
CALM: Final = ("End", "EndTurn", "Hide")  # what the others do by preference


class Worlds:
    """Two matches played in step: all seats but `other` do the same in both; `other` does the
    same in the open, and what it likes in secret. `looks` are the seats that may not tell.

    `quiet`: veiled actions done so far in both of which no seat noticed a difference.
    """

    def __init__(self, pair: tuple[Game, Game], other: int, seed: int, **options: Any) -> None:
        self.rigs = tuple(Rig(game, 1, options) for game in pair)
        self.other = other
        self.looks = [seat for seat in range(pair[0].seats) if seat != other]
        self.quiet = 0
        self._random = random.Random(seed)
        for rig in self.rigs:
            rig.wire.clear()

    def alike(self) -> bool:
        """Whether every other seat knows the same in both worlds: what is, and what happened."""
        one, two = (
            [(encode(rig.peers[seat].core.view), _told(rig, seat)) for seat in self.looks]
            for rig in self.rigs
        )
        return one == two

    def step(self, counts: Callable[[], int] = lambda: 0) -> tuple[list[list[Frame]], list[int]]:
        """One action in both; the frames of each world, and by how much `counts` rose. Empty if
        nobody can act alike."""
        one, two = self.rigs
        seat = next((s for s, peer in enumerate(one.peers) if peer.may_act), None)
        if seat is None or not two.peers[seat].may_act:
            return [], []
        actions = self._choose(seat)
        if actions is None:
            return [], []
        work = []
        for rig, action in zip(self.rigs, actions, strict=True):
            rig.wire.clear()
            before = counts()
            rig.peers[seat].act(action)
            rig.flush()
            work.append(counts() - before)
        if seat == self.other and actions[0] != actions[1] and self.alike():
            self.quiet += 1
        return [list(rig.wire) for rig in self.rigs], work

    def _choose(self, seat: int) -> tuple[Action, Action] | None:
        lists = [list(rig.game.actions(rig.peers[seat].core.view, seat)) for rig in self.rigs]
        if seat != self.other:
            both = [action for action in lists[0] if action in lists[1]]
            calm = [action for action in both if type(action).__name__ in CALM]
            pick = self._pick(calm if calm and self._random.random() < 0.75 else both)
            return None if pick is None else (pick, pick)
        veiled = [a for a in lists[0] if self._open_part(0, seat, a) != a]
        secret = [action for action in veiled if type(action).__name__ in SECRET]
        plain = [action for action in lists[0] if action not in veiled]
        first = self._pick(secret if secret and self._random.random() < 0.75 else plain)
        if first is None:
            return None
        shown = self._open_part(0, seat, first)
        fitting = [
            action
            for action in lists[1]
            if self._open_part(1, seat, action) == shown and type(action) is type(first)
        ]
        differing = [action for action in fitting if action != first]
        second = self._pick(differing or fitting)
        return None if second is None else (first, second)

    def _open_part(self, world: int, seat: int, action: Action) -> Action | None:
        rig = self.rigs[world]
        return rig.game.split(rig.peers[seat].core.view, seat, action)[0]

    def _pick(self, actions: list[Action]) -> Action | None:
        """One of a class drawn first, so that no class drowns the others."""
        classes: dict[str, list[Action]] = {}
        for action in actions:
            classes.setdefault(type(action).__name__, []).append(action)
        if not classes:
            return None
        return self._random.choice(classes[self._random.choice(sorted(classes))])


def _told(rig: Rig, seat: int) -> list[Any]:
    return [event for one in rig.told[seat] if isinstance(one, Happened) for event in one.events]
