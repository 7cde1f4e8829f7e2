"""The command line as a user meets it: whole processes, loopback only."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from cloakboard.netplay.lockstep.journal import SUFFIX

COMMAND = [sys.executable, "-m", "cloakboard"]
CLOSING = re.compile(r"^result: (.+) turns: (\d+) digest: ([0-9a-f]{64}) audit: (.+)$", re.M)
TURNS = 6
LIMIT_S = 120


def cloakboard(*arguments: object, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """One command, run to its end."""
    words = [*COMMAND, *map(str, arguments)]
    return subprocess.run(
        words, capture_output=True, text=True, timeout=LIMIT_S, input=stdin, check=False
    )


class Running:
    """A command that is still running, its output in files."""

    def __init__(self, folder: Path, name: str, arguments: Sequence[object]) -> None:
        self._out = folder / f"{name}.out"
        self._err = folder / f"{name}.err"
        with self._out.open("w") as out, self._err.open("w") as err:
            self.process = subprocess.Popen(
                [*COMMAND, *map(str, arguments)], stdout=out, stderr=err, stdin=subprocess.DEVNULL
            )

    @property
    def out(self) -> str:
        return self._out.read_text()

    @property
    def err(self) -> str:
        return self._err.read_text()

    def await_text(self, pattern: str) -> str:
        """The first group of a pattern once it is in the output."""
        end = time.monotonic() + LIMIT_S
        while time.monotonic() < end:
            found = re.search(pattern, self.out)
            if found:
                return found.group(1)
            assert self.process.poll() is None, self.err
            time.sleep(0.05)
        raise AssertionError(f"{pattern} did not come; {self.err}")

    def end(self) -> int:
        """The exit code."""
        return self.process.wait(LIMIT_S)


@pytest.fixture
def started(tmp_path: Path) -> Iterator[list[Running]]:
    """Commands that a test leaves running are ended."""
    running: list[Running] = []
    yield running
    for command in running:
        if command.process.poll() is None:
            command.process.kill()
            command.process.wait()


def host_and_join(
    tmp_path: Path, started: list[Running], seed: int = 1, turns: int = TURNS
) -> tuple[Running, Running]:
    """Two bots on their way."""
    common = ["--local", "--bot", "random", "--max-turns", turns]
    host = Running(
        tmp_path,
        "host",
        ["host", "wec", *common, "--seed", seed, "--profile", tmp_path / "A"],
    )
    started.append(host)
    invite = host.await_text(r"invite: (\S+)")
    join = Running(
        tmp_path,
        "join",
        ["join", invite, *common, "--seed", seed + 1, "--profile", tmp_path / "B"],
    )
    started.append(join)
    return host, join


def save_of(profile: Path) -> Path:
    """The one save of a profile."""
    return next((profile / "saves").glob(f"*{SUFFIX}"))


def closing(text: str) -> tuple[str, str, str, str]:
    """The fields of the closing line."""
    found = CLOSING.search(text)
    assert found, text
    return found.group(1), found.group(2), found.group(3), found.group(4)


def test_two_bots_end_with_one_line_and_clean_saves(tmp_path: Path, started: list[Running]) -> None:
    host, join = host_and_join(tmp_path, started)
    assert (host.end(), join.end()) == (0, 0)
    ends = closing(host.out), closing(join.out)
    assert ends[0] == ends[1]
    assert ends[0][3] == "clean"
    files = save_of(tmp_path / "A"), save_of(tmp_path / "B")
    verified = cloakboard("verify", *files)
    assert verified.returncode == 0, verified.stderr
    assert verified.stdout.count(": clean ") == 2
    assert verified.stdout.count(ends[0][2]) == 2
    seen = [cloakboard("show", files[0], "--as", seat) for seat in (0, 1)]
    assert [result.returncode for result in seen] == [0, 0]
    assert seen[0].stdout != seen[1].stdout
    assert "unseen" in seen[0].stdout

    altered = tmp_path / "C" / files[0].name
    altered.parent.mkdir()
    data = bytearray(files[0].read_bytes())
    data[len(data) // 2] ^= 1
    altered.write_bytes(data)
    result = cloakboard("verify", altered)
    assert "Traceback" not in result.stderr
    assert "damaged" in result.stdout + result.stderr
    assert result.returncode == 2
    truncated = tmp_path / "D" / files[0].name
    truncated.parent.mkdir()
    truncated.write_bytes(files[0].read_bytes()[:700])
    result = cloakboard("verify", truncated)
    assert result.returncode == 2
    assert "truncated" in result.stderr


@pytest.mark.parametrize("killed", ["host", "join"])
def test_a_killed_side_resumes_and_both_end_alike(
    tmp_path: Path, started: list[Running], killed: str
) -> None:
    host, join = host_and_join(tmp_path, started, turns=10)
    victim, folder = (host, tmp_path / "A") if killed == "host" else (join, tmp_path / "B")
    end = time.monotonic() + LIMIT_S
    while time.monotonic() < end:
        saves = list((folder / "saves").glob(f"*{SUFFIX}")) if folder.exists() else []
        if saves and saves[0].stat().st_size > 60_000:
            break
        time.sleep(0.02)
    victim.process.send_signal(signal.SIGKILL)
    victim.process.wait()
    with save_of(folder).open("ab") as torn:
        torn.write(b"half of a reco")
    back = Running(
        tmp_path, "resumed", ["resume", save_of(folder), "--profile", folder, "--wait", 60]
    )
    started.append(back)
    other = join if killed == "host" else host
    assert back.end() == 0, back.err
    assert "the end of the save was damaged and has been cut off" in back.err
    assert other.end() == 0, other.err
    assert closing(back.out) == closing(other.out)
    assert closing(back.out)[3] == "clean"
    assert cloakboard("verify", save_of(tmp_path / "A"), save_of(tmp_path / "B")).returncode == 0


BAD_INPUT = [
    (["join", "hello"], "not an invite"),
    (["join", "cloak2:abc"], "version"),
    (["host", "ludo"], "no game"),
    (["host", "wec", "--option", "tank_range=9"], "tank_range"),
    (["host", "wec", "--option", "nonsense=1"], "nonsense"),
    (["host", "wec", "--option", "tank_range"], "NAME=VALUE"),
    (["host", "wec", "--seat", "7"], "no seat 7"),
    (["host", "wec", "--seed", "x"], "--seed"),
    (["host", "wec", "--bot", "genius"], "--bot"),
    (["resume", "nothing.cloak"], "cannot be read"),
    (["verify", "nothing.cloak"], "cannot be read"),
    (["show", "nothing.cloak"], "cannot be read"),
    (["rooms", "--setting", "\x1b[2Ja"], "no setting"),
    (["host", "wec", "--option", "\x1b[2Ja=1"], "no option [2Ja"),
    (["fly"], "fly"),
    (["perft", "ludo", "1"], "no game"),
    (["perft", "trid", "x"], "DEPTH"),
    (["perft", "trid", "-1"], "depth"),
    (["perft", "trid", "1", "--position", "8/8"], "seven fields"),
]


@pytest.mark.parametrize(("arguments", "says"), BAD_INPUT, ids=lambda value: str(value)[:40])
def test_bad_input_is_one_clear_line(tmp_path: Path, arguments: list[str], says: str) -> None:
    takes_profile = arguments[0] in ("join", "host", "resume", "rooms", "show")
    profile = ["--profile", str(tmp_path / "P")] if takes_profile else []
    result = cloakboard(*arguments, *profile)
    assert result.returncode == 2
    assert says in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1 and "\x1b" not in result.stderr
    assert result.stdout == ""


def test_games_lists_every_option() -> None:
    result = cloakboard("games")
    assert result.returncode == 0
    assert "wec: Weaponized Chess, 2 seats" in result.stdout
    assert "tank_range = 7" in result.stdout


def test_node_counts_end_with_the_number() -> None:
    # RULES 12 of tri-dimensional chess; the position is the fourth of its list.
    position = "QL2w,KL2b,KL4w,QL5b 2k1/4/4/4|4/4/4/4|4/4/4/1K2|2/N1|p1/2|2/1P|1r/2 w - - 0 9"
    for arguments, counts in (
        (["trid", 3], [20, 400, 9248]),
        (["trid", 3, "--option", "meder"], [20, 400, 9128]),
        (["trid", 2, "--position", position], [18, 609]),
        (
            ["trid", 2, "--position", position, "--option", "pawn_board=no_backward"],
            [23, 869],
        ),
        (["wec", 0], [1]),
    ):
        result = cloakboard("perft", *arguments)
        assert result.returncode == 0, result.stderr
        assert [int(line.split()[-1]) for line in result.stdout.splitlines()] == counts


def test_a_profile_in_use_is_refused(tmp_path: Path, started: list[Running]) -> None:
    host = Running(tmp_path, "first", ["host", "wec", "--local", "--profile", tmp_path / "A"])
    started.append(host)
    host.await_text(r"invite: (\S+)")
    result = cloakboard("host", "wec", "--local", "--profile", tmp_path / "A")
    assert result.returncode == 2
    assert "--profile" in result.stderr


def test_a_wrong_room_is_refused(tmp_path: Path, started: list[Running]) -> None:
    """An invite of an earlier room of the same host, and one's own."""
    first = Running(tmp_path, "first", ["host", "wec", "--local", "--profile", tmp_path / "A"])
    started.append(first)
    stale = first.await_text(r"invite: (\S+)")
    first.process.kill()
    first.process.wait()
    again = Running(tmp_path, "again", ["host", "wec", "--local", "--profile", tmp_path / "A"])
    started.append(again)
    again.await_text(r"invite: (\S+)")
    result = cloakboard("join", stale, "--local", "--bot", "random", "--profile", tmp_path / "B")
    assert result.returncode in (2, 3)
    assert "invite" in result.stderr
    assert "Traceback" not in result.stderr


def test_the_program_writes_only_into_its_profile(tmp_path: Path) -> None:
    before = set(os.listdir(tmp_path))
    cloakboard("games")
    assert set(os.listdir(tmp_path)) == before
