"""The part of a running match that finds the others again (VEIL 8).

1. `Heads`, both ways: how far each chain reaches, with a fresh nonce. The longer side sends the
   rest, the other's own old entries included. (Answers: an entry that its author lost.)
2. `Heads` again, until all are level. Then all sign one `Resume` into the next epoch, and only
   then does anyone sign anew. (Answers: a crash after which a seat signs two entries for one
   place; a signature of before the break shown as one of after it.)
"""

from __future__ import annotations

import os

from cloakboard.netplay.errors import Malformed, Mismatch
from cloakboard.netplay.lockstep.effects import Resumed, Send, Watched
from cloakboard.netplay.lockstep.machine import Machine
from cloakboard.netplay.transcript import (
    ALL_SEATS,
    GIVEN_UP,
    Entry,
    Resume,
    check_signatures,
    encode,
    header_hash,
    sign_joint,
)
from cloakboard.netplay.wire import EntryFrame, Heads, RequestFrame, Signed


class Rejoining(Machine):
    """A chain whose machines may lose each other."""

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
        if self._audience.forget(seat):
            self.outbox.append(Watched(seat, 0))

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

    def _after_missing(self, seat: int) -> None:
        """While resuming, heads are told again once as many entries came as were missing."""
        heads = self._heads.get(seat)
        if heads is not None and self.core.place.seq >= heads.seq:
            self._send_heads()
            self._try_resume()

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
        # What was asked ends with the link; who resigned while it was down has resigned.
        self.pending = [request for request in self.pending if request.kind in GIVEN_UP]
        for request in self.pending:
            self._broadcast(RequestFrame(encode(request)))
        self._since_ms = self._now_ms()
        self.outbox.append(Resumed(self.core.place.epoch))
        self._advance()
