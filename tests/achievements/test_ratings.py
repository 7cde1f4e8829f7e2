"""Ratings and tables: worked out from the records alone, whatever their order."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cloakboard.achievements.ratings import NEWCOMER, rate
from cloakboard.achievements.record import Audit, MatchRecord
from cloakboard.achievements.standings import (
    NO_BLAME_S,
    Row,
    classes,
    leaderboard,
    win_rate,
)
from tests.achievements.samples import ANNA, BEN, CARA, DANA, DAY, record

PLAYERS = (ANNA, BEN, CARA, DANA)


def drawn(choose: random.Random, count: int) -> list[MatchRecord]:
    """Records of random results; several end in the same second."""
    found = []
    for number in range(1, count + 1):
        pair = choose.sample(PLAYERS, 2)
        winners = choose.choice([(0,), (1,), ()])
        found.append(record(number, *pair, winners=winners, ended=number // 3))
    return found


@given(st.integers(0, 10_000), st.integers(0, 10_000))
def test_any_order_of_arrival_gives_the_same_table(seed: int, shuffle: int) -> None:
    records = drawn(random.Random(seed), 12)
    mixed = list(records)
    random.Random(shuffle).shuffle(mixed)
    assert leaderboard(mixed, "wec") == leaderboard(records, "wec")


def test_who_wins_rises_and_who_loses_falls() -> None:
    course = rate([record(1)])
    assert course[ANNA][-1].points > NEWCOMER > course[BEN][-1].points
    drawn_after = rate([record(1), record(2, winners=())])
    assert drawn_after[ANNA][-1].points < course[ANNA][-1].points + 100
    assert [point.ended for point in drawn_after[ANNA]] == [1, 2]


def test_partners_of_a_team_rise_and_fall_together() -> None:
    course = rate([record(1, ANNA, BEN, CARA, DANA, winners=(0, 2))])
    points = {key: course[key][-1].points for key in PLAYERS}
    assert points[ANNA] == points[CARA] > NEWCOMER > points[BEN] == points[DANA]


@pytest.mark.parametrize(
    "change",
    [
        {"audit": Audit.PENDING},
        {"audit": Audit.REFUSED, "by": (1,)},
        {"audit": Audit.PROVEN, "by": (1,)},
        {"audit": Audit.CLAIMED, "reason": "", "winners": ()},
        {"has_setup": True},
        {"is_practice": True},
    ],
)
def test_what_is_not_rated_moves_nobody(change: dict[str, object]) -> None:
    rated = [record(1), record(3)]
    other = record(2, winners=(1,), **{k: v for k, v in change.items() if k != "winners"})
    assert rate([*rated, other]) == rate(rated)
    row = leaderboard([*rated, other], "wec")[0]
    assert (row.matches, row.wins, row.losses, row.streak) == (2, 2, 0, 2)


@pytest.mark.parametrize(
    ("wins", "losses", "draws", "rate_"),
    [(10, 5, 5, 57), (1, 1, 1, 40), (0, 0, 5, 0), (999, 1, 0, 99), (0, 0, 0, 0), (1, 0, 0, 100)],
    ids=lambda value: str(value),
)
def test_win_rate_jq_90_to_92(wins: int, losses: int, draws: int, rate_: int) -> None:
    assert win_rate(wins, losses, draws) == rate_


def test_wins_losses_draws_and_streaks_are_counted() -> None:
    results: list[tuple[int, ...]] = [(0,), (0,), (0,), (), (0,), (1,), (0,), (0,)]
    records = [record(number, winners=winners) for number, winners in enumerate(results, 1)]
    anna, ben = leaderboard(records, "wec")
    assert (anna.name, anna.wins, anna.losses, anna.draws) == ("Anna", 6, 1, 1)
    assert (anna.streak, anna.best_streak, anna.win_rate) == (2, 3, 80)
    assert (ben.streak, ben.best_streak, ben.wins) == (0, 1, 1)
    assert len(anna.course) == 8
    assert anna.course[-1].points == anna.points


def by_key(rows: list[Row]) -> dict[bytes, Row]:
    return {row.key: row for row in rows}


def test_refusals_findings_and_disconnects_are_held_against_whom_the_audit_names() -> None:
    records = [
        record(1, audit=Audit.REFUSED, by=(1,)),
        record(2, audit=Audit.PROVEN, by=(0,)),
        record(3, audit=Audit.CLAIMED, by=(1,), reason="", winners=()),
        record(4, audit=Audit.PENDING, by=(0,)),
    ]
    rows = by_key(leaderboard(records, "wec", now=4 + NO_BLAME_S))
    assert (rows[BEN].refusals, rows[BEN].findings, rows[BEN].disconnects) == (1, 0, 1)
    assert (rows[ANNA].refusals, rows[ANNA].findings, rows[ANNA].disconnects) == (0, 1, 0)
    late = by_key(leaderboard(records, "wec", now=5 + NO_BLAME_S))
    assert late[ANNA].disconnects == 1


def test_a_table_is_of_one_game_one_class_one_period_and_some_players() -> None:
    records = [
        record(1),
        record(2, game="trid"),
        record(3, rules="own-00000000"),
        record(10 * DAY, CARA, ANNA),
    ]
    assert [row.name for row in leaderboard(records, "trid")] == ["Anna", "Ben"]
    assert by_key(leaderboard(records, "wec"))[ANNA].matches == 2
    assert by_key(leaderboard(records, "wec", rules="own-00000000"))[ANNA].matches == 1
    assert {row.name for row in leaderboard(records, "wec", since=DAY)} == {"Anna", "Cara"}
    among = leaderboard(records, "wec", among={ANNA, CARA})
    assert [row.name for row in among] == ["Cara", "Anna"]
    assert among == [row for row in leaderboard(records, "wec") if row.key != BEN]
    assert classes(records, "wec") == ("standard", "own-00000000")


def test_a_player_goes_by_the_latest_name() -> None:
    renamed = record(2)
    players = (renamed.players[0].__class__(ANNA, "Annika"), renamed.players[1])
    rows = leaderboard([record(1), record(2, players=players)], "wec")
    assert {row.name for row in rows} == {"Annika", "Ben"}
