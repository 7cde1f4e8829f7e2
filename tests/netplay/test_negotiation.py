"""The room as a state machine: requests, consent, ready marks, coin, entry 0."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cloakboard.netplay.errors import Malformed, Refused
from cloakboard.netplay.lockstep.judge import check_opening, keys_of
from cloakboard.netplay.room.room_state import Phase
from cloakboard.netplay.room.seating import seat_members, toss
from cloakboard.netplay.room.statements import (
    NO_WISH,
    Ask,
    Change,
    Chat,
    Gone,
    House,
    Load,
    Rules,
    Start,
    Swap,
)
from cloakboard.netplay.room_settings import settings_of
from cloakboard.netplay.transcript import encode
from tests.netplay.rig import identity
from tests.netplay.rooms import FUEL_5, ROOM, Gathering, drawing, forged, gathered

# Consent ----------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3])
def test_a_request_takes_effect_when_the_last_has_accepted(seats: int) -> None:
    gathering = gathered(seats)
    gathering.members[1].ask(FUEL_5)
    gathering.flush()
    place = gathering.keeper.lines.__len__() - 1
    for member in [m for m in gathering.members if m is not gathering.members[1]]:
        for room in gathering.rooms():
            assert [r.place for r in room.requests] == [place]
            assert room.options["fuel"] == 3
        member.accept(place)
        gathering.flush()
    for room in gathering.rooms():
        assert room.options["fuel"] == 5
        assert room.requests == ()
        assert [news.kind for news in room.news][-2:] == ["ask", "change"]


def test_who_waits_for_whose_answer_is_visible() -> None:
    gathering = gathered(3)
    gathering.members[1].ask(FUEL_5)
    gathering.flush()
    (request,) = gathering.rooms()[2].requests
    assert (request.author, request.change) == (identity(1).key, FUEL_5)
    owing = gathering.rooms()[2].owing(request)
    assert [member.name for member in owing] == ["player 0", "player 2"]


def test_nobody_else_is_there_so_a_change_takes_effect_at_once() -> None:
    gathering = Gathering(3)
    gathering.keeper.ask(FUEL_5)
    gathering.flush()
    assert gathering.rooms()[0].options["fuel"] == 5


@pytest.mark.parametrize("who", [0, 1, 2])
def test_a_request_is_declined_or_taken_back_and_changes_nothing(who: int) -> None:
    gathering = gathered(3)
    gathering.members[1].ask(FUEL_5)
    gathering.flush()
    (request,) = gathering.rooms()[0].requests
    gathering.members[0].accept(request.place)
    gathering.members[who].decline(request.place)
    gathering.members[2].accept(request.place)
    gathering.flush()
    if who == 2:  # declined before it accepted
        assert gathering.rooms()[0].options["fuel"] == 3
    assert {room.options["fuel"] for room in gathering.rooms()} <= {3}
    assert gathering.rooms()[0].requests == ()


def test_a_later_request_for_the_same_replaces_the_own_earlier_one() -> None:
    gathering = gathered()
    gathering.members[1].ask(FUEL_5)
    gathering.members[1].ask(Rules((("turns", 9),)))
    gathering.members[1].ask(Rules((("fuel", 6),)))
    gathering.flush()
    changes = [request.change for request in gathering.rooms()[0].requests]
    assert changes == [Rules((("turns", 9),)), Rules((("fuel", 6),))]


def test_a_new_member_must_accept_what_still_waits() -> None:
    gathering = Gathering(3)
    gathering.add()
    gathering.keeper.ask(FUEL_5)
    gathering.flush()
    gathering.add()
    gathering.members[1].accept(gathering.rooms()[0].requests[0].place)
    gathering.flush()
    assert gathering.rooms()[2].options["fuel"] == 3
    gathering.members[2].accept(gathering.rooms()[0].requests[0].place)
    gathering.flush()
    assert gathering.rooms()[2].options["fuel"] == 5


def test_what_only_a_member_that_left_had_not_accepted_takes_effect() -> None:
    gathering = gathered(3)
    gathering.keeper.ask(FUEL_5)
    gathering.flush()
    gathering.members[1].accept(gathering.rooms()[0].requests[0].place)
    gathering.flush()
    gathering.members[2].leave()
    gathering.flush()
    assert gathering.rooms()[0].options["fuel"] == 5


def test_settings_of_the_room_need_consent_too() -> None:
    gathering = gathered()
    gathering.keeper.ask(House((("scored", False), ("move_seconds", 30))))
    gathering.flush()
    assert gathering.rooms()[1].settings["scored"] is True
    gathering.members[1].accept(gathering.rooms()[1].requests[0].place)
    gathering.flush()
    settings = gathering.rooms()[1].settings
    assert (settings["scored"], settings["move_seconds"]) == (False, 30)


def test_seats_are_exchanged_by_consent() -> None:
    gathering = gathered()
    gathering.members[1].ask(Swap(identity(0).key))
    gathering.flush()
    gathering.keeper.accept(gathering.rooms()[0].requests[0].place)
    gathering.flush()
    assert [member.wish for member in gathering.rooms()[1].members] == [1, 0]


@pytest.mark.parametrize(
    "change",
    [
        Rules((("fuel", 99),)),
        Rules((("no_such_thing", 1),)),
        House((("scored", 3),)),
        Start("what no start position looks like", "", ()),
        Load(b"short", ""),
        Load(bytes(32), "two\nlines"),
        Start("", "\u202eback to front", ()),
        Swap(identity(1).key),
    ],
    ids=lambda change: type(change).__name__,
)
def test_what_nobody_can_ask_for_is_refused_where_it_is_asked_and_where_it_is_heard(
    change: Change,
) -> None:
    gathering = gathered()
    with pytest.raises(Malformed):
        gathering.members[1].ask(change)
    with pytest.raises(Malformed):
        gathering.keeper.take(forged(gathering, 1, Ask(change)))


# Ready marks, coin, entry 0 ----------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3])
def test_when_all_are_ready_each_works_out_one_entry_0(seats: int) -> None:
    gathering = gathered(seats)
    gathering.agree()
    assert {room.phase for room in gathering.rooms()} == {Phase.AGREED}
    entries = {encode(member.entry()) for member in gathering.members}
    assert len(entries) == 1
    opening, _ = check_opening(gathering.keeper.entry(), gathering.game)
    assert keys_of(opening) == tuple(identity(seat).key for seat in range(seats))
    assert [member.seat for member in gathering.members] == list(range(seats))
    assert settings_of(opening)["scored"] is True


def test_the_agreed_changes_stand_in_entry_0() -> None:
    gathering = gathered()
    for change in (FUEL_5, House((("scored", False),)), Swap(identity(1).key)):
        gathering.keeper.ask(change)
        gathering.flush()
        gathering.members[1].accept(gathering.rooms()[1].requests[0].place)
        gathering.flush()
    gathering.agree()
    opening, _ = check_opening(gathering.members[1].entry(), gathering.game)
    assert dict(opening.options)["fuel"] == 5
    assert dict(opening.room)["scored"] is False
    assert [seat.name for seat in opening.seats] == ["player 1", "player 0"]


def change_an_option(gathering: Gathering) -> None:
    gathering.keeper.ask(FUEL_5)
    gathering.flush()
    gathering.members[1].accept(gathering.rooms()[1].requests[0].place)


@pytest.mark.parametrize(
    "then",
    [
        change_an_option,
        lambda gathering: gathering.members[1].wish(NO_WISH),
        lambda gathering: gathering.members[1].leave(),
        lambda gathering: gathering.keeper.unready(),
    ],
    ids=["option", "wish", "leave", "unready"],
)
def test_a_change_takes_the_ready_marks_away(then: Callable[[Gathering], None]) -> None:
    gathering = gathered()
    gathering.keeper.ready()
    gathering.flush()
    assert gathering.rooms()[1].members[0].is_ready
    then(gathering)
    gathering.flush()
    assert not any(member.is_ready for room in gathering.rooms() for member in room.members)


def test_a_mark_for_terms_that_have_changed_meanwhile_is_none() -> None:
    gathering = gathered()
    gathering.members[1].ready()
    gathering.keeper.wish(NO_WISH)
    gathering.order(0)
    gathering.order(1)
    assert gathering.keeper.room is not None
    assert not gathering.keeper.room.members[1].is_ready


def test_a_mark_made_twice_is_one() -> None:
    gathering = gathered()
    gathering.members[1].ready()
    gathering.members[1].ready()
    gathering.flush()
    gathering.keeper.ready()
    gathering.flush()
    assert {room.phase for room in gathering.rooms()} == {Phase.AGREED}


def test_the_room_is_not_full_so_ready_marks_wait() -> None:
    gathering = Gathering(3)
    gathering.add()
    gathering.agree()
    assert gathering.rooms()[0].phase is Phase.TALKING
    assert all(member.is_ready for member in gathering.rooms()[0].members)


def test_both_wish_one_seat_and_the_coin_decides() -> None:
    seats = set()
    for seed in range(12):
        gathering = Gathering()
        gathering.add(wish=0)
        assert gathering.rooms()[0].clashes == {0}
        for at, member in enumerate(gathering.members):
            member._draw = drawing(100 * at + seed)
        gathering.agree()
        assert sorted(member.seat for member in gathering.members) == [0, 1]
        seats.add(gathering.keeper.seat)
    assert seats == {0, 1}


def test_seats_by_wish_and_coin() -> None:
    a, b, c = (bytes([n]) * 32 for n in (1, 2, 3))
    for coin in (bytes([n]) * 32 for n in range(20)):
        assert seat_members(coin, {a: 2, b: 0, c: 1}, 3) == {a: 2, b: 0, c: 1}
        assert seat_members(coin, {a: NO_WISH, b: 0, c: 1}, 3) == {a: 2, b: 0, c: 1}
        clash = seat_members(coin, {a: 1, b: 1, c: 0}, 3)
        assert clash[c] == 0
        assert {clash[a], clash[b]} == {1, 2}
    free = [seat_members(bytes([n]) * 32, {a: NO_WISH, b: NO_WISH}, 2)[a] for n in range(40)]
    assert 8 < sum(free) < 32


def test_every_share_and_every_term_turns_the_coin() -> None:
    shares = {bytes([1]): b"x", bytes([2]): b"y"}
    coins = {
        toss(ROOM, b"terms", shares),
        toss(ROOM, b"other", shares),
        toss(b"elsewhere", b"terms", shares),
        toss(ROOM, b"terms", {**shares, bytes([1]): b"z"}),
        toss(ROOM, b"terms", {**shares, bytes([2]): b"z"}),
    }
    assert len(coins) == 5


def test_a_member_that_takes_its_mark_back_after_shares_were_opened_spends_them() -> None:
    gathering = gathered()
    gathering.keeper.ready()
    gathering.flush()
    gathering.members[1].ready()
    gathering.order(1)
    gathering.order(0)  # the keeper opens its share
    assert gathering.keeper.room is not None
    assert gathering.keeper.room.members[0].coin
    gathering.members[1].unready()
    gathering.hear(1)
    gathering.members[1].outbox = gathering.members[1].outbox[:1]  # it never opens its own
    gathering.flush()
    assert not any(member.is_ready or member.coin for member in gathering.keeper.room.members)
    gathering.keeper.ready()
    gathering.flush()
    assert len(gathering.keeper._coins) == len(set(gathering.keeper._coins.values())) == 2


# Talk -----------------------------------------------------------------------------------------


def test_a_line_reaches_all_cleaned_and_takes_no_ready_mark_away() -> None:
    gathering = gathered(3)
    gathering.keeper.ready()
    gathering.members[1].chat("  good\tluck\u202e \n")
    gathering.flush()
    for room in gathering.rooms():
        assert [(n.member, n.text) for n in room.news if n.kind == "chat"] == [
            ("player 1", "good luck")
        ]
        assert room.members[0].is_ready


def test_a_room_without_chat_has_none_whoever_talks() -> None:
    gathering = Gathering(settings={"mute": True})
    gathering.add()
    with pytest.raises(Refused):
        gathering.members[1].chat("hello")
    gathering.keeper.take(forged(gathering, 1, Chat("hello")))
    assert gathering.keeper.room is not None
    assert "chat" not in {news.kind for news in gathering.keeper.room.news}


# Leaving and ending -------------------------------------------------------------------------


@pytest.mark.parametrize("who", [0, 1, 2])
def test_any_player_ends_the_negotiation(who: int) -> None:
    gathering = gathered(3)
    gathering.members[who].close("dinner")
    gathering.flush()
    assert {room.reason for room in gathering.rooms()} == {f"player {who}: dinner"}
    gathering.keeper.ready()
    gathering.flush()
    assert {room.phase for room in gathering.rooms()} == {Phase.CLOSED}


def test_a_guest_leaves_and_its_seat_is_free_again() -> None:
    gathering = gathered(3)
    gathering.members[2].leave("late")
    gathering.flush()
    room = gathering.rooms()[0]
    assert (room.free, room.phase) == (1, Phase.TALKING)
    assert (room.news[-1].kind, room.news[-1].text) == ("leave", "late")


def test_without_its_keeper_a_room_is_closed() -> None:
    gathering = gathered(3)
    gathering.keeper.leave("bye")
    gathering.flush()
    assert gathering.rooms()[1].reason == "player 0: bye"


def test_only_the_keeper_says_that_a_way_is_gone() -> None:
    gathering = gathered(3)
    with pytest.raises(Malformed):
        gathering.keeper.take(forged(gathering, 1, Gone(identity(2).key, "")))
    gathering.keeper.gone(identity(2).key, "no sign of it")
    gathering.flush()
    assert [m.name for m in gathering.rooms()[1].members] == ["player 0", "player 1"]


def test_after_the_agreement_nothing_said_has_an_effect() -> None:
    gathering = gathered()
    gathering.agree()
    gathering.members[1].close("changed my mind")
    gathering.members[1].unready()
    gathering.flush()
    assert {room.phase for room in gathering.rooms()} == {Phase.AGREED}


def test_a_match_to_go_on_with_needs_everybody_and_no_new_entry_0() -> None:
    gathering = gathered()
    match = bytes([9]) * 32
    gathering.keeper.ask(Load(match, "the long one"))
    gathering.flush()
    gathering.members[1].accept(gathering.rooms()[1].requests[0].place)
    gathering.flush()
    gathering.agree()
    assert {(room.phase, room.load) for room in gathering.rooms()} == {(Phase.AGREED, match)}


# Any order ------------------------------------------------------------------------------------

STEPS = (
    *("ask", "house", "swap", "accept", "decline", "ready", "unready"),
    *("wish", "chat", "leave", "enter", "order", "hear"),
)


@given(
    st.integers(2, 3),
    st.lists(st.tuples(st.sampled_from(STEPS), st.integers(0, 2), st.integers(0, 5)), max_size=80),
)
def test_in_any_order_of_asking_and_hearing_all_come_to_equal_rooms(
    seats: int, steps: list[tuple[str, int, int]]
) -> None:
    gathering = gathered(seats)
    for step, who, value in steps:
        seat = who % seats
        member = gathering.members[seat]
        room = member.room
        assert room is not None
        places = [request.place for request in room.requests]
        if room.member(member.key) is None and step not in ("enter", "order", "hear"):
            continue
        match step:
            case "ask":
                member.ask(Rules((("fuel", value),)))
            case "house":
                member.ask(House((("move_seconds", value),)))
            case "accept" if places:
                member.accept(places[value % len(places)])
            case "decline" if places:
                member.decline(places[value % len(places)])
            case "ready":
                member.ready()
            case "unready":
                member.unready()
            case "swap" if len(room.members) > 1 and room.members[0].key != member.key:
                member.ask(Swap(room.members[0].key))
            case "chat":
                member.chat(f"line {value}")
            case "leave" if seat and value == 0:
                gathering.flush()
                member.leave()
                gathering.flush()
            case "enter" if room.member(member.key) is None:
                gathering.flush()
                member.enter()
                gathering.flush()
            case "wish":
                member.wish(value % (seats + 1) - 1)
            case "order":
                gathering.order(seat)
            case _:
                gathering.hear(seat)
    gathering.flush()
    rooms = gathering.rooms()
    assert all(room == rooms[0] for room in rooms)
    assert len({room.terms for room in rooms}) == 1
    if rooms[0].phase is Phase.AGREED:
        assert len({encode(member.entry()) for member in gathering.members}) == 1
        check_opening(gathering.keeper.entry(), gathering.game)
    else:
        assert rooms[0].phase is Phase.TALKING
