"""Choosing a square by typing its row and column, such as `4,7` or `10,2`."""

from __future__ import annotations

import re
from typing import Final

from cloakboard.engine.wec.state import square_at

_WHOLE: Final = re.compile(r"(10|[1-9]),(10|[1-9])")
_BEGUN: Final = re.compile(r"(10|[1-9])?(,(10|[1-9])?)?")


def typed(before: str, key: str) -> str:
    """What has been typed after one more key: a digit or a comma (a point counts as one). A
    key that cannot go on begins anew."""
    key = "," if key in ",.;" else key
    for text in (before + key, key):
        if text != "," and _BEGUN.fullmatch(text):
            return text
    return ""


def square_typed(text: str) -> int | None:
    """The square that a typed text names, or None while it names none."""
    match = _WHOLE.fullmatch(text)
    return square_at(int(match[1]), int(match[2])) if match else None
