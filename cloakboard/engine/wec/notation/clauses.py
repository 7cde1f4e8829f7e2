"""What a history in WEC notation says, as values (WEC-112): one `Turn` for each line.

Squares are 0..99 and cells 0..299, as in `wec.state`. A clause holds what its text holds, no
more: who is meant by it is for `player` to find in the position, and for `scribe` to say.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Any, Final

import msgspec

from cloakboard.engine.errors import Malformed
from cloakboard.engine.game import Result

NOWHERE: Final = -1
# Clauses in the order in which a Turn lists them, whatever the order in which they happened.
NAMES: Final = ("MV", "FI1", "FI2", "PU", "EX", "RE", "DR")


class NotationError(Malformed):
    """Text that is no WEC notation, or that the rules do not bear out. `line` and `column`
    count from 1; `expected` and `found` are words for a player."""

    def __init__(self, line: int, column: int, expected: str, found: str) -> None:
        super().__init__(f"Line {line}, column {column}: expected {expected}, found {found}")
        self.line = line
        self.column = column
        self.expected = expected
        self.found = found


class Man(msgspec.Struct, frozen=True):
    """A piece: its code, cell, articles in carrying order, and hand (`left`, `right`, or
    empty). `nth`: of several that read alike the first, second, .. in the state's order."""

    kind: str
    cell: int
    articles: tuple[str, ...] = ()
    hand: str = ""
    nth: int = 1


class Item(msgspec.Struct, frozen=True):
    """An article; `nth` as for a `Man`."""

    kind: str
    nth: int = 1


class Move(msgspec.Struct, frozen=True, tag=True):
    """The Move as it was meant: to `goal`, by the cells of `route` if that is not the way
    proposed. `met`: where an unseen enemy stopped it, if not at the goal (WEC-49)."""

    man: Man
    goal: int
    passenger: Man | None = None
    route: tuple[int, ...] = ()
    met: int = NOWHERE


class Doze(msgspec.Struct, frozen=True, tag=True):
    """Dozing: the Dozer goes to `goal` with `men`, each a code and the square it comes from.
    `heading`: 0..7 as the owner sits. `bare`: squares picked where the reader knows nobody.
    `met`: the square whose unseen enemy kept it from happening (WEC-48)."""

    man: Man
    goal: int
    heading: int
    men: tuple[tuple[str, int], ...] = ()
    bare: tuple[int, ...] = ()
    met: int = NOWHERE


class Fire(msgspec.Struct, frozen=True, tag=True):
    """A Fire: towards or to `square`, or at `target`."""

    weapon: str
    man: Man
    square: int = NOWHERE
    target: Man | None = None


class PickUp(msgspec.Struct, frozen=True, tag=True):
    """A pick-up. `draw`: which candidate its lock-on took, from 0 (WEC-91)."""

    man: Man
    item: Item
    draw: int = 0


class Exchange(msgspec.Struct, frozen=True, tag=True):
    """`given` goes from the giver to the receiver, `taken` comes back."""

    giver: Man
    given: Item
    receiver: Man
    taken: Item | None = None


class Call(msgspec.Struct, frozen=True, tag=True):
    """A reinforcement called; `met`: its square, if an unseen enemy held it (WEC-80)."""

    square: int
    kind: str
    hand: str = ""
    met: int = NOWHERE


class Drop(msgspec.Struct, frozen=True, tag=True):
    """An article laid down."""

    man: Man
    item: Item


class Shot(msgspec.Struct, frozen=True, tag=True):
    """A projectile R, S or T at a square, going on by `step` (rows, columns) each Turn; None:
    it is gone."""

    kind: str
    square: int
    step: tuple[int, int] | None = None


class Fate(msgspec.Struct, frozen=True, tag=True):
    """What befell a piece of a side: by `word` (a result type), with the Turns of stun left."""

    word: str
    man: Man
    stun: int
    side: int


class Note(msgspec.Struct, frozen=True):
    """What the grammar has no words for; `FORMS` says which fields each word has."""

    word: str
    man: Man | None = None
    article: str = ""
    cell: int = NOWHERE
    side: int = NOWHERE


# The fields of each note, in the order written; "->" stands for itself.
FORMS: Final = MappingProxyType(
    {
        "flight": ("man", "->", "cell"),  # a flyer flew on, its end as it was let (WEC-71)
        "seen": ("man", "side"),  # came into public view (WEC-97)
        "locked": ("man", "side"),  # by a lock-on (WEC-91)
        "moved": ("man", "->", "cell", "side"),  # by an action that was not seen
        "holds": ("man", "side"),  # articles changed by an action that was not seen
        "came": ("article", "cell"),  # an article appeared by such an action (WEC-35)
        "gone": ("article", "cell"),
    }
)

Clause = Move | Doze | Fire | PickUp | Exchange | Call | Drop


class Turn(msgspec.Struct, frozen=True, kw_only=True):
    """One Turn. `order`: names of its clauses as they happened, empty if as listed.
    `unseen`: its Move is not known to the reader. `finished`: it was ended."""

    number: int
    clauses: tuple[tuple[str, Clause], ...] = ()
    order: tuple[str, ...] = ()
    results: tuple[Shot | Fate, ...] = ()
    notes: tuple[Note, ...] = ()
    unseen: bool = False
    finished: bool = True

    def happened(self) -> tuple[str, ...]:
        """The names of the clauses in the order in which they happened."""
        return self.order or tuple(name for name, _ in self.clauses)

    def clause(self, name: str) -> Clause:
        """The clause of that name, which the Turn has."""
        return dict(self.clauses)[name]


class Score(msgspec.Struct, frozen=True, kw_only=True):
    """A whole history. `options`: the changes from the standard, by name. `reader`: the seat
    for which it leaves out what that seat may not know; None: complete."""

    options: dict[str, Any]
    setup: str = ""
    names: tuple[str, str] = ("", "")
    reader: int | None = None
    result: Result | None = None
    turns: tuple[Turn, ...] = ()
