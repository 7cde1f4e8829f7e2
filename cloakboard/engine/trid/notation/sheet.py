"""Moves as people write them on a score sheet (TRID 10.2): `Nb3W`, `bWxa3N`, `KL1r`, `O-O+`.

A text is short and says which move is meant only together with the position before it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Final

from cloakboard.engine.errors import Malformed
from cloakboard.engine.trid.actions import Action, Castle, Move, MoveBoard
from cloakboard.engine.trid.board import BOARD, BOARDS, FILE, FILES, NAMED, NAMES, PINS, RANK
from cloakboard.engine.trid.moves import legal
from cloakboard.engine.trid.notation.moves import PIN, SQUARE, promoted, read_move, write_move
from cloakboard.engine.trid.pieces import EMPTY, KINDS, PAWN, kind_of
from cloakboard.engine.trid.position import Position, position
from cloakboard.engine.trid.rules import taken_by
from cloakboard.engine.trid.state import State

IN_PASSING: Final = "e.p."
_END: Final = rf"(?:=([QRBN]))?(?: ?{re.escape(IN_PASSING)})?[+#]?"
_MAN: Final = re.compile(rf"([KQRBN]?)([zabcde]?)([0-9]?)([WNB]|{PIN})?(x?)({SQUARE}){_END}")
_BOARD: Final = re.compile(rf"(?:({PIN})-)?({PIN})(r?){_END}")
_CASTLING: Final = re.compile(r"([O0](?:-[O0]){1,2})[+#]?")

# How a man may be told from others that could go to the same square: nothing, file, rank,
# board, then as many of them as are needed.
_TELLINGS: Final = ("", "f", "r", "b", "fr", "fb", "rb", "frb")
_PAWN_TELLINGS: Final = ("fb", "frb")
_PARTS: Final[dict[str, Callable[[int], str]]] = {
    "f": lambda square: FILES[FILE[square]],
    "r": lambda square: str(RANK[square]),
    "b": lambda square: BOARDS[BOARD[square]],
}


def write_short(state: State, action: Action) -> str:
    """A legal action as on a score sheet, from the state before it."""
    placed = position(state)
    offered = list(legal(placed).actions())
    if isinstance(action, Castle):
        said = write_move(action)
    elif isinstance(action, Move):
        said = _man(state, action, offered)
    else:
        assert isinstance(action, MoveBoard)
        said = _board(action, offered)
    return said + _mark(placed.after(action))


def read_short(state: State, text: str) -> Action:
    """The legal action that a score sheet's text means; the text for machines is read too.
    Raises `Malformed`. A wrong or missing `+`, `#`, `x` or `e.p.` is passed over."""
    offered = list(legal(position(state)).actions())
    meant = [action for action in offered if write_move(action) == text]
    meant = meant or [action for action in offered if _means(state, text, action)]
    if len(meant) == 1:
        return meant[0]
    if meant:
        which = " or ".join(write_short(state, action) for action in meant)
        raise Malformed(f"{text!r} could be {which}; say which")
    if not any(form.fullmatch(text) for form in (_MAN, _BOARD, _CASTLING)):
        read_move(text)
    raise Malformed(f"{text!r} is not a legal move here; see the marked squares")


def _mark(after: Position) -> str:
    found = legal(after)
    if not found.checkers:
        return ""
    return "+" if found.any() else "#"


def _man(state: State, action: Move, offered: Iterable[Action]) -> str:
    kind = kind_of(state.men[action.origin])
    taken = taken_by(state, action) >= 0
    letter = "" if kind == KINDS[PAWN] else kind
    rivals = {
        one.origin
        for one in offered
        if isinstance(one, Move)
        and one.target == action.target
        and one.origin != action.origin
        and kind_of(state.men[one.origin]) == kind
    }
    tellings = _PAWN_TELLINGS if not letter and (taken or rivals) else _TELLINGS
    told = next(
        said
        for telling in tellings
        if (said := _told(telling, action.origin)) not in {_told(telling, one) for one in rivals}
    )
    in_passing = IN_PASSING if taken and state.men[action.target] == EMPTY else ""
    cross = "x" if taken else ""
    return f"{letter}{told}{cross}{NAMES[action.target]}{promoted(action.promotion)}{in_passing}"


def _told(telling: str, square: int) -> str:
    return "".join(_PARTS[part](square) for part in telling)


def _board(action: MoveBoard, offered: Iterable[Action]) -> str:
    rivals = any(
        isinstance(one, MoveBoard) and one.to == action.to and one.pin != action.pin
        for one in offered
    )
    start = f"{PINS[action.pin]}-" if rivals else ""
    turned = "r" if action.turned else ""
    return f"{start}{PINS[action.to]}{turned}{promoted(action.promotion)}"


def _means(state: State, text: str, action: Action) -> bool:
    """Whether a text can mean a legal action."""
    if isinstance(action, Castle):
        found = _CASTLING.fullmatch(text)
        return found is not None and found[1].replace("0", "O") == write_move(action)
    if isinstance(action, MoveBoard):
        found = _BOARD.fullmatch(text)
        return found is not None and (
            found[1] in (None, PINS[action.pin])
            and found[2] == PINS[action.to]
            and bool(found[3]) == action.turned
            and (found[4] or "") == action.promotion
        )
    assert isinstance(action, Move)
    found = _MAN.fullmatch(text)
    if found is None or NAMED.get(found[6]) != action.target:
        return False
    kind = kind_of(state.men[action.origin])
    return (
        (found[1] or KINDS[PAWN]) == kind
        and found[2] in ("", FILES[FILE[action.origin]])
        and found[3] in ("", str(RANK[action.origin]))
        and found[4] in (None, BOARDS[BOARD[action.origin]])
        and (found[7] or "") == action.promotion
    )
