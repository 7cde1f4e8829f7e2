"""Start positions as text, as values, and as the state a match begins with (RULES section 12)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from cloakboard.engine.errors import BadOption, BadSetup
from cloakboard.engine.scenario import TEXT_LIMIT
from cloakboard.engine.wec import GAME
from cloakboard.engine.wec.editing import scenario_of, warnings
from cloakboard.engine.wec.notation.positions import (
    read_scenario,
    read_setup,
    write_scenario,
    write_setup,
)
from cloakboard.engine.wec.options import agreed, complete
from cloakboard.engine.wec.pieces import ARTICLES, COEXISTS, HANDED, KINDS
from cloakboard.engine.wec.position import Placed, Position, Scenario, faults
from cloakboard.engine.wec.setup import standard, state_of
from cloakboard.engine.wec.state import BLACK, SIDES, SUB, WHITE, Gear, Lock, Reserve
from tests.engine.wec.build import cell
from tests.play import random_game

BY_HAND = """\
# A remark.
format = 1
title = "It's a try"
black = ['K(1,5)', 'TA(1,1)2FLXXX> moved',
         'SUv(2,3) stunned 3']
white = ['SP(9,2)1JU', 'SHP(9,5) holds 1', 'K(10,6)']
articles = ['FL(6,6)', 'AFL(5,5)']
black_reinforcements = ['DO(8,4)', 'SU(8,4)']
white_reinforcements = ['CL(3,4)<']

[options]
government.0 = 'theocracy'
stun_range = 4
stealth_invisible = false
"""
MEANT = Scenario(
    position=Position(
        title="It's a try",
        pieces=(
            Placed(BLACK, "K", cell(1, 5)),
            Placed(BLACK, "SU", cell(2, 3, SUB), stun=3),
            Placed(BLACK, "TA", cell(1, 1), "right", ("FL", "XXX"), moved=True),
            Placed(WHITE, "K", cell(10, 6)),
            Placed(WHITE, "SHP", cell(9, 5), holds=(1,)),
            Placed(WHITE, "STP", cell(9, 2), articles=("JP",)),
        ),
        lying=((cell(5, 5), "AFL"), (cell(6, 6), "FL")),
        reserves=(
            Reserve(BLACK, cell(8, 4), "DO"),
            Reserve(BLACK, cell(8, 4), "SU"),
            Reserve(WHITE, cell(3, 4), "CL", "left"),
        ),
    ),
    options={"government.0": "theocracy", "stun_range": 4, "stealth_invisible": False},
)
# The same, as machines agree on it, without the options.
SETUP = """\
format = 1
title = "It's a try"
black = ['K(1,5)', 'SUv(2,3) stunned 3', 'TA(1,1)2FLXXX> moved']
white = ['K(10,6)', 'SHP(9,5) holds 1', 'STP(9,2)1JP']
articles = ['AFL(5,5)', 'FL(6,6)']
black_reinforcements = ['DO(8,4)', 'SU(8,4)']
white_reinforcements = ['CL(3,4)<']"""


# -- the text --------------------------------------------------------------------------------


def test_a_text_by_hand_says_what_it_means() -> None:
    assert read_scenario(BY_HAND) == MEANT


def test_the_one_form_is_sorted_with_a_line_for_each_key() -> None:
    assert write_setup(MEANT.position) == SETUP
    assert read_setup(SETUP) == MEANT.position


def test_a_scenario_is_written_and_read_again() -> None:
    assert read_scenario(write_scenario(MEANT)) == MEANT
    assert write_scenario(MEANT).endswith("stealth_invisible = false\nstun_range = 4\n")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("?", r"TOML.*line 1, column 1"),
        ("format = 1\nblack = ['K(1,5)'\nwhite = 3", r"TOML.*line 3"),
        ("black = ['K(1,5)']", r"^format: expected 1, found nothing$"),
        ("format = 2", r"^format: expected 1, found 2$"),
        ("format = true", r"^format: expected 1, found True$"),
        ("format = 1\nblak = []", r"^blak: expected one of the keys .*black.*, found 'blak'$"),
        ("format = 1\ntitle = 3", r"^title: expected a text in quotes, found 3$"),
        ("format = 1\nblack = 'K(1,5)'", r"^black: expected a list such as \['TA\(1,1\)2FLXXX>'\]"),
        ("format = 1\nblack = ['K(1,5)', 3]", r"^black, entry 2: expected a text such as .* 3$"),
        (
            "format = 1\nwhite = ['K(1,5)', 'TA(11,1)>']",
            r"^white, entry 2 'TA\(11,1\)>', sign 4: expected a row from 1 to 10, found '11,1\)>'$",
        ),
        ("format = 1\nwhite = ['XY(1,1)']", r"sign 1: expected the code of a piece"),
        ("format = 1\nwhite = ['TA(1,1)']", r"sign 8: expected its hand, < or >, found the end"),
        ("format = 1\nwhite = ['K(1,1) stunned 256']", r"sign 16: expected Turns from 1 to 255"),
        ("format = 1\nwhite = ['K(1,1) stunned 3 moved']", r"sign 17: expected moved, stunned"),
        ("format = 1\nwhite = ['K(1,1) holds 0']", r"sign 14: expected the number of a lock"),
        ("format = 1\narticles = ['QQ(1,1)']", r"^articles, entry 1 .*the code of an article"),
        ("format = 1\narticles = ['FL^(1,1)']", r"sign 3: expected a square such as \(3,4\)"),
        ("format = 1\nblack_reinforcements = ['DO(8,4)1FL']", r"entry 1 .*sign 8: .*the end"),
        ("format = 1\noptions = 3", r"^options: expected a table of options, found 3$"),
        ("format = 1\n[options]\nstun = 3", r"^options: there is no option stun"),
        ("format = 1\n[options]\nstun_range = 10", r"^options: stun_range cannot be 10"),
        ("format = 1\n[options]\ngovernment = 'monarchy'", r"^options: there is no option gov"),
        ("#" * (TEXT_LIMIT + 1), r"at most 16384 characters"),
        ("x = " + "[" * 9000, r"TOML"),
    ],
    ids=lambda value: str(value)[:30],
)  # fmt: skip
def test_a_text_that_is_none_is_refused_with_the_place(text: str, says: str) -> None:
    with pytest.raises(BadSetup, match=says):
        read_scenario(text)


@pytest.mark.parametrize(
    "text", ["format = 1\n'a\\nb' = 3", 'format = 1\n"a\\nb" = 3', 'format = 1\nblack = ["\\n"]']
)
def test_an_error_is_one_line_whatever_the_text_holds(text: str) -> None:
    with pytest.raises(BadSetup) as caught:
        read_scenario(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        SETUP + "\n",
        SETUP.replace("'K(1,5)', 'SUv(2,3) stunned 3'", "'SUv(2,3) stunned 3', 'K(1,5)'"),
        SETUP.replace("'K(1,5)'", '"K(1,5)"'),
        SETUP.replace("format = 1", "format = 1 # remark"),
        SETUP + "\nteaches = ''",
        SETUP + "\n[options]\nstun_range = 4",
    ],
)
def test_machines_agree_on_one_form_alone(text: str) -> None:
    assert read_scenario(text).position == MEANT.position
    with pytest.raises(BadSetup):
        read_setup(text)


SQUARES = st.integers(0, 99)
PLACED = st.builds(
    lambda kind, hand, **rest: Placed(kind=kind, hand=hand if kind in HANDED else "", **rest),
    side=st.sampled_from(SIDES),
    kind=st.sampled_from(KINDS),
    cell=st.integers(0, 299),
    hand=st.sampled_from(("left", "right")),
    articles=st.lists(st.sampled_from(ARTICLES), max_size=3).map(tuple),
    stun=st.integers(0, 255),
    moved=st.booleans(),
    holds=st.lists(st.integers(1, 200), max_size=3).map(tuple),
    locked=st.integers(0, 200),
)
RESERVES = st.builds(
    lambda kind, hand, **rest: Reserve(kind=kind, hand=hand if kind in HANDED else "", **rest),
    side=st.sampled_from(SIDES),
    square=SQUARES,
    kind=st.sampled_from(KINDS),
    hand=st.sampled_from(("left", "right")),
)
POSITIONS = st.builds(
    Position,
    title=st.text(max_size=20),
    teaches=st.text(max_size=20),
    pieces=st.lists(PLACED, max_size=8).map(tuple),
    lying=st.lists(st.tuples(SQUARES, st.sampled_from(ARTICLES)), max_size=5).map(tuple),
    reserves=st.lists(RESERVES, max_size=4).map(tuple),
).map(Position.sorted)


@settings(max_examples=150, deadline=None)
@given(POSITIONS)
def test_any_position_is_written_and_read_again(position: Position) -> None:
    text = write_setup(position)
    assert read_setup(text) == position
    assert "\n" not in text.split("=", 1)[0]


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet="format=1 \n'[]black(),KTASU<>^v\"\\u{}0 #", max_size=80))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        scenario = read_scenario("format = 1\n" + text)
    except BadSetup:
        return
    assert read_setup(write_setup(scenario.position)) == scenario.position


# -- what the rules say of it ----------------------------------------------------------------


def found(lists: dict[str, list[str]], **options: Any) -> list[tuple[str, int]]:
    """Rule and cell of each fault of a position with these entries."""
    lines = [f"{key} = {entries}" for key, entries in lists.items()]
    position = read_scenario("\n".join(["format = 1", *lines])).position
    return [(one.rule, one.cell) for one in faults(position, agreed(complete(options)))]


FULL = [f"FL({row},{column})" for row in range(1, 11) for column in range(1, 11)] * 2
FAULTS: list[Any] = [
    ("WEC-03 two on a level", {"black": ["DO(1,1)", "TA(1,1)>"]}, []),
    ("WEC-03 six in a square", {"black": ["DO(1,1)", "AAA(1,1)", "CH^(1,1)>", "K^(1,1)",
                                          "SUv(1,1)", "Qv(1,1)"]}, []),
    ("WEC-03 three on a level", {"black": ["DO(1,1)", "AAA(1,1)", "K(1,1)"]}, [("WEC-03", 0)]),
    *[
        (f"WEC-04 {kind} shares {kind in COEXISTS}",
         {"black": ["JE(1,1)", f"{kind}(1,1)" + (">" if kind in HANDED else "")]},
         [] if kind in COEXISTS else [("WEC-04", 0)])
        for kind in KINDS
    ],
    ("WEC-05 enemies", {"black": ["TA(1,1)>"], "white": ["K(1,1)"]}, [("WEC-05", 0)]),
    ("WEC-58 a pair that a conversion left", {"black": ["DO(1,1)"], "white": ["K(1,1)"]}, []),
    ("WEC-58 both at home in Air", {"black": ["CH^(1,1)>"], "white": ["JE^(1,1)"]}, []),
    ("WEC-58 both at home at Sub", {"black": ["SUv(1,1)"], "white": ["SUv(1,1)"]}, []),
    ("WEC-58 a passenger is no enemy", {"black": ["CH^(1,1)>"], "white": ["K^(1,1)"]},
     [("WEC-05", 100), ("WEC-47", 100)]),
    ("WEC-06 two articles", {"articles": ["FL(1,1)", "FL(1,1)"]}, []),
    ("WEC-06 three articles", {"articles": ["FL(1,1)", "FL(1,1)", "ST(1,1)"]}, [("WEC-06", 0)]),
    ("WEC-06 200 articles", {"articles": FULL}, []),
    ("WEC-06 201, a carried one included", {"articles": FULL, "black": ["K(1,1)1FL"]},
     [("WEC-06", -1)]),
    ("WEC-23 one", {"black": ["K(1,1)1FL"]}, []),
    ("WEC-23 two", {"black": ["K(1,1)2FLST"]}, [("WEC-23", 0)]),
    ("WEC-23 an XXX Pawn two", {"black": ["XP(1,1)2FLST"]}, []),
    ("WEC-23 an XXX Pawn three", {"black": ["XP(1,1)3FLSTCS"]}, [("WEC-23", 0)]),
    ("WEC-23 with an XXX three", {"black": ["K(1,1)3FLSTXXX", "XP(1,2)3XXXFLST"]}, []),
    ("WEC-33 a primary's Stealth", {"black": ["K(1,1)1SH", "Q(1,2)1SH"]}, [("WEC-33", 0)]),
    ("WEC-47 at home", {"black": ["CH^(1,1)>", "JE^(1,2)", "SUv(1,3)"]}, []),
    ("WEC-47 in Air alone", {"black": ["K^(1,1)"]}, [("WEC-47", 100)]),
    ("WEC-47 a Jet carries nobody", {"black": ["DO^(1,1)", "JE^(1,1)"]}, [("WEC-47", 100)]),
    ("WEC-47 a Sub in Air", {"black": ["SU^(1,1)"]}, [("WEC-47", 100)]),
    ("WEC-47 a Chopper at Sub, carried", {"black": ["SUv(1,1)", "CHv(1,1)>"]}, []),
    ("WEC-47 both at Sub without a Sub", {"black": ["DOv(1,1)", "Kv(1,1)"]},
     [("WEC-47", 200), ("WEC-47", 200)]),
    ("WEC-81 one with a hand", {"black_reinforcements": ["TA(8,1)>"]}, []),
    ("WEC-81 two without", {"black_reinforcements": ["SU(8,1)", "SU(8,1)"]}, []),
    ("WEC-81 one with and one without", {"black_reinforcements": ["SU(8,1)", "CH(8,1)<"]},
     [("WEC-81", 70)]),
    ("WEC-81 three", {"black_reinforcements": ["SU(8,1)", "DO(8,1)", "JE(8,1)"]},
     [("WEC-81", 70)]),
    ("WEC-81 of both sides", {"black_reinforcements": ["SU(8,1)", "DO(8,1)"],
                              "white_reinforcements": ["DO(8,1)"]}, [("WEC-81", 70)]),
    ("several primaries", {"black": ["K(1,1)", "K(1,2)", "DI(1,3)"]}, []),
    ("WEC-91 a lock", {"black": ["SHP(1,1) holds 1"], "white": ["SHP(9,1) locked 1"]}, []),
    ("WEC-91 by an article", {"black": ["K(1,1)1ASH holds 1"], "white": ["AAA(9,1) locked 1"]}, []),
    ("WEC-91 without an Anti-stealth", {"black": ["K(1,1) holds 1"],
                                        "white": ["AAA(9,1) locked 1"]}, [("WEC-91", 0)]),
    ("WEC-91 nobody is locked", {"black": ["SHP(1,1) holds 1"]}, [("WEC-91", -1)]),
    ("WEC-91 nobody holds it", {"white": ["AAA(9,1) locked 1"]}, [("WEC-91", -1)]),
    ("WEC-91 on an own piece", {"black": ["SHP(1,1) holds 1", "AAA(1,2) locked 1"]},
     [("WEC-91", -1)]),
    ("WEC-91 numbered with a gap", {"black": ["SHP(1,1) holds 2"], "white": ["SHP(9,1) locked 2"]},
     [("WEC-91", -1)]),
    ("an empty board", {}, []),
]  # fmt: skip


@pytest.mark.parametrize(
    ("lists", "expected"), [pytest.param(*row[1:], id=row[0]) for row in FAULTS]
)
def test_what_a_start_position_may_not_hold(
    lists: dict[str, list[str]], expected: list[tuple[str, int]]
) -> None:
    assert found(lists) == expected
    position = read_scenario("\n".join(f"{k} = {v}" for k, v in {"format": 1, **lists}.items()))
    setup = write_setup(position.position)
    if expected:
        with pytest.raises(BadSetup):
            GAME.start({}, setup)
    else:
        GAME.start({}, setup)


def test_wec_33_the_option_lets_a_primary_have_a_stealth() -> None:
    assert found({"black": ["K(1,1)1SH"]}, king_may_stealth=True) == []


def test_wec_24_a_hand_where_there_is_one() -> None:
    for placed in (Placed(BLACK, "TA", 0), Placed(BLACK, "DO", 0, "left")):
        [fault] = faults(Position(pieces=(placed,)), agreed(complete({})))
        assert fault.rule == "WEC-24"


def test_titles_are_one_line_and_not_long() -> None:
    for title in ("a\nb", "x" * 61, " x"):
        [fault] = faults(Position(title=title), agreed(complete({})))
        assert "title" in fault.text


@pytest.mark.parametrize(
    ("black", "white", "articles", "rules"),
    [
        pytest.param(["K(1,5)"], ["K(10,5)"], [], [], id="nothing to say"),
        pytest.param(["TA(1,5)>"], ["K(10,5)"], [], ["WEC-14"], id="no primary"),
        pytest.param(["K(1,5) stunned 2"], ["K(10,5)"], [], ["WEC-12"], id="stunned"),
        pytest.param(["K(1,5)"], ["K(10,5) stunned 1"], [], [], id="over when its Turn comes"),
        pytest.param(["K(1,5)"], [], [], ["WEC-14", "WEC-12"], id="nobody there"),
        pytest.param(
            ["K(1,1)1FL"], ["K(10,5)"],
            [f"FL({row},{column})" for row in (1, 2) for column in (1, 2)] * 2,
            ["WEC-62"], id="no room around",
        ),
        pytest.param(
            ["K(1,1)1FL"], ["K(10,5)"],
            [f"FL({row},{column})" for row in (1, 2) for column in (1, 2)] + ["ST(1,1)"],
            [], id="room enough",
        ),
    ],
)  # fmt: skip
def test_what_an_editor_warns_of(
    black: list[str], white: list[str], articles: list[str], rules: list[str]
) -> None:
    text = f"format = 1\nblack = {black}\nwhite = {white}\narticles = {articles}"
    position = read_scenario(text).position
    assert [one.rule for one in warnings(position, {})] == rules


# -- the state -------------------------------------------------------------------------------


def started(text: str, **options: Any) -> Any:
    return GAME.start(options, write_setup(read_scenario("format = 1\n" + text).position))


def test_pieces_stand_as_they_are_set() -> None:
    state = started(
        "black = ['K(1,5)', 'TA(1,1)2FLXXX> moved', 'CH(2,2)< stunned 3']\nwhite = ['K(10,6)']"
    )
    kinds = {one.kind: one for one in state.pieces if one.side == BLACK}
    assert kinds["TA"].gear == (Gear("FL"), Gear("XXX"))
    assert (kinds["TA"].hand, kinds["TA"].unmoved) == ("right", False)
    assert (kinds["K"].unmoved, kinds["K"].stunned) == (True, 0)
    assert kinds["CH"].stunned == 4  # it acts again in Turn 4, after three
    assert (state.turn, state.side, state.locks) == (1, BLACK, ())


def test_wec_21_k_and_q_are_of_the_government() -> None:
    text = "black = ['K(1,5)', 'DI(1,6)']\nwhite = ['K(10,6)']\nwhite_reinforcements = ['Q(3,3)']"
    state = started(text, **{"government.0": "theocracy", "government.1": "democracy"})
    assert [one.kind for one in state.pieces] == ["AV", "DI", "PR"]
    assert [one.kind for one in state.reserves] == ["PM"]


def test_wec_91_locks_show_their_targets() -> None:
    text = "black = ['K(1,1)1ASH holds 1']\nwhite = ['AAA(9,1) locked 1', 'AAA(9,2)']"
    state = started(text)
    assert state.locks == (Lock(1, BLACK),)
    assert state.next_lock == 2
    assert {(one.kind, one.cell): one.handle > 0 for one in state.pieces} == {
        ("K", 0): True, ("AAA", cell(9, 1)): True, ("AAA", cell(9, 2)): False,
    }  # fmt: skip
    unlocked = started(text, stealth_lock_on=False)
    assert (unlocked.locks, [one.handle for one in unlocked.pieces]) == ((), [1, 0, 0])
    assert unlocked.pieces[0].gear == (Gear("ASH"),)


def test_wec_58_opposed_pieces_see_each_other_from_the_start() -> None:
    state = started("black = ['AAA(5,5)', 'AAA(5,6)']\nwhite = ['AAA(5,5)']")
    assert [one.handle for one in state.pieces] == [1, 2, 0]


def test_wec_93_a_destroyer_sees_a_sub_three_squares_away() -> None:
    state = started("black = ['DS(5,5)']\nwhite = ['SUv(8,8)', 'SUv(9,9)']")
    assert {one.cell: one.handle > 0 for one in state.pieces} == {
        cell(5, 5): True, cell(8, 8, SUB): True, cell(9, 9, SUB): False,
    }  # fmt: skip


def test_options_that_a_start_position_has_no_use_for() -> None:
    with pytest.raises(BadOption, match=r"articles\.FL"):
        started("black = ['K(1,1)']", **{"articles.FL": 3})
    text = "black = ['K(1,1)']\nblack_reinforcements = ['DO(8,1)']"
    assert started(text, reinforcements=False).reserves == ()


def test_an_empty_board_can_be_started() -> None:
    state = started("")
    assert (state.pieces, state.next_handle) == ((), 1)
    assert list(GAME.actions(state, BLACK))


def test_the_standard_game_is_a_start_position_like_any_other() -> None:
    values = complete({})
    setup = write_setup(standard(values))
    assert GAME.start({}, setup) == GAME.start({}) == state_of(values, standard(values))
    assert list(warnings(standard(values), {})) == []


def test_the_current_position_becomes_a_start_position() -> None:
    options = {"stun_range": 4, "articles.XXX": 0}
    state = GAME.start(options)
    scenario = scenario_of(state)
    assert scenario.options == {"stun_range": 4}
    again = GAME.start(scenario.options, write_setup(scenario.position))
    for field in ("pieces", "lying", "reserves", "locks", "secrets", "next_handle"):
        assert getattr(again, field) == getattr(state, field)


@pytest.mark.parametrize("seed", range(14))
def test_what_a_match_has_come_to_reads_back_and_hides_what_a_seat_does_not_see(seed: int) -> None:
    """The whole state, and what each seat knows of it, after each of some random actions."""
    table = random_game(GAME, seed, 120, {"stealth_range_detection": bool(seed % 2)})
    states = [GAME.start(table.options, table.setup)]
    for event in table.events:
        states.append(GAME.apply(states[-1], event))
    for state in (*states[::7], table.state):
        for shown in (state, GAME.view(state, BLACK), GAME.view(state, WHITE)):
            made = scenario_of(shown)
            assert read_scenario(write_scenario(made)) == made
            stood = [(piece.side, piece.kind, piece.cell) for piece in shown.pieces]
            found = [(placed.side, placed.kind, placed.cell) for placed in made.position.pieces]
            assert sorted(found) == sorted(stood)


def test_a_lock_is_kept_only_where_both_ends_are_known() -> None:
    text = "black = ['SHP(2,3) locked 1']\nwhite = ['K(9,9)1ASH holds 1']"
    state = started(text, stealth_range_detection=False)
    whole = scenario_of(state).position
    assert [placed.locked for placed in whole.pieces] == [1, 0]
    assert [placed.holds for placed in whole.pieces] == [(), (1,)]
    holder = replace(state, pieces=tuple(p for p in state.pieces if p.side == WHITE))
    assert [placed.holds for placed in scenario_of(holder).position.pieces] == [()]
    target = replace(state, pieces=tuple(p for p in state.pieces if p.side == BLACK))
    assert [placed.locked for placed in scenario_of(target).position.pieces] == [0]


# -- lookups (VEIL 5) ------------------------------------------------------------------------


def sizes(text: str, **options: Any) -> dict[str, tuple[int, int]]:
    setup = write_setup(read_scenario("format = 1\n" + text).position)
    found = GAME.lookups(options, setup)
    return {name: (one.points, one.rows) for name, one in found.items()}


@pytest.mark.parametrize(
    ("text", "options", "path", "sight"),
    [
        pytest.param("black = ['K(1,1)']", {}, 0, (100, 0), id="nobody hides"),
        pytest.param(
            "black = ['SUv(1,1)', 'SU(1,2)']\nwhite = ['SU(9,9)', 'K(9,8)1SC', 'K(9,7)']\n"
            "articles = ['SC(5,5)']\nwhite_reinforcements = ['SU(3,3)']",
            {}, 6, (100, 6), id="4 subs, 2 scubas, 6 pieces",
        ),
        pytest.param(
            "black = ['AAA(1,1)', 'SHP(1,2)']\nwhite = ['K(9,8)', 'Q(9,9)1SH']",
            {"stealth_range_detection": True}, 3, (400, 3), id="AAA, Stealth Pawn, a Stealth",
        ),
        pytest.param(
            f"black = ['K(1,1)']\narticles = {FULL[:50]}".replace("FL", "SH"),
            {}, 1, (100, 0), id="50 Stealths for one piece",
        ),
    ],
)  # fmt: skip
def test_lookups_have_room_for_whoever_can_hide(
    text: str, options: dict[str, Any], path: int, sight: tuple[int, int]
) -> None:
    found = sizes(text, **options)
    assert (found["path"], found["sight"]) == ((10, path), sight)


def test_lookups_of_the_standard_start_hang_on_the_articles() -> None:
    assert GAME.lookups({"articles.SC": 0})["path"].rows == 22
    assert GAME.lookups({"articles.SH": 100})["path"].rows == 12 + 76
