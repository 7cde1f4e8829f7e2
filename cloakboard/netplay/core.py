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

A core of no seat (`seat` None) watches: it holds the public state and checks what anyone can.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping
from typing import Any, Final, NamedTuple

from cloakboard.engine.codec import Codec, state_digest
from cloakboard.engine.errors import EngineError, IllegalAction
from cloakboard.engine.events import Event, may_know
from cloakboard.engine.game import Action, Game, Result, State
from cloakboard.engine.probes import BLIND, Form, Lookup, Probe
from cloakboard.netplay import lookup
from cloakboard.netplay.chain import Chain, check_link, combine
from cloakboard.netplay.errors import Forged, Malformed
from cloakboard.netplay.group import Point, pack, unpack
from cloakboard.netplay.secrets import (
    VERSION,
    Secret,
    commit_action,
    cover_commit,
    open_note,
    open_secret,
)
from cloakboard.netplay.transcript import (
    ALL_SEATS,
    Act,
    Answer,
    Ask,
    Entry,
    Link,
    Opened,
    Opening,
    Part,
    Reply,
    Resume,
    Rows,
    Slot,
    TaggedBody,
    Take,
    Trace,
    Verdict,
    header_hash,
    read_body,
)

TRACE_EVENTS: Final = 400  # a trace longer than this is no honest one
FINDING_LENGTH: Final = 500  # characters of a verdict that are kept
LENGTH_BYTES: Final = 2  # of a padded label


class Need(NamedTuple):
    """The next part: who owes it, its type, and how this core makes it if it can."""

    seat: int
    kind: type[Part]
    make: Callable[[], Part] | None


Script = Generator[Need, Part, Any]


class Hand:
    """What a seat holds of its own: its secret, bound to the match, and its hash chain."""

    __slots__ = ("bound", "chain", "secret")

    def __init__(self, secret: Secret, opening: Opening, match: bytes, seat: int) -> None:
        self.secret = secret
        self.bound = secret.bind(match, seat)
        self.chain = Chain(secret.prepare(opening.nonce, seat))

    def __repr__(self) -> str:
        return "<Hand>"


class Core:
    """A seat's honest machine, or a watcher's."""

    def __init__(
        self,
        game: Game,
        opening: Opening,
        match: bytes,
        seat: int | None = None,
        hand: Hand | None = None,
    ) -> None:
        """Stands after entry 0, whose body is `opening` and whose hash is `match`.

        Raises `EngineError` if the options or the start position are none of the game's.
        """
        self.game = game
        self.codec = Codec(game)
        self.opening = opening
        self.match = match
        self.seat = seat
        self._hand = hand
        options = game.options.complete(dict(opening.options))
        self.lookups: Mapping[str, Lookup] = game.lookups(options)
        full = game.start(options, opening.setup, match)
        self.shown: State = game.public(full)
        self.view: State = self.shown if seat is None else game.view(full, seat)
        self.epoch = 0
        self.seq = 1
        self.head = match
        self.resigned: set[int] = set()
        self.draws: set[int] = set()  # seats whose offer stands
        self.secrets: dict[int, Secret] = {}  # opened, by seat
        self.verdicts: dict[int, str] = {}
        self.events: list[Event] = []  # known to this seat, not yet drained
        self._lookup_number = 0
        self._draw_number = 0
        self._links: list[bytes] = [opened.tip for opened in opening.seats]
        self._script: Script | None = None
        self._need: Need | None = None
        self._acted: int | None = None  # whose action the entry in hand begins
        self._asked: dict[tuple[str, int], tuple[tuple[int, Any], ...]] = {}

    # -- what stands next ------------------------------------------------------------------

    @property
    def seats(self) -> range:
        """All seats in order of play."""
        return range(len(self.opening.seats))

    @property
    def result(self) -> Result | None:
        """How the match ended: by resignation, agreement, or the rules; None if it goes on."""
        if self.resigned:
            return Result(tuple(s for s in self.seats if s not in self.resigned), "resignation")
        if len(self.draws) == len(self.seats):
            return Result((), "agreement")
        return None if self._need else self.game.result(self.shown)

    @property
    def idle(self) -> bool:
        """Whether the rules wait for a seat's choice."""
        return self._need is None and self.result is None

    def floor(self) -> tuple[int, ...]:
        """The seats that may write the next entry; a function of the chain alone."""
        result = self.result
        if result is None:
            return (self._need.seat,) if self._need else self.game.to_act(self.shown)
        for seat in self._opening_order(result):
            if seat not in self.secrets:
                return (seat,)
        return tuple(s for s in self.seats if s not in self.verdicts)[:1]

    def owes(self) -> bool:
        """Whether this seat must write now without a choice (a verdict excepted: it needs the
        audit, see `compose_verdict`)."""
        if self.seat is None or self.seat not in self.floor():
            return False
        if self.result is not None:
            return self.seat not in self.secrets
        if self._need:
            return True
        return self.game.forced(self.view, self.seat) is not None

    def owes_verdict(self) -> bool:
        """Whether all secrets are open and this seat must say what it found."""
        result = self.result
        done = result is not None and len(self.secrets) == len(self.seats)
        return done and self.seat in self.floor()

    def digest(self) -> bytes:
        """Digest of the public state as of the last entry."""
        return state_digest(self.game, self.shown)

    def drain(self) -> list[Event]:
        """The events this seat came to know since the last call."""
        events, self.events = self.events, []
        return events

    def _opening_order(self, result: Result) -> list[int]:
        return sorted(self.seats, key=lambda seat: (seat in result.winners, seat))

    # -- writing ---------------------------------------------------------------------------

    def compose_owed(self) -> TaggedBody:
        """The body this seat owes; the core then stands after it (call `follow` with it)."""
        assert self.seat is not None
        if self.result is not None:
            assert self._hand is not None
            self.secrets[self.seat] = self._hand.secret
            return Opened(self._hand.secret.reveal())
        if self._need:
            return Reply(self._make_parts())
        action = self.game.forced(self.view, self.seat)
        assert action is not None
        return self.compose_action(action)

    def compose_action(self, action: Action) -> TaggedBody:
        """The body of a chosen action. Raises `IllegalAction`; then nothing has changed."""
        seat, hand = self.seat, self._hand
        assert seat is not None and hand is not None and self.idle
        self._check_choice(action)
        self._acted = seat
        open_part, secret_part = self.game.split(self.view, seat, action)
        if secret_part is None:
            commit, note = cover_commit(hand.bound, self.epoch, self.head, 0)
        else:
            sealed = self.codec.action.encode(action)
            commit, note = commit_action(hand.bound, self.epoch, self.head, 0, sealed)
        if open_part is None:
            self._start(self._veiled_by_me(action))
            return Slot(commit, note, self._make_parts())
        self._start(self._open(seat, action))
        return Act(self.codec.action.encode(open_part), commit, note, self._make_parts())

    def compose_verdict(self, finding: str) -> TaggedBody:
        """The body of this seat's verdict, when it owes one."""
        assert self.seat is not None and self.owes_verdict()
        self.verdicts[self.seat] = finding[:FINDING_LENGTH]
        return Verdict(self.verdicts[self.seat])

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

    def feed(self, entry: Entry, *, check: bool = False) -> None:
        """Folds the next entry of the chain, whose signatures hold.

        `check`: of this seat's own entries, make each part again and compare (the audit).
        Raises `Malformed`, `Forged` or `EngineError` if it is none that an honest author
        could have written; the core is then of no further use.
        """
        self._check_header(entry)
        body = read_body(entry)
        author = entry.header.author
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
            case Opened():
                self._read_opened(author, body)
            case Verdict():
                if self.result is None or len(self.secrets) < len(self.seats):
                    raise Malformed("a verdict before the secrets are open")
                self.verdicts[author] = body.finding[:FINDING_LENGTH]
        self._end(entry)

    def _check_header(self, entry: Entry) -> None:
        header = entry.header
        place = (header.match, header.epoch, header.seq, header.prev)
        if place != (self.match, self.epoch, self.seq, self.head):
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
        self._acted = author
        action = self.codec.action.decode(body.action)
        self.game.legal(self.shown, author, action)
        if author == self.seat and self._hand is not None:
            sealed = self._open_note(body)
            full = self.codec.action.decode(sealed) if sealed else action
            if check:
                self._check_choice(full)
                open_part, secret_part = self.game.split(self.view, author, full)
                if open_part != action or (secret_part is not None) != bool(sealed):
                    raise Forged("the action played is not the one committed to")
            action = full
        self._start(self._open(author, action))
        self._read_parts(author, body.parts, check)

    def _read_slot(self, author: int, body: Slot, check: bool) -> None:
        if not self.idle:
            raise Malformed("an action while an answer is owed")
        self._acted = author
        if author == self.seat and self._hand is not None:
            action = self.codec.action.decode(self._open_note(body))
            if check:
                self._check_choice(action)
                if self.game.split(self.view, author, action)[0] is not None:
                    raise Forged("an action that should have been played openly was veiled")
            self._start(self._veiled_by_me(action))
        else:
            self._start(self._veiled_by(author))
        self._read_parts(author, body.parts, check)

    def _open_note(self, body: Act | Slot) -> bytes:
        assert self._hand is not None
        return open_note(self._hand.bound, self.epoch, self.head, 0, body.commit, body.note)

    def _read_parts(self, author: int, parts: Iterable[Part], check: bool) -> None:
        for part in parts:
            need = self._need
            if need is None or need.seat != author or type(part) is not need.kind:
                raise Malformed("an entry with a part that is not owed")
            if check and need.make is not None and (expected := need.make()) != part:
                raise Forged(_difference(expected))
            self._send(part)
        if self._need and self._need.seat == author:
            raise Malformed("an entry that leaves out a part its author owes")

    def _read_opened(self, author: int, body: Opened) -> None:
        if self.result is None or len(self.secrets) == len(self.seats):
            raise Malformed("a secret opened before the match has ended")
        promised = self.opening.seats[author].commitment
        self.secrets[author] = open_secret(promised, self.opening.nonce, author, body.secret)

    def _resume(self, body: Resume, entry: Entry) -> None:
        if entry.header.author != ALL_SEATS:
            raise Malformed("a resume that not all seats signed")
        if body.epoch != self.epoch + 1 or body.head != self.head:
            raise Malformed("a resume of another place")
        if len(body.nonces) != len(self.seats):
            raise Malformed("a resume without every seat's nonce")
        self.epoch = body.epoch

    def _end(self, entry: Entry) -> None:
        if self._acted is not None:
            self.draws &= {self._acted}
            self._acted = None
        for request in entry.header.requests:
            (self.resigned if request.kind == "resign" else self.draws).add(request.seat)
        self.seq += 1
        self.head = header_hash(entry.header)
        if self.result is not None:
            self._script = self._need = None

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

    def _happen(self, event: Event, *, shown: bool) -> None:
        if not may_know(event, self.seat):
            return
        self.view = self.game.apply(self.view, event)
        self.events.append(event)
        if shown and not event.only:
            self.shown = self.game.apply(self.shown, event) if self.seat is not None else self.view

    def _open(self, author: int, action: Action) -> Script:
        """Every machine resolves an action that has an open part."""
        resolution = self.game.resolve(self.view, author, action)
        item = next(resolution, None)
        while item is not None:
            if isinstance(item, Event):
                self._happen(item, shown=True)
                item = _step(resolution, self.view)
            else:
                item = _step(resolution, (yield from self._ask(item)))

    def _veiled_by_me(self, action: Action) -> Script:
        """The author resolves its veiled action, and publishes what shows."""
        seat = self.seat
        assert seat is not None
        yield from self._cover(seat, self._cover_keys(action))
        resolution = self.game.resolve(self.view, seat, action)
        unseen: list[Event] = []  # public events not yet published
        item = next(resolution, None)
        while item is not None:
            if isinstance(item, Event):
                self._happen(item, shown=False)
                if not item.only:
                    unseen.append(item)
                item = _step(resolution, self.view)
                continue
            if item.owner == seat and item.form in (Form.OWN, Form.SHOW, Form.TELL, Form.CLAIM):
                answer = self._own_answer(item)
            elif (item.lookup, item.owner) in self._asked:
                keys = set(self.game.query(self.view, item))
                found = self._asked.pop((item.lookup, item.owner))
                answer = tuple((key, None) for key, _ in found if key in keys)
            else:
                yield from self._publish(unseen, item)
                answer = yield from self._ask(item)
            item = _step(resolution, answer)
        yield from self._publish(unseen, None)

    def _publish(self, unseen: list[Event], probe: Probe | None) -> Script:
        assert self.seat is not None
        trace = Trace(
            tuple(self.codec.event.encode(event) for event in unseen),
            self.codec.probe.encode(probe) if probe is not None else b"",
            probe is None,
        )
        yield Need(self.seat, Trace, lambda: trace)
        for event in unseen:
            self.shown = self.game.apply(self.shown, event)
        unseen.clear()

    def _veiled_by(self, author: int) -> Script:
        """The others fold what a veiled action shows, and answer what it asks in public."""
        yield from self._cover(author, {})
        while True:
            trace = yield Need(author, Trace, None)
            assert isinstance(trace, Trace)
            if len(trace.events) > TRACE_EVENTS or trace.done == bool(trace.probe):
                raise Malformed("a trace of no honest form")
            for data in trace.events:
                event = self.codec.event.decode(data)
                if event.only:
                    raise Malformed("a trace with an event that is not for everyone")
                self.game.admits(self.shown, author, event)
                self._happen(event, shown=True)
            if trace.done:
                return
            probe = self.codec.probe.decode(trace.probe)
            self._check_traced(author, probe)
            yield from self._ask(probe)

    def _check_traced(self, author: int, probe: Probe) -> None:
        if probe.form is Form.DRAW or probe.form in BLIND:
            fits = probe.owner in self.seats and author in (probe.owner, probe.asker)
        else:
            fits = probe.owner in self.seats and probe.owner != author
        if not fits or probe.form in (Form.OWN, Form.CLAIM):
            raise Malformed("a trace that asks what no veiled action asks")

    def _cover_keys(self, action: Action) -> dict[tuple[str, int], tuple[int, ...]]:
        """Keys of the action's own blind probes, by lookup and owner: found by running it as
        if nothing were hidden anywhere."""
        assert self.seat is not None
        wanted = {(p.lookup, p.owner) for p in self.game.cover(self.shown, self.seat)}
        keys: dict[tuple[str, int], tuple[int, ...]] = {}
        view = self.view
        resolution = self.game.resolve(view, self.seat, action)
        item = next(resolution, None)
        while item is not None and wanted:
            if isinstance(item, Event):
                if may_know(item, self.seat):
                    view = self.game.apply(view, item)
                item = _step(resolution, view)
            elif (item.lookup, item.owner) in wanted:
                wanted.discard((item.lookup, item.owner))
                keys[item.lookup, item.owner] = self.game.query(view, item)
                item = _step(resolution, ())
            elif item.form is Form.OWN or (item.form is Form.TELL and item.owner == self.seat):
                item = _step(resolution, self.game.answer(view, item))
            else:
                break
        resolution.close()
        return keys

    def _cover(self, author: int, keys: Mapping[tuple[str, int], tuple[int, ...]]) -> Script:
        """The lookups every veiled action makes: all asked, then all answered."""
        probes = self.game.cover(self.shown, author)
        self._asked = {}
        opened = []
        for probe in probes:
            own_keys = keys.get((probe.lookup, probe.owner), ())
            opened.append((yield from self._blind_ask(probe, own_keys)))
        for probe, (context, own_keys, asked) in zip(probes, opened, strict=True):
            found = yield from self._blind_rows(probe, context, own_keys, asked)
            if found is not None and (probe.lookup, probe.owner) in keys:
                self._asked[probe.lookup, probe.owner] = found

    # -- probes ----------------------------------------------------------------------------

    def _ask(self, probe: Probe) -> Script:
        """The parts of one probe; returns the answer as this seat may know it."""
        owner, mine = probe.owner, self._hand_of(probe.owner) is not None
        if probe.form is Form.OWN:
            return self.game.answer(self.view, probe) if mine else None
        if probe.form is Form.DRAW:
            return (yield from self._draw(owner))
        if probe.form in BLIND:
            keys = self.game.query(self.view, probe) if self._hand_of(probe.asker) else ()
            opened = yield from self._blind_ask(probe, keys)
            return (yield from self._blind_rows(probe, *opened))

        def make() -> Part:
            return Answer(self.codec.answer.encode(self._own_answer(probe)))

        part = yield Need(owner, Answer, make if mine else None)
        assert isinstance(part, Answer)
        return self.codec.answer.decode(part.data)

    def _own_answer(self, probe: Probe) -> Any:
        if probe.form is Form.CLAIM:
            return probe.value  # type: ignore[attr-defined]  # every CLAIM probe has one
        return self.game.answer(self.view, probe)

    def _hand_of(self, seat: int) -> Hand | None:
        return self._hand if seat == self.seat else None

    def _draw(self, first: int) -> Script:
        self._draw_number += 1
        index = self._draw_number
        order = [first, *(seat for seat in self.seats if seat != first)]
        for seat in order:
            part = yield Need(seat, Link, self._make_link(seat, index))
            assert isinstance(part, Link)
            last = self._links[seat]
            self._links[seat] = check_link(self.opening.nonce, seat, index, part.link, last)
        return combine("probe", index, self._links)

    def _make_link(self, seat: int, index: int) -> Callable[[], Part] | None:
        hand = self._hand_of(seat)
        return (lambda: Link(hand.chain.link(index))) if hand else None

    def _blind_ask(self, probe: Probe, keys: tuple[int, ...]) -> Script:
        size = self._size(probe)
        context = self._context(probe)
        mine = self._hand_of(probe.asker)

        def make() -> Part:
            assert mine is not None
            return Ask(pack(lookup.ask(mine.bound, context(), keys, size.points)))

        part = yield Need(probe.asker, Ask, make if mine else None)
        assert isinstance(part, Ask)
        asked = unpack(part.points, size.points)
        lookup.check_query(asked, size.points)
        return context(), keys, asked

    def _blind_rows(
        self,
        probe: Probe,
        context: lookup.Context,
        keys: tuple[int, ...],
        asked: tuple[Point, ...],
    ) -> Script:
        size = self._size(probe)
        owner, asker = self._hand_of(probe.owner), self._hand_of(probe.asker)

        def make() -> Part:
            assert owner is not None
            labels = {
                key: self._pad(probe, label, size.label_bytes)
                for key, label in self.game.holds(self.view, probe).items()
            }
            reply = lookup.reply(owner.bound, context, asked, labels, size.rows, size.label_bytes)
            return Rows(reply.points, reply.rows)

        part = yield Need(probe.owner, Rows, make if owner else None)
        assert isinstance(part, Rows)
        reply = lookup.Reply(part.points, part.rows)
        lookup.check_reply(reply, size.points, size.rows, size.label_bytes)
        if asker is None:
            return None
        reading = lookup.read(
            asker.bound, context, keys, size.points, asked, reply, size.rows, size.label_bytes
        )
        return tuple((key, self._unpad(probe, data)) for key, data in reading.found)

    def _size(self, probe: Probe) -> Lookup:
        size = self.lookups.get(probe.lookup)
        if size is None:
            raise Malformed("a lookup of a kind this match does not have")
        if probe.form is Form.OCCUPIED:
            return Lookup(size.points, size.rows, 0)
        return Lookup(size.points, size.rows, size.label_bytes + LENGTH_BYTES)

    def _context(self, probe: Probe) -> Callable[[], lookup.Context]:
        """The lookup's context; `prev` is that of the entry which carries its `Ask`."""
        number, self._lookup_number = self._lookup_number, self._lookup_number + 1
        made: list[lookup.Context] = []

        def context() -> lookup.Context:
            if not made:
                made.append(
                    lookup.Context(
                        version=VERSION,
                        match=self.match,
                        epoch=self.epoch,
                        lookup=number,
                        kind=probe.lookup,
                        asker=probe.asker,
                        owner=probe.owner,
                        prev=self.head,
                    )
                )
            return made[0]

        return context

    def _pad(self, probe: Probe, label: Any, label_bytes: int) -> bytes:
        if probe.form is Form.OCCUPIED:
            return b""
        data = self.codec.label.encode(label)
        assert len(data) + LENGTH_BYTES <= label_bytes, "a label longer than its lookup allows"
        return (len(data).to_bytes(LENGTH_BYTES, "big") + data).ljust(label_bytes, b"\0")

    def _unpad(self, probe: Probe, data: bytes) -> Any:
        if probe.form is Form.OCCUPIED:
            return None
        length = int.from_bytes(data[:LENGTH_BYTES], "big")
        return self.codec.label.decode(data[LENGTH_BYTES : LENGTH_BYTES + length])


def _step(resolution: Generator[Any, Any, None], value: Any) -> Any:
    try:
        return resolution.send(value)
    except StopIteration:
        return None


PART_NAMES: Final = {
    Answer: "an answer that its own pieces contradict",
    Ask: "a lookup that asks what its pieces do not see",
    Rows: "a reply to a lookup that its own pieces contradict",
    Link: "a link that is not the next of its chain",
    Trace: "a veiled action whose shown effects are not those of the rules",
}


def _difference(expected: Part) -> str:
    return PART_NAMES[type(expected)]


__all__ = ["Core", "EngineError", "Need"]
