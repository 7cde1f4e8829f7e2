"""Where unseen enemies could be: never missed, exact where it can be, from public facts alone."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from cloakboard.client.recording import for_seat, of_table
from cloakboard.client.suspects import Suspect, Tracker, suspects
from cloakboard.engine.registry import game
from cloakboard.engine.table import Table
from cloakboard.engine.wec.actions import EndTurn, Move, PickUp
from cloakboard.engine.wec.board import find
from cloakboard.engine.wec.notation.positions import write_setup
from cloakboard.engine.wec.position import Placed, Position
from cloakboard.engine.wec.state import BLACK, WHITE, Piece, State, square_at

WEC = game("wec")
NAMES = ("Ann", "Bob")
OPTIONS: list[dict[str, object]] = [
    {},
    {"dominance": "stealth", "stealth_range_detection": True},
    {"seen_when_firing_stealth": False, "seen_when_firing_sub": False, "transport_from": "any"},
    {"movement": "standard", "stealth_lock_on": False},
    {"movement": "mass_destruction", "sub_range": 1, "stealth_range_detection": True},
]


def hidden(state: State, seat: int) -> list[Piece]:
    return [piece for piece in state.pieces if piece.side != seat and not piece.handle]


def missed(pieces: list[Piece], found: tuple[Suspect, ...]) -> list[Piece]:
    """The unseen pieces that cannot all be in the cells of suspects of their kinds."""
    taken: dict[int, int] = {}

    def place(index: int, tried: set[int]) -> bool:
        piece = pieces[index]
        for number, one in enumerate(found):
            fits = (one.kind, one.hand) == (piece.kind, piece.hand) and piece.cell in one.cells
            if not fits or number in tried:
                continue
            tried.add(number)
            if number not in taken or place(taken[number], tried):
                taken[number] = index
                return True
        return False

    return [piece for index, piece in enumerate(pieces) if not place(index, set())]


def check(options: dict[str, object], seed: int, actions: int) -> None:
    table = Table(WEC, options, seed=bytes([seed]))
    dice = random.Random(seed)
    trackers = {seat: Tracker(of_table(table, NAMES, seat), seat) for seat in (0, 1)}
    for number in range(actions):
        if not table.to_act:
            break
        kinds: dict[type, list[object]] = {}
        seat = table.to_act[0]
        for action in table.actions(seat):
            kinds.setdefault(type(action), []).append(action)
        table.act(seat, dice.choice(kinds[dice.choice(list(kinds))]))
        for eyes, tracker in trackers.items():
            tracker.follow(table.log)
            pieces, found = hidden(table.state, eyes), tracker.suspects()
            assert Counter((p.kind, p.hand) for p in pieces) == Counter(
                (one.kind, one.hand) for one in found
            ), (seed, number, eyes)
            assert missed(pieces, found) == [], (seed, number, eyes, table.log[-1].action)


@pytest.mark.parametrize("number", range(len(OPTIONS)))
def test_no_unseen_enemy_is_ever_missed(number: int) -> None:
    check(OPTIONS[number], number, 120)


def moved(table: Table, end: tuple[int, int], kind: str = "") -> None:
    """The first Move that ends there, and the end of the Turn."""
    seat = table.to_act[0]
    for action in table.actions(seat):
        if isinstance(action, Move) and action.route[-1] == square_at(*end):
            piece = find(table.view(seat), seat, action.piece)
            if piece is not None and kind in ("", piece.kind):
                table.act(seat, action)
                table.act(seat, EndTurn())
                return
    raise AssertionError(end)


def of_kind(table: Table, kind: str) -> list[set[int]]:
    found = suspects(of_table(table, NAMES, BLACK), BLACK)
    return [set(one.cells) for one in found if one.kind == kind]


def opened(*more: Placed, **options: object) -> Table:
    """Two kings in the corners, and some pieces."""
    kings = (Placed(BLACK, "K", square_at(1, 1)), Placed(WHITE, "K", square_at(10, 10)))
    return Table(WEC, options, write_setup(Position(pieces=(*kings, *more))))


def test_the_start_is_known() -> None:
    table = Table(WEC)
    assert sorted(of_kind(table, "AAA"), key=sorted) == [{square_at(9, 3)}, {square_at(9, 8)}]


def test_a_seen_move_leaves_what_was_known() -> None:
    table = opened(Placed(WHITE, "AAA", square_at(6, 6)))
    moved(table, (1, 2))
    moved(table, (10, 9))
    assert of_kind(table, "AAA") == [{square_at(6, 6)}]


def test_an_unseen_move_leads_one_step_on() -> None:
    """An AAA moves to its eight neighbours; Black's own square is none of them."""
    aaa = Placed(WHITE, "AAA", square_at(6, 6))
    table = opened(aaa, Placed(BLACK, "DS", square_at(5, 5)))
    moved(table, (1, 2))
    moved(table, (7, 6), "AAA")
    around = {
        square_at(row, column) for row in (5, 6, 7) for column in (5, 6, 7)
    } - {square_at(5, 5)}  # fmt: skip
    assert of_kind(table, "AAA") == [around]


def test_of_two_either_may_have_moved() -> None:
    pieces = [Placed(WHITE, "AAA", square_at(row, 6)) for row in (4, 8)]
    table = opened(*pieces)
    moved(table, (1, 2))
    moved(table, (8, 7), "AAA")
    assert all(len(cells) == 9 for cells in of_kind(table, "AAA"))


def test_wec_93_a_submarine_near_a_detector_is_no_suspect_there() -> None:
    table = opened(Placed(WHITE, "SU", 200 + square_at(8, 5)), Placed(BLACK, "DS", square_at(4, 5)))
    moved(table, (1, 2))
    moved_sub = next(
        action
        for action in table.actions(WHITE)
        if isinstance(action, Move) and action.route[-1] == 200 + square_at(9, 5)
    )
    table.act(WHITE, moved_sub)
    table.act(WHITE, EndTurn())
    (cells,) = of_kind(table, "SU")
    assert cells == {
        200 + square_at(row, column) for row in (8, 9) for column in (4, 5, 6)
    }  # row 7 is within three squares of the Destroyer


def test_an_own_way_clears_what_it_passes() -> None:
    table = opened(
        Placed(WHITE, "AAA", square_at(6, 6)), Placed(BLACK, "TA", square_at(3, 6), "left")
    )
    moved(table, (1, 2))
    moved(table, (6, 7), "AAA")
    moved(table, (6, 6), "TA")
    (cells,) = of_kind(table, "AAA")
    assert {square_at(5, 6), square_at(6, 6)} & cells == set()
    assert square_at(6, 7) in cells


def test_an_unseen_pick_up_tells_the_square() -> None:
    kings = (Placed(BLACK, "K", square_at(1, 1)), Placed(WHITE, "K", square_at(10, 10)))
    aaa = Placed(WHITE, "AAA", square_at(6, 6))
    position = Position(pieces=(*kings, aaa), lying=((square_at(7, 7), "BI"),))
    table = Table(WEC, setup=write_setup(position))
    moved(table, (1, 2))
    moved(table, (7, 7), "AAA")
    moved(table, (1, 1))
    pick = next(action for action in table.actions(WHITE) if isinstance(action, PickUp))
    table.act(WHITE, pick)
    assert of_kind(table, "AAA") == [{square_at(7, 7)}]


def test_it_knows_no_more_than_the_seat() -> None:
    """A whole log and the one limited to the seat give the same suspects."""
    table = Table(WEC, seed=b"n")
    dice = random.Random(4)
    for _ in range(60):
        seat = table.to_act[0]
        table.act(seat, dice.choice(list(table.actions(seat))))
    whole = of_table(table, NAMES)
    for seat in (BLACK, WHITE):
        assert suspects(whole, seat) == suspects(for_seat(whole, seat), seat)


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(60))
def test_no_unseen_enemy_is_ever_missed_in_many_matches(seed: int) -> None:
    check(OPTIONS[seed % len(OPTIONS)], 100 + seed, 500)
