"""The room's screen: what it shows of a room, and what a player says by it."""

from __future__ import annotations

from functools import partial

import pytest
from pyglet.window import key

from cloakboard.client.library import STANDARD
from cloakboard.client.network import Network
from cloakboard.client.room_seat import RoomSeat
from cloakboard.client.room_words import caution_text
from cloakboard.client.views.about import AboutScreen
from cloakboard.client.window import CloakWindow
from cloakboard.netplay.room.cautions import Caution
from cloakboard.netplay.room.door import Conduct
from cloakboard.netplay.room.negotiator import Negotiator
from cloakboard.netplay.room.sitting import Sitting
from cloakboard.netplay.room.statements import House, Load, Rules, Start, Swap
from cloakboard.netplay.room_settings import ROOM
from tests.client.conftest import resized
from tests.client.room_stage import WEC, Shown
from tests.netplay.rooms import Gathering


def test_while_a_seat_is_free_the_invite_is_shown_and_can_be_copied(window: CloakWindow) -> None:
    shown = Shown(window, full=False)
    screen = shown.screen
    assert screen.invite.value == shown.lobby.invite()
    assert screen.stage.focus is screen.copy
    screen.copy.click()
    assert window.read_clipboard() == shown.lobby.invite()
    assert [row.text for row in screen.seats.rows] == ["Black: Ada", "White: free"]
    assert "send the invite" in screen.status.label
    shown.guest()
    shown.frame()
    assert not screen.invite.is_visible
    assert screen.stage.focus is screen.ready
    assert [row.text for row in screen.seats.rows] == ["Black: Ada", "White: Ben"]


def test_changed_rules_and_settings_become_one_request_each(window: CloakWindow) -> None:
    shown = Shown(window)
    screen = shown.screen
    names = [option.name for option in WEC.options.options]
    screen.rules.select(names.index("rate_stun"))
    screen.rules.on_key(key.RIGHT, 0)
    screen.rules.on_key(key.RIGHT, key.MOD_SHIFT)
    screen.house_tab.click()
    screen.house.select([option.name for option in ROOM.options].index("move_seconds"))
    for _ in range(3):
        screen.house.on_key(key.RIGHT, key.MOD_SHIFT)
    screen.ask.click()
    shown.frame()
    assert [request.change for request in shown.room.requests] == [
        Rules((("rate_stun", 13),)),
        House((("move_seconds", 30),)),
    ]
    assert screen.rules.proposal == {}
    assert [row.detail for row in screen.requests.rows] == ["You · waits for Ben"] * 2
    for _ in range(2):
        shown.other(lambda n: n.accept(shown.room.requests[0].place))
    assert shown.room.options["rate_stun"] == 13
    assert screen.rules.values["rate_stun"] == 13


def test_a_request_of_the_other_is_accepted_or_declined(window: CloakWindow) -> None:
    shown = Shown(window)
    for value, button in ((5, shown.screen.decline), (6, shown.screen.accept)):
        shown.other(partial(Negotiator.ask, change=Rules((("rate_stun", value),))))
        assert "accept it, or decline it" in shown.screen.status.label
        button.click()
        shown.frame()
    assert shown.room.options["rate_stun"] == 6
    assert shown.screen.requests.rows == []
    assert not shown.screen.accept.is_enabled


def test_the_selected_request_stays_selected_when_another_is_taken_back(
    window: CloakWindow,
) -> None:
    """Else a request slips below the hand that accepts."""
    shown = Shown(window)
    for name, value in (("rate_stun", 7), ("rate_flamer", 7), ("rate_conversion", 7)):
        shown.other(partial(Negotiator.ask, change=Rules(((name, value),))))
    shown.screen.requests.select(1)
    wanted = shown.room.requests[1]
    shown.other(lambda n: n.decline(shown.room.requests[0].place))
    shown.screen.accept.click()
    shown.frame()
    assert wanted not in shown.room.requests
    assert shown.room.options["rate_flamer"] == 7
    assert len(shown.room.requests) == 1


def test_own_requests_are_taken_back_and_not_accepted(window: CloakWindow) -> None:
    shown = Shown(window)
    shown.seat.do(lambda n: n.ask(Rules((("rate_stun", 5),))))
    shown.frame()
    shown.screen.accept.click()
    shown.frame()
    assert len(shown.room.requests) == 1
    shown.screen.decline.click()
    shown.frame()
    assert not shown.room.requests


def test_what_the_player_has_changed_stays_when_the_terms_change(window: CloakWindow) -> None:
    shown = Shown(window)
    names = [option.name for option in WEC.options.options]
    shown.screen.rules.select(names.index("rate_flamer"))
    shown.screen.rules.on_key(key.RIGHT, 0)
    shown.other(lambda n: n.ask(Rules((("rate_stun", 9),))))
    shown.screen.accept.click()
    shown.frame()
    assert shown.screen.rules.values["rate_stun"] == 9
    assert shown.screen.rules.proposal == {"rate_flamer": 5}
    shown.screen.forget.click()
    assert shown.screen.rules.proposal == {}


def test_the_own_government_needs_no_consent_and_the_others_does(window: CloakWindow) -> None:
    shown = Shown(window)
    shown.seat.do(lambda n: n.ask(Rules((("government.0", "dictatorship"),))))
    shown.frame()
    assert shown.room.options["government.0"] == "dictatorship"
    assert not shown.room.requests
    shown.seat.do(lambda n: n.ask(Rules((("government.1", "dictatorship"),))))
    shown.frame()
    assert shown.room.options["government.1"] != "dictatorship"
    assert len(shown.room.requests) == 1


def test_ready_by_button_and_key_and_back(window: CloakWindow) -> None:
    shown = Shown(window)
    screen = shown.screen
    screen.on_key(key.F5, 0)
    screen.on_key(key.F5, 0)
    shown.frame()
    me = shown.seat.me
    assert me is not None
    assert me.is_ready
    assert screen.status.label == "Waiting for Ben to be ready."
    assert screen.ready.box.width >= screen.ready.natural_width(), "what it says is read in whole"
    screen.ready.click()
    shown.frame()
    me = shown.seat.me
    assert me is not None
    assert not me.is_ready
    screen.ready.click()
    shown.other(lambda n: n.ready())
    assert "the match begins" in screen.status.label
    assert not screen.ready.is_enabled
    shown.lobby.begun = object()
    shown.frame()
    assert shown.began == [shown.lobby.begun]


def test_seats_are_wished_and_exchanged(window: CloakWindow) -> None:
    shown = Shown(window)
    screen = shown.screen
    screen.seats.select(1)
    screen.seats.on_key(key.RETURN, 0)
    shown.frame()
    assert [row.text for row in screen.seats.rows] == ["Black: free", "White: Ada, Ben"]
    assert screen.seats.rows[1].note == "a coin decides"
    screen.seats.select(0)
    screen.seats.on_key(key.RETURN, 0)
    screen.swap.click()
    shown.frame()
    assert [request.change for request in shown.room.requests] == [
        Swap(shown.gathering.members[1].key)
    ]


def test_the_own_seat_chosen_again_means_any(window: CloakWindow) -> None:
    shown = Shown(window)
    shown.screen.seats.select(0)
    shown.screen.seats.on_key(key.RETURN, 0)
    shown.frame()
    texts = [row.text for row in shown.screen.seats.rows]
    assert texts == ["Black: free", "White: Ben", "Any seat: Ada"]


def test_an_earlier_match_that_is_not_here_is_not_accepted(window: CloakWindow) -> None:
    shown = Shown(window, owns=lambda room, match: match == bytes(32))
    shown.other(lambda n: n.ask(Load(bytes([1]) * 32, "long one")))
    shown.screen.accept.click()
    shown.frame()
    assert len(shown.room.requests) == 1
    shown.other(lambda n: n.ask(Load(bytes(32), "long one")))
    shown.screen.accept.click()
    shown.frame()
    assert shown.room.load == bytes(32)


def test_talk_is_typed_pasted_and_read(window: CloakWindow) -> None:
    shown = Shown(window)
    screen = shown.screen
    screen.stage.set_focus(screen.line)
    window.on_text("한")
    window.write_clipboard("글 hello")
    window.on_key_press(key.V, key.MOD_CTRL)
    window.on_key_press(key.RETURN, 0)
    shown.other(lambda n: n.chat("good luck"))
    said = [news.text for news in shown.room.news if news.kind == "chat"]
    assert said == ["한글 hello", "good luck"]
    assert screen.line.value == ""


def test_a_start_position_is_a_request_with_its_rules(window: CloakWindow) -> None:
    shown = Shown(window)
    shown.seat.do(lambda n: n.ask(Rules((("rate_stun", 5),))))
    shown.other(lambda n: n.accept(shown.room.requests[0].place))
    shown.screen.position.click()
    shown.picks[0](STANDARD)
    shown.frame()
    assert not shown.room.requests  # it is the standard one already, and the rules stay


def test_only_who_keeps_the_room_sets_a_password(window: CloakWindow) -> None:
    ada = Shown(window)
    ada.screen.house_tab.click()
    ada.screen.password.set_value(" tiger ")
    ada.screen.lock.click()
    assert ada.seat.locked == "tiger"
    ben = Shown(window, at=1)
    ben.screen.house_tab.click()
    assert not ben.screen.password.is_visible


def test_a_lost_room_is_looked_for_with_a_countdown(window: CloakWindow) -> None:
    shown = Shown(window)
    before = shown.screen.status.label
    shown.seat.link_changed(42)
    shown.frame()
    assert shown.screen.status.label == "The connection is lost. The room is looked for: 42 s."
    shown.seat.link_changed(None)
    shown.frame()
    assert shown.screen.status.label == before


def test_leaving_and_whatever_went_wrong(window: CloakWindow) -> None:
    window.open_screen(AboutScreen(window))
    shown = Shown(window)
    shown.lobby.failed = "The negotiation was ended: Ben: dinner."
    shown.frame()
    assert shown.screen.status.label == shown.lobby.failed
    assert not shown.screen.ready.is_enabled
    shown.screen.back.click()
    assert shown.lobby.is_closed


def test_what_the_own_records_say_against_who_came_is_told_where_it_belongs(
    window: CloakWindow,
) -> None:
    shown = Shown(window, full=False)
    screen = shown.screen
    shown.gathering.add()
    shown.seat.cautions = (Caution(1, "Ben", Conduct(10, 3), "max_disconnect_rate", 20),)
    shown.frame()
    text = "By your records Ben left 3 of 10 matches early; this room takes 20% at most."
    assert [toast._said for toast in screen.toasts._shown] == [text]
    shown.other(lambda n: n.chat("good luck"))
    assert [line for line, _ in screen.talk._lines] == ["Ben is here.", text, "Ben: good luck"]
    assert len(screen.toasts._shown) == 1
    screen.on_key(key.F5, 0)
    assert shown.seat.me is not None and shown.seat.me.is_ready


def test_what_a_place_in_the_room_is_cautioned_of_is_at_the_windows_seat() -> None:
    gathering = Gathering(2, settings={"max_disconnects": 1})
    network = Network()
    seat = RoomSeat(network, gathering.keeper.key)
    network.close()
    sitting = Sitting(gathering.keeper, seat.on_room, lambda key: Conduct(4, 2))
    gathering.add()
    assert gathering.keeper.room is not None
    sitting._heard(gathering.keeper.room)
    assert [(c.name, c.conduct.left, c.limit) for c in seat.cautions] == [("player 1", 2, 1)]
    assert seat.room is gathering.keeper.room


@pytest.mark.parametrize(
    ("setting", "limit", "most"), [("max_disconnect_rate", 0, "0%"), ("max_disconnects", 2, "2")]
)
def test_a_caution_names_the_limit_that_is_passed(setting: str, limit: int, most: str) -> None:
    caution = Caution(0, "Ann", Conduct(5, 4), setting, limit)
    assert caution_text(caution) == (
        f"By your records Ann left 4 of 5 matches early; this room takes {most} at most."
    )


@pytest.mark.parametrize("size", [(1280, 720), (2560, 1440), (1024, 640)])
@pytest.mark.parametrize("full", [False, True])
def test_everything_has_room(window: CloakWindow, size: tuple[int, int], full: bool) -> None:
    resized(window, *size)
    shown = Shown(window, full=full)
    screen = shown.screen
    shown.seat.do(lambda n: n.chat("hello " * 40))
    shown.frame()
    for turn in (screen.house_tab, screen.rules_tab):
        turn.click()
        shown.frame()
        for widget in screen.stage._widgets:
            if widget.is_visible and widget.box.width:
                assert widget.box.x >= 0
                assert widget.box.right <= size[0]
        assert screen.rules.box.height >= screen.px(80)
        assert screen.talk.box.height >= screen.px(60)


def test_a_start_position_of_ones_own_asks_with_its_options(window: CloakWindow) -> None:
    shown = Shown(window, full=False)
    wanted = Start("", "Small", (("rate_stun", 7),))
    shown.seat.do(lambda n: n.ask(wanted))
    shown.frame()
    assert shown.screen.position.label == "Start position: Small"
    assert shown.screen.rules.values["rate_stun"] == 7
