"""Pixels and squares of the WEC board agree in both directions and for both sides."""

from __future__ import annotations

import pytest

from cloakboard.client.boards import wec_geometry as geometry
from cloakboard.engine.wec.state import AIR, BLACK, GROUND, SUB, WHITE, square_at


@pytest.mark.parametrize("near", [BLACK, WHITE])
@pytest.mark.parametrize("scale", [1.0, 1.25, 1.5, 2.0, 3.0])
def test_the_middle_of_every_square_picks_that_square(near: int, scale: float) -> None:
    frame = geometry.Frame(37 * scale, 64 * scale, 600 * scale, near)
    for square in range(100):
        assert geometry.square_under(frame, *geometry.centre(frame, square)) == square


@pytest.mark.parametrize(
    ("near", "row", "column", "x", "y"),
    [
        (BLACK, 1, 1, 5, 5),  # WEC-01: Black's leftmost and nearest
        (BLACK, 1, 10, 95, 5),
        (BLACK, 10, 1, 5, 95),
        (WHITE, 10, 10, 5, 5),  # the board is turned for White
        (WHITE, 1, 1, 95, 95),
        (WHITE, 10, 1, 95, 5),
    ],
)
def test_wec_01_own_side_is_at_the_bottom(
    near: int, row: int, column: int, x: float, y: float
) -> None:
    frame = geometry.Frame(0, 0, 100, near)
    assert geometry.centre(frame, square_at(row, column)) == (x, y)


@pytest.mark.parametrize(("x", "y"), [(-1, 50), (101, 50), (50, -1), (50, 101)])
def test_a_point_beside_the_board_is_no_square(x: float, y: float) -> None:
    assert geometry.square_under(geometry.Frame(0, 0, 100), x, y) is None


@pytest.mark.parametrize(
    ("side", "heading", "expected"),
    [
        (BLACK, 0, (6, 5)),
        (BLACK, 1, (6, 6)),
        (BLACK, 2, (5, 6)),
        (BLACK, 5, (4, 4)),
        (WHITE, 0, (4, 5)),
        (WHITE, 1, (4, 4)),
        (WHITE, 2, (5, 4)),
        (WHITE, 7, (4, 6)),
    ],
)
def test_headings_turn_with_the_side(side: int, heading: int, expected: tuple[int, int]) -> None:
    start = square_at(5, 5)
    assert geometry.stepped(start, heading, side) == square_at(*expected)


def test_a_ray_ends_at_the_edge_and_at_its_reach() -> None:
    start = square_at(8, 3)
    assert geometry.ray(start, 0, BLACK) == (square_at(9, 3), square_at(10, 3))
    assert geometry.ray(start, 4, BLACK, 2) == (square_at(7, 3), square_at(6, 3))


@pytest.mark.parametrize(
    ("near", "right", "up", "expected"),
    [
        (BLACK, 1, 0, (5, 6)),
        (BLACK, 0, 1, (6, 5)),
        (WHITE, 1, 0, (5, 4)),
        (WHITE, 0, 1, (4, 5)),
        (BLACK, 9, 0, (5, 10)),
    ],
)
def test_arrows_move_as_the_screen_shows(
    near: int, right: int, up: int, expected: tuple[int, int]
) -> None:
    assert geometry.moved(square_at(5, 5), right, up, near) == square_at(*expected)


def test_wec_02_air_is_above_ground_is_above_sub() -> None:
    ground, sub, air = geometry.offsets((GROUND, SUB, AIR))
    assert sub.y < ground.y < air.y


@pytest.mark.parametrize(
    "occupants",
    [
        (GROUND,),
        (GROUND, GROUND),
        (AIR, GROUND),
        (SUB, SUB, GROUND, GROUND, AIR, AIR),  # WEC-03: six at most
    ],
)
def test_wec_03_every_piece_of_a_square_can_be_clicked_and_stays_inside(
    occupants: tuple[int, ...],
) -> None:
    frame = geometry.Frame(0, 0, 1000)
    square = square_at(4, 7)
    x, y = geometry.corner(frame, square)
    drawn = geometry.spots(frame, square, occupants)
    hit = set()
    for spot in drawn:
        assert x <= spot.x - spot.width / 2
        assert spot.x + spot.width / 2 <= x + 100
        assert y <= spot.y - spot.width / 2
        assert spot.y + spot.width / 2 <= y + 100
        for dx in range(-20, 21, 4):
            for dy in range(-20, 21, 4):
                under = geometry.token_under(frame, square, occupants, spot.x + dx, spot.y + dy)
                hit.add(under)
    assert set(range(len(occupants))) <= hit
