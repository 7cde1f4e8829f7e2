"""Hypothesis strategies that tests of several parts share."""

from typing import Any

from hypothesis import strategies as st

from cloakboard.engine.chance import DRAW_LIMIT
from cloakboard.engine.codec import encode
from cloakboard.engine.game import Game
from cloakboard.engine.table import Table
from tests.play import random_game


def draws() -> st.SearchStrategy[int]:
    """Answers of a DRAW probe."""
    return st.integers(0, DRAW_LIMIT - 1)


def tables(game: Game, max_actions: int = 40) -> st.SearchStrategy[Table]:
    """Tables somewhere in a random game."""
    return st.builds(
        random_game,
        st.just(game),
        seed=st.integers(0, 2**32),
        max_actions=st.integers(0, max_actions),
    )


def damaged(data: st.SearchStrategy[bytes]) -> st.SearchStrategy[bytes]:
    """Bytes of a record with one byte changed, taken out or put in, or the end cut off."""
    return data.flatmap(
        lambda whole: st.one_of(
            st.builds(_with_byte, st.just(whole), st.integers(0, len(whole)), st.integers(0, 255)),
            st.builds(_put_in, st.just(whole), st.integers(0, len(whole)), st.integers(0, 255)),
            st.builds(_cut, st.just(whole), st.integers(0, len(whole))),
        )
    )


def garbage(max_size: int = 200) -> st.SearchStrategy[bytes]:
    """Arbitrary bytes, among them such as look like msgpack."""
    plain: st.SearchStrategy[Any] = st.none() | st.integers(-(2**63), 2**64 - 1) | st.text()
    plain = st.recursive(
        plain | st.floats() | st.binary(max_size=20),
        lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(), inner, max_size=5),
        max_leaves=10,
    )
    return st.binary(max_size=max_size) | plain.map(encode)


def _with_byte(whole: bytes, at: int, byte: int) -> bytes:
    return whole[:at] + bytes([byte]) + whole[at + 1 :]


def _put_in(whole: bytes, at: int, byte: int) -> bytes:
    return whole[:at] + bytes([byte]) + whole[at:]


def _cut(whole: bytes, at: int) -> bytes:
    return whole[:at]
