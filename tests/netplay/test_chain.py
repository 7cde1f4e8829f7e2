"""VEIL 7: chance that no seat controls."""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Callable
from typing import Final

import pytest

from cloakboard.netplay.errors import Forged, Malformed, Refused
from cloakboard.netplay.veil.chain import DRAW_LIMIT, LINKS, Chain, check_link, combine
from cloakboard.netplay.veil.secrets import Secret

NONCE: Final = b"N" * 32
SECRET: Final = Secret(b"S" * 32).prepare(NONCE, 1)
CHAIN: Final = Chain(SECRET)


def field(mark: bytes, data: bytes) -> bytes:
    return mark + len(data).to_bytes(4, "big") + data


def test_the_last_link_is_derived_and_each_step_binds_table_seat_and_index() -> None:
    link = SECRET.prf("chain")[:32]
    for index in range(LINKS, 0, -1):
        assert CHAIN.link(index) == link
        message = (
            field(b"s", b"cloak/chain/1")
            + field(b"b", NONCE)
            + field(b"i", bytes(7) + b"\1")
            + field(b"i", index.to_bytes(8, "big"))
            + field(b"b", link)
        )
        link = hashlib.blake2b(message, digest_size=32).digest()
    assert CHAIN.tip == link


def test_every_link_is_checked_by_the_one_before() -> None:
    last = CHAIN.tip
    for index in range(1, LINKS + 1):
        last = check_link(NONCE, 1, index, CHAIN.link(index), last)


WRONG: Final[dict[str, Callable[[], bytes]]] = {
    "another link": lambda: check_link(NONCE, 1, 5, CHAIN.link(6), CHAIN.link(4)),
    "an old link": lambda: check_link(NONCE, 1, 5, CHAIN.link(4), CHAIN.link(4)),
    "a skipped link": lambda: check_link(NONCE, 1, 6, CHAIN.link(6), CHAIN.link(4)),
    "another index": lambda: check_link(NONCE, 1, 6, CHAIN.link(5), CHAIN.link(4)),
    "another seat": lambda: check_link(NONCE, 0, 5, CHAIN.link(5), CHAIN.link(4)),
    "another table": lambda: check_link(b"n" * 32, 1, 5, CHAIN.link(5), CHAIN.link(4)),
}


@pytest.mark.parametrize("check", WRONG.values(), ids=WRONG.keys())
def test_a_link_of_elsewhere_is_forged(check: Callable[[], bytes]) -> None:
    with pytest.raises(Forged) as refused:
        check()
    assert refused.value.what == "link"


@pytest.mark.parametrize(
    ("index", "link"), [(0, bytes(32)), (LINKS + 1, bytes(32)), (1, bytes(31)), (1, bytes(33))]
)
def test_a_link_of_no_form_is_malformed(index: int, link: bytes) -> None:
    with pytest.raises(Malformed):
        check_link(NONCE, 1, index, link, CHAIN.tip)


@pytest.mark.parametrize("index", [-1, 0, LINKS + 1])
def test_no_link_opens_before_the_first_or_beyond_the_last(index: int) -> None:
    with pytest.raises(Refused) as refused:
        CHAIN.link(index)
    assert refused.value.what == "draw"


def test_chains_of_other_seats_tables_and_secrets_have_no_link_in_common() -> None:
    chains = [
        CHAIN,
        Chain(Secret(b"S" * 32).prepare(NONCE, 0)),
        Chain(Secret(b"S" * 32).prepare(b"n" * 32, 1)),
        Chain(Secret(b"s" * 32).prepare(NONCE, 1)),
    ]
    links = {chain.link(index) for chain in chains for index in range(1, LINKS + 1)}
    assert len(links) == 4 * LINKS


def test_a_draw_depends_on_purpose_index_and_every_link_in_seat_order() -> None:
    draws = [
        combine("scatter", 1, [b"a" * 32, b"b" * 32]),
        combine("scatter", 1, [b"b" * 32, b"a" * 32]),
        combine("scatter", 2, [b"a" * 32, b"b" * 32]),
        combine("coin", 1, [b"a" * 32, b"b" * 32]),
        combine("scatter", 1, [b"a" * 32]),
        combine("scatter", 1, [b"a" * 32, b"c" * 32]),
    ]
    assert len(set(draws)) == len(draws)
    assert all(0 <= draw < DRAW_LIMIT for draw in draws)
    assert max(draws) >= DRAW_LIMIT >> 8
    message = field(b"s", b"cloak/draw/1") + field(b"s", b"coin") + field(b"i", bytes(7) + b"\1")
    message += field(b"b", b"a" * 32) + field(b"b", b"b" * 32)
    expected = int.from_bytes(hashlib.blake2b(message, digest_size=16).digest(), "big")
    assert draws[3] == expected


def test_a_chain_shows_nothing() -> None:
    assert repr(CHAIN) == "<Chain>"
    with pytest.raises(TypeError):
        pickle.dumps(CHAIN)
