"""From squares and pins pointed at to an action of tri-dimensional chess, or a sentence why not.

Pure: what is legal, and why something is not, the engine says.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from cloakboard.engine.errors import IllegalAction
from cloakboard.engine.trid.actions import Action, Castle, Move, MoveBoard
from cloakboard.engine.trid.board import (
    BIT,
    BOARD,
    COLUMN,
    HEIGHT,
    IN_COLUMN,
    NAMES,
    NEIGHBOURS,
    PINS,
    carried,
    existing,
    is_attack,
    members,
    pin_of,
    stepped,
)
from cloakboard.engine.trid.pieces import EMPTY, kind_of, side_of
from cloakboard.engine.trid.pieces import NAMES as KINDS
from cloakboard.engine.trid.position import HOME
from cloakboard.engine.trid.routes import route
from cloakboard.engine.trid.rules import check_legal
from cloakboard.engine.trid.state import State, placement
from cloakboard.engine.trid.text import riders

NO_ACTIONS: tuple[Action, ...] = ()


@dataclass(frozen=True, slots=True)
class Choosing:
    """What has been picked: a man's square, or an attack board's pin and whether it is to be
    turned. At most one of them."""

    origin: int | None = None
    pin: int | None = None
    turned: bool = False


@dataclass(frozen=True, slots=True)
class Act:
    """The choice is complete."""

    action: Action


@dataclass(frozen=True, slots=True)
class Pending:
    """The choice goes on."""

    choosing: Choosing


@dataclass(frozen=True, slots=True)
class Ask:
    """Several actions fit: the player chooses one by its text."""

    question: str
    choices: tuple[tuple[str, Action], ...]


@dataclass(frozen=True, slots=True)
class Refused:
    """Nothing fits; `text` is a sentence why."""

    text: str


Outcome = Act | Pending | Ask | Refused


@dataclass(frozen=True)
class Menu:
    """What the side to play can do. `moves`: by square of departure, then of arrival; castling
    stands with the king's square. `boards`: by pin, then by new pin and turned or not."""

    state: State
    actions: tuple[Action, ...] = NO_ACTIONS
    moves: dict[int, dict[int, tuple[Action, ...]]] = field(init=False, default_factory=dict)
    boards: dict[int, dict[tuple[int, bool], tuple[Action, ...]]] = field(
        init=False, default_factory=dict
    )

    def __post_init__(self) -> None:
        for action in self.actions:
            if isinstance(action, MoveBoard):
                ways = self.boards.setdefault(action.pin, {})
                way = (action.to, action.turned)
                ways[way] = (*ways.get(way, ()), action)
                continue
            for origin, target in pointed(action, self.state.side):
                targets = self.moves.setdefault(origin, {})
                targets[target] = (*targets.get(target, ()), action)

    def castlings(self) -> tuple[Castle, ...]:
        """The castlings that are legal."""
        return tuple(action for action in self.actions if isinstance(action, Castle))


def pointed(action: Action, side: int) -> Iterator[tuple[int, int]]:
    """The squares of departure and arrival by which a man's move is pointed out. Castling: the
    king's square, then the rook's or where the king comes to stand."""
    if isinstance(action, Move):
        yield action.origin, action.target
    elif isinstance(action, Castle):
        king, near_rook, far_rook, far_king = HOME[side]
        for target in (far_rook, far_king) if action.queenside else (near_rook,):
            yield king, target


def click_square(menu: Menu, choosing: Choosing, square: int) -> Outcome:
    """What pointing at a square does."""
    if choosing.origin is not None:
        fitting = menu.moves.get(choosing.origin, {}).get(square, ())
        if fitting:
            return _of(fitting)
        if square == choosing.origin:
            return _again(menu, square)
    if is_own(menu.state, square):
        return _pick(menu, square)
    if choosing.origin is not None:
        return Refused(why_not(menu.state, Move(choosing.origin, square)))
    if is_attack(square) and pin_of(square) != choosing.pin:
        return click_board(menu, pin_of(square))
    if choosing.pin is not None:
        return Pending(Choosing())
    if menu.state.men[square] != EMPTY:
        kind = KINDS[kind_of(menu.state.men[square])]
        return Refused(f"The {kind} on {NAMES[square]} is not yours; choose a man of your own.")
    return Refused(f"Nobody stands on {NAMES[square]}; choose a man of your own.")


def click_board(menu: Menu, pin: int) -> Outcome:
    """What pointing at an attack board itself does: it is picked, or it is told why not."""
    if pin in menu.boards:
        return Pending(Choosing(pin=pin))
    return Refused(why_not_board(menu.state, pin))


def click_pin(menu: Menu, choosing: Choosing, pin: int) -> Outcome:
    """What pointing at a pin does: the picked board goes there, or the one there is picked."""
    if choosing.pin is None or placement(menu.state) >> pin & 1:
        if pin == choosing.pin:
            return Pending(Choosing())
        if placement(menu.state) >> pin & 1:
            return click_board(menu, pin)
        return Refused(f"{PINS[pin]} is a free pin; pick an attack board first.")
    fitting = menu.boards[choosing.pin].get((pin, choosing.turned), ())
    if fitting:
        return _of(fitting)
    return Refused(why_not(menu.state, MoveBoard(choosing.pin, pin, choosing.turned)))


def turn(menu: Menu, choosing: Choosing) -> Outcome:
    """Turns the picked board by half, or back."""
    if choosing.pin is None:
        return Refused("Pick an attack board first; it is turned while it moves.")
    turned = not choosing.turned
    if not any(way[1] == turned for way in menu.boards[choosing.pin]):
        to = next(iter(menu.boards[choosing.pin]))[0]
        return Refused(why_not(menu.state, MoveBoard(choosing.pin, to, turned)))
    return Pending(Choosing(pin=choosing.pin, turned=turned))


def next_board(menu: Menu, choosing: Choosing) -> Outcome:
    """Picks the next attack board that can move."""
    pins = sorted(menu.boards)
    if not pins:
        return Refused("No attack board can move now: it needs exactly one man, and it is yours.")
    later = [pin for pin in pins if choosing.pin is not None and pin > choosing.pin]
    return Pending(Choosing(pin=(later or pins)[0]))


def castle(menu: Menu, queenside: bool) -> Outcome:
    """Castles, or tells why not."""
    action = Castle(queenside)
    if action in menu.actions:
        return Act(action)
    return Refused(why_not(menu.state, action))


def pins_for(menu: Menu, choosing: Choosing) -> tuple[int, ...]:
    """The pins where the picked board can go as it is turned now."""
    if choosing.pin is None:
        return ()
    ways = menu.boards.get(choosing.pin, {})
    return tuple(sorted(to for to, turned in ways if turned == choosing.turned))


def targets_for(menu: Menu, choosing: Choosing) -> tuple[int, ...]:
    """The squares where the picked man can go."""
    if choosing.origin is None:
        return ()
    return tuple(sorted(menu.moves.get(choosing.origin, {})))


def way_to(menu: Menu, choosing: Choosing, target: int | None) -> tuple[int, ...]:
    """The way of the picked man to a square, both ends included; nothing if it cannot go."""
    if choosing.origin is None or target is None:
        return ()
    for action in menu.moves.get(choosing.origin, {}).get(target, ()):
        if isinstance(action, Move):
            return route(menu.state, action)
    return ()


def ride(state: State, pin: int, to: int, turned: bool) -> tuple[tuple[int, str], ...]:
    """Where the men on an attack board would stand on another pin: squares and letters."""
    return tuple((carried(sq, to, turned), state.men[sq]) for sq in riders(state, pin))


def is_own(state: State, square: int) -> bool:
    """Whether a man of the side to play stands there."""
    return state.men[square] != EMPTY and side_of(state.men[square]) == state.side


def why_not(state: State, action: Action) -> str:
    """The engine's reason against an action; empty if it is legal."""
    try:
        check_legal(state, state.side, action)
    except IllegalAction as refused:
        return str(refused)
    return ""


def why_not_board(state: State, pin: int) -> str:
    """Why an attack board cannot move at all."""
    reasons = [why_not(state, MoveBoard(pin, to)) for to in NEIGHBOURS[pin]]
    free = [
        reason
        for to, reason in zip(NEIGHBOURS[pin], reasons, strict=True)
        if not placement(state) >> to & 1
    ]
    return (free or reasons)[0]


def _of(fitting: tuple[Action, ...]) -> Outcome:
    if len(fitting) == 1:
        return Act(fitting[0])
    choices = tuple((_text(action), action) for action in fitting)
    return Ask("What does the pawn become?", choices)


def _text(action: Action) -> str:
    assert isinstance(action, Move | MoveBoard)
    return KINDS[action.promotion]


def _pick(menu: Menu, square: int) -> Outcome:
    if square in menu.moves:
        return Pending(Choosing(origin=square))
    if is_attack(square) and pin_of(square) in menu.boards:
        return Pending(Choosing(pin=pin_of(square)))
    kind = KINDS[kind_of(menu.state.men[square])]
    return Refused(f"The {kind} on {NAMES[square]} has no legal move now.")


def _again(menu: Menu, square: int) -> Outcome:
    """The picked man's own square: its board is picked if it can move, else nothing is."""
    if is_attack(square) and pin_of(square) in menu.boards:
        return Pending(Choosing(pin=pin_of(square)))
    return Pending(Choosing())


# The keyboard's cursor ----------------------------------------------------------------------


def moved(state: State, square: int, files: int, ranks: int) -> int:
    """The square reached by a cursor's step: in the next column that has one, on the same board
    if it goes on there, else the nearest in height; the same square at the edge."""
    exists = existing(placement(state))
    column = stepped(COLUMN[square], (files, ranks))
    while column is not None:
        found = tuple(members(IN_COLUMN[column] & exists))
        if found:
            return min(
                found,
                key=lambda one: (BOARD[one] != BOARD[square], abs(HEIGHT[one] - HEIGHT[square])),
            )
        column = stepped(column, (files, ranks))
    return square


def levelled(state: State, square: int, up: int) -> int:
    """The next square above (+1) or below (-1) in the same column; the same if there is none.
    It may be asked of a square that is there no longer."""
    column = members(IN_COLUMN[COLUMN[square]] & existing(placement(state)))
    beyond = [one for one in column if (HEIGHT[one] - HEIGHT[square]) * up > 0]
    return min(beyond, key=lambda one: HEIGHT[one] * up, default=square)


def first_square(state: State) -> int:
    """Where the cursor appears: the king of the side to play."""
    king = "K" if state.side == 0 else "k"
    return state.men.index(king)


def stands(state: State, square: int) -> bool:
    """Whether a square exists now."""
    return bool(existing(placement(state)) & BIT[square])
