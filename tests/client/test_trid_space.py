"""Where the boards are, in the flat view and in the scene, and what a point of the window hits."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from cloakboard.client.boards import trid_flat as flat
from cloakboard.client.boards import trid_space as space
from cloakboard.client.boards.trid_look import Hit, hit_of
from cloakboard.client.boards.trid_space import Camera, Point
from cloakboard.client.canvas import Box
from cloakboard.engine.trid.board import (
    BLACK,
    HEIGHT,
    NAMED,
    PINS,
    SQUARES,
    WHITE,
    existing,
    members,
)

ROOM = Box(12, 92, 926, 586)
START = sum(1 << PINS.index(name) for name in ("QL1", "KL1", "QL6", "KL6"))
ALL = (1 << len(PINS)) - 1
CAMERAS = [
    space.camera_of(WHITE),
    space.camera_of(BLACK),
    Camera(1.4, 1.2, 12).held(),
    Camera(4.0, 0.1, 24).held(),
]


# The flat view --------------------------------------------------------------------------------


@pytest.mark.parametrize("near", [WHITE, BLACK])
@pytest.mark.parametrize("room", [ROOM, Box(0, 0, 694, 520), Box(0, 0, 1800, 1200)])
def test_no_square_covers_another_and_all_are_in_the_room(room: Box, near: int) -> None:
    view = flat.fitted(room, near)
    boxes = [flat.square_box(view, square) for square in range(SQUARES)]
    for one, other in combinations(boxes, 2):
        apart = (
            one.right <= other.x + 0.01
            or other.right <= one.x + 0.01
            or one.top <= other.y + 0.01
            or other.top <= one.y + 0.01
        )
        assert apart, (one, other)
    for box in boxes:
        assert room.x <= box.x and box.right <= room.right
        assert room.y <= box.y and box.top <= room.top


def test_squares_of_a_file_stand_above_each_other_and_the_near_side_is_below() -> None:
    view = flat.fitted(ROOM, WHITE)
    at = {name: flat.square_box(view, NAMED[name]) for name in ("a1W", "a4W", "a1QL1", "a4QL2")}
    assert len({box.x for box in at.values()}) == 1
    assert at["a1QL1"].y < at["a1W"].y < at["a4W"].y < at["a4QL2"].y
    turned = flat.fitted(ROOM, BLACK)
    assert flat.square_box(turned, NAMED["a8B"]).y < flat.square_box(turned, NAMED["a5B"]).y


@pytest.mark.parametrize("near", [WHITE, BLACK])
def test_each_square_of_the_flat_view_is_hit_in_its_middle(near: int) -> None:
    view = flat.fitted(ROOM, near)
    for square in range(SQUARES):
        assert flat.hit(view, ALL, *flat.square_box(view, square).centre) == hit_of(square)


def test_pins_of_the_flat_view_are_hit_by_their_place_and_their_name() -> None:
    view = flat.fitted(ROOM, WHITE)
    for pin in range(len(PINS)):
        assert flat.hit(view, 0, *flat.pin_box(view, pin).inset(5).centre) == Hit(None, pin)
        assert flat.hit(view, START, *flat.tab_box(view, pin).centre) == Hit(None, pin)
    assert flat.hit(view, START, ROOM.right, ROOM.y) == Hit()


# The scene ------------------------------------------------------------------------------------


@pytest.mark.parametrize("camera", CAMERAS)
def test_a_ray_goes_back_to_the_point_that_is_seen(camera: Camera) -> None:
    for square in (NAMED["a1W"], NAMED["d6N"], NAMED["e9KL6"]):
        point = space.middle(square)
        x, y = space.projected(camera, ROOM, point)
        along = space.ray(camera, ROOM, x, y)
        depth = camera.depth(point)
        assert along.dot(camera.gaze) == pytest.approx(1)
        back = camera.eye.plus(along, depth)
        assert back == pytest.approx(point, abs=1e-6)


@pytest.mark.parametrize("camera", CAMERAS)
def test_every_square_is_hit_where_it_is_seen_and_hits_come_nearest_first(
    camera: Camera,
) -> None:
    for square in members(existing(START)):
        x, y = space.projected(camera, ROOM, space.middle(square))
        if not ROOM.contains(x, y):
            continue
        found = space.hits(camera, ROOM, x, y, START, 0)
        assert hit_of(square) in found
        depths = [camera.depth(space.middle(one.square)) for one in found if one.square is not None]
        heights = [space.middle(one.square).z for one in found if one.square is not None]
        assert heights == sorted(heights, reverse=True)
        assert len(depths) == len(set(found) & {hit_of(s) for s in range(SQUARES)})


def test_from_straight_above_the_highest_board_is_hit_first() -> None:
    camera = Camera(0, space.STEEPEST, 20).held()
    x, y = space.projected(camera, ROOM, space.middle(NAMED["b5B"]))
    found = space.hits(camera, ROOM, x, y, START, 0)
    assert next(one.square for one in found) == NAMED["b5B"]
    assert NAMED["b5N"] in [one.square for one in found]


def test_what_can_be_chosen_is_hit_through_the_glass() -> None:
    above, below = hit_of(NAMED["b5B"]), hit_of(NAMED["b5N"])
    assert space.chosen((above, below), frozenset()) == above
    assert space.chosen((above, below), frozenset({below})) == below
    assert space.chosen((above, below), frozenset({above, below})) == above
    assert space.chosen((Hit(None, 3),), frozenset()) == Hit()


def test_a_man_is_hit_above_its_square_where_it_stands_up() -> None:
    camera = space.camera_of(WHITE)
    square = NAMED["b2W"]
    head = space.middle(square).plus(Point(0, 0, 0.8))
    x, y = space.projected(camera, ROOM, head)
    with_man = space.hits(camera, ROOM, x, y, START, 1 << square)
    assert hit_of(square) in with_man
    assert hit_of(square) not in space.hits(camera, ROOM, x, y, START, 0)


def test_free_pins_and_edges_of_attack_boards_are_hit() -> None:
    camera = space.camera_of(WHITE)
    free, held = PINS.index("QL3"), PINS.index("QL1")
    x, y = space.projected(camera, ROOM, space.pin_middle(free))
    assert Hit(None, free) in space.hits(camera, ROOM, x, y, START, 0)
    edge = space.pin_middle(held).plus(Point(-1.08, 0, 0))
    x, y = space.projected(camera, ROOM, edge)
    assert Hit(None, held) in space.hits(camera, ROOM, x, y, START, 0)


def test_beside_the_view_nothing_is_hit() -> None:
    assert space.hits(space.camera_of(WHITE), ROOM, ROOM.x - 1, ROOM.y, ALL, 0) == ()


@pytest.mark.parametrize("pitch", [-3.0, 0.0, 0.6, 1.4, 9.0])
@pytest.mark.parametrize("distance", [0.1, 9.0, 200.0])
def test_the_camera_stays_above_every_board(pitch: float, distance: float) -> None:
    camera = Camera(0.5, pitch, distance).held()
    assert camera.eye.z >= space.level(space.HIGHEST) + space.CLEARANCE - 1e-9
    assert space.NEAREST <= camera.distance <= space.FARTHEST


def test_black_sees_the_boards_from_the_other_side() -> None:
    white, black = space.camera_of(WHITE), space.camera_of(BLACK)
    assert white.eye.y < space.CENTRE.y < black.eye.y


@pytest.mark.parametrize("near", [WHITE, BLACK])
def test_where_a_match_begins_no_main_board_hides_another(near: int) -> None:
    """Of the sixteen squares of each at least twelve have nothing before their middles."""
    camera = space.camera_of(near)
    free: Counter[int] = Counter()
    for square in members(existing(START)):
        seen = space.hits(
            camera, ROOM, *space.projected(camera, ROOM, space.middle(square)), START, 0
        )
        free[HEIGHT[square]] += seen[0].square == square
    assert all(free[height] >= 12 for height in (2, 4, 6)), free
