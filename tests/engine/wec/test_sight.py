"""Seeing and not seeing, WEC-90 to WEC-99."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from cloakboard.engine.errors import IllegalAction
from cloakboard.engine.wec import GAME, sight
from cloakboard.engine.wec.actions import EndTurn, Move, PickUp
from cloakboard.engine.wec.detection import around, hidden_by
from cloakboard.engine.wec.events import Changed, Lapsed, LockMade, Sighted
from cloakboard.engine.wec.options import agreed, complete
from cloakboard.engine.wec.probes import Met, Shown
from cloakboard.engine.wec.state import (
    AIR,
    BLACK,
    GROUND,
    SUB,
    WHITE,
    Gear,
    Lock,
    Piece,
    Secret,
    Spent,
    State,
)
from tests.engine.wec.build import KINGS, cell, lying, of, piece, public, state, unseen
from tests.engine.wec.checked import Played, play


def end(pieces: list[Piece], turn: int = 5, side: int = BLACK, **fields: Any) -> Played:
    """The Turn of `side` ended; kings, handles 1 and 2, stand far off."""
    before = state([*KINGS, *pieces], turn=turn, side=side, spent=Spent(move=1), **fields)
    return play(before, EndTurn())


def seen(played: Played, kind: str) -> list[bool]:
    """Whether each piece of a kind is public afterwards, by cell."""
    return [one.handle > 0 for one in played.after.pieces if one.kind == kind]


HIDING: list[Any] = [
    # piece, level, gear, options -> what hides it
    ("STP", GROUND, [], {}, ""),
    ("STP", GROUND, ["SH"], {}, "stealth"),
    ("AAA", GROUND, [], {}, "stealth"),
    ("SHP", GROUND, [], {}, "stealth"),
    ("SHP", GROUND, [], {"stealth_invisible": False}, ""),
    ("SU", GROUND, [], {}, ""),
    ("SU", SUB, [], {}, "submersion"),
    ("K", SUB, [], {}, "submersion"),
    ("SU", SUB, [], {"sub_invisible": False}, ""),
    ("SU", SUB, ["SH"], {}, "submersion"),
    ("SU", SUB, ["SH"], {"dominance": "stealth"}, "stealth"),
    ("SU", SUB, ["SH"], {"sub_invisible": False}, "stealth"),
    ("JE", AIR, ["ASH"], {}, ""),
]


@pytest.mark.parametrize(("kind", "level", "gear", "options", "hiding"), HIDING)
def test_wec_90_wec_96_what_hides_a_piece(
    kind: str, level: int, gear: Any, options: Any, hiding: str
) -> None:
    one = piece(kind, 5, 5, level=level, gear=gear)
    assert hidden_by(agreed(complete(options)), one) == hiding


def test_wec_94_distance_is_the_larger_difference() -> None:
    assert around(0, 1) == (0, 1, 10, 11)
    assert len(around(55, 3)) == 49
    assert around(55, 0) == (55,)


# -- submerged detection --------------------------------------------------------------------

SUBMERGED: list[Any] = [
    # the enemy's piece, its place, gear -> seen
    ("own launcher, range 3", "DS", (5, 8), GROUND, [], {}, True),
    ("out of range", "DS", (5, 9), GROUND, [], {}, False),
    ("diagonally", "DS", (8, 8), GROUND, [], {}, True),
    ("carried launcher", "RP", (5, 8), GROUND, ["TL"], {}, True),
    ("no launcher", "RP", (5, 6), GROUND, ["ASH", "SL"], {}, False),
    ("from Air", "JE", (5, 8), AIR, ["TL"], {}, True),
    ("a longer range", "DS", (5, 9), GROUND, [], {"sub_range": 4}, True),
    ("range 0", "DS", (5, 6), GROUND, [], {"sub_range": 0}, False),
]


@pytest.mark.parametrize("side", [BLACK, WHITE])
@pytest.mark.parametrize("was_public", [False, True])
@pytest.mark.parametrize(
    ("kind", "at", "level", "gear", "options", "is_seen"),
    [row[1:] for row in SUBMERGED],
    ids=[f"WEC-93 {row[0]}" for row in SUBMERGED],
)
def test_a_public_detector(
    kind: str,
    at: Any,
    level: int,
    gear: Any,
    options: Any,
    is_seen: bool,
    was_public: bool,
    side: int,
) -> None:
    diver = piece("SU", 5, 5, side, SUB, hidden=not was_public)
    detector = piece(kind, at[0], at[1], 1 - side, level, gear=gear)
    assert seen(end([detector, diver], options=options), "SU") == [is_seen]


def test_wec_93_anti_torpedo_is_no_help_and_stun_no_hindrance() -> None:
    diver = piece("SU", 5, 5, WHITE, SUB, gear=["ATL"], hidden=True)
    detector = piece("DS", 5, 6, stunned=99)
    assert seen(end([detector, diver]), "SU") == [True]


@pytest.mark.parametrize("side", [BLACK, WHITE])
def test_wec_97_an_unseen_detector_sees_for_its_own_side_alone(side: int) -> None:
    diver = piece("SU", 5, 5, side, SUB, hidden=True)
    detector = piece("RP", 5, 8, 1 - side, gear=["SH", "TL"], hidden=True)
    played = end([detector, diver])
    assert seen(played, "SU") == [False]
    secrets = played.after.secrets
    assert [secret.sighted for secret in secrets if secret] == (
        [(diver,), ()] if side == WHITE else [(), (diver,)]
    )
    assert {event.only for event in of(played.events, Sighted)} == {(BLACK,), (WHITE,)}
    # WEC-99: the public state and the diver's owner know nothing of it.
    assert GAME.public(played.after).secrets == (None, None)
    assert GAME.view(played.after, side).secrets[1 - side] is None


def test_wec_97_two_unseen_subs_see_each_other_privately() -> None:
    one, other = (
        piece("SU", 5, 5, BLACK, SUB, hidden=True),
        piece("SU", 6, 6, WHITE, SUB, hidden=True),
    )
    after = end([one, other]).after
    assert [secret.sighted for secret in after.secrets if secret] == [(other,), (one,)]


def test_wec_97_lookups_are_made_whatever_the_state() -> None:
    # First for the side to play next.
    assert end([]).names() == ["Detected/0", "Detected/1", "Sight/0", "Sight/1"]
    assert [probe.asker for probe in end([]).probes[2:]] == [WHITE, BLACK]
    options = {"sub_invisible": False, "stealth_invisible": False}
    assert end([], options=options).names() == ["Detected/0", "Detected/1"]


def test_wec_97_a_detector_that_something_hides_does_not_count_as_public() -> None:
    # Two subs that only see each other, one of them public until now: it counts, the other not.
    lapsing = piece("SU", 5, 5, BLACK, SUB)
    other = piece("SU", 6, 6, WHITE, SUB, hidden=True)
    played = end([lapsing, other])
    assert seen(played, "SU") == [False, True]
    assert of(played.events, Lapsed) == [Lapsed(handles=(3,))]
    # The one just shown counts at the next settlement.
    again = play(replace(played.after, spent=Spent(move=1)), EndTurn())
    assert seen(again, "SU") == [True, False]


def test_wec_97_out_of_hiding_it_is_public_and_detects() -> None:
    # Black's sub surfaced unseen; at Ground nothing hides it, and it detects for all to see.
    surfaced = piece("SU", 5, 5, BLACK, hidden=True)
    diver = piece("SU", 6, 6, WHITE, SUB, hidden=True)
    played = end([surfaced, diver])
    assert seen(played, "SU") == [True, True]
    # Handles in the order of WEC-62: Ground before Sub.
    assert played.causes() == [("shown", 3), ("shown", 4)]
    assert [one.handle for one in played.after.pieces if one.kind == "SU"] == [3, 4]


def test_wec_97_out_of_hiding_it_keeps_in_view_what_it_detects() -> None:
    surfaced = piece("SU", 5, 5, BLACK, hidden=True)
    played = end([surfaced, piece("SU", 6, 6, WHITE, SUB)])
    assert seen(played, "SU") == [True, True]
    assert not of(played.events, Lapsed)


# -- stealth --------------------------------------------------------------------------------

STEALTHED: list[Any] = [
    # option on, detector's gear, distance -> seen
    ("off", False, ["ASH"], 1, False),
    ("on", True, ["ASH"], 3, True),
    ("out of range", True, ["ASH"], 4, False),
    ("no Anti-stealth", True, ["TL"], 1, False),
]


@pytest.mark.parametrize("detector_public", [True, False])
@pytest.mark.parametrize(
    ("on", "gear", "away", "is_seen"),
    [row[1:] for row in STEALTHED],
    ids=[f"WEC-92 {row[0]}" for row in STEALTHED],
)
def test_range_detection(
    on: bool, gear: Any, away: int, is_seen: bool, detector_public: bool
) -> None:
    hider = piece("AAA", 5, 5, WHITE, hidden=True)
    finder = piece("XP", 5, 5 + away, gear=[*gear, "SH"], hidden=not detector_public)
    if detector_public:
        finder = replace(finder, gear=tuple(g for g in finder.gear if g.kind != "SH"))
    played = end([finder, hider], options={"stealth_range_detection": on})
    secret = played.after.secrets[BLACK]
    assert secret is not None
    assert seen(played, "AAA") == [is_seen and detector_public]
    assert secret.sighted == ((hider,) if is_seen and not detector_public else ())


def test_wec_96_a_torpedo_launcher_does_not_see_what_stealth_hides() -> None:
    # Dominance stealth: a stealthed sub is shown by stealth detection and firing only.
    diver = piece("SU", 5, 5, WHITE, SUB, gear=["SH"], hidden=True)
    for finder in (piece("DS", 5, 6), piece("DS", 5, 6, gear=["SH"], hidden=True)):
        played = end([finder, diver], options={"dominance": "stealth"})
        secret = played.after.secrets[BLACK]
        assert secret is not None
        assert (seen(played, "SU"), secret.sighted) == ([False], ())


LOCKED: list[Any] = [
    # level, gear, options -> seen while locked
    ("stealthed", GROUND, ["SH"], {}, True),
    ("submerged and stealthed", SUB, ["SH"], {}, False),
    ("submerged only", SUB, [], {}, False),
    ("submerged, stealth dominates", SUB, ["SH"], {"dominance": "stealth"}, True),
    ("submerged, subs are visible", SUB, ["SH"], {"sub_invisible": False}, True),
]


@pytest.mark.parametrize("was_public", [True, False])
@pytest.mark.parametrize(
    ("level", "gear", "options", "is_seen"),
    [row[1:] for row in LOCKED],
    ids=[f"WEC-91 {row[0]}" for row in LOCKED],
)
def test_a_lock_shows(level: int, gear: Any, options: Any, is_seen: bool, was_public: bool) -> None:
    target = piece("SU", 5, 5, WHITE, level, gear=gear, locked=1, hidden=not was_public)
    holder = piece("SHP", 3, 3, own_lock=1, hidden=True)
    played = end([target, holder], options=options, locks=(Lock(1, BLACK),), next_lock=2)
    assert seen(played, "SU") == [is_seen]


# -- firing and being shown -----------------------------------------------------------------

FIRED: list[Any] = [
    ("fired in the Turn that ends", 5, True),
    ("fired in the Turn before", 4, False),
]


@pytest.mark.parametrize(
    ("shown_till", "is_seen"), [r[1:] for r in FIRED], ids=[r[0] for r in FIRED]
)
def test_wec_95_seen_until_the_end_of_the_enemys_next_turn(shown_till: int, is_seen: bool) -> None:
    assert seen(end([piece("AAA", 5, 5, shown_till=shown_till)]), "AAA") == [is_seen]


def test_wec_97_having_been_shown_lasts_to_the_end_of_the_turn_only() -> None:
    after = end([piece("AAA", 5, 5, WHITE)]).after
    assert [one.handle for one in after.pieces if one.kind == "AAA"] == [0]
    assert after.next_handle == 4  # numbers are not used again


def test_wec_97_an_opposed_pair_stays_public() -> None:
    played = end([piece("AAA", 5, 5, WHITE), piece("AAA", 5, 5, BLACK)])
    assert seen(played, "AAA") == [True, True]


# -- meeting --------------------------------------------------------------------------------


def answers(now: State, part: Any) -> tuple[Any, list[str], list[Any]]:
    """What a part returns, the probes it asks and its events, where all is known."""
    names: list[str] = []
    events: list[Any] = []
    sent: Any = None
    while True:
        try:
            step = part.send(sent)
        except StopIteration as stop:
            return stop.value, names, events
        if isinstance(step, Changed | LockMade):
            events.append(step)
            now = sent = GAME.apply(now, step)
            continue
        names.append(type(step).__name__)
        if step.form == "occupied":
            held = GAME.holds(now, step)
            sent = tuple((key, None) for key in GAME.query(now, step) if key in held)
        elif step.form == "draw":
            sent = 7
        else:
            sent = GAME.answer(now, step)


MEETING: list[Any] = [
    # unseen enemies at, path -> cell met, how many come to light
    ("none", [], (6, 7, 8), None, 0),
    ("the first of two", [8, 6], (5, 6, 7, 8), 6, 1),
    ("in the order of the path, not of cells", [8, 6], (8, 7, 6), 8, 1),
    ("two in the cell", [7, 7], (6, 7), 7, 2),
    ("off the path", [9], (6, 7, 8), None, 0),
]


@pytest.mark.parametrize("how", ["met", "felt"])
@pytest.mark.parametrize(
    ("rows", "path", "stop", "shown"),
    [row[1:] for row in MEETING],
    ids=[f"WEC-49 {row[0]}" for row in MEETING],
)
def test_meeting(rows: Any, path: Any, stop: int | None, shown: int, how: str) -> None:
    kinds = iter(["AAA", "SHP"])
    before = state([piece(next(kinds), row, 5, WHITE, hidden=True) for row in rows])
    cells = tuple(cell(row, 5) for row in path)
    (found, after), names, events = answers(before, getattr(sight, how)(before, BLACK, cells))
    assert found == (None if stop is None else cell(stop, 5))
    assert len(events) == shown
    assert [event.after.handle for event in events] == list(range(1, shown + 1))
    assert sum(one.handle > 0 for one in after.pieces) == shown
    asked = {"met": ["Met"], "felt": ["Path", "Met"] if stop else ["Path"]}
    assert names == asked[how]


@pytest.mark.parametrize(
    "told",
    [
        None,
        3,
        Shown((piece("AAA", 6, 5, BLACK, hidden=True),)),
        Shown((piece("AAA", 6, 5, WHITE, handle=9),)),
        Shown((piece("AAA", 7, 5, WHITE, hidden=True),)),
    ],
    ids=["nothing", "a number", "the wrong side", "a public piece", "another cell"],
)
def test_wec_97_a_statement_of_what_was_not_asked_is_refused(told: Any) -> None:
    part = sight.stated(Met(owner=WHITE, cells=(cell(6, 5),)))
    next(part)
    with pytest.raises(IllegalAction) as refusal:
        part.send(told)
    assert refusal.value.rule == "WEC-97"


# -- lock-on --------------------------------------------------------------------------------

CANDIDATES: list[Any] = [
    # White's pieces, draw -> the cell locked, as row and column
    ("none", [], 0, None),
    ("not stealthed", [piece("SU", 6, 5, WHITE, SUB, hidden=True)], 0, None),
    ("public", [piece("SHP", 6, 5, WHITE)], 0, None),
    ("locked already", [piece("SHP", 6, 5, WHITE, hidden=True, locked=1)], 0, None),
    ("submerged", [piece("SU", 6, 5, WHITE, SUB, gear=["SH"], hidden=True)], 0, None),
    ("the only one", [piece("SHP", 6, 5, WHITE, hidden=True)], 5, (6, 5)),
    (
        "by the draw, in the order level, row, column",
        [piece("AAA", r, c, WHITE, hidden=True) for r, c in ((7, 2), (6, 9), (6, 3))],
        4,
        (6, 9),
    ),
    (
        "by code in one cell",
        [piece(k, 6, 5, WHITE, gear=["SH"], hidden=True) for k in ("STP", "DO")],
        3,
        (6, 5),
    ),
]


@pytest.mark.parametrize("holder_unseen", [False, True])
@pytest.mark.parametrize(
    ("white", "draw", "locked"),
    [row[1:] for row in CANDIDATES],
    ids=[f"WEC-91 {row[0]}" for row in CANDIDATES],
)
def test_lock_on(white: Any, draw: int, locked: Any, holder_unseen: bool) -> None:
    holder = piece("XP", 2, 2, gear=["SH"], hidden=holder_unseen)
    before = state([holder, *white], lying(2, 2, "ASH"), locks=(Lock(1, BLACK),), next_lock=2)
    ref = unseen(2, 2) if holder_unseen else public(1)
    played = play(before, PickUp(ref, "ASH"), draws=[draw])
    made = of(played.events, LockMade)
    targets = [one for one in played.after.pieces if one.locked == 2]
    (holder_after,) = [one for one in played.after.pieces if one.side == BLACK]
    if locked is None:
        assert (made, targets) == ([], [])
        assert holder_after.gear[-1] == Gear("ASH")
        return
    (target,) = targets
    assert target.cell == cell(*locked)
    assert made == [
        LockMade(number=2, side=BLACK, holder=holder_after.handle, target=target.handle)
    ]
    assert holder_after.gear[-1] == Gear("ASH", lock=2)
    assert played.after.locks == (Lock(1, BLACK), Lock(2, BLACK))
    assert bool(holder_after.handle) is not holder_unseen  # "an unseen holder"


def test_wec_91_by_code_where_two_share_a_cell() -> None:
    pair = [piece(kind, 6, 5, WHITE, gear=["SH"], hidden=True) for kind in ("STP", "DO")]
    for draw, kind in ((0, "DO"), (1, "STP"), (2, "DO")):
        before = state([piece("XP", 2, 2), *pair], lying(2, 2, "ASH"))
        after = play(before, PickUp(public(1), "ASH"), draws=[draw]).after
        assert [one.kind for one in after.pieces if one.locked] == [kind]


def test_wec_91_off() -> None:
    before = state(
        [piece("XP", 2, 2), piece("SHP", 6, 5, WHITE, hidden=True)],
        lying(2, 2, "ASH"),
        options={"stealth_lock_on": False},
    )
    assert not of(play(before, PickUp(public(1), "ASH")).events, LockMade)


# -- private sight --------------------------------------------------------------------------


def test_wec_99_a_sighting_goes_when_everyone_sees_the_piece() -> None:
    # A move meets the sub that its side saw privately.
    diver = piece("SU", 6, 5, WHITE, SUB, hidden=True)
    mover = piece("SU", 5, 5, BLACK, SUB)
    before = state([mover, diver], secrets=(Secret(sighted=(diver,)), Secret()))
    hit = replace(before, secrets=(Secret(sighted=(diver,)), Secret()))
    (_, after), _, _ = answers(hit, sight.met(hit, BLACK, (diver.cell,)))
    assert after.secrets[BLACK] == Secret()
    with pytest.raises(IllegalAction):  # WEC-41: a sub does not take what it sees
        GAME.legal(before, BLACK, Move(public(1), (diver.cell,)))


def test_wec_99_of_two_alike_the_one_with_the_same_articles_goes() -> None:
    one = piece("SU", 6, 5, WHITE, SUB, hidden=True)
    other = replace(one, gear=(Gear("ATL"),))
    before = state([one, other], secrets=(Secret(sighted=(one, other)), Secret()))
    shown = Changed(cause="shown", before=other, after=replace(other, handle=1))
    after = GAME.apply(before, shown)
    assert after.secrets[BLACK] == Secret(sighted=(one,))
