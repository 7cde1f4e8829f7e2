"""Ending the Turn, WEC-12, WEC-14, WEC-17, WEC-80."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from cloakboard.engine.errors import IllegalAction
from cloakboard.engine.wec import GAME
from cloakboard.engine.wec.actions import Blast, EndTurn, Move
from cloakboard.engine.wec.events import Lapsed, Sighted, TurnEnded, Won
from cloakboard.engine.wec.state import (
    BLACK,
    WHITE,
    Arming,
    Projectile,
    Reserve,
    Secret,
    Spent,
    State,
    square_at,
)
from tests.engine.wec.build import KINGS, cell, of, piece, public, state, unseen
from tests.engine.wec.checked import play

MAY_END: list[Any] = [
    ("the Move is to be made", {}, KINGS, False),
    ("it is made", {"spent": Spent(move=1)}, KINGS, True),
    ("it is made unseen", {"secrets": (Secret(spent=Spent(move=1)), Secret())}, KINGS, True),
    ("no Move exists", {}, (piece("K", 1, 1, stunned=9), KINGS[1]), True),
    ("no piece is left", {}, KINGS[1:], True),
    (
        "a doze exists",
        {},
        (piece("DO", 5, 5), piece("K", 5, 5, stunned=9), KINGS[1]),
        False,
    ),
]


@pytest.mark.parametrize(
    ("fields", "pieces", "may"), [r[1:] for r in MAY_END], ids=[f"WEC-12 {r[0]}" for r in MAY_END]
)
def test_ending_waits_for_the_move(fields: Any, pieces: Any, may: bool) -> None:
    before = state(pieces, **fields)
    assert (EndTurn() in list(GAME.actions(before, BLACK))) is may
    if may:
        play(before, EndTurn())
        return
    with pytest.raises(IllegalAction) as refusal:
        GAME.legal(before, BLACK, EndTurn())
    assert refusal.value.rule == "WEC-12"
    GAME.legal(GAME.public(before), BLACK, EndTurn())  # others cannot tell


def moved(now: State) -> State:
    return replace(now, spent=Spent(move=1))


def test_wec_10_sides_alternate_and_allowances_are_renewed() -> None:
    before = state(
        KINGS, turn=3, spent=Spent(move=1, fires=2), secrets=(Secret(spent=Spent(drop=1)), Secret())
    )
    after = play(before, EndTurn()).after
    assert (after.turn, after.side, after.spent) == (4, WHITE, Spent())
    assert after.secrets == (Secret(), Secret())
    assert GAME.to_act(after) == (WHITE,)
    assert GAME.turn(after) == 3


def test_wec_17_order() -> None:
    # A rocket hits first; hits are cleared, the Turn number rises; then sight is settled.
    before = state(
        [*KINGS, piece("RP", 6, 5, WHITE), piece("AAA", 3, 3)],
        projectiles=(Projectile(1, "R", BLACK, square_at(5, 5), 0),),
        next_shot=2,
        spent=Spent(move=1),
    )
    played = play(before, EndTurn())
    order = [type(event).__name__ for event in played.events]
    assert order == ["Flew", "Changed", "TurnEnded", "Lapsed", "Sighted", "Sighted"]
    assert all(one.hits == () for one in played.after.pieces)


def test_wec_17_once_the_result_is_settled_the_rest_is_left_out() -> None:
    before = state(
        [*KINGS, piece("AAA", 3, 3)],
        projectiles=(
            Projectile(1, "R", BLACK, square_at(9, 10), 0),
            Projectile(2, "R", BLACK, square_at(9, 9), 1),
        ),
        next_shot=3,
        spent=Spent(move=1),
    )
    played = play(before, EndTurn())
    assert of(played.events, Won) == [Won(side=BLACK)]
    assert not of(played.events, TurnEnded)
    assert not of(played.events, Lapsed)
    assert not of(played.events, Sighted)
    assert list(GAME.actions(played.after, BLACK)) == []


@pytest.mark.parametrize("side", [BLACK, WHITE])
def test_wec_14_a_projectile_may_cost_its_owner_the_game(side: int) -> None:
    # Both kings fall to rockets at the end of a Turn: the side whose Turn it is loses.
    before = state(
        [piece("K", 1, 1), piece("K", 10, 10, WHITE)],
        projectiles=(
            Projectile(1, "R", BLACK, square_at(2, 1), 4),
            Projectile(2, "R", BLACK, square_at(2, 2), 5),
            Projectile(3, "R", BLACK, square_at(9, 10), 0),
            Projectile(4, "R", BLACK, square_at(9, 9), 1),
        ),
        next_shot=5,
        side=side,
        spent=Spent(move=1),
    )
    after = play(before, EndTurn()).after
    assert after.winner == 1 - side


# -- arming ---------------------------------------------------------------------------------

HERE = square_at(8, 4)
RESERVES = (Reserve(BLACK, HERE, "DO"), Reserve(BLACK, HERE, "SU"), Reserve(WHITE, 20, "JE"))
ARMED: list[Any] = [
    # piece, was armed -> armed afterwards
    ("a piece at Ground", piece("RP", 8, 4), (), (Arming(HERE),)),
    ("an unseen piece", piece("AAA", 8, 4, hidden=True), (), (Arming(HERE),)),
    ("a piece above", piece("JE", 8, 4, level=1), (), ()),
    ("an enemy", piece("RP", 8, 4, WHITE), (), ()),
    ("a square where nothing waits", piece("RP", 8, 5), (), ()),
    ("armed before, left since", piece("RP", 8, 4), (Arming(HERE, True),), (Arming(HERE, True),)),
    ("it stays armed", piece("RP", 9, 4), (Arming(HERE),), (Arming(HERE),)),
]


@pytest.mark.parametrize("side", [BLACK, WHITE])
@pytest.mark.parametrize(
    ("one", "armed", "after"), [r[1:] for r in ARMED], ids=[f"WEC-80 {r[0]}" for r in ARMED]
)
def test_squares_are_armed_at_the_end_of_any_turn(
    one: Any, armed: Any, after: Any, side: int
) -> None:
    before = state(
        [*KINGS, one],
        reserves=RESERVES,
        side=side,
        spent=Spent(move=1),
        secrets=(Secret(armed=armed), Secret()),
    )
    ended = play(before, EndTurn()).after
    assert ended.secrets[BLACK] == Secret(armed=after)
    assert ended.secrets[WHITE] == Secret()


@pytest.mark.parametrize("hidden", [False, True])
def test_wec_80_moving_off_an_armed_square_is_noted(hidden: bool) -> None:
    leaver = piece("TA", 8, 4, gear=["SH"], hand="left", hidden=hidden)
    before = state(
        [*KINGS, leaver], reserves=RESERVES, secrets=(Secret(armed=(Arming(HERE),)), Secret())
    )
    ref = unseen(8, 4) if hidden else public(3)
    after = play(before, Move(ref, (cell(9, 4),))).after
    secret = after.secrets[BLACK]
    assert secret is not None
    assert secret.armed == (Arming(HERE, True),)


def test_wec_80_a_piece_lost_there_does_not_count() -> None:
    before = state(
        [*KINGS, piece("STP", 8, 4), piece("FP", 9, 4, WHITE)],
        reserves=RESERVES,
        side=WHITE,
        secrets=(Secret(armed=(Arming(HERE),)), Secret()),
    )
    after = play(before, Blast(public(4), "FL", 0)).after
    assert after.secrets[BLACK] == Secret(armed=(Arming(HERE),))


def test_wec_12_turns_go_on() -> None:
    now = state(KINGS)
    for turn in range(1, 6):
        assert now.turn == turn
        now = play(moved(now), EndTurn()).after
    assert now.side == WHITE
