"""Commands about the players one knows."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from cloakboard.cli.exits import CLEAN
from cloakboard.netplay import scheme
from cloakboard.netplay.errors import Malformed, NetplayError
from cloakboard.netplay.finding.friends import FriendsFile, Known
from cloakboard.netplay.identity import Identity, fingerprint_words
from cloakboard.netplay.invite import key_text, read_who
from cloakboard.netplay.profile import Profile


@dataclass(frozen=True, slots=True)
class Asked:
    """What the arguments of `friends` say: `who` is a friend, an invite or a key."""

    act: str = "list"
    who: str = ""
    name: str = ""
    as_json: bool = False


def book_of(profile: Profile, own: bytes) -> FriendsFile:
    """The friends of an opened profile; what the player must be told goes to stderr."""
    book = FriendsFile(profile.folder, own)
    if book.notice:
        print(f"cloakboard: {book.notice}", file=sys.stderr)
    return book


def tell_met(book: FriendsFile, players: Iterable[tuple[bytes, str, str]]) -> None:
    """Notes who was played with, by key, shown name and where their machine was dialled, if it
    was, and says on stderr how to keep a player who is no friend yet."""
    for key, name, address in players:
        book.saw(key, address)
        if book.get(key) is None:
            print(
                f"to keep {name} as a friend: cloakboard friends add {key_text(key)}",
                file=sys.stderr,
                flush=True,
            )


def friends(folder: Path | None, asked: Asked) -> int:
    """Does what is asked with the list of friends, and says what came of it."""
    with Profile.open(folder) as profile:
        own = Identity.open(profile.folder).key
        ACTS[asked.act](book_of(profile, own), own, asked)
    return CLEAN


def _list(book: FriendsFile, own: bytes, asked: Asked) -> None:
    if asked.as_json:
        print(json.dumps([_as_json(known) for known in book.known()], indent=1))
        return
    print(f"you: {fingerprint_words(own)}")
    print(f"your key, for friends to add: {key_text(own)}")
    for known in book.known():
        print(line(known))


def line(known: Known) -> str:
    """A player in one line."""
    seen = time.strftime("%Y-%m-%d %H:%M", time.localtime(known.seen)) if known.seen else "never"
    kind = "blocked" if known.is_blocked else "friend"
    return f"{known.name}  {known.words}  {kind}  last met {seen}  {known.key.hex()[:12]}"


def _as_json(known: Known) -> dict[str, Any]:
    return {
        "key": known.key.hex(),
        "name": known.name,
        "words": known.words,
        "friend": known.is_friend,
        "blocked": known.is_blocked,
        "added": known.added,
        "seen": known.seen,
        "address": known.address,
    }


def _add(book: FriendsFile, own: bytes, asked: Asked) -> None:
    known = book.add(asked.who, asked.name)
    print(f"added: {known.name}; compare the words with your friend: {known.words}")


def _name(book: FriendsFile, own: bytes, asked: Asked) -> None:
    old = book.find(asked.who)
    print(f"renamed: {old.name} is now {book.rename(old.key, asked.name).name}")


def _block(book: FriendsFile, own: bytes, asked: Asked) -> None:
    known = book.block(_key(book, asked.who))
    print(f"blocked: {known.name} is let in nowhere, and is not told so; `unblock` undoes it")


def _unblock(book: FriendsFile, own: bytes, asked: Asked) -> None:
    known = book.find(asked.who)
    book.unblock(known.key)
    print(f"unblocked: {known.name} can play with you again")


def _remove(book: FriendsFile, own: bytes, asked: Asked) -> None:
    known = book.find(asked.who)
    book.remove(known.key)
    kept = " and is still blocked" if known.is_blocked else ""
    print(
        f"removed: {known.name} is no friend any more{kept}; matches, records and leaderboards "
        "stay as they are"
    )


def register(removes: bool) -> int:
    """Has the desktop open links of invites with this program, or no longer."""
    print(scheme.unregister() if removes else scheme.register())
    return CLEAN


def _key(book: FriendsFile, who: str) -> bytes:
    """The key of somebody known, or of an invite or a key."""
    try:
        return book.find(who).key
    except Malformed as unknown:
        try:
            return read_who(who)[0]
        except NetplayError:
            raise unknown from None


ACTS: Final[dict[str, Callable[[FriendsFile, bytes, Asked], None]]] = {
    "list": _list,
    "add": _add,
    "name": _name,
    "block": _block,
    "unblock": _unblock,
    "remove": _remove,
}
