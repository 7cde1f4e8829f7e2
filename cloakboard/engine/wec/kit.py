"""What a piece has: its own abilities and the articles it carries, counted together."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from cloakboard.engine.wec.pieces import INHERENT, KINDS, WEAPONS
from cloakboard.engine.wec.state import Piece

OWN: Final = MappingProxyType(
    {kind: (*WEAPONS.get(kind, ()), *INHERENT.get(kind, ())) for kind in KINDS}
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
