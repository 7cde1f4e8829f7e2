"""The way a man goes, square by square: for a board that shows it (TD-33..39)."""

from __future__ import annotations

from cloakboard.engine.trid.actions import Move
from cloakboard.engine.trid.board import BIT, BLACK, COLUMN, FILE, RANK, WHITE
from cloakboard.engine.trid.lines import Spot, is_held, onward
from cloakboard.engine.trid.position import position
from cloakboard.engine.trid.state import State


def route(state: State, action: Move) -> tuple[int, ...]:
    """The squares of a legal move from origin to target, both included, void columns left out.

    Of several ways to the same square, which are one move (TD-43), that with the fewest changes
    of level; of those the one whose squares come first.
    """
    columns = FILE[action.target] - FILE[action.origin], RANK[action.target] - RANK[action.origin]
    distance = max(abs(columns[0]), abs(columns[1]))
    if distance == 1 or (0 not in columns and abs(columns[0]) != abs(columns[1])):
        return action.origin, action.target
    placed = position(state)
    rules, spots = placed.geometry.rules, placed.geometry.spots
    occupied = placed.sides[WHITE] | placed.sides[BLACK]
    start = spots[action.origin]
    fronts: dict[tuple[Spot, int], tuple[int, tuple[int, ...]]] = {
        (start, start.level): (0, (action.origin,))
    }
    for column in placed.geometry.arm(action.origin, (_sign(columns[0]), _sign(columns[1]))):
        if not column:
            continue
        entered: dict[tuple[Spot, int], tuple[int, tuple[int, ...]]] = {}
        last_one = COLUMN[column[0].square] == COLUMN[action.target]
        for (last, levels), (changes, way) in fronts.items():
            for front in onward(rules, last, levels, column):
                spot = front[0]
                if spot.square != action.target if last_one else occupied & BIT[spot.square]:
                    continue
                found = changes + (spot.level != last.level), (*way, spot.square)
                entered[front] = min(found, entered.get(front, found))
        if last_one:
            return min(entered.values())[1]
        if rules.by_column and is_held(column, occupied):
            break
        fronts = entered
    raise AssertionError("no way leads there: the move is not legal")


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)
