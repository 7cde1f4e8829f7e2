"""A stranger's text made fit to be shown: nothing in it moves a cursor, or hides other text."""

from __future__ import annotations


def printable(text: str) -> str:
    """The text with nothing in it that cannot be shown."""
    return "".join(sign for sign in text if sign.isprintable())


def one_line(text: str, most: int) -> str:
    """The text in one line of at most so many characters, its blanks single."""
    return printable(" ".join(text.split()))[:most]
