"""The matches of a profile that can be looked back on, and texts in notation beside them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from cloakboard.client.dates import moment_of
from cloakboard.client.lobby import changed_at, game_title, local_saves
from cloakboard.client.local_session import LocalSession
from cloakboard.client.recording import Recording, of_file, of_table
from cloakboard.client.saved import FINISHED, SUFFIX, Saved
from cloakboard.engine.errors import Malformed
from cloakboard.engine.game import Game
from cloakboard.engine.registry import game_of_text, notation
from cloakboard.netplay.files import replace_file
from cloakboard.netplay.identity import Identity
from cloakboard.netplay.lockstep import journal, saves
from cloakboard.netplay.profile import Profile

FOLDER: Final = "replays"
LIMIT: Final = 4 << 20  # bytes of a text that is read


@dataclass(frozen=True, slots=True)
class Kept:
    """A line of the list: `icon` tells where it comes from; `problem` why it cannot be opened,
    empty if it can."""

    path: Path
    title: str
    detail: str
    icon: str
    problem: str = ""


class Shelf:
    """Finds, opens and writes what a profile keeps of its matches."""

    def __init__(self, profile: Profile, identity: Identity, games: Mapping[str, Game]) -> None:
        self._profile = profile
        self._identity = identity
        self._games = games

    @property
    def folder(self) -> Path:
        """Where texts in notation are written."""
        return self._profile.folder / FOLDER

    def kept(self) -> list[Kept]:
        """All that can be looked back on, the newest first."""
        rows = [_of_friends(save) for save in saves.listing(self._profile.saves)]
        rows += [
            _of_notation(path) for name in self._games for path in self.folder.glob(f"*.{name}")
        ]
        rows += [
            Kept(row.path, row.title, row.detail, "ui.computer", row.problem)
            for row in local_saves(self._profile.saves)
            if self._may_be_told(row.path)
        ]
        rows += [
            Kept(row.path, row.title, f"{row.detail} · finished", "ui.hotseat", row.problem)
            for row in local_saves(self._profile.saves / FINISHED)
        ]
        return sorted(rows, key=lambda row: changed_at(row.path), reverse=True)

    def _may_be_told(self, path: Path) -> bool:
        """Whether a match of this machine can be in the list. One of two people at one table
        where something is hidden is looked back on from there: the list would tell each what the
        other hides."""
        try:
            saved = Saved.read(path)
        except (Malformed, OSError):
            return False
        game = self._games.get(saved.game)
        return bool(saved.computers) or (game is not None and not game.types.has_secrets)

    def open(self, path: Path) -> Recording:
        """What a file tells. Raises `EngineError` or `NetplayError` with a way out."""
        if path.suffix == journal.SUFFIX:
            return of_file(path, self._games, self._identity)
        if path.suffix == SUFFIX:
            session = LocalSession.load(path)
            recording = session.recording(session.seats_here[0])
            assert recording is not None, "a table of this machine can always be looked back on"
            return recording
        try:
            with path.open("rb") as file:
                data = file.read(LIMIT + 1)
            text = data.decode()
        except (OSError, UnicodeDecodeError) as error:
            raise Malformed(f"{path.name} cannot be read as text") from error
        return read_text(text)

    def write(self, name: str, text: str) -> Path:
        """Keeps a text in notation under a name that is not taken. Raises `OSError`."""
        self.folder.mkdir(parents=True, exist_ok=True)
        suffix = f".{game_of_text(text).id}"
        path = self.folder / f"{name}{suffix}"
        number = 1
        while path.exists():
            number += 1
            path = self.folder / f"{name}-{number}{suffix}"
        replace_file(path, text.encode())
        return path


def read_text(text: str) -> Recording:
    """The match of any game that a text in notation tells. Raises `EngineError`, where it can
    with line and column."""
    if len(text) > LIMIT:
        raise Malformed("This text is too long to be a match")
    game = game_of_text(text)
    written = notation(game.id)
    names = zip(written.read(text).names, game.seat_names(), strict=True)
    table = written.replay(text)
    recording = of_table(table, tuple(name or side for name, side in names))
    return replace(recording, seed=None)  # its chances come from the text


def _of_friends(save: saves.Listed) -> Kept:
    state = "finished" if save.ended else "not finished: what you knew of it"
    title = " against ".join(save.players) or save.path.stem
    detail = f"{game_title(save.game)} · {_when(save.path)} · {state}"
    return Kept(save.path, title, detail, "ui.friends", save.problem)


def _of_notation(path: Path) -> Kept:
    about = game_title(path.suffix.removeprefix("."))
    return Kept(path, path.stem, f"{about} · {_when(path)} · notation", "ui.history")


def _when(path: Path) -> str:
    return moment_of(changed_at(path))
