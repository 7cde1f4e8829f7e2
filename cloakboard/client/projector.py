"""Playing a film: where it stands, what is still to be shown of a step, and when to go on.

Pure: the screen asks and draws. Times are milliseconds.
"""

from __future__ import annotations

from collections import deque
from typing import Final

from cloakboard.client.film import Film
from cloakboard.engine.events import Event
from cloakboard.engine.game import State

SPEEDS: Final = (0.5, 1.0, 2.0, 4.0)
PAUSE_MS: Final = 700.0  # between two steps that play by themselves, at speed 1


class Projector:
    """One viewing of a film. `step` is where it stands; `shown` the position as far as the
    events of the step have been shown."""

    def __init__(self, film: Film, step: int = 0) -> None:
        self.film = film
        self.step = step
        self.shown: State = film.state(step)
        self.is_playing = False
        self.speed = 1.0
        self._left: deque[Event] = deque()
        self._rest_ms = 0.0

    @property
    def is_behind(self) -> bool:
        """Whether events of the step wait to be shown."""
        return bool(self._left)

    def put_on(self, film: Film) -> None:
        """Goes on with another film of the same match, at the same step."""
        self.film = film
        self.go(self.step)

    def go(self, step: int) -> None:
        """Stands at a step at once, held to what there is."""
        self.step = min(max(step, 0), self.film.steps)
        self._left.clear()
        self.shown = self.film.state(self.step)

    def forward(self) -> bool:
        """Begins to show the next step; False at the end."""
        self.go(self.step)
        if self.step >= self.film.steps:
            self.is_playing = False
            return False
        self.step += 1
        self._left.extend(self.film.events(self.step))
        self._rest_ms = PAUSE_MS / self.speed
        return True

    def next_event(self) -> tuple[State, Event, State] | None:
        """The next event of the step with the positions before and after it, or None."""
        if not self._left:
            return None
        event = self._left.popleft()
        before = self.shown
        self.shown = self.film.recording.game.apply(before, event)
        return before, event, self.shown

    def following(self) -> Event | None:
        """The event that `next_event` gives next."""
        return self._left[0] if self._left else None

    def by_turns(self, count: int) -> int:
        """The step so many Turns away: the beginning of a Turn, or the end."""
        starts = (*self.film.turn_starts, self.film.steps)
        if count > 0:
            later = [start for start in starts if start > self.step]
            return later[min(count, len(later)) - 1] if later else self.film.steps
        earlier = [start for start in starts if start < self.step]
        return earlier[max(count, -len(earlier))] if earlier else 0

    def play(self, is_playing: bool) -> None:
        """Starts or stops playing by itself; from the end it starts anew."""
        self.is_playing = is_playing
        if is_playing and self.step >= self.film.steps:
            self.go(0)
        self._rest_ms = 0.0

    def set_speed(self, change: int) -> None:
        """The speed so many places from the present one."""
        place = min(max(SPEEDS.index(self.speed) + change, 0), len(SPEEDS) - 1)
        self.speed = SPEEDS[place]

    def rest(self, passed_ms: float) -> bool:
        """Lets time pass between steps; True when the next one is due."""
        if not self.is_playing or self.is_behind:
            return False
        self._rest_ms -= passed_ms
        return self._rest_ms <= 0
