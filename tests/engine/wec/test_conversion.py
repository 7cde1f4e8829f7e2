"""Conversion, WEC-57 and WEC-58."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from cloakboard.engine.wec.actions import Blast, EndTurn
from cloakboard.engine.wec.events import Article, Fell, Flew, Won
from cloakboard.engine.wec.state import (
    AIR,
    BLACK,
    GROUND,
    LOST,
    SUB,
    WHITE,
    Flight,
    Gear,
    Piece,
    Projectile,
    Spent,
    square_at,
)
from tests.engine.wec.build import cell, of, piece, public, state
from tests.engine.wec.checked import Played, play

FIRERS = {GROUND: "K", AIR: "JE", SUB: "SU"}


def convert(targets: list[Piece], level: int = GROUND, strength: int = 1, **fields: Any) -> Played:
    """Black's piece 1 at (5,5) fires conversions ahead, at (6,5)."""
    firer = piece(FIRERS[level], 5, 5, level=level, gear=["CS"] * strength)
    before = state([firer, *targets], turn=fields.pop("turn", 10), **fields)
    return play(before, Blast(public(1), "CS", 0))


def standing(played: Played) -> list[tuple[str, int]]:
    """Kind and side of what stands at (6,5), by kind."""
    return sorted(
        (one.kind, one.side) for one in played.after.pieces if one.square == square_at(6, 5)
    )


IMMUNE = ("ACS",)
CASES: list[Any] = [
    # level, the pieces there (kind, articles) -> what stands there afterwards
    ("one alone", GROUND, [("RP", ())], [("RP", BLACK)]),
    ("one alone, immune", GROUND, [("RP", IMMUNE)], [("RP", WHITE)]),
    ("immune by itself", GROUND, [("CP", ())], [("CP", WHITE)]),
    ("both", GROUND, [("DO", ()), ("RP", ())], [("DO", BLACK), ("RP", BLACK)]),
    ("neither", GROUND, [("DO", IMMUNE), ("CP", ())], [("CP", WHITE), ("DO", WHITE)]),
    ("the first at Ground", GROUND, [("DO", ()), ("CP", ())], [("CP", WHITE), ("DO", BLACK)]),
    ("the other at Ground", GROUND, [("DO", IMMUNE), ("RP", ())], [("DO", WHITE), ("RP", BLACK)]),
    ("one of two at home", AIR, [("CH", ()), ("JE", IMMUNE)], [("CH", BLACK), ("JE", WHITE)]),
    ("one of two subs", SUB, [("SU", ()), ("SU", IMMUNE)], [("SU", BLACK), ("SU", WHITE)]),
    ("carrier and passenger", AIR, [("CH", ()), ("RP", ())], [("CH", BLACK), ("RP", BLACK)]),
    ("the carrier: passenger destroyed", AIR, [("CH", ()), ("CP", ())], [("CH", BLACK)]),
    ("the passenger: destroyed", AIR, [("CH", IMMUNE), ("RP", ())], [("CH", WHITE)]),
    ("a sub's passenger: destroyed", SUB, [("SU", IMMUNE), ("RP", ())], [("SU", WHITE)]),
    ("the sub: passenger destroyed", SUB, [("SU", ()), ("CP", ())], [("SU", BLACK)]),
]


@pytest.mark.parametrize("unseen", [(False, False), (True, False), (False, True), (True, True)])
@pytest.mark.parametrize(
    ("level", "there", "after"), [r[1:] for r in CASES], ids=[f"WEC-58 {r[0]}" for r in CASES]
)
def test_cases(level: int, there: Any, after: Any, unseen: tuple[bool, bool]) -> None:
    targets = [
        piece(kind, 6, 5, WHITE, level, gear=gear, hand="left" if kind == "CH" else "", hidden=hid)
        for (kind, gear), hid in zip(there, unseen, strict=False)
    ]
    played = convert(targets, level)
    assert standing(played) == sorted(after)
    assert all(one.handle for one in played.after.pieces)  # opposed pairs are public


def test_wec_58_a_piece_in_flight_counts_as_at_home() -> None:
    flyer = piece("RP", 6, 5, WHITE, AIR, gear=["JP"], flight=Flight("JP", 3, 1, 9))
    chopper = piece("CH", 6, 5, WHITE, AIR, gear=IMMUNE, hand="left")
    played = convert([flyer, chopper], AIR)
    assert standing(played) == [("CH", WHITE), ("RP", BLACK)]
    # WEC-71: it flies on in its new owner's Turns, not once more in this one.
    (turned,) = [one for one in played.after.pieces if one.kind == "RP"]
    assert turned.flight == Flight("JP", 3, 1, 10)


def test_wec_58_the_enemy_of_an_opposed_pair_alone_is_hit() -> None:
    pair = [piece("RP", 6, 5, BLACK), piece("STP", 6, 5, WHITE)]
    played = convert(pair)
    assert standing(played) == [("RP", BLACK), ("STP", BLACK)]
    friend = next(one for one in played.after.pieces if one.kind == "RP")
    assert friend.hits == ()


@pytest.mark.parametrize(("strength", "turns"), [(1, False), (2, True)])
def test_wec_50_strength_against_anti_conversion(strength: int, turns: bool) -> None:
    from_xxx = piece("XP", 6, 5, WHITE, gear=IMMUNE)
    firer = piece("XP", 5, 5, gear=["CS"] * strength)
    played = play(state([firer, from_xxx]), Blast(public(1), "CS", 0))
    assert standing(played) == [("XP", BLACK if turns else WHITE)]


def test_wec_57_it_keeps_what_it_has() -> None:
    before = piece(
        "STP", 6, 5, WHITE, gear=[Gear("FL", ready=12)], own_ready=(11,), stunned=13, unmoved=True,
        fired=9, acted=9,
    )  # fmt: skip
    played = convert([before])
    (after,) = [one for one in played.after.pieces if one.kind == "STP"]
    kept = replace(before, handle=2, side=BLACK, hits=(("CS", 1),))
    assert after == kept


def test_wec_57_range_and_level() -> None:
    played = convert([piece("RP", 7, 5, WHITE), piece("SU", 6, 5, WHITE, SUB)])
    assert [one.side for one in played.after.pieces if one.kind != "K"] == [WHITE, WHITE]


def test_wec_14_a_converted_primary_is_lost_and_counts_once() -> None:
    played = convert([piece("K", 6, 5, WHITE)])
    assert [event.side for event in of(played.events, Fell)] == [WHITE]
    (king,) = [one for one in played.after.pieces if one.square == square_at(6, 5)]
    assert (king.side, king.hits) == (BLACK, (("CS", 1), (LOST, 1)))
    ended = play(replace(played.after, spent=Spent(move=1)), EndTurn())
    assert of(ended.events, Won) == [Won(side=BLACK)]


def test_wec_14_a_primary_passenger_lost_by_conversion_is_lost() -> None:
    pair = [
        piece("CH", 6, 5, WHITE, AIR, gear=IMMUNE, hand="left"),
        piece("K", 6, 5, WHITE, AIR, gear=["FL"]),
    ]
    played = convert(pair, AIR)
    assert played.after.fallen == (WHITE,)
    # Its articles scatter as its owner, White, looks; own square first.
    assert [event.square for event in of(played.events, Article)] == [square_at(6, 5)]


def test_wec_60_shots_go_on_following_a_converted_piece() -> None:
    shot = Projectile(1, "S", BLACK, square_at(8, 5), 4, True, WHITE, cell(6, 5, AIR))
    hunted = piece("JE", 6, 5, WHITE, AIR, chased=(1,))
    played = convert([hunted], AIR, projectiles=(shot,), next_shot=2)
    assert played.after.projectiles == (replace(shot, target_side=BLACK),)
    assert len(of(played.events, Flew)) == 1
    (turned,) = [one for one in played.after.pieces if one.square == square_at(6, 5)]
    assert (turned.side, turned.chased) == (BLACK, (1,))
