"""The fast move generation against the rules read word for word."""

from __future__ import annotations

import pytest

from cloakboard.engine.table import Table
from cloakboard.engine.trid import GAME
from cloakboard.engine.trid.actions import Move
from cloakboard.engine.trid.board import NAMES, RANK
from cloakboard.engine.trid.notation.positions import write_position
from cloakboard.engine.trid.position import position
from cloakboard.engine.trid.state import State
from tests.engine.trid.build import found, random_position, said
from tests.engine.trid.literal import attacks, moves, parse
from tests.play import Dice, drawn_options, play_on

ALL_OPTIONS = [(o.name, value) for o in GAME.options.options for value in o.choices[1:]]


def agree(table: Table) -> None:
    """Both give the same moves now."""
    text = write_position(table.state)
    assert said(table.state) == moves(parse(text, table.options)), text


def follow(seed: int, options: dict[str, str], plies: int) -> None:
    """Both give the same moves all along a short game from a random position."""
    dice = Dice(seed)
    start = random_position(dice, options)
    table = Table(GAME, options, write_position(start))
    for _ in range(plies):
        agree(table)
        play_on(table, dice, 1)


@pytest.mark.parametrize("seed", range(12))
def test_td_43_moves_are_those_of_the_rules(seed: int) -> None:
    follow(seed, {}, 2)


@pytest.mark.parametrize(("option", "value"), ALL_OPTIONS)
def test_moves_are_those_of_the_rules_under_each_option(option: str, value: str) -> None:
    follow(100, {option: value}, 2)


@pytest.mark.parametrize("seed", range(200, 206))
def test_moves_are_those_of_the_rules_under_drawn_options(seed: int) -> None:
    follow(seed, drawn_options(GAME, Dice(seed)), 2)


@pytest.mark.parametrize("seed", range(400, 440))
def test_td_56_moves_after_a_two_square_advance_are_those_of_the_rules(seed: int) -> None:
    # TD-56: en passant with pins, checks and other levels all around.
    dice = Dice(seed)
    options = drawn_options(GAME, dice) if seed % 2 else {}
    start = random_position(dice, options)
    for action in found(start):
        if isinstance(action, Move) and is_advance(start, action):
            table = Table(GAME, options, write_position(start))
            table.act(start.side, action)
            agree(table)


def is_advance(state: State, action: Move) -> bool:
    """Whether a pawn goes two squares."""
    gone = abs(RANK[action.origin] - RANK[action.target])
    return state.men[action.origin] in "Dd" and gone == 2


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(1000, 1150))
def test_moves_are_those_of_the_rules_far_and_wide(seed: int) -> None:
    follow(seed, drawn_options(GAME, Dice(seed)) if seed % 2 else {}, 8)


@pytest.mark.parametrize("seed", range(300, 310))
def test_td_80_attacks_are_those_of_the_rules(seed: int) -> None:
    # TD-80: both ways of asking who attacks what.
    dice = Dice(seed)
    state = random_position(dice, drawn_options(GAME, dice))
    world, placed = parse(write_position(state), dict(state.options)), position(state)
    occupied = placed.sides[0] | placed.sides[1]
    for side, letters in enumerate(("KQRBNPD", "kqrbnpd")):
        men = [name for name, letter in world.men.items() if letter in letters]
        expected = set().union(*(attacks(world, name) for name in men))
        found = placed.attacks(side, occupied)
        squares = [square for square in range(96) if placed.geometry.exists >> square & 1]
        assert {NAMES[square] for square in squares if found >> square & 1} == expected
        one_by_one = {NAMES[sq] for sq in squares if placed.is_attacked(sq, side, occupied)}
        assert one_by_one == expected
