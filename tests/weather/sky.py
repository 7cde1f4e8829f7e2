"""Time and links of a simulated match. Nothing here knows what a frame means."""

from __future__ import annotations

import heapq
import random
from collections import Counter
from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING, Final

from tests.weather.forecast import Blow, Forecast

if TYPE_CHECKING:
    from tests.weather.machine import Machine

LOST_MS: Final = 10_000  # how long a mute link is kept
CLOSE_MS: Final = 300  # how long a link that breaks may still bring what was under way
LONGEST_MS: Final = 3_600_000  # no match takes longer, or it will never end


class Link:
    """A link between two seats. What it brings comes in order, until `ends_ms`."""

    def __init__(self, one: int, other: int) -> None:
        self.ends: Final = (one, other)
        self.ends_ms = LONGEST_MS * 2
        self.is_broken = False
        self.due_ms = {one: 0, other: 0}  # of the last frame towards each end

    def peer(self, seat: int) -> int:
        """The seat at the other end."""
        one, other = self.ends
        return other if seat == one else one


class Sky:
    """The clock, the links, and the weather. `faults` counts what went wrong, by kind; `trace` is
    a hash of every frame that arrived, in order."""

    def __init__(self, plan: Forecast, seed: int) -> None:
        self.plan = plan
        self.now_ms = 0
        self.random = random.Random(f"sky/{plan.game}/{seed}")
        self.faults: Counter[str] = Counter()
        self.trace = blake2b(digest_size=8)
        self.machines: Sequence[Machine] = ()
        self._due: list[tuple[int, int, Callable[[], None]]] = []
        self._count = 0
        self._apart: set[int] = set()  # seats that nobody reaches
        self._last_arrival: dict[int, tuple[int, int]] = {}
        for blow in plan.blows:
            self.later(blow.at_ms, lambda blow=blow: self._strike(blow))  # type: ignore[misc]

    def later(self, delay_ms: int, happen: Callable[[], None]) -> None:
        """Lets something happen when so many milliseconds have passed."""
        self._count += 1
        heapq.heappush(self._due, (self.now_ms + delay_ms, self._count, happen))

    def turn(self, is_over: Callable[[], bool]) -> None:
        """Turns the clock until it is over, or nothing more will happen, or it takes too long."""
        while self._due and not is_over():
            self.now_ms, _, happen = heapq.heappop(self._due)
            if self.now_ms > LONGEST_MS:
                return
            happen()

    # -- links ---------------------------------------------------------------------------------

    def connect(self, one: Machine, other: Machine) -> None:
        """A link, if both ends are there and free for it, and the way is open."""
        here, there = one.seat, other.seat
        free = there not in one.links and here not in other.links
        up = one.is_awake and other.is_awake
        if not (free and up) or self._apart & {here, there}:
            return
        link = Link(here, there)
        one.linked(link)
        other.linked(link)

    def post(self, link: Link, target: int, frame: bytes) -> None:
        """Sends a frame to one end of a link; it comes in order, and maybe once more later."""
        if link.is_broken:
            self.faults["frame lost"] += 1
            return
        delay = self.random.randint(*self.plan.delay_ms)
        due = max(self.now_ms + delay, link.due_ms[target])
        link.due_ms[target] = due
        self.later(due - self.now_ms, lambda: self._arrive(link, target, frame, self._count))
        if self.random.randrange(100) < self.plan.twice:
            again = due - self.now_ms + self.random.randint(0, 3 * self.plan.delay_ms[1])
            self.faults["frame twice"] += 1
            self.later(again, lambda: self._arrive(link, target, frame, 0))

    def _arrive(self, link: Link, target: int, frame: bytes, count: int) -> None:
        source, machine = link.peer(target), self.machines[target]
        if self.now_ms >= link.ends_ms or machine.links.get(source) is not link:
            self.faults["frame lost"] += 1
            return
        self.trace.update(bytes([source, target]) + frame)
        machine.got(source, frame)

    def close(self, link: Link, mute: bool = False) -> None:
        """Ends a link for both sides: at once, or when they miss each other for too long."""
        if link.is_broken:
            return
        link.is_broken = True
        link.ends_ms = self.now_ms + self.random.randint(0, CLOSE_MS)
        for seat in link.ends:
            notices = LOST_MS if mute else self.random.randint(0, 2 * CLOSE_MS)
            self.later(notices, lambda seat=seat: self.machines[seat].missed(link))  # type: ignore[misc]

    # -- blows ---------------------------------------------------------------------------------

    def _strike(self, blow: Blow) -> None:
        victim = self.machines[blow.seat]
        if blow.kind == "cut":
            links = [victim.links[seat] for seat in sorted(victim.links)]
            if links:
                self.faults["link cut"] += 1
                self.close(self.random.choice(links))
        elif blow.kind == "partition":
            self.faults["seat cut off"] += 1
            self._apart.add(blow.seat)
            for link in list(victim.links.values()):
                self.close(link, mute=True)
            self.later(blow.for_ms, lambda: self._apart.discard(blow.seat))
        elif victim.is_awake:
            self.faults["machine asleep"] += 1
            if blow.for_ms >= LOST_MS:
                for link in list(victim.links.values()):
                    self.close(link, mute=True)
            victim.sleep()
            self.later(blow.for_ms, victim.wake)
