"""Node counts: how many sequences of so many actions a position has.

They find faults of move generation that no single example would, and measure its speed.
"""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from cloakboard.engine.drive import drive, full_answer
from cloakboard.engine.game import Game, State


@runtime_checkable
class Counts(Protocol):
    """A game with a faster way of its own."""

    def perft(self, state: State, depth: int) -> int:
        """The number of sequences of `depth` legal actions from a full state. A draw that the
        rules call for any reason but the want of moves may be left aside."""
        ...


def perft(game: Game, state: State, depth: int) -> int:
    """The number of sequences of `depth` legal actions, those of every seat that may act, from
    a full state. Of chance one outcome is followed."""
    return game.perft(state, depth) if isinstance(game, Counts) else played(game, state, depth)


def played(game: Game, state: State, depth: int) -> int:
    """The same by playing every action as the rules resolve it."""
    if depth == 0:
        return 1
    total = 0
    for seat in game.to_act(state):
        for action in game.actions(game.view(state, seat), seat):
            outcome = drive(
                game, state, seat, action, lambda now, probe: full_answer(game, now, probe, _draw)
            )
            total += played(game, outcome.state, depth - 1)
    return total


def _draw() -> int:
    return 0
