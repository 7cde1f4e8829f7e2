"""Tri-dimensional chess from the first screen on: a position is made in the editor, played, left,
gone on with, looked back on and kept as text."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import pytest
from pyglet.window import key

from cloakboard.client.app import App
from cloakboard.client.inviting import NO_NETWORK
from cloakboard.client.kept import HeldSettings, KeptSettings
from cloakboard.client.library import TEXTS, TRID
from cloakboard.client.local_session import LocalSession
from cloakboard.client.texts import shown
from cloakboard.client.tokens import PieceSet
from cloakboard.client.views.editor import EditorScreen
from cloakboard.client.views.editor_trid import TridEditor
from cloakboard.client.views.editor_wec import WecEditor
from cloakboard.client.views.local import LocalScreen
from cloakboard.client.views.replay_trid import TridReplay
from cloakboard.client.views.replays import ReplaysScreen
from cloakboard.client.views.saves import SavesScreen
from cloakboard.client.views.settings import SettingsScreen
from cloakboard.client.views.start import StartScreen
from cloakboard.client.views.table import TableScreen
from cloakboard.client.views.trid_table import TridTable
from cloakboard.client.widgets import Button
from cloakboard.client.window import CloakWindow, Screen
from cloakboard.engine.registry import game, games
from cloakboard.engine.trid.notation.positions import write_position
from cloakboard.keeping.keeper import Keeper
from cloakboard.netplay.identity import Identity
from cloakboard.netplay.invite import Invite
from cloakboard.netplay.profile import Profile
from cloakboard.netplay.settings import FILE_NAME, SettingsFile
from tests.client.test_trid_choose import RICH
from tests.client.test_trid_table import click, men, settle, tap

S = TypeVar("S", bound=Screen)


@pytest.fixture
def app(window: CloakWindow, tmp_path: Path) -> Iterator[App]:
    profile = Profile.open(tmp_path / "profile")
    settings = HeldSettings(profile.folder)
    keeper = Keeper(profile.folder, Identity.open(profile.folder).key, games())
    app = App(profile, window, KeptSettings(settings), None, keeper)
    app.start()
    yield app
    keeper.close()
    profile.close()


def top(app: App, kind: type[S]) -> S:
    """The screen that is shown."""
    screen = app.window.top
    assert isinstance(screen, kind), screen
    app.window.on_update(0.1)
    app.window.on_draw()
    return screen


def test_a_position_is_made_played_left_gone_on_with_and_looked_back_on(
    app: App, window: CloakWindow
) -> None:
    app.show_editor()
    wec = top(app, WecEditor)
    next(b for b in wec.games.buttons if b.label == game("trid").title).click()
    editor = top(app, TridEditor)
    editor.draft.open(TRID.read(RICH))
    editor.play(editor.acts.hotseat)
    local = top(app, LocalScreen)
    local.begin.click()
    table = top(app, TridTable)
    assert write_position(table.play.state) == RICH
    table.switch_view()
    settle(window, table)
    click(window, table, "b7B", "b8B")
    tap(window, table, key._2)
    assert men(table, "b8B") == "R"
    table.match._save_and_go()
    app.show_saves()
    saves = top(app, SavesScreen)
    assert len(saves.saves) == 1
    saves.list.select(0, tells=True)
    saves.open.click()
    table = top(app, TridTable)
    assert men(table, "b8B") == "R"
    assert [one.text for one in table.play.plies] == ["b8B=R"]
    window.on_key_press(key.Z, key.MOD_CTRL)
    assert men(table, "b7B") == "P"
    window.on_key_press(key.Y, key.MOD_CTRL)
    settle(window, table)
    tap(window, table, key.H)
    replay = top(app, TridReplay)
    assert replay.projector.film.steps == 1
    window.on_key_press(key.S, key.MOD_CTRL)
    kept = list((app.profile.folder / "replays").glob("*.trid"))
    assert len(kept) == 1
    replay.acts.leave()
    app.show_replays()
    replays = top(app, ReplaysScreen)
    place = next(i for i, one in enumerate(replays.kept) if one.path == kept[0])
    replays.list.select(place, tells=True)
    replays.open.click()
    replay = top(app, TridReplay)
    replay.go(0)
    assert write_position(replay.projector.shown) == RICH
    window.on_key_press(key.P, 0)
    assert write_position(top(app, TridTable).play.state) == RICH


@pytest.mark.parametrize("game_id", ["wec", "trid"])
def test_the_editor_begins_with_what_is_known_at_a_table_and_leads_back_to_it(
    app: App, window: CloakWindow, game_id: str
) -> None:
    options: dict[str, object] = {"stun_range": 4} if game_id == "wec" else {"blocking": "column"}
    session = LocalSession(game(game_id), ("Ann", "Bob"), options=options, computers=(1,))
    session.act(0, next(iter(session.actions(0))))
    session.poll()
    app.show_table(session)
    table = app.window.top
    assert isinstance(table, TableScreen | TridTable)
    for _ in range(30):
        window.on_update(0.1)
    known = TEXTS[game_id].of(table.play.state)
    assert known != TEXTS[game_id].standard()
    window.on_key_press(key.E, key.MOD_CTRL)
    editor = top(app, EditorScreen)
    assert editor.draft.scenario == known and editor.draft.options == options
    editor.leave()
    assert app.window.top is table


def test_a_language_chosen_at_a_table_leads_back_to_it(app: App) -> None:
    session = LocalSession(game("trid"), ("Ann", "Bob"))
    app.show_table(session)
    table = top(app, TridTable)
    app.show_settings()
    app._set_language("ko")
    assert shown("Settings") == "설정"
    settings = top(app, SettingsScreen)
    settings.stage.key_pressed(key.ESCAPE, 0)
    assert top(app, TridTable) is table
    app.window.set_language("en")


def test_what_the_disk_refuses_is_told_and_holds_until_the_end(app: App, tmp_path: Path) -> None:
    (tmp_path / "profile" / f"{FILE_NAME}.part").mkdir()
    app.show_settings()
    screen = top(app, SettingsScreen)
    buttons = [button for _, row in screen.rows if isinstance(row, tuple) for button in row]
    next(button for button in buttons if button.label == "Simple").click()
    app.tell_news()
    assert screen.toasts._shown[-1]._said.startswith("Not kept: ")
    assert app.kept.style.set is PieceSet.SIMPLE
    assert SettingsFile(tmp_path / "profile").now.piece_set == "detailed"


def test_without_a_network_part_an_invite_is_answered_in_words(app: App) -> None:
    app.social.opened(Invite("memory:0a", bytes(16), b"h" * 32).text())
    start = top(app, StartScreen)
    answers = [w for w in start.stage._modals[-1].widgets if isinstance(w, Button)]
    next(button for button in answers if button.label == "Go").click()
    assert start.toasts._shown[-1]._said == NO_NETWORK
