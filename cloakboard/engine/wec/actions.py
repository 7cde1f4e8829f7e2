"""What a seat can ask for in WEC (WEC-11). Resigning and draws are the table's (WEC-15).

A piece is named by `Ref`: a public one by its handle; an unseen own one by its cell and its
place among its side's unseen pieces there, in the order of `state.piece_order`.
"""

from __future__ import annotations

import msgspec


class Ref(msgspec.Struct, frozen=True, array_like=True):
    """Names a piece: by `handle` if it is public (then `cell` and `index` are 0), else by
    `cell` and `index`, 0 or 1."""

    handle: int = 0
    cell: int = 0
    index: int = 0


class Action(msgspec.Struct, frozen=True, tag=True):
    """One action. The open part of an action names public pieces only."""


class Move(Action, frozen=True, tag=True):
    """The Move (WEC-40..46). `route`: cells entered, in order, the last being the end.
    `passenger`: the piece that comes along, None if none does; an unseen passenger of a
    public carrier is the action's secret part."""

    piece: Ref
    route: tuple[int, ...]
    passenger: Ref | None = None


class Doze(Action, frozen=True, tag=True):
    """Dozing (WEC-48). `picked`: up to four squares, ascending; `heading`: 0..7 as the owner
    sits."""

    dozer: Ref
    picked: tuple[int, ...]
    heading: int


class Blast(Action, frozen=True, tag=True):
    """Flamer FL, stun gun ST or conversion CS in a heading 0..7 (WEC-55..57)."""

    piece: Ref
    weapon: str
    heading: int


class Launch(Action, frozen=True, tag=True):
    """RL, SL or TL (WEC-59): in a `heading` 0..7, or, with `heading` -1, homing on the enemy
    piece named by `target` (its handle, or 0) and `target_cell`, `target_kind`."""

    piece: Ref
    weapon: str
    heading: int
    target: int = 0
    target_cell: int = -1
    target_kind: str = ""


class LimitedRocket(Action, frozen=True, tag=True):
    """A Jet's or Sub's limited rocket at Ground of a square (WEC-61)."""

    piece: Ref
    square: int


class Bike(Action, frozen=True, tag=True):
    """One square at Ground by bike, to `cell` (WEC-70)."""

    piece: Ref
    cell: int


class TakeOff(Action, frozen=True, tag=True):
    """Fires a jump pack JP or scuba SC towards a target square (WEC-71)."""

    piece: Ref
    pack: str
    target: int


class Fly(Action, frozen=True, tag=True):
    """A flyer's advance at the start of its owner's Turn; owed, not chosen (WEC-71)."""

    piece: Ref


class PickUp(Action, frozen=True, tag=True):
    """Takes an article that lies in the piece's square (WEC-30). `ready` tells two of a kind
    apart."""

    piece: Ref
    article: str
    ready: int = 0


class Drop(Action, frozen=True, tag=True):
    """Lays down the carried article at `place`, an index into `gear` (WEC-31)."""

    piece: Ref
    place: int


class Exchange(Action, frozen=True, tag=True):
    """Hands over the giver's article at `give`; `take` is the place of the receiver's article
    that comes back, -1 if none does (WEC-32)."""

    giver: Ref
    receiver: Ref
    give: int
    take: int = -1


class Reinforce(Action, frozen=True, tag=True):
    """Calls a waiting reinforcement (WEC-80)."""

    square: int
    kind: str


class EndTurn(Action, frozen=True, tag=True):
    """Ends the Turn (WEC-12, WEC-17)."""


AnyAction = (
    Move
    | Doze
    | Blast
    | Launch
    | LimitedRocket
    | Bike
    | TakeOff
    | Fly
    | PickUp
    | Drop
    | Exchange
    | Reinforce
    | EndTurn
)
