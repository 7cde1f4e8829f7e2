"""One virtual screen and one window for all tests of the client."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import pytest

from cloakboard.client.window import CloakWindow
from tests.client.samples import Sampler

SCRIPT = Path(__file__).parents[2] / "scripts" / "build_texts.py"


@dataclass
class Settings:
    """What a window reads and remembers, at its defaults."""

    window_x: int | None = None
    window_y: int | None = None
    window_width: int = 1280
    window_height: int = 720
    is_fullscreen: bool = False
    ui_scale: float = 1.0
    language: str = "en"
    motion: str = "all"
    volume: float = 0.5
    is_muted: bool = False


@contextmanager
def virtual_screen() -> Iterator[str]:
    """The name of a virtual screen of 4K size, the process's own while it lasts."""
    server = shutil.which("Xvfb")
    if server is None:
        raise RuntimeError("without a screen Xvfb is needed: run `make setup`, or install xvfb")
    reader, writer = os.pipe()
    arguments = ["-displayfd", str(writer), "-screen", "0", "3840x2160x24", "-nolisten", "tcp"]
    process = subprocess.Popen([server, *arguments], pass_fds=(writer,), stderr=subprocess.DEVNULL)
    os.close(writer)
    with os.fdopen(reader) as answer:
        number = answer.readline().strip()
    if not number:
        raise RuntimeError("Xvfb found no free display")
    before = os.environ.get("DISPLAY")
    os.environ["DISPLAY"] = f":{number}"
    yield os.environ["DISPLAY"]
    if before is None:
        del os.environ["DISPLAY"]
    else:
        os.environ["DISPLAY"] = before
    process.terminate()
    process.wait(timeout=10)


@pytest.fixture(scope="session")
def build_texts() -> ModuleType:
    """The script that lists the texts."""
    spec = importlib.util.spec_from_file_location("build_texts", SCRIPT)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def display() -> Iterator[str]:
    """A virtual screen for all tests, whatever screen there is."""
    with virtual_screen() as name:
        yield name


@pytest.fixture(scope="session")
def shared_window(display: str) -> Iterator[CloakWindow]:
    """The window that all tests use in turn."""
    window = CloakWindow(Settings(), has_sound=False)
    yield window
    if not window.closed:
        window.close()


@pytest.fixture
def window(shared_window: CloakWindow) -> Iterator[CloakWindow]:
    """The window at 1280 x 720 without a screen."""
    shared_window.settings = Settings()
    resized(shared_window, 1280, 720)
    yield shared_window
    while shared_window.top is not None:
        shared_window._screens.pop().on_closed()
    shared_window.animator.skip()


@pytest.fixture
def form(window: CloakWindow) -> Sampler:
    """A shown screen with one widget of each kind."""
    screen = Sampler(window)
    window.open_screen(screen)
    return screen


def resized(window: CloakWindow, width: int, height: int) -> None:
    """Give the window a size, and let it hear of it."""
    window.set_size(width, height)
    for _ in range(1000):  # a busy machine's server answers late
        window.dispatch_events()
        if window.get_size() == (width, height):
            break
    window.on_resize(width, height)
