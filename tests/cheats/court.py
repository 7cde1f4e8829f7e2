"""What a third machine makes of a match: from the files of its peers alone."""

from __future__ import annotations

from pathlib import Path

from cloakboard.netplay.errors import Malformed
from cloakboard.netplay.lockstep import journal
from cloakboard.netplay.lockstep.effects import Stopped
from cloakboard.netplay.lockstep.judge import Finding, judge
from cloakboard.netplay.transcript import Entry, Opened, encode, read_body
from tests.netplay.rig import Rig


class Court:
    """Judges files; the same contents once."""

    def __init__(self, rig: Rig) -> None:
        self._rig = rig
        self._known: dict[tuple[bytes, ...], Finding | None] = {}

    def finding(self, entries: tuple[Entry, ...], refused: tuple[Entry, ...]) -> Finding | None:
        """The first false entry."""
        key = (*map(encode, entries), b"", *map(encode, refused))
        if key not in self._known:
            self._known[key] = judge(self._rig.game, entries, refused)[0].finding
        return self._known[key]

    def verify(self, seat: int, folder: Path) -> Finding | None:
        """What the file shows that a seat's machine wrote to the disk."""
        contents = journal.read(self._rig.write(seat, folder / f"{seat}.cloak"))
        return self.finding(contents.entries, contents.refused)

    def blamed_earlier(self, seat: int) -> set[int]:
        """The seats that any earlier state of the file blames.

        `judge` reads in order, stops at the first finding, and goes by the opened secrets only
        if all are there: the longest cut that lacks one stands for every shorter one, and the
        whole file for the longer ones.
        """
        entries, refused = self._rig.entries(seat), tuple(self._rig.refused(seat))
        opened = [at for at, entry in enumerate(entries[1:], 1) if _opens(entry)]
        cut = opened[-1] if opened else len(entries)
        found = [self.finding(tuple(entries[:cut]), left) for left in ((), refused)]
        return {finding.seat for finding in found if finding is not None}


def _opens(entry: Entry) -> bool:
    try:
        return isinstance(read_body(entry), Opened)
    except Malformed:
        return False


def convict(rig: Rig, liar: int, folder: Path) -> Finding:
    """Asserts that every honest file convicts the liar, and no file at any cut anybody else.
    The finding."""
    court = Court(rig)
    found: list[Finding] = []
    for seat in range(rig.game.seats):
        finding = court.verify(seat, folder)
        assert finding is None or finding.seat == liar, (seat, finding)
        assert court.blamed_earlier(seat) <= {liar}
        if seat != liar:
            assert finding is not None, f"the file of seat {seat} shows no lie"
            found.append(finding)
    assert blamed_in_play(rig, liar) <= {liar}
    return found[0]


def blamed_in_play(rig: Rig, liar: int) -> set[int]:
    """The seats that honest machines name when they stop."""
    return {
        told.seat
        for seat in range(rig.game.seats)
        for told in rig.told[seat]
        if seat != liar and isinstance(told, Stopped)
    }
