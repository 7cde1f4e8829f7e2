"""The games that can be played, by id. A game's rules are imported when it is first asked for.

One row enrols a game: in the contract suite, the room, the command line and the saves.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from cloakboard.engine.errors import EngineError
from cloakboard.engine.game import Game

MODULES: Final[Mapping[str, str]] = MappingProxyType(
    {"wec": "cloakboard.engine.wec", "trid": "cloakboard.engine.trid"}
)


class _Games(Mapping[str, Game]):
    def __getitem__(self, game_id: str) -> Game:
        return _load(MODULES[game_id])

    def __iter__(self) -> Iterator[str]:
        return iter(MODULES)

    def __len__(self) -> int:
        return len(MODULES)


@cache
def _load(module: str) -> Game:
    found: Game = importlib.import_module(module).GAME
    return found


def games() -> Mapping[str, Game]:
    """Every game by its id, in the order in which they are offered."""
    return _Games()


def game(game_id: str) -> Game:
    """The game of that id. Raises `EngineError` naming the known ones."""
    if game_id not in MODULES:
        known = ", ".join(MODULES)
        raise EngineError(f"There is no game {game_id!r}; choose one of: {known}")
    return games()[game_id]
