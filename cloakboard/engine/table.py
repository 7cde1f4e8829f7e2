"""A game on one machine that knows everything: hotseat, computer players, replay, undo."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

import msgspec

from cloakboard.engine.chance import seeded_draw
from cloakboard.engine.drive import (
    Diverged,
    Exchange,
    Observer,
    Outcome,
    drive,
    full_answer,
)
from cloakboard.engine.errors import EngineError, IllegalAction
from cloakboard.engine.events import Event
from cloakboard.engine.game import Action, Answer, Game, Result, State
from cloakboard.engine.options import COMPETITIVE
from cloakboard.engine.probes import Form, Probe

SNAPSHOT_EVERY: Final = 16  # records between kept states: what an undo refolds at most
FORCED_LIMIT: Final = 1000  # forced actions in a row; more is a fault of the rules
DRAWS_LIMIT: Final = 1 << 32  # draws a table gives at most


class Record(msgspec.Struct, frozen=True):
    """One action as it happened. `forced`: the table performed it, nobody chose it. `drawn`:
    how many draws of the seed were given before it, undone ones included."""

    seat: int
    action: Any
    forced: bool
    exchanges: tuple[Exchange, ...]
    events: tuple[Event, ...]
    drawn: int = 0


class Table:
    """One match. `options` are the changes from the standard; `seed` feeds the draws.

    Every change goes through `act`, `undo`, `redo` and the agreements (`resign`,
    `offer_draw`). The state is never changed in place.
    """

    def __init__(
        self,
        game: Game,
        options: Mapping[str, Any] | None = None,
        setup: str = "",
        seed: bytes = b"",
        observer: Observer | None = None,
    ) -> None:
        """Raises `BadOption`, `BadSetup`. `observer` gets each new event with the state after
        it; undo and redo are not told to it."""
        self.game = game
        self.options = game.options.complete(options or {})
        self.setup = setup
        self.seed = seed
        self.observer = observer
        self.state: State = game.start(self.options, setup, seed)
        self.draw_offers: tuple[int, ...] = ()
        self.drawn = 0  # draws of the seed given so far, undone ones included
        self._agreed: Result | None = None
        self._log: list[Record] = []
        self._undone: list[list[Record]] = []
        self._snapshots: dict[int, State] = {0: self.state}
        self._perform_forced()

    @property
    def log(self) -> tuple[Record, ...]:
        """Every action so far, forced ones included, undone ones left out."""
        return tuple(self._log)

    @property
    def events(self) -> tuple[Event, ...]:
        """Every event so far."""
        return tuple(event for record in self._log for event in record.events)

    @property
    def result(self) -> Result | None:
        """How it ended, by the rules or by agreement; None while it goes on."""
        return self._agreed or self.game.result(self.state)

    @property
    def agreed(self) -> Result | None:
        """How it ended by agreement, None if it did not."""
        return self._agreed

    @property
    def to_act(self) -> tuple[int, ...]:
        """The seats that may act now; empty when the match is over."""
        return () if self.result is not None else self.game.to_act(self.state)

    def view(self, seat: int) -> State:
        """What the seat may know."""
        return self.game.view(self.state, seat)

    def public(self) -> State:
        """What everyone may know."""
        return self.game.public(self.state)

    def actions(self, seat: int) -> Iterable[Action]:
        """Legal actions of the seat as far as it knows, in a fixed order; none off its turn."""
        return self.game.actions(self.view(seat), seat) if seat in self.to_act else iter(())

    def act(self, seat: int, action: Action) -> tuple[Event, ...]:
        """What the action and the forced actions after it brought about.

        Raises `IllegalAction`, judged by what the seat knows. The state is then unchanged.
        """
        self._check(seat, action)
        first = len(self._log)
        self._perform(seat, action, forced=False, ask=self._ask)
        self._perform_forced()
        self.draw_offers = ()
        self._undone.clear()
        return tuple(event for record in self._log[first:] for event in record.events)

    @property
    def can_undo(self) -> bool:
        """Whether there is a chosen action to take back, in a match that is not competitive."""
        return not self._competitive and any(not record.forced for record in self._log)

    @property
    def can_redo(self) -> bool:
        """Whether an action was taken back and nothing else done since."""
        return bool(self._undone)

    def undo(self) -> None:
        """The state before the last chosen action; the forced ones after it go with it.

        Draws are not given out again: the same action may meet other chances. An agreed end
        is taken back too. Raises `EngineError` if nothing was done, or in a competitive match.
        """
        if self._competitive:
            raise EngineError("In a competitive match nothing is taken back")
        chosen = [at for at, record in enumerate(self._log) if not record.forced]
        if not chosen:
            raise EngineError("There is no action to take back")
        cut = chosen[-1]
        self._undone.append(self._log[cut:])
        del self._log[cut:]
        self._agreed, self.draw_offers = None, ()
        self._snapshots = {at: state for at, state in self._snapshots.items() if at <= cut}
        nearest = max(self._snapshots)
        self.state = self._fold(self._snapshots[nearest], self._log[nearest:])

    @property
    def _competitive(self) -> bool:
        return bool(self.options.get(COMPETITIVE))

    def redo(self) -> None:
        """The last action taken back, done again as it happened. Raises `EngineError`."""
        if not self._undone:
            raise EngineError("There is no action to do again")
        for record in self._undone.pop():
            self._keep(record, self._fold(self.state, [record]))

    def resign(self, seat: int) -> None:
        """Ends the match in favour of all other seats. Raises `IllegalAction` if it is over."""
        self._check_running()
        others = tuple(other for other in range(self.game.seats) if other != seat)
        self._agreed = Result(others, "resigned")

    def offer_draw(self, seat: int) -> None:
        """Notes the seat's offer, or that it accepts one, which the next action clears. When
        every seat has, the match is drawn. Raises `IllegalAction` if it is over."""
        self._check_running()
        self.draw_offers = tuple(sorted({*self.draw_offers, seat}))
        if len(self.draw_offers) == self.game.seats:
            self._agreed = Result((), "agreed")

    def take_up(self, played: Iterable[tuple[int, Action, int]], drawn: int) -> None:
        """Plays kept actions again: seat, chosen action, and `drawn` of its record, so that each
        meets the chances it met, whatever was undone between. `drawn`: of the whole table.

        Raises `IllegalAction`; `Diverged` if draws would be given twice.
        """
        for seat, action, before in played:
            self._skip_draws(before)
            self.act(seat, action)
        self._skip_draws(drawn)

    def _skip_draws(self, drawn: int) -> None:
        if not self.drawn <= drawn < DRAWS_LIMIT:
            raise Diverged("The draws do not go on from those given", self.drawn, drawn)
        self.drawn = drawn

    def replay(self, log: Sequence[Record]) -> None:
        """Performs a log again after what this table holds, with its draws, every other answer
        worked out anew. Raises `IllegalAction`, or `Diverged` at the first record that does
        not come out as recorded."""
        for record in log:
            self.drawn = max(self.drawn, record.drawn)
            if record.forced:
                owed = self.game.forced(self.view(record.seat), record.seat)
                if owed != record.action:
                    raise Diverged("Another action is forced here", record.action, owed)
            else:
                self._check(record.seat, record.action)
            draw = _drawn_in(record)
            outcome = self._perform(
                record.seat,
                record.action,
                forced=record.forced,
                ask=lambda state, probe, draw=draw: full_answer(self.game, state, probe, draw),
            )
            if (outcome.exchanges, outcome.events) != (record.exchanges, record.events):
                raise Diverged("The replay parts from the record", record, outcome)
            self.drawn += sum(e.probe.form is Form.DRAW for e in record.exchanges)

    def _ask(self, state: State, probe: Probe) -> Answer:
        return full_answer(self.game, state, probe, self._draw)

    def _draw(self) -> int:
        self.drawn += 1
        return seeded_draw(self.seed, self.drawn - 1)

    def _check_running(self) -> None:
        if self.result is not None:
            raise IllegalAction("table", "The match is over; start another one")

    def _check(self, seat: int, action: Action) -> None:
        self._check_running()
        if seat not in self.game.to_act(self.state):
            raise IllegalAction("table", "It is another seat's turn; wait for it to act")
        self.game.legal(self.view(seat), seat, action)

    def _perform(self, seat: int, action: Action, *, forced: bool, ask: Any) -> Outcome:
        drawn = self.drawn
        outcome = drive(self.game, self.state, seat, action, ask, self.observer)
        record = Record(seat, action, forced, outcome.exchanges, outcome.events, drawn)
        self._keep(record, outcome.state)
        return outcome

    def _perform_forced(self) -> None:
        for _ in range(FORCED_LIMIT):
            owed = self._owed()
            if owed is None:
                return
            self._perform(*owed, forced=True, ask=self._ask)
        raise EngineError(f"{FORCED_LIMIT} forced actions in a row: the rules do not settle")

    def _owed(self) -> tuple[int, Action] | None:
        for seat in self.to_act:
            action = self.game.forced(self.view(seat), seat)
            if action is not None:
                return seat, action
        return None

    def _keep(self, record: Record, state: State) -> None:
        self._log.append(record)
        self.state = state
        if len(self._log) % SNAPSHOT_EVERY == 0:
            self._snapshots[len(self._log)] = state

    def _fold(self, state: State, records: Iterable[Record]) -> State:
        for record in records:
            for event in record.events:
                state = self.game.apply(state, event)
        return state


def _drawn_in(record: Record) -> Callable[[], int]:
    """Gives the draws of a record one after the other. Raises `Diverged` if there are no more."""
    left = iter([e.answer for e in record.exchanges if e.probe.form is Form.DRAW])

    def draw() -> int:
        for drawn in left:
            return int(drawn)
        raise Diverged("The replay asks for a draw that the record does not have", record, None)

    return draw
