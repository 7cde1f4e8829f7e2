"""What members of a room can ask for: what is allowed, who must consent, what it does."""

from __future__ import annotations

import dataclasses

from cloakboard.engine.errors import EngineError
from cloakboard.netplay.errors import Malformed
from cloakboard.netplay.plain import printable
from cloakboard.netplay.room.room_state import Request, Room, with_member
from cloakboard.netplay.room.statements import Change, House, Load, Rules, Start, Swap
from cloakboard.netplay.room_settings import ROOM


def needs_consent(room: Room, author: bytes, change: Change) -> bool:
    """Whether the others must accept a change. What a seat may choose freely (`government.0`) is
    free to the member who alone would like that seat."""
    if not isinstance(change, Rules):
        return True
    wishing = {seat: [m.key for m in room.members if m.wish == seat] for seat in room.seats}
    for name, _ in change.options:
        seat = name.rpartition(".")[2]
        is_own = not seat.isdigit() or wishing.get(int(seat)) == [author]
        if room.game.options.option(name).needs_consent or not is_own:
            return True
    return False


def check_change(room: Room, author: bytes, change: Change) -> None:
    """Raises `Malformed` for a change that nobody can ask for."""
    try:
        match change:
            case Rules():
                for name, value in change.options:
                    room.game.options.option(name).check(value)
            case House():
                for name, value in change.settings:
                    ROOM.option(name).check(value)
            case Start(title=title):
                _check_title(title)
                room.game.start(room.game.options.complete(dict(change.options)), change.setup)
            case Load(title=title):
                _check_title(title)
                if len(change.match) not in (0, 32):
                    raise Malformed("that is no match to go on with", what="load")
            case Swap():
                if change.other == author:
                    raise Malformed("nobody can exchange seats with themselves", what="swap")
    except EngineError as error:
        raise Malformed(f"nobody can ask for this: {error}", what="change") from None


def _check_title(title: str) -> None:
    if printable(title) != title:
        raise Malformed("that title cannot be shown", what="title")


def topic(change: Change) -> tuple[object, ...]:
    """Of two requests of one member about the same, the later replaces the earlier."""
    match change:
        case Rules():
            return "rules", *sorted(name for name, _ in change.options)
        case House():
            return "house", *sorted(name for name, _ in change.settings)
        case _:
            return (type(change),)


def differs(room: Room, author: bytes, change: Change) -> bool:
    """Whether a change would change anything."""
    if isinstance(change, Swap) and room.member(change.other) is None:
        return False
    after = with_change(room, Request(room.said, author, change))
    return after.terms != room.terms


def with_change(room: Room, request: Request) -> Room:
    """The room with what was asked for, ready marks and all."""
    match request.change:
        case Rules(options=options):
            return dataclasses.replace(room, options={**room.options, **dict(options)})
        case House(settings=settings):
            return dataclasses.replace(room, settings={**room.settings, **dict(settings)})
        case Start(setup=setup, title=title, options=options):
            agreed = room.game.options.complete(dict(options))
            return dataclasses.replace(room, setup=setup, title=printable(title), options=agreed)
        case Load(match=match):
            return dataclasses.replace(room, load=match)
        case Swap(other=other):
            one, two = room.member(request.author), room.member(other)
            if one is None or two is None:
                return room
            first = with_member(room, dataclasses.replace(one, wish=two.wish))
            return with_member(first, dataclasses.replace(two, wish=one.wish))
