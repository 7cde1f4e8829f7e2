"""Computer players on this machine that fill seats of its room, each a program of its own with a
profile beside the player's: they learn what a friend's machine would, and no more."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Final

LEAVE_S: Final = 20.0  # in which they sign their audit


class Computers:
    """So many of them. Use as a context manager; in the end they are waited for, and ended."""

    def __init__(self, count: int, seed: int, local: bool, max_turns: int) -> None:
        """`max_turns`: where they agree on a draw, 0 for never."""
        self._count = count
        self._seed = seed
        self._local = local
        self._max_turns = max_turns
        self._running: list[subprocess.Popen[bytes]] = []

    def start(self, invite: str, folder: Path) -> None:
        """Sends them to a room; their profiles are kept in `folder`."""
        for number in range(1, self._count + 1):
            command = [sys.executable, "-m", "cloakboard", "join", invite, "--bot", "random"]
            command += ["--seed", str(self._seed + number), "--name", f"Computer {number}"]
            command += ["--max-turns", str(self._max_turns)]
            command += ["--profile", str(folder / "computers" / str(number))]
            command += ["--local"] if self._local else []
            self._running.append(
                subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            )

    def __enter__(self) -> Computers:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for running in self._running:
            try:
                running.wait(LEAVE_S if kind is None else 0)
            except subprocess.TimeoutExpired:
                running.terminate()
                running.wait()
