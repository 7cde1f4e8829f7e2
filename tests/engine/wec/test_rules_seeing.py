"""Seeing and not seeing, rule by rule (WEC-90 to WEC-99)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from cloakboard.engine.wec import GAME
from cloakboard.engine.wec.actions import (
    Bike,
    Blast,
    Drop,
    Exchange,
    Launch,
    Move,
    PickUp,
    TakeOff,
)
from cloakboard.engine.wec.detection import around
from cloakboard.engine.wec.events import LockEnded, LockMade
from cloakboard.engine.wec.state import (
    AIR,
    BLACK,
    GROUND,
    SIDES,
    SUB,
    WHITE,
    Flight,
    Gear,
    Lock,
    Piece,
    Projectile,
    square_at,
)
from tests.engine.wec.build import (
    AHEAD,
    KINGS,
    cell,
    ended,
    handles,
    lying,
    of,
    one,
    piece,
    public,
    run,
    sighted,
    state,
    unseen,
)

# -- what hides ------------------------------------------------------------------------------

HIDING: list[Any] = [
    # piece, level, articles, options -> still public when the Turn has ended
    ("nothing hides it", "STP", GROUND, [], {}, True),
    ("carried Stealth", "STP", GROUND, ["SH"], {}, False),
    ("its own Stealth", "AAA", GROUND, [], {}, False),
    ("Stealth hides nothing", "AAA", GROUND, [], {"stealth_invisible": False}, True),
    ("in the Air", "JE", AIR, [], {}, True),
    ("at Sub", "SU", SUB, [], {}, False),
    ("Sub hides nothing", "SU", SUB, [], {"sub_invisible": False}, True),
    ("Stealth at Sub hides still", "SU", SUB, ["SH"], {"sub_invisible": False}, False),
    ("Sub hides still", "SU", SUB, ["SH"], {"stealth_invisible": False}, False),
    ("neither hides", "SU", SUB, ["SH"], {"stealth_invisible": False, "sub_invisible": False},
     True),
]  # fmt: skip


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize(
    ("kind", "level", "gear", "options", "stays"),
    [r[1:] for r in HIDING],
    ids=[f"WEC-90 {r[0]}" for r in HIDING],
)
def test_what_hides_a_piece(
    kind: str, level: int, gear: Any, options: Any, stays: bool, side: int
) -> None:
    now = state([piece(kind, 5, 5, side, level, gear=gear), *KINGS], options=options)
    after = ended(now)
    assert handles(after, kind) == [1 if stays else 0]
    unseen_before = replace(now, pieces=tuple(
        replace(p, handle=0) if p.handle == 1 else p for p in now.pieces
    ))  # fmt: skip
    assert bool(handles(ended(unseen_before), kind)[0]) is stays


def test_wec_90_projectiles_are_public() -> None:
    """Also one that a piece fires which nobody sees even then."""
    gunner = piece("STP", 5, 5, gear=["SH", "XXX", "TL"], hidden=True)
    now = state([gunner, *KINGS], options={"seen_when_firing_stealth": False})
    after, _ = run(now, BLACK, Launch(unseen(5, 5), "TL", AHEAD))
    assert GAME.public(after).projectiles == (Projectile(1, "T", BLACK, square_at(5, 5), AHEAD),)
    assert handles(after, "STP") == [0]


# -- lock-on ---------------------------------------------------------------------------------


@pytest.mark.parametrize("other_lock", [False, True])
def test_wec_91_a_drop_ends_its_own_lock_alone(other_lock: bool) -> None:
    """The holder has two Anti-stealths, each with a lock; one is laid down."""
    holder = piece("XP", 2, 2, gear=[Gear("ASH", lock=1), Gear("ASH", lock=2)])
    targets = [piece("AAA", 7, r, WHITE, locked=r) for r in (1, 2)]
    now = state([holder, *targets, *KINGS], locks=(Lock(1, BLACK), Lock(2, BLACK)), next_lock=3)
    after, events = run(now, BLACK, Drop(public(1), int(other_lock)))
    gone = 2 if other_lock else 1
    assert of(events, LockEnded) == [LockEnded(number=gone)]
    assert after.locks == (Lock(3 - gone, BLACK),)
    settled = ended(after)
    assert [bool(handle) for handle in handles(settled, "AAA")] == [gone == 2, gone == 1]


def test_wec_91_an_unseen_holder_hands_its_lock_on_and_lays_it_down() -> None:
    """Who holds it stays secret; that the lock ends does not."""
    holder = piece("AAA", 2, 2, gear=[Gear("ASH", lock=1)], hidden=True)
    taker = piece("SHP", 2, 3, hidden=True)
    target = piece("AAA", 7, 7, WHITE, locked=1)
    now = state([holder, taker, target, *KINGS], locks=(Lock(1, BLACK),), next_lock=2)
    handed, events = run(now, BLACK, Exchange(unseen(2, 2), unseen(2, 3), 0))
    assert all(event.only == (BLACK,) for event in events)
    assert GAME.public(handed) == GAME.public(now)
    settled = ended(handed)
    assert 1 in handles(settled, "AAA")
    dropped, events = run(handed, BLACK, Drop(unseen(2, 3), 0))
    assert of(events, LockEnded, only=()) == [LockEnded(number=1)]
    assert handles(ended(dropped), "AAA") == [0, 0]


def test_wec_91_a_locked_target_that_lays_its_stealth_down_and_takes_one_again() -> None:
    target = piece("STP", 5, 5, gear=["SH"], locked=1)
    holder = piece("SHP", 9, 9, WHITE, own_lock=1, hidden=True)
    now = state([target, holder, *KINGS], locks=(Lock(1, WHITE),), next_lock=2)
    now, _ = run(now, BLACK, Drop(public(1), 0))
    now, events = run(now, BLACK, PickUp(public(1), "SH"))
    assert not of(events, LockMade)
    assert one(now, 1).locked == 1
    assert handles(ended(ended(now)), "STP") == [1]


@pytest.mark.parametrize(
    ("dominance", "seen"), [("submersion", False), ("stealth", True)], ids=["WEC-91 a", "WEC-91 b"]
)
def test_a_locked_piece_submerged(dominance: str, seen: bool) -> None:
    """Seen again when it surfaces, since the lock lasts."""
    target = piece("SU", 5, 5, WHITE, SUB, gear=["SH"], locked=1)
    holder = piece("SHP", 1, 9, own_lock=1)
    now = state(
        [target, holder, *KINGS], locks=(Lock(1, BLACK),), next_lock=2, side=WHITE,
        options={"dominance": dominance},
    )  # fmt: skip
    settled = ended(now)
    assert [bool(handle) for handle in handles(settled, "SU")] == [seen]
    up = ended(settled)
    ref = public(handles(up, "SU")[0]) if seen else unseen(5, 5, SUB)
    up, _ = run(up, WHITE, Move(ref, (cell(5, 5),)))
    assert handles(ended(up), "SU") != [0]


def test_wec_91_only_a_pick_up_locks_on() -> None:
    """An exchange of an Anti-stealth that holds no lock makes none, nor does an arrival."""
    prey = piece("AAA", 7, 7, WHITE, hidden=True)
    now = state([piece("RP", 2, 2, gear=["ASH"]), piece("FP", 2, 3), prey, *KINGS])
    after, events = run(now, BLACK, Exchange(public(1), public(2), 0))
    assert (of(events, LockMade), after.locks) == ([], ())
    after, events = run(after, BLACK, Drop(public(2), 0))
    assert of(events, LockEnded) == []
    after, _ = run(after, BLACK, PickUp(public(2), "ASH"), draws=[0])
    assert after.locks == (Lock(1, BLACK),)


@pytest.mark.parametrize(
    ("hider", "dominance", "locks"),
    [
        pytest.param(piece("AAA", 7, 7, WHITE, hidden=True), "submersion", True, id="WEC-91 c"),
        pytest.param(
            piece("SU", 7, 7, WHITE, SUB, gear=["SH"], hidden=True), "submersion", False,
            id="WEC-91 submerged",
        ),
        pytest.param(
            piece("SU", 7, 7, WHITE, SUB, gear=["SH"], hidden=True), "stealth", True,
            id="WEC-91 submerged, stealth dominates",
        ),
        pytest.param(piece("SU", 7, 7, WHITE, SUB, hidden=True), "stealth", False, id="WEC-91 d"),
    ],
)  # fmt: skip
def test_candidates(hider: Piece, dominance: str, locks: bool) -> None:
    now = state([piece("K", 2, 2), hider], lying(2, 2, "ASH"), options={"dominance": dominance})
    after, events = run(now, BLACK, PickUp(public(1), "ASH"), draws=[9])
    assert bool(of(events, LockMade)) is locks
    assert [bool(p.handle) for p in after.pieces if p.side == WHITE] == [locks]  # at once


# -- detection -------------------------------------------------------------------------------


@pytest.mark.parametrize("away", range(1, 5))
@pytest.mark.parametrize("reach", [0, 2, 3])
@pytest.mark.parametrize(("lock_on", "detection"), [(True, True), (False, True), (True, False)])
def test_wec_92_range_detection_beside_lock_on_or_without(
    lock_on: bool, detection: bool, reach: int, away: int
) -> None:
    now = state(
        [piece("SHP", 5, 5, locked=9), piece("AAA", 5, 5 + away, WHITE), *KINGS],
        options={
            "stealth_lock_on": lock_on, "stealth_range_detection": detection,
            "stealth_range": reach,
        },
    )  # fmt: skip
    assert bool(handles(ended(now), "AAA")[0]) is (detection and away <= reach)


def test_wec_94_the_larger_of_both_differences() -> None:
    rows = {divmod(square, 10) for square in around(square_at(2, 9), 2)}
    assert rows == {(r, c) for r in range(4) for c in range(6, 10)}


@pytest.mark.parametrize("level", [GROUND, AIR, SUB])
@pytest.mark.parametrize(("row", "column", "seen"), [(8, 7, True), (2, 8, True), (9, 5, False)])
def test_wec_93_wec_94_level_does_not_matter(row: int, column: int, seen: bool, level: int) -> None:
    finder = piece("JE", row, column, level=level, gear=["TL"])
    now = state([finder, piece("SU", 5, 5, WHITE, SUB), *KINGS])
    assert bool(handles(ended(now), "SU")[0]) is seen


def test_wec_93_flying_and_stunned_pieces_detect_without_an_action() -> None:
    flyer = piece("XP", 5, 8, level=AIR, gear=["JP", "TL"], flight=Flight("JP", 0, 1, 1))
    for finder in (flyer, piece("DS", 5, 8, stunned=99)):
        now = state([finder, piece("SU", 5, 5, WHITE, SUB, hidden=True), *KINGS])
        assert handles(ended(now), "SU") == [4]


# -- firing ----------------------------------------------------------------------------------

SHOTS: list[Any] = [
    ("a blast", ["SH", "XXX", "FL"], lambda ref: Blast(ref, "FL", AHEAD), True),
    ("a launch", ["SH", "XXX", "SL"], lambda ref: Launch(ref, "SL", AHEAD), True),
    ("a bike", ["SH", "XXX", "BI"], lambda ref: Bike(ref, cell(6, 5)), False),
    ("a jump pack", ["SH", "XXX", "JP"], lambda ref: TakeOff(ref, "JP", 0), False),
]


@pytest.mark.parametrize(
    ("gear", "fire", "shows"), [r[1:] for r in SHOTS], ids=[f"WEC-95 {r[0]}" for r in SHOTS]
)
def test_firing_a_weapon_shows_until_the_end_of_the_enemys_next_turn(
    gear: list[str], fire: Any, shows: bool
) -> None:
    now = state([piece("RP", 5, 5, gear=gear, hidden=True), *KINGS], turn=5)
    now, _ = run(now, BLACK, fire(unseen(5, 5)))
    seen = [bool(handles(now, "RP")[0])]
    for _ in range(2):  # the end of Turn 5, of Turn 6
        now = ended(now)
        seen.append(bool(handles(now, "RP")[0]))
    assert seen == ([True, True, False] if shows else [False, False, False])


def test_wec_95_a_stealthed_piece_that_is_seen_anyway_is_seen_as_long() -> None:
    """Shown by a collision in Turn 5, it fires in it, and is seen to the end of Turn 6."""
    now = state([piece("RP", 5, 5, gear=["SH"]), *KINGS], turn=5)
    quiet, loud = now, run(now, BLACK, Launch(public(1), "RL", AHEAD))[0]
    assert handles(ended(quiet), "RP") == [0]
    assert handles(ended(loud), "RP") == [1]
    assert handles(ended(ended(loud)), "RP") == [0]


FIRING: list[Any] = [
    # dominance, firing options for stealth and for submersion -> whether a stealthed sub shows
    ("submersion", True, True, True), ("submersion", False, True, True),
    ("submersion", True, False, False), ("stealth", True, False, True),
    ("stealth", False, True, False),
]  # fmt: skip


@pytest.mark.parametrize(("dominance", "stealth", "sub", "shows"), FIRING)
def test_wec_96_the_dominant_kind_decides_by_firing(
    dominance: str, stealth: bool, sub: bool, shows: bool
) -> None:
    options = {
        "dominance": dominance, "seen_when_firing_stealth": stealth, "seen_when_firing_sub": sub,
    }  # fmt: skip
    diver = piece("SU", 5, 5, level=SUB, gear=["SH"], hidden=True)
    now = state([diver, *KINGS], options=options)
    after, _ = run(now, BLACK, Launch(unseen(5, 5, SUB), "TL", AHEAD))
    assert bool(handles(after, "SU")[0]) is shows
    assert bool(handles(ended(after), "SU")[0]) is shows


@pytest.mark.parametrize("hidden", [False, True])
@pytest.mark.parametrize(
    ("dominance", "article", "seen"),
    [
        ("submersion", "TL", True), ("submersion", "ASH", False),
        ("stealth", "TL", False), ("stealth", "ASH", True),
    ],
)  # fmt: skip
def test_wec_96_the_dominant_kind_decides_by_detection(
    dominance: str, article: str, seen: bool, hidden: bool
) -> None:
    """A stealthed sub beside a detector of one kind, public or unseen."""
    diver = piece("SU", 5, 5, WHITE, SUB, gear=["SH"], hidden=True)
    finder = piece("XP", 5, 6, gear=[article, "SH"] if hidden else [article], hidden=hidden)
    options = {"dominance": dominance, "stealth_range_detection": True}
    after = ended(state([diver, finder, *KINGS], options=options))
    assert bool(handles(after, "SU")[0]) is (seen and not hidden)
    assert sighted(after, BLACK) == (["SU"] if seen and hidden else [])
