"""Rooms by the command line: settings, passwords, and what happens there in words."""

from __future__ import annotations

from pathlib import Path

import pytest

from cloakboard.cli import room
from cloakboard.cli.main import main
from cloakboard.engine.registry import games
from cloakboard.netplay.invite import Invite, parse_invite
from cloakboard.netplay.lockstep import journal
from cloakboard.netplay.lockstep.saves import verify_file
from cloakboard.netplay.room.cautions import Caution
from cloakboard.netplay.room.door import Conduct
from cloakboard.netplay.room.room_state import News
from cloakboard.netplay.room.sitting import Sitting, unattended
from cloakboard.netplay.room.statements import Change, House, Load, Rules, Start, Swap
from cloakboard.netplay.room_settings import settings_of
from cloakboard.netplay.transcript import read_opening
from tests.cli.test_cli import Running, cloakboard, save_of, started
from tests.netplay.rooms import Gathering

__all__ = ["started"]
BOT = ["--local", "--bot", "random", "--max-turns", 1]


def without_ticket(text: str) -> str:
    """The invite as strangers see it."""
    asked = parse_invite(text)
    return Invite(asked.address, asked.room, asked.host).text()


def test_a_room_with_a_password_and_settings(tmp_path: Path, started: list[Running]) -> None:
    host = Running(
        tmp_path,
        "host",
        ["host", "trid", *BOT, "--practice", "--password", "tiger", "--room", "move_seconds=30",
         "--profile", tmp_path / "A"],
    )  # fmt: skip
    started.append(host)
    invite = without_ticket(host.await_text(r"invite: (\S+)"))
    for password in ("", "lion"):
        refused = cloakboard(
            "join", invite, *BOT, "--profile", tmp_path / "B", "--password", password
        )
        assert refused.returncode == 2
        assert "has a password" in refused.stderr
        assert "Traceback" not in refused.stderr
    joined = cloakboard("join", invite, *BOT, "--profile", tmp_path / "B", "--password", "tiger")
    assert joined.returncode == 0, joined.stderr
    assert host.end() == 0, host.err
    opening = read_opening(journal.read(save_of(tmp_path / "A")).entries[0].body)
    agreed = settings_of(opening)
    assert (agreed["scored"], agreed["move_seconds"], agreed["password"]) == (False, 30, True)
    assert "is in the room" in host.err
    assert "tiger" not in save_of(tmp_path / "B").read_bytes().decode("latin-1")


def test_a_computer_fills_a_seat_and_the_match_is_practice(tmp_path: Path) -> None:
    done = cloakboard("host", "trid", *BOT, "--computers", 1, "--profile", tmp_path / "A")
    assert done.returncode == 0, done.stderr
    assert "Computer 1 is in the room" in done.stderr
    assert "audit: clean" in done.stdout
    opening = read_opening(journal.read(save_of(tmp_path / "A")).entries[0].body)
    agreed = settings_of(opening)
    assert (agreed["scored"], agreed["computers_fill"]) == (False, True)
    assert verify_file(save_of(tmp_path / "A" / "computers" / "1"), games())[0].text == "clean"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--room", "move_seconds"], "NAME=VALUE"),
        (["--room", "nothing=1"], "no option nothing"),
        (["--room", "move_seconds=5000"], "from 0 to 3600"),
        (["--member", "nobody"], "neither an invite"),
        (["--computers", "2"], "0 to 1 seats"),
    ],
)
def test_bad_settings_are_one_line_on_stderr(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(["host", "trid", "--local", "--profile", str(tmp_path / "A"), *arguments]) == 2
    assert said in capsys.readouterr().err


def test_games_lists_the_settings_of_a_room(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games"]) == 0
    assert "move_seconds = 0: Seconds for each action" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("kind", "change", "line"),
    [
        ("ask", Rules((("fuel", 5), ("fast", True))), "Ann asks for fuel=5, fast=on"),
        ("change", House((("scored", False),)), "agreed, as Ann asked: scored=off"),
        ("decline", Start("", "", ()), "Ann declines the start position of the game"),
        ("ask", Load(bytes(32), "long one"), "Ann asks for the earlier match long one"),
        ("ask", Load(b"", ""), "Ann asks for a new match"),
        ("withdraw", Swap(bytes(32)), "Ann takes back: an exchange of seats"),
        ("leave", None, "Ann left the room"),
        ("chat", None, "Ann: hello"),
    ],
)
def test_what_happens_in_words(kind: str, change: Change | None, line: str) -> None:
    text = "hello" if kind == "chat" else ""
    assert room.line_of(News(0, kind, "Ann", change, text)) == line


@pytest.mark.parametrize(
    ("setting", "most"), [("max_disconnect_rate", "20%"), ("max_disconnects", "20")]
)
def test_what_the_own_records_say_is_told_once_and_in_its_place(setting: str, most: str) -> None:
    gathering = Gathering(2, names=("Ann", "Ben"))
    ann = gathering.keeper
    sitting = Sitting(ann, unattended, lambda key: Conduct())
    told: list[str] = []
    teller = room._Teller(told.append)
    gathering.add()
    sitting._cautions.all = (Caution(1, "Ben", Conduct(40, 30), setting, 20),)
    for text in ("hello", "again"):
        ann.chat(text)
        gathering.flush()
        teller.tell(sitting)
    assert told == [
        "room: Ben is in the room",
        f"room: by your records Ben left 30 of 40 matches early; this room takes {most} at most",
        "room: Ann: hello",
        "room: Ann: again",
    ]
