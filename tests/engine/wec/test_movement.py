"""The tables of ways against the drawn movement data, read here by other means."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cloakboard.engine.wec.movement import BOTH, QUIET, TAKE, Movement, Way, ways
from cloakboard.engine.wec.state import AIR, BLACK, GROUND, SIDES, SQUARES, SUB, WHITE
from tests.engine.wec.build import cell

DRAWN = json.loads((Path(__file__).parents[2] / "data" / "wec" / "movement.json").read_text())
SETS = tuple(DRAWN)
STANDARD = Movement("weaponized", "forward_and_sides", 7, 7, 7, 7, False)
PATH_PIECES = (
    ("TA", "left", "tank_left"),
    ("TA", "right", "tank_right"),
    ("CL", "left", "cleric_left"),
    ("CL", "right", "cleric_right"),
    ("Q", "", "secondary_government"),
)
ONE_STEP = ("primary_government", "dozer", "destroyer", "aaa")
CODES = {"primary_government": "K", "dozer": "DO", "destroyer": "DS", "aaa": "AAA"}


def of(name: str, reach: int = 7, combat: bool = False, variant: str = "forward") -> Movement:
    return Movement(name, variant, reach, reach, reach, reach, combat)


def on_board(square: int, offset: list[int], side: int) -> int | None:
    """The square an offset leads to, by the words of the data's `to_board`."""
    row, column = square // 10 + 1, square % 10 + 1
    if side == BLACK:
        row, column = row + offset[0], column + offset[1]
    else:
        row, column = row - offset[0], column - offset[1]
    return cell(row, column) if 1 <= row <= 10 and 1 <= column <= 10 else None


def prefixes(drawn: dict[str, Any], square: int, side: int, reach: int) -> list[tuple[int, ...]]:
    """Every way along the drawn paths, fewest steps first, then as listed."""
    walked = []
    for path in drawn["paths"]:
        squares = [on_board(square, offset, side) for offset in path["steps"][:reach]]
        off = squares.index(None) if None in squares else len(squares)
        walked.append(tuple(square for square in squares[:off] if square is not None))
    found = [
        route[:steps] for steps in range(1, reach + 1) for route in walked if len(route) >= steps
    ]
    return list(dict.fromkeys(found))


def ends(table: tuple[Way, ...], mode: int) -> set[int]:
    return {way.route[-1] for way in table if way.mode == mode}


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize(("kind", "hand", "drawn"), PATH_PIECES)
@pytest.mark.parametrize("reach", [6, 7, 8])
def test_wec_40_paths_are_the_drawn_ones(
    name: str, kind: str, hand: str, drawn: str, reach: int
) -> None:
    for side in SIDES:
        for square in range(SQUARES):
            table = ways(of(name, reach), kind, hand, False, side, square)
            expected = prefixes(DRAWN[name][drawn], square, side, reach)
            assert [way.route for way in table] == expected
            assert {way.mode for way in table} <= {BOTH}


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize(("kind", "hand", "drawn"), PATH_PIECES)
@pytest.mark.parametrize("reach", [6, 7, 8])
def test_wec_40_reach_counts(name: str, kind: str, hand: str, drawn: str, reach: int) -> None:
    """Every offset of an endless board occurs from some square of ours."""
    reached = {
        (way.route[-1] // 10 - square // 10, way.route[-1] % 10 - square % 10)
        for square in range(SQUARES)
        for way in ways(of(name, reach), kind, hand, False, BLACK, square)
    }
    assert len(reached) == DRAWN[name][drawn]["reach_counts"][str(reach)]


@pytest.mark.parametrize(
    ("setting", "reach"), [("queen_tank", 6), ("queen_cleric", 6), ("queen_tank", 8)]
)
def test_wec_40_the_queens_parts_have_ranges_of_their_own(setting: str, reach: int) -> None:
    ranges = {"queen_tank": 7, "queen_cleric": 7, setting: reach}
    movement = STANDARD._replace(
        queen_tank=ranges["queen_tank"], queen_cleric=ranges["queen_cleric"]
    )
    reached = {
        (way.route[-1] // 10 - square // 10, way.route[-1] % 10 - square % 10)
        for square in range(SQUARES)
        for way in ways(movement, "Q", "", False, BLACK, square)
    }
    drawn = {
        tuple(offset)
        for path in DRAWN["weaponized"]["secondary_government"]["paths"]
        for offset in path["steps"][: reach if path["component"][:4] in setting else 7]
    }
    assert reached == drawn


@pytest.mark.parametrize(
    ("kind", "hand", "side", "start", "expected"),
    [
        pytest.param(
            "TA", "right", BLACK, (1, 1),
            [(2, 1), (3, 1), (4, 1), (5, 1), (6, 2), (7, 3), (8, 4)],
            id="WEC-40 weaponized right tank forward",
        ),
        pytest.param(
            "TA", "right", BLACK, (1, 1), [(1, 2), (1, 3), (1, 4), (1, 5)],
            id="WEC-40 weaponized right tank right, off the board after four",
        ),
        pytest.param(
            "CL", "left", BLACK, (1, 8),
            [(2, 7), (3, 6), (4, 5), (5, 4), (6, 3), (5, 2), (4, 1)],
            id="WEC-40 weaponized left cleric",
        ),
    ],
)  # fmt: skip
def test_worked_examples(
    kind: str, hand: str, side: int, start: tuple[int, int], expected: list[tuple[int, int]]
) -> None:
    squares = tuple(cell(*square) for square in expected)
    routes = [way.route for way in ways(STANDARD, kind, hand, False, side, cell(*start))]
    assert all(squares[:steps] in routes for steps in range(1, len(squares) + 1))
    assert not any(route[:-1] == squares for route in routes)


def test_wec_40_spiral_leaves_the_board() -> None:
    start = cell(6, 5)
    squares = tuple(cell(*at) for at in [(5, 6), (4, 5), (3, 4), (3, 3), (3, 2), (4, 1)])
    routes = [r.route for r in ways(of("mass_destruction"), "CL", "left", False, WHITE, start)]
    assert squares in routes
    assert not any(route[:-1] == squares for route in routes)


@pytest.mark.parametrize("alike", [("K", "DI", "AV", "PR"), ("Q", "AS", "AC", "PM")])
def test_wec_22_primaries_move_alike_and_so_do_secondaries(alike: tuple[str, ...]) -> None:
    first, *others = [ways(STANDARD, kind, "", False, BLACK, cell(4, 4)) for kind in alike]
    assert first
    assert all(other == first for other in others)


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("piece", ONE_STEP)
def test_wec_40_one_square_movers(name: str, piece: str) -> None:
    drawn = DRAWN[name][piece]
    for side in SIDES:
        for square in range(SQUARES):
            table = ways(of(name), CODES[piece], "", False, side, square)
            expected = {on_board(square, offset, side) for offset in drawn["offsets"]} - {None}
            assert {way.route for way in table} == {(to,) for to in expected}
            assert {way.mode for way in table} == {BOTH if drawn["takes_by_moving"] else QUIET}


@pytest.mark.parametrize("kind", ["K", "Q", "DO", "DS", "AAA", "FP", "TA", "CL"])
@pytest.mark.parametrize("level", [AIR, SUB])
def test_wec_40_only_at_home_pieces_move_off_the_ground(kind: str, level: int) -> None:
    assert ways(STANDARD, kind, "right", True, BLACK, cell(5, 5, level)) == ()


def pawn_ends(movement: Movement, side: int, square: int, unmoved: bool) -> dict[int, set[int]]:
    table = ways(movement, "FP", "", unmoved, side, square)
    return {mode: ends(table, mode) for mode in (QUIET, TAKE, BOTH)}


@pytest.mark.parametrize("unmoved", [True, False])
@pytest.mark.parametrize(
    ("name", "variant"),
    [("weaponized", "forward"), ("standard", "forward")]
    + [("mass_destruction", variant) for variant in DRAWN["mass_destruction"]["pawn"]["choices"]],
)
def test_wec_42_pawns(name: str, variant: str, unmoved: bool) -> None:
    drawn = DRAWN[name]["pawn"]
    drawn = drawn.get("choices", {}).get(variant, drawn)["origin" if unmoved else "elsewhere"]
    for side in SIDES:
        for square in range(SQUARES):
            moves = {on_board(square, offset, side) for offset in drawn["moves"]} - {None}
            takes = {on_board(square, offset, side) for offset in drawn["attacks"]} - {None}
            assert pawn_ends(of(name, variant=variant), side, square, unmoved) == {
                QUIET: moves - takes,
                TAKE: takes - moves,
                BOTH: moves & takes,
            }


def test_wec_42_two_squares_go_through_the_one_between() -> None:
    table = ways(STANDARD, "FP", "", True, BLACK, cell(2, 5))
    assert (cell(3, 6), cell(4, 7)) in [way.route for way in table]
    assert (cell(3, 4), cell(4, 3)) in [way.route for way in table]


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("hand", ["left", "right"])
def test_wec_45_chopper_targets(name: str, hand: str) -> None:
    targets = DRAWN[name][f"chopper_{hand}"]["targets"]
    for side in SIDES:
        for square in range(SQUARES):
            reached = [on_board(square, offset, side) for offset in targets]
            here = {to for to in reached if to is not None}
            low = ways(of(name), "CH", hand, False, side, square)
            assert {way.route[-1] for way in low} == here | {AIR * SQUARES + to for to in here}
            high = ways(of(name), "CH", hand, False, side, AIR * SQUARES + square)
            assert {way.route[-1] for way in high} == here
    assert ways(of(name), "CH", hand, False, BLACK, cell(5, 5, SUB)) == ()


def test_wec_45_routes_in_the_order_of_headings() -> None:
    """Right-handed, from (5,5) to (7,6): up, then forward first, then forward-right first."""
    table = ways(STANDARD, "CH", "right", False, BLACK, cell(5, 5))
    up, over, target = cell(5, 5, AIR), cell(7, 6, AIR), cell(7, 6)
    first, second = cell(6, 5, AIR), cell(6, 6, AIR)
    assert [way.route for way in table if way.route[-1] == target] == [
        (up, first, over, target),
        (up, second, over, target),
    ]
    assert [way.route for way in table if way.route[-1] == over] == [
        (up, first, over),
        (up, second, over),
    ]
    assert [way.mode for way in table if way.route[-1] in (target, over)] == [BOTH] * 2 + [
        QUIET
    ] * 2


def test_wec_45_white_sits_opposite() -> None:
    """Forward-right of White at (5,5) is (4,4): its headings are the other way round."""
    table = ways(STANDARD, "CH", "right", False, WHITE, cell(5, 5, AIR))
    over, target = cell(3, 4, AIR), cell(3, 4)
    assert [way.route for way in table if way.route[-1] == target] == [
        (cell(4, 5, AIR), over, target),
        (cell(4, 4, AIR), over, target),
    ]


@pytest.mark.parametrize(
    ("name", "target", "count"),
    [("weaponized", (7, 6), 2), ("weaponized", (7, 7), 1), ("mass_destruction", (8, 6), 6)],
)
def test_wec_45_number_of_shortest_routes(name: str, target: tuple[int, int], count: int) -> None:
    table = ways(of(name), "CH", "right", False, BLACK, cell(5, 5, AIR))
    assert sum(way.route[-1] == cell(*target) for way in table) == count


def test_wec_45_every_air_cell_entered_must_be_free() -> None:
    low = next(
        way
        for way in ways(STANDARD, "CH", "right", False, BLACK, cell(5, 5))
        if way.route[-1] == cell(7, 7)
    )
    air = [cell(5, 5, AIR), cell(6, 6, AIR), cell(7, 7, AIR)]
    assert low.through == sum(1 << one for one in air)
    high = next(
        way
        for way in ways(STANDARD, "CH", "right", False, BLACK, cell(5, 5))
        if way.route[-1] == cell(7, 7, AIR)
    )
    assert high.through == low.through


@pytest.mark.parametrize("level", [GROUND, SUB])
@pytest.mark.parametrize("combat", [False, True])
def test_wec_43_sub(level: int, combat: bool) -> None:
    table = ways(of("standard", combat=combat), "SU", "", False, BLACK, cell(1, 1, level))
    beside = {cell(1, 2, level), cell(2, 1, level), cell(2, 2, level)}
    other = cell(1, 1, SUB if level == GROUND else GROUND)
    assert {way.route for way in table} == {(to,) for to in beside | {other}}
    assert {way.mode for way in table} == {BOTH if combat else QUIET}


def test_wec_43_sub_in_the_air_stays() -> None:
    assert ways(STANDARD, "SU", "", False, BLACK, cell(5, 5, AIR)) == ()


@pytest.mark.parametrize("combat", [False, True])
def test_wec_44_jet_at_ground_goes_up_only(combat: bool) -> None:
    table = ways(of("standard", combat=combat), "JE", "", False, BLACK, cell(5, 5))
    assert [way.route for way in table] == [(cell(5, 5, AIR),)]
    assert table[0].mode == (BOTH if combat else QUIET)


@pytest.mark.parametrize("combat", [False, True])
def test_wec_44_jet_in_the_air(combat: bool) -> None:
    table = ways(of("standard", combat=combat), "JE", "", False, BLACK, cell(2, 2, AIR))
    one = {cell(r, c, AIR) for r in (1, 2, 3) for c in (1, 2, 3)} - {cell(2, 2, AIR)}
    two = {cell(4, 2, AIR), cell(4, 4, AIR), cell(2, 4, AIR)}
    down = {cell(2, 2)}
    assert {way.route[-1] for way in table} == one | two | down
    assert ends(table, BOTH) == (one | down if combat else set())
    assert (cell(3, 3, AIR), cell(4, 4, AIR)) in [way.route for way in table]


def test_wec_44_jet_at_sub_stays() -> None:
    assert ways(STANDARD, "JE", "", False, BLACK, cell(5, 5, SUB)) == ()
