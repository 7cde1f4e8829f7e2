"""Match records, tallies and unlocks on the disk: added in one transaction each, never changed.

Whatever is written is there whole or not at all, also after kill -9. A record's audit state rises
by a further result beside the earlier ones; the last one counts. What a player forgets is deleted
and its match id kept, so that a friend's copy does not bring it back.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from cloakboard.achievements.errors import Contradiction, Unwritable
from cloakboard.achievements.moments import Closed, Mode
from cloakboard.achievements.record import RANK, Audit, MatchRecord, Player, order
from cloakboard.achievements.upkeep import MIGRATIONS, open_database

_LATEST = "number = (SELECT max(number) FROM results WHERE match = r.match)"
_SELECT = (
    "SELECT r.match, r.game, r.rules_version, r.options, r.rules, r.has_setup, r.is_practice,"
    " s.winners, s.reason, s.turns, s.used_ms, s.ended, s.audit, s.seats, s.note, s.proof"
    f" FROM records r JOIN results s ON s.match = r.match AND s.{_LATEST}"
)


class Ledger:
    """An open database. May be used from any thread. `notice`: what the player must be told
    about it, or empty."""

    def __init__(self, folder: Path, migrations: Sequence[str] = MIGRATIONS) -> None:
        """Never fails for what it finds in the folder: see `upkeep`."""
        self._database, self.notice = open_database(folder, migrations)
        self._lock = threading.RLock()

    def close(self) -> None:
        """Closes the file."""
        with self._lock:
            self._database.close()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction. Raises `Unwritable` if the disk does not take it."""
        with self._lock:
            try:
                self._database.execute("BEGIN IMMEDIATE")
                yield self._database
                self._database.execute("COMMIT")
            except BaseException as error:
                if self._database.in_transaction:
                    self._database.execute("ROLLBACK")
                if isinstance(error, sqlite3.OperationalError):
                    raise Unwritable(
                        f"the match records cannot be written ({error}); make room on their disk"
                    ) from error
                raise

    # -- records ---------------------------------------------------------------------------

    def add(self, record: MatchRecord) -> bool:
        """Keeps a record, or the risen audit state of one; False if it says nothing new or was
        forgotten. Raises `Contradiction` if another match is kept under its id."""
        with self._writing() as database:
            if _has(database, "forgotten", record.match):
                return False
            known = self._record(record.match)
            if known is None:
                _insert_record(database, record)
            elif _facts(known) != _facts(record):
                raise Contradiction("a record of this match is kept already, and it says otherwise")
            elif RANK[record.audit] <= RANK[known.audit]:
                return False
            _insert_result(database, record)
            return True

    def records(self, game: str = "", since: int = 0) -> list[MatchRecord]:
        """Every record, or those of a game and from a time on, the oldest first."""
        with self._lock:
            rows = self._database.execute(_SELECT).fetchall()
            seats = self._players()
        found = (_read(row, seats) for row in rows)
        return sorted(
            (r for r in found if r.ended >= since and game in ("", r.game)),
            key=order,
        )

    def record(self, match: bytes) -> MatchRecord | None:
        """The record of a match, None if there is none."""
        with self._lock:
            return self._record(match)

    def matches(self) -> frozenset[bytes]:
        """Ids of all matches whose record can rise no further, and of all forgotten ones."""
        final = [audit.value for audit in Audit if RANK[audit] >= RANK[Audit.CLEAN]]
        marks = ",".join("?" * len(final))
        query = (
            f"SELECT match FROM results WHERE audit IN ({marks}) UNION SELECT match FROM forgotten"
        )
        with self._lock:
            return frozenset(row[0] for row in self._database.execute(query, final))

    def forget(self, matches: Iterable[bytes]) -> int:
        """Deletes records and what was tallied of them, for good; how many there were. Unlocks
        stay."""
        count = 0
        with self._writing() as database:
            for match in matches:
                if not _has(database, "records", match):
                    continue
                database.execute("INSERT OR IGNORE INTO forgotten VALUES (?)", (match,))
                database.execute("DELETE FROM records WHERE match = ?", (match,))
                database.execute("DELETE FROM played WHERE source = ?", (match.hex(),))
                count += 1
        return count

    def _record(self, match: bytes) -> MatchRecord | None:
        row = self._database.execute(f"{_SELECT} WHERE r.match = ?", (match,)).fetchone()
        return None if row is None else _read(row, self._players(match))

    def _players(self, match: bytes | None = None) -> dict[bytes, tuple[Player, ...]]:
        where, given = ("", ()) if match is None else (" WHERE match = ?", (match,))
        rows = self._database.execute(
            f"SELECT match, key, name FROM players{where} ORDER BY match, seat", given
        )
        seats: dict[bytes, tuple[Player, ...]] = {}
        for of, key, name in rows:
            seats[of] = (*seats.get(of, ()), Player(key, name))
        return seats

    # -- what was played, tallied, earned ----------------------------------------------------

    def close_match(self, source: str, closed: Closed, amounts: Mapping[str, int]) -> bool:
        """Counts a match once; False if it was counted before. `source`: the match's id in hex,
        or a word for what was no match with a friend; `amounts`: by achievement."""
        with self._writing() as database:
            known = "SELECT 1 FROM played WHERE source = ?"
            if database.execute(known, (source,)).fetchone() or (
                closed.mode is Mode.NET and _has(database, "forgotten", bytes.fromhex(source))
            ):
                return False
            _insert_played(database, source, closed, amounts)
            return True

    def played(self) -> list[Closed]:
        """Every match that was counted, the oldest first."""
        query = "SELECT closed FROM played ORDER BY ended, source"
        with self._lock:
            rows = self._database.execute(query).fetchall()
        return [msgspec.msgpack.decode(row[0], type=Closed) for row in rows]

    def has_played(self, source: str) -> bool:
        """Whether a match was counted."""
        query = "SELECT 1 FROM played WHERE source = ?"
        with self._lock:
            return self._database.execute(query, (source,)).fetchone() is not None

    def tallies(self) -> dict[str, list[int]]:
        """By achievement, what each match brought towards it."""
        query = "SELECT achievement, amount FROM tallies ORDER BY achievement, source"
        found: dict[str, list[int]] = {}
        with self._lock:
            for achievement, amount in self._database.execute(query):
                found.setdefault(achievement, []).append(amount)
        return found

    def unlock(self, achievement: str, earned: int) -> bool:
        """Keeps an unlock (Unix time in seconds); False if it is kept already."""
        with self._writing() as database:
            done = database.execute(
                "INSERT OR IGNORE INTO unlocks VALUES (?, ?)", (achievement, earned)
            )
            return done.rowcount > 0

    def unlocks(self) -> dict[str, int]:
        """When each achievement was earned."""
        query = "SELECT achievement, earned FROM unlocks ORDER BY earned, achievement"
        with self._lock:
            return dict(self._database.execute(query).fetchall())

    def announce(self) -> list[str]:
        """The achievements not told of so far, which from now on count as told of."""
        query = (
            "SELECT achievement FROM unlocks WHERE achievement NOT IN"
            " (SELECT achievement FROM announced) ORDER BY earned, achievement"
        )
        with self._writing() as database:
            fresh = [row[0] for row in database.execute(query)]
            database.executemany("INSERT INTO announced VALUES (?)", [(one,) for one in fresh])
            return fresh

    # -- copies ------------------------------------------------------------------------------

    def copy(self) -> Copy:
        """Everything that is kept, for another copy of the profile."""
        with self._lock:
            rows = self._database.execute(
                "SELECT p.source, p.closed, t.achievement, t.amount FROM played p"
                " LEFT JOIN tallies t ON t.source = p.source ORDER BY p.source, t.achievement"
            ).fetchall()
            played: dict[str, tuple[bytes, dict[str, int]]] = {}
            for source, closed, achievement, amount in rows:
                tallies = played.setdefault(source, (closed, {}))[1]
                if achievement is not None:
                    tallies[achievement] = amount
            return Copy(
                records=tuple(self.records()),
                played=tuple(
                    Played(source, msgspec.msgpack.decode(closed, type=Closed), amounts)
                    for source, (closed, amounts) in played.items()
                ),
                unlocks=self.unlocks(),
            )

    def merge(self, copy: Copy) -> int:
        """The union with a copy of the same profile; how many records are new. Unlocks that come
        with it count as told of, since the other copy told of them."""
        count = sum(self.add(record) for record in copy.records)
        for one in copy.played:
            self.close_match(one.source, one.closed, one.amounts)
        with self._writing() as database:
            for achievement, earned in copy.unlocks.items():
                row = (achievement, earned)
                if database.execute("INSERT OR IGNORE INTO unlocks VALUES (?, ?)", row).rowcount:
                    database.execute("INSERT INTO announced VALUES (?)", (achievement,))
        return count


class Played(msgspec.Struct, frozen=True, array_like=True):
    """A counted match, and what it brought towards each achievement."""

    source: str
    closed: Closed
    amounts: dict[str, int]


class Copy(msgspec.Struct, frozen=True):
    """All that a ledger keeps."""

    records: tuple[MatchRecord, ...]
    played: tuple[Played, ...]
    unlocks: dict[str, int]


def _has(database: sqlite3.Connection, table: str, match: bytes) -> bool:
    query = f"SELECT 1 FROM {table} WHERE match = ?"
    return database.execute(query, (match,)).fetchone() is not None


def _facts(record: MatchRecord) -> tuple[object, ...]:
    """What no later state of a record changes."""
    keys = tuple(player.key for player in record.players)
    kind = record.has_setup, record.is_practice
    return record.game, record.rules_version, record.options, keys, *kind


def _insert_record(database: sqlite3.Connection, record: MatchRecord) -> None:
    database.execute(
        "INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            record.match,
            record.game,
            record.rules_version,
            record.options,
            record.rules,
            record.has_setup,
            record.is_practice,
        ),
    )
    for seat, player in enumerate(record.players):
        row = (record.match, seat, player.key, player.name)
        database.execute("INSERT INTO players VALUES (?, ?, ?, ?)", row)


def _insert_result(database: sqlite3.Connection, record: MatchRecord) -> None:
    database.execute(
        "INSERT INTO results (match, winners, reason, turns, used_ms, ended, audit, seats, note,"
        " proof) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            record.match,
            bytes(record.winners),
            record.reason,
            record.turns,
            record.used_ms,
            record.ended,
            record.audit.value,
            bytes(record.by),
            record.note,
            msgspec.msgpack.encode(record.proof),
        ),
    )


def _insert_played(
    database: sqlite3.Connection, source: str, closed: Closed, amounts: Mapping[str, int]
) -> None:
    row = (source, closed.ended, msgspec.msgpack.encode(closed))
    database.execute("INSERT INTO played VALUES (?, ?, ?)", row)
    for achievement, amount in sorted(amounts.items()):
        if amount:
            tally = (source, achievement, amount)
            database.execute("INSERT INTO tallies VALUES (?, ?, ?)", tally)


def _read(row: tuple[Any, ...], seats: Mapping[bytes, tuple[Player, ...]]) -> MatchRecord:
    values: dict[str, Any] = dict(zip(_FIELDS, row, strict=True))
    values |= {
        "players": seats.get(values["match"], ()),
        "has_setup": bool(values["has_setup"]),
        "is_practice": bool(values["is_practice"]),
        "winners": tuple(values["winners"]),
        "audit": Audit(values["audit"]),
        "by": tuple(values["by"]),
        "proof": msgspec.msgpack.decode(values["proof"], type=tuple[bytes, ...]),
    }
    return MatchRecord(**values)


_FIELDS = (
    "match",
    "game",
    "rules_version",
    "options",
    "rules",
    "has_setup",
    "is_practice",
    "winners",
    "reason",
    "turns",
    "used_ms",
    "ended",
    "audit",
    "by",
    "note",
    "proof",
)
