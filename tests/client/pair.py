"""Two players of one match over the net, each with a session as the window sees it, in one process
and without a network."""

from __future__ import annotations

from collections.abc import Coroutine, Mapping
from pathlib import Path
from typing import Any

from cloakboard.client.net_session import NetSession
from cloakboard.engine.game import Action, Game
from cloakboard.netplay.lockstep.match import Match
from tests.netplay.rig import Rig, identity


class Now:
    """In place of the network's thread: work is done at once."""

    def run(self, work: Coroutine[Any, Any, Any]) -> None:
        try:
            work.send(None)
        except StopIteration:
            return
        raise AssertionError("it waits for something")


class Open:
    """In place of a `Gallery`: anybody may watch."""

    def invite(self) -> str:
        return "cloakwatch1:abc"


class Wire:
    """In place of `Online`: what one peer does reaches the others at once."""

    def __init__(self, pair: Pair, seat: int) -> None:
        self._pair = pair
        self._seat = seat
        self.gallery = Open()

    @property
    def match(self) -> Match:
        return self._pair.rig.peers[self._seat]

    async def act(self, action: Action) -> None:
        self.match.act(action)
        self._pair.deliver()

    async def request(self, kind: str, value: int = 0) -> None:
        self.match.request(kind, value)
        self._pair.deliver()

    async def decline(self, kind: str) -> None:
        self.match.decline(kind)
        self._pair.deliver()

    async def say(self, phrase: str, text: str) -> bool:
        said = self.match.say(phrase, text)
        self._pair.deliver()
        return said

    async def name(self, text: str) -> None:
        self.match.offer_name(text)
        self._pair.deliver()

    async def agree_on_name(self, seat: int, name: str) -> None:
        self.match.agree_on_name(seat, name)
        self._pair.deliver()

    async def leave(self) -> None:
        return


class Pair:
    """The match, and the session of each seat."""

    def __init__(
        self,
        game: Game,
        seed: int = 5,
        room: Mapping[str, Any] | None = None,
        setup: str = "",
    ) -> None:
        self.rig = Rig(game, seed, setup=setup, room=room)
        self.rig.shares_audit = True
        self._told = [len(told) for told in self.rig.told]
        self.sessions = [
            NetSession(Now(), Wire(self, seat), Path("none"), identity(seat))  # type: ignore[arg-type]
            for seat in range(game.seats)
        ]

    def deliver(self) -> None:
        """Everything that is under way arrives, and is told."""
        self.rig.flush()
        for seat, session in enumerate(self.sessions):
            for told in self.rig.told[seat][self._told[seat] :]:
                session.tell(told)
            self._told[seat] = len(self.rig.told[seat])

    def play(self, count: int) -> None:
        """So many random actions, before any window is open."""
        for _ in range(count):
            self.rig.step()
        self.deliver()
        for session in self.sessions:
            session.poll()
