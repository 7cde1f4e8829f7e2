"""Whose turn it is, what may be done, what comes of it, and how the match ends."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Any, Final

from msgspec.structs import replace

from cloakboard.engine.events import Event
from cloakboard.engine.game import Result
from cloakboard.engine.probes import Probe
from cloakboard.engine.trid import refusals
from cloakboard.engine.trid.actions import Action, Castle, Move, MoveBoard
from cloakboard.engine.trid.board import FILE, members
from cloakboard.engine.trid.events import (
    BoardMoved,
    Castled,
    Moved,
    Promoted,
    Taken,
    TurnEnded,
)
from cloakboard.engine.trid.fold import apply
from cloakboard.engine.trid.moves import Found, legal
from cloakboard.engine.trid.pieces import EMPTY, kind_of, man, side_of
from cloakboard.engine.trid.position import Position, position
from cloakboard.engine.trid.state import (
    BARE_KINGS,
    CHECKMATE,
    FIFTY,
    FIFTY_MOVES,
    NOWHERE,
    REPETITION,
    RIGHTS,
    STALEMATE,
    THRICE,
    State,
    key,
)

Resolving = Generator[Probe | Event, Any, None]
_BARE: Final = 2  # men


def to_act(state: State) -> tuple[int, ...]:
    """The side whose turn it is; nobody once the match has ended (TD-21)."""
    return () if state.ended else (state.side,)


def actions(state: State, seat: int) -> Iterator[Action]:
    """Legal actions: men's by origin, target and promotion (Q, R, B, N), castling, boards."""
    if seat in to_act(state):
        yield from legal(position(state)).actions()


def check_legal(state: State, seat: int, action: Action) -> None:
    """Raises `IllegalAction`."""
    if action not in actions(state, seat):
        raise refusals.refusal(state, seat, action)


def resolve(state: State, seat: int, action: Action) -> Resolving:
    """The men and boards that move, what is taken and promoted, then the end of the turn."""
    after = position(state).after(action)
    progress = False
    for event in _happenings(state, action, after):
        progress |= isinstance(event, Taken | Promoted)
        progress |= isinstance(event, Moved) and kind_of(event.man) == "P"
        state = yield event
    yield ended_turn(state, after, 0 if progress else state.counter + 1)


def _happenings(state: State, action: Action, after: Position) -> Iterator[Event]:
    side = state.side
    if isinstance(action, Castle):
        yield Castled(side=side, queenside=action.queenside)
    elif isinstance(action, Move):
        mover = man(kind_of(state.men[action.origin]), side)
        taken = taken_by(state, action)
        if taken != NOWHERE:
            yield Taken(square=taken, man=man(kind_of(state.men[taken]), 1 - side))
        yield Moved(man=mover, origin=action.origin, target=action.target)
        if action.promotion:
            yield Promoted(square=action.target, man=man(action.promotion, side))
    else:
        assert isinstance(action, MoveBoard)
        moved = BoardMoved(pin=action.pin, to=action.to, turned=action.turned)
        yield moved
        then = apply(state, moved)
        for owner, kind in ((side, action.promotion), (1 - side, "Q")):
            for square in members(after.geometry.promotes[owner]):
                letter = then.men[square]
                if kind_of(letter) == "P" and side_of(letter) == owner:
                    yield Promoted(square=square, man=man(kind, owner))


def taken_by(state: State, action: Move) -> int:
    """The square of the man that a legal move takes, or NOWHERE (TD-41, TD-56)."""
    if state.men[action.target] != EMPTY:
        return action.target
    aside = FILE[action.origin] != FILE[action.target]
    if kind_of(state.men[action.origin]) == "P" and aside:
        return state.en_passant
    return NOWHERE


def ended_turn(state: State, after: Position, counter: int) -> TurnEnded:
    """What the end of a turn finds, from the state whose men and boards have moved."""
    found = legal(after)
    closing = TurnEnded(
        castling="".join(right for bit, right in enumerate(RIGHTS) if after.rights >> bit & 1),
        en_passant=_in_passing(after, found),
        counter=counter,
        check=bool(found.checkers),
        ended="",
    )
    return replace(closing, ended=judged(apply(state, closing), found))


def _in_passing(after: Position, found: Found) -> int:
    """The square of the pawn that can be taken in passing now, or NOWHERE (TD-56)."""
    if not after.passed:
        return NOWHERE
    advanced, passing = after.passed.bit_length() - 1, after.passing_squares()
    can = any(
        targets & passing and FILE[origin] != FILE[advanced] for origin, targets in found.pawns
    )
    return advanced if can else NOWHERE


def judged(state: State, found: Found) -> str:
    """How the match ends in a position whose moves are `found`, or empty (TD-82..86)."""
    if not found.any():
        return CHECKMATE if found.checkers else STALEMATE
    if sum(letter != EMPTY for letter in state.men) == _BARE:
        return BARE_KINGS
    if state.counter >= FIFTY:
        return FIFTY_MOVES
    return REPETITION if state.seen.count(key(state)) >= THRICE else ""


def result(state: State) -> Result | None:
    """How it ended, or None while it goes on."""
    if not state.ended:
        return None
    winners = (1 - state.side,) if state.ended == CHECKMATE else ()
    return Result(winners, state.ended)


def checked(state: State) -> int:
    """The square of the king that is in check, or NOWHERE (TD-81)."""
    placed = position(state)
    return placed.king(state.side) if placed.is_check(state.side) else NOWHERE


def perft(state: State, depth: int) -> int:
    """The number of sequences of `depth` moves. Draws by count end none."""
    return _perft(position(state), depth)


def _perft(placed: Position, depth: int) -> int:
    if depth == 0:
        return 1
    found = legal(placed)
    if depth == 1:
        return found.number()
    return sum(_perft(placed.after(action), depth - 1) for action in found.actions())
