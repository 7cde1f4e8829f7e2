"""Where a player's files lie: identity, settings, saves, logs; used by one process at a time."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Final, Self

import platformdirs

from cloakboard.netplay.errors import NetplayError
from cloakboard.netplay.files import replace_file

LOCK_NAME: Final = "lock"
PORT_NAME: Final = "port"

if sys.platform == "win32":
    import msvcrt

    def _lock(stream: IO[bytes]) -> None:
        stream.seek(0)
        msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(stream: IO[bytes]) -> None:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)


class ProfileUnusable(NetplayError):
    """A profile folder that another process uses, or that cannot be written."""


class ProfileInUse(ProfileUnusable):
    """A profile `folder` that another process uses."""

    def __init__(self, text: str, folder: Path) -> None:
        super().__init__(text)
        self.folder = folder


class Profile:
    """An opened profile folder. `folder`, and in it `saves` and `logs`, exist.

    The lock goes with the process, however it ends. Use as a context manager, or `close`.
    """

    def __init__(self, folder: Path, lock: IO[bytes]) -> None:
        self.folder: Final = folder
        self.saves: Final = folder / "saves"
        self.logs: Final = folder / "logs"
        self._held = lock

    @classmethod
    def open(cls, folder: Path | None = None) -> Profile:
        """The profile at `folder`, or the user's own one if None, made if it does not exist.

        Raises `ProfileInUse` if another process has it open, `ProfileUnusable` if it cannot be
        written.
        """
        place = Path(platformdirs.user_data_dir("cloakboard", False)) if folder is None else folder
        place = place.expanduser().absolute()
        try:
            for part in (place, place / "saves", place / "logs"):
                part.mkdir(parents=True, exist_ok=True, mode=0o700)
            lock = (place / LOCK_NAME).open("ab")
        except OSError as error:
            raise ProfileUnusable(
                f"the profile folder {place} cannot be used ({error.strerror}); "
                "choose another one with --profile DIR"
            ) from error
        try:
            _lock(lock)
        except OSError as error:
            lock.close()
            raise ProfileInUse(
                f"another Cloakboard is using the profile {place}; close it, "
                "or start this one with --profile DIR and another folder",
                place,
            ) from error
        return cls(place, lock)

    @property
    def port(self) -> int | None:
        """The UDP port used last time, at which stored addresses still name this player."""
        try:
            port = int((self.folder / PORT_NAME).read_text(encoding="ascii"))
        except (OSError, ValueError):
            return None
        return port if 0 < port < 1 << 16 else None

    def keep_port(self, port: int) -> None:
        """Remember `port` for the next start. What the disk refuses here costs no more than an
        address that friends have noted."""
        if port != self.port:
            with suppress(OSError):
                replace_file(self.folder / PORT_NAME, str(port).encode())

    def close(self) -> None:
        """Let another process use the folder."""
        self._held.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
