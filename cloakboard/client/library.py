"""Start positions of WEC to choose from: those that come along, and the player's own."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from cloakboard.assets import scenarios as assets
from cloakboard.engine.errors import BadSetup, EngineError, Malformed
from cloakboard.engine.registry import scenario as read_scenario
from cloakboard.engine.scenario import Scenario
from cloakboard.engine.wec.notation.positions import TEXT_LIMIT, write_scenario, write_setup
from cloakboard.engine.wec.notation.positions import read_scenario as read_position
from cloakboard.engine.wec.position import Scenario as Draft
from cloakboard.netplay.files import replace_file

GAME: Final = "wec"
FOLDER: Final = "scenarios"
_PLAIN: Final = re.compile(r"[^\w]+")


@dataclass(frozen=True, slots=True)
class Listed:
    """A line of the list. `path`: where an own one is kept, None of those that come along;
    `problem`: why it cannot be used, or empty."""

    name: str
    title: str
    teaches: str
    path: Path | None = None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Start:
    """A start position with its options, as a match takes them; the standard one is `STANDARD`."""

    title: str
    setup: str
    options: dict[str, Any]


STANDARD: Final = Start("Standard game", "", {})


def start_of(draft: Draft) -> Start:
    """A position of the editor as a match takes it."""
    title = draft.position.title or "From the editor"
    return Start(title, write_setup(draft.position), dict(draft.options))


class Library:
    """The scenarios of a profile folder and those that come along."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / FOLDER

    def listed(self) -> list[Listed]:
        """The player's own by title, then those that come along; a damaged one says so."""
        own = sorted(self.folder.glob(f"*{assets.SUFFIX}"))
        rows = sorted((self._row(path.stem, path) for path in own), key=lambda row: row.title)
        return rows + [self._row(name, None) for name in assets.names(GAME)]

    def _row(self, name: str, path: Path | None) -> Listed:
        try:
            found = read_scenario(GAME, self._text(name, path))
        except EngineError as error:
            return Listed(name, name, "", path, str(error))
        return Listed(name, found.title or name, found.teaches, path)

    def start(self, listed: Listed) -> Start:
        """The scenario as a match takes it. Raises `EngineError`."""
        found: Scenario = read_scenario(GAME, self._text(listed.name, listed.path))
        return Start(found.title or listed.name, found.setup, dict(found.options))

    def draft(self, listed: Listed) -> Draft:
        """The scenario as the editor takes it. Raises `EngineError`."""
        return read_position(self._text(listed.name, listed.path))

    def keep(self, draft: Draft) -> Path:
        """Writes an own scenario under its title, over an earlier one of that title. Raises
        `OSError`."""
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.path_of(draft.position.title)
        replace_file(path, write_scenario(draft).encode())
        return path

    def path_of(self, title: str) -> Path:
        """Where an own scenario of that title is kept."""
        name = _PLAIN.sub("-", title.lower()).strip("-")[:60] or "position"
        return self.folder / f"{name}{assets.SUFFIX}"

    def delete(self, listed: Listed) -> None:
        """Removes an own scenario. Raises `OSError`."""
        if listed.path is not None:
            listed.path.unlink()

    def _text(self, name: str, path: Path | None) -> str:
        if path is None:
            return assets.text(GAME, name)
        try:
            with path.open("rb") as file:
                return file.read(TEXT_LIMIT * 4 + 1).decode()
        except (OSError, UnicodeDecodeError) as error:
            raise Malformed(f"{path.name} cannot be read") from error


def text_of(draft: Draft) -> str:
    """A scenario as text, for a file or the clipboard."""
    return write_scenario(draft)


def from_text(text: str) -> Draft:
    """The scenario that a text says. Raises `BadSetup` that names what is wrong."""
    if not text.strip():
        raise BadSetup("Copy a start position first; then it can be pasted here.")
    return read_position(text)
