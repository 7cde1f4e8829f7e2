"""The games by id."""

import pytest

from cloakboard.engine import registry
from cloakboard.engine.errors import EngineError


def test_an_unknown_game_is_refused_with_the_known_ones() -> None:
    with pytest.raises(EngineError, match=r"no game 'chess'.*: wec"):
        registry.game("chess")


def test_games_are_listed_without_importing_their_rules() -> None:
    assert list(registry.games()) == list(registry.MODULES)
    assert len(registry.games()) == len(registry.MODULES)
    assert "chess" not in registry.games()
