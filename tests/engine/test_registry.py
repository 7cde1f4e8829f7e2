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


@pytest.mark.parametrize("game_id", list(registry.MODULES))
def test_a_game_is_found_by_its_own_id_and_loaded_once(game_id: str) -> None:
    found = registry.game(game_id)
    assert found.id == game_id
    assert registry.games()[game_id] is found
