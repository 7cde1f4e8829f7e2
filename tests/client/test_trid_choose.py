"""From squares and pins pointed at to actions of tri-dimensional chess, without a window."""

from __future__ import annotations

import pytest

from cloakboard.client.boards import trid_choose as choose
from cloakboard.client.boards.trid_choose import Act, Ask, Choosing, Menu, Outcome, Pending, Refused
from cloakboard.client.boards.trid_look import Hit, look
from cloakboard.client.boards.trid_play import TridPlay
from cloakboard.client.local_session import LocalSession
from cloakboard.client.marks import Mark
from cloakboard.engine.registry import game
from cloakboard.engine.trid.actions import Castle, Move, MoveBoard
from cloakboard.engine.trid.board import NAMED, PINS
from cloakboard.engine.trid.state import State

TRID = game("trid")
START = (
    "QL1w,KL1w,QL6b,KL6b nbbn/dddd/4/4|4/4/4/4|4/4/DDDD/NBBN|DD/RQ|DD/KR|rq/dd|kr/dd w KQkq - 0 1"
)
# White to play: a knight alone on QL2, a pawn about to promote, both castlings open.
RICH = "QL1w,KL1w,QL2w,KL6b 2b1/1P2/4/4|4/4/4/4|4/4/DDDD/1BBN|D1/R1|DD/KR|N1/2|1k/2 w KQ - 0 9"


def state(setup: str = START) -> State:
    found = TRID.start({}, setup)
    assert isinstance(found, State)
    return found


def menu(setup: str = START) -> Menu:
    now = state(setup)
    return Menu(now, tuple(TRID.actions(now, now.side)))


def sq(name: str) -> int:
    return NAMED[name]


def run(of: Menu, *names: str) -> Outcome:
    """The outcome of pointing at squares, or pins, one after the other."""
    outcome: Outcome = Pending(Choosing())
    for name in names:
        assert isinstance(outcome, Pending), outcome
        if name in PINS:
            outcome = choose.click_pin(of, outcome.choosing, PINS.index(name))
        else:
            outcome = choose.click_square(of, outcome.choosing, sq(name))
    return outcome


CASES = [
    ("TD-50 a man, then its target", START, ("b2W", "b3N"), Act(Move(sq("b2W"), sq("b3N")))),
    ("another man of one's own is picked instead", START, ("b2W", "c2W"),
     Pending(Choosing(origin=sq("c2W")))),
    ("the man again: nothing is picked", START, ("b2W", "b2W"), Pending(Choosing())),
    ("TD-61 the man again, on a board that can move: the board", RICH, ("z5QL2", "z5QL2"),
     Pending(Choosing(pin=PINS.index("QL2")))),
    ("TD-60 a board, then a pin", RICH, ("QL2", "QL3"),
     Act(MoveBoard(PINS.index("QL2"), PINS.index("QL3")))),
    ("an empty square of a board picks the board", RICH, ("z4QL2",),
     Pending(Choosing(pin=PINS.index("QL2")))),
    ("the picked board again: nothing is picked", RICH, ("QL2", "QL2"), Pending(Choosing())),
    ("TD-72 king, then rook", RICH, ("d0KL1", "e0KL1"), Act(Castle())),
    ("TD-73 king, then where it goes", RICH, ("d0KL1", "a0QL1"), Act(Castle(queenside=True))),
    ("TD-73 king, then the far rook", RICH, ("d0KL1", "z0QL1"), Act(Castle(queenside=True))),
]  # fmt: skip


@pytest.mark.parametrize(
    ("setup", "names", "expected"),
    [row[1:] for row in CASES],
    ids=[row[0] for row in CASES],
)
def test_pointing(setup: str, names: tuple[str, ...], expected: Outcome) -> None:
    assert run(menu(setup), *names) == expected


def test_td_54_what_a_pawn_becomes_is_asked() -> None:
    outcome = run(menu(RICH), "b7B", "b8B")
    assert isinstance(outcome, Ask)
    assert [text for text, _ in outcome.choices] == ["Queen", "Rook", "Bishop", "Knight"]
    assert outcome.choices[3][1] == Move(sq("b7B"), sq("b8B"), "N")


def test_td_65_the_picked_board_is_turned_and_back() -> None:
    of = menu(RICH)
    turned = choose.turn(of, Choosing(pin=PINS.index("QL2")))
    assert turned == Pending(Choosing(pin=PINS.index("QL2"), turned=True))
    assert choose.turn(of, Choosing(pin=PINS.index("QL2"), turned=True)) == Pending(
        Choosing(pin=PINS.index("QL2"))
    )
    assert isinstance(choose.turn(of, Choosing()), Refused)


def test_td_67_a_board_with_a_pawn_is_not_turned() -> None:
    of = menu("KL1w,QL2w,QL6b,KL6b 4/4/4/4|4/4/4/4|4/4/4/4|2/K1|P1/2|2/2|1k/2 w - - 0 9")
    assert choose.turn(of, Choosing(pin=PINS.index("QL2"))) == Refused(
        "The board may not be turned on this way; leave it unturned."
    )


REFUSALS = [
    ("TD-53 no such move", START, ("b2W", "b5N"), "The Pawn on b2W does not get to b5N"),
    ("an empty square", START, ("c4W",), "Nobody stands on c4W"),
    ("an enemy man", START, ("b7B",), "The Pawn on b7B is not yours"),
    ("TD-61 a board with four men", START, ("QL1",), "4 men stand on QL1"),
    ("TD-62 a board with an enemy", RICH, ("QL2", "KL6"), "The man on KL6 is not yours"),
    ("a free pin with nothing picked", RICH, ("QL5",), "QL5 is a free pin"),
    ("TD-60 a pin that is too far", RICH, ("QL2", "QL6"), "QL6 is not next to QL2"),
]


@pytest.mark.parametrize(
    ("setup", "names", "begins"), [row[1:] for row in REFUSALS], ids=[row[0] for row in REFUSALS]
)
def test_refusals_are_the_rules_words(setup: str, names: tuple[str, ...], begins: str) -> None:
    outcome = run(menu(setup), *names)
    assert isinstance(outcome, Refused)
    assert outcome.text.startswith(begins)


def test_td_66_where_men_would_ride_to() -> None:
    pins = {name: PINS.index(name) for name in ("QL2", "KL2")}
    straight = choose.ride(state(RICH), pins["QL2"], pins["KL2"], False)
    turned = choose.ride(state(RICH), pins["QL2"], pins["KL2"], True)
    assert straight == ((sq("d5KL2"), "N"),)  # left and far, as on QL2
    assert turned == ((sq("e4KL2"), "N"),)  # the opposite corner


CURSOR = [
    ("on along its board", "b2W", (0, 1), "b3W"),
    ("over an edge, to the nearest in height", "b4W", (0, 1), "b5N"),
    ("across the void to the next column that is", "a0QL1", (1, 0), "d0KL1"),
    ("nothing beyond", "z0QL1", (-1, 0), "z0QL1"),
]


@pytest.mark.parametrize(
    ("start", "step", "end"), [row[1:] for row in CURSOR], ids=[row[0] for row in CURSOR]
)
def test_the_cursor_goes(start: str, step: tuple[int, int], end: str) -> None:
    assert choose.moved(state(), sq(start), *step) == sq(end)


@pytest.mark.parametrize(
    ("start", "up", "end"),
    [
        ("b4W", 1, "b4N"),
        ("b4N", 1, "b4N"),
        ("a1QL1", -1, "a1W"),
        ("a1W", -1, "a1W"),
        ("a4QL2", -1, "a4W"),  # a board that is not there any more
        ("a4QL2", 1, "a4N"),
    ],
)
def test_the_cursor_changes_its_level(start: str, up: int, end: str) -> None:
    assert choose.levelled(state(), sq(start), up) == sq(end)


# A table without a window ---------------------------------------------------------------------


def sitting(setup: str = "") -> TridPlay:
    return TridPlay(LocalSession(TRID, ("Ann", "Bob"), setup=setup, seed=b"t"))


def play(table: TridPlay, *names: str) -> None:
    for name in names:
        table.click_square(sq(name))
        table.skip()


def test_both_sides_of_a_hotseat_play_with_one_pair_of_eyes() -> None:
    table = sitting()
    play(table, "b2W", "b4N")
    assert table.state.side == 1
    assert table.may_act
    play(table, "c7B", "c5N", "b4N", "c5N")
    assert [ply.text for ply in table.plies] == ["b4N", "c5N", "bNxc5N"]
    assert table.captured(1) == "P"
    assert table.last() == (sq("b4N"), sq("c5N"))
    assert "Black to play" in table.status()


def test_a_taken_back_move_leaves_the_list() -> None:
    table = sitting()
    play(table, "b2W", "b4N")
    table.session.undo()
    table.poll()
    assert table.plies == []
    assert table.state.men[sq("b2W")] == "D"


def test_looking_back_shows_an_earlier_position_and_forbids_moving() -> None:
    table = sitting()
    play(table, "b2W", "b4N", "c7B", "c5N")
    table.look(1)
    assert table.sight.men[sq("b4N")] == "P"
    assert table.sight.men[sq("c7B")] == "d"
    assert not table.may_act
    table.look(2)
    assert table.looking is None


def test_a_match_that_goes_on_knows_its_moves() -> None:
    session = LocalSession(TRID, ("Ann", "Bob"), seed=b"t")
    session.act(0, Move(sq("b2W"), sq("b3N")))
    session.poll()
    assert [ply.text for ply in TridPlay(session).plies] == ["b3N"]


def test_what_is_marked_for_a_picked_man() -> None:
    table = sitting(RICH)
    table.click_square(sq("b7B"))
    shown = look(table, Hit(sq("c8B")), None)
    assert (sq("b8B"), Mark.TARGET) in shown.marks
    assert (sq("c8B"), Mark.CAPTURE) in shown.marks
    assert (sq("b7B"), Mark.SELECTED) in shown.marks
    assert shown.way == (sq("b7B"), sq("c8B"))


def test_what_is_marked_for_a_picked_board() -> None:
    table = sitting(RICH)
    table.click_pin(PINS.index("QL2"))
    table.turn_board()
    shown = look(table, Hit(None, PINS.index("KL2")), None)
    assert [PINS[pin] for pin in shown.pins] == ["KL2", "QL3", "QL4"]
    assert shown.aimed == PINS.index("KL2")
    assert shown.ghosts == ((sq("e4KL2"), "N"),)


def test_td_81_the_king_in_check_is_marked() -> None:
    table = sitting("QL1w,KL1w,QL6b,KL6b 4/4/4/3R|4/4/4/4|4/4/4/4|2/2|2/1K|2/2|k1/2 b - - 0 9")
    assert (sq("d9KL6"), Mark.THREAT) in look(table, Hit(), None).marks
    assert table.status() == "Black is in check: answer it with a man or an attack board."
