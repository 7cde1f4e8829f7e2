"""Where a machine is now, asked on the local network, for when the address last heard is old."""

from __future__ import annotations

from typing import Protocol


class Near(Protocol):
    """Hints by transport key; both methods return at once. See `lan.Lan`."""

    def here(self, key: bytes, port: int) -> None:
        """This machine waits to be dialled: for a while, others may hear where."""

    def where(self, key: bytes) -> tuple[str, ...]:
        """`address:port` at which a key was heard of, at most a few; empty, and listened for
        from now on, if it was not."""
