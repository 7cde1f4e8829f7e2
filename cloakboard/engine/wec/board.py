"""Who stands where, as one state knows it: look-ups and bit sets of cells over a state.

A bit set of cells is an integer whose bit `cell` (0..299) is set for a member.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from cloakboard.engine.wec.actions import Ref
from cloakboard.engine.wec.pieces import COEXISTS
from cloakboard.engine.wec.state import Lying, Piece, State

NOBODY: Final[tuple[Piece, ...]] = ()


class Board:
    """The pieces a seat sees, by cell: its own, the enemy's public ones, and the unseen ones
    its own detectors see. Without a seat: every piece of the state.

    `own`, `enemy`: bit sets of the cells where those stand. `closed`: cells where no further
    own piece may stand whatever its kind: two stand there (WEC-03), or an opposed pair
    (WEC-58). `shareable`: cells with one own piece that has coexistence (WEC-04).
    """

    __slots__ = ("at", "closed", "enemy", "own", "seat", "shareable")

    def __init__(self, state: State, seat: int) -> None:
        self.seat = seat
        self.at: dict[int, tuple[Piece, ...]] = {}
        own = enemy = closed = shareable = 0
        at = self.at
        for piece in seen(state, seat):
            cell = piece.cell
            here = at.get(cell)
            bit = 1 << cell
            if here is None:
                at[cell] = (piece,)
                if piece.side == seat:
                    own |= bit
                    if piece.kind in COEXISTS:
                        shareable |= bit
                else:
                    enemy |= bit
                continue
            at[cell] = (*here, piece)
            if piece.side == seat:
                own |= bit
                closed |= bit
            else:
                if own & bit:
                    closed |= bit
                enemy |= bit
        self.own, self.enemy, self.closed, self.shareable = own, enemy, closed, shareable

    def here(self, cell: int) -> tuple[Piece, ...]:
        """The pieces seen in a cell."""
        return self.at.get(cell, NOBODY)

    def ours(self, cell: int) -> tuple[Piece, ...]:
        """The seat's own pieces in a cell."""
        return tuple(piece for piece in self.here(cell) if piece.side == self.seat)

    def theirs(self, cell: int) -> tuple[Piece, ...]:
        """The enemy pieces the seat sees in a cell."""
        return tuple(piece for piece in self.here(cell) if piece.side != self.seat)

    def barred(self, kind: str) -> int:
        """Cells where own pieces keep one more piece of that kind out (WEC-03, WEC-04,
        WEC-58)."""
        if kind in COEXISTS:
            return self.closed
        return self.closed | (self.own & ~self.shareable)


def seen(state: State, seat: int) -> Iterator[Piece]:
    """The pieces a seat acts upon: its own that the state knows, the enemy's public ones, and
    the unseen ones its detectors see (WEC-97, WEC-99)."""
    for piece in state.pieces:
        if piece.side == seat or piece.handle:
            yield piece
    secret = state.secrets[seat]
    if secret is not None:
        yield from secret.sighted


def standing(state: State, cell: int) -> tuple[Piece, ...]:
    """Every piece the state knows in a cell, in its order."""
    return tuple(piece for piece in state.pieces if piece.cell == cell)


def may_share(pieces: Iterable[Piece]) -> bool:
    """Whether these pieces may stand in one cell (WEC-03, WEC-04, WEC-05)."""
    together = tuple(pieces)
    if len(together) < 2:
        return True
    if len(together) > 2:
        return False
    one, other = together
    return one.side == other.side and (one.kind in COEXISTS or other.kind in COEXISTS)


def find(state: State, seat: int, ref: Ref) -> Piece | None:
    """The seat's piece that a reference names, or None if the state knows no such piece. A
    handle with a cell beside it names nothing: each piece has one name."""
    if ref.handle:
        if ref.cell or ref.index:
            return None
        for piece in state.pieces:
            if piece.handle == ref.handle:
                return piece if piece.side == seat else None
        return None
    place = 0
    for piece in state.pieces:
        if piece.cell == ref.cell and piece.side == seat and not piece.handle:
            if place == ref.index:
                return piece
            place += 1
    return None


def ref_of(state: State, piece: Piece) -> Ref:
    """How an action names a piece of the state."""
    if piece.handle:
        return Ref(handle=piece.handle)
    alike = [
        other
        for other in state.pieces
        if other.cell == piece.cell and other.side == piece.side and not other.handle
    ]
    index = next((place for place, other in enumerate(alike) if other is piece), None)
    return Ref(cell=piece.cell, index=alike.index(piece) if index is None else index)


def refs(state: State, seat: int) -> Iterator[tuple[Ref, Piece]]:
    """The seat's pieces the state knows, with their references, in the state's order."""
    cell, place = -1, 0
    for piece in state.pieces:
        if piece.side != seat:
            continue
        if piece.handle:
            yield Ref(piece.handle), piece
            continue
        place = place + 1 if piece.cell == cell else 0
        cell = piece.cell
        yield Ref(0, cell, place), piece


def lying_at(state: State, square: int) -> tuple[Lying, ...]:
    """The unowned articles at a square (WEC-06)."""
    return tuple(lying for lying in state.lying if lying.square == square)


def changed(piece: Piece, **fields: object) -> Piece:
    """The piece with some fields replaced."""
    return msgspec.structs.replace(piece, **fields)
