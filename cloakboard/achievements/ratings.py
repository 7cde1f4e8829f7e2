"""Ratings, worked out from the records alone.

The same records give the same ratings whatever the order in which they came: they are taken by
time, then by match id. OpenSkill's Plackett-Luce model rates teams and draws
(Weng and Lin 2011); a player's points are its cautious estimate, mean less three deviations,
40 points for each unit, so that a newcomer has 1000.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from openskill.models import PlackettLuce, PlackettLuceRating

from cloakboard.achievements.record import MatchRecord, order

NEWCOMER: Final = 1000
PER_UNIT: Final = 40


class Point(NamedTuple):
    """A player's points after a match that ended then (Unix time in seconds)."""

    ended: int
    points: int


def rate(records: Iterable[MatchRecord]) -> dict[bytes, tuple[Point, ...]]:
    """By player's key, how its points went over the rated ones among the records, which must be
    of one game and one option class."""
    model = PlackettLuce()
    now: dict[bytes, PlackettLuceRating] = {}
    course: dict[bytes, tuple[Point, ...]] = {}
    for record in sorted(records, key=order):
        if not record.is_rated:
            continue
        teams, ranks = _teams(record)
        for key in (key for team in teams for key in team):
            now.setdefault(key, model.rating())
        rated = model.rate([[now[key] for key in team] for team in teams], ranks=ranks)
        for team, ratings in zip(teams, rated, strict=True):
            for key, rating in zip(team, ratings, strict=True):
                now[key] = rating
                point = Point(record.ended, _points(rating))
                course[key] = (*course.get(key, ()), point)
    return course


def _teams(record: MatchRecord) -> tuple[list[list[bytes]], list[float]]:
    """Winners against the rest; after a draw each by itself, all level."""
    keys = [player.key for player in record.players]
    if not record.winners:
        return [[key] for key in keys], [1.0] * len(keys)
    winners = [keys[seat] for seat in record.winners]
    losers = [key for seat, key in enumerate(keys) if seat not in record.winners]
    return [winners, losers], [1.0, 2.0]


def _points(rating: PlackettLuceRating) -> int:
    return NEWCOMER + round(PER_UNIT * rating.ordinal())
