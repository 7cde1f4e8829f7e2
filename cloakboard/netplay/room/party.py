"""From an invite to a finished match: what the window and the command line both do."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from cloakboard.engine.game import Game
from cloakboard.netplay.errors import Forged, Lost, Malformed, NetplayError, Refused
from cloakboard.netplay.finding.advert import Announcer
from cloakboard.netplay.identity import Identity
from cloakboard.netplay.invite import ROOM_BYTES, Invite, parse_invite
from cloakboard.netplay.links.entrance import Entrance, Passed
from cloakboard.netplay.links.greeting import NO_MATCH, Me, Table, greet, part, refuses_nobody
from cloakboard.netplay.links.near import Near
from cloakboard.netplay.links.network import open_network
from cloakboard.netplay.links.transport import Link, Patience, Transport
from cloakboard.netplay.lockstep import journal, saves
from cloakboard.netplay.lockstep.journal import Meta
from cloakboard.netplay.lockstep.judge import check_opening, keys_of
from cloakboard.netplay.lockstep.meeting import Share, exchange, take_leave
from cloakboard.netplay.lockstep.online import PATIENCE_S, LinkState, Online, Tell
from cloakboard.netplay.lockstep.saves import Opened
from cloakboard.netplay.profile import Profile
from cloakboard.netplay.room.door import TICKET_BYTES, Admit, Conduct, Door, is_nobody, unknown
from cloakboard.netplay.room.keeping import Keeping
from cloakboard.netplay.room.notice import Notice
from cloakboard.netplay.room.sitting import Gathered, OnRoom, Sitting, unattended
from cloakboard.netplay.room.visiting import Visiting
from cloakboard.netplay.room_settings import ROOM, settings_of
from cloakboard.netplay.settings import PUBLIC_RELAYS
from cloakboard.netplay.veil.secrets import tagged

Links = Mapping[int, Link]
"""Open links by seat."""

JOIN_TRIES: Final = 3
JOIN_PAUSE_S: Final = 1.0
JOIN_S: Final = JOIN_TRIES * (Patience().dial_ms / 1000 + JOIN_PAUSE_S) - JOIN_PAUSE_S
"""How long, at most, it takes to find that nobody answers at an invite."""


def nowhere(_key: bytes) -> str:
    """Of no key it is known where it was found."""
    return ""


@dataclass(frozen=True, slots=True)
class Plan:
    """Who plays from where. `bot`, `bot_seed` and `max_turns` are written into the save, so
    that a match of computer players goes on alike; `patience_s`: how long a lost friend is
    looked for; `share`: the match records to exchange at its end; `refuses`: the block list;
    `is_friend` and `conduct` of a key, and `admit`: for the door of a room; `near`: finds
    machines of the local network again; `where` the machine of a key was found last."""

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
    is_friend: Callable[[bytes], bool] = is_nobody
    conduct: Callable[[bytes], Conduct] = unknown
    admit: Admit | None = None
    near: Near | None = None
    where: Callable[[bytes], str] = nowhere


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
        self._is_fresh = True
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

    async def host(
        self,
        table: Table,
        show_invite: Callable[[str], None],
        on_room: OnRoom = unattended,
        announcers: Sequence[Announcer] = (),
    ) -> Links:
        """Opens a room, and begins once all seats are taken and all have agreed. Whoever knocks
        is heard beside the others, so a silent stranger keeps nobody waiting.

        `on_room`: see `sitting.Sitting`; the room is shown to strangers by `announcers`.
        Raises `NetplayError` with a way out.
        """
        room, ticket = os.urandom(ROOM_BYTES), os.urandom(TICKET_BYTES)
        return await self._keep(room, ticket, table, show_invite, on_room, announcers)

    async def _keep(
        self,
        room: bytes,
        ticket: bytes,
        table: Table,
        show_invite: Callable[[str], None],
        on_room: OnRoom,
        announcers: Sequence[Announcer] = (),
    ) -> Links:
        transport, me = self._ready()
        key, plan = self.plan.identity.key, self.plan
        address = transport.address()
        settings = {**table.settings, **({"password": True} if table.password else {})}
        table = replace(table, settings=ROOM.complete(settings))
        door = Door(
            room,
            ticket,
            table.password,
            table.members,
            plan.is_friend,
            plan.conduct,
            plan.admit,
            table.only,
        )
        notice = Notice(Invite(address, room, key), me.name, announcers)

        def changed(sitting: Sitting) -> None:
            notice.show(sitting.room)
            on_room(sitting)

        show_invite(Invite(address, room, key, ticket).text())
        keeping = Keeping(me, room, table, door, changed, address, self.games)
        try:
            gathered = await keeping.run(transport)
        finally:
            notice.withdraw()
        return self._begin(gathered, {})

    async def join(self, text: str, on_room: OnRoom = unattended, password: str = "") -> Links:
        """Goes to the room of an invite, and begins once all have agreed. `tell` hears of a way
        there that is lost and found. Raises `NetplayError` with a way out."""
        return await self._visit_patiently(parse_invite(text), on_room, password)

    async def _visit(
        self, invite: Invite, on_room: OnRoom, password: str, *, is_back: bool
    ) -> Links:
        transport, me = self._ready()
        link = await self._dial(transport, invite.address)
        conduct, address = self.plan.conduct, transport.address()
        visiting = Visiting(me, invite, password, on_room, address, self.games, conduct, is_back)
        try:
            gathered = await visiting.run(link)
        except NetplayError as error:
            await part(link, error)
            raise
        except asyncio.CancelledError:
            await part(link, Refused("the other player left the room"))
            raise
        return self._begin(gathered, {invite.host: invite.address})

    async def rematch(self, save: Path, on_room: OnRoom = unattended) -> Links:
        """A room for the players of a match that has ended, with the same terms; each of them
        does this. Raises `NetplayError` with a way out."""
        contents = journal.read(save)
        game = saves.game_of(save, contents, self.games)
        opening, match = check_opening(contents.entries[0], game)
        room = tagged("cloak/rematch/1", match, size=ROOM_BYTES)
        if contents.meta.hosts:
            table = Table(
                game,
                dict(opening.options),
                opening.setup,
                contents.meta.seat,
                settings=settings_of(opening),
                only=frozenset(keys_of(opening)),
            )
            return await self._keep(room, b"", table, lambda text: None, on_room)
        keeper = next(iter(contents.addresses), None)  # of all it dials, it dialled first
        if keeper is None:
            raise Malformed(f"{save.name} does not say where the other player is")
        invite = Invite(contents.addresses[keeper], room, opening.seats[keeper].key)
        return await self._visit_patiently(invite, on_room, waits=True)

    async def _visit_patiently(
        self, invite: Invite, on_room: OnRoom, password: str = "", *, waits: bool = False
    ) -> Links:
        """Goes to a room. Who loses the way there looks for it again, within the plan's patience;
        `waits`: the room may not be open yet."""
        until = time.monotonic() + (self.plan.patience_s if waits else 0)
        heard = asyncio.Event()
        was_in = False

        def listen(sitting: Sitting) -> None:
            nonlocal was_in
            room = sitting.room
            was_in |= room is not None and room.member(self.plan.identity.key) is not None
            if not heard.is_set():
                heard.set()
                self._tell(LinkState("good", None))
            on_room(sitting)

        while True:
            try:
                return await self._visit(invite, listen, password, is_back=was_in)
            except Lost:
                if heard.is_set():
                    heard.clear()
                    until = time.monotonic() + self.plan.patience_s
                left = until - time.monotonic()
                if left <= 0:
                    raise
                self._tell(LinkState("lost", None, round(left)))
            await asyncio.sleep(JOIN_PAUSE_S)

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
        """Opens a save to go on with: of each two sides the one that came later into the room
        dials where it last found the other, where the plan knows them now, or at a fresh
        `invite`, and the other listens.
        Raises `NetplayError` with a way out."""
        transport, _ = self._ready()
        self.opened = opened = saves.open_match(path, self.plan.identity, self.games)
        match = opened.match
        if invite is not None:
            asked = parse_invite(invite)
            if asked.host not in match.keys or asked.host == self.plan.identity.key:
                opened.journal.close()
                raise Refused("this invite is of nobody in this match; ask for the right one")
            self._note(match.keys.index(asked.host), asked.address)
        else:
            for seat in tuple(opened.addresses):
                self._note(seat, self.plan.where(match.keys[seat]) or opened.addresses[seat])
        if opened.meta.hosts:
            key = self.plan.identity.key
            show_invite(Invite(transport.address(), bytes(ROOM_BYTES), key).text())
        elif not opened.addresses:
            opened.journal.close()
            raise Malformed(
                f"{path.name} does not say where the other player is; ask for an invite and "
                "resume with --invite INVITE"
            )
        self._seat()

    async def meet(self, show_invite: Callable[[str], None], invite: str | None = None) -> None:
        """Exchanges match records with a friend and nothing else: waits for one at an invite, or
        goes to the `invite` of one. Raises `NetplayError` with a way out, `Lost` when the transport
        is closed."""
        transport, me = self._ready()
        share = self.plan.share
        assert share is not None
        if invite is not None:
            asked = parse_invite(invite)
            link = await self._dial(transport, asked.address)
            try:
                hello = await greet(link, me, asked.room, NO_MATCH)
                if hello.key != asked.host:
                    raise Forged(
                        "who answers is not the player that invited you; ask for a new invite"
                    )
                await exchange(link, share)
            except NetplayError as error:
                await part(link, error)
                raise
            await take_leave(link)
            return
        room = os.urandom(ROOM_BYTES)

        async def met(link: Link, passed: Passed) -> bool:
            await greet(link, me, room, NO_MATCH)
            passed()
            await exchange(link, share)
            await take_leave(link)
            return True

        entrance = Entrance(transport, met)
        show_invite(Invite(transport.address(), room, self.plan.identity.key).text())
        try:
            await entrance.found()
        finally:
            await entrance.close()

    async def play(self, links: Links | None = None) -> None:
        """Plays the match to its end; see `Online.run`."""
        assert self.online is not None
        await self.online.run(links, fresh=self._is_fresh)

    def _begin(self, gathered: Gathered, reached: Mapping[bytes, str]) -> Links:
        """Opens the file of what a room has agreed on. `reached`: where machines were dialled
        with success, by key."""
        plan, room, begun = self.plan, gathered.room, gathered.begun
        self._is_fresh = begun is not None
        if begun is None:
            path = saves.find(plan.profile.saves, room.load)
            if path is None:
                raise Refused("the match that all wanted to go on with is not among your saves")
            self.opened = saves.open_match(path, plan.identity, self.games)
            if {*self.opened.match.keys} != {member.key for member in room.members}:
                raise Refused("the match that all wanted to go on with is one of other players")
        else:
            meta = Meta(
                app=plan.app,
                game=room.game.id,
                rules_version=room.game.rules_version,
                seat=begun.seat,
                made=int(time.time()),
                bot=plan.bot,
                bot_seed=plan.bot_seed,
                local=plan.local,
                max_turns=plan.max_turns,
                hosts=room.keeper == plan.identity.key,
            )
            self.opened = saves.create(plan.profile.saves, room.game, plan.identity, begun, meta)
        seats = {key: seat for seat, key in enumerate(self.opened.match.keys)}
        here = [member.key for member in room.members].index(plan.identity.key)
        for at, member in enumerate(room.members):
            if at != here:  # who came later dials who was there
                address = reached.get(member.key, member.address) if at < here else ""
                self._note(seats[member.key], address)
        self._seat()
        return {seats[key]: link for key, link in gathered.links.items() if key in seats}

    def _note(self, seat: int, address: str) -> None:
        """Keeps where a seat's machine is dialled; empty: it dials here."""
        assert self.opened is not None
        if self.opened.addresses.get(seat, "") == address:
            return
        if address:
            self.opened.addresses[seat] = address
        else:
            del self.opened.addresses[seat]
        self.opened.journal.append(journal.ADDRESS, bytes([seat]) + address.encode())

    def _seat(self) -> None:
        transport, me = self._ready()
        assert self.opened is not None
        match, file = self.opened.match, self.opened.journal
        if match.closed:
            raise Refused("this match has ended and both sides have signed its audit")
        self.online = Online(
            match,
            file,
            transport,
            me,
            self._tell,
            self.opened.addresses,
            self.plan.patience_s,
            self.plan.share,
        )

    def _ready(self) -> tuple[Transport, Me]:
        assert self._transport is not None and self._me is not None
        return self._transport, self._me


async def _open(plan: Plan) -> Transport:
    secret = plan.identity.transport_secret()
    return await open_network(
        secret, plan.profile.port, plan.local, plan.relays, near=plan.near
    )  # fmt: skip
