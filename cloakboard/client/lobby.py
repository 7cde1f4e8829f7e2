"""How a screen opens a match with a friend, without knowing about connections."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from cloakboard.client.dates import moment_of
from cloakboard.client.room_seat import RoomSeat
from cloakboard.client.saved import SUFFIX, Saved
from cloakboard.client.session import Session
from cloakboard.engine.errors import Malformed
from cloakboard.engine.registry import games

if TYPE_CHECKING:
    from cloakboard.client.porch import Porch
    from cloakboard.client.street import Street
    from cloakboard.netplay.finding.friends import FriendsFile


class Lobby(Protocol):
    """One attempt to sit down with a friend. No method waits; screens look at it every frame."""

    def host(
        self, game_id: str, options: Mapping[str, Any], setup: str = "", title: str = ""
    ) -> None:
        """Opens a room for a match from that start position, which is called `title`; `invite`
        has its text soon after."""
        ...

    def join(self, invite: str, password: str = "") -> None:
        """Goes to the room of an invite; `password`: what was given for it."""
        ...

    def rematch(self, save: Path) -> None:
        """A room for the players of a match that has ended, as all of them must want."""
        ...

    def room(self) -> RoomSeat | None:
        """This player's place in the room, while there is one."""
        ...

    def resume(self, save: Path, invite: str = "") -> None:
        """Goes on with a match from its save, as both friends must do; `invite` says where the
        friend is now, if that has changed."""
        ...

    def invite(self) -> str:
        """The invite's one line; empty while there is none."""
        ...

    def status(self) -> str:
        """One sentence: what is being waited for."""
        ...

    def failure(self) -> str:
        """Why it cannot go on and what to do; empty while all is well."""
        ...

    def session(self) -> Session | None:
        """The match, once it has begun; None before."""
        ...

    def close(self) -> None:
        """Gives up the attempt. A session that was handed out stays open."""
        ...


class Friends(Protocol):
    """What connects this profile with friends; the program runs without one, too."""

    book: FriendsFile
    porch: Porch

    @property
    def street(self) -> Street:
        """The rooms of others, and where the own one is shown."""
        ...

    def lobby(self, guest: bytes | None = None) -> Lobby:
        """A new attempt to sit down with a friend; `guest` is handed a room's invite."""
        ...

    def saves(self) -> Sequence[SaveRow]:
        """The matches with friends that can be continued."""
        ...

    def shared(self, game_id: str, players: frozenset[bytes]) -> Sequence[Earlier]:
        """The unfinished matches of a game that just these players have begun."""
        ...

    def close(self) -> None:
        """Lets go of all connections."""
        ...


@dataclass(frozen=True, slots=True)
class Earlier:
    """A match to go on with, by its id."""

    match: bytes
    title: str
    detail: str


@dataclass(frozen=True, slots=True)
class SaveRow:
    """A save as the list shows it. `problem`: why it cannot be opened, empty if it can;
    `is_local`: it was played at one table, and opens without the friend; `is_claimed`: the
    records have it as one that never ended."""

    path: Path
    title: str
    detail: str
    problem: str = ""
    is_local: bool = True
    is_claimed: bool = False


def local_saves(folder: Path) -> list[SaveRow]:
    """The matches of one table kept in a folder, the newest first; a damaged one is in the
    list with its problem (KNOWN_FAILURES 10)."""
    try:
        paths = sorted(folder.glob(f"*{SUFFIX}"), key=changed_at, reverse=True)
    except OSError:
        return []
    return [_row(path) for path in paths]


def changed_at(path: Path) -> float:
    """When a file was last written, in seconds since 1970; 0 if it cannot be looked at."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _row(path: Path) -> SaveRow:
    try:
        when = moment_of(path.stat().st_mtime)
        saved = Saved.read(path)
    except (OSError, Malformed):
        return SaveRow(path, path.stem, "", f"{path.name} is damaged and cannot be opened")
    players = " against ".join(saved.names)
    return SaveRow(path, players, f"{game_title(saved.game)} · {saved.title()} · {when}")


def game_title(game_id: str) -> str:
    """What a game is called; its id if a newer program kept the match."""
    known = games().get(game_id)
    return known.title if known is not None else game_id
