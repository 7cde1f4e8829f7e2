"""What is kept is kept whole, once, and only ever added to."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from cloakboard.achievements.errors import Contradiction, Unwritable
from cloakboard.achievements.ledger import Ledger
from cloakboard.achievements.record import Audit, Player
from tests.achievements.samples import ANNA, BEN, CARA, closed, record


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    """An empty one."""
    opened = Ledger(tmp_path)
    yield opened
    opened.close()


def test_a_record_comes_back_as_it_was_also_after_a_restart(tmp_path: Path) -> None:
    full = record(
        7,
        BEN,
        ANNA,
        winners=(1,),
        reason="resigned",
        rules="own-12345678",
        has_setup=True,
        is_practice=True,
        audit=Audit.REFUSED,
        by=(0,),
        note="entry 3 is false",
        proof=(b"one", b"two", b"three"),
    )
    first = Ledger(tmp_path)
    assert first.add(full)
    first.close()
    second = Ledger(tmp_path)
    assert second.notice == ""
    assert second.records() == [full]
    assert second.record(full.match) == full
    second.close()


def test_a_full_disk_is_told_in_words_and_changes_nothing(ledger: Ledger) -> None:
    ledger.add(record(1))
    pages = ledger._database.execute("PRAGMA page_count").fetchone()[0]
    ledger._database.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(Unwritable, match=r"full.*make room"):
        ledger.add(record(2, note="x" * 100_000))
    assert ledger.records() == [record(1)]
    ledger._database.execute("PRAGMA max_page_count = 100000")
    assert ledger.add(record(2, note="x" * 100_000))


def test_a_record_is_kept_once(ledger: Ledger) -> None:
    assert ledger.add(record(1))
    assert not ledger.add(record(1))
    assert len(ledger.records()) == 1


@pytest.mark.parametrize(
    ("first", "then", "last"),
    [
        (Audit.CLAIMED, Audit.PENDING, Audit.PENDING),
        (Audit.PENDING, Audit.CLEAN, Audit.CLEAN),
        (Audit.PENDING, Audit.REFUSED, Audit.REFUSED),
        (Audit.REFUSED, Audit.PROVEN, Audit.PROVEN),
        (Audit.CLEAN, Audit.PENDING, Audit.CLEAN),
        (Audit.PROVEN, Audit.REFUSED, Audit.PROVEN),
        (Audit.CLEAN, Audit.REFUSED, Audit.CLEAN),
    ],
)
def test_an_audit_state_only_rises(ledger: Ledger, first: Audit, then: Audit, last: Audit) -> None:
    ledger.add(record(1, audit=first))
    assert ledger.add(record(1, audit=then)) is (last is not first)
    (kept,) = ledger.records()
    assert kept.audit is last


@pytest.mark.parametrize(
    "change",
    [
        {"game": "trid"},
        {"options": bytes([1]) * 32},
        {"players": (Player(ANNA, "Anna"), Player(CARA, "Cara"))},
        {"has_setup": True},
        {"is_practice": True},
    ],
)
def test_another_match_under_the_same_id_is_refused(
    ledger: Ledger, change: dict[str, object]
) -> None:
    ledger.add(record(1, audit=Audit.PENDING))
    with pytest.raises(Contradiction):
        ledger.add(replace(record(1), **change))
    assert ledger.records() == [record(1, audit=Audit.PENDING)]


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE records SET game = 'trid'",
        "UPDATE results SET audit = 'proven'",
        "UPDATE players SET name = 'Eve'",
        "UPDATE unlocks SET earned = 0",
        "UPDATE tallies SET amount = 99",
        "DELETE FROM records",
        "DELETE FROM results",
        "DELETE FROM unlocks",
        "DELETE FROM played",
        "DELETE FROM tallies",
    ],
)
def test_nothing_is_changed_or_deleted_in_passing(tmp_path: Path, statement: str) -> None:
    ledger = Ledger(tmp_path)
    ledger.add(record(1))
    ledger.close_match("01", closed(), {"wec-doze-five": 3})
    ledger.unlock("first-match", 5)
    with pytest.raises(sqlite3.IntegrityError):
        ledger._database.execute(statement)
    ledger.close()


def test_records_come_by_time_then_by_match_whatever_the_order_of_arrival(ledger: Ledger) -> None:
    late, early, also_late = record(9), record(2), replace(record(3), ended=9)
    for one in (late, early, also_late):
        ledger.add(one)
    assert ledger.records() == [early, also_late, late]
    assert ledger.records(since=3) == [also_late, late]
    assert ledger.records("trid") == []


def test_a_forgotten_record_is_gone_and_does_not_come_back(ledger: Ledger) -> None:
    ledger.add(record(1))
    ledger.add(record(2))
    source = record(1).match.hex()
    ledger.close_match(source, closed(), {"wec-doze-five": 3})
    ledger.unlock("first-match", 5)
    assert ledger.forget([record(1).match, record(8).match]) == 1
    assert ledger.records() == [record(2)]
    assert not ledger.add(record(1))
    assert not ledger.close_match(source, closed(), {"wec-doze-five": 3})
    assert ledger.played() == []
    assert ledger.tallies() == {}
    assert ledger.unlocks() == {"first-match": 5}
    assert record(1).match in ledger.matches()


def test_a_match_is_counted_once(ledger: Ledger) -> None:
    assert ledger.close_match("01", closed(1), {"wec-doze-five": 3, "wec-tough": 0})
    assert not ledger.close_match("01", closed(1), {"wec-doze-five": 4})
    assert ledger.close_match("02", closed(2), {"wec-doze-five": 5})
    assert ledger.tallies() == {"wec-doze-five": [3, 5]}
    assert ledger.played() == [closed(1), closed(2)]


def test_an_unlock_is_told_of_once_and_never_again_at_start(tmp_path: Path) -> None:
    first = Ledger(tmp_path)
    assert first.unlock("first-win", 5)
    assert not first.unlock("first-win", 9)
    assert first.announce() == ["first-win"]
    assert first.announce() == []
    first.unlock("ten-wins", 6)
    first.close()
    second = Ledger(tmp_path)
    assert second.announce() == ["ten-wins"]
    assert second.announce() == []
    assert second.unlocks() == {"first-win": 5, "ten-wins": 6}
    second.close()


def test_two_copies_of_a_profile_become_their_union(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    here, there = Ledger(tmp_path / "a"), Ledger(tmp_path / "b")
    here.add(record(1))
    here.add(record(2, audit=Audit.PENDING))
    there.add(record(2))
    there.add(record(3))
    here.close_match("01", closed(1), {"wec-convert-ten": 4})
    there.close_match("01", closed(1), {"wec-convert-ten": 4})
    there.close_match("03", closed(3), {"wec-convert-ten": 7})
    here.unlock("first-win", 9)
    there.unlock("first-win", 5)
    there.unlock("ten-wins", 6)
    assert here.merge(there.copy()) == 2
    assert there.merge(here.copy()) == 1
    assert here.records() == there.records() == [record(1), record(2), record(3)]
    assert here.tallies() == there.tallies() == {"wec-convert-ten": [4, 7]}
    assert set(here.unlocks()) == set(there.unlocks()) == {"first-win", "ten-wins"}
    assert here.announce() == ["first-win"]
    here.close()
    there.close()
