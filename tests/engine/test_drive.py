"""One action resolved by machines that know different things. Played with Line."""

from typing import Any

import pytest

from cloakboard.engine.drive import (
    Diverged,
    Exchange,
    blind_answer,
    drive,
    full_answer,
)
from cloakboard.engine.game import Action, Game, Resolution, State
from cloakboard.engine.probes import Probe
from tests import tiny
from tests.engine.published import public_replay, same_question
from tests.tiny import Line
from tests.tiny.actions import Hide, Leap, Plant, Shoot, Step
from tests.tiny.events import Acted, Kept, Planted, Vanished
from tests.tiny.pieces import Kind, Token
from tests.tiny.probes import Buried, InLine, Met, Stock, Struck, Way, Zone

START: State = tiny.GAME.start({})


def fully(action: Action, game: Game = tiny.GAME) -> Any:
    """The action of seat 0 where all is known."""
    return drive(
        game, START, 0, action, lambda state, probe: full_answer(game, state, probe, lambda: 0)
    )


def seen_by(holder: int | None, action: Action, exchanges: tuple[Exchange, ...]) -> Any:
    """The action of seat 0 on another machine."""
    game = tiny.GAME
    state = game.public(START) if holder is None else game.view(START, holder)
    return public_replay(game, state, holder, 0, action, exchanges)


@pytest.mark.parametrize(
    ("recorded", "asked", "same"),
    [
        (Met(owner=1, cells=(3,)), Met(owner=1, cells=(3,)), True),
        (Met(owner=1, cells=(3,)), Met(owner=2, cells=(3,)), False),
        (Met(owner=1, cells=(3,)), Met(owner=1, cells=(4,)), False),
        (Met(owner=1, cells=(3,)), Stock(owner=1), False),
        (Struck(owner=1, value=4), Struck(owner=1), True),
        (Struck(owner=1, value=4), Struck(owner=1, value=3), False),
        (Struck(owner=1), Struck(owner=1, value=3), False),
        (Way(owner=1, asker=0, cells=(3, 4)), Way(owner=1, asker=0), True),
        (Way(owner=1, asker=0, cells=(3, 4)), Way(owner=1, asker=2), False),
        (Zone(owner=1, asker=0), Zone(owner=1), False),
    ],
)
def test_a_question_is_the_same_but_for_secret_fields(
    recorded: Probe, asked: Probe, same: bool
) -> None:
    assert same_question(recorded, asked) == same


@pytest.mark.parametrize(
    ("probe", "answer"),
    [
        (Zone(owner=1, asker=0), ((4, "four"), (9, "nine"))),
        (InLine(owner=1, asker=0, line=()), ((4, "four"), (9, "nine"))),
        (Way(owner=1, asker=0), ((4, None), (9, None))),
    ],
)
def test_the_asker_learns_the_labels_of_its_own_keys(probe: Probe, answer: Any) -> None:
    assert blind_answer(probe, (3, 4, 9), {9: "nine", 5: "five", 4: "four"}) == answer


def test_a_secret_part_stays_on_its_own_machine() -> None:
    planted = fully(Plant(handle=1, cell=1))
    assert planted.events == (Planted(only=(0,), seat=0, cell=0), Acted())
    assert planted.exchanges == (Exchange(Buried(owner=0, cell=1), 1),)
    assert seen_by(0, Plant(1, 1), planted.exchanges).events == planted.events
    for holder in (None, 1, 2):
        elsewhere = seen_by(holder, Plant(1), planted.exchanges)
        assert elsewhere.events == (Acted(),)
        assert elsewhere.exchanges == (Exchange(Buried(owner=0), None),)


def test_a_private_event_comes_where_the_secrets_are() -> None:
    hidden = fully(Hide(handle=1))
    kept = Kept(only=(0,), seat=0, token=Token(0, Kind.GUNNER))
    assert hidden.events == (Vanished(handle=1), kept, Acted())
    assert seen_by(2, Hide(1), hidden.exchanges).events == (Vanished(handle=1), Acted())


def test_a_false_answer_is_noticed_by_the_machine_that_owes_it() -> None:
    shot = fully(Shoot(handle=1, heading=1)).exchanges
    false = tuple(Exchange(e.probe, 2) if isinstance(e.probe, Struck) else e for e in shot)
    with pytest.raises(Diverged, match="answered otherwise") as refused:
        seen_by(0, Shoot(1, 1), false)
    assert (refused.value.expected, refused.value.actual) == (2, 1)
    seen_by(1, Shoot(1, 1), false)  # seat 1 cannot know and goes on


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda exchanges: exchanges[:-1], "asks what was not asked"),
        (lambda exchanges: (*exchanges, exchanges[-1]), "does not ask what was asked"),
        (lambda exchanges: exchanges[::-1], "asks what was not asked"),
    ],
)
def test_questions_too_few_too_many_or_out_of_order_are_noticed(damage: Any, message: str) -> None:
    shot = fully(Shoot(handle=1, heading=1)).exchanges
    with pytest.raises(Diverged, match=message):
        seen_by(2, Shoot(1, 1), damage(shot))


class Indiscreet(Line):
    """It tells every machine where a trap lies, were it to know."""

    def resolve(self, state: State, seat: int, action: Action) -> Resolution:
        yield Planted(only=(0,), seat=0, cell=0)


def test_an_event_that_a_machine_may_not_know_is_noticed() -> None:
    game = Indiscreet(3)
    assert fully(Step(1, 1, 1), game).events
    with pytest.raises(Diverged, match="may not know"):
        public_replay(game, game.view(START, 1), 1, 0, Step(1, 1, 1), ())


def test_a_draw_beyond_its_range_is_our_own_slip() -> None:
    with pytest.raises(AssertionError):
        drive(
            tiny.GAME,
            START,
            0,
            Leap(handle=2),
            lambda state, probe: full_answer(tiny.GAME, state, probe, lambda: 2**128),
        )
