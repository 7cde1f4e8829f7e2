"""Where a match of one table is saved, so that it takes no other match's place."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import msgspec


class _Seeded(msgspec.Struct):
    seed: bytes


def place_for(folder: Path, name: str, suffix: str, seed: bytes) -> Path:
    """The file of that name in a folder; with a number after the name if there is a file already
    that does not hold the match with this seed. An earlier save of the match itself gives way."""
    return next(path for path in _named(folder, name, suffix) if _is_free(path, seed))


def _named(folder: Path, name: str, suffix: str) -> Iterator[Path]:
    yield folder / f"{name}{suffix}"
    yield from (folder / f"{name}-{number}{suffix}" for number in count(2))


def _is_free(path: Path, seed: bytes) -> bool:
    if not path.exists():
        return True
    try:
        return msgspec.msgpack.decode(path.read_bytes(), type=_Seeded).seed == seed
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
