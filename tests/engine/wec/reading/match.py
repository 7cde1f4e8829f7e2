"""A random match, the engine held against the second reading at each of its plies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Final

from cloakboard.engine.chance import seeded_draw
from cloakboard.engine.drive import Outcome, drive, full_answer
from cloakboard.engine.events import Event
from cloakboard.engine.wec import GAME
from cloakboard.engine.wec.actions import Bike, Doze, Move, Reinforce, TakeOff
from cloakboard.engine.wec.state import SIDES, State
from tests.engine.wec.reading import going, moving, seeing
from tests.engine.wec.reading.going import GOINGS, called, name_of
from tests.engine.wec.reading.lighting import WEAPONS_FIRED, lit_by
from tests.engine.wec.reading.world import Man, World, man, place_of, world
from tests.play import Dice

TRIED: Final = 2  # moves of each position whose outcome is compared, besides the one played
DOZES_AT_MOST: Final = 1500  # more are not listed a second time
TAKEN_AT: Final = {"Ground": "taken", "Air": "taken in Air", "Sub": "taken at Sub"}
PACK_TARGETS: Final = 99  # WEC-71: any square but its own


class Differs(AssertionError):
    """Engine and reading do not agree."""


def agree(what: str, engine: Iterable[Any], reading: Iterable[Any]) -> None:
    """Raises `Differs` unless both hold the same, however often and in whatever order."""
    ours, theirs = Counter(engine), Counter(reading)
    if ours != theirs:
        more = sorted((ours - theirs).elements(), key=repr)
        fewer = sorted((theirs - ours).elements(), key=repr)
        raise Differs(f"{what}: the engine alone has {more}, the rules alone {fewer}")


class Match:
    """The state goes on by `play`; each step is compared. `met` counts what came up."""

    def __init__(self, seed: int, options: Mapping[str, Any], setup: str = "") -> None:
        self.dice = Dice(seed)
        self.seed = seed.to_bytes(8, "big")
        self.state: State = GAME.start(options, setup, self.seed)
        self.drawn = 0
        self.fired: dict[int, int] = {}  # the Turn in which a handle's firing showed it
        self.sighted: list[Counter[Any]] = [Counter(), Counter()]
        self.met: Counter[str] = Counter()
        start = world(self.state)
        self._settled(seeing.first_seen(start), start, frozenset())

    def play(self, plies: int) -> None:
        """So many random actions; whatever is owed comes with them."""
        for _ in range(plies):
            if not GAME.to_act(self.state):
                return
            self._compare_views()
            by_class = self._compare_moves()
            if not by_class:
                return
            name = self.dice.choose(sorted(by_class))
            self._step(self.dice.choose(by_class[name]))
            while GAME.to_act(self.state):
                owed = GAME.forced(GAME.view(self.state, self.state.side), self.state.side)
                if owed is None:
                    break
                self._step(owed)

    def _compare_views(self) -> None:
        """What each seat is given (WEC-97, WEC-99)."""
        now = world(self.state)
        for seat in SIDES:
            view = GAME.view(self.state, seat)
            given = [man(view, piece, (0, 0, 0)).looks for piece in view.pieces]
            expected = [m.looks for m in now.men if m.side == seat or m.is_public]
            agree(f"seat {seat} sees", given, expected)
            assert view.secrets[1 - seat] is None
            kept = Counter(m.looks for m in now.sighted[seat])
            if seat == now.side:
                agree(f"seat {seat} sees privately", kept, self.sighted[seat])
            assert kept <= self.sighted[seat]

    def _compare_moves(self) -> dict[str, list[Any]]:
        """All actions by class."""
        now, seat = world(self.state), self.state.side
        by_class: dict[str, list[Any]] = {}
        for action in GAME.actions(GAME.view(self.state, seat), seat):
            by_class.setdefault(type(action).__name__, []).append(action)
        moves = by_class.get("Move", [])
        agree("moves", [going.go_of(move) for move in moves], moving.moves(now, seat))
        bikes: list[Bike] = by_class.get("Bike", [])
        rides = [(name_of(bike.piece), place_of(bike.cell)) for bike in bikes]
        agree("bikes", rides, moving.bikes(now, seat))
        packs: list[TakeOff] = by_class.get("TakeOff", [])
        offs = Counter((name_of(pack.piece), pack.pack) for pack in packs)
        agree("take-offs", list(offs), moving.take_offs(now, seat))
        assert set(offs.values()) <= {PACK_TARGETS}
        dozes: list[Doze] = by_class.get("Doze", [])
        if len(dozes) <= DOZES_AT_MOST:
            named = [
                (name_of(doze.dozer), tuple(map(place_of, doze.picked)), doze.heading)
                for doze in dozes
            ]
            agree("dozes", named, moving.dozes(now, seat))
            self.met["doze offered"] += bool(dozes)
        for _ in range(TRIED if moves else 0):
            self._compare_outcome(self.dice.choose(moves))
        return by_class

    def _compare_outcome(self, move: Move) -> None:
        """Where a move ends and whom it takes, not played."""
        self._gone(move, self._resolved(move)[0])

    def _gone(self, action: Any, resolved: Outcome) -> None:
        """Where everyone stands after an action that goes somewhere."""
        now = world(self.state)
        found = [going.stand(one, one.place) for one in world(resolved.state).men]
        agree(f"after {action}", found, going.after(now, action))
        if isinstance(action, Doze):
            return
        end, taken = going.outcome(now, action)
        for one in taken:
            self.met[TAKEN_AT[one.place.level]] += 1
        if isinstance(action, Move):
            self.met["stopped"] += end != place_of(action.route[-1])
            self.met["carried"] += action.passenger is not None

    def _resolved(self, action: Any) -> tuple[Outcome, list[State]]:
        """What an action comes to, and the state after each of its events."""
        stages: list[State] = []
        drawn = self.drawn

        def draw() -> int:
            nonlocal drawn
            drawn += 1
            return seeded_draw(self.seed, drawn)

        def keep(_: Event, state: State) -> None:
            stages.append(state)

        outcome = drive(
            GAME,
            self.state,
            self.state.side,
            action,
            lambda state, probe: full_answer(GAME, state, probe, draw),
            keep,
        )
        return outcome, stages

    def _step(self, action: Any) -> None:
        before = world(self.state)
        outcome, stages = self._resolved(action)
        self.met[type(action).__name__] += 1
        if isinstance(action, GOINGS):
            self._gone(action, outcome)
        until = [one for one in stages if one.turn == self.state.turn]
        lit = came_to_light(self.state, until)
        self._compare_lit(before, action, lit)
        if isinstance(action, WEAPONS_FIRED):
            firer = called(before, action.piece)
            if seeing.firing_shows(before, firer):
                self.fired[handle_of(firer, lit)] = before.turn
        for one in lit:
            for seen in self.sighted:
                seen -= Counter([one.looks])
        if len(until) < len(stages):
            fired = frozenset(h for h, turn in self.fired.items() if turn == before.turn)
            self._settled(world(stages[len(until)]), world(outcome.state), fired)
        self.drawn += sum(exchange.probe.form == "draw" for exchange in outcome.exchanges)
        self.state = outcome.state

    def _compare_lit(self, before: World, action: Any, lit: list[Man]) -> None:
        """Who became public before any settlement (WEC-97)."""
        expected = lit_by(before, action)
        found = [one.looks for one in lit]
        surely = Counter(one.looks for one in expected.surely)
        if isinstance(action, Reinforce) and not surely:
            assert [one.kind for one in lit] == [action.kind]
            return
        more = Counter(found) - surely
        agree(f"{action} lights up", found, (surely + more).elements())
        assert more <= Counter(one.looks for one in expected.perhaps), (action, more)
        assert expected.least <= more.total() <= expected.most, (action, more)
        self.met["lit"] += len(lit)

    def _settled(self, before: World, after: World, fired: seeing.Handles) -> None:
        """Who is public and who is seen privately once sight is settled."""
        public, private = seeing.settled(before, fired)
        agree("public", [m.looks for m in after.men if m.is_public], [m.looks for m in public])
        agree("all", [m.looks for m in after.men], [m.looks for m in before.men])
        for seat in SIDES:
            self.sighted[seat] = Counter(m.looks for m in private[seat])
            agree(
                f"privately seen by {seat}",
                [m.looks for m in after.sighted[seat]],
                self.sighted[seat].elements(),
            )
            self.met["privately seen"] += len(private[seat])
        self.met["unseen"] += len(after.men) - len(public)


def came_to_light(before: State, stages: list[State]) -> list[Man]:
    """The men that got a handle at one of the stages, as they stood then."""
    lit, known = [], before.next_handle
    for stage in stages:
        for piece in stage.pieces:
            if piece.handle >= known:
                lit.append(man(stage, piece, (piece.handle, 0, 0)))
        known = max(known, stage.next_handle)
    return lit


def handle_of(firer: Man, lit: list[Man]) -> int:
    """The handle of a man that is public now."""
    return firer.name[0] or next(one.name[0] for one in lit if one.looks == firer.looks)
