"""Frames: strict, bounded, and one form for each message."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cloakboard.netplay.errors import Malformed
from cloakboard.netplay.wire import (
    FRAME_BYTES,
    Bye,
    EntryFrame,
    Heads,
    Hello,
    Knock,
    Message,
    RequestFrame,
    RoomLine,
    RoomSay,
    Signed,
    Welcome,
    pack,
    unpack,
)
from tests.strategies import damaged, garbage

MESSAGES: tuple[Message, ...] = (
    Hello(1, "0.1.0", bytes(16), b"", bytes(32), "Ada", bytes(32), bytes(64)),
    Knock(bytes(32), b""),
    Welcome(3),
    RoomSay(b"said"),
    Signed(1, bytes(64)),
    Heads(0, 1, bytes(32), bytes(32)),
    EntryFrame(b"entry"),
    RequestFrame(b"request"),
    RoomLine(b"said"),
    Bye("see you"),
)


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: type(message).__name__)
def test_a_message_comes_back_as_it_went(message: Message) -> None:
    assert unpack(pack(message)) == message


@pytest.mark.parametrize(
    "frame",
    [
        b"",
        b"\xc1",
        b"\x90",
        pack(MESSAGES[4])[:-1],
        pack(MESSAGES[4]) + b"\x00",
        b"\x92\xa6unsaid\x01",
        b"\x93\xa6signed\x01\xa3str",
        b"\x91" * 5000,
    ],
    ids=["empty", "no msgpack", "no tag", "cut", "longer", "no kind", "wrong type", "too deep"],
)
def test_what_is_no_message_is_refused_in_words(frame: bytes) -> None:
    with pytest.raises(Malformed, match="no message"):
        unpack(frame)


def test_a_frame_has_a_longest_length() -> None:
    at_most = FRAME_BYTES - len(pack(EntryFrame(b""))) - 3
    assert unpack(pack(EntryFrame(bytes(at_most)))) == EntryFrame(bytes(at_most))
    with pytest.raises(Malformed, match="too long"):
        unpack(pack(EntryFrame(bytes(FRAME_BYTES))))


@given(garbage() | st.sampled_from(MESSAGES).flatmap(lambda one: damaged(st.just(pack(one)))))
def test_any_bytes_are_a_message_or_malformed(frame: bytes) -> None:
    try:
        message = unpack(frame)
    except Malformed:
        return
    assert unpack(pack(message)) == message
