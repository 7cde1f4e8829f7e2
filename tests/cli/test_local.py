"""Matches of computer players on this machine, kept as text; scenarios from the command line."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from cloakboard.assets import scenarios
from cloakboard.cli import main
from cloakboard.engine import registry
from cloakboard.engine.codec import state_digest
from cloakboard.engine.wec.options import MOVEMENTS
from tests.cli.test_cli import (
    Running,
    cloakboard,
    closing,
    save_of,
    started,  # noqa: F401 - a fixture
)

LINE = re.compile(r"turns: (\d+) digest: ([0-9a-f]{64})$", re.MULTILINE)
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs one command in this process: exit code, output, errors."""

    def command(*words: object) -> tuple[int, str, str]:
        try:
            code = main([str(word) for word in words])
        except SystemExit as exit_:
            code = int(exit_.code or 0)
        out, err = capsys.readouterr()
        return code, out, err

    return command


def test_bots_play_a_scenario_and_its_text_shows_the_same_at_every_turn(
    run: Run, tmp_path: Path
) -> None:
    path = tmp_path / "out.wec"
    words = ["--bot", "random", "--seed", 3, "--max-turns", 6]
    code, played, err = run("play", "wec", "--scenario", "subs-only", "--notation", path, *words)
    assert (code, err) == (0, "")
    lines = LINE.findall(played)
    assert [int(turn) for turn, _ in lines] == [1, 2, 3, 4, 5, 6, 6]
    assert played.splitlines()[-1].startswith("result: draw (agreed) turns: 6 digest: ")
    code, shown, _ = run("show", path)
    assert code == 0
    assert shown.splitlines()[-1] == "turns: 6 digest: " + lines[-1][1]
    assert "Turn 7, Black to play" in shown
    code, every, _ = run("show", path, "--turns")
    assert LINE.findall(every) == lines
    table = registry.notation("wec").replay(path.read_text())
    assert state_digest(table.game, table.state).hex() == lines[-1][1]
    assert table.setup == registry.scenario("wec", scenarios.text("wec", "subs-only")).setup


def shows_the_same(run: Run, path: Path, seed: int, turns: int) -> None:
    """Bots play a scenario under a movement set, both drawn by the seed; what its text shows, and
    the text of the match read again, is what was played, at every Turn."""
    names = scenarios.names("wec")
    movement = f"movement={MOVEMENTS[seed % len(MOVEMENTS)]}"
    words = ["--scenario", names[seed % len(names)], "--option", movement, "--seed", seed]
    code, played, err = run("play", "wec", "--notation", path, "--max-turns", turns, *words)
    assert (code, err) == (0, ""), err
    code, shown, err = run("show", path, "--turns")
    assert (code, err) == (0, ""), err
    assert LINE.findall(shown) == LINE.findall(played)
    notation = registry.notation("wec")
    text = path.read_text()
    assert notation.write(notation.replay(text), ("random", "random")) == text


@pytest.mark.parametrize("seed", range(3))
def test_movement_sets_are_shown_as_played(run: Run, tmp_path: Path, seed: int) -> None:
    shows_the_same(run, tmp_path / "out.wec", seed, turns=4)


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(1000, 1200))
def test_every_scenario_and_movement_set_is_shown_as_played(
    run: Run, tmp_path: Path, seed: int
) -> None:
    shows_the_same(run, tmp_path / "out.wec", seed, turns=200)


def test_the_same_seed_plays_the_same_match(run: Run) -> None:
    words = ["play", "wec", "--scenario", "minimal-kings", "--max-turns", 5, "--seed"]
    first, second, other = run(*words, 1), run(*words, 1), run(*words, 2)
    assert first == second != other


@pytest.mark.parametrize("movement", ["standard", "mass_destruction"])
def test_options_are_laid_over_those_of_the_scenario(
    run: Run, tmp_path: Path, movement: str
) -> None:
    path = tmp_path / "out.wec"
    options = ["--option", f"movement={movement}", "--option", "rate_flamer=7"]
    start = ["--scenario", "minimal-kings", "--max-turns", 2, "--notation", path]
    assert run("play", "wec", *start, *options)[0] == 0
    table = registry.notation("wec").replay(path.read_text())
    chosen = ("movement", "rate_flamer", "rate_conversion")
    assert [table.options[name] for name in chosen] == [movement, 7, 2]


def test_a_scenario_comes_from_a_file_too(run: Run, tmp_path: Path) -> None:
    start, path = tmp_path / "mine.toml", tmp_path / "out.wec"
    start.write_text("format = 1 # mine\nblack = ['K(1,5)']\nwhite = ['K(10,5)', 'AAA(9,5)']\n")
    assert run("play", "wec", "--scenario", start, "--max-turns", 1, "--notation", path)[0] == 0
    seen = [run("show", path, "--as", seat)[1] for seat in (0, 1)]
    assert ["AAA" in text for text in seen] == [False, True]


def test_the_standard_game_and_another_game_are_played_too(run: Run, tmp_path: Path) -> None:
    for game in ("wec", "trid"):
        path = tmp_path / f"out.{game}"
        code, played, _ = run("play", game, "--max-turns", 2, "--notation", path)
        assert code == 0
        assert run("show", path)[1].splitlines()[-1] in played.splitlines()[-1]


def test_scenarios_are_listed_with_what_they_teach(run: Run) -> None:
    code, out, _ = run("scenarios", "wec")
    assert code == 0
    for name in scenarios.names("wec"):
        assert f"{name}: " in out
    assert "  movement=standard, action_constraint=move_only\n" in out
    assert "  stealth_invisible=off, sub_invisible=off, stealth_lock_on=off\n" in out
    said = "cloakboard: Tri-Dimensional Chess has no scenarios of its own\n"
    assert run("scenarios", "trid") == (0, "", said)


BAD_SCENARIO = "format = 1\nblack = ['K(1,5)', 'TA(2,2)']\n"
BAD_INPUT = [
    (["play", "ludo"], "no game 'ludo'"),
    (["play", "wec", "--scenario", "nothing"], "choose one of: aaa-ambush, air-drop"),
    (["play", "trid", "--scenario", "nothing"], "leave it out"),
    (["play", "wec", "--scenario", "away.toml"], "away.toml cannot be read"),
    (["play", "wec", "--scenario", "bad.toml"], "black, entry 2 'TA(2,2)', sign 8: expected its"),
    (["play", "wec", "--scenario", "bytes.toml"], "not text in UTF-8"),
    (["play", "wec", "--option", "tank_range=9"], "tank_range"),
    (["play", "wec", "--notation", "away/out.wec"], "no such folder"),
    (["play", "--scenario", "subs-only"], "name the GAME"),
    (["play", "wec", "--bot", "genius"], "--bot"),
    (["host", "wec", "--scenario", "nothing"], "no scenario 'nothing'"),
    (["scenarios", "ludo"], "no game 'ludo'"),
    (["show", "hand.wec"], "Line 3, column 7: expected a piece of the side to play"),
    (["show", "none.wec"], 'a tag such as [Game "WEC"]'),
    (["show", "ludo.wec"], "no game 'ludo'"),
    (["show", "good.wec", "--as", "7"], "no seat 7"),
    (["show", "seat.wec"], "complete history"),
    (["show", "setup.wec"], "Line 3, column 1: expected a start position"),
]
HEAD = '[Game "WEC"]\n[Rules "1"]\n'
FILES = {
    "bad.toml": BAD_SCENARIO,
    "hand.wec": HEAD + "1. MV:K(5,5)->(5,6)\n",
    "good.wec": HEAD,
    "none.wec": "[nothing]\n",
    "ludo.wec": '[Game "LUDO"]\n',
    "seat.wec": HEAD + '[Reader "Black"]\n',
    "setup.wec": HEAD + "".join(f'[Setup "{line}"]\n' for line in BAD_SCENARIO.split("\n")),
}


@pytest.mark.parametrize(("arguments", "says"), BAD_INPUT, ids=lambda value: str(value)[:50])
def test_bad_input_is_one_clear_line(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "bytes.toml").write_bytes(b"format = 1 # \xff")
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert says in err
    assert len(err.strip().splitlines()) == 1


def test_a_scenario_is_hosted_and_ends_with_a_clean_audit(
    tmp_path: Path,
    started: list[Running],  # noqa: F811 - the fixture
) -> None:
    words = ["--local", "--bot", "random", "--max-turns", 4]
    start = ["--scenario", "subs-only", "--profile", tmp_path / "A"]
    host = Running(tmp_path, "host", ["host", "wec", *words, *start])
    started.append(host)
    invite = host.await_text(r"invite: (\S+)")
    join = Running(tmp_path, "join", ["join", invite, *words, "--profile", tmp_path / "B"])
    started.append(join)
    assert (host.end(), join.end()) == (0, 0)
    assert closing(host.out) == closing(join.out)
    assert closing(host.out)[3] == "clean"
    shown = cloakboard("show", save_of(tmp_path / "A"), "--as", 0)
    assert "Submarine (2,2) Sub" in shown.stdout
