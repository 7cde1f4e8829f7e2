"""A person at a terminal: the position as text, actions by number, requests by word."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

from cloakboard.engine.errors import EngineError
from cloakboard.engine.game import Action
from cloakboard.netplay.lockstep.effects import (
    Consented,
    Continued,
    Declined,
    Ended,
    Heard,
    Judged,
    Named,
    NameOffered,
    Offered,
    OverTime,
    Resumed,
    Stopped,
    Watched,
)
from cloakboard.netplay.lockstep.match import DATED
from cloakboard.netplay.lockstep.online import LinkState, Online, Told
from cloakboard.netplay.lockstep.stand_in import StandIn
from cloakboard.netplay.lockstep.talk import PHRASES

SHOWN = 60  # actions listed at once
HELP = (
    "a number plays an action; also: find WORD, more, say TEXT, undo, pause, extend, draw, "
    "decline, save NAME, computer on, resign, leave"
)
ITS_TURN = "the computer plays for you; type computer off to take over again, or leave"
EXTENSION_MS = 5 * 60 * 1000


class Terminal:
    """Prints what happens, and asks what to do."""

    def __init__(self) -> None:
        self._quality = ""
        self._offers: dict[str, int] = {}  # what others ask for: kind and value
        self._name: NameOffered | None = None
        self._stand_in: StandIn | None = None

    def tell(self, told: Told) -> None:
        """Prints one line where there is something to say."""
        match told:
            case LinkState():
                if told.quality == "lost":
                    print(f"connection lost; looking for {told.seconds_left} s more")
                elif told.quality != self._quality:
                    print(f"connection {told.quality}")
                self._quality = told.quality
            case Offered() if told.kind in DATED:
                self._offers[told.kind] = told.value
                print(f"the other side asks for: {told.kind} (type {told.kind} to agree)")
            case NameOffered():
                self._name = told
                print(f"the other side would save this match as {told.name} (type save to agree)")
            case Declined():
                print(f"the other side does not agree: {told.kind}")
            case Consented():
                self._offers.clear()
                print(f"all have agreed: {told.kind}")
            case Continued():
                print("the pause is over; the match goes on")
            case Named():
                print(f"saved as {told.name}")
            case Heard():
                print(f"seat {told.seat} says: {PHRASES.get(told.phrase, told.text)}")
            case Watched():
                names = f" ({', '.join(told.names)})" if told.names else ""
                print(f"watching at the machine of seat {told.seat}: {told.count}{names}")
            case OverTime():
                print(f"the time of seat {told.seat} is over; it has not said so")
            case Resumed():
                if self._stand_in is not None:
                    self._stand_in.retell()
                print("the match goes on")
            case Stopped():
                print(f"the match was stopped: {told.text}")
            case Ended():
                print(f"the match is over: {told.result.reason}; the audit follows")
                if self._stand_in is not None and self._stand_in.is_on:
                    print("press Enter to close")
            case Judged():
                print(f"audit: {told.judgement.text}")
            case _:
                return

    async def play(self, online: Online, changed: asyncio.Event) -> None:
        """Plays this seat until the run of the match ends."""
        match = online.match
        while True:
            if self._stand_in is not None:
                await self._watch(online, self._stand_in, changed)
            changed.clear()
            if match.together and match.core.requests.is_paused:
                print("the match is paused; press Enter to play on")
                await asyncio.to_thread(_read_line)
                await online.request("continue")
            if not match.may_act:
                await changed.wait()
                continue
            view = match.core.view
            print(match.game.text(view))
            actions = list(match.game.actions(view, match.seat))
            await self._turn(online, actions)

    async def _watch(self, online: Online, stand_in: StandIn, changed: asyncio.Event) -> None:
        """While the computer plays: what the person types, until it takes over again."""
        reading: asyncio.Task[str] | None = None
        if stand_in.is_on:
            print(ITS_TURN)
        while stand_in.is_on:
            changed.clear()
            await self._decline(online)
            reading = reading or asyncio.create_task(asyncio.to_thread(_read_line))
            if reading.done():
                word, _, rest = reading.result().strip().partition(" ")
                reading = None
                if word == "leave":
                    self._stand_in = None
                    await online.leave()
                    return
                if not await self._ask(online, word, rest):
                    print(ITS_TURN)
            elif online.match.may_act and not stand_in.is_due:
                await stand_in.step()
                await asyncio.sleep(0)
            else:
                await stand_in.step()
                woken = asyncio.create_task(changed.wait())
                waited_for: set[asyncio.Task[Any]] = {reading, woken}
                await asyncio.wait(waited_for, timeout=1.0, return_when=asyncio.FIRST_COMPLETED)
                woken.cancel()
        if stand_in.is_due:
            await stand_in.step()

    async def _turn(self, online: Online, actions: list[Action]) -> None:
        match = online.match
        labels = [match.game.say(match.core.view, action) for action in actions]
        listed, first = list(range(len(actions))), 0
        numbers = {str(number): number for number in listed}
        head = match.core.place.head  # what is listed holds for this position alone
        while match.may_act and match.core.place.head == head:
            for number in listed[first : first + SHOWN]:
                print(f"{number:4} {labels[number]}")
            print(f"{len(listed)} actions. {HELP}")
            line = (await asyncio.to_thread(_read_line)).strip()
            word, _, rest = line.partition(" ")
            try:
                if line in numbers:
                    if match.core.place.head == head:
                        await online.act(actions[numbers[line]])
                    return
                if word == "find":
                    listed = [n for n, label in enumerate(labels) if rest.lower() in label.lower()]
                    first = 0
                elif word == "more":
                    first = first + SHOWN if first + SHOWN < len(listed) else 0
                elif word == "leave":
                    await online.leave()
                    return
                elif not await self._ask(online, word, rest):
                    print(HELP)
                if self._stand_in is not None and self._stand_in.is_on:
                    return
            except EngineError as error:
                print(error)

    async def _ask(self, online: Online, word: str, rest: str) -> bool:
        """What concerns the others at the table; False for a word that does not."""
        match word:
            case "resign" | "draw" | "pause":
                await online.request(word)
            case "undo":
                target = self._offers.get("undo", online.match.undo_target)
                if target is None:
                    print("there is nothing that can be taken back")
                else:
                    await online.request("undo", target)
            case "extend":
                await online.request("extend", self._offers.get("extend", EXTENSION_MS))
            case "decline":
                await self._decline(online)
            case "computer" if rest in ("on", "off"):
                self._stand_in = self._stand_in or StandIn(online)
                self._stand_in.switch(rest == "on")
            case "say" if rest:
                if not await online.say("", rest):
                    print("nobody hears it: wait a moment, or this room is muted")
            case "save" if rest:
                await online.name(rest)
                print("the match is saved at every action; the other side is asked for the name")
            case "save" if self._name is not None:
                await online.agree_on_name(self._name.seat, self._name.name)
                self._name = None
            case _:
                return False
        return True

    async def _decline(self, online: Online) -> None:
        for kind in (*self._offers, *(["save"] if self._name else [])):
            await online.decline(kind)
        self._offers.clear()
        self._name = None


def _read_line() -> str:
    """What the person types; `leave` once nobody can type any more, nothing for what is no text."""
    try:
        line = sys.stdin.readline()
    except UnicodeDecodeError:
        return ""
    return line if line else "leave"
