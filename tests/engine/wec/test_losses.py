"""Losing pieces, scattering articles, stunning: WEC-07, 14, 47, 56, 60, 62, 63, 91."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from cloakboard.engine.wec import GAME, losses, sight
from cloakboard.engine.wec.actions import Blast, EndTurn
from cloakboard.engine.wec.events import Article, Fell, LockEnded, Won
from cloakboard.engine.wec.state import (
    AIR,
    BLACK,
    GROUND,
    LOST,
    SUB,
    WHITE,
    Flight,
    Gear,
    Lock,
    Piece,
    Projectile,
    Spent,
    State,
    square_at,
)
from tests.engine.wec.build import AHEAD, cell, lying, of, piece, public, state
from tests.engine.wec.checked import Played, play

FIRERS = {GROUND: "Q", AIR: "JE", SUB: "SU"}


def fire(weapon: str, targets: list[Piece], level: int = GROUND, **fields: Any) -> Played:
    """Black's piece 1 at (5,5) fires one weapon ahead, at (6,5) and beyond."""
    firer = piece(FIRERS[level], 5, 5, level=level, gear=[weapon])
    return play(state([firer, *targets], **fields), Blast(public(1), weapon, AHEAD))


def left(played: Played, side: int = WHITE) -> list[Piece]:
    """What stands of a side afterwards, by cell."""
    return [one for one in played.after.pieces if one.side == side]


def fallen_articles(played: Played) -> list[tuple[str, int]]:
    return [(event.gear.kind, event.square) for event in of(played.events, Article)]


# -- scatter --------------------------------------------------------------------------------

BLACK_RING = [
    (5, 5), (6, 4), (6, 5), (6, 6), (5, 4), (5, 6), (4, 4), (4, 5), (4, 6),
    (7, 3), (7, 4), (7, 5), (7, 6), (7, 7), (6, 3), (5, 3), (4, 3), (6, 7), (5, 7), (4, 7),
    (3, 3), (3, 4), (3, 5), (3, 6), (3, 7),
]  # fmt: skip
WHITE_RING = [(5, 5), (4, 6), (4, 5), (4, 4), (5, 6), (5, 4), (6, 6), (6, 5), (6, 4)]


@pytest.mark.parametrize(("side", "expected"), [(BLACK, BLACK_RING), (WHITE, WHITE_RING)])
def test_wec_62_rings(side: int, expected: list[tuple[int, int]]) -> None:
    found = list(losses.rings(square_at(5, 5), side))
    assert found[: len(expected)] == [square_at(*square) for square in expected]


def test_wec_62_rings_at_the_corner_cover_the_board() -> None:
    found = list(losses.rings(square_at(1, 1), BLACK))
    assert found[:4] == [square_at(*square) for square in [(1, 1), (2, 1), (2, 2), (1, 2)]]
    assert sorted(found) == list(range(100))


SCATTER: list[Any] = [
    # articles that lie, what White's lost piece at (6,5) carried -> where it falls
    ("into its own square", (), ["AST"], [("AST", 6, 5)]),
    ("two have room", (), ["AST", "RL"], [("AST", 6, 5), ("RL", 6, 5)]),
    ("the first square with room", lying(6, 5, "FL", "FL"), ["AST"], [("AST", 5, 6)]),
    (
        "one by one, in the order in which it got them",
        lying(6, 5, "FL"),
        ["XXX", "RL", "AST"],
        [("XXX", 6, 5), ("RL", 5, 6), ("AST", 5, 6)],
    ),
    (
        "the next after a full one",
        (*lying(6, 5, "FL", "FL"), *lying(5, 6, "FL", "FL")),
        ["AST"],
        [("AST", 5, 5)],
    ),
]


@pytest.mark.parametrize(
    ("there", "carried", "falls"),
    [row[1:] for row in SCATTER],
    ids=[f"WEC-62 {row[0]}" for row in SCATTER],
)
def test_scatter(there: Any, carried: Any, falls: Any) -> None:
    played = fire("FL", [piece("STP", 6, 5, WHITE, gear=carried)], lying=there)
    assert fallen_articles(played) == [(kind, square_at(r, c)) for kind, r, c in falls]
    assert len(played.after.lying) == len(there) + len(carried)  # WEC-07: none is lost


def test_wec_53_the_count_goes_with_the_article() -> None:
    played = fire("FL", [piece("STP", 6, 5, WHITE, gear=[Gear("RL", ready=9)])])
    assert played.after.lying[0].gear == Gear("RL", ready=9)


def test_wec_62_public_pieces_first_then_those_just_shown() -> None:
    # DO comes before STP in the order of codes, but is shown only now.
    pair = [
        piece("STP", 6, 5, WHITE, gear=["ST"]),
        piece("DO", 6, 5, WHITE, gear=["SH"], hidden=True),
    ]
    played = fire("FL", pair)
    assert played.causes()[1:] == [("shown", 3), ("burnt", 2), ("burnt", 3)]
    assert [kind for kind, _ in fallen_articles(played)] == ["ST", "SH"]


ALIKE: list[Any] = [
    ("row before column", ("RP", 6, 6, ["ST"]), ("RP", 7, 5, ["FL"]), ["ST", "FL"]),
    ("code", ("RP", 6, 5, ["ST"]), ("DO", 6, 5, ["FL"]), ["FL", "ST"]),
    ("articles", ("DO", 6, 5, ["ST"]), ("DO", 6, 5, ["FL"]), ["FL", "ST"]),
]


@pytest.mark.parametrize(
    ("one", "other", "order"), [r[1:] for r in ALIKE], ids=[f"WEC-62 {r[0]}" for r in ALIKE]
)
def test_those_just_shown_scatter_by_level_row_column_code_articles(
    one: Any, other: Any, order: list[str]
) -> None:
    hidden = [
        piece(kind, row, column, WHITE, gear=[*gear, "SH"], hidden=True)
        for kind, row, column, gear in (other, one)
    ]
    before = state(hidden)
    _, events = drained(before, sight.reveal(before, hidden))
    now = before
    for event in events:
        now = GAME.apply(now, event)
    scattered = losses.together(now.pieces)
    assert [piece.gear[0].kind for piece in scattered] == order


@pytest.mark.parametrize("passenger_first", [False, True])
def test_wec_62_a_passenger_always_after_its_carrier(passenger_first: bool) -> None:
    carrier = piece("CH", 6, 5, WHITE, AIR, gear=["FL"], hand="left")
    passenger = piece("STP", 6, 5, WHITE, AIR, gear=["ST"])
    pair = [passenger, carrier] if passenger_first else [carrier, passenger]
    assert [kind for kind, _ in fallen_articles(fire("FL", pair, AIR))] == ["FL", "ST"]


# -- support --------------------------------------------------------------------------------

DIVER = piece("RP", 6, 5, WHITE, SUB, gear=["AFL", "SC"], flight=Flight("SC", 0, 1, 1))
SUPPORT: list[Any] = [
    # level, carrier, its mate, which stands against the flame -> whether it is lost all the same
    ("a sub's passenger", SUB, "SU", piece("K", 6, 5, WHITE, SUB), True),
    ("another sub", SUB, "SU", piece("SU", 6, 5, WHITE, SUB, gear=["AFL"]), False),
    ("a diver by scuba", SUB, "SU", DIVER, False),
    ("a chopper's passenger", AIR, "CH", piece("FP", 6, 5, WHITE, AIR), True),
    ("a jet", AIR, "CH", piece("JE", 6, 5, WHITE, AIR, gear=["AFL"]), False),
    ("at Ground", GROUND, "SU", piece("FP", 6, 5, WHITE), False),
]


@pytest.mark.parametrize("mate_unseen", [False, True])
@pytest.mark.parametrize(
    ("level", "kind", "mate", "lost"),
    [row[1:] for row in SUPPORT],
    ids=[f"WEC-47 {row[0]}" for row in SUPPORT],
)
def test_who_loses_its_carrier_is_destroyed(
    level: int, kind: str, mate: Piece, lost: bool, mate_unseen: bool
) -> None:
    carrier = piece(kind, 6, 5, WHITE, level, hand="left" if kind == "CH" else "")
    if mate_unseen:
        mate = replace(mate, handle=0)
    played = fire("FL", [carrier, mate], level)
    assert [one.kind for one in left(played)] == ([] if lost else [mate.kind])
    assert (("crushed", 3) in played.causes()) is lost


@pytest.mark.parametrize("own_seen", [True, False])
def test_wec_47_a_passenger_nobody_saw_is_named_by_its_owner(own_seen: bool) -> None:
    # Only the carrier is public: it fired. Nothing has asked who is aboard.
    hidden = {"hidden": not own_seen}
    passenger = piece("STP", 6, 5, WHITE, SUB, gear=["ST"], **hidden)
    before = state([piece("SU", 6, 5, WHITE, SUB, gear=["FL"]), passenger])
    carrier = next(one for one in before.pieces if one.kind == "SU")
    asked, events = drained(before, losses.lose(before, [carrier], "taken"))
    assert asked == ([] if own_seen else ["Aboard"])
    assert [event.gear.kind for event in of(events, Article)] == ["FL", "ST"]


def drained(now: State, part: Any) -> tuple[list[str], list[Any]]:
    """The probes and the events of a part of a resolution, played where all is known."""
    asked: list[str] = []
    events: list[Any] = []
    sent: Any = None
    while True:
        try:
            step = part.send(sent)
        except StopIteration:
            return asked, events
        if hasattr(step, "form"):
            asked.append(type(step).__name__)
            sent = GAME.answer(now, step)
        else:
            events.append(step)
            now = sent = GAME.apply(now, step)


# -- primaries ------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["K", "DI", "AV", "PR"])
def test_wec_14_a_lost_primary_is_noted(kind: str) -> None:
    played = fire("FL", [piece(kind, 6, 5, WHITE, hits=(("FL", 1),))])
    assert [event.side for event in of(played.events, Fell)] == [WHITE]
    assert played.after.fallen == (WHITE,)


def test_wec_14_a_secondary_is_none() -> None:
    assert not of(fire("FL", [piece("Q", 6, 5, WHITE)]).events, Fell)


def test_wec_14_a_primary_counts_once_a_turn() -> None:
    # White's king was converted in this Turn; burnt afterwards, it is not Black's loss.
    king = piece("K", 6, 5, BLACK, hits=(("FL", 1), (LOST, 1)))
    played = fire("FL", [king], fallen=(WHITE,))
    assert left(played, BLACK)[0].kind == "Q"
    assert played.after.fallen == (WHITE,)


RESULTS: list[Any] = [
    ("the enemy's", (WHITE,), BLACK),
    ("the mover's own", (BLACK,), WHITE),
    ("both: the mover loses", (BLACK, WHITE), WHITE),
]


@pytest.mark.parametrize(
    ("fallen", "winner"), [r[1:] for r in RESULTS], ids=[f"WEC-14 {r[0]}" for r in RESULTS]
)
def test_the_result_is_settled_when_the_turn_ends(fallen: Any, winner: int) -> None:
    before = state([piece("Q", 1, 1)], fallen=fallen, spent=Spent(move=1))
    assert GAME.result(before) is None
    played = play(before, EndTurn())
    assert played.events == (Won(side=winner),)  # WEC-17: the rest is left out
    ended = GAME.result(played.after)
    assert ended is not None
    assert ended.winners == (winner,)
    assert GAME.to_act(played.after) == ()


# -- stun -----------------------------------------------------------------------------------


def test_wec_56_a_stunned_piece_drops_all_and_shows_the_count() -> None:
    played = fire("ST", [piece("XP", 6, 5, WHITE, gear=["RL", "FL"])], turn=10)
    (target,) = left(played)
    assert (target.gear, target.stunned, target.hits) == ((), 14, (("ST", 1),))
    assert fallen_articles(played) == [("RL", square_at(6, 5)), ("FL", square_at(6, 5))]


@pytest.mark.parametrize(
    ("before", "turns", "after"), [(0, 3, 14), (13, 3, 14), (20, 3, 20), (0, 1, 12), (0, 255, 266)]
)
def test_wec_56_a_longer_count_stays(before: int, turns: int, after: int) -> None:
    target = piece("XP", 6, 5, WHITE, stunned=before)
    played = fire("ST", [target], turn=10, options={"stun_turns": turns})
    assert left(played)[0].stunned == after


LANDING: list[Any] = [
    # the flyer, what stands at Ground below -> where it ends (None: destroyed), what is left
    ("free", [], (6, 5), 1),
    ("a seen enemy", [piece("RP", 6, 5)], None, 0),
    ("an unseen enemy", [piece("AAA", 6, 5, hidden=True)], None, 0),
    ("a friend with coexistence", [piece("DO", 6, 5, WHITE)], (6, 5), 2),
    ("a friend without", [piece("STP", 6, 5, WHITE)], None, 1),
    ("an unseen friend with coexistence", [piece("AAA", 6, 5, WHITE, hidden=True)], (6, 5), 2),
    ("an unseen friend without", [piece("SHP", 6, 5, WHITE, hidden=True)], None, 1),
    (
        "two friends, one unseen",
        [piece("DO", 6, 5, WHITE), piece("AAA", 6, 5, WHITE, hidden=True)],
        None,
        2,
    ),
    ("an opposed pair", [piece("DO", 6, 5, WHITE), piece("RP", 6, 5)], None, 1),
]


@pytest.mark.parametrize(
    ("below", "lands", "white"), [r[1:] for r in LANDING], ids=[f"WEC-63 {r[0]}" for r in LANDING]
)
@pytest.mark.parametrize("level", [AIR, SUB])
@pytest.mark.parametrize("unseen", [False, True])
def test_a_stunned_flyer_comes_down(
    below: Any, lands: Any, white: int, level: int, unseen: bool
) -> None:
    pack = "JP" if level == AIR else "SC"
    flyer = piece(
        "XP", 6, 5, WHITE, level, gear=[pack, "SH"], flight=Flight(pack, 0, 1, 1), hidden=unseen
    )
    played = fire("ST", [flyer, *below], level)
    landed = [one for one in left(played) if one.kind == "XP"]
    assert [one.cell for one in landed] == ([cell(*lands)] if lands else [])
    assert all(one.flight is None and one.gear == () for one in landed)
    assert len(left(played)) == white
    assert any(told[0] == ("falls" if lands else "crushed") for told in played.causes())
    # An unseen friend below does not come to light by it.
    friends = [one for one in below if one.side == WHITE and not one.handle]
    assert sum(not one.handle for one in left(played)) == len(friends)


def test_wec_63_who_is_at_home_comes_down_too_if_it_flew_by_a_pack() -> None:
    jet = piece("JE", 6, 5, WHITE, AIR, gear=["JP"], flight=Flight("JP", 0, 1, 1))
    assert left(fire("ST", [jet], AIR))[0].cell == cell(6, 5)
    jet = piece("JE", 6, 5, WHITE, AIR)
    assert left(fire("ST", [jet], AIR))[0].cell == cell(6, 5, AIR)


# -- locks and homing shots -----------------------------------------------------------------

LOCKS: list[Any] = [
    # weapon, what is hit -> the lock ends
    ("the holder is destroyed", "FL", piece("STP", 6, 5, WHITE, gear=[Gear("ASH", lock=7)]), True),
    ("the holder's own lock", "FL", piece("SHP", 6, 5, WHITE, own_lock=7), True),
    ("the target is destroyed", "FL", piece("SHP", 6, 5, WHITE, locked=7), True),
    ("the holder is stunned", "ST", piece("XP", 6, 5, WHITE, gear=[Gear("ASH", lock=7)]), True),
    ("a stunned pawn keeps its own", "ST", piece("SHP", 6, 5, WHITE, own_lock=7), False),
    ("a stunned target stays locked", "ST", piece("SHP", 6, 5, WHITE, locked=7), False),
    ("the holder is converted", "CS", piece("STP", 6, 5, WHITE, gear=[Gear("ASH", lock=7)]), True),
    ("the target is converted", "CS", piece("SHP", 6, 5, WHITE, locked=7), True),
]


@pytest.mark.parametrize(
    ("weapon", "target", "ends"), [r[1:] for r in LOCKS], ids=[f"WEC-91 {r[0]}" for r in LOCKS]
)
def test_locks(weapon: str, target: Piece, ends: bool) -> None:
    partner = piece(
        "SHP",
        9,
        9,
        BLACK,
        locked=7 if target.locked != 7 else 0,
        own_lock=7 if target.locked == 7 else 0,
    )
    played = fire(weapon, [target, partner], locks=(Lock(7, WHITE),), next_lock=8)
    assert of(played.events, LockEnded) == ([LockEnded(number=7)] if ends else [])
    assert played.after.locks == (() if ends else (Lock(7, WHITE),))
    marks = [
        mark
        for one in played.after.pieces
        for mark in (one.locked, one.own_lock, *(gear.lock for gear in one.gear))
        if mark
    ]
    assert marks == ([] if ends else [7, 7])
    assert all(one.gear.lock == 0 for one in played.after.lying)


@pytest.mark.parametrize(
    ("heading", "course"), [(2, 2), (-1, 7)], ids=["WEC-60 the last step's", "WEC-60 its first"]
)
def test_a_homing_shot_lets_go_of_a_destroyed_target(heading: int, course: int) -> None:
    shot = Projectile(1, "S", BLACK, square_at(5, 6), heading, True, WHITE, cell(6, 5, AIR))
    target = piece("JE", 6, 5, WHITE, AIR, chased=(1,))
    played = fire("FL", [target], AIR, projectiles=(shot,), next_shot=2)
    assert left(played) == []
    assert played.after.projectiles == (Projectile(1, "S", BLACK, square_at(5, 6), course),)
