"""Choosing a match that the members of a room have begun and not finished."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from cloakboard.client.canvas import Box
from cloakboard.client.views.page import Page
from cloakboard.client.widgets import Button, List, Look, Row

if TYPE_CHECKING:
    from cloakboard.client.lobby import Earlier
    from cloakboard.client.window import CloakWindow


class EarlierScreen(Page):
    """The list; `on_choose` gets one of it, or None for a new match after all."""

    height = 480

    def __init__(
        self,
        window: CloakWindow,
        matches: Sequence[Earlier],
        on_choose: Callable[[Earlier | None], None],
    ) -> None:
        super().__init__(window, "An earlier match of yours")
        self._matches = matches
        self._on_choose = on_choose
        self.list = List(
            self.stage,
            [Row(match.title, match.detail, icon="ui.friends") for match in matches],
            row_height=58,
            on_activate=lambda _: self._choose(),
            empty_text="You have no unfinished match of this game with the players in the room.",
        )
        self.fresh = Button(self.stage, "A new match", self._choose_none, icon="ui.play")
        self.ask = Button(
            self.stage, "Ask to go on with it", self._choose, icon="ui.load", look=Look.PRIMARY
        )
        self.ask.enable(bool(matches))
        if matches:
            self.list.select(0)
        self.stage.set_focus(self.list if matches else self.back)

    def fill(self, box: Box) -> None:
        """The list, and the buttons below it."""
        px, gap = self.px, self.px(10)
        foot, rest = box.cut_bottom(px(44), px(14))
        for button in (self.ask, self.fresh):
            place, foot = foot.cut_right(button.natural_width(), gap)
            button.place(place)
        self.list.place(rest)

    def _choose(self) -> None:
        if self.list.selected is not None:
            chosen = self._matches[self.list.selected]
            self.go_back()
            self._on_choose(chosen)

    def _choose_none(self) -> None:
        self.go_back()
        self._on_choose(None)
