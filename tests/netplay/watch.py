"""What every machine of a match signs, and what it derives from secrets that serve once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple
from unittest.mock import patch

import msgspec

from cloakboard.netplay.identity import Identity
from cloakboard.netplay.transcript import ENTRY_DOMAIN, Entry, Header
from cloakboard.netplay.veil import lookup
from cloakboard.netplay.veil.group import pack
from cloakboard.netplay.veil.secrets import commit_action

Places = dict[tuple[Any, ...], set[bytes]]


class Use(NamedTuple):
    """What a secret was used for. `made`: the bytes that came of it; `prev`: of the entry they were
    meant for, empty if they fit none but that one."""

    inputs: Any
    made: bytes
    prev: bytes


Uses = dict[tuple[Any, ...], set[Use]]


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

    def note(key: tuple[Any, ...], use: Any, made: bytes, prev: bytes = b"") -> None:
        uses.setdefault(key, set()).add(Use(use, made, prev))

    ask, reply = lookup.ask, lookup.reply

    def committed(secret: Any, epoch: int, prev: bytes, slot: int, data: bytes) -> Any:
        made = commit_action(secret, epoch, prev, slot, data)
        note(("note", secret.match, secret.seat, epoch, prev, slot), data, made[1], prev)
        return made

    def asked(secret: Any, ctx: lookup.Context, keys: Any, *rest: Any) -> Any:
        made = ask(secret, ctx, keys, *rest)
        use = ctx, tuple(keys)
        note(("ask", ctx.match, ctx.asker, ctx.epoch, ctx.lookup), use, pack(made), ctx.prev)
        return made

    def replied(secret: Any, ctx: lookup.Context, points: Any, held: Any, *rest: Any) -> Any:
        made = reply(secret, ctx, points, held, *rest)
        use = ctx, pack(points), tuple(sorted(held.items()))
        note(("answer", ctx.match, ctx.owner, ctx.epoch, ctx.lookup), use, made.rows)
        return made

    with (
        patch("cloakboard.netplay.lockstep.core.commit_action", committed),
        patch.object(lookup, "ask", asked),
        patch.object(lookup, "reply", replied),
    ):
        yield uses


def kept(uses: Uses, entries: Iterable[Entry]) -> Uses:
    """The uses that were written: what a program had only worked out when it died has reached
    neither its disk nor anybody."""
    after: dict[bytes, bytes] = {}
    for entry in entries:
        after[entry.header.prev] = after.get(entry.header.prev, b"") + entry.body
        after[b""] = after.get(b"", b"") + entry.body
    return {
        key: {use for use in used if use.made in after.get(use.prev, b"")}
        for key, used in uses.items()
    }


def once(uses: Places | Uses) -> bool:
    """Whether each was used for one thing."""
    return all(len(used) == 1 for used in uses.values())
