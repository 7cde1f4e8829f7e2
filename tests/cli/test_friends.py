"""The list of friends from the command line."""

from __future__ import annotations

import errno
import json
from pathlib import Path

import pytest

from cloakboard.cli.friends import tell_met
from cloakboard.cli.main import main
from cloakboard.netplay.finding.friends import FriendsFile
from cloakboard.netplay.identity import Identity, fingerprint_words
from cloakboard.netplay.invite import Invite, key_text

ANN = b"a" * 32
INVITE = Invite("memory:0a", bytes(16), ANN).text()
Output = pytest.CaptureFixture[str]


def said(output: Output, folder: Path, *arguments: str, code: int = 0) -> list[str]:
    """The lines that a command of `friends` prints, on stderr if it fails."""
    assert main(["friends", *arguments, "--profile", str(folder)]) == code
    captured = output.readouterr()
    return (captured.err if code else captured.out).splitlines()


def test_a_friend_is_added_named_blocked_and_removed(tmp_path: Path, capsys: Output) -> None:
    own = key_text(Identity.open(tmp_path).key)
    assert said(capsys, tmp_path)[1].endswith(own)
    assert said(capsys, tmp_path, "add", f"cloakboard:{INVITE}", "--name", "Ann") == [
        f"added: Ann; compare the words with your friend: {fingerprint_words(ANN)}"
    ]
    assert said(capsys, tmp_path, "name", "ann", "Anna")[0].endswith("is now Anna")
    assert said(capsys, tmp_path, "block", "anna")[0].startswith("blocked: Anna")
    (listed,) = json.loads("\n".join(said(capsys, tmp_path, "list", "--json")))
    assert (listed["name"], listed["friend"], listed["blocked"]) == ("Anna", True, True)
    assert (listed["key"], listed["address"]) == (ANN.hex(), "memory:0a")
    assert "blocked" in said(capsys, tmp_path, "list")[2]
    assert said(capsys, tmp_path, "unblock", "anna") == ["unblocked: Anna can play with you again"]
    assert "stay as they are" in said(capsys, tmp_path, "remove", "anna")[0]
    assert len(said(capsys, tmp_path, "list")) == 2


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        pytest.param(("add", "hello"), "neither an invite", id="no key"),
        pytest.param(("remove", "ann"), "nobody you know", id="nobody"),
        pytest.param(("block", "ann"), "nobody you know", id="no key to block"),
        pytest.param(("block", "a\nb\u202e"), "called 'a b'", id="two lines"),
    ],
)
def test_bad_input_is_one_line_and_changes_nothing(
    tmp_path: Path, capsys: Output, arguments: tuple[str, ...], says: str
) -> None:
    (line,) = said(capsys, tmp_path, *arguments, code=2)
    assert line.startswith("cloakboard: ")
    assert says in line
    assert not (tmp_path / "friends.json").exists()


def test_a_full_disk_is_one_line(
    tmp_path: Path, capsys: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("cloakboard.netplay.identity.replace_file", refused)
    (line,) = said(capsys, tmp_path, "list", code=2)
    assert "No space left on device; make room on the disk" in line


def test_a_stranger_is_blocked_by_key(tmp_path: Path, capsys: Output) -> None:
    said(capsys, tmp_path, "block", key_text(ANN))
    assert FriendsFile(tmp_path, b"o" * 32).refuses(ANN)


def test_after_a_match_a_stranger_can_be_kept_and_nobody_is_by_itself(
    tmp_path: Path, capsys: Output
) -> None:
    book = FriendsFile(tmp_path, b"o" * 32)
    tell_met(book, [(ANN, "Ann", "memory:0a")])
    line = capsys.readouterr().err.strip()
    assert line == f"to keep Ann as a friend: cloakboard friends add {key_text(ANN)}"
    assert book.known() == []
    book.add(line.split()[-1])
    tell_met(book, [(ANN, "Ann", "memory:0a")])
    assert capsys.readouterr().err == ""
    assert book.known()[0].seen > 0
    assert book.address_of(ANN) == "memory:0a"
