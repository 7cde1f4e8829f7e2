"""WEC from crowded random positions, where the unseen meets the unseen all the time.

From the standard start position random play meets few hidden pieces. The laws also follow
this game: the rules of WEC, the start position drawn from the seed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from cloakboard.engine.chance import choose, seeded_draw
from cloakboard.engine.wec import WeaponizedChess
from cloakboard.engine.wec.board import may_share
from cloakboard.engine.wec.detection import is_seen
from cloakboard.engine.wec.options import agreed, complete
from cloakboard.engine.wec.pieces import ARTICLES, HANDED, WEAPONS
from cloakboard.engine.wec.state import (
    AIR,
    GROUND,
    SIDES,
    SUB,
    Gear,
    Piece,
    Secret,
    State,
    piece_order,
    square_at,
)

MIDDLE: Final = range(3, 9)  # rows and columns of the crowd
KINDS: Final = (
    "K", "AAA", "AAA", "SU", "SU", "SU", "CH", "CH", "JE", "DS", "DO", "STP", "FP", "CP", "RP",
    "TA", "SHP",
)  # fmt: skip
LEVELS: Final = {"SU": (SUB, SUB, GROUND), "CH": (AIR, GROUND), "JE": (AIR, GROUND)}
GEAR: Final = (*ARTICLES, "SH", "SH", "SH", "JP", "SC", "ST", "")


class Skirmish(WeaponizedChess):
    """WEC with a crowd of pieces in the middle, drawn from the seed, and nothing in reserve."""

    id: str = "wec-skirmish"
    title: str = "Weaponized Chess, crowded"

    def start(self, options: Mapping[str, Any], setup: str = "", seed: bytes = b"") -> State:
        values = complete(options)
        rules = agreed(values)
        pieces = sorted(_crowd(seed), key=piece_order)
        watchers = {
            side: [one for one in pieces if one.side == side and is_seen(rules, one, (), 1)]
            for side in SIDES
        }
        numbered: list[Piece] = []
        handle = 0
        for one in pieces:
            if is_seen(rules, one, watchers[1 - one.side], 1):
                handle += 1
                numbered.append(_with_handle(one, handle))
            else:
                numbered.append(one)
        secrets = tuple(
            Secret(
                sighted=tuple(
                    one
                    for one in sorted(numbered, key=piece_order)
                    if one.side != side
                    and not one.handle
                    and is_seen(rules, one, [own for own in numbered if own.side == side], 1)
                )
            )
            for side in SIDES
        )
        return State(
            options=values,
            pieces=tuple(sorted(numbered, key=piece_order)),
            secrets=secrets,
            next_handle=handle + 1,
        )


def _with_handle(piece: Piece, handle: int) -> Piece:
    fields = {name: getattr(piece, name) for name in Piece.__struct_fields__}
    return Piece(**{**fields, "handle": handle})


def _crowd(seed: bytes) -> Iterator[Piece]:
    """Both sides' pieces, each in a drawn cell that will take it."""
    draws = (seeded_draw(seed, index) for index in range(10_000))
    placed: list[Piece] = []
    for kind in KINDS:
        for side in SIDES:
            gear = choose(next(draws), GEAR)
            if kind == "K" and gear == "SH":  # WEC-33
                gear = ""
            hand = choose(next(draws), ("left", "right")) if kind in HANDED else ""
            while True:
                level = choose(next(draws), LEVELS.get(kind, (GROUND,)))
                square = square_at(choose(next(draws), MIDDLE), choose(next(draws), MIDDLE))
                piece = Piece(
                    side=side,
                    kind=kind,
                    cell=level * 100 + square,
                    hand=hand,
                    gear=(Gear(gear),) if gear else (),
                    own_ready=(0,) * len(WEAPONS.get(kind, ())),
                )
                if may_share([*(one for one in placed if one.cell == piece.cell), piece]):
                    break
            placed.append(piece)
    yield from placed
