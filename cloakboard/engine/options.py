"""Option schemas: what can be agreed before a match.

A schema is data. Room, editor, notation and the command line build themselves from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from cloakboard.engine.errors import BadOption

COMPETITIVE: Final = "competitive"  # in games that have it: the switch that turns undo off


def written(value: bool | int | str) -> str:
    """A value as a player writes it: `on`, `off`, a number, a word. `Option.parse` undoes it."""
    return ("off", "on")[value] if isinstance(value, bool) else str(value)


class Option(msgspec.Struct, frozen=True, kw_only=True):
    """One option. Exactly one of `choices` (words), `span` (first, last integer) or neither
    (on/off) says what it may be. `per_seat`: one value per seat (`government.0`).
    `needs_consent`: whether the other seats must accept a change. `rule`: the rule's id;
    `text`: what a player reads."""

    name: str
    default: Any
    rule: str
    text: str
    choices: tuple[str, ...] = ()
    span: tuple[int, int] | None = None
    needs_consent: bool = True

    def parse(self, value: str) -> Any:
        """The value a text names (`on`/`off`, an integer, a word). Raises `BadOption`."""
        if self.choices:
            return self.check(value)
        if self.span is not None:
            try:
                return self.check(int(value))
            except ValueError:
                return self.check(value)
        return self.check({"on": True, "off": False}.get(value, value))

    def check(self, value: Any) -> Any:
        """The value itself if the option may take it. Raises `BadOption`."""
        if self.choices:
            fits, allowed = value in self.choices, " or ".join(self.choices)
        elif self.span is not None:
            first, last = self.span
            fits = type(value) is int and first <= value <= last
            allowed = f"a whole number from {first} to {last}"
        else:
            fits, allowed = type(value) is bool, "on or off"
        if not fits:
            raise BadOption(self.name, f"{self.name} cannot be {value!r}; it takes {allowed}")
        return value


class Bundle(msgspec.Struct, frozen=True, kw_only=True):
    """Changes from the standard that go together under one name, as (option, value)."""

    name: str
    text: str
    changes: tuple[tuple[str, Any], ...]


class Schema(msgspec.Struct, frozen=True):
    """The options of a game, in the order in which they are shown, and sets of them."""

    options: tuple[Option, ...]
    bundles: tuple[Bundle, ...] = ()

    def defaults(self) -> dict[str, Any]:
        """Every option at its standard value."""
        return {option.name: option.default for option in self.options}

    def option(self, name: str) -> Option:
        """The option of that name. Raises `BadOption`."""
        for option in self.options:
            if option.name == name:
                return option
        raise BadOption(name, f"there is no option {name}; see `cloakboard games` for the list")

    def bundle(self, name: str) -> dict[str, Any]:
        """The changes of the bundle of that name. Raises `BadOption`."""
        for bundle in self.bundles:
            if bundle.name == name:
                return dict(bundle.changes)
        raise BadOption(
            name, f"{name!r} is neither NAME=VALUE nor a set of options; see `cloakboard games`"
        )

    def complete(self, changes: Mapping[str, Any]) -> dict[str, Any]:
        """Defaults with `changes` laid over them, every value checked. Raises `BadOption`."""
        agreed = self.defaults()
        for name in sorted(changes):
            agreed[name] = self.option(name).check(changes[name])
        return agreed
