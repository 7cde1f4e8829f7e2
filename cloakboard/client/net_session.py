"""A match with a friend as the window sees it.

The network's thread hands over snapshots and happenings. States are frozen, so a snapshot can be
shared as it is.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cloakboard.client import session as seam
from cloakboard.client.company import Company, Spoke, Ticked
from cloakboard.client.net_company import ASKED, NetCompany, Wishes
from cloakboard.client.network import Network
from cloakboard.client.recording import Recording, of_file
from cloakboard.client.session import Happening, LinkState, Quality
from cloakboard.client.stopping import found_here, found_there
from cloakboard.client.texts import sentence
from cloakboard.engine.errors import EngineError, IllegalAction
from cloakboard.engine.game import Action, Game, Result, State
from cloakboard.engine.registry import games as registered
from cloakboard.netplay.errors import NetplayError
from cloakboard.netplay.identity import Identity
from cloakboard.netplay.lockstep import effects as net
from cloakboard.netplay.lockstep import online
from cloakboard.netplay.lockstep.match import Match
from cloakboard.netplay.lockstep.stand_in import StandIn

WAVER_MS: Final = 15  # a delay that changes by less, or by less than the share, reads as before
WAVER_SHARE: Final = 0.25
STANDS_IN: Final = "The computer plays for you; press F9 to take over again."
OFFERED: Final = "You offer a draw. Your friend can accept it until the next action."
CLEAN: Final = "The audit is clean: all secrets are open, and everything that was said was true."


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What a match is at one moment, as the network's thread saw it."""

    view: State
    may_act: bool
    to_act: tuple[int, ...]
    result: Result | None
    wishes: Wishes

    @classmethod
    def of(cls, match: Match) -> Snapshot:
        """The match now."""
        core = match.core
        result = core.result
        waits = core.floor() if result is None else ()
        return cls(core.view, match.may_act, waits, result, Wishes.of(match))


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
        self.others: tuple[tuple[bytes, str], ...] = tuple(
            (seat.key, seat.name)
            for number, seat in enumerate(match.opening.seats)
            if number != match.seat
        )
        self._seat = match.seat
        self._inbox: deque[tuple[Snapshot | None, tuple[Happening, ...]]] = deque()
        self._now = Snapshot.of(match)
        self._link = LinkState(Quality.GOOD)
        self._told_link: online.LinkState | None = None
        self._has_met = False  # the friend's machine has been reached since this table was opened
        self._verdict: str | None = None
        self._sent = False  # an own action whose entry has not come back yet
        self._over = ""
        self._ticked_at = 0.0  # on the monotonic clock
        self._company = NetCompany(
            network, running, lambda: self._now.wishes, self._note, self._look_again
        )
        self.company: Company | None = self._company
        self.stand_in: StandIn | None = StandIn(running)
        self._steps = False  # the stand-in is at work on the network's thread
        self.listener: Callable[[Happening], None] = seam.nobody

    @property
    def path(self) -> Path:
        """The save of the match."""
        return self._save

    # -- on the network's thread ---------------------------------------------------------------

    def tell(self, told: online.Told) -> None:
        """Takes what the match tells, for the next `poll`; a link that stays as it is, is no
        news, and costs no frame."""
        if isinstance(told, online.LinkState):
            if is_alike(told, self._told_link):
                return
            self._told_link = told
        if isinstance(told, net.Resumed) and self.stand_in is not None:
            self.stand_in.retell()
        self._inbox.append((Snapshot.of(self._online.match), tuple(self._translate(told))))

    def fail(self, text: str) -> None:
        """The match cannot go on now."""
        self._over = sentence(text)
        gone = seam.LinkChanged(LinkState(Quality.GONE))
        match = self._online.match
        stopped = None if match.stopped else found_there(text, match, self._save)
        self._inbox.append((None, (gone, stopped or seam.Noticed(self._over))))

    def _translate(self, told: online.Told) -> Iterable[Happening]:
        match told:
            case net.Happened():
                for event in told.events:
                    yield seam.Happened(self._seat, event)
            case net.Stopped():
                stopped = found_here(told, self._online.match, self._save)
                self._over = stopped.what
                yield seam.LinkChanged(LinkState(Quality.GONE))
                yield stopped
            case net.Ended():
                yield seam.Ended(told.result)
            case net.Judged():
                finding = told.judgement.finding
                text = CLEAN if finding is None else sentence(told.judgement.text)
                yield seam.Audited(text, finding is None)
            case online.LinkState():
                quality = Quality(told.quality)
                yield seam.LinkChanged(LinkState(quality, told.delay_ms, told.seconds_left))
            case _:
                yield from self._company.translate(told, self.names)

    def _note(self, text: str) -> None:
        """Shows a sentence; from either thread."""
        self._inbox.append((None, (seam.Noticed(text),)))

    def _look_again(self) -> None:
        """What was asked for here stands among the wishes, which nobody else tells."""
        self._inbox.append((Snapshot.of(self._online.match), (Ticked(),)))

    # -- on the window's thread ----------------------------------------------------------------

    def state(self, seat: int) -> State:
        """This seat's view."""
        return self._now.view

    def to_act(self) -> tuple[int, ...]:
        """The seats that may act now; empty when the match is over."""
        return self._now.to_act

    def waiting(self) -> str | None:
        """What is being waited for."""
        if self._now.result is not None or self._may_act:
            return None
        if self._over:
            return self._over
        if self._link.quality is Quality.LOST:
            left = self._link.seconds_left
            if not self._has_met:
                return f"Your friend must continue this match, too. Looking for them: {left} s."
            return (
                f"The connection is lost. Looking for your friend: {left} s. "
                "All is saved; you may leave."
            )
        if self._now.wishes.is_paused:
            return "The match is paused."
        if self._has_stand_in:
            return STANDS_IN
        others = [seat for seat in self._now.to_act if seat != self._seat]
        if others and self._company.is_overdue(others[0]):
            return (
                f"The time of {self.names[others[0]]} is over by this clock. You may wait, or "
                "leave: the match is saved."
            )
        if others:
            return f"{self.names[others[0]]} is to play."
        return "Your friend's machine is answering."

    @property
    def _has_stand_in(self) -> bool:
        return self.stand_in is not None and self.stand_in.is_on

    @property
    def _may_act(self) -> bool:
        return self._now.may_act and not self._sent and not self._has_stand_in

    def actions(self, seat: int) -> Iterable[Action]:
        """Legal actions, none while it is not this seat's turn."""
        if not self._may_act:
            return iter(())
        return self.game.actions(self._now.view, self._seat)

    def act(self, seat: int, action: Action) -> None:
        """Takes the action. Raises `IllegalAction`."""
        if not self._may_act:
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
        offered = match.core.requests.draws | {p.seat for p in match.pending if p.kind == "draw"}
        if not offered:
            self._inbox.append((None, (seam.Noticed(OFFERED),)))
        await self._online.request("draw")

    def can_undo(self) -> bool:
        """Whether the friend can be asked to take this seat's last action back."""
        wishes = self._now.wishes
        asked = any((seat, kind) == (self._seat, "undo") for seat, kind, _ in wishes.asked)
        return wishes.undo_target is not None and not asked and not self._over

    def undo(self) -> None:
        """Asks the others to take this seat's last action back."""
        target = self._now.wishes.undo_target
        if target is None:
            raise IllegalAction("", "There is nothing that can be taken back")
        self._company.ask("undo", target)

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
                    self._has_met |= happening.link.quality in (Quality.GOOD, Quality.SLOW)
                elif isinstance(happening, seam.Audited):
                    self._verdict = happening.verdict
                elif isinstance(happening, Spoke):
                    self._company.heard(happening.remark)
                elif isinstance(happening, seam.Offered) and self._has_stand_in:
                    self._company.decline(happening)
                    continue
                happenings.append(happening)
        happenings += self._ticks()
        self._let_stand_in()
        for happening in happenings:
            self.listener(happening)
        return happenings

    def _let_stand_in(self) -> None:
        """The computer in this player's place does one thing at a time, so that all is seen."""
        stand_in = self.stand_in
        if stand_in is None or self._steps or self._now.result is not None:
            return
        if stand_in.is_due or (stand_in.is_on and self._now.may_act):
            self._steps = True
            self._network.run(self._step(stand_in))

    async def _step(self, stand_in: StandIn) -> None:
        try:
            await stand_in.step()
        except EngineError as error:
            self._note(str(error))
        finally:
            self._steps = False

    def _ticks(self) -> Iterable[Happening]:
        """Once a second while somebody's limited time runs."""
        now = time.monotonic()
        thinking = self._now.wishes.thinking
        if thinking is not None and thinking.limit_ms and now - self._ticked_at >= 1.0:
            self._ticked_at = now
            yield Ticked()

    def save(self, name: str) -> None:
        """Asks the others to name the save, too; the match itself is on the disk already."""
        self._note(ASKED["save"])
        self._network.run(self._online.name(name))

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


def is_alike(link: online.LinkState, before: online.LinkState | None) -> bool:
    """Whether a link's state reads as before: delays waver."""
    if before is None or (link.quality, link.seconds_left) != (before.quality, before.seconds_left):
        return False
    if link.delay_ms is None or before.delay_ms is None:
        return link.delay_ms is before.delay_ms
    return abs(link.delay_ms - before.delay_ms) <= max(WAVER_MS, before.delay_ms * WAVER_SHARE)
