"""One audit a match: here the peers' own are not what is tested."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from cloakboard.engine.game import Game
from cloakboard.netplay.judge import Judgement, judge
from cloakboard.netplay.transcript import Entry, encode
from tests.netplay import rig


@pytest.fixture(autouse=True)
def audited_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The machines of a match share their audit of it."""
    known: dict[bytes, tuple[Judgement, Any]] = {}

    def shared(game: Game, entries: Sequence[Entry]) -> tuple[Judgement, Any]:
        key = encode(entries[0]) + encode(entries[1])
        if key not in known:
            known[key] = judge(game, entries)
        return known[key]

    monkeypatch.setattr(rig, "judge", shared)
