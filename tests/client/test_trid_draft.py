"""Making a start position of tri-dimensional chess: what is refused, what goes with a change, what
is listed, and that turning the board over changes nothing but the sides."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from cloakboard.client.library import TRID, Library
from cloakboard.client.trid_draft import TridDraft
from cloakboard.engine.errors import BadSetup
from cloakboard.engine.registry import game
from cloakboard.engine.scenario import Scenario
from cloakboard.engine.trid.board import NAMED, PINS, SQUARES
from cloakboard.engine.trid.pieces import START
from cloakboard.engine.trid.rules import perft

GAME = game("trid")
KINGS = "QL1w,KL1w,QL6b,KL6b 4/4/4/4|4/4/4/4|4/4/4/4|2/2|2/KR|2/2|2/k1 w - - 0 1"


def draft(setup: str = KINGS) -> TridDraft:
    return TridDraft(TRID.read(setup))


def pin(name: str) -> int:
    return PINS.index(name)


def men(made: TridDraft, *names: str) -> str:
    return "".join(made.state.men[NAMED[name]] for name in names)


REFUSED: list[tuple[str, Callable[[TridDraft], str], str]] = [
    ("TD-05 no board there", lambda made: made.put("Q", NAMED["d4KL2"]), "no attack board on KL2"),
    ("TD-05 nowhere to go", lambda m: m.move(NAMED["d0KL1"], NAMED["d4KL2"]), "no attack board"),
    ("TD-05 a fifth board", lambda made: made.put_board(0, pin("KL2")), "four attack boards"),
    ("TD-63 a taken pin", lambda made: made.move_board(pin("QL1"), pin("KL1")), "stands on KL1"),
    ("TD-65 an empty board", lambda made: made.turn_board(pin("QL1")), "looks the same"),
    ("TD-70 no rook", lambda made: made.toggle_castling("Q"), "needs a king on d0KL1 and a rook"),
    ("TD-85 a count", lambda made: made.set_counts(-1, 1), "whole numbers"),
    ("10.3 move number", lambda made: made.set_counts(0, 0), "count from 1"),
    ("nobody there", lambda made: made.erase(NAMED["b4N"]), "Nobody stands there"),
]


@pytest.mark.parametrize(("case", "act", "says"), REFUSED, ids=[row[0] for row in REFUSED])
def test_what_cannot_be_is_refused(case: str, act: Callable[[TridDraft], str], says: str) -> None:
    made = draft()
    before = made.position
    assert says in act(made)
    assert made.position == before
    assert not made.can_undo


def test_td_52_a_pawn_where_it_begins_may_advance_two() -> None:
    made = draft()
    for letter, name in (("P", "b2W"), ("P", "b3W"), ("p", "b2W"), ("p", "z8QL6"), ("P", "z8QL6")):
        made.put(letter, NAMED[name])
        assert men(made, name) == {("P", "b2W"): "D", ("p", "z8QL6"): "d"}.get(
            (letter, name), letter
        )
    made.select(NAMED["b2W"])
    made.toggle_fresh()
    assert men(made, "b2W") == "d"


def test_a_king_that_is_put_again_leaves_its_square() -> None:
    made = draft()
    made.put("K", NAMED["b4N"])
    assert men(made, "b4N", "d0KL1") == "K."


def test_td_71_a_castling_right_goes_with_its_rook() -> None:
    made = draft()
    assert made.toggle_castling("K") == ""
    assert made.state.castling == "K"
    made.erase(NAMED["e0KL1"])
    assert made.state.castling == ""
    made.undo()
    assert made.state.castling == "K"


def test_td_56_a_pawn_that_can_be_taken_in_passing() -> None:
    made = draft()
    made.put("p", NAMED["b5B"])
    made.put("P", NAMED["c4N"])
    made.select(NAMED["c4N"])
    assert "side that is not to move" in made.toggle_passed()
    made.select(NAMED["b5B"])
    assert "Nobody can take the pawn on b5B" in made.toggle_passed()
    made.put("P", NAMED["c5N"])
    made.select(NAMED["b5B"])
    assert made.toggle_passed() == ""
    assert made.state.en_passant == NAMED["b5B"]
    assert made.faults() == ()
    made.erase(NAMED["c5N"])
    assert made.state.en_passant == -1


def test_td_66_a_board_goes_with_its_men() -> None:
    made = draft()
    made.move_board(pin("KL1"), pin("QL3"))
    assert men(made, "z2QL3", "a2QL3", "d0KL1") == "KR."
    assert made.pin == pin("QL3")
    made.turn_board(pin("QL3"))
    assert men(made, "z2QL3", "a2QL3", "z3QL3", "a3QL3") == "..RK"
    made.erase_board(pin("QL3"))
    assert [fault.text for fault in made.faults()] == [
        "A position has four attack boards, not 3; put them on pins",
        "White has 0 kings; there must be one",
    ]
    assert made.pin is None


ENDED = [
    ("TD-86 bare kings", KINGS.replace("KR", "K1"), "A draw: only the kings are left"),
    ("TD-85 fifty moves", KINGS.replace(" 0 1", " 100 1"), "A draw: fifty moves of each side"),
    ("the king can be taken", KINGS.replace("2/KR", "r1/KR").replace(" w ", " b "), "Black is to"),
    ("TD-55 a waiting pawn", KINGS.replace(" 4/", " P3/"), "The pawn on a8B stands where"),
]


@pytest.mark.parametrize(("case", "setup", "says"), ENDED, ids=[row[0] for row in ENDED])
def test_what_keeps_it_from_being_played_is_listed(case: str, setup: str, says: str) -> None:
    assert draft(setup).faults()[0].text.startswith(says)


def test_turning_over_keeps_the_number_of_moves_and_twice_changes_nothing() -> None:
    made = draft(START)
    before = made.state
    made.swap()
    assert made.state.side == 1
    assert made.faults() == ()
    assert perft(GAME.start({}, TRID.setup(made.scenario)), 1) == 20
    made.swap()
    assert made.state == before


def test_a_clear_board_keeps_its_attack_boards() -> None:
    made = draft(START)
    made.clear()
    assert made.is_empty
    assert len(made.state.boards) == 4
    assert made.state.men == "." * SQUARES


def test_own_positions_are_kept_listed_and_played(tmp_path: Path) -> None:
    library = Library(tmp_path, TRID)
    made = draft()
    made.entitle("Rook 'n' king", "Mate in a corner.")
    made.set_options({"blocking": "column"})
    path = library.keep(made.scenario)
    assert path == tmp_path / "scenarios" / "trid" / "rook-n-king.toml"
    (row,) = library.listed()
    assert (row.title, row.teaches, row.problem) == ("Rook 'n' king", "Mate in a corner.", "")
    assert library.draft(row) == made.scenario
    start = library.start(row)
    assert (start.game_id, start.options) == ("trid", {"blocking": "column"})
    assert GAME.start(start.options, start.setup).men == made.state.men


def test_one_that_cannot_be_played_is_kept_and_says_why(tmp_path: Path) -> None:
    library = Library(tmp_path, TRID)
    made = draft()
    made.erase_board(pin("QL6"))
    made.entitle("Half done", "")
    library.keep(made.scenario)
    (row,) = library.listed()
    assert row.problem.startswith("A position has four attack boards")
    assert library.draft(row) == made.scenario


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "Copy a start position first"),
        ("format = 1\nblack = ['K(1,1)']", "black: expected one of the keys"),
        ("format = 1", "position: expected a position in quotes"),
        ("format = 2\nposition = ''", "format: expected 1"),
        ("format = 1\nposition = 'w'", "position: A position has seven fields"),
        (f"format = 1\nposition = '{KINGS}'\n[options]\nblocking = 'x'", "options: blocking"),
        (f"format = 1\ntitle = '{'t' * 61}'\nposition = '{KINGS}'", "title: expected one line"),
        (KINGS.replace("QL1w", "QL9w"), "'QL9w' is no attack board"),
    ],
)
def test_text_that_says_no_position_is_refused(text: str, says: str) -> None:
    with pytest.raises(BadSetup) as refused:
        TRID.paste(text)
    assert says in str(refused.value)


def test_text_goes_out_and_in() -> None:
    made = Scenario("T", 'It "is"', {"blocking": "column"}, KINGS)
    assert TRID.paste(TRID.write(made)) == made
    assert TRID.paste(f"  {KINGS}\n") == Scenario("", "", {}, KINGS)
