"""What every game offers, so that hotseat, net, replay, audit and search share one code.

`resolve` is a generator. It yields **probes** and is sent their answers, and it yields
**events** and is sent the state after them: `answer = yield probe`, `state = yield event`.
The driver applies an event at once, so that a later probe is answered from the state the
earlier events left. A driver that holds a full state (`Table`) answers everything itself; a
peer answers what its seat owns and learns the rest from signed entries. The rules are
written once for both: a machine that does not hold a seat's secrets is sent `None` for its
private answers, and the generator then yields only the events it can know.

An action has an **open part**, which all machines see, and a **secret part**, known to its
seat until the audit. An action with no open part is *veiled*: only its actor resolves it,
and the others fold its public events and answer its public probes as they are published. An
action with both is resolved by all; the secret part reaches the rules as the answer to a
probe of form OWN.

Laws (property-tested for every registered game):
1. `public(fold(all events)) == fold(public events)`
2. `view(fold(all events), seat) == fold(events seat may know)`
3. same action, state and answers: same events, on every machine
4. `resolve` on the public view with the published answers gives the public events
5. `admits` and `may_ask` accept every legal veiled action of every reachable state
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from typing import Any, Protocol

import msgspec

from cloakboard.engine.events import Event
from cloakboard.engine.options import Schema
from cloakboard.engine.probes import Lookup, Probe

# Each game has its own tagged structs; shared code treats them as opaque values.
State = Any
Action = Any
Answer = Any
Key = int  # a key of a blind lookup: a non-negative integer below 2**32
Label = Any  # what a key of a blind lookup maps to

Resolution = Generator[Probe | Event, Any, None]


class Result(msgspec.Struct, frozen=True):
    """How a match ended. `winners` ascending (empty: a draw); `reason` a short fixed word."""

    winners: tuple[int, ...]
    reason: str


class Types(msgspec.Struct, frozen=True):
    """The msgspec types a codec needs for a game's records (unions of tagged structs).
    `counters`: the fields of a state that only grow; between machines an undo keeps them."""

    state: Any
    action: Any
    event: Any
    probe: Any
    answer: Any
    label: Any
    counters: tuple[str, ...] = ()

    @property
    def has_secrets(self) -> bool:
        """Whether anything is ever hidden from a seat."""
        return self.probe is not None


class Game(Protocol):
    """A game. Every method is pure; seats are 0 .. seats-1 in order of play."""

    id: str
    title: str
    seats: int
    rules_version: int
    options: Schema
    types: Types

    def lookups(self, options: Mapping[str, Any], setup: str = "") -> Mapping[str, Lookup]:
        """Size of each kind of blind lookup, fixed for a match by its options and start
        position. Raises `BadOption`, `BadSetup`."""
        ...

    def start(self, options: Mapping[str, Any], setup: str = "", seed: bytes = b"") -> State:
        """The full start position. Raises `BadOption`, `BadSetup`."""
        ...

    def to_act(self, state: State) -> tuple[int, ...]:
        """The seats that may act now; empty when the game is over."""
        ...

    def forced(self, state: State, seat: int) -> Action | None:
        """An action the seat owes without a choice (a flyer that flies on), else None."""
        ...

    def actions(self, state: State, seat: int) -> Iterator[Action]:
        """Legal actions as far as this state knows, in a fixed order."""
        ...

    def legal(self, state: State, seat: int, action: Action) -> None:
        """Raises `IllegalAction`. A state without the seat's secrets checks only what is
        necessary whatever they are; one with them checks everything the seat can know."""
        ...

    def split(self, state: State, seat: int, action: Action) -> tuple[Action | None, Action | None]:
        """(open part, secret part). `(action, None)` if nothing is secret, `(None, action)`
        if the action is veiled, `(open, action)` if others see only `open`."""
        ...

    def cover(self, state: State, seat: int) -> tuple[Probe, ...]:
        """The blind probes that every veiled action of the seat asks before anything else, one
        per other seat in seat order, with no secret in them: asked whether the action needs
        them or not, so that need does not show. A veiled action's own probes of the same
        `lookup` and `owner` are answered from these; it may ask each once."""
        ...

    def resolve(self, state: State, seat: int, action: Action) -> Resolution:
        """What the action does: see the module text. `action` is the full action where it is
        known, the open part elsewhere."""
        ...

    def answer(self, state: State, probe: Probe) -> Answer:
        """Answer of a SHOW, TELL or OWN probe, from a state that holds the owner's secrets."""
        ...

    def query(self, state: State, probe: Probe) -> tuple[Key, ...]:
        """The asker's keys (ascending, at most `points`) of a blind probe."""
        ...

    def holds(self, state: State, probe: Probe) -> Mapping[Key, Label]:
        """The owner's map (at most `rows` keys) for a blind probe."""
        ...

    def apply(self, state: State, event: Event) -> State:
        """The state after one event that this state's holder may know."""
        ...

    def view(self, state: State, seat: int) -> State:
        """What the seat may know of a full state."""
        ...

    def public(self, state: State) -> State:
        """What everyone may know."""
        ...

    def admits(self, state: State, seat: int, event: Event) -> None:
        """Raises `IllegalAction` if no veiled action of `seat` could show this public event
        in any full state that agrees with `state`: the public one, or another seat's view,
        which knows what of that seat's own cannot be shown."""
        ...

    def may_ask(self, state: State, seat: int, probe: Probe) -> None:
        """Raises `IllegalAction` if no veiled action of `seat` asks such a question in public
        (SHOW, TELL, DRAW). It bounds what a cheat can learn before the audit convicts it."""
        ...

    def result(self, state: State) -> Result | None:
        """How it ended, or None while it goes on."""
        ...

    def turn(self, state: State) -> int:
        """Number of Turns completed."""
        ...

    def seat_names(self) -> tuple[str, ...]:
        """What the seats are called, such as `Black`."""
        ...

    def text(self, state: State) -> str:
        """The position as plain text lines, for terminals and screen readers."""
        ...

    def say(self, state: State, action: Action) -> str:
        """An action in words, as the state before it names its pieces."""
        ...
