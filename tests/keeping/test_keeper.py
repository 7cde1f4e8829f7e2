"""What a profile keeps of its matches, and what it earns by them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cloakboard.achievements.definitions import definitions, words
from cloakboard.achievements.errors import Obstacle, Unclaimable, Unreadable, Unwritable
from cloakboard.achievements.moments import Mode
from cloakboard.achievements.record import Audit
from cloakboard.achievements.upkeep import FILE_NAME
from cloakboard.engine.game import Result
from cloakboard.engine.registry import game as registered
from cloakboard.keeping.conduct import conduct_of
from cloakboard.keeping.copies import read_copy, write_copy
from cloakboard.keeping.keeper import Keeper
from cloakboard.netplay.lockstep import journal
from cloakboard.netplay.room.door import Conduct
from tests.achievements.cases import CASES, Case
from tests.keeping.test_chain import GAMES, LINE, ended
from tests.netplay.rig import Rig, identity

WEC = registered("wec")
NOW = 5_000


def keeper_of(folder: Path, seat: int = 0) -> Keeper:
    folder.mkdir(exist_ok=True)
    return Keeper(folder, identity(seat).key, GAMES, clock=lambda: NOW)


@pytest.fixture
def keeper(tmp_path: Path) -> Iterator[Keeper]:
    kept = keeper_of(tmp_path / "profile")
    yield kept
    kept.close()


def saved(rig: Rig, folder: Path, seat: int = 0) -> Path:
    return rig.write(seat, folder / f"line2-{rig.peers[seat].id.hex()[:12]}{journal.SUFFIX}")


def earned(keeper: Keeper) -> set[str]:
    return {standing.one.id for standing in keeper.standings() if standing.earned}


def test_a_finished_match_is_kept_counted_and_announced_once(
    keeper: Keeper, tmp_path: Path
) -> None:
    save = saved(ended(), tmp_path)
    record = keeper.keep(save)
    assert record is not None
    assert keeper.ledger.records() == [record]
    assert {"first-match", "clean-audit"} <= earned(keeper)
    fresh = [one.id for one in keeper.fresh()]
    assert set(fresh) == earned(keeper)
    keeper.keep(save)
    assert keeper.fresh() == []
    assert len(keeper.ledger.played()) == 1
    played = keeper.ledger.played()[0]
    assert (played.mode, played.seat, played.others) == (Mode.NET, 0, (identity(1).key,))


def test_a_match_counts_when_its_audit_is_done_not_before(keeper: Keeper, tmp_path: Path) -> None:
    rig = ended()
    last = rig.files[0].pop()
    save = saved(rig, tmp_path)
    record = keeper.keep(save)
    assert record is not None
    assert record.audit is Audit.PENDING
    assert earned(keeper) == set()
    rig.files[0].append(last)
    save.unlink()
    keeper.keep(saved(rig, tmp_path))
    assert [r.audit for r in keeper.ledger.records()] == [Audit.CLEAN]
    assert "first-match" in earned(keeper)


def test_what_ended_in_a_crash_is_kept_at_the_next_start(keeper: Keeper, tmp_path: Path) -> None:
    saves = tmp_path / "saves"
    saves.mkdir()
    saved(ended(), saves)
    (saves / f"line2-0123456789ab{journal.SUFFIX}").write_bytes(b"no save")
    going_on = Rig(LINE, 5, {"turns": 9})
    going_on.play(3)
    saved(going_on, saves)
    keeper.catch_up(saves)
    assert len(keeper.ledger.records()) == 1
    assert "first-match" in earned(keeper)


def test_a_record_of_others_earns_nothing(tmp_path: Path) -> None:
    stranger = keeper_of(tmp_path / "other", seat=7)
    assert stranger.keep(saved(ended(), tmp_path)) is not None
    assert earned(stranger) == set()
    stranger.close()


def unfinished() -> Rig:
    """A match of nine Turns, three entries in."""
    rig = Rig(LINE, 5, {"turns": 9})
    rig.play(3)
    return rig


def test_only_an_unfinished_match_of_ones_own_can_be_claimed_and_once(
    keeper: Keeper, tmp_path: Path
) -> None:
    save = saved(unfinished(), tmp_path)
    assert keeper.claim(save).by == (1,)
    stranger = keeper_of(tmp_path / "other", seat=7)
    over = saved(ended(), tmp_path)
    for who, path, obstacle in (
        (stranger, save, Obstacle.OTHERS),
        (keeper, over, Obstacle.ENDED),
        (keeper, save, Obstacle.CLAIMED),
    ):
        with pytest.raises(Unclaimable) as refused:
            who.claim(path)
        assert refused.value.obstacle is obstacle
    stranger.close()
    assert {r.audit for r in keeper.ledger.records()} == {Audit.CLAIMED, Audit.CLEAN}
    keeper.ledger.forget([record.match for record in keeper.ledger.records()])
    with pytest.raises(Unclaimable) as refused:
        keeper.claim(save)
    assert refused.value.obstacle is Obstacle.FORGOTTEN
    assert keeper.ledger.records() == []


def test_a_match_whose_end_a_friend_has_told_is_not_claimed(keeper: Keeper, tmp_path: Path) -> None:
    rig = unfinished()
    save = saved(rig, tmp_path)
    rig.play()
    there = keeper_of(tmp_path / "friend", seat=1)
    record = there.keep(saved(rig, tmp_path / "friend", seat=1))
    assert record is not None
    there.close()
    keeper.ledger.add(record)
    with pytest.raises(Unclaimable) as refused:
        keeper.claim(save)
    assert refused.value.obstacle is Obstacle.ENDED


@pytest.mark.parametrize(("signed", "audit"), [(2, Audit.CLEAN), (1, Audit.PENDING)])
def test_the_end_of_a_claimed_match_takes_the_place_of_the_claim(
    keeper: Keeper, tmp_path: Path, signed: int, audit: Audit
) -> None:
    saves = tmp_path / "saves"
    saves.mkdir()
    rig = unfinished()
    save = saved(rig, saves)
    keeper.claim(save)
    keeper.catch_up(saves)
    other = identity(1).key
    (record,) = keeper.ledger.records()
    assert (record.audit, record.is_rated) == (Audit.CLAIMED, False)
    assert conduct_of([record], other) == Conduct(begun=1, left=1)
    rig.play()
    if signed == 1:
        rig.files[0].pop()
    save.unlink()
    saved(rig, saves)
    keeper.catch_up(saves)
    (record,) = keeper.ledger.records()
    assert (record.audit, record.is_rated) == (audit, audit is Audit.CLEAN)
    assert conduct_of([record], other) == Conduct(begun=1, left=0)


@pytest.mark.parametrize(
    ("computers", "id_", "is_earned"),
    [
        ((1,), "wec-doze-five", True),
        ((), "wec-doze-five", True),
        ((1,), "wec-armoury", True),
        ((), "wec-armoury", False),
        ((1,), "wec-crush", False),
        ((), "wec-crush", False),
        ((1,), "wec-beat-computer", True),
    ],
)
def test_at_this_machine_only_what_the_definition_says_counts(
    keeper: Keeper, computers: tuple[int, ...], id_: str, is_earned: bool
) -> None:
    case = CASES[id_][0][0]
    events = case.events if isinstance(case, Case) else ()
    seats = tuple(seat for seat in (0, 1) if seat not in computers)
    for _ in range(2):
        keeper.keep_local(WEC, b"seed", seats, computers, events, Result((0,), "primary"), 30)
    assert (id_ in earned(keeper)) is is_earned
    assert not {"first-match", "first-win", "ten-wins"} & earned(keeper)
    assert len(keeper.ledger.played()) == 1


def test_all_lessons(keeper: Keeper) -> None:
    for lesson in ("one", "two", "three", "four", "five", "five"):
        keeper.keep_lesson(lesson, "wec")
    assert "all-lessons" not in earned(keeper)
    keeper.keep_lesson("six", "wec")
    assert "all-lessons" in earned(keeper)


def test_a_disk_that_takes_nothing_costs_what_is_counted_and_no_more(
    keeper: Keeper, tmp_path: Path
) -> None:
    save = saved(ended(), tmp_path)
    keeper.ledger._database.execute("PRAGMA query_only = ON")
    keeper.keep_lesson("first", WEC.id)
    keeper.keep_local(WEC, b"seed", (0,), (1,), (), Result((0,), "primary"), 30)
    keeper.note({one.id: one.goal for one in keeper.every}, ("once",))
    assert keeper.fresh() == []
    keeper.catch_up(tmp_path)
    with pytest.raises(Unwritable, match="make room"):
        keeper.keep(save)
    keeper.ledger._database.execute("PRAGMA query_only = OFF")
    assert keeper.ledger.played() == [] and earned(keeper) == set()
    assert keeper.keep(save) is not None


def test_what_a_running_match_has_earned_is_told_no_sooner_than_it_may(keeper: Keeper) -> None:
    once = {one.id for one in definitions() if one.when == "once" and one.over == "match"}
    audit = {one.id for one in definitions() if one.when == "audit"}
    amounts = {one.id: one.goal for one in definitions()}
    keeper.note(amounts, ("once",))
    assert once <= earned(keeper)
    keeper.note(amounts, ("once", "end"))
    assert not audit & earned(keeper)


def test_a_copy_brings_everything_to_the_same_player_and_only_signed_records_to_others(
    keeper: Keeper, tmp_path: Path
) -> None:
    keeper.keep(saved(ended(), tmp_path))
    pending = ended(seed=4)
    pending.files[0].pop()
    keeper.keep(saved(pending, tmp_path))
    path = tmp_path / "mine.records"
    assert write_copy(keeper, identity(0), path) == 2

    again = keeper_of(tmp_path / "again")
    assert read_copy(again, path).fresh == 2
    assert again.ledger.records() == keeper.ledger.records()
    assert earned(again) == earned(keeper)
    assert again.fresh() == []
    again.close()

    other = keeper_of(tmp_path / "other", seat=1)
    merged = read_copy(other, path)
    assert (merged.fresh, len(merged.refused)) == (1, 1)
    assert earned(other) == set()
    other.close()


@pytest.mark.parametrize(
    ("harm", "reason"),
    [
        (lambda data: b"", "holds no match records"),
        (lambda data: b"PNG" + data, "holds no match records"),
        (lambda data: data[:-9], "damaged"),
        (lambda data: data[:-1] + b"\x7f", "damaged|changed"),
        (lambda data: data[:900] + bytes([data[900] ^ 1]) + data[901:], "damaged|changed"),
    ],
)
def test_a_file_that_is_no_copy_is_refused(
    keeper: Keeper, tmp_path: Path, harm: Callable[[bytes], bytes], reason: str
) -> None:
    keeper.keep(saved(ended(), tmp_path))
    path = tmp_path / "mine.records"
    write_copy(keeper, identity(0), path)
    path.write_bytes(harm(path.read_bytes()))
    other = keeper_of(tmp_path / "other")
    with pytest.raises(Unreadable, match=reason):
        read_copy(other, path)
    assert other.ledger.records() == []
    other.close()


def test_a_damaged_file_of_records_is_told_of(tmp_path: Path) -> None:
    folder = tmp_path / "profile"
    folder.mkdir()
    (folder / FILE_NAME).write_bytes(b"nonsense" * 900)
    kept = keeper_of(folder)
    assert "set aside" in kept.notice
    kept.close()


def test_every_achievement_has_its_words() -> None:
    assert all(one.text in words() for one in definitions())
    assert words("xx") == words("en")
