"""An invite on its way from a link to the program that is open already.

Two programs cannot share a profile, so the one that a link has started leaves the invite in the
profile's folder, and the open one takes it from there.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from cloakboard.netplay.errors import NetplayError
from cloakboard.netplay.files import replace_file
from cloakboard.netplay.invite import MAX_TEXT, parse_any

FILE_NAME: Final = "opened.link"


def leave(folder: Path, text: str) -> None:
    """Leaves an invite for the program that has the profile open. Raises `NetplayError` for what
    is none, `OSError`."""
    replace_file(folder / FILE_NAME, parse_any(text).text().encode())


def take(folder: Path) -> str:
    """The invite that was left, once; empty if there is none, or nothing that is one."""
    path = folder / FILE_NAME
    try:
        with path.open("rb") as file:
            text = file.read(MAX_TEXT).decode("ascii", "replace")
        path.unlink()
        return parse_any(text).text()
    except (OSError, NetplayError):
        return ""
