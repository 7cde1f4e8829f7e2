"""What a board editor asks of the rules beside `position.faults`: the position a match has come
to, and what may not be meant (RULES section 12)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from msgspec.structs import replace

from cloakboard.engine.wec.detection import around
from cloakboard.engine.wec.names import SEATS
from cloakboard.engine.wec.options import ARTICLE_COUNTS, OPTIONS, complete
from cloakboard.engine.wec.pieces import PRIMARIES
from cloakboard.engine.wec.position import Fault, Placed, Position, Scenario
from cloakboard.engine.wec.rules.dozing import has_doze
from cloakboard.engine.wec.rules.handling import LYING_AT_MOST
from cloakboard.engine.wec.rules.moving import has_move
from cloakboard.engine.wec.setup import state_of
from cloakboard.engine.wec.state import SIDES, Piece, State, square_of
from cloakboard.engine.wec.text import place

LAID: Final = frozenset(f"articles.{kind}" for kind in ARTICLE_COUNTS)
GOVERNMENTS: Final = frozenset(f"government.{side}" for side in SIDES)


def scenario_of(state: State) -> Scenario:
    """The start position that a state, or what a seat knows of one, has come to, with the options
    of its match (RULES section 12). Weapons are ready again and projectiles gone, and so are locks
    of which one end is not known; whoever flies by a pack has to be given a place.

    Governments are left at the standard, so that every K and Q stays what it is."""
    standard = OPTIONS.defaults()
    changes = {
        name: value
        for name, value in state.options
        if value != standard[name] and name not in LAID | GOVERNMENTS
    }
    held = {lock for piece in state.pieces for lock in _held(piece)}
    known = sorted(held & {piece.locked for piece in state.pieces})
    numbers = {lock: number for number, lock in enumerate(known, 1)}
    position = Position(
        pieces=tuple(
            Placed(
                side=piece.side,
                kind=piece.kind,
                cell=piece.cell,
                hand=piece.hand,
                articles=tuple(gear.kind for gear in piece.gear),
                stun=max(piece.stunned - state.turn, 0),
                moved=not piece.unmoved,
                holds=tuple(numbers[lock] for lock in _held(piece) if lock in numbers),
                locked=numbers.get(piece.locked, 0),
            )
            for piece in state.pieces
        ),
        lying=tuple((lying.square, lying.gear.kind) for lying in state.lying),
        reserves=state.reserves,
    )
    return Scenario(position=position.sorted(), options=changes)


def _held(piece: Piece) -> tuple[int, ...]:
    """The numbers of the locks that a piece holds, its own first (WEC-91)."""
    return tuple(lock for lock in (piece.own_lock, *(gear.lock for gear in piece.gear)) if lock)


def warnings(position: Position, options: Mapping[str, Any]) -> Iterator[Fault]:
    """What a player should know of a position without faults before playing it: a side without
    a primary piece or without a piece that can move, articles that would scatter far."""
    state = state_of(complete(options), position)
    for side, name in enumerate(SEATS):
        own = [piece for piece in state.pieces if piece.side == side]
        if not any(piece.kind in PRIMARIES for piece in own):
            yield Fault("WEC-14", f"{name} has no primary piece, so it cannot lose")
        turn = replace(state, turn=1 + side, side=side)  # Black moves first
        if not (has_move(turn, side) or has_doze(turn, side)):
            yield Fault("WEC-12", f"{name} has no piece that can move in its first Turn")
    lying = [square for square, _ in position.lying]
    for placed in position.pieces:
        square = square_of(placed.cell)
        near = around(square, 1)
        room = LYING_AT_MOST * len(near) - sum(lying.count(one) for one in near)
        if room < len(placed.articles):
            says = f"The {placed.kind} at {place(placed.cell)} has little room around it"
            yield Fault("WEC-62", f"{says}: its articles would scatter farther", placed.cell)
