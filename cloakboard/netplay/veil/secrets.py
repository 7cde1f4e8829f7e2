"""The secret of a seat, and all that is derived from it (VEIL 3, 4).

Whatever is derived is bound to what it is used for: equal inputs give equal bytes (the audit
regenerates every byte from S), and different inputs never share a derived secret.

S is bound twice. `Secret.bind(match, seat)` derives everything used in play. A few things
stand in entry 0 and so exist before the match id, the hash of entry 0, is known: the
commitment to S, the tip of the hash chain, the box key. They come from
`Secret.prepare(nonce, seat)`, where `nonce` is 32 bytes that the seats of a table drew
together; the two kinds of derivation have different domain tags and never meet.
"""

from __future__ import annotations

import hashlib
import hmac
from typing import Final, NoReturn

from nacl.bindings import crypto_secretbox_easy, crypto_secretbox_open_easy
from nacl.exceptions import CryptoError

from cloakboard.netplay.errors import Forged, Malformed

VERSION: Final = 1  # of every derivation and wire form in the veil
SECRET_BYTES: Final = 32
ACTION_BYTES: Final = 160  # every veiled action is padded to this; two of them hold its length
MAC_BYTES: Final = 16
NOTE_BYTES: Final = ACTION_BYTES + MAC_BYTES
COMMIT_BYTES: Final = 32

_LENGTH_BYTES: Final = 2
_INT_BYTES: Final = 8

Field = bytes | str | int


def lp(*fields: Field) -> bytes:
    """Fields as one string of bytes that no other fields give: each has its type and length.

    Integers are 0 .. 2**64 - 1, big-endian; text is UTF-8.
    """
    parts: list[bytes] = []
    for field in fields:
        if isinstance(field, bytes):
            mark, data = b"b", field
        elif isinstance(field, str):
            mark, data = b"s", field.encode()
        else:
            mark, data = b"i", field.to_bytes(_INT_BYTES, "big")
        parts += (mark, len(data).to_bytes(4, "big"), data)
    return b"".join(parts)


def tagged(*fields: Field, size: int = 32) -> bytes:
    """BLAKE2b of the length-prefixed fields, the first of which is a versioned domain tag."""
    return hashlib.blake2b(lp(*fields), digest_size=size).digest()


class Hidden:
    """A value that shows itself to nobody: not in `repr`, logs or tracebacks, not pickled."""

    __slots__ = ("_data",)

    def __init__(self, data: bytes) -> None:
        self._data = data

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return hmac.compare_digest(self._data, other._data)

    __hash__ = None  # type: ignore[assignment]  # a hash of a secret would say something of it

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError(f"a {type(self).__name__} is neither pickled nor copied")


class SeatSecret(Hidden):
    """S bound to one seat of one match (or of one table before its match has an id)."""

    __slots__ = ("_tag", "match", "seat")

    def __init__(self, data: bytes, tag: str, match: bytes, seat: int) -> None:
        super().__init__(data)
        self._tag = tag
        self.match = match
        self.seat = seat

    def __eq__(self, other: object) -> bool:
        same = super().__eq__(other)
        if same is not True or not isinstance(other, SeatSecret):
            return same
        return (self._tag, self.match, self.seat) == (other._tag, other.match, other.seat)

    __hash__ = None

    def prf(self, purpose: str, *context: Field) -> bytes:
        """64 bytes for this purpose and context alone (VEIL 3).

        BLAKE2b-512 under the key S of lp("cloak/1", match, seat, purpose, context).
        """
        message = lp(self._tag, self.match, self.seat, purpose, *context)
        return hashlib.blake2b(message, key=self._data).digest()

    def commitment(self) -> bytes:
        """32 bytes that fix S without showing it. Of a prepared secret: it stands in entry 0."""
        return _commitment(self._data, self.match, self.seat)


class Secret(Hidden):
    """S: 32 bytes from the operating system, for one seat of one match only (VEIL 3)."""

    __slots__ = ()

    def __init__(self, data: bytes) -> None:
        if not isinstance(data, bytes) or len(data) != SECRET_BYTES:
            raise Malformed(f"a seat's secret has {SECRET_BYTES} bytes", what="secret")
        super().__init__(data)

    def bind(self, match: bytes, seat: int) -> SeatSecret:
        """The secret as used in play; `match` is the hash of entry 0."""
        return SeatSecret(self._data, "cloak/1", match, seat)

    def prepare(self, nonce: bytes, seat: int) -> SeatSecret:
        """The secret as used to write entry 0; `nonce` is the table's, 32 bytes."""
        return SeatSecret(self._data, "cloak/prepare/1", nonce, seat)

    def reveal(self) -> bytes:
        """S itself, for the owner's sealed file and for the audit after the result only."""
        return self._data


def open_secret(commitment: bytes, nonce: bytes, seat: int, data: bytes) -> Secret:
    """The secret that `data` opens; raises `Forged` if the commitment is to another one."""
    secret = Secret(data)
    if not hmac.compare_digest(commitment, _commitment(data, nonce, seat)):
        raise Forged(
            "the opened secret is not the one promised at the start", what="secret", seat=seat
        )
    return secret


def commit_action(
    secret: SeatSecret, epoch: int, prev: bytes, slot: int, data: bytes
) -> tuple[bytes, bytes]:
    """(commitment, note) of a veiled action (VEIL 4): 32 and `NOTE_BYTES` bytes.

    `data` is its canonical bytes, at most `ACTION_BYTES - 2`; `prev` the hash of the entry
    before; `slot` its number among the commitments of its entry. The note's nonce is the
    start of the commitment, so that not even two actions at one place share a key stream.
    """
    padded = _pad(data)
    commit = action_commitment(secret, epoch, prev, slot, padded)
    key = _note_key(secret, epoch, prev, slot)
    return commit, crypto_secretbox_easy(padded, commit[:24], key)


def cover_commit(secret: SeatSecret, epoch: int, prev: bytes, slot: int) -> tuple[bytes, bytes]:
    """(commitment, note) of no action at all: of the same form as that of any action."""
    return commit_action(secret, epoch, prev, slot, b"")


def open_note(
    secret: SeatSecret, epoch: int, prev: bytes, slot: int, commit: bytes, note: bytes
) -> bytes:
    """The action that a commitment and note hold; empty if they are cover.

    Raises `Malformed` for a wrong length, `Forged` if the note does not open or is not what
    was committed to.
    """
    if len(commit) != COMMIT_BYTES or len(note) != NOTE_BYTES:
        raise Malformed("a commitment or its note has the wrong length", what="note")
    try:
        padded = crypto_secretbox_open_easy(note, commit[:24], _note_key(secret, epoch, prev, slot))
    except CryptoError:
        raise _bad_note(secret) from None
    if not hmac.compare_digest(commit, action_commitment(secret, epoch, prev, slot, padded)):
        raise _bad_commitment(secret)
    size = int.from_bytes(padded[:_LENGTH_BYTES], "big")
    data = padded[_LENGTH_BYTES : _LENGTH_BYTES + size]
    if _LENGTH_BYTES + size > ACTION_BYTES or padded != _pad(data):
        raise _bad_note(secret)
    return data


def action_commitment(
    secret: SeatSecret, epoch: int, prev: bytes, slot: int, padded: bytes
) -> bytes:
    """The commitment to an action already padded to `ACTION_BYTES`.

    Its nonce is derived from the action as well, so two actions never share one.
    """
    nonce = secret.prf("commit", epoch, prev, slot, padded)[:32]
    return tagged(
        "cloak/commit/1", VERSION, secret.match, secret.seat, epoch, prev, slot, nonce, padded
    )


def _note_key(secret: SeatSecret, epoch: int, prev: bytes, slot: int) -> bytes:
    return secret.prf("note", epoch, prev, slot)[:32]


def _commitment(data: bytes, nonce: bytes, seat: int) -> bytes:
    return tagged("cloak/secret/1", nonce, seat, data)


def _pad(data: bytes) -> bytes:
    if _LENGTH_BYTES + len(data) > ACTION_BYTES:
        raise Malformed(
            f"a veiled action of {len(data)} bytes is longer than {ACTION_BYTES - _LENGTH_BYTES}",
            what="action",
        )
    return (len(data).to_bytes(_LENGTH_BYTES, "big") + data).ljust(ACTION_BYTES, b"\0")


def _bad_note(secret: SeatSecret) -> Forged:
    return Forged("a sealed action does not open", what="note", seat=secret.seat)


def _bad_commitment(secret: SeatSecret) -> Forged:
    return Forged("an action is not the one committed to", what="commitment", seat=secret.seat)
