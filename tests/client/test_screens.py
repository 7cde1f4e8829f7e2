"""Every plain screen opens, and does what its buttons say."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from pyglet.window import key

from cloakboard.client.inviting import Inviting
from cloakboard.client.lobby import SaveRow, local_saves
from cloakboard.client.local_session import LocalSession
from cloakboard.client.room_seat import RoomSeat
from cloakboard.client.session import Session
from cloakboard.client.views.about import AboutScreen, plain
from cloakboard.client.views.connect import FriendScreen, WaitingScreen, qr_texture
from cloakboard.client.views.local import LocalMatch, LocalScreen
from cloakboard.client.views.options import next_value
from cloakboard.client.views.rules_picker import RuleSources
from cloakboard.client.views.saves import SavesScreen
from cloakboard.client.views.settings import stepped_to
from cloakboard.client.views.start import Entry, StartScreen
from cloakboard.client.views.table_match import save_name
from cloakboard.client.window import CloakWindow
from cloakboard.engine.registry import game
from cloakboard.engine.wec.options import OPTIONS
from cloakboard.netplay.invite import Invite, Watch
from tests.client.samples import hint_of

WEC = game("wec")


class StubLobby:
    """A lobby that stands still."""

    def __init__(self) -> None:
        self.is_closed = False
        self.said = "Waiting for your friend."
        self.failed = ""

    def host(self, game_id: str, options: object, setup: str = "", title: str = "") -> None: ...

    def join(self, invite: str, password: str = "") -> None: ...

    def resume(self, save: Path, invite: str = "") -> None: ...

    def rematch(self, save: Path) -> None: ...

    def room(self) -> RoomSeat | None:
        return None

    def invite(self) -> str:
        return "cloak1:abcdefghijk"

    def status(self) -> str:
        return self.said

    def failure(self) -> str:
        return self.failed

    def session(self) -> Session | None:
        return None

    def close(self) -> None:
        self.is_closed = True


def frame(window: CloakWindow, passed_ms: float = 16.0) -> None:
    window.on_update(passed_ms / 1000)
    window.on_draw()


def saves(count: int) -> Sequence[SaveRow]:
    return [
        SaveRow(Path(f"{n}.table"), f"Match {n}", "12 actions", "damaged" if n == 1 else "")
        for n in range(count)
    ]


def test_every_plain_screen_opens(window: CloakWindow) -> None:
    began: list[LocalMatch] = []
    lobby = StubLobby()
    screens = [
        StartScreen(window, (Entry("Play", "ui.play", window.close),), lambda: "You are Ann"),
        LocalScreen(window, WEC, "Ann", True, began.append),
        SavesScreen(window, lambda: saves(3), lambda save, invite: None),
        FriendScreen(window, WEC, lambda options, setup: None, lambda invite: None),
        WaitingScreen(window, lobby, "Waiting", lambda session: None),
        AboutScreen(window),
    ]
    for screen in screens:
        window.open_screen(screen)
        frame(window)
        assert window.top is screen
    waiting = screens[4]
    assert isinstance(waiting, WaitingScreen)
    waiting.go_back()
    assert lobby.is_closed


def test_the_first_screen_tells_a_name_given_meanwhile(window: CloakWindow) -> None:
    names = ["Saddle Fox", "Ann"]
    entries = (Entry("Learn", "ui.learn", window.close),)
    screen = StartScreen(window, entries, lambda: f"You are {names[0]}")
    window.open_screen(screen)
    window.open_screen(AboutScreen(window))
    names.pop(0)
    assert screen.about.label == "You are Saddle Fox"
    window.close_screen()
    assert screen.about.label == "You are Ann"


def test_waiting_shows_the_invite_and_then_whatever_went_wrong(window: CloakWindow) -> None:
    lobby = StubLobby()
    screen = WaitingScreen(window, lobby, "Waiting", lambda session: None)
    window.open_screen(screen)
    frame(window)
    assert screen.invite.value == lobby.invite()
    assert screen.stage.focus is screen.copy
    assert screen.status.label == lobby.said
    lobby.failed = "Nobody answers at this invite; ask your friend for a new one."
    frame(window)
    assert not screen.invite.is_visible
    assert screen.text.label == lobby.failed
    assert "Go back" in screen.status.label


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("hello world", "This is not an invite"),
        (Invite("memory:0a", bytes(16), b"h" * 32).text()[:-9], "The invite is cut off"),
        (Watch("memory:0a", bytes(32), b"h" * 32).text()[:-9], "The invite is cut off"),
    ],
)
def test_what_is_no_invite_is_told_before_anything_is_opened(
    window: CloakWindow, text: str, told: str
) -> None:
    """The screen stays, with what was typed."""
    heard: list[str] = []
    anything: Any = object()
    inviting = Inviting(window, anything, anything, anything, anything, heard.append)
    inviting.join(text)
    assert len(heard) == 1 and heard[0].startswith(told)


def test_the_local_screen_gives_sides_and_changed_rules(window: CloakWindow) -> None:
    began: list[LocalMatch] = []
    screen = LocalScreen(window, WEC, "Ann", True, began.append)
    window.open_screen(screen)
    screen.swap.click()
    row = [option.name for option in OPTIONS.options].index("government.0")
    screen.rules.list.select(row)
    screen.rules.list.on_key(key.RIGHT, 0)
    screen.begin.click()
    assert began == [LocalMatch(("Computer", "Ann"), (0,), {"government.0": "dictatorship"})]


def test_the_hint_of_the_start_position_leaves_the_names_free(window: CloakWindow) -> None:
    sources = RuleSources(mine=dict, keep=lambda changes: None, pick=lambda take: None)
    screen = LocalScreen(window, WEC, "Ann", True, lambda match: None, sources)
    window.open_screen(screen)
    frame(window)
    hint = hint_of(window, screen.rules.position)
    assert all(hint.top < field.box.y for field in screen.fields)


def test_a_damaged_save_is_named_and_harms_no_other(window: CloakWindow, tmp_path: Path) -> None:
    session = LocalSession(WEC, ("Ann", "Bob"), saves=tmp_path)
    session.save("good")
    (tmp_path / "bad.table").write_bytes(b"\xff\x00")
    (tmp_path / "gone.table").symlink_to(tmp_path / "nowhere")
    opened: list[SaveRow] = []
    screen = SavesScreen(
        window, lambda: local_saves(tmp_path), lambda save, invite: opened.append(save)
    )
    window.open_screen(screen)
    frame(window)
    problems = {save.path.name: bool(save.problem) for save in screen.saves}
    assert problems == {"good.table": False, "bad.table": True, "gone.table": True}
    details = {save.path.name: save.detail for save in screen.saves}
    assert details["good.table"].startswith("Weaponized Chess · 0 actions · ")
    for index in range(3):
        screen.list.select(index, tells=True)
        screen.open.click()
    assert [save.path.name for save in opened] == ["good.table"]


def test_a_friends_new_invite_goes_along_and_a_table_here_needs_none(window: CloakWindow) -> None:
    opened: list[tuple[str, str]] = []
    rows = [
        SaveRow(Path("far.cloak"), "With Bob", "", is_local=False),
        SaveRow(Path("near.table"), "Here", ""),
    ]
    screen = SavesScreen(
        window, lambda: rows, lambda save, invite: opened.append((save.path.name, invite))
    )
    window.open_screen(screen)
    frame(window)
    screen.open.click()
    window.write_clipboard(" cloak1:\nabc ")
    screen.paste.click()
    screen.open.click()
    screen.list.select(1, tells=True)
    assert not screen.invite.is_enabled
    screen.open.click()
    assert opened == [("far.cloak", ""), ("far.cloak", "cloak1:abc"), ("near.table", "")]


@pytest.mark.parametrize(
    ("name", "value", "step", "expected"),
    [
        ("government.0", "monarchy", 1, "dictatorship"),
        ("government.0", "monarchy", -1, "democracy"),
        ("doze_enemies", True, 1, False),
        ("tank_range", 8, 1, 6),
        ("competitive", True, 1, False),
    ],
)
def test_options_go_round(name: str, value: object, step: int, expected: object) -> None:
    assert next_value(OPTIONS.option(name), value, step) == expected


@pytest.mark.parametrize(
    ("now", "step", "expected"), [(100, 1, 115), (100, -1, 85), (75, -1, 75), (98, 1, 115)]
)
def test_steps_of_a_size(now: int, step: int, expected: int) -> None:
    assert stepped_to((75, 85, 100, 115), now, step) == expected


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("Ann", "Bob"), "Ann-Bob-turn-7"),
        (("../x", "a/b"), "x-a-b-turn-7"),
        (("민수", "Bob"), "민수-Bob-turn-7"),
    ],
)
def test_a_save_is_a_file_name_anywhere(names: tuple[str, ...], expected: str) -> None:
    assert save_name(names, 7) == expected


def test_credits_lose_their_marks() -> None:
    assert plain("By [ann](https://a.example)") == "By ann (https://a.example)"
    assert plain("# Icons\n\n| a | b |\n|---|---|\n| `x` | *y* |") == "Icons\n\na · b\n\nx · y"


def test_a_qr_code_is_whole_pixels_and_fits(window: CloakWindow) -> None:
    picture = qr_texture("cloak1:" + "abcdefgh" * 20, 400).image
    assert picture.width == picture.height <= 400
    assert {colour for _, colour in picture.convert("L").getcolors() or ()} == {0, 255}
