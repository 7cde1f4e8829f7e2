"""The start position of the standard game (WEC section 3, WEC-82)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

from msgspec.structs import replace

from cloakboard.engine.errors import BadSetup
from cloakboard.engine.wec.board import changed
from cloakboard.engine.wec.detection import is_seen
from cloakboard.engine.wec.fold import lying_order
from cloakboard.engine.wec.options import Values, agreed, complete
from cloakboard.engine.wec.pieces import GOVERNMENTS, WEAPONS
from cloakboard.engine.wec.state import (
    BLACK,
    SIDES,
    WHITE,
    Gear,
    Lock,
    Lying,
    Piece,
    Reserve,
    Secret,
    State,
    piece_order,
    square_at,
)

# Rows as printed, column 1 first; `+` joins what shares a square, R and L are hands, and K and
# Q stand for the pieces of the side's government.
PIECES: Final = MappingProxyType(
    {
        (BLACK, 1): "TA.R DO+SU CL.R CH.R+JE K Q CH.L+JE CL.L DO+SU TA.L",
        (BLACK, 2): "RP STP FP+AAA CP+DS SHP XP CP+DS FP+AAA STP RP",
        (WHITE, 9): "RP STP FP+AAA CP+DS SHP XP CP+DS FP+AAA STP RP",
        (WHITE, 10): "TA.L DO+SU CL.L CH.L+JE Q K CH.R+JE CL.R DO+SU TA.R",
    }
)
ARTICLES: Final = MappingProxyType(
    {
        3: "ASH TL BI+SL JP SC SC JP BI+SL TL SH",
        4: "ATL ASH SL AST AFL ARL ACS SL ASH ATL",
        5: "TL SH ASL ST XXX+FL XXX+RL CS ASL SH TL",
        6: "TL SH ASL CS XXX+RL XXX+FL ST ASL SH TL",
        7: "ATL ASH SL ACS ARL AFL AST SL ASH ATL",
        8: "SH TL BI+SL JP SC SC JP BI+SL TL ASH",
    }
)
# Activation squares: one row deep in the enemy's half.
RESERVES: Final = MappingProxyType(
    {
        (BLACK, 8): "TA.R DO SU JE Q DS JE SU AAA CL.L",
        (WHITE, 3): "CL.L AAA SU JE DS Q JE SU DO TA.R",
    }
)
HANDS: Final = MappingProxyType({"": "", "R": "right", "L": "left"})


def start(options: Mapping[str, Any], setup: str = "", seed: bytes = b"") -> State:
    """The full start position under `options` (changes from the standard). `setup` must be
    empty: the standard game. Raises `BadOption`, `BadSetup`."""
    if setup:
        raise BadSetup("Only the standard start position can be played; leave the setup empty")
    values = complete(options)
    state = State(
        options=values,
        pieces=_numbered(values, _locked(values, list(_pieces(values)))),
        lying=tuple(sorted(_articles(values), key=lying_order)),
        locks=(Lock(1, BLACK), Lock(2, WHITE)) if agreed(values)["stealth_lock_on"] else (),
        next_lock=3,
        reserves=tuple(_reserves(values)) if agreed(values)["reinforcements"] else (),
    )
    return _sighting(state)


def _cells(row: int, line: str) -> Iterator[tuple[int, str]]:
    """Each square of a row with each word that stands in it."""
    for column, words in enumerate(line.split(), 1):
        for word in words.split("+"):
            yield square_at(row, column), word


def _kind(values: Values, side: int, code: str) -> str:
    """K and Q stand for the primary and the secondary piece of the side (WEC-21)."""
    primary, secondary = GOVERNMENTS[agreed(values)[f"government.{side}"]]
    return {"K": primary, "Q": secondary}.get(code, code)


def _pieces(values: Values) -> Iterator[Piece]:
    for (side, row), line in PIECES.items():
        for square, word in _cells(row, line):
            code, _, hand = word.partition(".")
            kind = _kind(values, side, code)
            yield Piece(
                side=side,
                kind=kind,
                cell=square,
                hand=HANDS[hand],
                own_ready=(0,) * len(WEAPONS.get(kind, ())),
                unmoved=True,
            )


def _locked(values: Values, pieces: list[Piece]) -> list[Piece]:
    """Each Stealth Pawn locked on to the other: lock 1 is Black's, lock 2 White's."""
    if not agreed(values)["stealth_lock_on"]:
        return pieces
    return [
        changed(piece, own_lock=1 + piece.side, locked=2 - piece.side)
        if piece.kind == "SHP"
        else piece
        for piece in pieces
    ]


def _numbered(values: Values, pieces: list[Piece]) -> tuple[Piece, ...]:
    """The pieces in order, those that the enemy sees with handles from 1 (WEC-97)."""
    options = agreed(values)
    watchers = {
        side: [piece for piece in pieces if piece.side == side and is_seen(options, piece, (), 1)]
        for side in SIDES
    }
    numbered, handle = [], 0
    for piece in sorted(pieces, key=piece_order):
        if is_seen(options, piece, watchers[1 - piece.side], 1):
            handle += 1
            piece = changed(piece, handle=handle)
        numbered.append(piece)
    return tuple(sorted(numbered, key=piece_order))


def _sighting(state: State) -> State:
    """The state with what each side's unseen detectors see."""
    options = agreed(state.options)
    secrets = tuple(
        Secret(
            sighted=tuple(
                piece
                for piece in state.pieces
                if piece.side != side
                and not piece.handle
                and is_seen(options, piece, [one for one in state.pieces if one.side == side], 1)
            )
        )
        for side in SIDES
    )
    return replace(state, secrets=secrets, next_handle=1 + max(p.handle for p in state.pieces))


def _articles(values: Values) -> Iterator[Lying]:
    counts = agreed(values)
    for row, line in ARTICLES.items():
        for square, kind in _cells(row, line):
            if counts[f"articles.{kind}"]:
                yield Lying(square, Gear(kind))


def _reserves(values: Values) -> Iterator[Reserve]:
    """In the order of sides and squares (WEC-82)."""
    for (side, row), line in RESERVES.items():
        for square, word in _cells(row, line):
            code, _, hand = word.partition(".")
            yield Reserve(side, square, _kind(values, side, code), HANDS[hand])
