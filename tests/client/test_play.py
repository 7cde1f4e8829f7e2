"""Whole matches through the table's model: every action can be pointed out, every event told."""

from __future__ import annotations

import random

import pytest

from cloakboard.client import choose
from cloakboard.client.boards.wec_effects import sound_of
from cloakboard.client.choose import Act, Ask, Choosing, Click, Menu, Pending
from cloakboard.client.local_session import LocalSession
from cloakboard.client.play import Play, instruction
from cloakboard.client.sound import NAMES
from cloakboard.client.steps import VERB_OF, Path, Verb, paths_of
from cloakboard.client.words import told
from cloakboard.engine.game import Action
from cloakboard.engine.registry import game
from cloakboard.engine.wec.actions import Doze, EndTurn, Launch, Move
from cloakboard.engine.wec.state import BLACK

WEC = game("wec")
ACTIONS = 140  # of each match; enough for shots to fly and reinforcements to be armed


def walked(menu: Menu, verb: Verb, path: Path) -> Action | None:
    """The action that choosing the steps of a path leads to, words asked for or not."""
    choosing = Choosing(verb)
    for step in path:
        if step in choosing.picked:
            continue
        outcome = choose.answer(menu, choosing, step)
        match outcome:
            case Act(action=action):
                return action
            case Pending(choosing=after) | Ask(choosing=after):
                assert instruction(menu, after)
                choosing = after
    return None


@pytest.mark.parametrize("seed", [b"1", b"2", b"3"])
def test_every_legal_action_can_be_pointed_out_and_every_event_told(seed: bytes) -> None:
    session = LocalSession(WEC, ("Ann", "Bob"), seed=seed)
    play = Play(session)
    dice = random.Random(seed)
    for _ in range(ACTIONS):
        if play.curtain is not None:
            play.raise_curtain()
            play.skip()
        if play.result is not None:
            break
        menu = play.menu
        menu = Menu(menu.state, menu.seat, menu.actions, all_routes=True)
        for action in dice.sample(menu.actions, min(12, len(menu.actions))):
            if isinstance(action, Doze):
                assert action.heading in menu.dozes(action.dozer)[action.picked]
                continue
            verb = VERB_OF[type(action)]
            if isinstance(action, EndTurn):
                assert menu.can(Verb.END)
                continue
            paths = paths_of(menu.state, menu.seat, action)
            assert paths
            assert all(len(path) == len(set(path)) for path in paths)
            assert walked(menu, verb, paths[0]) == action
        session.act(play.viewer, session._chosen(play.viewer))
        play.poll()
        while (shown := play.next_event()) is not None:
            text = told(shown[1])  # type: ignore[arg-type]
            assert "{" not in text
            sound = sound_of(shown[1])
            assert not sound or sound in NAMES
        play.poll()
        for seat in session.seats_here:
            if seat == play.viewer:
                assert play.shown[seat] == session.state(seat)


def test_moves_offer_one_route_each_unless_all_are_asked_for() -> None:
    play = Play(LocalSession(WEC, ("Ann", "Bob")))
    play.raise_curtain()
    paths = play.menu.paths(Verb.MOVE)
    assert len({path[:-1] for path in paths}) == len(paths)
    moves = [action for action in play.menu.actions if isinstance(action, Move)]
    free = Menu(play.menu.state, play.menu.seat, play.menu.actions, all_routes=True)
    assert len(free.paths(Verb.MOVE)) == len(moves)


def test_the_computer_waits_for_what_is_shown() -> None:
    session = LocalSession(WEC, ("Computer", "Ann"), seed=b"9", computers=(0,))
    play = Play(session)
    assert play.viewer == 1
    assert play.curtain is None
    assert not play.may_act
    assert play.status() == "The computer is to play."
    for _ in range(60):
        play.poll()
        play.skip()
        if play.may_act:
            break
    assert play.may_act
    assert play.status().startswith("Your Turn")


def test_a_click_while_waiting_tells_what_is_waited_for_and_only_as_long_as_it_holds() -> None:
    session = LocalSession(WEC, ("Computer", "Ann"), seed=b"w", computers=(0,))
    play = Play(session)
    play.click(Click(0))
    assert play.refusal == "The computer is to play."
    play.poll()
    assert play.refusal == ""


def test_an_undo_takes_its_own_lines_alone_and_a_redo_brings_them_back() -> None:
    session = LocalSession(WEC, ("Ann", "Bob"), seed=b"undo")
    play = Play(session)

    def said() -> list[str]:
        play.poll()
        play.skip()
        return [line.text for line in play.history[BLACK]]

    play.raise_curtain()
    told_after = [said()]
    for kind in (Move, Launch):
        session.act(BLACK, next(a for a in session.actions(BLACK) if isinstance(a, kind)))
        told_after.append(said())
    assert [len(lines) > 0 for lines in told_after] == [False, True, True]
    assert told_after[2][: len(told_after[1])] == told_after[1] != told_after[2]
    for steps in (1, 0):
        session.undo()
        assert said() == told_after[steps]
    session.redo()
    session.redo()
    assert said() == told_after[2]


def test_after_the_move_the_line_says_whether_anything_else_is_possible() -> None:
    session = LocalSession(WEC, ("Ann", "Bob"), seed=b"line")
    session.act(BLACK, next(a for a in session.actions(BLACK) if isinstance(a, Move)))
    state, actions = session.state(BLACK), tuple(session.actions(BLACK))
    end = tuple(action for action in actions if isinstance(action, EndTurn))
    launch = next(action for action in actions if isinstance(action, Launch))
    choosing = Choosing(Verb.MOVE)
    assert instruction(Menu(state, BLACK, end), choosing) == (
        "Your Move is made and nothing else is possible: end the Turn."
    )
    assert instruction(Menu(state, BLACK, (*end, launch)), choosing) == (
        "Your Move is made. Fire, pick up, drop, or end the Turn."
    )


def test_an_action_chosen_out_of_turn_is_refused_with_whose_turn_it_is() -> None:
    play = Play(LocalSession(WEC, ("Ann", "Computer"), seed=b"t", computers=(BLACK,)))
    play.choose_verb(Verb.FIRE)
    assert play.refusal == "The computer is to play."
