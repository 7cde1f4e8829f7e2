"""What tells the state of a Turn: chips of what is left, and the status line."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from cloakboard.client import theme
from cloakboard.client.canvas import Layer
from cloakboard.client.theme import Colour, TextStyle
from cloakboard.client.widgets.base import Widget
from cloakboard.client.widgets.stage import Stage
from cloakboard.client.widgets.text import text_width

_WHITE: Final = Colour(255, 255, 255)


class Chip(Widget):
    """What is still allowed in a Turn, such as Move 1 or Fire 2; it greys out at zero."""

    def __init__(
        self, stage: Stage, text: str, icon: str, count: int = 0, *, layer: Layer | None = None
    ) -> None:
        super().__init__(stage, layer)
        self.label = text
        self.count = count
        self._icon_name = icon
        self._body = self.shape()
        self._bubble = self.shape(z=1)
        self._sprite = self.icon()
        self._text = self.text(theme.SMALL)
        self._number = self.text(theme.SMALL)

    def set_count(self, count: int) -> None:
        """Change how many are left."""
        if count != self.count:
            self.count = count
            self.refresh()

    def natural_width(self) -> int:
        """Real pixels it needs."""
        bold = TextStyle(theme.SMALL.size, bold=True)
        return self.px(68) + text_width(self.label, bold, self.scale)

    def paint(self) -> None:
        """Picture, text and the number in its bubble."""
        x, y, width, height = self.box
        is_open = self.count > 0
        ink = theme.WARM if is_open else theme.TEXT_FAINT.faded(0.6)
        self._body.set(
            x=x, y=y, width=width, height=height, radius=height / 2, border=max(1, self.px(1)),
            fill=theme.AMBER.faded(0.13) if is_open else theme.WELL.faded(0.35),
            edge=theme.AMBER.faded(0.55) if is_open else theme.PANEL_EDGE.faded(0.5),
        )  # fmt: skip
        size = round(height * 0.58)
        middle = y + height / 2
        self.set_icon(self._sprite, self._icon_name, size, x + height * 0.58, middle, ink)
        bold = TextStyle(theme.SMALL.size, ink, bold=True)
        left = x + height * 0.58 + size * 0.5 + self.px(7)
        bubble = height - self.px(8)
        self._text.set(
            self.label, self.scale, left, middle, style=bold,
            width=max(0, x + width - bubble - self.px(10) - left),
        )  # fmt: skip
        right = x + width - bubble - self.px(4)
        self._bubble.set(
            x=right, y=y + (height - bubble) / 2, width=bubble, height=bubble, radius=bubble / 2,
            fill=theme.AMBER if is_open else theme.PANEL_EDGE.faded(0.35),
        )  # fmt: skip
        self._number.set(
            str(self.count), self.scale, right, middle, width=bubble, align="center",
            style=bold.tinted(theme.TEXT_DARK if is_open else ink),
        )  # fmt: skip


class Tone(StrEnum):
    """What kind of sentence the status line says."""

    CALM = "calm"
    ACT = "act"
    REFUSED = "refused"
    FRIEND = "friend"


_TONES: Final = {
    Tone.CALM: ("ui.info", theme.TEXT_SOFT, theme.TEXT),
    Tone.ACT: ("ui.forward", theme.AMBER, theme.WARM),
    Tone.REFUSED: ("ui.cross", theme.CORAL, theme.CORAL.mixed(_WHITE, 0.45)),
    Tone.FRIEND: ("ui.clock", theme.TEAL, theme.TEAL.mixed(_WHITE, 0.45)),
}


class StatusLine(Widget):
    """One sentence: what is expected now, or why a click was refused."""

    def __init__(self, stage: Stage, *, layer: Layer | None = None) -> None:
        super().__init__(stage, layer)
        self.label = ""
        self.tone = Tone.CALM
        self._body = self.shape()
        self._bar = self.shape(z=1)
        self._sprite = self.icon()
        self._text = self.text(theme.BODY)

    def say(self, text: str, tone: Tone = Tone.CALM) -> None:
        """Show a sentence. What does not fit is shortened and whole in the hint."""
        if (text, tone) != (self.label, self.tone):
            self.label, self.tone = text, tone
            self.refresh()

    def paint(self) -> None:
        """Bar, picture and sentence."""
        x, y, width, height = self.box
        icon, accent, ink = _TONES[self.tone]
        radius = self.px(theme.RADIUS * 0.8)
        self._body.set(
            x=x, y=y, width=width, height=height, radius=radius, border=max(1, self.px(1)),
            fill=theme.WELL.faded(0.75), edge=accent.faded(0.35),
        )  # fmt: skip
        bar = self.px(4)
        self._bar.set(
            x=x + self.px(7), y=y + height * 0.24, width=bar, height=height * 0.52,
            radius=bar / 2, fill=accent,
        )  # fmt: skip
        size = self.px(18)
        left = x + self.px(30)
        self.set_icon(self._sprite, icon, size, left, y + height / 2, accent)
        left += self.px(18)
        room = x + width - self.px(theme.PAD) - left
        style = theme.BODY.tinted(ink)
        self._text.set(self.label, self.scale, left, y + height / 2, width=room, style=style)
        self.hint = self.label if text_width(self.label, style, self.scale) > room else ""
