"""Saves in a file of their own: out of one machine, into another, and never into wrong hands."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from cloakboard.cli import kept
from cloakboard.cli.kept import Wanted
from cloakboard.netplay.errors import Malformed, Mismatch, NetplayError, Refused
from cloakboard.netplay.identity import Identity
from cloakboard.netplay.lockstep import journal, saves
from cloakboard.netplay.lockstep.carrying import export_save, import_save
from cloakboard.netplay.lockstep.journal import ADDRESS, NAME, Journal
from tests.netplay.rig import identity
from tests.netplay.sealed import Sealed
from tests.tiny import game

LINE = game(2)
GAMES = {LINE.id: LINE}


@pytest.fixture
def rig(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sealed:
    monkeypatch.setattr(os, "fsync", lambda _: None)
    rig = Sealed(tmp_path, LINE, {"turns": 4})
    rig.play(3)
    rig.keep()
    return rig


def digest(path: Path, seat: int) -> bytes:
    """Where the match of a file stands for its own seat."""
    opened = saves.open_match(path, identity(seat), GAMES)
    opened.journal.close()
    return opened.match.core.digest()


def test_an_exported_save_goes_on_elsewhere(rig: Sealed, tmp_path: Path) -> None:
    file, _ = Journal.reopen(rig.paths[0])
    file.append(NAME, b"Rainy day")
    file.append(ADDRESS, bytes([1]) + b"memory:01")
    file.close()
    entries = journal.read(rig.paths[0]).entries
    target = tmp_path / "carried.cloak"
    assert export_save(rig.paths[0], target) == len(entries)
    new = import_save(target, tmp_path / "new", identity(0), GAMES)
    assert new.parent == tmp_path / "new"
    had, has = journal.read(rig.paths[0]), journal.read(new)
    assert (has.entries, has.name, has.addresses) == (had.entries, "Rainy day", {1: "memory:01"})
    assert has.meta == had.meta and not has.damaged
    assert digest(new, 0) == digest(rig.paths[0], 0) == rig.peers[1].core.digest()


def test_damage_does_not_travel(rig: Sealed, tmp_path: Path) -> None:
    whole = rig.paths[0].read_bytes()
    rig.paths[0].write_bytes(whole[:-5])
    export_save(rig.paths[0], tmp_path / "a.cloak")
    assert journal.read(tmp_path / "a.cloak").damaged == 0
    assert rig.paths[0].read_bytes() == whole[:-5]


def test_the_other_sides_save_is_not_gone_on_with(rig: Sealed, tmp_path: Path) -> None:
    """Neither opened where it lies nor taken in; the words say whose it is and what to do."""
    before = rig.paths[0].read_bytes()
    for attempt in (
        lambda: saves.open_match(rig.paths[0], identity(1), GAMES),
        lambda: import_save(rig.paths[0], tmp_path / "new", identity(1), GAMES),
    ):
        with pytest.raises(Refused, match=r"p0's save of this match.*open yours.*--take-over"):
            attempt()
    assert rig.paths[0].read_bytes() == before and not (tmp_path / "new").exists()


def test_veil_3_a_lost_save_is_restored_from_the_other_sides(rig: Sealed, tmp_path: Path) -> None:
    new = import_save(rig.paths[0], tmp_path / "new", identity(1), GAMES, take_over=True)
    meta = journal.read(new).meta
    assert (meta.seat, meta.hosts) == (1, False)
    opened = saves.open_match(new, identity(1), GAMES)
    opened.journal.close()
    assert opened.match.core.view == rig.peers[1].core.view


def test_a_stranger_takes_in_nothing(rig: Sealed, tmp_path: Path) -> None:
    for take_over in (False, True):
        with pytest.raises(Refused, match="holds no seat"):
            import_save(
                rig.paths[0], tmp_path / "n", Identity(b"s" * 32), GAMES, take_over=take_over
            )


def test_of_two_saves_of_one_match_the_longer_stays(rig: Sealed, tmp_path: Path) -> None:
    old, new = tmp_path / "old.cloak", tmp_path / "new.cloak"
    export_save(rig.paths[0], old)
    rig.play(2)
    rig.keep()
    export_save(rig.paths[0], new)
    folder = tmp_path / "profile"
    path = import_save(old, folder, identity(0), GAMES)
    assert import_save(new, folder, identity(0), GAMES) == path
    assert journal.read(path).entries == journal.read(new).entries
    assert [kept.read_bytes() for kept in folder.glob("*.before")] == [old.read_bytes()]
    for again in (old, new):
        with pytest.raises(Refused, match="has all of it"):
            import_save(again, folder, identity(0), GAMES)
    assert len(saves.listing(folder)) == 1


def test_a_save_that_finds_no_room_takes_the_place_of_none(
    rig: Sealed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: Journal, kind: bytes, payload: bytes) -> None:
        raise Refused("there is no room")

    old, new, folder = tmp_path / "old.cloak", tmp_path / "new.cloak", tmp_path / "profile"
    export_save(rig.paths[0], old)
    rig.play(2)
    rig.keep()
    export_save(rig.paths[0], new)
    path = import_save(old, folder, identity(0), GAMES)
    monkeypatch.setattr(Journal, "append", full)
    with pytest.raises(Refused, match="no room"):
        import_save(new, folder, identity(0), GAMES)
    assert path.read_bytes() == old.read_bytes()
    assert [listed.path for listed in saves.listing(folder)] == [path]


def test_saves_of_one_match_that_differ_are_both_left(rig: Sealed, tmp_path: Path) -> None:
    """Both machines went back to older copies of their files and went on from there."""
    copies = [path.read_bytes() for path in rig.paths]
    rig.play(2)
    rig.keep()
    path = import_save(rig.paths[0], tmp_path / "profile", identity(0), GAMES)
    for seat, copy in enumerate(copies):
        rig.paths[seat].write_bytes(copy)
        opened = saves.open_match(rig.paths[seat], identity(seat), GAMES)
        opened.journal.close()
        rig.peers[seat] = opened.match
    rig.reconnect()
    rig.play(3)
    rig.keep()
    before = path.read_bytes()
    with pytest.raises(Mismatch, match="both are left as they are"):
        import_save(rig.paths[0], tmp_path / "profile", identity(0), GAMES)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("spoil", "error", "words"),
    [
        (lambda data: b"", Malformed, "is no save"),
        (lambda data: data[:40], Malformed, "truncated"),
        (lambda data: b"CLOAKBOARD 9\n" + data[13:], Malformed, "another version"),
    ],
    ids=["empty", "cut", "another form"],
)
def test_what_is_no_save_is_not_taken_in(
    rig: Sealed,
    tmp_path: Path,
    spoil: Callable[[bytes], bytes],
    error: type[NetplayError],
    words: str,
) -> None:
    file = tmp_path / "spoilt.cloak"
    file.write_bytes(spoil(rig.paths[0].read_bytes()))
    with pytest.raises(error, match=words):
        import_save(file, tmp_path / "new", identity(0), GAMES)
    assert not (tmp_path / "new").exists()


def test_another_game_or_rules_version_is_named(rig: Sealed, tmp_path: Path) -> None:
    for games, words in (
        ({}, "does not have"),
        ({LINE.id: _Newer()}, r"rules version 1 .*plays 2"),
    ):
        with pytest.raises(Mismatch, match=words):
            import_save(rig.paths[0], tmp_path / "new", identity(0), games)


class _Newer(type(LINE)):  # type: ignore[misc]  # the class of a game made by a function
    """The same game by later rules."""

    def __init__(self) -> None:
        self.__dict__.update(LINE.__dict__)

    rules_version = 2


@pytest.mark.parametrize("name", ["there.cloak", "save.txt"])
def test_an_export_writes_over_nothing(rig: Sealed, tmp_path: Path, name: str) -> None:
    (tmp_path / "there.cloak").write_bytes(b"mine")
    with pytest.raises(Refused, match=r"there already|known as a save"):
        export_save(rig.paths[0], tmp_path / name)
    assert (tmp_path / "there.cloak").read_bytes() == b"mine"
    assert not (tmp_path / "save.txt").exists()


def test_the_command_lists_exports_and_takes_in(
    rig: Sealed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(kept, "games", lambda: GAMES)
    monkeypatch.setattr(Identity, "open", lambda folder: identity(1))
    profile, carried = tmp_path / "profile", tmp_path / "carried.cloak"
    assert kept.kept(profile, Wanted((rig.paths[0], carried), None, None)) == 0
    with pytest.raises(Refused, match="--take-over"):
        kept.kept(profile, Wanted(None, carried, None))
    kept.kept(profile, Wanted(None, None, carried))
    (profile / "saves" / "bad.cloak").write_bytes(b"?")
    capsys.readouterr()
    kept.kept(profile, Wanted(None, None, None))
    bad, good = sorted(capsys.readouterr().out.splitlines())
    assert good.endswith("line2, p0 and p1, goes on")
    assert "bad.cloak: cannot be opened: bad.cloak is no save" in bad
