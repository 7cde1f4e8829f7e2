"""Settings survive crashes, garbage and saves (KNOWN_FAILURES 12, 13, 14)."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cloakboard.netplay.errors import Malformed
from cloakboard.netplay.settings import FILE_NAME, Settings, SettingsFile, Window, read_relays


@pytest.mark.parametrize(
    ("text", "relays"),
    [
        ("", ()),
        (" n0 ", ("n0",)),
        ("https://a.example.org n0", ("https://a.example.org", "n0")),
        (
            "https://a.example.org:99/x,http://10.0.0.1",
            ("https://a.example.org:99/x", "http://10.0.0.1"),
        ),
    ],
)
def test_relays_are_read_as_typed(text: str, relays: tuple[str, ...]) -> None:
    assert read_relays(text) == relays


@pytest.mark.parametrize(
    "text",
    ["n1", "relay.example.org", "https://", "ftp://a.example.org", "https://[::", "https://[x]"],
)
def test_what_is_no_relay_is_refused(text: str) -> None:
    with pytest.raises(Malformed, match=f"{re.escape(text)} is no relay"):
        read_relays(text)


def test_an_empty_profile_has_the_defaults_and_no_file(tmp_path: Path) -> None:
    settings = SettingsFile(tmp_path)
    assert settings.now == Settings() and settings.notice is None
    assert list(tmp_path.iterdir()) == []


CHANGES = [
    ("name", "Ada"),
    ("relays", ()),
    ("piece_set", "simple"),
    ("motion", "none"),
    ("ui_scale", 150),
    ("sound_volume", 0),
    ("sound_muted", True),
    ("colour_blind", True),
    ("language", "zh-Hant"),
    ("window", Window(x=-100, y=20, width=1280, height=720, screen=1, full_screen=True)),
    ("lessons", ("move",)),
    ("rules", {"wec": {"tank_range": 8, "doze_enemies": False}}),
    ("start_with", "standard"),
    ("colours", {"board.light": "#10aBff"}),
    ("lighting", "even"),
    ("board_view", "single"),
    ("last_seen", False),
    ("presence", False),
    ("lan", False),
    ("halls", ("hall.example.org",)),
]


def test_every_setting_has_a_row() -> None:
    assert [name for name, _ in CHANGES] == list(Settings.__struct_fields__)


@pytest.mark.parametrize(("name", "value"), CHANGES)
def test_a_change_is_on_disk_at_once_without_a_clean_exit(
    tmp_path: Path, name: str, value: Any
) -> None:
    SettingsFile(tmp_path).change(**{name: value})
    after = SettingsFile(tmp_path).now
    assert getattr(after, name) == value != getattr(Settings(), name)
    assert msgspec.structs.replace(after, **{name: getattr(Settings(), name)}) == Settings()


def test_a_second_change_keeps_the_first(tmp_path: Path) -> None:
    settings = SettingsFile(tmp_path)
    settings.change(name="Ada")
    settings.change(ui_scale=200)
    assert SettingsFile(tmp_path).now == Settings(name="Ada", ui_scale=200)


@pytest.mark.parametrize(
    "change",
    [
        {"nam": "Ada"},
        {"name": "x" * 41},
        {"ui_scale": 74},
        {"ui_scale": 301},
        {"ui_scale": "big"},
        {"sound_volume": 101},
        {"motion": "some"},
        {"language": "tlh"},
        {"colours": {"board.light": "red"}},
        {"lighting": "dark"},
        {"window": {"x": 0, "y": 0, "width": 0, "height": 1}},
    ],
    ids=str,
)
def test_a_value_that_cannot_be_changes_nothing(tmp_path: Path, change: dict[str, Any]) -> None:
    settings = SettingsFile(tmp_path)
    settings.change(sound_volume=5)
    before = (tmp_path / FILE_NAME).read_bytes()
    with pytest.raises(Malformed):
        settings.change(**change)
    assert settings.now == Settings(sound_volume=5)
    assert (tmp_path / FILE_NAME).read_bytes() == before


@pytest.mark.parametrize(
    "garbage", [b"", b"\x00" * 64, b"{", b"[]", b"null", b"\xff{}", b"[" * 100_000]
)
def test_12_garbage_gives_the_defaults_and_is_kept_aside(tmp_path: Path, garbage: bytes) -> None:
    (tmp_path / FILE_NAME).write_bytes(garbage)
    settings = SettingsFile(tmp_path)
    assert settings.now == Settings()
    assert settings.notice is not None and "settings.bad" in settings.notice
    assert (tmp_path / "settings.bad").read_bytes() == garbage
    settings.change(name="Ada")
    assert SettingsFile(tmp_path).now == Settings(name="Ada")


def test_12_one_bad_value_costs_that_value_only(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(b'{"name": "Ada", "ui_scale": 9999, "motion": "none"}')
    settings = SettingsFile(tmp_path)
    assert settings.now == Settings(name="Ada", motion="none")
    assert settings.notice is not None


def test_settings_of_a_later_version_are_read_without_a_notice(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(b'{"name": "Ada", "hologram": true}')
    settings = SettingsFile(tmp_path)
    assert settings.now == Settings(name="Ada") and settings.notice is None


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_13_a_crash_while_writing_leaves_the_old_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    SettingsFile(tmp_path).change(name="Ada")

    def crash(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(os, step, crash)
        with pytest.raises(KeyboardInterrupt):
            SettingsFile(tmp_path).change(name="Eve")
    assert SettingsFile(tmp_path).now.name == "Ada"
    SettingsFile(tmp_path).change(name="Bob")
    assert SettingsFile(tmp_path).now.name == "Bob"


def test_13_the_bytes_are_on_disk_before_they_take_the_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    order: list[str] = []

    def noted(name: str, real: Callable[..., None]) -> Callable[..., None]:
        def call(*args: object) -> None:
            order.append(name)
            real(*args)

        return call

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", noted("fsync", os.fsync))
        patch.setattr(os, "replace", noted("replace", os.replace))
        SettingsFile(tmp_path).change(name="Ada")
    assert order[:2] == ["fsync", "replace"]


def test_14_reading_never_writes(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(b'{"name":"Ada"}')
    SettingsFile(tmp_path)
    assert (tmp_path / FILE_NAME).read_bytes() == b'{"name":"Ada"}'


@given(st.binary(max_size=200))
def test_no_bytes_stop_the_start(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    folder = tmp_path_factory.mktemp("settings")
    (folder / FILE_NAME).write_bytes(content)
    assert isinstance(SettingsFile(folder).now, Settings)


def test_12_garbage_in_a_folder_that_cannot_be_written_gives_the_defaults(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(path: Path, suffix: str) -> Path:
        raise PermissionError(errno.EACCES, "Permission denied")

    (tmp_path / FILE_NAME).write_bytes(b"{")
    monkeypatch.setattr("cloakboard.netplay.settings.set_aside", refused)
    settings = SettingsFile(tmp_path)
    assert settings.now == Settings()
    assert settings.notice is not None and "Permission denied" in settings.notice
