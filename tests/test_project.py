"""The project's own promises: links, versions, set-up, size and wording of what is tracked."""

import importlib
import os
import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any, Final

import pytest

ROOT: Final = Path(__file__).parents[1]
PROJECT: Final[dict[str, Any]] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
LOCK: Final[dict[str, Any]] = tomllib.loads((ROOT / "uv.lock").read_text("utf-8"))
LONGEST_MODULE: Final = 500  # lines
SKIPPED: Final = {".git", ".venv", ".bootstrap", "build", "dist", "node_modules"}

# Each is written so that it does not match itself here.
OUT_OF_PLACE: Final = {
    "a folder of one machine": re.compile(r"/(?:[h]ome|[r]oot|[w]ork|[o]pt)/\w"),
    "a package registry": re.compile(
        r"[p]ypi\.org|[f]iles\.pythonhosted|[r]egistry\.npmjs|[d]eb\.debian\.org"
    ),
}


def project_files() -> list[Path]:
    """Every text file of the project, as git has it; from the folder where git has no say."""
    asked = subprocess.run(
        ["git", "-C", str(ROOT), "ls-files", "-z"], capture_output=True, check=False, text=True
    )
    if asked.returncode == 0 and asked.stdout:
        found = [ROOT / name for name in asked.stdout.split("\0") if name]
    else:
        found = [p for p in ROOT.rglob("*") if not SKIPPED & set(p.relative_to(ROOT).parts)]
    return sorted(p for p in found if p.is_file() and b"\0" not in p.read_bytes()[:4096])


def test_no_file_names_a_machine_or_a_registry() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{number}: {what}: {line.strip()[:80]}"
        for path in project_files()
        if path.name != "uv.lock"
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        for what, pattern in OUT_OF_PLACE.items()
        if pattern.search(line)
    ]
    assert found == []


@pytest.mark.parametrize(
    "line",
    [
        "see /" + "home/ann/x",
        "/" + "work/main",
        "https://py" + "pi.org/simple",
        "deb" + ".debian.org",
    ],
)
def test_words_out_of_place_are_recognised(line: str) -> None:
    # Plain words that only look alike are no offence.
    assert any(pattern.search(line) for pattern in OUT_OF_PLACE.values())
    assert not any(p.search("homework/net /workshop optional") for p in OUT_OF_PLACE.values())


def test_no_module_is_longer_than_a_reader_can_hold() -> None:
    lengths = {
        str(path.relative_to(ROOT)): len(path.read_text("utf-8").splitlines())
        for path in project_files()
        if path.suffix == ".py"
    }
    assert "tests/test_project.py" in lengths
    assert {name: n for name, n in lengths.items() if n > LONGEST_MODULE} == {}


def links(page: Path) -> list[str]:
    """Targets of a page's links and pictures that lie in the project, without `#` parts."""
    targets = re.findall(r"\]\(([^)\s]+)\)|src=\"([^\"]+)\"", page.read_text("utf-8"))
    flat = [first or second for first, second in targets]
    return [t.split("#")[0] for t in flat if t.split("#")[0] and "://" not in t]


def test_links_of_pages_lead_somewhere() -> None:
    pages = [path for path in project_files() if path.suffix == ".md"]
    assert ROOT / "README.md" in pages
    broken = [
        f"{page.relative_to(ROOT)} -> {target}"
        for page in pages
        for target in links(page)
        if not (page.parent / target).exists()
    ]
    assert broken == []


def test_readme_and_index_lead_to_every_page_of_docs() -> None:
    linked = {(ROOT / "docs" / target).resolve() for target in links(ROOT / "docs/README.md")}
    pages = {p for p in (ROOT / "docs").glob("*.md") if p.name != "README.md"}
    assert pages - linked == set()
    assert "docs/README.md" in links(ROOT / "README.md")


def test_version_is_the_newest_of_the_changelog() -> None:
    versions = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert versions[0] == PROJECT["project"]["version"]


def test_console_script_can_be_imported() -> None:
    module, _, name = PROJECT["project"]["scripts"]["cloakboard"].partition(":")
    assert callable(getattr(importlib.import_module(module), name))


def test_lock_is_of_this_pyproject() -> None:
    [locked] = [package for package in LOCK["package"] if package["name"] == "cloakboard"]

    def named(rows: list[dict[str, str]]) -> set[str]:
        return {row["name"] + row.get("specifier", "") for row in rows}

    metadata = locked["metadata"]
    assert locked["version"] == PROJECT["project"]["version"]

    def wanted(rows: list[str]) -> set[str]:
        return {row.partition(";")[0] for row in rows}

    assert named(metadata["requires-dist"]) == wanted(PROJECT["project"]["dependencies"])
    assert named(metadata["requires-dev"]["dev"]) == wanted(PROJECT["dependency-groups"]["dev"])
    assert {spec.strip() for spec in LOCK["requires-python"].split(",")} == set(
        PROJECT["project"]["requires-python"].split(",")
    )


def test_commands_the_readme_names_are_in_the_makefile() -> None:
    named = set(re.findall(r"\bmake ([a-z]+)\b", (ROOT / "README.md").read_text("utf-8")))
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    assert {"play", "test"} <= named <= targets


def run_setup(tmp_path: Path, *arguments: str, user_id: int) -> tuple[int, str]:
    """Exit code and message of the set-up on a Debian with no package installed."""
    tools = tmp_path / "bin"
    tools.mkdir()
    for name, script in {
        "id": f"echo {user_id}",
        "dpkg-query": "exit 1",
        # Installing fails, so that the set-up ends there.
        "apt-get": 'echo "apt-get $*" >&2; [ "$1" = update ]',
    }.items():
        (tools / name).write_text(f"#!/bin/sh\n{script}\n", "utf-8")
        (tools / name).chmod(0o755)
    ended = subprocess.run(
        [str(ROOT / "scripts/setup.sh"), *arguments],
        env=os.environ | {"PATH": f"{tools}:{os.environ['PATH']}"},
        capture_output=True,
        check=False,
        text=True,
        timeout=60,
    )
    return ended.returncode, ended.stderr


@pytest.mark.parametrize(
    ("mode", "named", "unnamed"),
    [("play", ["libgl1", "libglu1-mesa"], ["xvfb"]), ("test", ["libgl1", "xvfb"], [])],
)
def test_setup_prints_the_line_to_type_when_not_root(
    tmp_path: Path, mode: str, named: list[str], unnamed: list[str]
) -> None:
    code, message = run_setup(tmp_path, mode, user_id=1000)
    assert code == 3
    [line] = [text for text in message.splitlines() if "sudo apt-get update" in text]
    packages = line.partition("--no-install-recommends ")[2].split()
    assert set(named) <= set(packages)
    assert not set(unnamed) & set(packages)
    assert "apt-get install" not in message.replace(line, "")


def test_setup_installs_system_packages_when_root(tmp_path: Path) -> None:
    code, message = run_setup(tmp_path, "test", user_id=0)
    assert code != 0
    assert "sudo" not in message
    assert re.search(r"^apt-get install -y .*\blibgl1\b.*\bxvfb\b", message, re.MULTILINE)


def test_setup_refuses_an_unknown_mode() -> None:
    ended = subprocess.run(
        [str(ROOT / "scripts/setup.sh"), "everything"], capture_output=True, check=False, text=True
    )
    assert (ended.returncode, ended.stderr) == (2, "usage: scripts/setup.sh play|test\n")
