"""Links of invites: the desktop is told how to open them, and the open program is handed them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from cloakboard.cli.main import main
from cloakboard.netplay import handoff, scheme
from cloakboard.netplay.errors import Malformed
from cloakboard.netplay.invite import Invite, Watch
from cloakboard.netplay.profile import Profile, ProfileInUse
from cloakboard.netplay.scheme import Unregistered, command, entry, entry_path

INVITE = Invite("memory:0a", bytes(16), b"a" * 32).text()
WATCH = Watch("memory:0a", bytes(32), b"a" * 32).text()
on_linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="of this desktop")


def test_the_installed_command_is_used_where_there_is_one(tmp_path: Path) -> None:
    installed = tmp_path / "cloakboard"
    installed.touch()
    assert command((str(installed), "register"), "python") == (str(installed),)
    for argument in ("-m", str(tmp_path / "pytest"), str(tmp_path / "gone" / "cloakboard")):
        assert command((argument,), "/bin/python") == ("/bin/python", "-m", "cloakboard")


@pytest.mark.parametrize(
    ("part", "written"),
    [
        ("/usr/bin/cloakboard", '"/usr/bin/cloakboard"'),
        ("/my games/cloakboard", '"/my games/cloakboard"'),
        ("/50%/c", '"/50%%/c"'),
        ('/a"b', '"/a\\\\"b"'),
        ("/a$b`", '"/a\\\\$b\\\\`"'),
        ("/a\\b", '"/a\\\\\\\\b"'),
    ],
)
def test_a_command_is_quoted_as_desktop_entries_are(part: str, written: str) -> None:
    assert f"\nExec={written} play --join %u\n" in entry([part])


@on_linux
def test_registering_writes_the_users_own_entry_and_undoes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("PATH", "")
    path = tmp_path / "applications" / "cloakboard.desktop"
    assert entry_path() == path
    assert main(["register"]) == 0
    assert str(path) in capsys.readouterr().out
    lines = path.read_text().splitlines()
    assert lines[0] == "[Desktop Entry]"
    assert "MimeType=x-scheme-handler/cloakboard;" in lines
    assert path.stat().st_mode & 0o777 == 0o644
    assert main(["register"]) == 0
    assert main(["register", "--remove"]) == 0
    assert not path.exists()
    assert main(["register", "--remove"]) == 0


@on_linux
def test_where_nothing_can_be_written_the_way_out_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "applications").write_text("in the way")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    with pytest.raises(Unregistered, match="paste the invite"):
        scheme.register()


@pytest.mark.parametrize("invite", [INVITE, WATCH], ids=["to play", "to watch"])
def test_an_invite_is_handed_over_once(tmp_path: Path, invite: str) -> None:
    assert handoff.take(tmp_path) == ""
    handoff.leave(tmp_path, f"cloakboard:{invite}")
    assert handoff.take(tmp_path) == invite
    assert handoff.take(tmp_path) == ""
    with pytest.raises(Malformed):
        handoff.leave(tmp_path, "https://example.org")


@pytest.mark.parametrize("garbage", [b"", b"\xff" * 99, b"cloak1:zzz", bytes(10_000)])
def test_garbage_in_its_place_is_no_invite_and_goes(tmp_path: Path, garbage: bytes) -> None:
    (tmp_path / handoff.FILE_NAME).write_bytes(garbage)
    assert handoff.take(tmp_path) == ""
    assert list(tmp_path.iterdir()) == []


def test_a_profile_in_use_says_which_it_is(tmp_path: Path) -> None:
    with Profile.open(tmp_path):
        with pytest.raises(ProfileInUse) as caught:
            Profile.open(tmp_path)
        assert caught.value.folder == tmp_path


def test_a_link_that_is_no_invite_opens_no_window(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "--join", "cloakboard:hello"]) == 2
    assert "not an invite" in capsys.readouterr().err
