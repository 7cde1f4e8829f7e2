"""What a room is at one moment, and how each statement changes it: the same on every machine.

| condition | holds when | goes on by |
|---|---|---|
| talking | a seat is free, or not all are ready | `Enter`, `Wish`, `Ask`, `Accept`, `Ready` |
| tossing | every seat is taken and all are ready | `Share` of each |
| laying | every share is open: seats and nonce are known | `Lay` of each |
| signing | every seat has laid down its part | `Sign` of each |
| agreed | all have signed, or all are ready to load | the match |
| closed | somebody ended it | nothing |

Whatever changes the terms, and whoever leaves, takes all ready marks away, and with them shares,
parts and signatures. A statement that came too late to have a sense has no effect; one that no
honest client could make is an error.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from cloakboard.engine.errors import EngineError
from cloakboard.engine.game import Game
from cloakboard.netplay.errors import Forged, Malformed, Mismatch
from cloakboard.netplay.identity import verify
from cloakboard.netplay.plain import printable
from cloakboard.netplay.room.changes import check_change, differs, needs_consent, topic, with_change
from cloakboard.netplay.room.room_state import (
    Member,
    News,
    Phase,
    Request,
    Room,
    with_member,
)
from cloakboard.netplay.room.statements import (
    Accept,
    Ask,
    Change,
    Chat,
    Close,
    Decline,
    Enter,
    Gone,
    Lay,
    Leave,
    Open,
    Ready,
    Said,
    Share,
    Sign,
    Swap,
    Unready,
    Wish,
    commit_share,
)
from cloakboard.netplay.room_settings import ROOM
from cloakboard.netplay.transcript import JOINT_DOMAIN, encode
from cloakboard.netplay.veil.opening import check_seat, clean_name, opening_header

MOST_OPEN: Final = 16  # requests of one member that wait for an answer
MOST_NEWS: Final = 200


def open_room(room: bytes, said: Said, games: Mapping[str, Game]) -> Room:
    """The room that a first statement opens. Raises `NetplayError` with a way out if it is none,
    or its game cannot be played here."""
    body = said.body
    if not isinstance(body, Open) or said.number != 1:
        raise Malformed("the room does not begin as rooms do", what="room")
    game = _game(body, games)
    try:
        options = game.options.complete(dict(body.options))
        settings = ROOM.complete(dict(body.settings))
        game.start(options, body.setup)
    except EngineError as error:
        raise Mismatch(f"the room's rules cannot be played here: {error}", what="options") from None
    fresh = Room(
        room, game, body.app, said.author, options, body.setup, printable(body.title), settings
    )
    return dataclasses.replace(
        fresh, members=(_entering(said, body.first, game),), counts={said.author: 1}, said=1
    )


def _game(body: Open, games: Mapping[str, Game]) -> Game:
    game = games.get(body.game)
    if game is None:
        raise Mismatch(
            f"the room plays {printable(body.game)}, which this version does not have; update "
            "Cloakboard",
            what="game",
        )
    if game.rules_version != body.rules_version:
        raise Mismatch(
            f"the room plays {game.title} by rules version {body.rules_version}, this program by "
            f"{game.rules_version}; all players need the same version",
            what="rules",
            expected=game.rules_version,
            actual=body.rules_version,
        )
    return game


def hear(room: Room, said: Said) -> Room:
    """The room after one more statement, whose signature and place have been checked. Raises
    `NetplayError` for one that no honest client makes."""
    author = room.member(said.author)
    body = said.body
    if author is None and not isinstance(body, Enter):
        raise Malformed("somebody who is not in the room spoke in it", what="said")
    is_over = room.phase in (Phase.AGREED, Phase.CLOSED)
    after = room if is_over else _HEARD[type(body)](room, said, body)
    counts = {**room.counts, said.author: said.number}
    return dataclasses.replace(after, counts=MappingProxyType(counts), said=room.said + 1)


# Members ----------------------------------------------------------------------------------


def _entering(said: Said, body: Enter, game: Game) -> Member:
    if body.name != clean_name(body.name) or body.wish >= game.seats:
        raise Malformed("somebody came into the room as nobody can", what="enter")
    return Member(said.author, body.name, body.wish, body.address)


def _enter(room: Room, said: Said, body: Enter) -> Room:
    member = _entering(said, body, room.game)
    if room.member(said.author) is not None or room.free == 0:
        raise Malformed("somebody took a seat that is not free", what="enter")
    grown = dataclasses.replace(room, members=(*room.members, member))
    return _told(_unready(grown), "enter", member.name)


def _wish(room: Room, said: Said, body: Wish) -> Room:
    if body.seat >= room.game.seats:
        raise Malformed("somebody wishes a seat that the game does not have", what="wish")
    member = _of(room, said)
    if member.wish == body.seat:
        return room
    return _unready(with_member(room, dataclasses.replace(member, wish=body.seat)))


def _leave(room: Room, said: Said, body: Leave) -> Room:
    return _without(room, said.author, "leave", body.reason)


def _gone(room: Room, said: Said, body: Gone) -> Room:
    if said.author != room.keeper or body.member == room.keeper:
        raise Malformed("somebody else than the room's keeper sent a member away", what="gone")
    return room if room.member(body.member) is None else _without(
        room, body.member, "gone", body.reason
    )  # fmt: skip


def _without(room: Room, key: bytes, kind: str, reason: str) -> Room:
    member = room.member(key)
    assert member is not None
    if key == room.keeper:
        return _closed(room, member.name, reason)
    left = _told(_unready(_dropped(room, key)), kind, member.name, text=printable(reason))
    for request in left.requests:
        left = _settle(left, request)
    return left


def _dropped(room: Room, key: bytes) -> Room:
    """Without a member and what only it wants."""
    return dataclasses.replace(
        room,
        members=tuple(m for m in room.members if m.key != key),
        requests=tuple(
            dataclasses.replace(r, accepted=r.accepted - {key})
            for r in room.requests
            if r.author != key and not (isinstance(r.change, Swap) and r.change.other == key)
        ),
    )


def _close(room: Room, said: Said, body: Close) -> Room:
    return _closed(room, _of(room, said).name, body.reason)


def _closed(room: Room, name: str, reason: str) -> Room:
    text = printable(reason) or "the negotiation was ended"
    closed = dataclasses.replace(_unready(room), reason=f"{name}: {text}", requests=())
    return _told(closed, "close", name, text=text)


def _chat(room: Room, said: Said, body: Chat) -> Room:
    text = printable(body.text).strip()
    if room.settings["mute"] or not text:
        return room
    return _told(room, "chat", _of(room, said).name, text=text)


# Requests ---------------------------------------------------------------------------------


def _ask(room: Room, said: Said, body: Ask) -> Room:
    change, author = body.change, said.author
    check_change(room, author, change)
    if not differs(room, author, change):
        return room
    same = [r for r in room.requests if r.author == author and topic(r.change) == topic(change)]
    kept = tuple(r for r in room.requests if r not in same)
    if len([r for r in kept if r.author == author]) >= MOST_OPEN:
        return room
    request = Request(room.said, author, change)
    asked = dataclasses.replace(room, requests=(*kept, request))
    return _settle(_told(asked, "ask", _of(room, said).name, change), request)


def _accept(room: Room, said: Said, body: Accept) -> Room:
    request = room.request(body.request)
    if request is None or request.author == said.author:
        return room
    agreed = dataclasses.replace(request, accepted=request.accepted | {said.author})
    requests = tuple(agreed if r is request else r for r in room.requests)
    return _settle(dataclasses.replace(room, requests=requests), agreed)


def _decline(room: Room, said: Said, body: Decline) -> Room:
    request = room.request(body.request)
    if request is None:
        return room
    kind = "withdraw" if request.author == said.author else "decline"
    left = dataclasses.replace(room, requests=tuple(r for r in room.requests if r != request))
    return _told(left, kind, _of(room, said).name, request.change)


def _settle(room: Room, request: Request) -> Room:
    """Puts a request into effect if nobody's consent is missing any more."""
    if room.request(request.place) is None:
        return room
    if needs_consent(room, request.author, request.change) and room.owing(request):
        return room
    rest = dataclasses.replace(room, requests=tuple(r for r in room.requests if r != request))
    author = room.member(request.author)
    name = author.name if author is not None else "?"
    changed = with_change(rest, request)
    try:
        room.game.start(changed.options, changed.setup)
    except EngineError as error:
        return _told(rest, "refuse", name, request.change, str(error))
    return _told(_unready(changed), "change", name, request.change)


# Beginning --------------------------------------------------------------------------------


def _ready(room: Room, said: Said, body: Ready) -> Room:
    member = _of(room, said)
    if body.terms != room.terms or member.is_ready:
        return room
    return with_member(room, dataclasses.replace(member, share=body.share))


def _not_ready(room: Room, said: Said, body: Unready) -> Room:
    """Once shares may have been opened, all of them are spent."""
    if room.phase is Phase.TALKING:
        return with_member(room, _of(room, said).unready())
    return _unready(room)


def _share(room: Room, said: Said, body: Share) -> Room:
    member = _of(room, said)
    if room.phase is not Phase.TOSSING or member.coin:
        return room
    if commit_share(room.id, said.author, room.terms, body.coin) != member.share:
        raise Forged("a member opened another share of the coin than it laid down", what="share")
    return with_member(room, dataclasses.replace(member, coin=body.coin))


def _lay(room: Room, said: Said, body: Lay) -> Room:
    member = _of(room, said)
    if room.phase is not Phase.LAYING or member.laid is not None:
        return room
    laid = check_seat(body.seat)
    if laid.key != member.key or laid.name != member.name:
        raise Forged("a member laid down another key or name than its own", what="seat")
    return with_member(room, dataclasses.replace(member, laid=laid))


def _sign(room: Room, said: Said, body: Sign) -> Room:
    member = _of(room, said)
    if room.phase is not Phase.SIGNING or member.signature:
        return room
    header = encode(opening_header(room.opening()))
    try:
        verify(member.key, JOINT_DOMAIN, header, body.signature)
    except Forged:
        raise Mismatch(
            f"{member.name} has signed another match than was agreed here; open a new room",
            what="entry 0",
        ) from None
    return with_member(room, dataclasses.replace(member, signature=body.signature))


# Parts ------------------------------------------------------------------------------------


def _of(room: Room, said: Said) -> Member:
    member = room.member(said.author)
    assert member is not None
    return member


def _unready(room: Room) -> Room:
    return dataclasses.replace(room, members=tuple(m.unready() for m in room.members))


def _told(room: Room, kind: str, member: str, change: Change | None = None, text: str = "") -> Room:
    news = News(room.said, kind, member, change, text)
    return dataclasses.replace(room, news=(*room.news, news)[-MOST_NEWS:])


def _reopened(room: Room, said: Said, body: Open) -> Room:
    raise Malformed("the room was opened twice", what="room")


_HEARD: Final[Mapping[type, Callable[[Room, Said, Any], Room]]] = MappingProxyType(
    {
        Open: _reopened,
        Enter: _enter,
        Wish: _wish,
        Ask: _ask,
        Accept: _accept,
        Decline: _decline,
        Ready: _ready,
        Unready: _not_ready,
        Share: _share,
        Lay: _lay,
        Sign: _sign,
        Chat: _chat,
        Leave: _leave,
        Gone: _gone,
        Close: _close,
    }
)
