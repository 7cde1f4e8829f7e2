"""Timing two ways of the same amount of work against each other, in one run."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from time import process_time
from typing import NamedTuple

Task = Callable[[], object]


class Pair(NamedTuple):
    """Medians over the rounds: seconds that `left` took, that `right` took, and left / right."""

    left: float
    right: float
    ratio: float


def pair(left: Task, right: Task, rounds: int, clock: Callable[[], float] = process_time) -> Pair:
    """Both tasks in turn, after one round that is not counted.

    The ratio is taken round by round, so that a machine whose speed wanders, or that others use
    too, spoils single rounds and not the median.
    """
    spent = [(_spent(left, clock), _spent(right, clock)) for _ in range(rounds + 1)][1:]
    return summed_up(spent)


def summed_up(spent: list[tuple[float, float]]) -> Pair:
    """What rounds of (left, right) seconds come to."""
    ours, theirs = zip(*spent, strict=True)
    return Pair(median(ours), median(theirs), median(one / other for one, other in spent))


def _spent(task: Task, clock: Callable[[], float]) -> float:
    start = clock()
    task()
    return clock() - start
