"""The state of a match of Line. A state is canonical: equal knowledge, equal bytes."""

from __future__ import annotations

import msgspec

from tests.tiny.pieces import Kind, Token


class Shown(msgspec.Struct, frozen=True):
    """A token that everyone sees. `rolling`: cells it rolls a Turn, -1, 0 or 1."""

    handle: int
    seat: int
    cell: int
    kind: Kind
    rolling: int = 0


class Secrets(msgspec.Struct, frozen=True):
    """What one seat alone knows. Tuples ascend. `sight`: (seat, token) pairs its scouts saw
    when its Turn began."""

    hidden: tuple[Token, ...] = ()
    traps: tuple[int, ...] = ()
    fuel: int = 0
    sight: tuple[tuple[int, Token], ...] = ()


class State(msgspec.Struct, frozen=True):
    """`known[seat]` is None where the holder does not know the seat's secrets. `shown` goes by
    handle; `due` are the handles that have yet to roll on in this Turn; `left` counts each
    seat's tokens, which is public."""

    cells: int
    turns: int
    turn: int
    mover: int
    acted: bool
    shot: bool
    due: tuple[int, ...]
    shown: tuple[Shown, ...]
    next_handle: int
    left: tuple[int, ...]
    known: tuple[Secrets | None, ...]

    def by_handle(self, handle: int) -> Shown | None:
        """The shown token of that handle."""
        return next((token for token in self.shown if token.handle == handle), None)

    def at(self, cell: int) -> Shown | None:
        """The shown token in a cell."""
        return next((token for token in self.shown if token.cell == cell), None)

    def unseen(self, seat: int) -> int:
        """How many tokens the seat has that are not shown."""
        return self.left[seat] - sum(token.seat == seat for token in self.shown)

    def secrets(self, seat: int) -> Secrets:
        """The seat's secrets, empty where they are not known."""
        return self.known[seat] or Secrets()

    def hidden_at(self, seat: int, cell: int) -> Token | None:
        """The seat's hidden token in a cell, as far as this state knows."""
        return next((token for token in self.secrets(seat).hidden if token.cell == cell), None)

    def others(self, seat: int) -> tuple[int, ...]:
        """All other seats, ascending."""
        return tuple(other for other in range(len(self.left)) if other != seat)
