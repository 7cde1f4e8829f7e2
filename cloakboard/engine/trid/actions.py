"""What a seat can do (TD-22). Resigning and draws by agreement are the table's (TD-87)."""

from __future__ import annotations

import msgspec


class Action(msgspec.Struct, frozen=True, tag=True):
    """One turn."""


class Move(Action, frozen=True, tag=True):
    """A man's move, captures and en passant too. `promotion`: Q, R, B or N, or empty."""

    origin: int
    target: int
    promotion: str = ""


class MoveBoard(Action, frozen=True, tag=True):
    """An attack board's move from `pin` to pin `to`, `turned` by a half turn or not (TD-60..69).
    `promotion`: what an own pawn that then stands on a promotion square becomes (TD-55)."""

    pin: int
    to: int
    turned: bool = False
    promotion: str = ""


class Castle(Action, frozen=True, tag=True):
    """Castling, kingside or queenside (TD-70..75)."""

    queenside: bool = False


AnyAction = Move | MoveBoard | Castle
