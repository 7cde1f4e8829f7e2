"""Frames of WEC's board, beside a bare `SpriteList` of as many sprites.

Timed is the thread that builds the frames, up to what it tells the graphics driver. A software
driver draws in threads of its own, which are no matter of this program.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from itertools import cycle
from time import thread_time
from typing import Final

import arcade

from cloakboard.client.boards.wec import Board
from cloakboard.client.boards.wec_figures import Style
from cloakboard.client.canvas import Box, Canvas
from cloakboard.client.local_session import LocalSession
from cloakboard.client.theme import Scale
from cloakboard.client.views.table import TableScreen
from cloakboard.client.window import CloakWindow
from cloakboard.engine import registry
from tests.bench.timing import pair
from tests.client.conftest import Settings, virtual_screen
from tests.play import random_game

ROUNDS: Final = 15
FRAMES: Final = 20  # a round
SIDE: Final = 680  # pixels of the board
SEED: Final = 3
ACTIONS: Final = (30, 31)  # after which the two states that are shown in turn stand

Draw = Callable[[], object]


def run() -> Iterator[str]:
    """A line each for a board that stands still, one whose state changes at every frame, and a
    whole table that stands still."""
    with nullcontext() if os.environ.get("DISPLAY") else virtual_screen():
        window = CloakWindow(Settings(), has_sound=False)
        try:
            yield from _compared(window)
        finally:
            window.close()


def _compared(window: CloakWindow) -> Iterator[str]:
    wec = registry.game("wec")
    states = [wec.view(random_game(wec, SEED, actions).state, 0) for actions in ACTIONS]
    canvas = Canvas(window.ctx)
    board = Board(canvas, Style())
    board.place(Box(0, 0, SIDE, SIDE), Scale(), 0)
    board.show(states[0], 0)
    bare = _copied(canvas)
    turn = cycle(states)

    def still() -> None:
        canvas.draw(window.width, window.height)

    def change() -> None:
        board.show(next(turn), 0)
        canvas.draw(window.width, window.height)

    def nudge() -> None:
        bare[0].center_x = 400 - bare[0].center_x
        bare.draw()

    yield _line(window, "board as it stands", still, bare.draw, len(bare))
    yield _line(window, "board after each of two actions in turn", change, nudge, len(bare))
    table = TableScreen(window, LocalSession(wec, ("Ann", "Bob"), seed=b"t"), window.close)
    window.open_screen(table)
    table.update(16)
    whole = _copied(table.canvas)

    def screen() -> None:
        table.draw(window.width, window.height)

    yield _line(window, "whole table with panel and texts", screen, whole.draw, len(whole))


def _copied(canvas: Canvas) -> arcade.SpriteList[arcade.Sprite]:
    """All sprites of a canvas in one list."""
    bare: arcade.SpriteList[arcade.Sprite] = arcade.SpriteList()
    for layer in canvas._layers:
        for one in layer.sprites:
            bare.append(arcade.Sprite(one.texture, center_x=one.center_x, center_y=one.center_y))
    return bare


def _line(window: CloakWindow, name: str, ours: Draw, theirs: Draw, count: int) -> str:
    def frames(draw: Draw) -> Draw:
        def run() -> None:
            for _ in range(FRAMES):
                draw()

        return run

    spent = pair(frames(ours), frames(theirs), ROUNDS, thread_time)
    window.ctx.finish()
    return (
        f"frames: {name}, {spent.left / FRAMES * 1000:.2f} ms, "
        f"{spent.ratio:.2f}x a bare list of its {count} sprites"
    )
