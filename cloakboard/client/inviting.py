"""The screens by which one sits down with friends: an invite, the rooms of others, a room, a match
that is gone on with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from cloakboard.client.library import STANDARD, Start
from cloakboard.client.lobby import Earlier, Friends, Lobby
from cloakboard.client.net_session import NetSession
from cloakboard.client.room_seat import RoomSeat
from cloakboard.client.session import Session
from cloakboard.client.texts import sentence
from cloakboard.client.views.connect import FriendScreen, WaitingScreen
from cloakboard.client.views.earlier import EarlierScreen
from cloakboard.client.views.room import RoomActs, RoomScreen
from cloakboard.client.views.rooms import RoomsScreen
from cloakboard.engine.game import Game
from cloakboard.engine.registry import games
from cloakboard.netplay.errors import NetplayError
from cloakboard.netplay.invite import parse_any

if TYPE_CHECKING:
    from pathlib import Path

    from cloakboard.client.street import Street
    from cloakboard.client.terms import Terms
    from cloakboard.client.window import CloakWindow
    from cloakboard.netplay.finding.friends import FriendsFile
    from cloakboard.netplay.room.room_state import Room

NO_NETWORK: Final = "Playing over the network is not available in this installation."


class Inviting:
    """See above. `friends` is None where there is no network part. `sit_down` takes a match and
    what starts another one after it, if anything does; `tell` shows a sentence."""

    def __init__(
        self,
        window: CloakWindow,
        friends: Friends | None,
        book: FriendsFile,
        terms: Terms,
        sit_down: Callable[[Session, Callable[[], None] | None], None],
        tell: Callable[[str], None],
    ) -> None:
        self._window = window
        self._friends = friends
        self._book = book
        self._terms = terms
        self._sit = sit_down
        self._tell = tell

    def show_friend(self, start: Start = STANDARD, guest: bytes | None = None) -> None:
        """Inviting or joining; `guest` is the friend with a key, who is handed the invite."""
        friends, terms = self._friends, self._terms
        if friends is None:
            self._tell(NO_NETWORK)
            return
        about = terms.about(start)
        screen = FriendScreen(
            self._window,
            about,
            lambda options, start: self._host(friends, about, options, start, guest),
            self.join,
            terms.rules(about, start),
            terms.offer(start, lambda: self.show_friend(guest=guest)),
            lambda: self._show_rooms(friends.street),
        )
        if guest is not None:
            screen.heading.say(f"Invite {self._book.name_of(guest, 'a friend')}")
        self._window.open_screen(screen)

    def join(self, invite: str, password: str = "") -> None:
        """Goes to the room of an invite, or to the match that it lets one watch."""
        if self._friends is None:
            self._tell(NO_NETWORK)
            return
        try:
            parse_any(invite)
        except NetplayError as error:
            self._tell(sentence(str(error)))
            return
        lobby = self._friends.lobby()
        lobby.join(invite, password)
        self._wait(lobby, "Joining your friend")

    def resume(self, save: Path, invite: str) -> None:
        """Goes on with a match from its save; `invite`: where the friend is now, or empty."""
        lobby = self._lobby()
        lobby.resume(save, invite)
        self._wait(lobby, "Continuing with your friend")

    def _rematch(self, session: NetSession) -> None:
        lobby = self._lobby()
        lobby.rematch(session.path)
        self._wait(lobby, "Another match")

    def _host(
        self,
        friends: Friends,
        about: Game,
        options: dict[str, object],
        start: Start,
        guest: bytes | None,
    ) -> None:
        lobby = friends.lobby(guest)
        lobby.host(about.id, options, start.setup, start.title if start.setup else "")
        self._wait(lobby, "Waiting for your friend", friends.street)

    def _lobby(self) -> Lobby:
        assert self._friends is not None, "there is no match with friends without a network part"
        return self._friends.lobby()

    def _show_rooms(self, street: Street) -> None:
        """The rooms that others show."""
        every, name_of = tuple(games().values()), self._book.name_of
        self._window.open_screen(RoomsScreen(self._window, street, every, self.join, name_of))

    def _wait(self, lobby: Lobby, title: str, street: Street | None = None) -> None:
        def enter(seat: RoomSeat) -> None:
            self._window.replace_screen(self._room_screen(lobby, seat, street))

        self._window.open_screen(WaitingScreen(self._window, lobby, title, self._sit_down, enter))

    def _room_screen(self, lobby: Lobby, seat: RoomSeat, street: Street | None) -> RoomScreen:
        assert seat.room is not None
        pick = self._terms.pick(seat.room.game.id)
        acts = RoomActs(self._sit_down, pick, self._pick_earlier, self._owns)
        return RoomScreen(self._window, lobby, seat, acts, street)

    def _sit_down(self, session: Session) -> None:
        """At a match with friends; once it has ended they may have another."""
        rematch = (lambda: self._rematch(session)) if isinstance(session, NetSession) else None
        self._sit(session, rematch)

    # A match that the members of a room have not finished -----------------------------------

    def _shared(self, room: Room) -> Sequence[Earlier]:
        """All of them."""
        assert self._friends is not None
        return self._friends.shared(room.game.id, frozenset(m.key for m in room.members))

    def _owns(self, room: Room, match: bytes) -> bool:
        return any(earlier.match == match for earlier in self._shared(room))

    def _pick_earlier(self, room: Room, choose: Callable[[bytes, str], None]) -> None:
        """Lets one of them be chosen."""

        def take(earlier: Earlier | None) -> None:
            choose(*((earlier.match, earlier.title) if earlier is not None else (b"", "")))

        self._window.open_screen(EarlierScreen(self._window, self._shared(room), take))
