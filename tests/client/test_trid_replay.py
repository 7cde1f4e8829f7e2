"""The replay of tri-dimensional chess: steps, playing by itself, notation out and in, saves."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyglet.window import key

from cloakboard.client.local_session import LocalSession
from cloakboard.client.recording import Recording
from cloakboard.client.saved import SUFFIX
from cloakboard.client.shelf import Shelf, read_text
from cloakboard.client.views.replay_trid import TridReplay
from cloakboard.client.window import CloakWindow
from cloakboard.engine.errors import EngineError
from cloakboard.engine.registry import game, games
from cloakboard.engine.trid.board import NAMED
from cloakboard.engine.trid.notation.moves import read_move
from cloakboard.netplay.identity import Identity
from cloakboard.netplay.profile import Profile
from tests.client.conftest import resized
from tests.client.samples import click
from tests.client.test_trid_table import MATE
from tests.client.ways import Led

TRID = game("trid")
STEPS = len(MATE.split())


def mated(saves: Path | None = None) -> LocalSession:
    """A short match that ends with Nxc7B#."""
    session = LocalSession(TRID, ("Ann", "Bob"), seed=b"r", saves=saves)
    for ply, text in enumerate(MATE.split()):
        session.act(ply % 2, read_move(text))
    return session


def recorded(session: LocalSession) -> Recording:
    recording = session.recording(0)
    assert recording is not None
    return recording


def frames(window: CloakWindow, count: int = 3, passed_ms: float = 16) -> None:
    for _ in range(count):
        window.on_update(passed_ms / 1000)
    window.on_draw()


@pytest.fixture
def led() -> Led:
    return Led("trid")


@pytest.fixture(params=[True, False], ids=["scene", "flat"])
def replay(window: CloakWindow, led: Led, request: pytest.FixtureRequest) -> TridReplay:
    screen = TridReplay(window, recorded(mated()), led.acts)
    window.open_screen(screen)
    if not request.param:
        window.on_key_press(key.V, 0)
    frames(window)
    return screen


def test_it_begins_at_the_end_and_tells_it(replay: TridReplay) -> None:
    assert replay.projector.step == STEPS
    said = replay.status.label
    assert said.startswith("Move 6, White: Knight on d5N takes the Pawn on c7B.")
    assert said.endswith("White has won: Black is checkmated.")
    assert "".join(replay.captured[0]._letters) == "p"


def test_steps_by_keys_the_bar_and_the_list(window: CloakWindow, replay: TridReplay) -> None:
    for symbol, step in (
        (key.HOME, 0), (key.RIGHT, 1), (key.LEFT, 0), (key.END, STEPS), (key.PAGEUP, STEPS - 1),
    ):  # fmt: skip
        window.on_key_press(symbol, 0)
        assert replay.projector.step == step
    replay.go(0)
    assert replay.projector.shown.men[NAMED["d2W"]] == "D"
    x, y = replay.scrub.box.centre
    window.on_mouse_press(int(x), int(y), 1, 0)
    window.on_mouse_release(int(x), int(y), 1, 0)
    assert abs(replay.projector.step - STEPS / 2) <= 1
    replay.go(0)
    y = int(replay.lines.box.top - 20)
    window.on_mouse_press(int(replay.lines.box.x + 30), y, 1, 0)
    assert replay.projector.step == 1
    assert replay.projector.shown.men[NAMED["d4W"]] == "P"


def test_it_plays_by_itself_to_its_end(window: CloakWindow, replay: TridReplay) -> None:
    replay.go(STEPS - 3)
    for _ in range(3):
        replay.change_speed(1)
    click(window, replay.buttons["play"].box)
    assert replay.projector.is_playing
    seen = set()
    for _ in range(200):
        frames(window, 1, 100)
        seen.add(replay.projector.step)
        if not replay.projector.is_playing:
            break
    assert seen == {STEPS - 2, STEPS - 1, STEPS}


def test_notation_is_shown_copied_written_and_read_again(
    window: CloakWindow, replay: TridReplay, led: Led, monkeypatch: pytest.MonkeyPatch
) -> None:
    copied: list[str] = []
    monkeypatch.setattr(window, "write_clipboard", copied.append)
    window.on_key_press(key.N, 0)
    shown = [line.text for line in replay.lines._lines]
    assert shown[0] == "1. d4W a6B"
    assert shown[-1].endswith("Nxc7B#")
    window.on_key_press(key.C, key.MOD_CTRL)
    window.on_key_press(key.S, key.MOD_CTRL)
    assert led.written == [("match", copied[0])]
    again = read_text(copied[0])
    assert (again.game, again.names, again.log) == (TRID, ("Ann", "Bob"), replay.recording.log)
    assert again.result == replay.recording.result


def test_ways_out(window: CloakWindow, replay: TridReplay, led: Led) -> None:
    replay.go(4)
    window.on_key_press(key.E, key.MOD_CTRL)
    window.on_key_press(key.P, 0)
    window.on_key_press(key.ESCAPE, 0)
    assert led.edited == [replay.projector.shown]
    assert led.went_on == [4]
    assert led.left == 1
    session = LocalSession.going_on(replay.recording, 4)
    assert session.state(0) == replay.projector.shown


def test_a_match_that_goes_on_is_seen_whole_since_nothing_is_hidden() -> None:
    session = LocalSession(TRID, ("Ann", "Bob"), seed=b"r")
    session.act(0, read_move("d2W-d4W"))
    recording = recorded(session)
    assert recording.is_whole
    assert recording.can_go_on(1)


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    profile = Profile.open(tmp_path / "profile")
    return Shelf(profile, Identity.open(profile.folder), games())


def test_the_shelf_has_texts_and_saves_of_both_games(shelf: Shelf) -> None:
    saves = shelf.folder.parent / "saves"
    session = mated(saves)
    session.save("ann-bob")
    text = '[Game "TRID"]\n[Rules "1"]\n\n1. a4N b5N\n'
    path = shelf.write("one", text)
    assert path.name == "one.trid"
    assert shelf.write("one", text).name == "one-2.trid"
    assert shelf.write("one", '[Game "WEC"]\n').name == "one.wec"
    kept = {row.path for row in shelf.kept()}
    (finished,) = (saves / "finished").iterdir()
    texts = {shelf.folder / name for name in ("one.trid", "one-2.trid", "one.wec")}
    assert kept == {*texts, saves / f"ann-bob{SUFFIX}", finished}
    assert shelf.open(finished).result == session.result()
    assert shelf.open(path).names == ("White", "Black")
    opened = shelf.open(saves / f"ann-bob{SUFFIX}")
    assert opened.log == session.table.log


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("1. a4N", "expected a tag"),
        ('[Game "GO"]', "no game"),
        ('[Game "TRID"]\n[Rules "1"]\n\n1. a9N\n', "Line 4"),
    ],
)
def test_text_that_tells_no_match_is_refused(text: str, says: str) -> None:
    with pytest.raises(EngineError) as refused:
        read_text(text)
    assert says in str(refused.value)


@pytest.mark.parametrize("size", [(1024, 640), (1280, 720), (2560, 1440)])
def test_the_replay_fits_its_window(
    window: CloakWindow, replay: TridReplay, size: tuple[int, int]
) -> None:
    resized(window, *size)
    frames(window)
    for widget in (replay.view, replay.lines, replay.scrub, *replay.captured.values()):
        assert widget.box.x >= 0 and widget.box.right <= size[0]
        assert widget.box.y >= 0 and widget.box.top <= size[1]
    assert replay.lines.box.height > 60
