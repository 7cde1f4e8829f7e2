"""Coming into view and going out of it, rule by rule (WEC-97 to WEC-99)."""

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
    Fly,
    Launch,
    LimitedRocket,
    Move,
    PickUp,
    TakeOff,
)
from cloakboard.engine.wec.events import Changed, Lapsed, Sighted
from cloakboard.engine.wec.state import (
    AIR,
    BLACK,
    SIDES,
    SUB,
    WHITE,
    Flight,
    Gear,
    Piece,
    Projectile,
    Secret,
    Spent,
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
    piece,
    public,
    run,
    sighted,
    state,
    unseen,
)
from tests.engine.wec.checked import play

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
