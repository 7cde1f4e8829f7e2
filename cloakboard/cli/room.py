"""What the command line says of a room: its settings, its door, and who answers requests there."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from cloakboard.engine.options import written
from cloakboard.netplay.errors import Malformed
from cloakboard.netplay.invite import read_who
from cloakboard.netplay.room.cautions import Caution
from cloakboard.netplay.room.room_state import News, Phase
from cloakboard.netplay.room.sitting import OnRoom, Sitting, unattended
from cloakboard.netplay.room.statements import Change, House, Load, Rules, Start
from cloakboard.netplay.room_settings import ROOM

_SAID: Final = {
    "enter": "{who} is in the room",
    "leave": "{who} left the room: {text}",
    "gone": "{who} is gone: {text}",
    "ask": "{who} asks for {what}",
    "change": "agreed, as {who} asked: {what}",
    "decline": "{who} declines {what}",
    "withdraw": "{who} takes back: {what}",
    "refuse": "{what} cannot be: {text}",
    "chat": "{who}: {text}",
    "close": "{who} ended the negotiation: {text}",
}
_BEYOND: Final = "by your records {who} left {left} of {begun} matches early; this room takes "
_CAUTIONS: Final = {
    "max_disconnect_rate": _BEYOND + "{limit}% at most",
    "max_disconnects": _BEYOND + "{limit} at most",
}


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the arguments say of a room. `computers`: how many seats they fill."""

    settings: dict[str, Any]
    password: str = ""
    members: frozenset[bytes] = frozenset()
    accepts: bool = False
    computers: int = 0


def wanted(options: argparse.Namespace) -> Wanted:
    """What was asked for. Raises `BadOption`, `Malformed`."""
    settings = _settings(getattr(options, "room", ()))
    computers = getattr(options, "computers", 0)
    if computers:
        settings["computers_fill"] = True
    if computers or getattr(options, "practice", False):
        settings["scored"] = False
    if getattr(options, "spectators", False):
        settings["spectators"] = True
    members = frozenset(read_who(text)[0] for text in getattr(options, "member", ()))
    if members:
        settings["members_only"] = True
    accepts = options.accept or bool(options.bot)
    return Wanted(settings, options.password, members, accepts, computers)


def _settings(texts: Sequence[str]) -> dict[str, Any]:
    settings: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise Malformed(f"a setting of the room is NAME=VALUE, not {text}", what="room")
        settings[name] = ROOM.option(name).parse(value)
    return settings


def hand(asked: Wanted) -> OnRoom:
    """Who sits in the room: ready at once, accepts or declines what the others ask for, and says
    on stderr what happens."""
    told = _Teller()

    def on_room(sitting: Sitting) -> None:
        told.tell(sitting)
        if not asked.accepts:
            _decline(sitting)
        unattended(sitting)

    return on_room


def _decline(sitting: Sitting) -> None:
    room, negotiator = sitting.room, sitting.negotiator
    if room is None or room.phase is not Phase.TALKING or negotiator.is_waiting:
        return
    owed = [r for r in room.requests if negotiator.key in {m.key for m in room.owing(r)}]
    if owed:
        sitting.do(lambda n: n.decline(owed[0].place))


class _Teller:
    """Prints each piece of news, and each caution, once."""

    def __init__(self, show: Callable[[str], None] | None = None) -> None:
        self._show = show or (lambda line: print(line, file=sys.stderr, flush=True))
        self._heard = -1

    def tell(self, sitting: Sitting) -> None:
        """What is new in the room."""
        room = sitting.room
        assert room is not None
        lines = [(news.place, line_of(news)) for news in room.news]
        lines += [(caution.place, caution_line(caution)) for caution in sitting.cautions]
        for place, line in sorted(lines, key=lambda one: one[0]):
            if place > self._heard:
                self._show(f"room: {line}")
        self._heard = max([self._heard, *(place for place, _ in lines)])


def line_of(news: News) -> str:
    """A piece of news in words."""
    what = words_of(news.change) if news.change is not None else ""
    return _SAID[news.kind].format(who=news.member, what=what, text=news.text).rstrip(": ")


def caution_line(caution: Caution) -> str:
    """What this machine's records say against a member, in words."""
    conduct = caution.conduct
    return _CAUTIONS[caution.setting].format(
        who=caution.name, left=conduct.left, begun=conduct.begun, limit=caution.limit
    )


def words_of(change: Change) -> str:
    """A change in words, as the command line writes options."""
    match change:
        case Rules(options=values) | House(settings=values):
            return ", ".join(f"{name}={written(value)}" for name, value in values)
        case Start(title=title):
            return f"the start position {title or 'of the game'}"
        case Load(match=match, title=title):
            return f"the earlier match {title}" if match else "a new match"
        case _:
            return "an exchange of seats"
