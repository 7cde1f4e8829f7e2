"""The status of a WEC match in words (RULES section 13), from one seat's view.

Pure. The engine says a position in words; what it draws as a grid is left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from cloakboard.client.suspects import Suspect
from cloakboard.client.words import LEVELS, PIECES, count, listed, place, value_text
from cloakboard.engine.game import Game
from cloakboard.engine.wec.state import State

NEAR: Final = 6  # cells that are named; of more only the number is said


def status(game: Game, state: State, suspects: tuple[Suspect, ...], result: str = "") -> str:
    """Paragraphs: the Turn, the pieces of both sides and what they carry, what lies and flies,
    what is not seen, and the rules that are not the standard ones."""
    parts = [part for part in game.text(state).split("\n\n") if not _is_grid(part)]
    if result:
        parts.insert(0, result)
    parts.append(unseen(suspects))
    parts.append(rules(game, dict(state.options)))
    return "\n\n".join(part.strip("\n") for part in parts if part)


def _is_grid(part: str) -> bool:
    return part.strip("\n").splitlines()[:1] in [[name] for name in LEVELS.values()]


def unseen(suspects: tuple[Suspect, ...]) -> str:
    """Where each unseen enemy could be."""
    if not suspects:
        return ""
    lines = ["Enemies you do not see:"]
    for one in suspects:
        name = PIECES[one.kind] + (f", {one.hand}-handed" if one.hand else "")
        if len(one.cells) <= NEAR:
            where = listed(tuple(place(cell) for cell in sorted(one.cells)))
            lines.append(f"  {name}: at {where.replace(' and ', ' or ')}")
        else:
            lines.append(f"  {name}: {count(len(one.cells), 'place')} possible")
    return "\n".join(lines)


def rules(game: Game, values: Mapping[str, Any]) -> str:
    """The options that are not the standard ones."""
    standard = game.options.defaults()
    lines = [
        f"  {option.text}: {value_text(values[option.name])}"
        for option in game.options.options
        if values[option.name] != standard[option.name]
    ]
    return (
        "\n".join(["Rules that are not the standard ones:", *lines])
        if lines
        else ("The rules are the standard ones.")
    )
