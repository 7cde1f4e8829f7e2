"""What happens in WEC. `apply` (in `fold.py`) folds each into a state."""

from __future__ import annotations

from cloakboard.engine.events import Event
from cloakboard.engine.wec.state import Gear, Piece, Projectile


class Changed(Event, frozen=True, tag=True, kw_only=True):
    """A piece became another record of itself, appeared (`before` None) or left (`after`
    None). `cause` is what a player saw: see `CAUSES`. A public event may carry a private
    `before` only when everything in it is shown with it: a state without the owner's secrets
    has no such record and just adds `after`; a sighting of the same piece goes."""

    cause: str
    before: Piece | None = None
    after: Piece | None = None


CAUSES = (
    "moves",  # its own Move, or a bike
    "carried",
    "dozed",
    "takes_off",
    "flies",
    "lands",
    "falls",  # WEC-63
    "shown",
    "taken",
    "burnt",  # flamer
    "rocket",
    "sam",
    "torpedo",
    "crushed",  # lost its support: WEC-47, WEC-63
    "stunned",
    "converted",
    "hit",  # without effect
    "fires",
    "picks_up",
    "drops",
    "gives",
    "receives",
    "reinforces",
    "locked",  # a lock-on took it
    "locks",  # its Anti-stealth locked on
)


class Lapsed(Event, frozen=True, tag=True, kw_only=True):
    """Public pieces that go out of public view (WEC-97), handles ascending."""

    handles: tuple[int, ...]


class Sighted(Event, frozen=True, tag=True, kw_only=True):
    """What the unseen detectors of the only seat in `only` see, replacing what they saw."""

    pieces: tuple[Piece, ...]


class Article(Event, frozen=True, tag=True, kw_only=True):
    """An article appeared at Ground of a square (`came`), or left it."""

    square: int
    gear: Gear
    came: bool


class Flew(Event, frozen=True, tag=True, kw_only=True):
    """A projectile was launched (`before` None), advanced or changed course, or ended
    (`after` None, at `square`). Of a homing launch `target` is the followed piece's handle;
    if that is 0, it is the first unseen piece of kind `target_kind` in the target's cell,
    which only its owner can mark."""

    square: int
    before: Projectile | None = None
    after: Projectile | None = None
    target: int = 0
    target_kind: str = ""


class LockMade(Event, frozen=True, tag=True, kw_only=True):
    """A lock-on began, and its target carries the number. `holder` is the holder's handle, or
    0: an unseen holder."""

    number: int
    side: int
    holder: int
    target: int


class LockEnded(Event, frozen=True, tag=True, kw_only=True):
    """A lock-on ended (WEC-91); its holder and its target carry the number no more."""

    number: int


class SpentOne(Event, frozen=True, tag=True, kw_only=True):
    """One of the Turn's allowance was used by `side`: a field name of `state.Spent`. Public,
    or known to its side alone if the action was veiled."""

    side: int
    what: str


class Came(Event, frozen=True, tag=True, kw_only=True):
    """A reinforcement left the reserve."""

    side: int
    square: int
    kind: str


class Thwarted(Event, frozen=True, tag=True, kw_only=True):
    """An action was spent without effect: `what` is `doze` or `reinforce` (WEC-48, WEC-80)."""

    side: int
    what: str
    square: int


class Fell(Event, frozen=True, tag=True, kw_only=True):
    """A side lost a primary in this Turn (WEC-14)."""

    side: int


class TurnEnded(Event, frozen=True, tag=True, kw_only=True):
    """The Turn number rises and the other side is to play; squares are armed, counts of hits
    and allowances cleared (WEC-17)."""


class Won(Event, frozen=True, tag=True, kw_only=True):
    """The match is decided (WEC-14)."""

    side: int


AnyEvent = (
    Changed
    | Lapsed
    | Sighted
    | Article
    | Flew
    | LockMade
    | LockEnded
    | SpentOne
    | Came
    | Thwarted
    | Fell
    | TurnEnded
    | Won
)
