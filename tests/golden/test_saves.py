"""Saves of earlier builds open, verify and go on: the migration test."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from cloakboard.engine.codec import digest, encode
from cloakboard.engine.registry import games
from cloakboard.keeping.chain import record_of_save
from cloakboard.netplay.lockstep import journal, saves
from cloakboard.netplay.lockstep.carrying import import_save
from cloakboard.netplay.lockstep.judge import judge
from cloakboard.netplay.lockstep.match import Match
from cloakboard.netplay.transcript import read_opening
from tests.golden.saves import FOLDER, GOING, SAVES, Kept
from tests.netplay.rig import Rig, identity


def described(path: Path) -> Kept:
    """What is true of a save now."""
    contents = journal.read(path)
    seat, found = contents.meta.seat, saves.verify_file(path, games())[0]
    match = _opened(path.parent, path, seat)
    view = digest("golden", encode(match.core.view))
    opening = read_opening(contents.entries[0].body)
    standard = games()[opening.game].options.defaults()
    return Kept(
        opening.game,
        seat,
        len(contents.entries),
        match.core.place.epoch,
        found.turns,
        (found.digest.hex()[:16], view.hex()[:16]),
        found.text,
        contents.name,
        tuple((name, value) for name, value in opening.options if standard.get(name) != value),
    )


def _opened(folder: Path, path: Path, seat: int) -> Match:
    copy = folder / f"copy-{path.name}"
    shutil.copyfile(path, copy)
    try:
        opened = saves.open_match(copy, identity(seat), games())
        opened.journal.close()
        return opened.match
    finally:
        for left in folder.glob(f"{copy.stem}*"):
            left.unlink()


@pytest.fixture(params=SAVES)
def save(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of a frozen save; opening one writes to it."""
    monkeypatch.setattr(os, "fsync", lambda _: None)
    source = FOLDER / f"{request.param}{journal.SUFFIX}"
    target = tmp_path / "saves" / source.name
    target.parent.mkdir()
    shutil.copyfile(source, target)
    return target


def kept(save: Path) -> Kept:
    return SAVES[save.stem]


def test_a_save_says_what_it_said(save: Path) -> None:
    assert described(save) == kept(save)


def test_a_save_is_listed(save: Path) -> None:
    (listed,) = saves.listing(save.parent)
    was = kept(save)
    assert not listed.problem and listed.players == ("p0", "p1")
    assert (listed.game, listed.entries, listed.ended) == (was.game, was.entries, was.text != GOING)
    assert listed.name == (was.name or save.stem)


class Reopened(Rig):
    """Both sides of a save: the one that kept it, and the other, which takes it over."""

    def __init__(self, save: Path, folder: Path) -> None:
        was = kept(save)
        self.paths = [save, save]
        other = 1 - was.seat
        self.paths[other] = import_save(save, folder, identity(other), games(), take_over=True)
        super().__init__(games()[was.game])
        for seat in (0, 1):
            opened = saves.open_match(self.paths[seat], identity(seat), games())
            opened.journal.close()
            self.peers[seat] = opened.match
            self.files[seat] = [
                (journal.ENTRY, encode(entry)) for entry in journal.read(self.paths[seat]).entries
            ]
            self.told[seat].clear()


def test_a_save_goes_on_to_a_clean_end(save: Path, tmp_path: Path) -> None:
    """Between both players, with every entry of before under what is played now."""
    was = kept(save)
    rig = Reopened(save, tmp_path / "other")
    before = rig.entries(was.seat)
    rig.reconnect()
    if was.text == GOING:
        assert rig.play(3) == 3
        rig.peers[0].request("resign")
        rig.flush()
        assert rig.peers[0].core.place.epoch == was.epoch + 1
    assert all(peer.closed for peer in rig.peers) and not rig.stopped()
    for seat in (0, 1):
        assert rig.entries(seat)[: len(before)] == before
        assert judge(rig.game, rig.entries(seat))[0].text == "clean"


def test_a_finished_save_gives_its_record(save: Path) -> None:
    record = record_of_save(journal.read(save), games(), 0)
    was = kept(save)
    if was.text == GOING:
        assert record is None
    else:
        assert record is not None and record.is_signed
        assert (record.game, record.turns, record.reason) == (was.game, was.turn, "resigned")


def test_every_frozen_save_is_in_the_table() -> None:
    assert {path.stem for path in FOLDER.glob(f"*{journal.SUFFIX}")} == set(SAVES)
    assert {was.text for was in SAVES.values()} == {GOING, "clean"}
