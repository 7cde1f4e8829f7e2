"""Why an action is refused, in words for its player."""

from __future__ import annotations

from cloakboard.engine.errors import IllegalAction
from cloakboard.engine.trid.actions import Action, Castle, Move, MoveBoard
from cloakboard.engine.trid.board import (
    BIT,
    NAMES,
    NEIGHBOURS,
    ON_PIN,
    PINS,
    SIDEWAYS,
    SQUARES,
)
from cloakboard.engine.trid.moves import legal, offered
from cloakboard.engine.trid.pieces import EMPTY, PROMOTIONS, kind_of, side_of
from cloakboard.engine.trid.pieces import NAMES as KINDS
from cloakboard.engine.trid.position import HOME, KINGSIDE, QUEENSIDE, Position, position
from cloakboard.engine.trid.state import State, placement

# Which rule says how a man moves, by its kind.
RULES = {"P": "TD-50", "N": "TD-38", "B": "TD-33", "R": "TD-33", "Q": "TD-33", "K": "TD-40"}


def refusal(state: State, seat: int, action: Action) -> IllegalAction:
    """What is wrong with an action that is not legal."""
    if state.ended:
        return IllegalAction("TD-82", "The match is over; start another one.")
    if seat != state.side:
        return IllegalAction("TD-21", "It is the other player's turn; wait for the move.")
    if isinstance(action, Move):
        return _of_move(state, action)
    if isinstance(action, MoveBoard):
        return _of_board(state, action)
    assert isinstance(action, Castle)
    return _of_castling(state, action)


def _of_move(state: State, action: Move) -> IllegalAction:
    origin, target = action.origin, action.target
    placed = position(state)
    exists = placed.geometry.exists
    if not all(sq in range(SQUARES) and exists & BIT[sq] for sq in (origin, target)):
        return IllegalAction("TD-08", "There is no such square now; choose one of a board.")
    letter = state.men[origin]
    if letter == EMPTY or side_of(letter) != state.side:
        return IllegalAction(
            "TD-22", f"No man of yours stands on {NAMES[origin]}; pick one of your own."
        )
    if placed.sides[state.side] & BIT[target]:
        return IllegalAction(
            "TD-42", f"A man of your own stands on {NAMES[target]}; go to another square."
        )
    kind = kind_of(letter)
    if not _reached(placed, kind, origin) & BIT[target]:
        return IllegalAction(
            RULES[kind],
            f"The {KINDS[kind]} on {NAMES[origin]} does not get to {NAMES[target]}; its squares"
            " are marked.",
        )
    due = kind == "P" and placed.geometry.promotes[state.side] & BIT[target]
    if due and action.promotion not in tuple(PROMOTIONS):
        return IllegalAction(
            "TD-54", "The pawn promotes there; name a queen, rook, bishop or knight."
        )
    if action.promotion and not due:
        return IllegalAction("TD-54", "Nothing promotes there; leave the promotion away.")
    if legal(placed).checkers:
        return IllegalAction("TD-81", "Your king is in check, and stays so; answer the check.")
    return IllegalAction("TD-80", "Your king would be attacked; keep it covered.")


def _reached(placed: Position, kind: str, origin: int) -> int:
    """Where a man gets by the rules for its kind, the safety of the king left aside."""
    geometry, side = placed.geometry, placed.side
    own, enemy = placed.sides[side], placed.sides[1 - side]
    occupied = own | enemy
    if kind == "K":
        return geometry.king[origin]
    if kind == "N":
        return geometry.knight[origin]
    if kind == "P":
        steps = geometry.push[side][origin]
        if placed.fresh & BIT[origin]:
            mask, reach = geometry.double[side][origin]
            steps |= reach[occupied & mask]
        return steps & ~occupied | geometry.take[side][origin] & (enemy | placed.passing_squares())
    crosses = {
        "R": (geometry.straight,),
        "B": (geometry.diagonal,),
        "Q": (geometry.straight, geometry.queenly),
    }[kind]
    reached = 0
    for cross in crosses:
        mask_1, reach_1, mask_2, reach_2 = cross[origin]
        reached |= reach_1[occupied & mask_1] | reach_2[occupied & mask_2]
    return reached


def _of_board(state: State, action: MoveBoard) -> IllegalAction:
    placed, pin, to = position(state), action.pin, action.to
    pins = range(len(PINS))
    if pin not in pins or to not in pins or not placement(state) >> pin & 1:
        return IllegalAction("TD-60", "No attack board stands there; pick one of the four.")
    riders = [sq for sq in range(SQUARES) if ON_PIN[pin] & BIT[sq] and state.men[sq] != EMPTY]
    if len(riders) > 1:
        return IllegalAction(
            "TD-61", f"{len(riders)} men stand on {PINS[pin]}; a board moves with one man only."
        )
    if riders and side_of(state.men[riders[0]]) != state.side:
        return IllegalAction(
            "TD-62", f"The man on {PINS[pin]} is not yours; only its player moves that board."
        )
    moves = [one for one in offered(placed) if one.pin == pin]
    if not moves and not riders:
        return IllegalAction("TD-61", f"Nobody stands on {PINS[pin]}; such a board stays.")
    if to not in NEIGHBOURS[pin]:
        return IllegalAction(
            "TD-60", f"{PINS[to]} is not next to {PINS[pin]}; choose one of the nearest pins."
        )
    if placement(state) >> to & 1:
        return IllegalAction("TD-63", f"{PINS[to]} holds a board already; choose a free pin.")
    there = [one for one in moves if one.to == to]
    if not there:
        if riders and kind_of(state.men[riders[0]]) == "P" and to != SIDEWAYS[pin]:
            return IllegalAction(
                "TD-67", "A board with a pawn does not go there; choose one of the marked pins."
            )
        if not moves:
            return IllegalAction("TD-61", "A board may not carry that man in this match.")
        return IllegalAction("TD-60", "A board with a man does not go back in this match.")
    if action.turned not in [one.turned for one in there]:
        return IllegalAction("TD-65", "The board may not be turned on this way; leave it unturned.")
    return _of_landing(placed, action)


def _of_landing(placed: Position, action: MoveBoard) -> IllegalAction:
    after = placed.after(MoveBoard(action.pin, action.to, action.turned))
    if after.is_check(placed.side):
        return IllegalAction("TD-68", "Your king would be attacked after it; keep it covered.")
    if after.waiting(placed.side):
        return IllegalAction(
            "TD-55", "A pawn promotes with this move; name a queen, rook, bishop or knight."
        )
    return IllegalAction("TD-55", "Nothing promotes with this move; leave the promotion away.")


def _of_castling(state: State, action: Castle) -> IllegalAction:
    placed, side = position(state), state.side
    if state.number == 1 and not placed.variant.castles_at_once:
        return IllegalAction("TD-75", "Nobody castles on the first turn; move another man.")
    if not placed.rights & (QUEENSIDE if action.queenside else KINGSIDE)[side]:
        return IllegalAction("TD-71", "King or rook has moved already; castling is over there.")
    if placed.is_check(side):
        return IllegalAction("TD-74", "Your king is in check; answer that first.")
    far_king = HOME[side][3]
    if action.queenside and state.men[far_king] != EMPTY:
        return IllegalAction("TD-73", f"{NAMES[far_king]} is not empty; clear it first.")
    return IllegalAction("TD-74", "Your king would be attacked there; it may not castle.")
