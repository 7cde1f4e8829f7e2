"""The state, its fold and what the two ways of making a move agree on."""

from __future__ import annotations

import pytest

from cloakboard.engine.errors import IllegalAction
from cloakboard.engine.table import Table
from cloakboard.engine.trid import GAME
from cloakboard.engine.trid.board import BIT, NAMED, NAMES
from cloakboard.engine.trid.events import Moved
from cloakboard.engine.trid.notation.moves import read_move
from cloakboard.engine.trid.notation.positions import write_position
from cloakboard.engine.trid.position import position
from cloakboard.engine.trid.routes import route
from cloakboard.engine.trid.rules import checked
from tests.engine.trid.build import found, placed, random_position, table
from tests.play import Dice, drawn_options

FIELDS = ("men", "sides", "fresh", "placement", "owned", "side", "rights", "passed", "number")


@pytest.mark.parametrize("seed", range(700, 715))
def test_the_fold_and_the_position_make_the_same_of_a_move(seed: int) -> None:
    dice = Dice(seed)
    options = drawn_options(GAME, dice)
    start = random_position(dice, options)
    for action in found(start):
        made = Table(GAME, options, write_position(start))
        if made.result is not None:
            return
        made.act(start.side, action)
        folded, straight = position(made.state), position(start).after(action)
        if not made.state.en_passant >= 0:
            straight.passed = 0  # a state keeps it only where somebody can use it
        for name in FIELDS:
            assert getattr(folded, name) == getattr(straight, name), (action, name)
        assert folded.geometry is straight.geometry


def test_nothing_is_hidden() -> None:
    state = table().state
    assert GAME.view(state, 0) is state
    assert GAME.public(state) is state
    action = read_move("a2W-a3W")
    assert GAME.split(state, 0, action) == (action, None)
    assert GAME.cover(state, 0) == ()
    assert GAME.lookups({}) == {}
    assert GAME.types.probe is None


def test_no_veiled_action_is_admitted() -> None:
    event = Moved(man="P", origin=NAMED["a2W"], target=NAMED["a3W"])
    with pytest.raises(IllegalAction):
        GAME.admits(table().state, 0, event)


def test_turns_are_counted_from_the_first_move() -> None:
    assert GAME.turn(table().state) == 0
    assert GAME.turn(table("", ["a2W-a3W"]).state) == 1
    assert GAME.turn(table("", ["a2W-a3W", "a7B-a6B"]).state) == 2


def test_who_is_in_check() -> None:
    state = table(placed("Kd0KL1 kz9QL6 Rz8QL6", side="b")).state
    assert checked(state) == NAMED["z9QL6"]
    assert checked(table().state) == -1


def test_the_text_of_a_position() -> None:
    text = GAME.text(table().state)
    assert text.startswith("Move 1, White to play.\n")
    assert "Black's board\n   a b c d\n 8 n b b n\n 7 p p p p\n 6 . . . .\n 5 . . . .\n" in text
    assert "Attack board KL6, first Black's\n   d e\n 9 k r\n 8 p p\n" in text
    assert "White's men:\n  King d0KL1\n  Queen a0QL1\n  Rooks z0QL1, e0KL1\n" in text
    assert text.endswith("a8QL6, d8KL6, e8KL6\n")


@pytest.mark.parametrize(
    ("position", "says"),
    [
        (placed("Kd0KL1 kz9QL6 Rz8QL6", side="b"), "Black to play. The king is in check."),
        (placed("Kd1W kz9QL6"), "A draw: only the kings are left."),
        (placed("Kd1W kz9QL6 Pa2W", rest="- - 100 70"), "A draw: fifty moves"),
        (placed("Kd1W Ra3W kz9QL6 pz8QL6", side="b"), "A draw: Black cannot move."),
        (
            placed("Kd1W Ra3W kz9QL6 pz8QL6 Re9KL6", side="b"),
            "White has won: Black is checkmated.",
        ),
    ],
)
def test_the_text_of_a_position_says_how_it_stands(position: str, says: str) -> None:
    assert says in GAME.text(table(position).state).splitlines()[0]


@pytest.mark.parametrize(
    ("position", "play", "move", "says"),
    [
        ("", [], "a1W-b3W", "Knight on a1W moves to b3W"),
        (placed("Kd0KL1 kz9QL6 Ba2W pd5N"), [], "a2W-d5N", "Bishop on a2W takes the Pawn on d5N"),
        (
            placed("Kd0KL1 Pc5N db7B kz9QL6", side="b"),
            ["b7B-b5N"],
            "c5N-b6B",
            "Pawn on c5N takes the Pawn on b5N in passing and goes to b6B",
        ),
        (
            placed("Kd0KL1 kz9QL6 Pb7B"),
            [],
            "b7B-b8B=Q",
            "Pawn on b7B moves to b8B and the pawn becomes a Queen",
        ),
        (
            placed("Kd3W Na4QL2 kz9QL6", boards="KL1w,QL2w,QL6b,KL6b"),
            [],
            "QL2-QL1r",
            "Attack board QL2 moves to QL1, turned by a half turn, carrying the Knight on a4QL2",
        ),
        (placed("Kd0KL1 Re0KL1 kb8B", rest="K - 0 9"), [], "O-O", "White castles kingside"),
    ],
)
def test_a_move_in_words(position: str, play: list[str], move: str, says: str) -> None:
    state = table(position, play).state
    assert GAME.say(state, read_move(move)) == says


@pytest.mark.parametrize(
    ("position", "move", "way"),
    [
        # As few changes of level as can be, then the squares that come first.
        (placed("Kd0KL1 kz9QL6 Rb1W pb3W"), "b1W-b4N", "b1W b2W b3N b4N"),
        (placed("Kd0KL1 kz9QL6 Rb1W"), "b1W-b4N", "b1W b2W b3W b4N"),
        (placed("Kd3W kb8B Rz0QL1"), "z0QL1-z9QL6", "z0QL1 z1QL1 z8QL6 z9QL6"),
        (placed("Kd0KL1 kz9QL6 Da2W na3W"), "a2W-a4N", "a2W a3N a4N"),
        (placed("Kd0KL1 kz9QL6 Nb3W"), "b3W-c5N", "b3W c5N"),
        (placed("Kb2W kz9QL6 Nb3W"), "b2W-c3N", "b2W c3N"),
    ],
)
def test_the_way_of_a_move(position: str, move: str, way: str) -> None:
    state, action = table(position).state, read_move(move)
    assert " ".join(NAMES[square] for square in route(state, action)) == way  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(800, 810))
def test_every_man_has_a_way_over_empty_squares(seed: int) -> None:
    dice = Dice(seed)
    state = random_position(dice, drawn_options(GAME, dice))
    exists = position(state).geometry.exists
    for action in found(state):
        if hasattr(action, "origin"):
            way = route(state, action)  # type: ignore[arg-type]
            assert (way[0], way[-1]) == (action.origin, action.target)  # type: ignore[attr-defined]
            assert all(state.men[square] == "." for square in way[1:-1])
            assert all(exists & BIT[square] for square in way)
