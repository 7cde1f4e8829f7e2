"""Screens that show one of everything, and hands to try them with."""

from __future__ import annotations

from pathlib import Path

import arcade
from PIL import Image
from pyglet.window import mouse

from cloakboard.client import textures
from cloakboard.client.canvas import Box
from cloakboard.client.grid import BoardGrid, Square
from cloakboard.client.marks import ARTICLE_COLOURS, Mark
from cloakboard.client.theme import Tint
from cloakboard.client.tokens import CROWNED_CODES, ROUND_CODES, Form, Hand, wec_token
from cloakboard.client.widgets import (
    Button,
    Chip,
    Label,
    List,
    Panel,
    Row,
    ScrollArea,
    StatusLine,
    TextField,
    Widget,
)
from cloakboard.client.window import CloakWindow, Screen

CODES = [*sorted(ROUND_CODES), "TA", "CL", "CH", "DO", "JE", "SU", "DS", "AAA", *CROWNED_CODES]


def shown(window: CloakWindow, path: Path) -> Image.Image:
    window.screenshot(path)
    return Image.open(path).convert("RGB")


def hint_of(window: CloakWindow, widget: Widget) -> Box:
    """Where the hint of a widget shows that the mouse rests on."""
    x, y = (int(part) for part in widget.box.centre)
    window.on_mouse_motion(x, y, 0, 0)
    widget.stage.update(1000)
    assert widget.stage._hint.is_visible
    return widget.stage._hint.box


def colours_in(picture: Image.Image, box: Box) -> int:
    """How many colours a box of the window shows, its y counted from below."""
    part = picture.crop(
        (int(box.x), int(picture.height - box.top), int(box.right), int(picture.height - box.y))
    )
    return len(part.getcolors(1 << 20) or ())


class Gallery(Screen):
    """Every token, badge, article, shot and mark on a board."""

    def __init__(self, window: CloakWindow) -> None:
        super().__init__(window)
        self.grid = BoardGrid(self.layer(1), 10, 16)
        self.pieces = self.layer(2)
        self.squares: list[Square] = []

    def arrange(self, box: Box) -> None:
        self.grid.place(box.inset(self.px(10)), self.scale)
        side = self.grid.square_px
        size = round(side * 0.84)
        self.pieces.sprites.clear()
        looks: list[arcade.Texture] = []
        for side_name in ("white", "black"):
            for index, code in enumerate(CODES):
                hand = (
                    (Hand.LEFT, Hand.RIGHT)[index % 2] if code in ("TA", "CL", "CH") else Hand.NONE
                )
                tint = list(Tint)[index % 3]
                looks.append(textures.token(wec_token(code, side_name, hand=hand, tint=tint), size))
        looks += [textures.article(kind, size) for kind in ARTICLE_COLOURS]
        looks += [textures.badge(kind, size) for kind in ARTICLE_COLOURS]
        looks += [textures.shot(kind, size) for kind in ("rocket", "sam", "torpedo")]
        looks += [textures.mark(mark, side) for mark in Mark]
        looks += [textures.stun_counter(3, size), textures.rate_counter(12, size)]
        looks += [textures.water(side), textures.shadow(Form.ROUND, size, 1.0)]
        self.squares = [Square(i // 16, i % 16) for i in range(len(looks))]
        for square, look in zip(self.squares, looks, strict=True):
            sprite = arcade.Sprite(look)
            textures.place(sprite, *self.grid.square_box(square).centre)
            self.pieces.sprites.append(sprite)


class Sampler(Screen):
    """One widget of each kind."""

    def __init__(self, window: CloakWindow) -> None:
        super().__init__(window)
        self.pressed: list[str] = []
        self.heard: list[int] = []
        stage = self.stage
        self.panel = Panel(stage, "A panel")
        self.label = Label(stage, "Some words that go on over more than one line.", wrap=True)
        self.first = Button(stage, "First", lambda: self.pressed.append("first"), icon="ui.fire")
        self.second = Button(stage, "Second", lambda: self.pressed.append("second"), key_name="S")
        self.chip = Chip(stage, "Move", "ui.move", 1)
        self.status = StatusLine(stage)
        self.field = TextField(stage, "Type here", on_submit=self.pressed.append, limit=20)
        self.rows = List(
            stage,
            [Row(f"Row {i}", note=str(i)) for i in range(100)],
            on_select=lambda i: self.pressed.append(f"row {i}"),
            on_activate=lambda i: self.pressed.append(f"open {i}"),
        )
        self.area = ScrollArea(stage)
        self.deep = Button(
            stage, "Deep", lambda: self.pressed.append("deep"), layer=self.area.content
        )

    def on_key(self, symbol: int, modifiers: int) -> bool:
        self.heard.append(symbol)
        return True

    def arrange(self, box: Box) -> None:
        left, right = box.inset(self.px(20)).columns(2, self.px(20))
        self.panel.place(left)
        slots = left.inset(self.px(20)).rows(8, self.px(10))
        for widget, slot in zip(
            (self.label, self.first, self.second, self.chip, self.status, self.field),
            slots[1:],
            strict=False,
        ):
            widget.place(slot)
        upper, lower = right.rows(2, self.px(20))
        self.rows.place(upper)
        self.area.place(lower)
        inner = self.area.content_box
        self.deep.place(Box(inner.x, inner.y - 400, inner.width, self.px(40)))
        self.area.set_content_height(inner.height + 400)


def click(window: CloakWindow, box: Box) -> None:
    x, y = (int(part) for part in box.centre)
    window.on_mouse_motion(x, y, 0, 0)
    window.on_mouse_press(x, y, mouse.LEFT, 0)
    window.on_mouse_release(x, y, mouse.LEFT, 0)


def typed(window: CloakWindow, text: str) -> None:
    for char in text:
        window.on_text(char)


def settle(window: CloakWindow) -> None:
    """Draw what is due."""
    for _ in range(5):
        window.draw(0.016)
