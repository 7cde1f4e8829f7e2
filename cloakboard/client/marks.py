"""Badges, counters, projectiles and the highlights of a board's squares, as PIL pictures."""

from __future__ import annotations

from enum import StrEnum
from math import cos, pi, sin
from typing import Final

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from cloakboard.client import pictures, theme
from cloakboard.client.theme import Colour, colour
from cloakboard.client.tokens import _font, _gradient, _paint, _supersampling


class Mark(StrEnum):
    """What a square's highlight says."""

    TARGET = "target"
    CAPTURE = "capture"
    SHOT = "shot"
    SELECTED = "selected"
    CURSOR = "cursor"
    LAST = "last"
    REACH = "reach"
    THREAT = "threat"
    POSSIBLE = "possible"
    GHOST = "ghost"
    VEILED = "veiled"
    SEEN = "seen"
    REINFORCE = "reinforce"


_WEAPON: Final = colour("#E0684F")
_TRANSPORT: Final = colour("#5B93D6")
_CLOAK: Final = colour("#9A79D0")
_DEFENCE: Final = colour("#5AA58C")
_BOX: Final = colour("#C79A55")
ARTICLE_COLOURS: Final[dict[str, Colour]] = {
    **dict.fromkeys(("FL", "ST", "CS", "RL", "SL", "TL"), _WEAPON),
    **dict.fromkeys(("BI", "JP", "SC"), _TRANSPORT),
    **dict.fromkeys(("SH", "ASH"), _CLOAK),
    **dict.fromkeys(("AFL", "AST", "ACS", "ARL", "ASL", "ATL"), _DEFENCE),
    "XXX": _BOX,
}
"""Colours of article badges by what an article is for."""


def _reduced(picture: Image.Image, size: int) -> Image.Image:
    return picture.resize((size, size), Image.Resampling.LANCZOS)


def draw_badge(kind: str, size: int) -> Image.Image:
    """A carried article's badge: a disc, or for a defence a shield, with the article's figure."""
    return _plate(kind, size, is_round=True)


def draw_article(kind: str, size: int) -> Image.Image:
    """An article that lies on the board: a plate with cut corners, or for a defence a shield."""
    return _plate(kind, size, is_round=False)


_SHIELDED: Final = {f"A{weapon}": weapon for weapon in ("FL", "ST", "CS", "RL", "SL", "TL")}
"""Defences and the weapon each is against, whose figure its shield shows."""


def _plate(kind: str, size: int, is_round: bool) -> Image.Image:
    full = size * _supersampling(size)
    picture = Image.new("RGBA", (full, full))
    paint = ARTICLE_COLOURS[kind]
    white, black = Colour(255, 255, 255), Colour(0, 0, 0)
    face = _gradient(full, paint.mixed(white, 0.06), paint.mixed(black, 0.34))
    _paint(picture, _plate_mask(kind, full, 0.0, is_round), colour("#0B0F18"))
    _paint(picture, _plate_mask(kind, full, 0.05, is_round), paint.mixed(white, 0.45))
    _paint(picture, _plate_mask(kind, full, 0.10, is_round), face)
    picture = _reduced(picture, size)
    side = round(size * (0.62 if kind in _SHIELDED else 0.8))
    figure = Image.new("L", (size, size))
    lift = size // 16 if kind in _SHIELDED else 0
    figure.paste(
        pictures.mask(f"article.{_SHIELDED.get(kind, kind)}", side),
        ((size - side) // 2, (size - side) // 2 - lift),
    )
    _paint(picture, ImageChops.offset(figure, 0, max(1, size // 30)), black.faded(0.4))
    _paint(picture, figure, colour("#FFF8EA"))
    return picture


def _plate_mask(kind: str, full: int, inset: float, is_round: bool) -> Image.Image:
    mask = Image.new("L", (full, full))
    if kind in _SHIELDED:
        side = round(full * (1 - 2 * inset))
        shield = pictures.mask("ui.shield", side)
        wide = shield.resize((round(side * 1.28), side), Image.Resampling.LANCZOS)
        mask.paste(wide, ((full - wide.width) // 2, (full - side) // 2))
        return mask
    draw = ImageDraw.Draw(mask)
    if is_round:
        edge = full * inset
        draw.ellipse((edge, edge, full - 1 - edge, full - 1 - edge), fill=255)
    else:
        draw.polygon(_cut_corners(full, inset), fill=255)
    return mask


def _cut_corners(full: int, inset: float) -> list[tuple[float, float]]:
    low, high = full * inset, full * (1 - inset)
    cut = full * (0.2 - 0.6 * inset)
    return [
        (low + cut, low),
        (high - cut, low),
        (high, low + cut),
        (high, high - cut),
        (high - cut, high),
        (low + cut, high),
        (low, high - cut),
        (low, low + cut),
    ]


def draw_shot(kind: str, size: int) -> Image.Image:
    """A projectile (`rocket`, `sam` or `torpedo`) with a dark outline, pointing straight up."""
    name = f"shot.{kind}"
    paint = {"rocket": colour("#FFB25E"), "sam": colour("#9CCBFF"), "torpedo": colour("#8FE3B5")}
    side = round(size * 0.95)
    turned = pictures.mask(name, side * 2).rotate(
        pictures.natural_heading(name), Image.Resampling.BICUBIC
    )
    figure = Image.new("L", (size, size))
    figure.paste(
        turned.resize((side, side), Image.Resampling.LANCZOS),
        ((size - side) // 2, (size - side) // 2),
    )
    outline = figure.filter(ImageFilter.MaxFilter(2 * max(1, size // 40) + 1))
    picture = Image.new("RGBA", (size, size))
    _paint(picture, outline.filter(ImageFilter.GaussianBlur(size / 90)), colour("#0A0E16"))
    _paint(picture, figure, _gradient(size, Colour(255, 255, 255), paint[kind]))
    return picture


def draw_counter(text: str, paint: Colour, height: int) -> Image.Image:
    """A number on a pill, such as the Turns a piece stays stunned (yellow) or cools down."""
    factor = _supersampling(height)
    font = _font(round(height * factor * 0.74))
    width = max(height * factor, round(font.getlength(text)) + round(height * factor * 0.55))
    width = -(-width // factor) * factor
    full = height * factor
    picture = Image.new("RGBA", (width, full))
    draw = ImageDraw.Draw(picture)
    draw.rounded_rectangle((0, 0, width - 1, full - 1), full / 2, fill=colour("#0B0F18"))
    rim = max(factor, round(full * 0.07))
    draw.rounded_rectangle((rim, rim, width - 1 - rim, full - 1 - rim), full / 2, fill=paint)
    draw.text((width / 2, full / 2), text, theme.TEXT_DARK, font, "mm")
    return picture.resize((width // factor, height), Image.Resampling.LANCZOS)


def draw_picture(name: str, size: int) -> Image.Image:
    """A silhouette in white, to be tinted."""
    mask = pictures.mask(name, size)
    return Image.merge("RGBA", (*(Image.new("L", (size, size), 255) for _ in range(3)), mask))


def _ring(full: int, outer: float, inner: float) -> Image.Image:
    mask = Image.new("L", (full, full))
    draw = ImageDraw.Draw(mask)
    for share, fill in ((outer, 255), (inner, 0)):
        if not share:
            continue
        edge = full * (1 - share) / 2
        draw.ellipse((edge, edge, full - 1 - edge, full - 1 - edge), fill=fill)
    return mask


def _frame(full: int, inset: float, width: float, radius: float) -> Image.Image:
    mask = Image.new("L", (full, full))
    edge = full * inset
    ImageDraw.Draw(mask).rounded_rectangle(
        (edge, edge, full - 1 - edge, full - 1 - edge),
        full * radius,
        outline=255,
        width=max(1, round(full * width)),
    )
    return mask


def _corners(full: int, inset: float, width: float, length: float) -> Image.Image:
    """A frame with the middles of its sides left out."""
    mask = _frame(full, inset, width, 0.12)
    draw = ImageDraw.Draw(mask)
    low, high = full * (inset + length), full * (1 - inset - length)
    draw.rectangle((low, 0, high, full), fill=0)
    draw.rectangle((0, low, full, high), fill=0)
    return mask


def _dashed(full: int, outer: float, inner: float, dashes: int) -> Image.Image:
    mask = _ring(full, outer, inner)
    draw = ImageDraw.Draw(mask)
    middle = full / 2
    for k in range(dashes):
        angle = 2 * pi * k / dashes
        width = 2 * pi / dashes * 0.2
        points = [(middle, middle)]
        for step in range(3):
            turn = angle + width * (step - 1)
            points.append((middle + full * cos(turn), middle + full * sin(turn)))
        draw.polygon(points, fill=0)
    return mask


def _solid(full: int, radius: float) -> Image.Image:
    mask = Image.new("L", (full, full))
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, full - 1, full - 1), full * radius, fill=255)
    return mask


def _cross(full: int, reach: float, width: float) -> Image.Image:
    mask = Image.new("L", (full, full))
    draw = ImageDraw.Draw(mask)
    middle, length = full / 2, full * reach
    for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        draw.line(
            [
                (middle + dx * length * 0.45, middle + dy * length * 0.45),
                (middle + dx * length, middle + dy * length),
            ],
            fill=255,
            width=round(full * width),
        )
    return mask


_DARK: Final = colour("#1A1206", 0.55)


def draw_mark(mark: Mark, size: int) -> Image.Image:
    """The highlight of a square of `size` x `size` pixels."""
    factor = 2 if size > 80 else 3
    full = size * factor
    picture = Image.new("RGBA", (full, full))
    for mask, paint in _parts(mark, full):
        _paint(picture, mask, paint)
    return _reduced(picture, size)


def _outlined(mask: Image.Image, paint: Colour, full: int) -> list[tuple[Image.Image, Colour]]:
    """A figure with a dark edge, so that it shows on light and dark squares."""
    return [(mask.filter(ImageFilter.GaussianBlur(full * 0.012)), _DARK), (mask, paint)]


def _parts(mark: Mark, full: int) -> list[tuple[Image.Image, Colour]]:
    amber, coral, teal = theme.AMBER, theme.CORAL, theme.TEAL
    match mark:
        case Mark.TARGET:
            return [
                (_solid(full, 0.0), amber.faded(0.2)),
                *_outlined(_ring(full, 0.40, 0.0), amber, full),
                (_ring(full, 0.22, 0.0), colour("#FFE3A3")),
            ]
        case Mark.CAPTURE:
            return [
                (_solid(full, 0.0), amber.faded(0.16)),
                *_outlined(_corners(full, 0.03, 0.075, 0.26), amber, full),
            ]
        case Mark.SHOT:
            return [
                (_solid(full, 0.0), coral.faded(0.2)),
                *_outlined(
                    ImageChops.lighter(_ring(full, 0.62, 0.52), _cross(full, 0.42, 0.05)),
                    coral,
                    full,
                ),
            ]
        case Mark.SELECTED:
            return [
                (_solid(full, 0.0), amber.faded(0.42)),
                (_frame(full, 0.0, 0.04, 0.0), colour("#FFDC8A")),
            ]
        case Mark.CURSOR:
            return _outlined(_frame(full, 0.015, 0.05, 0.08), colour("#FFFFFF"), full)
        case Mark.LAST:
            return [
                (_solid(full, 0.0), amber.faded(0.17)),
                (_frame(full, 0, 0.025, 0), amber.faded(0.5)),
            ]
        case Mark.REACH:
            return _outlined(_ring(full, 0.2, 0.0), theme.WARM.faded(0.6), full)
        case Mark.THREAT:
            return [
                (_solid(full, 0.0), coral.faded(0.2)),
                (_frame(full, 0.03, 0.022, 0.04), coral.faded(0.75)),
            ]
        case Mark.POSSIBLE:
            return [
                (_solid(full, 0.0), colour("#9A79D0", 0.22)),
                (_dashed(full, 0.66, 0.56, 12), colour("#D9C7FF", 0.9)),
            ]
        case Mark.GHOST:
            return [(_dashed(full, 0.9, 0.84, 20), colour("#DCE4F2", 0.8))]
        case Mark.VEILED:
            return [
                (_dashed(full, 0.98, 0.90, 18), colour("#0B0F18", 0.7)),
                (_dashed(full, 0.97, 0.915, 18), teal),
            ]
        case Mark.SEEN:
            return [(_ring(full, 0.98, 0.92), coral.faded(0.9))]
        case Mark.REINFORCE:
            return [
                (_frame(full, 0.08, 0.03, 0.1), teal.faded(0.55)),
                (_cross(full, 0.2, 0.05), teal.faded(0.7)),
            ]


def draw_water(size: int) -> Image.Image:
    """The translucent surface over a Sub piece: it fades at the edges and carries ripples."""
    factor = 2
    full = size * factor
    mask = _solid(full, 0.12)
    soft = mask.filter(ImageFilter.GaussianBlur(full * 0.04))
    picture = Image.new("RGBA", (full, full))
    _paint(picture, soft, theme.WATER)
    draw = ImageDraw.Draw(picture)
    for row, share in enumerate((0.26, 0.52, 0.78)):
        points = [
            (
                full * (0.12 + 0.76 * step / 24),
                full * (share + 0.025 * sin(step / 24 * 4 * pi + row)),
            )
            for step in range(25)
        ]
        draw.line(points, fill=(214, 255, 240, 120), width=round(full * 0.018), joint="curve")
    return _reduced(picture, size)
