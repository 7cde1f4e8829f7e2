"""Sitting at a table, whatever is played there: whose eyes, what has been shown, who may act.

Without a window: the screen draws from this and hands clicks and keys to it. Events are shown
one by one; `state` is the viewer's as far as they have been shown, and nothing can be chosen
before it has caught up.
"""

from __future__ import annotations

from collections import deque

from cloakboard.client.session import (
    Audited,
    Ended,
    Happened,
    Happening,
    Jumped,
    LinkChanged,
    LinkState,
    Noticed,
    Offered,
    Session,
)
from cloakboard.client.stopping import Stopped
from cloakboard.engine.errors import IllegalAction
from cloakboard.engine.events import Event
from cloakboard.engine.game import Action, Result, State


class Sitting:
    """What a screen at any table notes of its session. `viewer` is the seat whose eyes it has."""

    def __init__(self, session: Session, viewer: int) -> None:
        self.session = session
        self.viewer = viewer
        self.refusal = ""
        self.notice = ""
        self.offer: Offered | None = None
        self.stop: Stopped | None = None  # why the match cannot go on
        self.result: Result | None = session.result()
        self.verdict: str | None = session.verdict()
        self.is_clean = True  # what the verdict comes to
        self.link: LinkState = session.link()

    @property
    def actor(self) -> int:
        """The seat that acts here."""
        return self.viewer

    @property
    def is_behind(self) -> bool:
        """Whether events wait to be shown to the viewer."""
        raise NotImplementedError

    @property
    def may_act(self) -> bool:
        """Whether something can be chosen here now."""
        return (
            not self.is_behind
            and self.result is None
            and self.actor in self.session.to_act()
            and self.session.waiting() is None
        )

    def side(self, seat: int) -> str:
        """What a seat is called: `White`."""
        return self.session.game.seat_names()[seat]

    def name(self, seat: int) -> str:
        """A seat's player and side."""
        return f"{self.session.names[seat]} ({self.side(seat)})"

    def status(self) -> str:
        """One sentence: what is expected now, or why the last click did nothing."""
        if self.refusal:
            return self.refusal
        if self.result is not None:
            return " ".join(filter(None, ("The match is over.", self.verdict)))
        if self.is_behind:
            return "Click to skip what is being shown."
        waiting = self.session.waiting()
        if waiting is not None:
            return waiting
        to_act = self.session.to_act()
        if self.actor not in to_act:
            return f"{self.name(to_act[0])} is to play." if to_act else "Wait."
        return self.instruction()

    def poll(self) -> list[Happening]:
        """Takes in what the session tells; gives what the screen itself must react to."""
        happenings = self.session.poll()
        for happening in happenings:
            match happening:
                case Happened(seat=seat, event=event):
                    self.hear(seat, event)
                case Jumped():
                    self.jump()
                case LinkChanged(link=link):
                    self.link = link
                case Offered():
                    self.offer = happening
                case Ended(result=result):
                    self.result = result
                case Audited(verdict=verdict, is_clean=is_clean):
                    self.verdict, self.is_clean = verdict, is_clean
                case Stopped():
                    self.stop = happening
                case Noticed(text=text):
                    self.notice = text
        return happenings

    def skip(self) -> bool:
        """Shows all that waits at once; True if anything did."""
        skipped = False
        while self.next_event() is not None:
            skipped = True
        return skipped

    def act(self, action: Action) -> None:
        """Takes an action of the acting seat, or says why not."""
        try:
            self.session.act(self.actor, action)
        except IllegalAction as refused:
            self.refusal = str(refused)
            return
        self.poll()
        if not self.is_behind:
            self.settle()

    # What a game's own sitting does -------------------------------------------------------

    def hear(self, seat: int, event: Event) -> None:
        """An event that a seat here may know waits to be shown."""
        raise NotImplementedError

    def jump(self) -> None:
        """The match has gone back, or was taken up."""
        raise NotImplementedError

    def next_event(self) -> tuple[State, Event, State] | None:
        """Shows one more event: the state before, it, and the state after; None when there is
        none."""
        raise NotImplementedError

    def instruction(self) -> str:
        """What the player is expected to do next, in one sentence."""
        return "It is your turn."

    def settle(self) -> None:
        """All has been shown: choosing begins anew."""
        self.refusal = ""


class OpenSitting(Sitting):
    """One screen at a table where nothing is hidden, so that one pair of eyes sees for all.
    `viewer` is the seat whose eyes they are and whose side is near."""

    def __init__(self, session: Session) -> None:
        super().__init__(session, session.seats_here[0])
        self.state: State = session.state(self.viewer)
        self._waiting: deque[Event] = deque()
        self.settle()

    @property
    def turn(self) -> int:
        """The number of the running Turn."""
        return self.session.game.turn(self.state) + 1

    @property
    def actor(self) -> int:
        """The seat here that is to act, or else the viewer."""
        return next(
            (seat for seat in self.session.to_act() if seat in self.session.seats_here),
            self.viewer,
        )

    @property
    def is_behind(self) -> bool:
        """Whether events wait to be shown."""
        return bool(self._waiting)

    def hear(self, seat: int, event: Event) -> None:
        """What the viewer may know, all may know."""
        if seat == self.viewer:
            self._waiting.append(event)

    def next_event(self) -> tuple[State, Event, State] | None:
        """Shows one more event: the state before, it, and the state after; None when there is
        none."""
        if not self._waiting:
            return None
        event = self._waiting.popleft()
        before = self.state
        self.state = self.session.game.apply(before, event)
        self.note(before, event)
        if not self.is_behind:
            self.settle()
        return before, event, self.state

    def following(self) -> Event | None:
        """The event that `next_event` shows next."""
        return self._waiting[0] if self._waiting else None

    def jump(self) -> None:
        """Shows the present position."""
        self._waiting.clear()
        self.state = self.session.state(self.viewer)
        self.result = self.session.result()
        self.forget()
        self.settle()

    # What a game's own sitting adds -------------------------------------------------------

    def note(self, before: State, event: Event) -> None:
        """An event has been shown."""

    def forget(self) -> None:
        """The match has gone back, or was taken up: what was noted may not hold."""
