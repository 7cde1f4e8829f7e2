"""edwards25519 in plain integers, written from RFC 8032 and RFC 7748: a second opinion.

Slow and not constant in time; for expected values only. Points are affine pairs (x, y).
"""

from __future__ import annotations

from typing import Final

P: Final = 2**255 - 19
L: Final = 2**252 + 27742317777372353535851937790883648493  # order of the prime subgroup
D: Final = -121665 * pow(121666, -1, P) % P
ROOT_M1: Final = pow(2, (P - 1) // 4, P)
A: Final = 486662  # of the birationally equal Montgomery curve

Affine = tuple[int, int]
NEUTRAL: Final[Affine] = (0, 1)


def root(square: int) -> int | None:
    """A square root modulo P, or None."""
    found = pow(square, (P + 3) // 8, P)
    if found * found % P == square % P:
        return found
    found = found * ROOT_M1 % P
    return found if found * found % P == square % P else None


def add(left: Affine, right: Affine) -> Affine:
    (x1, y1), (x2, y2) = left, right
    cross = D * x1 * x2 * y1 * y2 % P
    return (
        (x1 * y2 + x2 * y1) * pow(1 + cross, -1, P) % P,
        (y1 * y2 + x1 * x2) * pow(1 - cross, -1, P) % P,
    )


def multiply(factor: int, point: Affine) -> Affine:
    total = NEUTRAL
    for bit in f"{factor:b}":
        total = add(total, total)
        if bit == "1":
            total = add(total, point)
    return total


def encode(point: Affine) -> bytes:
    x, y = point
    return (y | (x & 1) << 255).to_bytes(32, "little")


def decode(data: bytes) -> Affine:
    """The point of an encoding, whatever its order; y is reduced, as lenient readers do."""
    whole = int.from_bytes(data, "little")
    sign, y = whole >> 255, whole % 2**255 % P
    x = root((y * y - 1) * pow(D * y * y + 1, -1, P))
    assert x is not None
    return (P - x if x & 1 != sign else x), y


def from_uniform(data: bytes) -> Affine:
    """The map of libsodium: Elligator 2 (non-square 2), the top bit the sign of x, times 8."""
    whole = int.from_bytes(data, "little")
    sign, r = whole >> 255, whole % 2**255
    u = -A * pow(1 + 2 * r * r, -1, P) % P
    if root(u * (u * u + A * u + 1)) is None:
        u = (-A - u) % P
    y = (u - 1) * pow(u + 1, -1, P) % P
    x = root((y * y - 1) * pow(D * y * y + 1, -1, P))
    assert x is not None
    return multiply(8, ((P - x if x & 1 != sign else x), y))


BASE: Final = decode((4 * pow(5, -1, P) % P).to_bytes(32, "little"))


def torsion() -> list[Affine]:
    """The eight points of small order: multiples of one of order 8, the neutral first."""
    for y in range(2, 100):
        x = root((y * y - 1) * pow(D * y * y + 1, -1, P))
        if x is None:
            continue
        small = multiply(L, (x, y))
        if multiply(4, small) != NEUTRAL:
            return [multiply(number, small) for number in range(8)]
    raise AssertionError("a point of order 8 lies among the first y")
