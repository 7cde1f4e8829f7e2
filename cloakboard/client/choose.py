"""From clicks and keys to a WEC action, or a sentence why not.

Every legal action is a path of steps that a player points out (`steps.py`). The steps chosen
so far narrow the actions down; a step with one possible word is taken by itself. All
functions are pure and see the acting seat's view alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from cloakboard.client.boards import wec_geometry as geometry
from cloakboard.client.refusals import why_not
from cloakboard.client.steps import (
    VERB_OF,
    Path,
    Step,
    Verb,
    Where,
    Which,
    Who,
    line_of,
    paths_of,
    who_of,
)
from cloakboard.client.words import place
from cloakboard.engine.wec import actions as acts
from cloakboard.engine.wec.board import seen
from cloakboard.engine.wec.state import GROUND, SQUARES, Piece, State


@dataclass(frozen=True, slots=True)
class Choosing:
    """How far the player has come. `squares` and `aiming` belong to dozing (WEC-48): the
    squares picked so far, and whether the direction comes next."""

    verb: Verb = Verb.MOVE
    picked: Path = ()
    squares: tuple[int, ...] = ()
    aiming: bool = False


@dataclass(frozen=True, slots=True)
class Click:
    """A square pointed at; the level and the piece if the pointer was exact about them."""

    square: int
    level: int | None = None
    ref: acts.Ref | None = None


@dataclass(frozen=True, slots=True)
class Act:
    """The choice is complete."""

    action: acts.Action


@dataclass(frozen=True, slots=True)
class Pending:
    """The choice goes on."""

    choosing: Choosing


@dataclass(frozen=True, slots=True)
class Ask:
    """Several fit: the player chooses one of `steps`."""

    choosing: Choosing
    question: str
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Refused:
    """Nothing fits; `text` is a sentence why."""

    text: str


Outcome = Act | Pending | Ask | Refused


@dataclass(frozen=True, slots=True)
class Mark:
    """A highlight: `kind` is `piece`, `go`, `take`, `aim`, `picked` or `along` (the rest of a
    line of fire)."""

    cell: int
    kind: str


@dataclass(frozen=True)
class Menu:
    """What a seat can do now: its view and its legal actions."""

    state: State
    seat: int
    actions: tuple[acts.Action, ...]
    all_routes: bool = False
    _paths: dict[Verb, dict[Path, acts.Action]] = field(default_factory=dict, compare=False)

    def paths(self, verb: Verb) -> Mapping[Path, acts.Action]:
        """Every way to point out an action of this verb, in the order of the actions."""
        if verb not in self._paths:
            found: dict[Path, acts.Action] = {}
            proposed: set[Path] = set()
            for action in self.actions:
                if VERB_OF.get(type(action)) is not verb or isinstance(action, acts.Doze):
                    continue
                for path in paths_of(self.state, self.seat, action):
                    if isinstance(action, acts.Move) and not self.all_routes:
                        if path[:-1] in proposed:
                            continue
                        proposed.add(path[:-1])
                    found.setdefault(path, action)
            self._paths[verb] = found
        return self._paths[verb]

    def dozes(self, dozer: acts.Ref) -> dict[tuple[int, ...], dict[int, acts.Doze]]:
        """Per set of picked squares, the doze in each heading."""
        found: dict[tuple[int, ...], dict[int, acts.Doze]] = {}
        for action in self.actions:
            if isinstance(action, acts.Doze) and action.dozer == dozer:
                found.setdefault(action.picked, {})[action.heading] = action
        return found

    def can(self, verb: Verb) -> bool:
        """Whether any action of this verb is legal now."""
        return any(VERB_OF.get(type(action)) is verb for action in self.actions)


def pending(menu: Menu, choosing: Choosing) -> tuple[Step, ...]:
    """The steps that may come next, each once, in the order of the actions."""
    if choosing.verb is Verb.DOZE:
        return _doze_pending(menu, choosing)
    depth = len(choosing.picked)
    found: dict[Step, None] = {}
    for path in menu.paths(choosing.verb):
        if len(path) > depth and path[:depth] == choosing.picked:
            found[path[depth]] = None
    return tuple(found)


def click(menu: Menu, choosing: Choosing, at: Click) -> Outcome:
    """What pointing at a square does."""
    if choosing.verb is Verb.DOZE and choosing.picked:
        return _doze_click(menu, choosing, at)
    hits = _touched(pending(menu, choosing), at)
    if not hits and choosing.picked:
        again = click(menu, Choosing(choosing.verb), at)
        return again if not isinstance(again, Refused) else Refused(_refusal(menu, choosing, at))
    if not hits:
        return Refused(_refusal(menu, choosing, at))
    if len(hits) > 1:
        question = "Which piece?" if isinstance(hits[0], Who) else "What exactly?"
        return Ask(choosing, question, hits)
    return answer(menu, choosing, hits[0])


def answer(menu: Menu, choosing: Choosing, step: Step) -> Outcome:
    """What choosing one of the pending steps does."""
    if choosing.verb is Verb.DOZE:
        return Pending(replace(choosing, picked=(step,)))
    picked = (*choosing.picked, step)
    narrowed = replace(choosing, picked=picked)
    action = menu.paths(choosing.verb).get(picked)
    if action is not None:
        return Act(action)
    following = pending(menu, narrowed)
    words = tuple(option for option in following if isinstance(option, Which))
    if not words:
        return Pending(narrowed)
    if len(words) == 1:
        return answer(menu, narrowed, words[0])
    return Ask(narrowed, _question(menu, narrowed), words)


def back(choosing: Choosing) -> Choosing:
    """One step back (Escape); from the start of a verb, the Move."""
    if choosing.aiming:
        return replace(choosing, aiming=False)
    if choosing.squares:
        return replace(choosing, squares=choosing.squares[:-1])
    if not choosing.picked:
        return Choosing()
    picked = choosing.picked
    while isinstance(picked[-1], Which):
        picked = picked[:-1]
    return replace(choosing, picked=picked[:-1])


def resting_verb(menu: Menu) -> Verb:
    """What the left button does when nothing was chosen: the Move while it is to be made, then
    firing while that is possible."""
    for verb in (Verb.MOVE, Verb.DOZE, Verb.FIRE):
        if menu.can(verb):
            return verb
    return Verb.MOVE


def marks(menu: Menu, choosing: Choosing) -> tuple[Mark, ...]:
    """What to highlight on the board."""
    found: dict[int, Mark] = {}
    for step in pending(menu, choosing):
        match step:
            case Who(cell=cell):
                found[cell] = Mark(cell, "piece")
            case Where(cells=cells) if cells:
                kind = "go" if choosing.verb in (Verb.MOVE, Verb.DOZE, Verb.REINFORCE) else "aim"
                if kind == "go" and choosing.verb is Verb.MOVE and enemies(menu, cells[0]):
                    kind = "take"
                found[cells[0]] = Mark(cells[0], kind)
                for cell in cells[1:]:
                    found.setdefault(cell, Mark(cell, "along"))
    for step in choosing.picked:
        if isinstance(step, Who):
            found.setdefault(step.cell, Mark(step.cell, "picked"))
    for square in choosing.squares:
        found[square] = Mark(square, "picked")
    return tuple(found.values())


def enemies(menu: Menu, cell: int) -> tuple[Piece, ...]:
    """The enemy pieces this seat knows in a cell, its privately seen ones included."""
    known = seen(menu.state, menu.seat)
    return tuple(piece for piece in known if piece.cell == cell and piece.side != menu.seat)


def _touched(steps: Iterable[Step], at: Click) -> tuple[Step, ...]:
    cells = {
        step: (step.cell,) if isinstance(step, Who) else step.cells
        for step in steps
        if not isinstance(step, Which)
    }
    hits = [step for step in cells if any(cell % SQUARES == at.square for cell in cells[step])]
    exact = [step for step in hits if isinstance(step, Who) and step.ref == at.ref]
    if exact:
        return tuple(exact)
    if at.level is not None:
        level = [step for step in hits if at.level * SQUARES + at.square in cells[step]]
        hits = level or hits
    return tuple(hits)


def _question(menu: Menu, choosing: Choosing) -> str:
    if choosing.verb is Verb.MOVE:
        routes = len(choosing.picked) > 2
        return "Which way?" if routes else "Does its passenger come along?"
    questions = {
        Verb.FIRE: "Fire what?",
        Verb.PICK_UP: "Pick up what?",
        Verb.DROP: "Drop what?",
        Verb.EXCHANGE: "What changes hands?",
        Verb.REINFORCE: "Who arrives?",
    }
    return questions.get(choosing.verb, "Which one?")


# Dozing (WEC-48): a set of squares, then a heading ----------------------------------------------


def _doze_pending(menu: Menu, choosing: Choosing) -> tuple[Step, ...]:
    if not choosing.picked:
        dozers = {action.dozer: None for action in menu.actions if isinstance(action, acts.Doze)}
        return tuple(who_of(menu.state, menu.seat, ref) for ref in dozers)
    dozer = choosing.picked[0]
    assert isinstance(dozer, Who)
    sets = menu.dozes(dozer.ref)
    if choosing.aiming:
        headings = sets.get(tuple(sorted(choosing.squares)), {})
        return tuple(
            line_of(dozer.cell, heading, menu.seat, GROUND, 1) for heading in sorted(headings)
        )
    chosen = set(choosing.squares)
    more = {square for picked in sets if chosen < set(picked) for square in picked} - chosen
    return tuple(Where(place(square), (square,)) for square in sorted(more))


def _doze_click(menu: Menu, choosing: Choosing, at: Click) -> Outcome:
    dozer = choosing.picked[0]
    assert isinstance(dozer, Who)
    if choosing.aiming:
        for heading, action in menu.dozes(dozer.ref)[tuple(sorted(choosing.squares))].items():
            if geometry.stepped(dozer.cell % SQUARES, heading, menu.seat) == at.square:
                return Act(action)
        return Refused("Choose one of the marked directions next to the Dozer.")
    if at.square == dozer.cell % SQUARES:
        return confirm(menu, choosing)
    if at.square in choosing.squares:
        left = tuple(square for square in choosing.squares if square != at.square)
        return Pending(replace(choosing, squares=left))
    if any(at.square in step.cells for step in pending(menu, choosing) if isinstance(step, Where)):
        return Pending(replace(choosing, squares=(*choosing.squares, at.square)))
    if len(choosing.squares) == 4:
        return Refused("A Dozer pushes at most four squares besides its own.")
    return Refused("A pushed square must hold a piece on Ground and touch the Dozer or the others.")


def confirm(menu: Menu, choosing: Choosing) -> Outcome:
    """Goes from picking squares to choosing the direction of a doze."""
    dozer = choosing.picked[0] if choosing.picked else None
    if choosing.verb is not Verb.DOZE or not isinstance(dozer, Who):
        return Refused("Choose a piece first.")
    if tuple(sorted(choosing.squares)) not in menu.dozes(dozer.ref):
        return Refused("These squares cannot be pushed in any direction; change the choice.")
    return Pending(replace(choosing, aiming=True))


def _refusal(menu: Menu, choosing: Choosing, at: Click) -> str:
    first = choosing.picked[0] if choosing.picked else None
    ref = first.ref if isinstance(first, Who) else None
    return why_not(menu.state, menu.seat, choosing.verb, ref, at.square)
