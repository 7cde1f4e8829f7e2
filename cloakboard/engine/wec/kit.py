"""What a piece has: its own abilities and the articles it carries, counted together."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from cloakboard.engine.wec.pieces import ARTICLES, HANDED, INHERENT, KINDS, WEAPONS
from cloakboard.engine.wec.state import SIDES, SQUARES, Piece

OWN: Final = MappingProxyType(
    {kind: (*WEAPONS.get(kind, ()), *INHERENT.get(kind, ())) for kind in KINDS}
)

CAPACITY: Final = 3  # articles of a piece, whatever it has (WEC-23)
HANDS: Final = ("left", "right")
PACKS: Final = ("JP", "SC")
NUMBERS: Final = range(1 << 32)


def is_sound(piece: Piece) -> bool:
    """Whether a record that a stranger names could be a piece at all: no rule, and no screen,
    need then be ready for anything else."""
    flight = piece.flight
    numbers = (
        piece.handle, piece.own_lock, piece.locked, piece.stunned, piece.fired, piece.acted,
        piece.shown_till, *piece.own_ready, *piece.chased, *(n for _, n in piece.hits),
        *(number for gear in piece.gear for number in (gear.ready, gear.lock)),
        *((flight.number, flight.flown) if flight is not None else ()),
    )  # fmt: skip
    return (
        piece.side in SIDES
        and piece.kind in KINDS
        and piece.cell in range(3 * SQUARES)
        and (piece.hand in HANDS if piece.kind in HANDED else not piece.hand)
        and len(piece.own_ready) == len(WEAPONS.get(piece.kind, ()))
        and len(piece.gear) <= CAPACITY
        and all(gear.kind in ARTICLES for gear in piece.gear)
        and (flight is None or (flight.pack in PACKS and flight.target in range(SQUARES)))
        and all(number in NUMBERS for number in numbers)
    )


def count(piece: Piece, article: str) -> int:
    """How many of an article's ability the piece has, its own and carried ones (WEC-50)."""
    carried = sum([gear.kind == article for gear in piece.gear])
    return carried + OWN.get(piece.kind, ()).count(article)


def has(piece: Piece, article: str) -> bool:
    """Whether the piece has the ability, of its own or by an article."""
    if article in OWN.get(piece.kind, ()):
        return True
    return bool(piece.gear) and any(gear.kind == article for gear in piece.gear)
