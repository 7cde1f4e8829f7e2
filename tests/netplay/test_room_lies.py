"""A keeper or a member of a room that lies: what it says is refused, and by whom."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cloakboard.netplay.errors import Forged, Malformed, Mismatch, NetplayError, Refused
from cloakboard.netplay.room.negotiator import Negotiator
from cloakboard.netplay.room.room_state import Phase
from cloakboard.netplay.room.statements import (
    Accept,
    Ask,
    Body,
    Close,
    Enter,
    Lay,
    Leave,
    Ready,
    Rules,
    Share,
    Sign,
    Wish,
    read_said,
)
from cloakboard.netplay.transcript import encode
from tests.netplay.rig import identity
from tests.netplay.rooms import FUEL_5, GAMES, ROOM, Gathering, forged, gathered


def test_a_keeper_that_invents_consent_is_refused() -> None:
    gathering = gathered(3)
    gathering.keeper.ask(FUEL_5)
    gathering.flush()
    place = gathering.rooms()[0].requests[0].place
    invented = forged(gathering, 1, Accept(place), signer=0)
    with pytest.raises(Forged):
        gathering.members[2].take(invented)
    assert gathering.rooms()[2].requests[0].accepted == frozenset()


def test_a_keeper_that_tells_consent_twice_or_to_another_request_is_refused() -> None:
    gathering = gathered(3)
    for value in (5, 6):
        gathering.keeper.ask(Rules((("fuel", value), ("turns", value))))
        gathering.flush()
    gathering.members[1].accept(gathering.rooms()[0].requests[0].place)
    consent = gathering.members[1].outbox[0]
    gathering.flush()
    with pytest.raises(Mismatch):
        gathering.members[2].take(consent)


@pytest.mark.parametrize("place", [-1, -2])
def test_a_keeper_that_leaves_something_out_is_found_by_the_next_statement(place: int) -> None:
    gathering = gathered(3)
    gathering.keeper.ask(FUEL_5)
    gathering.order(0)
    gathering.keeper.ask(Rules((("turns", 9),)))
    gathering.order(0)
    del gathering.ways[2][place]
    gathering.hear(1)
    gathering.hear(1)
    gathering.members[1].accept(gathering.rooms()[1].requests[0].place)
    gathering.order(1)
    with pytest.raises(Mismatch, match="told its members different things"):
        gathering.flush()


def test_a_keeper_that_tells_two_orders_is_found_by_the_next_statement() -> None:
    gathering = gathered(3)
    gathering.members[1].ask(FUEL_5)
    gathering.members[2].ask(FUEL_5)
    gathering.order(1)
    gathering.order(2)
    way = gathering.ways[2]
    way[0], way[1] = way[1], way[0]
    gathering.hear(1)
    gathering.hear(1)
    gathering.hear(2)
    gathering.hear(2)
    gathering.members[1].accept(gathering.rooms()[1].requests[1].place)
    gathering.order(1)
    with pytest.raises(Mismatch, match="told its members different things"):
        gathering.hear(2)


def test_another_share_of_the_coin_than_was_laid_down_is_refused() -> None:
    gathering = gathered()
    gathering.keeper.ready()
    gathering.flush()
    gathering.members[1].ready()
    gathering.order(1)
    assert gathering.keeper.room is not None
    assert gathering.keeper.room.phase is Phase.TOSSING
    with pytest.raises(Forged, match="another share"):
        gathering.keeper.take(forged(gathering, 1, Share(bytes(32))))


def test_a_signature_under_another_entry_0_is_refused() -> None:
    gathering = gathered()
    gathering.keeper.ready()
    gathering.members[1].ready()
    for _ in range(20):
        assert gathering.keeper.room is not None
        if gathering.keeper.room.phase is Phase.SIGNING:
            break
        if not gathering.order(0):
            gathering.hear(1)
            gathering.order(1)
    with pytest.raises(Mismatch, match="another match than was agreed"):
        gathering.keeper.take(forged(gathering, 1, Sign(bytes(64))))


@pytest.mark.parametrize(
    ("body", "other"),
    [
        (Enter("player 2", 0, ""), {}),
        (Wish(5), {}),
        (Leave(""), {"number": 9}),
        (Leave(""), {"room": bytes(16)}),
        (Leave(""), {"head": bytes(32)}),
        (Leave(""), {"heard": 99}),
    ],
)
def test_what_no_honest_client_says_is_refused(body: Body, other: dict[str, Any]) -> None:
    gathering = gathered()
    with pytest.raises(NetplayError):
        gathering.keeper.take(forged(gathering, 1, body, **other))
    gathering.members[1].ask(FUEL_5)
    gathering.flush()  # the room is as before


def test_a_stranger_does_not_speak_in_a_room() -> None:
    gathering = Gathering(3)
    with pytest.raises(Malformed):
        gathering.keeper.take(forged(gathering, 2, Close("")))


def test_a_full_room_takes_nobody_in() -> None:
    gathering = gathered()
    with pytest.raises(Malformed):
        gathering.keeper.take(forged(gathering, 2, Enter("player 2", 0, "")))


def test_the_room_must_be_the_inviting_players() -> None:
    gathering = gathered()
    stranger = Negotiator(identity(5), ROOM, identity(1).key, "player 5", "", GAMES)
    with pytest.raises(Forged):
        stranger.take(gathering.keeper.lines[0])


def test_a_room_that_goes_on_without_end_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cloakboard.netplay.room.negotiator.MOST_SAID", 5)
    gathering = gathered()
    for seat in (1, 0, 1):
        gathering.keeper.wish(seat)
        gathering.flush()
    gathering.keeper.wish(0)
    with pytest.raises(Refused):
        gathering.flush()


def test_a_room_that_grows_without_end_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cloakboard.netplay.room.negotiator.MOST_BYTES", 2000)
    gathering = gathered()
    for _ in range(4):
        gathering.keeper.chat("a" * 250)
    with pytest.raises(Refused):
        gathering.flush()


@given(st.binary(max_size=400))
def test_bytes_are_refused_or_one_statement(data: bytes) -> None:
    try:
        said = read_said(data)
    except Malformed:
        return
    assert encode(said) == data


def test_every_statement_is_read_as_it_was_written() -> None:
    gathering = gathered(3)
    change_all(gathering)
    gathering.agree()
    kinds = {type(read_said(line).body) for line in gathering.keeper.lines}
    assert kinds >= {Enter, Ask, Accept, Ready, Share, Lay, Sign}
    for line in gathering.keeper.lines:
        assert encode(read_said(line)) == line


def change_all(gathering: Gathering) -> None:
    gathering.keeper.ask(FUEL_5)
    gathering.flush()
    for member in gathering.members[1:]:
        member.accept(gathering.rooms()[0].requests[0].place)
    gathering.flush()


def own_ready(lines: list[bytes]) -> bytes:
    """The ready mark of player 1."""
    said = [(line, read_said(line)) for line in lines]
    return next(
        line for line, one in said if isinstance(one.body, Ready) and one.author == identity(1).key
    )


def test_words_of_an_earlier_stay_are_not_taken_for_new_ones() -> None:
    """A keeper that has a whole agreement on record cannot begin that match again."""
    gathering = gathered()
    gathering.agree()
    lines = gathering.keeper.lines
    enter = next(at for at, line in enumerate(lines) if isinstance(read_said(line).body, Enter))
    again = Negotiator(identity(1), ROOM, identity(0).key, "player 1", "memory:1", GAMES)
    for line in lines[:enter]:
        again.take(line)
    again.enter()
    again.take(lines[enter])  # said alike, since nothing in it is fresh
    again.take(lines[enter + 1])
    with pytest.raises(Forged, match="has not said"):
        again.take(own_ready(lines))


def test_a_room_that_has_a_newcomer_in_it_already_is_left() -> None:
    gathering = gathered()
    again = Negotiator(identity(1), ROOM, identity(0).key, "player 1", "memory:1", GAMES)
    for line in gathering.keeper.lines:
        again.take(line)
    with pytest.raises(Mismatch):
        again.enter()
