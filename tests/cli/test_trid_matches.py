"""Whole matches of tri-dimensional chess between two bots in processes of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from cloakboard.client.recording import of_file
from cloakboard.client.shelf import read_text
from cloakboard.client.trid_reel import TridReel
from cloakboard.engine.codec import state_digest
from cloakboard.engine.registry import game, games
from cloakboard.netplay.lockstep import saves
from tests.cli.test_cli import Running, closing, save_of, started

__all__ = ["started"]  # the fixture

TRID = game("trid")
MATCHES = 50


def ended(folder: Path, started: list[Running], seed: int, turns: int) -> tuple[str, str]:
    """Plays one match to its end and checks it from both files; how it ended, and its Turns."""
    folder.mkdir()
    common = ["--local", "--bot", "random", "--max-turns", turns]
    host = Running(
        folder, "host", ["host", "trid", *common, "--seed", seed, "--profile", folder / "A"]
    )
    started.append(host)
    invite = host.await_text(r"invite: (\S+)")
    guest = Running(
        folder, "join", ["join", invite, *common, "--seed", seed + 1, "--profile", folder / "B"]
    )
    started.append(guest)
    assert (host.end(), guest.end()) == (0, 0), host.err + guest.err
    ends = closing(host.out), closing(guest.out)
    assert ends[0] == ends[1]
    how, turn, digest, audit = ends[0]
    assert audit == "clean"
    for profile in ("A", "B"):
        path = save_of(folder / profile)
        assert saves.verify_file(path, games())[0].text == "clean"
        recording = of_file(path, games())
        film = TridReel(recording, None)
        again = read_text(film.notation())
        assert (again.log, again.result) == (recording.log, recording.result)
        for told in (film, TridReel(again, None)):
            assert state_digest(TRID, told.state(told.steps)).hex() == digest
    return how, turn


def test_two_bots_end_alike_and_their_notation_is_read_again(
    tmp_path: Path, started: list[Running]
) -> None:
    how, turn = ended(tmp_path / "one", started, 7, 6)
    assert (how, turn) == ("draw (agreed)", "6")


@pytest.mark.nightly
def test_fifty_matches_are_played_to_the_end_of_the_rules(
    tmp_path: Path, started: list[Running]
) -> None:
    """Nobody agrees on a draw here: mate, stalemate, bare kings, repetition or fifty moves."""
    for number in range(MATCHES):
        how, turn = ended(tmp_path / str(number), started, 100 + 2 * number, 0)
        print(f"match {number + 1}: {how}, {turn} turns", flush=True)
        assert "agreed" not in how
