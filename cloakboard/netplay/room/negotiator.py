"""One member's part in a room, without I/O: what is heard in, what is said out.

`outbox` holds statements that must go to the machine that orders them. They have an effect only
once they come back in their order, on this machine as on the others.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, Final

from cloakboard.engine.game import Game
from cloakboard.netplay.errors import Forged, Malformed, Mismatch, Refused
from cloakboard.netplay.identity import Identity, verify
from cloakboard.netplay.room.changes import check_change
from cloakboard.netplay.room.negotiation import hear, open_room
from cloakboard.netplay.room.room_state import Phase, Room
from cloakboard.netplay.room.statements import (
    COIN_BYTES,
    NO_WISH,
    SAID_DOMAIN,
    Accept,
    Ask,
    Body,
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
    Unready,
    Wish,
    commit_share,
    first_head,
    next_head,
    read_said,
    sign_said,
)
from cloakboard.netplay.transcript import Entry, sign_joint
from cloakboard.netplay.veil.opening import clean_name, joint_entry, lay_down, opening_header

MOST_SAID: Final = 4000  # statements in a room
MOST_BYTES: Final = 8 << 20  # of all of them
_WAYWARD: Final = (
    "the machine that keeps the room told its members different things; open a new room"
)


class Negotiator:
    """A member of a room. `room`: as far as it has been heard, None before the first statement;
    `lines`: the statements heard, for whoever comes later."""

    def __init__(
        self,
        identity: Identity,
        id_: bytes,
        keeper: bytes,
        name: str,
        address: str,
        games: Mapping[str, Game],
        draw: Callable[[int], bytes] = os.urandom,
    ) -> None:
        """`keeper`: the identity of the machine that opens the room; `address`: where this one
        can be dialled; `draw`: fresh random bytes."""
        self.room: Room | None = None
        self.outbox: list[bytes] = []
        self.lines: list[bytes] = []
        self._identity = identity
        self._id = id_
        self._keeper = keeper
        self._name = clean_name(name)
        self._address = address
        self._games = games
        self._draw = draw
        self._heads = [first_head(id_)]
        self._said: deque[bytes] | None = None  # own words not yet heard; None before the first
        self._size = 0
        self._number = 0
        self._coins: dict[bytes, bytes] = {}  # shares, by their commitments
        self._owed: bytes = b""  # what was said of its own accord, said once

    # What the player does --------------------------------------------------------------------

    def open(
        self,
        game: Game,
        app: str,
        options: Mapping[str, Any],
        setup: str = "",
        *,
        title: str = "",
        settings: Mapping[str, Any],
        wish: int = 0,
    ) -> None:
        """Opens the room, as the machine that orders what is said in it."""
        self._say(
            Open(
                app=app,
                game=game.id,
                rules_version=game.rules_version,
                options=tuple(sorted(options.items())),
                setup=setup,
                title=title,
                settings=tuple(sorted(settings.items())),
                first=Enter(self._name, wish, self._address),
            )
        )

    def enter(self, wish: int | None = None) -> None:
        """Takes part; None: would like the first seat that nobody wishes."""
        room = self._heard()
        if room.member(self.key) is not None:
            raise Mismatch(_WAYWARD, what="member")
        if wish is None:
            wished = {member.wish for member in room.members}
            free = (seat for seat in range(room.game.seats) if seat not in wished)
            wish = next(free, NO_WISH)
        self._say(Enter(self._name, wish, self._address))

    def wish(self, seat: int) -> None:
        """Would like that seat, or (`NO_WISH`) any."""
        self._say(Wish(seat))

    def ask(self, change: Change) -> None:
        """Asks for a change. Raises `Malformed` if nobody can ask for that."""
        check_change(self._heard(), self.key, change)
        self._say(Ask(change))

    def accept(self, place: int) -> None:
        """Accepts the request that was said at that place."""
        self._say(Accept(place))

    def decline(self, place: int) -> None:
        """Declines it, or takes back the own one."""
        self._say(Decline(place))

    def ready(self) -> None:
        """Wants to begin on the terms as they are now."""
        terms = self._heard().terms
        coin = self._draw(COIN_BYTES)
        share = commit_share(self._id, self.key, terms, coin)
        self._coins[share] = coin
        self._say(Ready(terms, share))

    def unready(self) -> None:
        """Takes that back."""
        self._say(Unready())

    def chat(self, text: str) -> None:
        """Says a line to the others. Raises `Refused` where there is no chat."""
        if self._heard().settings["mute"]:
            raise Refused("this room has no chat", what="chat")
        self._say(Chat(" ".join(text.split())[:300]))

    def leave(self, reason: str = "") -> None:
        """Leaves the room."""
        self._say(Leave(reason[:300]))

    def close(self, reason: str = "") -> None:
        """Ends the negotiation for all."""
        self._say(Close(reason[:300]))

    def gone(self, key: bytes, reason: str) -> None:
        """Tells the others that the way to a member is gone; for the room's keeper."""
        self._say(Gone(key, reason[:300]))

    # What is heard ----------------------------------------------------------------------------

    @property
    def key(self) -> bytes:
        """Its identity."""
        return self._identity.key

    @property
    def is_ready(self) -> bool:
        """Whether it has said so, and nothing has changed since."""
        member = self._heard().member(self.key)
        return member is not None and member.is_ready

    @property
    def is_waiting(self) -> bool:
        """Whether something it said has not come back yet."""
        heard = self.room.counts.get(self.key, 0) if self.room is not None else 0
        return self._number > heard

    def check(self, data: bytes) -> Said:
        """A statement that may come next. Raises `NetplayError` if its author did not say it
        here, now, after what was said before."""
        said = read_said(data)
        if said.room != self._id:
            raise Malformed("something was said in another room", what="said")
        verify(said.author, SAID_DOMAIN, said.signed_bytes(), said.signature)
        counts = self.room.counts if self.room is not None else {}
        if said.number != counts.get(said.author, 0) + 1:
            raise Mismatch(_WAYWARD, what="number")
        if said.heard >= len(self._heads) or self._heads[said.heard] != said.head:
            raise Mismatch(_WAYWARD, what="head")
        if self.room is None and said.author != self._keeper:
            raise Forged("who opened the room is not the player that invited you", what="room")
        if said.author == self.key and not self._has_said(data):
            raise Forged("the room was told what this machine has not said", what="said")
        if len(self.lines) >= MOST_SAID or self._size + len(data) > MOST_BYTES:
            raise Refused("too much was said in this room; open a new one", what="room")
        return said

    def take(self, data: bytes) -> Room:
        """The room after the next statement, in which this machine has said what it owes without
        a choice. Raises `NetplayError`; then the room is as before."""
        said = self.check(data)
        if self.room is None:
            room = open_room(self._id, said, self._games)
        else:
            room = hear(self.room, said)
        self.room = room
        self.lines.append(data)
        self._size += len(data)
        self._heads.append(next_head(self._heads[-1], data))
        if said.author == self.key:
            self._number = max(self._number, said.number)
            if self._said:
                self._said.popleft()
        self._say_owed(room)
        return room

    def entry(self) -> Entry:
        """Entry 0, signed by all; the room must have agreed on a new match."""
        room = self._heard()
        seated = room.seated
        by_seat = sorted(room.members, key=lambda member: seated[member.key])
        return joint_entry(room.opening(), tuple(member.signature for member in by_seat))

    @property
    def seat(self) -> int:
        """Its seat, once all shares of the coin are open."""
        return self._heard().seated[self.key]

    def _has_said(self, data: bytes) -> bool:
        """Whether an own statement is the next one said here. Words of an earlier stay, told once
        more, could begin an earlier match again; they may only stand before the own first."""
        return self._said is None or (bool(self._said) and self._said[0] == data)

    def _say_owed(self, room: Room) -> None:
        member = room.member(self.key)
        if member is None or self._said is None:
            return  # what an earlier stay owed is owed no more
        match room.phase:
            case Phase.TOSSING if not member.coin:
                self._owe(b"share" + member.share, lambda: Share(self._coins[member.share]))
            case Phase.LAYING if member.laid is None:
                self._owe(
                    b"lay" + room.coin,
                    lambda: Lay(
                        lay_down(self._identity, self._name, room.coin, room.seated[self.key])
                    ),
                )
            case Phase.SIGNING if not member.signature:
                header = opening_header(room.opening())
                self._owe(b"sign" + header.body, lambda: Sign(sign_joint(self._identity, header)))
            case _:
                pass

    def _owe(self, what: bytes, body: Callable[[], Body]) -> None:
        if self._owed != what:
            self._owed = what
            self._say(body())

    def _say(self, body: Body) -> None:
        self._number += 1
        heard = len(self._heads) - 1
        said = Said(self._id, self.key, self._number, heard, self._heads[heard], body)
        data = sign_said(self._identity, said)
        self._said = self._said if self._said is not None else deque()
        self._said.append(data)
        self.outbox.append(data)

    def _heard(self) -> Room:
        if self.room is None:
            raise Refused("the room is not open yet")
        return self.room
