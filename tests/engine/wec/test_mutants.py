"""A small fault in the engine makes a test fail that names the rule it breaks."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.engine.wec.rule_ids import AT_THE_BOARD

pytestmark = pytest.mark.nightly
ROOT = Path(__file__).parents[3]
ENGINE = Path("cloakboard", "engine", "wec")
FOLDER = Path("tests", "engine", "wec")


class Mutant(NamedTuple):
    """A fault: in `path`, each text of `changes` becomes the other."""

    rule: str
    path: Path
    changes: tuple[tuple[str, str], ...]


def mutants() -> list[Mutant]:
    """The faults of `tests/data/wec/mutants.txt`."""
    text = (ROOT / "tests" / "data" / "wec" / "mutants.txt").read_text()
    listed = []
    for block in text.split("\n\n")[1:]:
        head, *lines = block.rstrip("\n").splitlines()
        rule, path = head.split()
        pairs: list[tuple[list[str], list[str]]] = []
        for line in lines:
            if line[0] == "-" and (not pairs or pairs[-1][1]):
                pairs.append(([], []))
            pairs[-1][line[0] == "+"].append(line[1:])
        changes = tuple(("\n".join(old), "\n".join(new)) for old, new in pairs)
        listed.append(Mutant(rule, ENGINE / path, changes))
    return listed


MUTANTS = mutants()


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The engine and its tests, to be broken."""
    copied = tmp_path_factory.mktemp("mutants")
    for name in ("cloakboard", "tests"):
        shutil.copytree(ROOT / name, copied / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", copied)
    return copied


@pytest.fixture(scope="module")
def files(copy: Path) -> dict[str, list[str]]:
    """The test files that name each rule."""
    collected = run(copy, "--collect-only", "--rules-to=rules.json", str(FOLDER))
    assert collected.returncode == pytest.ExitCode.OK, collected.stdout[-2000:]
    named = json.loads((copy / "rules.json").read_text())
    return {
        rule: sorted({test.partition("::")[0] for test in tests}) for rule, tests in named.items()
    }


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Pytest with the plugin that knows the rules; no bytecode, it could be another mutant's."""
    return subprocess.run(
        [
            sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider",
            "-p", "tests.engine.wec.rule_ids", *arguments,
        ],
        cwd=folder,
        env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )  # fmt: skip


def test_every_rule_has_a_mutant_that_is_one() -> None:
    assert sorted(AT_THE_BOARD.keys() - {mutant.rule for mutant in MUTANTS}) == []
    for rule, path, changes in MUTANTS:
        source = (ROOT / path).read_text()
        for old, new in changes:
            assert source.count(old) == 1, f"{rule}: not once in {path}:\n{old}"
            assert old != new


@pytest.mark.parametrize(
    "mutant", MUTANTS, ids=[f"{number} {mutant.rule}" for number, mutant in enumerate(MUTANTS)]
)
def test_it_is_caught(copy: Path, files: dict[str, list[str]], mutant: Mutant) -> None:
    sound = (ROOT / mutant.path).read_text()
    broken = sound
    for old, new in mutant.changes:
        broken = broken.replace(old, new)
    (copy / mutant.path).write_text(broken)
    ended = run(copy, f"--rule={mutant.rule}", *files[mutant.rule])
    (copy / mutant.path).write_text(sound)
    assert ended.returncode == pytest.ExitCode.TESTS_FAILED, ended.stdout[-2000:]


def test_no_mutant_is_listed_twice() -> None:
    twice = [mutant for mutant, times in Counter(MUTANTS).items() if times > 1]
    assert twice == []
