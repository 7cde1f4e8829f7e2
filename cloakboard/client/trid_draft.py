"""A start position of tri-dimensional chess being made: men, attack boards, rights, counts.

Pure. What cannot be at all is refused at once; what only keeps the position from being played is
listed until it is mended. Rights that a change has made void go with it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

import msgspec

from cloakboard.client.boards.trid_look import has_board
from cloakboard.client.drafting import Drafting
from cloakboard.engine.scenario import Scenario
from cloakboard.engine.trid.board import (
    FIRST_PIN_SQUARE,
    NAMES,
    PIN_SQUARES,
    PINS,
    RANK,
    SQUARES,
    WHITE,
    carried,
    is_attack,
    pin_of,
)
from cloakboard.engine.trid.faults import ATTACK_BOARDS, Fault, castling_fault, faults
from cloakboard.engine.trid.moves import legal
from cloakboard.engine.trid.notation.positions import MAX_COUNT, read_form, write_position
from cloakboard.engine.trid.options import complete
from cloakboard.engine.trid.pieces import EMPTY, FRESH, KINDS, START, kind_of, man, side_of
from cloakboard.engine.trid.position import position
from cloakboard.engine.trid.rules import judged
from cloakboard.engine.trid.state import NOWHERE, RIGHTS, AttackBoard, State, key
from cloakboard.engine.trid.text import ending, riders

START_STATE: Final = read_form(START, complete({}))
PAWN: Final = "P"


@dataclass(frozen=True, slots=True)
class ManBrush:
    """Puts men; `letter` as a state writes them, a pawn being `P` or `p`."""

    letter: str


@dataclass(frozen=True, slots=True)
class BoardBrush:
    """Puts attack boards that were first a side's."""

    owner: int


@dataclass(frozen=True, slots=True)
class TridEraser:
    """Takes away what is pointed at."""


TridBrush = ManBrush | BoardBrush | TridEraser | None


@dataclass(frozen=True, slots=True)
class Laid:
    """A position with what players are told of it."""

    state: State
    title: str = ""
    teaches: str = ""


class TridDraft(Drafting[Laid]):
    """The position with its options. `square` or `pin`: the man or the attack board that is looked
    at."""

    def __init__(self, made: Scenario) -> None:
        super().__init__(_laid(made), made.options)
        self.square: int | None = None
        self.pin: int | None = None

    # What there is ------------------------------------------------------------------------

    @property
    def state(self) -> State:
        """The position under its options."""
        return msgspec.structs.replace(self.position.state, options=complete(self.options))

    @property
    def scenario(self) -> Scenario:
        """The position as text, with the changes of its options."""
        laid = self.position
        return Scenario(laid.title, laid.teaches, self.options, write_position(laid.state))

    @property
    def is_empty(self) -> bool:
        """Whether no man stands anywhere."""
        return self.pieces == 0

    @property
    def pieces(self) -> int:
        """How many men there are."""
        return SQUARES - self.position.state.men.count(EMPTY)

    def faults(self) -> tuple[Fault, ...]:
        """What keeps the position from being played, that it is over already included."""
        state = self.state
        found = tuple(faults(state))
        if found:
            return found
        seen = msgspec.structs.replace(state, seen=(key(state),))
        ended = judged(seen, legal(position(seen)))
        if not ended:
            return ()
        over = ending(msgspec.structs.replace(seen, ended=ended))
        return (Fault(f"{over.removesuffix('.')}; move a man, or let the other side move"),)

    # Going back ---------------------------------------------------------------------------

    def go_to(self, position: Laid) -> None:
        """The position is one that was there before."""
        super().go_to(position)
        self._look()

    def open(self, made: Scenario) -> None:
        """Something else that was made; all but the options can be taken back."""
        self.set_options(made.options)
        self.go_on(_laid(made))
        self.select()

    def clear(self) -> str:
        """No men; the attack boards where a match begins."""
        bare = msgspec.structs.replace(START_STATE, men=EMPTY * SQUARES, castling="")
        self.go_on(replace(self.position, state=bare))
        self.select()
        return ""

    def swap(self) -> str:
        """The sides change places: everything is turned by half, White's men become Black's."""
        return self._change(turned(self.position.state))

    def entitle(self, title: str, teaches: str) -> str:
        """Its title and what it is for."""
        self.go_on(replace(self.position, title=title, teaches=teaches))
        return ""

    # Looking at ---------------------------------------------------------------------------

    def select(self, square: int | None = None, pin: int | None = None) -> None:
        """Looks at a man or a board, or at nothing."""
        self.square, self.pin = square, pin
        self._look()

    def _look(self) -> None:
        state = self.position.state
        if self.square is not None and state.men[self.square] == EMPTY:
            self.square = None
        if self.pin is not None and not has_board(state, self.pin):
            self.pin = None

    # Men ----------------------------------------------------------------------------------

    def put(self, letter: str, square: int) -> str:
        """A man on a square, in place of whoever stands there; a king leaves its old square. A
        pawn on a square where one of its side begins may advance two."""
        state = self.position.state
        if not _exists(state, square):
            return f"There is no attack board on {PINS[pin_of(square)]}; put one there first."
        men = {square: _fresh(letter, square)}
        if kind_of(letter) == "K" and letter in state.men:
            men = {state.men.index(letter): EMPTY} | men
        return self._change(_with(state, men))

    def move(self, origin: int, target: int) -> str:
        """The man on another square, in place of whoever stands there."""
        state = self.position.state
        if not _exists(state, target):
            return f"There is no attack board on {PINS[pin_of(target)]}; put one there first."
        letter = state.men[origin]
        if kind_of(letter) == PAWN:
            letter = _fresh(man(PAWN, side_of(letter)), target)
        return self._change(_with(state, {origin: EMPTY, target: letter}), target)

    def erase(self, square: int) -> str:
        """The man of a square is gone."""
        if self.position.state.men[square] == EMPTY:
            return "Nobody stands there to be taken away."
        return self._change(_with(self.position.state, {square: EMPTY}))

    def toggle_fresh(self) -> str:
        """The pawn that is looked at may advance two squares, or no longer."""
        square = self.square
        assert square is not None
        letter = self.position.state.men[square]
        side = side_of(letter)
        kind = PAWN if letter.upper() == FRESH else FRESH
        return self._change(_with(self.position.state, {square: man(kind, side)}), square)

    def toggle_passed(self) -> str:
        """The pawn that is looked at has just advanced two squares, or has not (TD-56)."""
        state, square = self.position.state, self.square
        assert square is not None
        if state.en_passant == square:
            return self._change(msgspec.structs.replace(state, en_passant=NOWHERE), square)
        side = side_of(state.men[square])
        if side == state.side:
            return "Only a pawn of the side that is not to move can have just moved."
        tried = msgspec.structs.replace(_with(state, {square: man(PAWN, side)}), en_passant=square)
        if any(fault.square == square for fault in _played(tried, self.state)):
            return f"Nobody can take the pawn on {NAMES[square]} in passing."
        return self._change(tried, square)

    # Attack boards ------------------------------------------------------------------------

    def put_board(self, owner: int, pin: int) -> str:
        """An attack board on a free pin; on one that holds a board, whose it was first."""
        state = self.position.state
        rest = tuple(one for one in state.boards if one.pin != pin)
        if len(rest) == ATTACK_BOARDS:
            return "There are four attack boards already; take one away, or move one."
        return self._change(_with_boards(state, (*rest, AttackBoard(pin, owner))), pin=pin)

    def move_board(self, pin: int, to: int) -> str:
        """The board with its men on another pin."""
        state = self.position.state
        if has_board(state, to):
            return f"An attack board stands on {PINS[to]}; move that one away first."
        boards = tuple(
            AttackBoard(to, one.owner) if one.pin == pin else one for one in state.boards
        )
        men = dict.fromkeys(on_pin(pin), EMPTY)
        men |= {carried(square, to, False): state.men[square] for square in on_pin(pin)}
        return self._change(_with_boards(_with(state, men), boards), pin=to)

    def turn_board(self, pin: int) -> str:
        """The men of a board go to the opposite corners, as when it is turned by half."""
        state = self.position.state
        if not riders(state, pin):
            return "Nobody stands on that board; an empty one looks the same turned by half."
        men = {carried(square, pin, True): state.men[square] for square in on_pin(pin)}
        return self._change(_with(state, men), pin=pin)

    def erase_board(self, pin: int) -> str:
        """The board with its men is gone."""
        state = self.position.state
        boards = tuple(one for one in state.boards if one.pin != pin)
        men = dict.fromkeys(on_pin(pin), EMPTY)
        return self._change(_with_boards(_with(state, men), boards))

    # Rights and counts --------------------------------------------------------------------

    def set_side(self, side: int) -> str:
        """Whose turn it is."""
        state = msgspec.structs.replace(self.position.state, side=side)
        return self._change(state, self.square, self.pin)

    def toggle_castling(self, right: str) -> str:
        """One of KQkq, if king and rook stand where they began."""
        state = self.position.state
        rights = set(state.castling) ^ {right}
        said = "".join(one for one in RIGHTS if one in rights)
        tried = msgspec.structs.replace(state, castling=said)
        fault = castling_fault(tried, right) if right in rights else None
        if fault is not None:
            return f"{fault.text.partition(';')[0]}."
        return self._change(tried, self.square, self.pin)

    def set_counts(self, counter: int, number: int) -> str:
        """Half-moves without progress (TD-85), and the move number from 1."""
        if not (0 <= counter <= MAX_COUNT and 1 <= number <= MAX_COUNT):
            return f"The counts are whole numbers up to {MAX_COUNT}; moves count from 1."
        state = msgspec.structs.replace(self.position.state, counter=counter, number=number)
        return self._change(state, self.square, self.pin)

    def _change(self, state: State, square: int | None = None, pin: int | None = None) -> str:
        self.go_on(replace(self.position, state=self._mended(state)))
        self.select(square, pin)
        return ""

    def _mended(self, state: State) -> State:
        """Without castling rights that lack king or rook, and without a pawn to be taken in
        passing that nobody can take."""
        castling = "".join(one for one in state.castling if castling_fault(state, one) is None)
        state = msgspec.structs.replace(state, castling=castling)
        if state.en_passant != NOWHERE:
            square = state.en_passant
            if any(fault.square == square for fault in _played(state, self.state)):
                state = msgspec.structs.replace(state, en_passant=NOWHERE)
        return state


def _laid(made: Scenario) -> Laid:
    return Laid(read_form(made.setup, complete({})), made.title, made.teaches)


def _played(state: State, like: State) -> Iterable[Fault]:
    """The faults of a position under another's options."""
    return faults(msgspec.structs.replace(state, options=like.options))


def _with(state: State, men: dict[int, str]) -> State:
    letters = list(state.men)
    for square, letter in men.items():
        letters[square] = letter
    return msgspec.structs.replace(state, men="".join(letters))


def _with_boards(state: State, boards: Iterable[AttackBoard]) -> State:
    ordered = tuple(sorted(boards, key=lambda one: one.pin))
    return msgspec.structs.replace(state, boards=ordered)


def _fresh(letter: str, square: int) -> str:
    """A pawn where one of its side begins keeps its two-square right (TD-52)."""
    begins = man(FRESH, side_of(letter))
    return begins if kind_of(letter) == PAWN and START_STATE.men[square] == begins else letter


def _exists(state: State, square: int) -> bool:
    return not is_attack(square) or has_board(state, pin_of(square))


def on_pin(pin: int) -> range:
    """The squares of the board on a pin."""
    first = FIRST_PIN_SQUARE + PIN_SQUARES * pin
    return range(first, first + PIN_SQUARES)


def turned(state: State) -> State:
    """The same position with the sides changed (RULES section 12)."""
    men = [EMPTY] * SQUARES
    for square, letter in enumerate(state.men):
        men[_mirrored(square)] = letter.swapcase()
    passed = state.en_passant
    return msgspec.structs.replace(
        state,
        boards=tuple(
            sorted(
                (AttackBoard(_mirrored_pin(one.pin), 1 - one.owner) for one in state.boards),
                key=lambda one: one.pin,
            )
        ),
        men="".join(men),
        side=1 - state.side,
        castling="".join(one for one in RIGHTS if one in state.castling.swapcase()),
        en_passant=NOWHERE if passed == NOWHERE else _mirrored(passed),
    )


def _mirrored_pin(pin: int) -> int:
    """Pin n becomes 7 - n of the same line."""
    return 2 * (5 - pin // 2) + pin % 2


def _mirrored(square: int) -> int:
    """The square of the same file whose rank is 9 less this one's, W and B exchanged."""
    if is_attack(square):
        pin, place = divmod(square - FIRST_PIN_SQUARE, PIN_SQUARES)
        return FIRST_PIN_SQUARE + PIN_SQUARES * _mirrored_pin(pin) + (place ^ 2)
    return _MIRRORED[square]


def _mirrors() -> dict[int, int]:
    """For the main boards."""
    places = {name: square for square, name in enumerate(NAMES)}
    boards = {"W": "B", "N": "N", "B": "W"}
    return {
        square: places[f"{NAMES[square][0]}{9 - RANK[square]}{boards[NAMES[square][2]]}"]
        for square in range(FIRST_PIN_SQUARE)
    }


_MIRRORED: Final = _mirrors()
LETTERS: Final = tuple(man(kind, side) for side in (WHITE, 1) for kind in reversed(KINDS))
