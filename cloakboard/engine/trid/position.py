"""A position as sets of squares, for fast move generation: men by kind, whose turn, rights.

It holds what the next moves hang on, and nothing of the match before it.
"""

from __future__ import annotations

from typing import Final

from cloakboard.engine.trid.actions import Action, Castle, Move, MoveBoard
from cloakboard.engine.trid.board import (
    BIT,
    BLACK,
    COLUMN,
    FORWARD,
    IN_COLUMN,
    IN_LINE_DIAGONAL,
    IN_LINE_STRAIGHT,
    NAMED,
    ON_PIN,
    PAWN_FROM,
    SIDES,
    WHITE,
    WIDTH,
    carried,
    gathered,
    members,
)
from cloakboard.engine.trid.lines import Geometry, geometry
from cloakboard.engine.trid.options import Variant, variant
from cloakboard.engine.trid.pieces import (
    BISHOP,
    EMPTY,
    FRESH,
    KINDS,
    KING,
    KNIGHT,
    PAWN,
    QUEEN,
    ROOK,
    kind_of,
    side_of,
)
from cloakboard.engine.trid.state import NOWHERE, RIGHTS, State, placement

_KINDS: Final = len(KINDS)
# By side: king, kingside rook, queenside rook, and where the king goes queenside.
HOME: Final = tuple(
    tuple(NAMED[name] for name in names)
    for names in (("d0KL1", "e0KL1", "z0QL1", "a0QL1"), ("d9KL6", "e9KL6", "z9QL6", "a9QL6"))
)
KINGSIDE: Final = (1, 4)  # by side, in the order of RIGHTS
QUEENSIDE: Final = (2, 8)


def _kept() -> dict[int, int]:
    """By home square of a king or rook: the rights that do not hang on it (TD-71)."""
    kept: dict[int, int] = {}
    for side in SIDES:
        king, near_rook, far_rook, _ = HOME[side]
        kept[king] = ~(KINGSIDE[side] | QUEENSIDE[side])
        kept[near_rook] = ~KINGSIDE[side]
        kept[far_rook] = ~QUEENSIDE[side]
    return kept


KEPT_RIGHTS: Final = _kept()
HOMES: Final = gathered(KEPT_RIGHTS)


class Position:
    """Never changed once made; `after` gives another.

    men        squares of each kind of man, White's six kinds before Black's
    sides      squares of each side's men
    fresh      pawns with the two-square right
    placement  the set of pins with attack boards; `owned` those whose board was White's first
    rights     a bit for each of RIGHTS
    passed     the pawn that has just advanced two squares, as a set; else empty
    """

    __slots__ = (
        "fresh",
        "geometry",
        "men",
        "number",
        "owned",
        "passed",
        "placement",
        "rights",
        "side",
        "sides",
        "variant",
    )

    variant: Variant
    geometry: Geometry
    men: list[int]
    sides: list[int]
    fresh: int
    placement: int
    owned: int
    side: int
    rights: int
    passed: int
    number: int

    def kind_at(self, bit: int, side: int) -> int:
        """The index in `men` of the man of `side` on a square given as a set."""
        for index in range(_KINDS * side, _KINDS * side + _KINDS):
            if self.men[index] & bit:
                return index
        raise AssertionError("nobody of that side stands there")

    def king(self, side: int) -> int:
        """The square of the side's king."""
        return self.men[_KINDS * side + KING].bit_length() - 1

    def after(self, action: Action) -> Position:
        """The position after a legal action."""
        made = Position.__new__(Position)
        made.variant = self.variant
        made.geometry = self.geometry
        made.men = self.men.copy()
        made.sides = self.sides.copy()
        made.fresh = self.fresh
        made.placement = self.placement
        made.owned = self.owned
        made.side = 1 - self.side
        made.rights = self.rights
        made.passed = self.passed
        made.number = self.number + self.side
        if type(action) is Move:
            made._move(action)
        elif type(action) is MoveBoard:
            made._move_board(action)
        else:
            assert type(action) is Castle
            made._castle(action)
        return made

    def passing_squares(self) -> int:
        """Where a pawn may go to take the one that has just advanced two squares: the empty
        squares of the column it passed (TD-56)."""
        if not self.passed:
            return 0
        column = COLUMN[self.passed.bit_length() - 1] - WIDTH * FORWARD[1 - self.side]
        return IN_COLUMN[column] & self.geometry.exists & ~(self.sides[WHITE] | self.sides[BLACK])

    def attacks(self, side: int, occupied: int) -> int:
        """All squares that the side attacks when the squares of `occupied` hold men (TD-80)."""
        geometry, men, first = self.geometry, self.men, _KINDS * side
        attacked = geometry.king[men[first + KING].bit_length() - 1]
        left = men[first + PAWN]
        take = geometry.take[side]
        while left:
            square = left.bit_length() - 1
            left ^= BIT[square]
            attacked |= take[square]
        left = men[first + KNIGHT]
        while left:
            square = left.bit_length() - 1
            left ^= BIT[square]
            attacked |= geometry.knight[square]
        left = men[first + ROOK] | men[first + QUEEN]
        while left:
            square = left.bit_length() - 1
            left ^= BIT[square]
            mask_1, reach_1, mask_2, reach_2 = geometry.straight[square]
            attacked |= reach_1[occupied & mask_1] | reach_2[occupied & mask_2]
        for kind, cross in ((BISHOP, geometry.diagonal), (QUEEN, geometry.queenly)):
            left = men[first + kind]
            while left:
                square = left.bit_length() - 1
                left ^= BIT[square]
                mask_1, reach_1, mask_2, reach_2 = cross[square]
                attacked |= reach_1[occupied & mask_1] | reach_2[occupied & mask_2]
        return attacked

    def steppers(self, side: int, square: int) -> int:
        """Men of the side, other than line pieces and king, that attack a square."""
        men, first = self.men, _KINDS * side
        found = self.geometry.knight[square] & men[first + KNIGHT]
        pawns = PAWN_FROM[side][square] & men[first + PAWN]
        if pawns:
            bit, take = BIT[square], self.geometry.take[side]
            found |= gathered(pawn for pawn in members(pawns) if take[pawn] & bit)
        return found

    def is_attacked(self, square: int, by: int, occupied: int) -> bool:
        """Whether the side attacks one square: the same as `attacks` at less cost."""
        geometry, men, first, bit = self.geometry, self.men, _KINDS * by, BIT[square]
        if self.steppers(by, square):
            return True
        if geometry.king[men[first + KING].bit_length() - 1] & bit:
            return True
        straight = men[first + ROOK] | men[first + QUEEN]
        for lined, cross in (
            (straight & IN_LINE_STRAIGHT[square], geometry.straight),
            (men[first + BISHOP] & IN_LINE_DIAGONAL[square], geometry.diagonal),
            (men[first + QUEEN] & IN_LINE_DIAGONAL[square], geometry.queenly),
        ):
            left = lined
            while left:
                at = left.bit_length() - 1
                left ^= BIT[at]
                mask_1, reach_1, mask_2, reach_2 = cross[at]
                if (reach_1[occupied & mask_1] | reach_2[occupied & mask_2]) & bit:
                    return True
        return False

    def is_check(self, side: int) -> bool:
        """Whether the side's king is attacked (TD-81)."""
        return self.is_attacked(self.king(side), 1 - side, self.sides[WHITE] | self.sides[BLACK])

    # -- what `after` does; `side` is already the other one's ----------------------------------

    def _move(self, action: Move) -> None:
        mover, passed = 1 - self.side, self.passed
        origin, target = BIT[action.origin], BIT[action.target]
        index = self.kind_at(origin, mover)
        self.passed = 0
        if self.sides[self.side] & target:
            self._take(target)
        elif index == _KINDS * mover + PAWN:
            gone = COLUMN[action.target] - COLUMN[action.origin]
            if gone in (2 * WIDTH, -2 * WIDTH):
                self.passed = target
            elif gone not in (WIDTH, -WIDTH):
                self._take(passed)
        self.men[index] ^= origin | target
        self.sides[mover] ^= origin | target
        self.fresh &= ~(origin | target)
        if action.promotion:
            self._promote(target, action.promotion)
        self._forfeit(origin | target)

    def _move_board(self, action: MoveBoard) -> None:
        self.passed = 0
        mover, board = 1 - self.side, ON_PIN[action.pin]
        self._forfeit(board)
        rider = self.sides[mover] & board
        if rider:
            landed = BIT[carried(rider.bit_length() - 1, action.to, action.turned)]
            self.men[self.kind_at(rider, mover)] ^= rider | landed
            self.sides[mover] ^= rider | landed
            self.fresh &= ~rider
        moved = 1 << action.pin | 1 << action.to
        self.placement ^= moved
        if self.owned >> action.pin & 1:
            self.owned ^= moved
        self.geometry = geometry(self.variant.lines, self.placement)
        if action.promotion:
            for square in members(self.waiting(mover)):
                self._promote(BIT[square], action.promotion)
        for square in members(self.waiting(self.side)):
            self._promote(BIT[square], "Q")

    def waiting(self, side: int) -> int:
        """The side's pawns that stand where they promote, as after a board's move (TD-55)."""
        return self.men[_KINDS * side + PAWN] & self.geometry.promotes[side]

    def _castle(self, action: Castle) -> None:
        mover = 1 - self.side
        king, near_rook, far_rook, far_king = HOME[mover]
        self.passed = 0
        self._forfeit(BIT[king])
        if action.queenside:
            kings, rooks = BIT[king] | BIT[far_king], BIT[far_rook] | BIT[king]
        else:
            kings = rooks = BIT[king] | BIT[near_rook]
        self.men[_KINDS * mover + KING] ^= kings
        self.men[_KINDS * mover + ROOK] ^= rooks
        self.sides[mover] ^= kings ^ rooks

    def _take(self, bit: int) -> None:
        self.men[self.kind_at(bit, self.side)] ^= bit
        self.sides[self.side] ^= bit
        self.fresh &= ~bit

    def _promote(self, bit: int, kind: str) -> None:
        side = WHITE if self.sides[WHITE] & bit else BLACK
        self.men[_KINDS * side + PAWN] ^= bit
        self.men[_KINDS * side + KINDS.index(kind)] ^= bit
        self.fresh &= ~bit

    def _forfeit(self, touched: int) -> None:
        """Castling rights that hang on men of these squares are lost (TD-71)."""
        for square in members(touched & HOMES):
            self.rights &= KEPT_RIGHTS[square]


def position(state: State) -> Position:
    """The position of a state."""
    made = Position.__new__(Position)
    made.variant = variant(state.options)
    made.placement = placement(state)
    made.owned = sum(1 << one.pin for one in state.boards if one.owner == WHITE)
    made.geometry = geometry(made.variant.lines, made.placement)
    made.men = [0] * (2 * _KINDS)
    made.sides = [0, 0]
    made.fresh = 0
    for square, letter in enumerate(state.men):
        if letter != EMPTY:
            side = side_of(letter)
            made.men[_KINDS * side + KINDS.index(kind_of(letter))] |= BIT[square]
            made.sides[side] |= BIT[square]
            if letter.upper() == FRESH:
                made.fresh |= BIT[square]
    made.side = state.side
    made.rights = sum(1 << RIGHTS.index(right) for right in state.castling)
    made.passed = BIT[state.en_passant] if state.en_passant != NOWHERE else 0
    made.number = state.number
    return made
