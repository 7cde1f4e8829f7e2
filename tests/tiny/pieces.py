"""The tokens of Line and what each can do."""

from __future__ import annotations

import enum
from typing import Final

import msgspec


class Kind(enum.IntEnum):
    """What a token is."""

    RUNNER = 1  # leaps and rolls
    GUNNER = 2  # shoots
    SCOUT = 3  # sees while it is hidden


STEPS: Final = {Kind.RUNNER: 3, Kind.GUNNER: 1, Kind.SCOUT: 2}  # cells a shown token steps
CREEP: Final = 2  # cells a hidden token creeps; the second one takes a unit of fuel
CELLS: Final = 24  # of the longest line
SHOT: Final = 5  # cells a shot flies
ZONE: Final = 2  # cells to each side that a hidden scout sees
TOKENS: Final = 3  # of each seat


class Token(msgspec.Struct, frozen=True, order=True, tag=True):
    """A token of a seat that the context names. `cell` counts from 0."""

    cell: int
    kind: Kind
