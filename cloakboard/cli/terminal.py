"""A person at a terminal: the position as text, actions by number, requests by word."""

from __future__ import annotations

import asyncio
import sys

from cloakboard.engine.errors import EngineError
from cloakboard.engine.game import Action
from cloakboard.netplay.effects import Ended, Judged, Offered, Resumed, Stopped
from cloakboard.netplay.online import LinkState, Online, Told

SHOWN = 60  # actions listed at once
HELP = "a number plays an action; also: find WORD, more, resign, draw, save NAME, leave"


class Terminal:
    """Prints what happens, and asks what to do."""

    def __init__(self) -> None:
        self._quality = ""

    def tell(self, told: Told) -> None:
        """Prints one line where there is something to say."""
        match told:
            case LinkState():
                if told.quality == "lost":
                    print(f"connection lost; looking for {told.seconds_left} s more")
                elif told.quality != self._quality:
                    print(f"connection {told.quality}")
                self._quality = told.quality
            case Offered():
                print(f"the other side asks for: {told.kind} (type {told.kind} to agree)")
            case Resumed():
                print("the match goes on")
            case Stopped():
                print(f"the match was stopped: {told.text}")
            case Ended():
                print(f"the match is over: {told.result.reason}; the audit follows")
            case Judged():
                print(f"audit: {told.judgement.text}")
            case _:
                return

    async def play(self, online: Online, changed: asyncio.Event) -> None:
        """Plays this seat until the run of the match ends."""
        match = online.match
        while True:
            changed.clear()
            if not match.may_act:
                await changed.wait()
                continue
            view = match.core.view
            print(match.game.text(view))
            actions = list(match.game.actions(view, match.seat))
            await self._turn(online, actions)

    async def _turn(self, online: Online, actions: list[Action]) -> None:
        match = online.match
        labels = [match.game.say(match.core.view, action) for action in actions]
        listed, first = list(range(len(actions))), 0
        while match.may_act:
            for number in listed[first : first + SHOWN]:
                print(f"{number:4} {labels[number]}")
            print(f"{len(listed)} actions. {HELP}")
            line = (await asyncio.to_thread(_read_line)).strip()
            word, _, rest = line.partition(" ")
            try:
                if line.isdigit() and int(line) < len(actions):
                    await online.act(actions[int(line)])
                    return
                if word == "find":
                    listed = [n for n, label in enumerate(labels) if rest.lower() in label.lower()]
                    first = 0
                elif word == "more":
                    first = first + SHOWN if first + SHOWN < len(listed) else 0
                elif word in ("resign", "draw"):
                    await online.request(word)
                elif word == "save" and rest:
                    await online.name(rest)
                    print("named; the match is saved at every action")
                elif word == "leave":
                    await online.leave()
                    return
                else:
                    print(HELP)
            except EngineError as error:
                print(error)


def _read_line() -> str:
    line = sys.stdin.readline()
    return line if line else "leave"
