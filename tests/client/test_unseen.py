"""The screen knows its seat's view and nothing more (KNOWN_FAILURES 26, 28)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import arcade
import pytest

from cloakboard.client.boards import wec_geometry as geometry
from cloakboard.client.company import Company
from cloakboard.client.local_session import LocalSession
from cloakboard.client.recording import Recording
from cloakboard.client.session import Happened, Happening, LinkState
from cloakboard.client.views.table import TableScreen
from cloakboard.client.window import CloakWindow
from cloakboard.engine.game import Action, Result, State
from cloakboard.engine.registry import game
from cloakboard.engine.wec.actions import EndTurn, Move, PickUp
from cloakboard.engine.wec.state import BLACK, WHITE, square_at
from cloakboard.netplay.lockstep.stand_in import StandIn

WEC = game("wec")


class OneSeat:
    """A session on whose screen only Black sits; it fails if the screen asks for more."""

    def __init__(self, table: LocalSession) -> None:
        self.game = WEC
        self.names: tuple[str, ...] = ("Ann", "Bob")
        self.seats_here: tuple[int, ...] = (BLACK,)
        self.company: Company | None = None
        self.stand_in: StandIn | None = None
        self._table = table

    def state(self, seat: int) -> State:
        assert seat == BLACK
        return self._table.state(seat)

    def to_act(self) -> tuple[int, ...]:
        return self._table.to_act()

    def waiting(self) -> str | None:
        return None if BLACK in self.to_act() else "Bob is to play."

    def actions(self, seat: int) -> Iterable[Action]:
        assert seat == BLACK
        return self._table.actions(seat)

    def act(self, seat: int, action: Action) -> None:
        assert seat == BLACK
        self._table.act(seat, action)

    def resign(self, seat: int) -> None:
        raise AssertionError

    def offer_draw(self, seat: int) -> None:
        raise AssertionError

    def can_undo(self) -> bool:
        return False

    def undo(self) -> None:
        raise AssertionError

    def can_redo(self) -> bool:
        return False

    def redo(self) -> None:
        raise AssertionError

    def poll(self) -> list[Happening]:
        found = self._table.poll()
        return [h for h in found if not isinstance(h, Happened) or h.seat == BLACK]

    def save(self, name: str) -> None:
        raise AssertionError

    def result(self) -> Result | None:
        return self._table.result()

    def verdict(self) -> str | None:
        return None

    def recording(self, seat: int) -> Recording | None:
        assert seat == BLACK
        return self._table.recording(seat)

    def link(self) -> LinkState:
        return LinkState()

    def close(self) -> None: ...


def settle(window: CloakWindow, screen: TableScreen) -> None:
    for _ in range(200):
        window.on_update(0.1)
        if not (screen.play.is_behind or window.animator.is_active):
            break
    window.on_update(0.1)


def picture(window: CloakWindow) -> Any:
    window.switch_to()
    window.on_draw()
    return arcade.get_image(0, 0, window.width, window.height).convert("RGB")


def black_move(session: LocalSession) -> None:
    move = next(a for a in session.actions(BLACK) if isinstance(a, Move))
    session.act(BLACK, move)
    session.act(BLACK, EndTurn())


def white_hidden_moves(session: LocalSession) -> list[Move]:
    """White's moves with an AAA, which Black does not see, to squares far from Black."""
    return [
        action
        for action in session.actions(WHITE)
        if isinstance(action, Move) and not action.piece.handle
    ]


@pytest.mark.parametrize("choice", [1, 8])
def test_worlds_with_equal_views_look_alike(window: CloakWindow, choice: int) -> None:
    """Pixels, sentences and hover texts are the same wherever an unseen enemy has gone."""
    seen = []
    for which in (0, choice):
        session = LocalSession(WEC, ("Ann", "Bob"), seed=b"same")
        screen = TableScreen(window, OneSeat(session), window.close)
        window.open_screen(screen)
        black_move(session)
        session.act(WHITE, white_hidden_moves(session)[which])
        session.act(WHITE, EndTurn())
        settle(window, screen)
        said: list[Any] = [screen.status.label, [line.text for line in screen.play.history[BLACK]]]
        for square in range(0, 100, 3):
            x, y = geometry.centre(screen.board.frame, square)
            screen.on_mouse(x, y)
            said.append(screen.panel.info.said)
            window.on_mouse_press(int(x), int(y), arcade.MOUSE_BUTTON_LEFT, 0)
            window.on_mouse_release(int(x), int(y), arcade.MOUSE_BUTTON_LEFT, 0)
            said.append(screen.status.label)
            if screen._chooser is not None:
                screen._chooser.cancel()
            screen.play.back()
        screen.on_mouse(0, 0)
        seen.append((session.state(BLACK), said, picture(window)))
        window._screens.pop().on_closed()
    (view, said, shown), (other_view, other_said, other_shown) = seen
    assert view == other_view
    assert said == other_said
    assert shown.tobytes() == other_shown.tobytes()


def test_a_whole_turn_is_played_from_one_view(window: CloakWindow) -> None:
    session = LocalSession(WEC, ("Ann", "Bob"), seed=b"own")
    screen = TableScreen(window, OneSeat(session), window.close)
    window.open_screen(screen)
    settle(window, screen)
    stun = next(
        a
        for a in session.actions(BLACK)
        if isinstance(a, Move) and a.route[-1] == square_at(3, 1)
    )  # fmt: skip
    screen.play.session.act(BLACK, stun)
    settle(window, screen)
    pick = next(a for a in session.actions(BLACK) if isinstance(a, PickUp))
    screen.play.session.act(BLACK, pick)
    screen.play.session.act(BLACK, EndTurn())
    settle(window, screen)
    assert screen.status.label == "Bob is to play."
    assert screen.play.shown[BLACK] == session.state(BLACK)
