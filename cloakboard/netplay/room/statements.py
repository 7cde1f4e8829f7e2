"""What the members of a room say, signed, in one order (ARCHITECTURE 3.2).

The machine that opened the room puts what is said in order and sends it on; it decides nothing.

1. `Said` names the room, its author and the author's own count, and is signed. (Answers: a
   consent that nobody gave, one given twice or in another room, one left out.) Once it has come in
   a machine takes nothing for its own word that it has not just said. (Answers: an agreement of an
   earlier stay told again, so that one match begins twice and its seats sign two versions of it.)
2. It also names the place up to which its author had heard, and the hash of all that was said
   until there. (Answers: an order told one way to one member and another way to the next.)
3. `Ready` names the digest of everything agreed, and a fresh commitment to a share of the coin.
   (Answers: terms changed while somebody said yes; a coin chosen by one side.)
4. When all are ready, each opens its share. Seats follow from the wishes and the coin.
5. Each lays down its seat's part of entry 0, works out the whole by itself, and signs that.
   (Answers: an entry 0 that is not what was agreed.)

Who opens its share last knows the coin before the others and can leave; that is seen by all, and
the next coin is a fresh one. No two machines alone can do better.
"""

from __future__ import annotations

from typing import Annotated, Final

import msgspec

from cloakboard.netplay.errors import Malformed
from cloakboard.netplay.identity import Identity
from cloakboard.netplay.transcript import Record, SeatOpening
from cloakboard.netplay.veil.secrets import tagged

SAID_DOMAIN: Final = "cloak/said/1"
NO_WISH: Final = -1
SAID_BYTES: Final = 64 * 1024  # the longest statement
SETUP_LENGTH: Final = 32 * 1024  # characters of a start position
MOST_CHANGES: Final = 128  # options or settings in one request
COIN_BYTES: Final = 32

Bytes32 = Annotated[bytes, msgspec.Meta(min_length=32, max_length=32)]
Short = Annotated[str, msgspec.Meta(max_length=80)]
Sentence = Annotated[str, msgspec.Meta(max_length=300)]
Address = Annotated[str, msgspec.Meta(max_length=1024)]
Wished = Annotated[int, msgspec.Meta(ge=NO_WISH, le=15)]
Place = Annotated[int, msgspec.Meta(ge=0, le=1 << 20)]
Value = bool | int | Short
Values = Annotated[tuple[tuple[Short, Value], ...], msgspec.Meta(max_length=MOST_CHANGES)]
SetupText = Annotated[str, msgspec.Meta(max_length=SETUP_LENGTH)]


class Enter(Record, frozen=True, tag="enter"):
    """Takes part. `wish`: the seat it would like; `address`: where the others can dial it."""

    name: Short
    wish: Wished
    address: Address


class Open(Record, frozen=True, tag="open"):
    """The first statement of a room: what is to be played, and the first member."""

    app: Short
    game: Short
    rules_version: Place
    options: Values
    setup: SetupText
    title: Short
    settings: Values
    first: Enter


class Wish(Record, frozen=True, tag="wish"):
    """Would like another seat, or (`NO_WISH`) any."""

    seat: Wished


class Rules(Record, frozen=True, tag="rules"):
    """These options of the game."""

    options: Values


class House(Record, frozen=True, tag="house"):
    """These settings of the room."""

    settings: Values


class Start(Record, frozen=True, tag="start"):
    """This start position, and with it these options and no other changes. `title`: for the
    players alone."""

    setup: SetupText
    title: Short
    options: Values


class Load(Record, frozen=True, tag="load"):
    """Go on with the match of that id, which all members have; empty: with a new one after all."""

    match: Annotated[bytes, msgspec.Meta(max_length=32)]
    title: Short


class Swap(Record, frozen=True, tag="swap"):
    """Its author and that member exchange their seats."""

    other: Bytes32


Change = Rules | House | Start | Load | Swap


class Ask(Record, frozen=True, tag="ask"):
    """Asks the others for a change."""

    change: Change


class Accept(Record, frozen=True, tag="accept"):
    """Accepts the request said at that place."""

    request: Place


class Decline(Record, frozen=True, tag="decline"):
    """Declines it, or, said by who asked, takes it back."""

    request: Place


class Ready(Record, frozen=True, tag="ready"):
    """Wants to begin on exactly these terms. `share`: a commitment to its share of the coin."""

    terms: Bytes32
    share: Bytes32


class Unready(Record, frozen=True, tag="unready"):
    """Takes that back."""


class Share(Record, frozen=True, tag="share"):
    """Opens its share of the coin."""

    coin: Bytes32


class Lay(Record, frozen=True, tag="lay"):
    """What it lays down for its seat."""

    seat: SeatOpening


class Sign(Record, frozen=True, tag="sign"):
    """Its signature under entry 0, as it has worked it out."""

    signature: Annotated[bytes, msgspec.Meta(min_length=64, max_length=64)]


class Chat(Record, frozen=True, tag="chat"):
    """A line to the others."""

    text: Sentence


class Leave(Record, frozen=True, tag="leave"):
    """Leaves the room."""

    reason: Sentence


class Gone(Record, frozen=True, tag="gone"):
    """The way to that member is gone, or it sent nonsense: said by who keeps the room."""

    member: Bytes32
    reason: Sentence


class Close(Record, frozen=True, tag="close"):
    """Ends the negotiation for all."""

    reason: Sentence


Body = (
    Open
    | Enter
    | Wish
    | Ask
    | Accept
    | Decline
    | Ready
    | Unready
    | Share
    | Lay
    | Sign
    | Chat
    | Leave
    | Gone
    | Close
)


class Said(Record, frozen=True):
    """A statement. `number`: the author's own count from 1; `heard`: how many statements it had
    heard, and `head` the hash of these."""

    room: bytes
    author: Bytes32
    number: Place
    heard: Place
    head: Bytes32
    body: Body
    signature: bytes = b""

    def signed_bytes(self) -> bytes:
        """What the signature covers."""
        return _encoder.encode(msgspec.structs.replace(self, signature=b""))


_encoder = msgspec.msgpack.Encoder(order="deterministic")
_decoder = msgspec.msgpack.Decoder(Said)


def sign_said(identity: Identity, said: Said) -> bytes:
    """The statement's bytes, signed."""
    signature = identity.sign(SAID_DOMAIN, said.signed_bytes())
    return _encoder.encode(msgspec.structs.replace(said, signature=signature))


def read_said(data: bytes) -> Said:
    """A statement from its bytes, its signature not yet checked. Raises `Malformed`."""
    if len(data) > SAID_BYTES:
        raise Malformed("something said in the room is too long", what="said")
    try:
        said = _decoder.decode(data)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        raise Malformed("something said in the room cannot be read", what="said") from None
    if _encoder.encode(said) != data:
        raise Malformed("something said in the room is not in its one form", what="said")
    return said


def first_head(room: bytes) -> bytes:
    """The hash of a room in which nothing has been said."""
    return tagged("cloak/room/1", room)


def next_head(head: bytes, data: bytes) -> bytes:
    """The hash after one more statement."""
    return tagged("cloak/room/1", head, data)


def commit_share(room: bytes, key: bytes, terms: bytes, coin: bytes) -> bytes:
    """The commitment to a share of the coin, bound to its room, member and terms."""
    return tagged("cloak/share/1", room, key, terms, coin)
