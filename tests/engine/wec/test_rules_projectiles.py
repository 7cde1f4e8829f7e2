"""Projectiles, the limited rocket, scatter and kills, rule by rule (WEC-59 to WEC-64)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from cloakboard.engine.table import Table
from cloakboard.engine.wec import GAME
from cloakboard.engine.wec.actions import (
    Blast,
    EndTurn,
    Launch,
    LimitedRocket,
    Move,
    TakeOff,
)
from cloakboard.engine.wec.events import Article, Changed
from cloakboard.engine.wec.notation.clauses import Fate
from cloakboard.engine.wec.notation.scribe import Scribe
from cloakboard.engine.wec.state import (
    AIR,
    BLACK,
    GROUND,
    SUB,
    WHITE,
    Flight,
    Gear,
    Piece,
    Projectile,
    Spent,
    square_at,
)
from tests.engine.wec.build import (
    AHEAD,
    KINGS,
    cell,
    ended,
    lying,
    of,
    one,
    piece,
    public,
    refused,
    run,
    state,
    unseen,
    where,
)

AT = {"R": GROUND, "S": AIR, "T": SUB}


def shot(number: int, kind: str, row: int, column: int, heading: int = AHEAD) -> Projectile:
    """Black's directed projectile."""
    return Projectile(number, kind, BLACK, square_at(row, column), heading)


def chasing(
    number: int, kind: str, at: tuple[int, int], target: tuple[int, int], side: int = BLACK
) -> Projectile:
    """A homing projectile before its first step."""
    to = cell(*target, AT[kind])
    return Projectile(number, kind, side, square_at(*at), -1, True, 1 - side, to)


# -- launchers and projectiles ---------------------------------------------------------------


@pytest.mark.parametrize("level", [GROUND, AIR, SUB])
@pytest.mark.parametrize(("launcher", "flies"), [("RL", GROUND), ("SL", AIR), ("TL", SUB)])
def test_wec_59_each_projectile_has_its_level_whatever_the_firers(
    launcher: str, flies: int, level: int
) -> None:
    kind = {GROUND: "K", AIR: "JE", SUB: "SU"}[level]
    ahead = [piece("XP", 6, 5, WHITE, at, gear=["FL"]) for at in (GROUND, AIR, SUB)]
    now = state([piece(kind, 5, 5, level=level, gear=[launcher]), *ahead, KINGS[1]])
    now, _ = run(now, BLACK, Launch(public(1), launcher, AHEAD))
    assert {p.square for p in now.projectiles} == {square_at(5, 5)}
    after = ended(now)
    assert [p.level for p in after.pieces if p.kind == "XP"] == [
        at for at in (GROUND, AIR, SUB) if at != flies
    ]


@pytest.mark.parametrize(("away", "near"), [(3, True), (4, False)])
@pytest.mark.parametrize("reach", [3, 4])
def test_wec_59_homing_range(away: int, near: bool, reach: int) -> None:
    target = piece("JE", 2 + away, 4, WHITE, AIR)
    now = state([piece("AAA", 2, 2), target, *KINGS], options={"homing_range": reach})
    action = Launch(public(1), "SL", -1, 2, target.cell, "JE")
    if near or reach == 4:
        assert action in list(GAME.actions(now, BLACK))
        run(now, BLACK, action)
    else:
        assert refused(now, action) == "WEC-59"


STEPS: list[Any] = [
    # from, target -> the squares entered, both axes while both differ
    ((2, 2), (5, 4), [(3, 3), (4, 4)]),
    ((5, 5), (2, 6), [(4, 6), (3, 6)]),
    ((5, 5), (6, 2), [(6, 4), (6, 3)]),
    ((5, 5), (5, 8), [(5, 6), (5, 7)]),
]


@pytest.mark.parametrize("hidden", [False, True])
@pytest.mark.parametrize("side", [BLACK, WHITE])
@pytest.mark.parametrize(("at", "target", "squares"), STEPS)
def test_wec_60_a_king_step_a_turn_towards_its_target(
    at: Any, target: Any, squares: Any, side: int, hidden: bool
) -> None:
    """Whoever owns it, and in either side's Turn; the last step hits."""
    row, column = target
    prey = piece("SU", row, column, 1 - side, SUB, chased=(1,), hidden=hidden)
    now = state([prey, *KINGS], projectiles=(chasing(1, "T", at, target, side),), next_shot=2)
    for square in squares:
        now = ended(now)
        assert [p.square for p in now.projectiles] == [square_at(*square)]
    now = ended(now)
    assert [p.kind for p in now.pieces] == ["K", "K"]
    assert now.projectiles == ()


def test_wec_60_it_follows_where_its_target_goes() -> None:
    prey = piece("SU", 5, 8, WHITE, SUB, chased=(1,))
    now = state([prey, *KINGS], projectiles=(chasing(1, "T", (5, 4), (5, 8)),), side=WHITE)
    now, _ = run(now, WHITE, Move(public(1), (cell(6, 8, SUB),)))
    now, _ = run(now, WHITE, EndTurn())
    assert now.projectiles[0].square == square_at(6, 5)


LEAVES: list[Any] = [
    # White's target, how it leaves its level -> and whether it comes back in the same Turn
    ("a jet lands", piece("JE", 6, 6, WHITE, AIR, gear=["JP"]), "S", (cell(6, 6),), "JP"),
    ("a sub surfaces", piece("SU", 6, 6, WHITE, SUB, gear=["SC"]), "T", (cell(6, 6),), "SC"),
]


@pytest.mark.parametrize("back", [False, True])
@pytest.mark.parametrize("hidden", [False, True])
@pytest.mark.parametrize("heading", [-1, 2])
@pytest.mark.parametrize(
    ("target", "kind", "route", "pack"),
    [r[1:] for r in LEAVES],
    ids=[f"WEC-60 {r[0]}" for r in LEAVES],
)
def test_a_target_that_leaves_its_level_is_let_go(
    target: Piece, kind: str, route: Any, pack: str, heading: int, hidden: bool, back: bool
) -> None:
    """For good, also if it comes back in the same Turn; the last step's direction is kept, or
    the one the first would have had: from (3,6) straight ahead."""
    prey = replace(target, chased=(1,))
    if hidden:
        prey = replace(prey, handle=0, gear=(*prey.gear, Gear("XXX"), Gear("SH")))
    hunter = replace(chasing(1, kind, (3, 6), (6, 6)), heading=heading)
    now = state([prey, *KINGS], projectiles=(hunter,), next_shot=2, side=WHITE, turn=6)
    level = AT[kind]
    ref = unseen(6, 6, level) if hidden else public(1)
    now, _ = run(now, WHITE, Move(ref, route))
    if back:
        now, _ = run(now, WHITE, TakeOff(unseen(6, 6) if hidden else public(1), pack, 0))
    after, _ = run(now, WHITE, EndTurn())
    course, square = (AHEAD, (4, 6)) if heading < 0 else (2, (3, 7))
    assert after.projectiles == (Projectile(1, kind, BLACK, square_at(*square), course),)
    assert all(p.chased == () for p in after.pieces)


def test_wec_60_a_stunned_flyer_that_falls_is_let_go() -> None:
    flyer = piece("RP", 6, 5, WHITE, AIR, gear=["JP"], flight=Flight("JP", 0, 1, 1), chased=(1,))
    gun = piece("JE", 5, 5, level=AIR, gear=["ST", "SH"], hidden=True)
    now = state([flyer, gun, *KINGS], projectiles=(chasing(1, "S", (3, 3), (6, 5)),), next_shot=2)
    now, _ = run(now, BLACK, Blast(unseen(5, 5, AIR), "ST", AHEAD))
    assert where(now, 1) == cell(6, 5)
    after = ended(now)
    assert after.projectiles == (Projectile(1, "S", BLACK, square_at(4, 4), 1),)


def test_wec_60_a_passenger_carried_off_its_level_is_let_go() -> None:
    passenger = piece("Q", 6, 5, WHITE, SUB, chased=(1,))
    now = state([piece("SU", 6, 5, WHITE, SUB), passenger, *KINGS], side=WHITE,
                projectiles=(chasing(1, "T", (3, 3), (6, 5)),), next_shot=2)  # fmt: skip
    now, _ = run(now, WHITE, Move(public(1), (cell(6, 5),), public(2)))
    after, _ = run(now, WHITE, EndTurn())
    assert after.projectiles == (Projectile(1, "T", BLACK, square_at(4, 4), 1),)


def test_wec_60_it_does_not_let_go_of_a_target_that_goes_out_of_view_or_changes_sides() -> None:
    prey = piece("SU", 6, 9, WHITE, SUB, chased=(1,))
    firer = piece("SU", 5, 9, level=SUB, gear=["CS"])
    now = state([prey, firer, *KINGS], projectiles=(chasing(1, "T", (6, 2), (6, 9)),), next_shot=2)
    now, _ = run(now, BLACK, Blast(public(2), "CS", AHEAD))
    assert (one(now, 1).side, now.projectiles[0].target_side) == (BLACK, BLACK)
    for column in (3, 4, 5):
        now = ended(now)
        assert [(p.square, p.homing) for p in now.projectiles] == [(square_at(6, column), True)]
    assert [p.handle for p in now.pieces if p.kind == "SU"] == [0, 0]


def test_wec_60_all_that_enter_together_hit_together_before_the_next_cell() -> None:
    """Shots 1 and 4 enter (6,5), 2 enters (3,3), 3 flies on; (6,5) comes first, with both."""
    targets = [piece("RP", 6, 5, WHITE, gear=["FL"]), piece("STP", 3, 3, WHITE, gear=["ST"])]
    shots = (shot(1, "R", 5, 5), shot(2, "R", 2, 3), shot(3, "R", 8, 8), shot(4, "R", 6, 6, 6))
    now = state([*targets, *KINGS], projectiles=shots, next_shot=5, spent=Spent(move=1))
    after, events = run(now, BLACK, EndTurn())
    assert [event.gear.kind for event in of(events, Article)] == ["FL", "ST"]
    assert [event.before.handle for event in of(events, Changed, cause="rocket")] == [1, 2]
    assert [p.number for p in after.projectiles] == [3]


def test_wec_60_pieces_move_through_and_into_its_cell_unharmed() -> None:
    """A rocket at (6,5) that flies to the right; the tank goes through to (7,5)."""
    now = state([piece("TA", 5, 5, hand="left"), *KINGS], projectiles=(shot(1, "R", 6, 5, 2),))
    through, _ = run(now, BLACK, Move(public(1), (cell(6, 5), cell(7, 5))))
    assert where(through, 1) == cell(7, 5)
    into, _ = run(now, BLACK, Move(public(1), (cell(6, 5),)))
    assert where(ended(into), 1) == cell(6, 5)
    assert ended(into).projectiles[0].square == square_at(6, 6)


@pytest.mark.parametrize("side", [BLACK, WHITE])
def test_wec_60_all_projectiles_advance_in_every_turn_those_just_fired_included(side: int) -> None:
    now = state([piece("RP", 5, 5, side), *KINGS], side=side)
    now, _ = run(now, side, Launch(public(1), "RL", AHEAD))
    step = 1 if side == BLACK else -1
    for far in (1, 2, 3, 4):
        now = ended(now)
        assert [p.square for p in now.projectiles] == [square_at(5 + step * far, 5)]


# -- limited rocket --------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["JE", "SU"])
@pytest.mark.parametrize("level", [GROUND, AIR, SUB])
@pytest.mark.parametrize(("away", "reach"), [(0, 0), (1, 0), (1, 1), (2, 1), (2, 2)])
def test_wec_61_range_from_any_level(kind: str, level: int, away: int, reach: int) -> None:
    """At Ground of its own square there must be an enemy beside it: an opposed pair."""
    firer = piece(kind, 5, 5, level=level)
    target = piece("STP", 5 + away, 5 + away, WHITE)
    now = state([firer, target, *KINGS], options={"jet_rocket_range": reach})
    action = LimitedRocket(public(1), target.square)
    if away > reach:
        assert refused(now, action) == "WEC-61"
        return
    after, _ = run(now, BLACK, action)
    assert where(after, 2) is None
    assert (where(after, 1) is None) is (level == GROUND and away == 0)
    assert after.projectiles == ()


def test_wec_61_its_hits_are_rocket_hits() -> None:
    """It adds to a rocket's count; Anti-rocket stands against one."""
    now = state([piece("JE", 5, 5, level=AIR), piece("RP", 5, 5, WHITE), *KINGS])
    now, _ = run(now, BLACK, LimitedRocket(public(1), square_at(5, 5)))
    assert one(now, 2).hits == (("RL", 1),)


@pytest.mark.parametrize("ready", [0, 9])
def test_wec_61_only_ready_launchers_fire_with_it(ready: int) -> None:
    jet = piece("JE", 5, 5, level=AIR, gear=[Gear("RL", ready)])
    now = state([jet, piece("RP", 5, 5, WHITE), *KINGS], turn=5)
    after, _ = run(now, BLACK, LimitedRocket(public(1), square_at(5, 5)))
    assert (where(after, 2) is None) is (ready == 0)


# -- scatter ---------------------------------------------------------------------------------

# The second ring around (5,5), worked out from the rule: the forward row, the left and the right
# column front to back, the rear row; White sees it turned round.
SECOND_RING = [
    (7, 3), (7, 4), (7, 5), (7, 6), (7, 7), (6, 3), (5, 3), (4, 3), (6, 7), (5, 7), (4, 7),
    (3, 3), (3, 4), (3, 5), (3, 6), (3, 7),
]  # fmt: skip
FIRST_RING = [(6, 4), (6, 5), (6, 6), (5, 4), (5, 6), (4, 4), (4, 5), (4, 6)]


@pytest.mark.parametrize("side", [BLACK, WHITE])
@pytest.mark.parametrize("free", range(len(FIRST_RING + SECOND_RING)))
def test_wec_62_the_first_square_with_room(free: int, side: int) -> None:
    """All squares before it are full; one article has room in each from it on."""
    order = [(5, 5), *FIRST_RING, *SECOND_RING]
    if side == WHITE:
        order = [(10 - row, 10 - column) for row, column in order]
    full = [lie for at in order[: free + 1] for lie in lying(*at, "FL", "FL")]
    firer = piece("FP", 5, 4 if side == BLACK else 6, 1 - side)  # to its left is the victim
    victim = piece("STP", 5, 5, side, gear=["ST"])
    now = state([firer, victim, *KINGS], full, side=1 - side)
    _, events = run(now, 1 - side, Blast(public(1), "FL", 6))
    (fell,) = of(events, Article)
    assert fell.square == square_at(*order[free + 1])


def test_wec_62_a_converted_piece_scatters_as_its_new_owner_looks() -> None:
    """Its own square is full: Black's forward-left of (6,5) is (7,4), White's would be (5,6)."""
    firer = piece("CP", 5, 5)
    flamer = piece("FP", 6, 4)
    target = piece("STP", 6, 5, WHITE, gear=["ST"])
    now = state([firer, flamer, target, *KINGS], lying(6, 5, "FL", "FL"))
    now, _ = run(now, BLACK, Blast(public(1), "CS", AHEAD))
    _, events = run(now, BLACK, Blast(public(2), "FL", 2))
    assert [event.square for event in of(events, Article)] == [square_at(7, 4)]


# -- what a loss is called -------------------------------------------------------------------

KILLS: list[Any] = [
    # White's piece, how Black ends it -> the word
    ("by a rocket", piece("STP", 6, 5, WHITE), "R", "RK"),
    ("by a SAM", piece("JE", 6, 5, WHITE, AIR), "S", "SK"),
    ("by a torpedo", piece("SU", 6, 5, WHITE, SUB), "T", "TK"),
    ("by a limited rocket", piece("STP", 6, 5, WHITE), LimitedRocket(public(3), 54), "RK"),
    ("by a stun gun", piece("K", 6, 5, WHITE), Blast(public(2), "ST", AHEAD), "STK"),
    ("by conversion", piece("RP", 6, 5, WHITE), Blast(public(2), "CS", AHEAD), "CK"),
    ("by a flamer", piece("RP", 6, 5, WHITE), Blast(public(2), "FL", AHEAD), "FL"),
    ("by taking", piece("STP", 6, 5, WHITE), Move(public(2), (cell(6, 5),)), "STP"),
]


@pytest.mark.parametrize(
    ("victim", "how", "word"), [r[1:] for r in KILLS], ids=[f"WEC-64 {r[0]}" for r in KILLS]
)
def test_kills_shown_as(victim: Piece, how: Any, word: str) -> None:
    jet = piece("JE", 6, 5, level=AIR) if victim.level == GROUND else KINGS[0]
    firer = piece("XP", 5, 5, gear=["ST", "CS", "FL"])
    table = Table(GAME)
    table.state = state(
        [victim, firer, jet, *KINGS],
        projectiles=(shot(1, how, 5, 5),) if isinstance(how, str) else (),
        next_shot=2,
        spent=Spent(move=int(not isinstance(how, Move))),
    )
    scribe = Scribe(GAME, table.state, None)
    if not isinstance(how, str):
        table.act(BLACK, how)
    table.act(BLACK, EndTurn())
    for record in table.log:
        scribe.take(record)
    fates = [one.word for one in scribe.turns[0].results if isinstance(one, Fate)]
    assert fates == [word]
