"""Makes the saves that are missing, and prints the rows to put in the table. Frozen ones stay."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

from cloakboard.engine import registry
from cloakboard.netplay.lockstep import journal
from cloakboard.netplay.lockstep.journal import ADDRESS, NAME, Journal
from tests.golden.saves import FOLDER
from tests.golden.test_saves import described
from tests.netplay.sealed import Sealed

Made = tuple[Sealed, int]  # a match, and whose save of it is kept


def _agree(rig: Sealed, kind: str, value: int = 0) -> None:
    for peer in rig.peers:
        peer.request(kind, value)
        rig.flush()


def _going(folder: Path) -> Made:
    """In its middle: an undo, a pause, a break, a name."""
    rig = Sealed(folder, registry.game("wec"), seed=3)
    rig.play(9)
    target = next(peer.undo_target for peer in rig.peers if peer.undo_target is not None)
    _agree(rig, "undo", target)
    rig.play(4)
    rig.start_again(1)
    _agree(rig, "pause")
    rig.peers[1].request("continue")
    rig.flush()
    rig.play(6)
    rig.keep()
    file, _ = Journal.reopen(rig.paths[0])
    file.append(NAME, b"Rainy evening")
    file.append(ADDRESS, bytes([1]) + b"memory:01")
    file.close()
    return rig, 0


def _over(folder: Path) -> Made:
    """Resigned, all secrets open, signed as clean by both."""
    rig = Sealed(folder, registry.game("wec"), {"tank_range": 8}, seed=5)
    rig.play(10)
    rig.peers[0].request("resign")
    rig.flush()
    rig.keep()
    return rig, 1


def _trid(folder: Path) -> Made:
    """Tri-dimensional chess with a time limit, more time agreed on, and an offer of a draw."""
    room = {"move_seconds": 60, "grace_seconds": 30}
    rig = Sealed(folder, registry.game("trid"), room=room, seed=7)
    rig.play(11)
    _agree(rig, "extend", 60_000)
    rig.peers[0].request("draw")
    rig.flush()
    rig.keep()
    return rig, 1


def _torn(folder: Path) -> Made:
    """The same, and its program died in the middle of a write."""
    rig, seat = _trid(folder)
    data = rig.paths[seat].read_bytes()
    rig.paths[seat].write_bytes(data[:-70])
    return rig, seat


MAKERS: Final[dict[str, Callable[[Path], Made]]] = {
    "1-wec-going": _going,
    "1-wec-over": _over,
    "1-trid-going": _trid,
    "1-trid-torn": _torn,
}

for name, maker in MAKERS.items():
    target = FOLDER / f"{name}{journal.SUFFIX}"
    if not target.exists():
        with tempfile.TemporaryDirectory() as scratch:
            rig, seat = maker(Path(scratch))
            shutil.copyfile(rig.paths[seat], target)
    print(f'    "{name}": {described(target)!r},')
