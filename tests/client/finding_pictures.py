"""`python -m tests.client.finding_pictures`: takes the pictures of finding a room and of halls,
each at two sizes, of rooms that are made up."""

from __future__ import annotations

from typing import Final

from cloakboard.client.views.rooms import HallsScreen, RoomsScreen
from cloakboard.client.window import CloakWindow, Screen
from cloakboard.engine.registry import games
from cloakboard.netplay.finding.places import LAN, Found
from tests.client.conftest import Settings, resized, virtual_screen
from tests.client.kept_pictures import SIZES, keep
from tests.client.test_rooms import Rooms
from tests.netplay.adverts import room

HALL: Final = "hall.example.org"
NAMES: Final = ("Ben", "Cara", "Dana", "Emil", "Fay", "Goran", "Hana")


def rooms() -> tuple[Found, ...]:
    """Some on the local network, more in a hall."""
    found = []
    for number, name in enumerate(NAMES, 1):
        game = games()["trid" if number % 3 == 0 else "wec"]
        settings = {"scored": False} if number % 2 else {"move_seconds": 60, "spectators": True}
        advert = room(
            number, game=game.id, rules_version=game.rules_version + (number == 7),
            title="Friday evening" if number == 2 else "", needs_password=number == 4,
            settings=settings, host=name,
        )  # fmt: skip
        found.append(Found(LAN if number < 3 else HALL, advert))
    return tuple(found)


def take() -> None:
    """Takes them all."""
    with virtual_screen():
        window = CloakWindow(Settings(motion="none"), has_sound=False)
        window.open_screen(Screen(window))
        try:
            for size in SIZES:
                resized(window, *size)
                keep(window, f"rooms-{size[1]}", lambda: find(window))
                keep(window, f"halls-{size[1]}", lambda: halls(window))
        finally:
            window.close()


def find(window: CloakWindow) -> None:
    """The list of rooms."""
    every = tuple(games().values())
    screen = RoomsScreen(window, Rooms(rooms()), every, lambda *_: None, lambda key, name: name)
    window.open_screen(screen)


def halls(window: CloakWindow) -> None:
    """The halls of a player."""
    window.open_screen(HallsScreen(window, Rooms()))


if __name__ == "__main__":
    take()
