"""What every table does as time passes: it shows what happened, one event after the other, and
then takes in what the session has to tell. And what can be done at every table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from cloakboard.client.window import Screen

if TYPE_CHECKING:
    from cloakboard.client.session import Happening, Offered, Session
    from cloakboard.client.stopping import Stopped
    from cloakboard.client.views.table_match import MatchDialogs
    from cloakboard.client.window import CloakWindow
    from cloakboard.engine.events import Event
    from cloakboard.engine.game import Result, State


class Shown(Protocol):
    """What the loop asks of who sits at the screen."""

    notice: str
    offer: Offered | None
    stop: Stopped | None
    result: Result | None
    verdict: str | None

    @property
    def is_behind(self) -> bool: ...

    @property
    def may_act(self) -> bool: ...

    def poll(self) -> list[Happening]: ...

    def next_event(self) -> tuple[Any, Event, Any] | None: ...

    def skip(self) -> bool: ...


class TableLoop(Screen):
    """A table whose events are shown one by one. A game's own table draws them."""

    match: MatchDialogs

    def __init__(self, window: CloakWindow, session: Session, shown: Shown) -> None:
        super().__init__(window)
        self.session = session
        self._shown = shown
        self._wait_ms = 0.0

    # What a game's own table does ---------------------------------------------------------

    def show_event(self, before: State, event: Event, after: State) -> float:
        """Draws an event that has just been shown, and lets it be heard; how long it takes in
        milliseconds."""
        raise NotImplementedError

    def rebuild(self) -> None:
        """Shows the table as it is, whatever was being shown."""
        raise NotImplementedError

    def sync(self) -> None:
        """Marks, sentence, buttons and panel as they are now."""
        raise NotImplementedError

    def comes_first(self) -> bool:
        """Sees to whatever has to be done before anything is shown; True if there is such."""
        return False

    # Time ---------------------------------------------------------------------------------

    def update(self, passed_ms: float) -> None:
        """Shows what happened; then asks for more."""
        self._wait_ms -= passed_ms
        if self._wait_ms > 0 or self.comes_first():
            return
        if self._shown.is_behind:
            self.show_events()
        elif not self.window.animator.is_active:
            self.take_in()

    def show_events(self) -> None:
        """Shows events until one takes time."""
        self._wait_ms = 0.0
        while self._wait_ms <= 0 and (told := self._shown.next_event()) is not None:
            self._wait_ms = self.show_event(*told)
        self.sync()

    def take_in(self) -> None:
        """Takes in what the session tells, and what the whole screen must say about it."""
        shown = self._shown
        could_act = shown.may_act
        happenings = shown.poll()
        if shown.is_behind or self.comes_first():
            return
        if shown.notice:
            self.toasts.tell(shown.notice)
            shown.notice = ""
        if shown.offer is not None:
            self.match.tell_offer()
        if shown.result is not None and not self.match.has_told_end:
            self.rebuild()
            self.match.tell_end()
        elif happenings:
            self.rebuild()
        if shown.stop is not None and not self.match.has_told_stop:
            self.match.tell_stop()
        if shown.verdict and not self.match.has_told_verdict:
            self.match.tell_verdict()
        if shown.may_act and not could_act:
            self.window.sounds.play("turn")

    def skip(self) -> bool:
        """Ends what is being shown; True if anything was."""
        was_moving = self._shown.skip()
        if was_moving:
            self._wait_ms = 0.0
            self.rebuild()
        return was_moving

    # What every table can do --------------------------------------------------------------

    def save(self) -> None:
        """Keeps the match."""
        self.match.save()

    def undo(self) -> None:
        """Takes the last action back, or asks the friend for it."""
        if self.session.can_undo() and self._shown.result is None and not self.match.ask_undo():
            self.session.undo()
            self._jump()

    def redo(self) -> None:
        """Does again what was taken back last."""
        if self.session.can_redo() and self._shown.result is None:
            self.session.redo()
            self._jump()

    def _jump(self) -> None:
        self.take_in()
        self.rebuild()
