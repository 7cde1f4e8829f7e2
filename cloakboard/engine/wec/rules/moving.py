"""The Move, and riding a bike (WEC-40 to WEC-47, WEC-49, WEC-70)."""

from __future__ import annotations

from collections.abc import Iterator

from cloakboard.engine.errors import IllegalAction
from cloakboard.engine.wec.actions import Bike, Move, Ref
from cloakboard.engine.wec.board import Board, changed, find, ref_of, refs
from cloakboard.engine.wec.movement import NEIGHBOURS, QUIET, TAKE, Way, movement_of, ways
from cloakboard.engine.wec.options import agreed
from cloakboard.engine.wec.pieces import CARRIERS, HOME, PRIMARIES, SECONDARIES
from cloakboard.engine.wec.rules.acting import (
    Resolving,
    arrive,
    check_actor,
    check_landed,
    check_left,
    knows,
    left,
    may_act,
    meet,
    named,
    spend,
)
from cloakboard.engine.wec.state import GROUND, SUB, Gear, Piece, State, level_of


def moves(state: State, seat: int) -> Iterator[Move]:
    """Every legal Move but dozing, as far as the state knows: pieces in the state's order,
    without a passenger first."""
    if not left(state, seat, "move"):
        return
    board = Board(state, seat)
    for ref, piece in refs(state, seat):
        if piece.flight is None and may_act(state, piece):
            yield from moves_of(state, board, ref, piece)


def moves_of(state: State, board: Board, ref: Ref, piece: Piece) -> Iterator[Move]:
    """The Moves of one piece that may act."""
    movement = movement_of(state.options)
    table = ways(movement, piece.kind, piece.hand, piece.unmoved, piece.side, piece.cell)
    if piece.kind in CARRIERS and table:
        companion = companion_of(board, piece)
        if companion is not None:
            rider = ref_of(state, companion)
            if not must_ride(companion):
                yield from _free(board, piece, table, ref)
            for move in _free(board, piece, table, ref, rider):
                if not forbidden_level(state, piece, companion, level_of(move.route[-1])):
                    yield move
            return
    yield from _free(board, piece, table, ref)


def _free(
    board: Board, piece: Piece, table: tuple[Way, ...], ref: Ref, rider: Ref | None = None
) -> Iterator[Move]:
    """The ways that are open as far as the board shows (WEC-40, WEC-41)."""
    occupied, enemy = board.own | board.enemy, board.enemy
    quiet = rider is not None and piece.kind != "CH"
    shut = board.barred(piece.kind) if rider is None else board.own
    one_each = piece.kind in SECONDARIES
    for end, through, mode, route in table:
        if through & occupied or end & shut:
            continue
        if end & enemy:
            if mode == QUIET or quiet:
                continue
        elif mode == TAKE:
            continue
        if one_each:
            shut |= end
        yield Move(ref, route, rider)


def companion_of(board: Board, piece: Piece) -> Piece | None:
    """The friendly piece that shares a carrier's square and level (WEC-46)."""
    for other in board.here(piece.cell):
        if other is not piece and other.side == piece.side:
            return other
    return None


def must_ride(companion: Piece) -> bool:
    """WEC-46: off the Ground it comes along unless it is at home there or flies by itself."""
    level = companion.level
    return level != GROUND and companion.kind not in HOME[level] and companion.flight is None


def forbidden_level(state: State, carrier: Piece, companion: Piece, end: int) -> bool:
    """WEC-55a: a primary piece that an option keeps on the Ground is not lifted off it; a
    chopper lifts it even if it sets it down again."""
    if companion.kind not in PRIMARIES or companion.level != GROUND:
        return False
    values = agreed(state.options)
    if carrier.kind == "CH":
        return not values["king_may_fly"]
    return end == SUB and not values["king_may_submerge"]


def has_move(state: State, seat: int) -> bool:
    """Whether a Move other than dozing exists (WEC-12)."""
    return next(moves(state, seat), None) is not None


def check_move(state: State, seat: int, action: Move) -> None:
    """Raises `IllegalAction` if the Move cannot be made, or cannot be whatever is unseen."""
    check_left(state, seat, "move")
    piece = check_actor(state, seat, action.piece)
    check_landed(piece)
    board = Board(state, seat)
    way = _way_of(state, piece, action.route)
    rider = _check_rider(state, board, piece, action)
    _check_open(state, board, piece, way, rider)
    if knows(state, seat) and action not in moves_of(state, board, action.piece, piece):
        raise IllegalAction(
            "WEC-40", "A shorter way to that square is open; take the one that is shown."
        )


def _way_of(state: State, piece: Piece, route: tuple[int, ...]) -> Way:
    """The way of the piece that enters these cells."""
    table = ways(
        movement_of(state.options),
        piece.kind,
        piece.hand,
        piece.unmoved,
        piece.side,
        piece.cell,
    )
    for way in table:
        if way.route == route:
            return way
    if not table:
        raise IllegalAction(
            "WEC-40", "That piece cannot move by itself at this level; move its carrier."
        )
    raise IllegalAction(
        "WEC-40", "That piece does not move that way; choose one of the marked squares."
    )


def _check_rider(state: State, board: Board, piece: Piece, action: Move) -> Piece | None:
    """The passenger, checked (WEC-46, WEC-55a)."""
    if action.passenger is None:
        companion = companion_of(board, piece) if piece.kind in CARRIERS else None
        if companion is not None and must_ride(companion):
            raise IllegalAction("WEC-46", "Its passenger cannot stay there alone; take it along.")
        return None
    companion = find(state, piece.side, action.passenger)
    if piece.kind not in CARRIERS or companion is None or companion is piece:
        raise IllegalAction("WEC-46", "Only a Sub or a Chopper carries; move without passenger.")
    if companion.cell != piece.cell:
        raise IllegalAction("WEC-46", "The passenger must share the carrier's square and level.")
    if forbidden_level(state, piece, companion, level_of(action.route[-1])):
        raise IllegalAction(
            "WEC-55a", "In this match that primary piece may not leave the Ground this way."
        )
    return companion


def _check_open(state: State, board: Board, piece: Piece, way: Way, rider: Piece | None) -> None:
    """Nothing that is seen stands in the way (WEC-04, WEC-40, WEC-41, WEC-42, WEC-45)."""
    if way.through & (board.own | board.enemy):
        rule = "WEC-45" if piece.kind == "CH" else "WEC-40"
        raise IllegalAction(rule, "A piece stands in the way; choose another square or route.")
    if way.end & (board.own if rider is not None else board.barred(piece.kind)):
        raise IllegalAction("WEC-04", "Those two may not share a square; choose another one.")
    if way.end & board.enemy:
        if way.mode == QUIET or (rider is not None and piece.kind != "CH"):
            raise IllegalAction(
                "WEC-41", "It does not take by moving there; choose a square without enemies."
            )
    elif way.mode == TAKE and knows(state, piece.side):
        raise IllegalAction(
            "WEC-42", "A pawn goes there only to take; choose a square with an enemy."
        )


def split_move(state: State, seat: int, action: Move) -> tuple[Move | None, Move | None]:
    """A public carrier always has a secret part, so that an unseen passenger does not show by
    its being there; a public passenger leaves no room for one."""
    if action.piece.handle == 0:
        return None, action
    if named(state, seat, action.piece).kind not in CARRIERS:
        return action, None
    if action.passenger is not None and action.passenger.handle:
        return action, None
    return Move(action.piece, action.route), action


def resolve_move(state: State, seat: int, action: Move) -> Resolving:
    """Spends the Move, feels the way, and goes as far as it leads."""
    piece = named(state, seat, action.piece)
    rider = named(state, seat, action.passenger) if action.passenger is not None else None
    veiled = piece.handle == 0
    state = yield from spend(state, seat, "move", veiled)
    stop, state = yield from meet(state, seat, veiled, action.route)
    end = action.route[-1] if stop is None else stop
    after = changed(piece, cell=end, acted=state.turn)
    return (yield from arrive(state, piece, after, "moves", rider))


def bikes(state: State, seat: int) -> Iterator[Bike]:
    """Every legal ride of a bike."""
    if not left(state, seat, "fires"):
        return
    board = Board(state, seat)
    for ref, piece in refs(state, seat):
        if (
            piece.level == GROUND
            and may_act(state, piece)
            and usable(state, piece, "BI") is not None
        ):
            shut = board.barred(piece.kind) | board.enemy
            for square in NEIGHBOURS[piece.square]:
                if not shut >> square & 1:
                    yield Bike(ref, square)


def check_bike(state: State, seat: int, action: Bike) -> None:
    """WEC-70."""
    check_left(state, seat, "fires")
    piece = check_actor(state, seat, action.piece)
    if usable(state, piece, "BI") is None:
        raise IllegalAction("WEC-70", "It has no bike that can be used in this Turn.")
    if piece.level != GROUND:
        raise IllegalAction("WEC-70", "A bike is ridden at Ground only.")
    if action.cell not in NEIGHBOURS[piece.square]:
        raise IllegalAction("WEC-70", "A bike goes one square; choose one next to the piece.")
    board = Board(state, seat)
    if board.enemy >> action.cell & 1:
        raise IllegalAction("WEC-70", "A bike does not take; choose a square without enemies.")
    if board.barred(piece.kind) >> action.cell & 1:
        raise IllegalAction("WEC-04", "Those two may not share a square; choose another one.")


def resolve_bike(state: State, seat: int, action: Bike) -> Resolving:
    """One square at Ground, in place of a Fire."""
    piece = named(state, seat, action.piece)
    veiled = piece.handle == 0
    state = yield from spend(state, seat, "fires", veiled)
    _, state = yield from meet(state, seat, veiled, (action.cell,))
    after = changed(
        piece,
        cell=action.cell,
        gear=used_once(piece, usable(state, piece, "BI"), state.turn),
        fired=state.turn,
        acted=state.turn,
    )
    return (yield from arrive(state, piece, after, "moves"))


def usable(state: State, piece: Piece, article: str) -> int | None:
    """The place of a bike or pack that can be fired now, if the piece may fire (WEC-52)."""
    if piece.fired >= state.turn:
        return None
    for place, gear in enumerate(piece.gear):
        if gear.kind == article and gear.ready <= state.turn:
            return place
    return None


def used_once(piece: Piece, place: int | None, turn: int) -> tuple[Gear, ...]:
    """The articles after the one at a place was fired: no second time in this Turn (WEC-52)."""
    return tuple(
        Gear(gear.kind, turn + 1, gear.lock) if index == place else gear
        for index, gear in enumerate(piece.gear)
    )
