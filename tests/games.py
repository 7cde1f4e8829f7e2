"""The games that the contract suite runs over: the registered ones, Line, and a crowded WEC."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from cloakboard.engine import registry
from cloakboard.engine.game import Game
from tests import tiny
from tests.engine.skirmish import Skirmish


class Walk(NamedTuple):
    """How far the laws follow a game: `games` random games of at most `actions` choices."""

    games: int
    actions: int


LONG: Final = Walk(games=8, actions=90)
SHORT: Final = Walk(games=2, actions=60)
FOR_TESTS: Final[Mapping[str, Game]] = MappingProxyType(
    {game.id: game for game in (tiny.GAME, tiny.game(seats=2), Skirmish())}
)


def names() -> list[str]:
    """The id of every game under the contract."""
    return [*FOR_TESTS, *registry.games()]


def named(game_id: str) -> Game:
    """The game of that id."""
    return FOR_TESTS.get(game_id) or registry.game(game_id)


def walk(game_id: str) -> Walk:
    """How far the laws follow this game, so that each takes about ten seconds."""
    return LONG if game_id.startswith("line") else SHORT
