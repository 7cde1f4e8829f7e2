"""Eased changes over time that never alter the game, and that a player can cut short."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final


class Amount(StrEnum):
    """How much motion the player wants."""

    ALL = "all"
    SHORT = "short"
    ESSENTIAL = "essential"
    NONE = "none"


SPEED: Final = {Amount.ALL: 1.0, Amount.SHORT: 0.55, Amount.ESSENTIAL: 0.8, Amount.NONE: 0.0}
"""What a duration is multiplied by; a motion of no length is done at once."""


Ease = Callable[[float], float]


def linear(share: float) -> float:
    """Even pace."""
    return share


def ease_out(share: float) -> float:
    """Fast, then settling: for what the player started."""
    return 1 - (1 - share) ** 3


def ease_in(share: float) -> float:
    """Slow, then fast: for what leaves or falls."""
    return share**3


def ease_in_out(share: float) -> float:
    """Slow at both ends: for what travels."""
    return 4 * share**3 if share < 0.5 else 1 - (2 - 2 * share) ** 3 / 2


def there_and_back(share: float) -> float:
    """0 to 1 and back to 0: for a pulse."""
    return 1 - (2 * share - 1) ** 2


@dataclass(slots=True)
class Tween:
    """One change: `step` gets the eased share, 0 at first and 1 (or the ease's end) at last."""

    duration_ms: float
    step: Callable[[float], None]
    ease: Ease = ease_out
    delay_ms: float = 0.0
    on_done: Callable[[], None] | None = None
    elapsed_ms: float = field(default=0.0, init=False)

    def advance(self, passed_ms: float) -> bool:
        """Go on by that time; False once it is over (`on_done` has then been called)."""
        self.elapsed_ms += passed_ms
        running = self.elapsed_ms - self.delay_ms
        if running < 0:
            return True
        if running < self.duration_ms:
            self.step(self.ease(running / self.duration_ms))
            return True
        self.finish()
        return False

    def finish(self) -> None:
        """Jump to the end."""
        self.step(self.ease(1.0))
        if self.on_done is not None:
            self.on_done()


class Animator:
    """Runs tweens at the pace of the times it is told."""

    def __init__(self, amount: Amount = Amount.ALL) -> None:
        self.amount = amount
        self._tweens: list[Tween] = []

    @property
    def is_active(self) -> bool:
        """Whether anything still moves."""
        return bool(self._tweens)

    def add(
        self,
        duration_ms: float,
        step: Callable[[float], None],
        *,
        ease: Ease = ease_out,
        delay_ms: float = 0.0,
        is_essential: bool = False,
        on_done: Callable[[], None] | None = None,
    ) -> None:
        """Start a change; where the player's amount leaves it out, its end comes at once.

        Essential is what tells what happened: a move, a hit, a piece that goes.
        """
        tween = Tween(duration_ms, step, ease, delay_ms, on_done)
        speed = SPEED[self.amount]
        if not speed or (self.amount is Amount.ESSENTIAL and not is_essential):
            tween.finish()
            return
        tween.duration_ms = round(tween.duration_ms * speed)
        tween.delay_ms = round(tween.delay_ms * speed)
        if not tween.delay_ms:
            step(ease(0.0))
        self._tweens.append(tween)

    def advance(self, passed_ms: float) -> bool:
        """Go on by that time; True while something moved, so that it must be drawn."""
        if not self._tweens:
            return False
        running, self._tweens = self._tweens, []
        kept = [tween for tween in running if tween.advance(passed_ms)]
        self._tweens = kept + self._tweens
        return True

    def skip(self) -> bool:
        """End everything now, what the ends start included; True if anything was running."""
        was_active = self.is_active
        while self._tweens:
            running, self._tweens = self._tweens, []
            for tween in running:
                tween.finish()
        return was_active
