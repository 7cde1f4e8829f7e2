"""Few places for many strangers."""

from __future__ import annotations

import asyncio
from typing import Any


class Waiting:
    """Tasks that wait for what a stranger does next, so many at most: with no place left the
    oldest is cancelled, of those with the newcomer's key if there is one."""

    def __init__(self, places: int) -> None:
        self._places = places
        self._keys: dict[asyncio.Task[Any], bytes] = {}  # oldest first

    def enter(self, task: asyncio.Task[Any], key: bytes) -> None:
        """Gives a task a place until it is done. `key`: of the machine it waits for."""
        if len(self._keys) >= self._places:
            own = (held for held, whose in self._keys.items() if whose == key)
            oldest = next(own, None) or next(iter(self._keys))
            self.leave(oldest)
            oldest.cancel()
        self._keys[task] = key
        task.add_done_callback(self.leave)

    def leave(self, task: asyncio.Task[Any] | None) -> None:
        """The place is free; the task goes on."""
        if task is not None:
            self._keys.pop(task, None)
