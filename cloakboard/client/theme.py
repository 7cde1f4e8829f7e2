"""How Cloakboard looks: colours, text styles, spacing, scale and fonts.

Sizes are pixels at scale 1; `Scale.px` turns them into real pixels.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import pyglet.font

from cloakboard import assets

FONTS: Final = Path(assets.__file__).parent / "fonts"


class Colour(NamedTuple):
    """Red, green, blue, opacity, each 0..255."""

    r: int
    g: int
    b: int
    a: int = 255

    def faded(self, share: float) -> Colour:
        """This colour with `share` (0..1) of its opacity."""
        return Colour(self.r, self.g, self.b, round(self.a * share))

    def mixed(self, other: Colour, share: float) -> Colour:
        """This colour with `share` (0..1) of `other` in it."""
        return Colour(*(round(a + (b - a) * share) for a, b in zip(self, other, strict=True)))


def colour(text: str, opacity: float = 1.0) -> Colour:
    """The colour written as `#rrggbb`, with an opacity of 0..1."""
    red, green, blue = bytes.fromhex(text.removeprefix("#"))
    return Colour(red, green, blue, round(255 * opacity))


CLEAR: Final = Colour(0, 0, 0, 0)

ROOM_DARK: Final = colour("#0E1420")
ROOM_LIGHT: Final = colour("#182234")
PANEL: Final = colour("#1B2639")
PANEL_RAISED: Final = colour("#243149")
PANEL_EDGE: Final = colour("#33425E")
WELL: Final = colour("#0B111C")
SHADE: Final = colour("#05080E", 0.66)

WARM: Final = colour("#F6EFE2")
TEXT: Final = colour("#E4E3E0")
TEXT_SOFT: Final = colour("#A9B4C6")
TEXT_FAINT: Final = colour("#7F8CA3")
TEXT_DARK: Final = colour("#1B1E27")

AMBER: Final = colour("#F5B942")
CORAL: Final = colour("#FF6B5E")
TEAL: Final = colour("#4FC7B5")


class Tint(StrEnum):
    """What the base of a token tells besides its side: the level it stands on."""

    GROUND = "ground"
    AIR = "air"
    SUB = "sub"


class Side(NamedTuple):
    """Colours of one side's tokens."""

    base: Colour
    rim: Colour
    figure: Colour


IVORY: Final = Side(colour("#EFE6D3"), colour("#A8946B"), colour("#2A2622"))
GRAPHITE: Final = Side(colour("#3B4150"), colour("#98A2B8"), colour("#F3EBDA"))

_AIR: Final = colour("#4E8FDC")
_DEPTH: Final = colour("#3E9E62")

SIDES: Final[dict[tuple[str, Tint], Side]] = {
    ("white", Tint.GROUND): IVORY,
    ("white", Tint.AIR): Side(colour("#C4DDF6"), colour("#5F8FC4"), colour("#15283E")),
    ("white", Tint.SUB): Side(colour("#C3E6CB"), colour("#55976B"), colour("#14301E")),
    ("black", Tint.GROUND): GRAPHITE,
    ("black", Tint.AIR): Side(colour("#274670"), colour("#7FB0EA"), colour("#E3F0FF")),
    ("black", Tint.SUB): Side(colour("#1F4B35"), colour("#6FC390"), colour("#DDF6E5")),
    ("red", Tint.GROUND): Side(colour("#B4483E"), colour("#F0A79A"), colour("#FFF1E6")),
    ("blue", Tint.GROUND): Side(colour("#3566A8"), colour("#A6C8F2"), colour("#EEF5FF")),
    ("green", Tint.GROUND): Side(colour("#3D7A55"), colour("#A9DDBB"), colour("#EFFAF2")),
    ("yellow", Tint.GROUND): Side(colour("#D7A33A"), colour("#7A5714"), colour("#2B2009")),
}
"""Token colours by the side's colour and level; sides without level tints have Ground only."""


def side_colours(side: str, tint: Tint) -> Side:
    """Colours of a side's tokens at a level; where a side has no tint, its Ground colours."""
    base = _own.get(side)
    if base is not None:
        return _worn(base, tint)
    return SIDES.get((side, tint)) or SIDES[side, Tint.GROUND]


def _worn(base: Colour, tint: Tint) -> Side:
    """A side's own colour at a level: bluish in the Air, greenish at Sub, with a rim and a figure
    that show on it."""
    cast = {Tint.GROUND: base, Tint.AIR: _AIR, Tint.SUB: _DEPTH}[tint]
    worn = base.mixed(cast, 0.38)
    is_light = 0.3 * worn.r + 0.59 * worn.g + 0.11 * worn.b > 128
    away = TEXT_DARK if is_light else WARM
    return Side(worn, worn.mixed(away, 0.45), worn.mixed(away, 0.88))


class Board(NamedTuple):
    """Colours of a board: its squares, edge and coordinates."""

    light: Colour
    dark: Colour
    edge: Colour
    label: Colour


WALNUT: Final = Board(colour("#8D7A62"), colour("#5C4C3F"), colour("#2A2320"), colour("#C7B699"))
SLATE: Final = Board(colour("#5F6F89"), colour("#3D4A62"), colour("#1C2536"), colour("#A9B4C6"))
SKY: Final = Board(colour("#6F93BC"), colour("#4A6C96"), colour("#20324A"), colour("#BAD2EE"))
DEEP: Final = Board(colour("#4F8A78"), colour("#33665A"), colour("#173630"), colour("#A9D8C8"))


class Tinted(NamedTuple):
    """What a player can colour: its name in the settings, what players read, its own colour."""

    name: str
    text: str
    colour: Colour


COLOURED: Final = (
    Tinted("board.light", "Light squares", WALNUT.light),
    Tinted("board.dark", "Dark squares", WALNUT.dark),
    Tinted("white", "White's pieces", IVORY.base),
    Tinted("black", "Black's pieces", GRAPHITE.base),
)
_own: dict[str, Colour] = {}


def recolour(colours: Mapping[str, str]) -> None:
    """Use the player's colours, by the names in `COLOURED` as `#rrggbb`; what is left out gets
    its own again. Pictures drawn before keep theirs: see `textures.forget`."""
    _own.clear()
    _own.update((one.name, colour(colours[one.name])) for one in COLOURED if one.name in colours)


def board_colours() -> Board:
    """The colours of a flat board, as the player likes them."""
    light, dark = _own.get("board.light", WALNUT.light), _own.get("board.dark", WALNUT.dark)
    if not _own:
        return WALNUT
    return Board(light, dark, dark.mixed(ROOM_DARK, 0.6), light.mixed(WARM, 0.35))


WATER: Final = colour("#2F8A78", 0.27)
"""The translucent surface that a Sub piece lies under."""


@dataclass(frozen=True, slots=True)
class TextStyle:
    """Size in pixels at scale 1, weight and colour of a text."""

    size: int
    colour: Colour = TEXT
    bold: bool = False

    def tinted(self, new: Colour) -> TextStyle:
        """The same style in another colour."""
        return TextStyle(self.size, new, self.bold)


TITLE: Final = TextStyle(44, WARM, bold=True)
HEADING: Final = TextStyle(24, WARM, bold=True)
SUBHEADING: Final = TextStyle(17, WARM, bold=True)
BODY: Final = TextStyle(15, TEXT)
STRONG: Final = TextStyle(15, WARM, bold=True)
SOFT: Final = TextStyle(14, TEXT_SOFT)
SMALL: Final = TextStyle(13, TEXT_SOFT)
TINY: Final = TextStyle(12, TEXT_FAINT)

SMALLEST: Final = 12
"""No text is smaller than this many real pixels, whatever the scale."""

GAP: Final = 8
PAD: Final = 16
RADIUS: Final = 10
CONTROL: Final = 40
"""Height of a button, a field, a list's row."""

DESIGN_SIZE: Final = (1280, 720)
GROWTH: Final = 0.75
"""How much of a larger window goes into larger things; the rest goes into more room."""


@dataclass(frozen=True, slots=True)
class Scale:
    """Real pixels per design pixel: what the window asks for times what the player likes."""

    window: float = 1.0
    user: float = 1.0

    @classmethod
    def fitting(cls, width: int, height: int, dpi_scale: float, user: float) -> Scale:
        """The scale for a window of `width` x `height` real pixels.

        `dpi_scale` is what the system reports (1 = 96 dots an inch); `user` is held to
        0.75..2. A scale is a multiple of 1/16, so that textures are reused while resizing.
        """
        fit = min(width / DESIGN_SIZE[0], height / DESIGN_SIZE[1])
        grown = 1 + max(0.0, fit - 1) * GROWTH
        wanted = min(max(grown, dpi_scale), max(fit, 1.0))
        return cls(round(wanted * 16) / 16, min(max(user, 0.75), 2.0))

    @property
    def factor(self) -> float:
        """Real pixels per design pixel."""
        return self.window * self.user

    def px(self, length: float) -> int:
        """A design length in whole real pixels."""
        return round(length * self.factor)

    def text_px(self, style: TextStyle) -> int:
        """The real height of a style, never below what can be read."""
        return max(SMALLEST, self.px(style.size))


_FAMILIES: Final = {
    "en": "Cloakboard Sans SC",
    "ko": "Cloakboard Sans KR",
    "zh-Hans": "Cloakboard Sans SC",
    "zh-Hant": "Cloakboard Sans TC",
}
_loaded: set[str] = set()
_language = ["en"]


def load_fonts(language: str = "en") -> str:
    """Make a language's fonts usable and the default; gives the family's name.

    An unknown language gets the English one. Loading twice costs nothing.
    """
    language = language if language in _FAMILIES else "en"
    family = _FAMILIES[language]
    _load(family)
    _load(f"{family} Bold")
    _language[0] = language
    return family


def _load(family: str) -> None:
    if family not in _loaded:
        pyglet.font.add_file(str(_file(family, ".ttf")))
        _loaded.add(family)


def font_file(bold: bool = False) -> Path:
    """The file of the running language's font, for drawing text into textures."""
    family = _FAMILIES[_language[0]]
    return _file(f"{family} Bold" if bold else family, ".ttf")


def face(text: str, bold: bool) -> str:
    """The font family to set `text` in: the bold one if it has every character, another
    language's if that alone has them."""
    family = _FAMILIES[_language[0]]
    if bold and _covered(f"{family} Bold").issuperset(text):
        return f"{family} Bold"
    for other in (family, *_FAMILIES.values()):
        if _covered(other).issuperset(text):
            _load(other)
            return other
    return family


def missing_characters(text: str) -> set[str]:
    """Characters of `text` that the running language's font cannot show."""
    return {char for char in text if char.isprintable()} - _covered(_FAMILIES[_language[0]])


def _file(family: str, suffix: str) -> Path:
    return FONTS / (family.replace(" ", "") + suffix)


@cache
def _covered(family: str) -> frozenset[str]:
    return frozenset(_file(family, ".txt").read_text("utf-8") + "\n\t")
