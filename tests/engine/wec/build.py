"""Small states by hand, and what an action makes of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
import pytest

from cloakboard.engine.errors import IllegalAction
from cloakboard.engine.events import Event
from cloakboard.engine.wec import GAME
from cloakboard.engine.wec.actions import Action, EndTurn, Ref
from cloakboard.engine.wec.options import complete
from cloakboard.engine.wec.pieces import WEAPONS
from cloakboard.engine.wec.state import (
    BLACK,
    GROUND,
    SQUARES,
    WHITE,
    Gear,
    Lying,
    Piece,
    Secret,
    Spent,
    State,
    piece_order,
    square_at,
)
from tests.engine.wec.checked import play

UNASSIGNED = -1
AHEAD, BACK = 0, 4  # headings


def cell(row: int, column: int, level: int = GROUND) -> int:
    """The cell of row and column 1..10 at a level."""
    return level * SQUARES + square_at(row, column)


def piece(
    kind: str,
    row: int,
    column: int,
    side: int = BLACK,
    level: int = GROUND,
    *,
    hidden: bool = False,
    gear: Iterable[str | Gear] = (),
    **fields: Any,
) -> Piece:
    """A piece; `state` numbers it if it is not `hidden`. `gear`: kinds, or whole articles."""
    return Piece(
        side=side,
        kind=kind,
        cell=fields.pop("cell", cell(row, column, level)),
        handle=fields.pop("handle", 0 if hidden else UNASSIGNED),
        gear=tuple(Gear(article) if isinstance(article, str) else article for article in gear),
        own_ready=fields.pop("own_ready", (0,) * len(WEAPONS.get(kind, ()))),
        **fields,
    )


def lying(row: int, column: int, *kinds: str) -> tuple[Lying, ...]:
    """Unowned articles in a square."""
    return tuple(Lying(square_at(row, column), Gear(kind)) for kind in kinds)


def state(
    pieces: Iterable[Piece] = (),
    lying: Iterable[Lying] = (),
    turn: int = 1,
    side: int = BLACK,
    options: dict[str, Any] | None = None,
    secrets: tuple[Secret | None, ...] = (Secret(), Secret()),
    **fields: Any,
) -> State:
    """A full state. Public pieces get the handles 1, 2, .. in the order given."""
    placed, number = [], 1
    for one in pieces:
        if one.handle == UNASSIGNED:
            one = msgspec.structs.replace(one, handle=number)
        number = max(number, one.handle + 1)
        placed.append(one)
    return State(
        options=complete(options or {}),
        turn=turn,
        side=side,
        pieces=tuple(sorted(placed, key=piece_order)),
        lying=tuple(sorted(lying, key=lambda one: (one.square, one.gear.kind, one.gear.ready))),
        secrets=secrets,
        next_handle=fields.pop("next_handle", number),
        **fields,
    )


def public(handle: int) -> Ref:
    """Names a public piece."""
    return Ref(handle=handle)


def unseen(row: int, column: int, level: int = GROUND, index: int = 0) -> Ref:
    """Names an unseen piece."""
    return Ref(cell=cell(row, column, level), index=index)


def run(
    before: State, seat: int, action: Action, draws: Iterable[int] = ()
) -> tuple[State, list[Event]]:
    """Plays an action of the side to play where all is known, held against the laws; `draws`
    answers the DRAW probes. Gives the state after it and every event, in order."""
    assert seat == before.side
    played = play(before, action, draws)
    return played.after, list(played.events)


def refused(now: State, action: Action) -> str:
    """The rule by which an action of the side to play is refused; it is not offered either."""
    with pytest.raises(IllegalAction) as caught:
        GAME.legal(now, now.side, action)
    assert action not in list(GAME.actions(now, now.side))
    return caught.value.rule


def one(now: State, handle: int) -> Piece:
    """The public piece of that handle, which must be there."""
    return next(piece for piece in now.pieces if piece.handle == handle)


def where(now: State, handle: int) -> int | None:
    """The cell of a public piece, None if it is gone."""
    return next((one.cell for one in now.pieces if one.handle == handle), None)


def ended(now: State) -> State:
    """The state after the Turn, its Move taken as made."""
    return play(msgspec.structs.replace(now, spent=Spent(move=1)), EndTurn()).after


def of(events: Iterable[Event], kind: type[Any], **fields: Any) -> list[Any]:
    """The events of one kind whose fields have these values."""
    return [
        event
        for event in events
        if isinstance(event, kind)
        and all(getattr(event, name) == value for name, value in fields.items())
    ]


def handles(now: State, kind: str) -> list[int]:
    """The handles of the pieces of a kind, by cell; 0: unseen."""
    return [p.handle for p in now.pieces if p.kind == kind]


def sighted(now: State, side: int) -> list[str]:
    """The kinds of the pieces that only that side sees, by cell."""
    secret = now.secrets[side]
    assert secret is not None
    return [p.kind for p in secret.sighted]


KINGS = (piece("K", 1, 1), piece("K", 10, 10, WHITE))
"""In corners, so that the match goes on."""
