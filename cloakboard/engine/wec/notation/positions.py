"""Start positions as text: TOML with the piece descriptions of the notation.

    format = 1
    title = 'Flamer alley'
    teaches = 'A flamer hits whoever stands in its way, friend and foe.'
    black = ['K(1,5)', 'TA(1,1)2FLXXX> moved', 'SUv(2,3) stunned 3']
    white = ['K(10,6)', 'JE^(9,4)']
    articles = ['AFL(5,5)', 'FL(6,6)']
    black_reinforcements = ['DO(8,4)']
    white_reinforcements = ['CL(3,4)<']

    [options]
    flamer_range = 2

A piece is its code, its level and square, its articles after their number, and its hand, as in
the notation; then, as far as they apply, ` moved`, ` stunned 3`, ` holds 1`, ` locked 2` in this
order (see `Placed`). What is empty may be left out. A text for people may have another layout,
and comments. The one that machines agree on (`Game.start`) has neither, no options, one line a
key, and everything sorted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from types import MappingProxyType
from typing import Final, TypeVar

from cloakboard.engine import scenario as engine
from cloakboard.engine.errors import BadSetup
from cloakboard.engine.scenario import Fields, fail, one_line, words
from cloakboard.engine.wec.notation.clauses import Man, NotationError
from cloakboard.engine.wec.notation.parser import (
    read_article,
    read_articles,
    read_cell,
    read_hand,
    read_kind,
    read_square,
)
from cloakboard.engine.wec.notation.printer import HANDS, print_cell, print_man
from cloakboard.engine.wec.notation.reader import Reader
from cloakboard.engine.wec.options import OPTIONS
from cloakboard.engine.wec.position import STUN_AT_MOST, Placed, Position, Scenario
from cloakboard.engine.wec.state import SIDES, Reserve

LOCKS_AT_MOST: Final = 200
PIECES: Final = ("black", "white")
ARTICLES: Final = "articles"
RESERVES: Final = ("black_reinforcements", "white_reinforcements")
KEYS: Final = ("format", "title", "teaches", *PIECES, ARTICLES, *RESERVES, "options")
EXAMPLES: Final = MappingProxyType(
    dict.fromkeys(PIECES, "'TA(1,1)2FLXXX>'")
    | {ARTICLES: "'FL(4,4)'"}
    | dict.fromkeys(RESERVES, "'DO(8,4)'")
)

T = TypeVar("T")


def read_scenario(text: str) -> Scenario:
    """What a text says, its form checked and nothing else. Raises `BadSetup` that names the
    line or the field, and what was expected."""
    fields = engine.read_fields(text, KEYS)
    position = Position(
        title=words(fields, "title"),
        teaches=words(fields, "teaches"),
        pieces=tuple(
            placed
            for side, key in zip(SIDES, PIECES, strict=True)
            for placed in _each(fields, key, partial(_placed, side))
        ),
        lying=tuple(_each(fields, ARTICLES, _lying)),
        reserves=tuple(
            reserve
            for side, key in zip(SIDES, RESERVES, strict=True)
            for reserve in _each(fields, key, partial(_reserve, side))
        ),
    )
    return Scenario(position=position.sorted(), options=engine.changes(fields, OPTIONS))


def scenario(text: str) -> engine.Scenario:
    """What a text starts: the same as a match takes it. Raises `BadSetup`."""
    read = read_scenario(text)
    position = read.position
    return engine.Scenario(position.title, position.teaches, read.options, write_setup(position))


def read_setup(text: str) -> Position:
    """The position of the text that machines agree on. Raises `BadSetup`."""
    if normal_setup(text) != text:
        raise BadSetup("The start position is not written in its one form; save it anew")
    return read_scenario(text).position


def normal_setup(text: str) -> str:
    """The text that machines agree on, of one in any layout. Raises `BadSetup`."""
    scenario = read_scenario(text)
    if scenario.options:
        raise BadSetup("options: expected none, since a match agrees on them by itself")
    return write_setup(scenario.position)


def write_setup(position: Position) -> str:
    """The one text of a position, without a line feed at its end."""
    return "\n".join(_lines(position.sorted()))


def write_scenario(scenario: Scenario) -> str:
    """A text for a file. `read_scenario` undoes it."""
    lines = (*_lines(scenario.position.sorted()), *engine.option_lines(scenario.options))
    return "\n".join(lines) + "\n"


# -- reading ---------------------------------------------------------------------------------


def _each(fields: Fields, key: str, read: Callable[[Reader], T]) -> Iterator[T]:
    entries = fields.get(key, [])
    if not isinstance(entries, list):
        fail(key, f"a list such as [{EXAMPLES[key]}]", entries)
    for number, entry in enumerate(entries, 1):
        if not isinstance(entry, str):
            fail(f"{key}, entry {number}", f"a text such as {EXAMPLES[key]}", entry)
        reader = Reader(entry)
        try:
            item = read(reader)
            reader.end()
        except NotationError as error:
            raise BadSetup(
                f"{key}, entry {number} {entry[:40]!r}, sign {error.column}: "
                f"expected {error.expected}, found {one_line(error.found)}"
            ) from error
        yield item


def _placed(side: int, reader: Reader) -> Placed:
    kind, cell, articles = read_kind(reader), read_cell(reader), read_articles(reader)
    hand = read_hand(reader, kind)
    moved = reader.took(" moved")
    stun = 0
    if reader.took(" stunned "):
        stun = reader.number(1, STUN_AT_MOST, f"Turns from 1 to {STUN_AT_MOST}")
    holds: list[int] = []
    if reader.took(" holds "):
        holds.append(_lock(reader))
        while reader.sees_number(before=" "):
            reader.need(" ")
            holds.append(_lock(reader))
    locked = _lock(reader) if reader.took(" locked ") else 0
    if not reader.at_end():
        reader.fail("moved, stunned, holds, locked in this order, or the end")
    return Placed(side, kind, cell, hand, articles, stun, moved, tuple(holds), locked)


def _lock(reader: Reader) -> int:
    return reader.number(1, LOCKS_AT_MOST, "the number of a lock, from 1")


def _lying(reader: Reader) -> tuple[int, str]:
    kind = read_article(reader)
    return read_square(reader), kind


def _reserve(side: int, reader: Reader) -> Reserve:
    kind, square = read_kind(reader), read_square(reader)
    return Reserve(side, square, kind, read_hand(reader, kind))


# -- writing ---------------------------------------------------------------------------------


def _lines(position: Position) -> Iterator[str]:
    yield from engine.head_lines(position.title, position.teaches)
    for side, key in zip(SIDES, PIECES, strict=True):
        yield from _list(key, (_man(one) for one in position.pieces if one.side == side))
    yield from _list(ARTICLES, (f"{kind}{print_cell(square)}" for square, kind in position.lying))
    for side, key in zip(SIDES, RESERVES, strict=True):
        waiting = (one for one in position.reserves if one.side == side)
        yield from _list(
            key, (f"{one.kind}{print_cell(one.square)}{HANDS[one.hand]}" for one in waiting)
        )


def _list(key: str, entries: Iterable[str]) -> Iterator[str]:
    listed = ", ".join(f"'{entry}'" for entry in entries)
    if listed:
        yield f"{key} = [{listed}]"


def _man(placed: Placed) -> str:
    parts = [print_man(Man(placed.kind, placed.cell, placed.articles, placed.hand))]
    if placed.moved:
        parts.append("moved")
    if placed.stun:
        parts.append(f"stunned {placed.stun}")
    if placed.holds:
        parts.append(" ".join(("holds", *map(str, placed.holds))))
    if placed.locked:
        parts.append(f"locked {placed.locked}")
    return " ".join(parts)
