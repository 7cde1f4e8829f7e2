"""Frames of the scene of tri-dimensional chess.

Timed is the thread that builds a frame, up to what it tells the graphics driver, as in `frames`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from itertools import cycle
from statistics import median
from time import thread_time
from typing import Final

from cloakboard.client.boards.trid_look import Hit, look
from cloakboard.client.local_session import LocalSession
from cloakboard.client.views.trid_table import TridTable
from cloakboard.client.window import CloakWindow
from cloakboard.engine import registry
from cloakboard.engine.trid.board import NAMED
from tests.client.conftest import Settings, virtual_screen

FRAMES: Final = 150
LIMIT_MS: Final = 4.0  # what a frame may take, CLIENT "Numbers"


def run() -> Iterator[str]:
    """A line each for a scene that stands still, one that is turned, one that changes at every
    frame, and the whole table with the scene turned."""
    with nullcontext() if os.environ.get("DISPLAY") else virtual_screen():
        window = CloakWindow(Settings(), has_sound=False)
        try:
            yield from _measured(window)
        finally:
            window.close()


def _measured(window: CloakWindow) -> Iterator[str]:
    table = TridTable(
        window, LocalSession(registry.game("trid"), ("Ann", "Bob"), seed=b"t"), window.close
    )
    window.open_screen(table)
    scene, play = table.scene, table.play
    play.click_square(NAMED["b1W"])
    looks = cycle([look(play, Hit(NAMED[name]), None) for name in ("a2W", "c3N")])

    def still() -> None:
        scene.glass.draw(window.ctx)

    def turned() -> None:
        scene.orbit(0.01, 0.0)
        scene.glass.draw(window.ctx)

    def changed() -> None:
        scene.set(next(looks))
        scene.glass.draw(window.ctx)

    def whole() -> None:
        scene.orbit(0.01, 0.0)
        table.draw(window.width, window.height)

    yield _line(window, "scene that stands still", still)
    yield _line(window, "scene that is turned", turned)
    yield _line(window, "scene whose marks change", changed)
    yield _line(window, "whole table, scene turned", whole)


def _line(window: CloakWindow, name: str, draw: Callable[[], None]) -> str:
    spent = []
    for _ in range(FRAMES):
        start = thread_time()
        draw()
        spent.append((thread_time() - start) * 1000)
        window.ctx.finish()
    return f"trid_scene: {name}, median {median(spent):.2f} ms of {LIMIT_MS:.0f} ms"
