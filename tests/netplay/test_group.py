"""VEIL 2: the group, against a second implementation, and against hostile encodings."""

from __future__ import annotations

import copy
import hashlib
import pickle
from typing import Final

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cloakboard.netplay.errors import Malformed
from cloakboard.netplay.veil import group
from cloakboard.netplay.veil.group import Point, Scalar
from tests.netplay import edwards

BASE: Final = edwards.BASE


def number(value: int) -> Scalar:
    return group.scalar(value.to_bytes(64, "little"))


def value(scalar: Scalar) -> int:
    return int.from_bytes(scalar._data, "little")


def hostile() -> dict[str, object]:
    """Encodings that a stranger might send in place of a point of the prime-order group."""
    cases: dict[str, object] = {
        "empty": b"",
        "31 bytes": bytes(31),
        "33 bytes": group.GENERATOR.data + b"\0",
        "no bytes": None,
        "text": "x" * 32,
        "not on the curve": (2).to_bytes(32, "little"),
        "all ones": b"\xff" * 32,
        "identity, sign set": b"\x01" + bytes(30) + b"\x80",
        "identity, y + p": (1 + edwards.P).to_bytes(32, "little"),
        "identity, y + p, sign set": (1 + edwards.P + 2**255).to_bytes(32, "little"),
        "order 4, y = p": edwards.P.to_bytes(32, "little"),
        "order 4, y = p, sign set": (edwards.P + 2**255).to_bytes(32, "little"),
        "on the curve, y = p + 3": (edwards.P + 3).to_bytes(32, "little"),
        "order 2, sign set": (edwards.P - 1 + 2**255).to_bytes(32, "little"),
    }
    mixed = edwards.multiply(99, BASE)
    for index, small in enumerate(edwards.torsion()):
        cases[f"small order {index}"] = edwards.encode(small)
        if index:
            cases[f"outside the prime-order group {index}"] = edwards.encode(
                edwards.add(mixed, small)
            )
    return cases


HOSTILE: Final = hostile()


@pytest.mark.parametrize("data", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_encodings_are_refused(data: bytes) -> None:
    for use in (lambda point: group.mul(number(5), point), group.check):
        with pytest.raises(Malformed) as refused:
            use(Point(data))
        assert refused.value.what == "point"


def test_the_generator_is_that_of_rfc_8032() -> None:
    assert edwards.encode(BASE) == group.GENERATOR.data == group.base_mul(number(1)).data


@pytest.mark.parametrize("factor", [1, 2, 8, 12345, edwards.L - 1, edwards.L + 3, 2**512 - 1])
def test_multiplication_is_unclamped(factor: int) -> None:
    point = edwards.multiply(77, BASE)
    expected = edwards.encode(edwards.multiply(factor % edwards.L, point))
    assert group.mul(number(factor), Point(edwards.encode(point))).data == expected
    on_base = edwards.encode(edwards.multiply(factor % edwards.L, BASE))
    assert group.base_mul(number(factor)).data == on_base
    assert group.mul(number(factor), group.GENERATOR).data == on_base


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(bytes(64), id="zero"),
        pytest.param(edwards.L.to_bytes(64, "little"), id="the order"),
        pytest.param((edwards.L << 200).to_bytes(64, "little"), id="a multiple of the order"),
        pytest.param(b"", id="empty"),
        pytest.param((7).to_bytes(32, "little"), id="32 bytes"),
        pytest.param((7).to_bytes(65, "little"), id="65 bytes"),
    ],
)
def test_scalars_are_from_64_bytes_and_never_zero(data: bytes) -> None:
    with pytest.raises(Malformed) as refused:
        group.scalar(data)
    assert refused.value.what == "scalar"


@given(st.binary(min_size=64, max_size=64).filter(any), st.integers(1, edwards.L - 1))
def test_scalar_arithmetic_is_modulo_the_order(data: bytes, other: int) -> None:
    left = group.scalar(data)
    assert value(left) == int.from_bytes(data, "little") % edwards.L
    assert value(group.product(left, number(other))) == value(left) * other % edwards.L
    assert value(group.inverse(left)) == pow(value(left), -1, edwards.L)


@pytest.mark.parametrize("factors", [[], [5], [5, 5, 1, edwards.L - 1, 2**250]])
def test_inverses_together_are_the_inverses_one_by_one(factors: list[int]) -> None:
    found = group.inverses([number(factor) for factor in factors])
    assert [value(scalar) for scalar in found] == [pow(f, -1, edwards.L) for f in factors]


@pytest.mark.parametrize(("kind", "key"), [("sight", 0), ("sight", 299), ("occupied", 2**32 - 1)])
def test_hash_to_point_is_the_sum_of_two_maps(kind: str, key: int) -> None:
    label = b"".join(
        mark + len(part).to_bytes(4, "big") + part
        for mark, part in [
            (b"s", b"cloak/point/1"),
            (b"s", kind.encode()),
            (b"i", key.to_bytes(8, "big")),
        ]
    )
    halves = hashlib.sha512(label).digest()
    expected = edwards.add(edwards.from_uniform(halves[:32]), edwards.from_uniform(halves[32:]))
    assert group.hash_to_point(kind, key).data == edwards.encode(expected)


def test_h_of_no_two_keys_is_equal() -> None:
    kinds = ("sight", "occupied")
    points = [group.hash_to_point(kind, key).data for kind in kinds for key in range(40)]
    assert len(set(points)) == 80
    assert edwards.multiply(edwards.L, edwards.decode(points[0])) == edwards.NEUTRAL


@given(st.binary(min_size=32, max_size=32))
@example(group.GENERATOR.data)
def test_any_bytes_are_a_point_to_both_checks_or_to_none(data: bytes) -> None:
    try:
        product = group.mul(number(3), Point(data))
    except Malformed:
        with pytest.raises(Malformed):
            group.check(Point(data))
    else:
        assert group.check(Point(data)).data == data
        assert edwards.decode(product.data) == edwards.multiply(3, edwards.decode(data))


@given(st.binary(max_size=200), st.integers(0, 6))
def test_points_unpack_only_from_their_exact_length(data: bytes, count: int) -> None:
    if len(data) == 32 * count:
        assert group.pack(group.unpack(data, count)) == data
    else:
        with pytest.raises(Malformed):
            group.unpack(data, count)


def test_a_scalar_shows_nothing() -> None:
    scalar = number(0x1234567890ABCDEF)
    for shown in (repr(scalar), str(scalar), f"{scalar}", repr([scalar])):
        assert "Scalar" in shown
        assert not any(part in shown.lower() for part in ("1234", "xef", "\\x", "cdef"))
    for copied in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError):
            copied(scalar)
    with pytest.raises(TypeError):
        hash(scalar)
