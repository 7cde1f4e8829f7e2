"""The engine held against a second reading of the rules, slow and without bit sets, at every ply
of random matches: where each piece may go, what comes of it, and who is seen by whom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from cloakboard.engine.wec import board, detection, movement
from cloakboard.engine.wec.rules import moving
from cloakboard.engine.wec.state import Piece
from tests.engine.wec.reading.crowd import drawn_rules, drawn_setup
from tests.engine.wec.reading.match import Match
from tests.play import Dice

IN_A_GROUP = 10
IN_A_LONG_GROUP = 200
STANDARD_EVERY = 10  # one match in so many starts from the standard position
PLIES = 24
LONG_PLIES = 60
ALWAYS_MET = {"Move", "EndTurn", "taken", "carried", "doze offered", "unseen", "lit"}
MET_IN_THE_LONG_RUN = ALWAYS_MET | {
    "stopped", "privately seen", "Doze", "Bike", "TakeOff", "Fly", "Blast", "Launch",
    "LimitedRocket", "PickUp", "Drop", "Exchange", "Reinforce", "taken in Air", "taken at Sub",
}  # fmt: skip


def follow(seed: int, plies: int) -> Counter[str]:
    """What a random match met, all of it as the rules say."""
    dice = Dice(seed)
    options = drawn_rules(dice)
    setup = drawn_setup(dice, options) if seed % STANDARD_EVERY else ""
    match = Match(seed, options, setup)
    match.play(plies)
    return match.met


def follow_all(seeds: range, plies: int) -> Counter[str]:
    """What random matches met; a failure names the seed."""
    met: Counter[str] = Counter()
    for seed in seeds:
        try:
            met += follow(seed, plies)
        except AssertionError as differs:
            raise AssertionError(f"seed {seed}: {differs}") from differs
    return met


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 50, IN_A_GROUP))
def test_moves_and_sight_are_those_of_the_rules(first: int) -> None:
    met = follow_all(range(first, first + IN_A_GROUP), PLIES)
    assert met.keys() >= ALWAYS_MET  # nothing is proved by what never came up


@pytest.mark.nightly
@pytest.mark.parametrize("first", range(1000, 3000, IN_A_LONG_GROUP))
def test_moves_and_sight_are_those_of_the_rules_far_and_wide(first: int) -> None:
    met = follow_all(range(first, first + IN_A_LONG_GROUP), LONG_PLIES)
    assert met.keys() >= MET_IN_THE_LONG_RUN


def with_one_more(reach: Callable[..., int | None]) -> Callable[..., int | None]:
    def longer(*arguments: Any) -> int | None:
        true = reach(*arguments)
        return None if true is None else true + 1

    return longer


def nobody_must(companion: Piece) -> bool:
    return False


def crooked(turns: tuple[int, ...]) -> Any:
    tanks = {name: movement.Path(movement.TANK_STARTS, turns) for name in movement.TANKS}
    return lambda _: tanks


FAULTS: list[Any] = [
    # where, what, what it becomes
    ("a detector sees one square further", detection, "_reach", with_one_more),
    ("nothing hides a piece", detection, "hidden_by", lambda true: lambda options, piece: ""),
    ("a passenger may be left in the Air", moving, "must_ride", lambda _: nobody_must),
    ("tanks turn too late", movement, "TANKS", crooked((0, 0, 0, 0, 0, 1, 1, 1))),
    ("all may share", board, "COEXISTS", lambda _: frozenset({"TA", "CL", "K", "FP"})),
]


@pytest.mark.parametrize(
    ("module", "name", "broken"), [row[1:] for row in FAULTS], ids=[row[0] for row in FAULTS]
)
def test_a_fault_of_the_engine_does_not_go_unseen(
    module: Any, name: str, broken: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    movement.ways.cache_clear()
    monkeypatch.setattr(module, name, broken(getattr(module, name)))
    try:
        with pytest.raises(AssertionError, match="seed"):
            follow_all(range(1, 50), PLIES)
    finally:
        movement.ways.cache_clear()
