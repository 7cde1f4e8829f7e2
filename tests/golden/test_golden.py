"""Each game comes out as its golden transcript says (KNOWN_FAILURES 6)."""

import pytest

from tests import games, golden


@pytest.mark.parametrize("game_id", games.names())
def test_random_game_comes_out_as_recorded(game_id: str) -> None:
    recorded = golden.path(game_id).read_text("utf-8").splitlines()
    played = golden.transcript(games.named(game_id)).splitlines()
    # Line by line, so that a failure shows the first action that comes out otherwise.
    for line, now in zip(recorded, played, strict=True):
        assert now == line


def test_transcripts_are_those_of_known_games() -> None:
    assert {file.stem for file in golden.FOLDER.glob("*.txt")} == set(games.names())
