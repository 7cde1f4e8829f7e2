"""Every row of the table of cheats (VEIL 1) is tried by modified peers, and a third machine judges
the honest side's file: it convicts the cheat, or nobody."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from cloakboard.netplay.lockstep.judge import judge
from tests.cheats.peeking import peeking
from tests.cheats.positions import crowd
from tests.cheats.table import CONVICTED, HONEST, IN_VAIN, LIAR, READ, ROWS, outcome
from tests.netplay.rig import Rig
from tests.tiny import game as line

GOES_ON: Final = {"hides the end of its file", "sends old entries again"}  # and ends well
SAMPLE: Final = ("denies a hit", "moves farther than it may, unseen", "signs two versions")


def test_veil_1_every_row_is_tried() -> None:
    tried = {cheat.row for cheat in (CONVICTED | IN_VAIN).values()} | {READ}
    assert tried == set(ROWS)


@pytest.mark.parametrize("name", CONVICTED)
def test_veil_1_a_third_machine_convicts_the_cheat(name: str, tmp_path: Path) -> None:
    found = outcome(CONVICTED[name], tmp_path)
    assert found.finding is not None and found.finding.seat == LIAR
    assert "player 0" in found.text


@pytest.mark.parametrize("name", IN_VAIN)
def test_veil_1_what_is_tried_in_vain_convicts_nobody(name: str, tmp_path: Path) -> None:
    found = outcome(IN_VAIN[name], tmp_path)
    assert found.finding is None
    assert (found.text == "clean") == (name in GOES_ON)


@pytest.mark.parametrize(
    ("game", "keys", "steps"),
    [(lambda: line(2), range(12), 12), (crowd, range(0, 300, 3), 5)],
    ids=["line2", "wec"],
)
def test_veil_1_nothing_opens_that_was_not_asked_for(
    game: Callable[[], object], keys: range, steps: int
) -> None:
    """A machine that tries every key on every answer reads what it asked for."""
    with peeking(LIAR, keys) as loot:
        rig = Rig(game(), 5)  # type: ignore[arg-type]  # a maker of games
        rig.play(steps)
    assert loot.unasked == []
    assert loot.tries > 100


def test_veil_1_the_peeking_machine_does_read_what_it_asked_for() -> None:
    """So that what it does not read is not for want of trying."""
    with peeking(LIAR, range(12)) as loot:
        for seed in range(8):
            Rig(line(2), seed, {"turns": 6}).play(14)
    assert loot.asked > 0


def cuts(name: str) -> None:
    """No state of any file of the match, at any entry, blames anybody but the cheat."""
    rig = CONVICTED[name].played()
    for seat in range(rig.game.seats):
        entries, refused = rig.entries(seat), rig.refused(seat)
        for cut in range(1, len(entries) + 1):
            finding = judge(rig.game, entries[:cut], refused)[0].finding
            assert finding is None or finding.seat == LIAR, (seat, cut, finding)


@pytest.mark.parametrize("name", SAMPLE)
def test_veil_14_every_later_cut_names_only_the_liar(name: str) -> None:
    cuts(name)


@pytest.mark.nightly
@pytest.mark.parametrize("name", [name for name in CONVICTED if name not in SAMPLE])
def test_veil_14_every_later_cut_of_every_lie_names_only_the_liar(name: str) -> None:
    cuts(name)


def test_the_honest_side_wins_nothing_by_who_walks_away() -> None:
    """Nobody won: the match goes on when both are back."""
    rig = IN_VAIN["walks away"].played()
    assert rig.peers[HONEST].core.result is None and not rig.peers[HONEST].may_act
