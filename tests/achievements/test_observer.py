"""Achievements over real matches: nothing stumbles, and nothing tells what a seat cannot know."""

from __future__ import annotations

import importlib

import pytest

from cloakboard.achievements.definitions import definitions
from cloakboard.achievements.moments import Began, Closed, Mode
from cloakboard.achievements.observer import Observer
from cloakboard.engine.events import Event, may_know
from cloakboard.engine.game import Game
from tests.play import random_game

GAMES: dict[str, Game] = {
    name: importlib.import_module(f"cloakboard.engine.{name}").GAME for name in ("wec", "trid")
}


def amounts(game: Game, seat: int, events: list[Event]) -> dict[str, int]:
    observer = Observer(definitions(), Began(game=game.id, mode=Mode.NET, seat=seat))
    for event in events:
        observer.see(event)
    observer.close(
        Closed(game=game.id, mode=Mode.NET, seat=seat, winners=(seat,), reason="primary")
    )
    return observer.amounts


@pytest.mark.parametrize("name", GAMES)
def test_a_seat_earns_by_what_it_may_know_alone(name: str) -> None:
    game = GAMES[name]
    table = random_game(game, seed=7, max_actions=260)
    events = list(table.events)
    for seat in (0, 1):
        known = [event for event in events if may_know(event, seat)]
        assert amounts(game, seat, events) == amounts(game, seat, known)
    assert any(amounts(game, 0, events).values())


def test_events_of_the_other_seat_alone_change_nothing() -> None:
    game = GAMES["wec"]
    events = list(random_game(game, seed=7, max_actions=260).events)
    hidden = [event for event in events if event.only == (1,)]
    assert hidden
    nothing = amounts(game, 0, [])
    assert amounts(game, 0, hidden) == nothing
