"""The part of a running match that writes: its chain, its outbox, what it owes without a choice.

`rejoin` and `match` are built on it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from cloakboard.engine.errors import EngineError
from cloakboard.engine.game import Game
from cloakboard.netplay.errors import NetplayError
from cloakboard.netplay.identity import Identity
from cloakboard.netplay.lockstep import journal
from cloakboard.netplay.lockstep.audience import Audience
from cloakboard.netplay.lockstep.clock import is_understated
from cloakboard.netplay.lockstep.core import Core
from cloakboard.netplay.lockstep.effects import (
    Audit,
    Consented,
    Continued,
    Declined,
    Doubted,
    Effect,
    Ended,
    Happened,
    Judged,
    Send,
    Stopped,
    Write,
)
from cloakboard.netplay.lockstep.faults import words_of
from cloakboard.netplay.lockstep.judge import Judgement, check_opening, keys_of
from cloakboard.netplay.lockstep.talk import Talk
from cloakboard.netplay.room_settings import settings_of
from cloakboard.netplay.throttle import Throttle
from cloakboard.netplay.transcript import (
    ALL_SEATS,
    CONSENTED,
    VERSION,
    Act,
    Agreed,
    Entry,
    Header,
    Request,
    Slot,
    TaggedBody,
    Take,
    body_hash,
    check_signatures,
    encode,
    read_body,
    sign_entry,
)
from cloakboard.netplay.veil.blind import Hand
from cloakboard.netplay.veil.opening import clean_name
from cloakboard.netplay.wire import EntryFrame, Heads, Message

MOST_OFFERS: Final = 12  # that are changed, or that name a save, in `OFFERS_S`; more is not heard
OFFERS_S: Final = 60.0


class Machine:
    """One seat's chain, and what is to be done with it."""

    def __init__(
        self,
        game: Game,
        identity: Identity,
        entries: Sequence[Entry],
        seat: int,
        hand: Hand,
        now_ms: Callable[[], int],
    ) -> None:
        """Stands after `entries`, as read from the journal (at least entry 0).

        Raises `NetplayError` or `EngineError` if they are not a chain of this game.
        """
        self.game = game
        self.identity = identity
        self.seat = seat
        self.opening, self.id = check_opening(entries[0], game)
        self.keys = keys_of(self.opening)
        self.core = Core(game, self.opening, self.id, seat, hand)
        self.entries: list[Entry] = [entries[0]]
        self.outbox: list[Effect] = []
        self.connected: set[int] = set()
        self.stopped: Stopped | None = None
        self.judgement: Judgement | None = None
        self.pending: list[Request] = []
        settings = settings_of(self.opening)
        self.talk = Talk(is_muted=settings["mute"])
        self._audience = Audience(is_open=settings["spectators"], now_ms=now_ms)
        self._offers = Throttle(MOST_OFFERS, OFFERS_S, lambda: now_ms() / 1000)
        self._name = ""  # offered for the saves
        self._named_by: set[int] = set()  # who agreed to it
        self.rtt_ms: dict[int, int] = {}  # to each seat's machine and back, as far as measured
        self._told_over = 0  # the entry before which another seat's time was over
        self._now_ms = now_ms
        self._since_ms = self._ticked_ms = now_ms()
        self._told_end = False
        self._asked_audit = False
        self._ended = 0
        self._nonce = b""
        self._early: dict[int, Entry] = {}  # by number: came before the one it follows
        self._early_requests: dict[tuple[int, str], Request] = {}  # that name an entry not yet here
        # Seat and kind of what was asked in vain since the last entry.
        self._refused: set[tuple[int, str]] = set()
        self._heads: dict[int, Heads] = {}
        self._signed: dict[int, bytes] = {}
        self._resume: tuple[Header, bytes] | None = None
        self.resuming = False
        for entry in entries[1:]:
            check_signatures(entry, self.keys)
            self.core.feed(entry, again=True)
            self.entries.append(entry)
        self.core.drain()

    @property
    def others(self) -> list[int]:
        """All other seats."""
        return [seat for seat in self.core.seats if seat != self.seat]

    def _advance(self) -> None:
        """Writes whatever this seat owes without a choice."""
        core = self.core
        while self.together:
            digest = core.digest()
            if core.owes():
                try:
                    owed = core.compose_owed()
                except (NetplayError, EngineError) as error:
                    self._stop_here(words_of(error))
                    return
                self._write(owed, digest)
            elif core.owes_verdict() and self.judgement is not None:
                self._write(core.compose_verdict(self.judgement.text, self._ended), digest)
            elif (body := self._takes_in()) is not None:
                self._write(body, digest)
            else:
                break
        self._tell_end()
        if core.is_open:
            self._ask_audit()

    def _takes_in(self) -> TaggedBody | None:
        """A body that takes in what was asked, if this seat has the floor: what needs consent
        once every seat has asked for the same."""
        core = self.core
        if not core.idle or self.seat not in core.floor():
            return None
        for kind, value in [(p.kind, p.value) for p in self.pending if p.kind in CONSENTED]:
            if {p.seat for p in self.pending if (p.kind, p.value) == (kind, value)} == {
                *core.seats
            }:
                return core.compose_agreed(kind, value)
        return Take() if any(p.kind not in CONSENTED for p in self.pending) else None

    @property
    def together(self) -> bool:
        """Whether all machines are here and nothing stands in the way of the next entry."""
        here = len(self.connected) == len(self.others)
        return here and self.stopped is None and not self.resuming

    def _ask_audit(self) -> None:
        if not self._asked_audit:
            self._asked_audit = True
            self.outbox.append(Audit(tuple(self.entries)))

    def judged(self, judgement: Judgement, ended: int = 0) -> None:
        """This machine's own audit has been worked out. `ended`: Unix time in seconds."""
        self.judgement = judgement
        self._ended = max(0, ended)  # a clock may stand before 1970
        self.outbox.append(Judged(judgement))
        self._advance()

    @property
    def closed(self) -> bool:
        """Whether every seat has signed its verdict: nothing is left to do."""
        return len(self.core.verdicts) == len(self.keys)

    def _tell_end(self) -> None:
        result = self.core.result
        if result is not None and not self._told_end:
            self._told_end = True
            self.outbox.append(Ended(result))

    # -- writing ----------------------------------------------------------------------------

    def _header(
        self, author: int, body: bytes, digest: bytes, requests: tuple[Request, ...], used_ms: int
    ) -> Header:
        core = self.core
        return Header(
            version=VERSION,
            match=self.id,
            epoch=core.place.epoch,
            seq=core.place.seq,
            author=author,
            prev=core.place.head,
            state=digest,
            used_ms=used_ms,
            requests=requests,
            body=body_hash(body),
        )

    def _write(self, body: TaggedBody, digest: bytes) -> None:
        now = self._now_ms()
        rests = self.core.requests.is_paused and body != Agreed("pause", 0)
        used, self._since_ms = 0 if rests else max(0, now - self._since_ms), now
        data = encode(body)
        header = self._header(self.seat, data, digest, self._taken_by(body), used)
        entry = sign_entry(self.identity, header, data)
        self.core.follow(entry)
        self._keep(entry)
        self._broadcast(EntryFrame(encode(entry)))

    def _taken_by(self, body: TaggedBody) -> tuple[Request, ...]:
        agreed = (body.kind, body.value) if isinstance(body, Agreed) else None
        return tuple(
            p for p in self.pending if p.kind not in CONSENTED or (p.kind, p.value) == agreed
        )

    def _fold(self, entry: Entry) -> None:
        now, measures = self._now_ms(), self.core.idle and not self.core.requests.is_paused
        self.core.feed(entry)
        self._keep(entry)
        author, stated = entry.header.author, entry.header.used_ms
        measured, self._since_ms = now - self._since_ms, now
        if not (measures and self.together and self.core.clock.has_limit):
            return
        if author != ALL_SEATS and is_understated(stated, measured, self.rtt_ms.get(author, 0)):
            self.outbox.append(Doubted(author, stated, measured))

    def _keep(self, entry: Entry) -> None:
        self.entries.append(entry)
        self.outbox.append(Write(journal.ENTRY, encode(entry)))
        self.outbox.append(Happened(tuple(self.core.drain())))
        self._refused.clear()
        if not self.pending and not entry.header.requests:
            return
        body, author = read_body(entry), entry.header.author
        if isinstance(body, Agreed):
            self.outbox.append(Consented(body.kind, body.value))
        if any(request.kind == "continue" for request in entry.header.requests):
            self.outbox.append(Continued())
        taken = {(r.seat, r.kind) for r in entry.header.requests}
        left = [p for p in self.pending if (p.seat, p.kind) not in taken]
        self.pending = [p for p in left if self.core.takes(p)]
        if isinstance(body, Act | Slot) and author != self.seat:
            lapsed = [p for p in left if p not in self.pending and p.seat == self.seat]
            self.outbox.extend(Declined(author, p.kind) for p in lapsed if p.kind in CONSENTED)

    def _broadcast(self, message: Message) -> None:
        self.outbox.extend(Send(seat, message) for seat in self.others)

    def drain(self) -> list[Effect]:
        """The effects not yet carried out, in order."""
        outbox, self.outbox = self.outbox, []
        return outbox

    # -- stopping ---------------------------------------------------------------------------

    def _stop(self, entry: Entry, text: str) -> None:
        author = entry.header.author
        self.outbox.append(Write(journal.REFUSED, encode(entry)))
        name = clean_name(self.opening.seats[author].name) if author >= 0 else "?"
        self._tell_stop(
            author,
            text,
            f"entry {entry.header.seq} of seat {author} ({name}) was refused: {text}\n"
            f"public state named by the entry: {entry.header.state.hex()}\n",
            entry.header.state,
        )

    def _stop_here(self, text: str) -> None:
        """This machine cannot write what it owes: something said before has no sense. Who said
        it is for the audit to find."""
        self._tell_stop(ALL_SEATS, text, f"entry {self.core.place.seq} cannot be written: {text}\n")

    def _tell_stop(self, seat: int, text: str, report: str, named: bytes = b"") -> None:
        self.stopped = Stopped(seat, text, report + self._report_here(), named)
        self.outbox.append(self.stopped)

    def report_of_other(self, text: str) -> str:
        """A report, from public state only, of a stop that another machine has told of."""
        return (
            f"entry {self.core.place.seq}: the other machine stopped the match: {text}\n"
            + self._report_here()
        )

    def _report_here(self) -> str:
        return (
            f"public state here: {self.core.digest().hex()}\n"
            f"Turn {self.game.turn(self.core.shown)}, epoch {self.core.place.epoch}\n"
        )
