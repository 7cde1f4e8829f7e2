"""Everything drawn by `tokens` and `marks`, cached as arcade textures by what it shows."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Final

import arcade
from PIL import Image

from cloakboard.client import marks, theme, tokens
from cloakboard.client.marks import Mark
from cloakboard.client.theme import Colour
from cloakboard.client.tokens import Form, Token

KEPT: Final = 1200
"""Textures kept; those longest unused go first, and leave the GPU with their last sprite."""

_kept: OrderedDict[tuple[object, ...], arcade.Texture] = OrderedDict()


def _cached(key: tuple[object, ...], draw: Callable[[], Image.Image]) -> arcade.Texture:
    if key in _kept:
        _kept.move_to_end(key)
        return _kept[key]
    texture = arcade.Texture(
        draw(), hit_box_algorithm=arcade.hitbox.algo_bounding_box, hash=repr(key)
    )
    _kept[key] = texture
    if len(_kept) > KEPT:
        _kept.popitem(last=False)
    return texture


def forget() -> None:
    """Draw everything anew from now on: the player's colours have changed."""
    _kept.clear()
    tokens.forget()


def token(what: Token, size: int) -> arcade.Texture:
    """A piece, `size` x `size` pixels."""
    return _cached(("token", what, size), lambda: tokens.draw_token(what, size))


def shadow(form: Form, size: int, height: float = 0.0) -> arcade.Texture:
    """A token's shadow, 1.5 times its size; `height` is 0 on the board, 1 in the air."""
    height = round(height * 4) / 4
    return _cached(("shadow", form, size, height), lambda: tokens.draw_shadow(form, size, height))


def badge(kind: str, size: int) -> arcade.Texture:
    """A carried article on a token's rim, by its code."""
    return _cached(("badge", kind, size), lambda: marks.draw_badge(kind, size))


def article(kind: str, size: int) -> arcade.Texture:
    """An article lying on the board, by its code."""
    return _cached(("article", kind, size), lambda: marks.draw_article(kind, size))


def shot(kind: str, size: int) -> arcade.Texture:
    """A projectile pointing straight up; `wec_figures.shot_angle` says how its sprite is turned."""
    return _cached(("shot", kind, size), lambda: marks.draw_shot(kind, size))


def stun_counter(turns: int, height: int) -> arcade.Texture:
    """The yellow count above a stunned piece."""
    return counter(str(turns), theme.colour("#FFD93D"), height)


def rate_counter(turns: int, height: int) -> arcade.Texture:
    """The pale count above a piece whose weapon cools down."""
    return counter(str(turns), theme.colour("#D8DEE9"), height)


def counter(text: str, paint: Colour, height: int) -> arcade.Texture:
    """A short text on a pill."""
    return _cached(
        ("counter", text, paint, height), lambda: marks.draw_counter(text, paint, height)
    )


def mark(which: Mark, size: int) -> arcade.Texture:
    """A square's highlight."""
    return _cached(("mark", which, size), lambda: marks.draw_mark(which, size))


def water(size: int) -> arcade.Texture:
    """The surface over a Sub piece."""
    return _cached(("water", size), lambda: marks.draw_water(size))


def picture(name: str, size: int) -> arcade.Texture:
    """A white silhouette to be tinted, such as `ui.save`; see `pictures.names`."""
    return _cached(("picture", name, size), lambda: marks.draw_picture(name, size))


def place(sprite: arcade.Sprite, x: float, y: float) -> None:
    """Put a sprite's middle at (x, y), moved by less than a pixel so that it stays sharp."""
    left, bottom = round(x - sprite.width / 2), round(y - sprite.height / 2)
    sprite.position = (left + sprite.width / 2, bottom + sprite.height / 2)
