"""The laws of `cloakboard/engine/game.py` and what else every game owes, as checks of one
action in one position. A check that fails raises `AssertionError`, or `Diverged`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from types import MappingProxyType
from typing import Any, Final

import msgspec

from cloakboard.engine.codec import Codec, encode
from cloakboard.engine.drive import (
    Ask,
    Outcome,
    blind_answer,
    drive,
    full_answer,
)
from cloakboard.engine.errors import EngineError, IllegalAction
from cloakboard.engine.events import may_know
from cloakboard.engine.game import Action, Game, State
from cloakboard.engine.probes import BLIND, Form, Probe
from cloakboard.engine.table import Record, Table
from tests.engine.published import public_replay, same_question

KEY_LIMIT: Final = 2**32
LOOKED_AT: Final = 200  # actions of one position whose order or effect is checked
SEARCHED: Final = 2000  # actions of one position among which classes are looked for
PER_CLASS: Final = 2  # actions of one class that are tried besides the one played


class Known(msgspec.Struct, frozen=True):
    """One position as everyone holds it, each copy folded from the start by itself."""

    full: Any
    public: Any
    views: tuple[Any, ...]


class Moment(msgspec.Struct, frozen=True):
    """One action. `known` are the positions before each of its events and after the last.
    `played`: it is the one that was played in this position, not one that could have been."""

    game: Any
    options: Mapping[str, Any]
    record: Record
    known: tuple[Known, ...]
    played: bool = True
    setup: str = ""

    @property
    def before(self) -> Known:
        return self.known[0]

    @property
    def open_part(self) -> Action | None:
        open_part: Action | None = self.game.split(
            self.before.views[self.record.seat], self.record.seat, self.record.action
        )[0]
        return open_part

    @property
    def others(self) -> tuple[int, ...]:
        return tuple(seat for seat in range(self.game.seats) if seat != self.record.seat)


def start_of(table: Table) -> Known:
    """The start position of a table as everyone holds it."""
    game = table.game
    full = game.start(table.options, table.setup, table.seed)
    views = tuple(game.view(full, seat) for seat in range(game.seats))
    return Known(full, game.public(full), views)


def fold(game: Game, known: Known, record: Record) -> tuple[Known, ...]:
    """The position before each event of the record and after the last, everyone folding the
    events it may know."""
    stages = [known]
    for event in record.events:
        held = stages[-1]
        public = game.apply(held.public, event) if may_know(event, None) else held.public
        views = tuple(
            game.apply(view, event) if may_know(event, seat) else view
            for seat, view in enumerate(held.views)
        )
        stages.append(Known(game.apply(held.full, event), public, views))
    return tuple(stages)


def moments(table: Table) -> Iterator[Moment]:
    """Every action of a table, and beside it a few that could have been played instead."""
    known = start_of(table)
    for record in table.log:
        if not record.forced:
            yield from alternatives(table, known, record.seat)
        stages = fold(table.game, known, record)
        yield Moment(table.game, table.options, record, stages, setup=table.setup)
        known = stages[-1]


def alternatives(table: Table, known: Known, seat: int) -> Iterator[Moment]:
    """The first actions of each class that the seat has in a position."""
    game, view = table.game, known.views[seat]
    tried: dict[type, int] = {}
    for action in islice(game.actions(view, seat), SEARCHED):
        tried[type(action)] = tried.get(type(action), 0) + 1
        if tried[type(action)] <= PER_CLASS:
            outcome = try_out(game, known.full, seat, action)
            record = Record(seat, action, False, outcome.exchanges, outcome.events)
            stages = fold(game, known, record)
            yield Moment(game, table.options, record, stages, played=False, setup=table.setup)


def try_out(game: Game, full: State, seat: int, action: Action) -> Outcome:
    """What an action would come to, its draws all alike."""
    return drive(
        game, full, seat, action, lambda state, probe: full_answer(game, state, probe, lambda: 1)
    )


def law_public_is_the_fold_of_public_events(moment: Moment) -> None:
    for known in moment.known:
        assert encode(moment.game.public(known.full)) == encode(known.public)


def law_view_is_the_fold_of_what_the_seat_may_know(moment: Moment) -> None:
    for known in moment.known:
        for seat, view in enumerate(known.views):
            assert encode(moment.game.view(known.full, seat)) == encode(view)


def law_same_answers_give_the_same_events(moment: Moment) -> None:
    record = moment.record
    for _ in range(2):
        ask = _recorded(record)
        again = drive(moment.game, moment.before.full, record.seat, record.action, ask)
        assert encode(again.events) == encode(record.events)
        assert encode(again.state) == encode(moment.known[-1].full)


def _recorded(record: Record) -> Ask:
    left = iter(record.exchanges)

    def ask(_: State, probe: Probe) -> Any:
        exchange = next(left, None)
        assert exchange is not None
        assert exchange.probe == probe
        return exchange.answer

    return ask


def law_published_answers_suffice(moment: Moment) -> None:
    """A veiled action is resolved by its actor, any other on every machine."""
    record, game = moment.record, moment.game
    holders: list[int | None] = [record.seat]
    if moment.open_part is not None:
        holders = [None, *range(game.seats)]
    for holder in holders:
        before, after = (
            known.public if holder is None else known.views[holder]
            for known in (moment.before, moment.known[-1])
        )
        action = record.action if holder == record.seat else moment.open_part
        outcome = public_replay(game, before, holder, record.seat, action, record.exchanges)
        known_events = tuple(event for event in record.events if may_know(event, holder))
        assert encode(outcome.events) == encode(known_events)
        assert encode(outcome.state) == encode(after)


def law_admits_what_veiled_actions_show(moment: Moment) -> None:
    if moment.open_part is not None:
        return
    game, record = moment.game, moment.record
    for known, event in zip(moment.known, record.events, strict=False):
        if may_know(event, None):
            for holder in (known.public, *(known.views[seat] for seat in moment.others)):
                game.admits(holder, record.seat, event)
    for exchange in record.exchanges:
        asked = exchange.probe
        travels = asked.form is Form.DRAW or asked.owner != record.seat
        if travels and asked.form in (Form.SHOW, Form.TELL, Form.DRAW):
            game.may_ask(moment.before.public, record.seat, asked)


def law_cover_answers_the_lookups_of_veiled_actions(moment: Moment) -> None:
    if moment.open_part is not None:
        return
    game, record = moment.game, moment.record
    cover = {}
    for holder in (moment.before.public, *moment.before.views):
        probes = game.cover(holder, record.seat)
        assert [probe.owner for probe in probes] == list(moment.others)
        assert {probe.asker for probe in probes} == {record.seat}
        cover = {(probe.lookup, probe.owner): probe for probe in probes}
    for exchange in record.exchanges:
        asked = exchange.probe
        if asked.form in BLIND:
            blank = cover.pop((asked.lookup, asked.owner), None)
            assert blank is not None, "a veiled action asks each lookup of its cover once"
            assert same_question(asked, blank)
            rows = game.holds(moment.before.views[asked.owner], blank)
            keys = game.query(moment.before.views[record.seat], asked)
            assert exchange.answer == blind_answer(asked, keys, rows)


def law_lookups_keep_their_bounds(moment: Moment) -> None:
    game, codec = moment.game, Codec(moment.game)
    sizes = game.lookups(moment.options, moment.setup)

    def check(state: State, probe: Probe) -> Any:
        if probe.form in BLIND:
            size = sizes[probe.lookup]
            keys = game.query(game.view(state, probe.asker), probe)
            rows = game.holds(game.view(state, probe.owner), probe)
            assert list(keys) == sorted(set(keys)), "keys are distinct and ascend"
            assert size.keys <= KEY_LIMIT
            assert all(0 <= key < size.keys for key in (*keys, *rows))
            assert len(keys) <= size.points
            assert len(rows) <= size.rows
            assert all(len(codec.label.encode(row)) <= size.label_bytes for row in rows.values())
            assert all(codec.label.decode(codec.label.encode(r)) == r for r in rows.values())
        return full_answer(game, state, probe, lambda: 1)

    drive(game, moment.before.full, moment.record.seat, moment.record.action, check)


def law_offered_actions_are_legal(moment: Moment) -> None:
    """On the actor's view, and its open part on everyone else's."""
    game, record, known = moment.game, moment.record, moment.before
    game.legal(known.views[record.seat], record.seat, record.action)
    if moment.open_part is not None:
        for holder in (known.public, *(known.views[seat] for seat in moment.others)):
            game.legal(holder, record.seat, moment.open_part)


def law_mutated_actions_are_refused_or_resolved(moment: Moment) -> None:
    game, record, known = moment.game, moment.record, moment.before
    for action in mutations(game, record.action):
        refused = _refusal(game, known.views[record.seat], record.seat, action)
        if refused is None:
            try:
                outcome = try_out(game, known.full, record.seat, action)
            except EngineError as error:
                raise AssertionError(f"{action} passed as legal") from error
            assert encode(game.public(outcome.state))
        else:
            assert refused.rule
            assert str(refused)


def _refusal(game: Game, view: State, seat: int, action: Action) -> IllegalAction | None:
    try:
        game.legal(view, seat, action)
    except IllegalAction as refused:
        return refused
    return None


def mutations(game: Game, action: Action) -> Iterator[Action]:
    """Actions that differ from this one in one number."""
    plain = msgspec.to_builtins(action)
    for path in _numbers(plain):
        for change in (-1, 1, 1000):
            try:
                yield msgspec.convert(_changed(plain, path, change), game.types.action)
            except msgspec.ValidationError:
                continue


def _numbers(plain: Any) -> Iterator[tuple[Any, ...]]:
    items: Any = ()
    if isinstance(plain, dict):
        items = plain.items()
    elif isinstance(plain, list | tuple):
        items = enumerate(plain)
    elif type(plain) is int:
        yield ()
    for key, value in items:
        for rest in _numbers(value):
            yield key, *rest


def _changed(plain: Any, path: tuple[Any, ...], change: int) -> Any:
    if not path:
        return plain + change
    copied = dict(plain) if isinstance(plain, dict) else list(plain)
    copied[path[0]] = _changed(copied[path[0]], path[1:], change)
    return copied


def law_actions_have_one_order(moment: Moment) -> None:
    if not moment.played:
        return
    game, seat = moment.game, moment.record.seat
    view = moment.before.views[seat]
    copied = Codec(game).state.decode(encode(view))
    first, again, of_copy = (
        encode(tuple(islice(game.actions(state, seat), LOOKED_AT)))
        for state in (view, view, copied)
    )
    assert first == again == of_copy
    for other in set(range(game.seats)) - set(game.to_act(moment.before.full)):
        assert not tuple(islice(game.actions(moment.before.views[other], other), 1))


def law_records_survive_their_bytes(moment: Moment) -> None:
    codec, record = Codec(moment.game), moment.record
    after = moment.known[-1]
    for state in (after.full, after.public, *after.views) if moment.played else ():
        decoded = codec.state.decode(codec.state.encode(state))
        assert (decoded, hash(decoded)) == (state, hash(state))
    assert codec.action.decode(codec.action.encode(record.action)) == record.action
    for event in record.events:
        assert codec.event.decode(codec.event.encode(event)) == event
        assert list(event.only) == sorted(set(event.only))
    for exchange in record.exchanges:
        assert codec.probe.decode(codec.probe.encode(exchange.probe)) == exchange.probe
        if exchange.probe.form is not Form.DRAW:
            data = codec.answer.encode(exchange.answer)
            assert codec.answer.decode(data) == exchange.answer


def law_states_hold_exact_values_only(moment: Moment) -> None:
    """No floats, and nothing whose order is chance."""
    for state in (moment.known[-1].full,) if moment.played else ():
        held = [state]
        while held:
            value = held.pop()
            if isinstance(value, msgspec.Struct):
                held += [getattr(value, name) for name in value.__struct_fields__]
            elif isinstance(value, tuple):
                held += value
            else:
                assert value is None or isinstance(value, int | str | bytes), type(value)


def law_private_events_change_no_other_view(moment: Moment) -> None:
    game = moment.game
    for before, after, event in zip(
        moment.known, moment.known[1:], moment.record.events, strict=False
    ):
        if not may_know(event, None):
            assert encode(game.public(before.full)) == encode(game.public(after.full))
        for seat in range(game.seats):
            if not may_know(event, seat):
                assert encode(game.view(before.full, seat)) == encode(game.view(after.full, seat))


def law_a_view_holds_nothing_of_another_world(moment: Moment) -> None:
    """Veiled actions that show the same leave worlds that nobody else can tell apart."""
    if not moment.played:
        return
    game, seat = moment.game, moment.record.seat
    view, full = moment.before.views[seat], moment.before.full
    worlds: dict[bytes, State] = {}
    for action in islice(game.actions(view, seat), LOOKED_AT):
        if game.split(view, seat, action)[0] is None:
            outcome = try_out(game, full, seat, action)
            shown = encode(tuple(event for event in outcome.events if may_know(event, None)))
            first = worlds.setdefault(shown, outcome.state)
            assert encode(game.public(first)) == encode(game.public(outcome.state))
            for other in moment.others:
                one, two = game.view(first, other), game.view(outcome.state, other)
                assert encode(one) == encode(two)


def law_everyone_agrees_on_the_course(moment: Moment) -> None:
    """Whose turn it is, the Turn's number and the result are public."""
    game, known = moment.game, moment.known[-1]
    for state in (known.public, *known.views):
        assert game.to_act(state) == game.to_act(known.full)
        assert game.turn(state) == game.turn(known.full)
        assert game.result(state) == game.result(known.full)
    assert bool(game.to_act(known.full)) == (game.result(known.full) is None)
    assert game.turn(known.full) >= game.turn(moment.before.full)


def law_whose_turn_it_is_can_act(moment: Moment) -> None:
    game, known = moment.game, moment.known[-1]
    for seat in game.to_act(known.full):
        assert any(True for _ in game.actions(known.views[seat], seat))


def law_what_is_forced_is_legal(moment: Moment) -> None:
    game, known = moment.game, moment.known[-1]
    for seat in game.to_act(known.full):
        owed = game.forced(known.views[seat], seat)
        if owed is not None:
            game.legal(known.views[seat], seat, owed)


def law_everything_can_be_said(moment: Moment) -> None:
    """For terminals and screen readers, on every machine."""
    game, record, known = moment.game, moment.record, moment.before
    assert len(set(game.seat_names())) == game.seats
    for state in (known.public, *known.views) if moment.played else ():
        assert game.text(state).strip()
    assert game.say(known.views[record.seat], record.action).strip()
    if moment.open_part is not None:
        for holder in (known.public, *(known.views[seat] for seat in moment.others)):
            assert game.say(holder, moment.open_part).strip()


Law = Callable[[Moment], None]
LAWS: Final[Mapping[str, Law]] = MappingProxyType(
    {name.removeprefix("law_"): law for name, law in globals().items() if name.startswith("law_")}
)
