"""Articles, rule by rule (WEC-30 to WEC-35)."""

from __future__ import annotations

import pytest

from cloakboard.engine.events import may_know
from cloakboard.engine.wec import GAME
from cloakboard.engine.wec.actions import Drop, EndTurn, Exchange, PickUp
from cloakboard.engine.wec.state import AIR, BLACK, GROUND, SUB, WHITE, Gear, Piece, Spent
from tests.engine.wec.build import (
    KINGS,
    cell,
    ended,
    lying,
    one,
    piece,
    public,
    refused,
    run,
    state,
    unseen,
)


def carries(found: Piece) -> list[str]:
    return [gear.kind for gear in found.gear]


@pytest.mark.parametrize(
    ("level", "owner", "takes"),
    [
        pytest.param(GROUND, BLACK, True, id="WEC-30 at Ground"),
        pytest.param(AIR, BLACK, False, id="WEC-30 not in the Air above"),
        pytest.param(SUB, BLACK, False, id="WEC-30 nor at Sub below"),
    ],
)
def test_pick_up_at_ground(level: int, owner: int, takes: bool) -> None:
    now = state([piece("SU", 5, 5, owner, level), *KINGS], lying(5, 5, "FL"))
    action = PickUp(public(1), "FL")
    if not takes:
        assert refused(now, action) == "WEC-30"
        return
    after, _ = run(now, BLACK, action)
    assert (carries(one(after, 1)), after.lying) == (["FL"], ())
    assert after.spent == Spent(pickup=1)


def test_wec_30_room_is_judged_before_the_article_is_taken() -> None:
    """One more article would do with the XXX in hand; with full hands it is not taken."""
    laden = state([piece("FP", 5, 5, gear=["ST"]), *KINGS], lying(5, 5, "XXX"))
    assert refused(laden, PickUp(public(1), "XXX")) == "WEC-23"
    boxed = state([piece("XP", 5, 5, gear=["ST"]), *KINGS], lying(5, 5, "XXX"))
    after, _ = run(boxed, BLACK, PickUp(public(1), "XXX"))
    assert carries(one(after, 1)) == ["ST", "XXX"]


@pytest.mark.parametrize("level", [GROUND, AIR, SUB])
def test_wec_31_a_drop_falls_to_ground_of_its_square(level: int) -> None:
    now = state([piece("SU", 5, 5, level=level, gear=["FL"]), *KINGS], lying(5, 5, "ST"))
    after, _ = run(now, BLACK, Drop(public(1), 0))
    assert sorted(lie.gear.kind for lie in after.lying) == ["FL", "ST"]
    assert {lie.square for lie in after.lying} == {cell(5, 5)}
    full = state([piece("SU", 5, 5, level=level, gear=["FL"])], lying(5, 5, "ST", "CS"))
    assert refused(full, Drop(public(1), 0)) == "WEC-31"


def test_wec_31_refused_if_what_remains_is_too_much() -> None:
    now = state([piece("FP", 5, 5, gear=["FL", "XXX", "ST"]), *KINGS])
    assert refused(now, Drop(public(1), 1)) == "WEC-23"
    after, _ = run(now, BLACK, Drop(public(1), 2))
    after, _ = run(ended(ended(after)), BLACK, Drop(public(1), 1))
    assert carries(one(after, 1)) == ["FL"]


REACH = [
    # giver's level, receiver's square and level -> in reach
    (GROUND, (5, 5), GROUND, True), (GROUND, (5, 5), AIR, False), (AIR, (4, 4), AIR, True),
    (SUB, (5, 6), SUB, True), (SUB, (5, 6), GROUND, False), (GROUND, (5, 7), GROUND, False),
    (GROUND, (7, 5), GROUND, False), (GROUND, (6, 4), GROUND, True),
]  # fmt: skip


@pytest.mark.parametrize("royal", [None, "Q", "AS", "AC", "PM"])
@pytest.mark.parametrize(("level", "square", "other", "near"), REACH)
def test_wec_32_same_or_adjacent_square_at_one_level_or_a_secondary(
    level: int, square: tuple[int, int], other: int, near: bool, royal: str | None
) -> None:
    giver = piece("SU", 5, 5, level=level, gear=["FL"])
    now = state([giver, piece(royal or "CH", *square, level=other, hand="left"), *KINGS])
    action = Exchange(public(1), public(2), 0)
    if near or royal:
        after, _ = run(now, BLACK, action)
        assert (carries(one(after, 1)), carries(one(after, 2))) == ([], ["FL"])
    else:
        assert refused(now, action) == "WEC-32"


def test_wec_32_a_swap_and_a_gift() -> None:
    now = state([piece("FP", 5, 5, gear=["FL"]), piece("RP", 5, 6, gear=["ST"]), *KINGS])
    assert refused(now, Exchange(public(1), public(2), 0)) == "WEC-23"
    after, _ = run(now, BLACK, Exchange(public(1), public(2), 0, 0))
    assert (carries(one(after, 1)), carries(one(after, 2))) == (["ST"], ["FL"])


@pytest.mark.parametrize("kind", ["K", "DI", "AV", "PR"])
def test_wec_33_no_stealth_for_a_primary_by_any_way(kind: str) -> None:
    """Not by pick-up, gift or swap from either side; the option allows it."""
    for options in ({}, {"king_may_stealth": True}):
        pick = state([piece(kind, 5, 5)], lying(5, 5, "SH"), options=options)
        gift = state([piece(kind, 5, 5), piece("FP", 5, 6, gear=["SH"])], options=options)
        swap = state(
            [piece(kind, 5, 5, gear=["FL"]), piece("FP", 5, 6, gear=["SH"])], options=options
        )
        tries = [
            (pick, PickUp(public(1), "SH")),
            (gift, Exchange(public(2), public(1), 0)),
            (swap, Exchange(public(2), public(1), 0, 0)),
            (swap, Exchange(public(1), public(2), 0, 0)),
        ]
        for now, action in tries:
            if options:
                GAME.legal(now, BLACK, action)
            else:
                assert refused(now, action) == "WEC-33"


def test_wec_33_anti_stealth_is_no_stealth() -> None:
    GAME.legal(state([piece("K", 5, 5)], lying(5, 5, "ASH")), BLACK, PickUp(public(1), "ASH"))


def test_wec_34_two_stealths_hide_from_one_detector_no_better() -> None:
    """One Anti-stealth in range shows it, however many Stealths it has."""
    for gear in (["SH"], ["SH", "SH"]):
        now = state(
            [piece("XP", 5, 6, WHITE, gear=gear, hidden=True), piece("SHP", 5, 5), *KINGS],
            options={"stealth_range_detection": True},
        )
        assert [p.handle for p in ended(now).pieces if p.kind == "XP"] == [4]


@pytest.mark.parametrize("hidden", [False, True])
def test_wec_35_unowned_articles_are_public(hidden: bool) -> None:
    doer = piece("AAA", 5, 5, gear=[Gear("XXX"), Gear("FL", 9)], hidden=hidden)
    now = state([doer, *KINGS], lying(5, 5, "ST"), turn=5)
    assert GAME.public(now).lying == GAME.view(now, WHITE).lying == now.lying
    ref = unseen(5, 5) if hidden else public(1)
    for action in (PickUp(ref, "ST"), Drop(ref, 1)):
        after, events = run(now, BLACK, action)
        known = GAME.view(now, WHITE)
        heard = [event for event in events if may_know(event, WHITE)]
        for event in heard:
            known = GAME.apply(known, event)
        assert known.lying == after.lying
        assert ([type(event).__name__ for event in heard] == ["Article"]) is hidden


def test_wec_35_what_scatters_lies_there_for_all_to_see() -> None:
    now = state([piece("RP", 5, 5), *KINGS], lying(5, 5, "ST"), spent=Spent(move=1))
    after, _ = run(now, BLACK, EndTurn())
    assert GAME.public(after).lying == now.lying
