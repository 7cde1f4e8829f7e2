"""The games that can be played, by id. A game's rules are imported when it is first asked for.

One row enrols a game: in the contract suite, the room, the command line and the saves.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any, Final, Protocol, cast

from cloakboard.engine.errors import EngineError, Malformed
from cloakboard.engine.game import Game, Result
from cloakboard.engine.scenario import Scenario
from cloakboard.engine.table import Record, Table

MODULES: Final[Mapping[str, str]] = MappingProxyType(
    {"wec": "cloakboard.engine.wec", "trid": "cloakboard.engine.trid"}
)

NOTATIONS: Final[Mapping[str, str]] = MappingProxyType(
    {"wec": "cloakboard.engine.wec.notation", "trid": "cloakboard.engine.trid.notation.history"}
)
SCENARIOS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "wec": "cloakboard.engine.wec.notation.positions",
        "trid": "cloakboard.engine.trid.notation.scenarios",
    }
)


GAME_TAG: Final = re.compile(r'^\[Game "(\w{1,20})"\]\s*$', re.MULTILINE)


class History(Protocol):
    """A match to be written: a `Table`, or what reads like one."""

    @property
    def options(self) -> Mapping[str, Any]:
        """The agreed options by name."""

    @property
    def setup(self) -> str:
        """The start position."""

    @property
    def log(self) -> Sequence[Record]:
        """Every action so far."""

    @property
    def result(self) -> Result | None:
        """How it ended, or None while it goes on."""


class Score(Protocol):
    """What a text says before it is checked, as far as all games have it."""

    @property
    def names(self) -> tuple[str, str]: ...


class Notation(Protocol):
    """A game's matches as text."""

    def write(
        self, history: History, names: tuple[str, str] = ("", ""), seat: int | None = None
    ) -> str:
        """The text of a match; for a `seat` without what that seat may not know."""

    def read(self, text: str) -> Score:
        """What a text says, its form checked and nothing else. Raises `EngineError`."""

    def replay(self, text: str, seed: bytes = b"") -> Table:
        """The match of a complete text. Raises `EngineError`."""


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


def notation(game_id: str) -> Notation:
    """The notation of a game. Raises `EngineError` if it has none."""
    if game_id not in NOTATIONS:
        raise EngineError(f"There is no notation of {game_id}")
    found: Any = importlib.import_module(NOTATIONS[game_id])
    return cast(Notation, found)


def game_of_text(text: str) -> Game:
    """The game whose match a text in notation tells. Raises `Malformed`; `EngineError` naming the
    known games."""
    tag = GAME_TAG.search(text)
    if tag is None:
        raise Malformed('expected a tag such as [Game "WEC"] on top, found none')
    return game(tag.group(1).lower())


def scenario(game_id: str, text: str) -> Scenario:
    """What the text of a scenario says. Raises `BadSetup`; `EngineError` if the game has none."""
    if game_id not in SCENARIOS:
        raise EngineError(f"There are no scenarios of {game_id}")
    found: Scenario = importlib.import_module(SCENARIOS[game_id]).scenario(text)
    return found
