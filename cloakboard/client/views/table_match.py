"""What concerns a match as a whole: saving, giving up, agreeing, leaving, its end."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Protocol

from cloakboard.client import theme
from cloakboard.client.session import Quality
from cloakboard.client.views.table_talk import talk_of
from cloakboard.client.watch_session import WatchSession
from cloakboard.client.widgets import Button, Choice, Dialog, Look, Widget, confirm
from cloakboard.client.words import outcome

if TYPE_CHECKING:
    from cloakboard.client.canvas import Box
    from cloakboard.client.company import Company
    from cloakboard.client.session import LinkState, Offered, Session
    from cloakboard.client.stopping import Stopped
    from cloakboard.client.widgets import StatusLine
    from cloakboard.client.window import Screen
    from cloakboard.engine.game import Result


ASKED: Final = MappingProxyType(
    {
        "draw": (
            "{name} offers a draw",
            "If you accept, the match ends now and nobody wins.",
        ),
        "undo": (
            "{name} asks to take the last action back",
            "If you agree, the match goes on from before it, or from the start of its Turn if it "
            "asked your machine anything. What either of you has learned meanwhile is kept.",
        ),
        "pause": (
            "{name} asks for a pause",
            "Time stands still until anyone at the table ends the pause.",
        ),
        "extend": (
            "{name} asks for {minutes} minutes more",
            "The time for the action that is waited for becomes so much longer.",
        ),
        "save": (
            "{name} would save this match as “{text}”",
            "If you agree, it gets this name among the saves of both of you. It is kept in any "
            "case.",
        ),
    }
)
"""What another seat asks for: title and text of the question."""


class Sitting(Protocol):
    """What there is to know of who sits at this screen, in any game: `actor` is the seat that acts
    here, `turn` the number of the running Turn."""

    session: Session
    viewer: int
    result: Result | None
    verdict: str | None
    is_clean: bool
    link: LinkState
    offer: Offered | None
    stop: Stopped | None

    @property
    def actor(self) -> int: ...

    @property
    def turn(self) -> int: ...

    def name(self, seat: int) -> str:
        """A seat's player and side."""
        ...


class MatchDialogs:
    """Asks before whatever ends or leaves a match. `on_rematch` and `on_look_back` are None where
    there is no such thing."""

    def __init__(
        self,
        screen: Screen,
        play: Sitting,
        on_leave: Callable[[], None],
        on_rematch: Callable[[], None] | None,
        on_look_back: Callable[[], None] | None = None,
    ) -> None:
        self._screen = screen
        self._play = play
        self._on_leave = on_leave
        self._on_rematch = on_rematch
        self._on_look_back = on_look_back
        self._dialog: Dialog | None = None
        self._end: Dialog | None = None  # the one that tells the end
        self._asked: Offered | None = None  # what the open dialog passes on
        self._paused: Dialog | None = None  # the last one that told of a pause
        self._has_told_pause = False
        self.talk = talk_of(screen, play.session)
        self.after = Button(
            screen.stage,
            "What next?",
            self.tell_again,
            look=Look.PRIMARY,
            layer=screen.canvas.layer(1),
        )
        self.after.show(False)
        self._status: tuple[StatusLine, Box] | None = None
        self.has_told_end = False
        self.has_told_verdict = False
        self.has_told_stop = False

    @property
    def open_dialog(self) -> Dialog | None:
        """What is being asked or told."""
        return self._dialog if self._dialog is not None and self._dialog.is_open else None

    @property
    def is_open(self) -> bool:
        """Whether anything is being asked or told."""
        return self.open_dialog is not None

    def place_status(self, line: StatusLine, box: Box) -> None:
        """Places the status line, and right of it the way to what can follow a match that has
        been told to be over or paused."""
        self._status = line, box
        after, rest = box.cut_right(self.after.natural_width(), self._screen.px(8))
        self.after.place(after)
        line.place(rest if self.after.is_visible else box)

    def _ask(self, title: str, text: str, *choices: Choice, unasked: bool = False) -> None:
        if not self.is_open:
            self._dialog = Dialog(self._screen.stage, title, text, choices, unasked=unasked)

    def save(self) -> bool:
        """Keeps the match under its players' names; False if the disk refuses."""
        session = self._play.session
        try:
            session.save(save_name(session.names, self._play.turn))
        except OSError as error:
            self._screen.toasts.tell(f"Not saved: {error.strerror or error}", theme.CORAL)
            return False
        return True

    @property
    def _only_watches(self) -> bool:
        return isinstance(self._play.session, WatchSession)

    def offer_draw(self) -> None:
        """Asks before offering a draw."""
        session = self._play.session
        if self._only_watches:
            return

        def offer() -> None:
            session.offer_draw(self._play.actor)

        if len(session.seats_here) == len(session.names):
            self._ask(
                "Agree on a draw?",
                "The match ends now and nobody wins.",
                Choice("Draw", offer, Look.DANGER),
                Choice("Play on"),
            )
        else:
            self._ask(
                "Offer a draw?",
                "If the other side accepts, the match ends and nobody wins.",
                Choice("Offer", offer, Look.PRIMARY),
                Choice("Play on"),
            )

    def resign(self) -> None:
        """Asks before giving up."""
        play = self._play
        other = play.session.game.seat_names()[1 - play.actor]
        if not self.is_open and not self._only_watches:
            self._dialog = confirm(
                self._screen.stage,
                "Resign?",
                f"The match ends now and {other} wins.",
                "Resign",
                lambda: play.session.resign(play.actor),
                "Play on",
            )

    def leave(self) -> None:
        """Asks what becomes of the match, unless it is over."""
        if self._play.result is not None or self._only_watches:
            self._go()
            return
        if self._play.link.quality is not Quality.HOME:
            self._ask(
                "Leave the table?",
                "The match is saved as it stands. You and your friend can continue it from the "
                "first screen.",
                Choice("Leave", self._go, Look.PRIMARY),
                Choice("Stay"),
            )
            return
        self._ask(
            "Leave the table?",
            "A saved match can be continued from the first screen.",
            Choice("Save and leave", self._save_and_go, Look.PRIMARY),
            Choice("Leave without saving", self._go, Look.DANGER),
            Choice("Stay"),
        )

    def _save_and_go(self) -> None:
        if self.save():
            self._go()

    def _go(self) -> None:
        self._play.session.close()
        self._on_leave()

    def sync(self) -> None:
        """Closes what nobody asks for any more, tells a pause, and shows what was said."""
        company = self._play.session.company
        if company is None:
            return
        if self._asked is not None and self.is_open and not company.stands(self._asked):
            assert self._dialog is not None
            self._dialog.dismiss()
        if not self.is_open:
            self._asked = None
        if company.is_paused and not self._has_told_pause and not self.is_open:
            self._has_told_pause = True
            self._show_pause(company)
        elif not company.is_paused and self._has_told_pause:
            self._has_told_pause = False
            self._end_pause()
        if self.talk is not None:
            self.talk.sync()

    def _show_pause(self, company: Company, *, unasked: bool = True) -> None:
        self._ask(
            "The match is paused",
            "Time stands still. Anyone at the table can end the pause.",
            Choice("Play on", lambda: company.ask("continue"), Look.PRIMARY),
            Choice("Leave the table", self._go),
            Choice("Look at the board"),
            unasked=unasked,
        )
        self._paused = self._dialog
        self._show_after()

    def _end_pause(self) -> None:
        if self._paused is not None:
            self._paused.dismiss()
        if self._play.result is None and self._play.stop is None:
            self._show_after(is_shown=False)

    def toggle_talk(self) -> None:
        """Opens or closes the talk, if there is anybody to talk to."""
        if self.talk is not None:
            self.talk.toggle()

    def arrange_talk(self, *instead_of: Widget) -> None:
        """The talk takes the place of these widgets, upper ones first, while it is open."""
        if self.talk is not None:
            self.talk.place(*instead_of)

    def ask_undo(self) -> bool:
        """Asks before asking a friend to take the last action back; False where there is no
        friend to ask."""
        session = self._play.session
        if session.company is None:
            return False
        self._ask(
            "Ask to take your last action back?",
            "If your friend agrees, the match goes on from before it, or from the start of its "
            "Turn if it asked your friend's machine anything. What either of you has learned "
            "meanwhile is kept.",
            Choice("Ask", session.undo, Look.PRIMARY),
            Choice("Play on"),
        )
        return True

    def tell_offer(self) -> None:
        """Passes on what another seat asks for, once nothing else is being asked."""
        play, company = self._play, self._play.session.company
        offer = play.offer
        if offer is None or self.is_open:
            return
        play.offer = None
        if company is None or not company.stands(offer):
            return
        title, text = ASKED[offer.what]
        minutes = round(offer.value / 60_000)
        self._ask(
            title.format(name=play.name(offer.seat), minutes=minutes, text=offer.text),
            text,
            Choice("Agree", lambda: company.agree(offer), Look.PRIMARY),
            Choice("Decline", lambda: company.decline(offer)),
            unasked=True,
        )
        self._asked = offer

    def tell_end(self) -> None:
        """Tells the result, in place of whatever was being asked."""
        result = self._play.result
        assert result is not None
        self.has_told_end = True
        self.has_told_verdict = bool(self._play.verdict)
        won = self._play.viewer in result.winners
        self._screen.window.sounds.play("win" if won else "lose" if result.winners else "draw")
        self._show_end(result)

    def tell_again(self) -> None:
        """Shows once more how the match ended, or that it is paused, and what can follow."""
        if self.is_open:
            return
        if self._play.result is not None:
            self._show_end(self._play.result, unasked=False)
        elif self._play.stop is not None:
            self._show_stop(self._play.stop, unasked=False)
        elif self._play.session.company is not None:
            self._show_pause(self._play.session.company, unasked=False)

    def tell_verdict(self) -> None:
        """Adds the audit's verdict to what tells the end, or tells it alone."""
        play = self._play
        self.has_told_verdict = True
        if play.result is not None and self._end is not None and self._end.is_open:
            self._show_end(play.result)
        elif play.verdict:
            self._screen.toasts.tell(play.verdict, theme.TEAL if play.is_clean else theme.CORAL)

    def _show_end(self, result: Result, *, unasked: bool = True) -> None:
        if self._dialog is not None:
            self._dialog.dismiss()
        session = self._play.session
        headline, text = outcome(result, session.names, session.game.seat_names())
        choices = [Choice("Leave the table", self._go), Choice("Look at the board")]
        if self._on_look_back is not None:
            has_secrets = self._play.session.game.types.has_secrets
            look = "See what was hidden" if has_secrets else "Look back"
            choices.insert(0, Choice(look, self._on_look_back))
        is_checked = bool(self._play.verdict) or self._play.link.quality is Quality.HOME
        if self._on_rematch is not None and is_checked:
            choices.insert(0, Choice("Rematch", self._on_rematch, Look.PRIMARY))
        paragraphs = filter(None, (text, self._about_audit()))
        self._ask(headline, "\n\n".join(paragraphs), *choices, unasked=unasked)
        self._end = self._dialog
        self._show_after()

    def _show_after(self, *, is_shown: bool = True) -> None:
        if self.after.is_visible is not is_shown:
            self.after.show(is_shown)
            if self._status is not None:
                self.place_status(*self._status)

    def tell_stop(self) -> None:
        """Tells why the match cannot go on, in place of whatever was being asked."""
        assert self._play.stop is not None
        self.has_told_stop = True
        self._screen.window.sounds.play("draw")
        self._show_stop(self._play.stop)

    def _show_stop(
        self, stop: Stopped, *, unasked: bool = True, report: Path | None = None
    ) -> None:
        if self._dialog is not None:
            self._dialog.dismiss()
        text = stop.lines(self._play.turn)
        choices = [Choice("Leave the table", self._go), Choice("Look at the board")]
        if report is None:
            save = Choice("Save the report", lambda: self._keep_report(stop), Look.PRIMARY)
            choices.insert(0, save)
        else:
            text += f"\nThe report is saved: {report}"
        self._ask("The match was stopped", text, *choices, unasked=unasked)
        self._show_after()

    def _keep_report(self, stop: Stopped) -> None:
        try:
            report = stop.keep_report()
        except OSError as error:
            self._screen.toasts.tell(f"Not saved: {error.strerror or error}", theme.CORAL)
            self._show_stop(stop)
            return
        self._show_stop(stop, unasked=False, report=report)

    def _about_audit(self) -> str:
        if self._play.verdict:
            return self._play.verdict
        if self._only_watches or self._play.link.quality is Quality.HOME:
            return ""
        return "Both sides open their secrets now, and each machine checks what the other said."


def save_name(names: tuple[str, ...], turn: int) -> str:
    """A name for a save: letters, digits and dashes only, so that it is a file name anywhere."""
    text = "-".join(names) + f"-turn-{turn}"
    return "".join(char if char.isalnum() else "-" for char in text).strip("-")[:80]
