"""Where pieces could go and what they threaten, worked out from one seat's view alone.

What the viewer's own unseen pieces would bar is left out for the enemy, who does not know of
them either; so nothing shown here tells more than the view (KNOWN_FAILURES 26, 28).
"""

from __future__ import annotations

from cloakboard.engine.wec.board import Board, ref_of, seen
from cloakboard.engine.wec.movement import QUIET, movement_of, ways
from cloakboard.engine.wec.rules.moving import moves_of
from cloakboard.engine.wec.state import SQUARES, Piece, State


def reach(state: State, piece: Piece) -> tuple[tuple[int, bool], ...]:
    """The squares a piece could move to if it were its Turn, each with whether it takes there;
    ascending."""
    board = Board(state, piece.side)
    found: dict[int, bool] = {}
    for move in moves_of(state, board, ref_of(state, piece), piece):
        end = move.route[-1]
        found[end % SQUARES] = found.get(end % SQUARES, False) or bool(board.theirs(end))
    return tuple(sorted(found.items()))


def threatened(state: State, viewer: int) -> tuple[int, ...]:
    """The squares in which an enemy piece that the viewer sees could take by moving, ascending."""
    found: set[int] = set()
    movement = movement_of(state.options)
    for piece in seen(state, viewer):
        if piece.side == viewer or piece.stunned > state.turn:
            continue
        board = Board(state, piece.side)
        standing = board.own | board.enemy
        for way in ways(movement, piece.kind, piece.hand, piece.unmoved, piece.side, piece.cell):
            if way.mode != QUIET and not way.through & standing & ~(1 << piece.cell):
                found.add(way.route[-1] % SQUARES)
    return tuple(sorted(found))
