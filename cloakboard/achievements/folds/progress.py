"""How far a fold has come."""

from __future__ import annotations

import msgspec


class Progress(msgspec.Struct, frozen=True):
    """`count` is compared with the goal; `note` is what the fold must remember."""

    count: int = 0
    note: tuple[int | str | bytes, ...] = ()

    def more(self, by: int = 1) -> Progress:
        """The same with a higher count."""
        return Progress(self.count + by, self.note)

    def noted(self, *note: int | str | bytes) -> Progress:
        """The same with another note."""
        return Progress(self.count, note)
