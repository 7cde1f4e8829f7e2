"""How often somebody left, as the records tell it (JQ-88)."""

from __future__ import annotations

from typing import Any

from cloakboard.achievements.record import Audit
from cloakboard.keeping.conduct import conduct_of
from cloakboard.netplay.room.door import Conduct
from tests.achievements.samples import ANNA, BEN, CARA, record


def test_matches_that_a_player_left_count_against_that_player_alone() -> None:
    left: dict[str, Any] = {"audit": Audit.CLAIMED, "reason": "", "winners": ()}
    records = [
        record(1, ANNA, BEN),
        record(2, ANNA, BEN, **left, by=(1,)),
        record(3, BEN, ANNA, **left, by=(0,)),
        record(4, ANNA, BEN, **left, by=(1,), is_practice=True),
        record(5, ANNA, CARA, **left, by=(0,)),
        record(6, ANNA, BEN, audit=Audit.PENDING, by=(1,)),
    ]
    assert conduct_of(records, BEN) == Conduct(begun=4, left=2)
    assert conduct_of(records, ANNA) == Conduct(begun=5, left=1)
    assert conduct_of(records, bytes(32)) == Conduct(0, 0)
    assert conduct_of(records, BEN).percent == 50
