"""The scene: glass boards on a stand under a lamp, men that stand up, seen from anywhere above.

Everything is a quad of one batch, drawn from the farthest to the nearest: board by board from
below, and on each board what lies before what stands. The camera is above every board, so
that this order is right without a depth buffer, and glass over glass is seen through.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from cloakboard.client import motion, theme
from cloakboard.client.boards import trid_space as space
from cloakboard.client.boards.trid_atlas import text_patch
from cloakboard.client.boards.trid_glass import Glass
from cloakboard.client.boards.trid_look import Hit, Look, worn
from cloakboard.client.boards.trid_quads import (
    ALONG,
    CORNERS,
    DISC,
    FACING,
    FRAME,
    GLOW,
    GROUND,
    MARKS,
    PICTURE,
    PLAIN,
    RING,
    SHADOW,
    STANDING,
    TOP,
    UNDER,
    WALL,
    WHOLE,
    Quad,
    man,
    quad,
    rod,
)  # fmt: skip
from cloakboard.client.boards.trid_space import Camera, Point
from cloakboard.client.canvas import Box
from cloakboard.client.marks import Mark
from cloakboard.client.theme import Colour
from cloakboard.engine.trid.board import (
    FILE,
    FILES,
    FIRST_PIN_SQUARE,
    MAIN_SIZE,
    MAIN_SQUARES,
    MAINS,
    PIN_SQUARES,
    PINS,
    RANK,
    WHITE,
    gathered,
    is_attack,
    is_dark,
    pin_of,
)
from cloakboard.engine.trid.events import BoardMoved, Moved
from cloakboard.engine.trid.pieces import EMPTY
from cloakboard.engine.trid.state import placement

if TYPE_CHECKING:
    from arcade import ArcadeContext

    from cloakboard.client.canvas import Canvas
    from cloakboard.client.motion import Animator
    from cloakboard.client.theme import Scale
    from cloakboard.engine.events import Event
    from cloakboard.engine.trid.state import State

GLASS: Final = (0.62, 0.5)  # opacity of a main board's squares, and of an attack board's
THICK: Final = 0.09
MOVE_MS: Final = 240
LIFT: Final = 0.35  # of a man that is dragged
MARK_PAINTS: Final = {
    Mark.LAST: (FRAME, theme.AMBER.faded(0.75), 0.09),
    Mark.THREAT: (PLAIN, theme.CORAL.faded(0.75), 0.0),
    Mark.SELECTED: (PLAIN, theme.AMBER.faded(0.6), 0.0),
    Mark.TARGET: (DISC, theme.AMBER.faded(0.95), 0.0),
    Mark.CAPTURE: (CORNERS, theme.AMBER, 0.16),
    Mark.REACH: (DISC, theme.WARM.faded(0.55), 0.0),
}
_X: Final = Point(1.0, 0.0, 0.0)
_Y: Final = Point(0.0, 1.0, 0.0)
_NONE: Final = Point(0.0, 0.0, 0.0)


class SceneBoard:
    """The scene in its box."""

    def __init__(self, ctx: ArcadeContext, canvas: Canvas) -> None:
        self.camera = space.camera_of(WHITE)
        self.box = Box(0, 0, 1, 1)
        self._near: int | None = None
        self._worn = worn()
        self._look: Look | None = None
        self._quads: list[Quad] = []
        self._built: object = None  # what the boards that are kept were made for
        self._boards_kept: list[Quad] = []
        self._standing: tuple[tuple[int, Quad], ...] = ()
        self._moving: dict[int, Point] = {}  # by square: how far a man is from it
        self._sliding: dict[int, Point] = {}  # by pin: how far its board is from it
        self.glass = Glass(ctx, self._arrange)
        canvas.add(self.glass)

    def show(self, is_visible: bool) -> None:
        """Whether it is drawn."""
        self.glass.is_visible = is_visible

    def place(self, box: Box, scale: Scale, near: int) -> None:
        """Fits it into a box; the camera goes to the side `near` when that changes."""
        self.box = self.glass.box = box
        self._worn = self.glass.wear = worn()
        if near != self._near:
            self._near = near
            self.reset()
        self._moving.clear()
        self._sliding.clear()
        self._rebuild()

    def hit(self, x: float, y: float) -> Hit:
        """What a point of the window means."""
        look = self._look
        if look is None:
            return Hit()
        men = gathered(square for square, one in enumerate(look.state.men) if one != EMPTY)
        found = space.hits(self.camera, self.box, x, y, placement(look.state), men)
        return space.chosen(found, look.wanted)

    def set(self, look: Look) -> None:
        """Shows a look."""
        if look != self._look:
            self._look = look
            self._rebuild()

    def carry(self, square: int, x: float, y: float) -> None:
        """The man of a square hovers over what the pointer at (x, y) is on."""
        over = self.hit(x, y).square
        way = _NONE if over is None else space.middle(over).plus(space.middle(square), -1)
        self._moving[square] = way.plus(Point(0, 0, LIFT))
        self._rebuild()

    def put_down(self) -> None:
        """What is carried is where it belongs."""
        if self._moving:
            self._moving.clear()
            self._rebuild()

    # The camera ---------------------------------------------------------------------------

    def orbit(self, yaw: float, pitch: float) -> None:
        """Moves the camera around the boards, by radians."""
        self.camera = self.camera.turned(yaw, -pitch if pitch else 0.0)
        self.glass.is_stale = True

    def zoom(self, steps: float) -> None:
        """Brings the camera nearer."""
        self.camera = self.camera.nearer(steps)
        self.glass.is_stale = True

    def reset(self) -> None:
        """Puts the camera where it was at the beginning."""
        self.camera = space.camera_of(WHITE if self._near is None else self._near)
        self.glass.is_stale = True

    def _arrange(self) -> tuple[Camera, bytes]:
        """The camera and all quads from the farthest to the nearest."""
        camera = self.camera
        eye, gaze = camera.eye, camera.gaze
        far = -(eye.x * gaze.x + eye.y * gaze.y + eye.z * gaze.z)

        def key(one: Quad) -> tuple[float, int, float]:
            plane, order, place, _ = one
            if order != STANDING:
                return plane, order, 0.0
            depth = place[0] * gaze.x + place[1] * gaze.y + place[2] * gaze.z + far
            return plane, order, -depth

        return camera, b"".join(one.data for one in sorted(self._quads, key=key))

    # What there is ------------------------------------------------------------------------

    def _rebuild(self) -> None:
        look = self._look
        if look is None:
            return
        built = (look.state.boards, self._near, self._worn, tuple(self._sliding.items()))
        if built != self._built:
            self._built = built
            self._boards_kept = [*self._stand(look.state), *self._boards(look)]
        self._quads = [*self._boards_kept, *self._marks(look), *self._men(look)]
        self._quads += self._way(look.way)
        self.glass.is_stale = True

    def _stand(self, state: State) -> Iterator[Quad]:
        """The foot on the table, and the rods that carry the boards."""
        foot = Point(space.CENTRE.x, 3.0, -0.95)
        dark = theme.colour("#2B3448")
        yield quad(-9, UNDER, foot.plus(Point(0, 0, -0.02)), Point(4.6, 0, 0), Point(0, 4.6, 0),
                   Colour(0, 0, 0, 130), shape=SHADOW)  # fmt: skip
        yield quad(-8, UNDER, foot.plus(Point(0, 0, -0.14)), Point(2.3, 0, 0), Point(0, 2.3, 0),
                   dark.mixed(Colour(0, 0, 0), 0.45), shape=DISC)  # fmt: skip
        yield quad(-7, UNDER, foot, Point(2.3, 0, 0), Point(0, 2.3, 0), dark, shape=DISC)
        yield quad(-7, GROUND, foot, Point(2.3, 0, 0), Point(0, 2.3, 0),
                   theme.AMBER.faded(0.4), shape=RING, size=0.03)  # fmt: skip
        x = space.CENTRE.x
        yield rod(-6, Point(x, 2.5, -0.95), 0.95, 0.11)
        for main in range(len(MAINS) - 1):
            z = space.level(2 + 2 * main)
            for step in range(2):
                at = Point(x, 3.5 + 2 * main, z + step * space.STEP)
                yield rod(z + step * space.STEP, at, space.STEP, 0.08)
        for one in state.boards:
            corner = _corner(one.pin)
            yield rod(corner.z, corner, space.STEP - THICK, 0.06)

    def _boards(self, look: Look) -> Iterator[Quad]:
        for main in range(len(MAINS)):
            first = main * MAIN_SQUARES
            yield from self._board(first, MAIN_SIZE, self._worn.boards[main], _NONE)
        held = placement(look.state)
        for pin in range(len(PINS)):
            if held >> pin & 1:
                first = FIRST_PIN_SQUARE + PIN_SQUARES * pin
                paint = self._worn.boards[pin // 4]
                yield from self._board(first, 2, paint, self._sliding.get(pin, _NONE))
                yield self._name(pin)
            else:
                at = _corner(pin)
                yield _lying(at, 0.015, 0.1, theme.TEXT_FAINT.faded(0.8), RING, 0.3)

    def _board(self, first: int, width: int, paint: theme.Board, moved: Point) -> Iterator[Quad]:
        """A board: its shadowy lower face, walls, rim and squares."""
        corner = space.middle(first)
        z = corner.z + moved.z
        reach = width / 2 + space.EDGE
        middle = Point(corner.x + (width - 1) / 2, corner.y + (width - 1) / 2, corner.z)
        middle = middle.plus(moved)
        below = middle.plus(Point(0, 0, -THICK))
        rim = paint.edge.mixed(theme.WARM, 0.16).faded(0.9)
        yield quad(z, UNDER, below, Point(reach, 0, 0), Point(0, reach, 0), rim.faded(0.35))
        for side in (-1, 1):
            half = Point(0, 0, THICK / 2)
            for out, along in ((_X, _Y), (_Y, _X)):
                at = middle.plus(out, side * reach).plus(Point(0, 0, -THICK / 2))
                yield quad(z, UNDER, at, Point(along.x * reach, along.y * reach, 0), half,
                           rim.mixed(theme.WARM, 0.1), shape=WALL)  # fmt: skip
        yield quad(z, UNDER, middle, Point(reach, 0, 0), Point(0, reach, 0),
                   paint.light.mixed(theme.WARM, 0.3).faded(0.95), shape=FRAME,
                   size=space.EDGE / reach)  # fmt: skip
        for square in range(first, first + width * width):
            shade = paint.dark if is_dark(square) else paint.light.mixed(theme.WARM, 0.12)
            at = space.middle(square).plus(moved)
            yield quad(
                z,
                GROUND,
                at,
                Point(0.5, 0, 0),
                Point(0, 0.5, 0),
                shade.faded(GLASS[is_attack(square)]),
            )
        yield from self._coordinates(first, width, moved, paint)

    def _coordinates(
        self, first: int, width: int, moved: Point, paint: theme.Board
    ) -> Iterator[Quad]:
        """Files along the near edge, ranks along the left one, as the near side reads them."""
        sign = 1 if self._near in (None, WHITE) else -1
        u, v = Point(0.23 * sign, 0, 0), Point(0, 0.23 * sign, 0)
        ink = theme.WARM
        corner = space.middle(first)
        z = corner.z + moved.z
        low = -0.38 if sign > 0 else width - 1 + 0.38
        for step in range(width):
            file, rank = FILES[FILE[first] + step], str(RANK[first] + step)
            at = Point(corner.x + step + 0.36 * sign, corner.y + low, corner.z)
            yield quad(z, MARKS, at.plus(moved), u, v, ink, shape=PICTURE, patch=text_patch(file))
            at = Point(corner.x + low, corner.y + step + 0.36 * sign, corner.z)
            yield quad(z, MARKS, at.plus(moved), u, v, ink, shape=PICTURE, patch=text_patch(rank))

    def _name(self, pin: int) -> Quad:
        """The pin's name, beside its board."""
        aside = -1.35 if pin % 2 == 0 else 1.35
        at = space.pin_middle(pin).plus(Point(aside, 0, 0))
        at = at.plus(self._sliding.get(pin, _NONE))
        return quad(at.z, STANDING, at, Point(0.34, 0, 0), Point(0, 0.34, 0),
                    theme.WARM.faded(0.85), shape=PICTURE, lies=FACING,
                    patch=text_patch(PINS[pin]))  # fmt: skip

    def _marks(self, look: Look) -> Iterator[Quad]:
        for square, mark in look.marks:
            shape, paint, size = MARK_PAINTS[mark]
            reach = {DISC: 0.2 if mark is Mark.TARGET else 0.12}.get(shape, 0.5)
            yield self._on(square, reach, paint, shape, size)
            if mark is Mark.TARGET:
                yield self._on(square, 0.5, theme.AMBER.faded(0.32))
                yield self._on(square, 0.5, theme.AMBER.faded(0.9), FRAME, 0.06)
        for pin in look.pins:
            at = space.pin_middle(pin)
            is_aimed = pin == look.aimed
            for shape, size, share in ((PLAIN, 0.0, 0.4 if is_aimed else 0.16), (FRAME, 0.06, 1)):
                yield quad(at.z, MARKS, at, Point(1, 0, 0), Point(0, 1, 0),
                           theme.AMBER.faded(share), shape=shape, size=size)  # fmt: skip
            yield rod(_corner(pin).z, _corner(pin), space.STEP, 0.05, theme.AMBER.faded(0.6))
            yield self._name(pin)
        if look.picked_pin is not None:
            at = space.pin_middle(look.picked_pin)
            reach = 1 + space.EDGE
            yield _lying(at, 0.01, reach, theme.AMBER, FRAME, 0.09)
        if look.cursor is not None:
            white = Colour(255, 255, 255)
            yield self._on(look.cursor, 0.5, white, FRAME, 0.11)
            at = space.middle(look.cursor)
            yield quad(TOP, STANDING, at, Point(0.5, 0, 0), Point(0, 0.5, 0), white.faded(0.35),
                       shape=FRAME, size=0.11)  # fmt: skip

    def _on(
        self, square: int, reach: float, paint: Colour, shape: int = PLAIN, size: float = 0.0
    ) -> Quad:
        return _lying(space.middle(square), 0.012, reach, paint, shape, size)

    def _men(self, look: Look) -> Iterator[Quad]:
        for square, letter in enumerate(look.state.men):
            if letter != EMPTY:
                moved = self._moving.get(square, _NONE)
                if is_attack(square) and not moved.z:
                    moved = moved.plus(self._sliding.get(pin_of(square), _NONE))
                yield from man(square, letter, moved, WHOLE)
        yield from self._seen_through(look)
        for square, letter in look.ghosts:
            ghost = Colour(255, 226, 150, 225 if look.aimed is not None else 140)
            yield from man(square, letter, _NONE, ghost)

    def _seen_through(self, look: Look) -> Iterator[Quad]:
        """What is picked, once more over everything, so that no board dims it."""
        picked = [square for square, mark in look.marks if mark is Mark.SELECTED]
        if look.picked_pin is not None:
            first = FIRST_PIN_SQUARE + PIN_SQUARES * look.picked_pin
            picked += range(first, first + PIN_SQUARES)
            at = space.pin_middle(look.picked_pin)
            reach = 1 + space.EDGE
            yield quad(TOP, UNDER, at, Point(reach, 0, 0), Point(0, reach, 0),
                       theme.AMBER.faded(0.6), shape=FRAME, size=0.05)  # fmt: skip
        for square in picked:
            letter = look.state.men[square]
            if letter != EMPTY:
                figure = man(square, letter, _NONE, theme.WARM.faded(0.75))[1]
                yield figure._replace(plane=TOP, order=UNDER)

    def _way(self, way: tuple[int, ...]) -> Iterator[Quad]:
        """The way of a move through the levels, over everything."""
        points = [space.middle(square).plus(Point(0, 0, 0.08)) for square in way]
        for width, paint in ((0.11, theme.WELL.faded(0.55)), (0.05, theme.AMBER)):
            for start, end in pairwise(points):
                middle = Point(*((a + b) / 2 for a, b in zip(start, end, strict=True)))
                half = Point(*((b - a) / 2 for a, b in zip(start, end, strict=True)))
                yield quad(TOP, GROUND, middle, half, Point(0, width, 0), paint, shape=GLOW,
                           lies=ALONG)  # fmt: skip
        for point in points:
            for reach, paint in ((0.13, theme.WELL.faded(0.6)), (0.09, theme.AMBER)):
                yield quad(TOP, MARKS, point, Point(reach, 0, 0), Point(0, reach, 0), paint,
                           shape=DISC, lies=FACING)  # fmt: skip

    # Motion -------------------------------------------------------------------------------

    def play(self, event: Event, animator: Animator) -> float:
        """Shows an event that the shown state is the outcome of; its length in milliseconds."""
        travels = dict(_travels(event))
        if not travels and not isinstance(event, BoardMoved):
            return 0.0

        def step(share: float) -> None:
            left = 1 - share
            for square, way in travels.items():
                lift = 0.5 * motion.there_and_back(min(max(share, 0.0), 1.0))
                self._moving[square] = Point(way.x * left, way.y * left, way.z * left + lift)
            if isinstance(event, BoardMoved):
                way = space.pin_middle(event.pin).plus(space.pin_middle(event.to), -1)
                self._sliding[event.to] = Point(way.x * left, way.y * left, way.z * left)
            self._rebuild()

        def done() -> None:
            self._moving.clear()
            self._sliding.clear()
            self._rebuild()

        animator.add(MOVE_MS, step, ease=motion.ease_in_out, is_essential=True, on_done=done)
        return MOVE_MS * motion.SPEED[animator.amount]


def _travels(event: Event) -> Iterator[tuple[int, Point]]:
    """By square where a man stands now: how far away it began."""
    match event:
        case Moved(origin=origin, target=target):
            yield target, space.middle(origin).plus(space.middle(target), -1)
        case BoardMoved(pin=pin, to=to, turned=turned):
            for place in range(PIN_SQUARES):
                start = FIRST_PIN_SQUARE + PIN_SQUARES * pin + place
                end = FIRST_PIN_SQUARE + PIN_SQUARES * to + (3 - place if turned else place)
                yield end, space.middle(start).plus(space.middle(end), -1)


def _lying(at: Point, lift: float, reach: float, paint: Colour, shape: int, size: float) -> Quad:
    """A mark that lies a little above a board."""
    u, v = Point(reach, 0, 0), Point(0, reach, 0)
    lifted = at.plus(Point(0, 0, lift))
    return quad(at.z, MARKS, lifted, u, v, paint, shape=shape, size=size)


def _corner(pin: int) -> Point:
    """The corner of a main board on which a pin is."""
    return space.pin_middle(pin).plus(Point(0, 0, -space.STEP))
