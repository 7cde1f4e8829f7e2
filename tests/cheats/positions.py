"""Positions of Weaponized Chess in which each lie can be told within a Turn or two."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from cloakboard.engine.wec import WeaponizedChess
from cloakboard.engine.wec.options import complete
from cloakboard.engine.wec.state import AIR, SUB, WHITE, Piece, State
from tests.engine.wec.build import cell, piece, state


class Position(WeaponizedChess):
    """The rules of WEC from a position made by hand."""

    id: str = "wec-position"

    def __init__(self, pieces: tuple[Piece, ...]) -> None:
        self._start = state(pieces)

    def start(self, options: Mapping[str, Any], setup: str = "", seed: bytes = b"") -> State:
        return replace(self._start, options=complete(options))


SUB_AT = cell(4, 4, SUB)  # Black's, unseen
AAA_AT = cell(4, 7)  # Black's, unseen
FAR_SUB_AT = cell(9, 9, SUB)  # White's, farther off than Black's Sub sees
NEAR_SUB_AT = cell(5, 2, SUB)  # White's; it sees Black's Sub and is seen by it


def crowd(sub_at: int = SUB_AT, aaa_at: int = AAA_AT, depth_at: int = cell(9, 1)) -> Position:
    """Unseen pieces of both sides near seen ones. White's King can step on Black's AAA; Black's
    stun gun at (3, 2) has White's AAA before White's Pawn in its line. `depth_at`: White's
    Depth Seeker, which sees Subs within three squares."""
    return Position(
        (
            piece("K", 1, 5),
            piece("STP", 3, 2),
            piece("CH", 2, 9, level=AIR, hand="right"),
            piece("SU", 4, 4, hidden=True, cell=sub_at),
            piece("AAA", 4, 7, hidden=True, cell=aaa_at),
            piece("K", 5, 8, WHITE),
            piece("FP", 5, 7, WHITE),
            piece("FP", 8, 2, WHITE),
            piece("DS", 9, 1, WHITE, cell=depth_at),
            piece("AAA", 6, 2, WHITE, hidden=True),
            piece("SU", 9, 9, WHITE, SUB, hidden=True),
            piece("SU", 5, 2, WHITE, SUB, hidden=True),
        )
    )
