"""What comes before the table: the small chooser of several that may be meant, and the curtain."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from pyglet.window import key

from cloakboard.client import theme
from cloakboard.client.canvas import Box
from cloakboard.client.widgets import OVERLAY_Z, Button, Label, Look, Panel, Widget

if TYPE_CHECKING:
    from cloakboard.client.canvas import Layer
    from cloakboard.client.widgets import Stage


class Chooser:
    """A small card beside a point that asks which of several is meant. Number keys answer;
    Escape leaves it."""

    def __init__(
        self,
        stage: Stage,
        question: str,
        choices: Sequence[str],
        near: tuple[float, float],
        on_choice: Callable[[int], None],
        on_cancel: Callable[[], None],
    ) -> None:
        self._stage = stage
        self._near = near
        self._layer = stage.canvas.layer(OVERLAY_Z - 10)
        self._on_choice = on_choice
        self._on_cancel = on_cancel
        self.is_open = True
        stage.push_modal(self.arrange, self.cancel)
        self.count = len(choices)
        self._catch = _Catch(stage, self._layer, self.cancel)
        self._panel = Panel(stage, "", layer=self._layer)
        self._title = Label(stage, question, theme.STRONG, layer=self._layer)
        self._buttons = [
            _ChoiceButton(self, stage, index, text, self._layer)
            for index, text in enumerate(choices)
        ]
        self.arrange()
        stage.set_focus(self._buttons[0])
        stage.host.sounds.play("select")

    def arrange(self) -> None:
        """Places it beside its point, inside the window, its rows closer together where that is
        low."""
        px, window = self._stage.scale.px, self._stage.window_box
        pad, gap, edge = px(14), px(6), px(8)
        self._catch.place(window)
        width = max(b.natural_width() for b in self._buttons) + px(24)
        width = max(width, self._title.natural_width()) + 2 * pad
        head = 2 * pad + px(26)
        row = min(px(36), (window.height - 2 * edge - head) / len(self._buttons) - gap)
        height = head + len(self._buttons) * (row + gap)
        x, y = self._near[0] + px(30), self._near[1] - height / 2
        if x + width > window.width - edge:
            x = min(self._near[0] - px(30), window.width - edge) - width
        box = Box(max(edge, x), min(max(edge, y), window.height - height - edge), width, height)
        self._panel.place(box)
        title, rest = box.inset(pad).cut_top(px(26))
        self._title.place(title)
        top = rest.top - gap
        for button in self._buttons:
            button.place(Box(rest.x, top - row, rest.width, row))
            top -= row + gap

    def answer(self, index: int) -> None:
        """Takes a choice."""
        if self._close():
            self._on_choice(index)

    def cancel(self) -> None:
        """Leaves it without a choice."""
        if self._close():
            self._on_cancel()

    def _close(self) -> bool:
        if not self.is_open:
            return False
        self.is_open = False
        self._stage.pop_modal()
        self._stage.canvas.drop(self._layer)
        return True


class _Catch(Widget):
    """Takes clicks beside a chooser, which leave it."""

    def __init__(self, stage: Stage, layer: Layer, on_leave: Callable[[], None]) -> None:
        super().__init__(stage, layer)
        self._on_leave = on_leave

    def on_release(self, x: float, y: float, button: int) -> None:
        """A click beside the card leaves it."""
        self._on_leave()


class _ChoiceButton(Button):
    """A button of a chooser: number keys and arrows work whichever has the focus."""

    def __init__(self, chooser: Chooser, stage: Stage, index: int, text: str, layer: Layer) -> None:
        super().__init__(
            stage,
            text,
            lambda: chooser.answer(index),
            key_name=str(index + 1) if index < 9 else "",
            align="left",
            layer=layer,
        )
        self._chooser = chooser

    def on_key(self, symbol: int, modifiers: int) -> bool:
        """A number answers, arrows go up and down."""
        for first in (key._1, key.NUM_1):
            if 0 <= symbol - first < min(9, self._chooser.count):
                self._chooser.answer(symbol - first)
                return True
        if symbol in (key.UP, key.DOWN):
            self.stage.move_focus(1 if symbol == key.DOWN else -1)
            return True
        return super().on_key(symbol, modifiers)


class Curtain:
    """Hides the table while the device changes hands."""

    def __init__(self, stage: Stage, side: str, player: str, on_ready: Callable[[], None]) -> None:
        self._stage = stage
        self._layer = stage.canvas.layer(OVERLAY_Z - 5)
        self._on_ready = on_ready
        stage.push_modal(self.arrange)
        self._cloth = _Cloth(stage, self._layer)
        self._title = Label(
            stage, f"{side} to play", theme.TITLE, align="center", layer=self._layer
        )
        self._text = Label(
            stage,
            f"Hand the device to {player}. Nobody else should look at the screen now.",
            theme.BODY,
            align="center",
            layer=self._layer,
        )
        self._button = Button(
            stage,
            "I am ready",
            self.ready,
            look=Look.PRIMARY,
            icon="ui.eye",
            key_name="Enter",
            layer=self._layer,
        )
        self.arrange()
        stage.set_focus(self._button)

    def arrange(self) -> None:
        """Covers the window."""
        px, window = self._stage.scale.px, self._stage.window_box
        self._cloth.place(window)
        middle = window.height * 0.5
        self._title.place(Box(0, middle + px(40), window.width, px(60)))
        self._text.place(Box(0, middle, window.width, px(28)))
        width = max(self._button.natural_width(), px(200))
        self._button.place(
            Box((window.width - width) / 2, middle - px(70), width, px(theme.CONTROL + 6))
        )

    def ready(self) -> None:
        """The player sits down."""
        self._stage.pop_modal()
        self._stage.canvas.drop(self._layer)
        self._on_ready()


class _Cloth(Widget):
    """The cloth itself: it lets nothing through."""

    def __init__(self, stage: Stage, layer: Layer) -> None:
        super().__init__(stage, layer)
        self._body = self.shape(z=-9)
        self._glow = self.shape(z=-8)

    def paint(self) -> None:
        """Covers everything."""
        x, y, width, height = self.box
        self._body.set(
            x=x,
            y=y,
            width=width,
            height=height,
            fill=theme.ROOM_LIGHT,
            fill_bottom=theme.ROOM_DARK,
        )
        size = min(width, height)
        self._glow.set(
            x=width / 2 - size / 2,
            y=height / 2 - size / 4,
            width=size,
            height=size / 2,
            radius=size / 4,
            blur=size / 4,
            fill=theme.AMBER.faded(0.07),
        )
