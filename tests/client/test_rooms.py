"""The screens of rooms and halls, and who is let in."""

from __future__ import annotations

import asyncio
import secrets
from pathlib import Path

import pytest
from pyglet.window import key as keys

from cloakboard.client.network import Network
from cloakboard.client.street import Knocking, NetStreet
from cloakboard.client.views.rooms import HallsScreen, RoomsScreen
from cloakboard.client.views.shown_in import ShownIn
from cloakboard.client.window import CloakWindow, Screen
from cloakboard.engine.registry import games
from cloakboard.netplay.errors import Malformed
from cloakboard.netplay.finding.friends import FriendsFile
from cloakboard.netplay.finding.places import LAN, Found, Neighbours, Spot
from cloakboard.netplay.settings import SettingsFile, read_relays
from tests.client.test_friends import answer
from tests.client.windows import wait_for
from tests.netplay.adverts import player, room

WEC = games()["wec"].rules_version
TRID = games()["trid"].rules_version
ROOMS = (
    Found(LAN, room(1, rules_version=WEC, title="Friday")),
    Found("hall.example.org", room(2, game="trid", rules_version=TRID, needs_password=True)),
    Found("hall.example.org", room(3, rules_version=WEC, free=0)),
    Found("hall.example.org", room(4, rules_version=WEC + 1, settings={"scored": False})),
)


class Rooms:
    """A street made up for a test; it keeps what was asked for."""

    def __init__(self, found: tuple[Found, ...] = ROOMS) -> None:
        self.found = found
        self.told: tuple[str, ...] = ()
        self.looks = self.rests = 0
        self.on = {LAN}
        self.waiting: tuple[Knocking, ...] = ()
        self.answers: list[tuple[bytes, bool]] = []
        self.lines = ["hall.example.org"]
        self.has_lan = True
        self.ways: tuple[str, ...] = ("n0",)

    def look(self) -> None:
        self.looks += 1

    def rest(self) -> None:
        self.rests += 1

    def rooms(self) -> tuple[Found, ...]:
        return self.found

    def problems(self) -> tuple[str, ...]:
        return self.told

    def spots(self) -> tuple[Spot, ...]:
        return tuple(Spot(place, place in self.on) for place in (LAN, *self.lines))

    def switch(self, place: str, is_on: bool) -> None:
        (self.on.add if is_on else self.on.discard)(place)

    def knocking(self) -> tuple[Knocking, ...]:
        return self.waiting

    def answer(self, key: bytes, is_let_in: bool) -> None:
        self.answers.append((key, is_let_in))
        self.waiting = ()

    def halls(self) -> tuple[str, ...]:
        return tuple(self.lines)

    def add_hall(self, line: str) -> None:
        if " " in line:
            raise Malformed("a hall is named by its host", what="hall")
        self.lines.append(line)

    def remove_hall(self, label: str) -> None:
        self.lines.remove(label)

    def uses_lan(self) -> bool:
        return self.has_lan

    def use_lan(self, is_used: bool) -> None:
        self.has_lan = is_used

    def relays(self) -> str:
        return " ".join(self.ways)

    def set_relays(self, text: str) -> None:
        self.ways = read_relays(text)


@pytest.fixture
def street() -> Rooms:
    return Rooms()


@pytest.fixture
def joined() -> list[tuple[str, str]]:
    return []


@pytest.fixture
def screen(window: CloakWindow, street: Rooms, joined: list[tuple[str, str]]) -> RoomsScreen:
    window.open_screen(Screen(window))
    made = RoomsScreen(
        window,
        street,
        tuple(games().values()),
        lambda invite, password: joined.append((invite, password)),
        lambda key, name: "Annie" if key == player(1).key else name,
    )
    window.open_screen(made)
    made.update(16)
    window.draw(0)
    return made


def hosts(screen: RoomsScreen) -> list[str]:
    return [found.advert.host for found in screen.rooms]


def shown(window: CloakWindow, made: Screen) -> None:
    window.open_screen(made)
    window.draw(0)


def test_rooms_are_listed_with_what_matters(screen: RoomsScreen, street: Rooms) -> None:
    assert street.looks == 1
    screen._toggle_seats()
    assert [(row.text, row.detail, row.icon, row.note) for row in screen.list.rows] == [
        ("Annie: Weaponized Chess", "Friday · 1 of 2 seats free", "ui.lan", "Local network"),
        ("Player 2: Tri-Dimensional Chess", "1 of 2 seats free", "ui.lock", "hall.example.org"),
        ("Player 3: Weaponized Chess", "0 of 2 seats free", "ui.world", "hall.example.org"),
        (
            "Player 4: Weaponized Chess",
            "1 of 2 seats free · another version of the game · scored off",
            "ui.world",
            "hall.example.org",
        ),
    ]


@pytest.mark.parametrize(
    ("game", "with_seats", "without_password", "expected"),
    [
        ("", True, False, ["Player 1", "Player 2", "Player 4"]),
        ("", False, False, ["Player 1", "Player 2", "Player 3", "Player 4"]),
        ("", True, True, ["Player 1", "Player 4"]),
        ("trid", True, False, ["Player 2"]),
        ("trid", True, True, []),
        ("wec", False, True, ["Player 1", "Player 3", "Player 4"]),
    ],
)
def test_rooms_are_filtered(
    screen: RoomsScreen, game: str, with_seats: bool, without_password: bool, expected: list[str]
) -> None:
    while screen.game != game:
        screen.game_button.click()
    if not with_seats:
        screen.seats_button.click()
    if without_password:
        screen.open_button.click()
    assert hosts(screen) == expected


@pytest.mark.parametrize(
    ("clicks", "score", "expected"),
    [
        (1, "Scored", ["Player 1", "Player 2"]),
        (2, "Practice", ["Player 4"]),
        (3, "Scored or not", ["Player 1", "Player 2", "Player 4"]),
    ],
)
def test_rooms_are_filtered_by_whether_they_count(
    screen: RoomsScreen, clicks: int, score: str, expected: list[str]
) -> None:
    for _ in range(clicks):
        screen.score_button.click()
    assert (screen.score_button.label, hosts(screen)) == (score, expected)


def test_a_room_is_joined_by_keys(screen: RoomsScreen, joined: list[tuple[str, str]]) -> None:
    screen.stage.key_pressed(keys.ENTER, 0)
    assert joined == [(ROOMS[0].advert.text(), "")]


def test_a_room_with_a_password_asks_for_it(
    screen: RoomsScreen, joined: list[tuple[str, str]]
) -> None:
    assert not screen.password.is_visible
    screen.list.select(1, tells=True)
    assert screen.password.is_visible
    screen.join.click()
    assert (joined, screen.stage.focus) == ([], screen.password)
    screen.password.set_value("sesame")
    screen.join.click()
    assert joined == [(ROOMS[1].advert.text(), "sesame")]


def test_a_room_that_is_full_or_of_another_version_cannot_be_joined(
    screen: RoomsScreen, joined: list[tuple[str, str]]
) -> None:
    screen.seats_button.click()
    for index in (2, 3):
        screen.list.select(index, tells=True)
        assert not screen.join.is_enabled
        screen._join()
    assert joined == []


def test_the_list_stays_current_and_keeps_what_is_chosen(
    screen: RoomsScreen, street: Rooms
) -> None:
    screen.list.select(1, tells=True)
    street.found = (Found(LAN, room(9, rules_version=WEC)), *ROOMS)
    screen.update(16)
    assert screen.chosen == ROOMS[1]
    street.found = ROOMS[:1]
    street.told = ("the hall hall.example.org cannot be reached; it is tried again",)
    screen.update(16)
    assert hosts(screen) == ["Player 1"]
    assert screen.chosen == ROOMS[0]
    assert screen.status.label.startswith("The hall hall.example.org cannot be reached")


def test_an_invite_is_pasted(screen: RoomsScreen, joined: list[tuple[str, str]]) -> None:
    screen.join_pasted.click()
    assert (joined, screen.stage.focus) == ([], screen.field)
    screen.window.write_clipboard(" cloak1:\nabc ")
    screen.paste.click()
    screen.join_pasted.click()
    assert joined == [("cloak1:abc", "")]


def test_leaving_the_screen_ends_the_looking(screen: RoomsScreen, street: Rooms) -> None:
    screen.go_back()
    assert street.rests == 1


def test_two_hundred_rooms_are_one_list(window: CloakWindow) -> None:
    many = tuple(Found(LAN, room(n, rules_version=WEC)) for n in range(200))
    made = RoomsScreen(
        window, Rooms(many), tuple(games().values()), lambda *_: None, lambda key, name: name
    )
    shown(window, made)
    made.update(16)
    window.draw(0)
    assert len(made.list.rows) == 200
    made.list.select(199, tells=True)
    assert made.join.is_enabled


def test_halls_are_added_and_removed(window: CloakWindow, street: Rooms) -> None:
    made = HallsScreen(window, street)
    shown(window, made)
    made.add.click()
    made.field.set_value("no hall")
    made.add.click()
    assert made.field.value == "no hall"
    made.field.set_value("other.example.org")
    made.add.click()
    assert [row.text for row in made.list.rows] == ["hall.example.org", "other.example.org"]
    made.list.select(0, tells=True)
    made.remove.click()
    answer(made, "Remove")
    assert [row.text for row in made.list.rows] == ["other.example.org"]


def test_the_local_network_and_relays_are_set(window: CloakWindow, street: Rooms) -> None:
    made = HallsScreen(window, street)
    shown(window, made)
    assert (made.lan.is_on, made.relays.value) == (True, "n0")
    made.lan.click()
    assert (street.has_lan, made.lan.is_on) == (False, False)
    made.relays.set_value("ftp://x")
    made.set_relays.click()
    assert street.ways == ("n0",)
    made.relays.set_value("https://a.example.org,  https://b.example.org")
    made.set_relays.click()
    assert made.relays.value == "https://a.example.org https://b.example.org"


def test_a_room_is_shown_where_it_is_switched_on(window: CloakWindow, street: Rooms) -> None:
    made = Screen(window)
    row = ShownIn(made.stage, street)
    assert [button.is_on for button in row.buttons] == [True, False]
    row.buttons[0].click()
    row.buttons[1].click()
    row.update()
    assert street.on == {"hall.example.org"}
    assert [button.is_on for button in row.buttons] == [False, True]


@pytest.mark.parametrize(("text", "is_let_in"), [("Let in", True), ("Not now", False)])
def test_a_device_at_the_door_is_asked_about_once(
    window: CloakWindow, street: Rooms, text: str, is_let_in: bool
) -> None:
    made = Screen(window)
    shown(window, made)
    row = ShownIn(made.stage, street)
    street.waiting = (Knocking(b"k" * 32, "Bob", "six words"),)
    row.update()
    row.update()
    answer(made, text)
    row.update()
    assert street.answers == [(b"k" * 32, is_let_in)]


def test_the_street_of_a_profile_goes_by_its_settings(tmp_path: Path) -> None:
    network = Network()
    settings = SettingsFile(tmp_path)
    settings.change(lan=False)
    street = NetStreet(network, player(1), tmp_path, settings, FriendsFile(tmp_path, player(1).key))
    try:
        assert (street.spots(), street.near) == ((), None)
        street.add_hall(" mqtt://ann:sesame@localhost ")
        assert settings.now.halls == ("mqtt://ann:sesame@localhost",)
        street.add_hall("mqtt://localhost")
        assert (settings.now.halls, street.halls()) == (("mqtt://localhost",), ("localhost",))
        street.switch("localhost", True)
        assert street.spots() == (Spot("localhost", True),)
        with pytest.raises(Malformed, match="named by its host"):
            street.add_hall("http://x")
        street.remove_hall("localhost")
        assert (street.halls(), street.rooms(), street.knocking()) == ((), (), ())
    finally:
        network.run(street.end()).result(10)
        network.close()


def test_two_streets_on_one_network_find_a_room_and_let_a_device_in(tmp_path: Path) -> None:
    networks, streets = [], []
    for number in (1, 2):
        folder = tmp_path / str(number)
        folder.mkdir()
        networks.append(network := Network())
        streets.append(
            NetStreet(
                network, player(number), folder, SettingsFile(folder),
                FriendsFile(folder, player(number).key),
                neighbours=lambda: Neighbours(["127.0.0.1"]),
            )
        )  # fmt: skip
    (here, there), admitted = streets, []
    number = secrets.randbits(100)

    async def keep_room(over: asyncio.Event) -> None:
        async with here.shown() as showing:
            showing.publish(room(number, player(1)))
            await here.admit(player(2).key, "Bob")
            admitted.append("Bob")
            await over.wait()

    try:
        here.switch(LAN, True)
        over = asyncio.Event()
        keeping = networks[0].run(keep_room(over))
        there.look()
        mine = room(number, player(1)).room
        wait_for("the room is found", lambda: mine in {f.advert.room for f in there.rooms()}, 30)
        assert here.spots() == (Spot(LAN, True),)
        wait_for("the device knocks", lambda: bool(here.knocking()), 30)
        assert [(k.name, k.key) for k in here.knocking()] == [("Bob", player(2).key)]
        here.answer(player(2).key, True)
        wait_for("the device is let in", lambda: admitted == ["Bob"], 30)
        here.switch(LAN, False)
        wait_for("it is gone", lambda: mine not in {f.advert.room for f in there.rooms()}, 30)
        keeping.cancel()
        there.rest()
    finally:
        for street, network in zip(streets, networks, strict=True):
            network.run(street.end()).result(10)
            network.close()
