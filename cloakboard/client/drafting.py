"""A start position being made, in any game: changes with undo and redo, and what its editor asks.

Pure. A game's own draft says what can be changed and what is wrong with a position.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Generic, Protocol, TypeVar

from cloakboard.client.library import Made

KEPT: Final = 200  # positions that can be gone back to

P = TypeVar("P")


class Fault(Protocol):
    """What is wrong with a position, or should be known of it: the fact, then after a semicolon
    the way out."""

    @property
    def text(self) -> str: ...


class Drafting(Generic[P]):
    """The position with its options, and what it was before."""

    def __init__(self, position: P, options: Mapping[str, Any]) -> None:
        self.position = position
        self.options: dict[str, Any] = dict(options)
        self._undone: list[P] = []
        self._done: list[P] = []

    # Going back ---------------------------------------------------------------------------

    @property
    def can_undo(self) -> bool:
        """Whether a change can be taken back."""
        return bool(self._done)

    @property
    def can_redo(self) -> bool:
        """Whether a change that was taken back can be made again."""
        return bool(self._undone)

    def undo(self) -> None:
        """Takes the last change back."""
        if self._done:
            self._undone.append(self.position)
            self.go_to(self._done.pop())

    def redo(self) -> None:
        """Makes the last change that was taken back again."""
        if self._undone:
            self._done.append(self.position)
            self.go_to(self._undone.pop())

    def go_on(self, position: P) -> None:
        """Another position from now on; it can be taken back."""
        if position != self.position:
            self._done.append(self.position)
            del self._done[:-KEPT]
            self._undone.clear()
            self.position = position

    def go_to(self, position: P) -> None:
        """The position is one that was there before."""
        self.position = position

    def set_options(self, options: Mapping[str, Any]) -> None:
        """Other rules for the same position."""
        self.options = dict(options)

    # What a game's own draft answers ------------------------------------------------------

    @property
    def scenario(self) -> Made:
        """What has been made so far."""
        raise NotImplementedError

    @property
    def is_empty(self) -> bool:
        """Whether nothing stands anywhere."""
        raise NotImplementedError

    @property
    def pieces(self) -> int:
        """How many stand on the board."""
        raise NotImplementedError

    def faults(self) -> Sequence[Fault]:
        """What keeps the position from being played."""
        raise NotImplementedError

    def warnings(self) -> Sequence[Fault]:
        """What a player should know; nothing while there are faults."""
        return ()

    def clear(self) -> str:
        """An empty board; or says why not, as every change does."""
        raise NotImplementedError

    def swap(self) -> str:
        """The sides change places."""
        raise NotImplementedError

    def entitle(self, title: str, teaches: str) -> str:
        """Its title and what it is for."""
        raise NotImplementedError

    def open(self, made: Any) -> None:
        """Something else that was made; all but the options can be taken back."""
        raise NotImplementedError
