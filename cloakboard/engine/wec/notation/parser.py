"""From the text of a history to its `Score`. Undoes `printer`.

A comment that begins with a blank, `{ like this}`, is a remark of whoever wrote it: it may
follow any clause, and is skipped and not kept. Every other comment says something the grammar
has no sign for, and has to be understood.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from cloakboard.engine.wec.names import DIRECTIONS
from cloakboard.engine.wec.notation import printer
from cloakboard.engine.wec.notation.clauses import (
    FORMS,
    NAMES,
    NOWHERE,
    Call,
    Clause,
    Doze,
    Drop,
    Exchange,
    Fate,
    Fire,
    Item,
    Man,
    Move,
    Note,
    PickUp,
    Score,
    Shot,
    Turn,
)
from cloakboard.engine.wec.notation.header import Header
from cloakboard.engine.wec.notation.reader import Reader
from cloakboard.engine.wec.pieces import ARTICLES, HANDED, KINDS, PROJECTILE
from cloakboard.engine.wec.state import SQUARES

# What is read for what (N1, N2, N3); the first column is never written.
READ_AS: Final = MappingProxyType({"SP": "STP", "JU": "JP", "TK": "TL", "RK": "RL", "SK": "SL"})
PIECE_CODES: Final = (*KINDS, "SP")
ARTICLE_CODES: Final = (*ARTICLES, "JU", "TK", "RK", "SK")
DIRECT: Final = ("FL", "ST", "CS", "RL", "SL", "TL", "BI", "JP", "SC", "JU")
SHOTS: Final = tuple(PROJECTILE.values())
FATES: Final = ("RK", "SK", "TK", "STK", "CK", "FL", *KINDS)  # WEC-64
LEVEL_SIGNS: Final = MappingProxyType({"^": 1, "v": 2})
HAND_SIGNS: Final = MappingProxyType({"<": "left", ">": "right"})
DRAW_LIMIT: Final = 10**9
TURN_LIMIT: Final = 10**9
STUN_LIMIT: Final = 255


class Parsed(NamedTuple):
    """A score, and where its parts stand: for each Turn the line and the column of each
    clause (`""` is the Turn itself), and the line of each tag."""

    score: Score
    places: tuple[tuple[int, Mapping[str, int]], ...]
    tags: Mapping[str, int]


def parse(text: str) -> Parsed:
    """Raises `NotationError`."""
    header = Header()
    turns: list[Turn] = []
    places: list[tuple[int, Mapping[str, int]]] = []
    for number, line in enumerate(text.split("\n"), 1):
        reader = Reader(line.rstrip(), number)
        if reader.at_end():
            continue
        if reader.sees("["):
            if turns:
                reader.fail("a Turn, since tags stand before the first one")
            header.read(reader)
            continue
        turn, columns = read_turn(reader)
        turns.append(turn)
        places.append((number, columns))
    header.check(1 + text.count("\n"))
    return Parsed(header.score(tuple(turns)), tuple(places), MappingProxyType(header.lines))


def read_turn(reader: Reader) -> tuple[Turn, dict[str, int]]:
    """One Turn, and the column of each of its clauses. Raises `NotationError`."""
    columns = {"": reader.column}
    number = reader.number(1, TURN_LIMIT, "the number of a Turn")
    reader.need(". MV:")
    clauses: list[tuple[str, Clause]] = []
    columns["MV"] = reader.column
    unseen = reader.took("{unseen}")
    if not unseen and not reader.took("{none}"):
        clauses.append(("MV", _move(reader)))
    reader.skip_remarks()
    for name in NAMES[1:]:
        columns[name] = reader.column + 1
        if (name != "FI2" or "FI1" in dict(clauses)) and reader.took(f",{name}:"):
            clauses.append((name, PARSERS[name](reader)))
            reader.skip_remarks()
    order = _order(reader, tuple(name for name, _ in clauses))
    reader.skip_remarks()
    columns["RS"] = reader.column + 1
    results = _results_of(reader)
    reader.skip_remarks()
    columns["notes"] = reader.column
    notes: list[Note] = []
    while reader.sees("{") and not reader.sees("{unfinished}"):
        notes.append(_note(reader))
        reader.skip_remarks()
    finished = not reader.took("{unfinished}")
    reader.skip_remarks()
    if not reader.at_end():
        reader.fail("a further clause, a comment, or the end of the line")
    turn = Turn(
        number=number,
        clauses=tuple(clauses),
        order=order,
        results=results,
        notes=tuple(notes),
        unseen=unseen,
        finished=finished,
    )
    return turn, columns


def _order(reader: Reader, listed: tuple[str, ...]) -> tuple[str, ...]:
    column = reader.column
    if not reader.took("{order"):
        return ()
    order: list[str] = []
    while reader.took(" "):
        order.append(reader.symbol(NAMES, "the name of a clause: " + ", ".join(NAMES)))
    reader.need("}")
    if sorted(order) != sorted(listed):
        reader.fail_at(column, "each clause of the Turn once: " + " ".join(listed))
    return () if tuple(order) == listed else tuple(order)


# -- clauses ---------------------------------------------------------------------------------


def _move(reader: Reader) -> Move | Doze:
    man = _man(reader)
    reader.need("->")
    goal = read_cell(reader)
    if reader.took(",DO>"):
        return _doze(reader, man, goal)
    passenger = None
    if reader.took("-TRA->"):
        passenger = _man(reader)
        at = reader.column
        if read_cell(reader) != goal:
            reader.fail_at(at, f"the carrier's goal {printer.print_cell(goal)}")
        at = reader.column
        if read_articles(reader) != passenger.articles:
            reader.fail_at(at, "the articles of the passenger once more")
    route: list[int] = []
    if reader.took("{by "):
        at = reader.column
        while not reader.took("}"):
            route.append(read_cell(reader))
        if not route or route[-1] != goal:
            reader.fail_at(at, f"cells up to the goal {printer.print_cell(goal)}")
    return Move(man, goal, passenger, tuple(route), _met(reader))


def _doze(reader: Reader, man: Man, goal: int) -> Doze:
    at = reader.column
    if read_square(reader) != goal:
        reader.fail_at(at, f"the Dozer's goal {printer.print_cell(goal)}")
    men: list[tuple[str, int]] = []
    if reader.sees_symbol(PIECE_CODES, "("):
        men.append(_named_square(reader))
        while reader.sees_symbol(PIECE_CODES, "(", before=","):
            reader.need(",")
            men.append(_named_square(reader))
    reader.need("{")
    heading = DIRECTIONS.index(reader.symbol(DIRECTIONS, "a direction: " + ", ".join(DIRECTIONS)))
    bare: list[int] = []
    if reader.took(" "):
        bare.append(read_square(reader))
        while reader.sees("("):
            bare.append(read_square(reader))
    reader.need("}")
    return Doze(man, goal, heading, tuple(men), tuple(bare), _met(reader))


def _named_square(reader: Reader) -> tuple[str, int]:
    return read_kind(reader), read_square(reader)


def _fire(reader: Reader) -> Fire:
    weapon = reader.symbol(DIRECT, "what fires: " + ", ".join(DIRECT[:-1]))
    reader.need("/")
    man = _man(reader)
    if reader.took("=>"):
        return Fire(READ_AS.get(weapon, weapon), man, target=_man(reader))
    reader.need("->", "-> and a square, or => and a piece")
    return Fire(READ_AS.get(weapon, weapon), man, read_square(reader))


def _pick_up(reader: Reader) -> PickUp:
    man = _man(reader)
    reader.need("^")
    item = _item(reader)
    draw = 0
    if reader.took("{draw "):
        draw = reader.number(1, DRAW_LIMIT, "the number of a draw")
        reader.need("}")
    return PickUp(man, item, draw)


def _exchange(reader: Reader) -> Exchange:
    giver = _man(reader)
    reader.need("->")
    given = _item(reader)
    if reader.took("<=>"):
        taken = _item(reader)
        reader.need("<-")
        return Exchange(giver, given, _man(reader), taken)
    reader.need("->", "-> and a piece, or <=> and an article")
    return Exchange(giver, given, _man(reader))


def _call(reader: Reader) -> Call:
    square, kind = read_square(reader), read_kind(reader)
    return Call(square, kind, read_hand(reader, kind), _met(reader))


def _drop(reader: Reader) -> Drop:
    man = _man(reader)
    reader.need("v")
    return Drop(man, _item(reader))


PARSERS: Final[Mapping[str, Callable[[Reader], Clause]]] = MappingProxyType(
    {
        "FI1": _fire,
        "FI2": _fire,
        "PU": _pick_up,
        "EX": _exchange,
        "RE": _call,
        "DR": _drop,
    }
)


# -- results and notes -----------------------------------------------------------------------


def _results_of(reader: Reader) -> tuple[Shot | Fate, ...]:
    if not reader.took(",RS:"):
        return ()
    results = [_result(reader)]
    while reader.took(","):
        results.append(_result(reader))
    return tuple(results)


def _result(reader: Reader) -> Shot | Fate:
    word = reader.symbol((*SHOTS, *FATES, "SP"), "a result such as R, TK or a piece's code")
    if word not in SHOTS:
        reader.need("*")
        man = _man(reader)
        stun = reader.number(0, STUN_LIMIT, "Turns of stun")
        return Fate(READ_AS.get(word, word) if word == "SP" else word, man, stun, _side(reader))
    if reader.took("v"):
        return Shot(word, read_square(reader))
    reader.need("->", "-> or v, and a square")
    square = read_square(reader)
    reader.need("(")
    rows = reader.number(-1, 1, "-1, 0 or 1")
    reader.need(",")
    columns = reader.number(-1, 1, "-1, 0 or 1")
    reader.need(")")
    return Shot(word, square, (rows, columns))


def _note(reader: Reader) -> Note:
    reader.need("{")
    word = reader.symbol(tuple(FORMS), "a comment such as " + ", ".join(FORMS))
    reader.need(" ")
    fields: dict[str, Any] = {}
    for part in FORMS[word]:
        if part == "->":
            reader.need("->")
        else:
            fields[part] = FIELDS[part](reader)
    reader.need("}")
    return Note(word, **fields)


# -- pieces, articles, places ----------------------------------------------------------------


def _man(reader: Reader) -> Man:
    kind, cell = read_kind(reader), read_cell(reader)
    articles = read_articles(reader)
    return Man(kind, cell, articles, read_hand(reader, kind), _nth(reader))


def read_kind(reader: Reader) -> str:
    """The code of a piece."""
    kind = reader.symbol(PIECE_CODES, "the code of a piece")
    return READ_AS.get(kind, kind)


def read_hand(reader: Reader, kind: str) -> str:
    """`left` or `right`, after a piece that has a hand; else empty."""
    if kind not in HANDED:
        return ""
    return HAND_SIGNS[reader.symbol(tuple(HAND_SIGNS), "its hand, < or >")]


def read_cell(reader: Reader) -> int:
    """Level and Location."""
    level = next((level for sign, level in LEVEL_SIGNS.items() if reader.took(sign)), 0)
    return level * SQUARES + read_square(reader)


def read_square(reader: Reader) -> int:
    """Location."""
    reader.need("(", "a square such as (3,4)")
    row = reader.number(1, 10, "a row from 1 to 10")
    reader.need(",")
    column = reader.number(1, 10, "a column from 1 to 10")
    reader.need(")")
    return (row - 1) * 10 + column - 1


def read_articles(reader: Reader) -> tuple[str, ...]:
    """Articles, if a count and a whole article come next (N11)."""
    for count in (1, 2, 3):
        if reader.sees_symbol(ARTICLE_CODES, before=str(count)):
            reader.need(str(count))
            return tuple(read_article(reader) for _ in range(count))
    return ()


def read_article(reader: Reader) -> str:
    """The code of an article."""
    kind = reader.symbol(ARTICLE_CODES, "the code of an article")
    return READ_AS.get(kind, kind)


def _item(reader: Reader) -> Item:
    return Item(read_article(reader), _nth(reader))


def _nth(reader: Reader) -> int:
    """Which of several alike, if a comment such as `{2}` says so."""
    if not reader.sees_number(before="{"):
        return 1
    reader.need("{")
    nth = reader.number(2, SQUARES, "a number from 2")
    reader.need("}")
    return nth


def _met(reader: Reader) -> int:
    if not reader.took("{met "):
        return NOWHERE
    cell = read_cell(reader)
    reader.need("}")
    return cell


def _side(reader: Reader) -> int:
    return printer.COLOURS.index(reader.symbol(printer.COLOURS, "a colour, B or W"))


FIELDS: Final[Mapping[str, Callable[[Reader], Any]]] = MappingProxyType(
    {"man": _man, "article": read_article, "cell": read_cell, "side": _side}
)
