"""The digest of a random game, printed: `python -m tests.engine.fingerprint GAME ACTIONS`."""

import sys
from typing import Final

from cloakboard.engine.codec import digest, encode, lp
from cloakboard.engine.game import Game
from tests import games
from tests.engine.broken import Hashing
from tests.play import random_game

HASHING: Final = "hashing"  # a name for the game that must not come out the same


def fingerprint(game: Game, actions: int) -> str:
    """Hex digest of every action, event and the last state of one random game."""
    table = random_game(game, seed=11, max_actions=actions)
    records = [encode((r.seat, r.action, r.events)) for r in table.log]
    return digest("fingerprint", lp(*records, encode(table.state))).hex()


if __name__ == "__main__":
    name, wanted = sys.argv[1:]
    played = Hashing(3) if name == HASHING else games.named(name)
    print(fingerprint(played, int(wanted)))
