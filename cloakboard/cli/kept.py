"""Saves of a profile: listed, written to a file of their own, taken in."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from cloakboard.cli.exits import CLEAN
from cloakboard.engine.registry import games
from cloakboard.netplay.errors import Refused
from cloakboard.netplay.identity import Identity
from cloakboard.netplay.lockstep import saves
from cloakboard.netplay.lockstep.carrying import export_save, import_save
from cloakboard.netplay.profile import Profile


class Wanted(NamedTuple):
    """What to do beside listing: at most one of it."""

    export: tuple[Path, Path] | None
    bring: Path | None
    take_over: Path | None


def kept(folder: Path | None, wanted: Wanted) -> int:
    """Prints one line a save, or does what is wanted and says so."""
    if wanted.export is not None:
        save, target = wanted.export
        try:
            count = export_save(save, target)
        except OSError as error:
            raise Refused(f"{target} cannot be written: {error.strerror}") from None
        print(f"{target}: {count} entries written")
        return CLEAN
    with Profile.open(folder) as profile:
        brought = wanted.bring or wanted.take_over
        if brought is not None:
            identity = Identity.open(profile.folder)
            try:
                path = import_save(
                    brought,
                    profile.saves,
                    identity,
                    games(),
                    take_over=wanted.take_over is not None,
                )
            except OSError as error:
                raise Refused(f"the save cannot be taken in: {error.strerror}") from None
            print(f"{path}: taken in; go on with cloakboard resume {path}")
            return CLEAN
        found = saves.listing(profile.saves)
        for listed in found:
            print(_line(listed))
        if not found:
            print("no saves yet; a match with a friend is saved by itself")
    return CLEAN


def _line(save: saves.Listed) -> str:
    if save.problem:
        return f"{save.path}: cannot be opened: {save.problem}"
    state = "over" if save.ended else "goes on"
    named = f" ({save.name})" if save.name != save.path.stem else ""
    return f"{save.path}{named}: {save.game}, {' and '.join(save.players)}, {state}"
