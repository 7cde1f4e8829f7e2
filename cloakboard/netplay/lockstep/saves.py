"""The matches of a profile: made, listed, opened, named, gone on with."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from cloakboard.engine.errors import EngineError
from cloakboard.engine.game import Game
from cloakboard.netplay.errors import Malformed, Mismatch, NetplayError, Refused
from cloakboard.netplay.identity import Identity
from cloakboard.netplay.links.greeting import Begun
from cloakboard.netplay.lockstep import journal
from cloakboard.netplay.lockstep.journal import Contents, Journal, Meta
from cloakboard.netplay.lockstep.judge import Judgement, judge
from cloakboard.netplay.lockstep.match import Match
from cloakboard.netplay.transcript import encode, header_hash, read_opening
from cloakboard.netplay.veil.opening import clean_name, own_hand


@dataclass(frozen=True, slots=True)
class Listed:
    """A line of the list of saves. `problem`: why it cannot be opened, or empty; `match`: its
    id, empty where there is a problem."""

    path: Path
    name: str
    game: str
    players: tuple[str, ...]
    entries: int
    ended: bool
    made: int
    problem: str = ""
    match: bytes = b""


@dataclass(slots=True)
class Opened:
    """A match that is being played from its file."""

    match: Match
    journal: Journal
    meta: Meta
    addresses: dict[int, str]
    repaired: bool


def now_ms() -> int:
    """Milliseconds of a clock that only goes forward."""
    return time.monotonic_ns() // 1_000_000


def create(folder: Path, game: Game, identity: Identity, begun: Begun, meta: Meta) -> Opened:
    """The file of a match that has just begun, with entry 0 on the disk."""
    path = folder / f"{game.id}-{begun.match.hex()[:12]}{journal.SUFFIX}"
    file = Journal.create(path, meta)
    file.append(journal.ENTRY, encode(begun.entry))
    hand = own_hand(identity, begun.opening, begun.match, begun.seat)
    match = Match(game, identity, [begun.entry], begun.seat, hand, now_ms)
    return Opened(match, file, meta, {}, False)


def open_match(path: Path, identity: Identity, games: Mapping[str, Game]) -> Opened:
    """A match to go on with. Raises `NetplayError` with a way out."""
    file, contents = Journal.reopen(path)
    try:
        game = game_of(path, contents, games)
        seat = own_seat(path, contents, identity)
        opening = read_opening(contents.entries[0].body)
        id_ = header_hash(contents.entries[0].header)
        hand = own_hand(identity, opening, id_, seat)
        try:
            match = Match(game, identity, contents.entries, seat, hand, now_ms)
        except (NetplayError, EngineError) as error:
            raise Malformed(f"{path.name} does not hold together: {error}") from None
    except NetplayError:
        file.close()
        raise
    return Opened(match, file, contents.meta, contents.addresses, contents.damaged > 0)


def own_seat(path: Path, contents: Contents, identity: Identity, *, take_over: bool = False) -> int:
    """The seat that an identity holds in the match of a file that its own machine wrote; with
    `take_over` also of one that another seat's machine wrote. Raises `Refused`."""
    seats = read_opening(contents.entries[0].body).seats
    held = [seat for seat, laid in enumerate(seats) if laid.key == identity.key]
    if not held:
        names = " and ".join(clean_name(laid.name) for laid in seats)
        raise Refused(
            f"{path.name} is a match of {names}; the identity of this profile holds no seat "
            "in it, so it can be shown and verified here but not played"
        )
    wrote = contents.meta.seat
    if wrote in held or take_over:
        return wrote if wrote in held else held[0]
    who = clean_name(seats[wrote].name) if 0 <= wrote < len(seats) else "a watcher"
    raise Refused(
        f"{path.name} is {who}'s save of this match, and each side goes on from its own: open "
        "yours. If that is lost, make this one yours: cloakboard saves --take-over FILE"
    )


def shared(folder: Path, game: str, players: frozenset[bytes]) -> list[tuple[bytes, Listed]]:
    """The unfinished matches of a game that just these players have begun, by their ids, the
    newest first."""
    found = []
    for listed in listing(folder):
        if listed.game == game and not listed.ended:
            entry = journal.read(listed.path).entries[0]
            if players == {seat.key for seat in read_opening(entry.body).seats}:
                found.append((header_hash(entry.header), listed))
    return found


def find(folder: Path, match: bytes) -> Path | None:
    """The save of the match with that id, None if there is none that can be read."""
    for path in sorted(folder.glob(f"*-{match.hex()[:12]}*{journal.SUFFIX}")):
        try:
            contents = journal.read(path)
        except NetplayError:
            continue
        if contents.entries and header_hash(contents.entries[0].header) == match:
            return path
    return None


def game_of(path: Path, contents: Contents, games: Mapping[str, Game]) -> Game:
    """The game of a file, if this program plays it by the same rules. Raises `Mismatch`."""
    opening = read_opening(contents.entries[0].body)
    game = games.get(opening.game)
    if game is None:
        raise Mismatch(f"{path.name} is of a game that this version does not have", what="game")
    if game.rules_version != opening.rules_version:
        raise Mismatch(
            f"{path.name} was played by rules version {opening.rules_version} of {game.title}; "
            f"this program plays {game.rules_version}: open it with that version of Cloakboard",
            what="rules",
            expected=game.rules_version,
            actual=opening.rules_version,
        )
    return game


def verify_file(path: Path, games: Mapping[str, Game]) -> tuple[Judgement, Contents]:
    """What a file shows on its own, on anybody's machine. Raises `NetplayError`."""
    contents = journal.read(path)
    game = game_of(path, contents, games)
    try:
        judgement, _ = judge(game, contents.entries, contents.refused)
    except EngineError as error:
        raise Malformed(f"{path.name} does not begin as a match of {game.title}: {error}") from None
    return judgement, contents


def listing(folder: Path) -> list[Listed]:
    """Every save of a folder, newest first; a bad one is listed with its problem."""
    found = [_listed(path) for path in sorted(folder.glob(f"*{journal.SUFFIX}"))]
    return sorted(found, key=lambda save: (-save.made, save.path.name))


def _listed(path: Path) -> Listed:
    try:
        contents = journal.read(path)
        opening = read_opening(contents.entries[0].body)
    except NetplayError as error:
        return Listed(path, path.stem, "", (), 0, False, 0, str(error))
    return Listed(
        path=path,
        name=contents.name or path.stem,
        game=opening.game,
        players=tuple(clean_name(seat.name) for seat in opening.seats),
        entries=len(contents.entries),
        ended=_ended(contents),
        made=contents.meta.made,
        match=header_hash(contents.entries[0].header),
    )


def _ended(contents: Contents) -> bool:
    return any(b"verdict" in entry.body[:16] for entry in contents.entries[-2:])
