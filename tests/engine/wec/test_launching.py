"""Launchers and the limited rocket, case by case (WEC-59, WEC-61, WEC-99)."""

from __future__ import annotations

from typing import Any

import pytest

from cloakboard.engine.errors import IllegalAction
from cloakboard.engine.wec import GAME
from cloakboard.engine.wec.actions import Blast, EndTurn, Launch, LimitedRocket
from cloakboard.engine.wec.events import Flew
from cloakboard.engine.wec.state import (
    AIR,
    BLACK,
    GROUND,
    SUB,
    WHITE,
    Gear,
    Piece,
    Projectile,
    Secret,
    Spent,
    State,
    square_at,
)
from tests.engine.wec.build import cell, of, piece, public, state, unseen
from tests.engine.wec.checked import Played, play

AHEAD, RIGHT, BACK = 0, 2, 4


HIDDEN = {"own": (BLACK,), "enemy": (WHITE,), "both": (BLACK, WHITE), "none": ()}


def by_handle(now: State, handle: int) -> Piece | None:
    return next((one for one in now.pieces if one.handle == handle), None)


def shots(played: Played) -> list[Projectile]:
    return [event.after for event in of(played.events, Flew)]


LAUNCHED: list[Any] = [
    ("rocket from Air", piece("JE", 5, 5, level=AIR, gear=["RL"]), "RL", "R", 1),
    ("SAM from Ground", piece("AAA", 5, 5), "SL", "S", 1),
    ("torpedo from Ground", piece("DS", 5, 5), "TL", "T", 1),
    ("strength 2", piece("DS", 5, 5, gear=["TL"]), "TL", "T", 2),
]


@pytest.mark.parametrize(
    ("firer", "weapon", "kind", "strength"),
    [r[1:] for r in LAUNCHED],
    ids=[f"WEC-59 {r[0]}" for r in LAUNCHED],
)
def test_launch(firer: Piece, weapon: str, kind: str, strength: int) -> None:
    played = play(state([firer], next_shot=4), Launch(public(1), weapon, RIGHT))
    square = square_at(5, 5)
    assert shots(played) == [Projectile(4 + n, kind, BLACK, square, RIGHT) for n in range(strength)]
    assert played.after.next_shot == 4 + strength


HOME: list[Any] = [
    # target, its distance and level, weapon -> rule or None
    ("SAM at Air", ("JE", 8, AIR), "SL", None),
    ("too far", ("JE", 9, AIR), "SL", "WEC-59"),
    ("in the firer's own square", ("JE", 5, AIR), "SL", None),
    ("SAM at Ground", ("RP", 6, GROUND), "SL", "WEC-59"),
    ("torpedo at Sub", ("SU", 8, SUB), "TL", None),
    ("torpedo at Air", ("JE", 6, AIR), "TL", "WEC-59"),
    ("a rocket does not home", ("RP", 6, GROUND), "RL", "WEC-59"),
]


@pytest.mark.parametrize("side", [WHITE, BLACK])
@pytest.mark.parametrize(
    ("target", "weapon", "rule"), [r[1:] for r in HOME], ids=[f"WEC-59 {r[0]}" for r in HOME]
)
def test_homing(target: Any, weapon: str, rule: str | None, side: int) -> None:
    kind, row, level = target
    firer = piece("K", 5, 5, gear=["RL", "SL", "TL"])
    before = state([firer, piece(kind, row, 5, side, level=level)])
    action = Launch(public(1), weapon, -1, 2, cell(row, 5, level), kind)
    if rule is None and side == WHITE:
        assert action in list(GAME.actions(before, BLACK))
        played = play(before, action)
        place = square_at(5, 5)
        assert shots(played) == [
            Projectile(1, weapon[0], BLACK, place, -1, True, WHITE, action.target_cell)
        ]
        followed = by_handle(played.after, 2)
        assert followed is not None
        assert followed.chased == (1,)
    else:  # friends are never homed on
        with pytest.raises(IllegalAction) as refusal:
            GAME.legal(before, BLACK, action)
        assert refusal.value.rule == "WEC-59"


SIGHTED = piece("SU", 7, 5, WHITE, level=SUB, hidden=True)


def sighting(*seen: Piece) -> tuple[Secret, ...]:
    return Secret(sighted=seen), Secret()


def test_wec_99_homing_on_a_privately_seen_enemy_marks_it_and_keeps_it_unseen() -> None:
    before = state([piece("DS", 5, 5), SIGHTED], secrets=sighting(SIGHTED))
    action = Launch(public(1), "TL", -1, 0, SIGHTED.cell, "SU")
    assert action in list(GAME.actions(before, BLACK))
    after = play(before, action).after
    (target,) = [one for one in after.pieces if one.kind == "SU"]
    assert (target.handle, target.chased) == (0, (1,))
    assert GAME.public(after).projectiles[0].target_cell == SIGHTED.cell  # WEC-60


def test_wec_59_what_the_seat_does_not_see_is_no_target() -> None:
    before = state([piece("DS", 5, 5), SIGHTED])
    action = Launch(public(1), "TL", -1, 0, SIGHTED.cell, "SU")
    with pytest.raises(IllegalAction) as refusal:
        GAME.legal(before, BLACK, action)
    assert refusal.value.rule == "WEC-59"
    # Whether it sees one is not for others to check.
    GAME.legal(GAME.public(before), BLACK, action)


def test_wec_59_a_direction_or_a_target() -> None:
    before = state([piece("DS", 5, 5), piece("SU", 7, 5, WHITE, level=SUB)])
    for action in (
        Launch(public(1), "TL", AHEAD, 2, cell(7, 5, SUB), "SU"),
        Launch(public(1), "TL", -1),
        Launch(public(1), "TL", -2),
        Launch(public(1), "TL", -1, 2, cell(7, 5, SUB), "JE"),
    ):
        with pytest.raises(IllegalAction):
            GAME.legal(before, BLACK, action)


# -- limited rocket -------------------------------------------------------------------------

ROCKET: list[Any] = [
    ("directly over", piece("JE", 5, 5, level=AIR), (5, 5), {}, None),
    ("directly under", piece("SU", 5, 5, level=SUB), (5, 5), {}, None),
    ("the next square", piece("JE", 5, 6, level=AIR), (5, 5), {}, "WEC-61"),
    ("within its range", piece("JE", 5, 7, level=AIR), (5, 5), {"jet_rocket_range": 2}, None),
    ("beyond it", piece("JE", 5, 8, level=AIR), (5, 5), {"jet_rocket_range": 2}, "WEC-61"),
    ("no seen enemy", piece("JE", 6, 6, level=AIR), (6, 6), {}, "WEC-61"),
    ("cooling", piece("JE", 5, 5, level=AIR, own_ready=(0, 9)), (5, 5), {}, "WEC-53"),
]


@pytest.mark.parametrize(
    ("firer", "square", "options", "rule"),
    [r[1:] for r in ROCKET],
    ids=[f"WEC-61 {r[0]}" for r in ROCKET],
)
def test_limited_rocket(firer: Piece, square: Any, options: Any, rule: str | None) -> None:
    before = state([firer, piece("STP", 5, 5, WHITE)], options=options)
    action = LimitedRocket(public(1), square_at(*square))
    assert (action in list(GAME.actions(before, BLACK))) is (rule is None)
    if rule is None:
        played = play(before, action)
        assert ("rocket", 2) in played.causes()
        assert not of(played.events, Flew)
    else:
        with pytest.raises(IllegalAction) as refusal:
            GAME.legal(before, BLACK, action)
        assert refusal.value.rule == rule


def test_wec_61_rocket_launchers_carried_fire_with_it() -> None:
    # Two hits exceed one anti-rocket; both weapons cool down.
    jet = piece("JE", 5, 5, level=AIR, gear=["RL"])
    before = state([jet, piece("RP", 5, 5, WHITE)], turn=3)
    after = play(before, LimitedRocket(public(1), square_at(5, 5))).after
    (left,) = after.pieces
    assert (left.kind, left.own_ready, left.gear) == ("JE", (0, 7), (Gear("RL", 7),))


def test_wec_61_the_firer_is_hit_if_it_stands_there() -> None:
    # An opposed pair at Ground (WEC-58).
    before = state([piece("JE", 5, 5), piece("STP", 5, 5, WHITE)])
    assert play(before, LimitedRocket(public(1), square_at(5, 5))).after.pieces == ()


@pytest.mark.parametrize("where", HIDDEN)
def test_wec_61_unseen_pieces_of_the_square_are_hit(where: str) -> None:
    enemies = [piece("DO", 5, 5, WHITE)]
    if where in ("enemy", "both"):
        enemies.append(piece("AAA", 5, 5, WHITE, hidden=True))
    jet = piece("JE", 5, 5, level=AIR, gear=["SH"], hidden=where in ("own", "both"))
    shooter = unseen(5, 5, AIR) if jet.handle == 0 else public(1)
    played = play(state([jet, *enemies]), LimitedRocket(shooter, square_at(5, 5)))
    assert [one.kind for one in played.after.pieces] == ["JE"]
    assert played.after.pieces[0].handle


def test_wec_17_nothing_of_it_outlasts_the_turn() -> None:
    before = state(
        [piece("FP", 5, 5), piece("FP", 6, 5, WHITE), piece("K", 1, 1), piece("K", 10, 10, WHITE)],
        spent=Spent(move=1),
    )
    once = play(before, Blast(public(1), "FL", AHEAD)).after
    hit = by_handle(once, 2)
    assert hit is not None
    assert hit.hits == (("FL", 1),)
    ended = play(once, EndTurn()).after
    hit = by_handle(ended, 2)
    assert hit is not None
    assert hit.hits == ()
