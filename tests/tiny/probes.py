"""What the rules of Line ask. Fields with a default are filled where the secret is known."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final

import msgspec

from cloakboard.engine.probes import Form, Lookup, Probe
from tests.tiny.pieces import CELLS, CREEP, SHOT, TOKENS, ZONE, Token

LOOKUPS: Final[Mapping[str, Lookup]] = {
    "way": Lookup(points=CREEP, rows=TOKENS, label_bytes=48, keys=CELLS),
    "line": Lookup(points=1, rows=SHOT, label_bytes=48, keys=SHOT + 1),
    "zone": Lookup(points=2 * ZONE, rows=TOKENS, label_bytes=48, keys=CELLS),
}


class Told(msgspec.Struct, frozen=True, tag=True):
    """What a seat owes at the end of a Turn: its tokens found out, its traps gone off."""

    found: tuple[Token, ...]
    sprung: tuple[int, ...]


class Met(Probe, frozen=True, tag=True, kw_only=True):
    """The owner's first hidden token in the cells, in their order, or None."""

    form: ClassVar[Form] = Form.SHOW
    cells: tuple[int, ...]


class Duty(Probe, frozen=True, tag=True, kw_only=True):
    """What the owner must tell at the end of a Turn: a `Told`."""

    form: ClassVar[Form] = Form.TELL


class Ahead(Probe, frozen=True, tag=True, kw_only=True):
    """How many cells along the line the owner's own first hidden token stands; 0: none."""

    form: ClassVar[Form] = Form.OWN
    line: tuple[int, ...]


class Buried(Probe, frozen=True, tag=True, kw_only=True):
    """Where the owner lays its trap: the cell's number plus one; 0 if it has no fuel left."""

    form: ClassVar[Form] = Form.OWN
    cell: int = 0


class Stock(Probe, frozen=True, tag=True, kw_only=True):
    """The owner's fuel."""

    form: ClassVar[Form] = Form.OWN


class Struck(Probe, frozen=True, tag=True, kw_only=True):
    """How many cells along the line the shooter says its shot went; 0: it hit nothing."""

    form: ClassVar[Form] = Form.CLAIM
    value: int | None = None


class Fate(Probe, frozen=True, tag=True, kw_only=True):
    """Where a leap ends."""

    form: ClassVar[Form] = Form.DRAW


class Way(Probe, frozen=True, tag=True, kw_only=True):
    """Which cells of a hidden way the owner holds. Key: cell; label: the token, which binds
    what the owner shows of it."""

    form: ClassVar[Form] = Form.OCCUPIED
    lookup: ClassVar[str] = "way"
    cells: tuple[int, ...] = ()


class InLine(Probe, frozen=True, tag=True, kw_only=True):
    """The owner's first hidden token within the asker's limit. Key: the limit in cells along
    the line; label: the token."""

    form: ClassVar[Form] = Form.LIMIT
    lookup: ClassVar[str] = "line"
    line: tuple[int, ...]
    limit: int = 0


class Zone(Probe, frozen=True, tag=True, kw_only=True):
    """What the asker's hidden scouts see of the owner's. Key: cell; label: the token."""

    form: ClassVar[Form] = Form.SIGHT
    lookup: ClassVar[str] = "zone"


AnyProbe = Met | Duty | Ahead | Buried | Stock | Struck | Fate | Way | InLine | Zone
Pairs = tuple[tuple[int, Token | None], ...]
AnyAnswer = int | None | Token | Told | Pairs
