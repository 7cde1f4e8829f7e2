"""What happens. Every event is for everyone; `apply` (in `fold.py`) folds each into a state."""

from __future__ import annotations

from cloakboard.engine.events import Event


class Taken(Event, frozen=True, tag=True, kw_only=True):
    """A man left the board (TD-41, TD-56)."""

    square: int
    man: str


class Moved(Event, frozen=True, tag=True, kw_only=True):
    """A man moved."""

    man: str
    origin: int
    target: int


class Castled(Event, frozen=True, tag=True, kw_only=True):
    """King and rook of a side castled (TD-72, TD-73)."""

    side: int
    queenside: bool


class BoardMoved(Event, frozen=True, tag=True, kw_only=True):
    """An attack board went from `pin` to pin `to`, and the man on it rode along."""

    pin: int
    to: int
    turned: bool


class Promoted(Event, frozen=True, tag=True, kw_only=True):
    """A pawn became `man` (TD-54, TD-55)."""

    square: int
    man: str


class TurnEnded(Event, frozen=True, tag=True, kw_only=True):
    """The other side is to play; the rest is as in the state, but for `check`: whether its king
    is attacked."""

    castling: str
    en_passant: int
    counter: int
    check: bool
    ended: str


AnyEvent = Taken | Moved | Castled | BoardMoved | Promoted | TurnEnded
