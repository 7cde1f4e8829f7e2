"""The database file: opened whole, brought up to date, or set aside; never overwritten.

1. A file that is no database, fails its integrity check or breaks a foreign key is renamed to
   `records.damaged`, one of a newer form to `records.newer`; an empty one takes its place and
   the player is told (KNOWN_FAILURES 10).
2. Before a migration the file is copied to `records.form-N`. Each migration is one transaction;
   the result must have just the tables and triggers that this program expects.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

FILE_NAME: Final = "records.db"
SIDE_FILES: Final = ("-wal", "-shm", "-journal")
BUSY_S: Final = 5.0

RECORDS_AND_UNLOCKS: Final = """
CREATE TABLE records (
    match BLOB PRIMARY KEY CHECK (length(match) = 32),
    game TEXT NOT NULL,
    rules_version INTEGER NOT NULL,
    options BLOB NOT NULL,
    rules TEXT NOT NULL,
    has_setup INTEGER NOT NULL
);
CREATE TABLE players (
    match BLOB NOT NULL REFERENCES records ON DELETE CASCADE,
    seat INTEGER NOT NULL,
    key BLOB NOT NULL CHECK (length(key) = 32),
    name TEXT NOT NULL,
    PRIMARY KEY (match, seat)
);
CREATE INDEX players_by_key ON players (key);
CREATE TABLE results (
    number INTEGER PRIMARY KEY,
    match BLOB NOT NULL REFERENCES records ON DELETE CASCADE,
    winners BLOB NOT NULL,
    reason TEXT NOT NULL,
    turns INTEGER NOT NULL,
    used_ms INTEGER NOT NULL,
    ended INTEGER NOT NULL,
    audit TEXT NOT NULL,
    seats BLOB NOT NULL,
    note TEXT NOT NULL,
    proof BLOB NOT NULL
);
CREATE INDEX results_by_match ON results (match, number);
CREATE TABLE forgotten (match BLOB PRIMARY KEY);
CREATE TABLE played (source TEXT PRIMARY KEY, ended INTEGER NOT NULL, closed BLOB NOT NULL);
CREATE TABLE tallies (
    source TEXT NOT NULL REFERENCES played ON DELETE CASCADE,
    achievement TEXT NOT NULL,
    amount INTEGER NOT NULL,
    PRIMARY KEY (source, achievement)
);
CREATE TABLE unlocks (achievement TEXT PRIMARY KEY, earned INTEGER NOT NULL);
CREATE TABLE announced (achievement TEXT PRIMARY KEY REFERENCES unlocks);
"""


def _fixed(table: str) -> str:
    return (
        f"CREATE TRIGGER {table}_fixed BEFORE UPDATE ON {table} "
        f"BEGIN SELECT RAISE(ABORT, '{table} are only ever added'); END;\n"
    )


def _kept(table: str, match: str) -> str:
    return (
        f"CREATE TRIGGER {table}_kept BEFORE DELETE ON {table} "
        f"WHEN NOT EXISTS (SELECT 1 FROM forgotten WHERE {match}) "
        f"BEGIN SELECT RAISE(ABORT, '{table} are kept unless forgotten'); END;\n"
    )


_ONLY_ADDED: Final = "".join(
    _fixed(table)
    for table in ("records", "players", "results", "forgotten", "played", "tallies", "unlocks")
)
_ONLY_FORGOTTEN: Final = "".join(
    [_kept(table, "match = OLD.match") for table in ("records", "players", "results")]
    + [_kept(table, "lower(hex(match)) = OLD.source") for table in ("played", "tallies")]
    + [_kept(table, "0") for table in ("unlocks", "announced")]
)

PRACTICE: Final = "ALTER TABLE records ADD COLUMN is_practice INTEGER NOT NULL DEFAULT 0"

MIGRATIONS: Final[Sequence[str]] = (RECORDS_AND_UNLOCKS + _ONLY_ADDED + _ONLY_FORGOTTEN, PRACTICE)
"""Scripts in order; a database of form N has had the first N."""


class Opened(NamedTuple):
    """A connection to a sound database, and what the player must be told, or empty."""

    database: sqlite3.Connection
    notice: str


class _Unfit(Exception):
    def __init__(self, suffix: str, why: str) -> None:
        super().__init__(why)
        self.suffix = suffix


def open_database(folder: Path, migrations: Sequence[str] = MIGRATIONS) -> Opened:
    """The database of a profile folder, made if there is none. Never raises for what is in the
    file or the folder: at worst the records of this run are kept in memory only."""
    path = folder / FILE_NAME
    notice = ""
    try:
        try:
            return Opened(_sound(path, migrations), "")
        except _Unfit as unfit:
            aside = _set_aside(path, unfit.suffix)
            notice = (
                f"The file of match records {unfit}. It was set aside as {aside.name}, unchanged; "
                "an empty one was begun. Records come back when you meet friends, or by an import."
            )
        return Opened(_sound(path, migrations), notice)
    except (OSError, sqlite3.Error, _Unfit) as error:
        database = _connect(":memory:")
        _migrate(database, migrations, None)
        return Opened(
            database,
            notice
            or f"Match records cannot be kept in {folder}: {error}. They last until the "
            "program ends.",
        )


def _connect(path: Path | str) -> sqlite3.Connection:
    database = sqlite3.connect(path, timeout=BUSY_S, isolation_level=None, check_same_thread=False)
    database.execute("PRAGMA foreign_keys = ON")
    return database


def _sound(path: Path, migrations: Sequence[str]) -> sqlite3.Connection:
    """A connection to the file, up to date. Raises `_Unfit` if it must be set aside."""
    database = _connect(path)
    try:
        try:
            form = _checked_form(database)
            if form > len(migrations):
                raise _Unfit("newer", "was written by a newer version of Cloakboard")
            database.execute("PRAGMA journal_mode = WAL")
            database.execute("PRAGMA synchronous = FULL")
            if form < len(migrations):
                backup = path.with_suffix(f".form-{form}") if form else None
                _migrate(database, migrations, backup)
            if _schema(database) != _expected(migrations):
                raise _Unfit("damaged", "does not have the tables that it should have")
        except sqlite3.OperationalError as error:
            if "locked" in str(error) or "unable to open" in str(error):
                raise
            raise _Unfit("damaged", f"is damaged ({error})") from None
        except sqlite3.DatabaseError as error:
            raise _Unfit("damaged", f"is damaged ({error})") from None
    except BaseException:
        database.close()
        raise
    return database


def _checked_form(database: sqlite3.Connection) -> int:
    """How many migrations the file has had; raises `_Unfit` if it is not whole."""
    found = database.execute("PRAGMA integrity_check(1)").fetchone()[0]
    if found != "ok":
        raise _Unfit("damaged", f"is damaged ({str(found).splitlines()[0]})")
    if database.execute("PRAGMA foreign_key_check").fetchone() is not None:
        raise _Unfit("damaged", "is damaged (parts of a record are missing)")
    return int(database.execute("PRAGMA user_version").fetchone()[0])


def _migrate(database: sqlite3.Connection, migrations: Sequence[str], backup: Path | None) -> None:
    form = int(database.execute("PRAGMA user_version").fetchone()[0])
    if backup is not None:
        copy = sqlite3.connect(backup)
        with copy:
            database.backup(copy)
        copy.close()
    for number in range(form, len(migrations)):
        script = f"BEGIN IMMEDIATE;\n{migrations[number]};\nPRAGMA user_version = {number + 1};"
        try:
            database.executescript(script)
            if database.execute("PRAGMA foreign_key_check").fetchone() is not None:
                raise _Unfit("damaged", "cannot be brought up to date")
            database.execute("COMMIT")
        except BaseException:
            if database.in_transaction:
                database.execute("ROLLBACK")
            raise


def _schema(database: sqlite3.Connection) -> list[tuple[str, str]]:
    query = "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name"
    return [(str(name), str(sql)) for name, sql in database.execute(query)]


def _expected(migrations: Sequence[str]) -> list[tuple[str, str]]:
    database = _connect(":memory:")
    try:
        _migrate(database, migrations, None)
        return _schema(database)
    finally:
        database.close()


def _set_aside(path: Path, suffix: str) -> Path:
    """Renames the file and what belongs to it; an earlier one set aside is not overwritten."""
    aside, count = path.with_suffix(f".{suffix}"), 1
    while aside.exists():
        count += 1
        aside = path.with_suffix(f".{suffix}-{count}")
    for side in SIDE_FILES:
        beside = path.with_name(path.name + side)
        if beside.exists():
            beside.rename(aside.with_name(aside.name + side))
    path.rename(aside)
    return aside
