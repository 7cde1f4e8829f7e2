"""VEIL 5: an answer that does not open stops the match, and anybody sees whose fault it is."""

from __future__ import annotations

from typing import Final

import pytest

from cloakboard.netplay import group, lookup
from cloakboard.netplay.dispute import at_fault
from cloakboard.netplay.errors import Malformed
from cloakboard.netplay.lookup import Context, Reply
from cloakboard.netplay.rows import row_bytes
from cloakboard.netplay.secrets import Secret

MATCH: Final = b"M" * 32
ASKER_SEAT: Final = 1
OWNER_SEAT: Final = 0
ASKER: Final = Secret(b"A" * 32).bind(MATCH, ASKER_SEAT)
OWNER: Final = Secret(b"O" * 32).bind(MATCH, OWNER_SEAT)
CTX: Final = Context(1, MATCH, 0, 3, "occupied", ASKER_SEAT, OWNER_SEAT, b"P" * 32)
POINTS: Final = 4
ROWS: Final = 3
LABEL: Final = 6
ROW: Final = row_bytes(LABEL)
KEYS: Final = (5, 9)
ENTRIES: Final = {9: b"good 9", 7: b"good 7"}
ASKED: Final = lookup.ask(ASKER, CTX, KEYS, POINTS)
HONEST: Final = lookup.reply(OWNER, CTX, ASKED, ENTRIES, ROWS, LABEL)
A: Final = {key: lookup.open_question(ASKER, CTX, KEYS, POINTS, key).reveal() for key in KEYS}
B: Final = lookup.open_answer(OWNER, CTX, ASKED, ENTRIES, ROWS, LABEL).reveal()
ORDER: Final = 2**252 + 27742317777372353535851937790883648493

BROKEN: Final = Reply(
    HONEST.points,
    b"".join(
        HONEST.rows[at : at + ROW - 1] + bytes([HONEST.rows[at + ROW - 1] ^ 1])
        for at in range(0, len(HONEST.rows), ROW)
    ),
)
NONSENSE: Final = lookup.reply(OWNER, CTX, ASKED, {9: b"\xff" * 6}, ROWS, LABEL)
NONSENSE_B: Final = lookup.open_answer(OWNER, CTX, ASKED, {9: b"\xff" * 6}, ROWS, LABEL).reveal()
SWAPPED: Final = Reply(HONEST.points[32:64] + HONEST.points[:32] + HONEST.points[64:], HONEST.rows)

# (answer, key, a, b, the seat at fault)
CASES: Final[dict[str, tuple[Reply, int, bytes, bytes, int]]] = {
    "a broken row": (BROKEN, 9, A[9], B, OWNER_SEAT),
    "a row that opens to no label": (NONSENSE, 9, A[9], NONSENSE_B, OWNER_SEAT),
    "one point times another b": (SWAPPED, 9, A[9], B, OWNER_SEAT),
    "another b opened": (BROKEN, 9, A[9], (7).to_bytes(32, "little"), OWNER_SEAT),
    "b not opened in its one form": (
        BROKEN,
        9,
        A[9],
        (int.from_bytes(B, "little") + ORDER).to_bytes(32, "little"),
        OWNER_SEAT,
    ),
    "zero for b": (BROKEN, 9, A[9], bytes(32), OWNER_SEAT),
    "nothing for b": (BROKEN, 9, A[9], b"", OWNER_SEAT),
    "a row that opens": (HONEST, 9, A[9], B, ASKER_SEAT),
    "a key that is absent": (BROKEN, 5, A[5], B, ASKER_SEAT),
    "a key that was not asked": (BROKEN, 7, A[9], B, ASKER_SEAT),
    "another a": (BROKEN, 9, A[5], B, ASKER_SEAT),
    "zero for a": (BROKEN, 9, bytes(32), B, ASKER_SEAT),
    "nothing for a": (BROKEN, 9, b"", B, ASKER_SEAT),
    "a key beyond all keys": (BROKEN, 2**32, A[9], B, ASKER_SEAT),
    "a negative key": (BROKEN, -1, A[9], B, ASKER_SEAT),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_the_seat_at_fault_is_found(case: tuple[Reply, int, bytes, bytes, int]) -> None:
    answer, key, a, b, seat = case
    found = at_fault(
        CTX,
        ASKED,
        answer,
        ROWS,
        LABEL,
        key=key,
        asker_scalar=a,
        owner_scalar=b,
        is_label=lambda label: label.startswith(b"good"),
    )
    assert found == seat


def test_the_broken_row_is_what_reading_finds() -> None:
    reading = lookup.read(ASKER, CTX, KEYS, POINTS, ASKED, BROKEN, ROWS, LABEL)
    assert (reading.found, reading.broken) == ((), (9,))


@pytest.mark.parametrize(
    "data", [b"", bytes(32), bytes(31), b"\1" + bytes(32), ORDER.to_bytes(32, "little")], ids=repr
)
def test_an_opened_scalar_has_one_form(data: bytes) -> None:
    with pytest.raises(Malformed) as refused:
        group.read_scalar(data)
    assert refused.value.what == "scalar"


def test_an_opened_scalar_is_read_back() -> None:
    assert group.read_scalar(B).reveal() == B
