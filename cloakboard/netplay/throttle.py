"""How much one may say in a time."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable


class Throttle:
    """At most so many in any stretch of `seconds`, by a clock that only goes forward."""

    def __init__(
        self, most: int, seconds: float, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._most = most
        self._seconds = seconds
        self._now = now
        self._times: deque[float] = deque()

    def takes(self) -> bool:
        """Whether one more fits; if so, it counts."""
        now = self._now()
        while self._times and self._times[0] <= now - self._seconds:
            self._times.popleft()
        if len(self._times) >= self._most:
            return False
        self._times.append(now)
        return True
