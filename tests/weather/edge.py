"""The same weather for the whole edge: `Online`, its mesh and its timeouts, over the in-memory
transport, on a loop whose time is turned by hand."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final
from unittest.mock import patch

from cloakboard.engine.game import Game
from cloakboard.netplay.errors import Lost, NetplayError
from cloakboard.netplay.links.greeting import Begun, Me
from cloakboard.netplay.links.memory import MemoryTransport
from cloakboard.netplay.lockstep import journal, saves
from cloakboard.netplay.lockstep.effects import Stopped
from cloakboard.netplay.lockstep.journal import Journal
from cloakboard.netplay.lockstep.match import Match
from cloakboard.netplay.lockstep.online import Online, Told
from cloakboard.netplay.lockstep.saves import Opened
from tests.netplay.rig import identity
from tests.weather.forecast import NEVER, Blow, Forecast
from tests.weather.loop import HandTurned, LoopNet
from tests.weather.player import Player

LONGEST_S: Final = 3600.0
WAIT_MS: Final = 300_000  # for who has every verdict, and has left with its last word unheard
NOON: Final = 1_800_000_000


class Killed(Exception):
    """The program died at a write."""


class Mortal:
    """A journal whose program dies at a write; nothing of it does anything after that."""

    def __init__(self, file: Journal, left: int, house: House) -> None:
        self.path = file.path
        self._file = file
        self._left = left
        self._house = house

    def append(self, kind: bytes, payload: bytes) -> None:
        if self._left < 0:
            raise Killed
        self._left -= 1
        before = self.path.stat().st_size
        self._file.append(kind, payload)
        if self._left < 0:
            self._file.close()
            after = self.path.stat().st_size
            lots = self._house.lots
            size = lots.choice((after, lots.randrange(before, after)))
            with self.path.open("r+b") as torn:
                torn.truncate(size)
            self._house.faults["killed at a write" if size == after else "killed in a write"] += 1
            self._house.die()
            raise Killed


class House:
    """One seat's machine: its program is started again whenever it has died. `opened`: what runs;
    `problems`: what must not be; `gives_up_ms`: when its player looks for the others no longer."""

    def __init__(
        self, net: LoopNet, plan: Forecast, seed: int, game: Game, path: Path, seat: int
    ) -> None:
        self.lots = random.Random(f"house/{plan.game}/{seed}/{seat}")
        self.faults: Counter[str] = Counter()
        self.problems: list[str] = []
        self.seat = seat
        self.path = path
        self.identity = identity(seat)
        self.opened: Opened | None = None
        self.closed_ms = NEVER
        self.gives_up_ms: Callable[[], int] = lambda: NEVER
        self._net = net
        self._plan = plan
        self._game = game
        self._player = Player(seed, seat, plan.choices, self.lots)
        self._running: asyncio.Task[None] | None = None
        self._is_dead = False  # its last write may be torn, whatever it had come to in memory
        self._transport: MemoryTransport | None = None

    @property
    def is_done(self) -> bool:
        """Whether every seat's verdict is here."""
        return self.opened is not None and self.opened.match.closed and not self._is_dead

    @property
    def match(self) -> Match:
        """The match that runs here."""
        assert self.opened is not None
        return self.opened.match

    def clock(self) -> int:
        """Milliseconds by the machine's own idea of time."""
        off, hundredths = self._plan.skews[self.seat]
        return off + self._net.now_ms * hundredths // 100

    async def live(self) -> None:
        """Runs the program until its match is over, life after life."""
        lives = [*self._plan.kills[self.seat], NEVER]
        fresh = True
        while not self.is_done and self._net.now_ms < self.gives_up_ms():
            left = lives.pop(0) if len(lives) > 1 else NEVER
            self._running = asyncio.create_task(self._run(left, fresh))
            with suppress(Killed, asyncio.CancelledError, Lost):
                await self._running
            fresh = False
            self.closed_ms = self._net.now_ms if self.is_done else NEVER
            if not self.is_done:
                self.faults["restart"] += 1
                await asyncio.sleep(self.lots.randint(0, 8000) / 1000)
        if self._is_dead:
            self._start().journal.close()

    def _start(self) -> Opened:
        with patch.object(saves, "now_ms", self.clock):
            opened = saves.open_match(self.path, self.identity, {self._game.id: self._game})
        self.opened, self._is_dead = opened, False
        return opened

    async def _run(self, left: int, fresh: bool) -> None:
        opened = self._start()
        self.faults["torn file mended"] += opened.repaired
        self._transport = self._net.transport(self.identity.key)
        file: Journal = Mortal(opened.journal, left, self)  # type: ignore[assignment]
        me = Me(self.identity, self.identity.key, f"p{self.seat}", "test")
        addresses = {seat: f"memory:{identity(seat).key.hex()}" for seat in range(self.seat)}
        playing = Online(opened.match, file, self._transport, me, self._hear, addresses)
        choosing = asyncio.create_task(self._choose(playing))
        try:
            await playing.run({} if fresh else None)
        except Lost:
            raise
        except NetplayError as error:
            self.problems.append(f"seat {self.seat}: {type(error).__name__}: {error}")
            raise Killed from error
        finally:
            choosing.cancel()
            await asyncio.gather(choosing, return_exceptions=True)
            opened.journal.close()

    def die(self) -> None:
        """The process is gone, and its links with it."""
        assert self._transport is not None and self._running is not None
        self._is_dead = True
        self._net.cut(self.identity.key)
        self._transport.dialled.end(Lost())
        self._running.cancel()

    def _hear(self, told: Told) -> None:
        if isinstance(told, Stopped):
            self.problems.append(f"seat {self.seat} accused {told.seat}: {told.text}")

    async def _choose(self, playing: Online) -> None:
        while True:
            await asyncio.sleep(self._player.think_ms() / 1000)
            call = self._player.decide(playing.match)
            if call is not None:
                await getattr(playing, call.name)(*call.given)


def live_through(
    plan: Forecast, seed: int, game: Game, begun: Begun, folder: Path
) -> tuple[list[House], Counter[str]]:
    """All houses of a match once it is over, and what went wrong on the way."""
    loop = HandTurned()
    lots = random.Random(f"wires/{plan.game}/{seed}")
    net = LoopNet(loop, lots)
    faults: Counter[str] = Counter()

    # A link brings each frame once; that is the transport's promise.
    net.weather = lambda sent: (lots.randint(*plan.delay_ms),)
    houses = []
    for seat in range(game.seats):
        meta = journal.Meta("test", game.id, game.rules_version, seat, 0)
        own = Begun(begun.entry, begun.opening, begun.match, seat)
        opened = saves.create(folder / str(seat), game, identity(seat), own, meta)
        opened.journal.close()
        houses.append(House(net, plan, seed, game, opened.journal.path, seat))

    for house in houses:
        house.gives_up_ms = lambda: min(one.closed_ms for one in houses) + WAIT_MS

    async def within() -> None:
        loop.set_exception_handler(lambda *_: None)  # what a killed program leaves behind
        for blow in plan.blows:
            loop.call_later(blow.at_ms / 1000, _strike, net, blow, houses[blow.seat], faults)
        living = [asyncio.create_task(house.live()) for house in houses]
        try:
            async with asyncio.timeout(LONGEST_S):
                await asyncio.gather(*living)
        except TimeoutError:
            for house in houses:
                house.gives_up_ms = lambda: 0
        finally:
            for task in living:
                task.cancel()
            await asyncio.gather(*living, return_exceptions=True)

    with (
        patch.object(time, "monotonic", loop.time),
        patch.object(time, "time", lambda: NOON + loop.time()),
        asyncio.Runner(loop_factory=lambda: loop) as runner,
    ):
        runner.run(within())
    for house in houses:
        faults += house.faults
    return houses, faults


def _strike(net: LoopNet, blow: Blow, house: House, faults: Counter[str]) -> None:
    key = house.identity.key
    if blow.kind == "cut":
        faults["link cut"] += bool(net.links_of(key))
        net.cut(key)
    elif key not in net._unplugged:
        faults["seat cut off"] += 1
        net.unplug(key)
        net.schedule(blow.for_ms, lambda: net.plug(key))
