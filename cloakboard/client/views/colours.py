"""Colours of board and pieces, as the player likes them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

import arcade

from cloakboard.client import textures, theme
from cloakboard.client.boards.wec_figures import Style
from cloakboard.client.canvas import Box
from cloakboard.client.theme import Tint, Tinted
from cloakboard.client.tokens import wec_token
from cloakboard.client.views.page import Page
from cloakboard.client.widgets import Button, FocusMark, Label, TextField, Widget
from cloakboard.client.widgets.controls import PRESS_KEYS

if TYPE_CHECKING:
    from cloakboard.client.widgets import Stage
    from cloakboard.client.window import CloakWindow

CHOICES: Final = {
    "board.light": ("#8D7A62", "#C9B28B", "#8FA37E", "#8299B5", "#A88BA8", "#B4B4B4"),
    "board.dark": ("#5C4C3F", "#7A5A3A", "#4F6A48", "#3D4A62", "#5E4560", "#585C64"),
    "white": ("#EFE6D3", "#FFFFFF", "#F3D27A", "#F0B6A8", "#BFE0C4", "#BFD6F2"),
    "black": ("#3B4150", "#15171C", "#5A2E2E", "#2E4A34", "#27406B", "#4A3560"),
}
_HEX: Final = re.compile(r"#[0-9a-fA-F]{6}")
SAMPLE: Final = (
    ("TA", "black", Tint.GROUND), ("CH", "black", Tint.AIR), ("SU", "black", Tint.SUB),
    ("TA", "white", Tint.GROUND), ("CH", "white", Tint.AIR), ("SU", "white", Tint.SUB),
)  # fmt: skip


class Patch(Widget):
    """A colour to choose."""

    is_focusable = True

    def __init__(self, stage: Stage, paint: str, on_choice: Callable[[str], None]) -> None:
        super().__init__(stage)
        self.paint_name = paint
        self.is_chosen = False
        self._on_choice = on_choice
        self._shape = self.shape()
        self._mark = FocusMark(self)
        self.hint = paint

    def choose(self, is_chosen: bool) -> None:
        """Whether it is the colour now."""
        if is_chosen != self.is_chosen:
            self.is_chosen = is_chosen
            self.refresh()

    def on_press(self, x: float, y: float, button: int, modifiers: int) -> None:
        """Chooses it."""
        self._on_choice(self.paint_name)

    def on_key(self, symbol: int, modifiers: int) -> bool:
        """Enter and Space choose it."""
        if symbol in PRESS_KEYS:
            self._on_choice(self.paint_name)
            return True
        return False

    def paint(self) -> None:
        """A tile in its colour, with a bright edge if it is chosen."""
        x, y, width, height = self.box
        self._shape.set(
            x=x, y=y, width=width, height=height, radius=self.px(6),
            border=self.px(3 if self.is_chosen else 1), fill=theme.colour(self.paint_name),
            edge=theme.AMBER if self.is_chosen else theme.PANEL_EDGE,
        )  # fmt: skip
        self._mark.paint(self.px(6))


class ColoursScreen(Page):
    """A row for each thing that can be coloured, and a sample. `on_change` is told all colours
    that are not the original ones, whenever one changes."""

    width = 780
    height = 560

    def __init__(
        self,
        window: CloakWindow,
        colours: Mapping[str, str],
        style: Style,
        on_change: Callable[[dict[str, str]], None],
    ) -> None:
        super().__init__(window, "Colours")
        self.colours = dict(colours)
        self._style = style
        self._on_change = on_change
        self.labels = [Label(self.stage, one.text) for one in theme.COLOURED]
        self.patches = {
            one.name: [
                Patch(self.stage, paint, lambda paint, one=one: self._set(one, paint))  # type: ignore[misc]
                for paint in CHOICES[one.name]
            ]
            for one in theme.COLOURED
        }
        self.fields = {
            one.name: TextField(
                self.stage,
                "#rrggbb",
                limit=7,
                on_change=lambda text, one=one: self._typed(one, text),  # type: ignore[misc]
            )
            for one in theme.COLOURED
        }
        self.original = Button(self.stage, "Original colours", self._reset, icon="ui.undo")
        self._sample = self.layer(2)
        self._ground = self.layer(1)
        self._sample_box = Box(0, 0, 1, 1)

    def fill(self, box: Box) -> None:
        """Rows above, the sample below them."""
        px = self.px
        foot, rest = box.cut_bottom(px(42), px(12))
        width = self.original.natural_width()
        self.original.place(Box(foot.x, foot.y, width, foot.height))
        for label, one in zip(self.labels, theme.COLOURED, strict=True):
            row, rest = rest.cut_top(px(44), px(10))
            named, row = row.cut_left(px(150), px(10))
            label.place(named)
            written, row = row.cut_right(px(110), px(12))
            self.fields[one.name].place(written.inset(0, px(4)))
            for patch in self.patches[one.name]:
                at, row = row.cut_left(px(44), px(8))
                patch.place(at.inset(px(3)))
        self._sample_box = rest
        self._tell()
        self._show_sample()

    def _set(self, one: Tinted, paint: str) -> None:
        if paint.lower() == _written(one):
            self.colours.pop(one.name, None)
        else:
            self.colours[one.name] = paint
        self._changed()

    def _typed(self, one: Tinted, text: str) -> None:
        if _HEX.fullmatch(text.strip()):
            self._set(one, text.strip())

    def _reset(self) -> None:
        self.colours.clear()
        self._changed()

    def _changed(self) -> None:
        self._on_change(dict(self.colours))
        self._tell()
        self._show_sample()

    def _tell(self) -> None:
        for one in theme.COLOURED:
            now = self.colours.get(one.name, _written(one)).lower()
            for patch in self.patches[one.name]:
                patch.choose(patch.paint_name.lower() == now)
            if not self.fields[one.name].is_focused:
                self.fields[one.name].set_value(now)

    def _show_sample(self) -> None:
        """Two squares of each kind with pieces at each level."""
        shapes, sprites = self._ground.shapes, self._sample.sprites
        shapes.clear()
        sprites.clear()
        board = theme.board_colours()
        box = self._sample_box
        unit = round(min(box.width / len(SAMPLE), box.height))
        left = box.x + (box.width - unit * len(SAMPLE)) / 2
        bottom = box.y + (box.height - unit) / 2
        for index, (kind, side, tint) in enumerate(SAMPLE):
            x = left + index * unit
            shapes.box(x, bottom, unit, unit, fill=board.dark if index % 2 else board.light)
            token = wec_token(
                kind, side, tint=tint, set=self._style.set, has_patterns=self._style.has_patterns
            )
            sprite = arcade.Sprite(textures.token(token, max(12, round(unit * 0.76))))
            textures.place(sprite, x + unit / 2, bottom + unit / 2)
            sprites.append(sprite)


def _written(one: Tinted) -> str:
    return f"#{one.colour.r:02x}{one.colour.g:02x}{one.colour.b:02x}"
