"""`python -m tests.client.room_pictures`: takes the pictures of a room, with a free seat and with
requests that wait, and of a table that looks for a lost friend, each at two sizes."""

from __future__ import annotations

from functools import partial

from cloakboard.client.views.table import TableScreen
from cloakboard.client.window import CloakWindow, Screen
from cloakboard.netplay.lockstep.online import LinkState
from cloakboard.netplay.room.negotiator import Negotiator
from cloakboard.netplay.room.statements import House, Rules
from tests.client.conftest import Settings, resized, virtual_screen
from tests.client.kept_pictures import SIZES, keep
from tests.client.pair import Pair
from tests.client.room_stage import WEC, Shown

REQUESTS = (
    Rules((("rate_stun", 5),)),
    House((("move_seconds", 90), ("scored", False), ("spectators", True))),
)
LONG = "Shall we play with slower stun guns? They were too strong the last time."


def full(window: CloakWindow) -> None:
    """Ben asks for something, Ada has asked, both talk, and Ada has a rule in hand."""
    shown = Shown(window)
    shown.other(partial(Negotiator.ask, change=REQUESTS[0]))
    shown.other(partial(Negotiator.chat, text=LONG))
    shown.seat.do(partial(Negotiator.chat, text="Fine by me."))
    shown.seat.do(partial(Negotiator.ask, change=REQUESTS[1]))
    shown.screen.rules.select([option.name for option in WEC.options.options].index("rate_flamer"))
    shown.screen.rules._advance(shown.screen.rules.selected or 0)
    shown.frame()


def free(window: CloakWindow) -> None:
    """The invite, while Ada waits for Ben."""
    Shown(window, full=False)


def settings(window: CloakWindow) -> None:
    """The settings of the room, and a seat that both would like."""
    shown = Shown(window)
    shown.other(partial(Negotiator.wish, seat=0))
    shown.screen.house_tab.click()
    shown.frame()


def lost(window: CloakWindow) -> None:
    """Some actions into a match, the other machine is gone."""
    pair = Pair(WEC)
    pair.play(24)
    session = pair.sessions[0]
    session.tell(LinkState("good", 24))
    session.poll()
    screen = TableScreen(window, session, window.close)
    window.open_screen(screen)
    session.tell(LinkState("lost", None, 74))
    for _ in range(60):
        screen.update(100)


def take() -> None:
    """Takes them all."""
    with virtual_screen():
        window = CloakWindow(Settings(motion="none"), has_sound=False)
        window.open_screen(Screen(window))
        try:
            for size in SIZES:
                resized(window, *size)
                for picture, show in {
                    "room-free": lambda: free(window),
                    "room": lambda: full(window),
                    "room-settings": lambda: settings(window),
                    "lost": lambda: lost(window),
                }.items():
                    keep(window, f"{picture}-{size[1]}", show)
        finally:
            window.close()


if __name__ == "__main__":
    take()
