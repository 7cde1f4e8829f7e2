"""A scenario: a start position with the options it is meant for, as any game has it, and what
the texts of all games' scenarios have in common.

Such a text is TOML. `format`, `title`, `teaches` and a table of `options` are the same in every
game; what stands on the board has keys of the game's own.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from typing import Any, Final, NoReturn

import msgspec

from cloakboard.engine.errors import BadOption, BadSetup
from cloakboard.engine.options import Schema

FORMAT: Final = 1
TEXT_LIMIT: Final = 16 * 1024  # characters
TITLE_LENGTH: Final = 60  # characters at most
TEACHES_LENGTH: Final = 200

Fields = Mapping[str, Any]


class Scenario(msgspec.Struct, frozen=True):
    """`title` and `teaches` are for players; `options` are changes from the standard, `setup`
    the text that `Game.start` takes."""

    title: str
    teaches: str
    options: Mapping[str, Any]
    setup: str


# -- reading ---------------------------------------------------------------------------------


def read_fields(text: str, keys: tuple[str, ...]) -> Fields:
    """The fields of a text, which may have these keys and must have the format. Raises
    `BadSetup` that names the line or the field, and what was expected."""
    if len(text) > TEXT_LIMIT:
        raise BadSetup(f"A start position has at most {TEXT_LIMIT} characters, not {len(text)}")
    try:
        fields = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadSetup(f"Not TOML, the form of a start position: {error}") from error
    for key in fields:
        if key not in keys:
            fail(key, "one of the keys " + ", ".join(keys), key)
    made = fields.get("format")
    if type(made) is not int or made != FORMAT:
        fail("format", str(FORMAT), made)
    return fields


def fail(field: str, expected: str, found: object) -> NoReturn:
    """Raises `BadSetup` about a field."""
    shown = "nothing" if found is None else repr(found)[:40]
    raise BadSetup(f"{one_line(field)}: expected {expected}, found {shown}")


def one_line(text: str) -> str:
    """A text from anywhere, fit for the line of an error."""
    return text[:60] if text.isprintable() else repr(text)[:60]


def words(fields: Fields, key: str) -> str:
    """A text for players, empty if it is left out. Raises `BadSetup`."""
    found = fields.get(key, "")
    if not isinstance(found, str):
        fail(key, "a text in quotes", found)
    return found


def changes(fields: Fields, schema: Schema) -> dict[str, Any]:
    """The options that are not the standard's. Raises `BadSetup`."""
    values = fields.get("options", {})
    if not isinstance(values, dict):
        fail("options", "a table of options", values)
    found: dict[str, Any] = {}
    for name, value in values.items():
        if isinstance(value, dict):  # the name of the option has a dot in it
            found |= {f"{name}.{rest}": one for rest, one in value.items()}
        else:
            found[name] = value
    for name, value in found.items():
        try:
            schema.option(name).check(value)
        except BadOption as error:
            raise BadSetup(f"options: {error}") from error
    return found


# -- writing ---------------------------------------------------------------------------------


def head_lines(title: str, teaches: str) -> Iterator[str]:
    """The lines that come first."""
    yield f"format = {FORMAT}"
    for key, text in (("title", title), ("teaches", teaches)):
        if text:
            yield f"{key} = {quoted(text)}"


def option_lines(options: Mapping[str, Any]) -> Iterator[str]:
    """The lines that come last; none if there is no change."""
    if options:
        yield ""
        yield "[options]"
        for name in sorted(options):
            value = options[name]
            said = str(value).lower() if isinstance(value, bool) else value
            yield f"{name} = {quoted(said) if isinstance(value, str) else said}"


def quoted(text: str) -> str:
    """A TOML string: literal where it can be. Whatever is not printable is escaped."""
    if "'" not in text and text.isprintable():
        return f"'{text}'"
    return '"' + "".join(map(_escaped, text)) + '"'


def _escaped(sign: str) -> str:
    if sign in '"\\':
        return "\\" + sign
    return sign if sign.isprintable() else f"\\U{ord(sign):08x}"
