"""The screen of friends, and what is asked after a match and when a friend invites."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pyglet.window import key as keys

from cloakboard.client.porch import Presence
from cloakboard.client.social import Social
from cloakboard.client.views.friends import FriendActs, FriendsScreen, note_of
from cloakboard.client.widgets import Button, Label
from cloakboard.client.window import CloakWindow, Screen
from cloakboard.engine.registry import games
from cloakboard.keeping.keeper import Keeper
from cloakboard.netplay import handoff, scheme
from cloakboard.netplay.finding.friends import FriendsFile, Known
from cloakboard.netplay.finding.presence import Call
from cloakboard.netplay.identity import Identity, fingerprint_words
from cloakboard.netplay.invite import Invite, key_text, read_who
from cloakboard.netplay.settings import SettingsFile

OWN = Identity(b"o" * 32)
ANN, BOB = b"a" * 32, b"b" * 32
NOON = 1_800_000_000


class Acts:
    """What the screen asked for."""

    def __init__(self) -> None:
        self.there = {ANN: Presence.HERE}
        self.looks = 0
        self.invited: list[bytes] = []
        self.matches: dict[bytes, str] = {}
        self.gone: list[str] = []
        self.cards: list[bytes] = []
        self.shows_me = True

    def look(self) -> None:
        self.looks += 1

    def show_me(self, is_shown: bool) -> None:
        self.shows_me = is_shown

    def all(self) -> FriendActs:
        return FriendActs(
            self.look,
            lambda key: self.there.get(key, Presence.UNKNOWN),
            lambda: "memory:0a",
            self.invited.append,
            lambda key: self.matches.get(key, ""),
            self.gone.append,
            self.cards.append,
            lambda: self.shows_me,
            self.show_me,
        )


@pytest.fixture
def acts() -> Acts:
    return Acts()


@pytest.fixture
def book(tmp_path: Path) -> FriendsFile:
    return FriendsFile(tmp_path, OWN.key, lambda: NOON)


@pytest.fixture
def screen(window: CloakWindow, book: FriendsFile, acts: Acts) -> FriendsScreen:
    book.add_key(ANN, "Ann")
    book.add_key(BOB, "Bob")
    made = FriendsScreen(window, OWN.key, book, acts.all())
    window.open_screen(made)
    window.draw(0)
    return made


def answer(screen: Screen, text: str) -> None:
    """Clicks the button of an open dialog."""
    (button,) = [
        widget
        for widget in screen.stage._active()
        if isinstance(widget, Button) and widget.label == text
    ]
    button.click()


@pytest.mark.parametrize(
    ("known", "presence", "note"),
    [
        (Known(key=ANN, name="a"), Presence.HERE, "here now"),
        (Known(key=ANN, name="a"), Presence.BUSY, "in a match"),
        (Known(key=ANN, name="a"), Presence.AWAY, "not met yet"),
        (Known(key=ANN, name="a", seen=NOON), Presence.AWAY, "last met 15 January 2027"),
        (Known(key=ANN, name="a", seen=NOON), Presence.UNKNOWN, "last met 15 January 2027"),
        (Known(key=ANN, name="a", is_blocked=True), Presence.HERE, "blocked"),
    ],
)
def test_a_note_says_whether_a_friend_is_there(known: Known, presence: Presence, note: str) -> None:
    assert note_of(known, presence)[0] == note


def test_the_list_has_names_words_and_presence(screen: FriendsScreen, acts: Acts) -> None:
    rows = [(row.text, row.detail, row.note) for row in screen.list.rows]
    assert rows == [
        ("Ann", fingerprint_words(ANN), "here now"),
        ("Bob", fingerprint_words(BOB), "not met yet"),
    ]
    assert acts.looks == 1
    acts.there[BOB] = Presence.BUSY
    screen.update(1_999)
    assert acts.looks == 1
    screen.update(1)
    assert acts.looks == 2
    assert screen.list.rows[1].note == "in a match"


def test_a_friends_match_is_watched_where_others_may(screen: FriendsScreen, acts: Acts) -> None:
    assert not screen.watch.is_enabled
    acts.there[ANN], acts.matches[ANN] = Presence.BUSY, "cloakwatch1:a"
    screen.update(2_000)
    screen.watch.click()
    assert acts.gone == ["cloakwatch1:a"]
    screen.list.select(1, tells=True)
    assert not screen.watch.is_enabled


def test_a_friend_is_added_by_what_was_pasted(
    screen: FriendsScreen, book: FriendsFile, window: CloakWindow
) -> None:
    cid = b"c" * 32
    window.write_clipboard(f" cloakboard:{Invite('memory:0c', bytes(16), cid).text()}\n")
    screen.paste.click()
    screen.add.click()
    added = book.get(cid)
    assert added is not None
    assert added.address == "memory:0c"
    assert screen.chosen == added
    assert screen.pasted.value == ""
    screen.pasted.set_value("hello")
    screen.add.click()
    assert len(book.known()) == 3
    assert screen.pasted.value == "hello"


def test_a_friend_is_renamed(screen: FriendsScreen, book: FriendsFile) -> None:
    screen.list.select(1, tells=True)
    assert screen.name.value == "Bob"
    screen.name.set_value("Aaron")
    screen.rename.click()
    assert [known.name for known in book.known()] == ["Aaron", "Ann"]
    assert screen.chosen == book.get(BOB)
    screen.name.set_value(" ")
    screen.rename.click()
    assert [known.name for known in book.known()] == ["Aaron", "Ann"]


def test_blocking_and_removing_ask_and_say_what_changes(
    screen: FriendsScreen, book: FriendsFile
) -> None:
    screen.block.click()
    assert not book.refuses(ANN)
    said = " ".join(w.label for w in screen.stage._active() if isinstance(w, Label))
    assert "Records of matches stay" in said
    answer(screen, "Block")
    assert book.refuses(ANN)
    assert not screen.invite.is_enabled
    screen.block.click()
    assert not book.refuses(ANN)
    screen.remove.click()
    screen.stage.key_pressed(keys.ESCAPE, 0)
    assert book.get(ANN) is not None
    screen.remove.click()
    said = " ".join(w.label for w in screen.stage._active() if isinstance(w, Label))
    assert "Matches, records and all other leaderboards stay" in said
    answer(screen, "Remove")
    assert book.get(ANN) is None


def test_inviting_and_the_card_go_to_the_chosen_one(screen: FriendsScreen, acts: Acts) -> None:
    screen.list.select(1, tells=True)
    screen.invite.click()
    screen.card.click()
    assert (acts.invited, acts.cards) == ([BOB], [BOB])


def test_own_key_and_whether_one_is_seen(
    screen: FriendsScreen, acts: Acts, window: CloakWindow
) -> None:
    screen.copy.click()
    assert window.read_clipboard() == key_text(OWN.key, "memory:0a")
    assert read_who(window.read_clipboard()) == (OWN.key, "memory:0a")
    screen.shown.click()
    assert not acts.shows_me


def test_with_nobody_there_is_a_way_in(window: CloakWindow, book: FriendsFile, acts: Acts) -> None:
    empty = FriendsScreen(window, OWN.key, book, acts.all())
    window.open_screen(empty)
    window.draw(0)
    assert empty.stage.focus is empty.pasted
    assert not empty.invite.is_enabled
    for button in (empty.card, empty.block, empty.remove, empty.rename):
        assert not button.is_enabled


# -- after a match, and when a friend invites --------------------------------------------------


class Calling:
    """A porch to which a friend has come."""

    def __init__(self) -> None:
        self.waiting: list[Call] = []
        self.handed: list[tuple[bytes, bool]] = []

    def sent(self) -> list[tuple[bytes, bool]]:
        found, self.handed = self.handed, []
        return found

    def look(self) -> None: ...

    def presence(self, key: bytes) -> Presence:
        return Presence.AWAY

    def watch(self, key: bytes) -> str:
        return ""

    def address(self) -> str:
        return ""

    def calls(self) -> list[Call]:
        found, self.waiting = self.waiting, []
        return found


@pytest.fixture
def porch() -> Calling:
    return Calling()


@pytest.fixture
def joined() -> list[str]:
    return []


@pytest.fixture
def social(
    window: CloakWindow, book: FriendsFile, tmp_path: Path, porch: Any, joined: list[str]
) -> Iterator[Social]:
    keeper = Keeper(tmp_path, OWN.key, games())
    window.open_screen(Screen(window))
    yield Social(
        window, keeper, OWN, tmp_path, SettingsFile(tmp_path), book, porch,
        lambda key: None, joined.append,
    )  # fmt: skip
    keeper.close()


def test_after_a_match_a_stranger_is_added_with_one_click_and_asked_for_once(
    social: Social, book: FriendsFile, window: CloakWindow
) -> None:
    top = window.top
    assert top is not None
    social.sat_down([(ANN, "Ann")])
    social.offer()
    assert book.known() == []
    answer(top, "Add")
    assert [known.name for known in book.friends()] == ["Ann"]
    social.sat_down([(ANN, "Ann"), (BOB, "Bob")])
    social.offer()
    answer(top, "Not now")
    social.sat_down([(BOB, "Bob")])
    social.offer()
    assert not top.stage.has_modal
    assert book.get(BOB) is None


def test_a_blocked_player_is_not_offered(
    social: Social, book: FriendsFile, window: CloakWindow
) -> None:
    book.block(ANN)
    social.sat_down([(ANN, "Ann")])
    social.offer()
    assert window.top is not None
    assert not window.top.stage.has_modal


def test_a_friends_invite_is_asked_about_and_in_a_match_only_told(
    social: Social,
    book: FriendsFile,
    porch: Calling,
    joined: list[str],
    window: CloakWindow,
) -> None:
    top = window.top
    assert top is not None
    book.add_key(ANN, "Ann")
    invite = Invite("memory:0a", bytes(16), ANN).text()
    porch.waiting = [Call(ANN, "memory:0a", invite)]
    social.tell_calls()
    answer(top, "Join")
    assert joined == [invite]
    social.sat_down([(BOB, "Bob")])
    porch.waiting = [Call(ANN, "memory:0a", invite)]
    social.tell_calls()
    assert not top.stage.has_modal


def test_whether_an_invite_has_arrived_is_told(
    social: Social, book: FriendsFile, porch: Calling, window: CloakWindow
) -> None:
    book.add_key(ANN, "Ann")
    porch.handed = [(ANN, True), (BOB, False)]
    social.tell_calls()
    assert window.top is not None
    assert [toast._said for toast in window.top.toasts._shown] == [
        "Ann has the invite.",
        "Your friend is not there now: send the invite in another way.",
    ]


def test_every_screen_about_players_opens(
    social: Social, book: FriendsFile, window: CloakWindow
) -> None:
    book.add_key(ANN, "Ann")
    for show in (
        social.show_achievements,
        social.show_leaderboard,
        social.show_copies,
        social.show_friends,
        lambda: social.show_card(ANN),
    ):
        show()
        window.draw(0)
        window.close_screen()


def test_links_are_registered_without_keeping_the_window_waiting(
    social: Social, window: CloakWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scheme, "register", lambda: "links are opened here")
    social.register_links()
    while not social._done:
        pass
    social.tell_news()
    assert window.top is not None
    assert [toast._said for toast in window.top.toasts._shown] == ["Links are opened here."]


def test_a_link_is_asked_about_with_the_words_of_whoever_made_it(
    social: Social, joined: list[str], window: CloakWindow, tmp_path: Path
) -> None:
    top = window.top
    assert top is not None
    invite = Invite("memory:0a", bytes(16), ANN).text()
    handoff.leave(tmp_path, invite)
    social.tell_news()
    said = " ".join(w.label for w in top.stage._active() if isinstance(w, Label))
    assert fingerprint_words(ANN) in said
    assert joined == []
    answer(top, "Go")
    assert joined == [invite]
    social.sat_down([(BOB, "Bob")])
    social.opened(invite)
    assert not top.stage.has_modal
