"""Golden transcripts: random games that must come out the same on every machine and version.

`python -m tests.golden [GAME]...` writes them anew; the commit that does so gives the reason.
"""

from pathlib import Path
from typing import Final

import msgspec

from cloakboard.engine.codec import digest, encode, state_digest
from cloakboard.engine.events import may_know
from cloakboard.engine.game import Game
from tests.engine.laws import fold, start_of
from tests.play import random_game

FOLDER: Final = Path(__file__).parent
ACTIONS: Final = 60
SEED: Final = 2026
HEX: Final = 16  # digits of a digest that are kept


def path(game_id: str) -> Path:
    """Where a game's transcript lies."""
    return FOLDER / f"{game_id}.txt"


def transcript(game: Game) -> str:
    """A line an action: Turn, seat, public digest, full digest, action, then how many public
    and private events of which kinds it had."""
    table = random_game(game, SEED, ACTIONS)
    known = start_of(table)
    lines = [f"start {_digests(game, known.full)}"]
    for record in table.log:
        known = fold(game, known, record)[-1]
        action = msgspec.json.encode(record.action).decode()
        names = [
            type(event).__name__ + ("" if may_know(event, None) else "*") for event in record.events
        ]
        where = f"{game.turn(known.full)} {record.seat}{'!' if record.forced else ''}"
        lines.append(f"{where} {_digests(game, known.full)} {action} {' '.join(names)}")
    return "\n".join(lines) + "\n"


def _digests(game: Game, full: object) -> str:
    public = state_digest(game, full).hex()[:HEX]
    return f"{public} {digest('golden', encode(full)).hex()[:HEX]}"
