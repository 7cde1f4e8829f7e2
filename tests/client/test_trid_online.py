"""A match of tri-dimensional chess between two machines, through the windows of both."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pyglet.window import key

from cloakboard.client.motion import Amount
from cloakboard.client.recording import of_file
from cloakboard.client.shelf import read_text
from cloakboard.client.trid_reel import TridReel
from cloakboard.client.views.trid_table import TridTable
from cloakboard.client.window import CloakWindow
from cloakboard.engine.codec import state_digest
from cloakboard.engine.game import Result
from cloakboard.engine.registry import game, games
from cloakboard.engine.trid.board import NAMED, PINS
from cloakboard.netplay.lockstep import saves
from tests.client.pair import Pair
from tests.client.test_trid_choose import RICH
from tests.client.test_trid_table import MATE, click, settle, tap
from tests.netplay.rig import identity

TRID = game("trid")


class Two:
    """Both players' tables, of which the window shows one at a time."""

    def __init__(self, window: CloakWindow, setup: str = "") -> None:
        self.window = window
        self.pair = Pair(TRID, setup=setup)
        self.tables = [TridTable(window, session, window.close) for session in self.pair.sessions]
        window.open_screen(self.tables[0])

    def show(self, seat: int) -> TridTable:
        """Goes over to a player's window, which takes in what has happened."""
        table = self.tables[seat]
        self.window.replace_screen(table)
        settle(self.window, table)
        settle(self.window, table)
        return table

    def play(self, seat: int, move: str) -> None:
        """One move by that player's hand."""
        table = self.show(seat)
        if move == "O-O":
            tap(self.window, table, key.K)
        else:
            click(self.window, table, *move.split("-"))


@pytest.fixture(autouse=True)
def still(window: CloakWindow) -> Iterator[None]:
    """Nothing moves, so that what happened is seen at once."""
    before = window.animator.amount
    window.set_motion(Amount.NONE)
    yield
    window.set_motion(before)


@pytest.fixture
def two(window: CloakWindow) -> Two:
    return Two(window)


def test_two_players_come_to_mate_and_a_clean_audit(two: Two, tmp_path: Path) -> None:
    moves = MATE.split()
    two.show(1)
    assert two.tables[1].near == 1
    assert two.tables[1].play.status().startswith("player 0")
    for seat, deep in ((0, True), (1, False)):
        if two.tables[seat].is_deep != deep:
            two.show(seat).switch_view()
    two.show(0).switch_view()  # White goes over to the flat view in the course of the match
    for ply, move in enumerate(moves):
        two.play(ply % 2, move)
        assert len(two.tables[ply % 2].play.plies) == ply + 1
    for seat in (0, 1):
        table = two.show(seat)
        assert table.play.plies[-1].text == "Nxc7B#"
        assert table.play.result == Result((0,), "checkmate")
        assert table.play.check() == NAMED["d9KL6"]
        assert table.play.is_clean and table.play.verdict
        assert table.match.is_open
    views = [peer.core.view for peer in two.pair.rig.peers]
    assert state_digest(TRID, views[0]) == state_digest(TRID, views[1])
    path = two.pair.rig.write(1, tmp_path / "match.cloak")
    assert saves.verify_file(path, games())[0].text == "clean"
    recording = of_file(path, games(), identity(1))
    again = read_text(TridReel(recording, None).notation())
    assert again.log == recording.log
    assert again.result == Result((0,), "checkmate")
    film = TridReel(again, None)
    assert state_digest(TRID, film.state(film.steps)) == state_digest(TRID, views[0])


def test_an_attack_board_moves_on_the_other_machine_too(window: CloakWindow) -> None:
    two = Two(window, RICH)
    tap(window, two.show(0), key.B)
    assert two.tables[0].play.choosing.pin == PINS.index("QL2")
    tap(window, two.show(0), key.RETURN)
    theirs = two.show(1).play.state
    assert theirs == two.show(0).play.state
    assert "QL2" not in {PINS[one.pin] for one in theirs.boards}


def test_a_draw_is_offered_and_accepted(two: Two) -> None:
    two.play(0, "b2W-b3W")
    asking = two.show(1)
    asking.match.offer_draw()
    assert asking.match.open_dialog is not None
    asking.match.open_dialog.answer(0)
    asked = two.show(0)
    assert asked.match.open_dialog is not None
    asked.match.open_dialog.answer(0)
    for seat in (0, 1):
        assert two.show(seat).play.result == Result((), "agreed")
