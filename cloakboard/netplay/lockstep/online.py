"""The edge of a match: links and clock on one side, the match's state machine on the other.

Effects are carried out in order, so a record is on the disk before any frame that depends on
it leaves. When a link is lost all sides look for each other again for `patience_s`; the seat
is bound to its key, so whoever comes back with it goes on (KNOWN_FAILURES 20, 21).

With three seats or more, who loses one link lets go of all and finds them all again: heads are
compared once every pair is linked, so that no machine goes on while another still looks.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from cloakboard.engine.errors import EngineError
from cloakboard.engine.game import Action
from cloakboard.netplay.errors import Lost, Mismatch, NetplayError, Refused
from cloakboard.netplay.links.greeting import Me, clean_reason, part
from cloakboard.netplay.links.mesh import TICK_S, Mesh
from cloakboard.netplay.links.transport import Held, Link, Transport
from cloakboard.netplay.lockstep.effects import Audit, Effect, Send, Stopped, Watched, Write
from cloakboard.netplay.lockstep.gallery import Gallery
from cloakboard.netplay.lockstep.journal import Journal
from cloakboard.netplay.lockstep.judge import judge
from cloakboard.netplay.lockstep.match import Match
from cloakboard.netplay.lockstep.meeting import OVER, Share, take_leave
from cloakboard.netplay.wire import Bye, Knows, RoomLine, RoomSay, pack, unpack

PATIENCE_S: Final = 90.0
SLOW_MS: Final = 400
STOPPED: Final = "the match was stopped: "  # how the other machine is told of it


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
        addresses: Mapping[int, str],
        patience_s: float = PATIENCE_S,
        share: Share | None = None,
    ) -> None:
        """`addresses`: of the seats to dial, the others dial here. `share`: what to exchange with
        the other sides at the end, None for nothing. `tell` is called in the loop's thread
        with everything worth showing, after it is on the disk."""
        self.match = match
        self._file = file
        keys = {seat: match.keys[seat] for seat in match.others}
        self._mesh = Mesh(transport, me, match.id, keys, addresses)
        self.gallery = Gallery(transport, me, match, self._tell_watched)
        self._tell = tell
        self._patience_s = patience_s
        self._share = share
        self._links: dict[int, Link] = {}
        self._leaving = False
        self._auditing: asyncio.Task[None] | None = None
        self._in_order = asyncio.Lock()
        self._effects: deque[Effect] = deque()  # to be carried out, also when a task is cancelled
        self._over = asyncio.Event()  # nothing is left to do

    async def run(self, links: Mapping[int, Link] | None = None, *, fresh: bool = True) -> None:
        """Plays until every seat has signed its verdict, or the match stops.

        `links`: open links by seat, those that are missing are found first; None: all of them (a
        resume). `fresh`: entry 0 is all there is; False: the match goes on over these links.
        Raises `Lost` when the others are not found in time, `Mismatch` or `Refused` when what
        they hold or want cannot be gone on with.
        """
        try:
            await self._run(links or {}, fresh=fresh and links is not None)
        finally:
            if self._auditing is not None:
                self._auditing.cancel()  # its file is about to be closed

    async def _run(self, held: Mapping[int, Link], *, fresh: bool) -> None:
        while not self._done:
            self._links = await self._mesh.find(held, self._patience_s, self._tell_lost)
            others = self.match.others
            await self._forget_frames()
            try:
                if fresh:
                    self.match.begin()
                else:
                    self.match.reconnect()
                await self._carry_out()
                if len(self._links) < len(others) and not self._done:
                    raise Lost  # a link broke as soon as it was found: nobody would listen to it
                self._show_link()
                held = await self._listen_to_all()
            except Lost:
                held = {}
            finally:
                links, self._links = self._links, {}
                for link in links.values():
                    await link.close()
            fresh = False
            if self._done:
                for link in held.values():
                    await link.close()
            else:
                for seat in others:
                    self.match.disconnect(seat)

    def _tell_lost(self, seconds_left: int) -> None:
        self._tell(LinkState("lost", None, seconds_left))
        if self._leaving:
            raise Lost("the other machine was not found; the match is saved: resume it later")

    def _tell_watched(self) -> None:
        gallery = self.gallery
        self._tell(Watched(self.match.seat, gallery.spectators, gallery.names))

    async def _listen_to_all(self) -> dict[int, Link]:
        """Until every link has ended well; the first that does not ends all. A seat whose machine
        knocks has lost its link, whatever it looks like from here: all links are let go, and its
        new one is given back, by seat."""
        tasks = [
            asyncio.create_task(self._listen(seat, link)) for seat, link in self._links.items()
        ]
        listening = asyncio.gather(*tasks)
        knocking = asyncio.create_task(self.gallery.run())
        try:
            either: tuple[asyncio.Future[Any], ...] = listening, knocking
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            if not listening.done() or (
                knocking.done() and isinstance(listening.exception(), Lost)
            ):
                return knocking.result()
            await listening
            return {}
        finally:
            for task in (knocking, *tasks):
                task.cancel()
            await asyncio.gather(knocking, *tasks, listening, return_exceptions=True)

    @property
    def _done(self) -> bool:
        return self._leaving or self.match.closed or self.match.stopped is not None

    async def act(self, action: Action) -> None:
        """Plays an action of this seat. Raises `IllegalAction`."""
        self.match.act(action)
        await self._carry_out()

    async def request(self, kind: str, value: int = 0) -> None:
        """Asks for something, or agrees to what another seat asks for; see `Match.request`."""
        self.match.request(kind, value)
        await self._carry_out()

    async def decline(self, kind: str) -> None:
        """Declines what others ask for."""
        self.match.decline(kind)
        await self._carry_out()

    async def say(self, phrase: str, text: str) -> bool:
        """Says a quick phrase, or else a text; False if it may not be said, or not so soon."""
        said = self.match.say(phrase, text)
        await self._carry_out()
        return said

    async def name(self, text: str) -> None:
        """Asks the others to save the match under a name, too. It is on the disk already, as it
        always is."""
        self.match.offer_name(text)
        await self._carry_out()

    async def agree_on_name(self, seat: int, name: str) -> None:
        """Saves the match under the name that a seat offered."""
        self.match.agree_on_name(seat, name)
        await self._carry_out()

    async def leave(self) -> None:
        """Ends the link and the run; the save goes on later."""
        self._leaving = True
        self._over.set()
        for link in set(self._links.values()):
            await part(link, Refused("the other player left; the match is saved on both sides"))

    async def _listen(self, seat: int, link: Link) -> None:
        while not self._done:
            frame = await self._next(link)
            self.match.tick()
            self.match.tell_watched(self.gallery.spectators)
            await self._carry_out()
            if frame is None:
                continue
            try:
                message = unpack(frame)
                if isinstance(message, Bye) and self.match.closed:
                    await part(link, Refused(OVER))
                    return
                if isinstance(message, Knows) or message == Bye(OVER):
                    # It has every verdict; the last may still be on its way here from another.
                    await self._over.wait()
                    link = Held(link, frame)
                    break
                if isinstance(message, Bye):
                    raise Refused(clean_reason(message.reason))
                if isinstance(message, RoomSay | RoomLine):
                    continue  # said in the room while the last word fell there
                self.match.received(seat, message)
                await self._carry_out()
            except (EngineError, Mismatch, Refused) as error:
                await part(link, error)
                raise
            except NetplayError as error:
                await part(link, error)
                raise Lost(str(error)) from None
        if self.match.stopped is not None:
            await part(link, Mismatch(f"{STOPPED}{self.match.stopped.text}"))
        elif self.match.closed:
            await take_leave(link, self._share)
        else:
            await link.close()

    async def _next(self, link: Link) -> bytes | None:
        """The next frame, None once a second and when nothing is left to do: what comes then is
        for the leave-taking."""
        receiving = asyncio.create_task(link.receive())
        over = asyncio.create_task(self._over.wait())
        try:
            await asyncio.wait(
                {receiving, over}, timeout=TICK_S, return_when=asyncio.FIRST_COMPLETED
            )
            if receiving.done():
                return receiving.result()
        finally:
            over.cancel()
            receiving.cancel()
        self._show_link()
        return None

    def _show_link(self) -> None:
        measured = {seat: link.rtt_ms for seat, link in self._links.items()}
        self.match.rtt_ms = {seat: ms for seat, ms in measured.items() if ms is not None}
        delay = max(self.match.rtt_ms.values(), default=None)
        slow = delay is not None and delay > SLOW_MS
        self._tell(LinkState("slow" if slow else "good", delay))

    async def _carry_out(self) -> None:
        """Does what the match asks for, in order. A frame that cannot leave is no loss: heads
        are compared at the next link."""
        async with self._in_order:
            self._effects.extend(self.match.drain())
            while self._effects:
                await self._do(self._effects[0])
                self._effects.popleft()
            self.gallery.changed()
            if self._done:
                self._over.set()

    async def _forget_frames(self) -> None:
        """What was to go over a link that was lost; the rest is still to be done."""
        async with self._in_order:
            left = [effect for effect in self._effects if not isinstance(effect, Send)]
            self._effects.clear()
            self._effects.extend(left)

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
            await link.close()  # whoever listens to it hears of it

    def _report(self, stopped: Stopped) -> None:
        """A report beside the save, made from public state only. A disk that refuses it keeps
        nobody from being told: what was false is in the save by now."""
        path = self._file.path.with_suffix(".report.txt")
        with suppress(OSError):
            path.write_text(stopped.report, encoding="utf-8")
