"""A match of one machine as a file: saved to go on with, or finished to look back on."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Any, Final

import msgspec

from cloakboard.engine.errors import Malformed
from cloakboard.engine.game import Result
from cloakboard.netplay.files import replace_file

FORMAT: Final = 2
SUFFIX: Final = ".table"
FINISHED: Final = "finished"  # the folder, among the saves, of matches that are over
FINISHED_LIMIT: Final = 50  # matches


class Saved(msgspec.Struct, frozen=True):
    """A match on one machine, as it is kept: enough to play it again from the start.
    `actions`: seat, chosen action, draws given before it; `drawn`: draws given in all; `agreed`:
    how it ended otherwise than by the rules, if it did."""

    format: int
    game: str
    rules_version: int
    options: dict[str, Any]
    setup: str
    seed: bytes
    names: tuple[str, ...]
    computers: tuple[int, ...]
    actions: tuple[tuple[int, bytes, int], ...]
    drawn: int
    agreed: Result | None = None

    @classmethod
    def read(cls, path: Path) -> Saved:
        """What a file keeps. Raises `Malformed`, `OSError`."""
        try:
            saved = msgspec.msgpack.decode(path.read_bytes(), type=cls)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise Malformed(f"{path.name} is damaged and cannot be opened") from error
        if saved.format != FORMAT:
            raise Malformed(f"{path.name} is of another version of Cloakboard")
        return saved

    def write(self, path: Path) -> None:
        """Puts it into a file, whole or not at all. Raises `OSError`."""
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, msgspec.msgpack.encode(self))

    def title(self) -> str:
        """One line for a list of saves."""
        count = len(self.actions)
        return "1 action" if count == 1 else f"{count} actions"


def keep_finished(saves: Path, saved: Saved) -> None:
    """Keeps a match that is over to look back on; of more than `FINISHED_LIMIT` the oldest goes.
    Raises `OSError`."""
    folder = saves / FINISHED
    saved.write(folder / f"{FINISHED}-{secrets.token_hex(4)}{SUFFIX}")
    kept = sorted(folder.glob(f"*{SUFFIX}"), key=lambda path: path.stat().st_mtime_ns)
    for path in kept[:-FINISHED_LIMIT]:
        path.unlink(missing_ok=True)
