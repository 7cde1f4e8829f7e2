"""What happened, and who may know it.

A state is a fold of events. An event's audience is every seat, or the seats named in
`only`; a machine that holds a view folds exactly the events its seat may know
(ARCHITECTURE 2). Games derive their own tagged events from `Event`.
"""

from __future__ import annotations

import msgspec


class Event(msgspec.Struct, frozen=True, tag=True, kw_only=True):
    """One fact. `only` empty: for everyone; else the seats (ascending) that may know it."""

    only: tuple[int, ...] = ()


def may_know(event: Event, seat: int | None) -> bool:
    """Whether `seat` may know the event; `None` asks for the public."""
    return not event.only or seat in event.only
