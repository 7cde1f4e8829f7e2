"""A thread for the network: its asyncio loop runs there, and the window never waits for it."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from typing import Any, Final

CLOSE_SECONDS: Final = 3.0


class Network:
    """The network's thread. `run` may be called from any other thread."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="network", daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, None]) -> Future[None]:
        """Starts work on the network's thread."""
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def close(self) -> None:
        """Ends what still runs, connections first, then the thread. Nothing may be left to the
        interpreter's own end: the connections' native code does not survive that."""
        with contextlib.suppress(TimeoutError):
            self.run(_end_tasks()).result(CLOSE_SECONDS)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(CLOSE_SECONDS)


async def _end_tasks() -> None:
    """Cancels all tasks but this one, and waits until they have let go of what they hold."""
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
