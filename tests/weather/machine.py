"""One machine of a simulated match: a program and its file, its links, and a player. It stands
where `netplay.online` stands for a real one."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final
from unittest.mock import patch

from cloakboard.engine.game import Game
from cloakboard.netplay.errors import NetplayError
from cloakboard.netplay.identity import Identity
from cloakboard.netplay.lockstep import saves
from cloakboard.netplay.lockstep.effects import Audit, Effect, Send, Stopped, Write
from cloakboard.netplay.lockstep.judge import Judgement
from cloakboard.netplay.lockstep.match import Match
from cloakboard.netplay.lockstep.saves import Opened
from cloakboard.netplay.wire import pack, unpack
from tests.weather.forecast import NEVER
from tests.weather.player import Player
from tests.weather.sky import Link, Sky

NOON: Final = 1_800_000_000  # the time at the match's place, Unix seconds
TICK_MS: Final = 1000


class Killed(Exception):
    """The program died in the middle of what it was doing."""


class Machine:
    """A seat's machine. `accused`: the seats it named when it stopped; `faults`: the messages it
    would not take, in words."""

    def __init__(
        self,
        sky: Sky,
        seed: int,
        identity: Identity,
        games: Mapping[str, Game],
        path: Path,
        seat: int,
        judge: Callable[[Audit], Judgement],
    ) -> None:
        self.sky = sky
        self.seat = seat
        self.links: dict[int, Link] = {}
        self.accused: list[Stopped] = []
        self.faults: list[str] = []
        self.path = path
        self._opened: Opened | None = None
        self._identity = identity
        self._games = games
        self._judge = judge
        self._player = Player(seed, seat, sky.plan.choices, sky.random)
        self._life = 0
        self._left = self._lifetime()
        self._is_asleep = False
        self._waiting: list[Callable[[], None]] = []  # for the machine to wake
        self._is_fresh = True
        self._is_playing = False  # whether its match was told that all are here
        self._came: list[tuple[int, bytes]] = []  # before that
        self._offset_ms = 0

    # -- the program -----------------------------------------------------------------------------

    @property
    def match(self) -> Match:
        """The match that runs here."""
        assert self._opened is not None
        return self._opened.match

    @property
    def is_awake(self) -> bool:
        """Whether the program runs, and its machine does not sleep."""
        return self._opened is not None and not self._is_asleep

    @property
    def is_done(self) -> bool:
        """Whether nothing is left to do for it."""
        return self._opened is not None and self.match.closed

    def clock(self) -> int:
        """Milliseconds by the machine's own idea of time."""
        off, hundredths = self.sky.plan.skews[self.seat]
        return self._offset_ms + off + self.sky.now_ms * hundredths // 100

    def _lifetime(self) -> int:
        lives = self.sky.plan.kills[self.seat]
        return lives[self._life] if self._life < len(lives) else NEVER

    def start(self) -> None:
        """Starts the program, which knows its file and nothing else."""
        self._offset_ms = self.sky.random.randrange(10**6)
        with patch.object(saves, "now_ms", self.clock):
            self._opened = saves.open_match(self.path, self._identity, self._games)
        self.sky.faults["restart"] += self._life > 0
        self.sky.faults["torn file mended"] += self._opened.repaired
        self._later(self.sky.random.randint(0, 200), self._look_for_others)
        self._later(self.sky.random.randint(0, 800), self._play)
        self._later(TICK_MS, self._tick)

    def _die(self) -> None:
        assert self._opened is not None
        self._opened.journal.close()
        self._opened = None
        self._life += 1
        self._left = self._lifetime()
        self._is_asleep = False
        self._waiting.clear()
        self._unlink()
        self.sky.later(self.sky.random.randint(0, 8000), self.start)

    def _later(self, delay_ms: int, do: Callable[[], None]) -> None:
        """Does something later in this life of the program."""
        life = self._life

        def happen() -> None:
            if life == self._life:
                self._when_awake(do)

        self.sky.later(delay_ms, happen)

    def _when_awake(self, do: Callable[[], None]) -> None:
        if self._is_asleep:
            self._waiting.append(lambda: self._when_awake(do))
            return
        if self._opened is None:
            return
        try:
            do()
        except Killed:
            self._die()

    def sleep(self) -> None:
        """The lid is closed."""
        self._is_asleep = True

    def wake(self) -> None:
        """It is opened again."""
        self._is_asleep = False
        waiting, self._waiting = self._waiting, []
        for do in waiting:
            do()

    # -- effects ---------------------------------------------------------------------------------

    def _carry_out(self) -> None:
        for effect in self.match.drain():
            self._do(effect)

    def _do(self, effect: Effect) -> None:
        if isinstance(effect, Write):
            self._write(effect)
        elif isinstance(effect, Send):
            self._spend("killed before sending")
            link = self.links.get(effect.seat)
            if link is not None:
                self.sky.post(link, effect.seat, pack(effect.message))
        elif isinstance(effect, Audit):
            self._later(self.sky.random.randint(0, 3000), lambda: self._audit(effect))
        elif isinstance(effect, Stopped):
            self.accused.append(effect)

    def _write(self, effect: Write) -> None:
        assert self._opened is not None
        before = self.path.stat().st_size
        self._opened.journal.append(effect.kind, effect.payload)
        if self._left <= 0:
            after = self.path.stat().st_size
            size = self.sky.random.choice((after, self.sky.random.randrange(before, after)))
            os.truncate(self.path, size)
            self._spend("killed at a write" if size == after else "killed in a write")
        self._left -= 1

    def _spend(self, kind: str) -> None:
        if self._left <= 0:
            self.sky.faults[kind] += 1
            raise Killed
        self._left -= 1

    def _audit(self, effect: Audit) -> None:
        self.match.judged(self._judge(effect), NOON + self.clock() // 1000)
        self._carry_out()

    # -- links -----------------------------------------------------------------------------------

    def _look_for_others(self) -> None:
        for other in self.sky.machines:
            if other.seat != self.seat:
                self.sky.connect(self, other)
        self._later(self.sky.random.randint(300, 700), self._look_for_others)

    def linked(self, link: Link) -> None:
        """There is a link to another machine."""
        self.links[link.peer(self.seat)] = link
        if len(self.links) == len(self.match.others):
            self._later(self.sky.random.randint(0, 50), self._meet)

    def _meet(self) -> None:
        """All are here: the match begins, or goes on."""
        if len(self.links) < len(self.match.others) or self._is_playing:
            return
        self._is_playing = True
        if self._is_fresh:
            self.match.begin()
        else:
            self.match.reconnect()
        self._is_fresh = False
        self._carry_out()
        came, self._came = self._came, []
        for source, frame in came:
            self._take(source, frame)

    def got(self, source: int, frame: bytes) -> None:
        """A frame came from another seat's machine."""
        self._when_awake(lambda: self._take(source, frame))

    def _take(self, source: int, frame: bytes) -> None:
        if not self._is_playing:
            if source in self.links:
                self._came.append((source, frame))
            return
        try:
            self.match.received(source, unpack(frame))
        except NetplayError as error:
            self.faults.append(f"{type(error).__name__}: {error}")
            self._unlink()
            return
        self._carry_out()

    def missed(self, link: Link) -> None:
        """A link is found to be gone; so are the others then, as all meet again."""
        if self._opened is not None and self.links.get(link.peer(self.seat)) is link:
            self._when_awake(self._unlink)

    def _unlink(self) -> None:
        links, self.links = self.links, {}
        self._is_playing = self._is_fresh = False
        self._came.clear()
        for seat, link in sorted(links.items()):
            if self._opened is not None:
                self.match.disconnect(seat)
            self.sky.close(link)

    # -- the player ------------------------------------------------------------------------------

    def _tick(self) -> None:
        self.match.tick()
        self._carry_out()
        self._later(TICK_MS, self._tick)

    def _play(self) -> None:
        call = self._player.decide(self.match)
        if call is not None:
            getattr(self.match, call.name)(*call.given)
        self._carry_out()
        self._later(self._player.think_ms(), self._play)
