"""The state a match starts from: of the standard game (WEC section 3, WEC-82), or of any other
start position (RULES section 12)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

from msgspec.structs import astuple, replace

from cloakboard.engine.errors import BadOption, BadSetup
from cloakboard.engine.wec.board import changed
from cloakboard.engine.wec.detection import is_seen
from cloakboard.engine.wec.fold import lying_order
from cloakboard.engine.wec.notation.positions import read_setup
from cloakboard.engine.wec.options import ARTICLE_COUNTS, OPTIONS, Values, agreed, complete
from cloakboard.engine.wec.pieces import GOVERNMENTS, INHERENT, WEAPONS
from cloakboard.engine.wec.position import Placed, Position, faults
from cloakboard.engine.wec.rules.handling import LYING_AT_MOST
from cloakboard.engine.wec.state import (
    BLACK,
    SIDES,
    SQUARES,
    WHITE,
    Gear,
    Lock,
    Lying,
    Piece,
    Reserve,
    Secret,
    State,
    piece_order,
    square_at,
)

# Rows as printed, column 1 first; `+` joins what shares a square, R and L are hands, and K and
# Q stand for the pieces of the side's government.
PIECES: Final = MappingProxyType(
    {
        (BLACK, 1): "TA.R DO+SU CL.R CH.R+JE K Q CH.L+JE CL.L DO+SU TA.L",
        (BLACK, 2): "RP STP FP+AAA CP+DS SHP XP CP+DS FP+AAA STP RP",
        (WHITE, 9): "RP STP FP+AAA CP+DS SHP XP CP+DS FP+AAA STP RP",
        (WHITE, 10): "TA.L DO+SU CL.L CH.L+JE Q K CH.R+JE CL.R DO+SU TA.R",
    }
)
ARTICLES: Final = MappingProxyType(
    {
        3: "ASH TL BI+SL JP SC SC JP BI+SL TL SH",
        4: "ATL ASH SL AST AFL ARL ACS SL ASH ATL",
        5: "TL SH ASL ST XXX+FL XXX+RL CS ASL SH TL",
        6: "TL SH ASL CS XXX+RL XXX+FL ST ASL SH TL",
        7: "ATL ASH SL ACS ARL AFL AST SL ASH ATL",
        8: "SH TL BI+SL JP SC SC JP BI+SL TL ASH",
    }
)
# Activation squares: one row deep in the enemy's half.
RESERVES: Final = MappingProxyType(
    {
        (BLACK, 8): "TA.R DO SU JE Q DS JE SU AAA CL.L",
        (WHITE, 3): "CL.L AAA SU JE DS Q JE SU DO TA.R",
    }
)
HANDS: Final = MappingProxyType({"": "", "R": "right", "L": "left"})


# Black's half from the middle outwards, each square followed by its half-turn partner.
MIDDLE_OUT: Final = tuple(
    square
    for row in range(5, 0, -1)
    for column in range(1, 11)
    for square in (square_at(row, column), SQUARES - 1 - square_at(row, column))
)


def start(options: Mapping[str, Any], setup: str = "", seed: bytes = b"") -> State:
    """The full start position under `options` (changes from the standard). `setup`: a text of
    `notation.positions.write_setup`, empty for the standard game. Raises `BadOption`,
    `BadSetup`."""
    values = complete(options)
    if not setup:
        return state_of(values, standard(values))
    position = read_setup(setup)
    rules = agreed(values)
    for name in (f"articles.{kind}" for kind in ARTICLE_COUNTS):
        if rules[name] != OPTIONS.option(name).default:
            raise BadOption(
                name, f"{name} cannot be changed: this start position lays its own articles"
            )
    for fault in faults(position, rules):
        raise BadSetup(f"{fault.text}.")
    return state_of(values, position)


def state_of(values: Values, position: Position) -> State:
    """The full start position of a position without faults."""
    rules = agreed(values)
    locks = {number: one.side for one in position.pieces for number in one.holds}
    if not rules["stealth_lock_on"]:
        locks = {}
    pieces = [_piece(values, placed, locks) for placed in position.pieces]
    state = State(
        options=values,
        pieces=_numbered(values, pieces),
        lying=tuple(
            sorted((Lying(square, Gear(kind)) for square, kind in position.lying), key=lying_order)
        ),
        locks=tuple(Lock(number, locks[number]) for number in sorted(locks)),
        next_lock=1 + len(locks),
        reserves=tuple(_reserves(values, position)) if rules["reinforcements"] else (),
    )
    return _sighting(state)


def standard(values: Values) -> Position:
    """The start position of the standard game under these options."""
    return Position(
        pieces=tuple(_placed()),
        lying=tuple(_articles(values)),
        reserves=tuple(
            Reserve(side, square, code, HANDS[hand])
            for (side, row), line in RESERVES.items()
            for square, code, hand in _words(row, line)
        ),
    )


def _cells(row: int, line: str) -> Iterator[tuple[int, str]]:
    """Each square of a row with each word that stands in it."""
    for column, words in enumerate(line.split(), 1):
        for word in words.split("+"):
            yield square_at(row, column), word


def _words(row: int, line: str) -> Iterator[tuple[int, str, str]]:
    """Each square of a row with each code and sign of a hand that stands in it."""
    for square, word in _cells(row, line):
        code, _, hand = word.partition(".")
        yield square, code, hand


def _placed() -> Iterator[Placed]:
    """Each Stealth Pawn is locked on to the other: lock 1 is Black's, lock 2 White's (WEC-91)."""
    for (side, row), line in PIECES.items():
        for square, code, hand in _words(row, line):
            if code == "SHP":
                yield Placed(side, code, square, holds=(1 + side,), locked=2 - side)
            else:
                yield Placed(side, code, square, HANDS[hand])


def _articles(values: Values) -> Iterator[tuple[int, str]]:
    """As many of each kind as the options say (WEC-06). Of fewer than the set-up has, those
    nearest the middle are laid, in pairs opposite each other; further ones go to the squares
    with room that are nearest the middle. Single ones take turns between the halves."""
    rules = agreed(values)
    laid = {square: words.split("+") for row in ARTICLES for square, words in _squares(row)}
    singles = 0
    full: Counter[int] = Counter()
    further: list[str] = []
    for kind, usual in ARTICLE_COUNTS.items():
        count = rules[f"articles.{kind}"]
        places = [square for square in MIDDLE_OUT if kind in laid.get(square, ())]
        assert len(places) == usual, "the set-up has no two of a kind in one square"
        if count < usual and count % 2:
            if singles % 2:
                places[count - 1], places[count] = places[count], places[count - 1]
            singles += 1
        for square in places[:count]:
            full[square] += 1
            yield square, kind
        further += [kind] * (count - usual)
    at = 0
    for kind in further:
        while full[MIDDLE_OUT[at % SQUARES]] >= LYING_AT_MOST:
            at += 1
        square = MIDDLE_OUT[at % SQUARES]
        full[square] += 1
        at += 1
        yield square, kind


def _squares(row: int) -> Iterator[tuple[int, str]]:
    for column, words in enumerate(ARTICLES[row].split(), 1):
        yield square_at(row, column), words


def _kind(values: Values, side: int, code: str) -> str:
    """K and Q stand for the primary and the secondary piece of the side (WEC-21)."""
    primary, secondary = GOVERNMENTS[agreed(values)[f"government.{side}"]]
    return {"K": primary, "Q": secondary}.get(code, code)


def _piece(values: Values, placed: Placed, locks: Mapping[int, int]) -> Piece:
    """The piece as it stands when the first Turn begins. `locks`: those that count."""
    holds = [number for number in placed.holds if number in locks]
    own_lock = holds.pop(0) if holds and "ASH" in INHERENT.get(placed.kind, ()) else 0
    gear = tuple(
        Gear(article, lock=holds.pop(0) if article == "ASH" and holds else 0)
        for article in placed.articles
    )
    kind = _kind(values, placed.side, placed.kind)
    return Piece(
        side=placed.side,
        kind=kind,
        cell=placed.cell,
        hand=placed.hand,
        gear=gear,
        own_ready=(0,) * len(WEAPONS.get(kind, ())),
        own_lock=own_lock,
        locked=placed.locked if placed.locked in locks else 0,
        unmoved=not placed.moved,
        stunned=1 + placed.stun if placed.stun else 0,
    )


def _numbered(values: Values, pieces: list[Piece]) -> tuple[Piece, ...]:
    """The pieces in order, those that the enemy sees with handles from 1 (WEC-97)."""
    options = agreed(values)
    cells = Counter({(piece.cell, piece.side) for piece in pieces})
    paired = {cell for cell, _ in cells if cells[cell, BLACK] and cells[cell, WHITE]}  # WEC-58
    watchers = {
        side: [
            piece
            for piece in pieces
            if piece.side == side and (piece.cell in paired or is_seen(options, piece, (), 1))
        ]
        for side in SIDES
    }
    numbered, handle = [], 0
    for piece in sorted(pieces, key=piece_order):
        if is_seen(options, piece, watchers[1 - piece.side], 1):
            handle += 1
            piece = changed(piece, handle=handle)
        numbered.append(piece)
    return tuple(sorted(numbered, key=piece_order))


def _sighting(state: State) -> State:
    """The state with what each side's unseen detectors see."""
    options = agreed(state.options)
    secrets = tuple(
        Secret(
            sighted=tuple(
                piece
                for piece in state.pieces
                if piece.side != side
                and not piece.handle
                and is_seen(options, piece, [one for one in state.pieces if one.side == side], 1)
            )
        )
        for side in SIDES
    )
    handle = max((piece.handle for piece in state.pieces), default=0)
    return replace(state, secrets=secrets, next_handle=1 + handle)


def _reserves(values: Values, position: Position) -> Iterator[Reserve]:
    """In the order of sides and squares (WEC-82)."""
    for one in sorted(position.reserves, key=astuple):
        yield Reserve(one.side, one.square, _kind(values, one.side, one.kind), one.hand)
