"""The games that the contract suite runs over: the registered ones and Line."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from cloakboard.engine import registry
from cloakboard.engine.game import Game
from tests import tiny


class Walk(NamedTuple):
    """How far the laws follow a game: `games` random games of at most `actions` choices."""

    games: int
    actions: int


LONG: Final = Walk(games=8, actions=90)
SHORT: Final = Walk(games=2, actions=40)
TINY: Final[Mapping[str, Game]] = MappingProxyType(
    {line.id: line for line in (tiny.GAME, tiny.game(seats=2))}
)


def names() -> list[str]:
    """The id of every game under the contract."""
    return [*TINY]


def named(game_id: str) -> Game:
    """The game of that id."""
    return TINY.get(game_id) or registry.game(game_id)


def walk(game_id: str) -> Walk:
    """How far the laws follow this game, so that each takes about ten seconds."""
    return LONG if game_id in TINY else SHORT
