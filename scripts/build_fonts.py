"""The game's fonts: Inter and Noto Sans CJK merged into one family per language.

Inter gives Latin, Greek and Cyrillic (its tabular digits are the default, so clocks do not
jitter); Noto Sans CJK gives Hangul and Hanzi in the shapes of the language. One font holds
all that one label can need, since the text renderer does not fall back within a line.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from fontTools.fontBuilder import FontBuilder
from fontTools.pens.cu2quPen import Cu2QuPen
from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.pens.transformPen import TransformPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTCollection, TTFont

UNITS: Final = 2048
"""Units per em of the result: Inter's, so that its outlines stay as drawn."""

INTER_SUBSETS: Final = ("latin", "latin-ext", "greek", "cyrillic")
CJK_FACES: Final = {"ko": 1, "zh-Hans": 2, "zh-Hant": 3}
FAMILIES: Final = {
    "ko": "Cloakboard Sans KR",
    "zh-Hans": "Cloakboard Sans SC",
    "zh-Hant": "Cloakboard Sans TC",
}
WEIGHTS: Final = {"Regular": (400, "Regular"), "Bold": (600, "Bold")}
"""Our weight: Inter's file weight and the style of Noto's collection."""

COPYRIGHT: Final = (
    "Copyright 2016 The Inter Project Authors. Copyright 2014-2021 Adobe, with Reserved Font "
    "Name 'Source'. Merged and subset for Cloakboard under the SIL Open Font License 1.1."
)


def _decoded(codec: str, leads: Iterable[int], trails: Iterable[int]) -> set[int]:
    found = set()
    for lead in leads:
        for trail in trails:
            try:
                found.add(ord(bytes((lead, trail)).decode(codec)))
            except (UnicodeDecodeError, TypeError):
                continue
    return found


HANGUL: Final = _decoded("euc_kr", range(0xB0, 0xC9), range(0xA1, 0xFF))
"""The 2350 syllables of KS X 1001."""
HANZI_SIMPLE: Final = _decoded("gb2312", range(0xB0, 0xD8), range(0xA1, 0xFF))
"""The 3755 hanzi of GB 2312's first level."""
HANZI_FULL: Final = _decoded("big5", range(0xA4, 0xC7), (*range(0x40, 0x7F), *range(0xA1, 0xFF)))
"""The 5401 hanzi of Big5's first level."""
MARKS: Final = {
    *range(0x2010, 0x2028),
    *range(0x2190, 0x219A),
    *range(0x2460, 0x2474),
    *range(0x3000, 0x3020),
    *range(0x3131, 0x318F),
    *range(0xFF01, 0xFF5F),
    *map(ord, "•…′″‹›※×÷±≈≠≤≥∞■□▲△▶▼▽◀◆◇○●★☆♔♕♚♛✓✕"),
}

WANTED: Final = {
    ("ko", "Regular"): HANGUL | HANZI_SIMPLE | MARKS,
    ("zh-Hans", "Regular"): HANGUL | HANZI_SIMPLE | HANZI_FULL | MARKS,
    ("zh-Hant", "Regular"): HANGUL | HANZI_SIMPLE | HANZI_FULL | MARKS,
    ("ko", "Bold"): HANGUL | MARKS,
    ("zh-Hans", "Bold"): HANZI_SIMPLE | MARKS,
    ("zh-Hant", "Bold"): HANZI_FULL | MARKS,
}


class _Merger:
    """Collects glyphs of several fonts into one TrueType font."""

    def __init__(self) -> None:
        self.glyphs: dict[str, object] = {}
        self.metrics: dict[str, tuple[int, int]] = {}
        self.cmap: dict[int, str] = {}

    def add(self, font: TTFont, name: str, target: str) -> None:
        glyphs = font.getGlyphSet()
        scale = UNITS / font["head"].unitsPerEm
        pen = TTGlyphPen(None)
        outline = Cu2QuPen(pen, max_err=1.0, reverse_direction="CFF " in font)
        flat = DecomposingRecordingPen(glyphs)
        glyphs[name].draw(flat)
        flat.replay(TransformPen(outline, (scale, 0, 0, scale, 0, 0)))
        glyph = pen.glyph()
        self.glyphs[target] = glyph
        self.metrics[target] = (round(glyphs[name].width * scale), 0)

    def add_characters(self, font: TTFont, codes: Iterable[int], swaps: Mapping[str, str]) -> None:
        names = font.getBestCmap()
        for code in sorted(codes):
            if code in self.cmap or code not in names:
                continue
            target = f"u{code:05X}"
            self.add(font, swaps.get(names[code], names[code]), target)
            self.cmap[code] = target


def _tabular_digits(font: TTFont) -> dict[str, str]:
    """Glyph name to its tabular form, as Inter's `tnum` feature maps them."""
    table = font["GSUB"].table
    swaps: dict[str, str] = {}
    for record in table.FeatureList.FeatureRecord:
        if record.FeatureTag != "tnum":
            continue
        for index in record.Feature.LookupListIndex:
            for subtable in table.LookupList.Lookup[index].SubTable:
                inner = getattr(subtable, "ExtSubTable", subtable)
                swaps.update(getattr(inner, "mapping", {}))
    return {name: swaps[name] for name in swaps if name in font.getGlyphSet()}


def build_fonts(inter: Path, noto: Path, target: Path) -> None:
    """Write six fonts, a text file beside each with the characters it holds, and the licence.

    `inter` is the unpacked package @fontsource/inter, `noto` a folder with NotoSansCJK-*.ttc.
    """
    target.mkdir(parents=True, exist_ok=True)
    for (language, weight), wanted in WANTED.items():
        inter_weight, noto_style = WEIGHTS[weight]
        merger = _Merger()
        for subset in INTER_SUBSETS:
            font = TTFont(inter / "files" / f"inter-{subset}-{inter_weight}-normal.woff2")
            if not merger.glyphs:
                merger.add(font, ".notdef", ".notdef")
            merger.add_characters(font, font.getBestCmap(), _tabular_digits(font))
        collection = TTCollection(noto / f"NotoSansCJK-{noto_style}.ttc", lazy=True)
        merger.add_characters(collection.fonts[CJK_FACES[language]], wanted, {})
        family = FAMILIES[language] + ("" if weight == "Regular" else " Bold")
        path = target / (family.replace(" ", "") + ".ttf")
        _write(merger, family, path)
        path.with_suffix(".txt").write_text("".join(map(chr, sorted(merger.cmap))), "utf-8")
    _, _, licence = (inter / "LICENSE").read_text().partition("This Font Software")
    (target / "OFL.txt").write_text(f"{COPYRIGHT}\n\nThis Font Software{licence}")


def _write(merger: _Merger, family: str, path: Path) -> None:
    builder = FontBuilder(UNITS, isTTF=True)
    builder.setupGlyphOrder([".notdef", *(name for name in merger.glyphs if name != ".notdef")])
    builder.setupCharacterMap(merger.cmap)
    builder.setupGlyf(merger.glyphs)
    boxes = builder.font["glyf"]
    metrics = {
        name: (width, getattr(boxes[name], "xMin", 0) or 0)
        for name, (width, _) in merger.metrics.items()
    }
    builder.setupHorizontalMetrics(metrics)
    builder.setupHorizontalHeader(ascent=1984, descent=-494)
    builder.setupNameTable(
        {
            "copyright": COPYRIGHT,
            "familyName": family,
            "styleName": "Regular",
            "uniqueFontIdentifier": f"{family}; Cloakboard",
            "fullName": family,
            "psName": family.replace(" ", ""),
            "version": "Version 1.0",
            "licenseDescription": "SIL Open Font License 1.1",
            "licenseInfoURL": "https://openfontlicense.org",
        }
    )
    builder.setupOS2(
        sTypoAscender=1984,
        sTypoDescender=-494,
        usWinAscent=1984,
        usWinDescent=494,
        usWeightClass=400,
    )
    builder.setupPost(keepGlyphNames=False)
    builder.font["head"].created = builder.font["head"].modified = 0
    builder.font.recalcTimestamp = False
    builder.save(path)
