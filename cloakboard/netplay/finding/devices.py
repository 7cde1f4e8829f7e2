"""Who of the local network may come in: each device is let in once by hand, then remembered.

A room on the local network is seen by everybody on it, guests and neighbours included. Whoever
comes without an invite, a password or a friendship is therefore asked about; the key that was
let in is kept in the profile and comes in by itself from then on.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Final

import msgspec

from cloakboard.netplay.errors import Refused
from cloakboard.netplay.files import replace_file, set_aside
from cloakboard.netplay.identity import KEY_BYTES, fingerprint_words
from cloakboard.netplay.veil.opening import NAME_LENGTH, clean_name

FILE_NAME: Final = "devices.json"
ASK_S: Final = 60.0
"""How long whoever knocks waits for the player's word."""
MOST_ASKING: Final = 4  # at the same time; more are turned away
MOST_KNOWN: Final = 1_000


class Device(msgspec.Struct, frozen=True):
    """A key that was let in, under the name it had then; `since` in unix seconds."""

    key: Annotated[bytes, msgspec.Meta(min_length=KEY_BYTES, max_length=KEY_BYTES)]
    name: Annotated[str, msgspec.Meta(max_length=NAME_LENGTH)]
    since: int


_decoder = msgspec.json.Decoder(Annotated[tuple[Device, ...], msgspec.Meta(max_length=MOST_KNOWN)])


class Devices:
    """The devices that a profile has let in. A damaged file is kept aside: all are asked about
    anew then."""

    def __init__(self, folder: Path, clock: Callable[[], float] = time.time) -> None:
        self._path = folder / FILE_NAME
        self._clock = clock
        self._known = {device.key: device for device in self._read()}

    def known(self) -> tuple[Device, ...]:
        """All of them, the newest last."""
        return tuple(self._known.values())

    def knows(self, key: bytes) -> bool:
        """Whether a key was let in before."""
        return key in self._known

    def let_in(self, key: bytes, name: str) -> None:
        """Remembers a key; the longest known one makes way when there are too many. That the
        disk refuses costs no more than another question later."""
        self._known[key] = Device(key, clean_name(name), int(self._clock()))
        while len(self._known) > MOST_KNOWN:
            del self._known[next(iter(self._known))]
        self._write()

    def forget(self, key: bytes) -> None:
        """Asks about a key again next time."""
        if self._known.pop(key, None) is not None:
            self._write()

    def _write(self) -> None:
        with suppress(OSError):
            data = msgspec.json.encode(list(self._known.values()))
            replace_file(self._path, msgspec.json.format(data) + b"\n")

    def _read(self) -> tuple[Device, ...]:
        try:
            data = self._path.read_bytes()
        except OSError:
            return ()
        try:
            return _decoder.decode(data)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            with suppress(OSError):
                set_aside(self._path, "bad")
            return ()


@dataclass(frozen=True)
class Asking:
    """Somebody who waits to be let in. `name` is what they call themselves."""

    key: bytes
    name: str
    answer: asyncio.Future[bool] = field(repr=False)

    @property
    def words(self) -> str:
        """The fingerprint of the key, to be compared aloud."""
        return fingerprint_words(self.key)


class Porter:
    """Asks the player about devices that are not known yet. Lives on the network's loop;
    `asking` may be looked at from any thread."""

    def __init__(self, devices: Devices, is_asking: Callable[[], bool]) -> None:
        """`is_asking`: whether strangers are asked about now; else they pass."""
        self._devices = devices
        self._is_asking = is_asking
        self.asking: tuple[Asking, ...] = ()

    async def check(self, key: bytes, name: str) -> None:
        """Returns once a key may come in. Raises `Refused` with the reason for whoever asks."""
        if not self._is_asking() or self._devices.knows(key):
            return
        waiting = next((asked for asked in self.asking if asked.key == key), None)
        if waiting is None:
            if len(self.asking) >= MOST_ASKING:
                raise Refused("others are waiting to be let in; try again in a minute", what="door")
            future: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
            waiting = Asking(key, clean_name(name), future)
            self.asking += (waiting,)
        try:
            async with asyncio.timeout(ASK_S):
                is_let_in = await asyncio.shield(waiting.answer)
        except TimeoutError:
            raise Refused(
                "nobody there has let you in yet; ask your friend to allow it, and join again",
                what="door",
            ) from None
        finally:
            self.asking = tuple(asked for asked in self.asking if asked is not waiting)
        if not is_let_in:
            raise Refused("the player of this room does not let you in", what="door")
        self._devices.let_in(key, name)

    def answer(self, key: bytes, is_let_in: bool) -> None:
        """What the player says about whoever waits."""
        for asked in self.asking:
            if asked.key == key and not asked.answer.done():
                asked.answer.set_result(is_let_in)
