"""Adverts: signed by the host, bounded, and nothing else is read."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cloakboard.netplay.errors import Forged, Malformed, NetplayError, Stale
from cloakboard.netplay.finding.advert import (
    ADVERT_DOMAIN,
    LIFE_S,
    MAX_ADVERT,
    SKEW_S,
    Advert,
    make_advert,
    read_advert,
    sign_advert,
)
from cloakboard.netplay.identity import Identity
from cloakboard.netplay.invite import Invite, parse_invite

ANN, BOB = Identity(b"a" * 32), Identity(b"b" * 32)
NOW = 1_800_000_000
INVITE = Invite("endpointabc", bytes(range(16)), ANN.key)
ADVERT = make_advert(
    INVITE,
    game="wec",
    rules_version=3,
    host="Ann",
    seats=2,
    free=1,
    title="Friday",
    settings={"practice": True, "limit": 30, "government": "kingdom"},
)
SIGNED = sign_advert(ANN, ADVERT, 7, NOW)


def forged(
    key: bytes = ANN.key, signer: Identity = ANN, domain: str = ADVERT_DOMAIN, **changes: Any
) -> bytes:
    """Bytes of an advert with other fields, signed as given."""
    advert = msgspec.structs.replace(ADVERT, counter=7, expires=NOW + LIFE_S, **changes)
    body = msgspec.msgpack.encode(advert, order="deterministic")
    return msgspec.msgpack.encode([key, body, signer.sign(domain, body)])


def test_what_the_host_signed_is_read_by_others() -> None:
    read = read_advert(SIGNED, NOW)
    assert read == msgspec.structs.replace(ADVERT, counter=7, expires=NOW + LIFE_S)
    assert (read.key, read.room) == (ANN.key, bytes(range(16)))
    assert parse_invite(read.text()) == INVITE
    assert [read.setting(n) for n in ("practice", "limit", "government", "chat")] == [
        True,
        30,
        "kingdom",
        None,
    ]


def test_the_form_is_key_body_and_signature() -> None:
    assert forged() == SIGNED


@pytest.mark.parametrize(
    ("data", "error", "why"),
    [
        pytest.param(b"", Malformed, "form", id="nothing"),
        pytest.param(SIGNED + b"\0", Malformed, "form", id="something after it"),
        pytest.param(b"\0" * (MAX_ADVERT + 1), Malformed, "too long", id="too long"),
        pytest.param(forged(signer=BOB), Forged, "signature", id="another's signature"),
        pytest.param(forged(domain="cloak/hello/1"), Forged, "signature", id="another purpose"),
        pytest.param(forged(BOB.key, BOB), Forged, "another player's room", id="another's invite"),
        pytest.param(forged(host=""), Malformed, "form", id="no name"),
        pytest.param(forged(host="a\nb"), Malformed, "shown", id="a name of two lines"),
        pytest.param(forged(host="a\u202eb"), Malformed, "shown", id="a name that turns"),
        pytest.param(forged(title="x" * 61), Malformed, "form", id="a long title"),
        pytest.param(forged(settings=(("a", 1), ("a", 2))), Malformed, "twice", id="twice"),
        pytest.param(forged(settings=(("a", 1.5),)), Malformed, "form", id="a fraction"),
        pytest.param(forged(settings=(("a", "\x1b[2J"),)), Malformed, "shown", id="a control"),
        pytest.param(
            forged(settings=tuple((f"n{n}", 1) for n in range(33))), Malformed, "form", id="many"
        ),
        pytest.param(forged(free=3), Malformed, "free", id="too many free"),
        pytest.param(forged(seats=17), Malformed, "form", id="too many seats"),
    ],
)
def test_what_is_not_an_advert_is_refused(data: bytes, error: type[Exception], why: str) -> None:
    with pytest.raises(error, match=why):
        read_advert(data, NOW)


@pytest.mark.parametrize("at", range(0, len(SIGNED), 7))
def test_a_changed_byte_is_refused(at: int) -> None:
    changed = bytearray(SIGNED)
    changed[at] ^= 1
    with pytest.raises(NetplayError):
        read_advert(bytes(changed), NOW)


@pytest.mark.parametrize(
    ("seconds", "is_read"),
    [
        pytest.param(LIFE_S + SKEW_S - 1, True, id="the last second"),
        pytest.param(LIFE_S + SKEW_S, False, id="expired"),
        pytest.param(-SKEW_S, True, id="the host's clock is ahead"),
        pytest.param(-SKEW_S - 1, False, id="kept for ever"),
    ],
)
def test_an_advert_holds_for_its_time(seconds: int, is_read: bool) -> None:
    if is_read:
        assert read_advert(SIGNED, NOW + seconds).host == "Ann"
    else:
        with pytest.raises(Stale):
            read_advert(SIGNED, NOW + seconds)


def test_a_room_is_shown_by_its_host_alone() -> None:
    with pytest.raises(Malformed, match="host alone"):
        sign_advert(BOB, ADVERT, 0, NOW)


@given(st.text(), st.text(), st.dictionaries(st.text(min_size=1), st.text()))
def test_any_text_of_a_player_can_be_shown(host: str, title: str, settings: Any) -> None:
    settings = {f"s{n}": value for n, value in enumerate(settings.values())}
    advert = make_advert(
        INVITE, game="wec", rules_version=1, host=host, seats=2, free=0, title=title,
        settings=settings,
    )  # fmt: skip
    read: Advert = read_advert(sign_advert(ANN, advert, 0, NOW), NOW)
    assert read.host
    assert read.host.isprintable()
    assert read.title.isprintable()


@given(st.binary(max_size=600))
def test_any_bytes_are_refused_with_a_reason(data: bytes) -> None:
    with pytest.raises(NetplayError):
        read_advert(data, NOW)
