"""Learning: the lessons, which of them are done, and the guide."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from cloakboard.client.lessons import LESSONS, Lesson, LessonSession
from cloakboard.client.views.guide import GuideScreen
from cloakboard.client.views.learn import LearnScreen, LessonScreen
from cloakboard.client.views.page import Offer
from cloakboard.engine.registry import games

if TYPE_CHECKING:
    from cloakboard.client.kept import KeptSettings
    from cloakboard.client.window import CloakWindow
    from cloakboard.keeping.keeper import Keeper

GAME: Final = "wec"  # what the lessons are about


class Study:
    """Shows what teaches. `name` is the player's; `clear` closes all screens but the first,
    `go_home` shows that one anew."""

    def __init__(
        self,
        window: CloakWindow,
        kept: KeptSettings,
        keeper: Keeper,
        name: Callable[[], str],
        clear: Callable[[], None],
        go_home: Callable[[], None],
    ) -> None:
        self._window = window
        self._kept = kept
        self._keeper = keeper
        self._name = name
        self._clear = clear
        self._go_home = go_home
        for lesson in kept.file.now.lessons:
            keeper.keep_lesson(lesson, GAME)

    def show_lessons(self) -> None:
        """The list of lessons."""
        done = self._kept.file.now.lessons
        self._window.open_screen(LearnScreen(self._window, done, self.begin, self.show_guide))

    def show_guide(self, game_id: str = GAME) -> None:
        """What can be looked up about a game; the other games are offered beside it."""
        if isinstance(self._window.top, GuideScreen):
            self._window.close_screen()
        offer = Offer(tuple(games().values()), lambda game: self.show_guide(game.id))
        self._window.open_screen(GuideScreen(self._window, game_id, offer=offer))

    def begin(self, lesson: Lesson) -> None:
        """Sits down to a lesson, in place of one that is shown."""
        place = LESSONS.index(lesson)
        following = LESSONS[place + 1] if place + 1 < len(LESSONS) else None
        screen = LessonScreen(
            self._window,
            LessonSession(lesson, self._name()),
            self._back,
            lambda: self.begin(lesson),
            lambda: self._keep(lesson),
            (lambda: self.begin(following)) if following is not None else None,
            self._kept.style,
        )
        self._clear()
        self._window.open_screen(screen)

    def _keep(self, lesson: Lesson) -> None:
        done = self._kept.file.now.lessons
        if lesson.name not in done:
            self._kept.file.change(lessons=(*done, lesson.name))
        self._keeper.keep_lesson(lesson.name, GAME)

    def _back(self) -> None:
        self._go_home()
        self.show_lessons()
