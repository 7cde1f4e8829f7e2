"""The kinds of men, their letters and names (TD-12), and where they start."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from cloakboard.engine.trid.board import BLACK, WHITE

PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(6)
KINDS: Final = "PNBRQK"
FRESH: Final = "D"  # a pawn that may still advance two squares (TD-52)
EMPTY: Final = "."
PROMOTIONS: Final = "QRBN"  # what a pawn becomes, in the order of `actions` (TD-54)
NAMES: Final = MappingProxyType(
    {"P": "Pawn", "N": "Knight", "B": "Bishop", "R": "Rook", "Q": "Queen", "K": "King"}
)

START: Final = (
    "QL1w,KL1w,QL6b,KL6b nbbn/dddd/4/4|4/4/4/4|4/4/DDDD/NBBN|DD/RQ|DD/KR|rq/dd|kr/dd w KQkq - 0 1"
)


def man(kind: str, side: int) -> str:
    """How a state writes a man of a kind: capitals are White's."""
    return kind if side == WHITE else kind.lower()


def side_of(letter: str) -> int:
    """Whose man a letter is."""
    return WHITE if letter.isupper() else BLACK


def kind_of(letter: str) -> str:
    """The kind of a man, a pawn with the two-square right being a pawn."""
    kind = letter.upper()
    return "P" if kind == FRESH else kind
