"""From an invite to a finished match: what the window and the command line both do."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cloakboard.engine.game import Game
from cloakboard.netplay import journal, saves
from cloakboard.netplay.errors import Forged, Lost, Malformed, NetplayError, Refused
from cloakboard.netplay.identity import Identity
from cloakboard.netplay.invite import ROOM_BYTES, Invite, parse_invite
from cloakboard.netplay.journal import Meta
from cloakboard.netplay.meeting import Share, exchange, take_leave
from cloakboard.netplay.network import open_network
from cloakboard.netplay.online import PATIENCE_S, Online, Tell
from cloakboard.netplay.profile import Profile
from cloakboard.netplay.room import (
    NO_MATCH,
    Begun,
    Me,
    Table,
    greet,
    host_match,
    join_match,
    part,
    refuses_nobody,
)
from cloakboard.netplay.saves import Opened
from cloakboard.netplay.settings import PUBLIC_RELAYS
from cloakboard.netplay.transport import Link, Patience, Transport

JOIN_TRIES: Final = 3
JOIN_PAUSE_S: Final = 1.0
JOIN_S: Final = JOIN_TRIES * (Patience().dial_ms / 1000 + JOIN_PAUSE_S) - JOIN_PAUSE_S
"""How long, at most, it takes to find that nobody answers at an invite."""
MAX_KNOCKING: Final = 8  # greeted at once


@dataclass(frozen=True, slots=True)
class Plan:
    """Who plays from where. `bot`, `bot_seed` and `max_turns` are written into the save, so
    that a match of computer players goes on alike; `patience_s`: how long a lost friend is
    looked for; `share`: the match records to exchange at its end; `refuses`: the block list."""

    profile: Profile
    identity: Identity
    name: str
    app: str
    local: bool = False
    relays: tuple[str, ...] = (PUBLIC_RELAYS,)
    bot: str = ""
    bot_seed: int = 0
    max_turns: int = 0
    patience_s: float = PATIENCE_S
    share: Share | None = None
    refuses: Callable[[bytes], bool] = refuses_nobody


class Party:
    """One attempt at a match, and the match. Use as an asynchronous context manager."""

    def __init__(
        self,
        plan: Plan,
        games: Mapping[str, Game],
        tell: Tell,
        network: Callable[[Plan], Awaitable[Transport]] | None = None,
    ) -> None:
        """`network` opens the transport; None: iroh."""
        self.plan = plan
        self._network = network or _open
        self.games = games
        self.opened: Opened | None = None
        self.online: Online | None = None
        self._tell = tell
        self._transport: Transport | None = None
        self._me: Me | None = None

    async def __aenter__(self) -> Party:
        plan = self.plan
        self._transport = await self._network(plan)
        plan.profile.keep_port(self._transport.port)
        self._me = Me(plan.identity, self._transport.key, plan.name, plan.app, plan.refuses)
        return self

    async def __aexit__(self, *_: object) -> None:
        if self.opened is not None:
            self.opened.journal.close()
        if self._transport is not None:
            await self._transport.close()

    async def host(self, table: Table, show_invite: Callable[[str], None]) -> Link:
        """Opens a room, waits for the guest, and begins. Whoever knocks is heard beside the
        others, so a silent stranger keeps nobody waiting; the first to come to a match has it."""
        transport, me = self._ready()
        room = os.urandom(ROOM_BYTES)
        show_invite(Invite(transport.address(), room, self.plan.identity.key).text())

        async def admit(link: Link) -> tuple[Begun, Link] | None:
            try:
                return await host_match(link, me, room, table), link
            except NetplayError as error:
                await part(link, error)
                return None

        knocking = asyncio.create_task(transport.accept())
        heard: set[asyncio.Task[tuple[Begun, Link] | None]] = set()
        try:
            while True:
                await asyncio.wait({knocking, *heard}, return_when=asyncio.FIRST_COMPLETED)
                for done in [task for task in heard if task.done()]:
                    heard.discard(done)
                    admitted = done.result()
                    if admitted is not None:
                        self._begin(admitted[0], table.game, hosts=True)
                        return admitted[1]
                if knocking.done():
                    link = knocking.result()
                    if len(heard) < MAX_KNOCKING:
                        heard.add(asyncio.create_task(admit(link)))
                    else:
                        await link.close()
                    knocking = asyncio.create_task(transport.accept())
        finally:
            for task in (knocking, *heard):
                task.cancel()

    async def join(self, text: str) -> Link:
        """Goes to the room of an invite, and begins. Raises `NetplayError` with a way out."""
        transport, me = self._ready()
        invite = parse_invite(text)
        link = await self._dial(transport, invite.address)
        try:
            begun, game = await join_match(link, me, invite.room, invite.host, self.games)
        except NetplayError as error:
            await part(link, error)
            raise
        self._begin(begun, game, hosts=False, address=invite.address)
        return link

    async def _dial(self, transport: Transport, address: str) -> Link:
        for tried in range(1, JOIN_TRIES + 1):
            try:
                return await transport.dial(address)
            except Lost:
                if tried == JOIN_TRIES:
                    raise Lost(
                        "nobody answers at this invite; ask your friend to keep the room open "
                        "and to send a new invite"
                    ) from None
                await asyncio.sleep(JOIN_PAUSE_S)
        raise AssertionError("the last try returns or raises")

    def resume(
        self, path: Path, show_invite: Callable[[str], None], invite: str | None = None
    ) -> None:
        """Opens a save to go on with: the side that hosted listens, the other dials where it
        last found it, or at a fresh `invite`. Raises `NetplayError` with a way out."""
        transport, _ = self._ready()
        self.opened = opened = saves.open_match(path, self.plan.identity, self.games)
        if invite is not None:
            opened.address = parse_invite(invite).address
            opened.journal.append(journal.ADDRESS, opened.address.encode())
        address = None
        if opened.meta.hosts:
            key = self.plan.identity.key
            show_invite(Invite(transport.address(), bytes(ROOM_BYTES), key).text())
        elif opened.address:
            address = opened.address
        else:
            opened.journal.close()
            raise Malformed(
                f"{path.name} does not say where the other player is; ask for an invite and "
                "resume with --invite INVITE"
            )
        self._seat(address)

    async def meet(self, show_invite: Callable[[str], None], invite: str | None = None) -> None:
        """Exchanges match records with a friend and nothing else: waits for one at an invite, or
        goes to the `invite` of one. Raises `NetplayError` with a way out."""
        transport, _ = self._ready()
        share = self.plan.share
        assert share is not None
        if invite is not None:
            asked = parse_invite(invite)
            link = await self._dial(transport, asked.address)
            await self._exchange(link, share, asked.room, asked.host)
            return
        room = os.urandom(ROOM_BYTES)
        show_invite(Invite(transport.address(), room, self.plan.identity.key).text())
        while True:
            try:
                await self._exchange(await transport.accept(), share, room)
            except NetplayError:
                continue  # who knocked did not come for this
            return

    async def _exchange(
        self, link: Link, share: Share, room: bytes, host: bytes | None = None
    ) -> None:
        _, me = self._ready()
        try:
            hello = await greet(link, me, room, NO_MATCH)
            if host is not None and hello.key != host:
                raise Forged("who answers is not the player that invited you; ask for a new invite")
            await exchange(link, share)
        except NetplayError as error:
            await part(link, error)
            raise
        await take_leave(link)

    async def play(self, link: Link | None = None) -> None:
        """Plays the match to its end; see `Online.run`."""
        assert self.online is not None
        await self.online.run(link)

    def _begin(self, begun: Begun, game: Game, *, hosts: bool, address: str | None = None) -> None:
        plan = self.plan
        meta = Meta(
            app=plan.app,
            game=game.id,
            rules_version=game.rules_version,
            seat=begun.seat,
            made=int(time.time()),
            bot=plan.bot,
            bot_seed=plan.bot_seed,
            local=plan.local,
            max_turns=plan.max_turns,
            hosts=hosts,
        )
        self.opened = saves.create(plan.profile.saves, game, plan.identity, begun, meta)
        if address is not None:
            self.opened.journal.append(journal.ADDRESS, address.encode())
        self._seat(address)

    def _seat(self, address: str | None) -> None:
        transport, me = self._ready()
        assert self.opened is not None
        match, file = self.opened.match, self.opened.journal
        if match.closed:
            raise Refused("this match has ended and both sides have signed its audit")
        self.online = Online(
            match, file, transport, me, self._tell, address, self.plan.patience_s, self.plan.share
        )

    def _ready(self) -> tuple[Transport, Me]:
        assert self._transport is not None and self._me is not None
        return self._transport, self._me


async def _open(plan: Plan) -> Transport:
    secret = plan.identity.transport_secret()
    return await open_network(secret, plan.profile.port, plan.local, plan.relays)
