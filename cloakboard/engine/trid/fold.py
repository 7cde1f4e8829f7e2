"""`apply`: one event folded into a state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from msgspec.structs import replace

from cloakboard.engine.events import Event
from cloakboard.engine.trid.board import BLACK, ON_PIN, carried, members
from cloakboard.engine.trid.events import (
    BoardMoved,
    Castled,
    Moved,
    Promoted,
    Taken,
    TurnEnded,
)
from cloakboard.engine.trid.pieces import EMPTY, FRESH, man, side_of
from cloakboard.engine.trid.position import HOME
from cloakboard.engine.trid.state import AttackBoard, State, key


def apply(state: State, event: Event) -> State:
    """The state after an event."""
    return FOLDS[type(event)](state, event)


def placed(men: str, changes: Mapping[int, str]) -> str:
    """Who stands where, some squares changed."""
    letters = list(men)
    for square, letter in changes.items():
        letters[square] = letter
    return "".join(letters)


def _taken(state: State, event: Taken) -> State:
    return replace(state, men=placed(state.men, {event.square: EMPTY}))


def _moved(state: State, event: Moved) -> State:
    return replace(state, men=placed(state.men, {event.origin: EMPTY, event.target: event.man}))


def _castled(state: State, event: Castled) -> State:
    king, near_rook, far_rook, far_king = HOME[event.side]
    changes = {near_rook: man("K", event.side), king: man("R", event.side)}
    if event.queenside:
        changes = {far_rook: EMPTY, far_king: man("K", event.side), king: man("R", event.side)}
    return replace(state, men=placed(state.men, changes))


def _board_moved(state: State, event: BoardMoved) -> State:
    changes: dict[int, str] = {}
    for square in members(ON_PIN[event.pin]):
        rider = state.men[square]
        if rider != EMPTY:
            if rider.upper() == FRESH:
                rider = man("P", side_of(rider))
            changes[square] = EMPTY
            changes[carried(square, event.to, event.turned)] = rider
    boards = (
        AttackBoard(event.to, one.owner) if one.pin == event.pin else one for one in state.boards
    )
    return replace(
        state,
        men=placed(state.men, changes),
        boards=tuple(sorted(boards, key=lambda one: one.pin)),
    )


def _promoted(state: State, event: Promoted) -> State:
    return replace(state, men=placed(state.men, {event.square: event.man}))


def _turn_ended(state: State, event: TurnEnded) -> State:
    after = replace(
        state,
        side=1 - state.side,
        castling=event.castling,
        en_passant=event.en_passant,
        counter=event.counter,
        number=state.number + (state.side == BLACK),
        ended=event.ended,
    )
    return replace(after, seen=(*(state.seen if event.counter else ()), key(after)))


FOLDS: Final[Mapping[type[Event], Callable[[State, Any], State]]] = MappingProxyType(
    {
        Taken: _taken,
        Moved: _moved,
        Castled: _castled,
        BoardMoved: _board_moved,
        Promoted: _promoted,
        TurnEnded: _turn_ended,
    }
)
