"""Parts of the room's screen: options that are proposed, and the seats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from pyglet.window import key

from cloakboard.client import theme
from cloakboard.client.canvas import Box
from cloakboard.client.room_words import caution_text, news_text, ready_note, seat_text
from cloakboard.client.texts import Raw, shown
from cloakboard.client.theme import Colour
from cloakboard.client.views.options import OptionList
from cloakboard.client.widgets import Row, ScrollArea, Text, line_height, wrapped
from cloakboard.client.words import value_text

if TYPE_CHECKING:
    from cloakboard.client.widgets import Stage
    from cloakboard.engine.options import Schema
    from cloakboard.netplay.room.cautions import Caution
    from cloakboard.netplay.room.room_state import Room

BY_TEN: Final = 10


class ProposalList(OptionList):
    """The options as agreed, and as this player would have them. Left and Right change the
    selected one, with Shift by ten."""

    def __init__(self, stage: Stage, schema: Schema, agreed: Mapping[str, Any]) -> None:
        self._agreed: dict[str, Any] = dict(agreed)
        super().__init__(stage, schema, agreed)

    @property
    def proposal(self) -> dict[str, Any]:
        """What this player would change."""
        return {name: v for name, v in self.values.items() if v != self._agreed[name]}

    def agree(self, agreed: Mapping[str, Any]) -> None:
        """Other values are agreed on; what this player would change is kept."""
        if dict(agreed) != self._agreed:
            mine = self.proposal
            self._agreed = dict(agreed)
            self.values = {**agreed, **mine}
            self._tell()

    def forget(self) -> None:
        """As agreed."""
        self.values = dict(self._agreed)
        self._tell()

    def on_key(self, symbol: int, modifiers: int) -> bool:
        """See the class."""
        is_far = bool(modifiers & key.MOD_SHIFT)
        if symbol in (key.LEFT, key.RIGHT) and self.selected is not None and is_far:
            self._advance(self.selected, BY_TEN if symbol == key.RIGHT else -BY_TEN)
            return True
        return super().on_key(symbol, modifiers)

    def _tell(self) -> None:
        super()._tell()
        rows = list(self.rows)
        for index, option in enumerate(self.schema.options):
            agreed, wanted = self._agreed[option.name], self.values[option.name]
            if wanted != agreed:
                note = f"{value_text(agreed)} → {value_text(wanted)}"
                rows[index] = Row(option.text, note=note, accent=theme.CORAL)
        self.rows = rows
        self.refresh()


class RoomTalk(ScrollArea):
    """What happened in the room and what was said, the last line in view."""

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage, has_well=True)
        self._texts: list[Text] = []
        self._lines: list[tuple[str, Colour]] = []

    def tell(self, room: Room, cautions: Sequence[Caution] = ()) -> None:
        """Shows the room's news, and among them what the own records say against others."""
        lines = [
            (
                news.place,
                news_text(room, news),
                theme.WARM if news.kind == "chat" else theme.TEXT_FAINT,
            )
            for news in room.news
        ]
        lines += [(caution.place, caution_text(caution), theme.AMBER) for caution in cautions]
        lines.sort(key=lambda line: line[0])
        self._lines = [(text, colour) for _, text, colour in lines]
        self._lay_out()

    def place(self, box: Box) -> None:
        """Moves it and lays the lines out for the new width."""
        super().place(box)
        self._lay_out()

    def _lay_out(self) -> None:
        box, pad = self.content_box, self.px(10)
        width, top = box.width - 2 * pad, box.top - self.px(8)
        while len(self._texts) < len(self._lines):
            self._texts.append(Text(self.content, theme.SMALL))
        for text, (line, colour) in zip(self._texts, self._lines, strict=False):
            style = theme.SMALL.tinted(colour)
            text.set(line, self.scale, box.x + pad, top, style=style, width=width, wrap=True)
            rows = len(wrapped(line, style, self.scale, width))
            top -= rows * line_height(style, self.scale) + self.px(3)
        for text in self._texts[len(self._lines) :]:
            text.delete()
        self.set_content_height(box.top - top + self.px(8))
        self.scroll_to_end()


def seat_rows(room: Room, own: bytes) -> list[Row]:
    """A row a seat, and one for each member without a wish."""
    rows = []
    for seat in range(room.game.seats):
        wishing = [member for member in room.members if member.wish == seat]
        note = ready_note(wishing[0]) if len(wishing) == 1 else "a coin decides" if wishing else ""
        is_ready = len(wishing) == 1 and wishing[0].is_ready
        mine = any(member.key == own for member in wishing)
        rows.append(
            Row(
                seat_text(room, seat),
                icon="ui.person" if wishing else None,
                note=note,
                accent=theme.TEAL if is_ready else theme.AMBER if mine else None,
            )
        )
    for member in room.members:
        if member.wish not in range(room.game.seats):
            text = Raw(f"{shown('Any seat')}: {member.name}")
            rows.append(Row(text, icon="ui.dice", note=ready_note(member)))
    return rows
