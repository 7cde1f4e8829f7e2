"""Moves as text for machines (TRID 10.1): `a2W-a4N`, `b7B-b8B=Q`, `QL2-QL4r`, `O-O`.

Each legal move has one such text, and the text alone says which action it is.
"""

from __future__ import annotations

import re
from typing import Final

from cloakboard.engine.errors import Malformed
from cloakboard.engine.trid.actions import Action, Castle, Move, MoveBoard
from cloakboard.engine.trid.board import NAMED, NAMES, PINS

PIN: Final = "[QK]L[1-6]"
SQUARE: Final = f"[zabcde][0-9](?:[WNB]|{PIN})"
_MOVE: Final = re.compile(f"({SQUARE})-({SQUARE})(?:=([QRBN]))?")
_BOARD: Final = re.compile(f"({PIN})-({PIN})(r?)(?:=([QRBN]))?")
CASTLINGS: Final = {"O-O": Castle(), "O-O-O": Castle(queenside=True)}
_SAID: Final = {action: text for text, action in CASTLINGS.items()}


def write_move(action: Action) -> str:
    """The text of an action."""
    if isinstance(action, Castle):
        return _SAID[action]
    if isinstance(action, Move):
        return f"{NAMES[action.origin]}-{NAMES[action.target]}{promoted(action.promotion)}"
    assert isinstance(action, MoveBoard)
    turned = "r" if action.turned else ""
    return f"{PINS[action.pin]}-{PINS[action.to]}{turned}{promoted(action.promotion)}"


def read_move(text: str) -> Action:
    """The action of a text, legal or not. Raises `Malformed`."""
    if text in CASTLINGS:
        return CASTLINGS[text]
    if found := _MOVE.fullmatch(text):
        origin, target, kind = found.groups()
        if origin in NAMED and target in NAMED:
            return Move(NAMED[origin], NAMED[target], kind or "")
        wrong = target if origin in NAMED else origin
        raise Malformed(f"There is no square {wrong}; a square is file, rank and board: b3N")
    if found := _BOARD.fullmatch(text):
        pin, to, turned, kind = found.groups()
        return MoveBoard(PINS.index(pin), PINS.index(to), bool(turned), kind or "")
    raise Malformed(
        f"{text!r} is no move; write a2W-a4N, b7B-b8B=Q, QL2-KL2, QL2-KL2r, O-O or O-O-O"
    )


def promoted(kind: str) -> str:
    """`=Q`, or nothing."""
    return f"={kind}" if kind else ""
