"""Which squares a man reaches, as look-ups over one placement of the attack boards.

What a line piece reaches hangs on the men in its lines (TD-43). A line is walked once for each
pattern of men in it, and the answer kept; moves and attacks are then look-ups.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Final, NamedTuple, TypeVar

from cloakboard.engine.trid.board import (
    AROUND,
    BIT,
    BLACK,
    BOARD,
    COLUMN,
    COLUMNS,
    DIAGONAL,
    FORWARD,
    HEIGHT,
    IN_COLUMN,
    LEAPS,
    NAMED,
    ON_PIN,
    PINS,
    RANK,
    STRAIGHT,
    WHITE,
    arm,
    existing,
    gathered,
    is_attack,
    members,
    pin_of,
    stepped,
)
from cloakboard.engine.trid.options import LineRules

KEPT: Final = 512  # patterns of men kept for one line
PLACEMENTS: Final = 512  # more than the 495 placements of four boards on twelve pins

# Squares of the opponent's rear pins' back rows and of his main board's last row, by side.
BACK_RANK: Final = (9, 0)
LAST_ROW: Final = tuple(gathered(NAMED[f"{file}{row}"] for file in "abcd") for row in ("8B", "1W"))
# By pin: the side whose pawn waits on the corner below it, and that corner (TD-54).
CORNERS: Final = {
    PINS.index(pin): (side, NAMED[corner])
    for pin, side, corner in (
        ("QL6", WHITE, "a8B"),
        ("KL6", WHITE, "d8B"),
        ("QL1", BLACK, "a1W"),
        ("KL1", BLACK, "d1W"),
    )
}

T = TypeVar("T")


class Spot(NamedTuple):
    """A square on a line. `level`: a bit for what counts as its level (TD-31)."""

    square: int
    height: int
    level: int


Column = tuple[Spot, ...]  # the squares of a column, lowest first; none if it is wholly void
Arm = tuple[Column, ...]  # the columns in one direction, nearest first


def near(height: int, column: Column) -> Iterator[Spot]:
    """The squares a step may end on if it goes one level at most (`level_shift`): on the own
    level, and the nearest above and below it."""
    above = [spot for spot in column if spot.height > height]
    below = [spot for spot in column if spot.height < height]
    yield from (spot for spot in column if spot.height == height)
    yield from above[:1]
    yield from below[-1:]


def onward(rules: LineRules, last: Spot, levels: int, column: Column) -> Iterator[tuple[Spot, int]]:
    """The squares of the next column that a line piece may enter (TD-32, TD-35), each with the
    levels it has then been on. `levels`: those before."""
    for spot in near(last.height, column) if rules.adjacent else column:
        if spot.level == last.level or not spot.level & levels:
            yield spot, 0 if rules.may_return or rules.by_column else levels | spot.level


def walked(rules: LineRules, start: Spot, way: Arm, occupied: int) -> int:
    """The squares a line piece reaches in one direction, captures of any side included (TD-43).

    A wholly void column is just passed. Squares follow one only on ranks 0 and 9 and on files
    z and e, where none but attack boards reach and no diagonal leads on, so what TD-39 asks of
    such moves is always so.
    """
    reached = 0
    fronts = [(start, start.level)]
    for column in way:
        if not column:
            continue
        entered: dict[tuple[Spot, int], None] = {}
        for last, levels in fronts:
            for front in onward(rules, last, levels, column):
                bit = BIT[front[0].square]
                reached |= bit
                if not occupied & bit:
                    entered[front] = None
        if not entered or (rules.by_column and is_held(column, occupied)):
            break
        fronts = list(entered)
    return reached


def is_held(column: Column, occupied: int) -> bool:
    """Whether anybody stands in the column (`blocking`)."""
    return any(occupied & BIT[spot.square] for spot in column)


class Reach(dict[int, int]):
    """Squares reached from one square in some directions, by the set of men in those lines."""

    __slots__ = ("arms", "barred", "rules", "start")

    def __init__(self, rules: LineRules, start: Spot, arms: tuple[Arm, ...], barred: int) -> None:
        self.rules = rules
        self.start = start
        self.arms = arms
        self.barred = barred

    def __missing__(self, occupied: int) -> int:
        if len(self) >= KEPT:
            self.clear()
        reached = 0
        for way in self.arms:
            reached |= walked(self.rules, self.start, way, occupied)
        self[occupied] = reached = reached & ~self.barred
        return reached


class Lazy(dict[int, T]):
    """Values by square, worked out when first asked for."""

    __slots__ = ("make",)

    def __init__(self, make: Callable[[int], T]) -> None:
        self.make = make

    def __missing__(self, square: int) -> T:
        value = self[square] = self.make(square)
        return value


def _by_side(make: Callable[[int, int], T]) -> tuple[Lazy[T], Lazy[T]]:
    """Values by side and square."""
    return Lazy(lambda square: make(square, WHITE)), Lazy(lambda square: make(square, BLACK))


Line = tuple[int, Reach]  # the squares of a line that matter, and what is reached by those taken
Cross = tuple[int, Reach, int, Reach]  # two lines through a square


class Geometry:
    """One placement of the attack boards under one set of rules.

    exists             the squares there are
    promotes           by side: where its pawns promote (TD-54)
    king, knight       what those attack from a square
    straight           file and rank of a rook or queen
    diagonal           both diagonals of a bishop; `queenly` of a queen
    push, take, double by side: a pawn's steps, captures, and two-square advances
    """

    __slots__ = (
        "columns",
        "diagonal",
        "double",
        "exists",
        "king",
        "knight",
        "promotes",
        "push",
        "queenly",
        "rules",
        "spots",
        "straight",
        "take",
    )

    def __init__(self, rules: LineRules, placement: int) -> None:
        self.rules = rules
        self.exists = exists = existing(placement)
        self.spots = {square: self._spot(square) for square in members(exists)}
        self.columns: tuple[Column, ...] = tuple(
            tuple(
                sorted(
                    (self.spots[square] for square in members(IN_COLUMN[column] & exists)),
                    key=lambda spot: spot.height,
                )
            )
            for column in range(COLUMNS)
        )
        self.promotes = self._promotes(placement)
        self.king = Lazy(lambda square: self._stepped(square, AROUND))
        self.knight = Lazy(self._leapt)
        self.push = _by_side(self._push)
        self.take = _by_side(self._take)
        self.double = _by_side(self._double)
        self.straight = Lazy(lambda square: self._cross(square, STRAIGHT, rules.void_only))
        self.diagonal = Lazy(lambda square: self._cross(square, DIAGONAL, False))
        self.queenly = self.diagonal
        if rules.void_only:
            self.queenly = Lazy(lambda square: self._cross(square, DIAGONAL, True))

    def arm(self, square: int, step: tuple[int, int]) -> Arm:
        """The columns in one direction, nearest first."""
        return tuple(self.columns[column] for column in arm(COLUMN[square], step))

    def _spot(self, square: int) -> Spot:
        level = BOARD[square] if self.rules.level_is_board else HEIGHT[square]
        return Spot(square, HEIGHT[square], 1 << level)

    def _promotes(self, placement: int) -> tuple[int, int]:
        by_side = [LAST_ROW[side] for side in (WHITE, BLACK)]
        for pin, (side, corner) in CORNERS.items():
            if placement >> pin & 1:
                on_board = members(ON_PIN[pin])
                by_side[side] |= gathered(sq for sq in on_board if RANK[sq] == BACK_RANK[side])
                if self.rules.corner_waits:
                    by_side[side] &= ~BIT[corner]
        return by_side[WHITE], by_side[BLACK]

    def _stepped(self, square: int, steps: Iterable[tuple[int, int]]) -> int:
        """One step in each of some directions (TD-32)."""
        reached = 0
        for step in steps:
            ahead = stepped(COLUMN[square], step)
            column = self.columns[ahead] if ahead is not None else ()
            near_by = near(HEIGHT[square], column) if self.rules.adjacent else column
            reached |= gathered(spot.square for spot in near_by)
        return reached

    def _leapt(self, square: int) -> int:
        """TD-38: any level, whatever `level_shift` says."""
        landings = (stepped(COLUMN[square], leap) for leap in LEAPS)
        return sum(IN_COLUMN[column] for column in landings if column is not None) & self.exists

    def _push(self, square: int, side: int) -> int:
        return self._stepped(square, [(0, FORWARD[side])])

    def _take(self, square: int, side: int) -> int:
        return self._stepped(square, [(1, FORWARD[side]), (-1, FORWARD[side])])

    def _double(self, square: int, side: int) -> Line:
        """TD-51. What is reached in the second column, and the squares of the first."""
        way = self.arm(square, (0, FORWARD[side]))[:2]
        if len(way) < 2 or not way[0]:
            return 0, Reach(self.rules, self.spots[square], (), 0)
        first = gathered(spot.square for spot in way[0])
        return first, Reach(self.rules, self.spots[square], (way,), first)

    def _cross(
        self, square: int, lines: Iterable[tuple[tuple[int, int], ...]], void_only: bool
    ) -> Cross:
        first, second = (self._line(square, line, void_only) for line in lines)
        return *first, *second

    def _line(self, square: int, steps: tuple[tuple[int, int], ...], void_only: bool) -> Line:
        arms = tuple(self.arm(square, step) for step in steps)
        barred = 0
        if void_only and is_attack(square):
            barred = gathered(found for way in arms for found in self._barred(square, way))
        on_line = gathered(spot.square for way in arms for column in way for spot in column)
        return on_line, Reach(self.rules, self.spots[square], arms, barred)

    def _barred(self, square: int, way: Arm) -> Iterator[int]:
        """Squares of other attack boards before any void (`attack_board_to_attack_board`)."""
        for column in way:
            if not column:
                return
            for spot in column:
                if is_attack(spot.square) and pin_of(spot.square) != pin_of(square):
                    yield spot.square


@lru_cache(maxsize=PLACEMENTS)
def geometry(rules: LineRules, placement: int) -> Geometry:
    """The geometry of boards on the pins of the set `placement`."""
    return Geometry(rules, placement)
