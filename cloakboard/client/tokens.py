"""What a piece looks like: a token with rim and silhouette, or a flat tile with its letters.

Everything here makes a PIL picture from plain values; `textures` caches them for the GPU.
"""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache
from math import cos, pi, sin
from typing import Final, NamedTuple

from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageFont

from cloakboard.client import pictures, theme
from cloakboard.client.theme import Colour, Tint


class Form(StrEnum):
    """The outline of a token, which tells its class at a glance."""

    ROUND = "round"
    SQUARE = "square"
    CROWNED = "crowned"


class Hand(StrEnum):
    """The side a piece leans to."""

    NONE = "none"
    LEFT = "left"
    RIGHT = "right"


class PieceSet(StrEnum):
    """The two sets of pieces."""

    DETAILED = "detailed"
    SIMPLE = "simple"


class Token(NamedTuple):
    """Everything that decides how one piece is drawn.

    `picture` names a silhouette; `letters` is what the simple set writes instead.
    """

    picture: str
    letters: str
    side: str
    form: Form = Form.SQUARE
    hand: Hand = Hand.NONE
    tint: Tint = Tint.GROUND
    set: PieceSet = PieceSet.DETAILED
    has_patterns: bool = False


ROUND_CODES: Final = frozenset({"FP", "RP", "STP", "CP", "SOP", "XP", "SHP"})
CROWNED_CODES: Final = frozenset({"K", "DI", "AV", "PR", "Q", "AS", "AC", "PM"})


def wec_token(
    code: str,
    side: str,
    *,
    hand: Hand = Hand.NONE,
    tint: Tint = Tint.GROUND,
    set: PieceSet = PieceSet.DETAILED,
    has_patterns: bool = False,
) -> Token:
    """The token of a Weaponized Chess piece by its code (section 3 of its rules)."""
    form = Form.SQUARE
    if code in ROUND_CODES:
        form = Form.ROUND
    elif code in CROWNED_CODES:
        form = Form.CROWNED
    return Token(f"piece.{code}", code, side, form, hand, tint, set, has_patterns)


LEAN_DEGREES: Final = 9
_FIGURE: Final = {Form.ROUND: 0.70, Form.SQUARE: 0.76, Form.CROWNED: 0.72}
"""The silhouette's side as a share of the token's."""
_MARGIN: Final = 0.05
_DEPTH: Final = 0.055
"""How thick a token is, as a share of its size."""
_DOUBLINGS: Final = (1, 2, 4)
"""Shares of the depth by which the outline is shifted over itself, to draw the side wall."""


def _supersampling(size: int) -> int:
    return 4 if size <= 56 else 3


def _outline(form: Form, box: tuple[float, float, float, float]) -> list[tuple[float, float]]:
    """The corners of an octagon with its top point up; only CROWNED needs corners."""
    left, top, right, bottom = box
    x, y, r = (left + right) / 2, (top + bottom) / 2, (right - left) / 2
    return [(x + r * sin(pi / 8 + k * pi / 4), y - r * cos(pi / 8 + k * pi / 4)) for k in range(8)]


def _shape(
    form: Form, size: int, grow: float, shift: float, factor: int, radius: float = 0.25
) -> Image.Image:
    """The form as a mask of `size * factor`, inset by `grow` and moved down by `shift` (shares)."""
    side = size * factor
    picture = Image.new("L", (side, side))
    draw = ImageDraw.Draw(picture)
    edge = side * (_MARGIN + grow)
    height = side * shift
    base = side * _DEPTH
    box = (edge, edge - base / 2 + height, side - 1 - edge, side - 1 - edge - base / 2 + height)
    if form is Form.ROUND:
        draw.ellipse(box, fill=255)
    elif form is Form.SQUARE:
        inset = side * 0.015
        box = (box[0] + inset, box[1] + inset, box[2] - inset, box[3] - inset)
        draw.rounded_rectangle(box, side * max(0.02, radius - grow), fill=255)
    else:
        wide = side * 0.035
        box = (box[0] - wide, box[1] - wide, box[2] + wide, box[3] + wide)
        draw.polygon(_outline(form, box), fill=255)
    return picture


def _gradient(size: int, top: Colour, bottom: Colour) -> Image.Image:
    ramp = Image.linear_gradient("L").resize((size, size))
    return Image.composite(
        Image.new("RGBA", (size, size), bottom), Image.new("RGBA", (size, size), top), ramp
    )


def _paint(canvas: Image.Image, mask: Image.Image, paint: Image.Image | Colour) -> None:
    """Lay a colour, or a picture of the canvas's size, over the canvas where the mask is."""
    if isinstance(paint, Image.Image):
        layer = paint.copy()
    else:
        layer = Image.new("RGBA", canvas.size, paint)
        if paint[3] < 255:
            mask = mask.point([value * paint[3] // 255 for value in range(256)])
    layer.putalpha(mask)
    canvas.alpha_composite(layer)


def _pattern(tint: Tint, side: int, share: float = 0.09) -> Image.Image:
    """Hatching that tells a level without colour: slanted for Air, level for Sub."""
    picture = Image.new("L", (side, side))
    draw = ImageDraw.Draw(picture)
    step = max(4, round(side * share))
    width = max(1, step // 4)
    if tint is Tint.AIR:
        for x in range(-side, side, step):
            draw.line([(x, side), (x + side, 0)], fill=255, width=width)
    elif tint is Tint.SUB:
        for y in range(0, side, step):
            draw.line([(0, y), (side, y)], fill=255, width=width)
    return picture


@lru_cache(maxsize=64)
def _base(form: Form, side: str, tint: Tint, size: int, has_patterns: bool) -> Image.Image:
    """The token without its silhouette."""
    factor = _supersampling(size)
    full = size * factor
    colours = theme.side_colours(side, tint)
    picture = Image.new("RGBA", (full, full))
    body = _shape(form, size, 0, 0, factor)
    black, white = Colour(0, 0, 0), Colour(255, 255, 255)
    lower = body
    for step in _DOUBLINGS:
        reach = factor * max(1, round(size * _DEPTH)) * step // sum(_DOUBLINGS)
        lower = ImageChops.lighter(lower, ImageChops.offset(lower, 0, reach))
    _paint(picture, lower, colours.rim.mixed(black, 0.55))
    _paint(
        picture,
        body,
        _gradient(full, colours.rim.mixed(white, 0.25), colours.rim.mixed(black, 0.12)),
    )
    face = _shape(form, size, 0.045, 0, factor)
    _paint(
        picture,
        face,
        _gradient(full, colours.base.mixed(white, 0.13), colours.base.mixed(black, 0.17)),
    )
    if has_patterns:
        hatch = ImageChops.multiply(_pattern(tint, full), face)
        _paint(picture, hatch, colours.figure.faded(0.22))
    inner = ImageChops.subtract(face, _shape(form, size, 0.06, 0.006, factor))
    _paint(picture, inner, white.faded(0.22 if sum(colours.base[:3]) < 384 else 0.6))
    if form is Form.CROWNED:
        ring = ImageChops.subtract(
            _shape(form, size, 0.085, 0, factor), _shape(form, size, 0.105, 0, factor)
        )
        _paint(picture, ring, colours.rim.faded(0.85))
    return picture.resize((size, size), Image.Resampling.LANCZOS)


def _silhouette(token: Token, size: int) -> Image.Image:
    """The token's figure, mirrored for a left hand, as a mask of the token's size."""
    side = round(size * _FIGURE[token.form])
    figure = pictures.mask(token.picture, side)
    if token.hand is Hand.LEFT:
        figure = figure.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
    mask = Image.new("L", (size, size))
    mask.paste(figure, ((size - side) // 2, round((size - side - size * _DEPTH) / 2)))
    return mask


def draw_token(token: Token, size: int) -> Image.Image:
    """The token as a picture of `size` x `size` pixels, without its shadow."""
    if token.set is PieceSet.SIMPLE:
        return _draw_tile(token, size)
    colours = theme.side_colours(token.side, token.tint)
    picture = _base(token.form, token.side, token.tint, size, token.has_patterns).copy()
    figure = _silhouette(token, size)
    glow = ImageChops.offset(figure, 0, max(1, size // 56))
    light = sum(colours.base[:3]) > 384
    _paint(picture, glow, Colour(255, 255, 255, 120) if light else Colour(0, 0, 0, 140))
    _paint(picture, figure, colours.figure)
    return _leaning(picture, token, size)


def _draw_tile(token: Token, size: int) -> Image.Image:
    factor = _supersampling(size)
    full = size * factor
    colours = theme.side_colours(token.side, token.tint)
    picture = Image.new("RGBA", (full, full))
    _paint(picture, _shape(token.form, size, 0, 0, factor, 0.16), colours.rim)
    face = _shape(token.form, size, 0.04, 0, factor, 0.16)
    _paint(picture, face, colours.base)
    if token.has_patterns:
        _paint(
            picture,
            ImageChops.multiply(_pattern(token.tint, full), face),
            colours.figure.faded(0.2),
        )
    height = {1: 0.5, 2: 0.4}.get(len(token.letters), 0.3)
    font = _font(round(full * height))
    middle = (full / 2, full / 2 - full * _DEPTH / 2)
    ImageDraw.Draw(picture).text(middle, token.letters, colours.figure, font, "mm")
    return _leaning(picture.resize((size, size), Image.Resampling.LANCZOS), token, size)


def _leaning(picture: Image.Image, token: Token, size: int) -> Image.Image:
    """The picture leaning to its hand, with a bar on that side of the rim."""
    if token.hand is Hand.NONE:
        return picture
    is_left = token.hand is Hand.LEFT
    colours = theme.side_colours(token.side, token.tint)
    factor = 4
    bar = Image.new("RGBA", (size * factor, size * factor))
    x = size * factor * (0.125 if is_left else 0.875)
    half, height = size * factor * 0.022, size * factor * 0.17
    y = size * factor * (0.5 - _DEPTH / 2)
    ImageDraw.Draw(bar).rounded_rectangle(
        (x - half, y - height, x + half, y + height), half, fill=colours.figure
    )
    picture = picture.copy()
    picture.alpha_composite(bar.resize((size, size), Image.Resampling.LANCZOS))
    turn = LEAN_DEGREES if is_left else -LEAN_DEGREES
    return picture.rotate(turn, Image.Resampling.BICUBIC)


def draw_shadow(form: Form, size: int, height: float) -> Image.Image:
    """The soft shadow of a token raised by `height` (0 on the board, 1 in the air).

    The picture is 1.5 times the token's size, so that the blur fits.
    """
    full = round(size * 1.5)
    mask = Image.new("L", (full, full))
    body = _shape(form, size, 0.01, 0, 1)
    mask.paste(body, ((full - size) // 2, (full - size) // 2))
    blur = size * (0.045 + 0.05 * height)
    strength = 0.62 - 0.2 * height
    soft = mask.filter(ImageFilter.GaussianBlur(blur)).point(lambda value: int(value * strength))
    return Image.merge("RGBA", (*(Image.new("L", (full, full), c) for c in (4, 6, 12)), soft))


def forget() -> None:
    """Draw tokens anew from now on."""
    _base.cache_clear()


@lru_cache(maxsize=32)
def _font(size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(theme.font_file(bold=True)), size)
