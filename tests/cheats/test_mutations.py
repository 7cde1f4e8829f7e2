"""No change to an honest file makes it a proof against who followed the protocol (VEIL 1, 14)."""

from __future__ import annotations

from typing import Final

import pytest

from cloakboard.netplay.errors import NetplayError
from cloakboard.netplay.lockstep.judge import judge
from cloakboard.netplay.transcript import ALL_SEATS
from tests.cheats.mutations import GAMES, Mutant, honest

SOME: Final = {"line2": 120, "line3": 60, "line4": 30, "wec": 20}
MANY: Final = {"line2": 6000, "line3": 3000, "line4": 1000, "wec": 1000}
STEP: Final = 500


def framed(name: str, seeds: range) -> list[str]:
    """The mutants that blame a seat whose key the mutator did not hold."""
    found = []
    for seed in seeds:
        mutant = Mutant(name, seed)
        finding = judge(mutant.game, mutant.entries, mutant.refused)[0].finding
        if finding is not None and finding.seat not in (ALL_SEATS, mutant.key):
            found.append(f"Mutant({name!r}, {seed}), key of {mutant.key}: {finding}")
    return found


@pytest.mark.parametrize("name", GAMES)
def test_veil_14_a_mutated_honest_transcript_convicts_nobody_honest(name: str) -> None:
    assert framed(name, range(SOME[name])) == []


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("name", "first"),
    [(name, first) for name, many in MANY.items() for first in range(0, many, STEP)],
)
def test_veil_14_ten_thousand_mutated_transcripts_convict_nobody_honest(
    name: str, first: int
) -> None:
    assert framed(name, range(first, first + STEP)) == []


@pytest.mark.parametrize("name", GAMES)
def test_the_matches_that_are_mutated_are_clean(name: str) -> None:
    for seed in range(4):
        game, entries = honest(name, seed)
        judgement, _ = judge(game, entries)
        assert judgement.text == "clean" and judgement.judged


def test_mutants_blame_the_file_and_who_holds_the_key() -> None:
    """They do change something, and do come to every kind of finding."""
    blamed = set()
    for seed in range(SOME["line2"]):
        mutant = Mutant("line2", seed)
        try:
            finding = judge(mutant.game, mutant.entries, mutant.refused)[0].finding
        except NetplayError:
            continue
        blamed.add(None if finding is None else "file" if finding.seat == ALL_SEATS else "key")
    assert blamed == {None, "file", "key"}
