"""A real window on a virtual screen: drawing, sizes, texts, the stack of screens."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyglet.window import key

from cloakboard.client import theme
from cloakboard.client.canvas import Box
from cloakboard.client.grid import BoardGrid, Square
from cloakboard.client.motion import Amount
from cloakboard.client.theme import Scale
from cloakboard.client.widgets import (
    Text,
    Tone,
    shortened,
    text_width,
    wrapped,
)
from cloakboard.client.window import CloakWindow, Screen
from tests.client.conftest import resized
from tests.client.samples import Gallery, Sampler, colours_in, settle, shown


@pytest.mark.parametrize("size", [(1024, 640), (1280, 720), (2560, 1440)])
def test_everything_draws(window: CloakWindow, tmp_path: Path, size: tuple[int, int]) -> None:
    resized(window, *size)
    screen = Gallery(window)
    window.open_screen(screen)
    picture = shown(window, tmp_path / "gallery.png")
    assert picture.size == size
    empty = screen.grid.square_box(Square(9, 15))
    plain = colours_in(picture, empty.inset(3))
    for square in screen.squares:
        assert colours_in(picture, screen.grid.square_box(square).inset(3)) > plain, square


@pytest.mark.parametrize("factor", [1.0, 1.25, 1.5, 2.0])
def test_a_click_in_the_middle_of_a_square_finds_it(window: CloakWindow, factor: float) -> None:
    grid = BoardGrid(Screen(window).layer(0), 10, 10)
    grid.place(Box(13, 7, 611 * factor, 633 * factor), Scale(factor))
    for row in range(10):
        for column in range(10):
            square = Square(row, column)
            box = grid.square_box(square)
            assert grid.square_at(*box.centre) == square
            assert grid.square_at(box.x, box.y) == square
    assert grid.square_at(grid.box.x - 1, grid.box.y) is None
    assert grid.square_at(grid.box.right, grid.box.y) is None


def test_nothing_is_drawn_while_nothing_changes(window: CloakWindow, form: Sampler) -> None:
    settle(window)
    frames = window.drawn_frames
    for _ in range(30):
        window.on_update(0.016)
        window.draw(0.016)
    assert window.drawn_frames == frames
    form.status.say("Your Turn", Tone.ACT)
    window.draw(0.016)
    assert window.drawn_frames == frames + 1
    form.status.say("Your Turn", Tone.ACT)
    window.draw(0.016)
    assert window.drawn_frames == frames + 1


def test_motion_draws_until_it_ends(window: CloakWindow, form: Sampler) -> None:
    settle(window)
    window.set_motion(Amount.ALL)
    window.animator.add(100, lambda share: None)
    frames = window.drawn_frames
    for _ in range(20):
        window.on_update(0.016)
        window.draw(0.016)
    assert window.drawn_frames == frames + 7


def test_screens_stack(window: CloakWindow) -> None:
    told: list[str] = []

    class Told(Screen):
        def __init__(self, name: str) -> None:
            super().__init__(window)
            self.name = name

        def on_shown(self) -> None:
            told.append(f"{self.name} shown")

        def on_hidden(self) -> None:
            told.append(f"{self.name} hidden")

        def on_closed(self) -> None:
            told.append(f"{self.name} closed")

    first, second, third = Told("1"), Told("2"), Told("3")
    window.open_screen(first)
    window.open_screen(second)
    window.replace_screen(third)
    window.close_screen()
    assert window.screen_stack == (first,)
    assert told == ["1 shown", "1 hidden", "2 shown", "2 hidden", "2 closed", "3 shown",
                    "3 hidden", "3 closed", "1 shown"]  # fmt: skip


def test_a_scale_change_places_everything_again(window: CloakWindow, form: Sampler) -> None:
    small = form.first.box
    window.set_user_scale(1.5)
    assert window.ui_scale.factor == 1.5
    assert form.scale.factor == 1.5
    assert form.first.box != small
    window.set_user_scale(1.0)
    assert form.first.box == small


def test_full_screen_twenty_times_comes_back(window: CloakWindow, form: Sampler) -> None:
    window.dispatch_events()
    start = (*window.get_location(), *window.get_size())
    for _ in range(10):
        window.on_key_press(key.F11, 0)
        window.dispatch_events()
        assert window.fullscreen
        window.on_key_press(key.F11, 0)
        window.dispatch_events()
        assert not window.fullscreen
    assert (*window.get_location(), *window.get_size()) == start


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "The quick brown fox jumps over the lazy dog"),
        ("ko", "모든사람은태어날때부터자유로우며"),
        ("zh-Hans", "人人生而自由在尊严和权利上一律平等"),
        ("zh-Hant", "人人生而自由在尊嚴和權利上一律平等"),
    ],
)
@pytest.mark.parametrize("bold", [False, True])
def test_texts_have_ink(
    window: CloakWindow, tmp_path: Path, language: str, text: str, bold: bool
) -> None:
    theme.load_fonts(language)
    screen = Screen(window)
    label = Text(screen.layer(0), theme.TextStyle(24, bold=bold))
    label.set(text, Scale(), 20, 300)
    window.open_screen(screen)
    picture = shown(window, tmp_path / "text.png").convert("L")
    x = 20
    for char in text:
        width = text_width(char, theme.TextStyle(24, bold=bold), Scale())
        box = (x, 720 - 300 - 16, x + width, 720 - 300 + 16)
        assert char == " " or max(picture.crop(box).tobytes()) > 150, char
        x += width
    assert label.width == x - 20
    theme.load_fonts("en")


def test_long_texts_are_shortened_or_wrapped(window: CloakWindow) -> None:
    scale = Scale()

    def width(text: str) -> int:
        return text_width(text, theme.BODY, scale)

    assert shortened("Anti-torpedo", theme.BODY, scale, 400) == "Anti-torpedo"
    short = shortened("Anti-torpedo", theme.BODY, scale, 60)
    assert short.endswith("…")
    assert width(short) <= 60
    lines = wrapped("The submarine dives under the ice.", theme.BODY, scale, 120)
    assert " ".join(lines) == "The submarine dives under the ice."
    assert len(lines) > 1
    assert all(width(line) <= 120 for line in lines)
    chinese = wrapped(
        "潜水艇发射鱼雷，直升机转向。", theme.BODY, scale, width("潜水艇发射鱼雷") + 2
    )
    assert "".join(chinese) == "潜水艇发射鱼雷，直升机转向。"
    assert not chinese[1].startswith("，")
    assert wrapped("one\ntwo", theme.BODY, scale, 400) == ["one", "two"]
    for room in range(60, 300, 7):
        korean = wrapped("당신이 부르던 이름과 주소가 지워집니다.", theme.BODY, scale, room)
        assert korean == [line.strip() for line in korean]
