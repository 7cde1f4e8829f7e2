"""The state of a WEC table, and the values it is made of.

Coordinates: a square is `(row - 1) * 10 + column - 1`, 0..99; a cell is
`level * 100 + square`, 0..299, with level 0 Ground, 1 Air, 2 Sub (WEC-01, WEC-02). Cell
order is therefore the order level, row, column of WEC-62. Sides are seats: 0 Black, 1 White.
Turn numbers count Turns of either side from 1; every count-down is kept as the Turn in
which it ends, so that nothing changes when a Turn merely passes.

A machine holds the full state, one seat's view, or the public state. `secrets[seat]` is None
where the state does not know that seat's secrets; then `pieces` holds of that seat the public
pieces only.
"""

from __future__ import annotations

from typing import Final

import msgspec

BLACK: Final = 0
WHITE: Final = 1
SIDES: Final = (BLACK, WHITE)

GROUND: Final = 0
AIR: Final = 1
SUB: Final = 2

SQUARES: Final = 100

LOST: Final = "lost"  # see `Piece.hits`


class Gear(msgspec.Struct, frozen=True, array_like=True):
    """One article. `ready`: first Turn in which it may fire again (WEC-53, the count goes
    where the article goes); `lock`: number of the lock its Anti-stealth holds, or 0."""

    kind: str
    ready: int = 0
    lock: int = 0


class Flight(msgspec.Struct, frozen=True, array_like=True):
    """A flight by jump pack or scuba (WEC-71). `pack`: JP or SC; `number`: order of
    take-off, see `rules.flying.flight_number`; `flown`: the last Turn in which it advanced or
    took off, or changed sides."""

    pack: str
    target: int
    number: int
    flown: int


class Piece(msgspec.Struct, frozen=True, array_like=True):
    """All that the rules ever need of a piece; there is no hidden number (VEIL 5).

    handle     public number, 0 while it is not public (WEC-97)
    gear       carried articles, in the order in which it got them
    own_ready  per inherent weapon of `pieces.WEAPONS[kind]`: first Turn it may fire again
    own_lock   number of the lock an inherent Anti-stealth holds, or 0
    locked     number of the lock on this piece, or 0
    unmoved    still on its origin square (WEC-42)
    stunned    first Turn in which it may act again; past or 0: not stunned (WEC-56)
    fired      the last Turn in which it fired (WEC-52)
    acted      the last Turn in which it took an action (WEC-16)
    shown_till last Turn at whose end having fired still shows it (WEC-95)
    hits       (weapon kind, count) received in this Turn, sorted (WEC-51); a rocket's or a
               limited rocket's kind is RL; (LOST, 1): a primary that was converted in it
               and does not count again (WEC-14)
    flight     its flight, or None
    chased     numbers of homing projectiles that follow it, ascending (WEC-60)
    """

    side: int
    kind: str
    cell: int
    hand: str = ""
    handle: int = 0
    gear: tuple[Gear, ...] = ()
    own_ready: tuple[int, ...] = ()
    own_lock: int = 0
    locked: int = 0
    unmoved: bool = False
    stunned: int = 0
    fired: int = 0
    acted: int = 0
    shown_till: int = 0
    hits: tuple[tuple[str, int], ...] = ()
    flight: Flight | None = None
    chased: tuple[int, ...] = ()

    @property
    def level(self) -> int:
        """GROUND, AIR or SUB."""
        return self.cell // SQUARES

    @property
    def square(self) -> int:
        """0..99."""
        return self.cell % SQUARES


class Lying(msgspec.Struct, frozen=True, array_like=True):
    """An unowned article at Ground of a square (WEC-06)."""

    square: int
    gear: Gear


class Projectile(msgspec.Struct, frozen=True, array_like=True):
    """A projectile (WEC-60); all of it is public (WEC-90).

    `number`: order of launch; `kind`: R rocket, S SAM, T torpedo; `heading`: 0..7 as its
    owner sits, of the last step, or the direction fired in, -1 of a homing one before its
    first step; `homing`: follows the piece whose `chased` holds its number; `target_side`:
    that piece's side; `target_cell`: where it was last publicly known, -1 if directed.
    """

    number: int
    kind: str
    side: int
    square: int
    heading: int
    homing: bool = False
    target_side: int = -1
    target_cell: int = -1


class Lock(msgspec.Struct, frozen=True, array_like=True):
    """A live lock-on (WEC-91): its number and its holder's side. The holder's Anti-stealth
    and the target carry the number, so that the lock goes along unseen."""

    number: int
    side: int


class Reserve(msgspec.Struct, frozen=True, array_like=True):
    """A reinforcement that waits on its activation square (WEC-80, WEC-82)."""

    side: int
    square: int
    kind: str
    hand: str = ""


class Spent(msgspec.Struct, frozen=True, array_like=True):
    """What of a Turn's allowance is used (WEC-11)."""

    move: int = 0
    fires: int = 0
    pickup: int = 0
    drop: int = 0
    exchange: int = 0
    reinforce: int = 0


class Arming(msgspec.Struct, frozen=True, array_like=True):
    """An activation square where a seat has had a piece at a Turn's end (WEC-80).
    `left`: a piece has left it since."""

    square: int
    left: bool = False


class Secret(msgspec.Struct, frozen=True, array_like=True):
    """What only one seat knows, besides its unseen pieces: allowance used by veiled actions,
    armed squares, and the unseen enemies its own unseen detectors see (WEC-97; their
    records as shown to it at the last settlement, handle 0)."""

    spent: Spent = Spent()
    armed: tuple[Arming, ...] = ()
    sighted: tuple[Piece, ...] = ()


class State(msgspec.Struct, frozen=True, kw_only=True):
    """A table of WEC. Every tuple is sorted by `order` of its kind; see the module text.

    `options`: the agreed values, sorted by name. `side`: whose Turn it is. `spent`: what
    everyone saw used in this Turn. `fallen`: sides whose primary was lost in this Turn, each
    once, as owned when first lost (WEC-14). `next_*`: numbers not yet given out.
    `winner`: None while it goes on.
    """

    options: tuple[tuple[str, bool | int | str], ...]
    turn: int = 1
    side: int = BLACK
    pieces: tuple[Piece, ...] = ()
    lying: tuple[Lying, ...] = ()
    projectiles: tuple[Projectile, ...] = ()
    locks: tuple[Lock, ...] = ()
    reserves: tuple[Reserve, ...] = ()
    spent: Spent = Spent()
    fallen: tuple[int, ...] = ()
    secrets: tuple[Secret | None, ...] = (Secret(), Secret())
    next_handle: int = 1
    next_lock: int = 1
    next_shot: int = 1
    winner: int | None = None


def piece_order(piece: Piece) -> tuple[object, ...]:
    """Sort key of pieces: level, row, column, side, code, handle, articles, then the rest. Two
    pieces never have one handle, so of a public piece nothing else is looked at."""
    if piece.handle:
        return piece.cell, piece.side, piece.kind, piece.handle
    articles = tuple([gear.kind for gear in piece.gear])
    return piece.cell, piece.side, piece.kind, 0, articles, msgspec.msgpack.encode(piece)


def level_of(cell: int) -> int:
    """GROUND, AIR or SUB."""
    return cell // SQUARES


def square_of(cell: int) -> int:
    """0..99."""
    return cell % SQUARES


def square_at(row: int, column: int) -> int:
    """The square of row and column 1..10 (WEC-01)."""
    return (row - 1) * 10 + column - 1
