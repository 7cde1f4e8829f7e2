"""Two friends tell each other of finished matches that both may know of.

1. Each sends `Knows`: a fresh salt, and under it short hashes of the players it has met and of the
   matches it needs no more word of. (Answers: a list of friends read off the wire; a hash tells
   only whoever knows the key already.)
2. Each sends the signed records it holds whose players the other has all met, in `Records`
   frames up to the last. (Answers: news of strangers.)
3. Each checks every record by its signatures, whoever sent it, and drops those of players it has
   not met. Number and size are bounded. (Answers: forged or endless records.)
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple, Protocol

from cloakboard.netplay.errors import Lost, Malformed, NetplayError
from cloakboard.netplay.links.greeting import STEP_SECONDS, hear, say
from cloakboard.netplay.links.transport import Link
from cloakboard.netplay.veil.secrets import tagged
from cloakboard.netplay.wire import Bye, Knows, Records, unpack

SALT_BYTES: Final = 16
MARK_BYTES: Final = 8
MOST_KNOWN: Final = 20_000
MOST_RECORDS: Final = 2_000
TOLD_BYTES: Final = 256 * 1024  # of the records in a frame, but for the last of them
MOST_FRAMES: Final = 64
OVER: Final = "the match is over"
LEAVE_S: Final = 10.0  # how long the other side may take to have the last entry


class Signed(NamedTuple):
    """A record that can be passed on: its match, its players' keys, its proof."""

    match: bytes
    players: tuple[bytes, ...]
    proof: tuple[bytes, ...]


class Share(Protocol):
    """What this side knows. Called outside the loop's thread."""

    def players(self) -> Iterable[bytes]:
        """Keys of the players this one has met, its own among them."""
        ...

    def matches(self) -> Iterable[bytes]:
        """Ids of the matches that need not be told of again."""
        ...

    def signed(self) -> Iterable[Signed]:
        """The records it holds and may pass on, the newest first."""
        ...

    def take(self, proof: tuple[bytes, ...]) -> None:
        """Keeps a record if it is true and new; says nothing otherwise."""
        ...


async def exchange(link: Link, share: Share) -> None:
    """Steps 1 to 3 with the machine at the other end. Raises `NetplayError`."""
    salt = os.urandom(SALT_BYTES)
    await say(link, await asyncio.to_thread(_knows, share, salt))
    asked = await hear(link)
    if not isinstance(asked, Knows):
        raise Malformed("the other machine does not exchange match records", what="records")
    frames = await asyncio.to_thread(_told, share, asked)
    telling = asyncio.create_task(_tell(link, frames))  # beside: the other side may tell first
    try:
        await _listen(link, share)
        await telling
    finally:
        telling.cancel()
        await asyncio.gather(telling, return_exceptions=True)


async def _tell(link: Link, frames: Iterable[Records]) -> None:
    """Raises `Lost` if the other side does not take them."""
    for frame in frames:
        try:
            async with asyncio.timeout(STEP_SECONDS):
                await say(link, frame)
        except TimeoutError:
            raise Lost("the other machine does not answer; try again") from None


async def _listen(link: Link, share: Share) -> None:
    """Takes what the other side tells, up to its last. Raises `NetplayError`."""
    count = 0
    for _ in range(MOST_FRAMES):
        news = await hear(link)
        if not isinstance(news, Records):
            raise Malformed("the other machine broke off the exchange of records", what="records")
        count += len(news.records)
        if count > MOST_RECORDS:
            break
        await asyncio.to_thread(_take, share, news)
        if news.is_last:
            return
    raise Malformed("the other machine tells of too many matches", what="records")


def _mark(salt: bytes, value: bytes) -> bytes:
    return tagged("cloak/knows/1", salt, value, size=MARK_BYTES)


def _marks(salt: bytes, values: Iterable[bytes]) -> bytes:
    return b"".join(sorted(_mark(salt, value) for value in values)[:MOST_KNOWN])


def _read_marks(data: bytes) -> frozenset[bytes]:
    if len(data) % MARK_BYTES or len(data) > MARK_BYTES * MOST_KNOWN:
        raise Malformed("the other machine's list of what it knows is none", what="records")
    return frozenset(data[at : at + MARK_BYTES] for at in range(0, len(data), MARK_BYTES))


def _knows(share: Share, salt: bytes) -> Knows:
    return Knows(salt, _marks(salt, share.players()), _marks(salt, share.matches()))


def _told(share: Share, asked: Knows) -> list[Records]:
    """The frames that answer what the other side knows."""
    if len(asked.salt) != SALT_BYTES:
        raise Malformed("the other machine's list of what it knows is none", what="records")
    met, had = _read_marks(asked.players), _read_marks(asked.matches)
    wanted = [
        record.proof
        for record in share.signed()
        if _mark(asked.salt, record.match) not in had
        and all(_mark(asked.salt, key) in met for key in record.players)
    ]
    frames = list(_framed(wanted[:MOST_RECORDS]))[:MOST_FRAMES]
    return [Records(records, at == len(frames) - 1) for at, records in enumerate(frames)]


def _framed(proofs: Iterable[tuple[bytes, ...]]) -> Iterator[tuple[tuple[bytes, ...], ...]]:
    """The records in bundles of bounded size, at least one bundle."""
    held: list[tuple[bytes, ...]] = []
    size = 0
    for proof in proofs:
        held.append(proof)
        size += sum(map(len, proof))
        if size > TOLD_BYTES:
            yield tuple(held)
            held, size = [], 0
    yield tuple(held)


def _take(share: Share, news: Records) -> None:
    for proof in news.records:
        share.take(proof)


async def take_leave(link: Link, share: Share | None = None) -> None:
    """Ends a link over which nothing is left to do: both tell of earlier matches, if `share` is
    given, and stay until the other has said that it has all. What goes wrong here harms nothing
    that went before."""
    try:
        if share is not None:
            await exchange(link, share)
        async with asyncio.timeout(LEAVE_S):
            await say(link, Bye(OVER))
            while not isinstance(unpack(await link.receive()), Bye):
                pass
    except (TimeoutError, NetplayError):
        pass
    await link.close()
