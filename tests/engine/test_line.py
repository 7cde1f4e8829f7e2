"""Line is a whole game: its tokens add up wherever random play leads."""

import pytest
from hypothesis import given, settings

from cloakboard.engine.errors import IllegalAction
from cloakboard.engine.options import Schema
from cloakboard.engine.table import Table
from tests import tiny
from tests.play import random_game
from tests.strategies import tables
from tests.tiny.actions import AnyAction
from tests.tiny.events import FOLDS, AnyEvent
from tests.tiny.rules import RULES
from tests.tiny.state import State


@given(tables(tiny.GAME))
@settings(max_examples=25)
def test_a_cell_holds_one_token_and_every_token_is_counted(table: Table) -> None:
    state: State = table.state
    hidden = [(seat, t.cell) for seat in range(3) for t in state.secrets(seat).hidden]
    shown = [(token.seat, token.cell) for token in state.shown]
    cells = [cell for _, cell in hidden + shown]
    assert len(set(cells)) == len(cells)
    assert set(cells) <= set(range(12))
    counted = tuple(sum(seat == own for own, _ in hidden + shown) for seat in range(3))
    assert state.left == counted
    assert all(own.fuel >= 0 for own in state.known if own is not None)


def test_every_action_and_event_has_its_row() -> None:
    assert set(RULES) == set(AnyAction.__args__)
    assert set(FOLDS) == set(AnyEvent.__args__)


@pytest.mark.parametrize("seats", [2, 3])
def test_random_play_comes_to_an_end(seats: int) -> None:
    results = {random_game(tiny.game(seats), seed, 400).result for seed in range(12)}
    assert None not in results
    assert "last" in {result.reason for result in results if result}


def test_a_seat_without_hidden_tokens_cannot_creep() -> None:
    table = Table(tiny.GAME)
    public = table.public()
    event = table.game.types.event.__args__[0]()  # Acted
    table.game.admits(public, 0, event)
    for seat in (1, 2):
        with pytest.raises(IllegalAction):
            table.game.admits(public, seat, event)


def test_options_are_a_schema() -> None:
    assert isinstance(tiny.GAME.options, Schema)
    assert tiny.GAME.options.defaults() == {"cells": 12, "turns": 60, "fuel": 3}
