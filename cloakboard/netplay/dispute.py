"""Who is at fault when an answer does not open (VEIL 5).

1. The asker found a row at one of its keys that is broken, or opens to no label. It opens
   that key and its `a`. *Answers a dispute out of thin air*: the point must be in the list.
2. The owner opens `b`. The match stops here, so it costs nothing that the whole answer then
   lies open. *Answers a `b` that was never used*: every point must be `b` times the one asked.
3. Anybody works out the row, and sees whether it is broken.

Both scalars are of this lookup alone and say nothing of S. What is absent is no dispute: an
owner that leaves a row out, or answers one point with another `b`, is found by the audit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cloakboard.netplay import group
from cloakboard.netplay.errors import Malformed
from cloakboard.netplay.group import Point
from cloakboard.netplay.lookup import KEY_LIMIT, Reply
from cloakboard.netplay.rows import (
    LOCATOR_BYTES,
    Context,
    key_name,
    open_row,
    row_keys,
    split_rows,
)


def at_fault(
    ctx: Context,
    asked: Sequence[Point],
    answer: Reply,
    rows: int,
    label_bytes: int,
    *,
    key: int,
    asker_scalar: bytes,
    owner_scalar: bytes,
    is_label: Callable[[bytes], bool],
) -> int:
    """The seat at fault: `ctx.asker` or `ctx.owner`.

    The question and answer must have passed `check_query` and `check_reply`; the scalars are
    32 bytes each as the seats opened them. `is_label` says whether bytes are a label of this
    kind in its canonical form. Raises `Malformed` if the answer never had the form of one.
    """
    table = split_rows(answer.rows, rows, label_bytes)
    answered = group.unpack(answer.points, len(asked))
    if not _asked(ctx, asked, key, asker_scalar):
        return ctx.asker
    try:
        factor = group.read_scalar(owner_scalar)
    except Malformed:
        return ctx.owner
    if any(group.mul(factor, point) != back for point, back in zip(asked, answered, strict=True)):
        return ctx.owner
    element = group.mul(factor, group.hash_to_point(ctx.kind, key))
    row_key = row_keys(ctx, group.pack(asked))(key_name(key), element)
    body = table.get(row_key[:LOCATOR_BYTES])
    if body is None:
        return ctx.asker
    label = open_row(row_key, body)
    return ctx.owner if label is None or not is_label(label) else ctx.asker


def _asked(ctx: Context, asked: Sequence[Point], key: int, asker_scalar: bytes) -> bool:
    if not 0 <= key < KEY_LIMIT:
        return False
    try:
        factor = group.read_scalar(asker_scalar)
    except Malformed:
        return False
    return group.mul(factor, group.hash_to_point(ctx.kind, key)) in asked
