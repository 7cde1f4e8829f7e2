"""What peers send each other: one frame, one message (VEIL 8).

A room, kept by K, and a visitor V, on one authenticated link:
1. V, K `Hello`: forms and versions; the identity signs both transport keys, so that nobody
   can stand between (answers: a relayed or borrowed identity).
2. V `Knock`: proofs of ticket and password (see `door`). 3. K `Welcome`, and a `RoomLine` for each
   statement so far.
4. V `RoomSay`: what it says. K puts it in order and sends it to all as `RoomLine` (see
   `statements`), until all have signed entry 0. Then entries and requests, on a link for each
   pair of seats.

After a break: `Hello` naming the match, `Heads` both ways, the missing entries, `Heads` again,
and `Signed` both ways under the resume that each side works out.

During a match besides: requests, and what declines them; talk; names for the save.

After a match, or when friends meet for nothing else: `Knows` and `Records` both ways (see
`meeting`).
"""

from __future__ import annotations

from typing import Final

import msgspec

from cloakboard.netplay.errors import Malformed
from cloakboard.netplay.transcript import Record

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


class Knock(Record, frozen=True, tag="knock"):
    """What lets the visitor in: 32 bytes each, or empty."""

    ticket: bytes
    password: bytes


class Welcome(Record, frozen=True, tag="welcome"):
    """The visitor may come in; so many statements follow that were said before."""

    lines: int


class RoomSay(Record, frozen=True, tag="say"):
    """A statement's bytes, for the keeper to put in order."""

    data: bytes


class RoomLine(Record, frozen=True, tag="line"):
    """The next statement's bytes."""

    data: bytes


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


class Declined(Record, frozen=True, tag="declined"):
    """The sender does not agree to the requests of this kind that are pending."""

    kind: str


class Said(Record, frozen=True, tag="said"):
    """Talk at the table; no part of the match. `phrase`: the id of a quick phrase, or empty and
    then `text` is what was typed."""

    phrase: str
    text: str


class Naming(Record, frozen=True, tag="naming"):
    """A name for the save of this match on both machines: proposed, or `agreed` to."""

    name: str
    agreed: bool


class Watching(Record, frozen=True, tag="watching"):
    """A spectator would see a match (see `gallery`); it has its first `entries` already."""

    entries: int


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
    | Knock
    | Welcome
    | RoomSay
    | RoomLine
    | Signed
    | Heads
    | EntryFrame
    | RequestFrame
    | Declined
    | Said
    | Naming
    | Watching
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
