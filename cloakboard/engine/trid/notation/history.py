"""A match as text that people read and edit, and from which it can be resumed.

Tags stand first, one a line: game, version of the rules, options other than the standard's, start
position, names, result. Then the moves as on a score sheet, numbered, a pair a line:

    1. a4N b5N
    2. Nb3W

What stands in {braces} is a remark and skipped. The moves of a text are checked by the rules, and
the result where the moves give one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec

from cloakboard.engine import registry
from cloakboard.engine.errors import BadOption, BadSetup, Malformed
from cloakboard.engine.game import Result
from cloakboard.engine.registry import History
from cloakboard.engine.table import Table
from cloakboard.engine.trid.board import BLACK, SIDES, WHITE
from cloakboard.engine.trid.notation.sheet import read_short, write_short
from cloakboard.engine.trid.options import OPTIONS
from cloakboard.engine.trid.state import CHECKMATE, ENDS, State
from cloakboard.engine.trid.text import SEATS

GAME: Final = "TRID"
GOING_ON: Final = "*"
DRAWN: Final = "draw"
RESIGNED: Final = "resigned"
AGREED: Final = "agreed"
TAGS: Final = ("Game", "Rules", "Option", "Setup", *SEATS, "Result")
_TAG: Final = re.compile(r'\[(\w+)((?: "(?:[^"\\]|\\.)*")+)\]')
_VALUE: Final = re.compile(r'"((?:[^"\\]|\\.)*)"')
_ESCAPED: Final = re.compile(r"\\(.)")
_REMARK: Final = re.compile(r"\{[^{}]*\}")
_NUMBER: Final = re.compile(r"([1-9][0-9]*)(\.{1,3})")


class NotationError(Malformed):
    """Text that is no match of this game, or that the rules do not bear out. `line` counts from
    1; `text` is words for a player."""

    def __init__(self, line: int, text: str) -> None:
        super().__init__(f"Line {line}: {text}")
        self.line = line


class Score(msgspec.Struct, frozen=True):
    """What a text says, its moves not yet checked: each with the line it stands in."""

    options: Mapping[str, Any] = {}
    setup: str = ""
    names: tuple[str, str] = ("", "")
    result: Result | None = None
    moves: tuple[tuple[int, str], ...] = ()


def write(history: History, names: tuple[str, str] = ("", ""), seat: int | None = None) -> str:
    """The text of a match. `names` of White and Black. A `seat` reads what every other does."""
    return "\n".join([*_tags(history, names), "", *_lines(history)]) + "\n"


def read(text: str) -> Score:
    """What a text says, its form checked and nothing else. Raises `NotationError`."""
    tags: dict[str, str] = {}
    options: dict[str, Any] = {}
    lines = text.splitlines()
    head = 0
    while head < len(lines) and lines[head].lstrip()[:1] in ("", "["):
        if lines[head].strip():
            _read_tag(head + 1, lines[head].strip(), tags, options)
        head += 1
    body = _REMARK.sub(lambda remark: "\n" * remark[0].count("\n"), "\n".join(lines[head:]))
    moves = [
        move
        for number, line in enumerate(body.split("\n"), head + 1)
        for move in _read_moves(number, line)
    ]
    for name in ("Game", "Rules"):
        if name not in tags:
            raise NotationError(1, f'a tag [{name} "..."] must stand on top')
    return Score(
        options=options,
        setup=tags.get("Setup", ""),
        names=(tags.get(SEATS[WHITE], ""), tags.get(SEATS[BLACK], "")),
        result=_results().get(tags.get("Result", GOING_ON)),
        moves=tuple(moves),
    )


def replay(text: str, seed: bytes = b"") -> Table:
    """The match of a text, played again, to go on from. Raises `NotationError` where the rules
    refuse it."""
    score = read(text)
    try:
        table = Table(registry.game("trid"), score.options, score.setup, seed)
    except (BadOption, BadSetup) as error:
        raise NotationError(1, str(error)) from error
    for line, said in score.moves:
        if table.result is not None:
            raise NotationError(line, f"{said} comes after the end of the match; take it out")
        try:
            table.act(table.state.side, read_short(table.state, said))
        except Malformed as error:
            raise NotationError(line, str(error)) from error
    _settle(table, score)
    return table


def _settle(table: Table, score: Score) -> None:
    """The end that players agreed on; one by the rules must be what the moves give."""
    wanted = score.result
    if wanted is not None and table.result is None:
        if wanted.reason == RESIGNED:
            table.resign(1 - wanted.winners[0])
        elif wanted.reason == AGREED:
            for side in SIDES:
                table.offer_draw(side)
    if table.result != wanted:
        raise NotationError(
            1, f"the moves end with {print_result(table.result)}, not {print_result(wanted)}"
        )


# -- writing ---------------------------------------------------------------------------------


def print_result(result: Result | None) -> str:
    """`*`, `draw: stalemate`, `White: checkmate`."""
    if result is None:
        return GOING_ON
    winners = " ".join(SEATS[seat] for seat in result.winners) or DRAWN
    return f"{winners}: {result.reason}"


def _results() -> dict[str, Result | None]:
    won = [Result((side,), reason) for side in SIDES for reason in (CHECKMATE, RESIGNED)]
    drawn = [Result((), reason) for reason in (*ENDS, AGREED) if reason != CHECKMATE]
    return {print_result(result): result for result in (None, *won, *drawn)}


def _tag(name: str, *values: str) -> str:
    quoted = (value.replace("\\", "\\\\").replace('"', '\\"') for value in values)
    return f"[{name} " + " ".join(f'"{" ".join(value.split())}"' for value in quoted) + "]"


def _tags(history: History, names: tuple[str, str]) -> Iterator[str]:
    yield _tag("Game", GAME)
    yield _tag("Rules", str(registry.game("trid").rules_version))
    for option in OPTIONS.options:
        if history.options[option.name] != option.default:
            yield _tag("Option", option.name, history.options[option.name])
    if history.setup:
        yield _tag("Setup", history.setup)
    for seat, name in zip(SEATS, names, strict=True):
        yield _tag(seat, name)
    yield _tag("Result", print_result(history.result))


def _lines(history: History) -> Iterator[str]:
    game = registry.game("trid")
    state: State = game.start(history.options, history.setup)
    line = ""
    for record in history.log:
        if state.side == WHITE:
            line = f"{state.number}."
        elif not line:
            line = f"{state.number}..."
        line += f" {write_short(state, record.action)}"
        if state.side == BLACK:
            yield line
            line = ""
        for event in record.events:
            state = game.apply(state, event)
    if line:
        yield line


# -- reading ---------------------------------------------------------------------------------


def _read_tag(number: int, line: str, tags: dict[str, str], options: dict[str, Any]) -> None:
    found = _TAG.fullmatch(line)
    if found is None or found[1] not in TAGS:
        raise NotationError(number, f'a tag is written [Name "value"]; names: {", ".join(TAGS)}')
    name = found[1]
    values = [_ESCAPED.sub(r"\1", value) for value in _VALUE.findall(found[2])]
    if len(values) != (2 if name == "Option" else 1):
        raise NotationError(number, "an Option has a name and a value, any other tag one value")
    if name == "Option":
        try:
            option, value = OPTIONS.option(values[0]), values[1]
            if option.name in options:
                raise NotationError(number, f"the option {option.name} stands there twice")
            options[option.name] = option.parse(value)
        except BadOption as error:
            raise NotationError(number, str(error)) from error
        return
    if name in tags:
        raise NotationError(number, f"the tag {name} stands there twice")
    known = {"Game": [GAME], "Rules": [str(registry.game("trid").rules_version)]}
    known["Result"] = list(_results())
    if values[0] not in known.get(name, values):
        raise NotationError(number, f"{name} is {' or '.join(known[name])} here, not {values[0]!r}")
    tags[name] = values[0]


def _read_moves(number: int, line: str) -> Iterator[tuple[int, str]]:
    """The moves of a line; numbers are for the reader and skipped. `e.p.` after a blank belongs
    to the move before."""
    for word in line.split():
        if word.rstrip("+#") != "e.p." and not _NUMBER.fullmatch(word):
            yield number, word
