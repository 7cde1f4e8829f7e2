"""Turns, men, boards, castling and the end of a match, rule by rule (TD-20 to TD-87)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from cloakboard.engine.errors import IllegalAction
from cloakboard.engine.game import Result
from cloakboard.engine.trid import GAME
from cloakboard.engine.trid.actions import Move
from cloakboard.engine.trid.board import BOARD, BOARDS, FILE, FILES, NAMED, RANK, SQUARES, existing
from cloakboard.engine.trid.events import (
    BoardMoved,
    Castled,
    Moved,
    Promoted,
    Taken,
    TurnEnded,
)
from cloakboard.engine.trid.lines import geometry
from cloakboard.engine.trid.notation.moves import read_move
from cloakboard.engine.trid.notation.positions import write_position
from cloakboard.engine.trid.options import LineRules, complete, variant
from cloakboard.engine.trid.pieces import EMPTY
from cloakboard.engine.trid.rules import checked
from cloakboard.engine.trid.state import AttackBoard, State, key, placement
from tests.engine.trid.build import ends, placed, random_position, refused, said, table
from tests.play import Dice

BLACK_AWAY = "kz9QL6"


def man_at(state: State, square: str) -> str:
    return state.men[NAMED[square]]


def position_after(text: str, *play: str, **options: str) -> str:
    return write_position(table(text, play, **options).state)


# -- turns -----------------------------------------------------------------------------------


def test_td_21_white_begins_and_turns_alternate() -> None:
    made = table()
    assert made.to_act == (0,)
    made.act(0, read_move("a2W-a3W"))
    assert made.to_act == (1,)
    assert list(made.actions(0)) == []


def test_td_22_a_turn_is_one_move_of_a_man_or_of_a_board() -> None:
    text = placed(f"Kd3W Na4QL2 {BLACK_AWAY}", boards="QL2w,KL2w,QL6b,KL6b")
    for move in ("d3W-d4W", "QL2-QL1r"):
        after = table(text, [move]).state
        assert (after.side, after.counter) == (1, 1)


def test_td_20_ordinary_chess_men_are_taken_one_at_a_time() -> None:
    # TD-41: of two men in a column only the one on the square is taken.
    after = table(placed(f"Kd0KL1 Rb1W pb3W nb3N {BLACK_AWAY}"), ["b1W-b3N"]).state
    assert (man_at(after, "b3N"), man_at(after, "b3W")) == ("R", "p")


# -- men -------------------------------------------------------------------------------------


def total(kind: str, rules: LineRules) -> int:
    """Moves of a man over all squares of an empty board with the boards at the start pins."""
    pins = sum(1 << (BOARDS.index(pin) - 3) for pin in ("QL1", "KL1", "QL6", "KL6"))
    free, exists = geometry(rules, pins), existing(pins)
    squares = [square for square in range(SQUARES) if exists >> square & 1]
    if kind == "N":
        return sum(free.knight[square].bit_count() for square in squares)
    crosses = {"R": [free.straight], "B": [free.diagonal], "Q": [free.straight, free.queenly]}
    moves = 0
    for square in squares:
        for cross in crosses[kind]:
            _, reach_1, _, reach_2 = cross[square]
            moves += (reach_1[0] | reach_2[0]).bit_count()
    return moves


@pytest.mark.parametrize(
    ("kind", "mean", "mean_by_column"),
    [("R", 16.5, 16.75), ("Q", 25.625, 25.875), ("B", 9.125, 9.125), ("N", 6.5, 6.5)],
)
def test_td_33_td_38_mean_number_of_moves(kind: str, mean: float, mean_by_column: float) -> None:
    # RULES 12; those by column are an unrelated program's too.
    standard = variant(complete({})).lines
    meder = variant(complete(GAME.options.bundle("meder"))).lines
    assert total(kind, standard) == 64 * mean
    assert total(kind, meder) == 64 * mean_by_column


def test_td_32_a_step_goes_to_any_level_of_the_next_column() -> None:
    boards = "QL1w,KL1w,QL2b,QL5b"
    assert ends(table(placed("Kb3W kd8B Pd1W", boards=boards)).state, "b3W") >= {
        "a4W",
        "a4N",
        "a4QL2",
        "a4QL5",
    }


def test_td_34_td_35_td_36_men_on_the_way() -> None:
    # One man in b3 is passed on the other level, but the level that was left stays closed.
    blocked = table(placed(f"Kd0KL1 Rb1W Pb3W {BLACK_AWAY}")).state
    assert ends(blocked, "b1W") >= {"b2W", "b3N", "b4N", "b8B"}
    assert "b4W" not in ends(blocked, "b1W")
    full = table(placed(f"Kd0KL1 Rb1W Pb3W Pb3N {BLACK_AWAY}")).state
    assert ends(full, "b1W") & {"b3N", "b4N", "b8B"} == set()


def test_td_37_void_columns_are_not_entered_from_a_main_board() -> None:
    state = table(placed(f"Kd4W Rb1W {BLACK_AWAY}", boards="QL1w,KL1w,QL6b,KL6b")).state
    assert not any(square[:2] in ("b0", "a0") for square in ends(state, "b1W"))


def test_td_39_a_rook_crosses_the_void_and_goes_on() -> None:
    # z2 to z3 are void, z4 and z5 are QL2's, z6 and z7 void again, then QL6.
    state = table(placed("Kd3W Rz0QL1 kd8B", boards="QL1w,QL2w,QL6b,KL6b")).state
    upwards = {square for square in ends(state, "z0QL1") if square[0] == "z"}
    assert upwards == {"z1QL1", "z4QL2", "z5QL2", "z8QL6", "z9QL6"}


def test_td_40_kings_in_one_column_do_not_attack_each_other() -> None:
    state = table(placed("Ka1QL1 Pc2W ka1W", side="b")).state
    assert checked(state) == -1
    # The white king covers every square next to a1; the pawn covers nothing there.
    assert state.ended == "stalemate"


def test_td_50_td_57_pawns_go_forward_only() -> None:
    assert ends(table(placed(f"Kd0KL1 Pb4W {BLACK_AWAY}")).state, "b4W") == {"b5N", "b5B"}
    state = table(placed(f"Kd0KL1 pb4W {BLACK_AWAY}", side="b")).state
    assert ends(state, "b4W") == {"b3W", "b3N"}


def test_td_51_a_pawn_at_the_edge_needs_another_board_ahead() -> None:
    alone = placed("Dz1QL1 Kd3W kd8B", boards="QL1w,KL1w,QL6b,KL6b")
    assert ends(table(alone).state, "z1QL1") == set()
    bridged = placed("Dz1QL1 Kd3W kd8B", boards="QL1w,QL3w,QL6b,KL6b")
    assert ends(table(bridged).state, "z1QL1") == {"z2QL3", "z3QL3"}


def test_td_52_the_right_is_lost_by_moving_and_by_riding() -> None:
    text = placed("Da1QL1 Kd4W kz9QL6 pd7B", boards="QL1w,KL2w,QL6b,KL6b")
    rode = table(text, ["QL1-KL1"]).state
    assert man_at(rode, "e1KL1") == "P"
    stepped = table(text, ["a1QL1-a2W"]).state
    assert man_at(stepped, "a2W") == "P"


def test_td_53_pawns_take_aside_only() -> None:
    state = table(placed(f"Kd0KL1 Pb4W pb5N pb5B pc5B {BLACK_AWAY}")).state
    assert ends(state, "b4W") == {"c5B"}


def test_td_54_every_promotion_piece_may_be_chosen() -> None:
    text = placed(f"Kd0KL1 Pb7B {BLACK_AWAY}")
    for kind in "QRBN":
        assert man_at(table(text, [f"b7B-b8B={kind}"]).state, "b8B") == kind
    assert refused(table(text), "b7B-b8B") == "TD-54"
    assert refused(table(text), "d0KL1-d1W=Q") == "TD-54"
    for wrong in ("K", "P", "QR", "x"):
        with pytest.raises(IllegalAction, match="name a queen"):
            table(text).act(0, Move(NAMED["b7B"], NAMED["b8B"], wrong))


def test_td_55_an_enemy_pawn_that_a_board_uncovers_becomes_a_queen() -> None:
    made = table(placed(f"Kd0KL1 Na2W pd1W {BLACK_AWAY}"), promotion_corner="deferred")
    made.act(0, read_move("KL1-KL2r"))
    assert made.log[-1].events[:2] == (
        BoardMoved(pin=1, to=3, turned=True),
        Promoted(square=NAMED["d1W"], man="q"),
    )
    assert man_at(made.state, "d1W") == "q"
    assert made.state.counter == 0  # TD-69, TD-85: a promotion is progress


IN_PASSING = placed(f"Kd0KL1 Pc5N db7B {BLACK_AWAY}", side="b")


def test_td_56_the_pawn_that_advanced_is_taken_on_the_next_turn_only() -> None:
    made = table(IN_PASSING, ["b7B-b5B"])
    assert made.state.en_passant == NAMED["b5B"]
    assert ends(made.state, "c5N") == {"b6N", "b6B", "c6N", "c6B"}
    made.act(0, read_move("c5N-b6N"))
    assert made.log[-1].events[:2] == (
        Taken(square=NAMED["b5B"], man="p"),
        Moved(man="P", origin=NAMED["c5N"], target=NAMED["b6N"]),
    )
    assert man_at(made.state, "b5B") == EMPTY
    late = table(IN_PASSING, ["b7B-b5B", "d0KL1-e0KL1", "z9QL6-z8QL6"]).state
    assert ends(late, "c5N") == {"c6N", "c6B"}


def test_td_56_another_man_in_the_passed_column_is_an_ordinary_capture() -> None:
    text = placed(f"Kd0KL1 Pc5N db7B nb6N {BLACK_AWAY}", side="b")
    took_knight = table(text, ["b7B-b5B", "c5N-b6N"]).state
    assert (man_at(took_knight, "b6N"), man_at(took_knight, "b5B")) == ("P", "p")
    took_pawn = table(text, ["b7B-b5B", "c5N-b6B"]).state
    assert (man_at(took_pawn, "b6N"), man_at(took_pawn, "b5B")) == ("n", EMPTY)


def test_td_56_is_not_written_down_where_it_would_uncover_the_king() -> None:
    # The white pawn is pinned to its king on c3N by the rook on c7B; c4W and c4N hold men.
    text = placed("Kc3W Pc5N Pc4W db7B rc7B rc6B kz9QL6 pc5B", side="b")
    after = table(text, ["b7B-b5N"]).state
    assert ("c5N-b6B" in said(after)) == (after.en_passant >= 0)


# -- boards ----------------------------------------------------------------------------------

RIDER = placed("Kd3W Na4QL2 kd8B pd7B", boards="KL1w,QL2w,QL6b,KL6b")


@pytest.mark.parametrize(
    ("text", "move", "rule", "options"),
    [
        (RIDER, "QL1-QL2", "TD-60", {}),
        (RIDER, "QL2-QL6", "TD-60", {}),
        (RIDER, "QL2-KL3", "TD-60", {}),
        (placed("Kd3W Na4QL2 Nz4QL2 kd8B", boards="KL1w,QL2w,QL6b,KL6b"), "QL2-QL1", "TD-61", {}),
        (RIDER, "KL1-KL2", "TD-61", {}),
        (RIDER, "QL2-QL1", "TD-61", {"board_rider": "pawn_only"}),
        (placed("Kd3W na4QL2 kd8B", boards="KL1w,QL2w,QL6b,KL6b"), "QL2-QL1", "TD-62", {}),
        (placed("Kd3W Na4QL2 kd8B", boards="QL2w,KL2w,QL6b,KL6b"), "QL2-KL2", "TD-63", {}),
        (RIDER, "QL2-QL1r", "TD-65", {"board_rotation": "never"}),
        (RIDER, "QL2-QL1", "TD-60", {"board_direction": "forward_or_sideways"}),
        (placed("Kd3W Pa4QL2 kd8B", boards="KL1w,QL2w,QL6b,KL6b"), "QL2-QL4", "TD-67", {}),
        (placed("Kd3W Pa4QL2 kd8B", boards="KL1w,QL2w,QL6b,KL6b"), "QL2-KL2r", "TD-65", {}),
        (
            placed("Kd3W Pa4QL2 kd8B", boards="KL1w,QL2w,QL6b,KL6b"),
            "QL2-QL1",
            "TD-67",
            {"pawn_board": "no_backward"},
        ),
        (placed("Ka4QL2 rz6QL4 kd8B", boards="KL1w,QL2w,QL4b,KL6b"), "QL2-KL2=Q", "TD-55", {}),
        (placed("Kz4QL2 rd6N kd8B", boards="KL1w,QL2w,QL6b,KL6b"), "QL2-KL2", "TD-68", {}),
    ],
)
def test_refused_board_moves(text: str, move: str, rule: str, options: dict[str, str]) -> None:
    assert refused(table(text, **options), move) == rule


def test_td_64_nothing_stands_in_the_way_of_a_board() -> None:
    # Another board on KL4 and men under and over the new places do not matter.
    text = placed("Kd3W Na4QL2 pa6N pa7B pa6B kd8B", boards="KL1w,QL2w,KL4b,KL6b")
    after = table(text, ["QL2-QL4"]).state
    assert (man_at(after, "a6QL4"), man_at(after, "a6N"), man_at(after, "a6B")) == ("N", "p", "p")


def test_td_62_td_66_the_player_of_the_man_moves_whoevers_board_it_was() -> None:
    text = placed("Kd3W Nz8QL6 kd8B", boards="QL1w,KL1w,QL6b,KL6b")
    after = table(text, ["QL6-QL4r"]).state
    assert man_at(after, "a7QL4") == "N"
    assert [(BOARDS[3 + one.pin], one.owner) for one in after.boards] == [
        ("QL1", 0),
        ("KL1", 0),
        ("QL4", 1),
        ("KL6", 1),
    ]


def test_td_69_a_ride_lets_the_right_to_castle_and_en_passant_lapse() -> None:
    text = placed("Kd0KL1 Rz0QL1 kb8B pd7B", rest="Q - 7 9")
    after = table(text, ["QL1-QL2"]).state
    assert (after.castling, after.counter) == ("", 8)
    made = table(placed("Ke0KL1 Pc5N Bz0QL1 db7B kz9QL6", side="b"), ["b7B-b5B", "QL1-QL2"])
    assert made.state.en_passant == -1
    with_pawn = placed("Kd3W Pa4QL2 kd8B", boards="KL1w,QL2w,QL6b,KL6b", rest="- - 7 9")
    assert table(with_pawn, ["QL2-KL2"]).state.counter == 8


# -- castling --------------------------------------------------------------------------------

BOTH = placed("Kd0KL1 Re0KL1 Rz0QL1 kb8B pd7B", rest="KQ - 0 9")


def test_td_72_td_73_where_king_and_rook_go() -> None:
    made = table(BOTH, ["O-O"])
    assert made.log[0].events[0] == Castled(side=0, queenside=False)
    assert (man_at(made.state, "e0KL1"), man_at(made.state, "d0KL1")) == ("K", "R")
    wide = table(BOTH, ["O-O-O"]).state
    assert [man_at(wide, sq) for sq in ("z0QL1", "a0QL1", "d0KL1", "e0KL1")] == [
        EMPTY,
        "K",
        "R",
        "R",
    ]
    black = placed("Ka1QL1 Pd1W kd9KL6 re9KL6 rz9QL6", side="b", rest="kq - 0 9")
    assert man_at(table(black, ["O-O-O"]).state, "a9QL6") == "k"
    assert man_at(table(black, ["O-O"]).state, "e9KL6") == "k"


@pytest.mark.parametrize(
    ("text", "move", "rule"),
    [
        (BOTH.replace("KQ", "Q"), "O-O", "TD-71"),
        (placed("Kd0KL1 Re0KL1 kb8B rd5B", rest="K - 0 9"), "O-O", "TD-74"),
        (placed("Kd0KL1 Rz0QL1 Ba0QL1 kb8B", rest="Q - 0 9"), "O-O-O", "TD-73"),
        (placed("Kd0KL1 Rz0QL1 kb8B nb2W", rest="Q - 0 9"), "O-O-O", "TD-74"),
        ("", "O-O", "TD-75"),
    ],
)
def test_refused_castling(text: str, move: str, rule: str) -> None:
    assert refused(table(text), move) == rule


def test_td_70_td_71_rights_are_lost_for_good() -> None:
    text = placed("Kd0KL1 Re0KL1 Rz0QL1 kd9KL6 re9KL6 rz9QL6 Pd4W Pd4N pd5N", rest="KQkq - 0 9")
    assert table(text, ["d0KL1-d1KL1"]).state.castling == "kq"
    assert table(text, ["e0KL1-e1KL1"]).state.castling == "Qkq"
    # A rook that is taken takes the right along, as does the rook that took it.
    assert table(text, ["z0QL1-z9QL6"]).state.castling == "Kk"
    assert table(text, ["QL1-QL2"]).state.castling == "Kkq"


# -- attack and the end ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "move", "rule"),
    [
        (placed("Kb2W Nc2W rd2W kz9QL6"), "c2W-a3W", "TD-80"),  # the pinned knight
        (placed("Kb2W Nc4W rb8B kz9QL6"), "c4W-d6B", "TD-81"),  # leaves the check
        (placed("Kb2W rc8B kz9QL6"), "b2W-c1W", "TD-80"),
        (placed("Kb2W kz9QL6 Pa2W"), "a2W-a4W", "TD-50"),
        (placed("Kb2W kz9QL6 Pa2W"), "b2W-a2W", "TD-42"),
        (placed("Kb2W kz9QL6 Pa2W"), "b2W-b4W", "TD-40"),
        (placed("Kb2W kz9QL6 Na2W"), "a2W-a3W", "TD-38"),
        (placed("Kb2W kz9QL6 Ra2W"), "a2W-b3W", "TD-33"),
        (placed("Kb2W kz9QL6 Ba2W"), "a2W-a3W", "TD-33"),
        (placed("Kb2W kz9QL6 Qa2W"), "a2W-b4W", "TD-33"),
        (placed("Kb2W kz9QL6 Ra3W"), "a3W-a3N", "TD-33"),  # TD-30
        (placed("Kb2W kz9QL6 Ra3W"), "z9QL6-a9QL6", "TD-22"),
        (placed("Kb2W kz9QL6 Ra3W"), "c2W-c3W", "TD-22"),
        (placed("Kb2W kz9QL6 Ra3W"), "a3W-a2QL3", "TD-08"),
    ],
)
def test_refused_moves_of_men(text: str, move: str, rule: str) -> None:
    assert refused(table(text), move) == rule


def test_td_21_the_other_player_is_refused() -> None:
    with pytest.raises(Exception, match="other"):
        table().act(1, read_move("a7B-a6B"))
    state = table().state
    with pytest.raises(Exception, match="other player's turn"):
        GAME.legal(state, 1, read_move("a7B-a6B"))


MATE = placed("Kd1W Ra3W kz9QL6 pz8QL6 Re9KL6", side="w")


def test_td_82_checkmate_wins() -> None:
    made = table(placed("Kd1W Ra3W kz9QL6 pz8QL6 Re8KL6"))
    made.act(0, read_move("e8KL6-e9KL6"))
    assert made.result == Result((0,), "checkmate")
    [ended] = [event for event in made.events if isinstance(event, TurnEnded)]
    assert (ended.check, ended.ended) == (True, "checkmate")
    assert made.to_act == ()


def test_td_81_a_check_is_answered_by_a_board() -> None:
    text = placed("Ka1W Rd9KL6 Rc8B kz9QL6", side="b")
    made = table(text)
    assert set(said(made.state)) == {"QL6-QL4", "QL6-QL4r", "QL6-QL5", "QL6-QL5r"}
    assert refused(made, "z9QL6-z8QL6") == "TD-81"


def test_td_83_stalemate_is_a_draw() -> None:
    made = table(placed("Kd1W Rb3W kz9QL6 pz8QL6", side="w"))
    made.act(0, read_move("b3W-a3W"))
    assert made.result == Result((), "stalemate")


SHUFFLE = ("a1W-b3W", "a8B-b6B", "b3W-a1W", "b6B-a8B")


def test_td_84_the_third_time_is_a_draw() -> None:
    made = table("", (*SHUFFLE, *SHUFFLE)[:-1])
    assert made.result is None
    made.act(1, read_move(SHUFFLE[-1]))
    assert made.result == Result((), "repetition")
    assert refused_after_the_end(made.state)


def refused_after_the_end(state: State) -> bool:
    with pytest.raises(Exception, match="over"):
        GAME.legal(state, state.side, read_move("a2W-a3W"))
    return True


def test_td_84_positions_differ_by_rights() -> None:
    state = table(BOTH).state
    assert key(state) != key(replace(state, castling="K"))
    assert key(state) != key(replace(state, side=1))
    fresh = table(placed("Kd3W Da2W kd8B")).state
    assert key(fresh) != key(table(placed("Kd3W Pa2W kd8B")).state)
    passed = table(IN_PASSING, ["b7B-b5B"]).state
    assert key(passed) != key(replace(passed, en_passant=-1))


def test_td_84_owners_count_only_where_they_move_empty_boards() -> None:
    for option, differ in (("immobile", False), ("original_owner", True)):
        state = table("", empty_board=option).state
        swapped = replace(
            state, boards=tuple(AttackBoard(b.pin, 1 - b.owner) for b in state.boards)
        )
        assert (key(state) != key(swapped)) is differ


def test_td_84_a_king_that_came_back_is_another_position() -> None:
    # The right to castle is gone, so the first position does not count.
    text = placed("Kd0KL1 Re0KL1 kz9QL6 pd7B", rest="K - 0 9")
    cycle = ("d0KL1-d1W", "z9QL6-z8QL6", "d1W-d0KL1", "z8QL6-z9QL6")
    made = table(text, (*cycle, *cycle))
    assert made.result is None
    made.act(0, read_move(cycle[0]))  # without the right: the third time
    assert made.result == Result((), "repetition")


def test_td_85_fifty_moves() -> None:
    text = placed("Kd1W Ra3W Pb2W kz9QL6 pb3W", rest="- - 99 60")
    assert table(text, ["a3W-a4W"]).result == Result((), "fifty moves")
    assert table(text, ["b2W-b3N"]).result is None  # a pawn's move
    assert table(text, ["a3W-b3W"]).state.counter == 0  # a capture
    assert table(text.replace("99", "98"), ["a3W-a4W"]).result is None
    mate = placed("Kd1W Ra3W kz9QL6 pz8QL6 Re8KL6", rest="- - 99 60")
    assert table(mate, ["e8KL6-e9KL6"]).result == Result((0,), "checkmate")


def test_td_86_bare_kings_and_nothing_less() -> None:
    text = placed("Kd1W nd2W kz9QL6 ")
    assert table(text).result is None
    assert table(text, ["d1W-d2W"]).result == Result((), "bare kings")


def test_td_87_resigning_and_agreeing_are_the_tables() -> None:
    made = table()
    made.resign(0)
    assert made.result == Result((1,), "resigned")
    made = table()
    made.offer_draw(0)
    made.offer_draw(1)
    assert made.result == Result((), "agreed")


# -- the whole -------------------------------------------------------------------------------


def mirrored(state: State) -> State:
    """Colours swapped and ranks turned round (RULES 12)."""

    def turned(square: int) -> int:
        file, rank, board = FILES[FILE[square]], 9 - RANK[square], BOARDS[BOARD[square]]
        other = {"W": "B", "B": "W", "N": "N"}.get(board) or f"{board[:2]}{7 - int(board[2])}"
        return NAMED[f"{file}{rank}{other}"]

    men = [EMPTY] * SQUARES
    for square in range(SQUARES):
        men[turned(square)] = state.men[square].swapcase()
    pins = {f"{BOARDS[3 + b.pin][:2]}{7 - int(BOARDS[3 + b.pin][2])}": b for b in state.boards}
    boards = [AttackBoard(BOARDS.index(pin) - 3, 1 - b.owner) for pin, b in pins.items()]
    return replace(
        state,
        men="".join(men),
        boards=tuple(sorted(boards, key=lambda board: board.pin)),
        side=1 - state.side,
    )


@pytest.mark.parametrize("seed", range(500, 520))
def test_the_mirror_image_has_as_many_moves(seed: int) -> None:
    state = random_position(Dice(seed), {})
    there = mirrored(state)
    assert placement(there).bit_count() == 4
    assert GAME.perft(state, 1) == GAME.perft(there, 1)  # type: ignore[attr-defined]
    assert len(said(state)) == len(said(there))
