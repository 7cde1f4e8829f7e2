"""The first screen: what there is to do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

import arcade
from pyglet.window import key

from cloakboard.client import textures, theme
from cloakboard.client.canvas import Box
from cloakboard.client.marks import Mark
from cloakboard.client.tokens import Hand, wec_token
from cloakboard.client.widgets import Button, Label, Look
from cloakboard.client.window import Screen

if TYPE_CHECKING:
    from cloakboard.client.window import CloakWindow

THIRD: Final = 1 / 3
DISPLAY: Final = (
    ("SU", "black", Hand.NONE, theme.Tint.SUB, -THIRD, -THIRD),
    ("K", "white", Hand.NONE, theme.Tint.GROUND, 0.0, 0.0),
    ("TA", "black", Hand.RIGHT, theme.Tint.GROUND, -THIRD, THIRD),
    ("SHP", "white", Hand.NONE, theme.Tint.GROUND, THIRD, -THIRD),
    ("CH", "black", Hand.LEFT, theme.Tint.AIR, THIRD, THIRD + 0.03),
)


class Entry(NamedTuple):
    """One line of the menu."""

    text: str
    icon: str
    act: Callable[[], None]
    look: Look = Look.NORMAL
    hint: str = ""
    is_minor: bool = False
    """Stands with other minor ones in one row below the rest."""


class StartScreen(Screen):
    """The menu on the left, a still life of pieces on the right. `about` is asked for its line
    whenever the screen comes up. `prepare` begins work that is done bit by bit while nothing else
    happens."""

    def __init__(
        self,
        window: CloakWindow,
        entries: tuple[Entry, ...],
        about: Callable[[], str],
        prepare: Callable[[], Iterator[None]] = lambda: iter(()),
    ) -> None:
        super().__init__(window)
        self._prepare = prepare
        self._work: Iterator[None] = iter(())
        self.title = Label(self.stage, "Cloakboard", theme.TITLE)
        self.subtitle = Label(
            self.stage, "Hidden moves, among friends, without a server", theme.SOFT
        )
        self.buttons = [
            Button(
                self.stage,
                entry.text,
                entry.act,
                icon=entry.icon,
                look=Look.QUIET if entry.is_minor else entry.look,
                align="left",
                style=theme.SMALL if entry.is_minor else theme.STRONG,
            )
            for entry in entries
        ]
        for button, entry in zip(self.buttons, entries, strict=True):
            button.hint = entry.hint
        self._minor = [b for b, entry in zip(self.buttons, entries, strict=True) if entry.is_minor]
        self._about = about
        self.about = Label(self.stage, about(), theme.TINY)
        self._display = self.layer(-50)
        self._floor = self.layer(-60)

    def arrange(self, box: Box) -> None:
        """Title, menu, pieces."""
        px = self.px
        left, width = px(72), px(320)
        gap = px(10)
        major = [button for button in self.buttons if button not in self._minor]
        rows = len(major) + bool(self._minor)
        height = min(px(46), round((box.height - px(190)) / rows - gap))
        menu = rows * (height + gap)
        top = round(box.height / 2 + (menu + px(110)) / 2)
        self.title.place(Box(left, top - px(60), px(520), px(60)))
        self.subtitle.place(Box(left, top - px(90), px(520), px(24)))
        y = top - px(120)
        for button in major:
            button.place(Box(left, y - height, width, height))
            y -= height + gap
        x = left
        for button in self._minor:
            button.place(Box(x, y - height, button.natural_width(), height))
            x += button.natural_width() + gap
        self.about.place(Box(left, px(14), box.width - 2 * left, px(20)))
        self._show_pieces(box)
        self._work = self._prepare()

    def on_shown(self) -> None:
        """What it tells may have changed meanwhile."""
        self.about.say(self._about())

    def update(self, passed_ms: float) -> None:
        """Does one bit of the work."""
        next(self._work, None)

    def _show_pieces(self, box: Box) -> None:
        px = self.px
        middle_x, middle_y = box.width * 0.68, box.height * 0.5
        size = min(box.width * 0.46, box.height * 0.8)
        sprites, shapes = self._display.sprites, self._floor.shapes
        sprites.clear()
        shapes.clear()
        unit = size / 3
        for row in range(3):
            for column in range(3):
                paint = theme.WALNUT.dark if (row + column) % 2 else theme.WALNUT.light
                shapes.box(
                    middle_x - size / 2 + column * unit,
                    middle_y - size / 2 + row * unit,
                    unit,
                    unit,
                    fill=paint.mixed(theme.ROOM_DARK, 0.45),
                    fill_bottom=paint.mixed(theme.ROOM_DARK, 0.6),
                    radius=px(4),
                )
        width = round(unit * 0.74)
        for code, side, hand, tint, dx, dy in DISPLAY:
            token = wec_token(code, side, hand=hand, tint=tint)
            x, y = middle_x + dx * size, middle_y + dy * size
            if tint is not theme.Tint.SUB:
                shadow = arcade.Sprite(textures.shadow(token.form, width, 0.75))
                textures.place(shadow, x + width * 0.08, y - width * 0.14)
                sprites.append(shadow)
            sprite = arcade.Sprite(textures.token(token, width))
            textures.place(sprite, x, y)
            sprites.append(sprite)
            if tint is theme.Tint.SUB:
                for texture in (
                    textures.water(round(unit)),
                    textures.mark(Mark.VEILED, round(width * 1.1)),
                ):
                    over = arcade.Sprite(texture)
                    textures.place(over, x, y)
                    sprites.append(over)

    def on_key(self, symbol: int, modifiers: int) -> bool:
        """Arrows go through the menu."""
        if symbol in (key.UP, key.DOWN):
            self.stage.move_focus(1 if symbol == key.DOWN else -1)
            return True
        return False
