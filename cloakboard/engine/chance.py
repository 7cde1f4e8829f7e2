"""Randomness from agreed draws only.

A *draw* is an integer in [0, 2**128) that no seat controls: the answer to a probe of form
DRAW. Rules turn draws into choices with the functions here and have no other source.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Final, TypeVar

from cloakboard.engine.codec import lp

DRAW_BYTES: Final = 16
DRAW_LIMIT: Final = 1 << 8 * DRAW_BYTES  # a draw lies in [0, DRAW_LIMIT)
_PERSON: Final = b"cloakboard/draw"
_COUNTER_BYTES: Final = 8

T = TypeVar("T")


def below(draw: int, limit: int) -> int:
    """An integer in [0, limit), as even as limit / 2**128: a bias below 2**-100 for every
    limit under 2**20."""
    assert 0 <= draw < DRAW_LIMIT, "a draw has 128 bits"
    assert limit > 0, "there is nothing to choose from"
    return draw * limit // DRAW_LIMIT


def choose(draw: int, items: Sequence[T]) -> T:
    """One of the items, all equally likely (`below`)."""
    return items[below(draw, len(items))]


def seeded_draw(seed: bytes, index: int) -> int:
    """Draw `index` (from 0) of a seed: what a table on one machine has for agreed draws."""
    data = lp(seed, index.to_bytes(_COUNTER_BYTES, "big"))
    hashed = hashlib.blake2b(data, digest_size=DRAW_BYTES, person=_PERSON)
    return int.from_bytes(hashed.digest(), "big")
