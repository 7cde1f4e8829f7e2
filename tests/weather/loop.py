"""An event loop and a network whose time is turned by hand: it passes when nothing else is left to
do, so hours of waiting take no time, and the same program does the same each time."""

from __future__ import annotations

import asyncio
import random
import selectors
from collections.abc import Callable
from typing import Any, Final

from cloakboard.netplay.links.memory import MemoryLink, MemoryNet

INSTANT_S: Final = 1e-9
SLOW_RATE: Final = 0.3  # of frames
SLOW_S: Final = 3.0  # at most


class Stuck(Exception):
    """Every task waits, and nothing will ever happen."""


class _NoFiles(selectors.SelectSelector):
    """Waits for nothing but time."""

    def __init__(self, loop: HandTurned) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> list[Any]:
        if timeout is None:
            raise Stuck
        # A little passes always: a loop calls what is due within its clock's resolution.
        self._loop.passed_s += max(2 * INSTANT_S, timeout)
        return []


class HandTurned(asyncio.SelectorEventLoop):
    """The loop. `passed_s`: its clock. What belongs in a thread is done at once."""

    def __init__(self) -> None:
        self.passed_s = 0.0
        super().__init__(_NoFiles(self))

    def time(self) -> float:
        return self.passed_s

    def run_in_executor(  # type: ignore[override]  # a future that is done is one
        self, executor: Any, func: Callable[..., Any], *args: Any
    ) -> asyncio.Future[Any]:
        future = self.create_future()
        try:
            future.set_result(func(*args))
        except Exception as error:
            future.set_exception(error)
        return future


class Slow(MemoryLink):
    """A link whose peer is slow at times: to send takes a while then."""

    lots: random.Random

    @classmethod
    def over(cls, link: MemoryLink, lots: random.Random) -> MemoryLink:
        """The link itself, slow at both ends from now on."""
        for end in (link, link.twin):
            end.__class__ = cls
            assert isinstance(end, cls)
            end.lots = lots
        return link

    async def send(self, frame: bytes) -> None:
        await super().send(frame)
        if self.lots.random() < SLOW_RATE:
            await asyncio.sleep(self.lots.random() * SLOW_S)


class LoopNet(MemoryNet):
    """A network on a loop's time."""

    def __init__(self, loop: HandTurned, lots: random.Random) -> None:
        self.lots = lots
        self._loop = loop
        self._scheduled = 0
        super().__init__()

    @property
    def now_ms(self) -> int:
        return round(self._loop.time() * 1000)

    @now_ms.setter
    def now_ms(self, ms: int) -> None:
        pass

    async def connect(self, source: bytes, target: bytes) -> MemoryLink:
        return Slow.over(await super().connect(source, target), self.lots)

    def schedule(self, delay_ms: int, happen: Callable[[], None]) -> None:
        self._scheduled += 1  # a loop does not keep the order of what is due at the same time
        due_s = (self.now_ms + delay_ms) / 1000 + self._scheduled * INSTANT_S
        self._loop.call_at(due_s, happen)
