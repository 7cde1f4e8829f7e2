"""What hides a piece, and what shows it: judgments on known facts, without a question.

WEC-90 to WEC-96. Who sees whom at the end of a Turn is `is_seen`; the settlement itself is
`sight.settle`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Final

from cloakboard.engine.wec.headings import distance
from cloakboard.engine.wec.kit import has
from cloakboard.engine.wec.options import agreed
from cloakboard.engine.wec.pieces import CARRIERS, HOME
from cloakboard.engine.wec.state import AIR, GROUND, SQUARES, SUB, Piece, State

STEALTH: Final = "stealth"
SUBMERSION: Final = "submersion"
CELLS: Final = 3 * SQUARES
CARRIES_AT: Final = {"SU": SUB, "CH": AIR}  # where a carrier holds up its passenger (WEC-47)
assert CARRIES_AT.keys() == CARRIERS

Options = Mapping[str, Any]


def hidden_by(options: Options, piece: Piece) -> str:
    """`STEALTH`, `SUBMERSION`, or "" if nothing hides the piece (WEC-90). Where both hide it,
    the dominant one (WEC-96)."""
    submerged = piece.level == SUB and options["sub_invisible"]
    stealthed = options["stealth_invisible"] and has(piece, "SH")
    if submerged and stealthed:
        return str(options["dominance"])
    return SUBMERSION if submerged else STEALTH if stealthed else ""


def fires_seen(options: Options, piece: Piece) -> bool:
    """Whether firing shows the piece although something hides it (WEC-95, WEC-96)."""
    hiding = hidden_by(options, piece)
    if hiding == STEALTH:
        return bool(options["seen_when_firing_stealth"])
    return hiding == SUBMERSION and bool(options["seen_when_firing_sub"])


def is_seen(options: Options, piece: Piece, watchers: Iterable[Piece], ended: int) -> bool:
    """Whether there is a reason for the enemy to see the piece at the settlement that ends
    Turn `ended` (WEC-97). `watchers`: the enemy pieces that count as public detectors."""
    hiding = hidden_by(options, piece)
    if not hiding or piece.shown_till >= ended:
        return True
    if piece.locked and (hiding == STEALTH or options["dominance"] == STEALTH):
        return True
    reach = _reach(options, hiding)
    for watcher in watchers:
        if watcher.cell == piece.cell:  # an opposed pair (WEC-58)
            return True
        if (
            reach is not None
            and has(watcher, DETECTORS[hiding])
            and distance(watcher.square, piece.square) <= reach
        ):
            return True
    return False


DETECTORS: Final = {STEALTH: "ASH", SUBMERSION: "TL"}  # WEC-92, WEC-93


def _reach(options: Options, hiding: str) -> int | None:
    """How far detectors of that kind see, None if they see nothing (WEC-92, WEC-93)."""
    if hiding == SUBMERSION:
        return int(options["sub_range"])
    return int(options["stealth_range"]) if options["stealth_range_detection"] else None


def searched(options: Options) -> tuple[str, ...]:
    """The kinds of hiding that detectors can see through, `SUBMERSION` first."""
    kinds = []
    if options["sub_invisible"]:
        kinds.append(SUBMERSION)
    if options["stealth_invisible"] and options["stealth_range_detection"]:
        kinds.append(STEALTH)
    return tuple(kinds)


def sight_key(hiding: str, cell: int) -> int:
    """Key of a cell in a sight lookup. The kinds of detection have keys of their own, since a
    detector of one kind may not learn what only the other shows."""
    return cell if hiding == SUBMERSION else CELLS + cell


def zone_keys(state: State, seat: int) -> tuple[int, ...]:
    """The sight keys that a seat's detectors cover, ascending (WEC-92, WEC-93)."""
    options = agreed(state.options)
    keys: set[int] = set()
    for hiding in searched(options):
        reach = _reach(options, hiding)
        assert reach is not None
        for piece in state.pieces:
            if piece.side == seat and has(piece, DETECTORS[hiding]):
                keys.update(_keys_around(hiding, piece.square, reach))
    return tuple(sorted(keys))


@cache
def _keys_around(hiding: str, square: int, reach: int) -> tuple[int, ...]:
    levels = (SUB,) if hiding == SUBMERSION else (GROUND, AIR, SUB)
    return tuple(
        sight_key(hiding, level * SQUARES + near)
        for near in around(square, reach)
        for level in levels
    )


def around(square: int, reach: int) -> tuple[int, ...]:
    """The squares within a distance (WEC-94), the middle one included, ascending."""
    row, column = divmod(square, 10)
    return tuple(
        10 * r + c
        for r in range(max(0, row - reach), min(10, row + reach + 1))
        for c in range(max(0, column - reach), min(10, column + reach + 1))
    )


def stands_alone(piece: Piece) -> bool:
    """Whether the piece needs no carrier where it is: at Ground, at home, or in flight
    (WEC-47)."""
    return piece.level == GROUND or piece.kind in HOME[piece.level] or piece.flight is not None


def holds_up(piece: Piece) -> bool:
    """Whether the piece can carry another where it is (WEC-46, WEC-47)."""
    return CARRIES_AT.get(piece.kind) == piece.level
