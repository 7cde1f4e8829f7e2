"""VEIL 3 and 4: what is derived from a seat's secret, commitments and notes."""

from __future__ import annotations

import copy
import hashlib
import pickle
from collections.abc import Callable
from typing import Final

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nacl.bindings import crypto_secretbox_easy

from cloakboard.netplay.errors import Forged, Malformed
from cloakboard.netplay.veil import secrets
from cloakboard.netplay.veil.secrets import (
    ACTION_BYTES,
    NOTE_BYTES,
    Field,
    SeatSecret,
    Secret,
    commit_action,
    cover_commit,
    lp,
    open_note,
    open_secret,
)

S: Final = bytes(range(100, 132))
MATCH: Final = b"M" * 32
PREV: Final = b"P" * 32
SEAT: Final = Secret(S).bind(MATCH, 1)

fields = st.lists(st.binary(max_size=6) | st.text(max_size=6) | st.integers(0, 2**64 - 1))


def flipped(data: bytes, index: int) -> bytes:
    return data[:index] + bytes([data[index] ^ 1]) + data[index + 1 :]


# --- VEIL 3 -------------------------------------------------------------------------------


def test_fields_are_typed_and_length_prefixed() -> None:
    assert lp(b"ab", "c", 5) == bytes.fromhex(
        "62 00000002 6162" + "73 00000001 63" + "69 00000008 0000000000000005"
    )


@given(fields, fields)
def test_different_fields_never_give_the_same_bytes(left: list[Field], right: list[Field]) -> None:
    typed = ([(type(field), field) for field in side] for side in (left, right))
    assert (lp(*left) == lp(*right)) == (next(typed) == next(typed))


@pytest.mark.parametrize(
    ("left", "right"), [((b"1",), ("1",)), (("ab", "c"), ("a", "bc")), ((1,), (bytes(7) + b"\1",))]
)
def test_fields_that_look_alike_differ(left: tuple[Field, ...], right: tuple[Field, ...]) -> None:
    assert lp(*left) != lp(*right)


def test_the_prf_is_keyed_blake2b_of_match_seat_purpose_and_context() -> None:
    message = bytes.fromhex(
        "73 00000007" + b"cloak/1".hex() + "62 00000020" + MATCH.hex()
        + "69 00000008 0000000000000001" + "73 00000004" + b"note".hex()
        + "69 00000008 0000000000000009" + "62 00000001 ff"
    )  # fmt: skip
    assert SEAT.prf("note", 9, b"\xff") == hashlib.blake2b(message, key=S).digest()


def test_every_input_of_the_prf_changes_what_it_gives() -> None:
    secret = Secret(S)
    derived = [
        secret.bind(MATCH, 1).prf("note", 1),
        secret.bind(MATCH, 2).prf("note", 1),
        secret.bind(PREV, 1).prf("note", 1),
        secret.prepare(MATCH, 1).prf("note", 1),
        secret.bind(MATCH, 1).prf("commit", 1),
        secret.bind(MATCH, 1).prf("note", 2),
        secret.bind(MATCH, 1).prf("note", 1, 1),
        Secret(flipped(S, 0)).bind(MATCH, 1).prf("note", 1),
    ]
    assert len(set(derived)) == len(derived)
    assert {len(each) for each in derived} == {64}


@pytest.mark.parametrize(
    "hidden", [Secret(S), SEAT, Secret(S).prepare(PREV, 0)], ids=["S", "bound", "prepared"]
)
def test_a_secret_shows_nothing(hidden: Secret | SeatSecret) -> None:
    name = type(hidden).__name__
    assert {repr(hidden), str(hidden), f"{hidden}", f"{hidden!r}"} == {f"<{name}>"}
    assert not hasattr(hidden, "__dict__")
    for copied in (pickle.dumps, copy.copy, copy.deepcopy, msgspec.msgpack.encode, hash):
        with pytest.raises(TypeError):
            copied(hidden)


def test_secrets_are_compared_by_what_they_hide() -> None:
    assert Secret(S) == Secret(bytes(S))
    assert Secret(S) != Secret(flipped(S, 31))
    assert Secret(S) != S
    assert Secret(S).bind(MATCH, 1) == SEAT
    others = [Secret(S).bind(MATCH, 0), Secret(S).bind(PREV, 1), Secret(S).prepare(MATCH, 1)]
    assert all(other != SEAT for other in others)


@pytest.mark.parametrize("data", [b"", S[:31], S + b"\0", "x" * 32], ids=repr)
def test_a_secret_has_32_bytes(data: bytes) -> None:
    with pytest.raises(Malformed) as refused:
        Secret(data)
    assert refused.value.what == "secret"


def test_a_secret_opens_its_commitment_and_no_other() -> None:
    commitment = Secret(S).prepare(PREV, 1).commitment()
    assert len(commitment) == 32
    assert open_secret(commitment, PREV, 1, S) == Secret(S)
    for nonce, seat, data in [(PREV, 1, flipped(S, 5)), (PREV, 0, S), (MATCH, 1, S)]:
        with pytest.raises(Forged) as refused:
            open_secret(commitment, nonce, seat, data)
        assert (refused.value.what, refused.value.seat) == ("secret", seat)
    with pytest.raises(Malformed):
        open_secret(commitment, PREV, 1, S[:-1])


# --- VEIL 4 -------------------------------------------------------------------------------


@given(st.binary(max_size=ACTION_BYTES - 2))
def test_commitment_and_note_open_to_the_action_and_have_one_length(data: bytes) -> None:
    commit, note = commit_action(SEAT, 2, PREV, 3, data)
    assert (len(commit), len(note)) == (32, NOTE_BYTES)
    assert commit_action(SEAT, 2, PREV, 3, data) == (commit, note)
    assert open_note(SEAT, 2, PREV, 3, commit, note) == data


def test_cover_is_a_commitment_to_nothing() -> None:
    commit, note = cover_commit(SEAT, 2, PREV, 0)
    assert len(note) == NOTE_BYTES
    assert open_note(SEAT, 2, PREV, 0, commit, note) == b""


def test_an_action_that_does_not_fit_is_refused() -> None:
    with pytest.raises(Malformed) as refused:
        commit_action(SEAT, 0, PREV, 0, bytes(ACTION_BYTES - 1))
    assert refused.value.what == "action"


def test_every_altered_byte_of_a_commitment_or_note_is_found() -> None:
    commit, note = commit_action(SEAT, 2, PREV, 3, b"action")
    altered = [(flipped(commit, index), note) for index in range(len(commit))]
    altered += [(commit, flipped(note, index)) for index in range(len(note))]
    for pair in altered:
        with pytest.raises(Forged):
            open_note(SEAT, 2, PREV, 3, *pair)


Place = tuple[SeatSecret, int, bytes, int]
PLACES: Final[dict[str, Place]] = {
    "seat": (Secret(S).bind(MATCH, 0), 2, PREV, 3),
    "match": (Secret(S).bind(PREV, 1), 2, PREV, 3),
    "secret": (Secret(flipped(S, 0)).bind(MATCH, 1), 2, PREV, 3),
    "epoch": (SEAT, 1, PREV, 3),
    "prev": (SEAT, 2, MATCH, 3),
    "slot": (SEAT, 2, PREV, 4),
}


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES.keys())
def test_a_commitment_holds_at_its_own_place_only(place: Place) -> None:
    commit, note = commit_action(SEAT, 2, PREV, 3, b"action")
    moved = commit_action(*place, b"action")
    assert moved[0] != commit
    assert moved[1] != note
    with pytest.raises(Forged):
        open_note(*place, commit, note)


def test_two_actions_at_one_place_share_no_key_stream() -> None:
    (first, note), (second, other) = (
        commit_action(SEAT, 2, PREV, 3, data) for data in (b"left", b"righ")
    )
    assert first != second
    same_stream = bytes(a ^ b for a, b in zip(b"left", b"righ", strict=True))
    assert bytes(a ^ b for a, b in zip(note[18:22], other[18:22], strict=True)) != same_stream


LIES: Final[dict[str, Callable[[], bytes]]] = {
    "a length beyond the end": lambda: b"\xff\xff" + bytes(ACTION_BYTES - 2),
    "a length just beyond": lambda: (ACTION_BYTES - 1).to_bytes(2, "big") + bytes(ACTION_BYTES - 2),
    "padding that is not zero": lambda: b"\0\1a" + b"\1" * (ACTION_BYTES - 3),
    "another total length": lambda: b"\0\1a",
}


@pytest.mark.parametrize("lie", LIES.values(), ids=LIES.keys())
def test_a_note_in_no_canonical_form_is_forged_by_its_own_author(lie: Callable[[], bytes]) -> None:
    padded = lie()
    commit = secrets.action_commitment(SEAT, 2, PREV, 3, padded)
    key = SEAT.prf("note", 2, PREV, 3)[:32]
    note = crypto_secretbox_easy(padded, commit[:24], key)
    with pytest.raises(Malformed if len(padded) < ACTION_BYTES else Forged):
        open_note(SEAT, 2, PREV, 3, commit, note)


@given(st.binary(max_size=40), st.binary(max_size=NOTE_BYTES + 5))
def test_any_bytes_as_a_note_are_refused(commit: bytes, note: bytes) -> None:
    with pytest.raises((Malformed, Forged)):
        open_note(SEAT, 2, PREV, 3, commit, note)
