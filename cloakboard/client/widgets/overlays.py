"""Dialogs that ask before something happens, and toasts that tell what has."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from cloakboard.client import theme
from cloakboard.client.canvas import Box, Layer
from cloakboard.client.motion import ease_out
from cloakboard.client.theme import Colour
from cloakboard.client.widgets.base import Widget
from cloakboard.client.widgets.controls import Button, Label, Look, Panel
from cloakboard.client.widgets.stage import OVERLAY_Z, Stage
from cloakboard.client.widgets.text import line_height, text_width, wrapped

WIDTH = 460
TOAST_MS = 3600


class Choice(NamedTuple):
    """One answer of a dialog."""

    text: str
    act: Callable[[], None] | None = None
    look: Look = Look.NORMAL


class Dialog:
    """A question over the dimmed screen; Escape gives the last answer, which must be harmless.

    Its text says what will happen, so that nothing is lost by surprise. Enter gives the primary
    answer. Of a dialog that comes `unasked`, perhaps while the player is about to press Enter for
    something else, and of one without a primary answer it gives the last one.
    """

    def __init__(
        self,
        stage: Stage,
        title: str,
        message: str,
        choices: Sequence[Choice],
        *,
        unasked: bool = False,
    ) -> None:
        self.title = title
        self.message = message
        self._stage = stage
        self._choices = tuple(choices)
        self._layer = stage.canvas.layer(OVERLAY_Z)
        self.is_open = True
        self._showed_focus = stage.shows_focus
        stage.push_modal(self.arrange, lambda: self.answer(len(self._choices) - 1))
        self._dim = _Dim(stage, self._layer)
        self._panel = Panel(stage, layer=self._layer)
        self._title = Label(stage, title, theme.SUBHEADING, wrap=True, layer=self._layer)
        self._message = Label(stage, message, theme.BODY, wrap=True, layer=self._layer)
        self._buttons = [
            Button(
                stage,
                choice.text,
                lambda index=index: self.answer(index),  # type: ignore[misc]  # bound now
                look=choice.look,
                layer=self._layer,
            )
            for index, choice in enumerate(self._choices)
        ]
        self.arrange()
        looks = [] if unasked else [choice.look for choice in self._choices]
        stage.shows_focus = True
        stage.set_focus(self._buttons[looks.index(Look.PRIMARY) if Look.PRIMARY in looks else -1])
        stage.host.sounds.play("select")

    def arrange(self) -> None:
        """Place it in the middle of the stage's window, its answers in view in any case."""
        px, window = self._stage.scale.px, self._stage.window_box
        pad, gap = px(theme.PAD), px(10)
        self._dim.place(window)
        widths = [max(button.natural_width(), px(110)) for button in self._buttons]
        buttons_width = sum(widths) + gap * len(widths)
        width = min(max(px(WIDTH), buttons_width + 2 * pad), window.width - 2 * pad)
        inner = width - 2 * pad
        title_height = self._title.natural_height(inner)
        text_height = self._message.natural_height(inner)
        above = px(14) + title_height + px(12)
        height = above + text_height + px(24) + px(theme.CONTROL) + pad
        box = window.middle(width, height)
        box = box._replace(y=max(0, box.y))
        self._panel.place(box)
        self._title.place(Box(box.x + pad, box.top - px(14) - title_height, inner, title_height))
        self._message.place(Box(box.x + pad, box.top - above - text_height, inner, text_height))
        right = box.right - pad
        for button in self._buttons:
            wide = max(button.natural_width(), px(110))
            button.place(Box(right - wide, box.y + pad, wide, px(theme.CONTROL)))
            right -= wide + gap

    def dismiss(self) -> None:
        """Close it unanswered, because there is nothing to ask any more."""
        if self.is_open:
            self.is_open = False
            self._stage.shows_focus = self._showed_focus
            self._stage.pop_modal()
            self._stage.canvas.drop(self._layer)

    def answer(self, index: int) -> None:
        """Close it and do what that choice does."""
        if not self.is_open:
            return
        self.dismiss()
        act = self._choices[index].act
        if act is not None:
            act()


def confirm(
    stage: Stage,
    title: str,
    consequence: str,
    yes: str,
    act: Callable[[], None],
    no: str = "Cancel",
) -> Dialog:
    """Ask before something that cannot be taken back; the harmless answer has the focus."""
    return Dialog(stage, title, consequence, [Choice(yes, act, Look.DANGER), Choice(no)])


class _Dim(Widget):
    """Darkens what lies below a dialog and keeps the mouse from it."""

    def __init__(self, stage: Stage, layer: Layer) -> None:
        super().__init__(stage, layer)
        self._shade = self.shape(z=-9)

    def paint(self) -> None:
        """Cover everything."""
        x, y, width, height = self.box
        self._shade.set(x=x, y=y, width=width, height=height, fill=theme.SHADE)


class Toasts:
    """Short messages at the top of the window, newest lowest; they leave by themselves.

    `area`, if set, is where they are shown instead, so that they cover nothing else."""

    def __init__(self, stage: Stage) -> None:
        self.area: Box | None = None
        self._stage = stage
        self._layer = stage.canvas.layer(OVERLAY_Z + 500)
        self._shown: list[_Toast] = []

    def tell(self, text: str, accent: Colour = theme.TEAL) -> None:
        """Show a message for a few seconds."""
        toast = _Toast(self._stage, self._layer, text, accent)
        self._shown.append(toast)
        self.arrange()
        self._stage.host.animator.add(160, toast.appear, ease=ease_out)

    def update(self, passed_ms: float) -> None:
        """Let time pass; old messages go."""
        for toast in list(self._shown):
            toast.left_ms -= passed_ms
            if toast.left_ms <= 0:
                self._shown.remove(toast)
                toast.dispose()
                self.arrange()

    def arrange(self) -> None:
        """Place the messages; call it again after a resize."""
        px, area = self._stage.scale.px, self.area or self._stage.window_box
        top = area.top - px(14)
        for toast in self._shown:
            width, height = toast.natural_size(area.width - px(48))
            toast.place(Box(area.x + (area.width - width) / 2, top - height, width, height))
            top -= height + px(8)


class _Toast(Widget):
    def __init__(self, stage: Stage, layer: Layer, text: str, accent: Colour) -> None:
        super().__init__(stage, layer)
        self.left_ms = float(TOAST_MS)
        self._said = text
        self._accent = accent
        self._share = 1.0
        self._shade = self.shape()
        self._card = self.shape()
        self._bar = self.shape()
        self._text = self.text(theme.BODY)

    def is_hit(self, x: float, y: float) -> bool:
        """A toast never takes the mouse."""
        return False

    def natural_size(self, room: float) -> tuple[float, float]:
        """Real pixels it needs within a width of `room`."""
        style, scale = theme.BODY, self.scale
        width = min(text_width(self._said, style, scale) + self.px(48), room, self.px(620))
        lines = len(wrapped(self._said, style, scale, width - self.px(48)))
        return width, lines * line_height(style, scale) + self.px(20)

    def appear(self, share: float) -> None:
        """Slide in; 1 is in place."""
        self._share = share
        self.refresh()

    def paint(self) -> None:
        """Card, accent bar and text."""
        x, y, width, height = self.box
        y += round((1 - self._share) * self.px(30))
        share = min(1.0, max(0.0, self._share))
        radius = self.px(theme.RADIUS)
        self._shade.set(
            x=x, y=y - self.px(3), width=width, height=height, radius=radius, blur=self.px(12),
            fill=theme.SHADE.faded(share),
        )  # fmt: skip
        self._card.set(
            x=x, y=y, width=width, height=height, radius=radius, border=max(1, self.px(1)),
            fill=theme.PANEL_RAISED.faded(share), edge=self._accent.faded(0.7 * share),
        )  # fmt: skip
        bar = self.px(4)
        self._bar.set(
            x=x + self.px(10), y=y + self.px(10), width=bar, height=height - self.px(20),
            radius=bar / 2, fill=self._accent.faded(share),
        )  # fmt: skip
        self._text.set(
            self._said, self.scale, x + self.px(26), y + height - self.px(10),
            style=theme.BODY.tinted(theme.WARM.faded(share)), width=width - self.px(44), wrap=True,
        )  # fmt: skip
