"""What peers send each other: one frame, one message (VEIL 8).

A new match, host H and guest G, on one authenticated link:
1. G, H `Hello`: forms and versions; the identity signs both transport keys, so that nobody
   can stand between (answers: a relayed or borrowed identity).
2. H `Terms`: game, options, start position, seats.
3. G `Joined`: its seat's commitments. 4. H `Offer`: the whole opening. 5. G `Signed`.
6. H `EntryFrame` with entry 0, signed by all. Then entries and requests.

After a break: `Hello` naming the match, `Heads` both ways, the missing entries, `Heads` again,
and `Signed` both ways under the resume that each side works out.

After a match, or when friends meet for nothing else: `Knows` and `Records` both ways (see
`meeting`).
"""

from __future__ import annotations

from typing import Final

import msgspec

from cloakboard.netplay.errors import Malformed
from cloakboard.netplay.transcript import Record, SeatOpening

PROTOCOL: Final = 1
FRAME_BYTES: Final = 768 * 1024


class Hello(Record, frozen=True, tag="hello"):
    """Who is there. `match`: the id of a match to go on with, or empty; `room`: of the invite;
    `proof`: the identity's signature under room, nonce and both transport keys."""

    protocol: int
    app: str
    room: bytes
    match: bytes
    key: bytes
    name: str
    nonce: bytes
    proof: bytes


class Terms(Record, frozen=True, tag="terms"):
    """What the host proposes, and the guest's seat."""

    game: str
    rules_version: int
    options: tuple[tuple[str, bool | int | str], ...]
    setup: str
    seats: int
    seat: int


class Joined(Record, frozen=True, tag="joined"):
    """What the guest lays down for its seat."""

    seat: SeatOpening


class Offer(Record, frozen=True, tag="offer"):
    """The body of entry 0, complete."""

    opening: bytes


class Signed(Record, frozen=True, tag="signed"):
    """A seat's signature under a joint entry that all can work out."""

    seat: int
    signature: bytes


class Heads(Record, frozen=True, tag="heads"):
    """How far a machine's chain reaches, and its fresh nonce for the resume."""

    epoch: int
    seq: int
    head: bytes
    nonce: bytes


class EntryFrame(Record, frozen=True, tag="entry"):
    """An entry's bytes."""

    data: bytes


class RequestFrame(Record, frozen=True, tag="request"):
    """A request's bytes."""

    data: bytes


class Knows(Record, frozen=True, tag="knows"):
    """What a machine knows already, as short hashes under `salt`: players met, matches held."""

    salt: bytes
    players: bytes
    matches: bytes


class Records(Record, frozen=True, tag="records"):
    """Signed records of finished matches, each as the entries that prove it."""

    records: tuple[tuple[bytes, ...], ...]
    is_last: bool


class Bye(Record, frozen=True, tag="bye"):
    """The link is about to close, and why, for the other player to read."""

    reason: str


Message = (
    Hello
    | Terms
    | Joined
    | Offer
    | Signed
    | Heads
    | EntryFrame
    | RequestFrame
    | Knows
    | Records
    | Bye
)

_encoder = msgspec.msgpack.Encoder(order="deterministic")
_decoder = msgspec.msgpack.Decoder(Message)


def pack(message: Message) -> bytes:
    """A frame."""
    return _encoder.encode(message)


def unpack(frame: bytes) -> Message:
    """The message in a frame. Raises `Malformed`."""
    if len(frame) > FRAME_BYTES:
        raise Malformed("the other machine sent a frame that is too long", what="frame")
    try:
        return _decoder.decode(frame)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        raise Malformed("the other machine sent what is no message", what="frame") from None
