"""The options of a match on a page of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from cloakboard.client import theme
from cloakboard.client.canvas import Box
from cloakboard.client.views.options import OptionList
from cloakboard.client.views.page import Page
from cloakboard.client.widgets import Button, Label, Look

if TYPE_CHECKING:
    from cloakboard.client.window import CloakWindow
    from cloakboard.engine.game import Game


class RulesPage(Page):
    """The list of options; `on_take` gets the changes from the standard."""

    def __init__(
        self,
        window: CloakWindow,
        game: Game,
        values: Mapping[str, Any],
        on_take: Callable[[dict[str, Any]], None],
    ) -> None:
        super().__init__(window, "Rules")
        self._on_take = on_take
        self.label = Label(self.stage, "Enter or a double click changes one", theme.SMALL)
        self.options = OptionList(self.stage, game.options, values)
        self.take = Button(self.stage, "Take these", self._take, icon="ui.play", look=Look.PRIMARY)
        self.stage.set_focus(self.options)

    def fill(self, box: Box) -> None:
        """The list, and the button below it."""
        px = self.px
        foot, rest = box.cut_bottom(px(46), px(14))
        label, rest = rest.cut_top(px(22), px(6))
        self.label.place(label)
        self.options.place(rest)
        width = px(160)
        self.take.place(Box(foot.right - width, foot.y, width, foot.height))

    def _take(self) -> None:
        changes = self.options.changes
        self.go_back()
        self._on_take(changes)
