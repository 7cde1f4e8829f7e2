"""VEIL 5: the labelled blind lookup."""

from __future__ import annotations

import hashlib
import hmac
import itertools
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from types import FrameType
from typing import Any, Final

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cloakboard.netplay.errors import Malformed
from cloakboard.netplay.veil import group, lookup
from cloakboard.netplay.veil.group import Point, Scalar
from cloakboard.netplay.veil.lookup import Context, Found, Reply
from cloakboard.netplay.veil.rows import row_bytes
from cloakboard.netplay.veil.secrets import Field, SeatSecret, Secret, lp
from tests.netplay import edwards

MATCH: Final = b"M" * 32
ASKER: Final = Secret(b"A" * 32).bind(MATCH, 0)
OWNER: Final = Secret(b"O" * 32).bind(MATCH, 1)
CTX: Final = Context(
    version=1, match=MATCH, epoch=2, lookup=7, kind="sight", asker=0, owner=1, prev=b"P" * 32
)
POINTS: Final = 6
ROWS: Final = 4
LABEL: Final = 5
KEYS: Final = (31, 12, 13)
ENTRIES: Final = {12: b"queen", 31: b"rook ", 99: b"pawn "}
ASKED: Final = lookup.ask(ASKER, CTX, KEYS, POINTS)
REPLY: Final = lookup.reply(OWNER, CTX, ASKED, ENTRIES, ROWS, LABEL)
ROW: Final = row_bytes(LABEL)


def read(reply: Reply, asked: Sequence[Point] = ASKED, ctx: Context = CTX) -> Found:
    return lookup.read(ASKER, ctx, KEYS, POINTS, asked, reply, ROWS, LABEL)


def rows_of(reply: Reply) -> list[bytes]:
    return [reply.rows[start : start + ROW] for start in range(0, len(reply.rows), ROW)]


def blinding(run: Callable[[], Reply]) -> Scalar:
    """The one scalar that making an answer multiplies by: b."""
    used: list[Scalar] = []
    mul = group.mul

    def listening(factor: Scalar, point: Point) -> Point:
        used.append(factor)
        return mul(factor, point)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(group, "mul", listening)
        run()
    assert len({factor._data for factor in used}) == 1
    return used[0]


def row_key(asked: Sequence[Point], name: bytes, element: bytes) -> bytes:
    """k of VEIL 5 for the context of these tests, written out."""
    listed = b"".join(point.data for point in asked)
    asked_hash = hashlib.blake2b(lp("cloak/asked/1", listed), digest_size=32).digest()
    bound = lp("cloak/row/1", 1, MATCH, 2, 7, "sight", 0, 1, b"P" * 32, asked_hash)
    return hashlib.blake2b(bound + name + element).digest()


def with_rows(rows: Sequence[bytes]) -> Reply:
    return Reply(REPLY.points, b"".join(rows))


# --- what is learned ----------------------------------------------------------------------


def test_the_asker_learns_the_labels_of_its_keys_in_their_order_and_no_others() -> None:
    assert read(REPLY) == ((31, b"rook "), (12, b"queen"))


@given(
    st.lists(st.integers(0, 20), unique=True, max_size=POINTS),
    st.dictionaries(st.integers(0, 20), st.binary(min_size=40, max_size=40), max_size=ROWS),
)
def test_what_is_found_is_what_both_have(keys: list[int], entries: dict[int, bytes]) -> None:
    asked = lookup.ask(ASKER, CTX, keys, POINTS)
    reply = lookup.reply(OWNER, CTX, asked, entries, ROWS, 40)
    expected = tuple((key, entries[key]) for key in keys if key in entries)
    assert lookup.read(ASKER, CTX, keys, POINTS, asked, reply, ROWS, 40) == expected
    assert lookup.expected_reading(keys, entries) == expected
    lookup.check_query(asked, POINTS)
    lookup.check_reply(reply, POINTS, ROWS, 40)


@pytest.mark.parametrize("label_bytes", [0, 1, 31, 32, 33, 64, 65, 200])
def test_labels_of_any_length_are_hidden_in_full_and_read_in_full(label_bytes: int) -> None:
    label = bytes(index % 251 for index in range(label_bytes))
    reply = lookup.reply(OWNER, CTX, ASKED, {12: label}, ROWS, label_bytes)
    found = lookup.read(ASKER, CTX, KEYS, POINTS, ASKED, reply, ROWS, label_bytes)
    assert found == ((12, label),)
    if label_bytes > 4:
        assert not any(label[at : at + 4] in reply.rows for at in range(label_bytes - 3))


def test_one_answer_does_not_open_with_the_question_of_another() -> None:
    """A row binds its context and the list asked, so that no answer is used twice."""
    other = msgspec.structs.replace(CTX, lookup=8)
    assert lookup.read(ASKER, other, KEYS, POINTS, ASKED, REPLY, ROWS, LABEL) == ()
    moved = msgspec.structs.replace(CTX, prev=b"Q" * 32)
    assert read(REPLY, ctx=moved) == ()


def test_a_row_opens_with_b_times_h_alone() -> None:
    """Worked out from VEIL 5 by a second implementation, from b and the rows as sent."""
    factor = blinding(lambda: lookup.reply(OWNER, CTX, ASKED, ENTRIES, ROWS, LABEL))
    b = int.from_bytes(factor._data, "little")
    answered = [edwards.encode(edwards.multiply(b, edwards.decode(p.data))) for p in ASKED]
    assert REPLY.points == b"".join(answered)
    rows = {row[:16]: row[16:] for row in rows_of(REPLY)}
    for key, label in ENTRIES.items():
        element = edwards.multiply(b, edwards.decode(group.hash_to_point("sight", key).data))
        k = row_key(ASKED, key.to_bytes(32, "big"), edwards.encode(element))
        body = rows[k[:16]]
        assert bytes(x ^ y for x, y in zip(body[:LABEL], k[16:48], strict=False)) == label
        mac = hashlib.blake2b(body[:LABEL], key=k[48:], digest_size=16).digest()
        assert hmac.compare_digest(mac, body[LABEL:])


GOLDEN: Final = {
    "asked": (
        "b3b0f8110371cd51b41422c5ac26b97be14bc384cd6df36d378378bc2b3b21e5"
        "c265bcf19b1ce9aeb1c196f2c3f242c07503266cab8ef0886f324bd89be78d2b"
    ),
    "points": (
        "cab6f152ec3eb1b42d7a65ca239e46998369d46840e4cd8b90242276b62f34f4"
        "ed6e6a8dddd7a113ff439e92f03bb749852e91e9c0d0f148acdcba7951b16345"
    ),
    "rows": (
        "6c9a0a5668eae39a33fb0efd7bf7fd598ded586642e8b47c80bc1146616273fe"
        "dd78327acfd1d6e09483a62899ce30f5256447f5d034c6fda14c862d9986392d"
        "c34915896abb870d16df"
    ),
}


def test_golden_bytes_of_one_lookup() -> None:
    """The same on every machine, Python and hash seed; a change here is a change of the wire."""
    asked = lookup.ask(ASKER, CTX, (12,), 2)
    reply = lookup.reply(OWNER, CTX, asked, {12: b"queen"}, 2, LABEL)
    found = {"asked": group.pack(asked), "points": reply.points, "rows": reply.rows}
    assert {name: data.hex() for name, data in found.items()} == GOLDEN


# --- what is bound to what (VEIL 3) -------------------------------------------------------

Asking = tuple[Context, tuple[int, ...], int]


def variants(ctx: Context) -> list[Context]:
    """The context, and one that differs from it in each field; the secrets' fields stay."""
    changes: dict[str, Any] = {"version": 2, "epoch": 3, "lookup": 8, "kind": "occupied"}
    return [ctx, *(msgspec.structs.replace(ctx, **{name: new}) for name, new in changes.items())]


def questions() -> Iterator[Asking]:
    for ctx in variants(CTX):
        for keys in [(), (31,), (12,), (31, 12), (12, 31), KEYS]:
            yield from ((ctx, keys, points) for points in (POINTS, POINTS + 1))


def test_no_two_questions_have_a_point_in_common() -> None:
    points = [point for asking in questions() for point in lookup.ask(ASKER, *asking)]
    assert len(set(points)) == len(points)
    third = Secret(b"A" * 32).bind(b"m" * 32, 0)
    elsewhere = lookup.ask(third, msgspec.structs.replace(CTX, match=b"m" * 32), KEYS, POINTS)
    assert not set(elsewhere) & set(points)


def test_a_question_does_not_hang_on_the_entry_before_its_answer() -> None:
    moved = msgspec.structs.replace(CTX, prev=b"Q" * 32)
    assert lookup.ask(ASKER, moved, KEYS, POINTS) == ASKED


def answers() -> Iterator[tuple[Context, tuple[Point, ...], Mapping[int, bytes], int, int]]:
    asked = [ASKED, ASKED[::-1], ASKED[1:]]
    held: list[Mapping[int, bytes]] = [{}, {12: b"queen"}, {12: b"rook "}, {13: b"queen"}, ENTRIES]
    for ctx in [*variants(CTX), msgspec.structs.replace(CTX, prev=b"Q" * 32)]:
        yield from ((ctx, ASKED, ENTRIES, rows, LABEL) for rows in (ROWS, ROWS + 1))
    for points, entries in itertools.product(asked, held):
        yield (CTX, points, entries, ROWS + 2, LABEL)


def test_no_two_answers_have_a_point_or_a_row_in_common() -> None:
    parts: list[bytes] = []
    for answer in answers():
        made = lookup.reply(OWNER, *answer)
        parts += [point.data for point in group.unpack(made.points, len(answer[1]))]
        parts += rows_of(made)
    assert len(set(parts)) == len(parts)


def test_the_prf_is_never_asked_twice_for_different_inputs() -> None:
    """Every context of the prf belongs to one question or one answer, repeats included."""
    inputs: dict[tuple[object, ...], set[object]] = {}
    current: list[object] = []
    prf = SeatSecret.prf

    def listening(self: SeatSecret, purpose: str, *context: Field) -> bytes:
        inputs.setdefault((self.match, self.seat, purpose, *context), set()).update(current)
        return prf(self, purpose, *context)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SeatSecret, "prf", listening)
        for asking in [*questions(), *questions()]:
            current[:] = [asking]
            lookup.ask(ASKER, *asking)
        for ctx, points, entries, rows, label_bytes in [*answers(), *answers()]:
            current[:] = [(ctx, points, tuple(sorted(entries.items())), rows)]
            lookup.reply(OWNER, ctx, points, entries, rows, label_bytes)
        current[:] = [(CTX, KEYS, POINTS)]
        assert read(REPLY)
    assert len(inputs) == len({*questions()}) + len([*answers()])
    assert all(len(users) == 1 for users in inputs.values())


# --- the audit ----------------------------------------------------------------------------


@pytest.mark.parametrize("keys", [(), KEYS, (31, 12, 13, 99, 0, 2**32 - 1)])
@pytest.mark.parametrize(
    "entries", [{}, ENTRIES, {12: b"queen", 0: b"aaaaa", 7: b"bbbbb", 8: b"ccccc"}]
)
def test_the_audit_regenerates_the_same_bytes_for_less_work(
    keys: tuple[int, ...], entries: Mapping[int, bytes]
) -> None:
    asked = lookup.ask(ASKER, CTX, keys, POINTS)
    reply = lookup.reply(OWNER, CTX, asked, entries, ROWS, LABEL)
    multiplied = work(lambda: lookup.expected_query(ASKER, CTX, keys, POINTS))[0]
    assert lookup.expected_query(ASKER, CTX, keys, POINTS) == asked
    assert multiplied["crypto_scalarmult_ed25519_noclamp"] == len(keys)
    counts, again = work(
        lambda: lookup.expected_reply(OWNER, ASKER, CTX, keys, asked, entries, ROWS, LABEL)
    )
    assert again == reply
    assert counts["crypto_scalarmult_ed25519_noclamp"] == len(keys) + len(entries)


def test_a_machine_reads_its_journal_by_the_work_of_its_keys_alone() -> None:
    again = partial(lookup.read, ASKER, CTX, KEYS, POINTS, ASKED, REPLY, ROWS, LABEL, again=True)
    counts, reading = work(again)
    assert reading == read(REPLY)
    assert counts["crypto_scalarmult_ed25519_noclamp"] == len(KEYS)


# --- no work or length tells (VEIL 5) -----------------------------------------------------


def work(run: Callable[[], Any]) -> tuple[Counter[str], Any]:
    """How often each Python function and each method in C is called; what `run` returns."""
    counts: Counter[str] = Counter()

    def profile(frame: FrameType, event: str, argument: Any) -> None:
        if event == "call":
            counts[frame.f_code.co_name] += 1
        elif event == "c_call":
            counts[f"{argument.__name__} in C"] += 1

    sys.setprofile(profile)
    try:
        result = run()
    finally:
        sys.setprofile(None)
    return counts, result


TELLING: Final = {
    "crypto_scalarmult_ed25519_noclamp",
    "crypto_scalarmult_ed25519_base_noclamp",
    "crypto_core_ed25519_from_uniform",
    "crypto_core_ed25519_scalar_invert",
    "crypto_core_ed25519_scalar_mul",
    "crypto_core_ed25519_scalar_reduce",
    "digest in C",
    "update in C",
    "compare_digest in C",
    "prf",
    "lp",
    "_mask",
    "_mac",
}


def telling(counts: Counter[str]) -> dict[str, int]:
    return {name: counts[name] for name in TELLING if counts[name]}


def ask_first(count: int) -> tuple[Point, ...]:
    return lookup.ask(ASKER, CTX, range(count), POINTS)


def test_length_and_work_of_a_question_do_not_tell_how_much_is_asked() -> None:
    group.prepare("sight", range(POINTS))
    runs = [work(partial(ask_first, count)) for count in range(POINTS + 1)]
    assert [len(asked) for _, asked in runs] == [POINTS] * len(runs)
    assert all(telling(counts) == telling(runs[0][0]) for counts, _ in runs)
    assert runs[0][0]["crypto_scalarmult_ed25519_noclamp"] == POINTS
    assert runs[0][0]["digest in C"] > 2 * POINTS


def hold(entries: Mapping[int, bytes], asked: Sequence[Point] = ASKED) -> Reply:
    return lookup.reply(OWNER, CTX, asked, entries, ROWS, LABEL)


def test_length_and_work_of_an_answer_do_not_tell_how_much_is_held() -> None:
    group.prepare("sight", range(ROWS))
    held = [{key: bytes(LABEL) for key in range(size)} for size in range(ROWS + 1)]
    runs = [work(partial(hold, entries)) for entries in held]
    assert {(len(reply.points), len(reply.rows)) for _, reply in runs} == {(192, 4 * ROW)}
    assert all(telling(counts) == telling(runs[0][0]) for counts, _ in runs)
    assert runs[0][0]["crypto_scalarmult_ed25519_noclamp"] == POINTS + ROWS


def test_work_of_reading_does_not_tell_how_much_is_found() -> None:
    keys = tuple(range(POINTS))
    asked = lookup.ask(ASKER, CTX, keys, POINTS)
    held = [{key + shift: bytes(LABEL) for key in range(ROWS)} for shift in (0, 2, 4, 90)]
    runs = [
        work(partial(lookup.read, ASKER, CTX, keys, POINTS, asked, reply, ROWS, LABEL))
        for reply in [hold(entries, asked) for entries in held]
    ]
    assert [len(reading) for _, reading in runs] == [4, 4, 2, 0]
    assert all(telling(counts) == telling(runs[0][0]) for counts, _ in runs)
    assert runs[0][0]["crypto_scalarmult_ed25519_noclamp"] == POINTS
    assert runs[0][0]["crypto_core_ed25519_scalar_invert"] == 1


def test_fillers_open_for_nobody_who_does_not_hold_the_secret() -> None:
    """A stranger that asks for what fillers multiply, the generator, opens none of them."""
    asked = (group.GENERATOR, *ASKED[1:])
    reply = hold({}, asked)
    element = group.unpack(reply.points, POINTS)[0]
    assert element == group.base_mul(blinding(lambda: hold({}, asked)))
    locators = {row[:16] for row in rows_of(reply)}
    for name in [*range(200), *range(2**32 - 5, 2**32 + 200)]:
        assert row_key(asked, name.to_bytes(32, "big"), element.data)[:16] not in locators


# --- what is refused ----------------------------------------------------------------------

BAD_POINTS: Final[dict[str, bytes]] = {
    "identity": edwards.encode(edwards.NEUTRAL),
    "small order": edwards.encode(edwards.torsion()[1]),
    "order 2": edwards.encode(edwards.torsion()[4]),
    "outside the prime-order group": edwards.encode(
        edwards.add(edwards.BASE, edwards.torsion()[3])
    ),
    "non-canonical": (edwards.P + 1).to_bytes(32, "little"),
    "not on the curve": (2).to_bytes(32, "little"),
    "short": bytes(31),
}


@pytest.mark.parametrize("data", BAD_POINTS.values(), ids=BAD_POINTS.keys())
@pytest.mark.parametrize("place", [0, POINTS - 1])
def test_a_hostile_point_in_a_question_is_refused_by_all(data: bytes, place: int) -> None:
    asked = (*ASKED[:place], Point(data), *ASKED[place + 1 :])
    with pytest.raises(Malformed):
        lookup.check_query(asked, POINTS)
    with pytest.raises(Malformed):
        lookup.reply(OWNER, CTX, asked, ENTRIES, ROWS, LABEL)


@pytest.mark.parametrize("data", BAD_POINTS.values(), ids=BAD_POINTS.keys())
@pytest.mark.parametrize("place", [0, POINTS - 1])
def test_a_hostile_point_in_an_answer_is_refused_by_all(data: bytes, place: int) -> None:
    points = REPLY.points[: 32 * place] + data + REPLY.points[32 * (place + 1) :]
    refused_by_all(Reply(points, REPLY.rows))


def refused_by_all(reply: Reply) -> None:
    with pytest.raises(Malformed):
        read(reply)
    with pytest.raises(Malformed):
        lookup.check_reply(reply, POINTS, ROWS, LABEL)


def test_equal_points_are_refused() -> None:
    equal = (*ASKED[:-1], ASKED[0])
    with pytest.raises(Malformed):
        lookup.check_query(equal, POINTS)
    with pytest.raises(Malformed):
        lookup.reply(OWNER, CTX, equal, ENTRIES, ROWS, LABEL)
    refused_by_all(Reply(REPLY.points[:-32] + REPLY.points[:32], REPLY.rows))


@pytest.mark.parametrize("asked", [(), ASKED[:-1], (*ASKED, group.GENERATOR)], ids=len)
def test_a_question_of_another_length_is_refused(asked: tuple[Point, ...]) -> None:
    with pytest.raises(Malformed):
        lookup.check_query(asked, POINTS)


ROW_LIES: Final[dict[str, list[bytes]]] = {
    "none": [],
    "one row less": rows_of(REPLY)[:-1],
    "one row more": [*rows_of(REPLY), b"\xff" * ROW],
    "one byte less": [*rows_of(REPLY)[:-1], rows_of(REPLY)[-1][:-1]],
    "falling locators": rows_of(REPLY)[::-1],
    "two rows exchanged": [*rows_of(REPLY)[1::-1], *rows_of(REPLY)[2:]],
    "a row twice": [rows_of(REPLY)[0], *rows_of(REPLY)[:-1]],
}


@pytest.mark.parametrize("rows", ROW_LIES.values(), ids=ROW_LIES.keys())
def test_rows_out_of_form_are_refused(rows: list[bytes]) -> None:
    refused_by_all(with_rows(rows))


@pytest.mark.parametrize("points", [b"", REPLY.points[:-32], REPLY.points + bytes(32)], ids=len)
def test_an_answer_of_another_length_is_refused(points: bytes) -> None:
    refused_by_all(Reply(points, REPLY.rows))


@given(st.binary(max_size=250), st.binary(max_size=250))
def test_any_bytes_as_an_answer_are_refused(points: bytes, rows: bytes) -> None:
    refused_by_all(Reply(points, rows))
    refused_by_all(Reply(REPLY.points, rows))


@pytest.mark.parametrize("offset", [16, 16 + LABEL - 1, 16 + LABEL, ROW - 1])
def test_a_row_altered_beyond_its_locator_is_absent_too(offset: int) -> None:
    rows = [row[:offset] + bytes([row[offset] ^ 1]) + row[offset + 1 :] for row in rows_of(REPLY)]
    assert read(with_rows(rows)) == ()


def test_a_row_altered_in_its_locator_is_absent() -> None:
    rows = sorted(bytes([row[0] ^ 1]) + row[1:] for row in rows_of(REPLY))
    assert read(with_rows(rows)) == ()


def test_a_row_for_dummies_is_taken_for_no_key() -> None:
    """An owner can make a row that every dummy opens, as it knows b; nothing is found by it."""
    element = group.base_mul(blinding(lambda: hold({})))
    k = row_key(ASKED, (2**32).to_bytes(32, "big"), element.data)
    mac = hashlib.blake2b(k[16 : 16 + LABEL], key=k[48:], digest_size=16).digest()
    reply = hold({})
    whole, false = k[: 16 + LABEL] + mac, k[: 16 + LABEL] + bytes(16)
    for row in (whole, false):
        rows = sorted([*rows_of(reply)[1:], row])
        assert read(Reply(reply.points, b"".join(rows))) == ()
