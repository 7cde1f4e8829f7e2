"""Writing small files so that a crash leaves the old content or the new, never a mixture."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final

OWNER_ONLY: Final = 0o600


def replace_file(path: Path, data: bytes, mode: int = OWNER_ONLY) -> None:
    """Put `data` at `path`, whole or not at all, readable as `mode` says. Raises `OSError`.

    The bytes lie on the disk under a temporary name before they take the place of what was
    there, so neither kill -9 nor a power cut leaves half a file.
    """
    part = path.with_name(path.name + ".part")
    part.unlink(missing_ok=True)
    handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode)
    with os.fdopen(handle, "wb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())
    os.replace(part, path)
    sync_folder(path.parent)


def set_aside(path: Path, suffix: str) -> Path:
    """Rename `path` to `<stem>.<suffix>`, or `.<suffix>.2`, ... if that is taken; the new path.

    An earlier file kept aside is never overwritten. Raises `OSError`.
    """
    aside, count = path.with_suffix(f".{suffix}"), 1
    while aside.exists():
        count += 1
        aside = path.with_suffix(f".{suffix}.{count}")
    path.rename(aside)
    sync_folder(path.parent)
    return aside


def sync_folder(folder: Path) -> None:
    """Make renames within `folder` survive a power cut, where the system can be asked to."""
    if sys.platform == "win32":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
