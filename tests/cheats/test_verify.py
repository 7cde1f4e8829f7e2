"""`cloakboard verify` on a third machine: from the honest side's file alone it names the liar."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from cloakboard.cli import files
from cloakboard.cli.exits import CLEAN, FINDING
from cloakboard.engine.wec.actions import Move, Ref
from cloakboard.engine.wec.state import SUB
from tests.cheats.liars import liar
from tests.cheats.positions import SUB_AT, crowd
from tests.cheats.test_framing import Forker, begin
from tests.cheats.test_hidden_lies import DIVE, END, WEC, goes_far, play_wec
from tests.engine.wec.build import cell
from tests.netplay.rig import Rig

HONEST = 1


def told(lie: str) -> Rig:
    """A match in which Black tells this lie, played to its end."""
    maker, script, game = WEC[lie]
    return play_wec(game, {0: maker()}, script)


def moved_illegally() -> Rig:
    """Black's unseen Sub goes five squares at once."""
    far = (0, Move(Ref(0, SUB_AT), (cell(9, 4, SUB),)))
    return play_wec(crowd(), {0: liar(legal=goes_far)}, (far, END))


LIES: dict[str, Callable[[], Rig]] = {
    "false open answer": lambda: told("false open answer"),
    "illegal hidden move": moved_illegally,
    "query of a cell not in the zone": lambda: told("query beyond the zone"),
    "forked entry": lambda: begin(crowd(), {0: Forker}),
    "withheld detection": lambda: told("withheld detection"),
}


def verify(
    rig: Rig, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> tuple[int, str]:
    """Exit code and output of the command, for the honest side's file."""
    monkeypatch.setattr(files, "registered", lambda: {rig.game.id: rig.game})
    code = files.verify([rig.write(HONEST, folder / "match.cloak")])
    return code, capsys.readouterr().out


@pytest.mark.parametrize("lie", LIES)
def test_the_liar_is_named(
    lie: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, output = verify(LIES[lie](), tmp_path, monkeypatch, capsys)
    assert code == FINDING
    assert "by player 0 (seat 0)" in output


def test_an_honest_match_is_clean(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code, output = verify(play_wec(crowd(), {}, (DIVE, END)), tmp_path, monkeypatch, capsys)
    assert code == CLEAN
    assert ": clean " in output
