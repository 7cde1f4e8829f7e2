"""WEC notation: the form of a Turn, and what is refused with which words."""

from __future__ import annotations

from typing import Any, Final, get_args

import pytest

from cloakboard.engine.wec import actions as acts
from cloakboard.engine.wec.notation import NotationError, replay
from cloakboard.engine.wec.notation.clauses import (
    FORMS,
    Call,
    Clause,
    Doze,
    Drop,
    Exchange,
    Fate,
    Fire,
    Item,
    Man,
    Move,
    Note,
    PickUp,
    Shot,
    Turn,
)
from cloakboard.engine.wec.notation.parser import FIELDS, read_turn
from cloakboard.engine.wec.notation.player import ACTIONS
from cloakboard.engine.wec.notation.printer import PRINTERS, print_turn
from cloakboard.engine.wec.notation.reader import Reader
from cloakboard.engine.wec.notation.wording import CLAUSES
from cloakboard.engine.wec.state import (
    AIR,
    BLACK,
    SUB,
    WHITE,
)
from tests.engine.wec.build import cell

HEAD: Final = '[Game "WEC"]\n[Rules "1"]\n[Black "Ann"]\n[White "Bob"]\n[Result "*"]\n\n'


def turn_of(text: str) -> Turn:
    return read_turn(Reader(text))[0]


# -- the form of a Turn ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "turn"),
    [
        pytest.param(
            "1. MV:TA(1,1)>->(4,1)",
            Turn(number=1, clauses=(("MV", Move(Man("TA", 0, hand="right"), cell(4, 1))),)),
            id="a hand is written, Ground is not (N5)",
        ),
        pytest.param(
            "12. MV:CHv(10,10)2XXXBI<->^(9,9)",
            Turn(
                number=12,
                clauses=(
                    (
                        "MV",
                        Move(Man("CH", cell(10, 10, SUB), ("XXX", "BI"), "left"), cell(9, 9, AIR)),
                    ),
                ),
            ),
            id="levels, count and articles before the hand (N4)",
        ),
        pytest.param(
            "1. MV:SU(1,2)->v(1,2)-TRA->K(1,2)1SHv(1,2)1SH{by v(1,2)}{met v(1,2)}",
            Turn(
                number=1,
                clauses=(
                    (
                        "MV",
                        Move(
                            Man("SU", 1),
                            cell(1, 2, SUB),
                            Man("K", 1, ("SH",)),
                            (cell(1, 2, SUB),),
                            cell(1, 2, SUB),
                        ),
                    ),
                ),
            ),
            id="WEC-46 a passenger with its articles at the goal",
        ),
        pytest.param(
            "1. MV:DO(2,2)->(3,3),DO>(3,3)SU(2,2),FP(2,3){forward-right (2,4)(2,5)}{met (3,4)}",
            Turn(
                number=1,
                clauses=(
                    (
                        "MV",
                        Doze(
                            Man("DO", cell(2, 2)),
                            cell(3, 3),
                            1,
                            (("SU", cell(2, 2)), ("FP", cell(2, 3))),
                            (cell(2, 4), cell(2, 5)),
                            cell(3, 4),
                        ),
                    ),
                ),
            ),
            id="WEC-48 a doze with its direction",
        ),
        pytest.param(
            "1. MV:{none},FI1:FL/TA(1,1)<->(2,2),FI2:SL/AAA(1,2){2}=>JE^(3,3)",
            Turn(
                number=1,
                clauses=(
                    ("FI1", Fire("FL", Man("TA", 0, hand="left"), cell(2, 2))),
                    ("FI2", Fire("SL", Man("AAA", 1, nth=2), target=Man("JE", cell(3, 3, AIR)))),
                ),
            ),
            id="two Fires, the second of the second AAA there",
        ),
        pytest.param(
            "1. MV:{unseen},PU:K(1,1)^ASH{2}{draw 7},EX:K(1,1)->BI->Q(1,2)"
            ",RE:(8,1)TA>{met (8,1)},DR:K(1,1)vBI{3}{order DR RE PU EX}",
            Turn(
                number=1,
                clauses=(
                    ("PU", PickUp(Man("K", 0), Item("ASH", 2), 7)),
                    ("EX", Exchange(Man("K", 0), Item("BI"), Man("Q", 1))),
                    ("RE", Call(cell(8, 1), "TA", "right", cell(8, 1))),
                    ("DR", Drop(Man("K", 0), Item("BI", 3))),
                ),
                order=("DR", "RE", "PU", "EX"),
                unseen=True,
            ),
            id="handling in the order of the grammar",
        ),
        pytest.param(
            "1. MV:{none},EX:K(1,1)1BI->BI<=>SH<-Q(1,2)1SH",
            Turn(
                number=1,
                clauses=(
                    (
                        "EX",
                        Exchange(
                            Man("K", 0, ("BI",)), Item("BI"), Man("Q", 1, ("SH",)), Item("SH")
                        ),
                    ),
                ),
            ),
            id="WEC-32 a swap",
        ),
        pytest.param(
            "1. MV:{none},RS:R->(2,3)(1,-1),Tv(4,5),STK*TA(1,1)>3B,FL*SHP(1,2)1BI0B,TA*TA(1,1)<0W",
            Turn(
                number=1,
                results=(
                    Shot("R", cell(2, 3), (1, -1)),
                    Shot("T", cell(4, 5)),
                    Fate("STK", Man("TA", 0, hand="right"), 3, BLACK),
                    Fate("FL", Man("SHP", 1, ("BI",)), 0, BLACK),
                    Fate("TA", Man("TA", 0, hand="left"), 0, WHITE),
                ),
            ),
            id="N11 a digit and a whole article are a count, else Stun",
        ),
        pytest.param(
            "1. MV:{none}{flight K^(1,1)1JP->(2,2)}{seen AAA(7,7)1SHW}{locked SUv(1,1)B}"
            "{moved FP(1,1)->(2,1)B}{holds XP(1,1)2BISHW}{came SH(5,2)}{gone ATL(5,2)}{unfinished}",
            Turn(
                number=1,
                notes=(
                    Note("flight", Man("K", cell(1, 1, AIR), ("JP",)), cell=cell(2, 2)),
                    Note("seen", Man("AAA", cell(7, 7), ("SH",)), side=WHITE),
                    Note("locked", Man("SU", cell(1, 1, SUB)), side=BLACK),
                    Note("moved", Man("FP", 0), cell=cell(2, 1), side=BLACK),
                    Note("holds", Man("XP", 0, ("BI", "SH")), side=WHITE),
                    Note("came", article="SH", cell=cell(5, 2)),
                    Note("gone", article="ATL", cell=cell(5, 2)),
                ),
                finished=False,
            ),
            id="what the grammar has no words for",
        ),
    ],
)
def test_a_turn_reads_as_it_is_written(text: str, turn: Turn) -> None:
    assert turn_of(text) == turn
    assert print_turn(turn) == text


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("1. MV:SP(1,1)->(2,2)", "1. MV:STP(1,1)->(2,2)"),
        ("1. MV:{none},RS:SP*SP(1,1)0B", "1. MV:{none},RS:STP*STP(1,1)0B"),
        ("1. MV:{none},FI1:JU/K(1,1)1JU->(2,2)", "1. MV:{none},FI1:JP/K(1,1)1JP->(2,2)"),
        ("1. MV:{none},DR:K(1,1)3TKRKSKvTK", "1. MV:{none},DR:K(1,1)3TLRLSLvTL"),
        ("1. MV:K(1,1)->(2,2){ well, well},DR:K(2,2)vBI{ ?}", "1. MV:K(1,1)->(2,2),DR:K(2,2)vBI"),
        ("1. MV:K(1,1)->(2,2),DR:K(2,2)vBI{order MV DR}", "1. MV:K(1,1)->(2,2),DR:K(2,2)vBI"),
    ],
)
def test_older_and_looser_forms_are_read(text: str, written: str) -> None:
    assert print_turn(turn_of(text)) == written


@pytest.mark.parametrize(
    ("table", "keys"),
    [
        (CLAUSES, set(get_args(acts.AnyAction)) - {acts.EndTurn, acts.Fly}),
        (ACTIONS, set(get_args(Clause))),
        (PRINTERS, set(get_args(Clause))),
        (FIELDS, {part for form in FORMS.values() for part in form} - {"->"}),
    ],
)
def test_every_kind_has_its_row(table: Any, keys: set[Any]) -> None:
    assert set(table) == keys


# -- what is refused -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line", "column", "expected"),
    [
        ("1. MV:TA(1,1)>->(2,11)", 7, 20, "a column from 1 to 10"),
        ("1. MV:TA(1,1)>->(02,1)", 7, 18, "a row from 1 to 10"),
        ("1. MV:TA(1,1)->(2,1)", 7, 14, "its hand, < or >"),
        ("1. MV:XX(1,1)->(2,1)", 7, 7, "the code of a piece"),
        ("1. MV:K(1,5)>(2,5)", 7, 13, "'->'"),
        ("1 MV:K(1,5)->(2,5)", 7, 2, "'. MV:'"),
        ("1. MV:K(1,5)->(2,5),FI1:FL/K(1,5)", 7, 34, "-> and a square, or => and a piece"),
        ("1. MV:K(1,5)->(2,5),FI2:FL/K(1,5)->(2,5)", 7, 20, "a further clause"),
        ("1. MV:K(1,5)->(2,5){foward}", 7, 21, "a comment such as flight"),
        ("1. MV:K(1,5)->(2,5){order MV PU}", 7, 20, "each clause of the Turn once: MV"),
        ("1. MV:K(1,5)->(2,5){ no end", 7, 20, "a remark that ends with }"),
        ("1. MV:DO(1,2)->(2,2),DO>(2,3)SU(1,2){forward}", 7, 25, "the Dozer's goal (2,2)"),
        ("1. MV:SU(1,2)->v(1,2)-TRA->K(1,2)(1,2)", 7, 34, "the carrier's goal v(1,2)"),
        ("1. MV:{none},RS:R->(1,1)(2,0)", 7, 26, "-1, 0 or 1"),
        ("1. MV:{none},RS:STK*K(1,1)256B", 7, 27, "Turns of stun"),
        ("1. MV:{none}\n[Setup \"\"]", 8, 1, "a Turn, since tags stand before"),
        ("1. MV:K(1,5)->(5,5)", 7, 7, "what the rules allow"),
        ("1. MV:K(1,4)->(2,5)", 7, 7, "a piece of the side to play such as CH(1,4)>, JE(1,4)"),
        ("1. MV:RP(2,1)->(3,2),PU:RP(3,2)^BI", 7, 22, "an article that is there: TL"),
        ("2. MV:RP(2,1)->(3,2)", 7, 1, "Turn 1"),
        ("1. MV:{none}", 7, 1, "what the rules allow"),
        ("1. MV:RP(2,1)->(3,2){unfinished}\n2. MV:{none}", 7, 1, "the last Turn"),
        ("1. MV:RP(2,1)->(3,2),RS:Rv(3,3)", 7, 22, "results that the actions have"),
        ("1. MV:RP(2,1)->(3,2){seen AAA(9,8)W}", 7, 21, "results that the actions have"),
        ("1. MV:RP(2,1)->(3,2){met (3,2)}", 7, 7, "the place where it met somebody"),
        ("1. MV:DO(1,2)->(2,1),DO>(2,1)SU(1,2){forward}", 7, 7, "the direction to the"),
        ("1. MV:DO(1,2)->(2,2),DO>(2,2)JE(1,2){forward}", 7, 7, "every piece that is pushed: SU"),
        ("1. MV:{none},FI1:FL/TA(1,1)>->(3,2)", 7, 14, "a square in one of the eight"),
        ("1. MV:{none},RE:(8,1)TA<", 7, 14, "a reinforcement that waits on that square"),
        ("1. MV:{none},FI1:SL/AAA(2,3)=>JE(10,4)", 7, 14, "what the rules allow"),
    ],
)  # fmt: skip
def test_an_error_names_its_place_and_what_was_expected(
    text: str, line: int, column: int, expected: str
) -> None:
    with pytest.raises(NotationError) as caught:
        replay(HEAD + text)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert caught.value.expected.startswith(expected)
    assert str(caught.value).startswith(f"Line {line}, column {column}: expected {expected}")


@pytest.mark.parametrize(
    ("head", "line", "column", "expected"),
    [
        ("", 1, 1, 'a tag such as [Game "..."] on top'),
        ('[Game "WEC"]', 1, 1, 'a tag such as [Rules "..."] on top'),
        ('[Game "Go"]', 1, 7, 'the game "WEC"'),
        ('[Rules "2"]', 1, 8, "version 1 of the rules"),
        ('[Gume "WEC"]', 1, 2, "a tag: Game, Rules"),
        ('[Game "WEC"]\n[Game "WEC"]', 2, 2, "one tag Game only"),
        ("[Game WEC]", 1, 7, "a text in quotes"),
        ('[Game "WEC]', 1, 12, "a quote that ends the text"),
        ('[Game "W\\EC"]', 1, 10, 'n, r, \\ or " after a backslash'),
        ('[Option "speed" "1"]', 1, 9, "the name of an option"),
        ('[Option "stun_range" "12"]', 1, 22, "a value of stun_range"),
        ('[Result "Black"]', 1, 9, "a result such as"),
        ('[Game "WEC"]\n[Rules "1"]\n[Setup "?"]', 3, 1, "a start position that can be played"),
        ('[Game "WEC"]\n[Rules "1"]\n[Setup "format = 1"]\n[Setup "black = 3"]', 3, 1, "a start"),
        ('[Game "WEC"]\n[Rules "1"]\n[Option "sub_jet_combat" "on"]', 3, 1, "options that go"),
        ('[Game "WEC"]\n[Rules "1"]\n[Reader "Black"]', 3, 1, "a complete history"),
        ('[Game "WEC"]\n[Rules "1"]\n[Result "White: primary"]', 3, 1, 'the result "*"'),
    ],
)
def test_a_bad_tag_is_refused(head: str, line: int, column: int, expected: str) -> None:
    with pytest.raises(NotationError) as caught:
        replay(head)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert caught.value.expected.startswith(expected)
