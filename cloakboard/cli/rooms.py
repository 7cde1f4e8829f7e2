"""Rooms of the local network and of halls: listed, shown, joined by name."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from cloakboard.cli.exits import CLEAN
from cloakboard.cli.friends import book_of
from cloakboard.engine.errors import EngineError
from cloakboard.engine.options import written
from cloakboard.engine.registry import game as registered_game
from cloakboard.engine.registry import games as registered
from cloakboard.netplay.errors import Lost, Malformed, Refused
from cloakboard.netplay.finding.advert import Advert
from cloakboard.netplay.finding.devices import Devices
from cloakboard.netplay.finding.hall import parse_hall
from cloakboard.netplay.finding.places import LAN, Found, Look, Neighbours, Places, Showing
from cloakboard.netplay.identity import Identity, fingerprint_words
from cloakboard.netplay.invite import is_meant, parse_invite
from cloakboard.netplay.profile import Profile
from cloakboard.netplay.room.notice import setting_of
from cloakboard.netplay.room.party import Plan
from cloakboard.netplay.room_settings import ROOM
from cloakboard.netplay.settings import Settings, SettingsFile, read_relays


@dataclass(frozen=True, slots=True)
class Where:
    """Places that the arguments name. `lets_in`: devices that are not known yet come in;
    `relays`: see `settings.read_relays`, None for those of the settings."""

    lan: bool = False
    halls: tuple[str, ...] = ()
    lets_in: bool = False
    relays: str | None = None

    def __bool__(self) -> bool:
        return self.lan or bool(self.halls)

    def check(self, local: bool) -> None:
        """Raises `EngineError` or `Malformed` for places that cannot be."""
        if self and local:
            raise EngineError("--local keeps to this machine; leave it out to use other places")
        for hall in self.halls:
            parse_hall(hall)


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which rooms `rooms` prints: of a game, with so many free seats, without a password, and
    with settings as `NAME=VALUE`."""

    game: str = ""
    free: int = 0
    is_open: bool = False
    as_json: bool = False
    settings: tuple[str, ...] = ()

    def check(self) -> None:
        """Raises `EngineError` or `Malformed` for what no room can be."""
        told = [registered_game(self.game)] if self.game else list(registered().values())
        known = {*ROOM.defaults()}.union(*(one.options.defaults() for one in told))
        for text in self.settings:
            name, is_told, _ = text.partition("=")
            if not is_told or name not in known:
                raise Malformed(
                    f"{text!r} is no setting as NAME=VALUE; see `cloakboard games`", what="setting"
                )

    def fits(self, advert: Advert) -> bool:
        """Whether a room is wanted."""
        return (
            self.game in ("", advert.game)
            and advert.free >= self.free
            and not (self.is_open and advert.needs_password)
            and all(self._has(advert, *text.partition("=")[::2]) for text in self.settings)
        )

    def _has(self, advert: Advert, name: str, value: str) -> bool:
        is_so = setting_of(advert, name, registered().get(advert.game))
        return is_so is not None and written(is_so) == value


def rooms(folder: Path | None, where: Where, wanted: Wanted, wait_s: float) -> int:
    """Looks for `wait_s` seconds and prints what was found; without places named, in those of
    the settings."""
    where.check(local=False)
    wanted.check()
    with Profile.open(folder) as profile:
        identity = Identity.open(profile.folder)
        settings = SettingsFile(profile.folder).now
        book = book_of(profile, identity.key)
        if not where:
            where = Where(settings.lan, settings.halls)
        neighbours = Neighbours() if where.lan else None
        places = Places(
            identity, where.halls, neighbours, hides=book.refuses, favours=book.is_friend
        )
        found, problems = asyncio.run(_looked(places, wait_s))
    for place, problem in problems.items():
        print(f"cloakboard: {place}: {problem}", file=sys.stderr)
    listed = [each for each in found if wanted.fits(each.advert)]
    if wanted.as_json:
        print(json.dumps([_all_of(each) for each in listed], indent=2))
        return CLEAN
    for number, each in enumerate(listed, 1):
        print(f"{number}. {_line(each)}")
    if not listed:
        print("no rooms; a friend can show one with: cloakboard host GAME --lan")
    return CLEAN


async def _looked(places: Places, wait_s: float) -> tuple[tuple[Found, ...], dict[str, str]]:
    look = places.look(lambda: None)
    try:
        await asyncio.sleep(wait_s)
        return look.found(), look.problems()
    finally:
        await look.close()
        if places.neighbours is not None:
            await places.neighbours.close()


def _line(found: Found) -> str:
    advert = found.advert
    game = registered().get(advert.game)
    parts = [
        game.title if game is not None else advert.game,
        f"{advert.host} ({fingerprint_words(advert.key)})",
        f"{advert.free} of {advert.seats} seats free",
    ]
    if advert.title:
        parts.insert(0, advert.title)
    if advert.needs_password:
        parts.append("password")
    if game is None or game.rules_version != advert.rules_version:
        parts.append("another version")
    parts += [f"{name}={written(value)}" for name, value in advert.settings]
    return f"{found.place}: {', '.join(parts)}"


def _all_of(found: Found) -> dict[str, Any]:
    advert = found.advert
    return {
        "place": found.place,
        "invite": advert.text(),
        "game": advert.game,
        "rules_version": advert.rules_version,
        "title": advert.title,
        "host": advert.host,
        "key": advert.key.hex(),
        "seats": advert.seats,
        "free": advert.free,
        "needs_password": advert.needs_password,
        "settings": dict(advert.settings),
    }


class Outside:
    """What `host`, `join` and `resume` have to do with other machines' places. Use as an
    asynchronous context manager."""

    def __init__(self, plan: Plan, settings: Settings, where: Where) -> None:
        self._where = where
        self._devices = Devices(plan.profile.folder)
        uses_lan = (settings.lan or where.lan) and not plan.local
        self._neighbours = Neighbours() if uses_lan else None
        self._places = Places(plan.identity, where.halls, self._neighbours, hides=plan.refuses)
        relays = plan.relays if where.relays is None else read_relays(where.relays)
        self.plan = replace(plan, near=self._neighbours, admit=self._admit, relays=relays)
        self.showing: Showing | None = None

    async def __aenter__(self) -> Outside:
        on = (LAN,) * self._where.lan + tuple(self._places.halls)
        self.showing = self._places.showing(on)
        return self

    async def __aexit__(self, *_: object) -> None:
        if self.showing is not None:
            if self.showing.problem():
                print(f"cloakboard: {self.showing.problem()}", file=sys.stderr)
            await self.showing.close()
        if self._neighbours is not None:
            await self._neighbours.close()

    async def invite_of(self, who: str, wait_s: float) -> str:
        """The invite that `who` is; or, if places are named, of the room whose host or title it
        is. Raises `Malformed` for none, `Lost` if no such room is found in time."""
        try:
            parse_invite(who)
        except Malformed:
            if not self._where or is_meant(who):
                raise
        else:
            return who
        changed = asyncio.Event()
        look = self._places.look(changed.set)
        try:
            async with asyncio.timeout(wait_s):
                while not (named := _named(look, who)):
                    changed.clear()
                    await changed.wait()
        except TimeoutError:
            told = "; ".join(look.problems().values())
            raise Lost(f"no room of {who} was found{': ' * bool(told)}{told}") from None
        finally:
            await look.close()
        if len(named) > 1:
            keys = ", ".join(fingerprint_words(found.advert.key) for found in named)
            raise Refused(f"{who} may be any of these: {keys}; join by the invite", what="room")
        return named[0].advert.text()

    async def _admit(self, key: bytes, name: str) -> None:
        if self.showing is None or not self.showing.asks or self._devices.knows(key):
            return
        words = fingerprint_words(key)
        if not self._where.lets_in:
            print(f"turned away: {name} ({words}), who is not known here; --let-in lets in",
                  file=sys.stderr, flush=True)  # fmt: skip
            raise Refused(
                "this device is not known there; ask your friend for an invite, or to host with "
                "--let-in",
                what="door",
            )
        print(f"let in: {name} ({words})", file=sys.stderr, flush=True)
        self._devices.let_in(key, name)


def _named(look: Look, who: str) -> Sequence[Found]:
    wanted = who.strip().casefold()
    return [
        found
        for found in look.found()
        if wanted in (found.advert.host.casefold(), found.advert.title.casefold())
    ]
