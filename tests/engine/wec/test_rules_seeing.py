"""Seeing and not seeing, rule by rule (WEC-90 to WEC-99)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from cloakboard.engine.events import may_know
from cloakboard.engine.table import Table
from cloakboard.engine.wec import GAME
from cloakboard.engine.wec.actions import (
    Action,
    Bike,
    Blast,
    Drop,
    EndTurn,
    Exchange,
    Fly,
    Launch,
    LimitedRocket,
    Move,
    PickUp,
    TakeOff,
)
from cloakboard.engine.wec.detection import around
from cloakboard.engine.wec.events import Changed, Lapsed, LockEnded, LockMade, Sighted
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
    Secret,
    Spent,
    State,
    square_at,
)
from tests.engine.wec.build import cell, ended, lying, of, one, piece, public, run, state, unseen
from tests.engine.wec.checked import play

AHEAD = 0
KINGS = (piece("K", 1, 1), piece("K", 10, 10, WHITE))


def handles(now: State, kind: str) -> list[int]:
    """The handles of the pieces of a kind, by cell; 0: unseen."""
    return [p.handle for p in now.pieces if p.kind == kind]


def sighted(now: State, side: int) -> list[str]:
    """The kinds of the pieces that only that side sees, by cell."""
    secret = now.secrets[side]
    assert secret is not None
    return [p.kind for p in secret.sighted]


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


# -- coming into view and going out of it ----------------------------------------------------

AAA = piece("AAA", 6, 5, WHITE, hidden=True)
IMMUNE = piece("XP", 6, 5, WHITE, gear=["SH", "AFL"], hidden=True)
SHOWS: list[Any] = [
    # what comes to light at once: pieces, Black's action, the kind and whether it is seen then
    ("met, and taken", [piece("TA", 5, 5, hand="left"), AAA], Move(public(1), (cell(6, 5),)),
     "AAA", []),
    ("hit without effect", [piece("FP", 5, 5), IMMUNE], Blast(public(1), "FL", AHEAD), "XP",
     [True]),
    ("stops a stun shot", [piece("STP", 3, 5), AAA], Blast(public(1), "ST", AHEAD), "AAA", [True]),
    ("converted", [piece("CP", 5, 5), AAA], Blast(public(1), "CS", AHEAD), "AAA", [True]),
    ("passed by", [piece("TA", 5, 4, hand="left"), AAA], Move(public(1), (cell(6, 4),)), "AAA",
     [False]),
    ("out of the shot's range", [piece("FP", 4, 5), AAA], Blast(public(1), "FL", AHEAD), "AAA",
     [False]),
    ("on another level", [piece("STP", 5, 5), replace(AAA, cell=cell(6, 5, AIR))],
     Blast(public(1), "ST", AHEAD), "AAA", [False]),
    ("a friend of a conversion", [piece("CP", 5, 5), replace(AAA, side=BLACK)],
     Blast(public(1), "CS", AHEAD), "AAA", [False]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("pieces", "action", "kind", "seen"),
    [r[1:] for r in SHOWS],
    ids=[f"WEC-97 {r[0]}" for r in SHOWS],
)
def test_what_comes_to_light_at_once(
    pieces: list[Piece], action: Action, kind: str, seen: list[bool]
) -> None:
    after, events = run(state([*pieces, *KINGS]), BLACK, action)
    assert [bool(p.handle) for p in after.pieces if p.kind == kind] == seen
    shown = of(events, Changed, cause="shown")
    assert [event.only for event in shown] == ([()] if seen != [False] else [])


def test_wec_97_a_piece_that_nothing_hides_any_more_is_seen_when_it_fires() -> None:
    """A sub that surfaced unseen is public at the settlement, or at once if it fires."""
    diver = piece("SU", 5, 5, level=SUB, hidden=True)
    now, _ = run(state([diver, *KINGS]), BLACK, Move(unseen(5, 5, SUB), (cell(5, 5),)))
    assert handles(now, "SU") == [0]
    assert handles(ended(now), "SU") == [3]
    options = {"seen_when_firing_sub": False, "seen_when_firing_stealth": False}
    for values in ({}, options):
        surfaced = state([piece("SU", 5, 5, hidden=True), *KINGS], options=values)
        fired, events = run(surfaced, BLACK, Launch(unseen(5, 5), "TL", AHEAD))
        assert handles(fired, "SU") == [3]
        assert [event.only for event in of(events, Changed, cause="fires")] == [()]
        assert handles(ended(ended(fired)), "SU") == [3]


def test_wec_97_within_a_turn_nothing_else_is_judged_anew() -> None:
    """A public piece that takes a Stealth or dives stays public; an unseen one beside a
    detector that comes near stays unseen; till the Turn ends."""
    taker = piece("RP", 2, 2)
    diver = piece("SU", 2, 8)
    finder = piece("DS", 6, 6)
    prey = piece("SU", 9, 9, WHITE, SUB, hidden=True)
    now = state([taker, diver, finder, prey, *KINGS], lying(2, 2, "SH"))
    now, _ = run(now, BLACK, PickUp(public(1), "SH"))
    dived, _ = run(now, BLACK, Move(public(2), (cell(2, 8, SUB),)))
    assert (handles(dived, "RP"), handles(dived, "SU")) == ([1], [2, 0])
    assert (handles(ended(dived), "RP"), handles(ended(dived), "SU")) == ([0], [0, 6])
    near, _ = run(now, BLACK, Move(public(3), (cell(7, 7),)))
    assert handles(near, "SU") == [2, 0]
    assert handles(ended(near), "SU") == [2, 6]


def test_wec_97_what_was_shown_stays_to_the_end_of_that_turn_and_no_longer() -> None:
    """Hit in Turn 5 without effect; a projectile's hit at its end shows it no longer either."""
    now = state([piece("FP", 5, 5), IMMUNE, *KINGS], turn=5)
    now, _ = run(now, BLACK, Blast(public(1), "FL", AHEAD))
    now, _ = run(now, BLACK, Move(public(1), (cell(6, 6),)))
    assert handles(now, "XP") == [4]
    assert handles(ended(now), "XP") == [0]
    rocket = Projectile(1, "R", BLACK, square_at(5, 5), AHEAD)
    armoured = replace(IMMUNE, gear=(Gear("SH"), Gear("ARL")))
    struck = state([armoured, *KINGS], projectiles=(rocket,), next_shot=2, spent=Spent(move=1))
    after, events = run(struck, BLACK, EndTurn())
    assert [event.after.handle for event in of(events, Changed, cause="shown")] == [3]
    assert of(events, Lapsed) == [Lapsed(handles=(3,))]
    assert handles(after, "XP") == [0]


def test_wec_97_a_piece_that_takes_stays_unseen() -> None:
    hunter = piece("TA", 5, 5, gear=["SH"], hand="left", hidden=True)
    now = state([hunter, piece("RP", 6, 5, WHITE), *KINGS])
    after, events = run(now, BLACK, Move(unseen(5, 5), (cell(6, 5),)))
    assert handles(after, "TA") == [0]
    assert [e.before.handle for e in of(events, Changed, cause="taken", only=())] == [1]


def test_wec_97_handles_are_one_series_never_used_again() -> None:
    """The same piece is shown in Turns 1, 3 and 5, each time with a number of its own."""
    now = state([piece("FP", 5, 5), IMMUNE, *KINGS], options={"rate_flamer": 1})
    given = []
    for _ in range(3):
        now, _ = run(now, BLACK, Blast(public(1), "FL", AHEAD))
        given += handles(now, "XP")
        now = ended(ended(now))
        assert handles(now, "XP") == [0]
    assert given == [4, 5, 6]
    assert now.next_handle == 7


def test_wec_97_several_shown_at_once_are_numbered_by_level_row_column_code() -> None:
    """Both sides' pieces that a settlement shows, Ground before Air before Sub."""
    pieces = [
        piece("SU", 3, 3, WHITE, SUB, hidden=True), piece("SU", 2, 2, BLACK, SUB, hidden=True),
        piece("RP", 9, 2, hidden=True), piece("FP", 9, 1, WHITE, hidden=True),
        piece("JE", 1, 5, level=AIR, hidden=True), piece("DO", 9, 2, hidden=True),
        piece("DS", 3, 4),
    ]  # fmt: skip
    after = ended(state([*pieces, *KINGS]))
    numbered = sorted((p.handle, p.kind) for p in after.pieces if p.handle > 3)
    assert numbered == [(4, "FP"), (5, "DO"), (6, "RP"), (7, "JE"), (8, "SU")]
    assert [p.cell for p in after.pieces if p.handle == 8] == [cell(3, 3, SUB)]


@pytest.mark.parametrize("side", SIDES)
def test_wec_97_lapses_are_judged_by_public_facts_alone(side: int) -> None:
    """A public sub in the range of unseen detectors of the enemy: it lapses; they go on seeing
    it, and its owner does not know."""
    diver = piece("SU", 5, 5, side, SUB)
    finder = piece("AAA", 5, 6, 1 - side, gear=["TL"], hidden=True)
    now = state([diver, finder, *KINGS], spent=Spent(move=1))
    played = play(now, EndTurn())
    assert of(played.events, Lapsed) == [Lapsed(handles=(1,))]
    assert sighted(played.after, 1 - side) == ["SU"]
    for known in (GAME.public(now), GAME.view(now, side)):
        for event in played.events:
            holder = None if known == GAME.public(now) else side
            if may_know(event, holder):
                known = GAME.apply(known, event)
        secrets = [secret for secret in known.secrets if secret is not None]
        assert all(secret.sighted == () for secret in secrets)


def test_wec_97_a_public_detector_keeps_in_view_what_an_unseen_one_does_not() -> None:
    diver = piece("SU", 5, 5, WHITE, SUB)
    for hidden, kept in ((False, [1]), (True, [0])):
        finder = piece("DS", 5, 6, gear=["SH"] if hidden else [], hidden=hidden)
        assert handles(ended(state([diver, finder, *KINGS])), "SU") == kept


@pytest.mark.parametrize("side", SIDES)
def test_wec_97_what_is_shown_only_now_is_no_public_detector_yet(side: int) -> None:
    """White's destroyer shows Black's sub; White's own sub, which only that sub is near, is seen
    at the next settlement, and by Black alone until then."""
    finder = piece("DS", 5, 9, WHITE)
    seen, near = (
        piece("SU", 5, 6, level=SUB, hidden=True),
        piece("SU", 5, 3, WHITE, SUB, hidden=True),
    )
    now = ended(state([finder, seen, near, *KINGS], side=side))
    assert (handles(now, "SU"), sighted(now, BLACK)) == ([0, 4], ["SU"])
    now = ended(now)
    assert (handles(now, "SU"), sighted(now, BLACK)) == ([5, 4], [])


def test_wec_97_shows_and_lapses_are_judged_by_the_same_detectors() -> None:
    """A public stealthed destroyer that lapses at this very settlement still shows the sub."""
    finder = piece("DS", 5, 6, gear=["SH"])
    diver = piece("SU", 5, 5, WHITE, SUB, hidden=True)
    after = ended(state([finder, diver, *KINGS]))
    assert (handles(after, "DS"), handles(after, "SU")) == ([0], [4])


GONE: list[Any] = [
    # what White hears of an unseen Black piece's deeds in Black's Turn
    ("a drop", piece("RP", 5, 5, gear=["SH", "XXX", "FL"], hidden=True), Drop(unseen(5, 5), 2),
     ["Article"]),
    ("a pick-up", piece("AAA", 5, 5, hidden=True), PickUp(unseen(5, 5), "AST"), ["Article"]),
    ("a Move", piece("AAA", 5, 5, hidden=True), Move(unseen(5, 5), (cell(5, 6),)), []),
    ("a bike", piece("AAA", 5, 5, gear=["BI"], hidden=True), Bike(unseen(5, 5), cell(5, 6)), []),
    ("a take-off", piece("AAA", 5, 5, gear=["JP"], hidden=True), TakeOff(unseen(5, 5), "JP", 0),
     []),
    ("a flight", piece("AAA", 5, 5, level=AIR, gear=["JP"], flight=Flight("JP", 0, 1, 3),
     hidden=True), Fly(unseen(5, 5, AIR)), []),
]  # fmt: skip


@pytest.mark.parametrize(
    ("doer", "action", "heard"), [r[1:] for r in GONE], ids=[f"WEC-97 {r[0]}" for r in GONE]
)
def test_what_an_unseen_piece_does_stays_unseen(
    doer: Piece, action: Action, heard: list[str]
) -> None:
    now = state([doer, *KINGS], lying(5, 5, "AST"), turn=5)
    _, events = run(now, BLACK, action)
    assert [type(event).__name__ for event in events if may_know(event, WHITE)] == heard


# -- last seen, private sight ----------------------------------------------------------------


def test_wec_98_what_goes_out_of_view_is_named_where_all_still_know_its_place() -> None:
    """The handles of a lapse name pieces of the state before it, on every machine."""
    now = state([piece("SU", 5, 5, level=SUB), piece("AAA", 7, 7, WHITE), *KINGS])
    played = play(replace(now, spent=Spent(move=1)), EndTurn())
    (lapse,) = of(played.events, Lapsed)
    assert lapse.only == ()
    for known in (GAME.public(now), GAME.view(now, BLACK), GAME.view(now, WHITE)):
        last_seen = {p.handle: (p.kind, p.cell) for p in known.pieces if p.handle in lapse.handles}
        assert last_seen == {1: ("SU", cell(5, 5, SUB)), 2: ("AAA", cell(7, 7))}


DIVER = piece("SU", 5, 5, WHITE, SUB, hidden=True)
KNOWING = (Secret(sighted=(DIVER,)), Secret())


def test_wec_99_private_sight_is_its_sides_alone_and_settled_with_each_turn() -> None:
    finder = piece("AAA", 5, 6, gear=["TL"], hidden=True)
    now = ended(state([finder, DIVER, *KINGS]))
    assert (sighted(now, BLACK), sighted(now, WHITE)) == (["SU"], [])
    assert GAME.public(now).secrets == (None, None)
    assert GAME.view(now, WHITE).secrets[BLACK] is None
    assert [p.kind for p in GAME.view(now, BLACK).pieces if p.side == WHITE] == ["K"]
    away, _ = run(now, WHITE, Move(unseen(5, 5, SUB), (cell(4, 4, SUB),)))
    assert sighted(away, BLACK) == ["SU"]  # as at the last settlement
    assert of(play(replace(away, spent=Spent(move=1)), EndTurn()).events, Sighted, only=(BLACK,))
    lost, _ = run(ended(now), BLACK, Move(unseen(5, 6), (cell(5, 7),)))
    lost, _ = run(ended(lost), WHITE, Move(unseen(5, 5, SUB), (cell(5, 4, SUB),)))
    assert sighted(ended(lost), BLACK) == ["SU"]
    lost, _ = run(ended(lost), BLACK, Move(unseen(5, 7), (cell(5, 8),)))
    assert sighted(ended(lost), BLACK) == []


def test_wec_99_homing_tells_the_cell_and_does_not_show_the_piece() -> None:
    now = state([piece("DS", 5, 7), DIVER, *KINGS], secrets=KNOWING)
    action = Launch(public(1), "TL", -1, 0, DIVER.cell, "SU")
    after, events = run(now, BLACK, action)
    assert not of(events, Changed, cause="shown")
    assert handles(after, "SU") == [0]
    assert GAME.view(after, WHITE).projectiles[0].target_cell == DIVER.cell
    blind = state([piece("DS", 5, 7), DIVER, *KINGS])
    assert action not in list(GAME.actions(blind, BLACK))


def test_wec_99_a_limited_rocket_at_a_privately_seen_enemy() -> None:
    """Only its hit brings that piece to light."""
    prey = piece("XP", 5, 5, WHITE, gear=["SH", "ARL"], hidden=True)
    options = {"stealth_range_detection": True}
    for known in (True, False):
        secrets = (Secret(sighted=(prey,) if known else ()), Secret())
        now = state([piece("JE", 5, 5, level=AIR), prey, *KINGS], secrets=secrets, options=options)
        action = LimitedRocket(public(1), square_at(5, 5))
        assert (action in list(GAME.actions(now, BLACK))) is known
        if known:
            after, events = run(now, BLACK, action)
            assert [e.cause for e in of(events, Changed)] == ["fires", "shown", "hit"]
            assert sighted(after, BLACK) == []


def test_wec_99_no_private_sight_is_told_in_a_whole_game() -> None:
    """No event for everyone, or for the other side, holds a sighting."""
    table = Table(GAME)
    for _ in range(12):
        seat = table.to_act[0]
        table.act(seat, next(iter(table.actions(seat))))
        if EndTurn() in table.actions(seat):
            table.act(seat, EndTurn())
    told = of(table.events, Sighted)
    assert told
    assert {len(event.only) for event in told} == {1}
