"""A match carried from one machine to another, in one file.

An exported file is a save like any other, whole and without the damage that its source may have.
Taken in, it goes on where it was: for the player who saved it, on any machine that has the same
identity. Another seat's save is not gone on with by mistake; a player whose own is lost takes it
over by name of that act, as entry 0 of every copy holds each seat's secret sealed to its owner.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from cloakboard.engine.errors import EngineError
from cloakboard.engine.game import Game
from cloakboard.netplay.errors import Malformed, Mismatch, NetplayError, Refused
from cloakboard.netplay.files import set_aside
from cloakboard.netplay.identity import Identity
from cloakboard.netplay.lockstep import journal, saves
from cloakboard.netplay.lockstep.journal import Contents, Journal
from cloakboard.netplay.lockstep.judge import check_opening
from cloakboard.netplay.lockstep.match import Match
from cloakboard.netplay.transcript import Entry, encode
from cloakboard.netplay.veil.opening import own_hand

MOST_BYTES: Final = 64 * 1024 * 1024  # of a file that is taken in


def export_save(path: Path, target: Path) -> int:
    """Writes a save to a file of its own; how many entries that holds. Raises `Malformed` if the
    save cannot be read, `Refused` if something is at `target` already, `OSError`."""
    contents = journal.read(path)
    if target.suffix != journal.SUFFIX:
        raise Refused(f"{target.name} would not be known as a save; let it end in {journal.SUFFIX}")
    if target.exists():
        raise Refused(f"{target} is there already; choose another name")
    _write(target, contents)
    return len(contents.entries)


def import_save(
    source: Path,
    folder: Path,
    identity: Identity,
    games: Mapping[str, Game],
    *,
    take_over: bool = False,
) -> Path:
    """Takes a save in; where it is now. `take_over`: also another seat's save of the player's own
    match. A shorter save of the same match is replaced, and kept beside it.

    Raises `Malformed`, `Mismatch` or `Refused`, with a way out, and `OSError`; nothing has
    changed then.
    """
    if source.is_file() and source.stat().st_size > MOST_BYTES:
        raise Malformed(f"{source.name} is too long to be a save")
    contents = journal.read(source)
    game = saves.game_of(source, contents, games)
    seat = saves.own_seat(source, contents, identity, take_over=take_over)
    _check(source, contents, game, identity, seat)
    if seat != contents.meta.seat:
        contents = contents._replace(
            meta=replace(contents.meta, seat=seat, hosts=False), addresses={}
        )
    folder.mkdir(parents=True, exist_ok=True)
    _, match = check_opening(contents.entries[0], game)
    there = saves.find(folder, match)
    if there is None:
        target = folder / f"{game.id}-{match.hex()[:12]}{journal.SUFFIX}"
        if target.exists():
            raise Refused(f"{target.name} is there already and cannot be read; move it away first")
        _write(target, contents)
        return target
    _check_longer(source, contents.entries, journal.read(there).entries, there)
    _write(there, contents)
    return there


def _check(source: Path, contents: Contents, game: Game, identity: Identity, seat: int) -> None:
    """Raises `Malformed` unless the entries make a match from that seat's side."""
    try:
        opening, match = check_opening(contents.entries[0], game)
        hand = own_hand(identity, opening, match, seat)
        Match(game, identity, contents.entries, seat, hand, saves.now_ms)
    except (NetplayError, EngineError) as error:
        raise Malformed(f"{source.name} does not hold together: {error}") from None


def _check_longer(
    source: Path, entries: tuple[Entry, ...], had: tuple[Entry, ...], there: Path
) -> None:
    if entries[: len(had)] != had and had[: len(entries)] != entries:
        raise Mismatch(
            f"{source.name} and {there.name} are of one match and differ; both are left as they "
            "are. Go on with the one that the other players go on with",
            what="entries",
        )
    if len(entries) <= len(had):
        raise Refused(f"{there.name} is of the same match and has all of it; go on with that")


def _write(target: Path, contents: Contents) -> None:
    """The records that mean something, in a file that appears whole or not at all; what was there
    is kept beside it."""
    part = target.with_name(target.name + ".part")
    part.unlink(missing_ok=True)
    file = Journal.create(part, contents.meta)
    try:
        for entry in contents.entries:
            file.append(journal.ENTRY, encode(entry))
        for entry in contents.refused:
            file.append(journal.REFUSED, encode(entry))
        if contents.name:
            file.append(journal.NAME, contents.name.encode())
        for seat, address in sorted(contents.addresses.items()):
            file.append(journal.ADDRESS, bytes([seat]) + address.encode())
    finally:
        file.close()
    if target.exists():
        set_aside(target, "before")
    os.replace(part, target)
