"""Who may come into a room (JQ-117), and how a ticket or a password is proved without sending it.

1. Both sides greet, each with a fresh nonce. 2. The visitor sends `Knock`: a hash under what it
holds, over both nonces, both identities and the room. (Answers: a password read off the wire, a
proof used again or passed on.) A password is stretched first. (Answers: a false room that collects
proofs to guess from.)
"""

from __future__ import annotations

import hashlib
import hmac
import unicodedata
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from cloakboard.netplay.errors import Refused
from cloakboard.netplay.room_settings import NO_COUNT_LIMIT, NO_RATE_LIMIT
from cloakboard.netplay.veil.secrets import lp

TICKET_BYTES: Final = 16
PASSWORD_LENGTH: Final = 64
_SCRYPT: Final = {"n": 1 << 14, "r": 8, "p": 1}


@dataclass(frozen=True, slots=True)
class Conduct:
    """Of a player's matches that this machine knows of: how many began, and how many of these
    the player left (JQ-88)."""

    begun: int = 0
    left: int = 0

    @property
    def percent(self) -> int:
        """The share that was left, rounded down."""
        return 100 * self.left // self.begun if self.begun else 0


def unknown(key: bytes) -> Conduct:
    """Of a player of whom nothing is known."""
    return Conduct()


def is_nobody(key: bytes) -> bool:
    """No key is a friend's."""
    return False


Admit = Callable[[bytes, str], Awaitable[None]]
"""Returns when a visitor, by key and name, may come in; raises `Refused`. See `devices.Porter`."""


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who knocks. `is_invited`: it has a ticket."""

    is_invited: bool = False
    has_password: bool = False
    is_member: bool = False
    is_friend: bool = False
    conduct: Conduct = Conduct()

    @property
    def is_known(self) -> bool:
        """Whether anything but its own word speaks for it."""
        return self.is_invited or self.has_password or self.is_member or self.is_friend


def refusal(settings: Mapping[str, Any], visitor: Visitor) -> tuple[str, str] | None:
    """(setting that refuses, why in words), None if the visitor may come in. The first gate that
    refuses is told; a ticket or a password opens the first one only."""
    needs_password, invite_only = settings["password"], settings["invite_only"]
    if (needs_password or invite_only) and not (visitor.is_invited or visitor.has_password):
        if needs_password:
            return (
                "password",
                "this room has a password: none came, or a wrong one; type it and join again, or "
                "ask for an invite",
            )
        return "invite_only", "this room is for who was invited; ask its player for an invite"
    if settings["members_only"] and not visitor.is_member:
        return "members_only", "this room is for the players on its list"
    if settings["friends_only"] and not visitor.is_friend:
        return "friends_only", "this room is for friends of the player who opened it"
    return conduct_refusal(settings, visitor.conduct)


def conduct_refusal(settings: Mapping[str, Any], conduct: Conduct) -> tuple[str, str] | None:
    """As `refusal`, by how a player has ended matches."""
    over = beyond(settings, conduct)
    if over is None:
        return None
    setting, limit = over
    told = {
        "max_disconnect_rate": f"{conduct.percent}% of the matches were left early; this room "
        f"takes {limit}% at most",
        "max_disconnects": f"{conduct.left} matches were left early; this room takes {limit} "
        "at most",
    }
    return setting, told[setting]


def beyond(settings: Mapping[str, Any], conduct: Conduct) -> tuple[str, int] | None:
    """The first limit of a room that a player is beyond, and its value; None if within both."""
    rate, count = settings["max_disconnect_rate"], settings["max_disconnects"]
    if rate < NO_RATE_LIMIT and conduct.percent > rate:
        return "max_disconnect_rate", rate
    if count < NO_COUNT_LIMIT and conduct.left > count:
        return "max_disconnects", count
    return None


@dataclass(frozen=True)
class Door:
    """The door of a room that this machine keeps. `ticket`: what an invite holds; `password`:
    empty for none; `members`: keys. `admit` is asked about visitors of whom nothing is known.
    `only`: keys of those who may come in whatever the settings say, and nobody else; empty for
    anybody."""

    room: bytes
    ticket: bytes = field(repr=False)
    password: str = field(default="", repr=False)
    members: frozenset[bytes] = frozenset()
    is_friend: Callable[[bytes], bool] = is_nobody
    conduct: Callable[[bytes], Conduct] = unknown
    admit: Admit | None = None
    only: frozenset[bytes] = frozenset()

    @cached_property
    def _stretched(self) -> bytes:
        return stretch(self.password, self.room)

    def visitor(self, key: bytes, shown: tuple[bytes, bytes], link: tuple[bytes, ...]) -> Visitor:
        """Who knocks, by the key it greeted with and the proofs (ticket, password) it shows.
        Raises `Refused` for who may not come in at all."""
        if self.only:
            if key not in self.only:
                raise Refused("this room is for the players of an earlier match", what="only")
            return Visitor(is_invited=True, is_member=True, is_friend=True)
        ticket, password = shown
        return Visitor(
            is_invited=_holds(self.ticket, ticket, link),
            has_password=bool(self.password) and _holds(self._stretched, password, link),
            is_member=key in self.members,
            is_friend=self.is_friend(key),
            conduct=self.conduct(key),
        )


def stretch(password: str, room: bytes) -> bytes:
    """A key from a password, however its letters were put together by a keyboard. Takes some 50 ms
    and 16 MiB, so that guessing costs something."""
    typed = unicodedata.normalize("NFC", password.strip())[:PASSWORD_LENGTH]
    text = typed.encode(errors="surrogatepass")  # a command line's bytes may be no text
    return hashlib.scrypt(text, salt=room, dklen=32, **_SCRYPT)


def prove(secret: bytes, link: tuple[bytes, ...]) -> bytes:
    """That one holds a secret, for one link only; empty if there is none to prove."""
    if not secret:
        return b""
    return hashlib.blake2b(lp("cloak/knock/1", *link), key=secret, digest_size=32).digest()


def _holds(secret: bytes, shown: bytes, link: tuple[bytes, ...]) -> bool:
    return bool(secret) and hmac.compare_digest(prove(secret, link), shown)
