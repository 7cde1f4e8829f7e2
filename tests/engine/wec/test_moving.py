"""The Move, case by case (WEC-40 to WEC-42)."""

from __future__ import annotations

from typing import Any

import pytest

from cloakboard.engine.errors import IllegalAction
from cloakboard.engine.wec import GAME
from cloakboard.engine.wec.actions import Move
from cloakboard.engine.wec.board import find
from cloakboard.engine.wec.events import Changed, SpentOne
from cloakboard.engine.wec.rules.moving import moves
from cloakboard.engine.wec.state import (
    AIR,
    BLACK,
    WHITE,
    Flight,
    Gear,
    Secret,
    Spent,
    State,
)
from tests.engine.wec.build import cell, of, piece, public, run, state, unseen, where
from tests.engine.wec.ways import AWAY, ends, refused, shadow, square_route

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
