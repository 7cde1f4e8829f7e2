"""Honest transcripts changed by somebody who wants to frame a seat: with no key at all, or with the
key of one seat, which can sign anew whatever it wrote itself."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from cloakboard.engine.game import Game
from cloakboard.netplay.transcript import (
    ALL_SEATS,
    Act,
    Entry,
    Header,
    Reply,
    Request,
    Slot,
    body_hash,
    encode,
    header_hash,
    read_body,
    sign_entry,
)
from tests.cheats.positions import crowd
from tests.netplay.rig import Rig, identity
from tests.tiny import game as line

GAMES: Final[dict[str, tuple[Callable[[], Game], dict[str, Any], int]]] = {
    "line2": (lambda: line(2), {"turns": 3}, 8),
    "line3": (lambda: line(3), {"turns": 3}, 8),
    "line4": (lambda: line(4), {"turns": 3}, 8),
    "wec": (crowd, {}, 4),
}


@cache
def honest(name: str, seed: int) -> tuple[Game, tuple[Entry, ...]]:
    """A whole match between honest machines: with an offer, an undo and a break in it."""
    make, options, choices = GAMES[name]
    rig = Rig(make(), seed, options)
    rig.shares_audit = True
    rig.play(choices // 2)
    rig.peers[0].request("draw")
    rig.flush()
    mover = next((p for p in rig.peers if p.undo_target is not None), None)
    if mover is not None:
        target = mover.undo_target
        assert target is not None
        for peer in rig.peers:
            peer.request("undo", target)
            rig.flush()
    rig.crash(seed % rig.game.seats)
    rig.reconnect()
    rig.play(choices // 2)
    rig.peers[seed % rig.game.seats].request("resign")
    rig.flush()
    assert all(peer.closed for peer in rig.peers) and not rig.stopped()
    return rig.game, tuple(rig.entries(0))


class Mutant:
    """A file to be judged: `entries` and `refused`, made from an honest match. `key`: the seat
    whose key the mutator holds, or None."""

    def __init__(self, name: str, seed: int) -> None:
        self.lots = random.Random(f"mutant/{name}/{seed}")
        match = self.lots.randrange(3)
        self.game, whole = honest(name, match)
        _, self.other = honest(name, match + 1)
        self.key = self.lots.choice((None, *range(self.game.seats)))
        self.entries = list(whole)
        self.refused: list[Entry] = []
        for _ in range(self.lots.choice((1, 1, 1, 2, 4))):
            if len(self.entries) > 1:
                self.lots.choice(WAYS)(self)
        if self.lots.random() < 0.3:
            del self.entries[self.lots.randint(1, len(self.entries)) :]

    def at(self) -> int:
        """A place behind entry 0."""
        return self.lots.randrange(1, len(self.entries))

    def signed(self, header: Header, body: bytes, before: Entry) -> Entry:
        """The entry with its author's signature if the mutator can make it, else the old one."""
        if header.author == self.key:
            return sign_entry(identity(header.author), header, body)
        return Entry(header, body, before.signatures)

    def put(self, at: int, entry: Entry) -> None:
        """In the place of an entry, or as one refused there; the chain may be mended behind it as
        far as it is the mutator's own."""
        way = self.lots.randrange(3)
        if way == 0 or at >= len(self.entries):
            self.refused.append(entry)
            if self.lots.random() < 0.5:
                del self.entries[at:]
            return
        self.entries[at] = entry
        if way == 1:
            self.mend(at + 1)

    def mend(self, at: int) -> None:
        """Lets own entries follow what now stands before them."""
        for place in range(at, len(self.entries)):
            entry = self.entries[place]
            if entry.header.author != self.key:
                return
            head = header_hash(self.entries[place - 1].header)
            header = replace(entry.header, prev=head, seq=place)
            self.entries[place] = sign_entry(identity(self.key), header, entry.body)

    # -- ways to change it ---------------------------------------------------------------------

    def drop(self) -> None:
        if len(self.entries) > 2:
            at = self.at()
            del self.entries[at]
            self.mend(at)

    def repeat(self) -> None:
        self.entries.insert(self.at(), self.entries[self.at()])

    def exchange(self) -> None:
        one, two = self.at(), self.at()
        self.entries[one], self.entries[two] = self.entries[two], self.entries[one]

    def graft(self) -> None:
        """The rest of another match of the same players."""
        self.entries[self.at() :] = self.other[self.lots.randrange(1, len(self.other)) :]

    def transplant(self) -> None:
        self.put(self.at(), self.lots.choice(self.other[1:]))

    def accuse(self) -> None:
        """An honest entry, as if it had been refused there."""
        at = self.at()
        self.refused.append(self.lots.choice((*self.entries[1:], *self.other[1:])))
        if self.lots.random() < 0.7:
            self.refused.append(self.entries[at])
            del self.entries[at:]

    def flip(self) -> None:
        at = self.at()
        whole = bytearray(encode(self.entries[at]))
        whole[self.lots.randrange(len(whole))] ^= self.lots.randrange(1, 256)
        try:
            self.put(at, msgspec.msgpack.decode(bytes(whole), type=Entry))
        except (msgspec.MsgspecError, UnicodeDecodeError):
            return

    def head(self) -> None:
        """Another field of the header."""
        at = self.at()
        entry = self.entries[at]
        lots, header = self.lots, entry.header
        old = lots.choice(self.entries).header
        changed: dict[str, Any] = lots.choice(
            (
                {"epoch": header.epoch + lots.choice((-1, 1))},
                {"seq": header.seq + lots.choice((-1, 1, 2))},
                {"author": lots.choice((*range(self.game.seats), ALL_SEATS))},
                {"prev": header_hash(old)},
                {"state": old.state},
                {"used_ms": lots.choice((-1, 0, 2**62))},
                {"requests": self.requests()},
                {"match": self.other[1].header.match},
                {"version": 2},
            )
        )
        self.put(at, self.signed(replace(header, **changed), entry.body, entry))

    def requests(self) -> tuple[Request, ...]:
        """Requests that somebody made here or in another match, and one of the mutator's own."""
        pool = [r for e in (*self.entries, *self.other) for r in e.header.requests]
        return tuple(self.lots.sample(pool, min(len(pool), self.lots.randrange(3))))

    def body(self) -> None:
        """The body of another entry, or this one with its parts changed."""
        at = self.at()
        entry, other = self.entries[at], self.lots.choice((*self.entries[1:], *self.other[1:]))
        data = other.body
        mine = read_body(entry)
        if isinstance(mine, Act | Slot | Reply) and self.lots.random() < 0.7:
            data = encode(replace(mine, parts=self.parts(list(mine.parts), other)))
        header = replace(entry.header, body=body_hash(data))
        self.put(at, self.signed(header, data, entry))

    def parts(self, parts: list[Any], other: Entry) -> tuple[Any, ...]:
        more = getattr(read_body(other), "parts", ())
        way = self.lots.randrange(4)
        if way == 0 and parts:
            parts.pop(self.lots.randrange(len(parts)))
        elif way == 1:
            parts += more[:1]
        elif way == 2:
            parts.reverse()
        elif parts and more:
            parts[self.lots.randrange(len(parts))] = self.lots.choice(more)
        return tuple(parts)

    def signatures(self) -> None:
        at = self.at()
        self.put(at, replace(self.entries[at], signatures=self.lots.choice(self.other).signatures))

    def fork(self) -> None:
        """A second version of an entry, by its author or by nobody."""
        at = self.at()
        entry = self.entries[at]
        header = replace(entry.header, used_ms=entry.header.used_ms + 1)
        self.refused.append(self.signed(header, entry.body, entry))


WAYS: Final = (
    Mutant.drop,
    Mutant.repeat,
    Mutant.exchange,
    Mutant.graft,
    Mutant.transplant,
    Mutant.accuse,
    Mutant.flip,
    Mutant.head,
    Mutant.body,
    Mutant.signatures,
    Mutant.fork,
)
