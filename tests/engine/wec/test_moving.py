"""The Move and the bike, case by case (WEC-40 to WEC-49, WEC-52, WEC-70)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from cloakboard.engine.errors import IllegalAction
from cloakboard.engine.probes import Form
from cloakboard.engine.wec import GAME
from cloakboard.engine.wec.actions import Bike, Move, Ref
from cloakboard.engine.wec.board import find
from cloakboard.engine.wec.events import Changed, SpentOne
from cloakboard.engine.wec.rules.moving import bikes, moves
from cloakboard.engine.wec.state import (
    AIR,
    BLACK,
    GROUND,
    SUB,
    WHITE,
    Flight,
    Gear,
    Piece,
    Secret,
    Spent,
    State,
)
from tests.engine.wec.build import cell, of, piece, public, run, state, unseen, where
from tests.engine.wec.checked import play

AWAY = piece("K", 10, 10, WHITE)  # keeps the board from being empty of the enemy


def ends(
    now: State, ref: Ref, seat: int = BLACK, passenger: Ref | None = None, level: int = GROUND
) -> set[tuple[int, int]]:
    """Rows and columns of the cells at a level in which Moves of a piece end."""
    return {
        (move.route[-1] % 100 // 10 + 1, move.route[-1] % 10 + 1)
        for move in moves(now, seat)
        if move.piece == ref and move.passenger == passenger and move.route[-1] // 100 == level
    }


def refused(now: State, action: Any, seat: int = BLACK) -> str:
    """The rule by which an action is refused."""
    with pytest.raises(IllegalAction) as caught:
        GAME.legal(now, seat, action)
    assert action not in list(GAME.actions(now, seat))
    return caught.value.rule


def square_route(*squares: tuple[int, int]) -> tuple[int, ...]:
    return tuple(cell(*square) for square in squares)


# -- WEC-03, WEC-04, WEC-40: ways and ends ---------------------------------------------------


def test_wec_40_a_path_is_blocked_by_either_side_and_may_end_before() -> None:
    now = state(
        [
            piece("TA", 1, 1, hand="right"),
            piece("K", 4, 1),
            piece("FP", 1, 4, WHITE),
        ]
    )
    assert ends(now, public(1)) == {(2, 1), (3, 1), (1, 2), (1, 3), (1, 4)}


@pytest.mark.parametrize(
    ("mover", "stands", "shares"),
    [
        pytest.param("K", "Q", False, id="WEC-04 two without coexistence"),
        pytest.param("K", "DS", True, id="WEC-04 the other coexists"),
        pytest.param("DS", "K", True, id="WEC-04 the mover coexists"),
        pytest.param("AAA", "DO", True, id="WEC-04 both coexist"),
        pytest.param("K", "SU", True, id="WEC-04 Sub"),
        pytest.param("K", "CH", True, id="WEC-04 Chopper"),
        pytest.param("K", "JE", False, id="WEC-04 the Jet is not in the list"),
    ],
)
def test_wec_04_sharing(mover: str, stands: str, shares: bool) -> None:
    now = state([piece(mover, 5, 5), piece(stands, 5, 6, hand="left")])
    assert ((5, 6) in ends(now, public(1))) is shares
    if not shares:
        assert refused(now, Move(public(1), square_route((5, 6)))) == "WEC-04"


def test_wec_03_no_third_piece() -> None:
    now = state([piece("DS", 5, 5), piece("DO", 5, 6), piece("K", 5, 6)])
    assert (5, 6) not in ends(now, public(1))
    assert refused(now, Move(public(1), square_route((5, 6)))) == "WEC-04"


def test_wec_58_nothing_enters_a_shared_cell() -> None:
    now = state([piece("K", 5, 5), piece("DS", 5, 6), piece("FP", 5, 6, WHITE)])
    assert (5, 6) not in ends(now, public(1))
    assert refused(now, Move(public(1), square_route((5, 6)))) == "WEC-04"


def test_wec_40_a_loaded_carrier_needs_a_cell_without_own_pieces() -> None:
    now = state([piece("SU", 5, 5), piece("K", 5, 5), piece("DS", 5, 6)])
    assert (5, 6) in ends(now, public(1))
    assert (5, 6) not in ends(now, public(1), passenger=public(2))
    assert refused(now, Move(public(1), square_route((5, 6)), public(2))) == "WEC-04"


def queen_ways(now: State, end: tuple[int, int]) -> list[tuple[int, ...]]:
    return [move.route for move in moves(now, BLACK) if move.route[-1] == cell(*end)]


def test_wec_40_of_two_equally_long_paths_the_one_listed_first() -> None:
    """(8,4) is seven steps from (1,1) by the right tank path and by the left cleric path."""
    tank = square_route((2, 1), (3, 1), (4, 1), (5, 1), (6, 2), (7, 3), (8, 4))
    cleric = square_route((2, 2), (3, 3), (4, 4), (5, 5), (6, 6), (7, 5), (8, 4))
    free = state([piece("Q", 1, 1)])
    assert queen_ways(free, (8, 4)) == [tank]
    assert refused(free, Move(public(1), cleric)) == "WEC-40"
    GAME.legal(GAME.public(free), BLACK, Move(public(1), cleric))
    assert queen_ways(state([piece("Q", 1, 1), piece("K", 3, 1)]), (8, 4)) == [cleric]


def test_wec_40_of_several_free_paths_the_one_with_fewest_steps() -> None:
    """Six steps by the tank zig-zag from (5,2) to (5,8), eight by the cleric spiral."""
    options = {"movement": "mass_destruction", "queen_tank_range": 8, "queen_cleric_range": 8}
    zigzag = square_route((6, 3), (5, 4), (4, 5), (5, 6), (6, 7), (5, 8))
    spiral = square_route((6, 1), (7, 2), (8, 3), (8, 4), (8, 5), (7, 6), (6, 7), (5, 8))
    assert queen_ways(state([piece("Q", 5, 2)], options=options), (5, 8)) == [zigzag]
    barred = state([piece("Q", 5, 2), piece("K", 5, 4)], options=options)
    assert queen_ways(barred, (5, 8)) == [spiral]


def test_wec_01_white_moves_the_other_way() -> None:
    now = state([piece("FP", 9, 5, WHITE), piece("K", 1, 1)], side=WHITE)
    assert ends(now, public(1), WHITE) == {(8, 4), (8, 6)}


# -- WEC-41, WEC-42: taking ------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["DO", "DS", "AAA", "SU"])
def test_wec_41_non_combat_movers_do_not_enter_seen_enemies(kind: str) -> None:
    now = state([piece(kind, 5, 5), piece("FP", 6, 5, WHITE)])
    assert (6, 5) not in ends(now, public(1))
    assert refused(now, Move(public(1), square_route((6, 5)))) == "WEC-41"


@pytest.mark.parametrize("kind", ["K", "Q", "TA"])
def test_wec_41_combat_movers_take_all_of_them(kind: str) -> None:
    now = state(
        [
            piece(kind, 5, 5, hand="left"),
            piece("FP", 6, 5, WHITE),
            piece("AAA", 6, 5, WHITE, handle=7),
            AWAY,
        ]
    )
    after, events = run(now, BLACK, Move(public(1), square_route((6, 5))))
    assert [p.kind for p in after.pieces if p.side == WHITE] == ["K"]
    assert where(after, 1) == cell(6, 5)
    assert len(of(events, Changed, cause="taken")) == 2


def test_wec_41_a_jet_does_not_take() -> None:
    now = state([piece("JE", 5, 5, level=AIR), piece("CH", 6, 5, WHITE, AIR, hand="left")])
    assert (6, 5) not in ends(now, public(1), level=AIR)


@pytest.mark.parametrize(
    ("route", "taken"),
    [
        pytest.param([(6, 5, AIR)], True, id="one square takes"),
        pytest.param([(5, 5)], True, id="landing takes"),
        pytest.param([(4, 5, AIR), (3, 5, AIR)], False, id="two squares do not"),
    ],
)
def test_wec_41_sub_jet_combat(route: list[tuple[int, ...]], taken: bool) -> None:
    options = {"movement": "standard", "action_constraint": "move_only", "sub_jet_combat": True}
    now = state(
        [
            piece("JE", 5, 5, level=AIR),
            piece("JE", 1, 1, WHITE, cell=cell(*route[-1])),
        ],
        options=options,
    )
    move = Move(public(1), tuple(cell(*at) for at in route))
    assert (move in list(moves(now, BLACK))) is taken


def test_wec_41_sub_takes_with_the_option_but_not_loaded() -> None:
    options = {"movement": "standard", "action_constraint": "move_only", "sub_jet_combat": True}
    now = state([piece("SU", 5, 5), piece("K", 5, 5), piece("FP", 6, 5, WHITE)], options=options)
    assert (6, 5) in ends(now, public(1))
    assert (6, 5) not in ends(now, public(1), passenger=public(2))
    assert refused(now, Move(public(1), square_route((6, 5)), public(2))) == "WEC-41"


def test_wec_42_a_pawn_takes_only_as_drawn() -> None:
    now = state([piece("FP", 5, 5), piece("RP", 6, 5, WHITE), piece("RP", 6, 4, WHITE)])
    assert ends(now, public(1)) == {(6, 5), (6, 6)}
    assert refused(now, Move(public(1), square_route((6, 4)))) == "WEC-41"
    assert refused(now, Move(public(1), square_route((5, 6)))) == "WEC-42"


def test_wec_42_two_squares_from_the_origin_alone() -> None:
    now = state([piece("FP", 2, 5, unmoved=True), piece("RP", 3, 4), AWAY])
    assert ends(now, public(1)) == {(3, 6), (4, 7)}
    after, _ = run(now, BLACK, Move(public(1), square_route((3, 6))))
    moved = find(after, BLACK, public(1))
    assert moved is not None
    assert not moved.unmoved


# -- WEC-45, WEC-46: carrying ----------------------------------------------------------------


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


# -- WEC-49: collisions ----------------------------------------------------------------------


def shadow(kind: str, row: int, column: int, side: int = WHITE, level: int = GROUND) -> Piece:
    """An unseen piece."""
    return piece(kind, row, column, side, level, hidden=True, gear=["SH"])


def test_wec_49_stops_at_the_first_unseen_piece_and_takes_it() -> None:
    now = state([piece("TA", 1, 1, hand="right"), shadow("FP", 3, 1), shadow("RP", 4, 1), AWAY])
    after, events = run(now, BLACK, Move(public(1), square_route((2, 1), (3, 1), (4, 1))))
    assert where(after, 1) == cell(3, 1)
    assert [p.kind for p in after.pieces if p.side == WHITE] == ["RP", "K"]
    assert [e.cause for e in of(events, Changed)] == ["shown", "moves", "taken"]
    assert [(one.square, one.gear.kind) for one in after.lying] == [(cell(3, 1), "SH")]


@pytest.mark.parametrize("kind", ["DO", "DS", "AAA", "SU", "K", "FP"])
def test_wec_49_any_mover_takes_what_it_meets(kind: str) -> None:
    """A quiet pawn move meets it too: (6,6) is no square where a pawn attacks."""
    now = state([piece(kind, 5, 5), shadow("Q", 6, 6), AWAY])
    after, _ = run(now, BLACK, Move(public(1), square_route((6, 6))))
    assert where(after, 1) == cell(6, 6)
    assert [p.kind for p in after.pieces if p.side == WHITE] == ["K"]


def test_wec_49_the_passenger_stops_with_its_carrier() -> None:
    now = state(
        [
            piece("CH", 5, 5, hand="right"),
            piece("Q", 5, 5),
            piece("JE", 6, 6, WHITE, AIR, hidden=True, gear=["SH"]),
            AWAY,
        ]
    )
    route = (cell(5, 5, AIR), cell(6, 6, AIR), cell(7, 7, AIR), cell(7, 7))
    after, _ = run(now, BLACK, Move(public(1), route, public(2)))
    assert (where(after, 1), where(after, 2)) == (cell(6, 6, AIR), cell(6, 6, AIR))


def test_wec_49_seen_and_unseen_in_the_end_cell_are_both_taken() -> None:
    now = state([piece("K", 5, 5), piece("FP", 6, 5, WHITE), shadow("AAA", 6, 5), AWAY])
    after, events = run(now, BLACK, Move(public(1), square_route((6, 5))))
    assert [p.kind for p in after.pieces if p.side == WHITE] == ["K"]
    assert len(of(events, Changed, cause="taken")) == 2


def test_wec_49_a_pawn_attacks_what_only_its_own_side_sees() -> None:
    hidden = piece("SU", 6, 5, WHITE, hidden=True)
    now = state([piece("FP", 5, 5), hidden, AWAY], secrets=(Secret(sighted=(hidden,)), Secret()))
    move = Move(public(1), square_route((6, 5)))
    assert move in list(moves(now, BLACK))
    GAME.legal(GAME.public(now), BLACK, move)
    after, _ = run(now, BLACK, move)
    assert where(after, 1) == cell(6, 5)
    assert [p.kind for p in after.pieces if p.side == WHITE] == ["K"]
    secret = after.secrets[BLACK]
    assert secret is not None
    assert secret.sighted == ()


def test_wec_99_a_seen_enemy_blocks_the_path_of_its_detectors_side() -> None:
    hidden = piece("SU", 3, 1, WHITE, hidden=True)
    now = state(
        [piece("TA", 1, 1, hand="right"), hidden, AWAY],
        secrets=(Secret(sighted=(hidden,)), Secret()),
    )
    assert {(3, 1), (4, 1)} & ends(now, public(1)) == {(3, 1)}


# -- veiled Moves ----------------------------------------------------------------------------


def forms(now: State, action: Move) -> list[Form]:
    """The forms of the probes of an action, in order."""
    return [probe.form for probe in play(now, action).probes]


def test_wec_97_an_unseen_mover_asks_blindly_and_stays_unseen() -> None:
    now = state([piece("TA", 1, 1, hand="right", hidden=True, gear=["SH"]), AWAY])
    move = Move(unseen(1, 1), square_route((2, 1), (3, 1)))
    assert GAME.split(now, BLACK, move) == (None, move)
    assert forms(now, move) == [Form.OCCUPIED]
    after, events = run(now, BLACK, move)
    assert all(event.only == (BLACK,) for event in events)
    assert GAME.public(after) == GAME.public(now)
    assert find(after, BLACK, unseen(3, 1)) is not None


def test_wec_97_a_piece_that_takes_stays_unseen() -> None:
    now = state(
        [
            piece("TA", 1, 1, hand="right", hidden=True, gear=["SH"]),
            piece("FP", 3, 1, WHITE),
            shadow("AAA", 3, 1),
            AWAY,
        ]
    )
    move = Move(unseen(1, 1), square_route((2, 1), (3, 1)))
    assert forms(now, move) == [Form.OCCUPIED, Form.SHOW]
    after, events = run(now, BLACK, move)
    taker = find(after, BLACK, unseen(3, 1))
    assert taker is not None
    assert taker.handle == 0
    taken = of(events, Changed, cause="taken")
    assert len(taken) == 2
    assert all(event.only == () for event in taken)
    assert all(event.only == (BLACK,) for event in of(events, Changed, cause="moves"))


def test_wec_46_an_unseen_passenger_is_the_secret_part() -> None:
    now = state([piece("CH", 5, 5, hand="right"), shadow("AAA", 5, 5, BLACK), AWAY])
    route = (cell(5, 5, AIR), cell(6, 6, AIR), cell(7, 7, AIR))
    move = Move(public(1), route, unseen(5, 5))
    assert GAME.split(now, BLACK, move) == (Move(public(1), route), move)
    empty = Move(public(1), route)
    assert GAME.split(now, BLACK, empty) == (empty, empty)
    after, events = run(now, BLACK, move)
    (carried,) = of(events, Changed, cause="carried")
    assert carried.only == (BLACK,)
    assert find(after, BLACK, unseen(7, 7, AIR)) is not None
    GAME.legal(GAME.public(now), BLACK, Move(public(1), route))


def test_wec_46_of_two_subs_alike_and_unseen_one_carries_the_other() -> None:
    twins = [piece("SU", 5, 5, level=SUB, hidden=True) for _ in range(2)]
    now = state([*twins, AWAY])
    move = Move(unseen(5, 5, SUB), (cell(5, 6, SUB),), unseen(5, 5, SUB, 1))
    assert move in list(moves(now, BLACK))
    after, _ = run(now, BLACK, move)
    assert [p.cell for p in after.pieces if p.side == BLACK] == [cell(5, 6, SUB)] * 2


def test_wec_46_a_public_passenger_leaves_nothing_secret() -> None:
    now = state([piece("SU", 5, 5), piece("K", 5, 5)])
    move = Move(public(1), (cell(5, 6),), public(2))
    assert GAME.split(now, BLACK, move) == (move, None)
    tank = state([piece("TA", 5, 5, hand="left")])
    assert GAME.split(tank, BLACK, Move(public(1), (cell(5, 6),)))[1] is None


# -- who may move ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "options", "rule"),
    [
        pytest.param({"stunned": 6}, {}, "WEC-56", id="WEC-56 stunned"),
        pytest.param(
            {"flight": Flight("JP", 0, 1, 5), "gear": (Gear("JP"),)}, {}, "WEC-71",
            id="WEC-71 in flight",
        ),
        pytest.param(
            {"acted": 5}, {"action_constraint": "one_per_piece"}, "WEC-16", id="WEC-16 used up"
        ),
    ],
)  # fmt: skip
def test_who_may_not_move(fields: dict[str, Any], options: dict[str, Any], rule: str) -> None:
    now = state([piece("K", 5, 5, **fields)], turn=5, options=options)
    assert list(moves(now, BLACK)) == []
    assert refused(now, Move(public(1), square_route((6, 5)))) == rule


def test_wec_56_the_count_is_over() -> None:
    now = state([piece("K", 5, 5, stunned=5, acted=4)], turn=5)
    assert len(ends(now, public(1))) == 8


@pytest.mark.parametrize("veiled", [False, True])
def test_wec_11_one_move_a_turn(veiled: bool) -> None:
    spent = Spent(move=1)
    now = state(
        [piece("K", 5, 5)],
        spent=Spent() if veiled else spent,
        secrets=(Secret(spent=spent if veiled else Spent()), Secret()),
    )
    assert refused(now, Move(public(1), square_route((6, 5)))) == "WEC-11"


def test_wec_10_not_in_the_others_turn() -> None:
    now = state([piece("K", 5, 5), AWAY], side=WHITE)
    assert refused(now, Move(public(1), square_route((6, 5)))) == "WEC-10"
    assert GAME.to_act(now) == (WHITE,)


def test_wec_11_not_with_an_enemy_piece_or_none() -> None:
    now = state([piece("K", 5, 5), AWAY])
    for ref in (public(2), public(9), unseen(5, 5)):
        assert refused(now, Move(ref, square_route((6, 5)))) == "WEC-11"


def test_wec_40_other_ways_are_refused() -> None:
    now = state([piece("K", 5, 5), piece("K", 8, 8, level=AIR)])
    assert refused(now, Move(public(1), square_route((7, 5)))) == "WEC-40"
    assert refused(now, Move(public(2), (cell(8, 9, AIR),))) == "WEC-40"


def test_wec_11_what_is_spent_is_known_to_whom_it_may_be() -> None:
    seen = state([piece("K", 5, 5), AWAY])
    after, events = run(seen, BLACK, Move(public(1), square_route((6, 5))))
    assert [event.only for event in of(events, SpentOne)] == [()]
    assert after.spent == Spent(move=1)
    hidden = state([shadow("K", 5, 5, BLACK), AWAY])
    after, events = run(hidden, BLACK, Move(unseen(5, 5), square_route((6, 5))))
    assert after.spent == Spent()
    secret = after.secrets[BLACK]
    assert secret is not None
    assert secret.spent == Spent(move=1)


# -- the bike --------------------------------------------------------------------------------


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


# -- what every machine checks ---------------------------------------------------------------


def test_the_public_state_checks_only_what_is_public() -> None:
    """An own unseen piece on the way is the mover's own affair, a public one everyone's."""
    hidden = state([piece("TA", 1, 1, hand="right"), shadow("K", 3, 1, BLACK), AWAY])
    move = Move(public(1), square_route((2, 1), (3, 1), (4, 1)))
    assert refused(hidden, move) == "WEC-40"
    GAME.legal(GAME.public(hidden), BLACK, move)
    shown = state([piece("TA", 1, 1, hand="right"), piece("K", 3, 1), AWAY])
    with pytest.raises(IllegalAction):
        GAME.legal(GAME.public(shown), BLACK, move)
