"""The achievements there are, read from `definitions/*.toml`, and their words."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal

import msgspec

from cloakboard.achievements.folds import FOLDS
from cloakboard.achievements.moments import Mode

FOLDER: Final = Path(__file__).parent
ANY_GAME: Final = ""


class Definition(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One achievement.

    game    the game it belongs to; empty: any
    text    the key of its words
    icon    the name of its picture
    goal    what `fold` must reach
    over    `match`: in a single match; `all`: all matches together; `course`: the fold is told of
            whole matches and nothing else
    modes   where it can be earned
    when    when it may be told, at the earliest: `once`, when the match has an `end`, after its
            `audit`. What concerns pieces that the player cannot see waits for the audit
    hidden  its words are shown only once it is earned
    where   conditions for the fold
    """

    id: str
    text: str
    icon: str
    fold: str
    goal: int = 1
    game: str = ANY_GAME
    over: Literal["match", "all", "course"] = "course"
    modes: tuple[Mode, ...] = (Mode.NET,)
    when: Literal["once", "end", "audit"] = "audit"
    hidden: bool = False
    where: dict[str, Any] = {}

    def counts(self, game: str, mode: Mode) -> bool:
        """Whether a match of that game, played there, counts for it."""
        return mode in self.modes and self.game in (ANY_GAME, game)


class Words(msgspec.Struct, frozen=True):
    """What a player reads: the name, and what to do for it."""

    title: str
    text: str


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    achievement: tuple[Definition, ...]


@cache
def definitions() -> tuple[Definition, ...]:
    """All of them, in the order in which they are shown."""
    found: list[Definition] = []
    for path in sorted((FOLDER / "definitions").glob("*.toml")):
        data = tomllib.loads(path.read_text("utf-8"))
        found.extend(msgspec.convert(data, _File).achievement)
    for one in found:
        assert one.fold in FOLDS, f"{one.id} names the fold {one.fold}, which there is not"
    return tuple(found)


@cache
def words(language: str = "en") -> Mapping[str, Words]:
    """By text key, in a language; English where there is no other."""
    path = FOLDER / "texts" / f"{language}.toml"
    if not path.exists():
        return words("en")
    return msgspec.convert(tomllib.loads(path.read_text("utf-8")), dict[str, Words])
