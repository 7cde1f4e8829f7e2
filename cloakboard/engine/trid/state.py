"""The state of a table of tri-dimensional chess. Nothing in it is hidden: every seat's view and
the public state are the state itself.

Squares, pins and sides are numbers as in `board`; seats are sides: 0 White, 1 Black.
"""

from __future__ import annotations

from typing import Final

import msgspec

from cloakboard.engine.codec import digest, encode
from cloakboard.engine.trid.board import WHITE
from cloakboard.engine.trid.options import Values, variant

NOWHERE: Final = -1
RIGHTS: Final = "KQkq"  # kingside and queenside, White's and Black's
FIFTY: Final = 100  # half-moves without progress that end the match (TD-85)
THRICE: Final = 3  # occurrences of one position that end it (TD-84)
_KEY_BYTES: Final = 16

CHECKMATE: Final = "checkmate"
STALEMATE: Final = "stalemate"
BARE_KINGS: Final = "bare kings"
FIFTY_MOVES: Final = "fifty moves"
REPETITION: Final = "repetition"
ENDS: Final = (CHECKMATE, STALEMATE, BARE_KINGS, FIFTY_MOVES, REPETITION)


class AttackBoard(msgspec.Struct, frozen=True, array_like=True):
    """An attack board: the pin it stands on, and whose it was first (TD-61)."""

    pin: int
    owner: int


class State(msgspec.Struct, frozen=True, kw_only=True):
    """A table.

    options     the agreed values, sorted by name
    boards      the four attack boards by ascending pin
    men         who stands on each of the 96 squares: KQRBNP, D for a pawn that may still advance
                two squares, capitals White's, or a dot. Squares of free pins hold a dot
    side        whose turn it is
    castling    those of KQkq whose king and rook have never moved
    en_passant  the square of the pawn that has just advanced two squares, if it can be taken in
                passing now, else NOWHERE (TD-56)
    counter     half-moves since the last capture, pawn move or promotion (TD-85)
    number      from 1, raised after Black's move
    seen        keys of the positions since then, this one last (TD-84)
    ended       one of ENDS, or empty while the match goes on
    """

    options: Values
    boards: tuple[AttackBoard, ...]
    men: str
    side: int = WHITE
    castling: str = ""
    en_passant: int = NOWHERE
    counter: int = 0
    number: int = 1
    seen: tuple[bytes, ...] = ()
    ended: str = ""


def placement(state: State) -> int:
    """The set of pins that hold attack boards."""
    return sum(1 << board.pin for board in state.boards)


def key(state: State) -> bytes:
    """Equal for equal positions (TD-84), 16 bytes."""
    owned = variant(state.options).empty_moves
    boards = tuple((one.pin, one.owner if owned else NOWHERE) for one in state.boards)
    same = (boards, state.men, state.side, state.castling, state.en_passant)
    return digest("trid-position", encode(same))[:_KEY_BYTES]
