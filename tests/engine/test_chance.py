"""Choices from agreed draws."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cloakboard.engine.chance import DRAW_LIMIT, below, choose, seeded_draw
from tests.strategies import draws


@pytest.mark.parametrize(
    ("draw", "limit", "value"),
    [
        (0, 6, 0),
        (2**128 - 1, 6, 5),
        (2**127, 2, 1),
        (2**127 - 1, 2, 0),
        (2**126, 8, 2),
        (123, 1, 0),
    ],
)
def test_below_cuts_the_range_of_draws_into_equal_parts(draw: int, limit: int, value: int) -> None:
    assert below(draw, limit) == value


@given(draws(), st.integers(1, 2**20))
def test_below_stays_in_its_range(draw: int, limit: int) -> None:
    assert 0 <= below(draw, limit) < limit


@pytest.mark.parametrize("limit", [3, 10, 2**20 - 1])
def test_no_value_is_more_likely_than_promised(limit: int) -> None:
    # Value v has the draws from ceil(v * 2**128 / limit) on: two counts differ by one at most.
    firsts = [-(-value * DRAW_LIMIT // limit) for value in (0, 1, limit - 1, limit)]
    assert [below(first, limit) for first in firsts[:3]] == [0, 1, limit - 1]
    assert below(firsts[1] - 1, limit) == 0
    one, last = firsts[1] - firsts[0], firsts[3] - firsts[2]
    assert abs(one - last) <= 1
    assert one > 2**100  # so that one more is a bias below 2**-100


@pytest.mark.parametrize(("draw", "limit"), [(-1, 2), (2**128, 2), (0, 0)])
def test_what_is_no_draw_or_no_choice_is_our_own_slip(draw: int, limit: int) -> None:
    with pytest.raises(AssertionError):
        below(draw, limit)


def test_choose_takes_items_in_order() -> None:
    assert choose(0, "abc") == "a"
    assert choose(2**128 - 1, "abc") == "c"


def test_seeded_draws_are_blake2b_of_seed_and_index() -> None:
    data = bytes(7) + b"\x02ab" + bytes(7) + b"\x08" + bytes(7) + b"\x05"
    hashed = hashlib.blake2b(data, digest_size=16, person=b"cloakboard/draw").digest()
    assert seeded_draw(b"ab", 5) == int.from_bytes(hashed, "big")
