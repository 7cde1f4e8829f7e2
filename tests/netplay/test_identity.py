"""The player's key: made once, kept safe, never replaced by accident."""

from __future__ import annotations

import re
import stat
import sys
from pathlib import Path

import pytest

from cloakboard.netplay.errors import Forged, Malformed
from cloakboard.netplay.identity import (
    FILE_NAME,
    Identity,
    default_name,
    fingerprint_words,
    verify,
)
from cloakboard.netplay.words import WORDS

SEED = bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")
KEY = bytes.fromhex("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")
DOMAIN = "cloak/test/1"


def test_the_key_is_the_one_of_rfc_8032_test_1() -> None:
    assert Identity(SEED).key == KEY


def test_the_second_start_finds_the_identity_of_the_first(tmp_path: Path) -> None:
    first = Identity.open(tmp_path)
    assert Identity.open(tmp_path).seed == first.seed
    assert [path.name for path in tmp_path.iterdir()] == [FILE_NAME]


def test_two_profiles_are_two_players(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    assert Identity.open(tmp_path / "a").key != Identity.open(tmp_path / "b").key


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX file modes")
def test_the_key_file_is_the_owners_alone_even_if_it_was_opened_up(tmp_path: Path) -> None:
    Identity.open(tmp_path)
    path = tmp_path / FILE_NAME
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o644)
    Identity.open(tmp_path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda text: b"", id="empty"),
        pytest.param(lambda text: text[:-2], id="last digit gone"),
        pytest.param(lambda text: text[:60], id="half"),
        pytest.param(lambda text: b"\xff" * len(text), id="not text"),
        pytest.param(lambda text: text.replace(b"-1 ", b"-2 "), id="another form"),
        pytest.param(
            lambda text: text[:25] + (b"1" if text[25:26] == b"0" else b"0") + text[26:],
            id="one digit of the secret differs",
        ),
    ],
)
def test_a_damaged_key_is_set_aside_and_not_replaced(tmp_path: Path, damage) -> None:  # type: ignore[no-untyped-def]  # a table of lambdas
    Identity.open(tmp_path)
    path = tmp_path / FILE_NAME
    damaged = damage(path.read_bytes())
    path.write_bytes(damaged)

    with pytest.raises(Malformed, match=r"identity\.damaged; put a good copy back") as caught:
        Identity.open(tmp_path)

    assert caught.value.what == "key file"
    assert not path.exists()
    assert (tmp_path / "identity.damaged").read_bytes() == damaged


def test_a_second_damaged_key_does_not_overwrite_the_first_one_kept(tmp_path: Path) -> None:
    for content in (b"one", b"two"):
        (tmp_path / FILE_NAME).write_bytes(content)
        with pytest.raises(Malformed):
            Identity.open(tmp_path)
    assert (tmp_path / "identity.damaged").read_bytes() == b"one"
    assert (tmp_path / "identity.damaged.2").read_bytes() == b"two"


def test_verify_returns_what_was_signed() -> None:
    signature = Identity(SEED).sign(DOMAIN, b"entry")
    assert len(signature) == 64
    assert verify(KEY, DOMAIN, b"entry", signature) == b"entry"


OTHER = Identity(bytes(32))
SIGNATURE = Identity(SEED).sign(DOMAIN, b"entry")


@pytest.mark.parametrize(
    ("key", "domain", "data", "signature"),
    [
        pytest.param(OTHER.key, DOMAIN, b"entry", SIGNATURE, id="another key"),
        pytest.param(KEY, "cloak/test/2", b"entry", SIGNATURE, id="another domain"),
        pytest.param(KEY, DOMAIN, b"entrz", SIGNATURE, id="other data"),
        pytest.param(KEY, DOMAIN, b"entry", SIGNATURE[:-1], id="short signature"),
        pytest.param(KEY, DOMAIN, b"entry", b"", id="no signature"),
        pytest.param(KEY, DOMAIN, b"entry", bytes(64), id="zero signature"),
        pytest.param(KEY[:-1], DOMAIN, b"entry", SIGNATURE, id="short key"),
        pytest.param(bytes(32), DOMAIN, b"entry", bytes(64), id="small-order key"),
        pytest.param(KEY, DOMAIN + "e", b"ntry", SIGNATURE, id="border of tag and data moved"),
    ],
)
def test_verify_refuses(key: bytes, domain: str, data: bytes, signature: bytes) -> None:
    with pytest.raises(Forged) as caught:
        verify(key, domain, data, signature)
    assert caught.value.what == "signature"


def test_nothing_printed_holds_the_secret() -> None:
    identity = Identity(SEED)
    for text in (repr(identity), str(identity), f"{identity}"):
        assert SEED.hex()[:8] not in text
        assert repr(SEED) not in text


def test_derived_secrets_differ_by_purpose_and_player_and_show_nothing() -> None:
    identity = Identity(SEED)
    secrets = {
        identity.derive("cloak/a/1"),
        identity.derive("cloak/b/1"),
        OTHER.derive("cloak/a/1"),
        identity.transport_secret(),
        SEED,
    }
    assert len(secrets) == 5
    assert identity.derive("cloak/a/1") == Identity(SEED).derive("cloak/a/1")
    assert Identity(identity.transport_secret()).key != identity.key


def test_fingerprints_are_six_words_of_256_told_apart_by_four_letters() -> None:
    assert len({word[:4] for word in WORDS}) == len(WORDS) == 256
    assert all(re.fullmatch(r"[a-z]{3,8}", word) for word in WORDS)
    words = fingerprint_words(KEY).split()
    assert len(words) == 6 and set(words) <= set(WORDS)
    assert fingerprint_words(OTHER.key) != fingerprint_words(KEY)


def test_the_default_name_is_two_words_of_the_fingerprint() -> None:
    first, second = fingerprint_words(KEY).split()[:2]
    assert default_name(KEY) == f"{first.capitalize()} {second.capitalize()}"


def test_the_default_name_says_no_word_twice() -> None:
    key = (22).to_bytes(32)
    assert fingerprint_words(key).startswith("acorn acorn shell ")
    assert default_name(key) == "Acorn Shell"
