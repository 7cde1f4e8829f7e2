"""The pictures of the scene in one sheet: men that stand up, and the short texts on the boards."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageFont

from cloakboard.client import pictures, theme
from cloakboard.client.boards.trid_look import PICTURES, Worn
from cloakboard.client.theme import Colour
from cloakboard.engine.trid.board import FILES, MAINS, PINS, RANKS

CELL: Final = 192  # pixels of a man's cell
TEXT_CELL: Final = 96
ROW: Final = 12  # cells of men, which fill the sheet's width
WIDTH: Final = ROW * CELL
TEXTS: Final = (*FILES, *(str(rank) for rank in range(RANKS)), *MAINS, *PINS)
MEN: Final = tuple((kind, side) for side in (0, 1) for kind in PICTURES)
FOOT: Final = 0.03  # of a cell, free below a man


class Patch(NamedTuple):
    """A part of the sheet: left, top, right, bottom as shares of it."""

    left: float
    top: float
    right: float
    bottom: float


def _height() -> int:
    per_row = WIDTH // TEXT_CELL
    return CELL + TEXT_CELL * -(-len(TEXTS) // per_row)


def man_patch(kind: str, side: int) -> Patch:
    """Where a man is."""
    place = MEN.index((kind, side))
    high = CELL / _height()
    return Patch(place / ROW, 0.0, (place + 1) / ROW, high)


def text_patch(text: str) -> Patch:
    """Where a text is."""
    row, column = divmod(TEXTS.index(text), WIDTH // TEXT_CELL)
    left, top = column * TEXT_CELL / WIDTH, (CELL + row * TEXT_CELL) / _height()
    return Patch(left, top, left + TEXT_CELL / WIDTH, top + TEXT_CELL / _height())


def draw(wear: Worn) -> Image.Image:
    """The whole sheet, men in the sides' colours."""
    return _drawn(wear.white, wear.black)


@lru_cache(maxsize=1)
def _drawn(*sides: theme.Side) -> Image.Image:
    sheet = Image.new("RGBA", (WIDTH, _height()))
    for place, (kind, side) in enumerate(MEN):
        sheet.paste(_man(kind, side, sides[side]), (place * CELL, 0))
    font = ImageFont.truetype(str(theme.font_file(bold=True)), round(TEXT_CELL * 0.46))
    for place, text in enumerate(TEXTS):
        row, column = divmod(place, WIDTH // TEXT_CELL)
        cell = Image.new("RGBA", (TEXT_CELL, TEXT_CELL), (255, 255, 255, 0))
        middle = TEXT_CELL / 2
        ImageDraw.Draw(cell).text((middle, middle), text, (255, 255, 255, 255), font, "mm")
        sheet.paste(cell, (column * TEXT_CELL, CELL + row * TEXT_CELL))
    return sheet


def _man(kind: str, side: int, colours: theme.Side) -> Image.Image:
    """A man as it stands: its silhouette lit from the upper left, with a dark rim."""
    large = pictures.mask(PICTURES[kind], CELL * 2)
    cut = large.crop(large.getbbox())
    height = round(CELL * (1 - 2 * FOOT - 0.04))
    width = round(cut.width * height / cut.height)
    if width > CELL * 0.94:
        width, height = round(CELL * 0.94), round(CELL * 0.94 * cut.height / cut.width)
    figure = cut.resize((width, height), Image.Resampling.LANCZOS)
    mask = Image.new("L", (CELL, CELL))
    mask.paste(figure, ((CELL - width) // 2, round(CELL * (1 - FOOT)) - height))
    rim = colours.figure if side == 0 else colours.rim
    base = colours.base
    white, black = Colour(255, 255, 255), Colour(0, 0, 0)
    picture = Image.new("RGBA", (CELL, CELL), (*rim[:3], 0))
    outline = mask.filter(ImageFilter.MaxFilter(7)).filter(ImageFilter.GaussianBlur(1.2))
    picture.paste(
        Image.new("RGBA", picture.size, rim.mixed(black, 0.3 if side == 0 else 0.0)), mask=outline
    )
    ramp = Image.linear_gradient("L").resize((CELL, CELL))
    body = Image.composite(
        Image.new("RGBA", picture.size, base.mixed(black, 0.3 if side == 0 else 0.35)),
        Image.new("RGBA", picture.size, base.mixed(white, 0.3 if side == 0 else 0.16)),
        ramp,
    )
    body.putalpha(mask)
    picture.alpha_composite(body)
    inner = ImageChops.subtract(mask, ImageChops.offset(mask, 5, 5))
    light = Image.new("RGBA", picture.size, white)
    light.putalpha(inner.point([value * (120 if side == 0 else 70) // 255 for value in range(256)]))
    picture.alpha_composite(light)
    return picture
