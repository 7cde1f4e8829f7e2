"""The quads of the scene, as the shader of `trid_glass` reads them; men and rods made of them."""

from __future__ import annotations

import struct
from functools import lru_cache
from typing import Final, NamedTuple

from cloakboard.client import theme
from cloakboard.client.boards import trid_space as space
from cloakboard.client.boards.trid_atlas import Patch, man_patch
from cloakboard.client.boards.trid_space import Point
from cloakboard.client.theme import Colour
from cloakboard.engine.trid.board import HEIGHT
from cloakboard.engine.trid.pieces import kind_of, side_of

# How a quad lies (see the shader): in the world; facing the camera; upright; along a line.
WORLD, FACING, UPRIGHT, ALONG = range(4)
# What is drawn on it.
PLAIN, DISC, RING, PICTURE, ROD, SHADOW, FRAME, GLOW, CORNERS, WALL = range(10)
# The order on one board.
UNDER, GROUND, MARKS, SHADE, STANDING = range(5)
TOP: Final = 99  # above every board

TALL: Final = {"K": 0.88, "Q": 0.85, "B": 0.78, "N": 0.76, "R": 0.7, "P": 0.64}
STEEL: Final = theme.colour("#9AA6BC")
WHOLE: Final = Colour(255, 255, 255)
NO_PATCH: Final = Patch(0.0, 0.0, 0.0, 0.0)
_PACK: Final = struct.Struct("<3f3f3f4f3f4B")


class Quad(NamedTuple):
    """`plane`: the height of the board that it is on or above; `order` on that board; where it
    is for its depth among what stands there; the instance as the shader reads it."""

    plane: float
    order: int
    place: Point
    data: bytes


def quad(
    plane: float,
    order: int,
    centre: Point,
    u: Point,
    v: Point,
    paint: Colour,
    *,
    shape: int = PLAIN,
    lies: int = WORLD,
    size: float = 0.0,
    patch: Patch = NO_PATCH,
) -> Quad:
    """A quad with its middle at a point, reaching `u` and `v` to both sides of it."""
    data = _PACK.pack(*centre, *u, *v, *patch, float(shape), float(lies), size, *paint)
    return Quad(plane, order, centre, data)


@lru_cache(maxsize=1024)
def man(square: int, letter: str, moved: Point, paint: Colour) -> tuple[Quad, Quad]:
    """A man's shadow, and the man."""
    kind, side = kind_of(letter), side_of(letter)
    at = space.middle(square).plus(moved)
    plane = space.level(HEIGHT[square]) + max(0.0, moved.z)
    floor = Point(at.x, at.y, at.z - moved.z + 0.02)
    dark = Colour(0, 0, 0, 150).faded(paint.a / 255)
    tall = TALL[kind] / 2
    foot = at.plus(Point(0, 0, 0.02))
    return (
        quad(plane, SHADE, floor, Point(0.44, 0, 0), Point(0, 0.44, 0), dark, shape=SHADOW),
        quad(plane, STANDING, foot, Point(tall, 0, 0), Point(0, tall, 0), paint,
             shape=PICTURE, lies=UPRIGHT, patch=man_patch(kind, side)),
    )  # fmt: skip


def rod(plane: float, foot: Point, tall: float, thick: float, paint: Colour = STEEL) -> Quad:
    """A rod that stands on a plane."""
    at = foot.plus(Point(0, 0, tall / 2))
    return quad(plane, STANDING, at, Point(thick, 0, 0), Point(0, 0, tall / 2), paint,
                shape=ROD, lies=ALONG)  # fmt: skip
