"""WEC's board: a state as sprites, the highlights on it, and what a point on it means."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, TypeVar

import arcade

from cloakboard.client import choose, textures, theme
from cloakboard.client.boards import wec_geometry as geometry
from cloakboard.client.boards.wec_figures import Figure, Look, Shot, Style, look_of, token_of
from cloakboard.client.boards.wec_geometry import Frame, Spot
from cloakboard.client.canvas import Box
from cloakboard.client.choose import Click
from cloakboard.client.grid import BoardGrid, Lighting
from cloakboard.client.marks import Mark
from cloakboard.engine.wec.board import ref_of, seen
from cloakboard.engine.wec.pieces import ARTICLES, HANDED
from cloakboard.engine.wec.state import (
    AIR,
    BLACK,
    GROUND,
    SQUARES,
    SUB,
    WHITE,
    Lying,
    Piece,
    Projectile,
    State,
)

if TYPE_CHECKING:
    from cloakboard.client.canvas import Canvas, Layer
    from cloakboard.client.theme import Scale

SHOT_LIFT: Final = MappingProxyType({"R": 0.0, "S": 0.26, "T": -0.26})  # shares of a square
MARKS: Final = MappingProxyType(
    {
        "piece": Mark.REACH,
        "go": Mark.TARGET,
        "take": Mark.CAPTURE,
        "aim": Mark.SHOT,
        "along": Mark.REACH,
        "picked": Mark.SELECTED,
    }
)
ARTICLE: Final = 0.4  # of a square: width of an article that lies on the board
# What stands on the board when a standard match begins.
START_KINDS: Final = (
    "RP", "STP", "FP", "CP", "SHP", "XP", "TA", "CL", "CH", "JE", "DO", "SU", "DS", "AAA", "K", "Q",
)  # fmt: skip
HINT: Final = 0.3  # of a square: width of the badge on a target
HINTS: Final = MappingProxyType({AIR: "ui.up", GROUND: "ui.target", SUB: "ui.down"})
GHOST_ALPHA: Final = 80
GRID_MARGIN: Final = 22  # design pixels of frame around the squares, as `BoardGrid` has them
BOARD_Z: Final = -100  # below the widgets


def unit_in(room: Box, scale: Scale) -> float:
    """The side of a square of a board in a box, in pixels: what `Board.place` comes to."""
    return (min(room.width, room.height) - 2 * scale.px(GRID_MARGIN)) // geometry.SIDE


def warm(unit: float, style: Style) -> Iterator[None]:
    """Makes the pictures that a board with squares of `unit` pixels begins with, one at each
    step, so that a screen with time to spare can have them ready."""
    single = round(unit * geometry.TOKEN_BY_LEVELS[1])
    widths = (single, round(unit * geometry.TOKEN_BY_LEVELS[1] * geometry.PAIR_SHRINK))
    for kind in START_KINDS:
        for side in (BLACK, WHITE):
            for hand in ("left", "right") if kind in HANDED else ("",):
                piece = Piece(side, kind, 0, hand)
                for width in widths:
                    textures.token(token_of(piece, style), width)
                    yield
    for kind in ARTICLES:
        textures.article(kind, round(unit * ARTICLE))
        yield


def _with_frame(seen: Box, quarter: tuple[int, int], margin: float) -> Box:
    """A quarter with the frame on the two sides that are the board's."""
    right, up = quarter
    x = seen.x if right else seen.x - margin
    y = seen.y if up else seen.y - margin
    return Box(x, y, seen.width + margin, seen.height + margin)


Laid = tuple[int, int, str]  # an article's square, whether it is the first or second there, kind
T = TypeVar("T")


def _lay(layer: Layer, texture: arcade.Texture, at: tuple[float, float]) -> arcade.Sprite:
    sprite = arcade.Sprite(texture)
    textures.place(sprite, *at)
    layer.sprites.append(sprite)
    return sprite


def _drop(drawn: dict[T, arcade.Sprite], wanted: Set[T]) -> None:
    """Takes away what is drawn and not wanted any more."""
    for gone in drawn.keys() - wanted:
        drawn.pop(gone).remove_from_sprite_lists()


class Board:
    """The board in its box. `frame` says where its squares are."""

    def __init__(self, canvas: Canvas, style: Style) -> None:
        self.style = style
        self.frame = Frame(0, 0, 100)
        ground_layer = canvas.layer(BOARD_Z)
        self._grid = BoardGrid(
            ground_layer,
            geometry.SIDE,
            geometry.SIDE,
            theme.board_colours(),
            dark_first=False,  # WEC-01
        )
        self._marks, self._lying, sub, self._water, ground, air, self._above, self._hints = (
            canvas.layer(BOARD_Z + step) for step in range(1, 9)
        )
        self._levels: dict[int, Layer] = {SUB: sub, GROUND: ground, AIR: air}
        flat = (self._marks, self._lying, self._water, self._above, self._hints)
        self._layers: tuple[Layer, ...] = (ground_layer, *self._levels.values(), *flat)
        self._seen = Box(0, 0, 0, 0)
        self._figures: dict[Look, list[Figure]] = {}
        self._shots: dict[Projectile, Shot] = {}
        self._articles: dict[Laid, arcade.Sprite] = {}
        self._waters: dict[int, arcade.Sprite] = {}
        self._state: State | None = None
        self._viewer = 0
        self._visible: tuple[Piece, ...] = ()

    # Drawing ------------------------------------------------------------------------------

    @property
    def above(self) -> Layer:
        """The layer for what flies and flashes over the pieces."""
        return self._above

    def place(
        self,
        box: Box,
        scale: Scale,
        near: int,
        *,
        quarter: tuple[int, int] | None = None,
        lighting: Lighting = Lighting.LAMP,
    ) -> None:
        """Fits the board into a box with the side `near` at the bottom; show a state next.
        `quarter`: see `BoardGrid.place`."""
        self._grid.lighting = lighting
        self._grid.colours = theme.board_colours()
        numbers = [str(number) for number in range(1, geometry.SIDE + 1)]
        if near != BLACK:
            numbers.reverse()
        self._grid.place(box, scale, numbers, numbers, quarter)
        at = self._grid.box
        self.frame = Frame(at.x, at.y, at.width, near)
        self._seen, clip = at, None
        if quarter is not None:
            self._seen = box.middle(at.width / 2, at.height / 2)
            clip = _with_frame(self._seen, quarter, scale.px(GRID_MARGIN))
        for layer in self._layers:
            layer.clip = clip
        self.clear()

    @property
    def seen_box(self) -> Box:
        """The part of the window that shows squares."""
        return self._seen

    def square_under(self, x: float, y: float) -> int | None:
        """The square that is shown at a point of the window, or None."""
        if not self._seen.contains(x, y):
            return None
        return geometry.square_under(self.frame, x, y)

    def clear(self) -> None:
        """Takes every piece, article and mark away."""
        flat = (self._marks, self._lying, self._water, self._above, self._hints)
        for layer in (*self._levels.values(), *flat):
            layer.sprites.clear()
            layer.shapes.clear()
        self._figures.clear()
        self._shots.clear()
        self._articles.clear()
        self._waters.clear()
        self._state = None
        self._visible = ()

    def show(self, state: State, viewer: int, *, is_unmasked: bool = False) -> None:
        """Draws the viewer's state; only what differs from what is drawn changes. With
        `is_unmasked` every piece of a full state is drawn."""
        self._state, self._viewer = state, viewer
        self._visible = tuple(state.pieces if is_unmasked else seen(state, viewer))
        wanted: dict[Look, int] = {}
        watered: set[int] = set()
        changed: set[int] = set()  # squares with a figure that was not there before
        over: set[Look] = set()  # figures that stand, and are to be drawn over such a one
        for look in self._looks(state, viewer, is_unmasked):
            wanted[look] = wanted.get(look, 0) + 1
            square = look.piece.square
            if look.piece.level == SUB:
                watered.add(square)
            if look not in self._figures:
                changed.add(square)
            elif square in changed:
                over.add(look)
        for look in [look for look in self._figures if look not in wanted or look in over]:
            for figure in self._figures.pop(look):
                figure.remove()
        for look, count in wanted.items():
            standing = self._figures.setdefault(look, [])
            while len(standing) > count:
                standing.pop().remove()
            while len(standing) < count:
                layer = self._levels[look.piece.level]
                standing.append(Figure(layer, look, self.style))
        self._draw_water(watered)
        self._draw_lying(state.lying)
        self._draw_shots(state.projectiles)

    def _looks(self, state: State, viewer: int, is_unmasked: bool) -> Iterator[Look]:
        by_square: dict[int, list[Piece]] = {}
        for piece in self._visible:
            by_square.setdefault(piece.square, []).append(piece)
        for square, pieces in by_square.items():
            levels = tuple([piece.level for piece in pieces])
            spots = geometry.spots(self.frame, square, levels)
            for piece, spot in zip(pieces, spots, strict=True):
                yield look_of(state, piece.side if is_unmasked else viewer, piece, spot)

    def _draw_water(self, squares: set[int]) -> None:
        _drop(self._waters, squares)
        texture = textures.water(round(self.frame.unit))
        for square in sorted(squares - self._waters.keys()):
            at = geometry.centre(self.frame, square)
            self._waters[square] = _lay(self._water, texture, at)

    def _draw_lying(self, lying: Iterable[Lying]) -> None:
        places: dict[int, int] = {}
        wanted: set[Laid] = set()
        for item in lying:
            order = places.get(item.square, 0)
            places[item.square] = order + 1
            wanted.add((item.square, order, item.gear.kind))
        _drop(self._articles, wanted)
        size = round(self.frame.unit * ARTICLE)
        for square, order, kind in sorted(wanted - self._articles.keys()):
            at = self.article_at(square, order)
            sprite = _lay(self._lying, textures.article(kind, size), at)
            self._articles[square, order, kind] = sprite

    def _draw_shots(self, projectiles: tuple[Projectile, ...]) -> None:
        wanted = set(projectiles)
        for gone in [shot for shot in self._shots if shot not in wanted]:
            self._shots.pop(gone).remove()
        for projectile in projectiles:
            if projectile not in self._shots:
                shot = Shot(self._above, projectile, self.frame)
                shot.move(*self.shot_at(projectile.kind, projectile.square))
                self._shots[projectile] = shot

    def article_at(self, square: int, order: int) -> tuple[float, float]:
        """The middle of the first or second article of a square."""
        x, y = geometry.centre(self.frame, square)
        aside = self.frame.unit * (0.5 - ARTICLE / 2 - 0.02)
        return (x - aside, y + aside) if order == 0 else (x + aside, y - aside)

    def shot_at(self, kind: str, square: int) -> tuple[float, float]:
        """The middle of a projectile in a square."""
        x, y = geometry.centre(self.frame, square)
        return x, y + SHOT_LIFT[kind] * self.frame.unit

    def figure(self, piece: Piece) -> Figure | None:
        """The figure that shows a piece now."""
        for look, figures in self._figures.items():
            if look.piece == piece:
                return figures[0]
        return None

    @property
    def looks(self) -> tuple[Look, ...]:
        """All that is drawn of pieces."""
        return tuple(self._figures)

    def figures(self) -> Iterator[tuple[Look, Figure]]:
        """Every figure with its look."""
        for look, figures in self._figures.items():
            for figure in figures:
                yield look, figure

    def shot(self, projectile: Projectile) -> Shot | None:
        """What shows a projectile now."""
        return self._shots.get(projectile)

    def copy(self, piece: Piece, spot: Spot) -> Figure:
        """A figure above all others, for a piece that leaves; its maker removes it."""
        look = Look(piece, spot, 0, 0, None)
        return Figure(self._above, look, self.style)

    def mark(
        self,
        marks: Iterable[choose.Mark],
        cursor: int | None,
        below: Iterable[tuple[int, Mark]] = (),
        ghosts: Iterable[Piece] = (),
    ) -> None:
        """Highlights what can be chosen, the keyboard's cursor (a cell), `below` other squares,
        and translucently where enemies were last seen (WEC-98)."""
        self._marks.sprites.clear()
        unit = round(self.frame.unit)
        for ghost in ghosts:
            self._put_ghost(ghost)
        for square, which in below:
            self._put_mark(square, which, unit)
        self._hints.sprites.clear()
        self._hints.shapes.clear()
        for mark in marks:
            self._put_mark(mark.cell % SQUARES, MARKS[mark.kind], unit)
            if mark.kind in ("go", "take"):
                self._put_hint(mark.cell)
        if cursor is not None:
            self._put_mark(cursor % SQUARES, Mark.CURSOR, unit)

    def _put_hint(self, cell: int) -> None:
        """An arrow over a target off the Ground, and a ring over one that a piece covers."""
        level, square = divmod(cell, SQUARES)
        if level == GROUND and not self.pieces_at(square):
            return
        x, y = geometry.corner(self.frame, square)
        width = self.frame.unit * HINT
        right, top = x + self.frame.unit - width * 1.1, y + self.frame.unit - width * 1.1
        self._hints.shapes.box(
            right,
            top,
            width,
            width,
            radius=width / 2,
            border=max(1.0, width * 0.08),
            fill=theme.WELL.faded(0.9),
            edge=theme.AMBER,
        )
        size = round(width * 0.62)
        sprite = arcade.Sprite(textures.picture(HINTS[level], size))
        sprite.color = theme.AMBER
        textures.place(sprite, right + width / 2, top + width / 2)
        self._hints.sprites.append(sprite)

    def _put_ghost(self, piece: Piece) -> None:
        spot = geometry.spots(self.frame, piece.square, (piece.level,))[0]
        sprite = arcade.Sprite(textures.token(token_of(piece, self.style), round(spot.width)))
        sprite.alpha = GHOST_ALPHA
        textures.place(sprite, spot.x, spot.y)
        self._marks.sprites.append(sprite)
        self._put_mark(piece.square, Mark.GHOST, round(self.frame.unit))

    def _put_mark(self, square: int, which: Mark, size: int) -> None:
        sprite = arcade.Sprite(textures.mark(which, size))
        textures.place(sprite, *geometry.centre(self.frame, square))
        self._marks.sprites.append(sprite)

    # Pointing -----------------------------------------------------------------------------

    def pieces_at(self, square: int) -> tuple[Piece, ...]:
        """The pieces drawn in a square."""
        return tuple(piece for piece in self._visible if piece.square == square)

    def click_at(self, x: float, y: float) -> Click | None:
        """What a point means, or None beside the board."""
        square = self.square_under(x, y)
        if square is None or self._state is None:
            return None
        piece = self.piece_at(x, y)
        if piece is None:
            return Click(square)
        ref = ref_of(self._state, piece) if piece.side == self._viewer else None
        return Click(square, piece.level, ref)

    def piece_at(self, x: float, y: float) -> Piece | None:
        """The topmost piece under a point."""
        square = self.square_under(x, y)
        if square is None:
            return None
        pieces = self.pieces_at(square)
        hit = geometry.token_under(self.frame, square, tuple(p.level for p in pieces), x, y)
        return None if hit is None else pieces[hit]
