"""What every machine of a match signs, and what it derives from secrets that serve once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import msgspec

from cloakboard.netplay.identity import Identity
from cloakboard.netplay.transcript import ENTRY_DOMAIN, Header
from cloakboard.netplay.veil import lookup
from cloakboard.netplay.veil.secrets import commit_action

Places = dict[tuple[Any, ...], set[bytes]]
Uses = dict[tuple[Any, ...], set[Any]]


@contextmanager
def signatures() -> Iterator[Places]:
    """Every header that a seat signs as an entry's one author, by place and author."""
    places: Places = {}
    sign = Identity.sign

    def noted(self: Identity, domain: str, data: bytes) -> bytes:
        if domain == ENTRY_DOMAIN:
            header = msgspec.msgpack.decode(data, type=Header)
            place = header.match, header.epoch, header.seq, header.prev, header.author
            places.setdefault(place, set()).add(data)
        return sign(self, domain, data)

    with patch.object(Identity, "sign", noted):
        yield places


@contextmanager
def derivations() -> Iterator[Uses]:
    """What each secret that must be used once was used for: notes, questions, answers."""
    uses: Uses = {}

    def note(key: tuple[Any, ...], use: Any) -> None:
        uses.setdefault(key, set()).add(use)

    ask, reply = lookup.ask, lookup.reply

    def committed(secret: Any, epoch: int, prev: bytes, slot: int, data: bytes) -> Any:
        note(("note", secret.match, secret.seat, epoch, prev, slot), data)
        return commit_action(secret, epoch, prev, slot, data)

    def asked(secret: Any, ctx: lookup.Context, keys: Any, *rest: Any) -> Any:
        note(("ask", ctx.match, ctx.asker, ctx.epoch, ctx.lookup), (ctx, tuple(keys)))
        return ask(secret, ctx, keys, *rest)

    def replied(secret: Any, ctx: lookup.Context, points: Any, held: Any, *rest: Any) -> Any:
        asked_of_it = tuple(point.data for point in points)
        note(
            ("answer", ctx.match, ctx.owner, ctx.epoch, ctx.lookup),
            (ctx, asked_of_it, tuple(sorted(held.items()))),
        )
        return reply(secret, ctx, points, held, *rest)

    with (
        patch("cloakboard.netplay.lockstep.core.commit_action", committed),
        patch.object(lookup, "ask", asked),
        patch.object(lookup, "reply", replied),
    ):
        yield uses


def once(uses: Places | Uses) -> bool:
    """Whether each was used for one thing."""
    return all(len(used) == 1 for used in uses.values())
