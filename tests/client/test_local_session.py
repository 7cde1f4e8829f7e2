"""A match on one machine: who plays, what is told, and that it can be kept and taken back."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from cloakboard.client.local_session import LocalSession
from cloakboard.client.saved import FINISHED_LIMIT, Saved
from cloakboard.client.session import Ended, Happened, Jumped, Noticed
from cloakboard.engine.errors import IllegalAction, Malformed
from cloakboard.engine.events import may_know
from cloakboard.engine.game import Game, Result
from tests.tiny import game
from tests.tiny.actions import Leap

LINE = game(2)


def line(game_id: str) -> Game:
    assert game_id == LINE.id
    return LINE


def first_action(session: LocalSession) -> None:
    seat = session.to_act()[0]
    session.act(seat, next(iter(session.actions(seat))))


def test_hotseat_gives_each_seat_its_own_events_and_view() -> None:
    session = LocalSession(LINE, ("Ann", "Bob"), seed=b"1")
    shown = {seat: session.state(seat) for seat in session.seats_here}
    told = {0: 0, 1: 0}
    for _ in range(30):
        if not session.to_act():
            break
        first_action(session)
        for happening in session.poll():
            if isinstance(happening, Happened):
                assert may_know(happening.event, happening.seat)
                shown[happening.seat] = LINE.apply(shown[happening.seat], happening.event)
                told[happening.seat] += 1
    assert all(told.values())
    assert shown == {seat: session.state(seat) for seat in (0, 1)}
    assert shown[0] != shown[1]


def test_a_computer_acts_when_polled_and_its_seat_is_not_shown() -> None:
    session = LocalSession(LINE, ("Ann", "Computer"), seed=b"2", computers=(1,))
    assert session.seats_here == (0,)
    assert session.waiting() is None
    for _ in range(400):
        if session.result() is not None:
            break
        if 0 in session.to_act():
            first_action(session)
        else:
            assert session.waiting() == "The computer is to play."
        assert all(h.seat == 0 for h in session.poll() if isinstance(h, Happened))
    assert len({record.seat for record in session.table.log}) == 2


def test_the_end_is_told_once() -> None:
    session = LocalSession(LINE, ("Ann", "Bob"))
    session.resign(0)
    assert session.poll() == [Ended(session.result())]  # type: ignore[arg-type]
    assert session.poll() == []
    result = session.result()
    assert result is not None
    assert result.winners == (1,)


def test_a_draw_is_agreed_at_the_table_but_not_with_a_computer() -> None:
    hotseat = LocalSession(LINE, ("Ann", "Bob"))
    hotseat.offer_draw(0)
    result = hotseat.result()
    assert result is not None
    assert result.winners == ()
    computer = LocalSession(LINE, ("Ann", "Computer"), computers=(1,))
    computer.offer_draw(0)
    assert computer.result() is None
    assert computer.poll() == [Noticed("The computer plays on.")]


def test_undo_goes_back_to_a_choice_of_a_player_here() -> None:
    session = LocalSession(LINE, ("Ann", "Computer"), seed=b"3", computers=(1,))
    before = session.state(0)
    assert not session.can_undo()
    first_action(session)
    for _ in range(100):
        session.poll()
        if 0 in session.to_act():
            break
    while session.can_undo():
        session.undo()
        assert 0 in session.to_act()
    assert session.state(0) == before
    assert Jumped() in session.poll()


def test_a_kept_match_goes_on_where_it_was(tmp_path: Path) -> None:
    session = LocalSession(LINE, ("Ann", "Bob"), seed=b"4", saves=tmp_path)
    for _ in range(9):
        if session.to_act():
            first_action(session)
    session.save("evening")
    loaded = LocalSession.load(tmp_path / "evening.table", line)
    assert loaded.names == ("Ann", "Bob")
    assert [loaded.state(seat) for seat in (0, 1)] == [session.state(seat) for seat in (0, 1)]
    assert loaded.poll() == []


def test_a_match_kept_after_an_undo_goes_on_where_it_was(tmp_path: Path) -> None:
    session = LocalSession(LINE, ("Ann", "Bob"), seed=b"5", saves=tmp_path)
    seat = session.to_act()[0]
    leap = next(action for action in session.actions(seat) if isinstance(action, Leap))
    session.act(seat, leap)
    session.undo()
    session.act(seat, leap)
    session.save("evening")
    loaded = LocalSession.load(tmp_path / "evening.table", line)
    assert loaded.table.state == session.table.state
    for each in (session, loaded):  # the draws to come are the same too
        each.undo()
        each.act(seat, leap)
    assert loaded.table.state == session.table.state
    assert loaded.table.log == session.table.log


def test_a_match_goes_on_after_a_crash(tmp_path: Path) -> None:
    session = LocalSession(LINE, ("Ann", "Bob"), seed=b"6", saves=tmp_path)
    for _ in range(5):
        first_action(session)
    (kept,) = tmp_path.glob("*.table")
    again = LocalSession.load(kept, line)  # the first one was never closed
    assert again.table.state == session.table.state
    first_action(again)
    assert list(tmp_path.glob("*.table")) == [kept]
    again.close()
    assert list(tmp_path.glob("*.table")) == []


def test_a_match_that_is_over_is_not_kept_by_itself(tmp_path: Path) -> None:
    session = LocalSession(LINE, ("Ann", "Bob"), seed=b"7", saves=tmp_path)
    while session.to_act():
        first_action(session)
    assert list(tmp_path.glob("*.table")) == []
    LocalSession(LINE, ("Ann", "Bob")).close()


def finished(saves: Path) -> list[Path]:
    return sorted((saves / "finished").glob("*.table"))


@pytest.mark.parametrize(
    ("agreement", "result"),
    [
        ("resign", Result((1,), "resigned")),
        ("offer_draw", Result((), "agreed")),
    ],
)
def test_a_match_that_is_over_is_kept_to_look_back_on(
    tmp_path: Path, agreement: str, result: Result
) -> None:
    session = LocalSession(LINE, ("Ann", "Bob"), seed=b"7", saves=tmp_path)
    first_action(session)
    assert finished(tmp_path) == []
    getattr(session, agreement)(0)
    session.close()
    (kept,) = finished(tmp_path)
    recording = LocalSession.load(kept, line).recording(0)
    assert recording is not None
    assert (recording.result, recording.is_whole) == (result, True)
    assert recording.log == session.table.log


def test_a_match_ended_by_the_rules_is_kept_once(tmp_path: Path) -> None:
    session = LocalSession(LINE, ("Ann", "Computer"), seed=b"2", saves=tmp_path, computers=(1,))
    for _ in range(400):
        if 0 in session.to_act():
            first_action(session)
        session.poll()
    assert session.result() is not None
    (kept,) = finished(tmp_path)
    assert LocalSession.load(kept, line).result() == session.result()


def test_the_newest_finished_matches_are_kept_and_all_that_go_on(tmp_path: Path) -> None:
    going_on = LocalSession(LINE, ("Ann", "Bob"), saves=tmp_path)
    first_action(going_on)
    for number in range(FINISHED_LIMIT):
        (tmp_path / "finished").mkdir(exist_ok=True)
        old = tmp_path / "finished" / f"finished-{number}.table"
        old.touch()
        os.utime(old, (number, number))
    LocalSession(LINE, ("Ann", "Bob"), saves=tmp_path).resign(0)
    names = {path.name for path in finished(tmp_path)}
    assert len(names) == FINISHED_LIMIT
    assert "finished-0.table" not in names
    assert "finished-1.table" in names
    assert len(list(tmp_path.glob("unfinished-*.table"))) == 1


@pytest.mark.parametrize("cut", [0, 1, 20, -1])
def test_a_damaged_file_is_refused_by_name(tmp_path: Path, cut: int) -> None:
    session = LocalSession(LINE, ("Ann", "Bob"), saves=tmp_path)
    first_action(session)
    session.save("evening")
    path = tmp_path / "evening.table"
    path.write_bytes(path.read_bytes()[:cut])
    with pytest.raises(Malformed, match=r"evening\.table"):
        LocalSession.load(path, line)


@pytest.mark.parametrize(
    "changes", [{"names": ("Ann",)}, {"names": ("Ann", "Bob", "Cid")}, {"computers": (0, 1)}]
)
def test_a_file_that_seats_nobody_or_too_many_is_refused(
    tmp_path: Path, changes: dict[str, Any]
) -> None:
    LocalSession(LINE, ("Ann", "Bob"), saves=tmp_path).save("evening")
    path = tmp_path / "evening.table"
    replace(Saved.read(path), **changes).write(path)
    with pytest.raises(Malformed, match=r"evening\.table is damaged"):
        LocalSession.load(path, line)


def test_an_illegal_action_changes_nothing() -> None:
    session = LocalSession(LINE, ("Ann", "Bob"))
    waiting = 1 - session.to_act()[0]
    action = next(iter(session.actions(session.to_act()[0])))
    with pytest.raises(IllegalAction):
        session.act(waiting, action)
    assert session.poll() == []


def test_a_save_takes_no_name_of_another_match(tmp_path: Path) -> None:
    first, second = (
        LocalSession(LINE, ("Ann", "Bob"), seed=seed, saves=tmp_path) for seed in (b"5", b"6")
    )
    for session in (first, second, first, second):
        session.save("evening")
    kept = {path.name: LocalSession.load(path, line) for path in tmp_path.glob("*.table")}
    assert {name: session.table.seed for name, session in kept.items()} == {
        "evening.table": first.table.seed,
        "evening-2.table": second.table.seed,
    }
