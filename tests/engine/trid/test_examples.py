"""The worked examples and node counts of the rules."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest

from cloakboard.engine.perft import perft, played
from cloakboard.engine.trid import GAME
from cloakboard.engine.trid.actions import Castle, Move, MoveBoard
from cloakboard.engine.trid.board import NAMES, PINS
from cloakboard.engine.trid.notation.moves import write_move
from cloakboard.engine.trid.notation.positions import write_position
from cloakboard.engine.trid.rules import checked
from cloakboard.engine.trid.state import State
from tests.engine.trid.build import found, table

DATA: Final = Path(__file__).parents[2] / "data/trid"
EXAMPLES: Final = json.loads((DATA / "examples.json").read_text("utf-8"))
COUNTS: Final = json.loads((DATA / "counts.json").read_text("utf-8"))


def answer(state: State, ask: str, of: str) -> Any:
    """What a position says to the question of an example."""
    moves = found(state)
    if ask == "destinations":
        of_man = (one for one in moves if isinstance(one, Move) and NAMES[one.origin] == of)
        return sorted({NAMES[one.target] for one in of_man})
    if ask == "moves_from":
        of_man = (one for one in moves if isinstance(one, Move) and NAMES[one.origin] == of)
        return sorted(map(write_move, of_man))
    if ask == "board_moves":
        of_board = (one for one in moves if isinstance(one, MoveBoard) and PINS[one.pin] == of)
        return sorted(map(write_move, of_board))
    if ask == "castling":
        return sorted(write_move(one) for one in moves if isinstance(one, Castle))
    if ask == "legal_count":
        return len(moves)
    if ask == "position":
        return write_position(state)
    assert ask == "status"
    return state.ended or ("check" if checked(state) >= 0 else "open")


@pytest.mark.parametrize(
    "example", [pytest.param(one, id=f"{one['id']} {' '.join(one['rules'])}") for one in EXAMPLES]
)
def test_example(example: dict[str, Any]) -> None:
    state = table(example["position"], example.get("play", ()), **example.get("options", {})).state
    assert answer(state, example["ask"], example.get("of", "")) == example["expected"]


def test_there_are_all_examples() -> None:
    assert [one["id"] for one in EXAMPLES] == [f"EX-{number:02}" for number in range(1, 67)]


@pytest.mark.parametrize("row", [pytest.param(one, id=one["id"]) for one in COUNTS])
def test_node_counts(row: dict[str, Any]) -> None:
    state = GAME.start(row.get("options", {}), row["position"])
    for depth, count in enumerate(row["counts"], 1):
        assert perft(GAME, state, depth) == count


@pytest.mark.parametrize("row", [pytest.param(one, id=one["id"]) for one in COUNTS])
def test_node_counts_by_playing_every_move(row: dict[str, Any]) -> None:
    state = GAME.start(row.get("options", {}), row["position"])
    for depth, count in enumerate(row["counts"][:2], 1):
        assert played(GAME, state, depth) == count


def test_node_counts_of_the_bundle() -> None:
    # RULES 12: an unrelated program publishes the same three numbers.
    state = GAME.start(GAME.options.bundle("meder"))
    assert [perft(GAME, state, depth) for depth in (0, 1, 2, 3)] == [1, 20, 400, 9128]
