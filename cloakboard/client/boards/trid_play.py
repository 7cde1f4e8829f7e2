"""A table of tri-dimensional chess as its screen shows it: what is chosen, the moves so far."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from cloakboard.client.boards import trid_choose as choose
from cloakboard.client.boards.trid_choose import Act, Ask, Choosing, Menu, Outcome, Pending, Refused
from cloakboard.client.session import Session
from cloakboard.client.sitting import OpenSitting
from cloakboard.engine.events import Event
from cloakboard.engine.trid.actions import Action, Castle, Move, MoveBoard
from cloakboard.engine.trid.board import NAMES, ON_PIN, PINS, carried, members
from cloakboard.engine.trid.events import BoardMoved, Castled, Moved, Promoted, Taken, TurnEnded
from cloakboard.engine.trid.notation.sheet import write_short
from cloakboard.engine.trid.pieces import EMPTY, kind_of, side_of
from cloakboard.engine.trid.pieces import NAMES as KINDS
from cloakboard.engine.trid.position import HOME
from cloakboard.engine.trid.routes import route
from cloakboard.engine.trid.rules import checked
from cloakboard.engine.trid.state import NOWHERE, State

VALUES = {"Q": 9, "R": 5, "B": 3, "N": 3, "P": 1}  # only the order of captured men hangs on them


@dataclass(frozen=True, slots=True)
class Ply:
    """A move as it was made: the state before it, the action, and how it is written."""

    before: State
    action: Action
    text: str
    taken: str = ""


class TridPlay(OpenSitting):
    """One screen at a table of tri-dimensional chess. `looking`: how many moves have been made
    in the position that is looked back at, None for the present one."""

    def __init__(self, session: Session) -> None:
        self.choosing = Choosing()
        self.asking: Ask | None = None
        self.plies: list[Ply] = []
        self.looking: int | None = None
        self._events: list[Event] = []
        self._begun: State | None = None
        self._menu: tuple[bool, Menu] | None = None  # as long as something can be chosen, or not
        super().__init__(session)
        self.forget()

    @property
    def menu(self) -> Menu:
        """What can be done here now; empty while nothing can."""
        may_act = self.may_act
        if self._menu is None or self._menu[0] != may_act:
            actions = tuple(self.session.actions(self.actor)) if may_act else ()
            self._menu = may_act, Menu(self.state, actions)
        return self._menu[1]

    @property
    def may_act(self) -> bool:
        """Whether something can be chosen: not while an earlier position is looked at."""
        return super().may_act and self.looking is None

    # What there is to see -----------------------------------------------------------------

    @property
    def sight(self) -> State:
        """The position on the board: the present one, or an earlier one that is looked at."""
        return self.state if self.looking is None else self.plies[self.looking].before

    def last(self) -> tuple[int, ...]:
        """The squares of the move that led to the position on the board."""
        count = len(self.plies) if self.looking is None else self.looking
        return ends(self.plies[count - 1]) if count else ()

    def last_way(self) -> tuple[int, ...]:
        """The way of the last man that moved; nothing after a board's move or castling."""
        count = len(self.plies) if self.looking is None else self.looking
        return way(self.plies[count - 1]) if count else ()

    def check(self) -> int:
        """The square of the king in check, or NOWHERE."""
        return checked(self.sight)

    def captured(self, side: int) -> str:
        """The letters of a side's men that were taken, the strongest first."""
        return captured(self.plies[: self.looking], side)

    def instruction(self) -> str:
        """What the player is expected to do next."""
        menu, choosing = self.menu, self.choosing
        if choosing.origin is not None:
            name = f"{KINDS[kind_of(menu.state.men[choosing.origin])]} on {NAMES[choosing.origin]}"
            return f"Choose where the {name} goes; lit squares can be reached."
        if choosing.pin is not None:
            turned = "turned by half" if choosing.turned else "not turned"
            asked = f"Choose a lit pin for board {PINS[choosing.pin]}, {turned}."
            can_turn = any(way[1] != choosing.turned for way in menu.boards[choosing.pin])
            return f"{asked} R turns it." if can_turn else asked
        whose = self.side(menu.state.side)
        if self.check() != NOWHERE:
            return f"{whose} is in check: answer it with a man or an attack board."
        if menu.boards:
            return f"{whose} to play: choose a man, or an attack board (B)."
        return f"{whose} to play: choose a man."

    def status(self) -> str:
        """One sentence: what is expected now, or why the last click did nothing."""
        if self.looking is not None and not self.refusal:
            return (
                f"Position before move {self.looking + 1}. Period goes on, Escape to the present."
            )
        return super().status()

    def look(self, place: int | None) -> None:
        """Looks back at the position after `place` moves; None or the end: at the present."""
        if place is not None:
            place = max(0, place)
        self.looking = None if place is None or place >= len(self.plies) else place
        self.settle()

    # What happens -------------------------------------------------------------------------

    def note(self, before: State, event: Event) -> None:
        """Gathers a turn's events into the move that they were."""
        if self._begun is None:
            self._begun = before
        self._events.append(event)
        if isinstance(event, TurnEnded):
            self.plies.append(ply(self._begun, self._events))
            self._events, self._begun = [], None

    def forget(self) -> None:
        """The moves so far are taken from the record, which may be ahead of what was told."""
        self._events, self._begun, self.looking = [], None, None
        self.plies = []
        recording = self.session.recording(self.viewer)
        if recording is None:
            return
        state = recording.start(None if recording.is_whole else recording.seat)
        plies, known = [], 0
        for record in recording.log:
            plies.append(ply(state, record.events))
            for event in record.events:
                state = recording.game.apply(state, event)
            if state == self.state:
                known = len(plies)
        self.plies = plies[:known]

    def settle(self) -> None:
        """Choosing begins anew."""
        super().settle()
        self.choosing = Choosing()
        self.asking = None
        self._menu = None

    # What the player does -----------------------------------------------------------------

    def click_square(self, square: int) -> None:
        """A square was pointed at."""
        if self._can_choose():
            self._take(choose.click_square(self.menu, self.choosing, square))

    def click_pin(self, pin: int) -> None:
        """A pin, or the edge of the board on it, was pointed at."""
        if self._can_choose():
            self._take(choose.click_pin(self.menu, self.choosing, pin))

    def turn_board(self) -> None:
        """The picked board is to be turned, or not."""
        if self._can_choose():
            self._take(choose.turn(self.menu, self.choosing))

    def next_board(self) -> None:
        """Picks the next attack board that can move."""
        if self._can_choose():
            self._take(choose.next_board(self.menu, self.choosing))

    def castle(self, queenside: bool) -> None:
        """Castles, or says why not."""
        if self._can_choose():
            self._take(choose.castle(self.menu, queenside))

    def answer(self, index: int) -> None:
        """One of the choices asked for was taken."""
        asking, self.asking = self.asking, None
        if asking is not None:
            self._take(Act(asking.choices[index][1]))

    def back(self) -> bool:
        """One step back; False if there was nothing to go back from."""
        had = bool(self.refusal) or self.asking is not None or self.choosing != Choosing()
        had = had or self.looking is not None
        self.refusal, self.asking, self.choosing = "", None, Choosing()
        if self.looking is not None:
            self.look(None)
        return had

    def _can_choose(self) -> bool:
        if not self.may_act:
            self.refusal = ""
            return False
        return True

    def _take(self, outcome: Outcome) -> None:
        self.refusal = ""
        match outcome:
            case Act(action=action):
                self.act(action)
            case Pending(choosing=choosing):
                self.choosing = choosing
            case Ask():
                self.asking = outcome
            case Refused(text=text):
                self.refusal = text


def ply(before: State, events: list[Event] | tuple[Event, ...]) -> Ply:
    """The move that a turn's events were."""
    action: Action | None = None
    taken = promotion = ""
    for event in events:
        match event:
            case Moved(origin=origin, target=target):
                action = Move(origin, target)
            case BoardMoved(pin=pin, to=to, turned=turned):
                action = MoveBoard(pin, to, turned)
            case Castled(queenside=queenside):
                action = Castle(queenside)
            case Taken(man=man):
                taken = man
            case Promoted(man=man) if side_of(man) == before.side:
                promotion = kind_of(man)
    match action:
        case Move(origin=origin, target=target):
            action = Move(origin, target, promotion)
        case MoveBoard(pin=pin, to=to, turned=turned):
            action = MoveBoard(pin, to, turned, promotion)
    assert action is not None, "every turn moves something"
    return Ply(before, action, write_short(before, action), taken)


def captured(plies: Iterable[Ply], side: int) -> str:
    """The letters of a side's men that these moves took, the strongest first."""
    gone = Counter(kind_of(one.taken) for one in plies if one.taken and side_of(one.taken) == side)
    return "".join(kind * gone[kind] for kind in VALUES if kind in gone)


def way(one: Ply) -> tuple[int, ...]:
    """The way of the man that moved; nothing for a board's move or castling."""
    return route(one.before, one.action) if isinstance(one.action, Move) else ()


def ends(one: Ply) -> tuple[int, ...]:
    """The squares to mark for a move: where it began, if that square still is, and ended."""
    match one.action:
        case Move(origin=origin, target=target):
            return origin, target
        case MoveBoard(pin=pin, to=to, turned=turned):
            men = one.before.men
            riding = [sq for sq in members(ON_PIN[pin]) if men[sq] != EMPTY]
            return tuple(carried(sq, to, turned) for sq in riding) or tuple(members(ON_PIN[to]))
        case Castle(queenside=queenside):
            king, near_rook, _, far_king = HOME[one.before.side]
            return (king, far_king) if queenside else (king, near_rook)
    return ()
