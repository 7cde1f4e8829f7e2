"""How often a player left matches before their end, by this machine's own records (JQ-88)."""

from __future__ import annotations

from collections.abc import Iterable

from cloakboard.achievements.record import Audit, MatchRecord
from cloakboard.netplay.room.door import Conduct


def conduct_of(records: Iterable[MatchRecord], key: bytes) -> Conduct:
    """What the records say of the player with that key. Practice does not count."""
    seats = [(r, r.seat_of(key)) for r in records if not r.is_practice]
    played = [(record, seat) for record, seat in seats if seat is not None]
    left = sum(record.audit is Audit.CLAIMED and seat in record.by for record, seat in played)
    return Conduct(len(played), left)
