"""A scenario: a start position with the options it is meant for, as any game has it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec


class Scenario(msgspec.Struct, frozen=True):
    """`title` and `teaches` are for players; `options` are changes from the standard, `setup`
    the text that `Game.start` takes."""

    title: str
    teaches: str
    options: Mapping[str, Any]
    setup: str
