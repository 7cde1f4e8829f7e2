"""The right side of a table of tri-dimensional chess: players, captured men, what is pointed at,
the moves."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import arcade

from cloakboard.client import textures, theme
from cloakboard.client.boards.trid_look import Hit, token, told
from cloakboard.client.canvas import Box
from cloakboard.client.session import Quality
from cloakboard.client.texts import BETWEEN
from cloakboard.client.views.table_parts import LINK_PAINTS, InfoCard, PlayerCard, link_text
from cloakboard.client.views.table_talk import audience_of, note_of
from cloakboard.client.watch_session import WatchSession
from cloakboard.client.widgets import ScrollArea, Text, Widget, line_height, text_width
from cloakboard.engine.trid.board import BLACK, WHITE
from cloakboard.engine.trid.pieces import man

if TYPE_CHECKING:
    from cloakboard.client.boards.trid_play import Ply, TridPlay
    from cloakboard.client.theme import TextStyle
    from cloakboard.client.widgets import Stage

CARD: Final = 52  # heights in design pixels
TAKEN: Final = 26
INFO: Final = 78
GAP: Final = 8
KINGS: Final = ("K", "k")
OVERLAP: Final = 0.62  # how much of a captured man shows when they stand close


class TridPanel:
    """The widgets of the panel. `on_look` gets how many moves to look back to."""

    def __init__(self, stage: Stage, play: TridPlay, on_look: Callable[[int], None]) -> None:
        self._play = play
        self._stage = stage
        self.cards = {seat: PlayerCard(stage, token(KINGS[seat])) for seat in (WHITE, BLACK)}
        self.captured = {seat: Captured(stage) for seat in (WHITE, BLACK)}
        self.info = InfoCard(stage)
        self.moves = MoveList(stage, on_look)

    def arrange(self, panel: Box, near: int) -> None:
        """Places everything: the far player above, the near one below, each with what that
        player has captured."""
        px = self._stage.scale.px
        gap = px(GAP)
        box, rest = panel.cut_top(px(CARD), px(4))
        self.cards[1 - near].place(box)
        box, rest = rest.cut_top(px(TAKEN), gap)
        self.captured[1 - near].place(box)
        box, rest = rest.cut_bottom(px(CARD), px(4))
        self.cards[near].place(box)
        box, rest = rest.cut_bottom(px(TAKEN), gap)
        self.captured[near].place(box)
        box, rest = rest.cut_top(px(INFO), gap)
        self.info.place(box)
        self.moves.place(rest)

    def sync(self, at: Hit) -> None:
        """Shows the table as it is now, and what is pointed at."""
        play = self._play
        for seat, card in self.cards.items():
            self._say_player(seat, card)
            self.captured[seat].say(
                "".join(man(kind, 1 - seat) for kind in play.captured(1 - seat))
            )
        self.info.say(*told(play, at))
        self.moves.say(tuple(play.plies), play.looking)

    def _say_player(self, seat: int, card: PlayerCard) -> None:
        play = self._play
        if isinstance(play.session, WatchSession):
            presence, paint = "playing", theme.TEAL
        elif seat in play.session.seats_here:
            presence, paint = "at this table", theme.TEAL
        else:
            presence, paint = link_text(play.link), LINK_PAINTS[play.link.quality]
            if play.link.quality is Quality.HOME:
                presence = "computer"
        is_to_play = play.result is None and seat in play.session.to_act()
        note = note_of(play.session, seat, is_to_play=is_to_play)
        watching, card.hint = audience_of(play.session, seat)
        presence = BETWEEN.join(filter(None, (presence, watching)))
        card.say(play.name(seat), presence, paint, is_to_play, note)


class Captured(Widget):
    """A row of captured men."""

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self._letters = ""

    def say(self, letters: str) -> None:
        """Shows these men."""
        if letters != self._letters:
            self._letters = letters
            self.refresh()

    def paint(self) -> None:
        """The men from the left, closer together the more they are."""
        for sprite in self._sprites:
            sprite.remove_from_sprite_lists()
        self._sprites.clear()
        x, y, width, height = self.box
        count = len(self._letters)
        if not count:
            return
        step = min(height * OVERLAP, (width - height) / max(1, count - 1))
        for place, letter in enumerate(self._letters):
            sprite = arcade.Sprite(textures.token(token(letter), int(height)))
            textures.place(sprite, x + height / 2 + self.px(4) + place * step, y + height / 2)
            self._sprites.append(sprite)
            self.layer.sprites.append(sprite)


class MoveList(ScrollArea):
    """The moves in notation, a line for each pair; a click on one looks back to after it."""

    def __init__(self, stage: Stage, on_look: Callable[[int], None]) -> None:
        super().__init__(stage, has_well=True)
        self._on_look = on_look
        self._now = self.content.shapes.box(0, 0, 0, 0)
        self._texts: list[Text] = []
        self._said: tuple[tuple[Ply, ...], int | None] = ((), None)

    @property
    def _row(self) -> int:
        return line_height(theme.BODY, self.scale) + self.px(4)

    def say(self, plies: tuple[Ply, ...], looking: int | None) -> None:
        """Shows these moves, the one marked after which the position on the board stands."""
        if (plies, looking) != self._said:
            self._said = (plies, looking)
            self._lay_out()

    def place(self, box: Box) -> None:
        """Moves it and lays the moves out anew."""
        super().place(box)
        self._lay_out()

    def _lay_out(self) -> None:
        plies, looking = self._said
        box, used = self.content_box, 0
        place = len(plies) if looking is None else looking
        self._now.set(width=0, height=0, fill=theme.CLEAR)
        style = theme.BODY
        for index, ply in enumerate(plies):
            cell = self._cell(index)
            if (index % 2 == self._odd and ply.before.side == WHITE) or index == 0:
                number = f"{ply.before.number}." if ply.before.side == WHITE else "…"
                self._put(used, number, box.x + self.px(10), cell, theme.SMALL)
                used += 1
            ink = theme.AMBER if index == place - 1 else theme.TEXT
            self._put(used, ply.text, cell.x + self.px(6), cell, style.tinted(ink))
            used += 1
            if index == place - 1:
                self._now.set(**cell._asdict(), radius=self.px(5), fill=theme.AMBER.faded(0.13))
                shown = cell
        for text in self._texts[used:]:
            text.delete()
        rows = (len(plies) + self._odd + 1) // 2
        self.set_content_height(rows * self._row + self.px(16))
        if place:
            self.reveal(shown)

    @property
    def _odd(self) -> int:
        """1 if Black made the first move of the list."""
        plies = self._said[0]
        return int(bool(plies) and plies[0].before.side == BLACK)

    def _cell(self, index: int) -> Box:
        box = self.content_box
        left = self.px(16) + text_width("000.", theme.SMALL, self.scale)
        width = (box.width - left - self.px(6)) / 2
        row, column = divmod(index + self._odd, 2)
        top = box.top - self.px(8) - row * self._row
        return Box(box.x + left + column * width, top - self._row, width, self._row)

    def _put(self, index: int, text: str, x: float, cell: Box, style: TextStyle) -> None:
        while len(self._texts) <= index:
            self._texts.append(Text(self.content, theme.BODY))
        room = cell.right - x
        self._texts[index].set(text, self.scale, x, cell.centre[1], style=style, width=room)

    def on_release(self, x: float, y: float, button: int) -> None:
        """A click on a move looks back to the position after it."""
        for index in range(len(self._said[0])):
            if self._cell(index).contains(x, y - self.content.offset[1]):
                self._on_look(index + 1)
