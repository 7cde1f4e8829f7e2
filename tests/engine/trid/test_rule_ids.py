"""Every rule of sections 1 to 8 has a test that names it."""

from __future__ import annotations

import json
import re
from pathlib import Path

FOLDER = Path(__file__).parent
RULES = {
    f"TD-{number:02}"
    for span in (
        range(1, 9),
        range(10, 13),
        range(20, 23),
        range(30, 44),
        range(50, 58),
        range(60, 70),
        range(70, 76),
        range(80, 88),
    )
    for number in span
}


def named() -> set[str]:
    """The rules that test names, test tables and examples name."""
    found = set()
    for file in FOLDER.glob("test_*.py"):
        if file.name != Path(__file__).name:
            for words in re.findall(r"def test_\w+|\"TD-\d\d\"|# TD-\d\d", file.read_text("utf-8")):
                found |= {f"TD-{n}" for n in re.findall(r"[tT][dD][-_](\d\d)", words)}
    examples = json.loads((FOLDER.parents[1] / "data/trid/examples.json").read_text("utf-8"))
    return found | {rule for example in examples for rule in example["rules"]}


def test_every_rule_is_tested_and_every_rule_tested_exists() -> None:
    assert RULES - named() == set()
    assert named() - RULES == set()
