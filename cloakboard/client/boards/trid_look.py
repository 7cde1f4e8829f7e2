"""What a board of tri-dimensional chess shows besides its men: the same for both views. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from textwrap import wrap
from typing import Final, NamedTuple

from cloakboard.client import theme
from cloakboard.client.boards import trid_choose as choose
from cloakboard.client.boards.trid_choose import Choosing, Menu
from cloakboard.client.boards.trid_play import TridPlay
from cloakboard.client.marks import Mark
from cloakboard.client.tokens import Form, Token
from cloakboard.engine.trid.actions import Move, MoveBoard
from cloakboard.engine.trid.board import NAMES, ON_PIN, PINS, is_attack, members, pin_of
from cloakboard.engine.trid.pieces import EMPTY, kind_of, side_of
from cloakboard.engine.trid.pieces import NAMES as KINDS
from cloakboard.engine.trid.state import NOWHERE, State
from cloakboard.engine.trid.text import SEATS, riders

SIDE_PAINTS: Final = ("white", "black")
CASTS: Final = (theme.WALNUT, theme.SLATE, theme.DEEP)  # of the main boards and their pins
SHARES: Final = (0.0, 0.4, 0.4)  # of a cast in squares of the player's own
LINE: Final = 44  # letters of a line of the card
PICTURES: Final = {
    "P": "chess.pawn",
    "N": "chess.knight",
    "B": "chess.bishop",
    "R": "chess.rook",
    "Q": "chess.queen",
    "K": "chess.king",
}


@dataclass(frozen=True, slots=True)
class Hit:
    """What is pointed at: a square, or a pin or the edge of the board on it, or nothing."""

    square: int | None = None
    pin: int | None = None


class Worn(NamedTuple):
    """The colours that a table wears: of the main boards with their pins, and of both sides."""

    boards: tuple[theme.Board, theme.Board, theme.Board]
    white: theme.Side
    black: theme.Side


def worn() -> Worn:
    """The colours as the player likes them. With squares of one's own each main board keeps a
    cast of its own, so that they can be told apart."""
    own = theme.board_colours()
    boards = CASTS
    if own[:2] != CASTS[0][:2]:
        first, *rest = (_mixed(own, cast, share) for cast, share in zip(CASTS, SHARES, strict=True))
        boards = (first, rest[0], rest[1])
    white, black = (theme.side_colours(side, theme.Tint.GROUND) for side in SIDE_PAINTS)
    return Worn(boards, white, black)


def _mixed(own: theme.Board, cast: theme.Board, share: float) -> theme.Board:
    return theme.Board(*(a.mixed(b, share) for a, b in zip(own, cast, strict=True)))


def hit_of(square: int) -> Hit:
    """What pointing at a square gives."""
    return Hit(square, pin_of(square)) if is_attack(square) else Hit(square)


@dataclass(frozen=True, slots=True)
class Look:
    """`marks`: squares, lowest mark first. `pins`: where the picked board may go; `aimed`: the
    pin among them that is pointed at. `ghosts`: where its men would stand. `way`: the squares
    of the move that is pointed at. `wanted`: what can be chosen now."""

    state: State
    marks: tuple[tuple[int, Mark], ...] = ()
    pins: tuple[int, ...] = ()
    picked_pin: int | None = None
    aimed: int | None = None
    ghosts: tuple[tuple[int, str], ...] = ()
    way: tuple[int, ...] = ()
    cursor: int | None = None
    wanted: frozenset[Hit] = frozenset()


def token(letter: str) -> Token:
    """How a man looks."""
    kind = kind_of(letter)
    return Token(PICTURES[kind], kind, SIDE_PAINTS[side_of(letter)], Form.ROUND)


def look(play: TridPlay, at: Hit, cursor: int | None) -> Look:
    """What to show, with what the pointer or else the keyboard's cursor is on."""
    state = play.sight
    menu, choosing = play.menu, play.choosing
    marks = [(square, Mark.LAST) for square in play.last() if choose.stands(state, square)]
    if play.check() != NOWHERE:
        marks.append((play.check(), Mark.THREAT))
    pins = choose.pins_for(menu, choosing)
    aimed = at.pin if at.pin in pins else None
    ghosts: list[tuple[int, str]] = []
    if choosing.pin is not None:
        for pin in (aimed,) if aimed is not None else pins:
            ghosts += choose.ride(state, choosing.pin, pin, choosing.turned)
    if choosing.origin is not None:
        marks.append((choosing.origin, Mark.SELECTED))
    for target in choose.targets_for(menu, choosing):
        marks.append((target, Mark.TARGET if state.men[target] == EMPTY else Mark.CAPTURE))
    pointed = at.square
    if choosing == Choosing() and pointed in menu.moves:
        assert pointed is not None
        marks += [(target, Mark.REACH) for target in sorted(menu.moves[pointed])]
    way = choose.way_to(menu, choosing, pointed)
    if choosing == Choosing() and pointed is None:
        way = play.last_way()
    return Look(
        state, tuple(marks), pins, choosing.pin, aimed, tuple(ghosts), way, cursor,
        frozenset(_wanted(menu, choosing, pins)),
    )  # fmt: skip


def _wanted(menu: Menu, choosing: Choosing, pins: tuple[int, ...]) -> Iterator[Hit]:
    for square in menu.moves:
        yield hit_of(square)
    for pin in menu.boards:
        yield Hit(None, pin)
        is_free = choosing.origin is None
        for square in members(ON_PIN[pin]) if is_free else riders(menu.state, pin):
            yield hit_of(square)
    for square in choose.targets_for(menu, choosing):
        yield hit_of(square)
    for pin in pins:
        yield Hit(None, pin)


def told(play: TridPlay, at: Hit) -> tuple[str, tuple[str, ...], Token | None]:
    """What the card says about what is pointed at: title, lines, token."""
    state = play.sight
    title, lines, picture = at_rest(state, at)
    reason = _why_not(play, at)
    if picture is not None and at.square is not None:
        lines = (*lines, *_can(play, at.square), *reason)
    elif at.square is None and at.pin is not None and has_board(state, at.pin):
        is_stuck = play.may_act and at.pin not in play.menu.boards
        lines = ("It cannot move now",) if is_stuck else ()
    return title, reason if reason and picture is None else lines, picture


def at_rest(state: State, at: Hit) -> tuple[str, tuple[str, ...], Token | None]:
    """The same of a position where nothing can be done."""
    if at.square is not None and state.men[at.square] != EMPTY:
        letter = state.men[at.square]
        title = f"{SEATS[side_of(letter)]} {KINDS[kind_of(letter)]}"
        return title, (f"On {NAMES[at.square]}",), token(letter)
    if at.square is not None:
        return f"Square {NAMES[at.square]}", ("Nobody stands here",), None
    if at.pin is not None:
        name = PINS[at.pin]
        if has_board(state, at.pin):
            return f"Attack board {name}", (), None
        return f"Pin {name}", ("A free place for an attack board",), None
    return "Point at a square", ("Who stands there is told here.",), None


def has_board(state: State, pin: int) -> bool:
    """Whether a pin holds an attack board."""
    return any(one.pin == pin for one in state.boards)


def _why_not(play: TridPlay, at: Hit) -> tuple[str, ...]:
    """Why what is picked cannot go where the pointer is, in lines for the card."""
    menu, choosing = play.menu, play.choosing
    action: Move | MoveBoard | None = None
    if choosing.origin is not None and at.square is not None:
        is_other = not choose.is_own(menu.state, at.square)
        if is_other and at.square not in choose.targets_for(menu, choosing):
            action = Move(choosing.origin, at.square)
    lit = (None, choosing.pin, *choose.pins_for(menu, choosing))
    if choosing.pin is not None and at.square is None and at.pin not in lit:
        assert at.pin is not None
        action = MoveBoard(choosing.pin, at.pin, choosing.turned)
    if action is None:
        return ()
    return tuple(wrap(choose.why_not(menu.state, action), LINE))


def _can(play: TridPlay, square: int) -> tuple[str, ...]:
    if not play.may_act or not choose.is_own(play.sight, square):
        return ()
    count = len(play.menu.moves.get(square, ()))
    return (f"{count} squares in reach" if count != 1 else "1 square in reach",)
