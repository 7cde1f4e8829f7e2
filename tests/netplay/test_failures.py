"""Faults that others have had in play between machines and with saves, each by its row of the list
of known failures; what has a place beside its own part is tested there (`test_known_failures`)."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Mapping
from itertools import chain, combinations
from pathlib import Path
from typing import Any

import pytest

from cloakboard.client.library import WEC, Library
from cloakboard.engine.ai import dice
from cloakboard.engine.codec import encode as canonical
from cloakboard.engine.game import Game
from cloakboard.engine.wec.position import Placed, Position, Scenario
from cloakboard.netplay.errors import Mismatch, NetplayError
from cloakboard.netplay.links import greeting as room
from cloakboard.netplay.links.greeting import Me, greet
from cloakboard.netplay.links.memory import MemoryNet
from cloakboard.netplay.lockstep import journal, saves
from cloakboard.netplay.lockstep.effects import Stopped
from cloakboard.netplay.lockstep.match import Match
from cloakboard.netplay.lockstep.online import STOPPED
from cloakboard.netplay.room.party import Links
from cloakboard.netplay.settings import FILE_NAME, SettingsFile
from tests.netplay.rig import Rig, identity
from tests.netplay.sealed import Sealed
from tests.netplay.test_carrying import GAMES, LINE
from tests.netplay.test_online import Side, begin, check_end, run
from tests.tiny import game as line


@pytest.fixture
def no_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", lambda _: None)


# -- 1, 2: order of records; who plays which seat ------------------------------------------------


@pytest.mark.parametrize("game", [line(2), line(3)], ids=lambda g: g.id)
def test_known_failures_1_a_file_that_ends_after_any_record_goes_on(game: Game) -> None:
    """Whatever follows an action without a choice is owed, and is written at once by whoever owes
    it: no cut leaves a record behind that waits for a choice already made."""
    whole = Rig(game, 3, {"turns": 3})
    whole.shares_audit = True
    whole.play()
    length = len(whole.entries(0))
    for cut in range(1, length, 1 if game.seats == 2 else 7):
        rig = Rig(game, 3, {"turns": 3})
        rig.shares_audit = True
        rig.files = [file[:cut] for file in whole.files]
        rig.peers = [rig.load(seat) for seat in range(game.seats)]
        rig.reconnect()
        rig.play()
        assert all(peer.closed for peer in rig.peers), cut
        assert not rig.stopped() and len({peer.core.digest() for peer in rig.peers}) == 1


class Bots(Rig):
    """Some seats are a computer player's."""

    bots: frozenset[int] = frozenset()

    def choose(self, seat: int) -> Any:
        if seat not in self.bots:
            return super().choose(seat)
        peer = self.peers[seat]
        return dice.choose(self.game, peer.core.view, seat, 7, len(peer.entries))


SEATS = range(4)
SUBSETS = list(chain.from_iterable(combinations(SEATS, count) for count in range(len(SEATS) + 1)))


@pytest.mark.parametrize("bots", SUBSETS, ids=lambda bots: "bots " + "".join(map(str, bots)))
def test_known_failures_2_any_seats_of_four_are_a_computers(bots: tuple[int, ...]) -> None:
    rig = Bots(line(4), 2, {"turns": 3})
    rig.shares_audit = True
    rig.bots = frozenset(bots)
    rig.play()
    assert all(peer.closed for peer in rig.peers) and not rig.stopped()
    assert len({peer.core.digest() for peer in rig.peers}) == 1
    assert len({tuple(data for _, data in file) for file in rig.files}) == 1


# -- 3: both players learn of a difference at once ----------------------------------------------


def test_known_failures_3_both_sides_are_told_of_a_difference_at_once(tmp_path: Path) -> None:
    """One machine's state goes wrong: with its next entry both matches stop, with a report on the
    side that found it, and nobody plays on alone. The report names both (7)."""

    async def test(host: Side, guest: Side, net: MemoryNet) -> None:
        links = await begin(host, guest)
        assert host.party.online is not None and guest.party.online is not None
        wrong, right = host.party.online.match, guest.party.online.match
        before = len(right.entries)
        wrong.core.digest = lambda: bytes(32)  # type: ignore[method-assign]
        played = await asyncio.gather(
            host.play(links[0]), guest.play(links[1]), return_exceptions=True
        )
        (stopped,) = [told for told in guest.told if isinstance(told, Stopped)]
        assert stopped.seat == wrong.seat and "another public state" in stopped.text
        assert len(right.entries) <= before + 1
        report = guest.file.with_suffix(".report.txt").read_text("utf-8")
        assert right.core.digest().hex() in report and bytes(32).hex() in report
        assert "Turn" in report
        told = [str(error) for error in played if isinstance(error, NetplayError)]
        assert any(text.startswith(STOPPED) for text in told)

    run(test, tmp_path)


# -- 10, 14, 39: one bad save, and settings ------------------------------------------------------


@pytest.mark.usefixtures("no_disk")
def test_known_failures_10_one_bad_save_among_twenty(tmp_path: Path) -> None:
    """Whichever of them it is, and wherever it ends: the others are listed and open."""
    rig = Sealed(tmp_path / "made", LINE, {"turns": 4})
    rig.play(2)
    rig.keep()
    data = rig.paths[0].read_bytes()
    folder = tmp_path / "saves"
    folder.mkdir()
    for number in range(20):
        (folder / f"{number:02}.cloak").write_bytes(data)
    told = set()
    for number, cut in enumerate(range(0, len(data), len(data) // 9)):
        bad = folder / f"{number:02}.cloak"
        bad.write_bytes(data[:cut])
        listed = saves.listing(folder)
        assert len(listed) == 20
        problems = {save.path.name: save.problem for save in listed if save.problem}
        assert set(problems) <= {bad.name} and all(bad.name in text for text in problems.values())
        told |= set(problems)
        for save in [save for save in listed if save.path != bad][:3]:
            saves.open_match(save.path, identity(0), GAMES).journal.close()
        bad.write_bytes(data)
    assert "00.cloak" in told, "nothing at all is no save"


@pytest.mark.usefixtures("no_disk")
def test_known_failures_14_loading_a_save_leaves_the_settings_alone(tmp_path: Path) -> None:
    rig = Sealed(tmp_path / "made", LINE, {"turns": 4})
    SettingsFile(tmp_path).change(sound_volume=11, language="ko")
    before = (tmp_path / FILE_NAME).read_bytes()
    opened = saves.open_match(rig.paths[0], identity(0), GAMES)
    opened.journal.close()
    saves.verify_file(rig.paths[0], GAMES)
    saves.listing(rig.paths[0].parent)
    assert (tmp_path / FILE_NAME).read_bytes() == before
    assert SettingsFile(tmp_path).now.sound_volume == 11


def test_known_failures_39_content_comes_and_goes_and_settings_stay(tmp_path: Path) -> None:
    SettingsFile(tmp_path).change(sound_volume=12, colours={"white": "#ffffff"})
    before = (tmp_path / FILE_NAME).read_bytes()
    library = Library(tmp_path, WEC)
    kings = (Placed(0, "K", 4), Placed(1, "K", 95))
    for title in ("One", "Two"):
        library.keep(Scenario(position=Position(title=title, pieces=kings)))
    (library.folder / "broken.toml").write_text("nonsense")
    for row in library.listed():
        if row.path is not None:
            library.delete(row)
            assert (tmp_path / FILE_NAME).read_bytes() == before
    assert SettingsFile(tmp_path).now.sound_volume == 12


KILLED = """
import os, signal, sys
from pathlib import Path
from cloakboard.netplay.settings import SettingsFile
SettingsFile(Path(sys.argv[1])).change(sound_volume=13)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no such signal")
def test_known_failures_13_a_setting_outlives_a_killed_program(tmp_path: Path) -> None:
    """From an empty profile, too."""
    ended = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path)], check=False)
    assert ended.returncode == -9
    assert SettingsFile(tmp_path).now.sound_volume == 13


# -- 15, 16, 18: versions ------------------------------------------------------------------------


def test_known_failures_15_other_versions_part_before_anything_is_written(tmp_path: Path) -> None:
    """By the greeting, on both sides, with both versions named."""

    async def test() -> None:
        net = MemoryNet()
        sides = [Me(identity(seat), bytes([seat]) * 32, f"p{seat}", f"1.{seat}") for seat in (0, 1)]
        ends = [net.transport(me.transport_key) for me in sides]
        near, far = await asyncio.gather(ends[0].dial(ends[1].address()), ends[1].accept())
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(room, "PROTOCOL", 99)
            later = asyncio.create_task(greet(far, sides[1], b"", b""))
            await asyncio.sleep(0)
        told = await asyncio.gather(greet(near, sides[0], b"", b""), later, return_exceptions=True)
        assert isinstance(told[0], Mismatch)
        assert (told[0].what, told[0].actual) == ("protocol", 99)
        assert "runs Cloakboard 1.1, this is 1.0" in str(told[0])

    asyncio.run(test())
    assert list(tmp_path.iterdir()) == []


def test_known_failures_15_other_rules_part_before_anything_is_written(tmp_path: Path) -> None:
    async def test(host: Side, guest: Side, net: MemoryNet) -> None:
        guest.party.games = {LINE.id: Renumbered(2)}
        with pytest.raises(NetplayError, match="rules"):
            await asyncio.wait_for(begin(host, guest), 20)
        for side in (host, guest):
            assert list(side.profile.saves.iterdir()) == []

    run(test, tmp_path)


def test_known_failures_18_another_program_with_the_same_rules_gets_no_warning(
    tmp_path: Path,
) -> None:
    async def test(host: Side, guest: Side, net: MemoryNet) -> None:
        links: tuple[Links, Links] = await begin(host, guest)
        await asyncio.gather(host.play(links[0]), guest.play(links[1]))
        check_end(host, guest)

    with pytest.MonkeyPatch.context() as patch:
        opened = Me.__init__

        def older(self: Me, *args: Any, **more: Any) -> None:
            opened(self, *args, **more)
            if self.name == "bob":
                object.__setattr__(self, "app", "0.0.1")

        patch.setattr(Me, "__init__", older)
        run(test, tmp_path)


class Renumbered(type(LINE)):  # type: ignore[misc]  # the class of a game made by a function
    """Line by other rules."""

    def __init__(self, version: int) -> None:
        self.__dict__.update(LINE.__dict__)
        self.rules_version = version


def older_form(path: Path, form: bytes) -> Path:
    path.write_bytes(form + path.read_bytes()[len(journal.MAGIC) :])
    return path


@pytest.mark.usefixtures("no_disk")
@pytest.mark.parametrize(
    ("games", "form", "words"),
    [
        ({LINE.id: Renumbered(7)}, journal.MAGIC, "rules version 1 of .*; this program plays 7"),
        ({}, journal.MAGIC, "of a game that this version does not have"),
        (GAMES, b"CLOAKBOARD 7\n", "made by another version"),
        (GAMES, b"CLOAKBOARD 0\n", "made by another version"),
    ],
    ids=["rules", "game", "later form", "earlier form"],
)
def test_known_failures_16_a_save_of_another_version_gives_its_reason(
    games: Mapping[str, Game], form: bytes, words: str, tmp_path: Path
) -> None:
    path = older_form(Sealed(tmp_path, LINE, {"turns": 4}).paths[0], form)
    before = path.read_bytes()
    for attempt in (
        lambda: saves.open_match(path, identity(0), games),
        lambda: saves.verify_file(path, games),
    ):
        with pytest.raises(NetplayError, match=words):
            attempt()
    assert path.read_bytes() == before
    (listed,) = saves.listing(path.parent)
    assert bool(listed.problem) == (form != journal.MAGIC)


# -- 19, 20, 21: who comes back ------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3])
def test_known_failures_19_who_comes_back_knows_what_it_knew(seats: int) -> None:
    """Not the whole game: the bytes of its view are those of before, after each action."""
    rig = Rig(line(seats), 8, {"turns": 4})
    rig.shares_audit = True
    while rig.step():
        for seat, peer in enumerate(rig.peers):
            if peer.core.result is None:
                assert canonical(rig.load(seat).core.view) == canonical(peer.core.view)


def test_known_failures_21_no_seat_is_needed_to_find_the_match_again() -> None:
    """Whoever died, all of them too, the match goes on from the files alone."""
    for gone in ((0,), (1, 2), (0, 1, 2, 3)):
        rig = Rig(line(4), 5, {"turns": 3})
        rig.shares_audit = True
        rig.play(3)
        rig.cut()
        for seat in gone:
            rig.peers[seat] = rig.load(seat)
        rig.reconnect(*reversed(SEATS))
        rig.play()
        assert all(isinstance(peer, Match) and peer.closed for peer in rig.peers), gone
        assert not rig.stopped()
