"""WEC notation: a match is written, read and resumed, and says what the rules made of it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any, Final, TypeVar

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cloakboard.engine.drive import drive, full_answer
from cloakboard.engine.errors import IllegalAction
from cloakboard.engine.events import may_know
from cloakboard.engine.game import Result
from cloakboard.engine.table import Record, Table
from cloakboard.engine.wec import GAME
from cloakboard.engine.wec import actions as acts
from cloakboard.engine.wec.notation import NotationError, read, replay, score_of, write
from cloakboard.engine.wec.notation.clauses import (
    Turn,
)
from cloakboard.engine.wec.notation.parser import read_turn
from cloakboard.engine.wec.notation.player import ACTIONS
from cloakboard.engine.wec.notation.printer import print_score, print_turn
from cloakboard.engine.wec.notation.reader import Reader
from cloakboard.engine.wec.notation.scribe import Scribe
from cloakboard.engine.wec.notation.wording import CLAUSES
from cloakboard.engine.wec.state import (
    BLACK,
    SIDES,
    SUB,
    WHITE,
    Arming,
    Reserve,
    Secret,
    State,
    square_at,
)
from tests.engine.wec.build import cell, lying, piece, public, state, unseen
from tests.play import by_class, random_game

T = TypeVar("T")

HEAD: Final = '[Game "WEC"]\n[Rules "1"]\n[Black "Ann"]\n[White "Bob"]\n[Result "*"]\n\n'

# From the standard start position. Worked out by hand:
# 3: the stealthed White pieces that nobody sees are, by row and column, the pawn at (8,1) and
#    the AAA at (9,3) and (9,8); draw 2 takes the last one (WEC-91).
# 4: the left chopper's (forward 2, left 1) is (8,5); of its two shortest routes the one that
#    begins straight ahead is proposed, this is the other (WEC-45).
# 5: the rocket starts at (2,10) and goes one square (WEC-60).
# 6: without its Stealth the pawn at (8,1) is seen at the end of the Turn (WEC-97).
GAME_BY_HAND: Final = (
    HEAD
    + "1. MV:RP(2,1)->(3,2),PU:RP(3,2)^TL\n"
    + "2. MV:STP(9,2)->(8,1),PU:STP(8,1)^SH\n"
    + "3. MV:STP(2,2)->(3,1),PU:STP(3,1)^ASH{draw 2}{locked AAA(9,8)W}\n"
    + "4. MV:CH(10,4)<->(8,5)-TRA->JE(10,4)(8,5){by ^(10,4)^(9,5)^(8,5)(8,5)}\n"
    + "5. MV:DO(1,2)->(2,1),DO>(2,1)SU(1,2),CL(1,3){forward-left},FI1:RL/RP(2,10)->(3,10)"
    + "{order FI1 MV},RS:R->(3,10)(1,0)\n"
    + "6. MV:FP(9,3)->(8,2),EX:STP(8,1)1SH->SH->RP(9,1),DR:RP(9,1)1SHvSH{order EX DR MV}"
    + ",RS:R->(4,10)(1,0){seen STP(8,1)W}\n"
    + "7. MV:SU(2,1)->v(2,1),RS:R->(5,10)(1,0)\n"
    + "8. MV:{none},FI1:ST/STP(8,1)->(7,1){unfinished}\n"
)


def turn_of(text: str) -> Turn:
    return read_turn(Reader(text))[0]


def record_of(before: State, action: acts.Action, draw: int = 0) -> Record:
    """The action as it comes out where all is known."""
    outcome = drive(
        GAME,
        before,
        before.side,
        action,
        lambda now, probe: full_answer(GAME, now, probe, lambda: draw),
    )
    return Record(before.side, action, False, outcome.exchanges, outcome.events)


def told(before: State, *actions: acts.Action, reader: int | None = None, draw: int = 0) -> str:
    """The Turn in which these actions happen, as text."""
    seen = before if reader is None else GAME.view(before, reader)
    scribe = Scribe(GAME, seen, reader)
    for action in actions:
        record = record_of(before, action, draw)
        for event in record.events:
            before = GAME.apply(before, event)
        scribe.take(record)
    return print_turn(scribe.turns[-1])


# -- a history and its table -----------------------------------------------------------------


def test_wec_112_a_history_by_hand_is_played_and_written_again() -> None:
    table = replay(GAME_BY_HAND)
    kinds = {(one.kind, one.cell) for one in table.state.pieces if one.side == BLACK}
    assert table.state.turn == 8
    assert {("SU", cell(2, 1, SUB)), ("DO", cell(2, 1)), ("CL", cell(2, 2))} <= kinds
    assert write(table, ("Ann", "Bob")) == GAME_BY_HAND


def test_wec_111_a_table_that_was_read_can_be_undone() -> None:
    table = replay(GAME_BY_HAND)
    while table.can_undo:
        table.undo()
    assert table.state == Table(GAME).state


SET_UP: Final = """\
[Game "WEC"]
[Rules "1"]
[Setup "format = 1"]
[Setup "title = \\"It's short\\""]
[Setup "black = ['K(1,5)', 'TA(2,2)1FL> moved']"]
[Setup "white = ['K(10,6)']"]
[Black ""]
[White ""]
[Result "*"]

1. MV:TA(2,2)1FL>->(5,2)
"""


def test_wec_112_a_start_position_stands_above_the_turns() -> None:
    table = replay(SET_UP)
    assert table.setup.split("\n")[1] == 'title = "It\'s short"'
    assert {(one.kind, one.cell) for one in table.state.pieces} == {
        ("K", cell(1, 5)), ("K", cell(10, 6)), ("TA", cell(5, 2)),
    }  # fmt: skip
    assert write(table) == SET_UP


def test_a_start_position_by_hand_may_have_another_layout() -> None:
    tags = """[Setup "white = ['K(10,6)'] # theirs"]
[Setup "format = 1"]
[Setup "black = ['TA(2,2)1FL> moved',"]
[Setup "         'K(1,5)']"]
[Setup "title = \\"It's short\\""]
"""
    lines = SET_UP.splitlines(keepends=True)
    assert write(replay("".join([*lines[:2], tags, *lines[6:]]))) == SET_UP


def test_a_start_position_in_tags_has_no_options() -> None:
    lines = SET_UP.splitlines(keepends=True)
    tags = ['[Setup "[options]"]\n', '[Setup "stun_range = 4"]\n']
    with pytest.raises(NotationError, match="options: expected none") as caught:
        replay("".join([*lines[:6], *tags, *lines[6:]]))
    assert caught.value.line == 3


def test_results_may_be_left_out() -> None:
    bare = "\n".join(line.split(",RS:")[0] for line in GAME_BY_HAND.splitlines())
    assert replay(bare).events == replay(GAME_BY_HAND).events


def test_line_ends_and_blank_lines_do_not_matter() -> None:
    loose = GAME_BY_HAND.replace("\n", "  \r\n\r\n")
    assert replay(loose).events == replay(GAME_BY_HAND).events


def test_tags_hold_any_text_and_the_options_that_differ() -> None:
    table = Table(GAME, {"stun_range": 5, "doze_enemies": False, "government.1": "theocracy"})
    text = write(table, ('A"n\\n\n', "Bo\u2028b"))
    assert text.splitlines(keepends=False)[2:5] == [
        '[Option "government.1" "theocracy"]',
        '[Option "stun_range" "5"]',
        '[Option "doze_enemies" "off"]',
    ]
    score = read(text)
    assert score.names == ('A"n\\n\n', "Bo\u2028b")
    assert score.options == {
        "government.1": "theocracy", "stun_range": 5, "doze_enemies": False,
    }  # fmt: skip
    assert replay(text).options == table.options


@pytest.mark.parametrize(
    ("end", "text", "result"),
    [
        (lambda table: table.resign(WHITE), "Black: resigned", Result((BLACK,), "resigned")),
        (
            lambda table: (table.offer_draw(BLACK), table.offer_draw(WHITE)),
            "draw: agreed",
            Result((), "agreed"),
        ),
    ],
)
def test_wec_15_an_agreed_end_is_kept(end: Any, text: str, result: Result) -> None:
    table = replay(GAME_BY_HAND)
    end(table)
    written = write(table)
    assert f'[Result "{text}"]' in written
    assert replay(written).result == result


def test_wec_14_a_match_that_was_won_is_played_to_its_end() -> None:
    options = {"action_constraint": "move_only", "movement": "standard"}
    table = random_game(GAME, 8, 200, options)
    assert table.result is not None, "take a seed whose game ends"
    again = replay(write(table))
    assert again.result == table.result
    assert again.result.reason == "primary"


OPTIONS: Final[tuple[dict[str, Any], ...]] = (
    {},
    {"movement": "mass_destruction", "dominance": "stealth", "jet_rocket_range": 3},
    {"movement": "standard", "action_constraint": "one_per_piece", "transport_from": "any"},
    {"stealth_range_detection": True, "homing_range": 9, "seen_when_firing_stealth": False},
)


@pytest.fixture(scope="module", params=range(8))
def table(request: pytest.FixtureRequest) -> Table:
    """A random game."""
    seed = int(request.param)
    return random_game(GAME, 100 + seed, 70, OPTIONS[seed % len(OPTIONS)])


def test_writing_and_reading_undo_each_other(table: Table) -> None:
    text = write(table, ("Ann", "Bob"))
    assert read(text) == score_of(table, ("Ann", "Bob"))
    again = replay(text)
    assert again.events == table.events
    assert again.state == table.state
    assert write(again, ("Ann", "Bob")) == text


def test_every_action_that_is_offered_can_be_written(table: Table) -> None:
    now = table.state
    for seat in table.to_act:
        for actions in by_class(table, seat).values():
            for action in islice(actions, 0, None, 7):
                if type(action) in CLAUSES:
                    name, clause = CLAUSES[type(action)](now, seat, action)
                    name = "FI1" if name == "FI" else name
                    text = print_turn(Turn(number=1, clauses=((name, clause),)))
                    back = turn_of(text).clause(name)
                    assert back == clause, text
                    assert ACTIONS[type(back)](now, seat, back) == action, text


@pytest.mark.parametrize("seat", SIDES)
def test_wec_110_a_seat_reads_only_what_it_may_know(table: Table, seat: int) -> None:
    """The same text comes out where everything else was taken away."""
    if table.result is not None:
        pytest.skip("a match that is over is told in full")
    start = GAME.start(table.options, table.setup)
    scribe, now = Scribe(GAME, GAME.view(start, seat), seat), GAME.view(start, seat)
    for record in table.log:
        action, events = record.action, tuple(e for e in record.events if may_know(e, seat))
        if record.seat != seat:
            action = GAME.split(now, record.seat, action)[0]
        scribe.take(Record(record.seat, action, record.forced, (), events))
        for event in events:
            now = GAME.apply(now, event)
    score = score_of(table, seat=seat)
    assert score.turns == scribe.turns
    assert read(write(table, seat=seat)) == score


def tried(call: Callable[[str], T], text: str) -> T | NotationError:
    try:
        return call(text)
    except NotationError as error:
        return error


@given(st.data())
@settings(max_examples=150, deadline=None, derandomize=True)
def test_damaged_text_is_refused_or_says_something(data: st.DataObject) -> None:
    """One place of a good text changed: it cannot be read, or reads as what is written of it."""
    at = data.draw(st.integers(0, len(GAME_BY_HAND)))
    cut = data.draw(st.integers(0, 3))
    signs = data.draw(st.text('MVFIPUDOTRS(){}[]<>-=^v*,.:0123456789 \n"\\é', max_size=3))
    score = tried(read, GAME_BY_HAND[:at] + signs + GAME_BY_HAND[at + cut :])
    if isinstance(score, NotationError):
        assert 1 <= score.line <= GAME_BY_HAND.count("\n") + 4
    else:
        assert read(print_score(score)) == score


@given(st.data())
@settings(max_examples=40, deadline=None, derandomize=True)
def test_a_damaged_history_ends_in_a_clear_error_or_is_played(data: st.DataObject) -> None:
    lines = GAME_BY_HAND.splitlines()
    row = data.draw(st.integers(6, len(lines) - 1))
    at = data.draw(st.integers(7, len(lines[row])))
    sign = data.draw(st.sampled_from("123456789SHBTACKFPUD<>^v"))
    lines[row] = lines[row][:at] + sign + lines[row][at + 1 :]
    table = tried(replay, "\n".join(lines[: row + 1]))
    if isinstance(table, NotationError):
        assert table.line == row + 1
    else:
        assert replay(write(table)).events == table.events


# -- what the rules make of it ---------------------------------------------------------------


MOVER = piece("TA", 2, 3, hand="right", handle=1)
GHOST = piece("AAA", 4, 3, WHITE, hidden=True)


def test_wec_49_the_intended_and_the_actual_move_are_told() -> None:
    now = state((MOVER, GHOST))
    move = acts.Move(public(1), (cell(3, 3), cell(4, 3), cell(5, 3)))
    assert told(now, move) == (
        "1. MV:TA(2,3)>->(5,3){met (4,3)},RS:AAA*AAA(4,3)0W{seen AAA(4,3)W}{unfinished}"
    )


def test_wec_48_a_doze_that_does_not_happen_is_told_with_its_reason() -> None:
    now = state((piece("DO", 2, 2, handle=1), piece("SU", 2, 2, handle=2), GHOST))
    now = msgspec.structs.replace(
        now, pieces=(*now.pieces[:-1], piece("AAA", 3, 2, WHITE, hidden=True))
    )
    assert told(now, acts.Doze(public(1), (), 0)) == (
        "1. MV:DO(2,2)->(3,2),DO>(3,2)SU(2,2){forward}{met (3,2)}{seen AAA(3,2)W}{unfinished}"
    )


def test_wec_80_a_reinforcement_that_was_kept_out_is_told() -> None:
    square = square_at(8, 1)
    now = state(
        (MOVER, piece("AAA", 8, 1, WHITE, hidden=True)),
        reserves=(Reserve(BLACK, square, "TA", "right"),),
        secrets=(Secret(armed=(Arming(square, True),)), Secret()),
    )
    assert told(now, acts.Reinforce(square, "TA")) == (
        "1. MV:{none},RE:(8,1)TA>{met (8,1)}{seen AAA(8,1)W}{unfinished}"
    )


@pytest.mark.parametrize(
    ("draw", "text"),
    [
        (0, "^ASH{locked AAA(7,2)W}"),
        (1, "^ASH{draw 1}{locked AAA(7,4)W}"),
        (5, "^ASH{draw 2}{locked AAA(8,1)W}"),
    ],
)
def test_wec_91_the_lot_of_a_lock_is_told(draw: int, text: str) -> None:
    places = ((7, 2), (7, 4), (8, 1))
    hidden = (piece("AAA", *place, WHITE, hidden=True) for place in places)
    now = state((MOVER, *hidden), lying=lying(2, 3, "ASH"))
    pick_up = acts.PickUp(public(1), "ASH")
    assert told(now, pick_up, draw=draw) == f"1. MV:{{none}},PU:TA(2,3)>{text}{{unfinished}}"
    assert "draw" not in told(now, pick_up, reader=BLACK, draw=draw)


def test_pieces_that_read_alike_are_numbered() -> None:
    now = state((piece("SU", 2, 2, handle=1), piece("SU", 2, 2, handle=2)))
    second = acts.Move(public(2), (cell(3, 2),))
    assert told(now, second) == "1. MV:SU(2,2){2}->(3,2){unfinished}"


def test_equal_pieces_are_told_apart_too() -> None:
    """Two unseen Subs that are alike in everything, one of which carries the other."""
    now = state(piece("SU", 5, 5, level=SUB, hidden=True) for _ in range(2))
    carry = acts.Move(unseen(5, 5, SUB), (cell(5, 6, SUB),), unseen(5, 5, SUB, index=1))
    text = "1. MV:SUv(5,5)->v(5,6)-TRA->SUv(5,5){2}v(5,6){unfinished}"
    assert told(now, carry) == text
    clause = turn_of(text).clause("MV")
    assert ACTIONS[type(clause)](now, BLACK, clause) == carry


@pytest.mark.parametrize(
    ("reader", "text"),
    [
        (None, "1. MV:SHP(5,5)->(6,6),PU:SHP(6,6)^BI"),
        (BLACK, "1. MV:SHP(5,5)->(6,6),PU:SHP(6,6)^BI"),
        (WHITE, "1. MV:{unseen}{gone BI(6,6)}"),
    ],
)
def test_wec_35_an_unseen_action_shows_only_what_everyone_saw(
    reader: int | None, text: str
) -> None:
    now = state(
        (piece("SHP", 5, 5, hidden=True), piece("K", 10, 5, WHITE)), lying=lying(6, 6, "BI")
    )
    actions = (
        acts.Move(unseen(5, 5), (cell(6, 6),)),
        acts.PickUp(unseen(6, 6), "BI"),
        acts.EndTurn(),
    )
    assert told(now, *actions, reader=reader) == text


def test_the_rules_still_judge_what_is_read() -> None:
    with pytest.raises(NotationError) as caught:
        replay(HEAD + "1. MV:DS(2,4)->(3,4),FI1:TL/DS(2,4)->(3,4)")
    assert caught.value.found.startswith("DS(2,4), which is not there")
    with pytest.raises(NotationError) as caught:
        replay(HEAD + "1. MV:DS(2,4)->(3,4){order MV},DR:DS(3,4)vBI")
    assert caught.value.column == 31
    assert isinstance(caught.value, NotationError) and not isinstance(caught.value, IllegalAction)
