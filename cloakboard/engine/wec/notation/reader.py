"""Reading one line of notation from left to right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NoReturn

from cloakboard.engine.wec.notation.clauses import NotationError

SHOWN: Final = 12  # signs of what was found that an error quotes
DIGITS: Final = 9
UNESCAPES: Final = {"n": "\n", "r": "\r", '"': '"', "\\": "\\"}


class Reader:
    """A line and how far it is read. Every method that wants something raises `NotationError`
    if something else comes."""

    def __init__(self, text: str, line: int = 1) -> None:
        self.text = text
        self.line = line
        self.at = 0

    @property
    def column(self) -> int:
        """Counted from 1."""
        return self.at + 1

    def fail(self, expected: str) -> NoReturn:
        """Says what should come here."""
        self.fail_at(self.column, expected)

    def fail_at(self, column: int, expected: str) -> NoReturn:
        """Says what should come at a column."""
        rest = self.text[column - 1 :]
        shown = rest[:SHOWN] + ("..." if len(rest) > SHOWN else "")
        found = f"'{shown}'" if rest else "the end of the line"
        raise NotationError(self.line, column, expected, found)

    def at_end(self) -> bool:
        """Whether nothing is left."""
        return self.at >= len(self.text)

    def end(self) -> None:
        """Nothing may be left."""
        if not self.at_end():
            self.fail("the end of the line")

    def sees(self, sign: str) -> bool:
        """Whether this comes next."""
        return self.text.startswith(sign, self.at)

    def took(self, sign: str) -> bool:
        """Whether this came next; it is read then."""
        if not self.sees(sign):
            return False
        self.at += len(sign)
        return True

    def need(self, sign: str, expected: str = "") -> None:
        """Reads this, which has to come next."""
        if not self.took(sign):
            self.fail(expected or f"'{sign}'")

    def symbol(self, symbols: Sequence[str], expected: str) -> str:
        """Reads the longest of the symbols that comes next (N11)."""
        found = self._longest(symbols, self.at)
        if not found:
            self.fail(expected)
        self.at += len(found)
        return found

    def sees_symbol(self, symbols: Sequence[str], then: str = "", *, before: str = "") -> bool:
        """Whether `before`, one of the symbols and `then` come next."""
        if not self.sees(before):
            return False
        start = self.at + len(before)
        found = self._longest(symbols, start)
        return bool(found) and self.text.startswith(then, start + len(found))

    def _longest(self, symbols: Sequence[str], at: int) -> str:
        return max((one for one in symbols if self.text.startswith(one, at)), key=len, default="")

    def sees_number(self, before: str) -> bool:
        """Whether `before` and a digit come next."""
        start = self.at + len(before)
        return self.sees(before) and self.text[start : start + 1] in tuple("0123456789")

    def number(self, first: int, last: int, expected: str) -> int:
        """Reads a whole number in decimal without padding, from `first` to `last`."""
        start = end = self.at
        if first < 0 and self.sees("-"):
            end += 1
        while self.text[end : end + 1] in tuple("0123456789") and end - start <= DIGITS + 1:
            end += 1
        word = self.text[start:end]
        if word in ("", "-") or len(word) > DIGITS + 1:
            self.fail(expected)
        number = int(word)
        if str(number) != word or not first <= number <= last:
            self.fail(expected)
        self.at = end
        return number

    def quoted(self) -> str:
        """Reads a text in quotes; a backslash stands before a quote, a backslash, n and r."""
        self.need('"', "a text in quotes")
        signs: list[str] = []
        while not self.took('"'):
            if self.at_end():
                self.fail("a quote that ends the text")
            sign = self.text[self.at]
            if sign == "\\":
                self.at += 1
                sign = UNESCAPES.get(self.text[self.at : self.at + 1], "")
                if not sign:
                    self.fail('n, r, \\ or " after a backslash')
            signs.append(sign)
            self.at += 1
        return "".join(signs)

    def skip_remarks(self) -> None:
        """Reads over comments that begin with a blank."""
        while self.sees("{ "):
            end = self.text.find("}", self.at)
            if end < 0:
                self.fail("a remark that ends with }")
            self.at = end + 1
