"""Who a player is: one Ed25519 key, made at the first start and kept in the profile folder.

The seat of a match is bound to this key, so losing it loses running matches and the history
that friends know; a damaged key file is therefore never replaced without the player's doing.
The key that the transport uses is derived from it one way and is not the same key (VEIL 8).
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Final

from nacl.exceptions import BadSignatureError
from nacl.signing import SigningKey, VerifyKey

from cloakboard.netplay.errors import Forged, Malformed
from cloakboard.netplay.files import OWNER_ONLY, replace_file, set_aside
from cloakboard.netplay.words import WORDS

FILE_NAME: Final = "identity.key"
KEY_BYTES: Final = 32
SIGNATURE_BYTES: Final = 64
_FORM: Final = "cloakboard-identity-1"
_FINGERPRINT_WORDS: Final = 6


class Identity:
    """A player's signing key. Neither `repr` nor `str` shows more than the public half."""

    __slots__ = ("_signer", "key")

    def __init__(self, seed: bytes) -> None:
        """From 32 secret bytes. `key` is the public key, 32 bytes."""
        self._signer = SigningKey(seed)
        self.key: Final = bytes(self._signer.verify_key)

    @classmethod
    def open(cls, folder: Path) -> Identity:
        """The identity kept in `folder`; a new one is made and kept if there is none.

        Raises `Malformed` if the key file is damaged (it is then renamed, not overwritten).
        """
        path = folder / FILE_NAME
        try:
            text = path.read_bytes()
        except FileNotFoundError:
            identity = cls(os.urandom(KEY_BYTES))
            replace_file(path, identity._file())
            return identity
        except OSError as error:
            raise Malformed(
                f"the key file {path} cannot be read ({error.strerror}); "
                "make it readable for you and start again",
                what="key file",
            ) from error
        kept = _read_identity(text)
        if kept is None:
            aside = set_aside(path, "damaged")
            raise Malformed(
                f"the key file {path} is damaged and was moved to {aside}; put a good copy back "
                "at its place to stay who you are, or start again to play under a new key",
                what="key file",
            )
        os.chmod(path, OWNER_ONLY)
        return kept

    @property
    def seed(self) -> bytes:
        """The 32 secret bytes. They go to no log, no error text, no peer."""
        return bytes(self._signer)

    def sign(self, domain: str, data: bytes) -> bytes:
        """A 64-byte signature of `data` for one purpose, named by a versioned `domain` tag."""
        return self._signer.sign(_message(domain, data)).signature

    def derive(self, purpose: str) -> bytes:
        """32 secret bytes for one named, versioned purpose, such as sealing a save."""
        return hashlib.blake2b(
            _message("cloak/derive/1", purpose.encode()), key=bytes(self._signer), digest_size=32
        ).digest()

    def transport_secret(self) -> bytes:
        """The secret of the key that the transport is dialled by: lasting, so that a match can
        be resumed at its stored address, and telling nothing of the identity's own secret."""
        return self.derive("cloak/transport/1")

    def __repr__(self) -> str:
        return f"Identity({fingerprint_words(self.key)})"

    def _file(self) -> bytes:
        return f"{_FORM} {self.seed.hex()} {self.key.hex()}\n".encode()


def verify(key: bytes, domain: str, data: bytes, signature: bytes) -> bytes:
    """`data`, if `signature` is `key`'s for `domain` and `data`. Raises `Forged`."""
    if len(key) == KEY_BYTES and len(signature) == SIGNATURE_BYTES:
        try:
            VerifyKey(key).verify(_message(domain, data), signature)
        except BadSignatureError:
            pass
        else:
            return data
    raise Forged(f"a signature for {domain} is not by the key it claims", what="signature")


def fingerprint_words(key: bytes) -> str:
    """Six words that stand for a public key, for two people to compare aloud (48 bits)."""
    digest = hashlib.blake2b(
        _message("cloak/fingerprint/1", key), digest_size=_FINGERPRINT_WORDS
    ).digest()
    return " ".join(WORDS[byte] for byte in digest)


def default_name(key: bytes) -> str:
    """What a player is called until a name is chosen: the first two different fingerprint
    words."""
    return " ".join(list(dict.fromkeys(fingerprint_words(key).title().split()))[:2])


def _message(domain: str, data: bytes) -> bytes:
    """The tag's length, the tag, the data: no tag and data can be read as another pair."""
    tag = domain.encode()
    return len(tag).to_bytes(2, "big") + tag + data


def _read_identity(text: bytes) -> Identity | None:
    """The identity a key file holds; the public half in it is the check of the secret one."""
    try:
        form, seed, key = text.decode("ascii").split()
        identity = Identity(bytes.fromhex(seed))
        return identity if form == _FORM and identity.key.hex() == key else None
    except ValueError:
        return None
