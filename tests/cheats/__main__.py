"""`python -m tests.cheats`: the table of cheats, each tried once, and what became of it."""

import tempfile
from pathlib import Path

from tests.cheats.table import lines
from tests.netplay.rig import Rig

Rig.shares_audit = True
with tempfile.TemporaryDirectory() as folder:
    print("\n".join(lines(Path(folder))))
