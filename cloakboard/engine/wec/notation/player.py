"""From a history back to the table it tells of: every clause becomes the action it means."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final

from cloakboard.engine import registry
from cloakboard.engine.drive import drive, full_answer
from cloakboard.engine.errors import BadOption, BadSetup, IllegalAction
from cloakboard.engine.game import Game
from cloakboard.engine.table import Record, Table
from cloakboard.engine.wec import actions as acts
from cloakboard.engine.wec.actions import Action, Ref
from cloakboard.engine.wec.board import refs
from cloakboard.engine.wec.headings import towards
from cloakboard.engine.wec.names import DIRECTIONS
from cloakboard.engine.wec.notation.clauses import (
    Call,
    Clause,
    Doze,
    Drop,
    Exchange,
    Fire,
    Item,
    Man,
    Move,
    NotationError,
    PickUp,
    Turn,
)
from cloakboard.engine.wec.notation.header import print_result
from cloakboard.engine.wec.notation.parser import Parsed
from cloakboard.engine.wec.notation.positions import normal_setup
from cloakboard.engine.wec.notation.printer import print_man, print_turn
from cloakboard.engine.wec.notation.scribe import Scribe
from cloakboard.engine.wec.notation.wording import (
    item_of,
    lying_gear,
    men_of,
    piece_of,
    proposed,
    targets,
)
from cloakboard.engine.wec.rules.firing import BLASTS
from cloakboard.engine.wec.rules.flying import LEVEL
from cloakboard.engine.wec.state import Gear, Piece, State

LISTED: Final = 6  # pieces that an error names at most


class Unfit(Exception):
    """A clause that means nothing in the position; both are words for a player."""

    def __init__(self, expected: str, found: str) -> None:
        super().__init__(expected, found)
        self.expected = expected
        self.found = found


class Player:
    """Plays a parsed history on a table. `seed` feeds the draws of what is played later."""

    def __init__(self, parsed: Parsed, seed: bytes = b"") -> None:
        """Raises `NotationError` if there is no such start position."""
        self._parsed = parsed
        self._game: Game = registry.game("wec")
        score = parsed.score
        try:
            setup = normal_setup(score.setup) if score.setup else ""
            self.table = Table(self._game, score.options, setup, seed)
        except BadSetup as error:
            raise NotationError(
                parsed.tags["Setup"], 1, "a start position that can be played", f"one: {error}"
            ) from error
        except BadOption as error:
            raise NotationError(
                parsed.tags["Option"], 1, "options that go together", f"these: {error}"
            ) from error
        self._scribe = Scribe(self._game, self._game.start(self.table.options, setup, seed))

    def play(self) -> None:
        """Every Turn, then the result. Raises `NotationError` at the first that cannot be."""
        score = self._parsed.score
        if score.reader is not None:
            raise NotationError(
                self._parsed.tags["Reader"],
                1,
                "a complete history",
                "one that leaves out what a seat may not know; take one written after the match",
            )
        for at, turn in enumerate(score.turns):
            if not turn.finished and at + 1 < len(score.turns):
                raise self._error(at, "", "the last Turn to be the unfinished one", "another")
            self._turn(at, turn)
        self._end()

    def _turn(self, at: int, turn: Turn) -> None:
        table = self.table
        if turn.number != table.state.turn:
            raise self._error(at, "", f"Turn {table.state.turn}", f"Turn {turn.number}")
        seat = table.state.side
        for name in turn.happened():
            clause = turn.clause(name)
            draw = clause.draw if isinstance(clause, PickUp) else 0
            try:
                action = ACTIONS[type(clause)](table.state, seat, clause)
            except Unfit as unfit:
                raise self._error(at, name, unfit.expected, unfit.found) from unfit
            self._act(at, name, seat, action, draw)
        if turn.finished:
            self._act(at, "", seat, acts.EndTurn(), 0)
            self._compare(at, turn, self._scribe.turns[-1])
        else:
            self._compare(at, turn, self._scribe.running)
        self._forced()

    def _act(self, at: int, name: str, seat: int, action: Action, draw: int) -> None:
        try:
            self._perform(seat, action, draw, forced=False)
        except IllegalAction as error:
            words = self._game.say(self.table.state, action)
            raise self._error(
                at, name, "what the rules allow", f"'{words}', which is refused: {error}"
            ) from error

    def _perform(self, seat: int, action: Action, draw: int, *, forced: bool) -> None:
        """The action with its draw, on the table and for the scribe."""
        table, game = self.table, self._game
        if not forced:
            if table.result is not None:
                raise IllegalAction("table", "The match is over.")
            game.legal(table.view(seat), seat, action)
        outcome = drive(
            game,
            table.state,
            seat,
            action,
            lambda state, probe: full_answer(game, state, probe, lambda: draw),
        )
        record = Record(seat, action, forced, outcome.exchanges, outcome.events)
        table.replay([record])
        self._scribe.take(record)

    def _forced(self) -> None:
        """What is owed at the start of a Turn (WEC-71)."""
        table = self.table
        while table.to_act:
            seat = table.state.side
            owed = self._game.forced(table.view(seat), seat)
            if owed is None:
                return
            self._perform(seat, owed, 0, forced=True)

    def _compare(self, at: int, told: Turn, came: Turn) -> None:
        """What a Turn says of what came of it has to be so; it may leave all of it out."""
        for name, mine, theirs in (
            ("RS", told.results, came.results),
            ("notes", told.notes, came.notes),
        ):
            if mine and mine != theirs:
                raise self._error(
                    at,
                    name,
                    "results that the actions have (or none, to have them worked out)",
                    f"others than in {print_turn(came)}",
                )
        for name, clause in told.clauses:
            met = getattr(clause, "met", -1)
            if met >= 0 and met != getattr(came.clause(name), "met", -1):
                raise self._error(
                    at, name, "the place where it met somebody", "another one (leave it out)"
                )

    def _end(self) -> None:
        """The result: by the rules it is there already, by agreement it is agreed now."""
        told, table = self._parsed.score.result, self.table
        if told is not None and table.result is None:
            if told.reason == "agreed":
                for seat in range(self._game.seats):
                    table.offer_draw(seat)
            elif told.reason == "resigned":
                table.resign(1 - told.winners[0])
        if "Result" in self._parsed.tags and told != table.result:
            raise NotationError(
                self._parsed.tags["Result"],
                1,
                f'the result "{print_result(table.result)}"',
                f'"{print_result(told)}"',
            )

    def _error(self, at: int, name: str, expected: str, found: str) -> NotationError:
        line, columns = self._parsed.places[at]
        return NotationError(line, columns[name], expected, found)


# -- clauses as actions ----------------------------------------------------------------------


def _fitting(man: Man, pieces: list[Piece], whose: str) -> int:
    """At which place of the list the piece stands that is meant. Raises `Unfit`."""
    men = men_of(pieces)
    if man in men:
        return men.index(man)
    here = [print_man(other) for other in men if other.cell == man.cell]
    kin = [print_man(other) for other in men if other.kind == man.kind]
    known = ", ".join((here or kin)[:LISTED])
    expected = f"{whose} such as {known}" if known else whose
    raise Unfit(expected, f"{print_man(man)}, which is not there")


def _ref(state: State, seat: int, man: Man) -> Ref:
    own = list(refs(state, seat))
    place = _fitting(man, [piece for _, piece in own], "a piece of the side to play")
    return own[place][0]


def _place(gear: Iterable[Gear], item: Item) -> int:
    """Which of the articles is meant. Raises `Unfit`."""
    listed = list(gear)
    for place in range(len(listed)):
        if item_of(listed, place) == item:
            return place
    known = ", ".join(one.kind for one in listed) or "none, for there is none"
    raise Unfit(f"an article that is there: {known}", item.kind)


def _heading(state: State, seat: int, ref: Ref, square: int) -> int:
    """The direction to a square that lies straight ahead in one. Raises `Unfit`."""
    start = piece_of(state, seat, ref).square
    heading = towards(start, square, seat)
    rows, columns = abs(start // 10 - square // 10), abs(start % 10 - square % 10)
    if heading is None or (rows and columns and rows != columns):
        raise Unfit("a square in one of the eight directions", "another one")
    return heading


def _move(state: State, seat: int, move: Move) -> Action:
    ref = _ref(state, seat, move.man)
    passenger = None if move.passenger is None else _ref(state, seat, move.passenger)
    route = move.route or proposed(state, seat, ref, move.goal, passenger)
    return acts.Move(ref, route or (move.goal,), passenger)


def _doze(state: State, seat: int, doze: Doze) -> Action:
    ref = _ref(state, seat, doze.man)
    dozer = piece_of(state, seat, ref)
    if towards(dozer.square, doze.goal, seat) != doze.heading:
        raise Unfit("the direction to the Dozer's goal", DIRECTIONS[doze.heading])
    squares = {square for _, square in doze.men} - {dozer.square}
    action = acts.Doze(ref, tuple(sorted(squares)), doze.heading)
    known = sorted(
        (piece.kind, piece.cell)
        for piece in state.pieces
        if piece.cell in (dozer.square, *squares)
        and piece is not dozer
        and (piece.side == seat or piece.handle)
    )
    if sorted(doze.men) != known:
        words = " ".join(print_man(Man(kind, cell)) for kind, cell in known)
        raise Unfit(f"every piece that is pushed: {words}", "other ones")
    return action


def _fire(state: State, seat: int, fire: Fire) -> Action:
    ref = _ref(state, seat, fire.man)
    if fire.target is None:
        if fire.weapon == "BI":
            return acts.Bike(ref, fire.square)
        if fire.weapon in LEVEL:
            return acts.TakeOff(ref, fire.weapon, fire.square)
        heading = _heading(state, seat, ref, fire.square)
        if fire.weapon in BLASTS:
            return acts.Blast(ref, fire.weapon, heading)
        return acts.Launch(ref, fire.weapon, heading)
    enemies = targets(state, seat)
    target = enemies[_fitting(fire.target, enemies, "an enemy that is seen")]
    if fire.weapon == "RL":
        return acts.LimitedRocket(ref, target.square)
    return acts.Launch(ref, fire.weapon, -1, target.handle, target.cell, target.kind)


def _pick_up(state: State, seat: int, pick_up: PickUp) -> Action:
    ref = _ref(state, seat, pick_up.man)
    here = lying_gear(state, piece_of(state, seat, ref).square)
    gear = here[_place(here, pick_up.item)]
    return acts.PickUp(ref, gear.kind, gear.ready)


def _exchange(state: State, seat: int, exchange: Exchange) -> Action:
    giver, receiver = _ref(state, seat, exchange.giver), _ref(state, seat, exchange.receiver)
    give = _place(piece_of(state, seat, giver).gear, exchange.given)
    take = -1
    if exchange.taken is not None:
        take = _place(piece_of(state, seat, receiver).gear, exchange.taken)
    return acts.Exchange(giver, receiver, give, take)


def _call(state: State, seat: int, call: Call) -> Action:
    for reserve in state.reserves:
        waits = (reserve.side, reserve.square, reserve.kind, reserve.hand)
        if waits == (seat, call.square, call.kind, call.hand):
            return acts.Reinforce(call.square, call.kind)
    raise Unfit("a reinforcement that waits on that square", call.kind)


def _drop(state: State, seat: int, drop: Drop) -> Action:
    ref = _ref(state, seat, drop.man)
    return acts.Drop(ref, _place(piece_of(state, seat, ref).gear, drop.item))


ACTIONS: Final[Mapping[type[Clause], Callable[[State, int, Any], Action]]] = MappingProxyType(
    {
        Move: _move,
        Doze: _doze,
        Fire: _fire,
        PickUp: _pick_up,
        Exchange: _exchange,
        Call: _call,
        Drop: _drop,
    }
)
