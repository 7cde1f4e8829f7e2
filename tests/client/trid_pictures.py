"""`python -m tests.client.trid_pictures`: takes the pictures of tri-dimensional chess that stand on
the pages, of real matches in a window under a virtual screen."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PIL import Image

from cloakboard.client.library import TRID, Library, Start
from cloakboard.client.local_session import LocalSession
from cloakboard.client.views.editor import EditorActs
from cloakboard.client.views.editor_trid import TridEditor
from cloakboard.client.views.page import Offer
from cloakboard.client.views.replay import ReplayActs
from cloakboard.client.views.replay_trid import TridReplay
from cloakboard.client.views.trid_table import TridTable
from cloakboard.client.window import CloakWindow
from cloakboard.engine.registry import game, games
from cloakboard.engine.trid.board import PINS
from cloakboard.engine.trid.notation.moves import read_move
from tests.client.conftest import Settings, virtual_screen
from tests.client.test_trid_table import MATE, click, settle, spot

FOLDER: Final = Path(__file__).parents[2] / "docs" / "pictures"
COLOURS: Final = 256
# A rook on QL2 whose ways lead over three levels, and one alone on an attack board.
ROOK: Final = (
    "KL1w,QL2w,QL5b,KL6b nbbn/1ddd/4/4|4/1P2/4/4|4/4/1DDD/NBBN|DD/KR|1R/2|2/p1|rq/kr w - - 0 9"
)
BOARD: Final = (
    "KL1w,QL2w,QL6b,KL6b nbbn/dddd/4/4|4/1P2/4/4|4/1N2/D1DD/NBB1|DD/KR|1R/2|rq/dd|kr/dd w - - 0 9"
)


def take() -> None:
    """Takes them all."""
    with virtual_screen():
        window = CloakWindow(Settings(motion="none"), has_sound=False)
        try:
            _start(window)
            _rook(window)
            _board(window)
            _mate(window)
            _replay(window)
            _editor(window)
        finally:
            window.close()


def _replay(window: CloakWindow) -> None:
    session = LocalSession(game("trid"), ("Ann", "Bob"), seed=b"t")
    for ply, text in enumerate(MATE.split()):
        session.act(ply % 2, read_move(text))
    recording = session.recording(0)
    assert recording is not None
    acts = ReplayActs(window.close, lambda name, text: FOLDER, lambda step: None)
    replay = TridReplay(window, recording, acts)
    window.open_screen(replay)
    replay.go(7)
    _frame(window)
    _keep(window, "replay")


def _editor(window: CloakWindow) -> None:
    offer = Offer(tuple(games().values()))
    acts = EditorActs(window.close, _stay, _stay, _stay, offer)
    editor = TridEditor(window, TRID.read(BOARD), Library(FOLDER, TRID), acts)
    window.open_screen(editor)
    editor.switch_view()
    editor.draft.select(pin=PINS.index("QL2"))
    editor.sync()
    _frame(window)
    _keep(window, "editor")


def _stay(start: Start) -> None:
    """The editor is only looked at."""


def _frame(window: CloakWindow) -> None:
    window.on_mouse_motion(5, 5, 0, 0)
    for _ in range(2):
        window.on_update(0.1)
        window.on_draw()


def _table(window: CloakWindow, setup: str = "") -> TridTable:
    session = LocalSession(game("trid"), ("Ann", "Bob"), setup=setup, seed=b"t")
    table = TridTable(window, session, window.close)
    window.open_screen(table)
    settle(window, table)
    return table


def _keep(window: CloakWindow, name: str) -> None:
    path = FOLDER / f"trid-{name}.png"
    window.screenshot(path)
    with Image.open(path) as picture:
        small = picture.convert("RGB").quantize(COLOURS)
    small.save(path, optimize=True)


def _start(window: CloakWindow) -> None:
    table = _table(window)
    _keep(window, "scene")
    table.switch_view()
    _keep(window, "flat")


def _rook(window: CloakWindow) -> None:
    table = _table(window, ROOK)
    click(window, table, "a5QL2")
    window.on_mouse_motion(*spot(table, "d5N"), 0, 0)
    _keep(window, "rook")


def _board(window: CloakWindow) -> None:
    table = _table(window, BOARD)
    click(window, table, "z4QL2")
    table.turn_board()
    window.on_mouse_motion(*spot(table, "QL3"), 0, 0)
    _keep(window, "board")


def _mate(window: CloakWindow) -> None:
    table = _table(window)
    for ply, text in enumerate(MATE.split()):
        table.session.act(ply % 2, read_move(text))
        settle(window, table)
    window.on_update(0.1)
    _keep(window, "mate")


if __name__ == "__main__":
    take()
