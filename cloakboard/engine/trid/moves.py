"""The legal moves of a position (TD-30..82).

Moves are tried out only where they can leave the own king attacked; the others are legal as
they come. A man that leaves its square can uncover the king only if an enemy line piece would
then reach it with nobody on the new square either, since every further man in the way takes
squares from a line piece and gives none.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from msgspec.structs import replace

from cloakboard.engine.trid.actions import Action, Castle, Move, MoveBoard
from cloakboard.engine.trid.board import (
    BETWEEN,
    BIT,
    COLUMN,
    FILE,
    FORWARD,
    IN_LINE_DIAGONAL,
    IN_LINE_STRAIGHT,
    NEIGHBOURS,
    ON_PIN,
    PIN_RANK,
    SIDEWAYS,
    WHITE,
    WIDTH,
    members,
)
from cloakboard.engine.trid.lines import Reach
from cloakboard.engine.trid.pieces import (
    BISHOP,
    KINDS,
    KING,
    KNIGHT,
    PAWN,
    PROMOTIONS,
    QUEEN,
    ROOK,
)
from cloakboard.engine.trid.position import HOME, KINGSIDE, QUEENSIDE, Position

_KINDS: Final = len(KINDS)
_ANY: Final = -1  # every square
_RISING: Final = WIDTH + 1  # from a column to the next of a rising diagonal

# An enemy line piece in line with a king: its square as a set, the squares of that line that
# matter, and what it reaches along it.
Watcher = tuple[int, int, Reach]


class Found(NamedTuple):
    """The legal moves of one position: (origin, targets) of men and of pawns, then castling and
    board moves; and who gives check, as a set."""

    men: list[tuple[int, int]]
    pawns: list[tuple[int, int]]
    others: list[Action]
    promotes: int
    checkers: int

    def number(self) -> int:
        """How many moves there are."""
        total = len(self.others)
        for _, targets in self.men:
            total += targets.bit_count()
        for _, targets in self.pawns:
            total += targets.bit_count()
            total += (len(PROMOTIONS) - 1) * (targets & self.promotes).bit_count()
        return total

    def any(self) -> bool:
        """Whether there is a move."""
        return bool(self.men or self.pawns or self.others)

    def actions(self) -> Iterator[Action]:
        """The moves, men's first by origin and target, then castling, then boards."""
        pawns = {origin for origin, _ in self.pawns}
        for origin, targets in sorted(self.men + self.pawns):
            for target in members(targets):
                if origin in pawns and self.promotes >> target & 1:
                    for kind in PROMOTIONS:
                        yield Move(origin, target, kind)
                else:
                    yield Move(origin, target)
        yield from self.others


class Guard(NamedTuple):
    """What the safety of the own king asks of the other men's moves (TD-80, TD-81).

    king      its square as a set
    occupied  all men
    checkers  who gives check; `steppers` those of them that are no line pieces
    answers   where other men may go: anywhere but onto own men, or where it can end each check
    tried     the men whose moves are to be tried out
    watchers  enemy line pieces in line with the king
    """

    king: int
    occupied: int
    checkers: int
    steppers: int
    answers: int
    tried: int
    watchers: list[Watcher]


def legal(position: Position) -> Found:
    """The legal moves of the side whose turn it is."""
    guard = guarding(position)
    men = list(men_moves(position, guard))
    pawns = list(pawn_moves(position, guard))
    others: list[Action] = []
    if position.rights and not guard.checkers:
        others += castlings(position, guard.occupied)
    others += board_moves(position)
    promotes = position.geometry.promotes[position.side]
    return Found(men, pawns, others, promotes, guard.checkers)


def guarding(position: Position) -> Guard:
    """Checks and pins on the king of the side whose turn it is."""
    side = position.side
    own = position.sides[side]
    occupied = own | position.sides[1 - side]
    king = position.king(side)
    king_bit = BIT[king]
    steppers = checkers = position.steppers(1 - side, king)
    answers = ~own
    left = checkers
    while left:
        answers &= left & -left
        left &= left - 1
    pinned = 0
    watchers = list(watching(position, _KINDS * (1 - side), king))
    for bit, mask, reach in watchers:
        between = BETWEEN[COLUMN[bit.bit_length() - 1], COLUMN[king]]
        if reach[occupied & mask] & king_bit:
            checkers |= bit
            answers &= between | bit
            continue
        left = between & own
        while left:
            one = left & -left
            left ^= one
            if reach[(occupied ^ one) & mask] & king_bit:
                pinned |= one
    tried = _ANY if checkers else pinned
    return Guard(king_bit, occupied, checkers, steppers, answers, tried, watchers)


def men_moves(position: Position, guard: Guard) -> Iterator[tuple[int, int]]:
    """Moves of all men but pawns (TD-33..42)."""
    side, geometry, men = position.side, position.geometry, position.men
    first, occupied, answers = _KINDS * side, guard.occupied, guard.answers
    knights, queens = men[first + KNIGHT], men[first + QUEEN]
    straight = men[first + ROOK] | queens
    left = knights | straight | men[first + BISHOP]
    while left:
        square = left.bit_length() - 1
        bit = BIT[square]
        left ^= bit
        if bit & knights:
            targets = geometry.knight[square]
        else:
            targets = 0
            if bit & straight:
                mask_1, reach_1, mask_2, reach_2 = geometry.straight[square]
                targets = reach_1[occupied & mask_1] | reach_2[occupied & mask_2]
            if not bit & straight or bit & queens:
                cross = geometry.queenly if bit & queens else geometry.diagonal
                mask_1, reach_1, mask_2, reach_2 = cross[square]
                targets |= reach_1[occupied & mask_1] | reach_2[occupied & mask_2]
        targets &= answers
        if targets and bit & guard.tried:
            targets = unexposed(targets, occupied ^ bit, guard)
        if targets:
            yield square, targets
    king = guard.king.bit_length() - 1
    targets = geometry.king[king] & ~position.sides[side]
    if targets:
        targets &= ~position.attacks(1 - side, occupied ^ guard.king)
        if targets:
            yield king, targets


def pawn_moves(position: Position, guard: Guard) -> Iterator[tuple[int, int]]:
    """Moves of pawns (TD-50..56)."""
    side, geometry, occupied = position.side, position.geometry, guard.occupied
    push, take, double = geometry.push[side], geometry.take[side], geometry.double[side]
    enemy, passing = position.sides[1 - side], position.passing_squares()
    if guard.steppers & ~position.passed:
        passing = 0  # taking that pawn leaves another check
    left = position.men[_KINDS * side + PAWN]
    while left:
        square = left.bit_length() - 1
        bit = BIT[square]
        left ^= bit
        steps = push[square]
        if bit & position.fresh:
            mask, reach = double[square]
            steps |= reach[occupied & mask]
        targets = (steps & ~occupied | take[square] & enemy) & guard.answers
        if targets and bit & guard.tried:
            targets = unexposed(targets, occupied ^ bit, guard)
        aside = take[square] & passing
        if aside:
            targets |= unexposed(aside, occupied ^ bit ^ position.passed, guard)
        if targets:
            yield square, targets


def watching(position: Position, first: int, king: int) -> Iterator[Watcher]:
    """Line pieces, of the side whose men start at `first`, in line with a king."""
    geometry, men = position.geometry, position.men
    left = (men[first + ROOK] | men[first + QUEEN]) & IN_LINE_STRAIGHT[king]
    while left:
        square = left.bit_length() - 1
        left ^= BIT[square]
        mask_1, reach_1, mask_2, reach_2 = geometry.straight[square]
        if FILE[square] == FILE[king]:
            yield BIT[square], mask_1, reach_1
        else:
            yield BIT[square], mask_2, reach_2
    queens = men[first + QUEEN]
    left = (men[first + BISHOP] | queens) & IN_LINE_DIAGONAL[king]
    while left:
        square = left.bit_length() - 1
        left ^= BIT[square]
        cross = geometry.queenly if BIT[square] & queens else geometry.diagonal
        mask_1, reach_1, mask_2, reach_2 = cross[square]
        if (COLUMN[king] - COLUMN[square]) % _RISING == 0:
            yield BIT[square], mask_1, reach_1
        else:
            yield BIT[square], mask_2, reach_2


def unexposed(targets: int, occupied: int, guard: Guard) -> int:
    """Those targets to which a man can go without a line piece then reaching the king.
    `occupied`: all men without the one that goes and what it takes in passing."""
    king, watchers = guard.king, guard.watchers
    kept = 0
    while targets:
        target = targets & -targets
        targets ^= target
        then = occupied | target
        for bit, mask, reach in watchers:
            if bit != target and reach[then & mask] & king:
                break
        else:
            kept |= target
    return kept


def castlings(position: Position, occupied: int) -> Iterator[Castle]:
    """TD-70..75, for a king that is not in check."""
    side = position.side
    if position.number == 1 and not position.variant.castles_at_once:
        return
    _, near_rook, far_rook, far_king = HOME[side]
    if position.rights & KINGSIDE[side] and not position.is_attacked(near_rook, 1 - side, occupied):
        yield Castle()
    if position.rights & QUEENSIDE[side] and not occupied & BIT[far_king]:
        then = occupied ^ BIT[far_rook] ^ BIT[far_king]
        if not position.is_attacked(far_king, 1 - side, then):
            yield Castle(queenside=True)


def board_moves(position: Position) -> Iterator[MoveBoard]:
    """TD-60..69."""
    for action in offered(position):
        after = position.after(action)
        if after.is_check(position.side):
            continue
        if after.waiting(position.side):
            for kind in PROMOTIONS:
                yield replace(action, promotion=kind)
        else:
            yield action


def offered(position: Position) -> Iterator[MoveBoard]:
    """Board moves by the rules for boards alone, promotions left open."""
    side, rules = position.side, position.variant
    own, pawns = position.sides[side], position.men[_KINDS * side + PAWN]
    kings = position.men[_KINDS * side + KING]
    owned = position.owned if side == WHITE else position.placement & ~position.owned
    for pin in members(position.placement):
        riders = ON_PIN[pin] & (own | position.sides[1 - side])
        if riders & (riders - 1):
            continue
        is_pawn = bool(riders & pawns)
        if riders & own:
            if (rules.rider == "pawn_only" and not is_pawn) or (
                rules.rider == "no_king" and riders & kings
            ):
                continue
        elif riders or not rules.empty_moves or not owned >> pin & 1:
            continue
        for to in NEIGHBOURS[pin]:
            if position.placement >> to & 1:
                continue
            ahead = (PIN_RANK[to] - PIN_RANK[pin]) * FORWARD[side]
            if riders:
                if rules.forward_only and ahead < 0:
                    continue
                if is_pawn and ahead and not (rules.pawn_rides_ahead and ahead > 0):
                    continue
            yield MoveBoard(pin, to)
            if riders and rules.turns and not (is_pawn and to == SIDEWAYS[pin]):
                yield MoveBoard(pin, to, turned=True)
