"""What can go wrong between peers, one class per different thing a caller can do about it.

`str()` of each is a sentence for the player: the fact, then the way out. The fields are for
code and tests; `what` is one word for the part at fault. None ever holds a secret.
"""

from __future__ import annotations


class NetplayError(Exception):
    """Root of netplay's errors."""


class Malformed(NetplayError):
    """Bytes that are not what they should be (`what`: `point`, `rows`, `note`, …)."""

    def __init__(self, text: str, *, what: str = "") -> None:
        super().__init__(text)
        self.what = what


class Forged(NetplayError):
    """A signature, commitment or opening that does not hold; `seat` is its author if known."""

    def __init__(self, text: str, *, what: str = "", seat: int | None = None) -> None:
        super().__init__(text)
        self.what = what
        self.seat = seat


class Mismatch(NetplayError):
    """Both sides are well-formed but do not agree (versions, rules, digests, options)."""

    def __init__(
        self, text: str, *, what: str = "", expected: object = None, actual: object = None
    ) -> None:
        super().__init__(text)
        self.what = what
        self.expected = expected
        self.actual = actual


class Lost(NetplayError):
    """A peer, or the way to it, is gone; the match can be resumed from the saves."""

    def __init__(
        self, text: str = "the connection is lost; resume from the save", *, seat: int | None = None
    ) -> None:
        super().__init__(text)
        self.seat = seat


class Stale(NetplayError):
    """Something out of its time: an old epoch, a used number, an entry without the floor."""

    def __init__(self, text: str, *, what: str = "") -> None:
        super().__init__(text)
        self.what = what


class Refused(NetplayError):
    """This side or the other declines (`what`: the thing declined)."""

    def __init__(self, text: str, *, what: str = "") -> None:
        super().__init__(text)
        self.what = what


class Blocked(Refused):
    """The other player is on this side's block list. The sentence is for this side alone: the
    other one is told no more than that nobody is taken in now."""
