"""What friends at a table ask of each other and say, through both their windows."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyglet.window import key

from cloakboard.client import texts
from cloakboard.client.company import MORE_MS, Remark
from cloakboard.client.local_session import LocalSession
from cloakboard.client.session import Offered
from cloakboard.client.views.table import TableScreen
from cloakboard.client.views.table_menus import LINES, TableActs
from cloakboard.client.views.table_talk import clock_text, note_of
from cloakboard.client.views.trid_table import TridTable
from cloakboard.client.window import CloakWindow
from cloakboard.client.words import outcome
from cloakboard.engine.errors import IllegalAction
from cloakboard.engine.game import Result
from cloakboard.engine.registry import game
from cloakboard.netplay.lockstep import journal
from cloakboard.netplay.lockstep.effects import Watched
from cloakboard.netplay.lockstep.talk import PHRASES
from tests.client.pair import Pair

WEC, TRID = game("wec"), game("trid")


def settle(window: CloakWindow, screen: TableScreen | TridTable) -> None:
    for _ in range(300):
        window.on_update(0.1)
        window.on_draw()
        if not (screen.play.is_behind or window.animator.is_active):
            break
    window.on_update(0.1)


@pytest.fixture
def pair() -> Pair:
    pair = Pair(WEC)
    pair.play(6)
    return pair


def table(window: CloakWindow, pair: Pair, seat: int) -> TableScreen:
    """The table of one seat, all shown."""
    screen = TableScreen(window, pair.sessions[seat], window.close)
    window.open_screen(screen)
    settle(window, screen)
    return screen


def asker(pair: Pair) -> int:
    """A seat that has something to take back."""
    return next(s for s in (0, 1) if pair.rig.peers[s].undo_target is not None)


def answer(screen: TableScreen | TridTable, text: str) -> None:
    """Presses a button of the open dialog."""
    dialog = screen.match.open_dialog
    assert dialog is not None
    dialog.answer(next(i for i, choice in enumerate(dialog._choices) if choice.text == text))


def test_an_undo_is_asked_for_and_agreed_to(window: CloakWindow, pair: Pair) -> None:
    """Both are told that what was learned is kept; both boards show the earlier state."""
    seat = asker(pair)
    mine = table(window, pair, seat)
    mine.undo()
    assert mine.match.open_dialog is not None and "is kept" in mine.match.open_dialog.message
    answer(mine, "Ask")
    pair.sessions[seat].poll()
    assert not pair.sessions[seat].can_undo(), "it is asked for already"
    theirs = table(window, pair, 1 - seat)
    dialog = theirs.match.open_dialog
    assert dialog is not None and "take the last action back" in dialog.title
    assert "is kept" in dialog.message
    target = pair.rig.peers[seat].undo_target
    answer(theirs, "Agree")
    settle(window, theirs)
    assert pair.rig.peers[seat].undo_target != target
    assert theirs.play.state == pair.rig.peers[1 - seat].core.view
    assert theirs.match.open_dialog is None
    assert any("not forgotten" in toast._said for toast in theirs.toasts._shown)


def test_who_declines_is_told_of(window: CloakWindow, pair: Pair) -> None:
    seat = asker(pair)
    pair.sessions[seat].undo()
    theirs = table(window, pair, 1 - seat)
    answer(theirs, "Decline")
    told = [h for h in pair.sessions[seat].poll() if getattr(h, "text", "")]
    assert any("would rather not" in getattr(h, "text", "") for h in told)
    assert pair.rig.peers[0].pending == []


def test_known_failures_23_a_question_that_nobody_asks_any_more_closes(
    window: CloakWindow, pair: Pair
) -> None:
    """The other side plays on, or the link breaks: the dialog does not stay until an answer."""
    seat = asker(pair)
    pair.sessions[seat].undo()
    theirs = table(window, pair, 1 - seat)
    assert theirs.match.is_open
    pair.rig.cut()
    pair.rig.reconnect()
    pair.deliver()
    settle(window, theirs)
    assert not theirs.match.is_open
    assert theirs.play.state == pair.rig.peers[1 - seat].core.view


def test_a_pause_is_agreed_on_and_ended(window: CloakWindow, pair: Pair) -> None:
    company = pair.sessions[0]._company
    company.ask("pause")
    theirs = table(window, pair, 1)
    answer(theirs, "Agree")
    settle(window, theirs)
    dialog = theirs.match.open_dialog
    assert dialog is not None and dialog.title == "The match is paused"
    assert pair.sessions[1]._company.is_paused
    assert list(pair.sessions[pair.rig.peers[0].core.floor()[0]].actions(0)) == []
    answer(theirs, "Play on")
    settle(window, theirs)
    assert not theirs.match.is_open and not pair.rig.peers[0].core.requests.is_paused


def test_during_a_pause_the_board_is_seen_and_talk_goes_on(window: CloakWindow, pair: Pair) -> None:
    """Enter, pressed for something else when the pause comes, ends nothing and leaves nothing."""
    pair.sessions[0]._company.ask("pause")
    theirs = table(window, pair, 1)
    answer(theirs, "Agree")
    settle(window, theirs)
    window.on_key_press(key.ENTER, 0)
    settle(window, theirs)
    assert not theirs.match.is_open and pair.sessions[1]._company.is_paused
    theirs.match.toggle_talk()
    assert theirs.match.talk is not None and theirs.match.talk.is_open
    theirs.match.after.click()
    answer(theirs, "Play on")
    settle(window, theirs)
    assert not theirs.match.after.is_visible and not pair.sessions[1]._company.is_paused


def test_a_pause_that_another_ends_is_over_here(window: CloakWindow, pair: Pair) -> None:
    """Nothing else happens by it: the screen follows all the same."""
    pair.sessions[0]._company.ask("pause")
    theirs = table(window, pair, 1)
    answer(theirs, "Agree")
    settle(window, theirs)
    assert theirs.match.is_open and theirs.status.label == "The match is paused."
    pair.sessions[0]._company.ask("continue")
    settle(window, theirs)
    assert not theirs.match.is_open and theirs.status.label != "The match is paused."


def test_a_name_for_the_save_is_agreed_on(window: CloakWindow, pair: Pair) -> None:
    pair.sessions[0].save("friday")
    theirs = table(window, pair, 1)
    dialog = theirs.match.open_dialog
    assert dialog is not None and "friday" in dialog.title
    answer(theirs, "Agree")
    for seat in range(2):
        assert (journal.NAME, b"friday") in pair.rig.files[seat]


def test_time_is_shown_and_more_is_asked_for(window: CloakWindow) -> None:
    pair = Pair(WEC, room={"move_seconds": 90})
    pair.play(2)
    theirs = table(window, pair, 1)
    mover = pair.rig.peers[0].core.floor()[0]
    left = pair.sessions[1]._company.left_ms(mover)
    assert left is not None and 80_000 < left <= 90_000
    assert pair.sessions[1]._company.left_ms(1 - mover) is None
    assert note_of(pair.sessions[1], mover, is_to_play=True) == clock_text(left)
    theirs.match.toggle_talk()
    assert theirs.match.talk is not None and theirs.match.talk.more.is_visible
    pair.sessions[0]._company.ask("extend", MORE_MS)
    settle(window, theirs)
    dialog = theirs.match.open_dialog
    assert dialog is not None and "5 minutes more" in dialog.title
    answer(theirs, "Agree")
    pair.sessions[0].poll()
    left = pair.sessions[0]._company.left_ms(mover)
    assert left is not None and left > 380_000


def test_a_friend_who_does_not_say_that_its_time_is_over_is_waited_for() -> None:
    """Beyond limit, grace and tolerance the status says what one may do; nobody has lost."""
    pair = Pair(WEC, room={"move_seconds": 90, "grace_seconds": 30})
    pair.play(2)
    mover = pair.rig.peers[0].core.floor()[0]
    waits = pair.sessions[1 - mover]
    for now, is_late in ((121_000, False), (123_000, True)):
        pair.rig.peers[1 - mover]._now_ms = lambda now=now: now  # type: ignore[misc]
        pair.sessions[mover]._company.say_phrase("thinking")
        waits.poll()
        assert ("is over by this clock" in (waits.waiting() or "")) is is_late
    assert pair.rig.peers[0].core.result is None


@pytest.mark.parametrize(
    ("left", "text"), [(90_000, "1:30"), (59_999, "0:59"), (0, "0:00"), (-61_000, "-1:01")]
)
def test_what_is_left_is_written_as_minutes_and_seconds(left: int, text: str) -> None:
    assert clock_text(left) == text


def test_a_loss_on_time_is_told() -> None:
    headline, text = outcome(Result((0,), "time"), ("Ann", "Bob"))
    assert headline == "Black wins" and "time" in text


def test_the_end_tells_how_it_came_where_one_can_look_back(window: CloakWindow, pair: Pair) -> None:
    screen = TableScreen(
        window,
        pair.sessions[1],
        window.close,
        acts=TableActs(look_back=lambda recording, name, seat: None),
    )
    window.open_screen(screen)
    pair.sessions[0].resign(0)
    settle(window, screen)
    dialog = screen.match.open_dialog
    assert dialog is not None
    assert dialog.message.startswith(outcome(Result((1,), "resigned"), pair.sessions[1].names)[1])
    assert "See what was hidden" in [choice.text for choice in dialog._choices]


def test_nobody_is_marked_as_a_computer_in_a_match_with_a_friend(
    window: CloakWindow, pair: Pair
) -> None:
    screen = table(window, pair, 0)
    ticked = [line.text for line in LINES if line.is_on(screen)]
    assert not {"Against the computer", "Two players here"} & set(ticked)


# --- talk -----------------------------------------------------------------------------------


@pytest.mark.parametrize("game_id", ["wec", "trid"])
def test_known_failures_33_committed_and_pasted_text_is_said(
    window: CloakWindow, game_id: str, tmp_path: Path
) -> None:
    """Letters go to the line and start nothing on the board; Enter says it; the other side reads
    it as it was typed."""
    pair = Pair(game(game_id))
    kind = TableScreen if game_id == "wec" else TridTable
    screen = kind(window, pair.sessions[0], window.close)
    window.open_screen(screen)
    settle(window, screen)
    window.on_key_press(key.T, key.MOD_CTRL)
    talk = screen.match.talk
    assert talk is not None and talk.is_open and talk.field.is_focused
    for committed in ("안녕", "하세요 ", "你好"):
        window.on_text(committed)
    window.on_key_press(key.M, 0)
    window.write_clipboard("pasted\nlines")
    window.on_key_press(key.V, key.MOD_CTRL)
    window.on_key_press(key.RETURN, 0)
    settle(window, screen)
    said = Remark(0, "안녕하세요 你好pasted lines")
    for session in pair.sessions:
        session.poll()
        assert list(session._company.remarks()) == [said]
    assert talk.field.value == ""
    window.on_key_press(key.ESCAPE, 0)


def test_talk_that_is_closed_is_told_in_a_toast(window: CloakWindow, pair: Pair) -> None:
    screen = table(window, pair, 0)
    pair.sessions[1]._company.say("psst")
    settle(window, screen)
    talk = screen.match.talk
    assert talk is not None and not talk.is_open
    screen.match.toggle_talk()
    assert talk.remarks.is_visible and not screen.panel.history.is_visible
    screen.match.toggle_talk()
    assert screen.panel.history.is_visible and not talk.field.is_visible


def test_known_failures_8_what_is_said_moves_nothing(window: CloakWindow, pair: Pair) -> None:
    screen = table(window, pair, 0)
    before = screen.play.state, pair.rig.peers[0].core.place.head
    for seat in range(2):
        pair.sessions[seat]._company.say_phrase("well")
    settle(window, screen)
    assert (screen.play.state, pair.rig.peers[0].core.place.head) == before


def test_who_says_too_much_is_told_to_wait(pair: Pair) -> None:
    for _ in range(9):
        pair.sessions[0]._company.say("again")
    told = [getattr(h, "text", "") for h in pair.sessions[0].poll()]
    assert any("Wait a moment" in text for text in told)


def test_jq_109_in_a_muted_room_there_is_nothing_to_type_in(window: CloakWindow) -> None:
    screen = table(window, Pair(WEC, room={"mute": True}), 0)
    screen.match.toggle_talk()
    talk = screen.match.talk
    assert talk is not None and not talk.field.is_enabled and talk.pause.is_enabled


@pytest.mark.parametrize("language", ["ko", "zh-Hant", "zh-Hans"])
def test_each_side_reads_a_quick_phrase_in_its_own_language(language: str) -> None:
    texts.use(language)
    try:
        for phrase in PHRASES.values():
            assert texts.shown(phrase) != phrase
    finally:
        texts.use("en")


def test_alone_there_is_nobody_to_talk_to(window: CloakWindow) -> None:
    screen = TableScreen(window, LocalSession(WEC, ("Ann", "Bob"), seed=b"t"), window.close)
    assert screen.match.talk is None and not screen.tools["talk"].is_visible


NOBODY = "Others may watch this match. Nobody does at this player's machine now."


@pytest.mark.parametrize(
    ("count", "names", "here", "hint"),
    [
        (0, (), "", NOBODY),
        (
            1,
            ("Cid",),
            "1 watching here",
            "1 watching at your machine: Cid. Names are what they call themselves.",
        ),
        (
            6,
            ("Cid", "D" * 36, "Eve", "Fay", "Gus", "Hal"),
            "6 watching here",
            f"6 watching at your machine: Cid, {'D' * 20}, Eve, Fay, …. "
            "Names are what they call themselves.",
        ),
    ],
)
@pytest.mark.parametrize("game_id", ["wec", "trid"])
def test_a_players_card_tells_how_many_watch_there(
    window: CloakWindow, game_id: str, count: int, names: tuple[str, ...], here: str, hint: str
) -> None:
    pair = Pair(game(game_id), room={"spectators": True})
    pair.play(3)
    kind = TableScreen if game_id == "wec" else TridTable
    screens = [kind(window, session, window.close) for session in pair.sessions]
    pair.sessions[0].tell(Watched(0, count, names))
    pair.rig.peers[0].tell_watched(count)
    pair.deliver()
    there = here.replace("here", "there")
    for screen, told, more in (
        (screens[0], here, hint),
        (screens[1], there, f"{count} watching at the machine of player 0." if count else NOBODY),
    ):
        window.open_screen(screen)
        settle(window, screen)
        card = screen.panel.cards[0]
        assert card._said[1].partition(" · ")[2] == told
        assert card.hint == more
        assert screen.panel.cards[1].hint == NOBODY
    pair.rig.peers[1].request("resign")
    pair.deliver()
    settle(window, screens[1])
    assert "watching" not in screens[1].panel.cards[0]._said[1]


def test_where_nobody_may_watch_no_card_tells_of_it(window: CloakWindow) -> None:
    pair = Pair(WEC)
    pair.sessions[0]._company._watch_invite = ""
    pair.sessions[0].tell(Watched(0, 1, ("Cid",)))
    screen = table(window, pair, 0)
    assert [(card.hint, "watching" in card._said[1]) for card in screen.panel.cards.values()] == [
        ("", False),
        ("", False),
    ]


def sit_in(pair: Pair, seat: int) -> None:
    """The computer plays in the place of a seat, and the others have been told."""
    stand_in = pair.sessions[seat].stand_in
    assert stand_in is not None
    stand_in.switch(True)
    pair.sessions[seat].poll()


def test_jq_105_veil_10_the_computer_plays_for_a_player_until_taken_over() -> None:
    """The other side hears of both; what it sees of the match is not held up."""
    pair = Pair(WEC, room={"computers_take_over": True, "mute": True})
    pair.play(4)
    mover = pair.rig.peers[0].core.floor()[0]
    mine, theirs = pair.sessions[mover], pair.sessions[1 - mover]
    before = len(pair.rig.entries(0))
    sit_in(pair, mover)
    assert len(pair.rig.entries(0)) == before  # first the others are told
    theirs.poll()
    assert theirs._company.remarks() == [Remark(mover, PHRASES["stands_in"], True)]
    assert note_of(theirs, mover, is_to_play=True) == "computer"
    assert mine.waiting() == "The computer plays for you; press F9 to take over again."
    assert list(mine.actions(mover)) == []
    mine.poll()
    after = len(pair.rig.entries(0))
    assert after > before
    assert pair.rig.peers[0].core.digest() == pair.rig.peers[1].core.digest()
    assert mine.stand_in is not None
    mine.stand_in.switch(False)
    for _ in range(5):
        mine.poll()
    theirs.poll()
    assert len(pair.rig.entries(0)) == after
    assert [remark.text for remark in theirs._company.remarks()][1:] == [PHRASES["plays_again"]]
    assert note_of(theirs, mover, is_to_play=True) == "to play"


@pytest.mark.parametrize("kind", ["draw", "undo", "pause"])
def test_the_computer_in_a_players_place_declines(kind: str) -> None:
    """As the computer players of the command line do, asked before or after it sat down."""
    for first in (True, False):
        pair = Pair(WEC, room={"computers_take_over": True})
        pair.play(6)
        seat = asker(pair)
        if first:
            sit_in(pair, 1 - seat)
        pair.rig.peers[seat].request(kind, pair.rig.peers[seat].undo_target or 0)
        pair.deliver()
        if not first:
            pair.sessions[1 - seat].poll()
            sit_in(pair, 1 - seat)
        told = pair.sessions[1 - seat].poll()
        assert not any(isinstance(happening, Offered) for happening in told)
        texts_told = [getattr(h, "text", "") for h in pair.sessions[seat].poll()]
        assert any("would rather" in text for text in texts_told), (kind, first)


def test_where_the_room_does_not_allow_it_no_computer_plays() -> None:
    pair = Pair(WEC)
    stand_in = pair.sessions[0].stand_in
    assert stand_in is not None and not stand_in.is_allowed
    with pytest.raises(IllegalAction, match="its settings do not allow it"):
        stand_in.switch(True)


@pytest.mark.parametrize("is_allowed", [True, False])
@pytest.mark.parametrize("game_id", ["wec", "trid"])
def test_f9_lets_the_computer_play_or_says_why_not(
    window: CloakWindow, game_id: str, is_allowed: bool
) -> None:
    pair = Pair(game(game_id), room={"computers_take_over": is_allowed})
    kind = TableScreen if game_id == "wec" else TridTable
    screen = kind(window, pair.sessions[0], window.close)
    window.open_screen(screen)
    settle(window, screen)
    window.on_key_press(key.F9, 0)
    settle(window, screen)
    stand_in = pair.sessions[0].stand_in
    assert stand_in is not None and stand_in.is_on is is_allowed
    assert (screen.status.label.startswith("The computer plays for you")) is is_allowed
    told = [toast._said for toast in screen.toasts._shown]
    assert any("do not let computers take over" in text for text in told) is not is_allowed
