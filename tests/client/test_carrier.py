"""The list of saves: a match is exported to a file, and one is imported."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from cloakboard.client.carrier import Carrier
from cloakboard.client.lobby import SaveRow
from cloakboard.client.views.saves import SavesScreen
from cloakboard.client.widgets import Dialog
from cloakboard.client.window import CloakWindow
from cloakboard.engine.registry import game
from cloakboard.netplay.lockstep import journal
from cloakboard.netplay.profile import Profile
from tests.netplay.rig import identity
from tests.netplay.sealed import Sealed


@pytest.fixture
def rig(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sealed:
    """A match of two, and the save of each."""
    monkeypatch.setattr(os, "fsync", lambda _: None)
    (tmp_path / "made").mkdir()
    rig = Sealed(tmp_path / "made", game("trid"))
    rig.play(2)
    rig.keep()
    return rig


@pytest.fixture
def profile(tmp_path: Path) -> Iterator[Profile]:
    with Profile.open(tmp_path / "profile") as opened:
        yield opened


def shown(window: CloakWindow, profile: Profile, row: Path | None = None) -> SavesScreen:
    """The list, with a save of a match with a friend if one is given."""

    def rows() -> list[SaveRow]:
        paths = [row] if row is not None else sorted(profile.saves.glob("*.cloak"))
        return [SaveRow(path, path.stem, "", is_local=False) for path in paths]

    carrier = Carrier(profile, identity(0))
    screen = SavesScreen(window, rows, lambda save, invite: None, carrier)
    window.open_screen(screen)
    return screen


def told(screen: SavesScreen) -> Dialog:
    """What the screen tells once it is done."""
    assert screen._work is not None
    screen._work.result(timeout=30)
    screen.update(16)
    assert screen.told is not None and screen.told.is_open
    return screen.told


def test_a_match_is_exported_to_the_profile_or_a_folder(
    window: CloakWindow, profile: Profile, rig: Sealed, tmp_path: Path
) -> None:
    screen = shown(window, profile, rig.paths[0])
    made = journal.read(rig.paths[0]).entries
    name = rig.paths[0].stem
    for typed, expected in (
        ("", profile.folder / "exports" / f"{name}.cloak"),
        ("", profile.folder / "exports" / f"{name}-2.cloak"),
        (f'"{tmp_path}"', tmp_path / f"{name}.cloak"),
    ):
        screen.place_name.set_value(typed)
        screen.export.click()
        dialog = told(screen)
        assert dialog.title == "The match is exported" and dialog.message.endswith(str(expected))
        assert journal.read(expected).entries == made
        dialog.answer(0)
    screen.place_name.set_value(str(tmp_path / "nowhere"))
    screen.export.click()
    assert "is no folder" in told(screen).message


def test_a_match_is_imported_by_its_own_player_alone(
    window: CloakWindow, profile: Profile, rig: Sealed
) -> None:
    screen = shown(window, profile)
    for typed, expected in (
        ("", "Type or paste the name of a file"),
        ("/no/such.cloak", "cannot be read"),
        (str(rig.paths[1]), "each side goes on from its own"),
    ):
        screen.place_name.set_value(typed)
        screen.bring.click()
        dialog = told(screen)
        assert dialog.title == "Not imported" and expected in dialog.message
        assert not screen.saves and not list(profile.saves.glob("*.cloak"))
        dialog.answer(0)
    screen.place_name.set_value(str(rig.paths[0]))
    screen.bring.click()
    assert told(screen).title == "The match is imported"
    (save,) = screen.saves
    assert journal.read(save.path).entries == journal.read(rig.paths[0]).entries


def test_a_match_of_this_machine_alone_is_not_exported(
    window: CloakWindow, profile: Profile
) -> None:
    row = SaveRow(Path("near.table"), "Here", "")
    carrier = Carrier(profile, identity(0))
    screen = SavesScreen(window, lambda: [row], lambda save, invite: None, carrier)
    assert not screen.export.is_enabled and screen.bring.is_enabled
