"""What happened, in the words of the notation: pieces, articles, and actions as clauses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import msgspec

from cloakboard.engine.wec import actions as acts
from cloakboard.engine.wec.actions import Action, Ref
from cloakboard.engine.wec.board import Board, find, lying_at, refs, seen
from cloakboard.engine.wec.headings import step
from cloakboard.engine.wec.notation.clauses import (
    Call,
    Clause,
    Doze,
    Drop,
    Exchange,
    Fire,
    Item,
    Man,
    Move,
    PickUp,
)
from cloakboard.engine.wec.rules.moving import moves_of
from cloakboard.engine.wec.state import Gear, Piece, State


class Told(NamedTuple):
    """An action as a clause, and the name of the clause; of a Fire `FI`."""

    name: str
    clause: Clause


# -- pieces and articles ---------------------------------------------------------------------


def plain(piece: Piece) -> Man:
    """A piece by its kind, place, articles and hand."""
    return Man(piece.kind, piece.cell, tuple(gear.kind for gear in piece.gear), piece.hand)


def men_of(pieces: Iterable[Piece]) -> list[Man]:
    """The pieces, which are all that could be meant, each as it is told from the others."""
    men: list[Man] = []
    seen_before: Counter[Man] = Counter()
    for piece in pieces:
        man = plain(piece)
        seen_before[man] += 1
        men.append(msgspec.structs.replace(man, nth=seen_before[man]))
    return men


def targets(state: State, seat: int) -> list[Piece]:
    """The enemies that the seat sees, in order, each record once: two private sightings that
    are alike are one target."""
    return list(dict.fromkeys(piece for piece in seen(state, seat) if piece.side != seat))


def lying_gear(state: State, square: int) -> list[Gear]:
    """The different articles that lie at a square, in order."""
    return list(dict.fromkeys(lying.gear for lying in lying_at(state, square)))


def item_of(gear: Sequence[Gear], place: int) -> Item:
    """The article at a place as it is told from the others of its kind."""
    kind = gear[place].kind
    return Item(kind, 1 + sum(other.kind == kind for other in gear[:place]))


def piece_of(state: State, seat: int, ref: Ref) -> Piece:
    """The piece that an action which was made names."""
    piece = find(state, seat, ref)
    assert piece is not None, "an action that was made names a piece"
    return piece


def _man(state: State, seat: int, ref: Ref) -> Man:
    own = list(refs(state, seat))
    place = next(place for place, (named, _) in enumerate(own) if named == ref)
    return men_of(piece for _, piece in own)[place]


# -- actions as clauses ----------------------------------------------------------------------


def proposed(
    state: State, seat: int, ref: Ref, goal: int, passenger: Ref | None
) -> tuple[int, ...]:
    """The first way to a cell that is open as far as the state shows (WEC-40, WEC-45); empty
    if there is none."""
    piece = piece_of(state, seat, ref)
    for move in moves_of(state, Board(state, seat), ref, piece):
        if move.route[-1] == goal and move.passenger == passenger:
            return move.route
    return ()


def _move(state: State, seat: int, action: acts.Move) -> Told:
    goal = action.route[-1]
    passenger = None if action.passenger is None else _man(state, seat, action.passenger)
    usual = proposed(state, seat, action.piece, goal, action.passenger)
    route = () if action.route == usual else action.route
    return Told("MV", Move(_man(state, seat, action.piece), goal, passenger, route))


def _doze(state: State, seat: int, action: acts.Doze) -> Told:
    dozer = piece_of(state, seat, action.dozer)
    goal = step(dozer.square, action.heading, seat)
    assert goal is not None, "a doze stays on the board"
    squares = (dozer.square, *action.picked)
    pieces = [
        piece
        for square in squares
        for piece in state.pieces
        if piece.cell == square and piece is not dozer and (piece.side == seat or piece.handle)
    ]
    known = {piece.cell for piece in pieces}
    return Told(
        "MV",
        Doze(
            _man(state, seat, action.dozer),
            goal,
            action.heading,
            tuple((piece.kind, piece.cell) for piece in pieces),
            tuple(square for square in action.picked if square not in known),
        ),
    )


def _blast(state: State, seat: int, action: acts.Blast) -> Told:
    return _directed(state, seat, action.piece, action.weapon, action.heading)


def _directed(state: State, seat: int, ref: Ref, weapon: str, heading: int) -> Told:
    ahead = step(piece_of(state, seat, ref).square, heading, seat)
    assert ahead is not None, "a direction leads to a square"
    return Told("FI", Fire(weapon, _man(state, seat, ref), ahead))


def _launch(state: State, seat: int, action: acts.Launch) -> Told:
    if action.heading >= 0:
        return _directed(state, seat, action.piece, action.weapon, action.heading)
    enemies = targets(state, seat)
    for target, man in zip(enemies, men_of(enemies), strict=True):
        named = (target.handle, target.cell, target.kind)
        if named == (action.target, action.target_cell, action.target_kind):
            at = man
            break
    else:  # a target that only the firer saw
        at = Man(action.target_kind, action.target_cell)
    return Told("FI", Fire(action.weapon, _man(state, seat, action.piece), target=at))


def _limited_rocket(state: State, seat: int, action: acts.LimitedRocket) -> Told:
    at = next((p for p in targets(state, seat) if p.cell == action.square), None)
    man = _man(state, seat, action.piece)
    if at is None:  # a target that only the firer saw
        return Told("FI", Fire("RL", man, action.square))
    return Told("FI", Fire("RL", man, target=plain(at)))


def _bike(state: State, seat: int, action: acts.Bike) -> Told:
    return Told("FI", Fire("BI", _man(state, seat, action.piece), action.cell))


def _take_off(state: State, seat: int, action: acts.TakeOff) -> Told:
    return Told("FI", Fire(action.pack, _man(state, seat, action.piece), action.target))


def _pick_up(state: State, seat: int, action: acts.PickUp) -> Told:
    piece = piece_of(state, seat, action.piece)
    here = lying_gear(state, piece.square)
    place = next(
        place
        for place, gear in enumerate(here)
        if (gear.kind, gear.ready) == (action.article, action.ready)
    )
    return Told("PU", PickUp(_man(state, seat, action.piece), item_of(here, place)))


def _exchange(state: State, seat: int, action: acts.Exchange) -> Told:
    giver, receiver = piece_of(state, seat, action.giver), piece_of(state, seat, action.receiver)
    return Told(
        "EX",
        Exchange(
            _man(state, seat, action.giver),
            item_of(giver.gear, action.give),
            _man(state, seat, action.receiver),
            None if action.take < 0 else item_of(receiver.gear, action.take),
        ),
    )


def _reinforce(state: State, seat: int, action: acts.Reinforce) -> Told:
    for reserve in state.reserves:
        if (reserve.side, reserve.square, reserve.kind) == (seat, action.square, action.kind):
            return Told("RE", Call(action.square, action.kind, reserve.hand))
    raise AssertionError("a reinforcement that was called waits")


def _drop(state: State, seat: int, action: acts.Drop) -> Told:
    piece = piece_of(state, seat, action.piece)
    return Told("DR", Drop(_man(state, seat, action.piece), item_of(piece.gear, action.place)))


CLAUSES: Final[Mapping[type[Action], Callable[[State, int, Any], Told]]] = MappingProxyType(
    {
        acts.Move: _move,
        acts.Doze: _doze,
        acts.Blast: _blast,
        acts.Launch: _launch,
        acts.LimitedRocket: _limited_rocket,
        acts.Bike: _bike,
        acts.TakeOff: _take_off,
        acts.PickUp: _pick_up,
        acts.Exchange: _exchange,
        acts.Reinforce: _reinforce,
        acts.Drop: _drop,
    }
)
