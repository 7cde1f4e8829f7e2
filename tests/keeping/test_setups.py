"""A position of one's own is one that does not come with the program."""

from __future__ import annotations

from pathlib import Path

import pytest

from cloakboard.assets import scenarios as assets
from cloakboard.engine.registry import scenario
from cloakboard.engine.wec.notation.positions import write_setup
from cloakboard.engine.wec.options import complete
from cloakboard.engine.wec.setup import standard
from cloakboard.keeping import keeper as kept
from cloakboard.keeping.setups import bundled
from cloakboard.netplay.lockstep import journal
from tests import tiny
from tests.keeping.test_chain import LINE
from tests.keeping.test_keeper import earned, keeper_of
from tests.netplay.rig import Rig
from tests.tiny.setup import start

OWN = "SETUP"


def test_every_scenario_that_comes_along_is_known() -> None:
    names = assets.names("wec")
    setups = {scenario("wec", assets.text("wec", name)).setup for name in names}
    assert len(setups) == len(names) >= 5
    assert bundled("wec") == setups | {""}
    made = write_setup(standard(complete({})))
    assert made not in bundled("wec")


def test_a_game_without_scenarios_has_the_usual_position_alone() -> None:
    assert bundled(LINE.id) == {""}


@pytest.mark.parametrize(
    ("setup", "hosts", "comes_along", "earns"),
    [
        pytest.param(OWN, True, "", True, id="own, brought"),
        pytest.param(OWN, False, "", False, id="the friend's"),
        pytest.param(OWN, True, OWN, False, id="comes along"),
        pytest.param("", True, "", False, id="usual"),
    ],
)
def test_a_scenario_of_ones_own_counts_once_a_friend_has_played_it(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    setup: str,
    hosts: bool,
    comes_along: str,
    earns: bool,
) -> None:
    monkeypatch.setattr(tiny, "start", lambda seats, options, _: start(seats, options, ""))
    monkeypatch.setattr(kept, "bundled", lambda game_id: {"", comes_along})
    rig = Rig(LINE, 3, {"turns": 4}, setup)
    rig.play()
    path = tmp_path / f"line{journal.SUFFIX}"
    meta = journal.Meta("test", LINE.id, LINE.rules_version, 0, 0, hosts=hosts)
    file = journal.Journal.create(path, meta)
    for kind, payload in rig.files[0]:
        file.append(kind, payload)
    file.close()
    keeper = keeper_of(tmp_path / "profile")
    assert keeper.keep(path) is not None
    assert ("own-scenario" in earned(keeper)) is earns
    keeper.close()
