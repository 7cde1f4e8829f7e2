"""A running match on one machine, without I/O: frames and choices in, effects out.

`outbox` lists what the edge must do, in this order: a `Write` is on the disk before any later
`Send` leaves or `Tell` is shown (journal before send, VEIL 8). A crash therefore loses at most
what nobody has seen, and the last own entry is sent again byte for byte.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Final

from cloakboard.engine.errors import EngineError, IllegalAction
from cloakboard.engine.game import Action, Game
from cloakboard.netplay import journal
from cloakboard.netplay.blind import Hand
from cloakboard.netplay.core import Core
from cloakboard.netplay.effects import (
    Audit,
    Effect,
    Ended,
    Happened,
    Judged,
    Offered,
    Resumed,
    Send,
    Stopped,
    Write,
)
from cloakboard.netplay.errors import Malformed, Mismatch, NetplayError
from cloakboard.netplay.identity import Identity
from cloakboard.netplay.judge import Judgement, check_opening, keys_of
from cloakboard.netplay.transcript import (
    ALL_SEATS,
    VERSION,
    Entry,
    Header,
    Request,
    Resume,
    TaggedBody,
    Take,
    body_hash,
    check_request,
    check_signatures,
    encode,
    header_hash,
    read_entry,
    read_request,
    sign_entry,
    sign_joint,
    sign_request,
)
from cloakboard.netplay.wire import EntryFrame, Heads, Message, RequestFrame, Signed

EARLY_ENTRIES: Final = 64


class Match:
    """One seat's running match."""

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
        self._now_ms = now_ms
        self._since_ms = now_ms()
        self._told_end = False
        self._asked_audit = False
        self._ended = 0
        self._nonce = b""
        self._early: dict[int, Entry] = {}  # by number: came before the one it follows
        self._heads: dict[int, Heads] = {}
        self._signed: dict[int, bytes] = {}
        self._resume: tuple[Header, bytes] | None = None
        self.resuming = False
        for entry in entries[1:]:
            check_signatures(entry, self.keys)
            self.core.feed(entry, again=True)
            self.entries.append(entry)
        self.core.drain()

    # -- connection and resume (VEIL 8) ------------------------------------------------------

    @property
    def others(self) -> list[int]:
        """All other seats."""
        return [seat for seat in self.core.seats if seat != self.seat]

    def begin(self) -> None:
        """All machines are connected for the first time, right after entry 0."""
        self.connected = set(self.others)
        self._advance()

    def reconnect(self) -> None:
        """All machines are connected again: heads are compared before anyone signs anew."""
        self.connected = set(self.others)
        self.resuming = True
        self._nonce = os.urandom(32)
        self._heads.clear()
        self._signed.clear()
        self._resume = None
        self._early.clear()
        self._send_heads()

    def disconnect(self, seat: int) -> None:
        """The machine of a seat is gone."""
        self.connected.discard(seat)

    def _send_heads(self) -> None:
        core = self.core
        self._heads[self.seat] = Heads(
            core.place.epoch, core.place.seq, core.place.head, self._nonce
        )
        self._broadcast(self._heads[self.seat])

    def _got_heads(self, seat: int, heads: Heads) -> None:
        if len(heads.nonce) != 32 or len(heads.head) != 32:
            raise Malformed("the other machine's head is none", what="heads")
        if self._has_heard(seat, heads):
            return  # sent again
        self._heads[seat] = heads
        core = self.core
        if heads.seq <= core.place.seq:
            here = header_hash(self.entries[heads.seq - 1].header) if heads.seq > 0 else b""
            if here != heads.head:
                raise Mismatch(
                    "the two saves of this match differ; both files are kept, and neither side "
                    "can go on with this one",
                    what="head",
                )
            for entry in self.entries[heads.seq :]:
                self.outbox.append(Send(seat, EntryFrame(encode(entry))))
        self._try_resume()

    def _has_heard(self, seat: int, heads: Heads) -> bool:
        """Whether a seat has told these heads, or later ones, since the links are back."""
        known = self._heads.get(seat)
        return known is not None and known.nonce == heads.nonce and heads.seq <= known.seq

    def _try_resume(self) -> None:
        core = self.core
        heads = [self._heads.get(seat) for seat in core.seats]
        level = all(
            h is not None and (h.seq, h.head) == (core.place.seq, core.place.head) for h in heads
        )
        if not level or self._resume is not None:
            return
        nonces = tuple(h.nonce for h in heads if h is not None)
        body = encode(Resume(core.place.epoch + 1, core.place.head, nonces))
        header = self._header(ALL_SEATS, body, core.digest(), (), 0)
        self._resume = header, body
        self._signed[self.seat] = sign_joint(self.identity, header)
        self._broadcast(Signed(self.seat, self._signed[self.seat]))
        self._finish_resume()

    def _got_signed(self, seat: int, signed: Signed) -> None:
        if signed.seat != seat:
            raise Malformed("a signature of another seat", what="signed")
        self._signed[seat] = signed.signature
        self._finish_resume()

    def _finish_resume(self) -> None:
        if self._resume is None or len(self._signed) < len(self.keys):
            return
        header, body = self._resume
        signatures = tuple(self._signed[seat] for seat in self.core.seats)
        entry = check_signatures(Entry(header, body, signatures), self.keys)
        self._fold(entry)
        self._resumed()

    def _resumed(self) -> None:
        self.resuming = False
        self._resume = None
        # An offer of a draw ends with the link; who resigned while it was down has resigned.
        self.pending = [request for request in self.pending if request.kind == "resign"]
        for request in self.pending:
            self._broadcast(RequestFrame(encode(request)))
        self._since_ms = self._now_ms()
        self.outbox.append(Resumed(self.core.place.epoch))
        self._advance()

    # -- what comes in -----------------------------------------------------------------------

    def received(self, seat: int, message: Message) -> None:
        """A message of the machine of `seat`. Raises `NetplayError` if it is none to be here;
        the edge then closes the link with the error's words. A false entry does not raise: it
        stops the match (`Stopped`)."""
        if self.stopped is not None:
            return
        match message:
            case EntryFrame():
                self._got_entry(seat, read_entry(message.data))
            case RequestFrame():
                self._got_request(read_request(message.data))
            case Heads() if self.resuming:
                self._got_heads(seat, message)
            case Signed() if self.resuming:
                self._got_signed(seat, message)
            case Heads() if self._has_heard(seat, message):
                pass  # sent again
            case Signed() if message.signature == self._signed.get(seat):
                pass
            case _:
                raise Malformed("the other machine sent a message out of place", what="message")

    def _got_entry(self, seat: int, entry: Entry) -> None:
        header = entry.header
        if header.match != self.id or header.seq < 1:
            raise Malformed("the other machine sent an entry of another match", what="entry")
        check_signatures(entry, self.keys)
        if header.seq < self.core.place.seq:
            self._compare(entry)
            return
        place = self.core.place
        if header.seq > place.seq:
            self._keep_early(entry)
            return
        if (header.epoch, header.prev) != (place.epoch, place.head):
            raise Malformed("the other machine goes on from another entry", what="entry")
        if header.author == self.seat and not self.resuming:
            raise Malformed("the other machine sent an entry of this seat", what="entry")
        try:
            for request in header.requests:
                check_request(request, self.keys, self.id)
            self._fold(entry)
        except (NetplayError, EngineError) as error:
            self._stop(entry, str(error))
            return
        if self.resuming:
            self._after_missing(seat)
        else:
            self._advance()
        self._take_early()

    def _keep_early(self, entry: Entry) -> None:
        """Of three machines or more, one may have an entry, and answer it, before another. Two
        have one link, on which nothing overtakes."""
        ahead = entry.header.seq - self.core.place.seq
        if len(self.others) < 2 or ahead > EARLY_ENTRIES:
            raise Malformed("the other machine left out an entry", what="entry")
        self._early.setdefault(entry.header.seq, entry)

    def _take_early(self) -> None:
        entry = self._early.pop(self.core.place.seq, None)
        if entry is not None and self.stopped is None:
            self._got_entry(entry.header.author, entry)

    def _after_missing(self, seat: int) -> None:
        """While resuming, heads are told again once as many entries came as were missing."""
        heads = self._heads.get(seat)
        if heads is not None and self.core.place.seq >= heads.seq:
            self._send_heads()
            self._try_resume()

    def _compare(self, entry: Entry) -> None:
        """An entry for a place that is taken: sent again, or a second version of it. One of an
        older epoch, or behind another entry, is neither (VEIL 8)."""
        header, kept = entry.header, self.entries[entry.header.seq].header
        if header_hash(kept) == header_hash(header):
            return
        same_place = (kept.epoch, kept.author, kept.prev) == (
            header.epoch,
            header.author,
            header.prev,
        )
        if not same_place or header.author == ALL_SEATS:
            raise Malformed("the other machine sent an entry of another past", what="entry")
        self._stop(entry, "its author signed two versions of it")

    def _stop(self, entry: Entry, text: str) -> None:
        author = entry.header.author
        self.outbox.append(Write(journal.REFUSED, encode(entry)))
        name = self.opening.seats[author].name if author >= 0 else "?"
        self._tell_stop(
            author,
            text,
            f"entry {entry.header.seq} of seat {author} ({name}) was refused: {text}\n"
            f"public state named by the entry: {entry.header.state.hex()}\n",
        )

    def _stop_here(self, text: str) -> None:
        """This machine cannot write what it owes: something said before has no sense. Who said
        it is for the audit to find."""
        self._tell_stop(ALL_SEATS, text, f"entry {self.core.place.seq} cannot be written: {text}\n")

    def _tell_stop(self, seat: int, text: str, report: str) -> None:
        report += (
            f"public state here: {self.core.digest().hex()}\n"
            f"Turn {self.game.turn(self.core.shown)}, epoch {self.core.place.epoch}\n"
        )
        self.stopped = Stopped(seat, text, report)
        self.outbox.append(self.stopped)

    def _got_request(self, request: Request) -> None:
        check_request(request, self.keys, self.id)
        if not self.core.takes(request):
            return
        if request.seat != self.seat and all(
            (p.seat, p.kind) != (request.seat, request.kind) for p in self.pending
        ):
            self.pending.append(request)
            self.outbox.append(Offered(request.seat, request.kind))
            self._advance()

    # -- what the player does ----------------------------------------------------------------

    @property
    def may_act(self) -> bool:
        """Whether the rules wait for this seat's choice now."""
        return self.together and self.core.idle and self.seat in self.core.floor()

    def act(self, action: Action) -> None:
        """Plays an action. Raises `IllegalAction`; then nothing has changed."""
        if not self.may_act:
            raise IllegalAction("", "it is not this side's turn to act; wait for the other side")
        digest = self.core.digest()
        try:
            body = self.core.compose_action(action)
        except NetplayError as error:
            self._stop_here(str(error))
            return
        self._write(body, digest)
        self._advance()

    def request(self, kind: str) -> None:
        """Asks for a draw, or resigns; may be done at any time before the result."""
        plain = Request(self.id, self.core.place.head, self.seat, kind)
        if not self.core.takes(plain) or any(
            (p.seat, p.kind) == (self.seat, kind) for p in self.pending
        ):
            return
        request = sign_request(self.identity, plain)
        self.pending.append(request)
        self._broadcast(RequestFrame(encode(request)))
        self._advance()

    def _advance(self) -> None:
        """Writes whatever this seat owes without a choice."""
        core = self.core
        while self.together:
            digest = core.digest()
            if core.owes():
                try:
                    body = core.compose_owed()
                except (NetplayError, EngineError) as error:
                    self._stop_here(str(error))
                    return
                self._write(body, digest)
            elif core.owes_verdict() and self.judgement is not None:
                self._write(core.compose_verdict(self.judgement.text, self._ended), digest)
            elif core.idle and self.seat in core.floor() and self.pending:
                self._write(Take(), digest)
            else:
                break
        self._tell_end()
        if core.is_open:
            self._ask_audit()

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

    # -- writing -----------------------------------------------------------------------------

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
        used, self._since_ms = max(0, now - self._since_ms), now
        data = encode(body)
        header = self._header(self.seat, data, digest, tuple(self.pending), used)
        entry = sign_entry(self.identity, header, data)
        self.core.follow(entry)
        self._keep(entry)
        self._broadcast(EntryFrame(encode(entry)))

    def _fold(self, entry: Entry) -> None:
        self.core.feed(entry)
        self._keep(entry)
        self._since_ms = self._now_ms()

    def _keep(self, entry: Entry) -> None:
        self.entries.append(entry)
        taken = {(r.seat, r.kind) for r in entry.header.requests}
        self.pending = [p for p in self.pending if (p.seat, p.kind) not in taken]
        self.outbox.append(Write(journal.ENTRY, encode(entry)))
        self.outbox.append(Happened(tuple(self.core.drain())))

    def _broadcast(self, message: Message) -> None:
        self.outbox.extend(Send(seat, message) for seat in self.others)

    def drain(self) -> list[Effect]:
        """The effects not yet carried out, in order."""
        outbox, self.outbox = self.outbox, []
        return outbox
