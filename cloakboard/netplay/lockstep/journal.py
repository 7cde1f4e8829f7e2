"""A match on disk: the journal is the save (ARCHITECTURE 3.4, VEIL 8).

A file is a magic line and records. A record is its length (4 bytes, big-endian), its kind
(1 byte), its payload, and 16 bytes of BLAKE2b over kind, payload and the hash of the record
before: a record that was altered, lost or moved does not fit, and what follows a damaged one
is no match any more. Records are only ever appended, each flushed to the disk before what
depends on it is shown or sent.

kind   payload
M      `Meta`: first record, once
E      an entry, as signed
N      a name the player gave the save
A      a seat (1 byte), and where its machine is dialled, as text; without: it dials here
X      an entry that was refused: evidence, not part of the chain

A torn tail (a crash in the middle of a write) is cut at the next opening, and a copy of the
file as it was is kept beside it.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from cloakboard.netplay.errors import Malformed, Refused
from cloakboard.netplay.files import sync_folder
from cloakboard.netplay.lockstep.talk import NAME_LENGTH
from cloakboard.netplay.plain import one_line
from cloakboard.netplay.transcript import ENTRY_BYTES, Entry, Record, encode, read_entry

MAGIC: Final = b"CLOAKBOARD 1\n"
SUFFIX: Final = ".cloak"
_MAC_BYTES: Final = 16
_PAYLOAD_BYTES: Final = ENTRY_BYTES + 4096
META, ENTRY, NAME, ADDRESS, REFUSED = (b"M", b"E", b"N", b"A", b"X")


class Meta(Record, frozen=True):
    """What a file says of itself. `seat`: whose machine wrote it, -1 of a watcher; `made`:
    Unix time in seconds; `bot`: the computer player that moves for the seat, or empty."""

    app: str
    game: str
    rules_version: int
    seat: int
    made: int
    bot: str = ""
    bot_seed: int = 0
    local: bool = False
    max_turns: int = 0
    hosts: bool = False


class Contents(NamedTuple):
    """What a file holds. `damaged`: bytes at its end that are no whole record."""

    meta: Meta
    entries: tuple[Entry, ...]
    refused: tuple[Entry, ...]
    name: str
    addresses: dict[int, str]
    damaged: int
    tail: bytes


def read(path: Path) -> Contents:
    """The contents of a save. Raises `Malformed` if it is none, with a way out."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise Malformed(f"{path.name} cannot be read: {error.strerror}") from None
    if not data.startswith(MAGIC):
        if data.startswith(b"CLOAKBOARD "):
            raise Malformed(
                f"{path.name} was made by another version of Cloakboard; choose a file that ends "
                f"in {SUFFIX}"
            )
        raise Malformed(
            f"{path.name} is no save of Cloakboard; choose a file that ends in {SUFFIX}"
        )
    tail, at = MAGIC, len(MAGIC)
    records: list[tuple[bytes, bytes]] = []
    while (record := _record(data, at, tail)) is not None:
        kind, payload, tail, at = record
        records.append((kind, payload))
    if not records or records[0][0] != META:
        raise Malformed(f"{path.name} is truncated before its first entry; nothing can be read")
    entries = _read_entries(path, records, ENTRY)
    if not entries:
        raise Malformed(f"{path.name} is truncated before its match began; nothing can be read")
    return Contents(
        meta=_read_meta(path, records[0][1]),
        entries=entries,
        refused=_read_entries(path, records, REFUSED),
        name=one_line(_last(records, NAME), NAME_LENGTH),
        addresses=_addresses(records),
        damaged=len(data) - at,
        tail=tail,
    )


def _record(data: bytes, at: int, tail: bytes) -> tuple[bytes, bytes, bytes, int] | None:
    length = int.from_bytes(data[at : at + 4], "big")
    end = at + 5 + length + _MAC_BYTES
    if at + 5 > len(data) or length > _PAYLOAD_BYTES or end > len(data):
        return None
    kind, payload = data[at + 4 : at + 5], data[at + 5 : at + 5 + length]
    mac = data[end - _MAC_BYTES : end]
    return (kind, payload, mac, end) if mac == _mac(kind, payload, tail) else None


def _mac(kind: bytes, payload: bytes, tail: bytes) -> bytes:
    return hashlib.blake2b(
        kind + payload + tail, digest_size=_MAC_BYTES, person=b"cloak/journal/1"
    ).digest()


def _read_meta(path: Path, payload: bytes) -> Meta:
    try:
        return msgspec.msgpack.decode(payload, type=Meta)
    except msgspec.MsgspecError:
        raise Malformed(f"{path.name} was written by another version of Cloakboard") from None


def _read_entries(
    path: Path, records: list[tuple[bytes, bytes]], wanted: bytes
) -> tuple[Entry, ...]:
    try:
        return tuple(read_entry(payload) for kind, payload in records if kind == wanted)
    except Malformed as error:
        raise Malformed(f"{path.name} was not written by Cloakboard: {error}") from None


def _unwritable(path: Path, error: OSError) -> Refused:
    return Refused(
        f"{path.name} cannot be written ({error.strerror}); make its file and folder "
        "writable, then resume the match on both sides",
        what="disk",
    )


def _free_name(path: Path) -> Path:
    """Where the copy of a damaged file goes; an earlier copy may hold more and is kept."""
    copy, count = path.with_name(f"{path.name}.damaged"), 1
    while copy.exists():
        count += 1
        copy = path.with_name(f"{path.name}.damaged.{count}")
    return copy


def _addresses(records: list[tuple[bytes, bytes]]) -> dict[int, str]:
    """The last address of each seat; one without text is none."""
    last = {
        payload[0]: payload[1:].decode(errors="replace")
        for kind, payload in records
        if kind == ADDRESS and payload
    }
    return {seat: text for seat, text in last.items() if text}


def _last(records: list[tuple[bytes, bytes]], wanted: bytes) -> str:
    texts = [payload for kind, payload in records if kind == wanted]
    return texts[-1].decode(errors="replace") if texts else ""


class Journal:
    """An open file at whose end records are added, each on the disk before `append` returns.
    Raises `Refused` if the file cannot be opened for that."""

    def __init__(self, path: Path, tail: bytes) -> None:
        self.path = path
        self._tail = tail
        self._problem = ""
        try:
            self._file = path.open("ab")
        except OSError as error:
            raise _unwritable(path, error) from None

    @classmethod
    def create(cls, path: Path, meta: Meta) -> Journal:
        """A new file with its first record. Raises `Refused`, also for a file that is there."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("xb") as file:
                file.write(MAGIC)
            journal = cls(path, MAGIC)
            journal.append(META, encode(meta))
            sync_folder(path.parent)
        except OSError as error:
            raise _unwritable(path, error) from None
        return journal

    @classmethod
    def reopen(cls, path: Path) -> tuple[Journal, Contents]:
        """An existing file, to go on at its end. A damaged tail is cut; the file as it was is
        kept as `NAME.damaged`, or `NAME.damaged.2`, ... if that is taken. Raises `Malformed`,
        `Refused`."""
        contents = read(path)
        if contents.damaged:
            try:
                shutil.copy2(path, _free_name(path))
                with path.open("r+b") as file:
                    file.truncate(path.stat().st_size - contents.damaged)
                    os.fsync(file.fileno())
            except OSError as error:
                raise _unwritable(path, error) from None
        return cls(path, contents.tail), contents

    def append(self, kind: bytes, payload: bytes) -> None:
        """Adds a record and flushes it to the disk. Raises `Refused` if the disk does not take it,
        and from then on: what came after it would not follow from what stands there."""
        self.check()
        mac = _mac(kind, payload, self._tail)
        try:
            self._file.write(len(payload).to_bytes(4, "big") + kind + payload + mac)
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            self._problem = (
                f"{self.path.name} cannot be written ({error.strerror}); the match stands as of "
                "the last action: make room on that disk, then resume the match on both sides"
            )
            self.check()
        self._tail = mac

    def check(self) -> None:
        """Raises `Refused` once a record could not be written."""
        if self._problem:
            raise Refused(self._problem, what="disk")

    def close(self) -> None:
        """Closes the file; all of it is on the disk already, or could not be written."""
        with suppress(OSError):
            self._file.close()
