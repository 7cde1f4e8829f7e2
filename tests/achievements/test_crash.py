"""A program that dies at any statement of a record's writing leaves it whole or not at all."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest
from msgspec.structs import replace

from cloakboard.achievements.ledger import Ledger
from cloakboard.achievements.record import Audit
from tests.achievements.samples import record

ROOT: Final = Path(__file__).parents[2]
WRITER: Final = """
import os, signal, sys
from pathlib import Path
from msgspec.structs import replace
from cloakboard.achievements.ledger import Ledger
from cloakboard.achievements.record import Audit
from tests.achievements.samples import closed, record

folder, last = Path(sys.argv[1]), int(sys.argv[2])
ledger = Ledger(folder)
done = 0

def die(statement):
    global done
    done += 1
    if done == last:
        os.kill(os.getpid(), signal.SIGKILL)

ledger._database.set_trace_callback(die)
ledger.add(record(1))
ledger.add(replace(record(2), audit=Audit.CLEAN))
ledger.close_match("01", closed(), {"wec-doze-five": 3, "wec-tough": 2})
ledger.unlock("first-win", 5)
print(done)
"""


def run(folder: Path, last: int) -> subprocess.CompletedProcess[str]:
    """The writer, killed when its statement number `last` begins; 0: never."""
    return subprocess.run(
        [sys.executable, "-c", WRITER, str(folder), str(last)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=60,
        check=False,
    )


def begun(folder: Path) -> None:
    """A database in which record 2 waits for its audit."""
    folder.mkdir()
    ledger = Ledger(folder)
    ledger.add(replace(record(2), audit=Audit.PENDING, proof=()))
    ledger.close()


@pytest.mark.slow
def test_killed_at_every_statement_a_record_is_there_once_or_not_at_all(tmp_path: Path) -> None:
    begun(tmp_path / "whole")
    whole = run(tmp_path / "whole", 0)
    assert whole.returncode == 0, whole.stderr
    statements = int(whole.stdout)
    assert statements >= 15
    reached = set()
    for last in range(1, statements + 1):
        folder = tmp_path / str(last)
        begun(folder)
        assert run(folder, last).returncode == -signal.SIGKILL
        ledger = Ledger(folder)
        assert ledger.notice == ""
        records = ledger.records()
        assert records in (
            [replace(record(2), audit=Audit.PENDING, proof=())],
            [record(1), replace(record(2), audit=Audit.PENDING, proof=())],
            [record(1), record(2)],
        )
        played, tallies = ledger.played(), ledger.tallies()
        assert (len(played), tallies) in (
            (0, {}),
            (1, {"wec-doze-five": [3], "wec-tough": [2]}),
        )
        reached.add((len(records), records[-1].audit, len(played), len(ledger.unlocks())))
        ledger.add(record(1))
        ledger.add(record(2))
        assert ledger.records() == [record(1), record(2)]
        ledger.close()
    assert len(reached) >= 4
