"""What the screens know of a match, wherever it is played.

A `Session` hides whether a table is on this machine, against the computer or over the net. It
gives a seat's view, never more (KNOWN_FAILURES 26), and tells what happened through `poll`.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from cloakboard.client.company import Company, Spoke, Ticked
from cloakboard.client.recording import Recording
from cloakboard.client.stopping import Stopped
from cloakboard.engine.events import Event
from cloakboard.engine.game import Action, Game, Result, State
from cloakboard.netplay.lockstep.stand_in import StandIn


class Quality(enum.StrEnum):
    """How well the other machines can be reached; HOME: there are none; GONE: they left, or are
    looked for no more."""

    HOME = "home"
    GOOD = "good"
    SLOW = "slow"
    LOST = "lost"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class LinkState:
    """The connection. `delay_ms`: a message's way there and back; `seconds_left`: of a lost
    one, until the match is left with its save kept."""

    quality: Quality = Quality.HOME
    delay_ms: int | None = None
    seconds_left: int | None = None


@dataclass(frozen=True, slots=True)
class Happened:
    """An event that `seat`, one of `seats_here`, may know."""

    seat: int
    event: Event


@dataclass(frozen=True, slots=True)
class Jumped:
    """The views changed without events: an undo, a resumed match. Show them anew."""


@dataclass(frozen=True, slots=True)
class LinkChanged:
    """The connection changed."""

    link: LinkState


@dataclass(frozen=True, slots=True)
class Offered:
    """`seat` offers a draw, or asks for `what`: `undo`, `pause`, `extend` by `value` milliseconds,
    or `save` under the name `text`."""

    seat: int
    what: str = "draw"
    value: int = 0
    text: str = ""


@dataclass(frozen=True, slots=True)
class Ended:
    """The match is over."""

    result: Result


@dataclass(frozen=True, slots=True)
class Audited:
    """The audit's verdict in words."""

    verdict: str
    is_clean: bool


@dataclass(frozen=True, slots=True)
class Noticed:
    """A sentence for the players about something outside the rules: a save, a friend who left."""

    text: str


Happening = (
    Happened | Jumped | LinkChanged | Offered | Ended | Audited | Noticed | Stopped | Spoke | Ticked
)


def nobody(happening: Happening) -> None:
    """A listener that does nothing."""


class Session(Protocol):
    """A match as its screens see it. No method waits for another machine."""

    game: Game
    seats_here: tuple[int, ...]
    names: tuple[str, ...]
    company: Company | None  # who else sits there, None if nobody does
    stand_in: StandIn | None  # the computer in this player's place; None where there is none

    def state(self, seat: int) -> State:
        """The view of one of `seats_here`, as known here."""
        ...

    def to_act(self) -> tuple[int, ...]:
        """The seats that may act now; empty when the match is over."""
        ...

    def waiting(self) -> str | None:
        """A sentence while nothing can be done here, else None."""
        ...

    def actions(self, seat: int) -> Iterable[Action]:
        """Legal actions of one of `seats_here` as far as it knows; none off its turn."""
        ...

    def act(self, seat: int, action: Action) -> None:
        """Takes the action; its events come through `poll`. Raises `IllegalAction`."""
        ...

    def resign(self, seat: int) -> None:
        """Gives the match up."""
        ...

    def offer_draw(self, seat: int) -> None:
        """Offers a draw, or accepts the one offered."""
        ...

    def can_undo(self) -> bool:
        """Whether `undo` would do or ask for anything now."""
        ...

    def undo(self) -> None:
        """Takes the last action back, or asks the others for it."""
        ...

    def can_redo(self) -> bool:
        """Whether `redo` would do anything now."""
        ...

    def redo(self) -> None:
        """Does again what was taken back last."""
        ...

    def poll(self) -> list[Happening]:
        """What happened since the last poll, in order. Called once a frame while the screen has
        nothing left to show; a computer player acts here."""
        ...

    def save(self, name: str) -> None:
        """Keeps the match under a name; a `Noticed` says where. Raises `OSError`."""
        ...

    def result(self) -> Result | None:
        """How the match ended, None while it goes on."""
        ...

    def verdict(self) -> str | None:
        """The audit's verdict in words, None before it is known or where there is none."""
        ...

    def recording(self, seat: int) -> Recording | None:
        """The match to look back on: all of it once it may be known, before that what one of
        `seats_here` knows; None if it cannot be had."""
        ...

    def link(self) -> LinkState:
        """The connection now."""
        ...

    def close(self) -> None:
        """Leaves the table; the match can be resumed."""
        ...
