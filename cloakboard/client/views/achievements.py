"""What there is to earn: a grid of cards with pictures, progress and dates."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from pyglet.window import key

from cloakboard.achievements.definitions import words
from cloakboard.client import theme
from cloakboard.client.canvas import Box, Layer
from cloakboard.client.dates import day_of
from cloakboard.client.views.page import Page
from cloakboard.client.widgets import Button, Label, ScrollArea, Stage, Widget

if TYPE_CHECKING:
    from cloakboard.client.window import CloakWindow
    from cloakboard.keeping.keeper import Standing

EVERYTHING: Final = "all"
FILTERS: Final = MappingProxyType(
    {
        EVERYTHING: "All",
        "": "With friends",
        "wec": "Weaponized Chess",
        "trid": "Tri-dimensional chess",
    }
)
CARD_WIDTH: Final = 330
CARD_HEIGHT: Final = 92
GAP: Final = 12
HIDDEN: Final = ("Hidden", "It shows itself when you earn it.")


def said(standing: Standing) -> tuple[str, str]:
    """Title and text of a card; a hidden one keeps both to itself until it is earned."""
    if standing.one.hidden and not standing.earned:
        return HIDDEN
    word = words()[standing.one.text]
    return word.title, word.text


def dated(earned: int) -> str:
    """The day on which something was earned."""
    return day_of(earned)


def placed(box: Box, count: int, width: float, height: float, gap: float) -> list[Box]:
    """Boxes for cards, row by row from the top of `box`, as many in a row as fit."""
    columns = max(1, int((box.width + gap) // (width + gap)))
    wide = (box.width - gap * (columns - 1)) / columns
    return [
        Box(
            box.x + at % columns * (wide + gap),
            box.top - height - at // columns * (height + gap),
            wide,
            height,
        )
        for at in range(count)
    ]


class Card(Widget):
    """One achievement."""

    def __init__(self, stage: Stage, standing: Standing, layer: Layer) -> None:
        super().__init__(stage, layer)
        self.standing = standing
        self._body = self.shape()
        self._plate = self.shape(z=1)
        self._track = self.shape(z=1)
        self._bar = self.shape(z=2)
        self._sprite = self.icon()
        self._title = self.text(theme.STRONG)
        self._text = self.text(theme.TINY)
        self._note = self.text(theme.TINY)

    def is_hit(self, x: float, y: float) -> bool:
        """A card takes no mouse, so that the wheel goes to the area around it."""
        return False

    def paint(self) -> None:
        """Plate and picture at the left; title, text, progress or date at the right."""
        x, y, width, height = self.box
        standing, px = self.standing, self.px
        is_earned = bool(standing.earned)
        edge = theme.AMBER.faded(0.6) if is_earned else theme.PANEL_EDGE.faded(0.7)
        self._body.set(
            x=x, y=y, width=width, height=height, radius=px(theme.RADIUS), border=max(1, px(1)),
            fill=theme.PANEL_RAISED if is_earned else theme.PANEL.faded(0.75), edge=edge,
        )  # fmt: skip
        plate = px(52)
        left, middle = x + px(14), y + height / 2
        self._plate.set(
            x=left, y=middle - plate / 2, width=plate, height=plate, radius=plate / 2,
            border=max(1, px(1.5)), edge=theme.AMBER if is_earned else theme.PANEL_EDGE,
            fill=theme.AMBER.faded(0.16) if is_earned else theme.WELL.faded(0.7),
        )  # fmt: skip
        is_secret = standing.one.hidden and not is_earned
        self.set_icon(
            self._sprite,
            "ui.hidden" if is_secret else standing.one.icon,
            px(30),
            left + plate / 2,
            middle,
            theme.AMBER if is_earned else theme.TEXT_FAINT,
        )
        title, text = said(standing)
        at = left + plate + px(14)
        room = x + width - px(14) - at
        ink = theme.WARM if is_earned else theme.TEXT_SOFT
        top = y + height - px(20)
        self._title.set(title, self.scale, at, top, style=theme.STRONG.tinted(ink), width=room)
        style = theme.TINY.tinted(theme.TEXT_SOFT if is_earned else theme.TEXT_FAINT)
        self._text.set(text, self.scale, at, top - px(11), style=style, width=room, wrap=True)
        self._paint_progress(at, y + px(13), room, is_secret)

    def _paint_progress(self, x: float, y: float, room: float, is_secret: bool) -> None:
        standing, px = self.standing, self.px
        goal = standing.one.goal
        has_bar = not standing.earned and goal > 1 and not is_secret
        self._track.set(fill=theme.CLEAR)
        self._bar.set(fill=theme.CLEAR)
        if standing.earned:
            ink = theme.TINY.tinted(theme.AMBER)
            self._note.set(dated(standing.earned), self.scale, x, y, style=ink, width=room)
        elif has_bar:
            wide, thick = room - px(58), px(6)
            share = standing.count / goal
            place = {"x": x, "y": y - thick / 2, "height": thick, "radius": thick / 2}
            self._track.set(**place, width=wide, fill=theme.WELL)
            filled = theme.TEAL if standing.count else theme.CLEAR
            self._bar.set(**place, width=max(thick, wide * share), fill=filled)
            text = f"{standing.count} / {goal}"
            self._note.set(text, self.scale, x + wide, y, width=room - wide, align="right")
        else:
            self._note.delete()


class AchievementsScreen(Page):
    """The grid, filtered by game. `standings` gives it anew each time it is shown."""

    width = 1120
    height = 680

    def __init__(
        self,
        window: CloakWindow,
        standings: Callable[[], list[Standing]],
        on_leaderboard: Callable[[], None],
        on_copies: Callable[[], None],
    ) -> None:
        super().__init__(window, "Achievements")
        self._standings = standings
        self.chosen = EVERYTHING
        self.filters = {
            game: Button(self.stage, text, lambda game=game: self.choose(game))  # type: ignore[misc]  # bound now
            for game, text in FILTERS.items()
        }
        self.count = Label(self.stage, "", theme.SOFT, align="right")
        self.scroll = ScrollArea(self.stage)
        self.cards: list[Card] = []
        self.leaderboard = Button(
            self.stage, "Leaderboards", on_leaderboard, icon="ui.crown", key_name="L"
        )
        self.copies = Button(self.stage, "Export and import", on_copies, icon="ui.files")
        self.stage.set_focus(self.filters[EVERYTHING])

    def on_shown(self) -> None:
        """Reads how far the player has come."""
        self.choose(self.chosen)

    def choose(self, game: str) -> None:
        """Shows the cards of a game, or all."""
        self.chosen = game
        for name, button in self.filters.items():
            button.switch(name == game)
        every = self._standings()
        shown = [s for s in every if game in (EVERYTHING, s.one.game)]
        shown.sort(key=lambda s: -s.earned)
        for card in self.cards:
            card.dispose()
        self.cards = [Card(self.stage, s, self.scroll.content) for s in shown]
        earned = sum(bool(s.earned) for s in shown)
        self.count.say(f"{earned} of {len(shown)} earned")
        self._place_cards()

    def fill(self, box: Box) -> None:
        """Filters above, cards, ways onward below."""
        px = self.px
        above, rest = box.cut_top(px(38), px(12))
        for button in self.filters.values():
            place, above = above.cut_left(button.natural_width(), px(8))
            button.place(place)
        self.count.place(above)
        foot, rest = rest.cut_bottom(px(42), px(12))
        for button in (self.leaderboard, self.copies):
            place, foot = foot.cut_left(button.natural_width(), px(10))
            button.place(place)
        self.scroll.place(rest)
        self._place_cards()

    def _place_cards(self) -> None:
        if not self.scroll.box.width:
            return
        px = self.px
        inner = self.scroll.content_box
        boxes = placed(inner, len(self.cards), px(CARD_WIDTH), px(CARD_HEIGHT), px(GAP))
        for card, place in zip(self.cards, boxes, strict=True):
            card.place(place)
        self.scroll.set_content_height(inner.top - boxes[-1].y if boxes else 0)
        self.window.invalidate()

    def on_key(self, symbol: int, modifiers: int) -> bool:
        """Page keys scroll; L opens the leaderboards."""
        return self._scrolls(symbol) or super().on_key(symbol, modifiers)

    def _scrolls(self, symbol: int) -> bool:
        page = self.scroll.box.height * 0.85
        steps = {key.PAGEDOWN: page, key.PAGEUP: -page, key.HOME: -1e9, key.END: 1e9}
        if symbol == key.L:
            self.leaderboard.click()
        elif symbol in steps:
            self.scroll.scroll_to(self.scroll.offset + steps[symbol])
        else:
            return False
        return True
