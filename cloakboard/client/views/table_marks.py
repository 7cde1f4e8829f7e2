"""What is marked below the choice itself, and the badge beside the pointer."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from cloakboard.client import theme
from cloakboard.client.boards.wec_reach import reach, threatened
from cloakboard.client.canvas import Box
from cloakboard.client.choose import Choosing, marks
from cloakboard.client.marks import Mark
from cloakboard.client.steps import Who
from cloakboard.client.widgets import OVERLAY_Z, Widget
from cloakboard.engine.wec.board import ref_of
from cloakboard.engine.wec.state import SQUARES

if TYPE_CHECKING:
    from cloakboard.client.play import Play
    from cloakboard.client.widgets import Stage
    from cloakboard.engine.wec.state import Piece

HOVERED: Final = MappingProxyType({"go": Mark.REACH, "take": Mark.THREAT, "aim": Mark.THREAT})

Underlay = tuple[tuple[int, Mark], ...]


def underlay(
    play: Play, pointed: Piece | None, shows_threats: bool, shows_reserves: bool
) -> Underlay:
    """Marks below the choice: activation squares, threats, and where the piece pointed at
    could go; each a square and its mark, lowest first."""
    found: list[tuple[int, Mark]] = []
    if shows_reserves:
        squares = {reserve.square for reserve in play.state.reserves}
        found += [(square, Mark.REINFORCE) for square in sorted(squares)]
    if shows_threats:
        found += [(square, Mark.THREAT) for square in threatened(play.state, play.viewer)]
    if pointed is not None and not play.choosing.picked:
        found += _of_piece(play, pointed)
    return tuple(found)


def _of_piece(play: Play, piece: Piece) -> Underlay:
    """Where a piece could go: an own one what the chosen action allows it, an enemy one its
    moves as far as the viewer sees."""
    if piece.side != play.viewer:
        return tuple(
            (square, Mark.THREAT if takes else Mark.REACH)
            for square, takes in reach(play.state, piece)
        )
    if not play.may_act:
        return ()
    ref, verb = ref_of(play.state, piece), play.choosing.verb
    for path in play.menu.paths(verb):
        if path and isinstance(path[0], Who) and path[0].ref == ref:
            found = marks(play.menu, Choosing(verb, path[:1]))
            return tuple((m.cell % SQUARES, HOVERED[m.kind]) for m in found if m.kind in HOVERED)
    return ()


class PointerBadge(Widget):
    """A small disc beside the pointer with the left button's action."""

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage, stage.canvas.layer(OVERLAY_Z - 60))
        self._disc = self.shape()
        self._sprite = self.icon()
        self._icon_name: str | None = None
        self.show(False)

    def is_hit(self, x: float, y: float) -> bool:
        """It never takes the mouse."""
        return False

    def say(self, icon: str | None, x: float, y: float) -> None:
        """Shows an icon beside the pointer at (x, y), or nothing."""
        self._icon_name = icon
        if icon is None:
            self.show(False)
            return
        size = self.px(24)
        self.place(Box(x + self.px(12), y - self.px(12) - size, size, size))
        self.show()

    def paint(self) -> None:
        """The disc and its picture."""
        if self._icon_name is None:
            return
        x, y, width, height = self.box
        self._disc.set(
            x=x,
            y=y,
            width=width,
            height=height,
            radius=width / 2,
            border=max(1, self.px(1)),
            fill=theme.WELL.faded(0.88),
            edge=theme.AMBER.faded(0.8),
        )
        size = round(width * 0.62)
        self.set_icon(
            self._sprite, self._icon_name, size, x + width / 2, y + height / 2, theme.AMBER
        )
