"""Matches with friends: the window on one thread, the network on another.

The network's asyncio loop runs in a thread of its own and hands over snapshots and happenings;
the window never waits for it. States are frozen, so a snapshot can be shared as it is.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from concurrent.futures import Future, wait
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from cloakboard.achievements.errors import KeepingError
from cloakboard.client import session as seam
from cloakboard.client.lobby import Lobby, SaveRow
from cloakboard.client.recording import Recording, of_file
from cloakboard.client.session import Happening, LinkState, Quality
from cloakboard.engine.errors import EngineError, IllegalAction
from cloakboard.engine.game import Action, Game, Result, State
from cloakboard.engine.registry import games as registered
from cloakboard.keeping.keeper import Keeper
from cloakboard.keeping.sharing import Sharing
from cloakboard.netplay import effects as net
from cloakboard.netplay import online, saves
from cloakboard.netplay.errors import NetplayError
from cloakboard.netplay.identity import Identity, default_name
from cloakboard.netplay.match import Match
from cloakboard.netplay.party import Party, Plan
from cloakboard.netplay.profile import Profile
from cloakboard.netplay.room import Table
from cloakboard.netplay.settings import SettingsFile
from cloakboard.netplay.transport import Link

_log = logging.getLogger(__name__)

CLOSE_SECONDS: Final = 3.0
OFFERED: Final = "You offer a draw. Your friend can accept it until the next action."
CLEAN: Final = "The audit is clean: all secrets are open, and everything that was said was true."


class Network:
    """The network's thread. `run` may be called from any other thread."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="network", daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, None]) -> Future[None]:
        """Starts work on the network's thread."""
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def close(self) -> None:
        """Ends what still runs, connections first, then the thread. Nothing may be left to the
        interpreter's own end: the connections' native code does not survive that."""
        with contextlib.suppress(TimeoutError):
            self.run(_end_tasks()).result(CLOSE_SECONDS)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(CLOSE_SECONDS)


async def _end_tasks() -> None:
    """Cancels all tasks but this one, and waits until they have let go of what they hold."""
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


class NetFriends:
    """See `app.Friends`."""

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
        self._open: list[NetLobby] = []
        self._network.run(self._catch_up())

    async def _catch_up(self) -> None:
        """Keeps what ended while nobody kept it, without holding up anything else."""
        await asyncio.to_thread(self._keeper.catch_up, self._profile.saves)

    def lobby(self) -> Lobby:
        """A new attempt; an earlier one that is still open is given up first."""
        for lobby in self._open:
            lobby.leave()
        identity = Identity.open(self._profile.folder)
        now = self._settings.now
        plan = Plan(
            profile=self._profile,
            identity=identity,
            name=now.name or default_name(identity.key),
            app=self._app,
            local=self._local,
            relays=now.relays,
            share=Sharing(self._keeper),
        )
        lobby = NetLobby(self._network, plan, self._keeper)
        self._open = [lobby]
        return lobby

    def saves(self) -> Sequence[SaveRow]:
        """The matches with friends, newest first; a damaged one is listed with its problem."""
        return [_row(save) for save in saves.listing(self._profile.saves)]

    def close(self) -> None:
        """Lets go of all connections; every match can be gone on with."""
        for lobby in self._open:
            lobby.leave()
            lobby.await_end(CLOSE_SECONDS)
        self._network.close()


def _row(save: saves.Listed) -> SaveRow:
    if save.problem:
        return SaveRow(save.path, save.path.stem, "", save.problem, is_local=False)
    when = datetime.fromtimestamp(save.made).strftime("%d %B %Y, %H:%M")
    state = "finished" if save.ended else f"{save.entries} entries"
    problem = "this match has ended; cloakboard show prints it" if save.ended else ""
    title = " against ".join(save.players)
    if save.name != save.path.stem:
        title = f"{save.name}: {title}"
    return SaveRow(save.path, title, f"{when} · {state}", problem, is_local=False)


class NetLobby:
    """See `lobby.Lobby`."""

    def __init__(self, network: Network, plan: Plan, keeper: Keeper) -> None:
        self._keeper = keeper
        self._network = network
        self._plan = plan
        self._invite = ""
        self._status = "Opening the connection…"
        self._failure = ""
        self._session: NetSession | None = None
        self._work: Future[None] | None = None

    def host(self, game_id: str, options: Mapping[str, Any], setup: str = "") -> None:
        """Opens a room."""
        game = registered()[game_id]

        async def begin(party: Party) -> Link | None:
            self._status = "Making the invite…"
            table = Table(game, game.options.complete(options), setup)
            return await party.host(table, self._show_invite)

        self._start(begin)

    def join(self, invite: str) -> None:
        """Goes to a room."""

        async def begin(party: Party) -> Link | None:
            self._status = "Looking for your friend's machine…"
            return await party.join(invite)

        self._start(begin)

    def resume(self, save: Path) -> None:
        """Goes on with a match."""

        async def begin(party: Party) -> Link | None:
            party.resume(save, self._show_invite)
            self._status = "Your friend must continue the same match now."
            return None

        self._start(begin)

    def invite(self) -> str:
        """The invite, or empty."""
        return self._invite

    def status(self) -> str:
        """What is being waited for."""
        return self._status

    def failure(self) -> str:
        """Why it cannot go on."""
        return self._failure

    def session(self) -> NetSession | None:
        """The match, once it has begun."""
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
        """Waits until nothing of it runs any more, for a limited time."""
        if self._work is not None:
            wait([self._work], limit_s)

    def _show_invite(self, text: str) -> None:
        self._invite = text
        self._status = "Waiting for your friend to join…"

    def _start(self, begin: Callable[[Party], Awaitable[Link | None]]) -> None:
        self._work = self._network.run(self._play(begin))

    async def _play(self, begin: Callable[[Party], Awaitable[Link | None]]) -> None:
        handed: deque[NetSession] = deque()

        def tell(told: online.Told) -> None:
            if handed:
                handed[0].tell(told)

        try:
            async with Party(self._plan, registered(), tell) as party:
                link = await begin(party)
                assert party.online is not None
                assert party.opened is not None
                session = NetSession(
                    self._network, party.online, party.opened.journal.path, self._plan.identity
                )
                handed.append(session)
                self._session = session
                try:
                    await party.play(link)
                finally:
                    await self._keep(party.opened.journal.path)
        except (NetplayError, EngineError, OSError) as error:
            self._failure = _sentence(str(error))
            if handed:
                handed[0].fail(str(error))

    async def _keep(self, save: Path) -> None:
        """Keeps the record of the match, if it has ended."""
        try:
            await asyncio.to_thread(self._keeper.keep, save)
        except (KeepingError, NetplayError) as error:
            _log.warning("no record of %s: %s", save.name, error)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What a match is at one moment, as the network's thread saw it."""

    view: State
    may_act: bool
    to_act: tuple[int, ...]
    result: Result | None

    @classmethod
    def of(cls, match: Match) -> Snapshot:
        """The match now."""
        core = match.core
        result = core.result
        waits = core.floor() if result is None else ()
        return cls(core.view, match.may_act, waits, result)


class NetSession:
    """See `session.Session`: a match with a friend, as the window sees it."""

    def __init__(
        self, network: Network, running: online.Online, save: Path, identity: Identity
    ) -> None:
        self._network = network
        self._save = save
        self._identity = identity
        self._online = running
        match = running.match
        self.game: Game = match.game
        self.seats_here: tuple[int, ...] = (match.seat,)
        self.names: tuple[str, ...] = tuple(seat.name for seat in match.opening.seats)
        self._seat = match.seat
        self._inbox: deque[tuple[Snapshot | None, tuple[Happening, ...]]] = deque()
        self._now = Snapshot.of(match)
        self._link = LinkState(Quality.GOOD)
        self._verdict: str | None = None
        self._sent = False  # an own action whose entry has not come back yet
        self._over = ""
        self.listener: Callable[[Happening], None] = seam.nobody

    # -- on the network's thread ---------------------------------------------------------------

    def tell(self, told: online.Told) -> None:
        """Takes what the match tells, for the next `poll`."""
        self._inbox.append((Snapshot.of(self._online.match), tuple(self._translate(told))))

    def fail(self, text: str) -> None:
        """The match cannot go on now."""
        self._over = _sentence(text)
        gone = seam.LinkChanged(LinkState(Quality.GONE))
        self._inbox.append((None, (gone, seam.Noticed(self._over))))

    def _translate(self, told: online.Told) -> Iterable[Happening]:
        match told:
            case net.Happened():
                for event in told.events:
                    yield seam.Happened(self._seat, event)
            case net.Offered():
                if told.kind == "draw" and not self._offers_draw():
                    yield seam.Offered(told.seat)
            case net.Resumed():
                yield seam.Noticed("You are connected again; the match goes on.")
            case net.Stopped():
                name = self.names[told.seat] if told.seat >= 0 else "The other machine"
                self._over = f"The match was stopped: {name} sent something false."
                yield seam.Noticed(self._over)
                yield seam.Audited(_sentence(f"{name}: {told.text}"), False)
            case net.Ended():
                yield seam.Ended(told.result)
            case net.Judged():
                finding = told.judgement.finding
                text = CLEAN if finding is None else _sentence(told.judgement.text)
                yield seam.Audited(text, finding is None)
            case online.LinkState():
                quality = Quality(told.quality)
                yield seam.LinkChanged(LinkState(quality, told.delay_ms, told.seconds_left))

    def _offers_draw(self) -> bool:
        """Whether this seat's own offer stands, so that another's is no news but an answer."""
        match = self._online.match
        own = any((p.seat, p.kind) == (self._seat, "draw") for p in match.pending)
        return own or self._seat in match.core.draws

    # -- on the window's thread ----------------------------------------------------------------

    def state(self, seat: int) -> State:
        """This seat's view."""
        return self._now.view

    def to_act(self) -> tuple[int, ...]:
        """The seats that may act now; empty when the match is over."""
        return self._now.to_act

    def waiting(self) -> str | None:
        """What is being waited for."""
        if self._now.result is not None or (self._now.may_act and not self._sent):
            return None
        if self._over:
            return self._over
        if self._link.quality is Quality.LOST:
            left = self._link.seconds_left
            return f"The connection is lost. Looking for your friend: {left} s."
        others = [seat for seat in self._now.to_act if seat != self._seat]
        if others:
            return f"{self.names[others[0]]} is to play."
        return "Your friend's machine is answering."

    def actions(self, seat: int) -> Iterable[Action]:
        """Legal actions, none while it is not this seat's turn."""
        if not self._now.may_act or self._sent:
            return iter(())
        return self.game.actions(self._now.view, self._seat)

    def act(self, seat: int, action: Action) -> None:
        """Takes the action. Raises `IllegalAction`."""
        if not self._now.may_act or self._sent:
            raise IllegalAction("", self.waiting() or "Wait a moment")
        self.game.legal(self._now.view, seat, action)
        self._sent = True
        self._network.run(self._act(action))

    async def _act(self, action: Action) -> None:
        try:
            await self._online.act(action)
        except EngineError as error:
            self._inbox.append(
                (Snapshot.of(self._online.match), (seam.Noticed(str(error)), seam.Jumped()))
            )

    def resign(self, seat: int) -> None:
        """Gives the match up."""
        self._network.run(self._online.request("resign"))

    def offer_draw(self, seat: int) -> None:
        """Offers a draw, or accepts the one offered."""
        self._network.run(self._ask_draw())

    async def _ask_draw(self) -> None:
        match = self._online.match
        offered = match.core.draws | {p.seat for p in match.pending if p.kind == "draw"}
        if not offered:
            self._inbox.append((None, (seam.Noticed(OFFERED),)))
        await self._online.request("draw")

    def can_undo(self) -> bool:
        """Nothing is taken back between two machines yet."""
        return False

    def undo(self) -> None:
        """See `can_undo`."""
        raise IllegalAction("", "Between two machines nothing can be taken back")

    def can_redo(self) -> bool:
        """See `can_undo`."""
        return False

    def redo(self) -> None:
        """See `can_undo`."""
        raise IllegalAction("", "Between two machines nothing is taken back, or done again")

    def poll(self) -> list[Happening]:
        """What happened since the last poll."""
        happenings: list[Happening] = []
        while self._inbox:
            snapshot, told = self._inbox.popleft()
            if snapshot is not None:
                self._now = snapshot
            is_link = any(isinstance(happening, seam.LinkChanged) for happening in told)
            if snapshot is not None and not is_link:
                self._sent = False
            for happening in told:
                if isinstance(happening, seam.LinkChanged):
                    self._link = happening.link
                elif isinstance(happening, seam.Audited):
                    self._verdict = happening.verdict
                happenings.append(happening)
        for happening in happenings:
            self.listener(happening)
        return happenings

    def save(self, name: str) -> None:
        """Names the save; the match itself is on the disk already."""
        self._network.run(self._online.name(name))
        self._inbox.append((None, (seam.Noticed(f"Saved as {name}."),)))

    def result(self) -> Result | None:
        """How the match ended."""
        return self._now.result

    def verdict(self) -> str | None:
        """The audit's verdict."""
        return self._verdict

    def recording(self, seat: int) -> Recording | None:
        """From the save: whole once both secrets are open."""
        try:
            return of_file(self._save, registered(), self._identity)
        except (NetplayError, EngineError):
            return None

    def link(self) -> LinkState:
        """The connection."""
        return self._link

    def close(self) -> None:
        """Leaves the table; the match can be gone on with. One that is over is audited to its end
        meanwhile."""
        if self._now.result is None:
            self.leave()

    def leave(self) -> None:
        """Ends the connection."""
        self._network.run(self._online.leave())


def _sentence(text: str) -> str:
    """An error's text as a sentence of its own."""
    return f"{text[:1].upper()}{text[1:]}" + ("" if text.endswith((".", "!", "?")) else ".")
