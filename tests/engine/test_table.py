"""A match on one machine: acting, undo, agreements, replay. Played with Line (`tests/tiny`).

At the start of three-seat Line, seat 0 has the gunner in cell 0 (handle 1), the runner in
cell 1 (handle 2) and a hidden scout in cell 2; seats 1 and 2 likewise from cells 4 and 8.
"""

from typing import Any

import msgspec
import pytest

from cloakboard.engine.chance import below, seeded_draw
from cloakboard.engine.drive import Diverged
from cloakboard.engine.errors import BadOption, BadSetup, EngineError, IllegalAction
from cloakboard.engine.events import Event
from cloakboard.engine.game import Action, Result, State
from cloakboard.engine.table import Table
from tests import tiny
from tests.play import random_game
from tests.tiny import Line
from tests.tiny.actions import Creep, End, Hide, Leap, Roll, RollOn, Shoot, Step
from tests.tiny.events import Acted, Appeared, Crept, Lost, Passed, Rolling, Walked
from tests.tiny.pieces import Kind, Token
from tests.tiny.probes import Fate


@pytest.fixture
def table() -> Table:
    return Table(tiny.GAME, seed=b"table")


def end_turns(table: Table, count: int) -> None:
    """Each mover hides its first shown token, which meets nobody, and ends its Turn."""
    for _ in range(count):
        [seat] = table.to_act
        table.act(seat, next(a for a in table.actions(seat) if isinstance(a, Hide)))
        table.act(seat, End())


def test_act_gives_the_events_and_changes_the_state(table: Table) -> None:
    before = table.state
    events = table.act(0, Creep(cell=2, heading=1, length=1))
    token = Token(2, Kind.SCOUT)
    assert events == (Crept(only=(0,), seat=0, token=token, cell=3, fuel=0), Acted())
    assert before.known[0].hidden == (token,), "a state is never changed in place"
    assert table.state.known[0].hidden == (Token(3, Kind.SCOUT),)
    assert table.events == events


def test_a_hidden_token_that_is_met_is_shown_and_lost() -> None:
    # The drawn cell of the leap is the one where seat 1 hides its scout.
    seeds = (bytes([first]) for first in range(256))
    table = Table(tiny.GAME, seed=next(s for s in seeds if below(seeded_draw(s, 0), 12) == 6))
    assert table.act(0, Leap(handle=2)) == (
        Appeared(seat=1, token=Token(6, Kind.SCOUT)),
        Lost(handle=7),
        Walked(handle=2, cell=6),
        Acted(),
    )
    assert table.state.left == (3, 2, 3)


def test_a_veiled_action_takes_what_it_meets_and_stays_veiled(table: Table) -> None:
    end_turns(table, 2)
    table.act(2, Hide(handle=5))  # the gunner in cell 8
    table.act(2, End())
    end_turns(table, 1)
    assert table.act(1, Creep(cell=6, heading=1, length=2)) == (
        Appeared(seat=2, token=Token(8, Kind.GUNNER)),
        Lost(handle=7),
        Crept(only=(1,), seat=1, token=Token(6, Kind.SCOUT), cell=8, fuel=1),
        Acted(),
    )


def test_views_hold_the_own_secrets_only(table: Table) -> None:
    for seat in range(3):
        known = [own is not None for own in table.view(seat).known]
        assert known == [seat == other for other in range(3)]
    assert table.public().known == (None, None, None)


@pytest.mark.parametrize(
    ("seat", "action", "rule"),
    [
        pytest.param(1, Hide(handle=3), "table", id="not its turn"),
        pytest.param(0, Hide(handle=3), "LINE-2", id="not its token"),
        pytest.param(0, End(), "LINE-2", id="main action still owed"),
        pytest.param(0, Step(2, 1, 1), "LINE-2", id="own hidden token in the way"),
        pytest.param(0, Creep(cell=3, heading=1, length=1), "LINE-2", id="nothing there"),
    ],
)
def test_a_refused_action_changes_nothing(
    table: Table, seat: int, action: Action, rule: str
) -> None:
    before = table.state
    with pytest.raises(IllegalAction) as refused:
        table.act(seat, action)
    assert refused.value.rule == rule
    assert (table.state, table.log) == (before, ())


def test_legality_is_judged_by_what_the_seat_knows(table: Table) -> None:
    # A refusal that hangs on another seat's hidden token would tell where it is.
    end_turns(table, 2)
    table.act(2, Hide(handle=5))
    table.act(2, End())
    end_turns(table, 1)
    assert Creep(cell=6, heading=1, length=2) in table.actions(1)
    assert Creep(cell=6, heading=-1, length=1) not in table.actions(1)  # its own runner there


def test_actions_of_a_seat_off_its_turn_are_none(table: Table) -> None:
    assert list(table.actions(1)) == []


def test_options_and_setup_are_checked() -> None:
    with pytest.raises(BadOption):
        Table(tiny.GAME, {"cells": 11})
    with pytest.raises(BadOption):
        Table(tiny.GAME, {"sells": 12})
    with pytest.raises(BadSetup):
        Table(tiny.GAME, setup="elsewhere")
    assert Table(tiny.GAME, {"cells": 24}).options["turns"] == 60


@pytest.fixture
def before_rolling_on() -> Table:
    """Seat 0's runner rolls from cell 1 to cell 2; seat 2 has yet to end the Turn before."""
    table = Table(tiny.GAME, {"cells": 24})
    table.act(0, Creep(cell=2, heading=1, length=2))
    table.act(0, End())
    end_turns(table, 2)
    table.act(0, Roll(handle=2, heading=1))
    table.act(0, End())
    end_turns(table, 1)
    table.act(2, Hide(handle=6))
    return table


def test_forced_actions_follow_at_once(before_rolling_on: Table) -> None:
    events = before_rolling_on.act(2, End())
    last = before_rolling_on.log[-1]
    assert (last.seat, last.action, last.forced) == (0, RollOn(handle=2), True)
    assert events[-2:] == (Walked(handle=2, cell=3), Rolling(handle=2, heading=1))


def test_undo_takes_the_forced_actions_along(before_rolling_on: Table) -> None:
    table, before = before_rolling_on, before_rolling_on.state
    table.act(2, End())
    after = table.state
    table.undo()
    assert table.state == before
    assert table.log[-1].action == Hide(handle=6)
    table.redo()
    assert table.state == after
    assert not table.can_redo


def test_undo_past_many_snapshots_reaches_the_start(table: Table) -> None:
    start = table.state
    played = random_game(tiny.GAME, seed=1, max_actions=90)
    assert len(played.log) > 3 * 16
    while played.can_undo:
        played.undo()
    assert played.state == start
    with pytest.raises(EngineError, match="no action to take back"):
        played.undo()


def test_a_new_action_ends_what_could_be_done_again(table: Table) -> None:
    table.act(0, Hide(handle=1))
    table.undo()
    table.act(0, Hide(handle=2))
    assert not table.can_redo
    with pytest.raises(EngineError, match="no action to do again"):
        table.redo()


def test_draws_go_on_after_an_undo(table: Table) -> None:
    def fate() -> int:
        table.act(0, Leap(handle=2))
        [drawn] = [e.answer for e in table.log[-1].exchanges if isinstance(e.probe, Fate)]
        assert isinstance(drawn, int)
        return drawn

    first = fate()
    table.undo()
    assert fate() != first


def leaps_after_an_undo(table: Table) -> Table:
    """A leap, taken back and made again; one more, taken back."""
    for turn in range(2):
        seat = table.to_act[0]
        leap = next(a for a in table.actions(seat) if isinstance(a, Leap))
        table.act(seat, leap)
        table.undo()
        if turn == 0:
            table.act(seat, leap)
            table.act(seat, End())
    return table


def kept(table: Table) -> list[tuple[int, Action, int]]:
    return [(r.seat, r.action, r.drawn) for r in table.log if not r.forced]


def test_a_kept_match_meets_the_chances_it_met(table: Table) -> None:
    leaps_after_an_undo(table)
    assert [record.drawn for record in table.log] == [1, 2]
    assert table.drawn == 3
    again = Table(tiny.GAME, seed=table.seed)
    again.take_up(kept(table), table.drawn)
    assert (again.log, again.state, again.drawn) == (table.log, table.state, 3)


def test_undone_draws_are_not_given_again_after_a_replay(table: Table) -> None:
    leaps_after_an_undo(table)
    again = Table(tiny.GAME, seed=table.seed)
    again.replay(table.log)
    assert (again.log, again.drawn) == (table.log, 2)


@pytest.mark.parametrize(("before", "drawn"), [((0, 0), 3), ((1, 1), 3), ((1, 2), 1), ((1, 2), -1)])
def test_draws_that_would_be_given_twice_are_refused(
    table: Table, before: tuple[int, ...], drawn: int
) -> None:
    leaps_after_an_undo(table)
    leap, end = kept(table)
    again = Table(tiny.GAME, seed=table.seed)
    with pytest.raises(Diverged, match="draws"):
        again.take_up([(*leap[:2], before[0]), (*end[:2], before[1])], drawn)


def test_the_same_seed_gives_the_same_draws() -> None:
    leaps = []
    for seed in (b"a", b"a", b"b"):
        table = Table(tiny.GAME, seed=seed)
        table.act(0, Leap(handle=2))
        leaps.append(table.log[-1].exchanges[0].answer)
    assert leaps[0] == leaps[1] != leaps[2]


def test_resigning_ends_the_match_for_the_others(table: Table) -> None:
    table.resign(1)
    assert table.result == Result((0, 2), "resigned")
    assert table.to_act == ()
    assert list(table.actions(0)) == []
    for late in (
        lambda: table.act(0, Hide(handle=1)),
        lambda: table.resign(2),
        lambda: table.offer_draw(0),
    ):
        with pytest.raises(IllegalAction, match="over"):
            late()


def test_a_draw_needs_every_seat(table: Table) -> None:
    table.offer_draw(2)
    table.offer_draw(0)
    assert (table.result, table.draw_offers) == (None, (0, 2))
    table.offer_draw(1)
    assert table.result == Result((), "agreed")


def test_an_action_clears_the_offer_and_nobody_accepts_the_own_one(table: Table) -> None:
    for _ in range(3):
        table.offer_draw(0)
    assert (table.result, table.draw_offers) == (None, (0,))
    table.act(0, Hide(handle=1))
    table.offer_draw(1)
    table.offer_draw(2)
    assert (table.result, table.draw_offers) == (None, (1, 2))


def test_undo_takes_an_agreed_end_back(table: Table) -> None:
    table.act(0, Hide(handle=1))
    table.resign(0)
    table.undo()
    assert table.result is None


def test_the_result_by_the_rules() -> None:
    table = Table(tiny.GAME, {"turns": 3})
    end_turns(table, 3)
    assert table.result == Result((), "turns")


def test_the_observer_gets_each_event_with_the_state_after_it() -> None:
    seen: list[tuple[Event, State]] = []
    table = Table(tiny.GAME, observer=lambda event, state: seen.append((event, state)))
    table.act(0, Hide(handle=1))
    table.act(0, End())
    table.undo()
    table.redo()
    assert [event for event, _ in seen] == list(table.events)
    assert seen[-1] == (Passed(mover=1), table.state)


def forged(table: Table, **changes: Any) -> tuple[Any, ...]:
    """The log with its last record changed."""
    return (*table.log[:-1], msgspec.structs.replace(table.log[-1], **changes))


def test_replay_refuses_a_log_that_does_not_come_out(table: Table) -> None:
    table.act(0, Creep(cell=2, heading=1, length=1))
    log = forged(table, events=(Acted(),))
    with pytest.raises(Diverged):
        Table(tiny.GAME).replay(log)


def test_replay_refuses_what_is_illegal_and_what_is_not_forced(table: Table) -> None:
    table.act(0, Hide(handle=1))
    with pytest.raises(IllegalAction):
        Table(tiny.GAME).replay(forged(table, action=Hide(handle=3)))
    with pytest.raises(Diverged, match="forced"):
        Table(tiny.GAME).replay(forged(table, forced=True))


def test_replay_takes_its_draws_from_the_log(table: Table) -> None:
    table.act(0, Leap(handle=2))
    again = Table(tiny.GAME, seed=b"another")
    again.replay(table.log)
    assert again.state == table.state


def test_replay_refuses_a_record_that_ends_before_its_draw(table: Table) -> None:
    """Such a record agrees with all of the action that comes before it."""
    table.act(0, Leap(handle=2))
    with pytest.raises(Diverged, match="a draw that the record does not have"):
        Table(tiny.GAME).replay(forged(table, exchanges=(), events=()))


class Endless(Line):
    """Its first seat is forced to hide and seek for ever."""

    def forced(self, state: State, seat: int) -> Action | None:
        return RollOn(handle=2)


def test_rules_that_force_without_end_are_found() -> None:
    with pytest.raises(EngineError, match="do not settle"):
        Table(Endless(3))


def test_a_shot_goes_through_the_claim_to_the_seat_that_was_hit(table: Table) -> None:
    # Seat 0's runner hides; the gunner's shot to the right meets it in cell 1.
    table.act(0, Hide(handle=2))
    assert table.act(0, Shoot(handle=1, heading=1)) == (
        Appeared(seat=0, token=Token(1, Kind.RUNNER)),
        Lost(handle=7),
        Acted(shot=True),
    )
