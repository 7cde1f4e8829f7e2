"""A position as the second reading of the rules has it: men in plain places, by name.

Taken from a state's fields alone, as `state` words them; nothing of the engine's board, movement
or sight is used.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from cloakboard.engine.wec.state import Piece, State

LEVELS: Final = ("Ground", "Air", "Sub")
OWN_COEXISTENCE: Final = ("SU", "CH", "DO", "DS", "AAA")  # WEC-04
OWN_STEALTH: Final = ("SHP", "AAA")  # section 3
OWN_ANTI_STEALTH: Final = ("SHP",)
OWN_TORPEDOES: Final = ("SOP", "SU", "DS")
PRIMARY: Final = ("K", "DI", "AV", "PR")
AT_HOME: Final = {"Ground": None, "Air": ("CH", "JE"), "Sub": ("SU",)}  # WEC-47; None: all
FLIES_AT: Final = {"R": "Ground", "S": "Air", "T": "Sub"}  # WEC-59
HEADINGS: Final = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))

Name = tuple[int, int, int]  # how an action names a man: handle, else cell and index


class Place(NamedTuple):
    """Row and column 1..10 and a level."""

    row: int
    column: int
    level: str

    def on(self, level: str) -> Place:
        """The same square at another level."""
        return Place(self.row, self.column, level)


@dataclass(frozen=True, eq=False)
class Man:
    """A piece; each is only equal to itself. `flies`: by a pack, to `target`; `chased`: by which
    homing shots."""

    side: int
    kind: str
    hand: str
    place: Place
    name: Name
    carries: tuple[str, ...]
    idle: tuple[str, ...]  # of `carries`, what can be fired in this Turn
    unmoved: bool
    stunned: bool
    fired: bool  # in this Turn
    acted: bool  # in this Turn
    flies: bool
    target: Place | None
    locked: bool
    chased: tuple[int, ...]

    @property
    def is_public(self) -> bool:
        return self.name[0] > 0

    @property
    def looks(self) -> tuple[Any, ...]:
        """What it is and where, without its name."""
        return (self.side, self.kind, self.hand, self.place, self.carries)

    def has(self, article: str, inherent: Iterable[str]) -> bool:
        """Whether the ability is its own or carried."""
        return self.kind in inherent or article in self.carries


@dataclass(frozen=True)
class Shot:
    """A projectile. `step`: the offset of its last step or of its direction, None before the
    first of a homing one; `target`: where it was last publicly known, None if directed."""

    number: int
    side: int
    place: Place
    step: tuple[int, int] | None
    homing: bool
    target: Place | None


@dataclass(frozen=True)
class World:
    """All men of a state; `sighted`: per seat, unseen enemies that it sees privately."""

    options: Mapping[str, Any]
    turn: int
    side: int
    men: tuple[Man, ...]
    shots: tuple[Shot, ...]
    sighted: tuple[tuple[Man, ...], ...]
    moved: bool  # the Move of this Turn is made
    fires: int  # of this Turn
    over: bool

    def acted_upon(self, seat: int) -> list[Man]:
        """Own, public and privately seen men: what a seat acts upon (WEC-97, WEC-99)."""
        return [m for m in self.men if m.side == seat or m.is_public] + list(self.sighted[seat])


def place_of(cell: int) -> Place:
    """The place of a cell's number."""
    return Place(cell % 100 // 10 + 1, cell % 10 + 1, LEVELS[cell // 100])


def world(state: State) -> World:
    """The world of a state that knows everything."""
    seen: dict[tuple[int, int], int] = {}
    men = []
    for piece in state.pieces:
        name = (piece.handle, 0, 0)
        if not piece.handle:
            index = seen.get((piece.side, piece.cell), 0)
            seen[piece.side, piece.cell] = index + 1
            name = (0, piece.cell, index)
        men.append(man(state, piece, name))
    secrets = [secret for secret in state.secrets if secret is not None]
    spent = [state.spent, secrets[state.side].spent]
    return World(
        options=dict(state.options),
        turn=state.turn,
        side=state.side,
        men=tuple(men),
        shots=tuple(
            Shot(
                number=shot.number,
                side=shot.side,
                place=place_of(shot.square).on(FLIES_AT[shot.kind]),
                step=HEADINGS[shot.heading] if shot.heading >= 0 else None,
                homing=shot.homing,
                target=place_of(shot.target_cell) if shot.homing else None,
            )
            for shot in state.projectiles
        ),
        sighted=tuple(
            tuple(man(state, piece, (-1, piece.cell, at)) for at, piece in enumerate(one.sighted))
            for one in secrets
        ),
        moved=any(one.move for one in spent),
        fires=sum(one.fires for one in spent),
        over=state.winner is not None,
    )


def man(state: State, piece: Piece, name: Name) -> Man:
    """One piece of a state."""
    return Man(
        side=piece.side,
        kind=piece.kind,
        hand=piece.hand,
        place=place_of(piece.cell),
        name=name,
        carries=tuple(gear.kind for gear in piece.gear),
        idle=tuple(gear.kind for gear in piece.gear if gear.ready <= state.turn),
        unmoved=piece.unmoved,
        stunned=state.turn < piece.stunned,
        fired=piece.fired == state.turn,
        acted=piece.acted == state.turn,
        flies=piece.flight is not None,
        target=place_of(piece.flight.target) if piece.flight else None,
        locked=piece.locked > 0,
        chased=piece.chased,
    )


def ahead(place: Place, forward: int, right: int, side: int) -> Place | None:
    """Where an offset leads as the side sits (WEC-01); None off the board."""
    sign = 1 if side == 0 else -1
    row, column = place.row + sign * forward, place.column + sign * right
    return Place(row, column, place.level) if 1 <= row <= 10 and 1 <= column <= 10 else None


def apart(one: Place, other: Place) -> int:
    """WEC-94."""
    return max(abs(one.row - other.row), abs(one.column - other.column))


def standing(men: Iterable[Man], place: Place) -> list[Man]:
    """Those in one level of one square."""
    return [man for man in men if man.place == place]
