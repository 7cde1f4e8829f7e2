"""The book of friends: what comes in, what goes, and what no crash and no garbage can take."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cloakboard.netplay.errors import Malformed, Mismatch
from cloakboard.netplay.finding.friends import (
    BEFORE_NAME,
    FILE_NAME,
    MOST_KNOWN,
    FriendsFile,
    Known,
)
from cloakboard.netplay.identity import default_name, fingerprint_words
from cloakboard.netplay.invite import Invite, Watch, key_text
from cloakboard.netplay.profile import ProfileUnusable

OWN, ANN, BOB = (bytes([letter]) * 32 for letter in b"oab")
INVITE = Invite("memory:0a0b", b"r" * 16, ANN)
NOON = 1_800_000_000


class Hand:
    """A clock turned by hand, in seconds."""

    now = float(NOON)

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Hand:
    return Hand()


@pytest.fixture
def book(tmp_path: Path, clock: Hand) -> FriendsFile:
    return FriendsFile(tmp_path, OWN, clock)


def again(tmp_path: Path) -> FriendsFile:
    """The book as the next start of the program reads it."""
    return FriendsFile(tmp_path, OWN)


def test_an_empty_profile_knows_nobody_and_has_no_file(book: FriendsFile, tmp_path: Path) -> None:
    assert (book.known(), book.notice) == ([], "")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("text", "address"),
    [
        pytest.param(INVITE.text(), "memory:0a0b", id="invite"),
        pytest.param(f" cloakboard:{INVITE.text().upper()}\n", "memory:0a0b", id="link"),
        pytest.param(f"cloakboard://{INVITE.text()}", "memory:0a0b", id="link with slashes"),
        pytest.param(Watch("memory:0c", bytes(32), ANN).text(), "memory:0c", id="to watch"),
        pytest.param(key_text(ANN), "", id="key"),
        pytest.param(key_text(ANN).upper(), "", id="key in capitals"),
        pytest.param(key_text(ANN, "memory:0a0b"), "memory:0a0b", id="key with address"),
        pytest.param(ANN.hex(), "", id="key in hex"),
    ],
)
def test_a_friend_comes_in_by_what_was_pasted(
    book: FriendsFile, tmp_path: Path, text: str, address: str
) -> None:
    added = book.add(text, "Ann")
    assert added == Known(key=ANN, name="Ann", added=NOON, address=address)
    assert added.words == fingerprint_words(ANN)
    assert again(tmp_path).known() == [added]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        pytest.param("", "neither an invite", id="nothing"),
        pytest.param("hello", "neither an invite", id="prose"),
        pytest.param(ANN.hex()[:-1], "neither an invite", id="short hex"),
        pytest.param(key_text(ANN)[:-1], "cut off or mistyped", id="key cut off"),
        pytest.param(key_text(ANN)[:-9] + "zzzzzzzzz", "cut off or mistyped", id="key mistyped"),
        pytest.param(key_text(ANN, "a" * 1025), "cut off or mistyped", id="endless address"),
        pytest.param(key_text(ANN[:-1]), "cut off or mistyped", id="short key"),
        pytest.param("cloakkey1:", "cut off or mistyped", id="no key"),
        pytest.param(INVITE.text()[:-1], "cut off or mistyped", id="invite cut off"),
        pytest.param(key_text(OWN), "yourself", id="oneself"),
    ],
)
def test_what_names_nobody_adds_nobody(
    book: FriendsFile, tmp_path: Path, text: str, says: str
) -> None:
    with pytest.raises(Malformed, match=says):
        book.add(text)
    assert list(tmp_path.iterdir()) == []


def test_an_invite_of_another_version_says_so(book: FriendsFile) -> None:
    with pytest.raises(Mismatch, match="same version"):
        book.add(INVITE.text().replace("cloak1:", "cloak2:"))


@pytest.mark.parametrize(
    ("name", "played_as", "called"),
    [
        ("Ann", "xX_ann_Xx", "Ann"),
        ("", "xX_ann_Xx", "xX_ann_Xx"),
        ("", "", default_name(ANN)),
        ("  A\x00n\nn  ", "", "An n"),
        ("", "\x1b[31m", "[31m"),
        ("n" * 50, "", "n" * 40),
    ],
)
def test_a_name_is_the_players_own_then_theirs_then_the_keys(
    book: FriendsFile, name: str, played_as: str, called: str
) -> None:
    assert book.add_key(ANN, name, played_as).name == called


def test_added_again_a_friend_keeps_name_and_past(book: FriendsFile, clock: Hand) -> None:
    book.add(INVITE.text(), "Ann")
    clock.now += 100
    assert book.add(key_text(ANN)) == Known(key=ANN, name="Ann", added=NOON, address="memory:0a0b")
    assert book.add(INVITE.text(), "Anna").name == "Anna"


def test_playing_adds_nobody(book: FriendsFile, tmp_path: Path) -> None:
    book.saw(ANN, "memory:0a")
    assert book.known() == []
    assert list(tmp_path.iterdir()) == []


def test_a_meeting_is_noted_and_a_moment_later_costs_no_write(
    book: FriendsFile, clock: Hand, tmp_path: Path
) -> None:
    book.add_key(ANN)
    clock.now += 500
    book.saw(ANN, "memory:0a")
    (seen,) = again(tmp_path).known()
    assert (seen.seen, seen.address) == (NOON + 500, "memory:0a")
    clock.now += 59
    book.saw(ANN)
    assert book.known() == [seen]
    clock.now += 1
    book.saw(ANN)
    (later,) = again(tmp_path).known()
    assert (later.seen, later.address) == (NOON + 560, "memory:0a")


def test_a_clock_that_was_set_back_is_believed(book: FriendsFile, clock: Hand) -> None:
    book.add_key(ANN)
    book.saw(ANN)
    clock.now -= 10
    book.saw(ANN)
    (seen,) = book.known()
    assert seen.seen == NOON - 10


@pytest.mark.parametrize("is_friend", [True, False])
def test_blocking_and_letting_in_again(book: FriendsFile, tmp_path: Path, is_friend: bool) -> None:
    if is_friend:
        book.add_key(ANN, "Ann")
    book.block(ANN, "played as Ann")
    for read in (book, again(tmp_path)):
        assert read.refuses(ANN) and not read.refuses(BOB)
        assert not read.is_friend(ANN)
        assert read.friends() == []
    book.unblock(ANN)
    for read in (book, again(tmp_path)):
        assert not read.refuses(ANN)
        assert [known.name for known in read.known()] == (["Ann"] if is_friend else [])


def test_removing_a_blocked_friend_does_not_let_them_in(book: FriendsFile) -> None:
    book.add_key(ANN, "Ann")
    book.block(ANN)
    book.remove(ANN)
    assert book.refuses(ANN)
    book.unblock(ANN)
    assert book.known() == []


@pytest.mark.parametrize(
    ("call", "says"),
    [
        pytest.param(lambda book: book.rename(BOB, "Bob"), "not in the list", id="rename"),
        pytest.param(lambda book: book.remove(BOB), "not in the list", id="remove"),
        pytest.param(lambda book: book.unblock(BOB), "not in the list", id="unblock"),
        pytest.param(lambda book: book.rename(ANN, " "), "at least one letter", id="no name"),
        pytest.param(lambda book: book.block(OWN), "yourself", id="oneself"),
    ],
)
def test_what_cannot_be_is_refused_in_words(
    book: FriendsFile, call: Callable[[FriendsFile], object], says: str
) -> None:
    ann = book.add_key(ANN, "Ann")
    with pytest.raises(Malformed, match=says):
        call(book)
    assert book.known() == [ann]


@pytest.mark.parametrize(
    "text", ["ann", " ANN ", fingerprint_words(ANN), fingerprint_words(ANN)[:8], ANN.hex()[:6]]
)
def test_a_friend_is_found_by_name_words_or_key(book: FriendsFile, text: str) -> None:
    ann = book.add_key(ANN, "Ann")
    book.add_key(BOB, "Bob")
    assert book.find(text) == ann


def test_a_name_that_two_have_is_not_guessed(book: FriendsFile) -> None:
    book.add_key(ANN, "Sam")
    book.add_key(BOB, "sam")
    with pytest.raises(Malformed, match=fingerprint_words(BOB)):
        book.find("Sam")
    with pytest.raises(Malformed, match="nobody you know"):
        book.find("6")


def test_the_list_has_an_end(book: FriendsFile, tmp_path: Path) -> None:
    one = Known(key=ANN, name="Ann")
    full = {i.to_bytes(32): Known(key=i.to_bytes(32), name=str(i)) for i in range(MOST_KNOWN)}
    book._write(full)
    full_book = again(tmp_path)
    assert len(full_book.known()) == MOST_KNOWN
    with pytest.raises(Malformed, match="full"):
        full_book.add_key(one.key)
    assert len(again(tmp_path).known()) == MOST_KNOWN


@pytest.mark.parametrize(
    "garbage",
    [
        b"", b"\x00" * 64, b"{", b"[]", b"\xff{}", b"[" * 100_000,
        b'{"version": 1}',
        b'{"version": 1, "known": [{"key": "AAAA", "name": "short"}]}',
    ],
    ids=lambda text: str(text[:12]),
)  # fmt: skip
def test_garbage_is_kept_aside_and_the_generation_before_taken(
    book: FriendsFile, tmp_path: Path, garbage: bytes
) -> None:
    ann = book.add_key(ANN, "Ann")
    book.add_key(BOB, "Bob")
    (tmp_path / FILE_NAME).write_bytes(garbage)
    read = again(tmp_path)
    assert read.known() == [ann]
    assert "damaged" in read.notice
    assert "friends.bad" in read.notice
    assert (tmp_path / "friends.bad").read_bytes() == garbage
    read.add_key(BOB, "Bob")
    assert [known.name for known in again(tmp_path).known()] == ["Ann", "Bob"]
    assert (tmp_path / "friends.bad").read_bytes() == garbage


def test_a_file_of_a_later_version_is_kept_as_it_is(tmp_path: Path) -> None:
    later = b'{"version": 2, "known": {"ann": 7}}'
    (tmp_path / FILE_NAME).write_bytes(later)
    read = again(tmp_path)
    assert "newer Cloakboard" in read.notice
    read.add_key(ANN)
    assert (tmp_path / "friends.bad").read_bytes() == later


def test_both_generations_bad_are_both_kept(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(b"one")
    (tmp_path / BEFORE_NAME).write_bytes(b"two")
    read = again(tmp_path)
    assert read.known() == []
    assert "add your friends again" in read.notice
    kept = {path.read_bytes() for path in tmp_path.iterdir()}
    assert kept == {b"one", b"two"}


@pytest.mark.parametrize("step", ["fsync", "replace", "open"])
def test_killed_at_any_step_of_a_write_the_list_is_the_old_or_the_new(
    book: FriendsFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    """What stops the program here stops it as SIGKILL would: nothing is tidied up."""
    ann = book.add_key(ANN, "Ann")
    real, reached = getattr(os, step), 0
    while True:
        reached += 1
        left = reached

        def crash(*args: object, **named: object) -> object:
            nonlocal left
            left -= 1
            if not left:
                raise KeyboardInterrupt
            return real(*args, **named)

        fresh = again(tmp_path)
        with monkeypatch.context() as patch:
            patch.setattr(os, step, crash)
            try:
                fresh.add_key(BOB, "Bob")
            except KeyboardInterrupt:
                pass
            else:
                break
        read = again(tmp_path)
        assert read.notice == ""
        assert read.known()[0] == ann
        if len(read.known()) > 1:
            read.remove(BOB)
    assert reached >= 3
    assert [known.name for known in again(tmp_path).known()] == ["Ann", "Bob"]


def test_a_full_disk_changes_nothing(
    book: FriendsFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = book.add_key(ANN, "Ann")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(ProfileUnusable, match="No space left"):
            book.block(ANN)
        book.saw(ANN, "memory:0a")
    assert book.known() == [ann] == again(tmp_path).known()


@given(st.binary(max_size=200))
def test_no_bytes_stop_the_start(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    folder = tmp_path_factory.mktemp("friends")
    (folder / FILE_NAME).write_bytes(content)
    assert again(folder).known() == []
