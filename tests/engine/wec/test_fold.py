"""Folding events into full states, views and public states."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from cloakboard.engine.errors import IllegalAction
from cloakboard.engine.wec import GAME
from cloakboard.engine.wec.events import (
    AnyEvent,
    Article,
    Came,
    Changed,
    Fell,
    Flew,
    Lapsed,
    LockEnded,
    LockMade,
    Sighted,
    SpentOne,
    Thwarted,
    TurnEnded,
    Won,
)
from cloakboard.engine.wec.fold import FOLDS
from cloakboard.engine.wec.state import (
    BLACK,
    SUB,
    WHITE,
    Arming,
    Gear,
    Lock,
    Projectile,
    Reserve,
    Secret,
    Spent,
    State,
    piece_order,
    square_at,
)
from tests.engine.wec.build import lying, piece, state

KING = piece("K", 1, 1, handle=1)
HIDER = piece("AAA", 5, 5, WHITE, hidden=True)
SHOWN = replace(HIDER, handle=2)
SHOT = Projectile(4, "T", BLACK, square_at(3, 3), 0)


def test_every_event_has_a_fold() -> None:
    assert set(FOLDS) == set(AnyEvent.__args__)


def start(**fields: Any) -> State:
    return state([KING, HIDER], **fields)


def test_wec_97_a_show_takes_the_unseen_record_away_where_it_is_known() -> None:
    before = start()
    event = Changed(cause="shown", before=HIDER, after=SHOWN)
    full = GAME.apply(before, event)
    assert full.pieces == tuple(sorted([KING, SHOWN], key=piece_order))
    assert full.next_handle == 3
    for seat in (BLACK, WHITE):
        assert GAME.apply(GAME.view(before, seat), event) == GAME.view(full, seat)
    assert GAME.apply(GAME.public(before), event) == GAME.public(full)


MISSING: list[Any] = [
    ("a public piece", Changed(cause="hit", before=replace(KING, fired=3), after=KING)),
    ("an unseen piece", Changed(cause="shown", before=replace(HIDER, fired=3), after=SHOWN)),
    ("an article", Article(square=3, gear=Gear("FL"), came=False)),
    ("a projectile", Flew(square=3, before=SHOT)),
    ("a lock", LockEnded(number=3)),
    ("a reinforcement", Came(side=BLACK, square=3, kind="DO")),
    ("a public handle", Lapsed(handles=(9,))),
    ("no handle", Lapsed(handles=(0,))),
]


@pytest.mark.parametrize("event", [row[1] for row in MISSING], ids=[row[0] for row in MISSING])
def test_an_event_that_changes_what_is_not_there_is_refused(event: Any) -> None:
    with pytest.raises(IllegalAction):
        GAME.apply(start(), event)


def test_states_stay_sorted() -> None:
    now = start()
    for row, column in ((3, 3), (2, 9), (2, 2), (9, 1)):
        new = piece("RP", row, column, handle=row * 10 + column)
        now = GAME.apply(now, Changed(cause="reinforces", after=new))
        now = GAME.apply(now, Article(square=new.square, gear=Gear("ST"), came=True))
        now = GAME.apply(now, Article(square=new.square, gear=Gear("FL"), came=True))
    assert list(now.pieces) == sorted(now.pieces, key=piece_order)
    assert [(one.square, one.gear.kind) for one in now.lying] == sorted(
        (one.square, one.gear.kind) for one in now.lying
    )


def test_wec_97_a_lapse_forgets_the_piece_or_its_number() -> None:
    before = GAME.apply(start(), Changed(cause="shown", before=HIDER, after=SHOWN))
    event = Lapsed(handles=(2,))
    full = GAME.apply(before, event)
    assert [one.handle for one in full.pieces] == [1, 0]
    assert GAME.apply(GAME.public(before), event).pieces == (KING,)
    assert full.next_handle == 3


def test_sightings_replace_what_was_seen_and_touch_one_seat() -> None:
    before = start(secrets=(Secret(sighted=(piece("SU", 1, 2, WHITE, hidden=True),)), Secret()))
    after = GAME.apply(before, Sighted(only=(BLACK,), pieces=(HIDER,)))
    assert after.secrets == (Secret(sighted=(HIDER,)), Secret())


def test_wec_11_allowance_is_spent_in_public_or_in_secret() -> None:
    open_fire = SpentOne(side=WHITE, what="fires")
    after = GAME.apply(start(), open_fire)
    assert (after.spent, after.secrets) == (Spent(fires=1), (Secret(), Secret()))
    after = GAME.apply(start(), SpentOne(side=WHITE, what="fires", only=(WHITE,)))
    assert after.secrets == (Secret(), Secret(spent=Spent(fires=1)))
    assert after.spent == Spent()


def test_wec_60_a_launch_marks_what_it_follows_where_that_is_known() -> None:
    target = piece("SU", 5, 5, WHITE, SUB, hidden=True)
    twin = replace(target, gear=(Gear("ATL"),))
    before = state([KING, target, twin])
    homing = Projectile(4, "T", BLACK, 33, -1, True, WHITE, target.cell)
    launch = Flew(square=33, after=homing, target_kind="SU")
    full = GAME.apply(before, launch)
    # Of two alike the first in order, so that all who know them mark the same one.
    assert [one.chased for one in full.pieces if one.kind == "SU"] == [(4,), ()]
    assert GAME.apply(GAME.view(before, BLACK), launch) == GAME.view(full, BLACK)
    let_go = replace(homing, homing=False, target_side=-1, target_cell=-1, heading=2)
    after = GAME.apply(full, Flew(square=33, before=homing, after=let_go))
    assert all(one.chased == () for one in after.pieces)
    assert GAME.apply(full, Flew(square=34, before=homing)).projectiles == ()
    assert full.next_shot == 5


def test_wec_91_locks_begin_and_end_on_both_pieces() -> None:
    target = piece("SHP", 6, 6, WHITE, handle=2)
    holder = piece("XP", 2, 2, gear=[Gear("ASH", lock=1)], hidden=True)
    before = state([KING, target, holder])
    locked = GAME.apply(before, LockMade(number=1, side=BLACK, holder=0, target=2))
    assert locked.locks == (Lock(1, BLACK),)
    assert [one.locked for one in locked.pieces] == [0, 0, 1]
    assert locked.next_lock == 2
    ended = GAME.apply(locked, LockEnded(number=1))
    assert ended.locks == ()
    assert all(one.locked == 0 and all(g.lock == 0 for g in one.gear) for one in ended.pieces)
    assert GAME.apply(GAME.view(locked, WHITE), LockEnded(number=1)) == GAME.view(ended, WHITE)


def test_wec_80_a_reinforcement_that_came_waits_for_the_next_leaving() -> None:
    two = (Reserve(BLACK, 33, "JE"), Reserve(BLACK, 33, "SU"))
    before = start(reserves=two, secrets=(Secret(armed=(Arming(33, True),)), Secret()))
    once = GAME.apply(before, Came(side=BLACK, square=33, kind="SU"))
    assert once.reserves == two[:1]
    assert once.secrets[BLACK] == Secret(armed=(Arming(33),))
    twice = GAME.apply(once, Came(side=BLACK, square=33, kind="JE"))
    assert (twice.reserves, twice.secrets[BLACK]) == ((), Secret())


@pytest.mark.parametrize(
    ("cause", "to", "left"),
    [("moves", (4, 4), True), ("carried", (9, 9), True), ("hit", (3, 4), False)],
)
def test_wec_80_leaving_an_armed_square(cause: str, to: Any, left: bool) -> None:
    before_piece = piece("RP", 3, 4, handle=2)
    armed = (Arming(square_at(3, 4)), Arming(square_at(8, 8)))
    before = state([KING, before_piece], secrets=(Secret(armed=armed), Secret(armed=armed)))
    after_piece = replace(before_piece, cell=square_at(*to), fired=1)
    after = GAME.apply(before, Changed(cause=cause, before=before_piece, after=after_piece))
    assert after.secrets == (
        Secret(armed=(Arming(square_at(3, 4), left), armed[1])),
        Secret(armed=armed),
    )


def test_wec_14_losses_are_noted_once_and_the_winner_stays() -> None:
    now = start()
    for side in (WHITE, BLACK, WHITE):
        now = GAME.apply(now, Fell(side=side))
    assert now.fallen == (BLACK, WHITE)
    assert GAME.apply(now, TurnEnded()).fallen == ()
    ended = GAME.result(GAME.apply(now, Won(side=WHITE)))
    assert ended is not None
    assert (ended.winners, ended.reason) == ((WHITE,), "primary")


def test_a_thwarted_action_changes_nothing() -> None:
    assert GAME.apply(start(), Thwarted(side=BLACK, what="doze", square=3)) == start()


def test_articles_come_and_go() -> None:
    before = start(lying=lying(3, 3, "FL"))
    gone = GAME.apply(before, Article(square=square_at(3, 3), gear=Gear("FL"), came=False))
    assert gone.lying == ()
    assert GAME.apply(gone, Article(square=square_at(3, 3), gear=Gear("FL"), came=True)) == before
