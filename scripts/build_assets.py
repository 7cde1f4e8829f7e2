"""Rebuild everything under cloakboard/assets that is derived: pictures, fonts, sounds, credits.

    uv run --group assets python scripts/build_assets.py --packages NODE_MODULES --noto FOLDER

`--packages` is a node_modules folder with @iconify-json/game-icons and @fontsource/inter;
`--noto` a folder with NotoSansCJK-Regular.ttc and NotoSansCJK-Bold.ttc. The results are
committed, so players and tests need none of this.
"""

from __future__ import annotations

import argparse
import io
import json
from pathlib import Path
from typing import Any, Final

import resvg_py
from build_fonts import build_fonts
from build_sounds import build_sounds
from PIL import Image, ImageChops

ASSETS: Final = Path(__file__).resolve().parent.parent / "cloakboard" / "assets"
TABLE: Final = Path(__file__).with_name("pictures.json")
CELLS: Final = {1: 48, 2: 96, 3: 144}
"""Side of one silhouette in pixels, by the scale of its atlas."""
COLUMNS: Final = 12
FILL: Final = 0.98
"""How much of its cell a silhouette's longer side takes at most."""
EVEN: Final = 0.80
"""The geometric mean of its sides, as a share of the cell, so that all look equally large."""
CUT: Final = 0.62
"""Size of a figure cut out of a shield, as a share of the cell."""
MASTER: Final = 576
"""Side of the picture every size is reduced from."""


def drawn(icon: dict[str, Any], rotate: int) -> Image.Image:
    """The silhouette as an opacity mask, its padding trimmed, centred in a square."""
    turn = f'<g transform="rotate({rotate} 256 256)">{icon["body"]}</g>'
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512" color="#fff" '
        f'width="{MASTER}" height="{MASTER}">{turn}</svg>'
    )
    picture = Image.open(io.BytesIO(bytes(resvg_py.svg_to_bytes(svg_string=svg))))
    mask = picture.convert("RGBA").getchannel("A")
    box = mask.getbbox()
    if box is None:
        raise ValueError("a silhouette is empty: check scripts/pictures.json")
    mask = mask.crop(box)
    factor = min(FILL / max(mask.size), EVEN / (mask.width * mask.height) ** 0.5) * MASTER
    mask = mask.resize((round(mask.width * factor), round(mask.height * factor)), Image.LANCZOS)
    return _centred(mask)


def _centred(mask: Image.Image) -> Image.Image:
    square = Image.new("L", (MASTER, MASTER))
    square.paste(mask, ((MASTER - mask.width) // 2, (MASTER - mask.height) // 2))
    return square


def silhouette(entry: dict[str, Any], icons: dict[str, Any]) -> Image.Image:
    """One row of pictures.json as a mask of MASTER x MASTER pixels."""
    mask = drawn(icons[entry["icon"]], entry.get("rotate", 0))
    if "cut" in entry:
        side = round(MASTER * CUT)
        hole = drawn(icons[entry["cut"]], 0).resize((side, side), Image.LANCZOS)
        square = Image.new("L", (MASTER, MASTER))
        square.paste(hole, ((MASTER - side) // 2, (MASTER - side) // 2 - MASTER // 20))
        mask = ImageChops.subtract(mask, square)
    return mask


def build_pictures(package: Path, target: Path) -> None:
    """Write one atlas per scale and `pictures.json`, the order of the cells in all of them."""
    table = json.loads(TABLE.read_text())["pictures"]
    icons = json.loads((package / "icons.json").read_text())["icons"]
    masks = [silhouette(entry, icons) for entry in table.values()]
    target.mkdir(parents=True, exist_ok=True)
    rows = -(-len(masks) // COLUMNS)
    for scale, cell in CELLS.items():
        atlas = Image.new("L", (COLUMNS * cell, rows * cell))
        for index, mask in enumerate(masks):
            place = (index % COLUMNS * cell, index // COLUMNS * cell)
            atlas.paste(mask.resize((cell, cell), Image.LANCZOS), place)
        atlas.save(target / f"pictures@{scale}x.png", optimize=True)
    index = {
        "cells": {str(scale): cell for scale, cell in CELLS.items()},
        "columns": COLUMNS,
        "names": list(table),
        "headings": {name: row["heading"] for name, row in table.items() if "heading" in row},
    }
    (target / "pictures.json").write_text(json.dumps(index, indent=1) + "\n")


def build_credits(target: Path) -> None:
    """Write CREDITS.md: who drew what, and under which licence each asset comes."""
    data = json.loads(TABLE.read_text())
    lines = [
        "# Credits",
        "",
        "## Pictures",
        "",
        "The silhouettes come from [game-icons.net](https://game-icons.net), licensed under",
        "[CC BY 3.0](https://creativecommons.org/licenses/by/3.0/). They were trimmed, scaled and",
        "turned into masks; the shields with a figure cut out are combinations of two icons.",
        "",
        "| icon | made by | used for |",
        "|---|---|---|",
    ]
    for icon, artist in data["artists"].items():
        uses = [k for k, row in data["pictures"].items() if icon in (row["icon"], row.get("cut"))]
        lines.append(f"| {icon} | {artist} | {', '.join(uses)} |")
    lines += [
        "",
        "Everything else that is drawn (tokens, boards, highlights) is Cloakboard's own.",
        "",
        "## Fonts",
        "",
        "Cloakboard Sans KR, SC and TC merge Inter (Copyright 2016 The Inter Project Authors) and",
        "Noto Sans CJK (Copyright 2014-2021 Adobe), both under the SIL Open Font License 1.1;",
        "its text is in `fonts/OFL.txt`.",
        "",
        "## Sounds",
        "",
        "Synthesised by `scripts/build_sounds.py`; dedicated to the public domain (CC0 1.0).",
        "",
    ]
    (target / "CREDITS.md").write_text("\n".join(lines))


def main() -> None:
    """Build what the arguments name."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--packages", type=Path, required=True)
    parser.add_argument("--noto", type=Path, required=True)
    parser.add_argument("only", nargs="*", default=["pictures", "fonts", "sounds", "credits"])
    chosen = parser.parse_args()
    steps = {
        "pictures": lambda: build_pictures(
            chosen.packages / "@iconify-json" / "game-icons", ASSETS / "pictures"
        ),
        "fonts": lambda: build_fonts(
            chosen.packages / "@fontsource" / "inter", chosen.noto, ASSETS / "fonts"
        ),
        "sounds": lambda: build_sounds(ASSETS / "sounds"),
        "credits": lambda: build_credits(ASSETS),
    }
    for step in chosen.only:
        steps[step]()


if __name__ == "__main__":
    main()
