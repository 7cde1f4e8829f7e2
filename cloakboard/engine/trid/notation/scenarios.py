"""Start positions as files: TOML with the position string (TRID 10.3) in it.

format = 1
title = 'King and rook'
teaches = 'A rook mates with the help of its king.'
position = 'QL1w,KL1w,QL6b,KL6b 4/4/4/4|4/2K1/4/4|... w - - 0 1'

[options]
blocking = 'column'
"""

from __future__ import annotations

from cloakboard.engine import scenario as engine
from cloakboard.engine.errors import BadSetup
from cloakboard.engine.scenario import TEACHES_LENGTH, TITLE_LENGTH, Scenario, fail
from cloakboard.engine.trid.notation.positions import (
    FIELDS,
    read_form,
    read_position,
    write_position,
)
from cloakboard.engine.trid.options import OPTIONS, complete
from cloakboard.engine.trid.state import State

KEYS = ("format", "title", "teaches", "position", "options")


def read_scenario(text: str) -> Scenario:
    """What a text says, its form checked and nothing else; a position string alone will do, too.
    Raises `BadSetup` that names the line or the field, and what was expected."""
    line = text.strip()
    if len(line) <= engine.TEXT_LIMIT and len(line.split(" ")) == FIELDS and "\n" not in line:
        read_form(line, complete({}))
        return Scenario("", "", {}, line)
    fields = engine.read_fields(text, KEYS)
    position = fields.get("position")
    if not isinstance(position, str):
        fail("position", "a position in quotes", position)
    for key, most in (("title", TITLE_LENGTH), ("teaches", TEACHES_LENGTH)):
        words = engine.words(fields, key)
        if len(words) > most or not words.isprintable() or words != words.strip():
            raise BadSetup(f"{key}: expected one line of at most {most} characters")
    options = engine.changes(fields, OPTIONS)
    try:
        read_form(position, complete(options))
    except BadSetup as error:
        raise BadSetup(f"position: {error}") from error
    return Scenario(
        engine.words(fields, "title"), engine.words(fields, "teaches"), options, position
    )


def scenario(text: str) -> Scenario:
    """What a text starts. Raises `BadSetup`, also for a position that cannot be played."""
    found = read_scenario(text)
    read_position(found.setup, complete(found.options))
    return found


def scenario_of(state: State) -> Scenario:
    """The start position that a state has come to, with the options of its match."""
    standard = OPTIONS.defaults()
    changes = {name: value for name, value in state.options if value != standard[name]}
    return Scenario("", "", changes, write_position(state))


def write_scenario(scenario: Scenario) -> str:
    """A text for a file. `read_scenario` undoes it."""
    lines = (
        *engine.head_lines(scenario.title, scenario.teaches),
        f"position = {engine.quoted(scenario.setup)}",
        *engine.option_lines(scenario.options),
    )
    return "\n".join(lines) + "\n"
