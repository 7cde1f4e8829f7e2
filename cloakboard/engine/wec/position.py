"""A start position as a value, and what the rules say of it (RULES section 12).

`notation.positions` reads and writes it as text, `setup` makes a state of it. Coordinates are
those of `state`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import msgspec

from cloakboard.engine.scenario import TEACHES_LENGTH, TITLE_LENGTH
from cloakboard.engine.wec.board import may_share
from cloakboard.engine.wec.detection import holds_up, stands_alone
from cloakboard.engine.wec.kit import count
from cloakboard.engine.wec.options import ARTICLES_AT_MOST
from cloakboard.engine.wec.pieces import COEXISTS, HANDED, HOME, PRIMARIES
from cloakboard.engine.wec.rules.handling import LYING_AT_MOST, capacity
from cloakboard.engine.wec.state import GROUND, Gear, Piece, Reserve, level_of
from cloakboard.engine.wec.text import place

PIECES_AT_MOST: Final = 200
STUN_AT_MOST: Final = 255


class Placed(msgspec.Struct, frozen=True):
    """A piece of a start position.

    articles   carried, in the order in which it got them
    stun       Turns for which it cannot act yet, Black's first one included (WEC-56)
    moved      does not stand on its origin square (WEC-42)
    holds      numbers of the locks that its Anti-stealths hold, its own first (WEC-91)
    locked     number of the lock on it, or 0
    """

    side: int
    kind: str
    cell: int
    hand: str = ""
    articles: tuple[str, ...] = ()
    stun: int = 0
    moved: bool = False
    holds: tuple[int, ...] = ()
    locked: int = 0


class Position(msgspec.Struct, frozen=True, kw_only=True):
    """A start position. K and Q stand for the pieces of the side's government (WEC-21), as in
    the standard game. `lying`: (square, kind) of each unowned article. Locks are numbered from
    1. `teaches`: a sentence for players on what it is there for."""

    title: str = ""
    teaches: str = ""
    pieces: tuple[Placed, ...] = ()
    lying: tuple[tuple[int, str], ...] = ()
    reserves: tuple[Reserve, ...] = ()

    def sorted(self) -> Position:
        """The same position in its one order."""
        return Position(
            title=self.title,
            teaches=self.teaches,
            pieces=tuple(sorted(self.pieces, key=msgspec.structs.astuple)),
            lying=tuple(sorted(self.lying)),
            reserves=tuple(sorted(self.reserves, key=msgspec.structs.astuple)),
        )


class Scenario(msgspec.Struct, frozen=True, kw_only=True):
    """A start position with the options it is meant for, as changes from the standard."""

    position: Position
    options: Mapping[str, Any] = {}

    @property
    def title(self) -> str:
        """What players call it."""
        return self.position.title

    @property
    def teaches(self) -> str:
        """What it is for, in a sentence."""
        return self.position.teaches


class Fault(msgspec.Struct, frozen=True):
    """What the rules forbid in a start position, or what a player should know of it: the
    rule's id, words for the player, and the cell it is about (-1: the whole board)."""

    rule: str
    text: str
    cell: int = -1


def faults(position: Position, options: Mapping[str, Any]) -> Iterator[Fault]:
    """Whatever keeps the position from being played under the agreed `options` (RULES section
    12 and "editor" in section 14); nothing if it can be."""
    yield from _of_words(position)
    by_cell: dict[int, list[Placed]] = {}
    for placed in position.pieces:
        by_cell.setdefault(placed.cell, []).append(placed)
        yield from _of_piece(placed, options)
    for cell, together in sorted(by_cell.items()):
        yield from _of_cell(cell, together)
    yield from _of_articles(position)
    yield from _of_reserves(position.reserves)
    yield from _of_locks(position.pieces)


def _of_words(position: Position) -> Iterator[Fault]:
    for name, text, most in (
        ("title", position.title, TITLE_LENGTH),
        ("sentence on what it teaches", position.teaches, TEACHES_LENGTH),
    ):
        if len(text) > most or not text.isprintable() or text != text.strip():
            yield Fault("", f"The {name} has to be one line of at most {most} characters")
    if len(position.pieces) > PIECES_AT_MOST:
        yield Fault("", f"There are more than {PIECES_AT_MOST} pieces; take some off the board")


def _of_piece(placed: Placed, options: Mapping[str, Any]) -> Iterator[Fault]:
    at = f"{placed.kind} at {place(placed.cell)}"
    if (placed.hand != "") != (placed.kind in HANDED):
        says = "needs a hand, left or right" if placed.kind in HANDED else "has no hand"
        yield Fault("WEC-24", f"The {at} {says}", placed.cell)
    if len(placed.articles) > _capacity(placed):
        says = f"carries {len(placed.articles)} articles; it can carry {_capacity(placed)}"
        yield Fault("WEC-23", f"The {at} {says}", placed.cell)
    if placed.kind in PRIMARIES and "SH" in placed.articles and not options["king_may_stealth"]:
        yield Fault(
            "WEC-33",
            f"The {at} may not carry a Stealth; take it away or turn king_may_stealth on",
            placed.cell,
        )
    if not 0 <= placed.stun <= STUN_AT_MOST:
        says = f"is stunned for {placed.stun} Turns; 0 to {STUN_AT_MOST} are possible"
        yield Fault("WEC-56", f"The {at} {says}", placed.cell)


def _capacity(placed: Placed) -> int:
    return capacity(placed.kind, tuple(Gear(kind) for kind in placed.articles))


def _of_cell(cell: int, together: list[Placed]) -> Iterator[Fault]:
    """WEC-03 to WEC-05 with WEC-58, WEC-47."""
    pieces = [Piece(one.side, one.kind, cell) for one in together]
    names = " and ".join(one.kind for one in together)
    at = place(cell)
    if len(pieces) > 2:
        yield Fault("WEC-03", f"At {at} stand {names}; one level of a square holds two", cell)
    elif len({piece.side for piece in pieces}) > 1 and not _could_part(pieces):
        says = f"The enemies {names} cannot share {at}"
        why = "a conversion leaves such a pair only where one of them may share a square"
        yield Fault("WEC-05", f"{says}: {why} and both stand by themselves", cell)
    elif len({piece.side for piece in pieces}) == 1 and not may_share(pieces):
        able = ", ".join(sorted(COEXISTS))
        yield Fault("WEC-04", f"{names} cannot share {at}; one of the two has to be {able}", cell)
    for piece in pieces:
        mates = [one for one in pieces if one is not piece and one.side == piece.side]
        if not stands_alone(piece) and not any(holds_up(mate) for mate in mates):
            says = f"The {piece.kind} cannot be at {at} without a carrier"
            yield Fault("WEC-47", f"{says}; put it at Ground, or a Sub or Chopper beside it", cell)


def _could_part(pair: list[Piece]) -> bool:
    """Whether a conversion of one of two pieces of a side can have left this pair (WEC-58)."""
    level = level_of(pair[0].cell)
    home = level == GROUND or all(piece.kind in HOME[level] for piece in pair)
    return home and any(piece.kind in COEXISTS for piece in pair)


def _of_articles(position: Position) -> Iterator[Fault]:
    """WEC-06."""
    for square, lying in sorted(Counter(square for square, _ in position.lying).items()):
        if lying > LYING_AT_MOST:
            says = f"{lying} articles lie at {place(square)}"
            yield Fault("WEC-06", f"{says}; a square holds {LYING_AT_MOST}", square)
    total = len(position.lying) + sum(len(placed.articles) for placed in position.pieces)
    if total > ARTICLES_AT_MOST:
        says = f"There are {total} articles, carried ones included"
        yield Fault("WEC-06", f"{says}; {ARTICLES_AT_MOST} can exist")


def _of_reserves(reserves: Iterable[Reserve]) -> Iterator[Fault]:
    """WEC-81."""
    by_square: dict[int, list[Reserve]] = {}
    for reserve in reserves:
        by_square.setdefault(reserve.square, []).append(reserve)
        if (reserve.hand != "") != (reserve.kind in HANDED):
            says = "needs a hand" if reserve.kind in HANDED else "has no hand"
            at = place(reserve.square)
            yield Fault("WEC-24", f"The reinforcement {reserve.kind} at {at} {says}")
    for square, waiting in sorted(by_square.items()):
        if len(waiting) > (1 if any(reserve.hand for reserve in waiting) else 2):
            names = " and ".join(reserve.kind for reserve in waiting)
            yield Fault(
                "WEC-81",
                f"At {place(square)} wait {names}; a square holds one reinforcement with a hand,"
                " or two without",
                square,
            )


def _of_locks(pieces: Iterable[Placed]) -> Iterator[Fault]:
    """WEC-91."""
    held: list[tuple[int, int]] = []
    targets: list[tuple[int, int]] = []
    for placed in pieces:
        held += [(number, placed.side) for number in placed.holds]
        if placed.locked:
            targets.append((placed.locked, 1 - placed.side))
        if len(placed.holds) > anti_stealths(placed):
            says = f"The {placed.kind} at {place(placed.cell)} holds more locks than it has"
            yield Fault("WEC-91", f"{says} Anti-stealths", placed.cell)
    numbers = sorted(number for number, _ in held)
    if sorted(held) != sorted(targets) or numbers != list(range(1, len(numbers) + 1)):
        yield Fault(
            "WEC-91",
            "Locks have to be numbered from 1, each held by one piece, on one enemy piece",
        )


def anti_stealths(placed: Placed) -> int:
    """How many locks the piece can hold: one for each Anti-stealth, its own and carried ones."""
    gear = tuple(Gear(article) for article in placed.articles)
    return count(Piece(placed.side, placed.kind, placed.cell, gear=gear), "ASH")
