"""Every lesson can be done as its tasks ask, and what is not asked for does no task."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cloakboard.client.lessons import BY_NAME, LESSONS, Lesson, LessonSession
from cloakboard.engine.game import Action
from cloakboard.engine.wec import actions as acts
from cloakboard.engine.wec.board import find
from cloakboard.engine.wec.options import OPTIONS
from cloakboard.engine.wec.position import faults
from cloakboard.engine.wec.state import AIR, BLACK, GROUND, SUB, square_at

Pick = Callable[[LessonSession, Action], bool]
END = acts.EndTurn()


def kind_of(session: LessonSession, action: Action) -> str:
    for name in ("piece", "dozer", "giver"):
        ref = getattr(action, name, None)
        if ref is not None:
            piece = find(session.state(BLACK), BLACK, ref)
            return piece.kind if piece is not None else ""
    return ""


def move(kind: str, row: int, column: int, level: int = GROUND, carries: bool = False) -> Pick:
    def fits(session: LessonSession, action: Action) -> bool:
        return (
            isinstance(action, acts.Move)
            and kind_of(session, action) == kind
            and action.route[-1] == level * 100 + square_at(row, column)
            and (action.passenger is not None) == carries
        )

    return fits


def some(action_type: type[acts.Action], kind: str = "", **fields: object) -> Pick:
    def fits(session: LessonSession, action: Action) -> bool:
        return (
            isinstance(action, action_type)
            and kind in ("", kind_of(session, action))
            and all(getattr(action, name) == value for name, value in fields.items())
        )

    return fits


def at(kind: str, row: int, column: int, heading: int) -> Pick:
    """A flamer fired by the piece of a kind in a square."""

    def fits(session: LessonSession, action: Action) -> bool:
        if not isinstance(action, acts.Blast) or action.heading != heading:
            return False
        piece = find(session.state(BLACK), BLACK, action.piece)
        return piece is not None and (piece.kind, piece.cell) == (kind, square_at(row, column))

    return fits


END_TURN = some(acts.EndTurn)
SOLUTIONS: dict[str, tuple[Pick, ...]] = {
    "move": (
        move("STP", 3, 5), END_TURN,
        move("TA", 6, 3), END_TURN,
        move("Q", 9, 9),
    ),
    "fire": (
        at("FP", 4, 4, 0), some(acts.Launch, "RP", heading=0), move("K", 1, 2), END_TURN,
        at("FP", 4, 7, 0), some(acts.Blast, "STP", heading=2),
    ),
    "articles": (
        some(acts.PickUp, "STP"), some(acts.Exchange), move("XP", 3, 8), END_TURN,
        some(acts.PickUp, "XP"), some(acts.Drop, "TA"),
    ),
    "levels": (
        move("CH", 5, 5, AIR, carries=True), END_TURN,
        move("CH", 7, 4, GROUND, carries=True), END_TURN,
        move("JE", 2, 6, AIR), END_TURN,
        move("SU", 2, 9, SUB),
    ),
    "unseen": (
        some(acts.PickUp, "STP"), move("DS", 5, 8), END_TURN,
        move("TA", 7, 5), some(acts.Blast, "STP", heading=0),
    ),
    "reserves": (
        some(acts.Doze, "DO", picked=(square_at(4, 5),), heading=0), END_TURN,
        move("DS", 7, 2), some(acts.Reinforce),
    ),
}  # fmt: skip


def do(session: LessonSession, pick: Pick) -> None:
    for action in session.actions(BLACK):
        if pick(session, action):
            session.act(BLACK, action)
            return
    raise AssertionError("no such action")


def answer(session: LessonSession) -> None:
    """White plays its Turn."""
    while session.to_act() and BLACK not in session.to_act():
        session.poll()


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_the_lesson_can_be_done(lesson: Lesson) -> None:
    session = LessonSession(lesson, "Ann")
    for pick in SOLUTIONS[lesson.name]:
        assert session.task is not None
        do(session, pick)
        answer(session)
    assert session.done == len(lesson.tasks)
    assert session.task is None
    assert session.said == lesson.tasks[-1].why


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_its_position_holds(lesson: Lesson) -> None:
    scenario = lesson.scenario
    assert not list(faults(scenario.position, OPTIONS.complete(scenario.options)))
    assert scenario.position.title
    for task in lesson.tasks:
        assert len(task.text) <= 90
        assert len(task.why) <= 90


def test_there_are_six() -> None:
    assert [lesson.name for lesson in LESSONS] == list(SOLUTIONS)
    assert len(BY_NAME) == 6


def test_another_action_does_no_task() -> None:
    session = LessonSession(BY_NAME["move"], "Ann")
    do(session, move("DS", 2, 8))
    assert session.done == 0
    assert session.said == ""


def test_what_is_taken_back_is_not_done() -> None:
    session = LessonSession(BY_NAME["move"], "Ann")
    do(session, move("STP", 3, 5))
    do(session, END_TURN)
    answer(session)
    assert session.done == 2
    session.undo()
    assert session.done == 1
    session.undo()
    assert session.done == 0
    assert not session.can_undo()
