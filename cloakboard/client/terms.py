"""The terms of a match to come: which game, from which start position, by which rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from cloakboard.client.library import STANDARD, TEXTS, Library, Listed, Start
from cloakboard.client.views.page import Offer
from cloakboard.client.views.rules_picker import RuleSources
from cloakboard.client.views.scenarios import ScenariosScreen
from cloakboard.engine.errors import EngineError
from cloakboard.engine.game import Game
from cloakboard.engine.registry import game, games

if TYPE_CHECKING:
    from pathlib import Path

    from cloakboard.client.kept import KeptSettings
    from cloakboard.client.window import CloakWindow


class Terms:
    """What the screens that set a match up begin with. `chosen` is the game chosen last; `tell`
    is told why a start position cannot be used."""

    def __init__(
        self, window: CloakWindow, kept: KeptSettings, folder: Path, tell: Callable[[str], None]
    ) -> None:
        self.chosen = next(iter(games().values()))
        self.libraries: dict[str, Library[Any]] = {
            name: Library(folder, texts) for name, texts in TEXTS.items()
        }
        self._window = window
        self._kept = kept
        self._tell = tell

    def about(self, start: Start) -> Game:
        """The game: that of the start position, or the one chosen last."""
        return game(start.game_id) if start.setup else self.chosen

    def offer(self, start: Start, show: Callable[[], None]) -> Offer:
        """The games to choose from, unless a start position has settled it. `show` shows the page
        anew, about another game."""

        def choose(other: Game) -> None:
            self.chosen = other
            self._window.close_screen()
            show()

        return Offer() if start.setup else Offer(tuple(games().values()), choose)

    def rules(self, about: Game, start: Start = STANDARD) -> RuleSources:
        """Where the rules are from."""
        return RuleSources(
            mine=lambda: self._kept.rules(about.id),
            keep=lambda changes: self._kept.keep_rules(about.id, changes),
            first=self._kept.first_rules(about.id),
            pick=self.pick(about.id),
            start=start,
        )

    def pick(self, game_id: str) -> Callable[[Callable[[Start], None]], None] | None:
        """A way to choose one of a game's start positions, None where there are none."""
        library = self.libraries.get(game_id)
        if library is None:
            return None

        def pick(take: Callable[[Start], None]) -> None:
            def choose(listed: Listed | None) -> None:
                try:
                    take(STANDARD if listed is None else library.start(listed))
                except EngineError as error:
                    self._tell(str(error))

            self._window.open_screen(ScenariosScreen(self._window, library, choose))

        return pick
