"""The labelled blind lookup: an asker learns the labels of exactly its keys (VEIL 5).

1. `ask`: the asker sends P points, `a * H(key)` for each key and `r * G` for the rest, in a
   derived order. *Answers reading the question*: every point is uniform whatever its key.
2. `reply`: the answerer multiplies each by one fresh `b` and adds Q rows, one a key it holds,
   the rest fillers. *Answers reading more than was asked*: a row opens only with
   `b * H(key)`, and P points give P of those at most. A filler hangs on 256 derived bits
   that no key has, so not even their number can be asked for.
3. `read`: the asker divides by `a` and opens the rows it finds.

Work depends on no secret: `ask` multiplies P times whether a point is dummy or not, `reply`
P + Q times, `read` P times with as many openings. Otherwise the time of an automatic answer
would count hidden pieces. The audit, which nobody times, uses `expected_query` and
`expected_reply`: the same bytes for less work; so does a machine that reads its own journal.

The form is that of 2HashDH (cf. RFC 9497); nothing here proves that `b` was one and the
same, or a row true: the audit recomputes both.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import msgspec

from cloakboard.netplay.errors import Malformed
from cloakboard.netplay.veil import group
from cloakboard.netplay.veil.group import GENERATOR, Point, Scalar
from cloakboard.netplay.veil.rows import (
    LOCATOR_BYTES,
    MAC_BYTES,
    NAME_BYTES,
    asked_hash,
    close_row,
    filler_name,
    key_name,
    open_row,
    row_keys,
    split_rows,
)
from cloakboard.netplay.veil.rows import Context as Context
from cloakboard.netplay.veil.secrets import SeatSecret, tagged

KEY_LIMIT: Final = 1 << 32

_NO_KEY: Final = KEY_LIMIT  # where a key would stand: of a dummy, of a filler


class Reply(msgspec.Struct, frozen=True):
    """`points`: P times 32 bytes, in the order asked; `rows`: Q rows of locator, hidden label
    and MAC, by rising locator."""

    points: bytes
    rows: bytes


Found = tuple[tuple[int, bytes], ...]
"""What a reply held: (key, label) in the order of the keys."""


def ask(
    secret: SeatSecret,
    ctx: Context,
    keys: Sequence[int],
    points: int,
    slots: Slots | None = None,
) -> tuple[Point, ...]:
    """The question of `keys` (distinct, at most `points`) as exactly `points` points. `slots`,
    here and below: those of `slots_of` for the same question, if they are at hand."""
    slots = slots or slots_of(secret, ctx, keys, points)
    return _query(ctx, slots, lambda factor: group.mul(factor, GENERATOR))


def expected_query(
    secret: SeatSecret,
    ctx: Context,
    keys: Sequence[int],
    points: int,
    slots: Slots | None = None,
) -> tuple[Point, ...]:
    """What `ask` gives, for the audit: dummies at a fifth of the work."""
    return _query(ctx, slots or slots_of(secret, ctx, keys, points), group.base_mul)


def reply(
    secret: SeatSecret,
    ctx: Context,
    asked: Sequence[Point],
    entries: Mapping[int, bytes],
    rows: int,
    label_bytes: int,
) -> Reply:
    """The answer to a question, from what the owner holds (at most `rows` entries).

    Raises `Malformed` for equal points or one outside the group.
    """
    _check_distinct(asked)
    answer = _Answer(secret, ctx, group.pack(asked), entries, rows, label_bytes)
    answered = [group.mul(answer.factor, point) for point in asked]
    elements = [group.mul(answer.factor, _point(ctx.kind, key)) for key in answer.keys]
    return Reply(points=group.pack(answered), rows=answer.rows(elements))


def expected_reply(
    secret: SeatSecret,
    asker: SeatSecret,
    ctx: Context,
    keys: Sequence[int],
    asked: Sequence[Point],
    entries: Mapping[int, bytes],
    rows: int,
    label_bytes: int,
    slots: Slots | None = None,
) -> Reply:
    """What `reply` gives, for the audit, which holds both secrets; dummies and fillers cost
    little. `asked` must already equal `expected_query(asker, ctx, keys, len(asked))`."""
    answer = _Answer(secret, ctx, group.pack(asked), entries, rows, label_bytes)
    slots = slots or slots_of(asker, ctx, keys, len(asked))
    answered = [
        group.base_mul(group.product(answer.factor, slot.factor))
        if slot.key == _NO_KEY
        else group.mul(answer.factor, point)
        for slot, point in zip(slots, asked, strict=True)
    ]
    filler = group.base_mul(answer.factor)
    elements = [
        filler if key == _NO_KEY else group.mul(answer.factor, _point(ctx.kind, key))
        for key in answer.keys
    ]
    return Reply(points=group.pack(answered), rows=answer.rows(elements))


def read(
    secret: SeatSecret,
    ctx: Context,
    keys: Sequence[int],
    points: int,
    asked: Sequence[Point],
    answer: Reply,
    rows: int,
    label_bytes: int,
    slots: Slots | None = None,
    *,
    again: bool = False,
) -> Found:
    """What an answer says of the keys. `again`: by the work of the keys alone, of an answer that
    was not refused when this machine first read it.

    Raises `Malformed` for wrong counts, locators that do not rise strictly, equal points or
    one outside the group. A row whose MAC fails, which only a false answer has, counts as
    absent: the audit names whoever wrote it.
    """
    answered = group.unpack(answer.points, points)
    _check_distinct(answered)
    table = split_rows(answer.rows, rows, label_bytes)
    blank = bytes(label_bytes + MAC_BYTES)
    slots = slots or slots_of(secret, ctx, keys, points)
    name_row = row_keys(ctx, group.pack(asked))
    found: dict[int, bytes] = {}
    placed = list(zip(slots, answered, strict=True))
    if again:
        placed = [(slot, point) for slot, point in placed if slot.key != _NO_KEY]
    unblind = group.inverses([slot.factor for slot, _ in placed])
    for factor, (slot, point) in zip(unblind, placed, strict=True):
        row_key = name_row(key_name(slot.key), group.mul(factor, point))
        body = table.get(row_key[:LOCATOR_BYTES])
        label = open_row(row_key, body or blank)
        if body is not None and label is not None:
            found[slot.key] = label
    return expected_reading(keys, found)


def expected_reading(keys: Sequence[int], entries: Mapping[int, bytes]) -> Found:
    """What `read` gives of a reply that equals `expected_reply`, for the audit."""
    return tuple((key, entries[key]) for key in keys if key in entries)


def check_query(asked: Sequence[Point], points: int) -> None:
    """Raises `Malformed` unless these are `points` different points of the group."""
    if len(asked) != points:
        raise Malformed(f"a lookup has {len(asked)} points, not {points}", what="points")
    _check_distinct(asked)
    for point in asked:
        group.check(point)


def check_reply(answer: Reply, points: int, rows: int, label_bytes: int) -> None:
    """Raises `Malformed` unless an answer has the form of one; for those who cannot read it."""
    check_query(group.unpack(answer.points, points), points)
    split_rows(answer.rows, rows, label_bytes)


# --- the asker's side ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True, repr=False)
class Slot:
    """One place of a question: its key (`_NO_KEY`: a dummy) and its blinding."""

    key: int
    factor: Scalar
    order: bytes


Slots = Sequence[Slot]


def slots_of(secret: SeatSecret, ctx: Context, keys: Sequence[int], points: int) -> Slots:
    """The places of a question in the order they are sent.

    All hang on a seed bound to the whole list of keys, so that two lists under one lookup
    number would have nothing in common.
    """
    assert (secret.match, secret.seat) == (ctx.match, ctx.asker)
    assert len(set(keys)) == len(keys) <= points
    assert all(0 <= key < KEY_LIMIT for key in keys)
    padded = [*keys, *[_NO_KEY] * (points - len(keys))]
    bound = (ctx.version, ctx.epoch, ctx.lookup, ctx.kind, ctx.asker, ctx.owner)
    seed = secret.prf("ask", *bound, tagged("cloak/keys/1", *padded))
    slots = [
        Slot(
            key,
            group.scalar(_expand(seed, b"blind", number, key)),
            _expand(seed, b"order", number, key),
        )
        for number, key in enumerate(padded)
    ]
    return sorted(slots, key=lambda slot: slot.order)


def _query(ctx: Context, slots: Slots, dummy: Callable[[Scalar], Point]) -> tuple[Point, ...]:
    return tuple(
        dummy(slot.factor)
        if slot.key == _NO_KEY
        else group.mul(slot.factor, _point(ctx.kind, slot.key))
        for slot in slots
    )


# --- the answerer's side ------------------------------------------------------------------


class _Answer:
    """The Q rows to be, fillers included, and the scalar bound to them and to the question.

    `keys`: of each row, `_NO_KEY` for a filler; `factor`: b.
    """

    __slots__ = ("_labels", "_names", "_row_key", "factor", "keys")

    def __init__(
        self,
        secret: SeatSecret,
        ctx: Context,
        asked: bytes,
        entries: Mapping[int, bytes],
        rows: int,
        label_bytes: int,
    ) -> None:
        assert (secret.match, secret.seat) == (ctx.match, ctx.owner)
        assert len(entries) <= rows
        assert all(0 <= key < KEY_LIMIT for key in entries)
        assert all(len(label) == label_bytes for label in entries.values())
        held = sorted(entries.items()) + [(_NO_KEY, bytes(label_bytes))] * (rows - len(entries))
        self.keys = [key for key, _ in held]
        self._labels = [label for _, label in held]
        held_hash = tagged("cloak/held/1", *self.keys, *self._labels)
        seed = secret.prf("answer", *ctx.fields(), asked_hash(asked), held_hash)
        self.factor = group.scalar(_expand(seed, b"factor", 0, 0))
        fillers = [
            filler_name(_expand(seed, b"filler", number, _NO_KEY)[:NAME_BYTES])
            for number in range(rows)
        ]
        self._names = [
            filler if key == _NO_KEY else key_name(key)
            for key, filler in zip(self.keys, fillers, strict=True)
        ]
        self._row_key = row_keys(ctx, asked)

    def rows(self, elements: Sequence[Point]) -> bytes:
        """The rows, sorted; `elements` are b * H(key) of each, b * G of a filler."""
        made = [
            close_row(self._row_key(name, element), label)
            for name, element, label in zip(self._names, elements, self._labels, strict=True)
        ]
        return b"".join(sorted(made))


def _expand(seed: bytes, part: bytes, number: int, key: int) -> bytes:
    """64 bytes of a seed for one part of a list; all fields have one length, so none is lost."""
    message = part.ljust(8, b"\0") + number.to_bytes(8, "big") + key.to_bytes(8, "big")
    return hashlib.blake2b(message, key=seed).digest()


def _point(kind: str, key: int) -> Point:
    """H of a key. A dummy or filler multiplies the generator: a filler's name keeps it shut."""
    return GENERATOR if key == _NO_KEY else group.hash_to_point(kind, key)


def _check_distinct(points: Sequence[Point]) -> None:
    if len({point.data for point in points}) != len(points):
        raise Malformed("two points of a lookup are equal", what="points")
