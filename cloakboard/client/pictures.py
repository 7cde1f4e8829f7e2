"""The committed silhouettes, by name, as opacity masks of any size."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from PIL import Image

from cloakboard import assets

FOLDER: Final = Path(assets.__file__).parent / "pictures"


@lru_cache(maxsize=1)
def _index() -> dict[str, Any]:
    index: dict[str, Any] = json.loads((FOLDER / "pictures.json").read_text())
    return index


@lru_cache(maxsize=1)
def _places() -> dict[str, int]:
    return {name: place for place, name in enumerate(_index()["names"])}


@lru_cache(maxsize=3)
def _atlas(scale: str) -> Image.Image:
    return Image.open(FOLDER / f"pictures@{scale}x.png").convert("L")


def names() -> tuple[str, ...]:
    """Every silhouette there is, such as `piece.TA`, `article.FL`, `shot.sam`, `ui.save`."""
    return tuple(_places())


def natural_heading(name: str) -> float:
    """Degrees clockwise from straight up that the picture points to; 0 if it has no heading."""
    return float(_index()["headings"].get(name, 0))


def mask(name: str, size: int) -> Image.Image:
    """The silhouette as an opacity mask of `size` x `size` pixels.

    It is reduced from the smallest atlas that is large enough. An unknown name is a `KeyError`.
    """
    place = _places()[name]
    cells = _index()["cells"]
    scale = next((key for key, cell in cells.items() if cell >= size), list(cells)[-1])
    cell, columns = cells[scale], _index()["columns"]
    left, top = place % columns * cell, place // columns * cell
    figure = _atlas(scale).crop((left, top, left + cell, top + cell))
    return figure if cell == size else figure.resize((size, size), Image.Resampling.LANCZOS)
