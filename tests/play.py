"""Random play of any game, the same on every Python: what the laws and golden files walk on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, Final, TypeVar

from cloakboard.engine.chance import below, seeded_draw
from cloakboard.engine.errors import BadOption
from cloakboard.engine.game import Action, Game
from cloakboard.engine.table import Table

SEEN_PER_CLASS: Final = 400  # actions of one class that take part in the draw
OPTION_TRIES: Final = 100
WIDEST_SPAN: Final = 20  # of a range of numbers, what is drawn from
SEEN_IN_ALL: Final = 20_000  # actions that are looked at in one position

T = TypeVar("T")


class Dice:
    """Choices from a seed."""

    def __init__(self, seed: int) -> None:
        self._seed = b"play" + seed.to_bytes(8, "big")
        self._rolls = 0

    def choose(self, items: Sequence[T]) -> T:
        """One of the items."""
        self._rolls += 1
        return items[below(seeded_draw(self._seed, self._rolls), len(items))]


def by_class(table: Table, seat: int) -> dict[str, list[Action]]:
    """The seat's actions by the name of their class, the first ones of each."""
    classes: dict[str, list[Action]] = {}
    for action in islice(table.actions(seat), SEEN_IN_ALL):
        kept = classes.setdefault(type(action).__name__, [])
        if len(kept) < SEEN_PER_CLASS:
            kept.append(action)
    return classes


def play_on(table: Table, dice: Dice, max_actions: int) -> Table:
    """The table after at most so many more chosen actions. First the class of an action is
    drawn, then the action, so that a class with thousands does not drown the others."""
    for _ in range(max_actions):
        if not table.to_act:
            break
        seat = dice.choose(table.to_act)
        classes = by_class(table, seat)
        if not classes:
            break  # the laws find that nobody can act
        name = dice.choose(sorted(classes))
        table.act(seat, dice.choose(classes[name]))
    return table


def drawn_options(game: Game, dice: Dice) -> dict[str, Any]:
    """Values for about a quarter of the game's options, such that they go together."""
    for _ in range(OPTION_TRIES):
        drawn: dict[str, Any] = {}
        for option in game.options.options:
            if dice.choose((True, False, False, False)):
                allowed: Sequence[Any] = option.choices or (False, True)
                if option.span is not None:
                    first, last = option.span
                    allowed = range(first, min(last, first + WIDEST_SPAN) + 1)
                drawn[option.name] = dice.choose(allowed)
        try:
            game.start(game.options.complete(drawn))
        except BadOption:
            continue
        return drawn
    raise AssertionError("hardly any options of this game go together")


def random_game(
    game: Game,
    seed: int,
    max_actions: int,
    options: Mapping[str, Any] | None = None,
    setup: str = "",
) -> Table:
    """A table after at most `max_actions` random legal actions from the start position."""
    table = Table(game, options, setup, seed=seed.to_bytes(8, "big"))
    return play_on(table, Dice(seed), max_actions)
