"""How two machines that have just connected learn who the other is, and what they say first.

See `wire` for the steps. Whatever a stranger says is checked before it is answered; each step
has a time limit; what does not fit ends the link with a sentence for both players.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

from cloakboard.engine.game import Game
from cloakboard.netplay.errors import Blocked, Lost, Malformed, Mismatch, NetplayError, Refused
from cloakboard.netplay.identity import Identity, verify
from cloakboard.netplay.links.transport import Link
from cloakboard.netplay.plain import printable
from cloakboard.netplay.transcript import Entry, Opening
from cloakboard.netplay.veil.opening import clean_name
from cloakboard.netplay.veil.secrets import tagged
from cloakboard.netplay.wire import PROTOCOL, Bye, Hello, Message, pack, unpack

HELLO_DOMAIN: Final = "cloak/hello/1"
STEP_SECONDS: Final = 20.0
LAST_WORD_S: Final = 2.0
REASON_LENGTH: Final = 300  # characters of a last word
NO_MATCH: Final = b""
NOT_NOW: Final = "this player is not taking guests now"
"""What whoever is blocked reads; it says nothing of why."""


def refuses_nobody(_key: bytes) -> bool:
    """The block list of whoever has none."""
    return False


@dataclass(frozen=True, slots=True)
class Me:
    """Who this machine is to others: identity, transport key, shown name, program version.
    `refuses` says of an identity key whether its player is blocked here."""

    identity: Identity
    transport_key: bytes
    name: str
    app: str
    refuses: Callable[[bytes], bool] = refuses_nobody


@dataclass(frozen=True, slots=True)
class Table:
    """What a room is opened with. `host_seat`: the seat that its opener would like; `title`: of
    the start position; `settings`: changes of the room's; `password`: empty for none;
    `members`: keys of those who may come in, if only members may; `only`: of those who may come
    in at all, whatever the settings say, empty for anybody."""

    game: Game
    options: Mapping[str, Any] = field(default_factory=dict)
    setup: str = ""
    host_seat: int = 0
    title: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)
    password: str = field(default="", repr=False)
    members: frozenset[bytes] = frozenset()
    only: frozenset[bytes] = frozenset()


@dataclass(frozen=True, slots=True)
class Begun:
    """A match that all have signed."""

    entry: Entry
    opening: Opening
    match: bytes
    seat: int


async def say(link: Link, message: Message) -> None:
    """Sends one message."""
    await link.send(pack(message))


async def hear(link: Link, seconds: float = STEP_SECONDS) -> Message:
    """The next message. Raises `Lost` when none comes in time, `Refused` for a `Bye`."""
    try:
        async with asyncio.timeout(seconds):
            message = unpack(await link.receive())
    except TimeoutError:
        raise Lost("the other machine does not answer; try again") from None
    if isinstance(message, Bye):
        raise Refused(f"the other side left: {clean_reason(message.reason)}")
    return message


def clean_reason(text: str) -> str:
    """A stranger's sentence, fit to be shown."""
    return printable(text)[:REASON_LENGTH]


async def part(link: Link, error: Exception) -> None:
    """Tells the other side why, and closes."""
    reason = NOT_NOW if isinstance(error, Blocked) else str(error)[:REASON_LENGTH]
    with suppress(TimeoutError, NetplayError):  # who does not read cannot hold it open either
        async with asyncio.timeout(LAST_WORD_S):
            await say(link, Bye(reason))
    await link.close()


async def greet(link: Link, me: Me, room: bytes, match: bytes, nonce: bytes = b"") -> Hello:
    """Both sides' `Hello`; returns the other's, checked. `nonce`: 32 fresh bytes, drawn here if
    none are given. Raises `NetplayError`."""
    nonce = nonce or os.urandom(32)
    own = _hello_bytes(room, match, nonce, me.transport_key, link.peer)
    proof = me.identity.sign(HELLO_DOMAIN, own)
    hello = Hello(PROTOCOL, me.app, room, match, me.identity.key, clean_name(me.name), nonce, proof)
    await say(link, hello)
    other = await hear(link)
    if not isinstance(other, Hello):
        raise Malformed("the other machine does not speak Cloakboard", what="hello")
    if other.protocol != PROTOCOL:
        raise Mismatch(
            f"the other side runs Cloakboard {clean_reason(other.app)}, this is {me.app}; "
            "both players need the same version, so update the older one",
            what="protocol",
            expected=PROTOCOL,
            actual=other.protocol,
        )
    if len(other.key) != 32 or len(other.nonce) != 32:
        raise Malformed("the other machine's greeting is malformed", what="hello")
    said = _hello_bytes(other.room, other.match, other.nonce, link.peer, me.transport_key)
    verify(other.key, HELLO_DOMAIN, said, other.proof)
    if other.key == me.identity.key:
        raise Refused("that is your own identity; two players need two profiles (--profile DIR)")
    if me.refuses(other.key):
        raise Blocked("you have blocked this player; unblock them under Friends to play with them")
    if other.room != room:
        raise Refused("the invite is of another room; ask your friend for a new one")
    if other.match != match:
        raise Mismatch(
            "the other side wants to go on with another match; open the same save on both sides",
            what="match",
        )
    return other


def _hello_bytes(room: bytes, match: bytes, nonce: bytes, own: bytes, peer: bytes) -> bytes:
    return tagged("cloak/hello/1", room, match, nonce, own, peer)
