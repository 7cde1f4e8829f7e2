"""A match of others at a table that can only be looked at."""

from __future__ import annotations

from typing import Any

import pytest
from pyglet.window import key

from cloakboard.client.views.table import TableScreen
from cloakboard.client.views.trid_table import TridTable
from cloakboard.client.watch_session import WatchSession
from cloakboard.client.window import CloakWindow
from cloakboard.engine.errors import IllegalAction
from cloakboard.engine.registry import game
from cloakboard.netplay.invite import Watch
from cloakboard.netplay.lockstep.online import LinkState
from cloakboard.netplay.lockstep.spectator import Spectator
from tests.client.test_company import settle
from tests.netplay.rig import Rig


class Watched:
    """A match, a spectator of it, and the session that its window has."""

    def __init__(self, game_id: str) -> None:
        self.rig = Rig(game(game_id), 5, room={"spectators": True})
        self.rig.shares_audit = True
        self.session: WatchSession | None = None
        self.left = 0
        watch = Watch("memory:x", self.rig.peers[0].id, self.rig.peers[0].keys[0])
        games = {game_id: game(game_id)}
        self.spectator = Spectator(watch, None, None, games, self.tell)  # type: ignore[arg-type]

    def tell(self, told: Any) -> None:
        assert self.spectator.core is not None
        if self.session is None:
            self.session = WatchSession(self.spectator.core, self.leave)
        self.session.tell(told)

    def leave(self) -> None:
        self.left += 1

    def play(self, count: int) -> None:
        """So many actions, and what a spectator gets of them."""
        self.rig.play(count)
        self.show()

    def show(self) -> None:
        for entry in self.rig.entries(0)[len(self.spectator.entries) :]:
            if b"opened" in entry.body[:16]:
                return
            self.spectator.fold(entry)


@pytest.mark.parametrize("game_id", ["wec", "trid"])
def test_a_spectators_window_shows_the_public_match(window: CloakWindow, game_id: str) -> None:
    """The board follows; nothing can be chosen, resigned or asked for; leaving asks nothing."""
    watched = Watched(game_id)
    watched.play(3)
    session = watched.session
    assert session is not None
    closed: list[bool] = []
    kind = TableScreen if game_id == "wec" else TridTable
    screen = kind(window, session, lambda: closed.append(True))
    window.open_screen(screen)
    settle(window, screen)
    watched.play(4)
    settle(window, screen)
    assert screen.play.state == watched.rig.peers[0].core.shown
    assert not screen.play.may_act and "You watch" in screen.play.status()
    with pytest.raises(IllegalAction):
        session.act(0, None)
    screen.match.resign()
    screen.match.offer_draw()
    assert not screen.match.is_open and screen.match.talk is None
    window.on_key_press(key.Z, key.MOD_CTRL)
    watched.rig.peers[1].request("resign")
    watched.rig.flush()
    watched.show()
    settle(window, screen)
    assert screen.match.open_dialog is not None and "wins" in screen.match.open_dialog.title
    screen.match.open_dialog.dismiss()
    screen.match.leave()
    assert closed and watched.left == 1


def test_an_undo_of_the_players_is_shown(window: CloakWindow) -> None:
    watched = Watched("trid")
    watched.play(5)
    session = watched.session
    assert session is not None
    screen = TridTable(window, session, window.close)
    window.open_screen(screen)
    settle(window, screen)
    seat = next(s for s in (0, 1) if watched.rig.peers[s].undo_target is not None)
    target = watched.rig.peers[seat].undo_target or 0
    for peer in watched.rig.peers:
        peer.request("undo", target)
        watched.rig.flush()
    watched.show()
    settle(window, screen)
    assert screen.play.state == watched.rig.peers[0].core.shown


def test_a_lost_link_and_the_end_of_watching_are_told() -> None:
    watched = Watched("trid")
    watched.play(2)
    session = watched.session
    assert session is not None
    session.tell(LinkState("lost", None, 17))
    session.poll()
    assert "Looking for the match: 17 s" in (session.waiting() or "")
    session.fail("Nobody watches this match.")
    session.poll()
    assert session.waiting() == "Nobody watches this match."
