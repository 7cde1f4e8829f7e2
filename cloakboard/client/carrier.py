"""Saves out of this profile into a file of their own, and in from one, as the window asks for it.

Both read a whole match and wait for the disk, so they are done on a thread of their own.
"""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from os.path import expanduser
from pathlib import Path
from typing import Final, NamedTuple

from cloakboard.client.texts import sentence
from cloakboard.engine.errors import EngineError
from cloakboard.engine.registry import games
from cloakboard.netplay.errors import NetplayError, Refused
from cloakboard.netplay.identity import Identity
from cloakboard.netplay.lockstep.carrying import export_save, import_save
from cloakboard.netplay.lockstep.journal import SUFFIX
from cloakboard.netplay.profile import Profile

EXPORTS: Final = "exports"  # the folder, in the profile, where saves go if no other is named


class Report(NamedTuple):
    """What came of it, in words."""

    title: str
    text: str


class Carrier:
    """Carries the saves of one profile."""

    def __init__(self, profile: Profile, identity: Identity) -> None:
        self._profile = profile
        self._identity = identity
        self._thread = ThreadPoolExecutor(1, "saves")

    def export(self, save: Path, typed: str) -> Future[Report]:
        """Puts a save into a file in a folder as it was typed, or in the profile's own."""
        return self._thread.submit(self._export, save, typed_path(typed))

    def bring(self, typed: str) -> Future[Report]:
        """Takes in the save in a file, named as it was typed."""
        return self._thread.submit(self._bring, typed_path(typed))

    def _export(self, save: Path, folder: Path | None) -> Report:
        try:
            if folder is None:
                folder = self._profile.folder / EXPORTS
                folder.mkdir(exist_ok=True)
            elif not folder.is_dir():
                raise Refused(f"{folder} is no folder; type the name of one, or nothing")
            target = _free(folder, save.stem)
            export_save(save, target)
        except OSError as error:
            return Report("Not exported", f"The save cannot be written: {error.strerror}.")
        except NetplayError as error:
            return Report("Not exported", sentence(str(error)))
        return Report("The match is exported", f"It is in this file: {target}")

    def _bring(self, source: Path | None) -> Report:
        try:
            if source is None:
                raise Refused(f"type or paste the name of a file that ends in {SUFFIX}")
            path = import_save(source, self._profile.saves, self._identity, games())
        except OSError as error:
            return Report("Not imported", f"The save cannot be taken in: {error.strerror}.")
        except (NetplayError, EngineError) as error:
            return Report("Not imported", sentence(str(error)))
        return Report("The match is imported", f"It is in the list, and in this file: {path}")


def typed_path(typed: str) -> Path | None:
    """What a player has typed or pasted, maybe in quotation marks, as a path; None for nothing."""
    name = "".join(sign for sign in typed if sign.isprintable()).strip().strip("\"'")
    return Path(expanduser(name)) if name else None  # raises nothing


def _free(folder: Path, stem: str) -> Path:
    path, count = folder / f"{stem}{SUFFIX}", 1
    while path.exists():
        count += 1
        path = folder / f"{stem}-{count}{SUFFIX}"
    return path
