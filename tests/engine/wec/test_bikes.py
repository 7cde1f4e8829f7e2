"""The bike, and being moved (WEC-13, WEC-16, WEC-49, WEC-52, WEC-70)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from cloakboard.engine.wec.actions import Bike, Move
from cloakboard.engine.wec.board import find
from cloakboard.engine.wec.events import Changed
from cloakboard.engine.wec.rules.moving import bikes
from cloakboard.engine.wec.state import (
    AIR,
    BLACK,
    WHITE,
    Gear,
    Piece,
    Spent,
)
from tests.engine.wec.build import cell, of, piece, public, run, state, where
from tests.engine.wec.ways import AWAY, refused, shadow


def rider(**fields: Any) -> Piece:
    return piece("Q", 5, 5, gear=["BI"], **fields)


def test_wec_70_one_square_besides_the_move() -> None:
    now = state([rider(), AWAY], spent=Spent(move=1))
    targets = {action.cell for action in bikes(now, BLACK)}
    assert targets == {cell(r, c) for r in (4, 5, 6) for c in (4, 5, 6)} - {cell(5, 5)}
    after, events = run(now, BLACK, Bike(public(1), cell(6, 6)))
    assert where(after, 1) == cell(6, 6)
    assert after.spent == Spent(move=1, fires=1)
    assert of(events, Changed)[0].cause == "moves"


def test_wec_52_a_bike_is_used_once_a_turn_whoever_has_it() -> None:
    after, _ = run(state([rider(), AWAY]), BLACK, Bike(public(1), cell(6, 6)))
    used = find(after, BLACK, public(1))
    assert used is not None
    assert used.fired == 1
    assert used.gear == (Gear("BI", ready=2),)
    assert refused(after, Bike(public(1), cell(7, 6))) == "WEC-70"
    handed = state([piece("Q", 5, 5, gear=used.gear), AWAY])
    assert refused(handed, Bike(public(1), cell(6, 6))) == "WEC-70"


@pytest.mark.parametrize(
    ("pieces", "target", "rule"),
    [
        pytest.param([rider()], (7, 5), "WEC-70", id="WEC-70 two squares"),
        pytest.param([rider(), piece("FP", 6, 5, WHITE)], (6, 5), "WEC-70", id="WEC-70 no taking"),
        pytest.param([rider(), piece("K", 6, 5)], (6, 5), "WEC-04", id="WEC-70 ends as a Move"),
        pytest.param([piece("Q", 5, 5)], (6, 5), "WEC-70", id="WEC-70 no bike"),
        pytest.param([rider(fired=1)], (6, 5), "WEC-70", id="WEC-52 has fired"),
        pytest.param(
            [piece("JE", 5, 5, level=AIR, gear=["BI"])], (6, 5), "WEC-70", id="WEC-70 at Ground"
        ),
    ],
)
def test_wec_70_refusals(pieces: Sequence[Piece], target: tuple[int, int], rule: str) -> None:
    assert refused(state(pieces), Bike(public(1), cell(*target))) == rule


def test_wec_70_takes_no_passenger() -> None:
    now = state([piece("SU", 5, 5, gear=["BI"]), piece("K", 5, 5)])
    after, _ = run(now, BLACK, Bike(public(1), cell(5, 6)))
    assert (where(after, 1), where(after, 2)) == (cell(5, 6), cell(5, 5))


def test_wec_49_a_bike_collides() -> None:
    now = state([piece("DS", 5, 5, gear=["BI"]), shadow("FP", 6, 6), AWAY])
    after, _ = run(now, BLACK, Bike(public(1), cell(6, 6)))
    assert where(after, 1) == cell(6, 6)
    assert [p.kind for p in after.pieces if p.side == WHITE] == ["K"]


def test_wec_16_no_bike_when_a_turn_is_the_move_alone() -> None:
    now = state([rider()], options={"action_constraint": "move_only"})
    assert list(bikes(now, BLACK)) == []
    assert refused(now, Bike(public(1), cell(6, 6))) == "WEC-16"


def test_wec_13_being_moved_is_no_move() -> None:
    """Carrier, passenger and a biker change place in one Turn; one Move and one Fire are used."""
    now = state([piece("SU", 5, 5), piece("Q", 5, 5), piece("K", 1, 1, gear=["BI"]), AWAY])
    after, _ = run(now, BLACK, Move(public(1), (cell(5, 6),), public(2)))
    after, _ = run(after, BLACK, Bike(public(3), cell(1, 2)))
    assert [where(after, handle) for handle in (1, 2, 3)] == [cell(5, 6), cell(5, 6), cell(1, 2)]
    assert after.spent == Spent(move=1, fires=1)
    passenger = find(after, BLACK, public(2))
    assert passenger is not None
    assert passenger.acted == 0
