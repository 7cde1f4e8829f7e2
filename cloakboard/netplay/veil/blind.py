"""The blind lookups of one match, as one seat's machine takes part in them (VEIL 5).

The same steps serve play and audit. In the audit a `Book` holds every seat's hand and what
each lookup asked and held; then the asker's list, the reply and the reading are worked out at
a fraction of the cost, with the same bytes.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Any, Final, NamedTuple

from cloakboard.engine.codec import Codec
from cloakboard.engine.errors import EngineError
from cloakboard.engine.game import Game, Key, State
from cloakboard.engine.probes import Form, Lookup, Probe
from cloakboard.netplay.errors import Malformed
from cloakboard.netplay.transcript import Ask, Opening, Part, Rows
from cloakboard.netplay.veil import lookup
from cloakboard.netplay.veil.chain import Chain
from cloakboard.netplay.veil.group import Point, pack, prepare, unpack
from cloakboard.netplay.veil.need import Need, Place
from cloakboard.netplay.veil.secrets import VERSION, Secret

LENGTH_BYTES: Final = 2  # of a padded label

Found = tuple[tuple[Key, Any], ...]


class Hand:
    """What a seat holds of its own: its secret, bound to the match, and its hash chain."""

    __slots__ = ("bound", "chain", "secret")

    def __init__(self, secret: Secret, opening: Opening, match: bytes, seat: int) -> None:
        self.secret = secret
        self.bound = secret.bind(match, seat)
        self.chain = Chain(secret.prepare(opening.nonce, seat))

    def __repr__(self) -> str:
        return "<Hand>"


class Book:
    """What the honest cores of an audit share: each lookup as its asker's core asked it, and
    the entries as its owner's held them. An author's core comes first, so the others find them."""

    def __init__(self, hands: Mapping[int, Hand]) -> None:
        self.hands = hands
        self.asked: dict[int, Asked] = {}
        self.entries: dict[int, dict[Key, bytes]] = {}


class Asked(NamedTuple):
    """A lookup whose question is on the chain, and the state it is answered from. `reply`: the
    answer, if this machine owes it and has worked it out; `slots`: the question's, if this
    machine has just made it."""

    probe: Probe
    context: lookup.Context
    size: Lookup
    keys: tuple[Key, ...]
    points: tuple[Point, ...]
    view: State
    slots: lookup.Slots | None = None
    reply: lookup.Reply | None = None


class Blind:
    """One machine's part in the blind lookups. `hand` is None on a watcher's machine.

    Points that came from another machine are checked as they come: by the owner's and the
    asker's machines in multiplying them, which refuses what `lookup.check_query` and
    `check_reply` refuse, at no further cost. `again`: see `Core.feed`; nobody times how a
    machine reads its files.
    """

    def __init__(
        self,
        game: Game,
        codec: Codec,
        sizes: Mapping[str, Lookup],
        place: Place,
        seat: int | None,
        hand: Hand | None,
        book: Book | None,
    ) -> None:
        self._game = game
        self._codec = codec
        self._sizes = sizes
        self._place = place
        self._seat = seat
        self._hand = hand
        self._book = book
        self._number = 0
        self.again = False
        if hand is not None and book is None:
            for kind, size in sizes.items():
                prepare(kind, range(size.keys))

    def ask(self, probe: Probe, keys: tuple[Key, ...], view: State) -> Generator[Need, Part, Asked]:
        """The asker's list. `keys` are those of this seat if it asks, else empty; `view` is its
        state, from which it answers if it is the owner."""
        number, self._number = self._number, self._number + 1
        size = self._size(probe)
        place = self._place

        def context() -> lookup.Context:
            return lookup.Context(
                version=VERSION,
                match=place.match,
                epoch=place.epoch,
                lookup=number,
                kind=probe.lookup,
                asker=probe.asker,
                owner=probe.owner,
                prev=place.head,
            )

        slots: lookup.Slots | None = None

        def make() -> Part:
            nonlocal slots
            assert self._hand is not None
            question = (self._hand.bound, context(), keys, size.points)
            slots = lookup.slots_of(*question)
            work = lookup.expected_query if self._book else lookup.ask
            return Ask(pack(work(*question, slots)))

        mine = self._plays(probe.asker)
        part = yield Need(probe.asker, Ask, make if mine else None)
        assert isinstance(part, Ask)
        points = unpack(part.points, size.points)
        asked = Asked(probe, context(), size, keys, points, view, slots)
        if self._book is not None:
            if mine:
                self._book.asked[number] = asked
        elif self._plays(probe.owner) and not self.again:
            return asked._replace(reply=self._reply(asked))
        elif not (mine or self.again):
            lookup.check_query(points, size.points)
        return asked

    def rows(self, asked: Asked) -> Generator[Need, Part, Found | None]:
        """The owner's reply; what it says to the asker, None to all others. A row that does not
        open, or opens to no label, counts as absent: the audit works the reply out again and
        names whoever wrote it."""
        probe, context, size, keys, points = asked[:5]
        mine = self._plays(probe.owner)

        def make() -> Part:
            reply = asked.reply or self._reply(asked)
            return Rows(reply.points, reply.rows)

        part = yield Need(probe.owner, Rows, make if mine else None)
        assert isinstance(part, Rows)
        reply = lookup.Reply(part.points, part.rows)
        if not self._plays(probe.asker):
            if self._book is None and not (mine or self.again):
                lookup.check_reply(reply, size.points, size.rows, size.label_bytes)
            return None
        if self._book:
            reading = lookup.expected_reading(keys, self._book.entries[context.lookup])
        else:
            assert self._hand is not None
            reading = lookup.read(
                self._hand.bound, context, keys, size.points, points, reply, size.rows,
                size.label_bytes, asked.slots, again=self.again,
            )  # fmt: skip
        return tuple(self._labelled(probe, reading))

    def _reply(self, asked: Asked) -> lookup.Reply:
        assert self._hand is not None
        probe, context, size, _, points = asked[:5]
        labels = {
            key: self._pad(probe, label, size.label_bytes)
            for key, label in self._game.holds(asked.view, probe).items()
        }
        if self._book is None:
            return lookup.reply(
                self._hand.bound, context, points, labels, size.rows, size.label_bytes
            )
        self._book.entries[context.lookup] = labels
        asker = self._book.hands[context.asker].bound
        honest = self._book.asked.pop(context.lookup)
        return lookup.expected_reply(
            self._hand.bound, asker, context, honest.keys, points, labels, size.rows,
            size.label_bytes, honest.slots,
        )  # fmt: skip

    def _plays(self, seat: int) -> bool:
        return seat == self._seat and self._hand is not None

    def _size(self, probe: Probe) -> Lookup:
        size = self._sizes.get(probe.lookup)
        if size is None:
            raise Malformed("a lookup of a kind this match does not have", what="lookup")
        labels = 0 if probe.form is Form.OCCUPIED else size.label_bytes + LENGTH_BYTES
        return Lookup(size.points, size.rows, labels, size.keys)

    def _pad(self, probe: Probe, label: Any, label_bytes: int) -> bytes:
        if probe.form is Form.OCCUPIED:
            return b""
        data = self._codec.label.encode(label)
        assert len(data) + LENGTH_BYTES <= label_bytes, "a label longer than its lookup allows"
        return (len(data).to_bytes(LENGTH_BYTES, "big") + data).ljust(label_bytes, b"\0")

    def _labelled(
        self, probe: Probe, found: tuple[tuple[Key, bytes], ...]
    ) -> Generator[tuple[Key, Any], None, None]:
        for key, data in found:
            if probe.form is Form.OCCUPIED:
                yield key, None
                continue
            length = int.from_bytes(data[:LENGTH_BYTES], "big")
            try:
                yield key, self._codec.label.decode(data[LENGTH_BYTES : LENGTH_BYTES + length])
            except EngineError:
                continue
