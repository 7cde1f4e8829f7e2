"""The table of cheats (VEIL 1): for each row the modified peers that try it, and what became of
each. `python -m tests.cheats` prints it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple

from cloakboard.netplay.lockstep import saves
from cloakboard.netplay.lockstep.effects import Send
from cloakboard.netplay.lockstep.judge import Finding
from cloakboard.netplay.lockstep.match import Match
from cloakboard.netplay.transcript import Opened, Request, TaggedBody, Trace, Verdict, encode
from cloakboard.netplay.wire import EntryFrame
from tests.cheats import test_forgeries as forgeries
from tests.cheats import test_framing as framing
from tests.cheats import test_hidden_lies as lies
from tests.cheats.liars import forged, liar, part, raw
from tests.netplay.rig import Rig
from tests.tiny import game as line
from tests.tiny.actions import Creep

LIAR: Final = 0
HONEST: Final = 1


class Cheat(NamedTuple):
    """`row` of VEIL 1; `played`: a match in which seat 0 tries it."""

    row: str
    played: Callable[[], Rig]


class Outcome(NamedTuple):
    """What the honest side's file says to a third machine: the finding, and whether it was known
    in play already."""

    in_play: bool
    finding: Finding | None
    text: str


class Refuser(Match):
    """Says of honest entries of the other seat that they are false, and keeps them as evidence."""

    def _got_entry(self, seat: int, entry: Any) -> None:
        if entry.header.seq >= 4 and entry.header.author not in (self.seat, -1):
            self._stop(entry, "false, says its enemy")
        else:
            super()._got_entry(seat, entry)


class Silent(Match):
    """Neither opens its secret nor says what it found."""

    def _write(self, body: TaggedBody, digest: bytes) -> None:
        if not isinstance(body, Opened | Verdict):
            super()._write(body, digest)


class Hider(Match):
    """Comes back from a break as if it had never had the end of its file."""

    def _send_heads(self) -> None:
        self.outbox = [e for e in self.outbox if not isinstance(e, Send)]
        super()._send_heads()


def _wec(name: str) -> Callable[[], Rig]:
    def played() -> Rig:
        maker, script, game = lies.WEC[name]
        return lies.play_wec(game, {LIAR: maker()}, script)

    return played


def _line(name: str) -> Callable[[], Rig]:
    def played() -> Rig:
        maker, seed, _ = lies.LINE[name]
        return lies.play_line(2, maker(), seed)

    return played


def _forged(name: str) -> Callable[[], Rig]:
    def played() -> Rig:
        machine = raw(forgeries.LINE[name])
        for seed in range(30):
            rig = Rig(line(2), seed, {"turns": 9}, machine={LIAR: machine})
            while not rig.peers[LIAR].has_lied and rig.step():  # type: ignore[attr-defined]
                pass
            if rig.peers[LIAR].has_lied:  # type: ignore[attr-defined]
                return rig
        raise AssertionError("no occasion to lie")

    return played


def _illegal() -> Rig:
    rig = Rig(line(2), 1, {"turns": 3, "fuel": 0}, machine={LIAR: liar(legal=lies.goes_far)})
    rig.peers[LIAR].act(Creep(2, 1, 2))
    rig.flush()
    rig.play()
    return rig


def _silent() -> Rig:
    rig = framing.begin(line(2), {LIAR: Silent})
    rig.peers[HONEST].request("resign")
    rig.flush()
    return rig


def _walks_away() -> Rig:
    rig = framing.begin(line(2), {})
    rig.cut()
    return rig


def _refuses() -> Rig:
    rig = Rig(line(2), 3, {"turns": 9}, machine={LIAR: Refuser})
    rig.play(9)
    return rig


def _hides() -> Rig:
    rig = Rig(line(2), 6, {"turns": 6}, machine={LIAR: Hider})
    rig.play(9)
    del rig.files[LIAR][-4:]
    rig.crash(LIAR)
    rig.reconnect(HONEST, LIAR)
    rig.play()
    return rig


def _old_entry() -> Rig:
    """Sends an entry of before a break once more, as if the honest seat had forked."""
    rig = framing.begin(line(2), {})
    rig.crash(LIAR)
    rig.reconnect()
    old = rig.entries(LIAR)[-2]
    rig.peers[HONEST].received(LIAR, EntryFrame(encode(old)))
    rig.play()
    return rig


READ: Final = "read what it did not ask for"
ASK: Final = "ask for more than its pieces see"
LIE: Final = "lie in an answer, hide a piece, move illegally unseen, deny a hit"
FORK: Final = "send two versions of one entry"
FALSE: Final = "send a false digest, a false refusal, a malformed entry"
QUIT: Final = "refuse the audit, walk away"
FRAME: Final = "frame an honest player"
ROWS: Final = (READ, ASK, LIE, FORK, FALSE, QUIT, FRAME)

CONVICTED: Final[dict[str, Cheat]] = {
    "asks beyond its zone": Cheat(ASK, _line("query beyond the zone")),
    "asks beyond its zone, WEC": Cheat(ASK, _wec("query beyond the zone")),
    "answers that nobody stands there": Cheat(LIE, _line("false open answer")),
    "answers that nobody stands there, WEC": Cheat(LIE, _wec("false open answer")),
    "tells of no detection": Cheat(LIE, _wec("withheld detection")),
    "has no rows for its pieces": Cheat(LIE, _line("rows left out")),
    "has no rows for its pieces, WEC": Cheat(LIE, _wec("rows left out")),
    "has rows elsewhere": Cheat(LIE, _line("rows moved")),
    "breaks a row": Cheat(LIE, _line("row with a broken MAC")),
    "moves farther than it may, unseen": Cheat(LIE, _illegal),
    "denies a hit": Cheat(LIE, _line("effects left out of a trace")),
    "claims that it hit farther": Cheat(LIE, _wec("false claim")),
    "takes what it did not take": Cheat(LIE, _wec("effect that was none")),
    "commits to another action": Cheat(LIE, _line("commits to another action")),
    "signs two versions": Cheat(FORK, lambda: framing.begin(line(2), {LIAR: framing.Forker})),
    "names another public state": Cheat(FALSE, _forged("false digest")),
    "sends what cannot be read": Cheat(FALSE, _forged("unreadable body")),
    "leaves out what it owes": Cheat(FALSE, _forged("parts left out")),
    "opens another secret": Cheat(FALSE, _forged("wrong secret opened")),
    "lets the other resign": Cheat(
        FRAME,
        lambda: framing.begin(
            line(2),
            {LIAR: raw(forged(Request(bytes(32), bytes(32), 1, "resign", 0, bytes(64))))},
        ),
    ),
    "shows a piece that the other does not have": Cheat(
        FRAME,
        lambda: _played(framing.begin(line(2), {LIAR: liar(part(Trace, framing.shows_a_phantom))})),
    ),
}
# These gain nothing, and leave nothing that convicts anybody.
IN_VAIN: Final[dict[str, Cheat]] = {
    "does not open its secret": Cheat(QUIT, _silent),
    "walks away": Cheat(QUIT, _walks_away),
    "refuses honest entries": Cheat(FALSE, _refuses),
    "hides the end of its file": Cheat(FRAME, _hides),
    "sends old entries again": Cheat(FRAME, _old_entry),
}


def _played(rig: Rig) -> Rig:
    for _ in range(20):
        rig.step()
    return rig


def outcome(cheat: Cheat, folder: Path) -> Outcome:
    """What a third machine, which has the honest side's file and nothing else, finds in it."""
    rig = cheat.played()
    path = rig.write(HONEST, folder / "honest.cloak")
    judgement, _ = saves.verify_file(path, {rig.game.id: rig.game})
    in_play = any(stop.seat == LIAR for stop in rig.stopped())
    return Outcome(in_play, judgement.finding, judgement.text)


def lines(folder: Path) -> list[str]:
    """The report, a line a cheat."""
    told = [f"{'cheat':46} {'found':14} what the file proves to a third machine"]
    for row in ROWS:
        told.append(f"-- {row}")
        if row == READ:
            told.append(f"{'tries every key on every answer':46} {'in vain':14} nothing opens")
        for name, cheat in (CONVICTED | IN_VAIN).items():
            if cheat.row == row:
                found = outcome(cheat, folder / name)
                how = "in play" if found.in_play else "by the audit"
                told.append(f"{name:46} {how if found.finding else 'in vain':14} {found.text}")
    return told
