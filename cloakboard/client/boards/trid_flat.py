"""The flat view: every board side by side, squares in line by file, main boards also by rank.

Each main board has its column of six files, with its four pins above and below it, so that
no square covers another. Pixels have their origin at the bottom left.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import arcade

from cloakboard.client import motion, textures, theme
from cloakboard.client.boards.trid_look import Hit, Look, token, worn
from cloakboard.client.canvas import Box
from cloakboard.client.marks import Mark
from cloakboard.client.widgets import Text, text_width
from cloakboard.engine.trid.board import (
    BLACK,
    BOARD,
    FILE,
    FILES,
    FIRST_PIN_SQUARE,
    MAIN_SIZE,
    MAIN_SQUARES,
    MAINS,
    PIN_SQUARES,
    PINS,
    RANK,
    SQUARES,
    WHITE,
    WIDTH,
    is_attack,
    is_dark,
    pin_of,
)
from cloakboard.engine.trid.events import BoardMoved, Moved
from cloakboard.engine.trid.pieces import EMPTY
from cloakboard.engine.trid.state import placement
from cloakboard.engine.trid.text import MAIN_NAMES

if TYPE_CHECKING:
    from cloakboard.client.canvas import Canvas
    from cloakboard.client.motion import Animator
    from cloakboard.client.theme import Scale
    from cloakboard.engine.events import Event
    from cloakboard.engine.trid.state import State

# Lengths in squares.
GAP: Final = 0.7  # between the columns of two main boards
APART: Final = 1.3  # how far an attack board is moved out of its place, along its file
ACROSS: Final = len(MAINS) * WIDTH + (len(MAINS) - 1) * GAP
UPWARD: Final = 10 + 2 * APART
MARGIN: Final = 0.3
BETWEEN: Final = 1.9  # at most, of a name that stands between two pins
TAB: Final = (0.86, 0.46)  # width and height of a board's name, by which it is picked

TOKEN: Final = 0.84
GHOST_ALPHA: Final = 130
MOVE_MS: Final = 220
BOARD_Z: Final = -100


@dataclass(frozen=True, slots=True)
class Flat:
    """The flat view on the screen: its corner, the side of a square, whose side is near."""

    left: float = 0.0
    bottom: float = 0.0
    unit: float = 40.0
    near: int = WHITE

    def box(self, x: float, y: float, width: float, height: float) -> Box:
        """A rectangle given in squares as White sees them, in pixels."""
        if self.near == BLACK:
            x, y = ACROSS - x - width, UPWARD - y - height
        unit = self.unit
        return Box(self.left + x * unit, self.bottom + y * unit, width * unit, height * unit)


def fitted(room: Box, near: int) -> Flat:
    """The largest flat view in a box, its squares in whole pixels."""
    unit = int(min(room.width / (ACROSS + 2 * MARGIN), room.height / (UPWARD + 2 * MARGIN)))
    box = room.middle(round(ACROSS * unit), round(UPWARD * unit))
    return Flat(box.x, box.y, max(1, unit), near)


def main_corner(main: int) -> tuple[float, float]:
    """The lower left corner of a main board, in squares from the view's corner."""
    return main * (WIDTH + GAP) + 1, 1 + 2 * main + APART


def pin_corner(pin: int) -> tuple[float, float]:
    """The same for the place of an attack board."""
    first = FIRST_PIN_SQUARE + PIN_SQUARES * pin
    out = -APART if is_lower(pin) else APART
    return (pin // 4) * (WIDTH + GAP) + FILE[first], RANK[first] + out + APART


def is_lower(pin: int) -> bool:
    """Whether a pin is at the end of its main board that is nearer to White."""
    return pin // 2 % 2 == 0


def square_box(flat: Flat, square: int) -> Box:
    """Where a square is."""
    if is_attack(square):
        pin = pin_of(square)
        first = FIRST_PIN_SQUARE + PIN_SQUARES * pin
        x, y = pin_corner(pin)
    else:
        first = BOARD[square] * MAIN_SQUARES
        x, y = main_corner(BOARD[square])
    return flat.box(x + FILE[square] - FILE[first], y + RANK[square] - RANK[first], 1, 1)


def pin_box(flat: Flat, pin: int) -> Box:
    """Where an attack board stands or could stand."""
    return flat.box(*pin_corner(pin), 2, 2)


def tab_box(flat: Flat, pin: int) -> Box:
    """Where the name of a pin stands: beside its board, on the inner side."""
    x, y = pin_corner(pin)
    width, height = TAB
    across = x + 2.05 if pin % 2 == 0 else x - 0.05 - width
    up = y + 0.08 if is_lower(pin) else y + 2 - 0.08 - height
    return flat.box(across, up, width, height)


def hit(flat: Flat, pins: int, x: float, y: float) -> Hit:
    """What a point means while the pins of the set `pins` hold boards."""
    for square in range(SQUARES):
        if square_box(flat, square).contains(x, y):
            if not is_attack(square):
                return Hit(square)
            pin = pin_of(square)
            return Hit(square, pin) if pins >> pin & 1 else Hit(None, pin)
    for pin in range(len(PINS)):
        if tab_box(flat, pin).contains(x, y):
            return Hit(None, pin)
    return Hit()


class FlatBoard:
    """The flat view as shapes, sprites and labels."""

    def __init__(self, canvas: Canvas) -> None:
        self.flat = Flat()
        self._scale: Scale | None = None
        self._worn = worn()
        self._base, self._marks, self._men, self._above = (
            canvas.layer(BOARD_Z + step) for step in range(4)
        )
        self._labels: list[Text] = []
        self._pins = -1
        self._sprites: dict[int, tuple[str, arcade.Sprite]] = {}
        self._look: Look | None = None
        self._carried: int | None = None

    def show(self, is_visible: bool) -> None:
        """Whether it is drawn."""
        for layer in (self._base, self._marks, self._men, self._above):
            layer.is_visible = is_visible

    def place(self, box: Box, scale: Scale, near: int) -> None:
        """Fits it into a box with the side `near` at the bottom; give it a look next."""
        flat = fitted(box, near)
        if (flat, scale, worn()) != (self.flat, self._scale, self._worn):
            self.flat, self._scale, self._worn = flat, scale, worn()
            self._pins = -1
            self._sprites.clear()
            self._men.sprites.clear()

    def hit(self, x: float, y: float) -> Hit:
        """What a point means."""
        return hit(self.flat, max(0, self._pins), x, y)

    def centre(self, square: int) -> tuple[float, float]:
        """The middle of a square."""
        return square_box(self.flat, square).centre

    def set(self, look: Look) -> None:
        """Draws a look; only what differs changes."""
        if look == self._look and self._pins >= 0:
            return
        self._look = look
        pins = placement(look.state)
        if pins != self._pins:
            self._pins = pins
            self._draw_boards(look.state)
        self._draw_men(look.state)
        self._draw_marks(look)

    # Boards -------------------------------------------------------------------------------

    def _draw_boards(self, state: State) -> None:
        self._base.shapes.clear()
        for text in self._labels:
            text.delete()
        self._labels = []
        unit = self.flat.unit
        assert self._scale is not None
        for main, paint in enumerate(self._worn.boards):
            box = self.flat.box(*main_corner(main), MAIN_SIZE, MAIN_SIZE)
            self._frame(box, paint)
            for square in range(main * MAIN_SQUARES, (main + 1) * MAIN_SQUARES):
                self._square(square, paint)
            title = Box(box.x, box.top + unit * 0.72, box.width, unit * 0.5)
            self._label(MAINS[main], title, theme.SUBHEADING, paint.label)
            name = MAIN_NAMES[main]
            if text_width(name, theme.TINY, self._scale) <= BETWEEN * unit:
                title = title._replace(y=box.top + unit * 0.3)
                self._label(name, title, theme.TINY, paint.label)
        for pin in range(len(PINS)):
            if self._pins >> pin & 1:
                paint = self._worn.boards[pin // 4]
                self._frame(pin_box(self.flat, pin), paint)
                for square in range(PIN_SQUARES):
                    self._square(FIRST_PIN_SQUARE + PIN_SQUARES * pin + square, paint)
            else:
                self._free(pin)
            self._tab(pin)

    def _frame(self, box: Box, paint: theme.Board) -> None:
        edge = max(2.0, self.flat.unit * 0.07)
        outer = box.inset(-edge)
        self._base.shapes.box(
            outer.x, outer.y - edge * 2, outer.width, outer.height, radius=edge * 2,
            blur=edge * 4, fill=theme.SHADE,
        )  # fmt: skip
        self._base.shapes.box(
            *outer, radius=edge * 1.5, fill=paint.edge.mixed(theme.WARM, 0.12),
            border=1, edge=paint.edge.mixed(theme.WARM, 0.3),
        )  # fmt: skip

    def _square(self, square: int, paint: theme.Board) -> None:
        box = square_box(self.flat, square)
        colour = paint.dark if is_dark(square) else paint.light
        self._base.shapes.box(
            *box, fill=colour.mixed(theme.WARM, 0.1), fill_bottom=colour.mixed(theme.WARM, 0.03)
        )
        ink = paint.light.mixed(theme.WARM, 0.75) if is_dark(square) else paint.edge
        for text, x, y in _corner_labels(self.flat, square, box):
            label = Text(self._base, theme.TINY.tinted(ink))
            assert self._scale is not None
            self._labels.append(label.set(text, self._scale, x, y))

    def _free(self, pin: int) -> None:
        box = pin_box(self.flat, pin).inset(self.flat.unit * 0.1)
        self._base.shapes.box(
            *box, radius=self.flat.unit * 0.16, border=max(1.0, self.flat.unit * 0.03),
            edge=theme.PANEL_EDGE.faded(0.55), fill=theme.WELL.faded(0.22),
        )  # fmt: skip

    def _tab(self, pin: int) -> None:
        box = tab_box(self.flat, pin)
        stands = bool(self._pins >> pin & 1)
        paint = self._worn.boards[pin // 4]
        self._base.shapes.box(
            *box, radius=box.height / 2, border=1 if stands else 0,
            fill=paint.edge.mixed(theme.WARM, 0.12) if stands else theme.CLEAR,
            edge=paint.edge.mixed(theme.WARM, 0.35),
        )  # fmt: skip
        ink = theme.WARM if stands else theme.TEXT_FAINT.faded(0.8)
        self._label(PINS[pin], box, theme.TINY, ink)

    def _label(self, text: str, box: Box, style: theme.TextStyle, ink: theme.Colour) -> None:
        assert self._scale is not None
        label = Text(self._base, style.tinted(ink))
        self._labels.append(
            label.set(text, self._scale, box.x, box.centre[1], width=box.width, align="center")
        )

    # Men and marks ------------------------------------------------------------------------

    def _draw_men(self, state: State) -> None:
        for square, (letter, sprite) in list(self._sprites.items()):
            if state.men[square] != letter:
                sprite.remove_from_sprite_lists()
                del self._sprites[square]
        for square, letter in enumerate(state.men):
            if letter != EMPTY and square not in self._sprites:
                sprite = self._man(letter, square)
                self._men.sprites.append(sprite)
                self._sprites[square] = (letter, sprite)

    def _man(self, letter: str, square: int) -> arcade.Sprite:
        sprite = arcade.Sprite(textures.token(token(letter), round(self.flat.unit * TOKEN)))
        textures.place(sprite, *self.centre(square))
        return sprite

    def _draw_marks(self, look: Look) -> None:
        marks, shapes = self._marks.sprites, self._marks.shapes
        marks.clear()
        shapes.clear()
        above = self._above
        above.sprites.clear()
        above.shapes.clear()
        unit = self.flat.unit
        for square, mark in look.marks:
            layer = above if mark is Mark.CAPTURE else self._marks
            self._put(layer.sprites, mark, square)
        for pin in look.pins:
            is_aimed = pin == look.aimed
            shapes.box(
                *pin_box(self.flat, pin).inset(unit * 0.04), radius=unit * 0.16,
                border=max(2.0, unit * 0.06), edge=theme.AMBER,
                fill=theme.AMBER.faded(0.34 if is_aimed else 0.14),
            )  # fmt: skip
        if look.picked_pin is not None:
            above.shapes.box(
                *pin_box(self.flat, look.picked_pin).inset(-unit * 0.1), radius=unit * 0.16,
                border=max(2.0, unit * 0.08), edge=theme.AMBER,
            )  # fmt: skip
        for square, letter in look.ghosts:
            ghost = self._man(letter, square)
            ghost.alpha = 215 if look.aimed is not None else GHOST_ALPHA
            above.sprites.append(ghost)
        self._draw_way(look.way)
        if look.cursor is not None:
            self._put(above.sprites, Mark.CURSOR, look.cursor)

    def _draw_way(self, way: tuple[int, ...]) -> None:
        unit = self.flat.unit
        points = [self.centre(square) for square in way]
        for start, end in pairwise(points):
            for width, paint in ((0.13, theme.WELL.faded(0.5)), (0.06, theme.AMBER.faded(0.85))):
                self._above.shapes.line(start, end, max(2.0, unit * width), paint)
        for x, y in points[1:-1]:
            dot = unit * 0.22
            self._above.shapes.box(
                x - dot / 2, y - dot / 2, dot, dot, radius=dot / 2, fill=theme.AMBER,
                border=1, edge=theme.WELL,
            )  # fmt: skip

    def _put(self, sprites: arcade.SpriteList[arcade.Sprite], mark: Mark, square: int) -> None:
        sprite = arcade.Sprite(textures.mark(mark, round(self.flat.unit)))
        textures.place(sprite, *self.centre(square))
        sprites.append(sprite)

    def carry(self, square: int, x: float, y: float) -> None:
        """The man of a square goes with the pointer at (x, y); the next look puts it back."""
        if square in self._sprites:
            textures.place(self._sprites[square][1], x, y)
            self._carried = square

    def put_down(self) -> None:
        """What is carried is where it belongs."""
        square, self._carried = self._carried, None
        if square is not None and square in self._sprites:
            textures.place(self._sprites[square][1], *self.centre(square))

    # Motion -------------------------------------------------------------------------------

    def play(self, event: Event, animator: Animator) -> float:
        """Shows an event that the drawn state is the outcome of; its length in milliseconds."""
        travels = list(self._travels(event))
        for square, origin in travels:
            sprite = self._sprites[square][1]
            start, end = self.centre(origin), self.centre(square)

            def step(
                share: float,
                sprite: arcade.Sprite = sprite,
                start: tuple[float, float] = start,
                end: tuple[float, float] = end,
            ) -> None:
                textures.place(
                    sprite,
                    start[0] + (end[0] - start[0]) * share,
                    start[1] + (end[1] - start[1]) * share,
                )

            animator.add(MOVE_MS, step, ease=motion.ease_in_out, is_essential=True)
        return MOVE_MS * motion.SPEED[animator.amount] if travels else 0.0

    def _travels(self, event: Event) -> Iterator[tuple[int, int]]:
        match event:
            case Moved(origin=origin, target=target) if target in self._sprites:
                yield target, origin
            case BoardMoved(pin=pin, to=to, turned=turned):
                for place in range(PIN_SQUARES):
                    start = FIRST_PIN_SQUARE + PIN_SQUARES * pin + place
                    end = FIRST_PIN_SQUARE + PIN_SQUARES * to + (3 - place if turned else place)
                    if end in self._sprites:
                        yield end, start


def _corner_labels(flat: Flat, square: int, box: Box) -> Iterator[tuple[str, float, float]]:
    """The rank on the squares of a board's left edge, the file on those of its near edge."""
    first = BOARD[square] * MAIN_SQUARES
    width = MAIN_SIZE
    if is_attack(square):
        first, width = FIRST_PIN_SQUARE + PIN_SQUARES * pin_of(square), 2
    file, rank = FILE[square] - FILE[first], RANK[square] - RANK[first]
    if flat.near == BLACK:
        file, rank = width - 1 - file, width - 1 - rank
    if file == 0:
        yield str(RANK[square]), box.x + flat.unit * 0.06, box.top - flat.unit * 0.16
    if rank == 0:
        yield FILES[FILE[square]], box.right - flat.unit * 0.2, box.y + flat.unit * 0.14
