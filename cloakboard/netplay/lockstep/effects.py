"""What a running match asks its machine to do, and what it tells it, in order.

A `Write` is on the disk before any later `Send` leaves or anything later is shown (VEIL 8).
"""

from __future__ import annotations

import msgspec

from cloakboard.engine.events import Event
from cloakboard.engine.game import Result
from cloakboard.netplay.lockstep.judge import Judgement
from cloakboard.netplay.transcript import Entry
from cloakboard.netplay.wire import Message


class Write(msgspec.Struct, frozen=True):
    """Append to the journal, and flush."""

    kind: bytes
    payload: bytes


class Send(msgspec.Struct, frozen=True):
    """Send to the machine of a seat, if it is connected."""

    seat: int
    message: Message


class Happened(msgspec.Struct, frozen=True):
    """An entry was added; the events that this seat came to know by it, maybe none."""

    events: tuple[Event, ...]


class Offered(msgspec.Struct, frozen=True):
    """Another seat asks for something: `kind` and `value` of the request."""

    seat: int
    kind: str
    value: int = 0


class Declined(msgspec.Struct, frozen=True):
    """What this seat asked for was declined, or `seat` played on instead."""

    seat: int
    kind: str


class Consented(msgspec.Struct, frozen=True):
    """Every seat asked for this, and it holds. After an `undo` the states are other ones."""

    kind: str
    value: int


class Continued(msgspec.Struct, frozen=True):
    """A seat, maybe this one, ended the pause."""


class Heard(msgspec.Struct, frozen=True):
    """A seat, maybe this one, said something: a quick phrase's id, or a text."""

    seat: int
    phrase: str
    text: str


class Watched(msgspec.Struct, frozen=True):
    """So many watch at the machine of a seat, maybe this one: then `names` are what they call
    themselves."""

    seat: int
    count: int
    names: tuple[str, ...] = ()


class NameOffered(msgspec.Struct, frozen=True):
    """A seat would have the match saved under a name on all machines."""

    seat: int
    name: str


class Named(msgspec.Struct, frozen=True):
    """The save of this machine has a name, or another one than before."""

    name: str


class Doubted(msgspec.Struct, frozen=True):
    """A seat states a shorter thinking time than this machine has measured, in milliseconds. The
    match goes on: no clock decides for another."""

    seat: int
    stated_ms: int
    measured_ms: int


class OverTime(msgspec.Struct, frozen=True):
    """The time of another seat is over by this machine's clock, and it has not said so."""

    seat: int


class Resumed(msgspec.Struct, frozen=True):
    """All machines agree on the head again; play goes on."""

    epoch: int


class Stopped(msgspec.Struct, frozen=True):
    """The match cannot go on: what `seat` sent is false, or (`ALL_SEATS`) the rules cannot go on
    from what was said before. `report` is made from public state only; `named`: digest of the
    public state that the refused entry names, empty if there is none."""

    seat: int
    text: str
    report: str
    named: bytes = b""


class Ended(msgspec.Struct, frozen=True):
    """The match has a result; the audit follows."""

    result: Result


class Audit(msgspec.Struct, frozen=True):
    """All secrets are open: work out `judge(game, entries)`, which takes seconds, and give it
    to `Match.judged`."""

    entries: tuple[Entry, ...]


class Judged(msgspec.Struct, frozen=True):
    """This machine's audit is done."""

    judgement: Judgement


Effect = (
    Write
    | Send
    | Happened
    | Offered
    | Declined
    | Consented
    | Continued
    | Heard
    | Watched
    | NameOffered
    | Named
    | Doubted
    | OverTime
    | Resumed
    | Stopped
    | Ended
    | Audit
    | Judged
)
