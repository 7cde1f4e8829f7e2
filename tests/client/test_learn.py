"""The list of lessons and a lesson's table, worked by mouse and keyboard."""

from __future__ import annotations

import pytest
from pyglet.window import key

from cloakboard.client.boards import wec_geometry as geometry
from cloakboard.client.lessons import BY_NAME, LESSONS, LessonSession
from cloakboard.client.views.learn import LearnScreen, LessonPanel, LessonScreen
from cloakboard.client.window import CloakWindow
from cloakboard.engine.wec.state import square_at


class Told:
    """What a lesson told."""

    def __init__(self) -> None:
        self.done = 0
        self.left = 0
        self.following = 0

    def finish(self) -> None:
        self.done += 1

    def leave(self) -> None:
        self.left += 1

    def go_on(self) -> None:
        self.following += 1


def frames(window: CloakWindow, count: int = 6) -> None:
    for _ in range(count):
        window.on_update(0.1)
    window.on_draw()


def press(window: CloakWindow, screen: LessonScreen, row: int, column: int) -> None:
    x, y = geometry.centre(screen.board.frame, square_at(row, column))
    window.on_mouse_press(int(x), int(y), 1, 0)
    window.on_mouse_release(int(x), int(y), 1, 0)
    frames(window)


@pytest.fixture
def told() -> Told:
    return Told()


@pytest.fixture
def lesson(window: CloakWindow, told: Told) -> LessonScreen:
    session = LessonSession(BY_NAME["move"], "Ann")
    screen = LessonScreen(window, session, told.leave, told.go_on, told.finish, told.go_on)
    window.open_screen(screen)
    frames(window)
    return screen


def coach(screen: LessonScreen) -> tuple[int, str]:
    assert isinstance(screen.panel, LessonPanel)
    return screen.panel.coach._said


def test_the_coach_follows_the_player(window: CloakWindow, lesson: LessonScreen) -> None:
    tasks = lesson.lesson_session.lesson.tasks
    assert {square for square, _ in lesson.extra_marks()} == set(tasks[0].squares)
    press(window, lesson, 2, 6)
    press(window, lesson, 3, 5)
    assert coach(lesson) == (1, tasks[0].why)
    window.on_key_press(key.Z, key.MOD_CTRL)
    frames(window)
    assert coach(lesson) == (0, "")


def test_a_lesson_is_done_and_told_once(
    window: CloakWindow, lesson: LessonScreen, told: Told
) -> None:
    clicks = [((2, 6), (3, 5)), ((2, 3), (6, 3)), ((4, 4), (9, 9))]
    for start, end in clicks:
        press(window, lesson, *start)
        press(window, lesson, *end)
        frames(window, 20)
        if told.done:
            break
        window.on_key_press(key.E, 0)
        frames(window, 40)
    assert told.done == 1
    assert lesson.stage.has_modal
    window.on_key_press(key.ESCAPE, 0)
    window.on_key_press(key.ESCAPE, 0)
    assert told.left == 1
    assert told.done == 1


@pytest.mark.parametrize("name", list(BY_NAME))
def test_every_lesson_opens(window: CloakWindow, told: Told, name: str) -> None:
    session = LessonSession(BY_NAME[name], "Ann")
    screen = LessonScreen(window, session, told.leave, told.go_on, told.finish)
    window.open_screen(screen)
    frames(window)
    assert coach(screen)[0] == 0
    assert screen.play.may_act


def test_the_list_begins_with_what_is_not_done(window: CloakWindow) -> None:
    began: list[str] = []
    screen = LearnScreen(
        window,
        ("move", "fire"),
        lambda lesson: began.append(lesson.name),
        lambda: began.append("the guide"),
    )
    window.open_screen(screen)
    frames(window)
    assert screen.list.selected == 2
    assert [row.note for row in screen.list.rows] == ["done", "done", *[""] * (len(LESSONS) - 2)]
    window.on_key_press(key.RETURN, 0)
    screen.begin.click()
    screen.guide.click()
    assert began == ["articles", "articles", "the guide"]
