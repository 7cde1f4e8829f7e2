"""The save on the disk: whole, torn, altered, foreign (KNOWN_FAILURES 10, 11, 17)."""

from __future__ import annotations

import asyncio
import errno
import random
import shutil
from pathlib import Path
from typing import Any

import pytest

from cloakboard.netplay.errors import Malformed, Refused
from cloakboard.netplay.links.memory import MemoryNet
from cloakboard.netplay.lockstep import journal
from cloakboard.netplay.lockstep.journal import ENTRY, MAGIC, NAME, REFUSED, Contents, Journal, Meta
from cloakboard.netplay.transcript import encode
from tests.netplay.rig import Rig
from tests.netplay.test_online import Side, begin, check_end, run
from tests.tiny import game as line

META = Meta("0.1.0", "line2", 1, 0, 1_700_000_000, "random", 7)


def save(path: Path, choices: int = 1) -> Path:
    """A small save with each kind of record."""
    rig = Rig(line(2), 2, {"turns": 3})
    rig.play(choices)
    file = Journal.create(path, META)
    for number, entry in enumerate(rig.entries(0)):
        file.append(ENTRY, encode(entry))
        if number == 1:
            file.append(NAME, "Æsir 王".encode())
    file.append(REFUSED, encode(rig.entries(0)[-1]))
    file.close()
    return path


def ends(path: Path) -> list[int]:
    """Where each record ends, worked out from the lengths alone."""
    data, at, found = path.read_bytes(), len(MAGIC), []
    while at < len(data):
        at += 4 + 1 + int.from_bytes(data[at : at + 4], "big") + 16
        found.append(at)
    return found


def test_a_save_comes_back_as_it_went(tmp_path: Path) -> None:
    path = save(tmp_path / "a.cloak")
    contents = journal.read(path)
    assert contents.meta == META and contents.name == "Æsir 王" and contents.damaged == 0
    rig = Rig(line(2), 2, {"turns": 3})
    rig.play(1)
    assert list(contents.entries) == rig.entries(0)
    assert list(contents.refused) == rig.entries(0)[-1:]


def test_appending_goes_on_where_the_file_ends(tmp_path: Path) -> None:
    path = save(tmp_path / "a.cloak")
    before = path.read_bytes()
    file, contents = Journal.reopen(path)
    file.append(NAME, b"second")
    file.close()
    assert path.read_bytes().startswith(before)
    again = journal.read(path)
    assert again.name == "second" and again.entries == contents.entries
    assert not list(tmp_path.glob("*.damaged*"))


def test_known_failures_17_cut_at_every_byte(tmp_path: Path) -> None:
    """Whole records up to the cut are read; what is too little to be a match is called
    truncated, by name."""
    whole = save(tmp_path / "whole.cloak", choices=0)
    data, records = whole.read_bytes(), ends(whole)
    path = tmp_path / "cut.cloak"
    for cut in range(len(data)):
        path.write_bytes(data[:cut])
        complete = [end for end in records if end <= cut]
        if len(complete) < 2:  # meta, entry 0
            with pytest.raises(Malformed, match=r"cut\.cloak"):
                journal.read(path)
            continue
        contents = journal.read(path)
        assert len(contents.entries) == 1
        assert contents.damaged == cut - complete[-1]
    for cut, words in ((records[0] - 1, "truncated"), (records[0], "before its match began")):
        path.write_bytes(data[:cut])
        with pytest.raises(Malformed, match=words):
            journal.read(path)


def test_known_failures_11_a_torn_tail_is_cut_and_kept(tmp_path: Path) -> None:
    """A crash in the middle of a write: the next opening goes on behind the last whole record,
    and a copy of the file as it was stays."""
    whole = save(tmp_path / "whole.cloak")
    data, records = whole.read_bytes(), ends(whole)
    for cut in (records[-2] + 1, records[-1] - 1, records[2] + 7):
        path = tmp_path / f"{cut}.cloak"
        path.write_bytes(data[:cut])
        file, contents = Journal.reopen(path)
        file.append(NAME, b"goes on")
        file.close()
        kept = tmp_path / f"{cut}.cloak.damaged"
        assert kept.read_bytes() == data[:cut]
        last = max(end for end in records if end <= cut)
        assert path.read_bytes()[:last] == data[:last]
        again = journal.read(path)
        assert again.damaged == 0 and again.name == "goes on"
        assert again.entries == contents.entries


def test_an_earlier_damaged_copy_is_not_overwritten(tmp_path: Path) -> None:
    """The first copy may hold more of the match than the second."""
    path = save(tmp_path / "a.cloak")
    data = path.read_bytes()
    middle = ends(path)[1] + 10
    path.write_bytes(data[:middle] + b"\xff" + data[middle + 1 :])
    first = path.read_bytes()
    Journal.reopen(path)[0].close()
    path.write_bytes(path.read_bytes() + b"torn")
    Journal.reopen(path)[0].close()
    kept = sorted(copy.read_bytes() for copy in tmp_path.glob("a.cloak.damaged*"))
    assert len(kept) == 2 and first in kept


def test_an_altered_byte_ends_the_match_before_it(tmp_path: Path) -> None:
    """Anywhere in the file: what is read is a prefix of the true records, or nothing."""
    whole = save(tmp_path / "whole.cloak")
    data, truth = whole.read_bytes(), journal.read(whole)
    path = tmp_path / "altered.cloak"
    chance = random.Random(5)
    for _ in range(300):
        at = chance.randrange(len(data))
        path.write_bytes(data[:at] + bytes([data[at] ^ chance.randrange(1, 256)]) + data[at + 1 :])
        try:
            contents = journal.read(path)
        except Malformed:
            continue
        assert contents.damaged > 0
        assert contents.entries == truth.entries[: len(contents.entries)]


def test_a_record_moved_or_lost_ends_the_match_before_it(tmp_path: Path) -> None:
    whole = save(tmp_path / "whole.cloak")
    data, records = whole.read_bytes(), ends(whole)
    second = data[records[0] : records[1]], data[records[1] : records[2]]
    path = tmp_path / "moved.cloak"
    for shuffled in (
        data[: records[0]] + second[1] + second[0] + data[records[2] :],
        data[: records[1]] + data[records[2] :],
        data[: records[1]] + second[0] + data[records[1] :],
    ):
        path.write_bytes(shuffled)
        try:
            contents = journal.read(path)
        except Malformed:
            continue
        assert contents.damaged > 0 and len(contents.entries) == 1


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "is no save"),
        (b"\x00" * 500, "is no save"),
        (b"PNG and so on", "is no save"),
        (b"CLOAKBOARD 2\nrecords of another form", "another version"),
        (MAGIC, "truncated"),
        (MAGIC + b"\xff" * 100, "truncated"),
        (MAGIC + b"\x00\x00\x00\x05E12345" + bytes(16), "truncated"),
    ],
    ids=["empty", "zeros", "foreign", "version", "no record", "long record", "no meta"],
)
def test_known_failures_10_a_file_that_is_no_save_is_named(
    data: bytes, words: str, tmp_path: Path
) -> None:
    path = tmp_path / "strange.cloak"
    path.write_bytes(data)
    with pytest.raises(Malformed, match=words) as raised:
        journal.read(path)
    assert "strange.cloak" in str(raised.value)
    assert path.read_bytes() == data


def test_records_of_another_kind_of_meta_or_entry(tmp_path: Path) -> None:
    """Well-chained records with something else in them: refused in words."""
    for number, (kind, payload) in enumerate(
        ((journal.META, b"\xc1"), (ENTRY, b"\xc1"), (ENTRY, b"\x90"))
    ):
        path = tmp_path / f"{number}.cloak"
        if kind == journal.META:
            path.write_bytes(MAGIC)
            file = Journal(path, MAGIC)
            file.append(kind, payload)
            file.append(ENTRY, encode(Rig(line(2)).entry))
        else:
            file = Journal.create(path, META)
            file.append(kind, payload)
        file.close()
        with pytest.raises(Malformed, match=f"^{number}.cloak"):
            journal.read(path)


def test_a_missing_file_and_one_that_exists(tmp_path: Path) -> None:
    with pytest.raises(Malformed, match="cannot be read"):
        journal.read(tmp_path / "none.cloak")
    path = save(tmp_path / "a.cloak")
    before = path.read_bytes()
    with pytest.raises(Refused, match=r"a.cloak cannot be written \(File exists\)"):
        Journal.create(path, META)
    assert path.read_bytes() == before


def test_reading_changes_nothing(tmp_path: Path) -> None:
    path = save(tmp_path / "a.cloak")
    path.write_bytes(path.read_bytes()[:-3])
    before = path.read_bytes()
    contents = journal.read(path)
    assert isinstance(contents, Contents) and contents.damaged
    assert path.read_bytes() == before and len(list(tmp_path.iterdir())) == 1


def test_the_name_in_a_strangers_file_is_cleaned(tmp_path: Path) -> None:
    file, _ = Journal.reopen(save(tmp_path / "a.cloak"))
    file.append(NAME, b"\x1b[2Jmine\r\n\xff" + b"x" * 999)
    file.close()
    name = journal.read(tmp_path / "a.cloak").name
    assert name == "[2Jmine \ufffd" + "x" * 71


class FullDisk:
    """A file on a disk that takes nothing any more."""

    def write(self, data: bytes) -> int:
        return len(data)

    def flush(self) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    def close(self) -> None:
        self.flush()


def test_after_a_full_disk_nothing_is_written_behind_the_gap(tmp_path: Path) -> None:
    file, contents = Journal.reopen(save(tmp_path / "a.cloak"))
    usual, file._file = file._file, FullDisk()  # type: ignore[assignment]
    with pytest.raises(Refused, match=r"a.cloak cannot be written .* make room on that disk"):
        file.append(NAME, b"one")
    file._file = usual
    with pytest.raises(Refused, match="make room on that disk"):
        file.append(NAME, b"two")
    file.close()
    assert journal.read(tmp_path / "a.cloak") == contents


def test_a_save_that_may_not_be_written_is_told_and_opens_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = save(tmp_path / "a.cloak")
    usual = Path.open

    def read_only(self: Path, mode: str = "r", *rest: Any, **named: Any) -> Any:
        if mode == "ab":
            raise OSError(errno.EROFS, "Read-only file system")
        return usual(self, mode, *rest, **named)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "open", read_only)
        with pytest.raises(Refused, match=r"a.cloak cannot be written \(Read-only file system\)"):
            Journal.reopen(path)
    file, contents = Journal.reopen(path)
    file.append(NAME, b"later")
    file.close()
    assert journal.read(path).name == "later" and journal.read(path).entries == contents.entries


def test_a_torn_save_on_a_full_disk_is_left_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    path = save(tmp_path / "a.cloak")
    torn = path.read_bytes()[:-3]
    path.write_bytes(torn)
    monkeypatch.setattr(shutil, "copy2", full)
    with pytest.raises(Refused, match=r"a.cloak cannot be written \(No space left on device\)"):
        Journal.reopen(path)
    assert path.read_bytes() == torn


def test_a_match_that_finds_no_room_for_its_save_does_not_begin(tmp_path: Path) -> None:
    (tmp_path / "saves").write_bytes(b"a file where the folder should be")
    with pytest.raises(Refused, match=r"a.cloak cannot be written"):
        Journal.create(tmp_path / "saves" / "a.cloak", META)


def test_a_match_whose_disk_is_full_ends_in_words_and_goes_on_later(tmp_path: Path) -> None:
    async def test(host: Side, guest: Side, net: MemoryNet) -> None:
        links = await begin(host, guest)
        assert guest.party.opened is not None
        file = guest.party.opened.journal
        file._file = FullDisk()  # type: ignore[assignment]
        playing = asyncio.create_task(host.play(links[0]))
        with pytest.raises(Refused, match="make room on that disk"):
            await guest.play(links[1])
        with pytest.raises(Refused, match="make room on that disk"):
            await playing
        for side in (host, guest):
            await side.party.__aexit__()
            await side.new_party().__aenter__()
            side.party.resume(side.file, lambda invite: None)
        await asyncio.gather(host.play(None), guest.play(None))
        check_end(host, guest)

    run(test, tmp_path)
