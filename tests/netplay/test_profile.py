"""The profile folder: made when needed, held by one process."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import platformdirs
import pytest

from cloakboard.netplay.profile import Profile, ProfileUnusable


def test_opening_makes_the_folders(tmp_path: Path) -> None:
    with Profile.open(tmp_path / "deep" / "er") as profile:
        assert profile.folder == tmp_path / "deep" / "er"
        assert profile.saves.is_dir() and profile.logs.is_dir()


def test_without_a_folder_the_users_data_folder_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(platformdirs, "user_data_dir", lambda *names: str(tmp_path / names[0]))
    with Profile.open() as profile:
        assert profile.folder == tmp_path / "cloakboard"


def test_a_second_opening_is_refused_until_the_first_is_closed(tmp_path: Path) -> None:
    profile = Profile.open(tmp_path)
    with pytest.raises(ProfileUnusable, match="another Cloakboard is using"):
        Profile.open(tmp_path)
    profile.close()
    Profile.open(tmp_path).close()


def test_another_process_is_refused_and_kill_9_frees_the_folder(tmp_path: Path) -> None:
    holder = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import sys, pathlib\n"
            "from cloakboard.netplay.profile import Profile\n"
            "held = Profile.open(pathlib.Path(sys.argv[1]))\n"
            "print('held', flush=True)\n"
            "sys.stdin.read()\n",
            os.fspath(tmp_path),
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[2],
    )
    try:
        assert holder.stdout is not None and holder.stdout.readline().strip() == b"held"
        with pytest.raises(ProfileUnusable, match="--profile DIR"):
            Profile.open(tmp_path)
    finally:
        holder.kill()
        holder.communicate()
    Profile.open(tmp_path).close()


def test_a_folder_that_is_a_file_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(ProfileUnusable, match="choose another one with --profile DIR"):
        Profile.open(tmp_path / "file")


def test_the_port_is_kept(tmp_path: Path) -> None:
    with Profile.open(tmp_path) as profile:
        assert profile.port is None
        profile.keep_port(40_000)
    with Profile.open(tmp_path) as profile:
        assert profile.port == 40_000


def test_a_port_that_the_disk_refuses_is_no_loss(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cloakboard.netplay.profile.replace_file", full_disk)
    with Profile.open(tmp_path) as profile:
        profile.keep_port(40_000)
        assert profile.port is None


def full_disk(*_: object) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize("content", [b"", b"x", b"0", b"65536", b"-1", b"\xff\xfe"])
def test_a_port_that_is_none_is_forgotten(tmp_path: Path, content: bytes) -> None:
    with Profile.open(tmp_path) as profile:
        (tmp_path / "port").write_bytes(content)
        assert profile.port is None
