"""Leaderboards: how players stand among each other, worked out from the records alone."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

import msgspec

from cloakboard.achievements.ratings import NEWCOMER, Point, rate
from cloakboard.achievements.record import STANDARD, Audit, MatchRecord, order

NO_BLAME_S: Final = 30 * 24 * 60 * 60  # of a verdict that is still to come (VEIL 11)


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One player's line. `streak`: wins in a row now; `win_rate` in percent (JQ-90);
    `refusals`: audits that it did not sign as clean; `findings`: audits that found it false;
    `disconnects`: matches it never came back to; `course`: its points over time."""

    key: bytes
    name: str
    points: int = NEWCOMER
    matches: int = 0
    wins: int = 0
    losses: int = 0
    draws: int = 0
    streak: int = 0
    best_streak: int = 0
    win_rate: int = 0
    refusals: int = 0
    findings: int = 0
    disconnects: int = 0
    course: tuple[Point, ...] = ()


def win_rate(wins: int, losses: int, draws: int) -> int:
    """Whole percent, a draw counting half below the line only; 0 without matches (JQ-90, JQ-91)."""
    below = 2 * wins + 2 * losses + draws
    return 200 * wins // below if below else 0


def classes(records: Iterable[MatchRecord], game: str) -> tuple[str, ...]:
    """The option classes in which a game was played, the standard one first."""
    found = {record.rules for record in records if record.game == game}
    return tuple(sorted(found, key=lambda rules: (rules != STANDARD, rules)))


def leaderboard(
    records: Iterable[MatchRecord],
    game: str,
    *,
    rules: str = STANDARD,
    since: int = 0,
    now: int = 0,
    among: Collection[bytes] | None = None,
) -> list[Row]:
    """The table of a game and an option class, the best first.

    `since`: only matches that ended then or later (Unix time in seconds); `now`: a verdict that is
    owed for longer than `NO_BLAME_S` is held against its seat; `among`: only these players' lines.
    """
    chosen = [r for r in records if r.game == game and r.rules == rules and r.ended >= since]
    chosen.sort(key=order)
    courses = rate(chosen)
    lines: dict[bytes, Row] = {}
    for record in chosen:
        for seat, player in enumerate(record.players):
            row = lines.get(player.key) or Row(key=player.key, name=player.name)
            lines[player.key] = _counted(row, record, seat, now)
    rows = [
        msgspec.structs.replace(
            row,
            win_rate=win_rate(row.wins, row.losses, row.draws),
            points=courses[key][-1].points if key in courses else NEWCOMER,
            course=courses.get(key, ()),
        )
        for key, row in lines.items()
        if among is None or key in among
    ]
    return sorted(rows, key=lambda row: (-row.points, -row.wins, row.losses, row.key))


def _counted(row: Row, record: MatchRecord, seat: int, now: int) -> Row:
    """A line with one record more, taken in order."""
    changes: dict[str, object] = {"name": record.players[seat].name}
    if record.is_rated:
        changes["matches"] = row.matches + 1
        if seat in record.winners:
            streak = row.streak + 1
            changes |= {"wins": row.wins + 1, "streak": streak}
            changes["best_streak"] = max(row.best_streak, streak)
        else:
            field = "losses" if record.winners else "draws"
            changes |= {field: getattr(row, field) + 1, "streak": 0}
    if seat in record.by:
        if record.audit is Audit.REFUSED:
            changes["refusals"] = row.refusals + 1
        elif record.audit is Audit.PROVEN:
            changes["findings"] = row.findings + 1
        elif record.audit is Audit.CLAIMED or record.ended + NO_BLAME_S < now:
            changes["disconnects"] = row.disconnects + 1
    return msgspec.structs.replace(row, **changes)
