"""Start positions to choose from: those that come along, and the player's own."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Generic, Protocol, TypeVar

from cloakboard.assets import scenarios as assets
from cloakboard.engine.errors import BadSetup, EngineError, Malformed
from cloakboard.engine.registry import scenario as read_scenario
from cloakboard.engine.scenario import TEXT_LIMIT, Scenario
from cloakboard.engine.trid.notation import scenarios as trid
from cloakboard.engine.trid.pieces import START as TRID_START
from cloakboard.engine.wec.editing import scenario_of
from cloakboard.engine.wec.notation import positions as wec
from cloakboard.engine.wec.options import complete
from cloakboard.engine.wec.position import Scenario as WecScenario
from cloakboard.engine.wec.setup import standard
from cloakboard.netplay.files import replace_file

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
    """A start position with its options, as a match of `game_id` takes them; the standard one is
    `STANDARD`."""

    title: str
    setup: str
    options: dict[str, Any]
    game_id: str = "wec"


STANDARD: Final = Start("Standard game", "", {})


class Made(Protocol):
    """What an editor makes."""

    @property
    def title(self) -> str: ...

    @property
    def teaches(self) -> str: ...

    @property
    def options(self) -> Mapping[str, Any]: ...


M = TypeVar("M", bound=Made)


@dataclass(frozen=True, slots=True)
class Texts(Generic[M]):
    """What the editor of a game makes, and its texts: `write` for a file, which `read` undoes,
    `setup` for a match. `folder`: where a profile keeps them; the editor begins with `standard`,
    or with what a state has come to, `of`."""

    game_id: str
    folder: str
    read: Callable[[str], M]
    write: Callable[[M], str]
    setup: Callable[[M], str]
    standard: Callable[[], M]
    of: Callable[[Any], M]

    def start(self, made: M) -> Start:
        """What was made as a match takes it."""
        title = made.title or "From the editor"
        return Start(title, self.setup(made), dict(made.options), self.game_id)

    def paste(self, text: str) -> M:
        """What a text of the clipboard says. Raises `BadSetup` that names what is wrong."""
        if not text.strip():
            raise BadSetup("Copy a start position first; then it can be pasted here.")
        return self.read(text)


WEC: Final = Texts(
    "wec",
    "",
    wec.read_scenario,
    wec.write_scenario,
    lambda made: wec.write_setup(made.position),
    lambda: WecScenario(position=standard(complete({}))),
    scenario_of,
)
TRID: Final = Texts(
    "trid",
    "trid",
    trid.read_scenario,
    trid.write_scenario,
    lambda made: made.setup,
    lambda: Scenario("", "", {}, TRID_START),
    trid.scenario_of,
)
TEXTS: Final[Mapping[str, Texts[Any]]] = MappingProxyType({"wec": WEC, "trid": TRID})


class Library(Generic[M]):
    """The scenarios of a game in a profile folder, and those that come along."""

    def __init__(self, folder: Path, texts: Texts[M]) -> None:
        self.folder = folder / FOLDER / texts.folder
        self.texts = texts

    def listed(self) -> list[Listed]:
        """The player's own by title, then those that come along; a damaged one says so."""
        own = sorted(self.folder.glob(f"*{assets.SUFFIX}"))
        rows = sorted((self._row(path.stem, path) for path in own), key=lambda row: row.title)
        return rows + [self._row(name, None) for name in assets.names(self.texts.game_id)]

    def _row(self, name: str, path: Path | None) -> Listed:
        try:
            found = read_scenario(self.texts.game_id, self._text(name, path))
        except EngineError as error:
            return Listed(name, name, "", path, str(error))
        return Listed(name, found.title or name, found.teaches, path)

    def start(self, listed: Listed) -> Start:
        """The scenario as a match takes it. Raises `EngineError`."""
        found: Scenario = read_scenario(self.texts.game_id, self._text(listed.name, listed.path))
        title = found.title or listed.name
        return Start(title, found.setup, dict(found.options), self.texts.game_id)

    def draft(self, listed: Listed) -> M:
        """The scenario as the editor takes it. Raises `EngineError`."""
        return self.texts.read(self._text(listed.name, listed.path))

    def keep(self, made: M) -> Path:
        """Writes an own scenario under its title, over an earlier one of that title. Raises
        `OSError`."""
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.path_of(made.title)
        replace_file(path, self.texts.write(made).encode())
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
            return assets.text(self.texts.game_id, name)
        try:
            with path.open("rb") as file:
                return file.read(TEXT_LIMIT * 4 + 1).decode()
        except (OSError, UnicodeDecodeError) as error:
            raise Malformed(f"{path.name} cannot be read") from error
