"""The computer in a player's place, on the player's own machine (JQ-105, VEIL 10).

It learns what its seat knows and no more. The other side is told of it in the talk; the transcript
holds its actions like any others of the seat.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from cloakboard.engine.ai import dice
from cloakboard.engine.errors import IllegalAction
from cloakboard.netplay.lockstep.talk import PLAYS_AGAIN, STANDS_IN
from cloakboard.netplay.room_settings import settings_of
from cloakboard.netplay.transcript import CONSENTED

if TYPE_CHECKING:
    from cloakboard.netplay.lockstep.online import Online

NOT_HERE = "In this room no computer takes over: its settings do not allow it"


class StandIn:
    """Whether the computer plays here, and what it does. `is_allowed`: by the room's settings."""

    def __init__(self, online: Online) -> None:
        self._online = online
        self.is_allowed: bool = settings_of(online.match.opening)["computers_take_over"]
        self.is_on = False
        self._told = False  # whether the others know that it plays
        self._seed = secrets.randbits(64)
        self._chosen = 0

    def switch(self, is_on: bool) -> None:
        """Lets the computer play, or the player again; `step` does the rest. Raises
        `IllegalAction` where the room does not allow it."""
        if not self.is_allowed:
            raise IllegalAction("JQ-105", NOT_HERE)
        self.is_on = is_on

    def retell(self) -> None:
        """Others who were away may not know of it."""
        self._told = False

    @property
    def is_due(self) -> bool:
        """Whether the others have yet to be told who plays."""
        return self.is_on is not self._told

    async def step(self) -> None:
        """Tells the others who plays, which waits where too much was said; else plays one action,
        if there is one to play."""
        is_on, match = self.is_on, self._online.match
        if is_on is not self._told:
            if await self._online.say(STANDS_IN if is_on else PLAYS_AGAIN, ""):
                self._told = is_on
                await self._decline_all()
        elif is_on and match.may_act:
            view = match.core.view
            action = dice.choose(match.game, view, match.seat, self._seed, self._chosen)
            self._chosen += 1
            if action is None:
                self.is_on = False
            else:
                await self._online.act(action)

    async def _decline_all(self) -> None:
        if self.is_on:
            for kind in ("draw", *CONSENTED):
                await self._online.decline(kind)
