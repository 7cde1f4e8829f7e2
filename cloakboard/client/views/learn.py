"""Learning: the list of lessons, and a table with a coach beside it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from cloakboard.client import theme
from cloakboard.client.boards.wec_levels import boards_height
from cloakboard.client.canvas import Box
from cloakboard.client.lessons import LESSONS, Lesson, LessonSession
from cloakboard.client.marks import Mark
from cloakboard.client.views.page import Page
from cloakboard.client.views.table import TableScreen
from cloakboard.client.views.table_panel import GAP, INFO, SidePanel
from cloakboard.client.widgets import (
    Button,
    Choice,
    Dialog,
    List,
    Look,
    Row,
    Widget,
    line_height,
    wrapped,
)

if TYPE_CHECKING:
    from cloakboard.client.boards.wec_figures import Style
    from cloakboard.client.play import Play
    from cloakboard.client.shapes import Shape
    from cloakboard.client.widgets import Stage, Text
    from cloakboard.client.window import CloakWindow

COACH: Final = 296  # design pixels, of its height at most
LEVELS: Final = 0.46  # of the panel's height, for the level boards at most


class LearnScreen(Page):
    """The six lessons; those that are done carry a mark."""

    width = 720
    height = 560

    def __init__(
        self,
        window: CloakWindow,
        done: tuple[str, ...],
        on_begin: Callable[[Lesson], None],
        on_guide: Callable[[], None],
    ) -> None:
        super().__init__(window, "Learn")
        self._on_begin = on_begin
        self.list = List(
            self.stage,
            [
                Row(
                    f"{number}. {lesson.title}",
                    lesson.scenario.position.teaches,
                    icon="ui.star" if lesson.name in done else "ui.learn",
                    note="done" if lesson.name in done else "",
                    accent=theme.TEAL if lesson.name in done else theme.AMBER,
                )
                for number, lesson in enumerate(LESSONS, 1)
            ],
            row_height=58,
            on_activate=self._begin,
        )
        self.begin = Button(
            self.stage, "Begin", self._begin_selected, icon="ui.play", look=Look.PRIMARY
        )
        self.guide = Button(self.stage, "Guide", on_guide, icon="ui.help")
        self.guide.hint = "Rules, pieces and articles, to look up"
        names = [lesson.name for lesson in LESSONS]
        self.list.selected = next((i for i, name in enumerate(names) if name not in done), 0)
        self.stage.set_focus(self.list)

    def fill(self, box: Box) -> None:
        """The list, and the button below it."""
        px = self.px
        foot, rest = box.cut_bottom(px(46), px(14))
        self.list.place(rest)
        width = px(160)
        self.begin.place(Box(foot.right - width, foot.y, width, foot.height))
        self.guide.place(Box(foot.x, foot.y, width, foot.height))

    def _begin_selected(self) -> None:
        if self.list.selected is not None:
            self._begin(self.list.selected)

    def _begin(self, index: int) -> None:
        self._on_begin(LESSONS[index])


class Coach(Widget):
    """What is to do, what is done, and why it is worth knowing."""

    def __init__(self, stage: Stage, session: LessonSession) -> None:
        super().__init__(stage)
        self._session = session
        self._body = self.shape(z=-1)
        self._title = self.text(theme.SUBHEADING)
        self._dots: list[Shape] = [self.shape() for _ in session.lesson.tasks]
        self._task = self.text(theme.STRONG)
        self._why = self.text(theme.BODY)
        self._bar = self.shape()
        self._said: tuple[int, str] = (-1, "")

    def sync(self) -> None:
        """Shows the session as it is."""
        said = (self._session.done, self._session.said)
        if said != self._said:
            self._said = said
            self.refresh()

    def paint(self) -> None:
        """A card: title, a dot for each task, the task, and below it what was learned."""
        x, y, width, height = self.box
        session, px = self._session, self.px
        self._body.set(
            x=x, y=y, width=width, height=height, radius=px(theme.RADIUS),
            border=max(1, px(1.5)), fill=theme.PANEL_RAISED, edge=theme.AMBER.faded(0.55),
        )  # fmt: skip
        pad = px(14)
        room = width - 2 * pad
        top = y + height - pad
        self._title.set(session.lesson.title, self.scale, x + pad, top - px(9), width=room)
        top -= px(28)
        dot = px(9)
        for index, shape in enumerate(self._dots):
            is_done = index < session.done
            shape.set(
                x=x + pad + index * (dot + px(6)), y=top - dot, width=dot, height=dot,
                radius=dot / 2, border=max(1, px(1)),
                fill=theme.TEAL if is_done else theme.CLEAR,
                edge=theme.AMBER if index == session.done else theme.TEXT_FAINT.faded(0.7),
            )  # fmt: skip
        top -= dot + px(12)
        task = session.task
        text = task.text if task is not None else "This lesson is done."
        top = self._write(self._task, text, theme.STRONG, x + pad, top, room) - px(10)
        why = session.said
        style = theme.BODY.tinted(theme.TEAL.mixed(theme.WARM, 0.35))
        bar_top = top
        if why:
            top = self._write(self._why, why, style, x + pad + px(12), top, room - px(12))
        else:
            self._why.delete()
        self._bar.set(
            x=x + pad, y=top, width=px(3), height=bar_top - top, radius=px(1.5),
            fill=theme.TEAL if why else theme.CLEAR,
        )  # fmt: skip

    def _write(
        self, text: Text, said: str, style: theme.TextStyle, x: float, top: float, room: float
    ) -> float:
        text.set(said, self.scale, x, top, style=style, width=room, wrap=True)
        lines = len(wrapped(said, style, self.scale, room))
        return top - lines * line_height(style, self.scale)


class LessonPanel(SidePanel):
    """The table's panel with the coach in place of players and history."""

    def __init__(self, stage: Stage, play: Play, style: Style, screen: LessonScreen) -> None:
        super().__init__(stage, play, style, screen.click)
        self.coach = Coach(stage, screen.lesson_session)
        for hidden in (*self.cards.values(), self.history):
            hidden.show(False)

    def arrange(self, panel: Box) -> None:
        """Coach above, levels, what is pointed at, and what the Turn still allows below."""
        px = self._stage.scale.px
        gap = px(GAP)
        coach, rest = panel.cut_top(min(px(COACH), panel.height * 0.36), gap)
        self.coach.place(coach)
        rest = self.place_turn(rest)
        self.levels.show(not self.is_single)
        if not self.is_single:
            height = min(boards_height(rest.width, self._stage.scale), rest.height * LEVELS)
            levels, rest = rest.cut_top(height, gap)
            self.levels.place(levels)
        self.info.place(rest.cut_top(min(px(INFO), rest.height))[0])


class LessonScreen(TableScreen):
    """A lesson at the table. `on_done` is told when every task is done; `on_next`, if there is
    a next lesson, begins it."""

    def __init__(
        self,
        window: CloakWindow,
        session: LessonSession,
        on_leave: Callable[[], None],
        on_again: Callable[[], None],
        on_done: Callable[[], None],
        on_next: Callable[[], None] | None = None,
        style: Style | None = None,
    ) -> None:
        self.lesson_session = session
        self._on_leave = on_leave
        self._on_done = on_done
        self._on_next = on_next
        self._has_told = False
        self._was_done = 0
        super().__init__(window, session, on_leave, on_again, style)

    def make_panel(self, style: Style) -> SidePanel:
        """The panel with the coach."""
        return LessonPanel(self.stage, self.play, style, self)

    def extra_marks(self) -> tuple[tuple[int, Mark], ...]:
        """The squares that the task is about."""
        task = self.lesson_session.task
        return tuple((square, Mark.LAST) for square in task.squares) if task is not None else ()

    def after_sync(self) -> None:
        """The coach says what is next."""
        panel = self.panel
        assert isinstance(panel, LessonPanel)
        panel.coach.sync()
        done = self.lesson_session.done
        if done > self._was_done:
            self.window.sounds.play("turn")
        self._was_done = done
        if self.lesson_session.task is None and not self._has_told and not self.play.is_behind:
            self._has_told = True
            self._on_done()
            self._tell_done()

    def _tell_done(self) -> None:
        choices = [Choice("Stay here"), Choice("All lessons", self._on_leave)]
        if self._on_next is not None:
            choices.append(Choice("Next lesson", self._on_next, Look.PRIMARY))
        choices.reverse()
        self.match.has_told_end = True
        Dialog(
            self.stage, f"{self.lesson_session.lesson.title}: done", self.lesson_session.said,
            choices,
        )  # fmt: skip

    def leave(self) -> None:
        """A lesson is left without a question; it can be begun again at any time."""
        self._on_leave()
