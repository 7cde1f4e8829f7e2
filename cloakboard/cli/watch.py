"""Watching a match of others, as text."""

from __future__ import annotations

import asyncio
from pathlib import Path

from cloakboard.cli.closing import summary
from cloakboard.cli.exits import CLEAN
from cloakboard.engine.registry import games as registered
from cloakboard.netplay.finding.places import Neighbours
from cloakboard.netplay.identity import Identity, default_name
from cloakboard.netplay.invite import parse_watch
from cloakboard.netplay.links.greeting import Me
from cloakboard.netplay.links.network import open_network
from cloakboard.netplay.lockstep.effects import Consented, Continued, Effect, Ended, Happened
from cloakboard.netplay.lockstep.online import LinkState
from cloakboard.netplay.lockstep.spectator import Spectator
from cloakboard.netplay.profile import Profile
from cloakboard.netplay.settings import SettingsFile


class Screen:
    """Prints the public position whenever a Turn is over, and what else there is to tell."""

    def __init__(self) -> None:
        self.spectator: Spectator | None = None
        self._turn = -1
        self._quality = ""
        self._is_over = False

    def tell(self, told: Effect | LinkState) -> None:
        """Takes in what is watched."""
        core = self.spectator.core if self.spectator is not None else None
        match told:
            case LinkState() if told.quality != self._quality:
                self._quality = told.quality
                found = told.quality != "lost"
                print("watching" if found else "looking for the match", flush=True)
            case Happened() if core is not None and core.idle:
                turn = core.game.turn(core.shown)
                if turn != self._turn:
                    self._turn = turn
                    print(core.game.text(core.shown), flush=True)
            case Consented() if told.kind in ("undo", "pause"):
                print(f"the players agreed: {told.kind}", flush=True)
                self._turn = -1
            case Continued():
                print("the players go on after the pause", flush=True)
            case Ended() if core is not None and not self._is_over:
                self._is_over = True
                names = core.game.seat_names()
                won = " and ".join(names[seat] for seat in told.result.winners) or "nobody"
                print(core.game.text(core.shown))
                print(f"the match is over: {won} won ({told.result.reason})")
                print(summary(core.game, core.shown), flush=True)
            case _:
                return


def watch(invite: str, folder: Path | None, local: bool, wait_s: float, app: str) -> int:
    """Watches the match of an invite to its end."""
    asked = parse_watch(invite)
    with Profile.open(folder) as profile:
        identity = Identity.open(profile.folder)
        settings = SettingsFile(profile.folder).now

        async def run() -> None:
            secret = identity.transport_secret()
            neighbours = Neighbours() if settings.lan and not local else None
            transport = await open_network(
                secret, profile.port, local, settings.relays, near=neighbours
            )
            try:
                name = settings.name or default_name(identity.key)
                me = Me(identity, transport.key, name, app)
                screen = Screen()
                screen.spectator = Spectator(
                    asked, transport, me, registered(), screen.tell, wait_s
                )
                await screen.spectator.run()
            finally:
                await transport.close()
                if neighbours is not None:
                    await neighbours.close()

        asyncio.run(run())
    return CLEAN
