"""What a piece has: its own abilities and the articles it carries, counted together."""

from __future__ import annotations

from cloakboard.engine.wec.pieces import INHERENT, WEAPONS
from cloakboard.engine.wec.state import Piece


def count(piece: Piece, article: str) -> int:
    """How many of an article's ability the piece has, its own and carried ones (WEC-50)."""
    own = (*WEAPONS.get(piece.kind, ()), *INHERENT.get(piece.kind, ()))
    return own.count(article) + sum(gear.kind == article for gear in piece.gear)


def has(piece: Piece, article: str) -> bool:
    """Whether the piece has the ability, of its own or by an article."""
    return count(piece, article) > 0
