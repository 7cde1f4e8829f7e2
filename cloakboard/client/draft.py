"""A start position of WEC being made: refusals and faults in words.

Pure. What WEC-03 to 06, 23, 33 and 81 forbid is refused at once; other faults (a piece that needs
a carrier which is not there yet) are listed until they are mended.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from msgspec.structs import replace

from cloakboard.client.drafting import Drafting
from cloakboard.client.words import spelled
from cloakboard.engine.wec.editing import warnings
from cloakboard.engine.wec.options import OPTIONS, complete
from cloakboard.engine.wec.pieces import HANDED, WEAPONS
from cloakboard.engine.wec.position import (
    Fault,
    Placed,
    Position,
    Scenario,
    anti_stealths,
    faults,
)
from cloakboard.engine.wec.state import (
    SQUARES,
    Gear,
    Lying,
    Piece,
    Reserve,
    State,
    piece_order,
)

REFUSED: Final = frozenset({"WEC-03", "WEC-04", "WEC-05", "WEC-06", "WEC-23", "WEC-33", "WEC-81"})


@dataclass(frozen=True, slots=True)
class PieceBrush:
    """Puts pieces; `is_reserve`: reinforcements."""

    side: int
    kind: str
    hand: str = ""
    is_reserve: bool = False


@dataclass(frozen=True, slots=True)
class ArticleBrush:
    """Lays articles, or gives them to a piece."""

    kind: str


@dataclass(frozen=True, slots=True)
class Eraser:
    """Takes away what is pointed at."""


@dataclass(frozen=True, slots=True)
class LockBrush:
    """Locks an Anti-stealth of the holder on to the enemy piece that is pointed at."""

    holder: Placed


Brush = PieceBrush | ArticleBrush | Eraser | LockBrush | None


class Draft(Drafting[Position]):
    """The position with its options, and what it was before. `selected` is the piece that is
    looked at."""

    def __init__(self, scenario: Scenario) -> None:
        super().__init__(scenario.position.sorted(), scenario.options)
        self.selected: Placed | None = None

    # What there is ------------------------------------------------------------------------

    @property
    def values(self) -> Mapping[str, Any]:
        """Every option."""
        return OPTIONS.complete(self.options)

    @property
    def scenario(self) -> Scenario:
        """The position with the changes of its options."""
        return Scenario(position=self.position, options=self.options)

    @property
    def is_empty(self) -> bool:
        """Whether nothing stands or lies anywhere."""
        return not (self.position.pieces or self.position.lying or self.position.reserves)

    @property
    def pieces(self) -> int:
        """How many stand on the board."""
        return len(self.position.pieces)

    def faults(self) -> tuple[Fault, ...]:
        """What keeps the position from being played."""
        return tuple(map(_spelled, faults(self.position, self.values)))

    def warnings(self) -> tuple[Fault, ...]:
        """What a player should know; nothing while there are faults."""
        if self.faults():
            return ()
        return tuple(map(_spelled, warnings(self.position, self.options)))

    def picture(self) -> State:
        """The position as a state to be drawn: every piece has a handle, one more than its place
        in `position.pieces`."""
        return State(
            options=complete(self.options),
            pieces=tuple(
                sorted(
                    (_drawn(placed, n) for n, placed in enumerate(self.position.pieces, 1)),
                    key=piece_order,
                )
            ),
            lying=tuple(Lying(square, Gear(kind)) for square, kind in self.position.lying),
            reserves=self.position.reserves,
        )

    def placed(self, piece: Piece) -> Placed:
        """The piece of the position that a drawn one stands for."""
        return self.position.pieces[piece.handle - 1]

    # Changing it --------------------------------------------------------------------------

    def change(self, position: Position, selected: Placed | None = None) -> str:
        """Takes a changed position, with `selected` looked at; or says why it cannot be."""
        position = mended(position).sorted()
        before = set(faults(self.position, self.values))
        for fault in faults(position, self.values):
            if fault.rule in REFUSED and fault not in before:
                return spelled(f"{fault.text}.")
        self.go_on(position)
        self.selected = _like(position, selected)
        return ""

    def go_to(self, position: Position) -> None:
        """The position is one that was there before."""
        super().go_to(position)
        self.selected = _like(position, self.selected)

    def clear(self) -> str:
        """An empty board."""
        return self.change(Position(title=self.position.title, teaches=self.position.teaches))

    def swap(self) -> str:
        """The sides change places."""
        return self.change(turned(self.position))

    def entitle(self, title: str, teaches: str) -> str:
        """Its title and what it is for."""
        position = replace(self.position, title=title, teaches=teaches)
        return self.change(position, self.selected)

    def open(self, made: Scenario) -> None:
        """Another position with its options, which can be taken back but for the options."""
        self.options = dict(made.options)
        self.go_on(made.position.sorted())
        self.selected = None

    def put(self, brush: Brush, cell: int, piece: Piece | None) -> str:
        """What the brush does at a cell, on which `piece` was pointed at if one was."""
        square = cell % SQUARES
        match brush:
            case PieceBrush(side=side, kind=kind, hand=hand, is_reserve=True):
                return self.change(with_reserve(self.position, Reserve(side, square, kind, hand)))
            case PieceBrush(side=side, kind=kind, hand=hand):
                placed = Placed(side, kind, cell, hand)
                return self.change(with_piece(self.position, placed), placed)
            case ArticleBrush(kind=kind) if piece is not None:
                return self.give(self.placed(piece), kind)
            case ArticleBrush(kind=kind):
                return self.change(with_article(self.position, square, kind), self.selected)
            case Eraser():
                return self.erase(square, piece)
            case LockBrush(holder=holder):
                if piece is None:
                    return "Nothing stands there; click the enemy piece to lock on to."
                return self.lock_on(holder, self.placed(piece))
            case None:
                self.selected = self.placed(piece) if piece is not None else None
                return ""

    def give(self, placed: Placed, kind: str) -> str:
        """One more article for a piece."""
        after = replace(placed, articles=(*placed.articles, kind))
        return self.change(replaced(self.position, placed, after), after)

    def take(self, placed: Placed, index: int) -> str:
        """One article less."""
        articles = (*placed.articles[:index], *placed.articles[index + 1 :])
        after = replace(placed, articles=articles)
        return self.change(replaced(self.position, placed, after), after)

    def erase(self, square: int, piece: Piece | None = None) -> str:
        """Takes the piece away, or what stands, lies or waits in the square, one thing at a
        time."""
        position = self.position
        here = [placed for placed in position.pieces if placed.cell % SQUARES == square]
        if piece is not None:
            return self.remove(self.placed(piece))
        if here:
            return self.remove(here[-1])
        lying = [item for item in position.lying if item[0] == square]
        if lying:
            rest = list(position.lying)
            rest.remove(lying[-1])
            return self.change(replace(position, lying=tuple(rest)), self.selected)
        waiting = [reserve for reserve in position.reserves if reserve.square == square]
        if waiting:
            left = list(position.reserves)
            left.remove(waiting[-1])
            return self.change(replace(position, reserves=tuple(left)), self.selected)
        return "Nothing is there to take away."

    def remove(self, placed: Placed) -> str:
        """The piece is gone, and its articles with it."""
        return self.change(without(self.position, placed), self.selected)

    def move(self, placed: Placed, cell: int) -> str:
        """The piece in another cell, its articles with it."""
        after = replace(placed, cell=cell)
        return self.change(replaced(self.position, placed, after), after)

    def lock_on(self, holder: Placed, target: Placed) -> str:
        """One of the holder's Anti-stealths locks on to an enemy piece (WEC-91)."""
        if not self.values["stealth_lock_on"]:
            return "In this match no Anti-stealth locks on; allow it under Rules."
        if holder not in self.position.pieces or not has_free_lock(holder):
            return "That piece has no free Anti-stealth; give it one first."
        if target.side == holder.side:
            return "An Anti-stealth locks on to an enemy piece; click one."
        if target.locked:
            return "That piece is locked on to already; end that lock first."
        number = 1 + sum(len(one.holds) for one in self.position.pieces)
        after = replace(holder, holds=(*holder.holds, number))
        position = replaced(self.position, target, replace(target, locked=number))
        return self.change(replaced(position, holder, after), after)

    def unlock(self, placed: Placed) -> str:
        """The piece holds no lock, and none is on it."""
        return self.alter(placed, holds=(), locked=0)

    def bound_to(self, placed: Placed) -> tuple[Placed, ...]:
        """The pieces that it is locked on to, then the one that is locked on to it."""
        pieces = self.position.pieces
        targets = [one for one in pieces if one.locked in placed.holds]
        holders = [one for one in pieces if placed.locked in one.holds]
        return (*targets, *holders)

    def alter(self, placed: Placed, **fields: Any) -> str:
        """The piece with some fields changed."""
        after = replace(placed, **fields)
        return self.change(replaced(self.position, placed, after), after)


def _spelled(fault: Fault) -> Fault:
    return replace(fault, text=spelled(fault.text))


def _drawn(placed: Placed, number: int) -> Piece:
    return Piece(
        side=placed.side,
        kind=placed.kind,
        cell=placed.cell,
        hand=placed.hand,
        handle=number,
        gear=tuple(Gear(kind) for kind in placed.articles),
        own_ready=(0,) * len(WEAPONS.get(placed.kind, ())),
        unmoved=not placed.moved,
        stunned=1 + placed.stun if placed.stun else 0,
        locked=placed.locked,
    )


def _like(position: Position, placed: Placed | None) -> Placed | None:
    """The piece itself if the position has it; locks may have been mended."""
    if placed is None:
        return None
    bare = replace(placed, holds=(), locked=0)
    return next((one for one in position.pieces if replace(one, holds=(), locked=0) == bare), None)


# -- positions -----------------------------------------------------------------------------------


def with_piece(position: Position, placed: Placed) -> Position:
    """One piece more."""
    return replace(position, pieces=(*position.pieces, placed))


def without(position: Position, placed: Placed) -> Position:
    """One piece less."""
    pieces = list(position.pieces)
    pieces.remove(placed)
    return replace(position, pieces=tuple(pieces))


def replaced(position: Position, old: Placed, new: Placed) -> Position:
    """One piece instead of another."""
    return with_piece(without(position, old), new)


def with_article(position: Position, square: int, kind: str) -> Position:
    """One article more on the board."""
    return replace(position, lying=(*position.lying, (square, kind)))


def with_reserve(position: Position, reserve: Reserve) -> Position:
    """One reinforcement more."""
    return replace(position, reserves=(*position.reserves, reserve))


def hands_of(kind: str) -> tuple[str, ...]:
    """The hands a piece of that kind can have (WEC-24)."""
    return ("left", "right") if kind in HANDED else ("",)


def has_free_lock(placed: Placed) -> bool:
    """Whether it has an Anti-stealth that is not locked on."""
    return anti_stealths(placed) > len(placed.holds)


def mended(position: Position) -> Position:
    """The position without locks that have lost their holder, its Anti-stealth or their target,
    the rest numbered from 1 (WEC-91)."""
    held = {
        number: one.side for one in position.pieces for number in one.holds[: anti_stealths(one)]
    }
    aimed = {one.locked: one.side for one in position.pieces if one.locked}
    whole = sorted(n for n in held if n in aimed and held[n] != aimed[n])
    numbers = {old: new for new, old in enumerate(whole, 1)}
    pieces = tuple(
        replace(
            one,
            holds=tuple(numbers[number] for number in one.holds if number in numbers),
            locked=numbers.get(one.locked, 0),
        )
        for one in position.pieces
    )
    return replace(position, pieces=pieces)


def turned(position: Position) -> Position:
    """The position with the sides changed: everything turned by half, Black's become White's."""
    return replace(
        position,
        pieces=tuple(
            replace(one, side=1 - one.side, cell=_turned(one.cell)) for one in position.pieces
        ),
        lying=tuple((SQUARES - 1 - square, kind) for square, kind in position.lying),
        reserves=tuple(
            Reserve(1 - one.side, SQUARES - 1 - one.square, one.kind, one.hand)
            for one in position.reserves
        ),
    )


def _turned(cell: int) -> int:
    level, square = divmod(cell, SQUARES)
    return level * SQUARES + SQUARES - 1 - square
