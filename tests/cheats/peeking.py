"""A machine that tries to read more out of the answers it gets than it asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from unittest.mock import patch

from cloakboard.netplay.veil import group, lookup
from cloakboard.netplay.veil.rows import (
    LOCATOR_BYTES,
    Context,
    key_name,
    open_row,
    row_keys,
    split_rows,
)


@dataclass
class Loot:
    """Rows that opened, by what their key was: asked for, or not. `tries`: keys tried."""

    asked: int = 0
    unasked: list[tuple[str, int]] = field(default_factory=list)
    tries: int = 0


@contextmanager
def peeking(seat: int, keys: Sequence[int]) -> Iterator[Loot]:
    """While it lasts, the machine of a seat tries each of these keys on every row it gets, with
    every one of its blinded points."""
    loot, read = Loot(), lookup.read

    def reads(secret: Any, ctx: Context, wanted: Any, points: int, *rest: Any, **more: Any) -> Any:
        reading = read(secret, ctx, wanted, points, *rest, **more)
        if ctx.asker == seat and not more.get("again"):
            _peek(loot, lookup.slots_of(secret, ctx, wanted, points), ctx, keys, set(wanted), rest)
        return reading

    with patch.object(lookup, "read", reads):
        yield loot


def _peek(
    loot: Loot, slots: lookup.Slots, ctx: Context, keys: Any, wanted: set[int], rest: Any
) -> None:
    asked, answer, rows, label_bytes = rest[:4]
    table = split_rows(answer.rows, rows, label_bytes)
    name_row = row_keys(ctx, group.pack(asked))
    opened: set[int] = set()
    for slot, point in zip(slots, group.unpack(answer.points, len(slots)), strict=True):
        element = group.mul(group.inverse(slot.factor), point)
        for key in keys:
            loot.tries += 1
            row_key = name_row(key_name(key), element)
            body = table.get(row_key[:LOCATOR_BYTES])
            if body is not None and open_row(row_key, body) is not None:
                opened.add(key)
    loot.asked += len(opened & wanted)
    loot.unasked += [(ctx.kind, key) for key in sorted(opened - wanted)]
