"""Weapons, WEC-50 to WEC-61."""

from __future__ import annotations

from typing import Any

import pytest

from cloakboard.engine.errors import IllegalAction
from cloakboard.engine.events import Event
from cloakboard.engine.wec import GAME
from cloakboard.engine.wec.actions import Blast, Launch, LimitedRocket
from cloakboard.engine.wec.events import SpentOne
from cloakboard.engine.wec.probes import Path
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
    square_at,
)
from tests.engine.wec.build import cell, of, piece, public, state, unseen
from tests.engine.wec.checked import play

AHEAD, RIGHT, BACK = 0, 2, 4


def by_handle(now: State, handle: int) -> Piece | None:
    return next((one for one in now.pieces if one.handle == handle), None)


# -- who may fire ---------------------------------------------------------------------------

REFUSED: list[Any] = [
    ("WEC-50 no such weapon", {}, Blast(public(1), "CS", AHEAD), "WEC-53"),
    ("WEC-50 off the board", {}, Blast(public(1), "FL", BACK), "WEC-50"),
    ("WEC-50 no such heading", {}, Blast(public(1), "FL", 8), "WEC-50"),
    ("WEC-50 a launcher is no blast", {}, Blast(public(1), "SL", AHEAD), "WEC-50"),
    ("WEC-52 the piece has fired", {"fired": 5}, Blast(public(1), "FL", AHEAD), "WEC-52"),
    ("WEC-53 still cooling", {"own_ready": (6,)}, Blast(public(1), "FL", AHEAD), "WEC-53"),
    ("WEC-56 stunned", {"stunned": 6}, Blast(public(1), "FL", AHEAD), "WEC-56"),
    ("WEC-59 a blast is no launcher", {}, Launch(public(1), "FL", AHEAD), "WEC-59"),
    ("WEC-61 no limited rocket", {}, LimitedRocket(public(1), square_at(1, 1)), "WEC-53"),
]


@pytest.mark.parametrize(
    ("fields", "action", "rule"), [r[1:] for r in REFUSED], ids=[r[0] for r in REFUSED]
)
def test_refused(fields: dict[str, Any], action: Any, rule: str) -> None:
    before = state([piece("TA", 1, 5, hand="left", **fields), piece("K", 9, 9, WHITE)], turn=5)
    with pytest.raises(IllegalAction) as refusal:
        GAME.legal(before, BLACK, action)
    assert refusal.value.rule == rule


@pytest.mark.parametrize(
    ("public_fires", "unseen_fires", "allowed"),
    [(1, 0, True), (0, 1, True), (2, 0, False), (1, 1, False), (0, 2, False)],
)
def test_wec_11_two_fires_a_turn(public_fires: int, unseen_fires: int, allowed: bool) -> None:
    before = state(
        [piece("TA", 1, 5, hand="left")],
        spent=Spent(fires=public_fires),
        secrets=(Secret(spent=Spent(fires=unseen_fires)), Secret()),
    )
    assert (Blast(public(1), "FL", AHEAD) in list(GAME.actions(before, BLACK))) is allowed


def test_wec_52_a_weapon_that_fired_does_not_fire_for_its_next_carrier() -> None:
    # Rates are at least 1, so the count alone keeps the same article from firing twice.
    before = state([piece("K", 1, 5, gear=["FL"]), piece("Q", 1, 6)], options={"rate_flamer": 1})
    after = play(before, Blast(public(1), "FL", AHEAD)).after
    shooter = by_handle(after, 1)
    assert shooter is not None
    assert shooter.gear == (Gear("FL", ready=2),)


@pytest.mark.parametrize("fields", [{"fired": 5}, {"stunned": 6}, {"own_ready": (6, 6)}])
def test_wec_52_no_shot_is_offered_that_would_be_refused(fields: dict[str, Any]) -> None:
    jet = piece("JE", 5, 5, level=AIR, **fields)
    before = state([jet, piece("RP", 5, 5, WHITE)], turn=5)
    offered = list(GAME.actions(before, BLACK))
    assert not [one for one in offered if isinstance(one, Blast | Launch | LimitedRocket)]


def test_wec_71_a_flyer_does_not_fire() -> None:
    flyer = piece("TA", 5, 5, level=AIR, gear=["JP"], flight=Flight("JP", 0, 1, 1))
    before = state([flyer])
    with pytest.raises(IllegalAction) as refusal:
        GAME.legal(before, BLACK, Blast(public(1), "FL", AHEAD))
    assert refusal.value.rule == "WEC-71"


def test_wec_53_counts_begin_for_ready_weapons_only() -> None:
    gunner = piece("STP", 5, 5, gear=[Gear("ST"), Gear("FL")])
    cooling = piece("CH", 5, 5, gear=[Gear("ST", ready=9)], hand="left")
    for firer, ready, gear in (
        (gunner, 12, (Gear("ST", ready=12), Gear("FL"))),  # Turn 10 + rate 2
        (cooling, 12, (Gear("ST", ready=12),)),
    ):
        after = play(state([firer], turn=10), Blast(public(1), "ST", AHEAD)).after
        shot = by_handle(after, 1)
        assert shot is not None
        assert (shot.own_ready, shot.gear, shot.fired) == ((ready,), gear, 10)


RATE: list[Any] = [
    ("FL", "FP", {}, 14),
    ("FL", "FP", {"rate_flamer": 1}, 11),
    ("ST", "STP", {}, 12),
    ("ST", "STP", {"rate_stun": 5}, 15),
    ("CS", "CP", {}, 14),
    ("CS", "CP", {"rate_conversion": 99}, 109),
]


@pytest.mark.parametrize(("weapon", "kind", "options", "ready"), RATE)
def test_wec_53_rate(weapon: str, kind: str, options: dict[str, Any], ready: int) -> None:
    before = state([piece(kind, 5, 5)], turn=10, options=options)
    shot = by_handle(play(before, Blast(public(1), weapon, AHEAD)).after, 1)
    assert shot is not None
    assert shot.own_ready == (ready,)


# -- hits and defences ----------------------------------------------------------------------

STRENGTH: list[Any] = [
    # firer's gear, target, target's gear, hits before, destroyed
    ("WEC-50 one against none", [], "STP", [], (), True),
    ("WEC-50 one against an own defence", [], "FP", [], (), False),
    ("WEC-50 one against a carried defence", [], "STP", ["AFL"], (), False),
    ("WEC-50 another kind of defence", [], "STP", ["AST"], (), True),
    ("WEC-50 two together against one", ["FL"], "FP", [], (), True),
    ("WEC-50 two against two", ["FL"], "FP", ["AFL"], (), False),
    ("WEC-50 a cooling one does not count", [Gear("FL", ready=99)], "FP", [], (), False),
    ("WEC-51 hits of the Turn add up", [], "FP", [], (("FL", 1),), True),
    ("WEC-51 per weapon kind", [], "FP", [], (("RL", 5),), False),
    ("WEC-21 a king is anti-flamer", [], "K", [], (), False),
    ("WEC-21 a president is anti-flamer", [], "PR", [], (), False),
    ("WEC-21 a queen is not", [], "Q", [], (), True),
]


@pytest.mark.parametrize(
    ("gear", "kind", "carried", "hits", "destroyed"),
    [r[1:] for r in STRENGTH],
    ids=[r[0] for r in STRENGTH],
)
def test_strength(gear: Any, kind: str, carried: Any, hits: Any, destroyed: bool) -> None:
    before = state(
        [piece("FP", 5, 5, gear=gear), piece(kind, 6, 5, WHITE, gear=carried, hits=hits)]
    )
    played = play(before, Blast(public(1), "FL", AHEAD))
    target = by_handle(played.after, 2)
    assert (target is None) is destroyed
    if target is not None:
        assert dict(target.hits)["FL"] == dict(hits).get("FL", 0) + 1 + (gear == ["FL"])
        assert ("hit", 2) in played.causes()


def test_wec_54_friend_and_foe_but_conversion_spares_friends() -> None:
    before = state([piece("FP", 5, 5), piece("RP", 6, 5)])
    assert by_handle(play(before, Blast(public(1), "FL", AHEAD)).after, 2) is None
    before = state([piece("CP", 5, 5), piece("RP", 6, 5)])
    friend = by_handle(play(before, Blast(public(1), "CS", AHEAD)).after, 2)
    assert friend is not None
    assert friend.hits == ()


FLAMER: list[Any] = [
    ("range 1", {}, [(6, 5), (7, 5)], GROUND, [False, True]),
    ("range 2", {"flamer_range": 2}, [(6, 5), (7, 5), (8, 5)], GROUND, [False, False, True]),
    ("its level only", {}, [(6, 5)], SUB, [True]),
]


@pytest.mark.parametrize(
    ("options", "squares", "level", "stands"),
    [r[1:] for r in FLAMER],
    ids=[f"WEC-55 {r[0]}" for r in FLAMER],
)
def test_flamer_reach(options: Any, squares: Any, level: int, stands: Any) -> None:
    targets = [piece("STP", square[0], square[1], WHITE, level=level) for square in squares]
    after = play(
        state([piece("FP", 5, 5), *targets], options=options), Blast(public(1), "FL", AHEAD)
    ).after
    assert [by_handle(after, number) is not None for number in range(2, 2 + len(squares))] == stands


def test_wec_01_white_fires_the_other_way() -> None:
    before = state([piece("FP", 5, 5, WHITE), piece("RP", 4, 5)], side=WHITE)
    assert by_handle(play(before, Blast(public(1), "FL", AHEAD)).after, 2) is None


# -- the four places where the hidden piece can be ------------------------------------------

HIDDEN = {"own": (BLACK,), "enemy": (WHITE,), "both": (BLACK, WHITE), "none": ()}


@pytest.mark.parametrize("where", HIDDEN)
def test_wec_55_a_flamer_hits_and_shows_the_unseen(where: str) -> None:
    # Range 2: Black's unseen AAA one square ahead, White's two.
    firer = piece("FP", 5, 5)
    hidden = [piece("AAA", 6 + side, 5, side, hidden=True) for side in HIDDEN[where]]
    played = play(
        state([firer, *hidden], options={"flamer_range": 2}), Blast(public(1), "FL", AHEAD)
    )
    assert played.names() == ["Standing/0", "Standing/1"]
    numbers = range(2, 2 + len(hidden))
    assert played.causes() == [
        ("fires", 1),
        *(("shown", n) for n in numbers),
        *(("burnt", n) for n in numbers),
    ]
    assert [one.kind for one in played.after.pieces] == ["FP"]


STUN: list[Any] = [
    # own unseen at, enemy unseen at, public enemy at -> row hit, or None
    ("none", None, None, None, None),
    ("own unseen first", 6, 8, 9, 6),
    ("enemy unseen first", 8, 6, 9, 6),
    ("public first", 8, 9, 6, 6),
    ("own unseen alone", 10, None, None, 10),
    ("enemy unseen alone", None, 10, None, 10),
    ("enemy unseen right before the public one", None, 8, 9, 8),
    ("enemy unseen right behind the public one", None, 9, 8, 8),
]


@pytest.mark.parametrize("gun", ["public", "unseen"])
@pytest.mark.parametrize(
    ("own", "enemy", "seen", "hit"), [r[1:] for r in STUN], ids=[f"WEC-56 {r[0]}" for r in STUN]
)
def test_stun_gun_hits_the_first_occupied_square(
    gun: str, own: int | None, enemy: int | None, seen: int | None, hit: int | None
) -> None:
    pieces = [piece("STP", 5, 5, gear=["SH"], hidden=gun == "unseen")]
    if own:
        pieces.append(piece("AAA", own, 5, hidden=True))
    if enemy:
        pieces.append(piece("AAA", enemy, 5, WHITE, hidden=True))
    if seen:
        pieces.append(piece("RP", seen, 5, WHITE))
    gunner = public(1) if gun == "public" else unseen(5, 5)
    played = play(state(pieces, turn=10), Blast(gunner, "ST", AHEAD))
    stunned = [one for one in played.after.pieces if one.stunned]
    assert [one.square // 10 + 1 for one in stunned] == ([hit] if hit else [])
    assert all(one.stunned == 14 and one.handle for one in stunned)  # Turns 10 to 13, WEC-56
    # Nothing else came to light.
    still = {(one.side, one.cell) for one in played.after.pieces if not one.handle}
    rows = {(BLACK, own), (WHITE, enemy)} - {(BLACK, None), (WHITE, None)}
    assert still == {(side, cell(row, 5)) for side, row in rows if row and row != hit}
    assert ("Path/1" in played.names()) is (gun == "unseen")


def test_wec_56_an_unseen_gun_asks_no_farther_than_its_side_sees() -> None:
    own = piece("AAA", 8, 5, hidden=True)
    before = state([piece("STP", 5, 5, gear=["SH"], hidden=True), own])
    asked = play(before, Blast(unseen(5, 5), "ST", AHEAD)).probes
    assert [probe.cells for probe in asked if isinstance(probe, Path)] == [
        (cell(6, 5), cell(7, 5), cell(8, 5))
    ]


STUN_LINE: list[Any] = [
    ("nine squares at most", {}, 1, True),
    ("a shorter range", {"stun_range": 8}, 1, False),
]


@pytest.mark.parametrize(
    ("options", "column", "hit"),
    [r[1:] for r in STUN_LINE],
    ids=[f"WEC-56 {r[0]}" for r in STUN_LINE],
)
def test_stun_range(options: Any, column: int, hit: bool) -> None:
    before = state([piece("STP", 1, 1), piece("RP", 10, column, WHITE)], options=options)
    target = by_handle(play(before, Blast(public(1), "ST", AHEAD)).after, 2)
    assert target is not None
    assert bool(target.stunned) is hit


def test_wec_56_every_piece_of_the_square_is_hit() -> None:
    before = state([piece("STP", 5, 5), piece("DO", 7, 5, WHITE), piece("RP", 7, 5, WHITE)])
    after = play(before, Blast(public(1), "ST", AHEAD)).after
    assert sorted(one.kind for one in after.pieces if one.stunned) == ["DO", "RP"]


def test_wec_56_a_claim_past_a_seen_piece_is_refused() -> None:
    before = state([piece("STP", 5, 5), piece("RP", 7, 5, WHITE)])
    resolution = GAME.resolve(before, BLACK, Blast(public(1), "ST", AHEAD))
    now, sent = before, None
    with pytest.raises(IllegalAction) as refusal:  # noqa: PT012 - the generator is driven by hand
        while True:
            step = resolution.send(sent)
            if isinstance(step, Event):
                now = sent = GAME.apply(now, step)
            else:
                sent = 3 if type(step).__name__ == "Reached" else None
    assert refusal.value.rule == "WEC-56"


@pytest.mark.parametrize("where", HIDDEN)
def test_wec_57_conversion_asks_the_enemy_alone(where: str) -> None:
    # An unseen friend is not hit and stays unseen.
    firer = piece("CP", 5, 5)
    own = [piece("AAA", 6, 5, hidden=True)] if where == "own" else []
    enemy = [piece("AAA", 6, 5, WHITE, hidden=True)] if where in ("enemy", "both") else []
    if where == "both":
        own = [piece("AAA", 7, 5, hidden=True)]
    played = play(state([firer, *own, *enemy]), Blast(public(1), "CS", AHEAD))
    assert played.names() == ["Standing/1"]
    assert [one.side for one in played.after.pieces] == [BLACK] * (1 + len(own) + len(enemy))
    assert [one.handle for one in played.after.pieces if one.cell == cell(7, 5)] in ([], [0])
    if enemy:
        assert played.causes() == [("fires", 1), ("shown", 2), ("converted", 2)]


# -- seen when firing -----------------------------------------------------------------------

SEEN: list[Any] = [
    # gear, level, options, seen, shown till
    ("stealthed", ["SH"], GROUND, {}, True),
    ("stealthed, option off", ["SH"], GROUND, {"seen_when_firing_stealth": False}, False),
    ("submerged", [], SUB, {}, True),
    ("submerged, option off", [], SUB, {"seen_when_firing_sub": False}, False),
    ("both, submersion decides", ["SH"], SUB, {"seen_when_firing_stealth": False}, True),
    (
        "both, stealth decides",
        ["SH"],
        SUB,
        {"seen_when_firing_stealth": False, "dominance": "stealth"},
        False,
    ),
]


@pytest.mark.parametrize(
    ("gear", "level", "options", "shown"),
    [r[1:] for r in SEEN],
    ids=[f"WEC-95 WEC-96 {r[0]}" for r in SEEN],
)
def test_seen_when_firing(gear: Any, level: int, options: Any, shown: bool) -> None:
    gunner = piece("STP", 5, 5, level=level, gear=gear, hidden=True)
    before = state([gunner, piece("K", 10, 9, WHITE)], turn=7, options=options)
    played = play(before, Blast(unseen(5, 5, level), "ST", AHEAD))
    firer = next(one for one in played.after.pieces if one.kind == "STP")
    assert bool(firer.handle) is shown
    assert firer.shown_till == (7 if shown else 0)
    assert of(played.events, SpentOne)[0].only == (() if shown else (BLACK,))


def test_wec_95_a_public_piece_that_something_hides_is_shown_on_too() -> None:
    after = play(state([piece("STP", 5, 5, gear=["SH"])], turn=7), Blast(public(1), "ST", 0)).after
    assert after.pieces[0].shown_till == 7
    after = play(state([piece("STP", 5, 5)], turn=7), Blast(public(1), "ST", 0)).after
    assert after.pieces[0].shown_till == 0
