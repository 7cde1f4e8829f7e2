"""One seat's honest machine, without I/O: what every entry must be, worked out again.

A core folds the transcript. Between two entries it stands at a *need*: the seat that must
write next and the kind of part it owes. Whatever a seat owes without a choice is a
deterministic function of its secret, its view and the chain so far; so the code that writes
an honest seat's entries in play is the code that checks them in the audit: it makes each part
again and compares (VEIL 11).

1. `act` (open action; commitment and note of its secret part, or cover) or `slot` (veiled
   action: commitment, note, blind lookups asked of every other seat, needed or not).
2. Every machine runs the rules on its own view. At each probe that travels the parts are:
   SHOW, TELL, CLAIM: `Answer` of the owner. DRAW: `Link` of each seat, the gaining one first.
   Blind forms: `Ask` of the asker, `Rows` of the owner.
3. A veiled action is resolved by its author alone; the others fold its `Trace`.
4. An entry holds all consecutive parts of its author. Then the next seat writes a `reply`,
   until the action is done and the floor is that of the rules again.
5. After a result each seat opens its secret, losers first; then each signs its verdict.

The parts of steps 2 and 3 are the business of `script` and `blind`. A core of no seat (`seat` None)
watches: it holds the public state and checks what anyone can.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from cloakboard.engine.errors import IllegalAction
from cloakboard.engine.game import Action
from cloakboard.netplay.errors import Forged, Malformed
from cloakboard.netplay.lockstep.faults import FINDING_LENGTH, difference, within_the_rules
from cloakboard.netplay.lockstep.standing import Standing
from cloakboard.netplay.lockstep.undo import Played
from cloakboard.netplay.transcript import (
    ALL_SEATS,
    CONSENTED,
    Act,
    Agreed,
    Entry,
    Opened,
    Part,
    Reply,
    Request,
    Resume,
    Slot,
    TaggedBody,
    Take,
    Verdict,
    header_hash,
    read_body,
)
from cloakboard.netplay.veil.need import Script
from cloakboard.netplay.veil.secrets import (
    commit_action,
    cover_commit,
    open_note,
    open_secret,
)

ENTRY_MS: Final = 24 * 60 * 60 * 1000  # of an entry's thinking time that is counted
LATEST: Final = 1 << 40  # of what is taken for a time


class Core(Standing):
    """A seat's honest machine, or a watcher's."""

    # -- writing ---------------------------------------------------------------------------

    def compose_owed(self) -> TaggedBody:
        """The body this seat owes; the core then stands after it (call `follow` with it).

        Raises `Malformed` if what another machine said has no sense in the rules.
        """
        with within_the_rules():
            return self._compose_owed()

    def _compose_owed(self) -> TaggedBody:
        assert self.seat is not None
        if self.result is not None:
            assert self._hand is not None
            self.secrets[self.seat] = self._hand.secret
            return Opened(self._hand.secret.reveal())
        if self._need:
            return Reply(self._make_parts())
        action = self.game.forced(self.view, self.seat)
        assert action is not None
        return self._compose_action(action)

    def compose_action(self, action: Action) -> TaggedBody:
        """The body of a chosen action. Raises `IllegalAction`; then nothing has changed; else as
        `compose_owed`."""
        with within_the_rules():
            return self._compose_action(action)

    def _compose_action(self, action: Action) -> TaggedBody:
        seat, hand = self.seat, self._hand
        assert seat is not None and hand is not None and self.idle
        self._check_choice(action)
        self._begin_action(seat)
        open_part, secret_part = self.game.split(self.view, seat, action)
        if secret_part is None:
            commit, note = cover_commit(hand.bound, self.place.epoch, self.place.head, 0)
        else:
            sealed = self.scripts.codec.action.encode(action)
            commit, note = commit_action(hand.bound, self.place.epoch, self.place.head, 0, sealed)
        if open_part is None:
            self._start(self.scripts.veiled_by_me(action))
            return Slot(commit, note, self._make_parts())
        self._start(self.scripts.open(seat, action))
        return Act(self.scripts.codec.action.encode(open_part), commit, note, self._make_parts())

    def compose_verdict(self, finding: str, ended: int = 0) -> TaggedBody:
        """The body of this seat's verdict, when it owes one. `ended`: the time by its clock."""
        assert self.seat is not None and self.owes_verdict()
        outcome = self.outcome(ended)
        self._ended = outcome.ended
        self.verdicts[self.seat] = finding[:FINDING_LENGTH]
        return Verdict(self.verdicts[self.seat], outcome)

    def compose_agreed(self, kind: str, value: int) -> TaggedBody:
        """The body by which every seat's pending request for one thing holds."""
        assert self.idle
        self._agree(kind, value)
        return Agreed(kind, value)

    def _begin_action(self, author: int) -> None:
        if self.requests.is_paused:
            raise Malformed("an action while the match is paused")
        self._acted = author
        own = author == self.seat and self._hand is not None
        self._is_chosen = not own or self.game.forced(self.view, author) is None

    def _check_choice(self, action: Action) -> None:
        assert self.seat is not None
        owed = self.game.forced(self.view, self.seat)
        if owed is not None and owed != action:
            raise IllegalAction("WEC-71", "a piece in flight must fly on before anything else")
        self.game.legal(self.view, self.seat, action)

    def _make_parts(self) -> tuple[Part, ...]:
        parts: list[Part] = []
        while self._need and self._need.seat == self.seat:
            assert self._need.make is not None
            part = self._need.make()
            parts.append(part)
            self._send(part)
        return tuple(parts)

    def follow(self, entry: Entry) -> None:
        """Puts the head behind this seat's own entry just composed."""
        self._end(entry)

    # -- reading ---------------------------------------------------------------------------

    def feed(self, entry: Entry, *, check: bool = False, again: bool = False) -> None:
        """Folds the next entry of the chain, whose signatures hold.

        `check`: of this seat's own entries, make each part again and compare (the audit).
        `again`: it is read from a file whose entries were checked when they came; lookups then
        cost this seat's own keys alone, and a watcher nothing.
        Raises `Malformed`, `Forged` or `EngineError` if it is none that an honest author
        could have written; the core is then of no further use. `Malformed` whose `what` is
        `NO_SENSE`: the rules stumbled, maybe over what was said before.
        """
        self.scripts.blind.again = again
        with within_the_rules():
            self._feed(entry, check)

    def _feed(self, entry: Entry, check: bool) -> None:
        self._check_header(entry)
        body = read_body(entry)
        author = entry.header.author
        if author == ALL_SEATS and not isinstance(body, Resume):
            raise Malformed("an entry of all seats that is no resume")
        match body:
            case Resume():
                self._resume(body, entry)
            case Act():
                self._read_act(author, body, check)
            case Slot():
                self._read_slot(author, body, check)
            case Reply():
                if self._need is None or self.result is not None:
                    raise Malformed("a reply where nothing is owed")
                self._read_parts(author, body.parts, check)
            case Take():
                if not self.idle or not entry.header.requests:
                    raise Malformed("an entry that takes in no request")
            case Agreed():
                self._read_agreed(body, entry.header.requests)
            case Opened():
                self._read_opened(author, body)
            case Verdict():
                if not self.is_open:
                    raise Malformed("a verdict before the secrets are open")
                self._read_verdict(author, body)
        self._end(entry)

    def _check_header(self, entry: Entry) -> None:
        header = entry.header
        place = (header.match, header.epoch, header.seq, header.prev)
        if place != (self.place.match, self.place.epoch, self.place.seq, self.place.head):
            raise Malformed("an entry that does not follow the last one")
        if header.author != ALL_SEATS and header.author not in self.floor():
            raise Malformed("an entry by a seat that does not have the floor")
        if header.state != self.digest():
            raise Forged("its author names another public state than the entries before lead to")
        if len(header.requests) > 2 * len(self.seats):
            raise Malformed("an entry with too many requests")

    def _read_act(self, author: int, body: Act, check: bool) -> None:
        if not self.idle:
            raise Malformed("an action while an answer is owed")
        self._begin_action(author)
        action = self.scripts.codec.action.decode(body.action)
        self.game.legal(self.shown, author, action)
        if author == self.seat and self._hand is not None:
            sealed = self._open_note(body)
            full = self.scripts.codec.action.decode(sealed) if sealed else action
            if check:
                self._check_choice(full)
                open_part, secret_part = self.game.split(self.view, author, full)
                if open_part != action or (secret_part is not None) != bool(sealed):
                    raise Forged("the action played is not the one committed to")
            action = full
        self._start(self.scripts.open(author, action))
        self._read_parts(author, body.parts, check)

    def _read_slot(self, author: int, body: Slot, check: bool) -> None:
        if not self.idle:
            raise Malformed("an action while an answer is owed")
        self._begin_action(author)
        if author == self.seat and self._hand is not None:
            action = self.scripts.codec.action.decode(self._open_note(body))
            if check:
                self._check_choice(action)
                if self.game.split(self.view, author, action)[0] is not None:
                    raise Forged("an action that should have been played openly was veiled")
            self._start(self.scripts.veiled_by_me(action))
        else:
            self._start(self.scripts.veiled_by(author))
        self._read_parts(author, body.parts, check)

    def _open_note(self, body: Act | Slot) -> bytes:
        assert self._hand is not None
        return open_note(
            self._hand.bound, self.place.epoch, self.place.head, 0, body.commit, body.note
        )

    def _read_parts(self, author: int, parts: Iterable[Part], check: bool) -> None:
        for part in parts:
            need = self._need
            if need is None or need.seat != author or type(part) is not need.kind:
                raise Malformed("an entry with a part that is not owed")
            if check and need.make is not None and (expected := need.make()) != part:
                raise Forged(difference(expected))
            self._send(part)
        if self._need and self._need.seat == author:
            raise Malformed("an entry that leaves out a part its author owes")

    def _read_agreed(self, body: Agreed, requests: tuple[Request, ...]) -> None:
        if not self.idle:
            raise Malformed("an agreement while an answer is owed")
        wanted = (r for r in requests if (r.kind, r.value) == (body.kind, body.value))
        if body.kind not in CONSENTED or {r.seat for r in wanted if self.takes(r)} != {*self.seats}:
            raise Forged("an agreement that not every seat has signed")
        self._agree(body.kind, body.value)

    def _agree(self, kind: str, value: int) -> None:
        self.requests.agree(kind, value, self.place.seq)
        if kind == "undo":
            self._waited = False  # the time that led to it is no time of the next action
            self.scripts.go_back(self.timeline.go_back(value, self.scripts.point()))

    def _read_opened(self, author: int, body: Opened) -> None:
        if self.result is None or self.is_open:
            raise Malformed("a secret opened before the match has ended")
        promised = self.opening.seats[author].commitment
        self.secrets[author] = open_secret(promised, self.opening.nonce, author, body.secret)

    def _read_verdict(self, author: int, body: Verdict) -> None:
        ended = body.outcome.ended
        if not 0 <= ended < LATEST:
            raise Malformed("a verdict at no possible time")
        if body.outcome != self.outcome(ended):
            raise Forged("a verdict that names another end of the match")
        self._ended = ended
        self.verdicts[author] = body.finding[:FINDING_LENGTH]

    def _resume(self, body: Resume, entry: Entry) -> None:
        if entry.header.author != ALL_SEATS:
            raise Malformed("a resume that not all seats signed")
        if body.epoch != self.place.epoch + 1 or body.head != self.place.head:
            raise Malformed("a resume of another place")
        if len(body.nonces) != len(self.seats):
            raise Malformed("a resume without every seat's nonce")
        self.place.epoch = body.epoch

    def _end(self, entry: Entry) -> None:
        if not self.secrets:
            self.used_ms += min(max(0, entry.header.used_ms), ENTRY_MS)
        if self._acted is not None:
            played = Played(self.place.seq, self._acted, self._need is None, self._is_chosen)
            self.timeline.acted(played)
            self.requests.acted(self._acted, self.place.seq)
            self._acted = None
        elif self._waited and entry.header.author != ALL_SEATS:
            self.clock.waited(min(max(0, entry.header.used_ms), ENTRY_MS))
        for request in [request for request in entry.header.requests if self.takes(request)]:
            self.requests.take(request)
        self.turns.append(self._turn)
        self._turn = self.game.turn(self.shown)
        self.place.head = header_hash(entry.header)
        self.requests.follow(self.place.seq, self.place.head)
        self.place.seq += 1
        if self.result is not None:
            self._script = self._need = None
        self._waited = self.idle
        if self._waited:
            self.timeline.stands(self.place.seq, self.scripts.point())

    # -- scripts ---------------------------------------------------------------------------

    def _start(self, script: Script) -> None:
        self._script = script
        try:
            self._need = next(script)
        except StopIteration:
            self._script = self._need = None

    def _send(self, part: Part) -> None:
        assert self._script is not None
        try:
            self._need = self._script.send(part)
        except StopIteration:
            self._script = self._need = None
