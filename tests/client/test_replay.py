"""The replay and its list open, and are worked by mouse and keyboard."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image
from pyglet.window import key

from cloakboard.client.local_session import LocalSession
from cloakboard.client.recording import Recording, of_table
from cloakboard.client.shelf import Kept
from cloakboard.client.views.replay_wec import WecReplay
from cloakboard.client.views.replays import ReplaysScreen
from cloakboard.client.views.table import TableScreen
from cloakboard.client.views.table_menus import TableActs
from cloakboard.client.window import CloakWindow, Screen
from cloakboard.engine.errors import Malformed
from cloakboard.engine.registry import game
from cloakboard.engine.wec.state import BLACK, WHITE
from tests.client.conftest import resized
from tests.client.samples import click, hint_of
from tests.client.ways import Led
from tests.play import random_game

WEC = game("wec")


@pytest.fixture(scope="module")
def session() -> LocalSession:
    session = LocalSession(WEC, ("Ann", "Bob"), seed=b"replay")
    for _ in range(40):
        seat = session.to_act()[0]
        session.act(seat, session._chosen(seat))
    session.resign(BLACK)
    return session


def frames(window: CloakWindow, count: int = 3, passed_ms: float = 16) -> None:
    for _ in range(count):
        window.on_update(passed_ms / 1000)
    window.on_draw()


@pytest.fixture
def led() -> Led:
    return Led("wec")


@pytest.fixture
def replay(window: CloakWindow, session: LocalSession, led: Led) -> WecReplay:
    recording = session.recording(BLACK)
    assert recording is not None
    screen = WecReplay(window, recording, led.acts, near=BLACK)
    window.open_screen(screen)
    frames(window)
    return screen


def drawn(screen: WecReplay) -> int:
    return sum(1 for _ in screen.board.figures())


def test_what_was_hidden_fades_in(window: CloakWindow, replay: WecReplay) -> None:
    assert window.animator.is_active
    for _ in range(20):
        frames(window, 1, 100)
    everything = drawn(replay)
    assert everything == len(replay.projector.shown.pieces)
    window.on_key_press(key.B, 0)
    assert drawn(replay) < everything
    window.on_key_press(key.W, 0)
    assert replay.near == WHITE
    assert drawn(replay) < everything


def test_steps_by_keyboard(window: CloakWindow, replay: WecReplay) -> None:
    last = replay.projector.step
    for symbol, step in ((key.HOME, 0), (key.RIGHT, 1), (key.LEFT, 0), (key.END, last)):
        window.on_key_press(symbol, 0)
        assert replay.projector.step == step
    window.on_key_press(key.PAGEUP, 0)
    starts = replay.projector.film.turn_starts
    assert replay.projector.step == max(start for start in starts if start < last)


def test_the_scrub_bar_and_the_lines_lead_to_steps(window: CloakWindow, replay: WecReplay) -> None:
    bar = replay.scrub
    x, y = bar.box.centre
    window.on_mouse_press(int(x), int(y), 1, 0)
    window.on_mouse_release(int(x), int(y), 1, 0)
    assert abs(replay.projector.step - replay.projector.film.steps / 2) <= 1
    replay.go(0)
    lines = replay.lines
    y = int(lines.box.top - 60)
    step = lines.step_under(y)
    assert step is not None and step > 0
    window.on_mouse_press(int(lines.box.x + 30), y, 1, 0)
    assert replay.projector.step == step


@pytest.mark.parametrize("size", [(1280, 720), (2560, 1440)])
def test_hints_leave_the_line_of_the_step_free(
    window: CloakWindow, replay: WecReplay, size: tuple[int, int]
) -> None:
    resized(window, *size)
    frames(window)
    for button in (replay.buttons["back"], replay.speed):
        hint = hint_of(window, button)
        assert hint.y > replay.status.box.top
        assert hint.top < window.height / 4


def test_it_plays_by_itself_to_its_end(window: CloakWindow, replay: WecReplay) -> None:
    replay.go(replay.projector.film.steps - 3)
    for _ in range(3):
        replay.change_speed(1)
    click(window, replay.buttons["play"].box)
    assert replay.projector.is_playing
    for _ in range(200):
        frames(window, 1, 100)
        if not replay.projector.is_playing:
            break
    assert replay.projector.step == replay.projector.film.steps


def test_notation_is_shown_copied_and_written(
    window: CloakWindow, replay: WecReplay, led: Led, monkeypatch: pytest.MonkeyPatch
) -> None:
    copied: list[str] = []
    monkeypatch.setattr(window, "write_clipboard", copied.append)
    window.on_key_press(key.N, 0)
    assert replay.shows_notation
    window.on_key_press(key.C, key.MOD_CTRL)
    window.on_key_press(key.S, key.MOD_CTRL)
    assert led.written == [("match", copied[0])]
    assert copied[0].startswith('[Game "WEC"]')


def test_ways_out(window: CloakWindow, replay: WecReplay, led: Led) -> None:
    replay.go(7)
    window.on_key_press(key.E, key.MOD_CTRL)
    window.on_key_press(key.P, 0)
    window.on_key_press(key.ESCAPE, 0)
    assert led.edited == [replay.projector.film.state(7)]
    assert led.went_on == [7]
    assert led.left == 1


def test_a_step_looks_alike_however_it_was_come_to(
    window: CloakWindow, led: Led, tmp_path: Path
) -> None:
    """The board is drawn on from step to step, and is the one that is drawn at once."""
    recording = of_table(random_game(WEC, 5, 120), ("Ann", "Bob"))
    window.open_screen(Screen(window))

    def picture(name: str, *steps: int) -> bytes:
        screen = WecReplay(window, recording, led.acts, near=BLACK, step=steps[0])
        window.open_screen(screen)
        for step in steps:
            screen.go(step)
            frames(window)
        frames(window, 30, 100)
        window.screenshot(tmp_path / f"{name}.png")
        window.close_screen()
        at = screen.board_box
        with Image.open(tmp_path / f"{name}.png") as image:
            low = image.height - at.y
            board = image.convert("RGB").crop((at.x, low - at.height, at.right, low))
            return bytes(board.tobytes())

    def unlike(one: bytes, other: bytes) -> int:
        """How far a colour of the two is off, at most."""
        return max(abs(a - b) for a, b in zip(one, other, strict=True))

    at_once = picture("at once", 70)
    assert unlike(at_once, picture("on and back", *range(10, 120, 9), 5, 100, 69, 70)) <= 2
    assert unlike(at_once, picture("another step", 40)) > 50


def test_a_running_match_has_one_pair_of_eyes(
    window: CloakWindow, session: LocalSession, led: Led
) -> None:
    limited = of_table(session.table, session.names, WHITE)
    screen = WecReplay(window, limited, led.acts, near=BLACK)
    window.open_screen(screen)
    frames(window)
    assert list(screen.eyes) == [WHITE]
    for symbol in (key.A, key.B):
        window.on_key_press(symbol, 0)
    assert screen.projector.film.eyes == WHITE
    assert screen.near == WHITE


class StubShelf:
    """Two matches, the second of which is damaged."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording

    def kept(self) -> list[Kept]:
        return [
            Kept(Path("a.cloak"), "Ann against Bob", "finished", "ui.friends"),
            Kept(Path("b.wec"), "b", "notation", "ui.history"),
        ]

    def open(self, path: Path) -> Recording:
        if path.suffix == ".wec":
            raise Malformed("Line 3, column 4: expected a square, found x")
        return self._recording


def test_the_list_opens_what_can_be_read(
    window: CloakWindow, session: LocalSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    recording = of_table(session.table, session.names)
    opened: list[str] = []
    screen = ReplaysScreen(
        window,
        StubShelf(recording),  # type: ignore[arg-type]  # what the screen asks of a shelf
        lambda recording, name: opened.append(name),
    )
    window.open_screen(screen)
    frames(window)
    for index in (0, 1):
        screen.list.select(index, tells=True)
        screen.open.click()
    assert opened == ["a"]
    monkeypatch.setattr(window, "read_clipboard", lambda: "[Game")
    screen.paste.click()
    assert opened == ["a"]
    frames(window)


def test_the_table_leads_to_its_history(window: CloakWindow) -> None:
    asked: list[tuple[int | None, int]] = []
    session = LocalSession(WEC, ("Ann", "Bob"), seed=b"table")
    screen = TableScreen(
        window,
        session,
        window.close,
        acts=TableActs(
            look_back=lambda recording, name, near: asked.append((recording.seat, near))
        ),
    )
    window.open_screen(screen)
    frames(window)
    window.on_key_press(key.RETURN, 0)
    frames(window)
    seat = session.to_act()[0]
    session.act(seat, session._chosen(seat))
    for symbol in (key.N, key.H):
        for _ in range(40):
            frames(window, 1, 100)
        window.on_key_press(symbol, 0)
    assert asked == [(BLACK, BLACK)]
    assert screen.panel.shows_notation
    assert screen.panel.history._said[0].text.startswith("1. MV:")
