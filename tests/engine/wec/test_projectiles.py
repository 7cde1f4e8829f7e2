"""Projectiles at the end of a Turn, WEC-60."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from cloakboard.engine.errors import IllegalAction
from cloakboard.engine.events import Event
from cloakboard.engine.wec import GAME
from cloakboard.engine.wec.actions import EndTurn
from cloakboard.engine.wec.events import Changed, Flew
from cloakboard.engine.wec.state import (
    AIR,
    BLACK,
    GROUND,
    SUB,
    WHITE,
    Piece,
    Projectile,
    Spent,
    State,
    square_at,
)
from tests.engine.wec.build import KINGS, cell, of, piece, state
from tests.engine.wec.checked import Played, play

LEVELS = {"R": GROUND, "S": AIR, "T": SUB}


def shot(
    number: int, kind: str, row: int, column: int, heading: int = 0, side: int = BLACK
) -> Projectile:
    return Projectile(number, kind, side, square_at(row, column), heading)


def homing(
    number: int,
    kind: str,
    at: tuple[int, int],
    target: tuple[int, int],
    heading: int = -1,
    side: int = BLACK,
) -> Projectile:
    where = cell(*target, LEVELS[kind])
    return Projectile(number, kind, side, square_at(*at), heading, True, 1 - side, where)


def end(pieces: list[Piece], shots: list[Projectile], side: int = BLACK, **fields: Any) -> Played:
    """The Turn of `side` ended with these projectiles on the board; kings stand far off."""
    before = state(
        [*KINGS, *pieces],
        projectiles=tuple(shots),
        next_shot=max((one.number for one in shots), default=0) + 1,
        side=side,
        spent=Spent(move=1),
        **fields,
    )
    return play(before, EndTurn())


def kinds(now: State) -> list[str]:
    return sorted(one.kind for one in now.pieces if one.kind != "K")


DIRECTED: list[Any] = [
    ("forward", shot(1, "R", 5, 5, 0), (6, 5)),
    ("as its owner sits", shot(1, "R", 5, 5, 0, WHITE), (4, 5)),
    ("diagonal", shot(1, "S", 5, 5, 3), (4, 6)),
    ("off the board", shot(1, "T", 10, 5, 0), None),
]


@pytest.mark.parametrize(
    ("before", "to"), [r[1:] for r in DIRECTED], ids=[f"WEC-60 {r[0]}" for r in DIRECTED]
)
@pytest.mark.parametrize("side", [BLACK, WHITE])
def test_directed_projectiles_advance_every_turn(before: Projectile, to: Any, side: int) -> None:
    after = end([], [before], side=side).after
    assert [one.square for one in after.projectiles] == ([square_at(*to)] if to else [])


HITS: list[Any] = [
    # projectile kind, target, its level, gear, lost, cause
    ("rocket", "R", "STP", GROUND, [], True, "rocket"),
    ("rocket at anti-rocket", "R", "RP", GROUND, [], False, "hit"),
    ("rocket under a jet", "R", "JE", AIR, [], False, None),
    ("SAM", "S", "JE", AIR, [], True, "sam"),
    ("SAM at anti-SAM", "S", "JE", AIR, ["ASL"], False, "hit"),
    ("torpedo", "T", "SU", SUB, [], True, "torpedo"),
    ("torpedo at anti-torpedo", "T", "SU", SUB, ["ATL"], False, "hit"),
]


@pytest.mark.parametrize("side", [BLACK, WHITE])
@pytest.mark.parametrize(
    ("kind", "target", "level", "gear", "lost", "cause"),
    [r[1:] for r in HITS],
    ids=[f"WEC-60 {r[0]}" for r in HITS],
)
def test_it_hits_what_it_enters_of_any_side(
    kind: str, target: str, level: int, gear: Any, lost: bool, cause: str | None, side: int
) -> None:
    played = end([piece(target, 6, 5, side, level=level, gear=gear)], [shot(1, kind, 5, 5)])
    assert kinds(played.after) == ([] if lost else [target])
    assert [told[0] for told in played.causes()] == ([cause] if cause else [])
    assert bool(played.after.projectiles) is (cause is None)  # it is gone with its hit


def test_wec_60_it_hits_all_of_the_cell() -> None:
    after = end(
        [piece("DO", 6, 5), piece("RP", 6, 5), piece("SU", 6, 5, level=SUB)], [shot(1, "R", 5, 5)]
    ).after
    assert kinds(after) == ["RP", "SU"]


def test_wec_60_only_entering_counts() -> None:
    # The launcher's own square is not entered.
    assert kinds(end([piece("STP", 5, 5)], [shot(1, "R", 5, 5)]).after) == ["STP"]


def test_wec_60_all_that_enter_together_hit_together() -> None:
    # One anti-rocket stands against one of them, not against both.
    shots = [shot(1, "R", 5, 5, 0), shot(2, "R", 6, 6, 6)]
    played = end([piece("RP", 6, 5, WHITE)], shots)
    assert kinds(played.after) == []
    assert kinds(end([piece("RP", 6, 5, WHITE)], shots[:1]).after) == ["RP"]


def test_wec_60_cells_in_order_of_their_earliest_projectile() -> None:
    # Number 3 is older than 4; its cell comes first though it lies behind in cell order.
    targets = [piece("STP", 3, 3, WHITE, gear=["FL"]), piece("STP", 8, 8, WHITE, gear=["ST"])]
    played = end(targets, [shot(3, "R", 7, 8), shot(4, "R", 2, 3)])
    assert [one for one in played.causes() if one[0] == "rocket"] == [("rocket", 4), ("rocket", 3)]


HOMING: list[Any] = [
    # from, target -> next square
    ("along both axes while both differ", (2, 2), (5, 8), (3, 3)),
    ("then along the other", (5, 3), (5, 8), (5, 4)),
    ("backwards", (8, 8), (5, 8), (7, 8)),
]


@pytest.mark.parametrize("unseen", [False, True])
@pytest.mark.parametrize(
    ("at", "target", "to"), [r[1:] for r in HOMING], ids=[f"WEC-60 {r[0]}" for r in HOMING]
)
def test_homing(at: Any, target: Any, to: Any, unseen: bool) -> None:
    played = end([prey(target, unseen)], [homing(1, "T", at, target)])
    (left,) = played.after.projectiles
    assert left.square == square_at(*to)
    assert left.homing
    assert left.heading in range(8)
    assert ("Course/1" in played.names()) is unseen


def prey(at: tuple[int, int], unseen: bool, kind: str = "SU", level: int = SUB) -> Piece:
    """White's piece that projectile 1 follows."""
    return piece(kind, at[0], at[1], WHITE, level, hidden=unseen, chased=(1,))


@pytest.mark.parametrize("unseen", [False, True])
def test_wec_60_the_last_step_hits(unseen: bool) -> None:
    played = end([prey((5, 5), unseen)], [homing(1, "T", (4, 4), (5, 5))])
    assert kinds(played.after) == []
    assert [told for told in played.causes() if told[0] != "shown"][-1][0] == "torpedo"


@pytest.mark.parametrize("unseen", [False, True])
def test_wec_60_in_its_targets_square_it_hits_at_once(unseen: bool) -> None:
    after = end([prey((5, 5), unseen)], [homing(1, "T", (5, 5), (5, 5))]).after
    assert kinds(after) == []
    assert after.projectiles == ()


LETS_GO: list[Any] = [
    # heading of the last step, projectile at, target last known at -> heading, next square
    ("keeps its last direction", 2, (5, 5), (9, 9), 2, (5, 6)),
    ("takes the one it would have taken", -1, (5, 5), (7, 7), 1, (6, 6)),
    ("over its target it goes forward", -1, (5, 5), (5, 5), 0, (6, 5)),
]


@pytest.mark.parametrize("target", ["unseen left", "public left", "gone"])
@pytest.mark.parametrize(
    ("heading", "at", "known", "course", "to"),
    [r[1:] for r in LETS_GO],
    ids=[f"WEC-60 {r[0]}" for r in LETS_GO],
)
def test_it_lets_go_of_a_target_that_left_the_level(
    heading: int, at: Any, known: Any, course: int, to: Any, target: str
) -> None:
    prey_there = {
        "unseen left": [prey((8, 2), True, "AAA", GROUND)],
        "public left": [prey((8, 2), False, "SU", GROUND)],
        "gone": [],
    }[target]
    after = end(prey_there, [homing(1, "T", at, known, heading)]).after
    assert after.projectiles == (Projectile(1, "T", BLACK, square_at(*to), course),)
    assert all(one.chased == () for one in after.pieces)


def test_wec_60_a_target_that_became_unseen_is_followed_still() -> None:
    # The public target goes out of view at the end of Turn 1; Turn 2 asks its owner.
    first = end([prey((5, 9), False)], [homing(1, "T", (5, 5), (5, 9))]).after
    (submarine,) = [one for one in first.pieces if one.kind == "SU"]
    assert (submarine.handle, submarine.chased) == (0, (1,))
    second = play(_move_made(first), EndTurn())
    assert "Course/1" in second.names()
    (left,) = second.after.projectiles
    assert (left.square, left.homing) == (square_at(5, 7), True)


def _move_made(now: State) -> State:
    return replace(now, spent=Spent(move=1))


def test_wec_60_the_targets_last_public_cell_is_kept() -> None:
    after = end([prey((5, 9), False)], [homing(1, "T", (5, 5), (4, 9))]).after
    assert after.projectiles[0].target_cell == cell(5, 9, SUB)
    after = end([prey((5, 9), True)], [homing(1, "T", (5, 5), (4, 9))]).after
    assert after.projectiles[0].target_cell == cell(4, 9, SUB)


HIDDEN = {"own": (BLACK,), "enemy": (WHITE,), "both": (BLACK, WHITE), "none": ()}


@pytest.mark.parametrize("where", HIDDEN)
def test_wec_60_unseen_pieces_in_the_cells_entered_are_shown(where: str) -> None:
    hidden = [piece("AAA", 6, 3 + side, side, hidden=True) for side in HIDDEN[where]]
    bystander = piece("AAA", 6, 8, WHITE, hidden=True)
    shots = [shot(1, "R", 5, 3), shot(2, "R", 5, 4)]
    played = end([*hidden, bystander], shots)
    assert played.names()[:2] == ["Standing/0", "Standing/1"]  # the mover first
    shown = [told for told in played.causes() if told[0] == "shown"]
    assert shown == [("shown", 3 + n) for n in range(len(hidden))]
    assert kinds(played.after) == ["AAA"]
    assert len(played.after.projectiles) == 2 - len(hidden)


def test_wec_60_the_mover_tells_first_whoever_moves() -> None:
    played = end([piece("AAA", 6, 3, hidden=True)], [shot(1, "R", 5, 3)], side=WHITE)
    assert played.names()[:2] == ["Standing/1", "Standing/0"]


def test_wec_60_courses_are_told_by_the_mover_first() -> None:
    shots = [
        homing(1, "T", (5, 5), (5, 9)),
        homing(2, "T", (3, 3), (3, 9), side=WHITE),
    ]
    white = piece("SU", 5, 9, WHITE, SUB, hidden=True, chased=(1,))
    black = piece("SU", 3, 9, BLACK, SUB, hidden=True, chased=(2,))
    assert end([white, black], shots).names()[:2] == ["Course/0", "Course/1"]


def test_wec_60_nothing_is_asked_when_none_enters_a_cell() -> None:
    names = end([], [shot(1, "R", 10, 5)]).names()
    assert not any(name.startswith(("Standing", "Course")) for name in names)


@pytest.mark.parametrize("course", [9, -2, None, "x"])
def test_wec_60_a_course_that_is_none_is_refused(course: Any) -> None:
    before = state(
        [*KINGS, prey((5, 9), True)],
        projectiles=(homing(1, "T", (5, 5), (5, 9)),),
        spent=Spent(move=1),
    )
    resolution = GAME.resolve(before, BLACK, EndTurn())
    assert not isinstance(next(resolution), Event)
    with pytest.raises(IllegalAction) as refusal:
        resolution.send(course)
    assert refusal.value.rule == "WEC-60"


def test_wec_60_events_come_in_the_order_of_the_rule() -> None:
    played = end([piece("AAA", 6, 3, WHITE, hidden=True)], [shot(1, "R", 5, 3), shot(2, "S", 5, 9)])
    order = [type(event).__name__ for event in played.events if isinstance(event, Changed | Flew)]
    assert order == ["Changed", "Flew", "Flew", "Changed"]  # shown, both advance, hit
    assert of(played.events, Flew)[0].after is None
