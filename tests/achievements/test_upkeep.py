"""Whatever is wrong with the file, the program starts, says so, and overwrites nothing."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from cloakboard.achievements.ledger import Ledger
from cloakboard.achievements.upkeep import FILE_NAME, MIGRATIONS, open_database
from tests.achievements.samples import record


def filled(folder: Path) -> Path:
    """A database with forty records, closed."""
    ledger = Ledger(folder)
    for number in range(1, 41):
        ledger.add(record(number))
    ledger.close()
    return folder / FILE_NAME


def overwrite_pages(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[4096:] = bytes(len(data) - 4096)
    path.write_bytes(data)


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: 4096 + 100])


def no_database(path: Path) -> None:
    path.write_bytes(b"My diary. Nobody should read this. " * 200)


def orphan(path: Path) -> None:
    with sqlite3.connect(path) as database:
        database.execute("INSERT INTO tallies VALUES ('nowhere', 'first-win', 1)")


def other_tables(path: Path) -> None:
    with sqlite3.connect(path) as database:
        database.execute("DROP TRIGGER results_fixed")


@pytest.mark.parametrize("harm", [overwrite_pages, cut, no_database, orphan, other_tables])
def test_a_damaged_file_is_set_aside_and_an_empty_one_begun(
    tmp_path: Path, harm: Callable[[Path], None]
) -> None:
    path = filled(tmp_path)
    harm(path)
    before = path.read_bytes()
    ledger = Ledger(tmp_path)
    assert "set aside as records.damaged" in ledger.notice
    assert (tmp_path / "records.damaged").read_bytes() == before
    assert ledger.records() == []
    assert ledger.add(record(1))
    ledger.close()
    again = Ledger(tmp_path)
    assert again.notice == ""
    assert len(again.records()) == 1
    again.close()


def test_a_newer_file_is_set_aside(tmp_path: Path) -> None:
    path = filled(tmp_path)
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA user_version = 99")
    ledger = Ledger(tmp_path)
    assert "newer version" in ledger.notice
    assert (tmp_path / "records.newer").exists()
    assert ledger.records() == []
    ledger.close()


def test_what_was_set_aside_before_stays(tmp_path: Path) -> None:
    for content in (b"one" * 400, b"two" * 400):
        (tmp_path / FILE_NAME).write_bytes(content)
        Ledger(tmp_path).close()
    assert (tmp_path / "records.damaged").read_bytes() == b"one" * 400
    assert (tmp_path / "records.damaged-2").read_bytes() == b"two" * 400


def test_a_folder_that_cannot_be_written_keeps_records_for_this_run(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "missing")
    assert "until the program ends" in ledger.notice
    ledger.add(record(1))
    assert len(ledger.records()) == 1
    ledger.close()


LATER = (*MIGRATIONS, "ALTER TABLE records ADD COLUMN place TEXT NOT NULL DEFAULT ''")


def test_a_migration_keeps_the_records_and_a_copy_of_the_file_before(tmp_path: Path) -> None:
    filled(tmp_path)
    database, notice = open_database(tmp_path, LATER)
    assert notice == ""
    assert database.execute("PRAGMA user_version").fetchone()[0] == len(LATER)
    assert database.execute("SELECT count(*) FROM records WHERE place = ''").fetchone()[0] == 40
    database.close()
    with sqlite3.connect(tmp_path / f"records.form-{len(MIGRATIONS)}") as copy:
        assert copy.execute("SELECT count(*) FROM results").fetchone()[0] == 40


@pytest.mark.parametrize(
    "script",
    [
        "ALTER TABLE records ADD COLUMN place TEXT; CREATE UNIQUE INDEX one ON records (game)",
        "INSERT INTO tallies SELECT 'nowhere', 'first-win', 1 FROM records LIMIT 1",
    ],
)
def test_a_migration_that_fails_leaves_the_old_file_as_it_was(tmp_path: Path, script: str) -> None:
    filled(tmp_path)
    database, notice = open_database(tmp_path, (*MIGRATIONS, "SELECT 1", script))
    database.close()
    assert notice
    with sqlite3.connect(tmp_path / "records.damaged") as kept:
        assert kept.execute("SELECT count(*) FROM records").fetchone()[0] == 40
        columns = [row[1] for row in kept.execute("PRAGMA table_info(records)")]
        assert "place" not in columns
