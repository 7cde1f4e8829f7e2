"""Six short lessons: a position each, and tasks that watch what the player does.

Pure. A lesson's match is a `LessonSession`: the player is Black, White only moves its Destroyer
there and back. A task is done by the first action, or end of a Turn, that its `check` accepts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

from cloakboard import assets
from cloakboard.client.local_session import LocalSession
from cloakboard.engine.events import Event
from cloakboard.engine.game import Action
from cloakboard.engine.registry import game
from cloakboard.engine.wec import actions as acts
from cloakboard.engine.wec.board import find
from cloakboard.engine.wec.events import Changed, Fell, Flew
from cloakboard.engine.wec.headings import distance
from cloakboard.engine.wec.notation.positions import read_scenario, write_setup
from cloakboard.engine.wec.position import Scenario
from cloakboard.engine.wec.state import (
    AIR,
    BLACK,
    GROUND,
    SQUARES,
    SUB,
    WHITE,
    State,
    square_at,
)

IDLER: Final = "DS"  # what White moves when it is to play
FOLDER: Final = Path(assets.__file__).parent / "lessons"


class Deed(NamedTuple):
    """What the player did: the view before, the action, and what Black learned of it."""

    before: State
    action: Action
    events: tuple[Event, ...]

    def kind(self) -> str:
        """The code of the piece that acted; empty if none did."""
        ref = getattr(self.action, "piece", None)
        piece = find(self.before, BLACK, ref) if ref is not None else None
        return piece.kind if piece is not None else ""

    def changes(self, *causes: str) -> tuple[Changed, ...]:
        """The changes of these causes among what happened."""
        return tuple(e for e in self.events if isinstance(e, Changed) and e.cause in causes)


Check = Callable[[Deed], bool]


@dataclass(frozen=True, slots=True)
class Task:
    """`text` asks for something in one line, `why` explains it once it is done; `squares` are
    marked meanwhile."""

    text: str
    check: Check
    why: str
    squares: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Lesson:
    """A lesson; `name` is its file and what the profile remembers."""

    name: str
    tasks: tuple[Task, ...]

    @property
    def scenario(self) -> Scenario:
        """Its start position."""
        return _scenario(self.name)

    @property
    def title(self) -> str:
        """What it is called."""
        return self.scenario.position.title


@cache
def _scenario(name: str) -> Scenario:
    return read_scenario((FOLDER / f"{name}.toml").read_text("utf-8"))


# -- what a task looks for -----------------------------------------------------------------------


def moves(kind: str, level: int | None = None, with_passenger: bool = False) -> Check:
    """A Move of a piece of that kind, if given to that level, and with a passenger."""

    def check(deed: Deed) -> bool:
        action = deed.action
        if not isinstance(action, acts.Move) or deed.kind() != kind:
            return False
        fits = level is None or action.route[-1] // SQUARES == level
        return fits and (action.passenger is not None or not with_passenger)

    return check


def does(action: type[acts.Action], kind: str = "") -> Check:
    """An action of that type, by a piece of that kind if one is given."""
    return lambda deed: isinstance(deed.action, action) and kind in ("", deed.kind())


def causes(*names: str, side: int = WHITE) -> Check:
    """Anything that befalls a piece of a side by one of these causes."""

    def check(deed: Deed) -> bool:
        befell = (event.before or event.after for event in deed.changes(*names))
        return any(piece is not None and piece.side == side for piece in befell)

    return check


def launches(shot: str) -> Check:
    """The launch of a projectile R, S or T by Black."""
    return lambda deed: any(
        isinstance(event, Flew)
        and event.before is None
        and event.after is not None
        and (event.after.kind, event.after.side) == (shot, BLACK)
        for event in deed.events
    )


def fells(deed: Deed) -> bool:
    """White's primary piece is lost."""
    return any(isinstance(event, Fell) and event.side == WHITE for event in deed.events)


ends = does(acts.EndTurn)
at = square_at

LESSONS: Final = (
    Lesson(
        "move",
        (
            Task(
                "Move the Stun Gun Pawn: click it, then one of the amber squares.",
                moves("STP"),
                "A Turn has exactly one Move; amber squares are where the piece may go.",
                (at(2, 6),),
            ),
            Task(
                "End the Turn: press E, or the button at the right end of the bar.",
                ends,
                "A Turn can end once its Move is made; then the other side plays.",
            ),
            Task(
                "Take the White pawn in column 3 with the Tank.",
                lambda deed: moves("TA")(deed) and causes("taken")(deed),
                "A piece takes by ending its Move on the enemy, all that stand there at once.",
                (at(2, 3), at(6, 3)),
            ),
            Task(
                "End the Turn.",
                ends,
                "White has made its Move, too; its King is within reach of your Queen.",
            ),
            Task(
                "Take the White King with your Queen.",
                fells,
                "Whose King is destroyed or converted loses, as soon as the Turn ends.",
                (at(4, 4), at(9, 9)),
            ),
        ),
    ),
    Lesson(
        "fire",
        (
            Task(
                "Fire the left Flamer Pawn at the pawn ahead: right-click it, then the square.",
                causes("burnt"),
                "A flamer hits whoever stands one square away in its direction.",
                (at(4, 4), at(5, 4)),
            ),
            Task(
                "Launch a rocket: right-click the Rocket Pawn, then a square straight ahead of it.",
                launches("R"),
                "A rocket flies one square at the end of every Turn and hits whom it meets.",
                (at(3, 9),),
            ),
            Task(
                "Two Fires are spent. Make a Move and end the Turn.",
                ends,
                "Fires come besides the Move; a weapon cools for some Turns, as its number tells.",
            ),
            Task(
                "Fire the other Flamer Pawn at the White Flamer Pawn ahead of it.",
                causes("hit"),
                "Its Anti-flamer withstood one hit; only more hits than defences have an effect.",
                (at(4, 7), at(5, 7)),
            ),
            Task(
                "Stun the Tank: fire the Stun Gun Pawn along its row.",
                causes("stunned"),
                "A stun gun reaches the first occupied square in its line; no defence, no mercy.",
                (at(6, 2), at(6, 6)),
            ),
        ),
    ),
    Lesson(
        "articles",
        (
            Task(
                "Pick up the Anti-flamer under the Stun Gun Pawn: press P, then click the pawn.",
                does(acts.PickUp, "STP"),
                "A piece carries one article, an XXX Pawn two; an XXX box makes it three.",
                (at(3, 4),),
            ),
            Task(
                "Hand it to the Tank beside it: press X, click one, then the other.",
                does(acts.Exchange),
                "Neighbours on a level may exchange; a Queen does so at any distance.",
                (at(3, 4), at(3, 5)),
            ),
            Task(
                "Move the XXX Pawn to the two articles, and end the Turn.",
                lambda deed: ends(deed) and _stands(deed, "XP", at(3, 8)),
                "At most two articles lie in a square, always at Ground.",
                (at(2, 7), at(3, 8)),
            ),
            Task(
                "Pick one of them up with it.",
                does(acts.PickUp, "XP"),
                "One Pick-up, one Drop and one Exchange a Turn, besides Move and Fires.",
                (at(3, 8),),
            ),
            Task(
                "Drop the Anti-flamer from the Tank: press D, then click the Tank.",
                does(acts.Drop, "TA"),
                "What lies on the board is seen by both; a lost carrier's articles scatter.",
                (at(3, 5),),
            ),
        ),
    ),
    Lesson(
        "levels",
        (
            Task(
                "Take the Chopper up with its passenger: move it to the Air of a marked square.",
                moves("CH", AIR, with_passenger=True),
                "A Chopper flies over what stands below, and carries whom it shares a square with.",
                (at(3, 3),),
            ),
            Task("End the Turn.", ends, "Air pieces are blue, Sub pieces green."),
            Task(
                "Land: move the Chopper down to Ground.",
                moves("CH", GROUND),
                "From the Air a Chopper must land; only Choppers and Jets are at home up there.",
            ),
            Task("End the Turn.", ends, "A passenger that loses its carrier aloft is destroyed."),
            Task(
                "Start the Jet: move it straight up.",
                moves("JE", AIR),
                "At Ground a Jet only goes up; in the Air it flies one or two squares.",
                (at(2, 6),),
            ),
            Task("End the Turn.", ends, "Level 2 on the keyboard is Air, 1 Ground, 3 Sub."),
            Task(
                "Dive: move the Submarine down to Sub.",
                moves("SU", SUB),
                "At Sub the enemy does not see it, unless a Torpedo launcher is within 3 squares.",
                (at(2, 9),),
            ),
        ),
    ),
    Lesson(
        "unseen",
        (
            Task(
                "Pick up the Stealth with the Stun Gun Pawn (P).",
                does(acts.PickUp, "STP"),
                "With a Stealth a piece goes out of the enemy's sight when the Turn ends.",
                (at(3, 3),),
            ),
            Task(
                "Move the Destroyer straight ahead, and end the Turn.",
                lambda deed: causes("shown")(deed) and ends(deed),
                "Its Torpedo launcher found a Submarine; your pawn's dashed ring means: unseen.",
                (at(4, 8), at(5, 8)),
            ),
            Task(
                "Move the Tank to 7,5, although the way only looks free.",
                lambda deed: moves("TA")(deed) and causes("taken")(deed),
                "It met a hidden AAA, stopped there and took it: the unseen bars the way, too.",
                (at(3, 5), at(7, 5)),
            ),
            Task(
                "Fire the pawn's stun gun in any direction.",
                does(acts.Blast, "STP"),
                "Firing shows a hidden piece until the end of the enemy's next Turn.",
                (at(3, 3),),
            ),
        ),
    ),
    Lesson(
        "reserves",
        (
            Task(
                "Push: press Z, click the Dozer, then the pawn ahead, Enter, and a direction.",
                does(acts.Doze),
                "The Dozer, who shares its square and up to four more squares move together.",
                (at(3, 5), at(4, 5)),
            ),
            Task(
                "End the Turn while your Destroyer stands on the activation square (V shows it).",
                ends,
                "One of yours stood there at the end of a Turn: the reinforcement is armed.",
                (at(6, 2),),
            ),
            Task(
                "Move the Destroyer off that square.",
                moves("DS"),
                "Once the square is left and empty, what waits there may arrive.",
                (at(6, 2),),
            ),
            Task(
                "Reinforce: press R and click the square.",
                does(acts.Reinforce),
                "One arrives a Turn, besides everything else, and may act from then on.",
                (at(6, 2),),
            ),
        ),
    ),
)
BY_NAME: Final = MappingProxyType({lesson.name: lesson for lesson in LESSONS})


def _stands(deed: Deed, kind: str, square: int) -> bool:
    return any(
        (piece.side, piece.kind, piece.cell) == (BLACK, kind, square)
        for piece in deed.before.pieces
    )


# -- a lesson under way --------------------------------------------------------------------------


class LessonSession(LocalSession):
    """The match of a lesson. `done` is how many tasks are done."""

    def __init__(self, lesson: Lesson, name: str) -> None:
        self.lesson = lesson
        self._marks = [(0, 0)]  # length of the log, tasks done then
        scenario = lesson.scenario
        super().__init__(
            game("wec"),
            (name, "White"),
            options=scenario.options,
            setup=write_setup(scenario.position),
            seed=lesson.name.encode(),
            computers=(WHITE,),
        )
        self._home = next(
            piece.square
            for piece in self.table.state.pieces
            if (piece.side, piece.kind) == (WHITE, IDLER)
        )

    @property
    def done(self) -> int:
        """How many tasks are done."""
        return self._marks[-1][1]

    @property
    def task(self) -> Task | None:
        """The task to do now, None when all are done."""
        tasks = self.lesson.tasks
        return tasks[self.done] if self.done < len(tasks) else None

    @property
    def said(self) -> str:
        """Why the last task that was done is worth knowing."""
        return self.lesson.tasks[self.done - 1].why if self.done else ""

    def act(self, seat: int, action: Action) -> None:
        """Takes the action; of the player's, sees whether it does the task."""
        before = self.state(BLACK)
        first = len(self.table.log)
        super().act(seat, action)
        task = self.task
        if seat != BLACK or task is None:
            return
        events = tuple(
            event
            for record in self.table.log[first:]
            for event in record.events
            if not event.only or BLACK in event.only
        )
        if task.check(Deed(before, action, events)):
            self._marks.append((len(self.table.log), self.done + 1))

    def undo(self) -> None:
        """Takes the last action back, and what it had done for the lesson."""
        super().undo()
        kept = [mark for mark in self._marks if mark[0] <= len(self.table.log)]
        self._marks = kept

    def _chosen(self, seat: int) -> Action:
        """White's Destroyer leaves its square and comes back; nothing else happens."""
        if self.table.state.spent.move:
            return acts.EndTurn()
        moves = [action for action in self.actions(seat) if isinstance(action, acts.Move)]
        idle = [move for move in moves if self._kind_of(move) == IDLER]
        return min(idle or moves, key=self._strays, default=acts.EndTurn())

    def _kind_of(self, move: acts.Move) -> str:
        piece = find(self.table.state, WHITE, move.piece)
        return piece.kind if piece is not None else ""

    def _strays(self, move: acts.Move) -> tuple[int, tuple[int, ...]]:
        return distance(move.route[-1] % SQUARES, self._home), move.route
