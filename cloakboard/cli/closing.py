"""How a match is told of in one line: its outcome, its Turns, the digest of what is public."""

from __future__ import annotations

from cloakboard.engine.codec import state_digest
from cloakboard.engine.game import Game, Result, State


def outcome(game: Game, result: Result | None) -> str:
    """Who won and why, `draw` and why, or `stopped` for a match without a result."""
    if result is None:
        return "stopped"
    names = " and ".join(game.seat_names()[seat] for seat in result.winners)
    return f"{names} wins ({result.reason})" if names else f"draw ({result.reason})"


def summary(game: Game, state: State) -> str:
    """The Turns completed and the digest, the same on every machine."""
    return f"turns: {game.turn(state)} digest: {state_digest(game, state).hex()}"
