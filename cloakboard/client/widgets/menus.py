"""A menu bar: titles in a row, each with a list of entries that say their key."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from pyglet.window import key

from cloakboard.client import theme
from cloakboard.client.canvas import Box, Layer
from cloakboard.client.widgets.base import Widget
from cloakboard.client.widgets.controls import Button, Look, Panel
from cloakboard.client.widgets.stage import OVERLAY_Z, Stage

ROW: float = 32
PAD: float = 6


class MenuEntry(NamedTuple):
    """One line of a menu. `is_on`: a switch that is on; `is_able`: it can be chosen now; `hint`:
    what more there is to say, as why it cannot."""

    text: str
    key_name: str
    act: Callable[[], None]
    is_on: bool = False
    is_able: bool = True
    hint: str = ""


class MenuBar:
    """Titles side by side; `entries_of` gives the lines of a title whenever it is opened."""

    def __init__(
        self,
        stage: Stage,
        titles: Sequence[str],
        entries_of: Callable[[str], Sequence[MenuEntry]],
    ) -> None:
        self._stage = stage
        self._entries_of = entries_of
        self._open: _Menu | None = None
        self.titles = [
            Button(
                stage,
                title,
                lambda index=index: self.open(index),  # type: ignore[misc]  # bound now
                look=Look.QUIET,
                style=theme.SMALL,
            )
            for index, title in enumerate(titles)
        ]

    @property
    def is_open(self) -> bool:
        """Whether a menu is open."""
        return self._open is not None

    def place(self, box: Box) -> Box:
        """Places the titles at the left end of a box; what is left of it."""
        for button in self.titles:
            at, box = box.cut_left(button.natural_width())
            button.place(at)
        return box

    def open(self, index: int) -> None:
        """Opens a menu in place of one that is open."""
        self.close()
        index %= len(self.titles)
        title = self.titles[index]
        self._open = _Menu(self, self._stage, index, self._entries_of(title.label))
        title.switch(True)

    def close(self) -> None:
        """Closes the open menu."""
        menu, self._open = self._open, None
        if menu is not None:
            self.titles[menu.index].switch(False)
            menu.dispose()


class _Menu:
    """An open menu: a card of buttons below its title."""

    def __init__(
        self,
        bar: MenuBar,
        stage: Stage,
        index: int,
        entries: Sequence[MenuEntry],
    ) -> None:
        self._bar = bar
        self._stage = stage
        self.index = index
        self._layer = stage.canvas.layer(OVERLAY_Z - 15)
        stage.push_modal(self.arrange, bar.close)
        self._catch = _Catch(stage, self._layer, bar)
        self._panel = Panel(stage, layer=self._layer)
        self._lines = [_Line(self, stage, entry, self._layer) for entry in entries]
        self.arrange()
        stage.set_focus(next((line for line in self._lines if line.is_enabled), None))

    def arrange(self) -> None:
        """Hangs it below its title, its lines closer together where the window is low."""
        px, window = self._stage.scale.px, self._stage.window_box
        title = self._bar.titles[self.index].box
        self._catch.place(window)
        row = min(px(ROW), int(title.y - 2 * px(PAD)) // len(self._lines))
        width = max(line.natural_width() for line in self._lines) + px(36)
        height = len(self._lines) * row + 2 * px(PAD)
        x = max(0, min(title.x, window.width - width - px(4)))
        self._panel.place(Box(x, title.y - height, width, height))
        top = title.y - px(PAD)
        for line in self._lines:
            line.place(Box(x + px(PAD), top - row, width - 2 * px(PAD), row))
            top -= row

    def choose(self, act: Callable[[], None]) -> None:
        """Closes it and acts."""
        self._bar.close()
        act()

    def aside(self, step: int) -> None:
        """The next menu to the left or right."""
        self._bar.open(self.index + step)

    def dispose(self) -> None:
        """Takes it off the stage."""
        self._stage.pop_modal()
        self._stage.canvas.drop(self._layer)


class _Line(Button):
    """One entry: arrows go through the menu and to its neighbours."""

    def __init__(self, menu: _Menu, stage: Stage, entry: MenuEntry, layer: Layer) -> None:
        super().__init__(
            stage,
            entry.text,
            lambda: menu.choose(entry.act),
            look=Look.QUIET,
            key_name=entry.key_name,
            align="left",
            style=theme.SMALL,
            icon="ui.end_turn" if entry.is_on else None,
            layer=layer,
        )
        self._menu = menu
        self.enable(entry.is_able)
        self.hint = entry.hint

    def on_key(self, symbol: int, modifiers: int) -> bool:
        """Up and down within the menu, left and right to the next one."""
        if symbol in (key.UP, key.DOWN):
            self.stage.move_focus(1 if symbol == key.DOWN else -1)
            return True
        if symbol in (key.LEFT, key.RIGHT):
            self._menu.aside(1 if symbol == key.RIGHT else -1)
            return True
        return super().on_key(symbol, modifiers)


class _Catch(Widget):
    """Takes clicks beside an open menu: on another title they open that, else they close."""

    def __init__(self, stage: Stage, layer: Layer, bar: MenuBar) -> None:
        super().__init__(stage, layer)
        self._bar = bar

    def on_press(self, x: float, y: float, button: int, modifiers: int) -> None:
        """Another title, or away."""
        for index, title in enumerate(self._bar.titles):
            if title.box.contains(x, y):
                self._bar.open(index)
                return
        self._bar.close()
