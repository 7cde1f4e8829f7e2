"""Two programs with their windows play each other over loopback, by mouse and keyboard."""

from __future__ import annotations

from pathlib import Path

import pytest

from cloakboard.client import theme
from cloakboard.engine.registry import games
from cloakboard.netplay.lockstep.saves import verify_file
from tests.client.ten_turns import (
    TURNS,
    agree_on_draw,
    await_turn,
    end_turn,
    go_on,
    leave,
    resign,
    sit_down,
    turn_1,
    turn_2,
    two_windows,
)
from tests.client.windows import Program, wait_for

TORPEDO_ARRIVES = 8  # Turn after which the enemy's Sub has come to light, see `ten_turns`


@pytest.mark.slow
def test_ten_turns_by_mouse_and_keyboard(tmp_path: Path) -> None:
    with two_windows(tmp_path) as (ada, ben):
        sit_down(ada, ben)
        for number, turn in enumerate(TURNS, 1):
            turn(ada, ben)
            end_turn(ada, ben, number)
            if number == TORPEDO_ARRIVES - 1:
                assert_only_the_owner_is_shown(ada, ben, 3, 2)  # Black's AAA
                assert_only_the_owner_is_shown(ben, ada, 8, 4)  # White's Sub
        agree_on_draw(ada, ben)
        assert_audited(ada, ben)
        assert [ada.close(), ben.close()] == [0, 0]
        assert (ada.output, ben.output) == ("", "")


@pytest.mark.slow
def test_a_window_that_was_killed_or_closed_comes_back_to_the_match(tmp_path: Path) -> None:
    with two_windows(tmp_path) as (ada, ben):
        sit_down(ada, ben)
        turn_1(ada, ben)
        end_turn(ada, ben, 1)

        ben.kill()
        ada.await_presence(theme.CORAL)  # looks for Ben, with a countdown
        ben.start()
        go_on(ben)
        await_turn(ada, ben, 2)
        turn_2(ada, ben)
        end_turn(ada, ben, 2)

        assert ada.close() == 0
        ben.await_presence(theme.TEXT_FAINT)  # is told that Ada has left
        leave(ben)
        go_on(ben)
        ada.start()
        go_on(ada)
        await_turn(ada, ben, 3)
        resign(ada)
        assert_audited(ada, ben)
        assert (ada.output, ben.output) == ("", "")


def assert_only_the_owner_is_shown(owner: Program, other: Program, row: int, column: int) -> None:
    """A piece is drawn in one window and neither drawn nor known in the other."""
    assert len(owner.save.pieces(row, column)) == 1
    assert not other.save.pieces(row, column)
    assert owner.colours(row, column) > 3 * other.colours(row, column)


def assert_audited(ada: Program, ben: Program) -> None:
    """Both saves end with both verdicts, and anybody finds them clean."""
    wait_for(
        "both verdicts are in both saves",
        lambda: all(player.save.match.closed for player in (ada, ben)),
    )
    for player in (ada, ben):
        judgement, _ = verify_file(player.save.path, games())
        assert judgement.text == "clean"
