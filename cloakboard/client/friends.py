"""Sitting down with friends: inviting, joining, continuing."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import Future, wait
from contextlib import suppress
from pathlib import Path
from typing import Any

from cloakboard.achievements.errors import KeepingError
from cloakboard.achievements.record import Audit
from cloakboard.client.dates import moment_of
from cloakboard.client.lobby import Earlier, Lobby, SaveRow, game_title
from cloakboard.client.net_session import NetSession
from cloakboard.client.network import CLOSE_SECONDS, Network
from cloakboard.client.porch import Porch
from cloakboard.client.room_seat import RoomSeat
from cloakboard.client.street import NetStreet
from cloakboard.client.texts import BETWEEN, sentence
from cloakboard.client.watch_session import WatchSession
from cloakboard.engine.errors import EngineError
from cloakboard.engine.registry import games as registered
from cloakboard.keeping.conduct import conduct_of
from cloakboard.keeping.keeper import Keeper
from cloakboard.keeping.sharing import Sharing
from cloakboard.netplay.errors import NetplayError
from cloakboard.netplay.finding.friends import FriendsFile
from cloakboard.netplay.identity import Identity, default_name
from cloakboard.netplay.invite import is_watch, parse_watch
from cloakboard.netplay.links.greeting import Me, Table
from cloakboard.netplay.lockstep import effects as net
from cloakboard.netplay.lockstep import online, saves
from cloakboard.netplay.lockstep.spectator import Spectator
from cloakboard.netplay.profile import Profile
from cloakboard.netplay.room.party import JOIN_S, Links, Party, Plan
from cloakboard.netplay.settings import SettingsFile

_log = logging.getLogger(__name__)


class NetFriends:
    """See `lobby.Friends`."""

    def __init__(
        self,
        profile: Profile,
        settings: SettingsFile,
        keeper: Keeper,
        *,
        local: bool = False,
        app: str = "",
    ) -> None:
        self._profile = profile
        self._keeper = keeper
        self._settings = settings
        self._local = local
        self._app = app
        self._network = Network()
        self._open: NetLobby | None = None
        self._network.run(self._catch_up())
        self.book = FriendsFile(profile.folder, keeper.key)
        self.street = NetStreet(
            self._network,
            Identity.open(profile.folder),
            profile.folder,
            settings,
            self.book,
            local=local,
        )
        self.porch = Porch(self._network, self.book, self._plan, lambda: settings.now.presence)
        self.porch.look()

    async def _catch_up(self) -> None:
        """Keeps what ended while nobody kept it, without holding up anything else."""
        await asyncio.to_thread(self._keeper.catch_up, self._profile.saves)

    def lobby(self, guest: bytes | None = None) -> Lobby:
        """A new attempt; an earlier one that is still open is given up first. A room's invite
        goes to the friend with the key `guest`, if there is one who is there."""
        if self._open is not None:
            self._open.leave()
        self._open = NetLobby(
            self._network,
            self._plan(),
            self._keeper,
            self._open,
            self.porch,
            self.book,
            guest,
            self.street,
        )
        return self._open

    def _plan(self) -> Plan:
        identity = Identity.open(self._profile.folder)
        now = self._settings.now
        return Plan(
            profile=self._profile,
            identity=identity,
            name=now.name or default_name(identity.key),
            app=self._app,
            local=self._local,
            relays=now.relays,
            share=Sharing(self._keeper),
            refuses=self.book.refuses,
            where=self.book.address_of,
            is_friend=self.book.is_friend,
            admit=self.street.admit,
            near=self.street.near,
            conduct=lambda key: conduct_of(self._keeper.ledger.records(), key),
        )

    def saves(self) -> Sequence[SaveRow]:
        """The matches with friends that go on, newest first; a damaged one is listed with its
        problem."""
        listed = [save for save in saves.listing(self._profile.saves) if not save.ended]
        return [_row(save, is_claimed=_is_claimed(save, self._keeper)) for save in listed]

    def shared(self, game_id: str, players: frozenset[bytes]) -> Sequence[Earlier]:
        """What the players of a room have not finished."""
        rows = [(m, _row(s)) for m, s in saves.shared(self._profile.saves, game_id, players)]
        return [Earlier(match, row.title, row.detail) for match, row in rows]

    def close(self) -> None:
        """Lets go of all connections; every match can be gone on with."""
        if self._open is not None:
            self._open.leave()
            self._open.await_end(CLOSE_SECONDS)
        with suppress(TimeoutError):
            self._network.run(self.porch.end()).result(CLOSE_SECONDS)
        with suppress(TimeoutError):
            self._network.run(self.street.end()).result(CLOSE_SECONDS)
        self._network.close()


def _is_claimed(save: saves.Listed, keeper: Keeper) -> bool:
    record = keeper.ledger.record(save.match)
    return record is not None and record.audit is Audit.CLAIMED


def _row(save: saves.Listed, *, is_claimed: bool = False) -> SaveRow:
    if save.problem:
        return SaveRow(save.path, save.path.stem, "", save.problem, is_local=False)
    told = [game_title(save.game), f"Begun {moment_of(save.made)}"]
    if is_claimed:
        told.append("kept as never finished")
    title = " against ".join(save.players)
    if save.name != save.path.stem:
        title = f"{save.name}: {title}"
    return SaveRow(save.path, title, BETWEEN.join(told), is_local=False, is_claimed=is_claimed)


class NetLobby:
    """See `lobby.Lobby`."""

    def __init__(
        self,
        network: Network,
        plan: Plan,
        keeper: Keeper,
        earlier: NetLobby | None,
        porch: Porch,
        book: FriendsFile,
        guest: bytes | None = None,
        street: NetStreet | None = None,
    ) -> None:
        """`earlier`: an attempt that is being given up; its connections end first, as both have
        the same port. `porch` lends the transport; `guest`: the friend who gets the invite;
        `street`: where a room can be shown to others."""
        self._street = street
        self._porch = porch
        self._book = book
        self._guest = guest
        self._has_met = False
        self._earlier = earlier
        self._keeper = keeper
        self._network = network
        self._plan = plan
        self._seat = RoomSeat(network, plan.identity.key)
        self._invite = ""
        self._status = "Opening the connection…"
        self._failure = ""
        self._gives_up_at: float | None = None  # on the monotonic clock
        self._session: NetSession | WatchSession | None = None
        self._work: Future[None] | None = None
        self._sending: asyncio.Task[None] | None = None
        self._ended: Future[None] = Future()  # set when it holds nothing open any more

    def host(
        self, game_id: str, options: Mapping[str, Any], setup: str = "", title: str = ""
    ) -> None:
        """Opens a room."""
        game = registered()[game_id]

        async def begin(party: Party) -> Links | None:
            self._status = "Making the invite…"
            table = Table(game, game.options.complete(options), setup, title=title)
            if self._street is None:
                return await party.host(table, self._show_invite, self._seat.on_room)
            async with self._street.shown() as showing:
                return await party.host(
                    table, self._show_invite, self._seat.on_room, announcers=[showing]
                )

        self._start(begin)

    def join(self, invite: str, password: str = "") -> None:
        """Goes to a room; by an invite to watch, to the match."""
        if is_watch(invite):
            self._work = self._network.run(self._watch(invite))
            return

        async def begin(party: Party) -> Links | None:
            self._gives_up_at = time.monotonic() + JOIN_S
            return await party.join(invite, self._seat.on_room, password)

        self._start(begin)

    def rematch(self, save: Path) -> None:
        """Another match of the same players."""

        async def begin(party: Party) -> Links | None:
            self._status = "Your friend must want a rematch, too."
            return await party.rematch(save, self._seat.on_room)

        self._start(begin)

    def room(self) -> RoomSeat | None:
        """The place in the room, until the match begins."""
        is_open = self._session is None and self._seat.room is not None
        return self._seat if is_open else None

    def resume(self, save: Path, invite: str = "") -> None:
        """Goes on with a match."""

        async def begin(party: Party) -> Links | None:
            party.resume(save, self._show_invite, invite or None)
            self._status = "Your friend must continue the same match now."
            return None

        self._start(begin)

    def invite(self) -> str:
        """The invite, or empty."""
        return self._invite

    def status(self) -> str:
        """What is being waited for."""
        if self._gives_up_at is None:
            return self._status
        left = round(self._gives_up_at - time.monotonic())
        if left <= 0:  # the machine was found by then, or the attempt has failed
            return "Your friend's machine is there. Waiting to be let in…"
        return f"Looking for your friend's machine, for {left} s at most."

    def failure(self) -> str:
        """Why it cannot go on."""
        return self._failure

    def session(self) -> NetSession | WatchSession | None:
        """The match, once it has begun; or one that is watched."""
        return self._session

    def close(self) -> None:
        """Gives the attempt up; a match that began goes on."""
        if self._session is None:
            self.leave()

    def leave(self) -> None:
        """Gives the attempt up, and leaves the match if there is one."""
        if self._work is None or self._work.done():
            return
        if self._session is not None:
            self._session.leave()
        else:
            self._work.cancel()

    def await_end(self, limit_s: float) -> None:
        """Waits until it holds nothing open any more, for a limited time."""
        if self._work is not None:
            wait([self._ended], limit_s)

    async def ended(self) -> None:
        """As `await_end`, on the network's thread."""
        if self._work is not None:
            await asyncio.wait([asyncio.wrap_future(self._ended)], timeout=CLOSE_SECONDS)

    def _show_invite(self, text: str) -> None:
        self._invite = text
        self._status = "Waiting for your friend to join…"
        if self._guest is not None:
            self._sending = asyncio.create_task(self._send(self._guest, text))

    async def _send(self, guest: bytes, invite: str) -> None:
        name = self._book.name_of(guest, "Your friend")
        if await self._porch.send(guest, invite):
            self._status = f"{name} has the invite. Waiting for them to join…"
        else:
            self._status = f"{name} is not there now: send the invite in another way."

    def _start(self, begin: Callable[[Party], Awaitable[Links | None]]) -> None:
        self._work = self._network.run(self._play(begin))

    async def _play(self, begin: Callable[[Party], Awaitable[Links | None]]) -> None:
        handed: deque[NetSession] = deque()

        def tell(told: online.Told) -> None:
            if isinstance(told, online.LinkState) and told.quality != "lost":
                self._has_met = True
            if handed:
                handed[0].tell(told)
            elif isinstance(told, online.LinkState):
                self._seat.link_changed(told.seconds_left)

        if self._earlier is not None:
            await self._earlier.ended()
            self._earlier = None
        try:
            async with Party(self._plan, registered(), tell, self._porch.lend) as party:
                link = await begin(party)
                assert party.online is not None
                assert party.opened is not None
                session = NetSession(
                    self._network, party.online, party.opened.journal.path, self._plan.identity
                )
                handed.append(session)
                self._session = session
                self._porch.be_in(party.online.gallery.invite)
                if link is not None:
                    await self._note_met(party.opened)
                try:
                    await party.play(link)
                finally:
                    self._porch.be_in(None)
                    if self._has_met:
                        await self._note_met(party.opened)
                    await self._keep(party.opened.journal.path)
        except (NetplayError, EngineError, OSError) as error:
            self._failure = sentence(str(error))
            if handed:
                handed[0].fail(str(error))
        finally:
            self._ended.set_result(None)

    async def _watch(self, invite: str) -> None:
        """Watches a match of others, until it is over."""
        if self._earlier is not None:
            await self._earlier.ended()
            self._earlier = None
        plan, work = self._plan, asyncio.current_task()
        self._status = "Looking for the match. If it has only begun, it is seen some Turns later."

        def leave() -> None:
            if work is not None:
                self._network.run(_cancel(work))

        def tell(told: net.Effect | online.LinkState) -> None:
            core = spectator.core
            if self._session is None and core is not None:
                self._session = WatchSession(core, leave)
            if isinstance(self._session, WatchSession):
                self._session.tell(told)

        try:
            transport = await self._porch.lend(plan)
            try:
                me = Me(plan.identity, transport.key, plan.name, plan.app, plan.refuses)
                spectator = Spectator(parse_watch(invite), transport, me, registered(), tell)
                await spectator.run()
            finally:
                await transport.close()
        except (NetplayError, EngineError, OSError) as error:
            self._failure = sentence(str(error))
            if self._session is not None:
                self._session.fail(self._failure)
        finally:
            self._ended.set_result(None)

    async def _note_met(self, opened: saves.Opened) -> None:
        """Notes with whom a match is played, and where their machines were dialled."""
        for seat, laid in enumerate(opened.match.opening.seats):
            if laid.key != self._plan.identity.key:
                where = opened.addresses.get(seat, "")
                await asyncio.to_thread(self._book.saw, laid.key, where)

    async def _keep(self, save: Path) -> None:
        """Keeps the record of the match, if it has ended."""
        try:
            await asyncio.to_thread(self._keeper.keep, save)
        except (KeepingError, NetplayError) as error:
            _log.warning("no record of %s: %s", save.name, error)


async def _cancel(work: asyncio.Task[None]) -> None:
    work.cancel()
