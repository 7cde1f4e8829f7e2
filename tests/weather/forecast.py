"""What a seed has in store for a match."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from cloakboard.engine.game import Game
from tests.cheats.positions import crowd
from tests.tiny import game as line

NEVER: Final = 1 << 60  # effects
OFF_MS: Final = (0, 86_400_000, 10**13, -(10**13))  # a clock is wrong by; the last is before 1970
FAIR_MS: Final = 60_000  # from here on no more faults

Setting = tuple[Callable[[], Game], Mapping[str, Any], tuple[int, int]]
GAMES: Final[Mapping[str, Setting]] = {  # the game, its options, least and most choices
    "line3": (lambda: line(3), {"turns": 6}, (6, 60)),
    "line2": (lambda: line(2), {"turns": 8}, (6, 60)),
    "line4": (lambda: line(4), {"turns": 4}, (6, 40)),
    "wec": (crowd, {}, (3, 9)),
}
ROUND: Final = ("line3", "line2", "line4", "wec", "line3", "line2")  # which game a seed plays


@dataclass(frozen=True, slots=True)
class Blow:
    """Something that happens to links or machines. `at_ms`: when; `kind`: `cut`, `partition` or
    `sleep`; `seat`: whom it meets; `for_ms`: how long."""

    at_ms: int
    kind: str
    seat: int
    for_ms: int


@dataclass(frozen=True, slots=True)
class Forecast:
    """All that is drawn before a match begins; times in milliseconds.

    `delay_ms`: least and most of a frame's way; `twice`: how many of 100 frames come again later;
    `kills`: for each seat, the effects that its program carries out in each of its lives;
    `skews`: for each seat, what its clock is off and how fast it goes, in hundredths;
    `move_seconds`: the time limit of the room, 0 for none.
    """

    game: str
    choices: int
    delay_ms: tuple[int, int]
    twice: int
    blows: tuple[Blow, ...]
    kills: tuple[tuple[int, ...], ...]
    skews: tuple[tuple[int, int], ...]
    move_seconds: int


def game_of(seed: int) -> str:
    """The game that a seed plays unless another is asked for."""
    return ROUND[seed % len(ROUND)]


def forecast(game: str, seed: int) -> Forecast:
    """The forecast of a seed; the same on every machine."""
    chance = random.Random(f"forecast/{game}/{seed}")
    make, _, span = GAMES[game]
    seats = make().seats
    slow = chance.choice((20, 200, 3000))
    blows = [_blow(chance, seats) for _ in range(chance.randrange(7))]
    return Forecast(
        game=game,
        choices=chance.randint(*span),
        delay_ms=(chance.randrange(1, slow), slow),
        twice=chance.choice((0, 0, 5, 40)),
        blows=tuple(sorted(blows, key=lambda blow: blow.at_ms)),
        kills=tuple(_lives(chance) for _ in range(seats)),
        skews=tuple((chance.choice(OFF_MS), chance.choice((100, 1, 250))) for _ in range(seats)),
        move_seconds=chance.choice((0, 0, 1)),
    )


def _blow(chance: random.Random, seats: int) -> Blow:
    kind = chance.choice(("cut", "cut", "partition", "sleep"))
    return Blow(
        chance.randrange(FAIR_MS), kind, chance.randrange(seats), chance.choice((200, 2500, 15_000))
    )


def _lives(chance: random.Random) -> tuple[int, ...]:
    """Most effects of one life, and then of the next; a short life dies while it resumes."""
    return tuple(
        chance.choice((chance.randrange(4), chance.randrange(15), chance.randrange(80)))
        for _ in range(chance.choice((0, 0, 1, 2, 4)))
    )
