"""Which start positions come with the program."""

from __future__ import annotations

from functools import cache

from cloakboard.assets import scenarios as assets
from cloakboard.engine.errors import EngineError
from cloakboard.engine.registry import scenario


@cache
def bundled(game_id: str) -> frozenset[str]:
    """The start positions of a game that nobody who plays it has made: the usual one, and those
    of the scenarios that come along."""
    found = {""}
    for name in assets.names(game_id):
        try:
            found.add(scenario(game_id, assets.text(game_id, name)).setup)
        except EngineError:
            continue  # the list of scenarios tells its problem
    return frozenset(found)
