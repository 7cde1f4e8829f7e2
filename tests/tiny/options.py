"""What can be agreed before a match of Line."""

from __future__ import annotations

from cloakboard.engine.options import Option, Schema
from tests.tiny.pieces import CELLS

SCHEMA = Schema(
    (
        Option(name="cells", default=12, span=(12, CELLS), rule="LINE-1", text="Cells of the line"),
        Option(name="turns", default=60, span=(3, 200), rule="LINE-9", text="Turns until a draw"),
        Option(name="fuel", default=3, span=(0, 9), rule="LINE-4", text="Fuel of each seat"),
    )
)
