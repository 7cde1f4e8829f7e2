"""VEIL 3: what the holder of an identity alone opens again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nacl.public import PrivateKey

from cloakboard.netplay.errors import Forged, Malformed
from cloakboard.netplay.veil.seal import SEAL_BYTES, box_public, open_sealed, seal_to_identity
from cloakboard.netplay.veil.secrets import Secret

SEED = b"I" * 32


@given(st.binary(max_size=80))
def test_sealed_data_opens_again_and_equal_data_gives_equal_bytes(data: bytes) -> None:
    sealed = seal_to_identity(SEED, ("secret", b"table", 1), data)
    assert len(sealed) == len(data) + SEAL_BYTES
    assert sealed == seal_to_identity(SEED, ("secret", b"table", 1), data)
    assert open_sealed(SEED, ("secret", b"table", 1), sealed) == data


def test_another_identity_context_or_byte_opens_nothing() -> None:
    sealed = seal_to_identity(SEED, ("secret", 1), b"data")
    cases = [(b"i" * 32, ("secret", 1), sealed), (SEED, ("secret", 2), sealed)]
    cases += [
        (SEED, ("secret", 1), sealed[:at] + bytes([sealed[at] ^ 1]) + sealed[at + 1 :])
        for at in range(len(sealed))
    ]
    for case in cases:
        with pytest.raises(Forged) as refused:
            open_sealed(*case)
        assert refused.value.what == "seal"


@given(st.binary(max_size=SEAL_BYTES + 20))
def test_any_bytes_as_sealed_data_are_refused(data: bytes) -> None:
    with pytest.raises(Malformed if len(data) < SEAL_BYTES else Forged):
        open_sealed(SEED, ("secret",), data)


def test_different_data_share_no_nonce() -> None:
    sealed = {seal_to_identity(SEED, ("secret",), bytes([number]))[:24] for number in range(50)}
    assert len(sealed) == 50


def test_the_box_key_is_x25519_from_the_prepared_secret() -> None:
    prepared = Secret(b"S" * 32).prepare(b"N" * 32, 0)
    expected = bytes(PrivateKey(prepared.prf("box")[:32]).public_key)
    assert box_public(prepared) == expected
