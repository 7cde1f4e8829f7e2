"""The scene of tri-dimensional chess as numbers: where squares are, the camera, what a point hits.

Pure, without a window. One unit is the side of a square: x goes along the files, y along the
ranks, z up. A square's middle is at (file, rank). Depths are along the camera's gaze.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import asin, cos, pi, sin, tan
from typing import Final, NamedTuple

from cloakboard.client.boards.trid_look import Hit, hit_of
from cloakboard.client.canvas import Box
from cloakboard.engine.trid.board import (
    BLACK,
    COLUMN,
    FILE,
    FIRST_PIN_SQUARE,
    HEIGHT,
    PIN_SQUARES,
    PINS,
    RANK,
    RANKS,
    WIDTH,
    existing,
    members,
)

STEP: Final = 0.92  # from one height to the next
LOWEST: Final = 2  # the height of White's board, TD-06
HIGHEST: Final = 7
EDGE: Final = 0.14  # of a board, around its squares
FIELD: Final = 0.6  # the camera's field of view from top to bottom, radians
CLEARANCE: Final = 0.8  # the camera stays that far above the highest board
STEEPEST: Final = 1.5  # radians
NEAREST: Final = 6.5
FARTHEST: Final = 24.0
FIGURE: Final = (0.28, 0.7)  # half the width and the height of a man, as far as a point hits it


class Point(NamedTuple):
    """A place in the scene, or a direction."""

    x: float
    y: float
    z: float

    def plus(self, other: Point, share: float = 1.0) -> Point:
        """This and a share of another."""
        return Point(self.x + other.x * share, self.y + other.y * share, self.z + other.z * share)

    def dot(self, other: Point) -> float:
        """The scalar product."""
        return self.x * other.x + self.y * other.y + self.z * other.z


CENTRE: Final = Point((WIDTH - 1) / 2, 3.9, 1.75)


def level(height: int) -> float:
    """The z of the boards at a height of 2..7."""
    return (height - LOWEST) * STEP


def middle(square: int) -> Point:
    """The middle of a square."""
    return Point(FILE[square], RANK[square], level(HEIGHT[square]))


def pin_middle(pin: int) -> Point:
    """The middle of the place of an attack board."""
    first = FIRST_PIN_SQUARE + PIN_SQUARES * pin
    return Point(FILE[first] + 0.5, RANK[first] + 0.5, level(HEIGHT[first]))


@dataclass(frozen=True, slots=True)
class Camera:
    """Looks at the middle of the boards. `yaw` 0 is White's side, pi Black's; `pitch` is how
    steeply it looks down; `distance` from what it looks at. Angles in radians."""

    yaw: float = 0.55
    pitch: float = 0.58
    distance: float = 17.5

    @property
    def eye(self) -> Point:
        """Where it is."""
        flat = cos(self.pitch) * self.distance
        return CENTRE.plus(
            Point(sin(self.yaw) * flat, -cos(self.yaw) * flat, sin(self.pitch) * self.distance)
        )

    @property
    def right(self) -> Point:
        """To the right of the picture."""
        return Point(cos(self.yaw), sin(self.yaw), 0.0)

    @property
    def gaze(self) -> Point:
        """Into the picture."""
        flat = -cos(self.pitch)
        return Point(sin(self.yaw) * flat, -cos(self.yaw) * flat, -sin(self.pitch))

    @property
    def up(self) -> Point:
        """To the top of the picture."""
        low = sin(self.pitch)
        return Point(-sin(self.yaw) * low, cos(self.yaw) * low, cos(self.pitch))

    def depth(self, point: Point) -> float:
        """How far a point lies along the gaze."""
        return point.plus(self.eye, -1).dot(self.gaze)

    def held(self) -> Camera:
        """It, above every board and not too near or far."""
        distance = min(max(self.distance, NEAREST), FARTHEST)
        least = asin(min(1.0, (level(HIGHEST) + CLEARANCE - CENTRE.z) / distance))
        pitch = min(max(self.pitch, least), STEEPEST)
        return Camera(self.yaw % (2 * pi), pitch, distance)

    def turned(self, yaw: float, pitch: float) -> Camera:
        """It, moved around the boards."""
        return replace(self, yaw=self.yaw + yaw, pitch=self.pitch + pitch).held()

    def nearer(self, steps: float) -> Camera:
        """It, so many steps of the wheel nearer."""
        return replace(self, distance=self.distance * 0.9**steps).held()


def camera_of(near: int) -> Camera:
    """Where a match begins for the side `near`. Black's boards are the upper ones: from straight
    behind they would hide the others, so Black looks from farther aside."""
    return (Camera(yaw=pi + 1.4, pitch=0.38, distance=16.0) if near == BLACK else Camera()).held()


def projected(camera: Camera, box: Box, point: Point) -> tuple[float, float]:
    """Where in a box of the window a point is seen."""
    away = point.plus(camera.eye, -1)
    scale = box.height / 2 / tan(FIELD / 2) / away.dot(camera.gaze)
    x, y = box.centre
    return x + away.dot(camera.right) * scale, y + away.dot(camera.up) * scale


def ray(camera: Camera, box: Box, x: float, y: float) -> Point:
    """The direction in which a point of the window is seen; its depth is 1."""
    per_pixel = tan(FIELD / 2) / (box.height / 2)
    middle_x, middle_y = box.centre
    across = camera.gaze.plus(camera.right, (x - middle_x) * per_pixel)
    return across.plus(camera.up, (y - middle_y) * per_pixel)


def hits(camera: Camera, box: Box, x: float, y: float, placement: int, men: int) -> tuple[Hit, ...]:
    """All that a point of the window is on, the nearest first: men (the set of their squares)
    where they stand up, squares, edges of attack boards, and free pins of the set that is left
    by `placement`."""
    if not box.contains(x, y):
        return ()
    found = [
        *_on_boards(camera, ray(camera, box, x, y), placement),
        *_on_men(camera, box, x, y, men),
    ]
    found.sort(key=lambda one: one[0])
    return tuple(dict.fromkeys(hit for _, hit in found))


def _on_boards(camera: Camera, seen: Point, placement: int) -> Iterator[tuple[float, Hit]]:
    exists = existing(placement)
    for height in range(LOWEST, HIGHEST + 1):
        depth = (level(height) - camera.eye.z) / seen.z if seen.z else -1.0
        if depth <= 0:
            continue
        at = camera.eye.plus(seen, depth)
        hit = _at(at, height, exists, placement)
        if hit is not None:
            yield depth, hit


def _at(at: Point, height: int, exists: int, placement: int) -> Hit | None:
    file, rank = round(at.x), round(at.y)
    if 0 <= file < WIDTH and 0 <= rank < RANKS:
        for square in members(exists):
            if COLUMN[square] == rank * WIDTH + file and HEIGHT[square] == height:
                return hit_of(square)
    for pin in range(len(PINS)):
        place = pin_middle(pin)
        stands = bool(placement >> pin & 1)
        room = 1 + (EDGE if stands else 0)
        if place.z == level(height) and max(abs(at.x - place.x), abs(at.y - place.y)) <= room:
            return Hit(None, pin)
    return None


def _on_men(camera: Camera, box: Box, x: float, y: float, men: int) -> Iterator[tuple[float, Hit]]:
    half, tall = FIGURE
    for square in members(men):
        foot = middle(square)
        depth = camera.depth(foot)
        scale = box.height / 2 / tan(FIELD / 2) / depth
        left, bottom = projected(camera, box, foot)
        if abs(x - left) <= half * scale and 0 <= y - bottom <= tall * scale:
            yield depth, hit_of(square)


def chosen(found: tuple[Hit, ...], wanted: frozenset[Hit]) -> Hit:
    """The nearest hit that means something now, or else the nearest square: boards are clear, so
    that what can be chosen below them can be pointed at."""
    for hit in found:
        if hit in wanted:
            return hit
    return next((hit for hit in found if hit.square is not None), Hit())
