"""The tags above the Turns of a history: game, options, start position, names, result. The text
of a start position has one tag a line (see `positions`)."""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType
from typing import Any, Final

from cloakboard.engine.errors import BadOption
from cloakboard.engine.game import Result
from cloakboard.engine.options import written
from cloakboard.engine.wec.names import SEATS
from cloakboard.engine.wec.notation.clauses import NotationError, Score, Turn
from cloakboard.engine.wec.notation.reader import Reader
from cloakboard.engine.wec.options import OPTIONS
from cloakboard.engine.wec.state import BLACK, WHITE

RULES_VERSION: Final = 1
ESCAPES: Final = MappingProxyType({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r"})
GOING_ON: Final = "*"
DRAWN: Final = "draw"
TAGS: Final = ("Game", "Rules", "Option", "Setup", *SEATS, "Reader", "Result")
RESULTS: Final = (
    None,
    Result((), "agreed"),
    *(Result((seat,), reason) for seat in (BLACK, WHITE) for reason in ("primary", "resigned")),
)


def print_tags(score: Score) -> Iterator[str]:
    """The tags of a history, one a line; `Header` undoes it."""
    yield _tag("Game", "WEC")
    yield _tag("Rules", str(RULES_VERSION))
    for option in OPTIONS.options:
        if option.name in score.options:
            yield _tag("Option", option.name, written(score.options[option.name]))
    for line in score.setup.split("\n") if score.setup else ():
        yield _tag("Setup", line)
    for seat, name in zip(SEATS, score.names, strict=True):
        yield _tag(seat, name)
    if score.reader is not None:
        yield _tag("Reader", SEATS[score.reader])
    yield _tag("Result", print_result(score.result))


def _tag(name: str, *values: str) -> str:
    quoted = (f'"{"".join(ESCAPES.get(sign, sign) for sign in value)}"' for value in values)
    return f"[{' '.join((name, *quoted))}]"


def print_result(result: Result | None) -> str:
    """`*`, `draw: agreed`, `Black: primary`."""
    if result is None:
        return GOING_ON
    winners = " ".join(SEATS[seat] for seat in result.winners) or DRAWN
    return f"{winners}: {result.reason}"


class Header:
    """The tags as they come."""

    def __init__(self) -> None:
        self.lines: dict[str, int] = {}
        self.options: dict[str, Any] = {}
        self.values: dict[str, str] = {}
        self.setup: list[str] = []
        self.result: Result | None = None

    def read(self, reader: Reader) -> None:
        """One line `[Name "value"]`."""
        reader.need("[")
        column = reader.column
        name = reader.symbol(TAGS, "a tag: " + ", ".join(TAGS))
        if name == "Option":
            self._option(reader)
        else:
            if name in self.lines and name != "Setup":
                reader.fail_at(column, f"one tag {name} only")
            reader.need(" ")
            at = reader.column
            self._check(reader, at, name, reader.quoted())
        reader.need("]")
        reader.end()
        self.lines.setdefault(name, reader.line)

    def _option(self, reader: Reader) -> None:
        reader.need(" ")
        column = reader.column
        name = reader.quoted()
        reader.need(" ")
        at = reader.column
        value = reader.quoted()
        if name in self.options:
            reader.fail_at(column, f"option {name} once only")
        try:
            option = OPTIONS.option(name)
        except BadOption:
            reader.fail_at(column, "the name of an option")
        try:
            self.options[name] = option.parse(value)
        except BadOption as error:
            reader.fail_at(at, f"a value of {name} ({error})")

    def _check(self, reader: Reader, column: int, name: str, value: str) -> None:
        if name == "Game" and value != "WEC":
            reader.fail_at(column, 'the game "WEC"')
        if name == "Rules" and value != str(RULES_VERSION):
            reader.fail_at(column, f"version {RULES_VERSION} of the rules")
        if name == "Reader" and value not in SEATS:
            reader.fail_at(column, " or ".join(SEATS))
        if name == "Result":
            known = {print_result(result): result for result in RESULTS}
            if value not in known:
                reader.fail_at(column, 'a result such as "*", "Black: primary", "draw: agreed"')
            self.result = known[value]
        if name == "Setup":
            self.setup.append(value)
        self.values[name] = value

    def check(self, line: int) -> None:
        """Raises `NotationError` if a tag is missing without which nothing can be read."""
        for name in ("Game", "Rules"):
            if name not in self.lines:
                raise NotationError(line, 1, f'a tag such as [{name} "..."] on top', "none")

    def score(self, turns: tuple[Turn, ...]) -> Score:
        """The history that these tags and Turns make."""
        reader = self.values.get("Reader")
        return Score(
            options=self.options,
            setup="\n".join(self.setup),
            names=(self.values.get(SEATS[BLACK], ""), self.values.get(SEATS[WHITE], "")),
            reader=None if reader is None else SEATS.index(reader),
            result=self.result,
            turns=turns,
        )
