"""Watching a match: one link to a seat's machine, and the public state that follows from it.

A spectator holds no secret and checks what anyone can: every signature, every place in the chain,
every public state. It sends how far it has watched, and nothing else (see `gallery`).
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Final

from cloakboard.engine.errors import EngineError
from cloakboard.engine.game import Game
from cloakboard.netplay.errors import Forged, Lost, Malformed, Mismatch, NetplayError, Refused
from cloakboard.netplay.invite import Watch
from cloakboard.netplay.links.greeting import Me, clean_reason, greet, part, say
from cloakboard.netplay.links.mesh import NO_ROOM, REDIAL_S
from cloakboard.netplay.links.transport import Link, Transport
from cloakboard.netplay.lockstep.core import Core
from cloakboard.netplay.lockstep.effects import Consented, Continued, Ended, Happened
from cloakboard.netplay.lockstep.gallery import ENDED
from cloakboard.netplay.lockstep.judge import check_opening, keys_of
from cloakboard.netplay.lockstep.online import PATIENCE_S, LinkState, Tell
from cloakboard.netplay.transcript import (
    Agreed,
    Entry,
    Opening,
    check_request,
    check_signatures,
    read_body,
    read_entry,
    read_opening,
)
from cloakboard.netplay.wire import Bye, EntryFrame, Watching, unpack

STEADY_S: Final = 5.0  # a link that lasted longer was one


class Spectator:
    """One watched match. `core` is None until entry 0 has come."""

    def __init__(
        self,
        watch: Watch,
        transport: Transport,
        me: Me,
        games: Mapping[str, Game],
        tell: Tell,
        patience_s: float = PATIENCE_S,
    ) -> None:
        self._watch = watch
        self._transport = transport
        self._me = me
        self._games = games
        self._tell = tell
        self._patience_s = patience_s
        self.core: Core | None = None
        self.opening: Opening | None = None
        self.entries: list[Entry] = []
        self._is_over = False
        self._deadline = 0.0  # on the monotonic clock

    async def run(self) -> None:
        """Watches until the match is over. Raises `Lost` when the machine stays away for the whole
        patience, `NetplayError` if it lets nobody watch or sends what no seat has signed."""
        self._deadline = time.monotonic() + self._patience_s
        while not self._is_over:
            left = self._deadline - time.monotonic()
            if left <= 0:
                raise Lost("the match is not to be found any more; ask for a new invite")
            self._tell(LinkState("lost", None, round(left)))
            try:
                await self._visit(await self._transport.dial(self._watch.address))
            except Lost:
                await asyncio.sleep(REDIAL_S)

    async def _visit(self, link: Link) -> None:
        """Watches over one link until the match is over, and lets go of it. Raises
        `NetplayError`."""
        began, had = time.monotonic(), len(self.entries)
        try:
            hello = await greet(link, self._me, NO_ROOM, self._watch.match)
            if hello.key != self._watch.host:
                raise Forged("who answers is not the player of the invite; ask for a new one")
            with suppress(Lost):  # why it was closed can still be read
                await say(link, Watching(len(self.entries)))
            self._tell(LinkState("good", link.rtt_ms))
            await self._listen(link)
        except Lost:
            if len(self.entries) > had or time.monotonic() > began + STEADY_S:
                self._deadline = time.monotonic() + self._patience_s
            raise
        except NetplayError as error:
            await part(link, error)
            raise
        finally:
            await link.close()

    async def _listen(self, link: Link) -> None:
        while True:
            message = unpack(await link.receive())
            if isinstance(message, Bye) and message.reason == ENDED:
                self._is_over = True
                return
            if isinstance(message, Bye):
                raise Refused(clean_reason(message.reason))
            if not isinstance(message, EntryFrame):
                raise Malformed("the other machine sent a message out of place", what="message")
            try:
                self.fold(read_entry(message.data))
            except EngineError as error:
                raise Malformed(f"the match cannot be watched any further: {error}") from None

    def fold(self, entry: Entry) -> None:
        """The next entry of the match. Raises `NetplayError` or `EngineError` if it is none."""
        if self.core is None or self.opening is None:
            self._begin(entry)
            return
        keys = keys_of(self.opening)
        check_signatures(entry, keys)
        for request in entry.header.requests:
            check_request(request, keys, self._watch.match)
        self.core.feed(entry)
        self.entries.append(entry)
        self._tell(Happened(tuple(self.core.drain())))
        body = read_body(entry)
        if isinstance(body, Agreed):
            self._tell(Consented(body.kind, body.value))
        if any(request.kind == "continue" for request in entry.header.requests):
            self._tell(Continued())
        result = self.core.result
        if result is not None:
            self._tell(Ended(result))

    def _begin(self, entry: Entry) -> None:
        game = self._games.get(read_opening(entry.body).game)
        if game is None:
            raise Mismatch("the match is of a game that this version does not have", what="game")
        self.opening, match = check_opening(entry, game)
        if match != self._watch.match:
            raise Forged("this is another match than that of the invite; ask for a new one")
        self.core = Core(game, self.opening, match)
        self.entries.append(entry)
        self._tell(Happened(()))
