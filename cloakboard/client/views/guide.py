"""The guide: what to know about a game, its pieces and articles, with the ways they move."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from cloakboard.client import textures, theme
from cloakboard.client.boards import wec_geometry as geometry
from cloakboard.client.boards.wec_geometry import Frame
from cloakboard.client.canvas import Box
from cloakboard.client.guide import GUIDES, Entry
from cloakboard.client.tokens import Hand, wec_token
from cloakboard.client.views.page import GameChoice, Offer, Page
from cloakboard.client.widgets import Label, List, Row, ScrollArea, Widget
from cloakboard.engine.registry import game
from cloakboard.engine.wec.movement import BOTH, QUIET, TAKE, movement_of, ways
from cloakboard.engine.wec.options import Values
from cloakboard.engine.wec.pieces import HANDED, HOME
from cloakboard.engine.wec.state import AIR, GROUND, SQUARES, SUB, WHITE

if TYPE_CHECKING:
    from cloakboard.client.widgets import Stage
    from cloakboard.client.window import CloakWindow

HERE: Final = 54  # 6,5: a square from which most ways end on the board
LIST: Final = 250  # design pixels
DIAGRAM: Final = 400
LEGEND: Final = (
    "Dots: moves. Rings: moves and takes. Squares: takes only. Blue: in the air. "
    "Green: under water."
)


def reached(kind: str, options: Values, level: int = GROUND) -> dict[int, int]:
    """Cells a White piece of a kind comes to from the square in the middle of an empty board,
    with QUIET, TAKE or BOTH; the right hand of a handed one."""
    movement = movement_of(options)
    hand = "right" if kind in HANDED else ""
    found: dict[int, int] = {}
    for way in ways(movement, kind, hand, False, WHITE, level * SQUARES + HERE):
        cell = way.end.bit_length() - 1
        found[cell] = way.mode if found.get(cell, way.mode) == way.mode else BOTH
    return found


class Diagram(Widget):
    """A small board with a piece in its middle and where it can go."""

    def __init__(self, stage: Stage, options: Values) -> None:
        super().__init__(stage)
        self._options = options
        self._kind = ""
        self._squares = [self.shape() for _ in range(51)]
        self._marks = [self.shape(z=1) for _ in range(2 * SQUARES)]
        self._token = self.icon()

    def show_kind(self, kind: str) -> None:
        """Draws the moves of that piece."""
        self._kind = kind
        self.refresh()

    def paint(self) -> None:
        """Squares, marks, the piece."""
        for shape in (*self._squares, *self._marks):
            shape.visible = False
        self._token.visible = bool(self._kind) and self.is_visible
        edge = min(self.box.width, self.box.height) // geometry.SIDE * geometry.SIDE
        if not self._kind or not edge:
            return
        for shape in self._squares:
            shape.visible = self.is_visible
        frame = Frame(round(self.box.x), round(self.box.top - edge), edge, WHITE)
        self._paint_squares(frame)
        self._paint_marks(frame)
        token = wec_token(
            self._kind, "white", hand=Hand.RIGHT if self._kind in HANDED else Hand.NONE
        )
        x, y = geometry.corner(frame, HERE)
        self._token.texture = textures.token(token, round(frame.unit))
        self._token.size = (round(frame.unit), round(frame.unit))
        textures.place(self._token, x + frame.unit / 2, y + frame.unit / 2)

    def _paint_squares(self, frame: Frame) -> None:
        ground, *dark = self._squares
        ground.set(
            x=frame.left, y=frame.bottom, width=frame.edge, height=frame.edge,
            fill=theme.WALNUT.light,
        )  # fmt: skip
        squares = (s for s in range(SQUARES) if sum(geometry.row_column(s)) % 2)
        for square, shape in zip(squares, dark, strict=True):
            x, y = geometry.corner(frame, square)
            shape.set(x=x, y=y, width=frame.unit, height=frame.unit, fill=theme.WALNUT.dark)

    def _paint_marks(self, frame: Frame) -> None:
        shapes = iter(self._marks)
        home = next((level for level, kinds in HOME.items() if self._kind in kinds), GROUND)
        cells = reached(self._kind, self._options)
        if home == AIR and self._kind == "JE":
            cells |= reached(self._kind, self._options, AIR)
        paints = {GROUND: theme.AMBER, AIR: theme.SKY.light, SUB: theme.TEAL}
        for cell, mode in sorted(cells.items()):
            level, square = divmod(cell, SQUARES)
            x, y = geometry.corner(frame, square)
            shift = {GROUND: 0.0, AIR: 0.26, SUB: -0.26}[level] * frame.unit
            size = frame.unit * (0.30 if mode == QUIET else 0.44) * (1.0 if not shift else 0.75)
            middle = (x + frame.unit / 2 + shift, y + frame.unit / 2 + shift)
            paint = theme.CORAL if mode == TAKE else paints[level]
            shape = next(shapes)
            shape.visible = self.is_visible
            shape.set(
                x=middle[0] - size / 2, y=middle[1] - size / 2, width=size, height=size,
                radius=0 if mode == TAKE else size / 2,
                border=0 if mode == QUIET else max(2.0, size * 0.24),
                fill=paint if mode == QUIET else theme.CLEAR, edge=paint,
            )  # fmt: skip


class GuideScreen(Page):
    """What there is to look up on the left, the chosen page on the right."""

    width = 1040
    height = 660

    def __init__(
        self,
        window: CloakWindow,
        game_id: str,
        options: Mapping[str, Any] | None = None,
        offer: Offer | None = None,
        first: str = "",
    ) -> None:
        """`options`: those of the match, or the standard ones; `first`: title of the page that
        is open at first."""
        super().__init__(window, "Guide")
        here = game(game_id)
        self.entries = GUIDES[game_id]
        self.choice = GameChoice(self.stage, here, offer or Offer())
        self.list = List(
            self.stage,
            [Row(entry.title, icon=entry.picture, accent=theme.AMBER) for entry in self.entries],
            row_height=38,
            on_select=self._show,
        )
        self.title = Label(self.stage, "", theme.SUBHEADING)
        self.scroll = ScrollArea(self.stage)
        self.text = Label(self.stage, "", theme.BODY, wrap=True, layer=self.scroll.content)
        self.diagram = Diagram(self.stage, tuple(here.options.complete(options or {}).items()))
        self.legend = Label(self.stage, LEGEND, theme.SMALL, wrap=True)
        titles = [entry.title for entry in self.entries]
        self.list.select(titles.index(first) if first in titles else 0, tells=False)
        self.stage.set_focus(self.list)
        self._show(self.list.selected or 0)

    @property
    def entry(self) -> Entry:
        """The page that is open."""
        return self.entries[self.list.selected or 0]

    def _show(self, index: int) -> None:
        entry = self.entries[index]
        self.title.say(entry.title)
        self.text.say(entry.text)
        self.diagram.show_kind(entry.kind)
        if self.window.top is self:
            self.arrange(self.window.box)

    def fill(self, box: Box) -> None:
        """The list, and beside it the page."""
        px = self.px
        rest = self.choice.place(box, px(40), px(12))
        left, right = rest.cut_left(px(LIST), px(24))
        self.list.place(left)
        head, page = right.cut_top(px(34), px(8))
        self.title.place(head)
        self.legend.show(bool(self.entry.kind))
        if self.entry.kind:
            height = min(px(DIAGRAM), page.height * 0.76)
            note = self.legend.natural_height(page.width)
            foot, page = page.cut_bottom(height + note + px(8), px(12))
            self.legend.place(Box(foot.x, foot.y, foot.width, note))
            self.diagram.place(Box(foot.x, foot.y + note + px(8), height, height))
        self.scroll.place(page)
        inner = self.scroll.content_box
        height = self.text.natural_height(inner.width)
        self.text.place(Box(inner.x, inner.top - height, inner.width, height))
        self.scroll.set_content_height(height)
