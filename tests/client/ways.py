"""Ways out of an editor or a replay, and what went along."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from cloakboard.client.library import Start
from cloakboard.client.views.editor import EditorActs
from cloakboard.client.views.page import Offer
from cloakboard.client.views.replay import ReplayActs
from cloakboard.engine.game import State
from cloakboard.engine.registry import games


class Way:
    """Out of an editor: how often it was left, what was played and how, the games chosen."""

    def __init__(self) -> None:
        self.left = 0
        self.chosen: list[str] = []
        self.played: list[tuple[str, Start]] = []
        self.acts = EditorActs(
            self._leave,
            self._to("hotseat"),
            self._to("computer"),
            self._to("friend"),
            Offer(tuple(games().values()), lambda other: self.chosen.append(other.id)),
        )

    def _leave(self) -> None:
        self.left += 1

    def _to(self, name: str) -> Callable[[Start], None]:
        return lambda start: self.played.append((name, start))


class Led:
    """Where a replay of a game led, and what it wrote."""

    def __init__(self, game_id: str) -> None:
        self.left = 0
        self.written: list[tuple[str, str]] = []
        self.went_on: list[int] = []
        self.edited: list[State] = []
        self.acts = ReplayActs(self._leave, self._export, self.edited.append, self.went_on.append)
        self._game_id = game_id

    def _leave(self) -> None:
        self.left += 1

    def _export(self, name: str, text: str) -> Path:
        self.written.append((name, text))
        return Path(f"{name}.{self._game_id}")
