"""Three profiles play each other in processes of their own and come to one leaderboard."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest

from cloakboard.achievements.upkeep import FILE_NAME
from tests.cli.test_cli import Running, cloakboard, closing, started

__all__ = ["started"]  # the fixture

PLAYERS = ("ann", "bob", "cid")
ROUNDS = 5  # each of six pairs, host and guest told apart, once a round
GAMES = {"trid": (3, 6), "wec": (2, 4)}  # a bot gives up at one of these Turns


def match(folder: Path, started: list[Running], number: int, host: str, guest: str) -> str:
    """A match between two bots, one of which gives up; its game."""
    game = "wec" if number % 3 == 2 else "trid"
    quits = ["--resign", GAMES[game][number % 2]]
    host_quits, guest_quits = (quits, []) if number // 6 % 2 else ([], quits)
    common = ["--local", "--bot", "random", "--max-turns", 12, "--seed", number]

    def run(name: str, *words: object) -> Running:
        started.append(
            Running(folder, f"{number}-{name}", [*words, "--name", name, *common, "--profile",
                                                 folder / name])
        )  # fmt: skip
        return started[-1]

    one = run(host, "host", game, *host_quits)
    other = run(guest, "join", one.await_text(r"invite: (\S+)"), *guest_quits)
    assert (one.end(), other.end()) == (0, 0), one.err + other.err
    ends = closing(one.out), closing(other.out)
    assert ends[0] == ends[1]
    assert "resigned" in ends[0][0]
    return game


def meet(folder: Path, started: list[Running], number: int, host: str, guest: str) -> None:
    """Two who exchange records and nothing else."""
    one = Running(folder, f"meet-{number}", ["meet", "--local", "--profile", folder / host])
    started.append(one)
    invite = one.await_text(r"invite: (\S+)")
    met = cloakboard("meet", invite, "--local", "--profile", folder / guest)
    assert (one.end(), met.returncode) == (0, 0), met.stderr


def table(folder: Path, player: str, game: str) -> str:
    """The leaderboard as that player's machine prints it."""
    printed = cloakboard("leaderboard", game, "--profile", folder / player)
    assert printed.returncode == 0, printed.stderr
    return printed.stdout


@pytest.mark.nightly
def test_thirty_matches_give_three_machines_one_leaderboard(
    tmp_path: Path, started: list[Running]
) -> None:
    games = [
        match(tmp_path, started, number, host, guest)
        for number, (host, guest) in enumerate([*permutations(PLAYERS, 2)] * ROUNDS)
    ]
    for number, (host, guest) in enumerate([("ann", "bob"), ("bob", "cid"), ("cid", "ann")]):
        meet(tmp_path, started, number, host, guest)
    printed = {}
    for game in GAMES:
        tables = {table(tmp_path, player, game) for player in PLAYERS}
        (printed[game],) = tables
        print(printed[game])
        rows = [line.split() for line in printed[game].splitlines()[1:]]
        assert sorted(row[1] for row in rows) == sorted(PLAYERS)
        assert sum(int(row[3]) for row in rows) == 2 * games.count(game)
        assert sum(int(row[4]) for row in rows) == games.count(game)  # each has one winner

    copy, ann = tmp_path / "all.records", tmp_path / "ann"
    assert cloakboard("records", "--export", copy, "--profile", ann).returncode == 0
    for file in [*ann.glob(f"{FILE_NAME}*"), *(ann / "saves").iterdir()]:
        file.unlink()
    assert len(table(tmp_path, "ann", "trid").splitlines()) == 1
    brought = cloakboard("records", "--import", copy, "--profile", ann)
    assert "30 new records" in brought.stdout, brought.stderr
    assert {game: table(tmp_path, "ann", game) for game in GAMES} == printed
