"""Invites survive being pasted, and say what is wrong when they do not."""

from __future__ import annotations

import base64
import hashlib

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cloakboard.netplay.errors import Malformed, Mismatch, NetplayError
from cloakboard.netplay.invite import (
    MAX_ADDRESS,
    Invite,
    Watch,
    is_watch,
    parse_invite,
    parse_watch,
    qr_matrix,
)

INVITE = Invite("endpointabc", bytes(range(16)), bytes(range(100, 132)))
TEXT = INVITE.text()


def packed(record: bytes) -> str:
    check = hashlib.blake2b(record, digest_size=4, person=b"cloak1 invite").digest()
    return "cloak1:" + base64.b32encode(record + check).decode().rstrip("=").lower()


def test_the_form_is_base32_of_msgpack_and_checksum() -> None:
    record = msgspec.msgpack.encode(["endpointabc", INVITE.room, INVITE.host, b""])
    assert packed(record) == TEXT


@pytest.mark.parametrize(
    "pasted",
    [
        pytest.param(TEXT, id="as it is"),
        pytest.param(f"  {TEXT}\r\n", id="white space around"),
        pytest.param(TEXT.upper(), id="upper case"),
        pytest.param(f"{TEXT[:30]}\n{TEXT[30:70]}\r\n\t{TEXT[70:]}", id="broken over lines"),
        pytest.param(f"\u00a0{TEXT[:9]} {TEXT[9:]}", id="spaces inside"),
    ],
)
def test_what_a_paste_does_to_it_does_not_matter(pasted: str) -> None:
    assert parse_invite(pasted) == INVITE


@pytest.mark.parametrize(
    "text", ["", "hello", "https://example.org", TEXT[1:], TEXT[7:], "cloak:" + TEXT[7:]]
)
def test_what_is_no_invite_is_called_so(text: str) -> None:
    with pytest.raises(Malformed, match="not an invite"):
        parse_invite(text)


@pytest.mark.parametrize("version", ["cloak2:", "cloak0:", "cloak12:", "CLOAK2:"])
def test_another_version_is_named(version: str) -> None:
    with pytest.raises(Mismatch) as caught:
        parse_invite(version + TEXT[7:])
    assert (caught.value.expected, caught.value.actual) == ("cloak1:", version.lower())


@pytest.mark.parametrize("length", range(7, len(TEXT)))
def test_a_truncated_invite_is_refused_at_every_length(length: int) -> None:
    with pytest.raises(Malformed, match="cut off or mistyped"):
        parse_invite(TEXT[:length])


@pytest.mark.parametrize("place", range(7, len(TEXT)))
def test_a_mistyped_letter_is_found_at_every_place(place: int) -> None:
    slip = "a" if TEXT[place] != "a" else "b"
    with pytest.raises(Malformed, match="cut off or mistyped"):
        parse_invite(TEXT[:place] + slip + TEXT[place + 1 :])


@pytest.mark.parametrize(
    "record",
    [
        pytest.param(["a", bytes(15), bytes(32)], id="short room"),
        pytest.param(["a", bytes(16), bytes(31)], id="short key"),
        pytest.param(["a", bytes(16), bytes(33)], id="long key"),
        pytest.param(["", bytes(16), bytes(32)], id="no address"),
        pytest.param(["a" * (MAX_ADDRESS + 1), bytes(16), bytes(32)], id="endless address"),
        pytest.param(["a", bytes(16)], id="field missing"),
        pytest.param(["a", bytes(16), bytes(32), 1], id="field too many"),
        pytest.param({"address": "a"}, id="a map"),
        pytest.param(None, id="nothing"),
    ],
)
def test_a_record_of_another_form_is_refused_though_its_checksum_holds(record: object) -> None:
    with pytest.raises(Malformed):
        parse_invite(packed(msgspec.msgpack.encode(record)))


def test_a_second_spelling_of_the_same_invite_is_refused() -> None:
    longer = b"\xdc\x00\x03" + msgspec.msgpack.encode(INVITE)[1:]
    with pytest.raises(Malformed):
        parse_invite(packed(longer))


def test_a_huge_paste_is_refused_at_once() -> None:
    with pytest.raises(Malformed):
        parse_invite("cloak1:" + "a" * 50_000_000)


@given(
    st.builds(
        Invite,
        st.text(min_size=1, max_size=200),
        st.binary(min_size=16, max_size=16),
        st.binary(min_size=32, max_size=32),
    )
)
def test_text_and_parse_undo_each_other(invite: Invite) -> None:
    assert parse_invite(invite.text()) == invite


@given(st.text(max_size=100).map(lambda tail: "cloak1:" + tail) | st.text(max_size=100))
def test_any_text_is_refused_or_read_to_a_fixpoint(text: str) -> None:
    try:
        invite = parse_invite(text)
    except (Malformed, Mismatch):
        return
    assert parse_invite(invite.text()) == invite


def test_the_qr_picture_is_a_square_with_its_three_finders() -> None:
    rows = qr_matrix(TEXT)
    size = len(rows)
    assert size % 4 == 1 and {len(row) for row in rows} == {size}
    finder = ("1111111", "1000001", "1011101", "1011101", "1011101", "1000001", "1111111")
    for top, left in ((0, 0), (0, size - 7), (size - 7, 0)):
        seen = tuple(
            "".join(str(int(module)) for module in row[left : left + 7])
            for row in rows[top : top + 7]
        )
        assert seen == finder


# --- to watch ----------------------------------------------------------------------------------

WATCH = Watch("memory:abc", b"m" * 32, b"k" * 32)


def test_an_invite_to_watch_is_read_as_it_was_written() -> None:
    for text in (WATCH.text(), WATCH.text().upper(), f" cloakboard:{WATCH.text()}\n"):
        assert is_watch(text) and parse_watch(text) == WATCH


@pytest.mark.parametrize("text", ["", "cloak1:abc", "cloakwatch1:", WATCH.text()[:-1] + "7"])
def test_what_is_no_invite_to_watch_is_refused_in_words(text: str) -> None:
    with pytest.raises(NetplayError, match="invite"):
        parse_watch(text)
