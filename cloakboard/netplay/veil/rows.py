"""The rows of an answer to a blind lookup: what each is bound to, and what opens it (VEIL 5).

A row is a locator, a hidden label and a MAC. All three come from 64 bytes that hang on the
lookup, on the list asked, on the row's name and on one group element, `b * H(key)`: a
random oracle of what only the owner, or an asker of that key, can work out.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable
from functools import cache
from typing import Final

import msgspec

from cloakboard.netplay.errors import Malformed
from cloakboard.netplay.veil.group import Point
from cloakboard.netplay.veil.secrets import Field, lp, tagged

LOCATOR_BYTES: Final = 16
MAC_BYTES: Final = 16
NAME_BYTES: Final = 32

_PAD_BYTES: Final = 32  # the part of a row's key that hides its label
_BLOCK_BYTES: Final = 64
_FILLER: Final = b"\xff"  # how a filler's name begins; that of every key begins with a zero


class Context(msgspec.Struct, frozen=True):
    """What a lookup is bound to.

    `version` of the protocol; `match` its id; `epoch`, `lookup` the numbers that only grow;
    `kind` as in `Game.lookups`; `asker` and `owner` the seats; `prev` the hash of an entry
    that the answer is to be bound to (a question is not, for it may wait).
    """

    version: int
    match: bytes
    epoch: int
    lookup: int
    kind: str
    asker: int
    owner: int
    prev: bytes = b""

    def fields(self) -> tuple[Field, ...]:
        """All of it, in order."""
        place = (self.version, self.match, self.epoch, self.lookup)
        return (*place, self.kind, self.asker, self.owner, self.prev)


def row_bytes(label_bytes: int) -> int:
    """Length of one row."""
    return LOCATOR_BYTES + label_bytes + MAC_BYTES


def key_name(key: int) -> bytes:
    """What a row is named after its key."""
    return key.to_bytes(NAME_BYTES, "big")


def filler_name(derived: bytes) -> bytes:
    """A name that is no key's, and nobody's to guess, from 32 derived bytes."""
    return _FILLER + derived[len(_FILLER) : NAME_BYTES]


def asked_hash(asked: bytes) -> bytes:
    """Hash of the points of a question, one after another."""
    return tagged("cloak/asked/1", asked)


def row_keys(ctx: Context, asked: bytes) -> Callable[[bytes, Point], bytes]:
    """The function from (name, element) to a row's 64-byte key: locator, pad, MAC key."""
    start = hashlib.blake2b(lp("cloak/row/1", *ctx.fields(), asked_hash(asked)))

    def row_key(name: bytes, element: Point) -> bytes:
        hasher = start.copy()
        hasher.update(name + element.data)  # both of fixed length
        return hasher.digest()

    return row_key


def close_row(row_key: bytes, label: bytes) -> bytes:
    """The row of a label."""
    hidden = _mask(row_key, label)
    return row_key[:LOCATOR_BYTES] + hidden + _mac(row_key, hidden)


def open_row(row_key: bytes, body: bytes) -> bytes | None:
    """The label of a row's body (hidden label, MAC), or None if its MAC fails."""
    hidden, mac = body[:-MAC_BYTES], body[-MAC_BYTES:]
    label = _mask(row_key, hidden)
    return label if hmac.compare_digest(mac, _mac(row_key, hidden)) else None


def split_rows(data: bytes, count: int, label_bytes: int) -> dict[bytes, bytes]:
    """Locator to body of each row; raises `Malformed` unless the locators rise strictly."""
    size = row_bytes(label_bytes)
    if len(data) != count * size:
        raise Malformed(f"{count} rows do not have {len(data)} bytes", what="rows")
    table: dict[bytes, bytes] = {}
    last = b""
    for start in range(0, len(data), size):
        locator = data[start : start + LOCATOR_BYTES]
        if locator <= last:
            raise Malformed("the rows of an answer are not in rising order", what="rows")
        table[locator] = data[start + LOCATOR_BYTES : start + size]
        last = locator
    return table


def _mask(row_key: bytes, label: bytes) -> bytes:
    """The label with the pad over it; a second time undoes it."""
    size = len(label)
    pad = row_key[LOCATOR_BYTES : LOCATOR_BYTES + _PAD_BYTES]
    if size > _PAD_BYTES:
        pad = b"".join(
            [
                hashlib.blake2b(_pad_block(number), key=pad).digest()
                for number in range((size + _BLOCK_BYTES - 1) // _BLOCK_BYTES)
            ]
        )
    mixed = int.from_bytes(label, "big") ^ int.from_bytes(pad[:size], "big")
    return mixed.to_bytes(size, "big")


@cache
def _pad_block(number: int) -> bytes:
    return lp("cloak/pad/1", number)


def _mac(row_key: bytes, hidden: bytes) -> bytes:
    mac_key = row_key[LOCATOR_BYTES + _PAD_BYTES :]
    return hashlib.blake2b(hidden, key=mac_key, digest_size=MAC_BYTES).digest()
