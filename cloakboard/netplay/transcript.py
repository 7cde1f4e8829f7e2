"""The transcript: one append-only chain of signed entries (VEIL 8).

1. Entry 0 is the `Opening`: game, options, start position, and for each seat its identity
   key and the commitments made before the first move. Every seat signs it; its hash is the
   match's id. (Answers: rules or secrets changed after the fact.)
2. Every later entry names the match, its epoch, its place, its author, the hash of the entry
   before it and the digest of the public state before it, and is signed by its author.
   (Answers: forks, replays from another match, a diverging engine.)
3. After a break all seats sign a `Resume`; only then may anyone sign anew, in the new epoch.
   (Answers: a crash that would make an honest seat sign two entries for one place.)

Everything here is a frozen struct with one canonical encoding; `read_*` refuse anything else.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Final, TypeVar

import msgspec

from cloakboard.engine.codec import digest
from cloakboard.netplay.errors import Forged, Malformed
from cloakboard.netplay.identity import Identity, verify

VERSION: Final = 1
ALL_SEATS: Final = -1  # author of an entry that every seat signs
NO_HASH: Final = bytes(32)
ENTRY_BYTES: Final = 512 * 1024  # the longest encoded entry

LARGEST_VALUE: Final = 1 << 40  # of a request's `value`

ENTRY_DOMAIN: Final = "cloak/entry/1"
JOINT_DOMAIN: Final = "cloak/joint/1"
REQUEST_DOMAIN: Final = "cloak/request/1"


class Record(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A struct that is stored or sent: fields in order, nothing unknown."""


class SeatOpening(Record, frozen=True):
    """What a seat lays down before the first move (VEIL 3, 7).

    `key`: identity (32 bytes); `name`: how it wishes to be shown; `commitment`: to S; `sealed`:
    S sealed to a key derived from the identity; `tip`: of its hash chain; `box`: X25519 key
    derived from S, for what is sealed to the seat.
    """

    key: bytes
    name: str
    box: bytes
    commitment: bytes
    sealed: bytes
    tip: bytes


class Opening(Record, frozen=True):
    """Body of entry 0. `options` of the game and settings of the `room`: (name, value)
    ascending; `nonce`: 32 fresh bytes that bind what the seats lay down to this table; `seats`:
    in order of play."""

    version: int
    app: str
    game: str
    rules_version: int
    options: tuple[tuple[str, bool | int | str], ...]
    setup: str
    room: tuple[tuple[str, bool | int | str], ...]
    nonce: bytes
    seats: tuple[SeatOpening, ...]


class Answer(Record, frozen=True, tag="a"):
    """Answer to a SHOW, TELL or CLAIM probe: canonical bytes of the game's answer."""

    data: bytes


class Ask(Record, frozen=True, tag="q"):
    """The asker's points of a blind lookup, 32 bytes each."""

    points: bytes


class Rows(Record, frozen=True, tag="r"):
    """The answerer's reply to an `Ask`."""

    points: bytes
    rows: bytes


class Link(Record, frozen=True, tag="l"):
    """One seat's link for a draw (VEIL 7)."""

    link: bytes


class Trace(Record, frozen=True, tag="t"):
    """What a veiled action shows: public events in order, then the public probe it asks next
    (empty if none), and whether the action is done."""

    events: tuple[bytes, ...]
    probe: bytes
    done: bool


Part = Answer | Ask | Rows | Link | Trace


class Act(Record, frozen=True, tag="act"):
    """An action with an open part; commitment and note of its secret part, or cover."""

    action: bytes
    commit: bytes
    note: bytes
    parts: tuple[Part, ...]


class Slot(Record, frozen=True, tag="slot"):
    """A veiled action: its commitment, its note, its lookups."""

    commit: bytes
    note: bytes
    parts: tuple[Part, ...]


class Reply(Record, frozen=True, tag="reply"):
    """Parts a seat owed without a choice."""

    parts: tuple[Part, ...]


class Take(Record, frozen=True, tag="take"):
    """Only takes in the requests of its header."""


class Agreed(Record, frozen=True, tag="agreed"):
    """What holds from this entry on, because its header has every seat's request for it: `kind`
    and `value` are those of the requests (VEIL 8)."""

    kind: str
    value: int


class Opened(Record, frozen=True, tag="opened"):
    """A seat opens its secret for the audit (VEIL 11)."""

    secret: bytes


class Outcome(Record, frozen=True):
    """How a match ended, as every seat signs it: seats that won (ascending, none: a draw), why,
    Turns, thinking time of all seats in milliseconds, and when (Unix time in seconds, by the
    clock of the first seat that signs)."""

    winners: tuple[int, ...] = ()
    reason: str = ""
    turns: int = 0
    used_ms: int = 0
    ended: int = 0


class Verdict(Record, frozen=True, tag="verdict"):
    """What the author's audit found: `clean`, or the sentence of the finding. Entry 0 and the
    verdicts of all seats prove to anybody how the match ended."""

    finding: str
    outcome: Outcome = Outcome()


class Resume(Record, frozen=True, tag="resume"):
    """All seats go on from `head` in a new epoch. `nonces`: one of each seat, fresh."""

    epoch: int
    head: bytes
    nonces: tuple[bytes, ...]


Body = Opening | Act | Slot | Reply | Take | Agreed | Opened | Verdict | Resume
TaggedBody = Act | Slot | Reply | Take | Agreed | Opened | Verdict | Resume


class Request(Record, frozen=True):
    """A signed wish that needs no floor. `kind`: one of `REQUESTS`; `head`: the last entry its
    author knew; `value`: of `undo` the number of the entry before which play goes on, of
    `extend` milliseconds, else 0."""

    match: bytes
    head: bytes
    seat: int
    kind: str
    value: int = 0
    signature: bytes = b""

    def signed_bytes(self) -> bytes:
        """What the signature covers."""
        return _encoder.encode(msgspec.structs.replace(self, signature=b""))


class Header(Record, frozen=True):
    """Header of an entry. `state`: digest of the public state before it; `used_ms`: its
    author's thinking time; `requests`: taken in with it; `body`: hash of the body."""

    version: int
    match: bytes
    epoch: int
    seq: int
    author: int
    prev: bytes
    state: bytes
    used_ms: int
    requests: tuple[Request, ...]
    body: bytes


class Entry(Record, frozen=True):
    """A header, its body's bytes, and the signature of the author, or of every seat."""

    header: Header
    body: bytes
    signatures: tuple[bytes, ...]


CONSENTED: Final = ("undo", "pause", "extend")
"""Requests that hold once every seat has made them: an `Agreed` entry takes them in together."""
GIVEN_UP: Final = MappingProxyType({"resign": "resigned", "time": "time"})
"""Requests by which a seat loses, and the reason that the result names."""
REQUESTS: Final = (*GIVEN_UP, "draw", "continue", *CONSENTED)

_encoder = msgspec.msgpack.Encoder(order="deterministic")
_entry_decoder = msgspec.msgpack.Decoder(Entry)
_opening_decoder = msgspec.msgpack.Decoder(Opening)
_body_decoder = msgspec.msgpack.Decoder(TaggedBody)
_request_decoder = msgspec.msgpack.Decoder(Request)

_T = TypeVar("_T")


def _strict(decoder: msgspec.msgpack.Decoder[_T], data: bytes, what: str) -> _T:
    if len(data) > ENTRY_BYTES:
        raise Malformed(f"{what} is longer than {ENTRY_BYTES} bytes")
    try:
        value = decoder.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise Malformed(f"{what} is not readable: {error}") from None
    if _encoder.encode(value) != data:
        raise Malformed(f"{what} is not in its canonical form")
    return value


def encode(record: Record) -> bytes:
    """The one encoding of a record."""
    return _encoder.encode(record)


def read_entry(data: bytes) -> Entry:
    """An entry from its bytes. Raises `Malformed`."""
    return _strict(_entry_decoder, data, "the entry")


def read_request(data: bytes) -> Request:
    """A request from its bytes. Raises `Malformed`."""
    return _strict(_request_decoder, data, "the request")


def read_opening(body: bytes) -> Opening:
    """The body of entry 0. Raises `Malformed`."""
    return _strict(_opening_decoder, body, "the opening")


def read_body(entry: Entry) -> TaggedBody:
    """The body of any later entry. Raises `Malformed`."""
    return _strict(_body_decoder, entry.body, "the entry's body")


def body_hash(body: bytes) -> bytes:
    """What a header says of its body."""
    return digest("cloak/body/1", body)


def header_hash(header: Header) -> bytes:
    """What the next entry's `prev` holds: the hash of the header, which holds the body's."""
    return digest("cloak/header/1", encode(header))


def sign_entry(identity: Identity, header: Header, body: bytes) -> Entry:
    """The entry signed by its one author."""
    return Entry(header, body, (identity.sign(ENTRY_DOMAIN, encode(header)),))


def sign_joint(identity: Identity, header: Header) -> bytes:
    """One seat's signature under an entry that every seat signs."""
    return identity.sign(JOINT_DOMAIN, encode(header))


def sign_request(identity: Identity, request: Request) -> Request:
    """The request with its signature."""
    signature = identity.sign(REQUEST_DOMAIN, request.signed_bytes())
    return msgspec.structs.replace(request, signature=signature)


def check_request(request: Request, keys: tuple[bytes, ...], match: bytes) -> Request:
    """The request itself if it is of this match and its seat signed it.

    Raises `Malformed` or `Forged`.
    """
    if not 0 <= request.seat < len(keys) or request.kind not in REQUESTS:
        raise Malformed(f"no seat can make the request {request.kind!r}")
    if not 0 <= request.value <= LARGEST_VALUE:
        raise Malformed("a request for what no number can be")
    if request.match != match:
        raise Forged("the request is of another match")
    verify(keys[request.seat], REQUEST_DOMAIN, request.signed_bytes(), request.signature)
    return request


def check_signatures(entry: Entry, keys: tuple[bytes, ...]) -> Entry:
    """The entry itself if its body is the one its header names and its author, or every
    seat, signed the header. Raises `Malformed` or `Forged`."""
    header = entry.header
    if header.version != VERSION:
        raise Malformed(f"entry {header.seq} has form {header.version}, this program reads 1")
    if body_hash(entry.body) != header.body:
        raise Forged(f"entry {header.seq} does not carry the body that its header names")
    if header.author == ALL_SEATS:
        signers, domain = keys, JOINT_DOMAIN
    elif 0 <= header.author < len(keys):
        signers, domain = (keys[header.author],), ENTRY_DOMAIN
    else:
        raise Malformed(f"entry {header.seq} names no seat of this match")
    if len(entry.signatures) != len(signers):
        raise Forged(f"entry {header.seq} lacks a signature")
    data = encode(header)
    for key, signature in zip(signers, entry.signatures, strict=True):
        verify(key, domain, data, signature)
    return entry
