"""What players read, in their language. Texts are written in English where they are made, and
turned into another language where they are drawn: see `shown`.

A catalogue has texts and patterns. A pattern such as `{0} moves to {1}.` fits whatever stands in
place of its parts, which are turned too. What no entry fits is tried line by line, between dots,
then sentence by sentence, then after a colon, and else stays as it is. An entry for the text of
an error fits the `sentence` that is made of it, too.
"""

from __future__ import annotations

import gettext
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from cloakboard import assets

FOLDER: Final = Path(assets.__file__).parent / "texts"
DOMAIN: Final = "cloakboard"
LANGUAGES: Final = {
    "en": "English",
    "ko": "한국어",
    "zh-Hant": "繁體中文",
    "zh-Hans": "简体中文",
}
STOPS: Final = {"zh-Hant": "。", "zh-Hans": "。"}  # at the end of a sentence; elsewhere a dot
ENDS: Final = (".", "!", "?", "…", ":", "。", "！", "？", "：")  # nothing is put after them
SLIGHT: Final = 6  # letters
BETWEEN: Final = " · "  # things told beside each other
AFTER: Final = ": "  # what somebody told
DEEPEST: Final = 4  # parts within parts
FIGURES: Final = frozenset({"day", "year", "time"})  # parts that are figures and nothing else
WITHIN_A_SENTENCE: Final = r"(?:(?![.?!] [A-Z]).)+?"
AT_ITS_BEGINNING: Final = rf"(?:(?![.?!] [A-Z]|{AFTER}).)+?"  # of what somebody told, if it is told
_PART: Final = re.compile(r"\{(\w+)\}")
_SENTENCES: Final = re.compile(r"(?<=[.?!]) (?=\S)")


class Raw(str):
    """A text that is never turned: what somebody typed."""

    __slots__ = ()


class Pattern(NamedTuple):
    """A message with parts, as what it fits and what it becomes."""

    holds: str
    """What stands in whatever it fits; told sooner than the rest."""
    fits: re.Pattern[str]
    parts: tuple[str, ...]
    becomes: str
    stop: str
    """What stands for the full stop that a sentence of it has; empty if it has its own end."""
    letters: int
    """Of its own, parts left out."""
    is_slight: bool
    """It is hardly more than its parts, such as `{0} and {1}`, and fits within others only."""


class Catalogue:
    """The texts of one language."""

    def __init__(self, messages: Mapping[str, str], stop: str = ".") -> None:
        whole = {m: t for m, t in messages.items() if t and not _PART.search(m)}
        said = {m: t for m, t in whole.items() if " " in m and not m.endswith(ENDS)}
        self.texts = {f"{m}.": _stopped(t, stop) for m, t in said.items()}
        self.texts |= {sentence(m): _stopped(t, stop) for m, t in said.items()}
        self.texts |= {m[:1].upper() + m[1:]: t for m, t in whole.items() if m.endswith(":")}
        self.texts |= whole
        found = [_pattern(m, t, stop) for m, t in messages.items() if t and _PART.search(m)]
        # The more letters of its own, the more surely a pattern is meant.
        found.sort(key=lambda one: -one.letters)
        self.patterns = [one for one in found if not one.is_slight]
        self.slight = [one for one in found if one.is_slight]

    def turned(self, text: str, depth: int = 0) -> str:
        """The text in this language."""
        if not text or text.isspace():
            return text
        known = self.texts.get(text)
        if known is not None:
            return known
        if depth >= DEEPEST:
            return text
        for separator in ("\n\n", "\n"):
            if separator in text:
                lines = text.split(separator)
                return separator.join(self.turned(line, depth + 1) for line in lines)
        indent = len(text) - len(text.lstrip())
        if indent:
            return text[:indent] + self.turned(text[indent:], depth)
        pieces = text.split(BETWEEN)
        sentences = _SENTENCES.split(text)
        return (
            self._fitted(text, self.patterns, depth)
            or (BETWEEN.join(self.turned(one, depth + 1) for one in pieces) if pieces[1:] else "")
            or (" ".join(self.turned(one, depth + 1) for one in sentences) if sentences[1:] else "")
            or self._told_by_somebody(text, depth)
            or (self._fitted(text, self.slight, depth) if depth else "")
            or text
        )

    def _fitted(self, text: str, patterns: Iterable[Pattern], depth: int) -> str:
        """What the first pattern that fits makes of a text; empty if none does."""
        for pattern in patterns:
            match = pattern.fits.fullmatch(text) if pattern.holds in text else None
            if match is not None:
                return self._filled(pattern, match, depth)
        return ""

    def _told_by_somebody(self, text: str, depth: int) -> str:
        """What stands after a colon, turned, and what stands before it; empty if nothing is."""
        head, _, told = text.partition(AFTER)
        known, turned = self.texts.get(f"{head}:"), self.turned(told, depth + 1)
        if not known and turned == told:
            return ""
        return f"{known or self.turned(head, depth + 1) + ':'} {turned}"

    def _filled(self, pattern: Pattern, match: re.Match[str], depth: int) -> str:
        parts = {part: self.turned(match[f"p{part}"], depth + 1) for part in pattern.parts}
        filled = _PART.sub(lambda found: parts[found[1]], pattern.becomes)
        has_stop = bool(pattern.stop) and match["stop"] != ""
        return _stopped(filled, pattern.stop) if has_stop else filled


def sentence(text: str) -> str:
    """An error's text as a sentence of its own."""
    return f"{text[:1].upper()}{text[1:]}" + ("" if text.endswith((".", "!", "?")) else ".")


def _stopped(text: str, stop: str) -> str:
    return text if text.endswith(ENDS) else text + stop


def _pattern(message: str, becomes: str, stop: str) -> Pattern:
    own = _PART.sub("", message)
    is_slight = sum(map(str.isalpha, own)) < SLIGHT and own == own.lower()
    last = message[message.rfind("{") :]
    # A part at the end of both has the stop in it, and is turned with it.
    is_open = not is_slight and not message.endswith(ENDS)
    is_open &= not (message.endswith("}") and becomes.endswith(last))
    parts: list[str] = []
    fits = ""
    at = 0
    for found in _PART.finditer(message):
        fits += re.escape(message[at : found.start()])
        name = found[1]
        end = ".+?" if is_open else ".+"
        is_last = found.end() == len(message)
        within = WITHIN_A_SENTENCE if found.start() else AT_ITS_BEGINNING
        part = r"\d[\d:]*" if name in FIGURES else end if is_last else within
        fits += f"(?P=p{name})" if name in parts else f"(?P<p{name}>{part})"
        if name not in parts:
            parts.append(name)
        at = found.end()
    fits += re.escape(message[at:]) + (r"(?P<stop>\.?)" if is_open else "")
    if message[:1].islower():
        fits = f"[{message[0]}{message[0].upper()}]{fits[1:]}"
    stops = stop if is_open else ""
    holds = max(_PART.sub("\0", message).split("\0"), key=len)[1:]
    return Pattern(holds, re.compile(fits), tuple(parts), becomes, stops, len(own), is_slight)


_ENGLISH: Final = Catalogue({})
_now: list[Catalogue] = [_ENGLISH]


def use(language: str) -> None:
    """From now on texts are shown in this language; an unknown one is English."""
    _now[0] = _catalogue(language)
    _turned.cache_clear()


@lru_cache(maxsize=8)
def _catalogue(language: str) -> Catalogue:
    path = file_of(language)
    if not path.exists():
        return _ENGLISH
    with path.open("rb") as file:
        found = gettext.GNUTranslations(file)
    return Catalogue(messages_of(found), STOPS.get(language, "."))


def messages_of(catalogue: gettext.GNUTranslations) -> dict[str, str]:
    """Every message of a compiled catalogue with its translation, its header left out."""
    raw: Mapping[object, str] = catalogue._catalog  # type: ignore[attr-defined]  # has no public name
    return {m: t for m, t in raw.items() if isinstance(m, str) and m}


def file_of(language: str) -> Path:
    """Where a language's compiled catalogue lies."""
    return FOLDER / language.replace("-", "_") / "LC_MESSAGES" / f"{DOMAIN}.mo"


def catalogue() -> Catalogue:
    """The texts of the present language."""
    return _now[0]


def shown(text: str) -> str:
    """The text as a player of the present language reads it."""
    if _now[0] is _ENGLISH or isinstance(text, Raw):
        return text
    return _turned(text)


@lru_cache(maxsize=4096)
def _turned(text: str) -> str:
    return _now[0].turned(text)


def of_system(locale_name: str) -> str:
    """The language of a desktop's locale, such as `zh_TW.UTF-8`; English if there is none of it."""
    name = locale_name.split(".")[0].replace("-", "_").lower()
    if name.startswith("ko"):
        return "ko"
    if name.startswith("zh"):
        is_hant = any(part in name for part in ("tw", "hk", "mo", "hant"))
        return "zh-Hant" if is_hant else "zh-Hans"
    return "en"
