"""The list of a game's options, built from its schema."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pyglet.window import key

from cloakboard.client import theme
from cloakboard.client.widgets import List, Row
from cloakboard.client.words import value_text
from cloakboard.engine.errors import BadOption

if TYPE_CHECKING:
    from cloakboard.client.widgets import Stage
    from cloakboard.engine.options import Option, Schema


def next_value(option: Option, value: Any, step: int = 1) -> Any:
    """The value `step` places on among those the option can take now, round and round."""
    if option.choices:
        values: list[Any] = list(option.choices)
    elif option.span is not None:
        values = list(range(option.span[0], option.span[1] + 1))
    else:
        values = [False, True]
    playable = [each for each in values if _is_playable(option, each)]
    place = playable.index(value) if value in playable else 0
    return playable[(place + step) % len(playable)]


def _is_playable(option: Option, value: Any) -> bool:
    try:
        option.check(value)
    except BadOption:
        return False
    return True


class OptionList(List):
    """Every option with its value; Enter, a double click or the arrow keys change it."""

    def __init__(self, stage: Stage, schema: Schema, values: Mapping[str, Any]) -> None:
        super().__init__(stage, on_activate=self._advance, row_height=36)
        self.schema = schema
        self.values = schema.complete(values)
        self._tell()

    def take(self, changes: Mapping[str, Any]) -> None:
        """Shows the standard values with these changes."""
        self.values = self.schema.complete(changes)
        self._tell()

    @property
    def changes(self) -> dict[str, Any]:
        """The values that are not the standard ones."""
        standard = self.schema.defaults()
        return {name: v for name, v in self.values.items() if v != standard[name]}

    def _advance(self, index: int, step: int = 1) -> None:
        option = self.schema.options[index]
        self.values[option.name] = next_value(option, self.values[option.name], step)
        self._tell()

    def on_key(self, symbol: int, modifiers: int) -> bool:
        """Left and right change the selected option."""
        if symbol in (key.LEFT, key.RIGHT) and self.selected is not None:
            self._advance(self.selected, 1 if symbol == key.RIGHT else -1)
            return True
        return super().on_key(symbol, modifiers)

    def _tell(self) -> None:
        standard = self.schema.defaults()
        self.rows = [
            Row(
                option.text,
                note=value_text(self.values[option.name]),
                accent=theme.AMBER if self.values[option.name] != standard[option.name] else None,
            )
            for option in self.schema.options
        ]
        self.refresh()
