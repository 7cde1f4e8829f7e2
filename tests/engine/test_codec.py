"""Canonical bytes: one encoding a record, everything else refused."""

import hashlib
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cloakboard.engine.codec import Codec, Coder, digest, encode, lp, state_digest
from cloakboard.engine.errors import Malformed
from tests import tiny
from tests.play import random_game
from tests.strategies import damaged, garbage
from tests.tiny.actions import Creep, Plant
from tests.tiny.state import State

CODEC = Codec(tiny.GAME)
PLAYED = random_game(tiny.GAME, seed=5, max_actions=30)
KINDS = ("state", "action", "event", "probe", "answer", "label")


class Point(msgspec.Struct, frozen=True):
    row: int
    column: int = 0


@pytest.mark.parametrize(
    ("parts", "joined"),
    [
        ((), b""),
        ((b"",), bytes(8)),
        ((b"ab",), bytes(7) + b"\x02ab"),
        ((b"a", b"b"), bytes(7) + b"\x01a" + bytes(7) + b"\x01b"),
    ],
)
def test_lp_puts_each_length_first(parts: tuple[bytes, ...], joined: bytes) -> None:
    assert lp(*parts) == joined


@given(st.lists(st.binary(max_size=9)), st.lists(st.binary(max_size=9)))
def test_lp_of_different_parts_differs(one: list[bytes], two: list[bytes]) -> None:
    assert (lp(*one) == lp(*two)) == (one == two)


def test_digest_is_blake2b_256_of_tag_and_data() -> None:
    tagged = bytes(7) + b"\x05state" + bytes(7) + b"\x03abc"
    plain = hashlib.blake2b(tagged, digest_size=32, person=b"cloakboard/1").digest()
    assert digest("state", b"abc") == plain
    assert len(plain) == 32
    assert digest("stat", b"eabc") != plain


def test_struct_fields_are_encoded_in_the_order_of_their_definition() -> None:
    assert encode(Point(1, 2)) == b"\x82\xa3row\x01\xa6column\x02"


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"\x82\xa3row\x01\xa6column", id="cut off"),
        pytest.param(b"\x82\xa3row\x01\xa6column\x02\x00", id="something after it"),
        pytest.param(b"\x82\xa6column\x02\xa3row\x01", id="fields in another order"),
        pytest.param(b"\x81\xa3row\x01", id="default left out"),
        pytest.param(b"\x83\xa3row\x01\xa6column\x02\xa1x\x00", id="unknown field"),
        pytest.param(b"\x83\xa3row\x00\xa3row\x01\xa6column\x02", id="field twice"),
        pytest.param(b"\x82\xa3row\xcc\x01\xa6column\x02", id="integer in a longer form"),
        pytest.param(b"\x82\xa3row\xcb\x3f\xf0\0\0\0\0\0\0\xa6column\x02", id="float for integer"),
        pytest.param(b"\x82\xa3row\xa11\xa6column\x02", id="text for integer"),
        pytest.param(b"\x82\xa3r\xffw\x01\xa6column\x02", id="no UTF-8"),
        pytest.param(b"\x91" * 100_000, id="nested too deep and too long"),
        pytest.param(b"\x91" * 5_000, id="nested too deep"),
    ],
)
def test_what_is_not_canonical_is_refused(data: bytes) -> None:
    with pytest.raises(Malformed):
        Coder(Point).decode(data)


def test_deep_nesting_is_refused_where_the_type_is_open() -> None:
    with pytest.raises(Malformed):
        Coder(Any).decode(b"\x91" * 60_000)


def test_a_record_of_exactly_the_limit_is_read() -> None:
    data = encode(Point(1, 2))
    assert Coder(Point, limit=len(data)).decode(data) == Point(1, 2)
    with pytest.raises(Malformed, match="longer than 13 bytes"):
        Coder(Point, limit=len(data) - 1).decode(data)


@pytest.mark.parametrize("kind", KINDS)
@given(data=garbage())
def test_arbitrary_bytes_are_refused_or_a_fixpoint(kind: str, data: bytes) -> None:
    refused_or_fixpoint(getattr(CODEC, kind), data)


@given(data=damaged(st.sampled_from([encode(r.action) for r in PLAYED.log])))
def test_damaged_actions_are_refused_or_a_fixpoint(data: bytes) -> None:
    refused_or_fixpoint(CODEC.action, data)


@given(data=damaged(st.just(encode(PLAYED.state))))
def test_damaged_states_are_refused_or_a_fixpoint(data: bytes) -> None:
    refused_or_fixpoint(CODEC.state, data)


def refused_or_fixpoint(coder: Coder, data: bytes) -> None:
    try:
        record = coder.decode(data)
    except Malformed:
        return
    assert coder.encode(record) == data


def test_each_kind_of_record_has_its_own_type() -> None:
    assert CODEC.action.decode(encode(Plant(3, 7))) == Plant(3, 7)
    with pytest.raises(Malformed):
        CODEC.event.decode(encode(Plant(3, 7)))


def test_state_digest_is_of_the_public_state_alone() -> None:
    table = random_game(tiny.GAME, seed=5, max_actions=0)
    start: State = table.state
    own = state_digest(tiny.GAME, start)
    assert own == state_digest(tiny.GAME, table.public()) == state_digest(tiny.GAME, table.view(1))
    assert own == digest("state", lp(b"line3", b"\0\0\0\1", encode(table.public())))
    veiled = next(a for a in table.actions(0) if isinstance(a, Creep))
    table.act(0, veiled)
    assert state_digest(tiny.GAME, table.state) != own


def test_another_game_or_version_has_another_digest() -> None:
    later = tiny.Line(3)
    later.rules_version = 2
    state = PLAYED.state
    assert state_digest(later, state) != state_digest(tiny.GAME, state)
