"""What can go wrong between peers, one class per different thing a caller can do about it.

`str()` of each is a sentence for the player: the fact, then the way out. The fields are for
code and tests; none ever holds a secret.
"""

from __future__ import annotations


class NetplayError(Exception):
    """Root of netplay's errors."""


class Malformed(NetplayError):
    """Bytes that are not what they should be. `what` names the part (`point`, `rows`)."""

    def __init__(self, what: str, text: str = "") -> None:
        super().__init__(text or f"the {what} is damaged or not in the agreed form")
        self.what = what


class Forged(NetplayError):
    """A signature, commitment or opening that does not hold.

    `what` names it (`commitment`, `note`, `link`); `seat` is its author where it is known.
    """

    def __init__(self, what: str, text: str = "", seat: int | None = None) -> None:
        super().__init__(text or f"the {what} does not hold: it is not what its author promised")
        self.what = what
        self.seat = seat


class Mismatch(NetplayError):
    """Both sides are well-formed but do not agree (versions, rules, digests, options)."""

    def __init__(
        self, what: str, text: str = "", expected: object = None, actual: object = None
    ) -> None:
        super().__init__(text or f"the two sides differ in {what}; both must use the same")
        self.what = what
        self.expected = expected
        self.actual = actual


class Lost(NetplayError):
    """A peer or the way to it is gone; the match can be resumed from the saves."""

    def __init__(self, text: str = "the connection is lost; resume from the save") -> None:
        super().__init__(text)


class Stale(NetplayError):
    """Something out of its time: an old epoch, a used-up number, an entry without the floor."""

    def __init__(self, what: str, text: str = "") -> None:
        super().__init__(text or f"the {what} comes too late or out of turn; it is ignored")
        self.what = what


class Dispute(NetplayError):
    """A lookup did not open. Both open their scalars for `lookup`, and anybody sees the fault."""

    def __init__(self, lookup: int, text: str = "") -> None:
        super().__init__(text or f"answer {lookup} does not open; the match stops for review")
        self.lookup = lookup


class Refused(NetplayError):
    """The other side, or this one, declines. `what` is the thing declined."""

    def __init__(self, what: str, text: str = "") -> None:
        super().__init__(text or f"{what} was refused")
        self.what = what
