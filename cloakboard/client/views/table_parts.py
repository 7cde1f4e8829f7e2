"""Parts of the table: players, history, buttons of the bar, the card under the pointer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from cloakboard.client import textures, theme
from cloakboard.client.session import LinkState, Quality
from cloakboard.client.texts import BETWEEN, shown
from cloakboard.client.widgets import (
    Button,
    ScrollArea,
    Text,
    Widget,
    line_height,
    shortened,
    text_width,
    wrapped,
)
from cloakboard.client.words import SIDES

if TYPE_CHECKING:
    from cloakboard.client.canvas import Box
    from cloakboard.client.play import Line
    from cloakboard.client.tokens import Token
    from cloakboard.client.widgets import Stage

KEPT_LINES: Final = 160  # of the history on screen; the rest is in the save


def link_text(link: LinkState) -> str:
    """The connection in a few words."""
    match link.quality:
        case Quality.HOME:
            return "at this table"
        case Quality.GOOD:
            return f"connected, {link.delay_ms} ms" if link.delay_ms is not None else "connected"
        case Quality.SLOW:
            return f"slow, {link.delay_ms} ms" if link.delay_ms is not None else "slow"
        case Quality.LOST:
            left = link.seconds_left
            return "lost, reconnecting" if left is None else f"lost, reconnecting: {left} s"
        case Quality.GONE:
            return "not here"


LINK_PAINTS: Final = {
    Quality.HOME: theme.TEAL,
    Quality.GOOD: theme.TEAL,
    Quality.SLOW: theme.AMBER,
    Quality.LOST: theme.CORAL,
    Quality.GONE: theme.TEXT_FAINT,
}


def fitted(name: str, scale: theme.Scale, room: float) -> str:
    """A player and a side in brackets, of which the player's name alone is shortened."""
    text = shown(name)
    player, bracket, side = text.rpartition(" (")
    if not bracket or text_width(text, theme.STRONG, scale) <= room:
        return text
    side = bracket + side
    return (
        shortened(player, theme.STRONG, scale, room - text_width(side, theme.STRONG, scale)) + side
    )


class PlayerCard(Widget):
    """A player: side as the side's king, name, presence, and an amber edge while it is to play."""

    def __init__(self, stage: Stage, king: Token) -> None:
        super().__init__(stage)
        self.king = king
        self._body = self.shape(z=-1)
        self._bar = self.shape()
        self._dot = self.shape()
        self._token = self.icon()
        self._name = self.text(theme.STRONG)
        self._about = self.text(theme.SMALL)
        self._note = self.text(theme.SMALL)
        self._said = ("", "", theme.TEAL, False, "")

    def say(
        self, name: str, presence: str, paint: theme.Colour, is_to_play: bool, note: str
    ) -> None:
        """What the card tells; `note` stands at its right end."""
        said = (name, presence, paint, is_to_play, note)
        if said != self._said:
            self._said = said
            self.refresh()

    def paint(self) -> None:
        """Body, token, texts."""
        name, presence, paint, is_to_play, note = self._said
        x, y, width, height = self.box
        amber = theme.AMBER
        self._body.set(
            x=x,
            y=y,
            width=width,
            height=height,
            radius=self.px(theme.RADIUS),
            border=max(1, self.px(1.5 if is_to_play else 1)),
            fill=theme.PANEL_RAISED if is_to_play else theme.PANEL,
            edge=amber.faded(0.9) if is_to_play else theme.PANEL_EDGE.faded(0.7),
        )
        size = round(height * 0.62)
        token = textures.token(self.king, size)
        self._token.texture = token
        self._token.size = (size, size)
        textures.place(self._token, x + self.px(12) + size / 2, y + height / 2)
        left = x + self.px(22) + size
        room = x + width - self.px(12) - left
        taken = text_width(note, theme.SMALL, self.scale) if note else 0
        if note:
            style = theme.SMALL.tinted(amber if is_to_play else theme.TEXT_SOFT)
            self._note.set(
                note, self.scale, x + width - self.px(14) - taken, y + height / 2, style=style
            )
        else:
            self._note.delete()
        room -= taken + self.px(8)
        self._name.set(
            fitted(name, self.scale, room), self.scale, left, y + height * 0.66, width=room
        )
        dot = self.px(8)
        self._dot.set(
            x=left,
            y=y + height * 0.3 - dot / 2,
            width=dot,
            height=dot,
            radius=dot / 2,
            fill=paint,
        )
        self._about.set(
            presence, self.scale, left + dot + self.px(6), y + height * 0.3, width=room - dot
        )


class History(ScrollArea):
    """What happened, a heading for each Turn; it keeps to its end unless scrolled up."""

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage, has_well=True)
        self._lines: list[Text] = []
        self._said: tuple[Line, ...] = ()

    def say(self, lines: Sequence[Line]) -> None:
        """Shows these lines."""
        said = tuple(lines[-KEPT_LINES:])
        if said != self._said:
            was_at_end = self.offset >= self.limit - self.px(4)
            self._said = said
            self._lay_out()
            if was_at_end:
                self.scroll_to_end()

    def place(self, box: Box) -> None:
        """Moves it and lays the lines out for the new width."""
        super().place(box)
        self._lay_out()
        self.scroll_to_end()

    def _lay_out(self) -> None:
        box = self.content_box
        pad = self.px(10)
        width = box.width - 2 * pad
        y = box.top - self.px(8)
        used = 0
        turn = None
        for line in self._said:
            if line.turn != turn:
                turn = line.turn
                y -= self.px(4)
                heading = theme.TINY.tinted(theme.AMBER.faded(0.9))
                self._text(used).set(
                    f"Turn {turn} · {SIDES[line.side]}",
                    self.scale,
                    box.x + pad,
                    y,
                    style=heading,
                    width=width,
                    wrap=True,
                )
                used += 1
                y -= line_height(heading, self.scale)
            style = theme.SMALL.tinted(theme.TEXT)
            self._text(used).set(
                line.text, self.scale, box.x + pad, y, style=style, width=width, wrap=True
            )
            used += 1
            y -= line_height(style, self.scale) * len(
                wrapped(line.text, style, self.scale, width)
            ) + self.px(2)
        for text in self._lines[used:]:
            text.delete()
        self.set_content_height(box.top - y + self.px(8))

    def _text(self, index: int) -> Text:
        while len(self._lines) <= index:
            self._lines.append(Text(self.content, theme.SMALL))
        return self._lines[index]


class ActionButton(Button):
    """An action of the bar: picture above name, its key in the corner."""

    def paint(self) -> None:
        """Body, picture, name, key."""
        label, self.label = self.label, ""
        icon, self.icon_name = self.icon_name, None
        keys, self.key_name = self.key_name, ""
        super().paint()
        self.label, self.icon_name, self.key_name = label, icon, keys
        x, y, width, height = self.box
        ink = self._colours().text
        size = round(height * 0.44)
        assert icon is not None
        self.set_icon(self._sprite, icon, size, x + width / 2, y + height * 0.66, ink)
        self._sprite.visible = self.is_visible
        style = theme.TextStyle(13, ink, bold=True)
        self._text.set(
            label,
            self.scale,
            x + self.px(4),
            y + height * 0.23,
            width=width - self.px(8),
            align="center",
            style=style,
        )
        self._key_text.set(
            keys,
            self.scale,
            x,
            y + height - self.px(12),
            width=width - self.px(9),
            align="right",
            style=theme.TINY.tinted(ink.faded(0.7)),
        )


class InfoCard(Widget):
    """What is under the pointer or the cursor: a token, a name, lines, the surplus in the last."""

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self._body = self.shape(z=-1)
        self._token = self.icon()
        self._title = self.text(theme.STRONG)
        self._lines = self.text(theme.SMALL.tinted(theme.TEXT))
        self.said: tuple[str, tuple[str, ...], Token | None] = ("", (), None)

    def say(self, title: str, lines: tuple[str, ...], token: Token | None = None) -> None:
        """Shows a title, lines below it and a token before them."""
        if (title, lines, token) != self.said:
            self.said = (title, lines, token)
            self.refresh()

    def paint(self) -> None:
        """Body, token, title and lines."""
        title, lines, token = self.said
        x, y, width, height = self.box
        self._body.set(
            x=x,
            y=y,
            width=width,
            height=height,
            radius=self.px(theme.RADIUS),
            border=max(1, self.px(1)),
            fill=theme.PANEL.faded(0.8),
            edge=theme.PANEL_EDGE.faded(0.6),
        )
        pad = self.px(10)
        left = x + pad
        self._token.visible = token is not None and self.is_visible
        if token is not None:
            size = round(min(self.px(52), height - 2 * pad))
            self._token.texture = textures.token(token, size)
            self._token.size = (size, size)
            textures.place(self._token, left + size / 2, y + height - pad - size / 2)
            left += size + pad
        room = x + width - pad - left
        self._title.set(title, self.scale, left, y + height - pad - self.px(9), width=room)
        step = line_height(theme.SMALL, self.scale)
        fit = max(0, int((height - 2 * pad - self.px(20)) // step))
        if len(lines) > fit > 0:
            lines = (*lines[: fit - 1], BETWEEN.join(lines[fit - 1 :]))
        if lines:
            shown = tuple(shortened(line, theme.SMALL, self.scale, room) for line in lines[:fit])
            self._lines.set(
                "\n".join(shown),
                self.scale,
                left,
                y + height - pad - self.px(21),
                width=room,
                wrap=True,
            )
        else:
            self._lines.delete()
