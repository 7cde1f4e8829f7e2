"""Canonical bytes of a game's records, and the digests that peers agree on.

A record has exactly one encoding: msgpack with struct fields in the order of their
definition and map keys sorted. Whatever comes from outside is decoded strictly and encoded
again; if the bytes differ, it was not canonical and is refused.
"""

from __future__ import annotations

import hashlib
from typing import Any, Final

import msgspec

from cloakboard.engine.errors import Malformed
from cloakboard.engine.game import Game, State

RECORD_LIMIT: Final = 1 << 16  # bytes; above any single action, event, probe, answer or label
STATE_LIMIT: Final = 1 << 20  # bytes; above any state, histories of counters included
_LENGTH_BYTES: Final = 8
_PERSON: Final = b"cloakboard/1"
_ENCODER: Final = msgspec.msgpack.Encoder(order="deterministic")
# What strict decoding of hostile bytes can raise: bad form, bad UTF-8, too deep a nesting.
_REFUSALS: Final = (msgspec.MsgspecError, ValueError, OverflowError, RecursionError)


def encode(record: Any) -> bytes:
    """Canonical bytes of any record made of structs, tuples, integers, text and enums."""
    return _ENCODER.encode(record)


def lp(*parts: bytes) -> bytes:
    """The parts joined, each after its length as 8 big-endian bytes: no two lists of parts
    give the same bytes."""
    joined = bytearray()
    for part in parts:
        joined += len(part).to_bytes(_LENGTH_BYTES, "big")
        joined += part
    return bytes(joined)


def digest(domain: str, data: bytes) -> bytes:
    """32 bytes: BLAKE2b-256 (RFC 7693) of `data` under a domain tag.

    Equal data under two tags has unrelated digests, so that no digest can be passed off as
    one made for another use.
    """
    return hashlib.blake2b(lp(domain.encode(), data), digest_size=32, person=_PERSON).digest()


def state_digest(game: Game, state: State) -> bytes:
    """The 32 bytes that all machines of a match agree on: the digest of the *public* state,
    with the game's id and version of the rules. `state` may be full, a view, or public."""
    header = game.id.encode(), game.rules_version.to_bytes(4, "big")
    return digest("state", lp(*header, encode(game.public(state))))


class Coder:
    """Encodes and strictly decodes one type of record of at most `limit` bytes. A `kind` of
    None stands for records that a game does not have: no bytes decode to one."""

    def __init__(self, kind: Any, limit: int = RECORD_LIMIT) -> None:
        self._exists = kind is not None
        self._decoder: msgspec.msgpack.Decoder[Any] = msgspec.msgpack.Decoder(kind, strict=True)
        self.limit = limit

    def encode(self, record: Any) -> bytes:
        """Canonical bytes of the record."""
        return _ENCODER.encode(record)

    def decode(self, data: bytes) -> Any:
        """The record of these bytes. Raises `Malformed` if they are too long, no record of
        this type, or not its canonical encoding."""
        if len(data) > self.limit:
            raise Malformed(f"a record of {len(data)} bytes is longer than {self.limit} bytes")
        if not self._exists:
            raise Malformed("a record of a kind that this game does not have")
        try:
            record = self._decoder.decode(data)
        except _REFUSALS as error:
            raise Malformed(f"not a record of the expected kind: {error}") from error
        if _ENCODER.encode(record) != data:
            raise Malformed("a record that is not in its one canonical form")
        return record


class Codec:
    """The coders of one game, by type of record: `codec.action.encode(action)`."""

    def __init__(self, game: Game) -> None:
        self.state = Coder(game.types.state, STATE_LIMIT)
        self.action = Coder(game.types.action)
        self.event = Coder(game.types.event)
        self.probe = Coder(game.types.probe)
        self.answer = Coder(game.types.answer)
        self.label = Coder(game.types.label)
