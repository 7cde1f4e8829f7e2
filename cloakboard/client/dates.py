"""Dates as players read them. The catalogues have the same patterns in each language."""

from __future__ import annotations

from datetime import datetime
from typing import Final

DAYS: Final = (
    "{day} January {year}",
    "{day} February {year}",
    "{day} March {year}",
    "{day} April {year}",
    "{day} May {year}",
    "{day} June {year}",
    "{day} July {year}",
    "{day} August {year}",
    "{day} September {year}",
    "{day} October {year}",
    "{day} November {year}",
    "{day} December {year}",
)
MOMENTS: Final = (
    "{day} January {year}, {time}",
    "{day} February {year}, {time}",
    "{day} March {year}, {time}",
    "{day} April {year}, {time}",
    "{day} May {year}, {time}",
    "{day} June {year}, {time}",
    "{day} July {year}, {time}",
    "{day} August {year}, {time}",
    "{day} September {year}, {time}",
    "{day} October {year}, {time}",
    "{day} November {year}, {time}",
    "{day} December {year}, {time}",
)
LATEST: Final = 32_503_593_600.0  # 31 December 2999: no system's calendar ends before


def day_of(seconds: float) -> str:
    """The day of a time in seconds since 1970, where this machine is: `5 May 2026`."""
    at = _at(seconds)
    return DAYS[at.month - 1].format(day=at.day, year=at.year)


def moment_of(seconds: float) -> str:
    """The day and the minute of such a time: `5 May 2026, 09:30`."""
    at = _at(seconds)
    time = at.strftime("%H:%M")
    return MOMENTS[at.month - 1].format(day=at.day, year=at.year, time=time)


def _at(seconds: float) -> datetime:
    """That time. Files and the records of others may say anything: a time that no calendar has
    becomes the first or the last that this one tells."""
    return datetime.fromtimestamp(min(max(seconds, 0.0), LATEST))
