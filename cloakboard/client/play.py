"""A WEC table as its screen shows it: whose eyes, what is chosen, what is said.

Without a window: the screen draws from this and hands clicks and keys to it. Events are shown
one by one; `shown` is the viewer's state as far as they have been shown, and nothing can be
chosen before it has caught up.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final, NamedTuple

from cloakboard.client import choose
from cloakboard.client.choose import Act, Ask, Choosing, Click, Menu, Outcome, Pending, Refused
from cloakboard.client.reel import told_with_its_piece
from cloakboard.client.refusals import spent, used_up
from cloakboard.client.session import Happening, Session
from cloakboard.client.sitting import Sitting
from cloakboard.client.steps import Step, Verb, Who, piece_of
from cloakboard.client.words import PIECES, SIDES, sentences
from cloakboard.engine.events import Event
from cloakboard.engine.game import Action
from cloakboard.engine.wec.actions import EndTurn
from cloakboard.engine.wec.events import Changed, Lapsed, TurnEnded
from cloakboard.engine.wec.state import Piece, State

FIRST_TURN: Final = 1
GHOST_TURNS: Final = 4  # Turns of either side for which a last seen place is marked


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the history: the Turn it belongs to, whose Turn it was, and the sentence."""

    turn: int
    side: int
    text: str


class Ghost(NamedTuple):
    """Where an enemy piece was last seen, and in which Turn (WEC-98)."""

    piece: Piece
    turn: int


class Chip(NamedTuple):
    """An allowance of the Turn: what is left of how many."""

    label: str
    left: int
    of: int


class Play(Sitting):
    """One screen at a table. `viewer` is the seat whose eyes it has; `curtain` the seat that is
    to take over the device, None while the viewer sits there."""

    def __init__(self, session: Session) -> None:
        here = session.seats_here
        super().__init__(session, next((s for s in session.to_act() if s in here), here[0]))
        self.curtain: int | None = self.viewer if len(here) > 1 else None
        self.choosing = Choosing()
        self.asking: Ask | None = None
        self.all_routes = False
        self.shown: dict[int, State] = {seat: session.state(seat) for seat in here}
        self.history: dict[int, list[Line]] = {seat: [] for seat in here}
        self._ghosts: dict[int, list[Ghost]] = {seat: [] for seat in here}
        self._waiting: dict[int, deque[Event]] = {seat: deque() for seat in here}
        self._menu: Menu | None = None
        self._preceding: Event | None = None
        for seat in here:
            if self.shown[seat].turn != FIRST_TURN:
                self._recall(seat)

    # What there is to see -----------------------------------------------------------------

    @property
    def state(self) -> State:
        """The viewer's state as far as it has been shown."""
        return self.shown[self.viewer]

    @property
    def turn(self) -> int:
        """The number of the running Turn."""
        return self.state.turn

    @property
    def is_behind(self) -> bool:
        """Whether events wait to be shown to the viewer."""
        return bool(self._waiting[self.viewer])

    @property
    def may_act(self) -> bool:
        """Whether the viewer can choose something now."""
        return self.curtain is None and super().may_act

    @property
    def menu(self) -> Menu:
        """What the viewer can do now; empty while it cannot act."""
        state = self.session.state(self.viewer) if self.may_act else self.state
        if (
            self._menu is None
            or self._menu.state is not state
            or self._menu.all_routes != self.all_routes
        ):
            actions = tuple(self.session.actions(self.viewer)) if self.may_act else ()
            self._menu = Menu(state, self.viewer, actions, self.all_routes)
        return self._menu

    def chips(self) -> tuple[Chip, ...]:
        """What the Turn still allows its side, as far as the viewer knows (WEC-11)."""
        used = spent(self.state, self.viewer)
        rows = (
            ("Move", used.move, 1),
            ("Fires", used.fires, 2),
            ("Pick-up", used.pickup, 1),
            ("Drop", used.drop, 1),
            ("Exchange", used.exchange, 1),
            ("Reinforce", used.reinforce, 1),
        )
        return tuple(Chip(label, max(0, of - gone), of) for label, gone, of in rows)

    def ghosts(self) -> tuple[Piece, ...]:
        """The enemy pieces that went out of the viewer's sight lately, as last seen."""
        since = self.state.turn - GHOST_TURNS
        return tuple(ghost.piece for ghost in self._ghosts[self.viewer] if ghost.turn >= since)

    def instruction(self) -> str:
        """What the player is expected to do next."""
        return instruction(self.menu, self.choosing)

    # What happens -------------------------------------------------------------------------

    def poll(self) -> list[Happening]:
        """Takes in what the session tells; gives what the screen itself must react to."""
        happenings = super().poll()
        if happenings and not self.may_act:
            self.refusal = ""  # it was what was waited for then
        self._pass_device()
        return happenings

    def next_event(self) -> tuple[State, Event, State] | None:
        """Shows one more event to the viewer: the state before, it, and the state after; None
        when there is none."""
        if self.curtain is not None or not self._waiting[self.viewer]:
            return None
        event = self._waiting[self.viewer].popleft()
        before = self.state
        after = self.session.game.apply(before, event)
        self.shown[self.viewer] = after
        self._note(self.viewer, before, event, self.following())
        self._haunt(self.viewer, before, event)
        if not self.is_behind:
            self.settle()
        return before, event, after

    def following(self) -> Event | None:
        """The event that `next_event` shows next."""
        waiting = self._waiting[self.viewer]
        return waiting[0] if waiting else None

    def hear(self, seat: int, event: Event) -> None:
        """Each seat here has events of its own."""
        self._waiting[seat].append(event)

    def raise_curtain(self) -> None:
        """The seat behind the curtain sits down."""
        if self.curtain is not None:
            self.viewer = self.curtain
            self.curtain = None
            self.settle()

    def _recall(self, seat: int) -> None:
        """Notes what happened so far, if the session still has it."""
        recording = self.session.recording(seat)
        if recording is None:
            return
        state = recording.start(seat)
        events = [event for record in recording.log for event in record.events]
        for event, following in zip_longest(events, events[1:]):
            self._note(seat, state, event, following)
            self._haunt(seat, state, event)
            state = self.session.game.apply(state, event)
        self._preceding = None

    def _note(self, seat: int, before: State, event: Event, following: Event | None) -> None:
        preceding, self._preceding = self._preceding, event
        if told_with_its_piece(preceding, event, following):
            return
        texts = sentences(before, event)  # type: ignore[arg-type]  # an event of this game
        lines = [Line(before.turn, before.side, text) for text in texts]
        if isinstance(event, TurnEnded) and not any(
            line.turn == before.turn for line in self.history[seat]
        ):
            lines = [Line(before.turn, before.side, f"{SIDES[before.side]} shows nothing.")]
        self.history[seat] += lines

    def _haunt(self, seat: int, before: State, event: Event) -> None:
        """Keeps where enemies were last seen; one that is seen again has no ghost."""
        ghosts = self._ghosts[seat]
        match event:
            case Lapsed(handles=handles):
                gone = [p for p in before.pieces if p.handle in handles and p.side != seat]
                ghosts.extend(Ghost(piece, before.turn) for piece in gone)
            case Changed(before=None, after=piece) if piece is not None and piece.side != seat:
                like = [
                    g for g in ghosts if (g.piece.kind, g.piece.hand) == (piece.kind, piece.hand)
                ]
                if like:
                    ghosts.remove(like[-1])
            case _:
                pass

    def jump(self) -> None:
        """Shows every seat here its present state."""
        self.result = self.session.result()
        for seat in self.session.seats_here:
            self._ghosts[seat].clear()
            self._waiting[seat].clear()
            self.shown[seat] = self.session.state(seat)
            turn = self.shown[seat].turn
            before = [line for line in self.history[seat] if line.turn < turn]
            self.history[seat] = []
            if self.result is None:  # else the recording tells more than this seat's events
                self._recall(seat)
            if not self.history[seat]:
                self.history[seat] = before
        self.settle()

    def settle(self) -> None:
        """All has been shown: choosing begins anew."""
        super().settle()
        self.choosing = Choosing()
        self.asking = None
        self._menu = None
        if self.may_act:
            self.choosing = Choosing(choose.resting_verb(self.menu))

    def _pass_device(self) -> None:
        """Draws the curtain once the viewer has seen its Turn end and another seat here is to
        act."""
        if self.curtain is not None or self.is_behind or self.result is not None:
            return
        acting = [seat for seat in self.session.to_act() if seat in self.session.seats_here]
        if acting and self.viewer not in acting:
            self.curtain = acting[0]

    # What the player does -----------------------------------------------------------------

    def click(self, at: Click, fire: bool = False) -> None:
        """A square was pointed at, with the left button or, `fire`, the right one."""
        if not self.may_act:
            self.refusal = "" if self.result is not None else self.status()
            return
        choosing = self.choosing
        if fire and choosing.verb is not Verb.FIRE and not used_up(self.state, self.viewer, FIRE):
            choosing = Choosing(Verb.FIRE)
        self._take(choose.click(self.menu, choosing, at))

    def choose_verb(self, verb: Verb) -> None:
        """A button or key of the bottom bar, or says why not."""
        if not self.may_act:
            self.refusal = "" if self.result is not None else self.status()
            return
        if verb is Verb.END:
            self.end_turn()
            return
        self.asking = None
        why = "" if self.menu.can(verb) else used_up(self.state, self.viewer, verb)
        self.refusal = why or ("" if self.menu.can(verb) else NOTHING[verb])
        if not self.refusal:
            self.choosing = Choosing(verb)

    def end_turn(self) -> None:
        """Ends the Turn, or says why it cannot end."""
        if not self.may_act:
            return
        if not self.menu.can(Verb.END):
            self.refusal = used_up(self.state, self.viewer, Verb.END)
            return
        self.act(EndTurn())

    def answer(self, step: Step) -> None:
        """One of the choices asked for was taken."""
        if self.asking is not None:
            choosing, self.asking = self.asking.choosing, None
            self._take(choose.answer(self.menu, choosing, step))

    def confirm(self) -> None:
        """Enter without a square: goes on to the direction of a doze."""
        if self.may_act and self.choosing.verb is Verb.DOZE:
            self._take(choose.confirm(self.menu, self.choosing))

    def back(self) -> bool:
        """One step back; False if there was nothing to go back from."""
        self.refusal = ""
        if self.asking is not None:
            self.asking = None
            return True
        if not self.may_act:
            return False
        resting = Choosing(choose.resting_verb(self.menu))
        before = self.choosing
        self.choosing = choose.back(before) if before.picked else resting
        return self.choosing != before

    def _take(self, outcome: Outcome) -> None:
        self.refusal = ""
        match outcome:
            case Act(action=action):
                self.act(action)
            case Pending(choosing=choosing):
                self.choosing = choosing
            case Ask():
                self.choosing = outcome.choosing
                self.asking = outcome
            case Refused(text=text):
                self.refusal = text

    def act(self, action: Action) -> None:
        """Takes an action of the viewer, or says why not."""
        self._menu = None
        super().act(action)


FIRE: Final = Verb.FIRE
NOTHING: Final = {
    Verb.MOVE: "No piece of yours can move.",
    Verb.DOZE: "No Dozer of yours shares its Ground square with another piece.",
    Verb.FIRE: "No piece of yours has anything to fire now.",
    Verb.PICK_UP: "No piece of yours stands on an article it has room for.",
    Verb.DROP: "No piece of yours carries anything it could drop.",
    Verb.EXCHANGE: "No two pieces of yours can exchange anything now.",
    Verb.REINFORCE: "No reinforcement is ready to arrive.",
    Verb.END: "Make your Move first; then the Turn can end.",
}


def instruction(menu: Menu, choosing: Choosing) -> str:
    """What the player is expected to do next, in one sentence."""
    verb, picked = choosing.verb, choosing.picked
    first = picked[0] if picked else None
    name = ""
    if isinstance(first, Who):
        name = PIECES[piece_of(menu.state, menu.seat, first.ref).kind]
    if verb is Verb.DOZE and name:
        if choosing.aiming:
            return "Choose the direction to push in."
        return "Add squares to push, then press Enter or click the Dozer to choose a direction."
    if not name:
        if verb is Verb.MOVE:
            used = spent(menu.state, menu.seat)
            if used.move and not any(menu.can(verb) for verb in AFTER_MOVE):
                return "Your Move is made and nothing else is possible: end the Turn."
            if used.move:
                return "Your Move is made. Fire, pick up, drop, or end the Turn."
            return "Your Turn: choose a piece to move; the right button fires."
        return STARTS[verb]
    if verb is Verb.EXCHANGE:
        return f"Choose the piece the {name} exchanges with."
    if verb in ASKED:
        return ASKED[verb].format(name)
    return f"Choose where the {name} goes."


AFTER_MOVE: Final = (Verb.FIRE, Verb.PICK_UP, Verb.DROP, Verb.EXCHANGE, Verb.REINFORCE)
ASKED: Final = {
    Verb.FIRE: "Choose where the {} fires.",
    Verb.PICK_UP: "Choose what the {} picks up.",
    Verb.DROP: "Choose what the {} drops.",
}
STARTS: Final = {
    Verb.DOZE: "Choose the Dozer that pushes.",
    Verb.FIRE: "Choose a piece that fires, or end the Turn.",
    Verb.PICK_UP: "Choose the piece that picks up an article.",
    Verb.DROP: "Choose the piece that drops an article.",
    Verb.EXCHANGE: "Choose the first of the two pieces that exchange.",
    Verb.REINFORCE: "Choose the square where a reinforcement arrives.",
    Verb.END: "End the Turn.",
}
