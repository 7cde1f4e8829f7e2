"""What follows an action, part by part, on one machine (see `core` for the whole).

Every machine runs the rules of an open action on its own view; a veiled one is resolved by
its author, and the others fold the trace it publishes. A script yields a `Need` for each part
that travels and goes on with the part.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from cloakboard.engine.codec import Codec
from cloakboard.engine.drive import step
from cloakboard.engine.events import Event, may_know
from cloakboard.engine.game import Action, Game, Key, State
from cloakboard.engine.probes import BLIND, Form, Lookup, Probe
from cloakboard.netplay.errors import Malformed
from cloakboard.netplay.lockstep.undo import Point
from cloakboard.netplay.transcript import Answer, Link, Opening, Part, Trace
from cloakboard.netplay.veil.blind import Asked, Blind, Book, Found, Hand
from cloakboard.netplay.veil.chain import check_link, combine
from cloakboard.netplay.veil.need import Need, Place, Script

TRACE_EVENTS: Final = 400  # a trace longer than this is no honest one
TRACE_PROBES: Final = 12  # nor is one that asks more often

Kind = tuple[str, int]  # lookup and owner of a cover probe


class Scripts:
    """The states of one machine, and the scripts that change them.

    `view` is what this seat knows; `shown` the public state as of what is on the chain: an
    author's veiled action is in its view before its trace is.
    """

    def __init__(
        self,
        game: Game,
        opening: Opening,
        place: Place,
        seat: int | None,
        hand: Hand | None,
        book: Book | None,
    ) -> None:
        self.game = game
        self.codec = Codec(game)
        options = game.options.complete(dict(opening.options))
        sizes: Mapping[str, Lookup] = game.lookups(options, opening.setup)
        full = game.start(options, opening.setup, place.match)
        self.shown: State = game.public(full)
        self.view: State = self.shown if seat is None else game.view(full, seat)
        self._events: list[Event] = []  # known to this seat, not yet drained
        self._drained = 0
        self._seat = seat
        self._hand = hand
        self._seats = range(len(opening.seats))
        self._nonce = opening.nonce
        self.blind = Blind(game, self.codec, sizes, place, seat, hand, book)
        self._links = [laid_down.tip for laid_down in opening.seats]
        self._draws = 0
        self._covered: dict[Kind, Found] = {}

    def drain(self) -> list[Event]:
        """The events this seat came to know since the last call, without those taken back."""
        events, self._events = self._events, []
        self._drained += len(events)
        return events

    def point(self) -> Point:
        """What stands now."""
        return Point(self.view, self.shown, self._drained + len(self._events))

    def go_back(self, point: Point) -> None:
        """Play goes on from another state. Draws and lookups count on."""
        self.view, self.shown = point.view, point.shown
        del self._events[max(0, point.events - self._drained) :]
        self._covered = {}

    def open(self, author: int, action: Action) -> Script:
        """An action with an open part: every machine resolves it."""
        resolution = self.game.resolve(self.view, author, action)
        item = next(resolution, None)
        while item is not None:
            if isinstance(item, Event):
                self._happen(item)
                item = step(resolution, self.view)
            else:
                item = step(resolution, (yield from self._ask(item)))

    def veiled_by_me(self, action: Action) -> Script:
        """This seat's own veiled action: resolved here, what shows is published."""
        seat = self._seat
        assert seat is not None
        yield from self._cover(seat, self._cover_keys(seat, action))
        resolution = self.game.resolve(self.view, seat, action)
        unpublished: list[Event] = []
        item = next(resolution, None)
        while item is not None:
            if isinstance(item, Event):
                self._happen(item, unpublished)
                item = step(resolution, self.view)
                continue
            if item.owner == seat and item.form in (Form.OWN, Form.SHOW, Form.TELL, Form.CLAIM):
                answer = self._own_answer(item)
            elif (item.lookup, item.owner) in self._covered:
                keys = set(self.game.query(self.view, item))
                found = self._covered.pop((item.lookup, item.owner))
                answer = tuple((key, label) for key, label in found if key in keys)
            else:
                yield from self._publish(seat, unpublished, item)
                answer = yield from self._ask(item)
            item = step(resolution, answer)
        yield from self._publish(seat, unpublished, None)

    def veiled_by(self, author: int) -> Script:
        """Another seat's veiled action: what it shows is folded, what it asks answered."""
        yield from self._cover(author, {})
        asked = 0
        while True:
            trace = yield Need(author, Trace, None)
            assert isinstance(trace, Trace)
            if len(trace.events) > TRACE_EVENTS or trace.done == bool(trace.probe):
                raise Malformed("a trace of no honest form", what="trace")
            for data in trace.events:
                event = self.codec.event.decode(data)
                if event.only:
                    raise Malformed("a trace with an event that is not for everyone", what="trace")
                self.game.admits(self.view, author, event)
                self._happen(event)
            if trace.done:
                return
            asked += 1
            if asked > TRACE_PROBES:
                raise Malformed("a trace that asks more than any veiled action", what="trace")
            probe = self.codec.probe.decode(trace.probe)
            self._check_traced(author, probe)
            yield from self._ask(probe)

    def _happen(self, event: Event, unpublished: list[Event] | None = None) -> None:
        """Folds an event. A public one of an own veiled action is folded into `shown` only
        when its trace is on the chain."""
        if not may_know(event, self._seat):
            return
        self.view = self.game.apply(self.view, event)
        self._events.append(event)
        if event.only:
            return
        if unpublished is not None:
            unpublished.append(event)
        elif self._seat is None:
            self.shown = self.view
        else:
            self.shown = self.game.apply(self.shown, event)

    def _publish(self, seat: int, unpublished: list[Event], probe: Probe | None) -> Script:
        trace = Trace(
            tuple(self.codec.event.encode(event) for event in unpublished),
            self.codec.probe.encode(probe) if probe is not None else b"",
            probe is None,
        )
        yield Need(seat, Trace, lambda: trace)
        for event in unpublished:
            self.shown = self.game.apply(self.shown, event)
        unpublished.clear()

    def _check_traced(self, author: int, probe: Probe) -> None:
        own = probe.owner == author
        fits = own if probe.form is Form.DRAW else not own and probe.form in (Form.SHOW, Form.TELL)
        if not fits or probe.owner not in self._seats:
            raise Malformed("a trace that asks what no veiled action asks", what="trace")
        self.game.may_ask(self.shown, author, probe)

    # -- cover: the lookups every veiled action makes --------------------------------------

    def _cover(self, author: int, keys: Mapping[Kind, tuple[Key, ...]]) -> Script:
        asked: list[Asked] = []
        for probe in self.game.cover(self.shown, author):
            asked.append((yield from self.blind.ask(probe, keys.get(_kind(probe), ()), self.view)))
        self._covered = {}
        for question in asked:
            found = yield from self.blind.rows(question)
            kind = _kind(question.probe)
            if found is not None and kind in keys:
                self._covered[kind] = found

    def _cover_keys(self, seat: int, action: Action) -> dict[Kind, tuple[Key, ...]]:
        """Keys of the action's own blind probes: found by running it as if nothing were
        hidden anywhere."""
        wanted = {_kind(probe) for probe in self.game.cover(self.shown, seat)}
        keys: dict[Kind, tuple[Key, ...]] = {}
        view = self.view
        resolution = self.game.resolve(view, seat, action)
        item = next(resolution, None)
        while item is not None and wanted:
            if isinstance(item, Event):
                view = self.game.apply(view, item) if may_know(item, seat) else view
                item = step(resolution, view)
            elif _kind(item) in wanted:
                wanted.discard(_kind(item))
                keys[_kind(item)] = self.game.query(view, item)
                item = step(resolution, ())
            elif item.form is Form.OWN or (item.form is Form.TELL and item.owner == seat):
                item = step(resolution, self.game.answer(view, item))
            else:
                break
        resolution.close()
        return keys

    # -- probes ----------------------------------------------------------------------------

    def _ask(self, probe: Probe) -> Script:
        """The parts of one probe; returns the answer as this seat may know it."""
        mine = self._hand is not None and probe.owner == self._seat
        if probe.form is Form.OWN:
            return self._own_answer(probe) if mine else None
        if probe.form is Form.DRAW:
            return (yield from self._draw(probe.owner))
        if probe.form in BLIND:
            asks = self._hand is not None and probe.asker == self._seat
            keys = self.game.query(self.view, probe) if asks else ()
            asked = yield from self.blind.ask(probe, keys, self.view)
            return (yield from self.blind.rows(asked))

        def make() -> Part:
            return Answer(self.codec.answer.encode(self._own_answer(probe)))

        part = yield Need(probe.owner, Answer, make if mine else None)
        assert isinstance(part, Answer)
        return self.codec.answer.decode(part.data)

    def _own_answer(self, probe: Probe) -> Any:
        if probe.form is Form.CLAIM:
            return probe.value  # type: ignore[attr-defined]  # every CLAIM probe has one
        return self.game.answer(self.view, probe)

    def _draw(self, first: int) -> Script:
        self._draws += 1
        index = self._draws
        for seat in (first, *(seat for seat in self._seats if seat != first)):
            part = yield Need(seat, Link, self._make_link(seat, index))
            assert isinstance(part, Link)
            last = self._links[seat]
            self._links[seat] = check_link(self._nonce, seat, index, part.link, last)
        return combine("probe", index, self._links)

    def _make_link(self, seat: int, index: int) -> Callable[[], Part] | None:
        hand = self._hand
        if hand is None or seat != self._seat:
            return None
        return lambda: Link(hand.chain.link(index))


def _kind(probe: Probe) -> Kind:
    return probe.lookup, probe.owner
