"""A match that is stopped: what each player is shown at once, and what is kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from cloakboard.client.views.about import AboutScreen
from cloakboard.client.views.table import TableScreen
from cloakboard.client.views.trid_table import TridTable
from cloakboard.client.window import CloakWindow
from cloakboard.engine.game import Game
from cloakboard.engine.registry import game
from cloakboard.netplay.lockstep.online import STOPPED
from tests.client.pair import Pair

PLAYED = 3  # actions before the states differ
NAMED = bytes(range(32))  # the digest that the machine in the wrong has
LONGEST = 100  # frames until all is shown
NAMED_SHORT = "0001020304050607"


def stopped_pair(about: Game, folder: Path) -> tuple[Pair, int]:
    """A match that stops at the next entry of the seat in the wrong, and that seat."""
    pair = Pair(about)
    pair.play(PLAYED)
    for seat, session in enumerate(pair.sessions):
        session._save = folder / f"{seat}.cloak"
    wrong = next(seat for seat, peer in enumerate(pair.rig.peers) if peer.may_act)
    pair.rig.peers[wrong].core.digest = lambda: NAMED  # type: ignore[method-assign]
    session = pair.sessions[wrong]
    session.act(wrong, next(iter(session.actions(wrong))))
    return pair, wrong


def table(window: CloakWindow, pair: Pair, seat: int) -> TableScreen | TridTable:
    screen_of = TableScreen if pair.rig.game.id == "wec" else TridTable
    screen = screen_of(
        window, pair.sessions[seat], lambda: window.replace_screen(AboutScreen(window))
    )
    window.open_screen(screen)
    for _ in range(LONGEST):
        window.on_update(0.1)
        window.on_draw()
        if screen.match.is_open:
            break
    return screen


def press(screen: TableScreen | TridTable, text: str) -> None:
    dialog = screen.match.open_dialog
    assert dialog is not None
    dialog.answer([choice.text for choice in dialog._choices].index(text))


@pytest.mark.parametrize("about", ["wec", "trid"])
def test_known_failures_7_states_that_differ_are_shown_at_once(
    about: str, window: CloakWindow, tmp_path: Path
) -> None:
    pair, wrong = stopped_pair(game(about), tmp_path)
    right = 1 - wrong
    (found,) = pair.rig.stopped()
    peer = pair.rig.peers[right]
    screen = table(window, pair, right)
    dialog = screen.match.open_dialog
    assert dialog is not None and dialog.title == "The match was stopped"
    assert "have come to different states" in dialog.message
    assert f"Turn {screen.play.turn}, entry {len(peer.entries)}" in dialog.message
    assert f": {peer.core.digest().hex()[:16]}\n" in dialog.message
    assert f"player {wrong}: {NAMED_SHORT}\n" in dialog.message
    assert str(tmp_path / f"{right}.cloak") in dialog.message
    assert screen.session.waiting() and not screen.play.may_act
    press(screen, "Save the report")
    (kept,) = (tmp_path / "reports").iterdir()
    assert kept.read_text("utf-8") == found.report and NAMED.hex() in found.report
    assert screen.match.open_dialog is not None
    assert str(kept) in screen.match.open_dialog.message
    press(screen, "Look at the board")
    screen.match.after.click()
    press(screen, "Leave the table")
    assert isinstance(window.top, AboutScreen)


@pytest.mark.parametrize("about", ["wec", "trid"])
def test_known_failures_7_the_other_player_is_shown_it_too(
    about: str, window: CloakWindow, tmp_path: Path
) -> None:
    pair, wrong = stopped_pair(game(about), tmp_path)
    (found,) = pair.rig.stopped()
    pair.sessions[wrong].fail(f"{STOPPED}{found.text}")
    screen = table(window, pair, wrong)
    dialog = screen.match.open_dialog
    assert dialog is not None and dialog.title == "The match was stopped"
    assert "Your friend's machine has stopped the match: " in dialog.message
    assert f"State on this machine: {NAMED_SHORT}\n" in dialog.message
    assert str(tmp_path / f"{wrong}.cloak") in dialog.message
    press(screen, "Save the report")
    (kept,) = (tmp_path / "reports").iterdir()
    assert NAMED.hex() in kept.read_text("utf-8")


def test_a_report_that_the_disk_refuses_is_told(window: CloakWindow, tmp_path: Path) -> None:
    pair, wrong = stopped_pair(game("trid"), tmp_path)
    (tmp_path / "reports").write_bytes(b"in the way of the folder")
    screen = table(window, pair, 1 - wrong)
    press(screen, "Save the report")
    assert any("Not saved" in toast._said for toast in screen.toasts._shown)
    press(screen, "Look at the board")


def test_another_parting_word_is_no_stop(tmp_path: Path) -> None:
    pair = Pair(game("trid"))
    pair.sessions[0].poll()
    pair.sessions[0].fail("the other player left")
    assert {type(told).__name__ for told in pair.sessions[0].poll()} == {"LinkChanged", "Noticed"}
