"""The prime-order group of edwards25519, through PyNaCl (VEIL 2).

A received point is used only as an argument of `mul`, which refuses every encoding that is
not canonical, of small order or outside the prime-order group, or is checked with `check`.
Nothing adds received points: libsodium's addition checks nothing. Multiplication is always
unclamped, blinding always multiplicative.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from nacl.bindings import (
    crypto_core_ed25519_add,
    crypto_core_ed25519_from_uniform,
    crypto_core_ed25519_is_valid_point,
    crypto_core_ed25519_scalar_invert,
    crypto_core_ed25519_scalar_mul,
    crypto_core_ed25519_scalar_reduce,
    crypto_scalarmult_ed25519_base_noclamp,
    crypto_scalarmult_ed25519_noclamp,
)
from nacl.exceptions import CryptoError

from cloakboard.netplay.errors import Malformed
from cloakboard.netplay.veil.secrets import Hidden, lp

POINT_BYTES: Final = 32
WIDE_BYTES: Final = 64  # of uniform bytes that a scalar is reduced from, so that bias is nil
IDENTITY: Final = b"\x01" + bytes(31)
CACHED_POINTS: Final = 8192  # of H: above the cells of any board, times the kinds of lookup


@dataclass(frozen=True, slots=True)
class Point:
    """An encoded group element, 32 bytes. Received ones are unchecked until `mul` or `check`."""

    data: bytes


class Scalar(Hidden):
    """A number modulo the group's order, never zero, never shown."""

    __slots__ = ()


GENERATOR: Final = Point(b"\x58" + b"\x66" * 31)


def scalar(data: bytes) -> Scalar:
    """The scalar that 64 uniform bytes reduce to; raises `Malformed` for zero."""
    reduced: bytes = crypto_core_ed25519_scalar_reduce(data) if len(data) == WIDE_BYTES else b""
    if not any(reduced):
        raise Malformed("a scalar is zero or of the wrong length", what="scalar")
    return Scalar(reduced)


def mul(factor: Scalar, point: Point) -> Point:
    """`factor * point`; raises `Malformed` if the point is none of the prime-order group."""
    try:
        return Point(crypto_scalarmult_ed25519_noclamp(factor._data, point.data))
    except (CryptoError, RuntimeError, TypeError, ValueError):
        raise _bad_point() from None


def base_mul(factor: Scalar) -> Point:
    """`factor * G`, at a fifth of the cost of `mul(factor, GENERATOR)`."""
    return Point(crypto_scalarmult_ed25519_base_noclamp(factor._data))


def product(left: Scalar, right: Scalar) -> Scalar:
    """`left * right`; not zero, as the order is prime."""
    return Scalar(crypto_core_ed25519_scalar_mul(left._data, right._data))


def inverse(factor: Scalar) -> Scalar:
    """The scalar whose product with `factor` is one."""
    return Scalar(crypto_core_ed25519_scalar_invert(factor._data))


def inverses(factors: Sequence[Scalar]) -> tuple[Scalar, ...]:
    """The inverse of each, at the cost of one inversion and three products apiece.

    Montgomery's trick: invert the product of all, then peel off one factor at a time.
    """
    if not factors:
        return ()
    running = [factors[0]]
    for factor in factors[1:]:
        running.append(product(running[-1], factor))
    rest = inverse(running[-1])
    found: list[Scalar] = []
    for index in range(len(factors) - 1, 0, -1):
        found.append(product(rest, running[index - 1]))
        rest = product(rest, factors[index])
    found.append(rest)
    return tuple(reversed(found))


def check(point: Point) -> Point:
    """The point itself; raises `Malformed` if it is none of the prime-order group."""
    try:
        valid = crypto_core_ed25519_is_valid_point(point.data)
    except (CryptoError, RuntimeError, TypeError, ValueError):
        valid = False
    if not valid:
        raise _bad_point()
    return point


@lru_cache(maxsize=CACHED_POINTS)
def hash_to_point(kind: str, key: int) -> Point:
    """H(kind, key): a point to which nobody knows the logarithm.

    Both halves of SHA-512 over the tagged label go through the map of libsodium, and their
    sum is as a random oracle's (RFC 9380, section 3, the two-map form).
    """
    halves = hashlib.sha512(lp("cloak/point/1", kind, key)).digest()
    total: bytes = crypto_core_ed25519_add(
        crypto_core_ed25519_from_uniform(halves[:32]),
        crypto_core_ed25519_from_uniform(halves[32:]),
    )
    assert total != IDENTITY
    return Point(total)


def prepare(kind: str, keys: Iterable[int]) -> None:
    """Works out H of each key (80 us each) that is not at hand yet. Done once a match for each
    kind, so that play finds every H at hand and no lookup's time tells which keys were new."""
    for key in keys:
        hash_to_point(kind, key)


def pack(points: Iterable[Point]) -> bytes:
    """The points' bytes one after another."""
    return b"".join(point.data for point in points)


def unpack(data: bytes, count: int) -> tuple[Point, ...]:
    """`count` points, unchecked; raises `Malformed` for any other length."""
    if len(data) != count * POINT_BYTES:
        raise Malformed(f"{count} points do not have {len(data)} bytes", what="points")
    return tuple(
        Point(data[start : start + POINT_BYTES]) for start in range(0, len(data), POINT_BYTES)
    )


def _bad_point() -> Malformed:
    return Malformed("a point is none of the agreed group", what="point")
