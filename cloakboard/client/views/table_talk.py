"""Talk at a table with friends: what was said, a line to type in, quick phrases, and what can be
asked of the others beside the match."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cloakboard.client import theme
from cloakboard.client.company import MORE_MS
from cloakboard.client.texts import Raw, shown
from cloakboard.client.views.table_overlays import Chooser
from cloakboard.client.widgets import (
    Button,
    ScrollArea,
    Text,
    TextField,
    Widget,
    line_height,
    wrapped,
)
from cloakboard.netplay.lockstep.talk import ANNOUNCED, PHRASES, TEXT_LENGTH

if TYPE_CHECKING:
    from cloakboard.client.canvas import Box
    from cloakboard.client.company import Company, Remark
    from cloakboard.client.session import Session
    from cloakboard.client.window import Screen

KEPT: Final = 200  # remarks shown
ROW: Final = 32  # heights in design pixels
GAP: Final = 6
NAMED: Final = 4  # spectators, and characters of each name, that a hint has room for
NAMED_LENGTH: Final = 20


class Remarks(ScrollArea):
    """What was said, each remark under the name of who said it; it keeps to its end."""

    def __init__(self, screen: Screen, names: tuple[str, ...]) -> None:
        super().__init__(screen.stage, has_well=True)
        self._names = names
        self._lines: list[Text] = []
        self._said: tuple[Remark, ...] = ()

    def say(self, remarks: tuple[Remark, ...]) -> None:
        """Shows these remarks."""
        if remarks != self._said:
            self._said = remarks
            self._lay_out()
            self.scroll_to_end()

    def place(self, box: Box) -> None:
        """Moves it and lays the remarks out for the new width."""
        super().place(box)
        self._lay_out()
        self.scroll_to_end()

    def _lay_out(self) -> None:
        box, used, teller = self.content_box, 0, None
        pad = self.px(10)
        y = box.top - self.px(8)
        for remark in self._said:
            if remark.seat != teller:
                teller = remark.seat
                style = theme.TINY.tinted(theme.AMBER.faded(0.9))
                y = self._put(used, Raw(self._names[teller]), style, y - self.px(4), box, pad)
                used += 1
            text = remark.text if remark.is_phrase else Raw(remark.text)
            y = self._put(used, text, theme.SMALL.tinted(theme.TEXT), y, box, pad)
            used += 1
        for line in self._lines[used:]:
            line.delete()
        self.set_content_height(box.top - y + self.px(8))

    def _put(
        self, index: int, text: str, style: theme.TextStyle, y: float, box: Box, pad: float
    ) -> float:
        while len(self._lines) <= index:
            self._lines.append(Text(self.content, theme.SMALL))
        width = box.width - 2 * pad
        self._lines[index].set(
            text, self.scale, box.x + pad, y, style=style, width=width, wrap=True
        )
        rows = len(wrapped(text, style, self.scale, width))
        return y - rows * line_height(style, self.scale) - self.px(2)


class TalkPanel:
    """The widgets of the talk, in the place of another one while it is open."""

    def __init__(self, screen: Screen, session: Session, company: Company) -> None:
        stage = screen.stage
        self._screen = screen
        self._company = company
        self._names = session.names
        self._here = session.seats_here
        self.is_open = False
        self._read = 0  # remarks that were shown, or told in a toast
        self._covers: tuple[Widget, ...] = ()
        self.remarks = Remarks(screen, session.names)
        self.field = TextField(
            stage, "Say something…", limit=TEXT_LENGTH, on_submit=lambda _: self.send()
        )
        self.phrases = Button(stage, "Phrases", self._choose_phrase)
        self.pause = Button(stage, "Pause", lambda: self._ask("pause"))
        self.more = Button(stage, "More time", lambda: self._ask("extend", MORE_MS))
        self.watch = Button(stage, "Invite to watch", self._copy_watch)
        self._can_watch = bool(company.watch_invite())
        self._show()

    @property
    def _widgets(self) -> tuple[Widget, ...]:
        return self.remarks, self.field, *self._buttons

    @property
    def _buttons(self) -> tuple[Button, ...]:
        return self.phrases, self.pause, self.more, self.watch

    def toggle(self) -> None:
        """Opens the talk, ready to type, or closes it."""
        self.is_open = not self.is_open
        self._show()
        self._screen.stage.set_focus(self.field if self.is_open and self.field.is_enabled else None)
        if self._covers:
            self.place(*self._covers)
        self.sync()
        self._screen.window.invalidate()

    def _show(self) -> None:
        for widget in self._widgets:
            widget.show(self.is_open)
        self.more.show(self.is_open and self._company.has_limit)
        self.watch.show(self.is_open and self._can_watch)
        for widget in (self.field, self.phrases):
            widget.enable(not self._company.is_muted)
        for widget in self._covers:
            widget.show(not self.is_open)

    def place(self, *instead_of: Widget) -> None:
        """Takes the place of widgets that stand one above the other, while it is open."""
        self._covers = instead_of
        for widget in instead_of:
            widget.show(not self.is_open)
        px = self._screen.px
        row, gap = px(ROW), px(GAP)
        first, last = instead_of[0].box, instead_of[-1].box
        foot, rest = last._replace(height=first.top - last.y).cut_bottom(row, gap)
        buttons = [button for button in self._buttons if button.is_visible]
        for pair in reversed([buttons[at : at + 2] for at in range(0, len(buttons), 2)]):
            for button, room in zip(pair, foot.columns(len(pair), gap), strict=True):
                button.place(room)
            foot, rest = rest.cut_bottom(row, gap)
        line = foot
        self.field.place(line)
        self.remarks.place(rest)

    def sync(self) -> None:
        """Shows what was said; while it is closed, a toast tells the news."""
        remarks = self._company.remarks()
        if self.is_open:
            self.remarks.say(tuple(remarks[-KEPT:]))
        for remark in remarks[self._read :]:
            if remark.seat not in self._here:
                self._screen.window.sounds.play("chat")
                if not self.is_open:
                    said = shown(remark.text) if remark.is_phrase else remark.text
                    self._screen.toasts.tell(Raw(f"{self._names[remark.seat]}: {said}"))
        self._read = len(remarks)

    def send(self) -> None:
        """Says what stands in the field."""
        text = self.field.value
        self.field.set_value("")
        if text.strip():
            self._company.say(text)

    def _choose_phrase(self) -> None:
        phrases = [phrase for phrase in PHRASES if phrase not in ANNOUNCED]
        Chooser(
            self._screen.stage,
            "Say",
            [PHRASES[phrase] for phrase in phrases],
            self.phrases.box.centre,
            lambda index: self._company.say_phrase(phrases[index]),
            lambda: None,
        )

    def _copy_watch(self) -> None:
        self._screen.window.write_clipboard(self._company.watch_invite())
        self._screen.toasts.tell(
            "The invite to watch is in the clipboard. Whoever has it sees what is public."
        )

    def _ask(self, kind: str, value: int = 0) -> None:
        self._company.ask(kind, value)


def talk_of(screen: Screen, session: Session) -> TalkPanel | None:
    """The talk of a table, None where nobody else sits."""
    company = session.company
    return None if company is None else TalkPanel(screen, session, company)


def clock_text(left_ms: int) -> str:
    """What is left of a time, as minutes and seconds; a minus once it is over."""
    seconds = abs(left_ms) // 1000
    return f"{'-' if left_ms < 0 else ''}{seconds // 60}:{seconds % 60:02}"


def audience_of(session: Session, seat: int) -> tuple[str, str]:
    """How many watch at a player's machine: for the player's card, and with all that is known of
    them for its hint. The first is empty while nobody does, both are where nobody may."""
    company = session.company
    watchers = company.watchers(seat) if company is not None else None
    if watchers is None or session.result() is not None:
        return "", ""
    count = watchers.count
    if not count:
        return "", "Others may watch this match. Nobody does at this player's machine now."
    if seat not in session.seats_here:
        where = session.names[seat]
        return f"{count} watching there", f"{count} watching at the machine of {where}."
    names = [name[:NAMED_LENGTH] for name in watchers.names[:NAMED]]
    more = ["…"] if count > NAMED else []
    told = ", ".join(names + more)
    return (
        f"{count} watching here",
        f"{count} watching at your machine: {told}. Names are what they call themselves.",
    )


def note_of(session: Session, seat: int, *, is_to_play: bool) -> str:
    """What stands at the right of a player's card: its time, or whether the computer plays
    there, or whether it is to play."""
    left = session.company.left_ms(seat) if session.company is not None else None
    if left is None:
        if session.company is not None and session.company.has_computer(seat):
            return "computer"
        return "to play" if is_to_play else ""
    return clock_text(left)
