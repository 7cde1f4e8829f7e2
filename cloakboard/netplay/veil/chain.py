"""Chance that no seat controls: a hash chain a seat, opened one link a draw (VEIL 7).

1. Entry 0 holds each seat's tip, so every later link is fixed before the first is seen.
2. Draw `i` opens `link(i)` of every seat, the seat that gains first: a seat that dislikes
   what it saw cannot change its own link, only refuse to open it, and then owes an answer.
3. The draw's index picks the link, never the state, and it never goes back.
"""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from typing import Final

from cloakboard.netplay.errors import Forged, Malformed, Refused
from cloakboard.netplay.veil.secrets import Hidden, SeatSecret, tagged

LINKS: Final = 1024
LINK_BYTES: Final = 32
DRAW_LIMIT: Final = 1 << 128


class Chain(Hidden):
    """The links of one seat, from its prepared secret (`Secret.prepare`): 3 ms, once."""

    __slots__ = ()

    def __init__(self, secret: SeatSecret) -> None:
        links = [secret.prf("chain")[:LINK_BYTES]]
        for index in range(LINKS, 0, -1):
            links.append(_step(secret.match, secret.seat, index, links[-1]))
        super().__init__(b"".join(reversed(links)))

    @property
    def tip(self) -> bytes:
        """32 bytes that fix all links; stands in entry 0."""
        return self._data[:LINK_BYTES]

    def link(self, index: int) -> bytes:
        """The link that draw `index` (1 .. 1024) opens; raises `Refused` beyond the last."""
        if not 1 <= index <= LINKS:
            raise Refused(
                f"draw {index} is not among the {LINKS} of this match; it cannot be made",
                what="draw",
            )
        return self._data[index * LINK_BYTES : (index + 1) * LINK_BYTES]


def check_link(nonce: bytes, seat: int, index: int, link: bytes, last: bytes) -> bytes:
    """The link, if it is the one of draw `index`; `last` is that of the draw before (or the
    tip). `nonce` is the table's. Raises `Malformed` for a wrong length or index, `Forged`."""
    if len(link) != LINK_BYTES or not 1 <= index <= LINKS:
        raise Malformed("a link has the wrong length or number", what="link")
    if not hmac.compare_digest(last, _step(nonce, seat, index, link)):
        raise Forged("a link is not of the chain promised at the start", what="link", seat=seat)
    return link


def combine(purpose: str, index: int, links: Sequence[bytes]) -> int:
    """The number in [0, 2**128) that the links of all seats, in seat order, make of a draw."""
    return int.from_bytes(tagged("cloak/draw/1", purpose, index, *links, size=16), "big")


def _step(nonce: bytes, seat: int, index: int, link: bytes) -> bytes:
    """Link `index - 1` from link `index`."""
    return tagged("cloak/chain/1", nonce, seat, index, link)
