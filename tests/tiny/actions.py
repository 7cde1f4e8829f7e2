"""What a seat can ask for in Line. `heading` is -1 or 1."""

from __future__ import annotations

import msgspec


class Action(msgspec.Struct, frozen=True, tag=True):
    """Root of the actions."""


class Step(Action, frozen=True, tag=True):
    """A shown token walks up to as many cells as its kind allows (LINE-2)."""

    handle: int
    heading: int
    length: int


class Leap(Action, frozen=True, tag=True):
    """A shown runner goes to a drawn cell (LINE-3)."""

    handle: int


class Roll(Action, frozen=True, tag=True):
    """A shown runner rolls one cell, and on in each later Turn of its seat (LINE-5)."""

    handle: int
    heading: int


class RollOn(Action, frozen=True, tag=True):
    """Forced: a rolling runner goes on (LINE-5)."""

    handle: int


class Hide(Action, frozen=True, tag=True):
    """A shown token goes out of sight in its cell (LINE-2)."""

    handle: int


class Plant(Action, frozen=True, tag=True):
    """A shown token lays a trap in its own or a neighbouring cell (LINE-6). The cell is the
    secret part: 0 in the open part, else the cell's number plus one."""

    handle: int
    cell: int = 0


class Shoot(Action, frozen=True, tag=True):
    """A shown gunner hits the first token along the line (LINE-7). Once a Turn, besides the
    main action."""

    handle: int
    heading: int


class Creep(Action, frozen=True, tag=True):
    """Veiled: a hidden token moves and stays hidden (LINE-4)."""

    cell: int
    heading: int
    length: int


class End(Action, frozen=True, tag=True):
    """Ends the Turn (LINE-8)."""


AnyAction = Step | Leap | Roll | RollOn | Hide | Plant | Shoot | Creep | End
