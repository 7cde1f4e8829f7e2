"""A match that the other side never comes back to is kept as such from the list of saves."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyglet.window import key

from cloakboard.achievements.errors import Obstacle
from cloakboard.achievements.record import Audit
from cloakboard.achievements.standings import leaderboard
from cloakboard.client.claims import ALREADY, NOT_KEPT, WHY, Claims, question, refusal
from cloakboard.client.friends import _is_claimed, _row
from cloakboard.client.lobby import SaveRow
from cloakboard.client.views.player import PlayerScreen
from cloakboard.client.views.saves import SavesScreen
from cloakboard.client.widgets import Dialog
from cloakboard.client.window import CloakWindow
from cloakboard.engine.registry import game, games
from cloakboard.keeping.keeper import Keeper
from cloakboard.netplay.finding.friends import FriendsFile
from cloakboard.netplay.lockstep import saves
from tests.netplay.rig import identity
from tests.netplay.sealed import Sealed

OWN, OTHER = identity(0).key, identity(1).key
FAR = SaveRow(Path("far.cloak"), "Ann against Bob", "", is_local=False)


@pytest.mark.parametrize(
    ("save", "told"),
    [
        (FAR, ""),
        (SaveRow(Path("near.table"), "Here", ""), "on this machine alone"),
        (SaveRow(Path("bad.cloak"), "bad", "", "damaged", is_local=False), "cannot be read"),
        (SaveRow(Path("old.cloak"), "Old", "", is_local=False, is_claimed=True), ALREADY),
    ],
)
def test_what_the_list_refuses_by_itself(save: SaveRow, told: str) -> None:
    assert told in refusal(save) and bool(told) == bool(refusal(save))


def test_the_question_names_the_match_and_what_follows() -> None:
    told = question(FAR)
    for part in (FAR.title, "no rating", "one that they left", "The save stays", "takes the place"):
        assert part in told


def test_every_obstacle_has_its_words() -> None:
    assert set(WHY) == set(Obstacle)


@pytest.fixture
def rig(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sealed:
    """Two matches of the first player, who has seat 0; the other one is later."""
    monkeypatch.setattr(os, "fsync", lambda _: None)
    for seed in (1, 2):
        (tmp_path / str(seed)).mkdir()
        rig = Sealed(tmp_path / str(seed), game("trid"), seed=seed)
        rig.play(2)
        rig.keep()
        rig.paths[0].rename(tmp_path / rig.paths[0].name)
    return rig


@pytest.fixture
def keeper(tmp_path: Path) -> Iterator[Keeper]:
    kept = Keeper(tmp_path, OWN, games(), clock=lambda: 1_000_000)
    yield kept
    kept.close()


@pytest.fixture
def screen(window: CloakWindow, keeper: Keeper, rig: Sealed, tmp_path: Path) -> SavesScreen:
    def rows() -> list[SaveRow]:
        listed = saves.listing(tmp_path)
        return [_row(save, is_claimed=_is_claimed(save, keeper)) for save in listed]

    opened = SavesScreen(window, rows, lambda save, invite: None, claims=Claims(keeper))
    window.open_screen(opened)
    window.on_draw()
    return opened


def press(screen: SavesScreen, *symbols: int) -> None:
    for symbol in symbols:
        screen.stage.key_pressed(symbol, 0)


def told(screen: SavesScreen) -> Dialog:
    """What the screen tells once it is done."""
    assert screen._work is not None
    screen._work.result(timeout=30)
    screen.update(16)
    assert screen.told is not None and screen.told.is_open
    return screen.told


def test_by_keys_alone_a_match_is_kept_as_never_finished_and_the_records_show_it(
    window: CloakWindow, screen: SavesScreen, keeper: Keeper, tmp_path: Path
) -> None:
    press(screen, key.DOWN)
    assert screen.list.selected == 1
    save = screen.saves[1]
    before = save.path.read_bytes()
    for _ in range(10):
        if screen.stage.focus is not screen.claim:
            press(screen, key.TAB)
    assert screen.stage.focus is screen.claim
    press(screen, key.ENTER, key.ENTER)  # the harmless answer has the focus
    assert screen._work is None and keeper.ledger.records() == []
    press(screen, key.ENTER, key.TAB, key.ENTER)
    dialog = told(screen)
    assert (dialog.title, dialog.message) == (
        "Kept as never finished",
        "It is in your records now, unrated.",
    )
    press(screen, key.ESCAPE)
    assert save.path.read_bytes() == before
    assert [row.is_claimed for row in screen.saves] == [False, True]
    assert screen.list.selected == 1
    assert screen.list.rows[1].detail.endswith(" · kept as never finished")
    assert screen.open.is_enabled

    (record,) = keeper.ledger.records()
    assert (record.audit, record.by, record.is_rated) == (Audit.CLAIMED, (1,), False)
    left = {row.key: row.disconnects for row in leaderboard([record], "trid")}
    assert left == {OWN: 0, OTHER: 1}
    book = FriendsFile(tmp_path, OWN)
    titles = {"trid": "Tri-dimensional chess"}
    card = PlayerScreen(window, keeper.ledger, titles, OWN, OTHER, window.close_screen, book)
    assert [row.note for row in card.list.rows] == ["p1 never came back"]

    screen.claim.click()
    assert screen.told is not None
    assert (screen.told.title, screen.told.message) == (NOT_KEPT, ALREADY)


def test_a_match_that_has_ended_meanwhile_is_refused_in_words(
    window: CloakWindow, keeper: Keeper, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "fsync", lambda _: None)
    rig = Sealed(tmp_path, game("trid"))
    rig.peers[1].request("resign")
    rig.flush()
    rig.keep()
    row = SaveRow(rig.paths[0], "p0 against p1", "", is_local=False)
    screen = SavesScreen(window, lambda: [row], lambda save, invite: None, claims=Claims(keeper))
    window.open_screen(screen)
    screen.claim.click()
    press(screen, key.TAB, key.ENTER)
    assert told(screen).message == WHY[Obstacle.ENDED]
    assert [record.audit for record in keeper.ledger.records()] == [Audit.CLEAN]
