"""The edge of a match: links and clock on one side, the match's state machine on the other.

Effects are carried out in order, so a record is on the disk before any frame that depends on
it leaves. When a link is lost both sides look for each other again for `patience_s`; the seat
is bound to its key, so whoever comes back with it goes on (KNOWN_FAILURES 20, 21).
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from cloakboard.engine.errors import EngineError
from cloakboard.engine.game import Action
from cloakboard.netplay import journal
from cloakboard.netplay.effects import Audit, Effect, Send, Stopped, Write
from cloakboard.netplay.errors import Blocked, Lost, Mismatch, NetplayError, Refused
from cloakboard.netplay.journal import Journal
from cloakboard.netplay.judge import judge
from cloakboard.netplay.match import Match
from cloakboard.netplay.meeting import OVER, Share, take_leave
from cloakboard.netplay.room import Me, clean_reason, greet, part
from cloakboard.netplay.transport import Link, Transport
from cloakboard.netplay.wire import Bye, pack, unpack

PATIENCE_S: Final = 90.0
REDIAL_S: Final = 0.5
TICK_S: Final = 1.0
SLOW_MS: Final = 400
NO_ROOM: Final = b""  # a match that goes on needs no room: its id names it


@dataclass(frozen=True, slots=True)
class LinkState:
    """The way to the other machine: `good`, `slow` or `lost`; round trip; seconds left until
    the match is left with its save kept."""

    quality: str
    delay_ms: int | None = None
    seconds_left: int | None = None


Told = Effect | LinkState
Tell = Callable[[Told], None]


class Online:
    """One running match over a transport."""

    def __init__(
        self,
        match: Match,
        file: Journal,
        transport: Transport,
        me: Me,
        tell: Tell,
        address: str | None = None,
        patience_s: float = PATIENCE_S,
        share: Share | None = None,
    ) -> None:
        """`address`: where to dial, None to be dialled. `share`: what to exchange with the other
        side at the end, None for nothing. `tell` is called in the loop's thread
        with everything worth showing, after it is on the disk."""
        self.match = match
        self._file = file
        self._transport = transport
        self._me = me
        self._tell = tell
        self._address = address
        self._patience_s = patience_s
        self._share = share
        self._links: dict[int, Link] = {}
        self._leaving = False
        self._auditing: asyncio.Task[None] | None = None
        self._in_order = asyncio.Lock()

    async def run(self, link: Link | None = None) -> None:
        """Plays until every seat has signed its verdict, or the match stops.

        `link`: an open link right after entry 0; None to find the others first (a resume).
        Raises `Lost` when they are not found in time, `Mismatch` or `Refused` when what they
        hold or want cannot be gone on with.
        """
        fresh = link is not None
        while not self._done:
            link = link or await self._find()
            others = self.match.others
            self._links = dict.fromkeys(others, link)
            try:
                if fresh:
                    self.match.begin()
                else:
                    self.match.reconnect()
                await self._carry_out()
                self._show_link()
                await self._listen(others[0], link)
            except Lost:
                for seat in others:
                    self.match.disconnect(seat)
            self._links = {}
            link, fresh = None, False

    @property
    def _done(self) -> bool:
        return self._leaving or self.match.closed or self.match.stopped is not None

    async def act(self, action: Action) -> None:
        """Plays an action of this seat. Raises `IllegalAction`."""
        self.match.act(action)
        await self._carry_out()

    async def request(self, kind: str) -> None:
        """Resigns, or offers or accepts a draw."""
        self.match.request(kind)
        await self._carry_out()

    async def name(self, text: str) -> None:
        """Names the save. It is on the disk already, as it always is."""
        self._file.append(journal.NAME, text.encode()[:200])

    async def leave(self) -> None:
        """Ends the link and the run; the save goes on later."""
        self._leaving = True
        for link in set(self._links.values()):
            await part(link, Refused("the other player left; the match is saved on both sides"))

    async def _find(self) -> Link:
        """A link to the other machine of this match, greeted."""
        deadline = time.monotonic() + self._patience_s
        while True:
            left = deadline - time.monotonic()
            self._tell(LinkState("lost", None, max(0, round(left))))
            if left <= 0 or self._leaving:
                raise Lost("the other machine was not found; the match is saved: resume it later")
            link: Link | None = None
            try:
                async with asyncio.timeout(min(left, TICK_S if self._address is None else 5.0)):
                    if self._address is None:
                        link = await self._transport.accept()
                    else:
                        link = await self._transport.dial(self._address)
                hello = await greet(link, self._me, NO_ROOM, self.match.id)
                if hello.key not in {self.match.keys[seat] for seat in self.match.others}:
                    raise Refused("who answers holds no seat in this match")
                return link
            except TimeoutError:
                continue
            except Lost:
                await asyncio.sleep(REDIAL_S)
            except NetplayError as error:
                if link is not None:
                    await part(link, error)
                if self._address is not None and isinstance(error, Mismatch | Blocked):
                    raise
                await asyncio.sleep(REDIAL_S)

    async def _listen(self, seat: int, link: Link) -> None:
        while not self._done:
            try:
                async with asyncio.timeout(TICK_S):
                    frame = await link.receive()
            except TimeoutError:
                self._show_link()
                continue
            try:
                message = unpack(frame)
                if isinstance(message, Bye):
                    if self.match.closed:
                        await part(link, Refused(OVER))
                        return
                    raise Refused(clean_reason(message.reason))
                self.match.received(seat, message)
                await self._carry_out()
            except (EngineError, Mismatch, Refused) as error:
                await part(link, error)
                raise
            except NetplayError as error:
                await part(link, error)
                raise Lost(str(error)) from None
        if self.match.stopped is not None:
            await part(link, Mismatch(f"the match was stopped: {self.match.stopped.text}"))
        elif self.match.closed:
            await take_leave(link, self._share)
        else:
            await link.close()

    def _show_link(self) -> None:
        delays = [link.rtt_ms for link in self._links.values()]
        delay = max((d for d in delays if d is not None), default=None)
        slow = delay is not None and delay > SLOW_MS
        self._tell(LinkState("slow" if slow else "good", delay))

    async def _carry_out(self) -> None:
        """Does what the match asks for, in order. A frame that cannot leave is no loss: heads
        are compared at the next link."""
        async with self._in_order:
            for effect in self.match.drain():
                await self._do(effect)

    async def _do(self, effect: Effect) -> None:
        if isinstance(effect, Write):
            self._file.append(effect.kind, effect.payload)
        elif isinstance(effect, Send):
            link = self._links.get(effect.seat)
            if link is not None:
                await self._send(effect.seat, link, pack(effect.message))
        elif isinstance(effect, Audit):
            self._auditing = asyncio.create_task(self._audit(effect))
        else:
            self._tell(effect)
            if isinstance(effect, Stopped):
                self._report(effect)

    async def _audit(self, effect: Audit) -> None:
        """In a thread, so that the link stays alive meanwhile."""
        judgement, _ = await asyncio.to_thread(judge, self.match.game, effect.entries)
        self.match.judged(judgement, int(time.time()))
        await self._carry_out()

    async def _send(self, seat: int, link: Link, frame: bytes) -> None:
        try:
            await link.send(frame)
        except Lost:
            self._links.pop(seat, None)
            self.match.disconnect(seat)

    def _report(self, stopped: Stopped) -> None:
        """A report beside the save, made from public state only."""
        path = self._file.path.with_suffix(".report.txt")
        path.write_text(stopped.report, encoding="utf-8")
