"""Entries, requests and openings: one encoding each, and signatures that bind all of it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from cloakboard.netplay.errors import Forged, Malformed, NetplayError
from cloakboard.netplay.transcript import (
    ALL_SEATS,
    ENTRY_BYTES,
    ENTRY_DOMAIN,
    JOINT_DOMAIN,
    Entry,
    Header,
    Request,
    Resume,
    Take,
    body_hash,
    check_request,
    check_signatures,
    encode,
    header_hash,
    read_body,
    read_entry,
    read_opening,
    read_request,
    sign_entry,
    sign_joint,
    sign_request,
)
from tests.netplay.rig import Rig, identity
from tests.strategies import damaged, garbage
from tests.tiny import game as line

KEYS = tuple(identity(seat).key for seat in range(2))
MATCH = bytes(range(32))
ANYTHING = garbage()


@cache
def chain() -> tuple[Entry, ...]:
    """An honest match with every kind of body in it but a resume."""
    rig = Rig(line(2), 2, {"turns": 6})
    rig.play(4)
    rig.crash(0)
    rig.reconnect()
    rig.peers[1].request("draw")
    rig.flush()
    rig.play()
    return tuple(rig.entries(0))


def test_the_chain_has_every_kind_of_body() -> None:
    kinds = {type(read_body(entry)).__name__ for entry in chain()[1:]}
    assert kinds == {"Act", "Slot", "Reply", "Take", "Opened", "Verdict", "Resume"}


def test_an_entry_has_one_encoding() -> None:
    for entry in chain():
        assert read_entry(encode(entry)) == entry
        if entry.header.seq:
            assert encode(read_body(entry)) == entry.body
        else:
            assert encode(read_opening(entry.body)) == entry.body


def test_each_entry_names_the_one_before() -> None:
    for before, entry in zip(chain(), chain()[1:], strict=False):
        assert entry.header.prev == header_hash(before.header)
        assert entry.header.seq == before.header.seq + 1
    assert chain()[1].header.match == header_hash(chain()[0].header)


@pytest.mark.parametrize("read", [read_entry, read_request, read_opening])
@pytest.mark.parametrize(
    "data",
    [b"", b"\xc1", b"\x90", b"\xc0", b"\x91" * 3000, bytes(ENTRY_BYTES + 1), b"\x93\x01\x02"],
    ids=["empty", "no msgpack", "no fields", "nil", "too deep", "too long", "few fields"],
)
def test_what_is_no_record_is_refused(read: Callable[[bytes], Any], data: bytes) -> None:
    with pytest.raises(Malformed):
        read(data)


def test_an_encoding_that_is_not_canonical_is_refused() -> None:
    """The same value with a longer form of its outer list."""
    data = encode(chain()[3])
    longer = b"\xdc\x00" + bytes([data[0] & 15]) + data[1:]
    assert msgspec.msgpack.decode(longer) == msgspec.msgpack.decode(data)
    with pytest.raises(Malformed, match="canonical"):
        read_entry(longer)


@settings(max_examples=40)
@given(st.data())
def test_any_bytes_are_an_entry_or_malformed(data: st.DataObject) -> None:
    entry = data.draw(st.sampled_from(chain()))
    for read, whole in (
        (read_entry, encode(entry)),
        (lambda body: read_body(replace(entry, body=body)), entry.body),
        (read_request, encode(Request(MATCH, MATCH, 0, "draw", signature=bytes(64)))),
    ):
        said = data.draw(ANYTHING | damaged(st.just(whole)))
        with suppress(Malformed):
            assert encode(read(said)) == said


# --- signatures -------------------------------------------------------------------------------


def header(author: int = 0, **fields: Any) -> Header:
    plain = Header(1, MATCH, 0, 5, author, bytes(32), bytes(32), 7, (), body_hash(BODY))
    return replace(plain, **fields)


BODY = encode(Take())
OTHERS: dict[str, dict[str, Any]] = {
    "match": {"match": bytes(32)},
    "epoch": {"epoch": 1},
    "seq": {"seq": 6},
    "author": {"author": 1},
    "prev": {"prev": b"\1" * 32},
    "state": {"state": b"\1" * 32},
    "used_ms": {"used_ms": 8},
    "requests": {"requests": (Request(MATCH, MATCH, 0, "draw"),)},
}


@pytest.mark.parametrize("field", OTHERS)
def test_veil_8_a_signature_covers_every_field(field: str) -> None:
    entry = sign_entry(identity(0), header(), BODY)
    assert check_signatures(entry, KEYS) is entry
    with pytest.raises(Forged):
        check_signatures(replace(entry, header=header(**OTHERS[field])), KEYS)


@pytest.mark.parametrize(
    ("entry", "fault"),
    [
        (sign_entry(identity(1), header(), BODY), Forged),
        (replace(sign_entry(identity(0), header(), BODY), body=encode(Take()) + b"\0"), Forged),
        (replace(sign_entry(identity(0), header(), BODY), signatures=()), Forged),
        (replace(sign_entry(identity(0), header(), BODY), signatures=(b"",)), Forged),
        (sign_entry(identity(0), header(author=2), BODY), Malformed),
        (sign_entry(identity(0), header(author=-2), BODY), Malformed),
        (sign_entry(identity(0), header(version=2), BODY), Malformed),
        (sign_entry(identity(0), header(author=ALL_SEATS), BODY), Forged),
    ],
    ids=[
        "another's key", "another body", "no signature", "empty signature", "no seat",
        "no seat below", "another form", "one signature for all",
    ],
)  # fmt: skip
def test_a_bad_signature_is_refused(entry: Entry, fault: type[NetplayError]) -> None:
    with pytest.raises(fault):
        check_signatures(entry, KEYS)


def test_a_joint_entry_needs_every_seat_in_order() -> None:
    body = encode(Resume(1, bytes(32), (bytes(32), bytes(32))))
    joint = header(author=ALL_SEATS, body=body_hash(body))
    signatures = tuple(sign_joint(identity(seat), joint) for seat in range(2))
    entry = Entry(joint, body, signatures)
    assert check_signatures(entry, KEYS) is entry
    for wrong in (signatures[:1], signatures[::-1], (signatures[0],) * 2, (*signatures, b"")):
        with pytest.raises(Forged):
            check_signatures(replace(entry, signatures=wrong), KEYS)


def test_what_is_signed_for_one_use_is_nothing_for_another() -> None:
    """An entry's signature does not serve a joint entry, nor a request's either."""
    joint = header(author=ALL_SEATS)
    alone = identity(0).sign(ENTRY_DOMAIN, encode(joint))
    other = identity(1).sign(JOINT_DOMAIN, encode(joint))
    with pytest.raises(Forged):
        check_signatures(Entry(joint, BODY, (alone, other)), KEYS)
    request = Request(MATCH, MATCH, 0, "resign")
    as_entry = identity(0).sign(ENTRY_DOMAIN, request.signed_bytes())
    with pytest.raises(Forged):
        check_request(replace(request, signature=as_entry), KEYS, MATCH)


@pytest.mark.parametrize(
    "changed",
    [
        {"match": bytes(32)}, {"head": bytes(32)}, {"seat": 1}, {"kind": "resign"},
        {"seat": 2}, {"seat": -1}, {"kind": "undo"}, {"signature": b""},
    ],
    ids=str,
)  # fmt: skip
def test_a_request_is_its_seats_of_this_match_and_as_signed(changed: dict[str, Any]) -> None:
    request = sign_request(identity(0), Request(MATCH, MATCH, 0, "draw"))
    assert check_request(request, KEYS, MATCH) is request
    with pytest.raises(NetplayError):
        check_request(replace(request, **changed), KEYS, MATCH)
