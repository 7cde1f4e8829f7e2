"""Where the parts of the table are, for any window."""

from __future__ import annotations

from typing import NamedTuple

from cloakboard.client.canvas import Box
from cloakboard.client.theme import Scale

BAR: float = 58
STATUS: float = 34
TOP: float = 42
PANEL_LEAST: float = 330
PANEL_MOST: float = 480
PAD: float = 12


class TableLayout(NamedTuple):
    """Boxes in real pixels: menu strip above, board left, panel right, status and bar below."""

    top: Box
    board: Box
    panel: Box
    status: Box
    bar: Box


def arrange(window: Box, scale: Scale, panel_most: float = PANEL_MOST) -> TableLayout:
    """The board as large as the height allows; what is left of the width goes to the panel, up
    to `panel_most` design pixels."""
    px = scale.px
    pad = px(PAD)
    top, rest = window.cut_top(px(TOP))
    height = rest.height - px(BAR) - px(STATUS) - pad
    spare = rest.width - height - 3 * pad
    panel_width = min(max(spare, px(PANEL_LEAST)), px(panel_most), rest.width * 0.5)
    panel, left = rest.cut_right(round(panel_width))
    bar, above = left.cut_bottom(px(BAR))
    status, board = above.cut_bottom(px(STATUS))
    return TableLayout(
        top,
        board.inset(pad, 0),
        Box(panel.x, panel.y + pad, panel.width - pad, panel.height - pad),
        status.inset(pad, 0),
        Box(bar.x + pad, bar.y + pad / 2, max(0, bar.width - 2 * pad), bar.height - pad / 2),
    )
