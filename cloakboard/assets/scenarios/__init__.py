"""Scenarios of our own making: one file each, in a folder for each game. What a file says is for
`engine.registry.scenario` to read."""

from __future__ import annotations

from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent
SUFFIX: Final = ".toml"


def names(game_id: str) -> tuple[str, ...]:
    """The scenarios of a game, in alphabetical order; none if it has none."""
    return tuple(sorted(path.stem for path in (FOLDER / game_id).glob(f"*{SUFFIX}")))


def text(game_id: str, name: str) -> str:
    """The text of one of `names`. Raises `KeyError` for any other."""
    if name not in names(game_id):
        raise KeyError(name)
    return (FOLDER / game_id / f"{name}{SUFFIX}").read_text("utf-8")
