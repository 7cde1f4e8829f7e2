"""Choppers and what is carried, case by case (WEC-45, WEC-46, WEC-55a, WEC-71)."""

from __future__ import annotations

from typing import Any

import pytest

from cloakboard.engine.wec.actions import Move
from cloakboard.engine.wec.board import find
from cloakboard.engine.wec.events import Changed
from cloakboard.engine.wec.rules.moving import moves
from cloakboard.engine.wec.state import (
    AIR,
    BLACK,
    SUB,
    WHITE,
    Flight,
    Piece,
    State,
)
from tests.engine.wec.build import cell, of, piece, public, run, state, where
from tests.engine.wec.ways import AWAY, ends, refused


def chopper(*others: Piece, **options: Any) -> State:
    return state([piece("CH", 5, 5, hand="right"), *others], options=options)


def test_wec_45_both_levels_of_the_target() -> None:
    now = chopper()
    targets = {(7, 3), (7, 6), (7, 7), (6, 3), (4, 7), (3, 3), (3, 4), (3, 7)}
    assert ends(now, public(1)) == targets
    assert ends(now, public(1), level=AIR) == targets


def test_wec_45_no_air_move_from_the_air() -> None:
    now = state([piece("CH", 5, 5, level=AIR, hand="right")])
    assert ends(now, public(1), level=AIR) == set()
    assert (7, 6) in ends(now, public(1))


@pytest.mark.parametrize(
    ("blocker", "routes"),
    [
        pytest.param((5, 5), 0, id="own Air cell"),
        pytest.param((6, 5), 1, id="one of two routes"),
        pytest.param((6, 6), 1, id="the other"),
        pytest.param((7, 6), 0, id="over the target"),
        pytest.param((9, 9), 2, id="elsewhere"),
    ],
)
@pytest.mark.parametrize("side", [BLACK, WHITE])
def test_wec_45_every_air_cell_used_is_empty(
    blocker: tuple[int, int], routes: int, side: int
) -> None:
    now = chopper(piece("JE", *blocker, side, AIR))
    here = [m for m in moves(now, BLACK) if m.route[-1] == cell(7, 6) and m.piece == public(1)]
    assert len(here) == routes


def test_wec_45_a_blocked_route_is_refused() -> None:
    now = chopper(piece("JE", 6, 5, WHITE, AIR))
    route = (cell(5, 5, AIR), cell(6, 5, AIR), cell(7, 6, AIR), cell(7, 6))
    assert refused(now, Move(public(1), route)) == "WEC-45"


def test_wec_45_its_own_cell_in_the_air_is_not_entered() -> None:
    now = state([piece("CH", 5, 5, level=AIR, hand="right"), piece("JE", 5, 5, level=AIR)])
    assert (7, 6) in ends(now, public(1))


def test_wec_46_at_ground_it_comes_along_or_stays() -> None:
    now = chopper(piece("Q", 5, 5))
    over = (cell(5, 5, AIR), cell(6, 6, AIR), cell(7, 7, AIR))
    assert (7, 7) in ends(now, public(1), level=AIR)
    after, events = run(now, BLACK, Move(public(1), over, public(2)))
    assert (where(after, 1), where(after, 2)) == (over[-1], over[-1])
    assert [event.cause for event in of(events, Changed)] == ["moves", "carried"]
    stayed, _ = run(now, BLACK, Move(public(1), over))
    assert (where(stayed, 1), where(stayed, 2)) == (over[-1], cell(5, 5))


@pytest.mark.parametrize(
    ("kind", "flight", "may_stay"),
    [
        pytest.param("Q", None, False, id="not at home"),
        pytest.param("JE", None, True, id="at home in Air"),
        pytest.param("Q", Flight("JP", 0, 1, 1), True, id="flies by itself"),
    ],
)
def test_wec_46_off_the_ground_it_must_come_along(
    kind: str, flight: Flight | None, may_stay: bool
) -> None:
    now = state(
        [
            piece("CH", 5, 5, level=AIR, hand="right"),
            piece(kind, 5, 5, level=AIR, gear=["JP"] if flight else [], flight=flight),
        ]
    )
    down = (cell(6, 6, AIR), cell(7, 7, AIR), cell(7, 7))
    assert ((7, 7) in ends(now, public(1))) is may_stay
    assert (7, 7) in ends(now, public(1), passenger=public(2))
    if not may_stay:
        assert refused(now, Move(public(1), down)) == "WEC-46"
    after, _ = run(now, BLACK, Move(public(1), down, public(2)))
    carried = find(after, BLACK, public(2))
    assert carried is not None
    assert (carried.cell, carried.flight) == (cell(7, 7), None)


def test_wec_71_a_carried_flyer_flies_on_while_it_stays_up() -> None:
    flight = Flight("SC", 0, 1, 1)
    now = state(
        [piece("SU", 5, 5, level=SUB), piece("K", 5, 5, level=SUB, gear=["SC"], flight=flight)]
    )
    after, _ = run(now, BLACK, Move(public(1), (cell(5, 6, SUB),), public(2)))
    carried = find(after, BLACK, public(2))
    assert carried is not None
    assert (carried.cell, carried.flight) == (cell(5, 6, SUB), flight)


def test_wec_46_a_loaded_chopper_takes_and_a_loaded_sub_collides() -> None:
    now = chopper(piece("Q", 5, 5), piece("FP", 7, 7, WHITE), AWAY)
    route = (cell(5, 5, AIR), cell(6, 6, AIR), cell(7, 7, AIR), cell(7, 7))
    after, _ = run(now, BLACK, Move(public(1), route, public(2)))
    assert (where(after, 1), where(after, 2), where(after, 3)) == (cell(7, 7), cell(7, 7), None)


@pytest.mark.parametrize(
    ("carrier", "kind", "end"),
    [("TA", "CH", (5, 6)), ("JE", "CH", (5, 5, AIR))],
)
def test_wec_46_only_subs_and_choppers_carry(carrier: str, kind: str, end: tuple[int, ...]) -> None:
    now = state([piece(carrier, 5, 5, hand="left"), piece(kind, 5, 5, hand="left")])
    assert refused(now, Move(public(1), (cell(*end),), public(2))) == "WEC-46"


def test_wec_46_the_passenger_shares_square_and_level() -> None:
    now = state([piece("SU", 5, 5), piece("K", 5, 5, level=AIR)])
    assert refused(now, Move(public(1), (cell(5, 6),), public(2))) == "WEC-46"


@pytest.mark.parametrize(
    ("carrier", "option", "kept", "free"),
    [
        ("SU", "king_may_submerge", [(cell(5, 5, SUB),)], [(cell(5, 6),)]),
        (
            "CH",
            "king_may_fly",
            [
                (cell(5, 5, AIR), cell(6, 6, AIR), cell(7, 7, AIR)),
                (cell(5, 5, AIR), cell(6, 6, AIR), cell(7, 7, AIR), cell(7, 7)),
            ],
            [],
        ),
    ],
)
def test_wec_55a_a_primary_kept_on_the_ground(
    carrier: str, option: str, kept: list[tuple[int, ...]], free: list[tuple[int, ...]]
) -> None:
    pieces = [piece(carrier, 5, 5, hand="right"), piece("DI", 5, 5)]
    allowed, forbidden = state(pieces), state(pieces, options={option: False})
    for route in kept:
        assert Move(public(1), route, public(2)) in list(moves(allowed, BLACK))
        assert refused(forbidden, Move(public(1), route, public(2))) == "WEC-55a"
        assert Move(public(1), route) in list(moves(forbidden, BLACK))
    for route in free:
        assert Move(public(1), route, public(2)) in list(moves(forbidden, BLACK))


def test_wec_55a_one_already_off_the_ground_is_brought_back() -> None:
    now = state(
        [piece("SU", 5, 5, level=SUB), piece("K", 5, 5, level=SUB)],
        options={"king_may_submerge": False},
    )
    assert (5, 5) in ends(now, public(1), passenger=public(2))
