"""Catalogues of what players read: `extract` lists the texts in the code, `compile` makes the
.mo files from the .po files, `missing` lists what a language lacks.

A text is a string in the client that reads like one: it begins with a capital letter or holds a
blank. Of a formatted string the parts in braces are numbered. What the rules of WEC refuse, and
texts of options, scenarios, lessons and achievements are listed too.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT: Final = Path(__file__).resolve().parent.parent
CLIENT: Final = ROOT / "cloakboard" / "client"
ENGINE: Final = ROOT / "cloakboard" / "engine"
REFUSALS: Final = (
    *sorted((ENGINE / "wec" / "rules").glob("*.py")),
    ENGINE / "trid" / "refusals.py",
    ENGINE / "trid" / "faults.py",
)
TEXTS: Final = ROOT / "cloakboard" / "assets" / "texts"
LANGUAGES: Final = ("ko", "zh_Hans", "zh_Hant")
DOMAIN: Final = "cloakboard"
UNREAD: Final = frozenset({"__all__"})
_LAYOUT: Final = re.compile(r"\d\w+( \d\w+)+")  # of a buffer
_NAMED: Final = re.compile(r"\{\w+\}")


def texts_in(path: Path) -> Iterator[tuple[str, int]]:
    """The texts of a module with their lines."""
    tree = ast.parse(path.read_text("utf-8"))
    silent = set(_not_shown(tree))
    for node in ast.walk(tree):
        if id(node) in silent:
            continue
        if isinstance(node, ast.JoinedStr):
            text = _template(node)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = _numbered(node.value)
        else:
            continue
        if reads_like_text(text):
            yield text.strip(), node.lineno


def _not_shown(tree: ast.AST) -> Iterator[int]:
    """Docstrings, annotations, pieces of formatted strings, and what goes to the log or a
    programmer."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and node.body:
            first = node.body[0]
            if isinstance(first, ast.Expr):
                yield id(first.value)
        elif isinstance(node, ast.Expr):
            yield id(node.value)
        elif isinstance(node, ast.JoinedStr):
            yield from (id(part) for part in ast.walk(node) if part is not node)
        elif isinstance(node, ast.Assert | ast.AnnAssign):
            told = node.msg if isinstance(node, ast.Assert) else node.annotation
            yield from (id(part) for part in ast.walk(told) if told is not None) if told else ()
        elif isinstance(node, ast.Assign) and _names(node) & UNREAD:
            yield from (id(part) for part in ast.walk(node.value))
        elif isinstance(node, ast.Subscript):
            yield from (id(part) for part in ast.walk(node.slice))


def _numbered(text: str) -> str:
    """The text with its empty braces numbered."""
    numbers = count()
    return re.sub(r"\{\}", lambda _: f"{{{next(numbers)}}}", text)


def _names(node: ast.Assign) -> set[str]:
    return {target.id for target in node.targets if isinstance(target, ast.Name)}


def _template(node: ast.JoinedStr) -> str:
    parts = []
    number = 0
    for value in node.values:
        if isinstance(value, ast.Constant):
            parts.append(str(value.value))
        else:
            parts.append(f"{{{number}}}")
            number += 1
    return "".join(parts)


def reads_like_text(text: str) -> bool:
    """Whether a string is for players, as far as its form tells."""
    bare = _NAMED.sub("", text).strip()
    if any(sign in text for sign in ("#version", "%s", "%d")) or _LAYOUT.fullmatch(text):
        return False
    if bare.startswith(("Ctrl+", "cloakboard:", "Cloakboard")):
        return False
    if len(re.findall(r"[A-Za-z]", bare)) < 2 or "\\" in text or "/" in bare.split(" ")[0]:
        return False
    if re.fullmatch(r"[a-z_.%#0-9-]+|[A-Z]{1,4}|#?[0-9A-Fa-f]{6}", bare):
        return False
    return " " in bare or bool(re.match(r"[A-Z][a-z]", bare))


def extracted() -> Catalog:
    """Every text, with where it is."""
    catalogue = Catalog(project="Cloakboard", charset="utf-8", fuzzy=False)
    for path in (*sorted(CLIENT.rglob("*.py")), *REFUSALS):
        for text, line in texts_in(path):
            catalogue.add(text, locations=[(str(path.relative_to(ROOT)), line)])
    for text in sorted(_data()):
        catalogue.add(text)
    return catalogue


def _data() -> set[str]:
    """Texts of options, scenarios and lessons, and names."""
    sys.path.insert(0, str(ROOT))
    from cloakboard.achievements.definitions import words as achievements
    from cloakboard.assets import scenarios
    from cloakboard.client import words
    from cloakboard.client.guide import GUIDES
    from cloakboard.client.lessons import LESSONS
    from cloakboard.engine.registry import game, scenario
    from cloakboard.netplay.lockstep.talk import PHRASES
    from cloakboard.netplay.room_settings import ROOM

    wec = game("wec")
    found = {*PHRASES.values(), *(option.text for option in ROOM.options)}
    found |= {option.text for option in wec.options.options if "articles." not in option.name}
    for option in wec.options.options:
        found.update(str(choice).replace("_", " ") for choice in option.choices)
    found.update({*words.PIECES.values(), *words.ARTICLES.values(), *words.LEVELS.values()})
    for name in scenarios.names("wec"):
        one = scenario("wec", scenarios.text("wec", name))
        found.update((one.title, one.teaches))
    for lesson in LESSONS:
        found.update((lesson.title, lesson.scenario.position.teaches))
    for entry in (entry for pages in GUIDES.values() for entry in pages):
        found.update((entry.title, entry.text))
    for word in achievements().values():
        found.update((word.title, word.text))
    return {text for text in found | _trid() if text}


def _trid() -> set[str]:
    """What tri-dimensional chess says in parts: options, names, moves, ends, and each half of a
    fault."""
    from cloakboard.engine.registry import game
    from cloakboard.engine.trid import text
    from cloakboard.engine.trid.pieces import NAMES

    trid = game("trid")
    found = {trid.title, *NAMES.values(), *text.MAIN_NAMES, "{0} on {1}"}
    found |= {option.text for option in trid.options.options}
    found |= {one.replace("_", " ") for option in trid.options.options for one in option.choices}
    named = {f"{side} {kind}" for side in text.SEATS for kind in NAMES.values()}
    found |= named | {f"{one} on {{0}}" for one in named}
    found |= {f"{one}." for one in text.sentences()}
    ends = {_numbered(one) for one in (*text.ENDINGS.values(), text.WON)}
    found |= ends | {one.removesuffix(".") for one in ends}
    for told, _ in texts_in(ENGINE / "trid" / "faults.py"):
        found.update(told.split("; "))
    return found


def po_of(language: str) -> Path:
    """Where a language's texts are written."""
    return TEXTS / language / "LC_MESSAGES" / f"{DOMAIN}.po"


def read(language: str) -> Catalog:
    """A language's catalogue."""
    with po_of(language).open("rb") as file:
        return read_po(file, locale=language)


def compile_all() -> None:
    """Makes every .mo file."""
    for language in LANGUAGES:
        catalogue = read(language)
        with po_of(language).with_suffix(".mo").open("wb") as file:
            write_mo(file, catalogue)


def missing(language: str) -> list[str]:
    """The texts that a language has no words for."""
    catalogue = read(language)
    have = {str(message.id) for message in catalogue if message.id and message.string}
    return [str(m.id) for m in extracted() if m.id and str(m.id) not in have]


def main(arguments: list[str]) -> int:
    """Does what the first argument says."""
    match arguments:
        case ["extract"]:
            write_po(sys.stdout.buffer, extracted(), width=100)
        case ["compile"]:
            compile_all()
        case ["missing", language]:
            print("\n".join(missing(language)))
        case _:
            print(__doc__)
            return 2
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
