"""A match that was stopped, as its player is told: what happened, where, and what is kept."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cloakboard.netplay.files import replace_file
from cloakboard.netplay.lockstep import effects as net
from cloakboard.netplay.lockstep.match import Match
from cloakboard.netplay.lockstep.online import STOPPED

REPORTS: Final = "reports"  # the folder, among the saves, of those that were asked for
_SHORT: Final = 16  # hex digits of a digest that are shown: 8 bytes


@dataclass(frozen=True, slots=True)
class Stopped:
    """The match cannot go on. `what`: a sentence; `here` and `named`: digests, in hex, of the
    public state on this machine and as the refused entry names it, empty if it names none; `by`:
    who names it."""

    what: str
    entry: int
    here: str
    named: str
    by: str
    save: Path
    report: str

    def lines(self, turn: int) -> str:
        """All of it in words, a line for each thing. `turn`: the number of the running Turn."""
        told = [
            self.what,
            f"Turn {turn}, entry {self.entry}",
            f"State on this machine: {self.here[:_SHORT]}",
        ]
        if self.named:
            told.append(f"State named by {self.by}: {self.named[:_SHORT]}")
        told.append(f"This machine keeps its save: {self.save}")
        told.append("Your friend's machine keeps its own save.")
        return "\n".join(told)

    def keep_report(self) -> Path:
        """Writes the report to a file of its own; where it is. Raises `OSError`."""
        path = self.save.parent / REPORTS / f"{self.save.stem}-entry-{self.entry}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, self.report.encode())
        return path


def found_here(told: net.Stopped, match: Match, save: Path) -> Stopped:
    """What this machine has found."""
    name = match.opening.seats[told.seat].name if told.seat >= 0 else ""
    here = match.core.digest().hex()
    named = told.named.hex()
    if named and named != here:
        what = "The two machines have come to different states, so the match was stopped at once."
    elif name:
        what = f"The match was stopped: {name} sent something false: {told.text}."
    else:
        what = f"The match was stopped: it cannot go on from what was said before: {told.text}."
    return _of(match, save, what, named, name, told.report)


def found_there(text: str, match: Match, save: Path) -> Stopped | None:
    """What another machine has found and said in parting; None if it parts for another reason."""
    if not text.startswith(STOPPED):
        return None
    found = text.removeprefix(STOPPED)
    what = f"Your friend's machine has stopped the match: {found}."
    return _of(match, save, what, "", "", match.report_of_other(found))


def _of(match: Match, save: Path, what: str, named: str, by: str, report: str) -> Stopped:
    core = match.core
    return Stopped(what, core.place.seq, core.digest().hex(), named, by, save, report)
