"""The scenarios that come with the game: each can be played, kept as text and read again."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

from cloakboard.assets import scenarios
from cloakboard.engine import registry
from cloakboard.engine.errors import EngineError
from cloakboard.engine.scenario import Scenario
from cloakboard.engine.table import Table
from cloakboard.engine.wec import GAME
from cloakboard.engine.wec.editing import warnings
from cloakboard.engine.wec.notation import read, replay, write
from cloakboard.engine.wec.notation.positions import read_scenario
from cloakboard.engine.wec.notation.printer import print_score
from cloakboard.engine.wec.options import MOVEMENTS
from cloakboard.engine.wec.state import State
from tests.engine.laws import LAWS, moments
from tests.play import random_game

NAMES = scenarios.names("wec")
ACTIONS = 24
LONG = 150


@cache
def scenario(name: str) -> Scenario:
    return registry.scenario("wec", scenarios.text("wec", name))


def played(seed: int, actions: int) -> Table:
    """A random game; scenario and movement set go round with the seed, so that 42 seeds in a
    row meet every pair of them."""
    start = scenario(NAMES[seed % len(NAMES)])
    options = {**start.options, "movement": MOVEMENTS[seed % len(MOVEMENTS)]}
    return random_game(GAME, seed, actions, options, start.setup)


def test_there_is_a_dozen_and_more_and_pairs_go_round() -> None:
    assert len(NAMES) >= 12
    assert len({(seed % len(NAMES), seed % 3) for seed in range(42)}) == 3 * len(NAMES) == 42


@pytest.mark.parametrize("name", NAMES)
def test_a_scenario_can_be_played_and_says_what_it_is_for(name: str) -> None:
    found = scenario(name)
    GAME.start(found.options, found.setup)
    assert found.title
    assert found.teaches.endswith(".")
    position = read_scenario(scenarios.text("wec", name)).position
    assert list(warnings(position, found.options)) == []


def test_titles_differ() -> None:
    assert len({scenario(name).title for name in NAMES}) == len(NAMES)


def test_no_other_scenario_is_found() -> None:
    with pytest.raises(KeyError):
        scenarios.text("wec", "../wec/subs-only")
    assert scenarios.names("nothing") == ()
    with pytest.raises(EngineError, match="no scenarios of nothing"):
        registry.scenario("nothing", "")


def by_turn(table: Table) -> Iterator[State]:
    """The full state at the end of each Turn, and at the end."""
    state = GAME.start(table.options, table.setup, table.seed)
    for record in table.log:
        before = state.turn
        for event in record.events:
            state = GAME.apply(state, event)
        if state.turn > before:
            yield state
    yield state


def check_round_trip(table: Table) -> None:
    """Text and table say the same at every Turn, and the text is written again as it was."""
    text = write(table, ("Ann", "Bob"))
    again = replay(text)
    assert (again.setup, again.options) == (table.setup, table.options)
    assert list(by_turn(again)) == list(by_turn(table))
    assert print_score(read(text)) == text == write(again, ("Ann", "Bob"))


# The seed's remainder by 14 is the scenario, that by 3 the movement set.
@pytest.mark.parametrize("seed", range(len(NAMES)))
def test_wec_112_every_scenario_is_read_back_as_it_was_played(seed: int) -> None:
    check_round_trip(played(seed, ACTIONS))


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(1000, 1200))
def test_wec_112_scenarios_and_movement_sets_are_read_back_as_played(seed: int) -> None:
    check_round_trip(played(seed, LONG))


@pytest.mark.parametrize("seed", [NAMES.index(name) for name in ("subs-only", "air-drop")])
def test_laws_hold_from_other_start_positions(seed: int) -> None:
    for moment in moments(played(seed, 6)):
        for law in LAWS.values():
            law(moment)


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(42))
def test_all_laws_hold_in_every_scenario_and_movement_set(seed: int) -> None:
    for moment in moments(played(seed, 40)):
        for law in LAWS.values():
            law(moment)


def test_wec_110_a_competitive_history_hides_until_the_end() -> None:
    """A sub at Sub moves unseen: the enemy reads that a Move was made, and no more."""
    start = scenario("subs-only")
    table = Table(GAME, {**start.options, "competitive": True}, start.setup)
    sub = next(a for a in table.actions(0) if GAME.split(table.view(0), 0, a)[0] is None)
    table.act(0, sub)
    end = next(a for a in table.actions(0) if type(a).__name__ == "EndTurn")
    table.act(0, end)
    own, other = write(table, seat=0), write(table, seat=1)
    assert "1. MV:SUv" in own
    assert "1. MV:{unseen}" in other
    table.resign(1)
    assert write(table, seat=1) == write(table, seat=0) == write(table)
    assert "1. MV:SUv" in write(table, seat=1)


def test_wec_110_nothing_is_taken_back_in_a_competitive_match() -> None:
    for competitive in (False, True):
        table = Table(GAME, {"competitive": competitive})
        table.act(0, next(iter(table.actions(0))))
        assert table.can_undo is not competitive
        if competitive:
            with pytest.raises(EngineError, match="competitive"):
                table.undo()
        else:
            table.undo()
            assert table.can_redo


def test_wec_111_a_competitive_match_that_was_read_stays_competitive() -> None:
    table = Table(GAME, {"competitive": True})
    table.act(0, next(iter(table.actions(0))))
    again = replay(write(table))
    assert (again.options["competitive"], again.can_undo) == (True, False)
