"""Rooms to be shown, for the tests of places where rooms are shown."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from cloakboard.netplay.finding.advert import Advert, make_advert
from cloakboard.netplay.identity import Identity
from cloakboard.netplay.invite import Invite

LIMIT_S = 20.0  # a busy machine is patient; nothing waits so long in earnest


def player(number: int) -> Identity:
    return Identity(number.to_bytes(32, "big"))


def room(number: int, owner: Identity | None = None, **changes: Any) -> Advert:
    owner = owner or player(number)
    told: dict[str, Any] = {
        "game": "wec",
        "rules_version": 1,
        "host": f"Player {number}",
        "seats": 2,
        "free": 1,
    }
    invite = Invite("endpointabc", number.to_bytes(16, "big"), owner.key)
    return make_advert(invite, **(told | changes))


@dataclass
class Bell:
    """Rings at each change of a list; a test waits for what must become true."""

    rung: asyncio.Event = field(default_factory=asyncio.Event)

    def __call__(self) -> None:
        self.rung.set()

    def after(self, call: Callable[..., None]) -> Callable[..., None]:
        """The call, with a ring after it."""

        def called(*given: Any) -> None:
            call(*given)
            self()

        return called

    async def until(self, holds: Callable[[], bool]) -> None:
        async with asyncio.timeout(LIMIT_S):
            while not holds():
                self.rung.clear()
                if not holds():
                    await self.rung.wait()
