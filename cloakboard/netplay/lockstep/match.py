"""A running match on one machine, without I/O: frames and choices in, effects out.

`outbox` lists what the edge must do, in this order: a `Write` is on the disk before any later
`Send` leaves or `Tell` is shown (journal before send, VEIL 8). A crash therefore loses at most
what nobody has seen, and the last own entry is sent again byte for byte.
"""

from __future__ import annotations

from typing import Final

from cloakboard.engine.errors import EngineError, IllegalAction
from cloakboard.engine.game import Action
from cloakboard.netplay import wire
from cloakboard.netplay.errors import Malformed, NetplayError
from cloakboard.netplay.lockstep import journal
from cloakboard.netplay.lockstep.audience import COUNTS
from cloakboard.netplay.lockstep.clock import TOLERANCE_MS, Thinking
from cloakboard.netplay.lockstep.effects import (
    Declined,
    Heard,
    Named,
    NameOffered,
    Offered,
    OverTime,
    Send,
    Watched,
    Write,
)
from cloakboard.netplay.lockstep.faults import words_of
from cloakboard.netplay.lockstep.rejoin import Rejoining
from cloakboard.netplay.lockstep.talk import NAME_LENGTH
from cloakboard.netplay.plain import one_line
from cloakboard.netplay.transcript import (
    ALL_SEATS,
    CONSENTED,
    Entry,
    Request,
    check_request,
    check_signatures,
    encode,
    header_hash,
    read_entry,
    read_request,
    sign_request,
)
from cloakboard.netplay.wire import EntryFrame, Heads, Message, Naming, RequestFrame, Said, Signed

EARLY_ENTRIES: Final = 64
DATED: Final = ("draw", *CONSENTED)  # requests that mean something only as of the head they name
ASLEEP_MS: Final = 20_000  # between two looks at the clock: the machine slept meanwhile


class Match(Rejoining):
    """One seat's running match."""

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
            case Said():
                self._hear(seat, message)
            case Naming():
                self._got_name(seat, message)
            case wire.Declined():
                self._got_declined(seat, message.kind)
            case Heads() if self.resuming:
                self._got_heads(seat, message)
                self._take_early()
            case Signed() if self.resuming:
                self._got_signed(seat, message)
                self._take_early()
            case Heads() if self._has_heard(seat, message):
                pass  # sent again
            case Heads() if not self._heads:  # begun here, while that machine had to start again
                self.reconnect()
                self._got_heads(seat, message)
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
            self._stop(entry, words_of(error))
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
        asked, self._early_requests = self._early_requests, {}
        for request in asked.values():
            self._got_request(request)
        entry = self._early.pop(self.core.place.seq, None)
        if entry is not None and self.stopped is None:
            self._got_entry(entry.header.author, entry)

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

    def _got_request(self, request: Request) -> None:
        check_request(request, self.keys, self.id)
        if request.kind in DATED and not self.core.requests.knows(request.head):
            self._early_requests[request.seat, request.kind] = request
            return
        if request.seat == self.seat or not self.core.takes(request):
            return
        same = [p for p in self.pending if (p.seat, p.kind) == (request.seat, request.kind)]
        if any(p.value == request.value for p in same):
            return
        if (request.seat, request.kind) in self._refused:
            self.outbox.append(Send(request.seat, wire.Declined(request.kind)))
            return
        if same and not self._offers.takes():
            return
        self.pending = [p for p in self.pending if p not in same] + [request]
        self.outbox.append(Offered(request.seat, request.kind, request.value))
        self._advance()

    def _got_declined(self, seat: int, kind: str) -> None:
        """What needs every seat's consent has not one's."""
        if kind == "save" and self._name:
            self._name = ""
            self.outbox.append(Declined(seat, kind))
        asks = any(p.kind == kind and p.seat == self.seat for p in self.pending)
        if asks or (kind == "draw" and self.seat in self.core.requests.draws):
            self.outbox.append(Declined(seat, kind))
        if kind in CONSENTED:
            self.pending = [p for p in self.pending if p.kind != kind]

    # -- what the player does ----------------------------------------------------------------

    @property
    def may_act(self) -> bool:
        """Whether the rules wait for this seat's choice now."""
        waits = self.core.idle and not self.core.requests.is_paused
        return self.together and waits and self.seat in self.core.floor()

    def act(self, action: Action) -> None:
        """Plays an action. Raises `IllegalAction`; then nothing has changed."""
        if not self.may_act:
            raise IllegalAction("", "it is not this side's turn to act; wait for the other side")
        digest = self.core.digest()
        try:
            body = self.core.compose_action(action)
        except NetplayError as error:
            self._stop_here(words_of(error))
            return
        self._write(body, digest)
        self._advance()

    def request(self, kind: str, value: int = 0) -> None:
        """Asks for something, agrees to what another seat asks for, or gives up; may be done at
        any time before the result. `kind` and `value`: see `Request`. Nothing happens if it has
        no sense now."""
        plain = Request(self.id, self.core.place.head, self.seat, kind, value)
        mine = [p for p in self.pending if (p.seat, p.kind) == (self.seat, kind)]
        if not self.core.takes(plain) or any(p.value == value for p in mine):
            return
        request = sign_request(self.identity, plain)
        self.pending = [p for p in self.pending if p not in mine] + [request]
        self._broadcast(RequestFrame(encode(request)))
        self._advance()

    def decline(self, kind: str) -> None:
        """Declines what others ask for; they are not heard with it again until the next entry.
        `save`: the name that was offered."""
        asked = {p.seat for p in self.pending if p.kind == kind} - {self.seat}
        if kind == "draw":
            asked |= self.core.requests.draws - {self.seat}
        if kind == "save":
            asked |= set(self.others)
        if asked:
            self._refused |= {(seat, kind) for seat in asked}
            self._broadcast(wire.Declined(kind))
            if kind in CONSENTED:
                self.pending = [p for p in self.pending if p.kind != kind]

    @property
    def undo_target(self) -> int | None:
        """The number of the entry before which play would go on if this seat's last action were
        taken back, None if it cannot be."""
        target = self.core.timeline.last_choice(self.seat)
        return target if target is not None and self.core.may_undo(target) else None

    # -- time ----------------------------------------------------------------------------------

    @property
    def thinking(self) -> Thinking | None:
        """Whose choice is waited for; None while nobody's is, the match is paused, or a machine
        is not here."""
        core = self.core
        if not self.together or not core.idle or core.requests.is_paused:
            return None
        used = core.clock.used_ms + max(0, self._now_ms() - self._since_ms)
        return Thinking(core.floor()[0], used, core.clock.limit_ms, core.clock.grace_ms)

    def tick(self) -> None:
        """Looks at the clock; to be called about once a second. Whose own time is over signs it;
        of another's it is told. While a machine sleeps nobody thinks."""
        now = self._now_ms()
        if now > self._ticked_ms + ASLEEP_MS:
            self._since_ms += max(0, now - max(self._ticked_ms, self._since_ms))
        self._ticked_ms = now
        thinking = self.thinking
        if thinking is None or not thinking.is_over:
            return
        if thinking.seat == self.seat:
            self.request("time")
            return
        late = TOLERANCE_MS + self.rtt_ms.get(thinking.seat, 0)
        more = thinking._replace(grace_ms=thinking.grace_ms + late)
        if more.is_over and self._told_over != self.core.place.seq:
            self._told_over = self.core.place.seq
            self.outbox.append(OverTime(thinking.seat))

    # -- off the transcript --------------------------------------------------------------------

    def say(self, phrase: str, text: str) -> bool:
        """Says a quick phrase, or else a text; False if it may not be said, or not so soon."""
        said = self.talk.passes(self.seat, Said(phrase, text), self._now_ms())
        if said is None:
            return False
        self._broadcast(said)
        self.outbox.append(Heard(self.seat, said.phrase, said.text))
        return True

    def tell_watched(self, count: int) -> None:
        """Tells the others how many watch here, if they do not know; to be called about once a
        second. Once the match is over nobody watches."""
        if self.together and self.core.result is None:
            said = self._audience.to_tell(count)
            if said is not None:
                self._broadcast(said)

    def _hear(self, seat: int, message: Said) -> None:
        count = COUNTS.get(message.phrase)
        if count is not None:
            if self._audience.hears(seat, count):
                self.outbox.append(Watched(seat, count))
            return
        said = self.talk.passes(seat, message, self._now_ms())
        if said is not None:
            self.outbox.append(Heard(seat, said.phrase, said.text))

    def offer_name(self, name: str) -> None:
        """Asks the others to save the match under this name, too; it gets it here once all
        agree."""
        self._name, self._named_by = one_line(name, NAME_LENGTH), set()
        if self._name:
            self._broadcast(Naming(self._name, agreed=False))

    def agree_on_name(self, seat: int, name: str) -> None:
        """Agrees to what a seat offered."""
        self._write_name(name)
        self.outbox.append(Send(seat, Naming(name, agreed=True)))

    def _got_name(self, seat: int, message: Naming) -> None:
        name = one_line(message.name, NAME_LENGTH)
        if not name or (seat, "save") in self._refused:
            return
        if not message.agreed:
            if self._offers.takes():
                self.outbox.append(NameOffered(seat, name))
        elif name == self._name:
            self._named_by.add(seat)
            if self._named_by >= set(self.others):
                self._write_name(name)
                self._name = ""

    def _write_name(self, name: str) -> None:
        self.outbox.append(Write(journal.NAME, name.encode()))
        self.outbox.append(Named(name))
