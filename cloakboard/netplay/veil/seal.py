"""Data that only its owner opens again (VEIL 3), and the box key of a seat.

The key comes from the identity's seed, so that a lost private file is restored from any copy
of the transcript. The nonce comes from the data: sealing needs no randomness, and no two
data share a key stream.
"""

from __future__ import annotations

import hashlib
from typing import Final

from nacl.bindings import (
    crypto_scalarmult_base,
    crypto_secretbox_easy,
    crypto_secretbox_open_easy,
)
from nacl.exceptions import CryptoError

from cloakboard.netplay.errors import Forged, Malformed
from cloakboard.netplay.veil.secrets import Field, SeatSecret, lp

NONCE_BYTES: Final = 24
SEAL_BYTES: Final = NONCE_BYTES + 16  # by which sealing lengthens the data


def seal_to_identity(identity_seed: bytes, context: tuple[Field, ...], data: bytes) -> bytes:
    """The data sealed for the holder of the identity's 32-byte seed, bound to a context."""
    nonce = _derive(identity_seed, "nonce", context, data)[:NONCE_BYTES]
    return nonce + crypto_secretbox_easy(data, nonce, _key(identity_seed, context))


def open_sealed(identity_seed: bytes, context: tuple[Field, ...], sealed: bytes) -> bytes:
    """What was sealed; raises `Malformed` if too short, `Forged` if it is another identity's,
    for another context, or altered."""
    if len(sealed) < SEAL_BYTES:
        raise Malformed("sealed data is too short", what="seal")
    nonce, box = sealed[:NONCE_BYTES], sealed[NONCE_BYTES:]
    try:
        return crypto_secretbox_open_easy(box, nonce, _key(identity_seed, context))
    except CryptoError:
        raise Forged(
            "this was not sealed by this identity, or it is damaged", what="seal"
        ) from None


def box_public(prepared: SeatSecret) -> bytes:
    """The seat's X25519 public key, 32 bytes, from its prepared secret; stands in entry 0."""
    return crypto_scalarmult_base(prepared.prf("box")[:32])


def _key(identity_seed: bytes, context: tuple[Field, ...]) -> bytes:
    return _derive(identity_seed, "key", context)[:32]


def _derive(seed: bytes, part: str, context: tuple[Field, ...], data: bytes = b"") -> bytes:
    return hashlib.blake2b(lp("cloak/seal/1", part, lp(*context), data), key=seed).digest()
