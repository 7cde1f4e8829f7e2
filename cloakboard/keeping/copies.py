"""All records of a profile in one file, to carry to another machine or to keep.

The file is signed by the identity that wrote it. Read by the same identity it brings everything:
records, progress, unlocks. Read by anybody else it brings only records that every player of their
match has signed; nothing in it has to be believed.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec

from cloakboard.achievements.errors import KeepingError, Unreadable
from cloakboard.achievements.ledger import Copy
from cloakboard.keeping.chain import record_of_proof
from cloakboard.keeping.keeper import Keeper
from cloakboard.netplay.errors import Forged
from cloakboard.netplay.files import replace_file
from cloakboard.netplay.identity import Identity, verify

MAGIC: Final = b"CLOAKBOARD RECORDS 1\n"
SUFFIX: Final = ".records"
DOMAIN: Final = "cloak/records/1"
MOST_BYTES: Final = 256 * 1024 * 1024


class _Signed(msgspec.Struct, frozen=True, array_like=True):
    key: bytes
    signature: bytes
    copy: bytes


class Merged(msgspec.Struct, frozen=True):
    """What an import brought: records that were new here, and the reasons why others were
    refused."""

    fresh: int
    refused: tuple[str, ...] = ()


def write_copy(keeper: Keeper, identity: Identity, path: Path) -> int:
    """Writes everything kept to a file; how many records it holds. Raises `OSError`."""
    copy = keeper.ledger.copy()
    data = msgspec.msgpack.encode(copy)
    signed = _Signed(identity.key, identity.sign(DOMAIN, data), data)
    replace_file(path, MAGIC + msgspec.msgpack.encode(signed))
    return len(copy.records)


def read_copy(keeper: Keeper, path: Path) -> Merged:
    """Merges a file into what is kept. Raises `Unreadable` if it is none, with a way out."""
    copy, is_own = _read(path, keeper.key)
    if is_own:
        fresh = keeper.ledger.merge(copy)
        keeper.settle()
        return Merged(fresh)
    fresh, refused = 0, []
    for record in copy.records:
        try:
            fresh += keeper.ledger.add(record_of_proof(record.proof, keeper.games))
        except KeepingError as error:
            refused.append(str(error))
    return Merged(fresh, tuple(refused))


def _read(path: Path, key: bytes) -> tuple[Copy, bool]:
    """What a file holds, and whether `key` has signed it."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise Unreadable(f"{path.name} is too long to hold match records")
        data = path.read_bytes()
    except OSError as error:
        raise Unreadable(f"{path.name} cannot be read: {error.strerror}") from None
    if not data.startswith(MAGIC):
        raise Unreadable(
            f"{path.name} holds no match records of this version; choose a file that was written "
            "by an export of records"
        )
    try:
        signed = msgspec.msgpack.decode(data[len(MAGIC) :], type=_Signed)
        copy = msgspec.msgpack.decode(signed.copy, type=Copy)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        raise Unreadable(f"{path.name} is damaged; export the records once more") from None
    try:
        verify(signed.key, DOMAIN, signed.copy, signed.signature)
    except Forged:
        raise Unreadable(f"{path.name} was changed after it was written") from None
    return copy, signed.key == key
