"""Bad weather in every run of the tests, and much more of it by night."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any, Final

import pytest

from cloakboard.netplay.lockstep import saves
from cloakboard.netplay.lockstep.match import Match
from cloakboard.netplay.transcript import Entry, Header
from tests.cheats.liars import Liar
from tests.cheats.test_hidden_lies import hides_from_lookup
from tests.netplay.watch import Use, Uses, kept, once
from tests.weather.forecast import GAMES, Blow, forecast, game_of
from tests.weather.report import Report
from tests.weather.run import simulate

SEEDS: Final = 60
EDGE_SEEDS: Final = 12
MANY: Final = 2000
STEP: Final = 10
EDGE_STEP: Final = 4
FAULTS: Final = {
    "frame lost", "frame twice", "killed at a write", "killed in a write", "killed before sending",
    "link cut", "machine asleep", "restart", "seat cut off", "torn file mended",
}  # fmt: skip


def weather(seeds: range, edge: bool = False) -> Report:
    """The report of many seeds; whatever diverges fails with the line that runs it again."""
    report, problems = Report(), []
    for seed in seeds:
        one = simulate(game_of(seed), seed, edge)
        report.add(one)
        again = f"--seed {seed} --game {one.game}{' --edge' * edge}"
        problems += [f"{again}: {text}" for text in one.problems]
    print(report.text())
    assert not problems, "python -m tests.weather " + "\n".join(problems)
    return report


@pytest.mark.parametrize("first", range(0, SEEDS, STEP))
def test_all_machines_come_to_one_end_whatever_happens(first: int) -> None:
    weather(range(first, first + STEP))


@pytest.mark.parametrize("first", range(0, EDGE_SEEDS, EDGE_STEP))
def test_real_links_and_timeouts_come_to_one_end_too(first: int) -> None:
    weather(range(first, first + EDGE_STEP), edge=True)


@pytest.mark.nightly
@pytest.mark.parametrize("first", range(EDGE_SEEDS, MANY // 5, 10 * EDGE_STEP))
def test_real_links_and_timeouts_come_to_one_end_through_a_long_night(first: int) -> None:
    weather(range(first, first + 10 * EDGE_STEP), edge=True)


@pytest.mark.nightly
@pytest.mark.parametrize("first", range(SEEDS, MANY, 20 * STEP))
def test_all_machines_come_to_one_end_through_a_long_night(first: int) -> None:
    report = weather(range(first, min(first + 20 * STEP, MANY)))
    assert report.missing(FAULTS) == set()


def test_a_secret_that_served_twice_is_found_where_both_were_written() -> None:
    uses: Uses = {("ask",): {Use("one", b"made of it", b"p"), Use("another", b"else", b"")}}

    def entry(prev: bytes, body: bytes) -> Entry:
        return Entry(Header(1, b"", 0, 0, 0, prev, b"", 0, (), b""), body, ())

    first, other = entry(b"p", b"..made of it.."), entry(b"q", b"..else..")
    assert not once(kept(uses, (first, other)))
    assert once(kept(uses, (first,)))
    assert once(kept(uses, (entry(b"q", b"..made of it.."), other)))
    assert simulate("line3", 4).secrets > 20


def test_sixty_seeds_hold_every_kind_of_fault_and_game() -> None:
    """As far as forecasts tell, before any match is played."""
    plans = [forecast(game_of(seed), seed) for seed in range(SEEDS)]
    assert {plan.game for plan in plans} == set(GAMES)
    assert {blow.kind for plan in plans for blow in plan.blows} == {"cut", "partition", "sleep"}
    assert sum(len(lives) for plan in plans for lives in plan.kills) > SEEDS
    assert any(plan.twice for plan in plans) and any(not any(plan.kills) for plan in plans)
    assert {off for plan in plans for off, _ in plan.skews} >= {0, -(10**13)}


AGAIN: Final = "from tests.weather.run import simulate as s; print(s('line3', 4), s('wec', 3))"


def test_a_seed_is_the_same_match_in_every_program() -> None:
    """Frame by frame, in programs that order sets and dicts otherwise."""
    printed = {
        subprocess.run(
            [sys.executable, "-c", AGAIN],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(printed) == 1 and "problems=[]" in printed.pop()


def test_a_machine_that_goes_on_without_a_resume_is_found_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The net can catch: heads never meet again, or a place is signed twice."""
    monkeypatch.setattr(Match, "reconnect", Match.begin)
    caught = [seed for seed in range(12) if simulate("line2", seed).problems]
    assert len(caught) > 6


def test_a_machine_that_lies_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The net can catch: seat 0 answers that nobody stands where somebody does."""

    class Bluffer(Liar):
        def __init__(self, *args: Any) -> None:
            super().__init__(*args, lies={"holds": hides_from_lookup} if args[3] == 0 else {})

    monkeypatch.setattr(saves, "Match", Bluffer)
    problems = [text for seed in range(3) for text in simulate("line2", seed).problems]
    assert any("judged: entry" in text for text in problems), problems


def test_a_blow_is_what_the_forecast_says() -> None:
    plan = forecast("line3", 3)
    assert all(isinstance(blow, Blow) and blow.seat in range(3) for blow in plan.blows)
    assert plan == forecast("line3", 3) != forecast("line3", 9)
