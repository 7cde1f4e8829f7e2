"""Records, leaderboard, achievements and meet, as a user meets them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from cloakboard.achievements.upkeep import FILE_NAME
from tests.cli.test_cli import Running, cloakboard, host_and_join, save_of, started

__all__ = ["started"]  # the fixture


def lines(*arguments: object) -> list[str]:
    result = cloakboard(*arguments)
    assert result.returncode == 0, result.stderr
    return result.stdout.splitlines()


@pytest.mark.slow
def test_a_match_is_in_the_records_of_both_and_survives_its_database(
    tmp_path: Path, started: list[Running]
) -> None:
    host, join = host_and_join(tmp_path, started, turns=2)
    assert (host.end(), join.end()) == (0, 0)
    assert "earned: At the table" in host.err
    a, b = tmp_path / "A", tmp_path / "B"
    records = [json.loads("\n".join(lines("records", "--json", "--profile", p))) for p in (a, b)]
    assert records[0] == records[1]
    (one,) = records[0]
    assert (one["audit"], one["reason"], one["rated"], one["signed"]) == (
        "clean", "agreed", True, True,
    )  # fmt: skip
    nothing = cloakboard("records", "--game", "trid", "--profile", a)
    assert (nothing.returncode, nothing.stdout) == (0, "")
    assert nothing.stderr == "cloakboard: no match of trid is in the records yet\n"
    board = lines("leaderboard", "wec", "--profile", a)
    assert len(board) == 3
    assert board == lines("leaderboard", "wec", "--profile", b)
    told = lines("achievements", "--profile", a)
    assert any(line.startswith("[x] At the table") for line in told)
    assert re.fullmatch(r"\d+ of \d+ earned", told[-1])

    copy = tmp_path / "all.records"
    assert "1 records" in lines("records", "--export", copy, "--profile", a)[0]
    assert cloakboard("records", "--export", copy, "--profile", a).returncode == 2
    (a / FILE_NAME).write_bytes(b"damaged" * 1000)
    save_of(a).rename(tmp_path / "away.cloak")
    result = cloakboard("leaderboard", "wec", "--profile", a)
    assert result.returncode == 0
    assert "set aside as records.damaged" in result.stderr
    assert len(result.stdout.splitlines()) == 1
    assert "1 new records" in lines("records", "--import", copy, "--profile", a)[0]
    assert lines("leaderboard", "wec", "--profile", a) == board

    number = one["match"][:8]
    assert lines("records", "--forget", number, "--profile", a)[0].startswith("forgotten")
    assert lines("records", "--profile", a) == []
    assert cloakboard("records", "--forget", number, "--profile", a).returncode == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ("records", "--game", "chess"),
        ("leaderboard", "chess"),
        ("leaderboard", "wec", "--rules", "nothing"),
        ("records", "--import", "nothing.records"),
        ("records", "--forget", "ffff"),
        ("records", "--claim", "nothing.cloak"),
        ("meet", "cloak1:nonsense"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    result = cloakboard(*arguments, "--profile", tmp_path)
    assert result.returncode == 2
    assert result.stderr.startswith("cloakboard")
    assert "Traceback" not in result.stderr
    assert len(result.stderr.splitlines()) == 1
