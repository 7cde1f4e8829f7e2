"""What there is at a table with other machines besides the match: talk, requests, time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from cloakboard.client.session import Offered

MORE_MS: Final = 5 * 60 * 1000
"""What is asked for when a player needs more time."""


@dataclass(frozen=True, slots=True)
class Remark:
    """Something said at the table: what was typed, or the English text of a quick phrase."""

    seat: int
    text: str
    is_phrase: bool = False


@dataclass(frozen=True, slots=True)
class Spoke:
    """Somebody, maybe the player here, said something."""

    remark: Remark


@dataclass(frozen=True, slots=True)
class Watchers:
    """How many watch at a player's machine, as it tells; `names`: what they call themselves, known
    of this machine's alone."""

    count: int = 0
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ticked:
    """A second of a limited time has gone, somebody's wish stands no more, or others watch now:
    look again."""


class Company(Protocol):
    """The others at the table. No method waits for their machines."""

    def remarks(self) -> Sequence[Remark]:
        """What was said since this table was opened, oldest first."""
        ...

    @property
    def is_muted(self) -> bool:
        """Whether nobody talks in this room."""
        ...

    def say(self, text: str) -> None:
        """Says what was typed; a notice tells if it may not be said so soon."""
        ...

    def say_phrase(self, phrase: str) -> None:
        """Says a quick phrase, by its id."""
        ...

    def ask(self, kind: str, value: int = 0) -> None:
        """Asks the others for a `pause`, to `extend` the time by milliseconds, or to `continue`
        after a pause, which needs no consent."""
        ...

    def agree(self, offer: Offered) -> None:
        """Agrees to what another asks for."""
        ...

    def decline(self, offer: Offered) -> None:
        """Declines it."""
        ...

    def stands(self, offer: Offered) -> bool:
        """Whether another still asks for it."""
        ...

    def watch_invite(self) -> str:
        """A line that lets its holder watch the match here; empty if nobody may."""
        ...

    def watchers(self, seat: int) -> Watchers | None:
        """Who watches at a seat's machine; None where nobody may."""
        ...

    def has_computer(self, seat: int) -> bool:
        """Whether a seat's machine has told that the computer plays there for its player."""
        ...

    @property
    def has_limit(self) -> bool:
        """Whether there is a time limit for each action."""
        ...

    @property
    def is_paused(self) -> bool:
        """Whether all agreed to a pause that nobody has ended."""
        ...

    def left_ms(self, seat: int) -> int | None:
        """What a seat has left for its action, grace not counted, negative when it is over; None
        while its time does not run, or there is no limit."""
        ...
