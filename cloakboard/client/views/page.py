"""What the plain screens share: a heading, a way back, a column of content."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyglet.window import key

from cloakboard.client import theme
from cloakboard.client.canvas import Box
from cloakboard.client.widgets import Button, Label, Look, Panel
from cloakboard.client.window import Screen

if TYPE_CHECKING:
    from cloakboard.client.widgets import Stage
    from cloakboard.client.window import CloakWindow
    from cloakboard.engine.game import Game


@dataclass(frozen=True, slots=True)
class Offer:
    """The games there are, and what opens the same page about another of them."""

    games: tuple[Game, ...] = ()
    choose: Callable[[Game], None] = lambda game: None


class GameChoice:
    """The games side by side, the one that a page is about pressed in; nothing if none is
    offered."""

    def __init__(self, stage: Stage, now: Game, offer: Offer) -> None:
        self.buttons = [
            Button(stage, game.title, lambda game=game: offer.choose(game))  # type: ignore[misc]  # bound now
            for game in offer.games
        ]
        for game, button in zip(offer.games, self.buttons, strict=True):
            button.switch(game.id == now.id)

    def place(self, box: Box, height: float, gap: float) -> Box:
        """Places them in a row at the top of a box; what is left of it."""
        if not self.buttons:
            return box
        row, rest = box.cut_top(height, gap)
        for button, room in zip(self.buttons, row.columns(len(self.buttons), gap), strict=True):
            button.place(room)
        return rest

    def place_before(self, right: float, low: float, height: float, gap: float) -> float:
        """Places them in a row that ends at `right`, as wide as their texts; where it begins."""
        for button in reversed(self.buttons):
            width = button.natural_width()
            button.place(Box(right - width, low, width, height))
            right -= width + gap
        return right


class Page(Screen):
    """A card in the middle with a title; Escape goes back. Subclasses fill `content`."""

    width = 760
    height = 600

    def __init__(self, window: CloakWindow, title: str) -> None:
        super().__init__(window)
        self.panel = Panel(self.stage)
        self.heading = Label(self.stage, title, theme.HEADING)
        self.back = Button(self.stage, "Back", self.go_back, icon="ui.back", look=Look.QUIET)
        self.stage.on_cancel = self.go_back

    def go_back(self) -> None:
        """Leaves this screen."""
        self.window.close_screen()

    def arrange(self, box: Box) -> None:
        """Card, heading, way back; the rest is `fill`'s."""
        px = self.px
        card = box.middle(
            min(px(self.width), box.width - px(32)), min(px(self.height), box.height - px(32))
        )
        self.panel.place(card)
        top, rest = card.inset(px(28), px(20)).cut_top(px(48), px(8))
        back, heading = top.cut_right(self.back.natural_width())
        self.heading.place(heading)
        self.back.place(Box(back.x, back.y + px(6), back.width, px(36)))
        self.fill(rest)

    def fill(self, box: Box) -> None:
        """Places the content in the card."""

    def on_key(self, symbol: int, modifiers: int) -> bool:
        """Arrows go through what can be used."""
        if symbol in (key.UP, key.DOWN):
            self.stage.move_focus(1 if symbol == key.DOWN else -1)
            return True
        return False
