"""Meeting the unseen, and being unseen on the move (WEC-49, WEC-97, WEC-99)."""

from __future__ import annotations

import pytest

from cloakboard.engine.probes import Form
from cloakboard.engine.wec import GAME
from cloakboard.engine.wec.actions import Move
from cloakboard.engine.wec.board import find
from cloakboard.engine.wec.events import Changed
from cloakboard.engine.wec.rules.moving import moves
from cloakboard.engine.wec.state import (
    AIR,
    BLACK,
    SUB,
    WHITE,
    Secret,
    State,
)
from tests.engine.wec.build import cell, of, piece, public, run, state, unseen, where
from tests.engine.wec.checked import play
from tests.engine.wec.ways import AWAY, ends, shadow, square_route


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
