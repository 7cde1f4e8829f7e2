"""The players one knows: own names for their keys, who is blocked, when and where last met.

Kept as JSON at every change, the generation before beside it; a file that cannot be read is
kept aside and the generation before is taken instead. Nobody comes in by playing alone: only
`add` and `block` make an entry.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Final, TypeVar

import msgspec

from cloakboard.netplay.errors import Malformed
from cloakboard.netplay.files import replace_file, set_aside
from cloakboard.netplay.identity import KEY_BYTES, default_name, fingerprint_words
from cloakboard.netplay.invite import MAX_ADDRESS, read_who
from cloakboard.netplay.plain import one_line
from cloakboard.netplay.profile import ProfileUnusable
from cloakboard.netplay.veil.opening import NAME_LENGTH, clean_name

FILE_NAME: Final = "friends.json"
BEFORE_NAME: Final = "friends.before.json"
VERSION: Final = 1
MOST_KNOWN: Final = 2_000
SEEN_STEP_S: Final = 60  # how much later somebody must be seen again to be worth a write
SHORTEST_PREFIX: Final = 4  # characters of a key that name a player

_UNREADABLE: Final = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, ValueError)

Held = TypeVar("Held", bound="Known | None")
Time = Annotated[int, msgspec.Meta(ge=0, le=1 << 53)]


class Known(msgspec.Struct, frozen=True, kw_only=True):
    """A player one knows. `name` is one's own for them; `added`, `seen`: Unix times in seconds,
    0 for never; `address`: where their machine was last found, or empty."""

    key: Annotated[bytes, msgspec.Meta(min_length=KEY_BYTES, max_length=KEY_BYTES)]
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=NAME_LENGTH)]
    is_friend: bool = True
    is_blocked: bool = False
    added: Time = 0
    seen: Time = 0
    address: Annotated[str, msgspec.Meta(max_length=MAX_ADDRESS)] = ""

    @property
    def words(self) -> str:
        """The fingerprint of the key, to be compared aloud."""
        return fingerprint_words(self.key)


class _Newer(ValueError):
    """A file that another version wrote."""


class _Form(msgspec.Struct, frozen=True):
    version: int


class _Book(msgspec.Struct, frozen=True):
    version: int
    known: Annotated[tuple[Known, ...], msgspec.Meta(max_length=MOST_KNOWN)]


class FriendsFile:
    """The players that a profile knows. May be asked from any thread.

    `notice` tells the player that a file could not be read, and is empty otherwise. Changes
    raise `Malformed` for what cannot be and `ProfileUnusable` if the disk refuses; nothing is
    changed then.
    """

    def __init__(self, folder: Path, own: bytes, clock: Callable[[], float] = time.time) -> None:
        """`own`: the key of the profile's player, who is no friend of their own."""
        self._path = folder / FILE_NAME
        self._before = folder / BEFORE_NAME
        self._own = own
        self._clock = clock
        self._lock = threading.Lock()
        self.notice = ""
        self._known: Mapping[bytes, Known] = MappingProxyType({})
        self._known = self._read()

    def known(self) -> list[Known]:
        """Everybody, friends before blocked strangers, by name."""
        return sorted(
            self._known.values(), key=lambda k: (not k.is_friend, k.name.casefold(), k.key)
        )

    def friends(self) -> list[Known]:
        """The friends that are not blocked, by name."""
        return [known for known in self.known() if known.is_friend and not known.is_blocked]

    def get(self, key: bytes) -> Known | None:
        """What is known of a key."""
        return self._known.get(key)

    def is_friend(self, key: bytes) -> bool:
        """Whether a key is a friend's whom one has not blocked."""
        known = self._known.get(key)
        return known is not None and known.is_friend and not known.is_blocked

    def refuses(self, key: bytes) -> bool:
        """Whether a key is blocked; see `greeting.Me`."""
        known = self._known.get(key)
        return known is not None and known.is_blocked

    def name_of(self, key: bytes, otherwise: str) -> str:
        """One's own name for a friend, or what they call themselves."""
        known = self._known.get(key)
        return known.name if known is not None and known.is_friend else otherwise

    def address_of(self, key: bytes) -> str:
        """Where a friend's machine was last found, or empty."""
        known = self._known.get(key)
        return known.address if known is not None and known.is_friend else ""

    def find(self, text: str) -> Known:
        """The one player that a name, the first words of a fingerprint, the beginning of a key
        in hex, or an invite means. Raises `Malformed`, with a way out."""
        wanted = " ".join(text.split()).casefold()
        by_name = [known for known in self.known() if known.name.casefold() == wanted]
        found = by_name or [known for known in self.known() if _is_meant(known, wanted)]
        if len(found) == 1:
            return found[0]
        if found:
            names = ", ".join(f"{known.name} ({known.words})" for known in found)
            raise Malformed(f"{wanted} may mean {names}; say it by the words", what="friend")
        shown = one_line(text, NAME_LENGTH)
        raise Malformed(
            f"nobody you know is called {shown!r}; `cloakboard friends` lists them", what="friend"
        )

    def add(self, text: str, name: str = "", played_as: str = "") -> Known:
        """Adds the player of an invite or of a key; see `invite.read_who`. Somebody already
        known becomes a friend, and a new name or address is taken over."""
        key, address = read_who(text)
        return self.add_key(key, name, played_as, address)

    def add_key(self, key: bytes, name: str = "", played_as: str = "", address: str = "") -> Known:
        """Adds a player by key. `played_as`: what they call themselves, taken if `name` is
        empty and they have none yet."""
        if key == self._own:
            raise Malformed("that is yourself; ask your friend for their key", what="friend")

        def added(old: Known | None) -> Known:
            made = old or Known(key=key, name=_usual(key, played_as), added=self._now())
            return msgspec.structs.replace(
                made,
                name=clean_name(name) if name.strip() else made.name,
                is_friend=True,
                address=address or made.address,
            )

        return self._change(key, added)

    def rename(self, key: bytes, name: str) -> Known:
        """Calls somebody known by another name."""
        if not name.strip():
            raise Malformed("a name needs at least one letter", what="name")
        return self._change(
            key, lambda old: msgspec.structs.replace(_there(old), name=clean_name(name))
        )

    def block(self, key: bytes, played_as: str = "") -> Known:
        """Refuses a key from now on, a friend's or anybody's."""
        if key == self._own:
            raise Malformed("that is yourself, and cannot be blocked", what="friend")

        def blocked(old: Known | None) -> Known:
            stranger = Known(
                key=key, name=_usual(key, played_as), is_friend=False, added=self._now()
            )
            return msgspec.structs.replace(old or stranger, is_blocked=True)

        return self._change(key, blocked)

    def unblock(self, key: bytes) -> None:
        """Lets a key in again; who was no friend is forgotten."""
        self._change(key, lambda old: msgspec.structs.replace(_there(old), is_blocked=False))

    def remove(self, key: bytes) -> None:
        """Ends a friendship. Who is blocked stays so; else name, address and last meeting go."""
        self._change(key, lambda old: msgspec.structs.replace(_there(old), is_friend=False))

    def saw(self, key: bytes, address: str = "") -> None:
        """Notes that a friend was met just now, and where; of strangers nothing is kept. What
        the disk refuses here is no loss."""

        def seen(old: Known | None) -> Known | None:
            if old is None or not old.is_friend or len(address) > MAX_ADDRESS:
                return old
            now, where = self._now(), address or old.address
            is_news = where != old.address or not old.seen <= now < old.seen + SEEN_STEP_S
            return msgspec.structs.replace(old, seen=now, address=where) if is_news else old

        with suppress(ProfileUnusable):
            self._change(key, seen)

    def _now(self) -> int:
        return max(0, int(self._clock()))  # a clock may stand before 1970

    def _change(self, key: bytes, change: Callable[[Known | None], Held]) -> Held:
        """Keeps what becomes of an entry; one that is neither friend nor blocked goes."""
        with self._lock:
            known = change(self._known.get(key))
            changed = {**self._known}
            if known is None or not (known.is_friend or known.is_blocked):
                changed.pop(key, None)
            else:
                changed[key] = known
            if changed != self._known:
                self._write(changed)
                self._known = MappingProxyType(changed)
            return known

    def _write(self, changed: Mapping[bytes, Known]) -> None:
        if len(changed) > MOST_KNOWN:
            raise Malformed("the list of friends is full; remove somebody", what="friend")
        data = msgspec.json.encode(_Book(VERSION, tuple(changed.values())))
        try:
            if self._path.exists():
                replace_file(self._before, self._path.read_bytes())
            replace_file(self._path, msgspec.json.format(data) + b"\n")
        except OSError as error:
            raise ProfileUnusable(
                f"the list of friends cannot be written ({error.strerror}); make room on the "
                f"disk, or make {self._path} writable"
            ) from error

    def _read(self) -> Mapping[bytes, Known]:
        """The newest generation that can be read; one that cannot be is kept aside."""
        problem = ""
        for path in (self._path, self._before):
            try:
                known = _decoded(path.read_bytes())
            except FileNotFoundError:
                continue
            except (OSError, *_UNREADABLE) as error:
                problem = _kept_aside(problem or _told(error), path)
                continue
            if problem:
                self.notice = f"{problem}; you have the list as it was one change earlier"
            return MappingProxyType(known)
        if problem:
            self.notice = f"{problem}; add your friends again, or put a good copy back"
        return MappingProxyType({})


def _decoded(data: bytes) -> dict[bytes, Known]:
    version = msgspec.json.decode(data, type=_Form).version
    if version != VERSION:
        raise _Newer
    return {known.key: known for known in msgspec.json.decode(data, type=_Book).known}


def _told(error: Exception) -> str:
    if isinstance(error, _Newer):
        return "the list of friends is from a newer Cloakboard and cannot be read"
    return "the list of friends is damaged and cannot be read"


def _kept_aside(problem: str, path: Path) -> str:
    try:
        return f"{problem}; the file is kept as {set_aside(path, 'bad').name}"
    except OSError as error:
        return f"{problem}; the file {path.name} cannot be moved ({error.strerror})"


def _there(known: Known | None) -> Known:
    if known is None:
        raise Malformed("this player is not in the list of friends", what="friend")
    return known


def _usual(key: bytes, played_as: str) -> str:
    return clean_name(played_as) if played_as.strip() else default_name(key)


def _is_meant(known: Known, wanted: str) -> bool:
    if known.words.startswith(wanted) and wanted:
        return True
    return len(wanted) >= SHORTEST_PREFIX and known.key.hex().startswith(wanted)
