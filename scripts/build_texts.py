"""Catalogues of what players read: `extract` lists the texts in the code, `compile` makes the
.mo files from the .po files, `missing` lists what a language lacks.

A text is a string in the client that reads like one: it begins with a capital letter or holds a
blank. Of a formatted string the parts in braces are numbered. What netplay and the keeping of
records tell, what the engine refuses, and texts of options, scenarios, lessons and achievements
are listed too.
"""

from __future__ import annotations

import ast
import builtins
import re
import sys
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT: Final = Path(__file__).resolve().parent.parent
CLIENT: Final = ROOT / "cloakboard" / "client"
ENGINE: Final = ROOT / "cloakboard" / "engine"
TELLING: Final = ("netplay", "keeping", "achievements")  # parts whose sentences reach the window
REFUSALS: Final = (
    *sorted((ENGINE / "wec" / "rules").glob("*.py")),
    ENGINE / "trid" / "refusals.py",
    ENGINE / "trid" / "faults.py",
)
READERS: Final = (*sorted(ENGINE.glob("*/notation/*.py")), ENGINE / "scenario.py")
ENGINE_ERRORS: Final = frozenset(
    {"BadOption", "BadSetup", "EngineError", "IllegalAction", "Malformed"}
)
TEXTS: Final = ROOT / "cloakboard" / "assets" / "texts"
LANGUAGES: Final = ("ko", "zh_Hans", "zh_Hant")
DOMAIN: Final = "cloakboard"
UNREAD: Final = frozenset({"__all__"})
UNSAID: Final = ("#version", "%s", "%d", "(?", '"%1"')  # of shaders, logs, patterns, commands
_LAYOUT: Final = re.compile(r"\d\w+( \d\w+)+")  # of a buffer
_NAMED: Final = re.compile(r"\{\w+\}")
_SQL: Final = re.compile(r"\b(SELECT|INSERT|DELETE|CREATE|ALTER|PRAGMA|BEGIN|WHERE|OLD)\b")


def texts_in(path: Path) -> Iterator[tuple[str, int]]:
    """The texts of a module with their lines."""
    tree = ast.parse(path.read_text("utf-8"))
    yield from _texts_of(tree, set(_not_shown(tree)), reads_like_text)


def told_in(path: Path) -> Iterator[tuple[str, int]]:
    """The sentences of a module that itself shows nothing, and parts of them."""
    tree = ast.parse(path.read_text("utf-8"))
    yield from _texts_of(tree, {*_not_shown(tree), *_for_programmers(tree)}, reads_like_sentence)


def refused_in(path: Path) -> Iterator[tuple[str, int]]:
    """What a module's errors of the engine say."""
    tree = ast.parse(path.read_text("utf-8"))
    silent = set(_not_shown(tree))
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _called(node) in ENGINE_ERRORS:
            yield from _texts_of(node, silent, reads_like_sentence)


def _texts_of(
    tree: ast.AST, silent: set[int], is_text: Callable[[str], bool]
) -> Iterator[tuple[str, int]]:
    for node in ast.walk(tree):
        if id(node) in silent:
            continue
        if isinstance(node, ast.JoinedStr):
            text = _template(node)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = _numbered(node.value)
        else:
            continue
        if is_text(text):
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


def _for_programmers(tree: ast.AST) -> Iterator[int]:
    """What another's text is compared with, what errors hold for code, and errors that are slips of
    ours."""
    for node in ast.walk(tree):
        unread: list[ast.expr] = []
        if isinstance(node, ast.Compare):
            unread = [node.left, *node.comparators]
        elif isinstance(node, ast.Call):
            unread = [word.value for word in node.keywords if word.arg in ("what", "bound")]
            if _called(node) in dir(builtins):
                unread += node.args
        for one in unread:
            yield from (id(part) for part in ast.walk(one))


def _called(node: ast.Call) -> str:
    return node.func.id if isinstance(node.func, ast.Name) else ""


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
    if any(sign in text for sign in UNSAID) or _LAYOUT.fullmatch(text):
        return False
    if bare.startswith(("<", "Ctrl+", "URL", "cloakboard:", "Cloakboard")) or bare == "Bold":
        return False
    if len(re.findall(r"[A-Za-z]", bare)) < 2 or "\\" in text or "/" in bare.split(" ")[0]:
        return False
    if re.fullmatch(r"[a-z_.%#0-9-]+|[A-Z]{1,4}|#?[0-9A-Fa-f]{6}", bare):
        return False
    return " " in bare or bool(re.match(r"[A-Z][a-z]", bare))


def reads_like_sentence(text: str) -> bool:
    """Whether a string of a part that itself shows nothing is told to players: one line of
    words, and no SQL."""
    bare = _NAMED.sub("", text).strip()
    has_words = len(re.findall(r"[A-Za-z]+", bare)) > 1
    return has_words and "\n" not in text and not _SQL.search(text) and reads_like_text(text)


def extracted() -> Catalog:
    """Every text, with where it is."""
    catalogue = Catalog(project="Cloakboard", charset="utf-8", fuzzy=False)
    for path, reads in _modules():
        for text, line in reads(path):
            catalogue.add(text, locations=[(str(path.relative_to(ROOT)), line)])
    for text in sorted(_data()):
        catalogue.add(text)
    return catalogue


Read = Callable[[Path], Iterator[tuple[str, int]]]


def _modules() -> Iterator[tuple[Path, Read]]:
    """Every module that makes texts, and how they are found in it."""
    yield from ((path, texts_in) for path in (*sorted(CLIENT.rglob("*.py")), *REFUSALS))
    yield from telling()


def telling() -> Iterator[tuple[Path, Read]]:
    """The modules that tell of what the window then shows, and how their texts are found."""
    for part in TELLING:
        yield from ((path, told_in) for path in sorted((ROOT / "cloakboard" / part).rglob("*.py")))
    for path in sorted(ENGINE.rglob("*.py")):
        yield path, told_in if path in READERS else refused_in


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
    found |= {f"{option.name.replace('_', ' ')} {{0}}" for option in ROOM.options}  # in lists
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
    found = {trid.title, "Line {0}: {1}", *NAMES.values(), *text.MAIN_NAMES, "{0} on {1}"}
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
