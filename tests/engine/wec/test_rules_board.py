"""The board and its levels, rule by rule (WEC-01 to WEC-07)."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from cloakboard.engine.errors import BadOption
from cloakboard.engine.wec import GAME
from cloakboard.engine.wec.actions import (
    Action,
    Bike,
    Blast,
    Doze,
    Drop,
    EndTurn,
    Fly,
    LimitedRocket,
    Move,
    TakeOff,
)
from cloakboard.engine.wec.headings import offset
from cloakboard.engine.wec.state import (
    AIR,
    BLACK,
    GROUND,
    SUB,
    WHITE,
    Flight,
    Piece,
    Projectile,
    Spent,
    State,
    square_at,
)
from tests.engine.wec.build import (
    KINGS,
    cell,
    lying,
    one,
    piece,
    public,
    refused,
    run,
    state,
    where,
)

FORWARD = 0
OVER = (cell(5, 5, AIR), cell(6, 6, AIR), cell(7, 7, AIR), cell(7, 7))


def flying(kind: str, row: int, column: int, target: tuple[int, int], flown: int = 3) -> Piece:
    """Black's piece in the Air by jump pack, which flew on last in that Turn."""
    flight = Flight("JP", square_at(*target), 1, flown)
    return piece(kind, row, column, level=AIR, gear=["JP"], flight=flight)


@pytest.mark.parametrize(
    ("side", "at", "forward", "right"),
    [
        (BLACK, (1, 1), (2, 1), (1, 2)),
        (BLACK, (1, 10), (2, 10), None),
        (BLACK, (10, 10), None, None),
        (WHITE, (10, 10), (9, 10), (10, 9)),
        (WHITE, (10, 1), (9, 1), None),
        (WHITE, (1, 1), None, None),
    ],
)
def test_wec_01_rows_and_columns_as_each_side_looks(
    side: int, at: tuple[int, int], forward: Any, right: Any
) -> None:
    here = square_at(*at)
    assert offset(here, 1, 0, side) == (square_at(*forward) if forward else None)
    assert offset(here, 0, 1, side) == (square_at(*right) if right else None)


# -- levels ----------------------------------------------------------------------------------

SIX = (
    piece("DO", 6, 5), piece("RP", 6, 5), piece("CH", 6, 5, level=AIR, hand="left"),
    piece("JE", 6, 5, level=AIR), piece("SU", 6, 5, level=SUB), piece("SU", 6, 5, level=SUB),
)  # fmt: skip


@pytest.mark.parametrize(
    ("level", "firer", "left"),
    [
        (GROUND, "TA", ["CH", "JE", "SU", "SU"]),
        (AIR, "JE", ["DO", "RP", "SU", "SU"]),
        (SUB, "SU", ["CH", "DO", "JE", "RP"]),
    ],
)
def test_wec_02_a_square_has_three_levels_apart(level: int, firer: str, left: list[str]) -> None:
    """Six pieces in one square (WEC-03); a shot at one level leaves the others alone."""
    shooter = piece(firer, 5, 5, level=level, gear=["FL"] if firer != "TA" else [], hand="left")
    after, _ = run(state([*SIX, shooter]), BLACK, Blast(public(7), "FL", FORWARD))
    assert sorted(p.kind for p in after.pieces if p.square == square_at(6, 5)) == left


def test_wec_02_pieces_above_and_below_block_no_path() -> None:
    now = state([piece("TA", 5, 5, hand="left"), *SIX[2:], KINGS[1]])
    after, _ = run(now, BLACK, Move(public(1), (cell(6, 5), cell(7, 5))))
    assert where(after, 1) == cell(7, 5)


# -- two pieces of one side ------------------------------------------------------------------

PAIR = (piece("DS", 6, 5), piece("AAA", 6, 5))
HIGH_PAIR = (piece("CH", 6, 5, level=AIR, hand="left"), piece("JE", 6, 5, level=AIR))
THIRD: list[Any] = [
    ("by its Move", [piece("DO", 5, 5), *PAIR], Move(public(1), (cell(6, 5),)), "WEC-04"),
    ("by bike", [piece("DO", 5, 5, gear=["BI"]), *PAIR], Bike(public(1), cell(6, 5)), "WEC-04"),
    (
        "by jump pack",
        [piece("DO", 6, 5, gear=["JP"]), *HIGH_PAIR],
        TakeOff(public(1), "JP", 0),
        "WEC-72",
    ),
    (
        "as a passenger",
        [piece("SU", 5, 5), piece("RP", 5, 5), piece("DO", 6, 5)],
        Move(public(1), (cell(6, 5),), public(2)),
        "WEC-04",
    ),
    (
        "by dozing",
        [piece("DO", 5, 5), piece("SU", 5, 5), piece("DS", 6, 5)],
        Doze(public(1), (), FORWARD),
        "WEC-48",
    ),
]


@pytest.mark.parametrize(
    ("pieces", "action", "rule"), [r[1:] for r in THIRD], ids=[f"WEC-03 {r[0]}" for r in THIRD]
)
def test_no_third_piece_comes(pieces: list[Piece], action: Action, rule: str) -> None:
    """All of them have coexistence, so only the number bars them."""
    assert refused(state([*pieces, *KINGS]), action) == rule


@pytest.mark.parametrize(
    ("below", "lands"),
    [
        pytest.param([], True, id="WEC-03 none"),
        pytest.param([PAIR[0]], True, id="WEC-03 one"),
        pytest.param(PAIR, False, id="WEC-03 two"),
        pytest.param([piece("RP", 6, 5)], True, id="WEC-04 the flyer coexists"),
    ],
)
def test_a_flyer_lands_where_there_is_room(below: Any, lands: bool) -> None:
    now = state([flying("DO", 5, 5, (6, 5)), *below, *KINGS], turn=5)
    after, _ = run(now, BLACK, Fly(public(1)))
    assert where(after, 1) == cell(6, 5, GROUND if lands else AIR)


# -- opposed pieces --------------------------------------------------------------------------

HIDDEN = piece("AAA", 6, 5, WHITE, hidden=True)
HIGH = piece("JE", 5, 5, WHITE, AIR)
APART: list[Any] = [
    # pieces, action, the kinds that are left besides the kings
    (
        "taking",
        [piece("TA", 5, 5, hand="left"), piece("FP", 6, 5, WHITE)],
        Move(public(1), (cell(6, 5),)),
        ["TA"],
    ),
    ("a collision", [piece("DO", 5, 5), HIDDEN], Move(public(1), (cell(6, 5),)), ["DO"]),
    (
        "a collision by bike",
        [piece("DO", 5, 5, gear=["BI"]), HIDDEN],
        Bike(public(1), cell(6, 5)),
        ["DO"],
    ),
    ("taking off", [piece("DO", 5, 5, gear=["JP"]), HIGH], TakeOff(public(1), "JP", 0), ["DO"]),
    ("flying on", [flying("DO", 4, 5, (9, 5)), HIGH], Fly(public(1)), ["DO"]),
    (
        "landing",
        [flying("DO", 5, 5, (6, 5)), piece("FP", 6, 5, WHITE), HIDDEN],
        Fly(public(1)),
        ["DO"],
    ),
    (
        "a passenger set down",
        [piece("CH", 5, 5, hand="right"), piece("RP", 5, 5), piece("FP", 7, 7, WHITE)],
        Move(public(1), OVER, public(2)),
        ["CH", "RP"],
    ),
    (
        "a stunned flyer",
        [flying("DO", 6, 5, (9, 5), flown=5), piece("FP", 6, 5, WHITE),
         piece("JE", 7, 5, level=AIR, gear=["ST"])],
        Blast(public(3), "ST", 4),
        ["FP", "JE"],
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("pieces", "action", "left"), [r[1:] for r in APART], ids=[f"WEC-05 {r[0]}" for r in APART]
)
def test_opposed_pieces_never_share(pieces: list[Piece], action: Action, left: list[str]) -> None:
    now = state([*pieces, *KINGS], turn=5)
    after, _ = run(now, BLACK, action)
    sides = Counter((p.cell, p.side) for p in after.pieces)
    assert len({at for at, _ in sides}) == len(sides)
    assert sorted(p.kind for p in after.pieces if p.kind != "K") == left


# -- articles --------------------------------------------------------------------------------


@pytest.mark.parametrize(("there", "falls"), [(0, (6, 5)), (1, (6, 5)), (2, (5, 6))])
def test_wec_06_two_unowned_articles_a_square(there: int, falls: tuple[int, int]) -> None:
    """A third neither is dropped nor falls there; all lie at Ground, whatever the level of who
    carried them."""
    lies = lying(6, 5, *["FL"] * there)
    carrier = piece("JE", 6, 5, level=AIR, gear=["ASL"])
    if there == 2:
        assert refused(state([carrier, *KINGS], lies), Drop(public(1), 0)) == "WEC-31"
    else:
        after, _ = run(state([carrier, *KINGS], lies), BLACK, Drop(public(1), 0))
        assert len(after.lying) == there + 1
    victim = piece("JE", 6, 5, WHITE, AIR, gear=["ASL"])
    firer = piece("JE", 5, 5, level=AIR, gear=["FL"])
    after, _ = run(state([firer, victim], lies), BLACK, Blast(public(1), "FL", FORWARD))
    assert [p.square for p in after.lying if p.gear.kind == "ASL"] == [square_at(*falls)]


def test_wec_06_no_more_than_200_articles() -> None:
    """The set-up has 68; two of them are flamers."""
    assert len(GAME.start({"articles.FL": 134}).lying) == 200
    with pytest.raises(BadOption):
        GAME.start({"articles.FL": 135})


def articles(now: State) -> Counter[str]:
    """All articles, those that lie and those that are carried."""
    lies = [lie.gear.kind for lie in now.lying]
    return Counter(lies + [gear.kind for p in now.pieces for gear in p.gear])


VICTIM = piece("XP", 6, 5, WHITE, gear=["AST", "TL"])
LOSSES: list[Any] = [
    ("taken", [piece("TA", 5, 5, hand="left"), VICTIM], Move(public(1), (cell(6, 5),))),
    ("met", [piece("DO", 5, 5), piece("AAA", 6, 5, WHITE, gear=["FL"], hidden=True)],
     Move(public(1), (cell(6, 5),))),
    ("burnt", [piece("FP", 5, 5), VICTIM], Blast(public(1), "FL", FORWARD)),
    ("by a limited rocket", [piece("JE", 6, 5, level=AIR), VICTIM],
     LimitedRocket(public(1), square_at(6, 5))),
    ("stunned", [piece("STP", 5, 5), piece("XP", 6, 5, WHITE, gear=["CS", "TL"])],
     Blast(public(1), "ST", FORWARD)),
    ("with its carrier", [piece("SU", 5, 5, level=SUB, gear=["FL"]),
     piece("SU", 6, 5, WHITE, SUB, gear=["ST"]), piece("FP", 6, 5, WHITE, SUB, gear=["RL"])],
     Blast(public(1), "FL", FORWARD)),
    ("a converted carrier's passenger", [piece("SU", 5, 5, level=SUB, gear=["CS"]),
     piece("SU", 6, 5, WHITE, SUB, gear=["ST"]), piece("CP", 6, 5, WHITE, SUB, gear=["RL"])],
     Blast(public(1), "CS", FORWARD)),
    ("by a rocket", [VICTIM], EndTurn()),
]  # fmt: skip


@pytest.mark.parametrize(
    ("pieces", "action"), [r[1:] for r in LOSSES], ids=[f"WEC-07 {r[0]}" for r in LOSSES]
)
def test_articles_are_permanent(pieces: list[Piece], action: Action) -> None:
    now = state(
        [*pieces, *KINGS],
        lying(6, 5, "SC", "SC"),
        projectiles=(Projectile(1, "R", BLACK, square_at(5, 5), FORWARD),),
        next_shot=2,
        spent=Spent(move=int(isinstance(action, EndTurn))),
    )
    after, _ = run(now, BLACK, action)
    assert articles(after) == articles(now)
    assert any(one(now, p.handle) not in after.pieces for p in now.pieces if p.handle)
    assert len(after.lying) > 2
    assert max(Counter(lie.square for lie in after.lying).values()) == 2


def test_wec_07_nothing_lies_about_at_first_but_the_set_up() -> None:
    assert articles(GAME.start({})).total() == 68
