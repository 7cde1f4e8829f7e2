"""Questions that a rule asks about what is hidden.

A rule never looks at hidden facts, the mover's own included. It yields a `Probe` and goes
on with the answer. A probe has an owner (the seat that knows), an asker (the one seat that
learns the answer, or everyone) and a form that says how it travels (VEIL 5):

form      who learns        how the driver answers it
SHOW      everyone          `game.answer(state, probe)` on the owner's machine, in clear
TELL      everyone          the same; an obligatory statement, emptiness included
OWN       the owner alone   `game.answer` on the owner's machine; every other machine goes on
                            with `None`. Nothing travels.
CLAIM     everyone          the owner's machine publishes `probe.value`, which the rule worked
                            out there from private answers (elsewhere `value` is None)
LIMIT     the asker alone   blind lookup: `game.query` gives the asker's keys, `game.holds` the
OCCUPIED  the asker alone   owner's map of key to label; the answer is the tuple of
SIGHT     the asker alone   (key, label) pairs, in the order of the keys, of those present;
                            every other machine goes on with `None`. An
                            OCCUPIED answer says only that a key is there: its labels are None.
DRAW      everyone          a random integer in [0, 2**128) that no seat controls

Control flow may hang on a non-public answer only in events whose audience is the asker.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar, Final

import msgspec


class Form(enum.StrEnum):
    """How a probe travels."""

    SHOW = "show"
    TELL = "tell"
    OWN = "own"
    CLAIM = "claim"
    LIMIT = "limit"
    OCCUPIED = "occupied"
    SIGHT = "sight"
    DRAW = "draw"


BLIND: Final = frozenset({Form.LIMIT, Form.OCCUPIED, Form.SIGHT})


class Probe(msgspec.Struct, frozen=True, tag=True, kw_only=True):
    """One question. Games derive tagged probes and set `form` (and `lookup` if blind).

    `owner` is the seat that knows (of a DRAW: the seat that gains, whose link opens first);
    `asker` is used by the blind forms only. A field with a default holds what only the asker
    (of a blind probe) or the owner knows, and stays at its default on every other machine; a
    public field has none.
    """

    form: ClassVar[Form]
    lookup: ClassVar[str] = ""  # a key of Game.lookups; blind forms only
    owner: int
    asker: int = -1


class Lookup(msgspec.Struct, frozen=True):
    """The fixed size of one kind of blind lookup (VEIL 5): a function of options and start.

    `points`: P, the asker's list length; `rows`: Q, the answerer's; `label_bytes`: every
    label's padded length; `keys`: every key that can be asked or held lies below it.
    """

    points: int
    rows: int
    label_bytes: int
    keys: int


NO_LOOKUPS: Final[Mapping[str, Lookup]] = MappingProxyType({})
