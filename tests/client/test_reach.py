"""What is shown of reach and threats comes from the view, and agrees with the moves."""

from __future__ import annotations

from cloakboard.client.boards.wec_reach import reach, threatened
from cloakboard.engine.registry import game
from cloakboard.engine.wec.options import complete
from cloakboard.engine.wec.state import BLACK, SUB, WHITE, Piece, Secret, State, square_at

WEC = game("wec")


def state(*pieces: Piece) -> State:
    return State(
        options=complete({}),
        pieces=tuple(sorted(pieces, key=lambda piece: piece.cell)),
        secrets=(Secret(), None),
    )


def at(row: int, column: int) -> int:
    return square_at(row, column)


KING = Piece(WHITE, "K", at(5, 5), handle=1)


def test_a_king_reaches_its_neighbours_and_takes_what_it_sees() -> None:
    prey = Piece(BLACK, "FP", at(4, 4), handle=2)
    found = dict(reach(state(KING, prey), KING))
    assert set(found) == {at(r, c) for r in (4, 5, 6) for c in (4, 5, 6)} - {at(5, 5)}
    assert [square for square, takes in found.items() if takes] == [at(4, 4)]


def test_an_own_unseen_piece_is_no_prey_of_an_enemy_that_does_not_see_it() -> None:
    hidden = Piece(BLACK, "SU", SUB * 100 + at(4, 4))
    secret = Piece(BLACK, "AAA", at(4, 5))
    assert reach(state(KING), KING) == reach(state(KING, hidden, secret), KING)


def test_threats_are_where_enemies_take_by_moving() -> None:
    around = {at(r, c) for r in (4, 5, 6) for c in (4, 5, 6)} - {at(5, 5)}
    assert set(threatened(state(KING), BLACK)) == around
    stunned = Piece(WHITE, "K", at(5, 5), handle=1, stunned=9)
    assert threatened(state(stunned), BLACK) == ()
    dozer = Piece(WHITE, "DO", at(5, 5), handle=1)
    assert threatened(state(dozer), BLACK) == ()  # WEC-41
    assert threatened(state(KING), WHITE) == ()


def test_at_the_start_no_square_of_the_middle_is_out_of_line_with_the_moves() -> None:
    view = WEC.view(WEC.start(WEC.options.defaults()), BLACK)
    own = [piece for piece in view.pieces if piece.side == BLACK]
    reached = {square for piece in own for square, _ in reach(view, piece)}
    moved = {
        action.route[-1] % 100
        for action in WEC.actions(view, BLACK)
        if type(action).__name__ == "Move"
    }
    assert reached == moved
