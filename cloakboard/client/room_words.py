"""A room in words: who sits where, what is asked for, what happened, what is waited for."""

from __future__ import annotations

from collections.abc import Iterable
from types import MappingProxyType
from typing import Final

from cloakboard.client.texts import Raw, shown
from cloakboard.client.words import value_text
from cloakboard.engine.game import Game
from cloakboard.engine.options import Schema
from cloakboard.netplay.room.cautions import Caution
from cloakboard.netplay.room.room_state import Member, News, Phase, Request, Room
from cloakboard.netplay.room.statements import Change, House, Load, Rules, Start
from cloakboard.netplay.room_settings import ROOM

STANDARD_START: Final = "Standard"
HAPPENED: Final = MappingProxyType(
    {
        "enter": "{who} is here.",
        "leave": "{who} has left the room.",
        "gone": "{who} is gone: the connection is lost.",
        "ask": "{who} asks for this: {what}",
        "change": "All have agreed: {what}",
        "decline": "{who} declines this: {what}",
        "withdraw": "{who} takes this back: {what}",
        "refuse": "That cannot be: {what}",
    }
)
CAUTIONS: Final = MappingProxyType(
    {
        "max_disconnect_rate": "By your records {who} left {left} of {begun} matches early; "
        "this room takes {limit}% at most.",
        "max_disconnects": "By your records {who} left {left} of {begun} matches early; "
        "this room takes {limit} at most.",
    }
)


def change_text(game: Game, change: Change) -> str:
    """What a request would change."""
    match change:
        case Rules(options=values):
            return _values(game.options, values)
        case House(settings=values):
            return _values(ROOM, values)
        case Start(title=title):
            return f"Start position: {title or STANDARD_START}"
        case Load(match=match, title=title):
            return f"Go on with the match {title}" if match else "A new match after all"
        case _:
            return "Exchange seats"


def _values(schema: Schema, values: Iterable[tuple[str, object]]) -> str:
    """At most two in full, the others counted."""
    told = [
        f"{shown(schema.option(name).text)}: {shown(value_text(value))}" for name, value in values
    ]
    more = len(told) - 2
    return ", ".join(told[:2]) + (f" and {more} more" if more > 0 else "")


def request_text(room: Room, request: Request, own: bytes) -> tuple[str, str]:
    """(what is asked for, by whom and whose answer it waits for)."""
    what = change_text(room.game, request.change)
    author = room.member(request.author)
    name = "You" if request.author == own else (author.name if author else "?")
    owing = [m.name for m in room.owing(request) if m.key != own]
    if any(member.key == own for member in room.owing(request)):
        return what, f"{name} · waits for your answer"
    return what, f"{name} · waits for {', '.join(owing)}" if owing else name


def news_text(room: Room, news: News) -> str:
    """A line of what happened, or of talk, which nobody turns into another language."""
    if news.kind == "chat":
        return Raw(f"{news.member}: {news.text}")
    what = change_text(room.game, news.change) if news.change is not None else news.text
    return HAPPENED.get(news.kind, "{who}: {what}").format(who=news.member, what=what)


def caution_text(caution: Caution) -> str:
    """What this machine's records say against somebody in the room."""
    conduct = caution.conduct
    return CAUTIONS[caution.setting].format(
        who=caution.name, left=conduct.left, begun=conduct.begun, limit=caution.limit
    )


def seat_text(room: Room, seat: int) -> str:
    """A seat by its name, with who would like it."""
    name = shown(room.game.seat_names()[seat])
    wishing = [member.name for member in room.members if member.wish == seat]
    return Raw(f"{name}: {', '.join(wishing) or shown('free')}")


def waiting_text(room: Room, own: bytes) -> str:
    """One sentence: what is waited for."""
    me = room.member(own)
    if me is None:
        return "Coming into the room…"
    if room.phase is not Phase.TALKING:
        return "All are ready: the match begins…"
    if any(me in room.owing(request) for request in room.requests):
        return "A change is asked for: accept it, or decline it."
    if room.free:
        return (
            "A seat is free: send the invite to a friend."
            if room.free == 1
            else f"{room.free} seats are free: send the invite to your friends."
        )
    if not me.is_ready:
        if room.clashes:
            return (
                "Two players would like one seat: a coin decides. Press Ready when all suits you."
            )
        return "Press Ready when the terms suit you."
    late = [member.name for member in room.members if not member.is_ready]
    return f"Waiting for {' and '.join(late)} to be ready."


def ready_note(member: Member) -> str:
    """Whether a member is ready."""
    return "ready" if member.is_ready else "not ready yet"
