"""A machine that comes into a room by an invite: it has one link, to the machine that keeps it."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping

from cloakboard.engine.game import Game
from cloakboard.netplay.errors import Forged, Malformed, NetplayError, Refused
from cloakboard.netplay.finding.devices import ASK_S
from cloakboard.netplay.invite import Invite
from cloakboard.netplay.links.greeting import (
    NO_MATCH,
    STEP_SECONDS,
    Me,
    clean_reason,
    greet,
    hear,
    say,
)
from cloakboard.netplay.links.transport import Link
from cloakboard.netplay.room.door import Conduct, conduct_refusal, prove, stretch, unknown
from cloakboard.netplay.room.negotiator import Negotiator
from cloakboard.netplay.room.sitting import MOST_LINES, Gathered, OnRoom, Sitting
from cloakboard.netplay.wire import Bye, Knock, RoomLine, RoomSay, Welcome, unpack


class Visiting(Sitting):
    """The place of a machine that came by an invite."""

    def __init__(
        self,
        me: Me,
        invite: Invite,
        password: str,
        on_room: OnRoom,
        address: str,
        games: Mapping[str, Game],
        conduct: Callable[[bytes], Conduct] = unknown,
        is_back: bool = False,
    ) -> None:
        """`is_back`: it was in this room before, with whoever is there by its player's choice."""
        negotiator = Negotiator(me.identity, invite.room, invite.host, me.name, address, games)
        super().__init__(negotiator, on_room, conduct)
        self._me = me
        self._invite = invite
        self._is_back = is_back
        self._password = password
        self._to_say: asyncio.Queue[bytes] = asyncio.Queue()
        self._has_entered = False
        self._is_in = False

    async def run(self, link: Link) -> Gathered:
        """Until all have agreed. Raises `Refused` when the door stays shut or the negotiation is
        ended, other `NetplayError` with a way out."""
        invite = self._invite
        secret = b""
        if self._password:
            secret = await asyncio.to_thread(stretch, self._password, invite.room)
        nonce = os.urandom(32)
        hello = await greet(link, self._me, invite.room, NO_MATCH, nonce)
        if hello.key != invite.host:
            raise Forged("who answers is not the player that invited you; ask for a new invite")
        proofs = (invite.room, hello.nonce, nonce, self._me.identity.key)
        await say(link, Knock(prove(invite.ticket, proofs), prove(secret, proofs)))
        welcome = await hear(link, ASK_S + STEP_SECONDS)
        if not isinstance(welcome, Welcome) or not 0 < welcome.lines <= MOST_LINES:
            raise Malformed("the other machine does not open its room", what="welcome")
        for _ in range(welcome.lines):
            await self._take(link)
        if not self._is_back:
            self._check_members()
        self.negotiator.enter()
        self._has_entered = True
        self.flush()
        sending = asyncio.create_task(self._send(link))
        try:
            while not self._over.is_set():
                await self._take(link)
        finally:
            sending.cancel()
        room = self.room
        assert room is not None
        return self._gathered({invite.host: link}, room.game)

    def _check_members(self) -> None:
        """The limits hold for whoever is in the room already, too, by this machine's records."""
        room = self.room
        assert room is not None
        for member in room.members:
            why = conduct_refusal(room.settings, self._conduct(member.key))
            if why is not None:
                raise Refused(f"{member.name}: {why[1]}", what=why[0])

    async def _take(self, link: Link) -> None:
        message = unpack(await link.receive())
        if isinstance(message, Bye):
            raise Refused(f"the other side left: {clean_reason(message.reason)}")
        if not isinstance(message, RoomLine):
            raise Malformed("the other machine sent a message out of place", what="line")
        room = self.negotiator.take(message.data)
        # What was said before it came may hold an earlier stay.
        is_in = self._has_entered and room.member(self.negotiator.key) is not None
        was_in, self._is_in = self._is_in, is_in
        self.flush()
        self._heard(room)
        if was_in and not self._is_in and not room.reason:
            raise Refused("you are no longer in the room; join again if you wish")

    def flush(self) -> None:
        """Hands own words to the keeper."""
        while self.negotiator.outbox:
            self._to_say.put_nowait(self.negotiator.outbox.pop(0))

    async def _send(self, link: Link) -> None:
        while True:
            try:
                await say(link, RoomSay(await self._to_say.get()))
            except NetplayError:
                return  # who reads this link finds it lost
