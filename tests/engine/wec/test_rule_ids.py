"""Every rule of WEC is named by tests."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.engine.wec.rule_ids import RULES

FOLDER = Path(__file__).parent
ROOT = FOLDER.parents[2]


@pytest.mark.slow
def test_every_rule_is_named_by_a_test_and_no_other_number_is(tmp_path: Path) -> None:
    found = tmp_path / "rules.json"
    subprocess.run(
        [
            sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider",
            "-p", "tests.engine.wec.rule_ids", f"--rules-to={found}", str(FOLDER),
        ],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )  # fmt: skip
    named = json.loads(found.read_text())
    assert sorted(RULES.keys() - named.keys()) == []
    assert sorted(named.keys() - RULES.keys()) == []
