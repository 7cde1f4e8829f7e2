"""The rules of a match to come: start position, options, and the player's own preferences."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cloakboard.client import theme
from cloakboard.client.canvas import Box
from cloakboard.client.library import STANDARD, Start
from cloakboard.client.views.options import OptionList
from cloakboard.client.widgets import Button, Label
from cloakboard.engine.errors import BadOption

if TYPE_CHECKING:
    from cloakboard.client.widgets import Stage
    from cloakboard.engine.game import Game


@dataclass(frozen=True, slots=True)
class RuleSources:
    """Where rules come from and go to. `mine` are the player's own, `keep` keeps them; a match
    begins with `first`; `pick`, where there are start positions, lets one be chosen and tells
    it; `start` is the first of them."""

    mine: Callable[[], Mapping[str, Any]]
    keep: Callable[[dict[str, Any]], None]
    first: Mapping[str, Any] = field(default_factory=dict)
    pick: Callable[[Callable[[Start], None]], None] | None = None
    start: Start = STANDARD


class RulesPicker:
    """The list of options under a row of buttons. `tell` says what was kept."""

    def __init__(
        self, stage: Stage, game: Game, sources: RuleSources | None, tell: Callable[[str], None]
    ) -> None:
        self._schema = game.options
        self._sources = sources
        self._tell = tell
        self.start = sources.start if sources is not None else STANDARD
        self.label = Label(stage, "Enter or a double click changes a rule", theme.SMALL)
        self.position = Button(
            stage, "", self._pick, icon="ui.editor", align="left", style=theme.SMALL
        )
        self.position.hint = "The start position; a scenario brings its own rules"
        self.standard = Button(stage, "Standard rules", self._take_standard, style=theme.SMALL)
        self.mine = Button(stage, "My rules", self._take_mine, style=theme.SMALL)
        self.keep = Button(stage, "Save as mine", self._keep, icon="ui.save", style=theme.SMALL)
        has_sources = sources is not None
        for button in (self.standard, self.mine, self.keep):
            button.show(has_sources)
        self.position.show(has_sources and sources is not None and sources.pick is not None)
        self.list = OptionList(stage, self._schema, self._playable(self._first()))
        self._say_start()

    @property
    def changes(self) -> dict[str, Any]:
        """The options that are not the standard ones."""
        return self.list.changes

    def place(self, box: Box, px: Callable[[float], int]) -> None:
        """Buttons above, the list below."""
        gap = px(8)
        if self._sources is not None:
            row, box = box.cut_top(px(36), gap)
            for button in (self.keep, self.mine, self.standard):
                at, row = row.cut_right(button.natural_width(), gap)
                button.place(at)
            self.position.place(row)
        label, box = box.cut_top(px(20), px(4))
        self.label.place(label)
        self.list.place(box)

    def take_start(self, start: Start) -> None:
        """A start position was chosen, with its rules."""
        self.start = start
        self._take(start.options if start.setup else self._first())
        self._say_start()

    def _first(self) -> Mapping[str, Any]:
        if self.start.setup:
            return self.start.options
        return self._sources.first if self._sources is not None else {}

    def _say_start(self) -> None:
        self.position.say(f"Start position: {self.start.title}")

    def _pick(self) -> None:
        if self._sources is not None and self._sources.pick is not None:
            self._sources.pick(self.take_start)

    def _take_standard(self) -> None:
        self._take({})

    def _take_mine(self) -> None:
        assert self._sources is not None
        mine = self._sources.mine()
        if not mine:
            self._tell("You have not saved any rules as yours yet.")
        self._take(mine)

    def _keep(self) -> None:
        assert self._sources is not None
        self._sources.keep(self.changes)
        self._tell("These rules are kept as yours.")

    def _take(self, changes: Mapping[str, Any]) -> None:
        self.list.take(self._playable(changes))

    def _playable(self, changes: Mapping[str, Any]) -> dict[str, Any]:
        """Those of kept changes that the game still has."""
        found: dict[str, Any] = {}
        for name, value in changes.items():
            try:
                found[name] = self._schema.option(name).check(value)
            except BadOption:
                continue
        return found
