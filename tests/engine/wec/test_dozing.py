"""Dozing, case by case (WEC-48)."""

from __future__ import annotations

from typing import Any

import pytest

from cloakboard.engine.errors import IllegalAction
from cloakboard.engine.probes import Form
from cloakboard.engine.wec import GAME
from cloakboard.engine.wec.actions import Doze, Ref
from cloakboard.engine.wec.board import find
from cloakboard.engine.wec.events import Changed, SpentOne, Thwarted
from cloakboard.engine.wec.rules.dozing import dozes
from cloakboard.engine.wec.state import AIR, BLACK, WHITE, Piece, Secret, Spent, State
from tests.engine.wec.build import cell, of, piece, public, run, state, unseen, where
from tests.engine.wec.checked import play

FORWARD, FORWARD_RIGHT, RIGHT, BACK = 0, 1, 2, 4
AWAY = piece("K", 10, 10, WHITE)


def crew(row: int = 5, column: int = 5, side: int = BLACK) -> list[Piece]:
    """A Dozer, public number 1, and its companion, number 2."""
    return [piece("DO", row, column, side), piece("K", row, column, side)]


def doze(*picked: tuple[int, int], heading: int = FORWARD, dozer: Ref | None = None) -> Doze:
    squares = tuple(sorted(cell(*square) for square in picked))
    return Doze(dozer or public(1), squares, heading)


def refused(now: State, action: Doze) -> str:
    """The rule by which a doze is refused."""
    with pytest.raises(IllegalAction) as caught:
        GAME.legal(now, now.side, action)
    assert action not in list(dozes(now, now.side))
    return caught.value.rule


def shifts(now: State, action: Doze) -> dict[int, int | None]:
    """Where the public pieces are afterwards."""
    assert action in list(dozes(now, now.side))
    after, _ = run(now, now.side, action)
    return {one.handle: where(after, one.handle) for one in now.pieces if one.handle}


def test_wec_48_dozer_and_companion_shift_one_square() -> None:
    now = state([*crew(), AWAY])
    assert shifts(now, doze()) == {1: cell(6, 5), 2: cell(6, 5), 3: cell(10, 10)}
    assert shifts(now, doze(heading=RIGHT))[1] == cell(5, 6)


def test_wec_01_headings_are_the_owners() -> None:
    now = state([*crew(side=WHITE), piece("K", 1, 1)], side=WHITE)
    assert shifts(now, doze())[1] == cell(4, 5)


def test_wec_48_every_ground_piece_of_the_picked_squares_goes_along() -> None:
    now = state(
        [
            *crew(),
            piece("FP", 5, 6, unmoved=True),
            piece("AAA", 5, 6),
            piece("JE", 5, 6, level=AIR),
            AWAY,
        ]
    )
    after, _ = run(now, BLACK, doze((5, 6)))
    cells = {handle: where(after, handle) for handle in range(1, 6)}
    here, beside = cell(6, 5), cell(6, 6)
    assert cells == {1: here, 2: here, 3: beside, 4: beside, 5: cell(5, 6, AIR)}
    pawn = find(after, BLACK, public(3))
    assert pawn is not None
    assert not pawn.unmoved


@pytest.mark.parametrize(("behind", "is_offered"), [(["DS"], True), (["DS", "AAA"], False)])
def test_wec_48_what_is_seen_privately_stays_behind(behind: list[str], is_offered: bool) -> None:
    # The pawn, seen by the mover alone, leaves no room for two in its square, and the chopper
    # beside it comes to the AAA without it.
    pawn = piece("SHP", 7, 5, WHITE, hidden=True)
    pieces = [*crew(), piece("CH", 7, 5, WHITE), pawn, piece("AAA", 8, 5, WHITE), AWAY]
    pieces += [piece(kind, 6, 5, WHITE) for kind in behind]
    now = state(pieces, secrets=(Secret(sighted=(pawn,)), Secret()))
    tried = doze((6, 5), (7, 5))
    if not is_offered:
        assert refused(now, tried) == "WEC-48"
        return
    assert shifts(now, tried) == {one.handle: one.cell for one in now.pieces if one.handle}


def test_wec_48_a_row_of_full_squares_shifts_as_one() -> None:
    """What is picked makes room for what is picked behind it."""
    now = state([*crew(), *[piece("FP", 6, 5), piece("DS", 6, 5)], piece("Q", 7, 5), AWAY])
    moved = shifts(now, doze((6, 5), (7, 5)))
    assert [moved[n] for n in (1, 3, 4, 5)] == [cell(6, 5), cell(7, 5), cell(7, 5), cell(8, 5)]


def test_wec_48_enemies_are_dozed_and_nothing_is_taken() -> None:
    now = state([*crew(), piece("K", 6, 5, WHITE), piece("TA", 8, 5, WHITE, hand="left")])
    after, events = run(now, BLACK, doze((6, 5)))
    assert where(after, 3) == cell(7, 5)
    assert {event.cause for event in of(events, Changed)} == {"dozed"}


def test_wec_48_enemies_stay_with_the_option_off() -> None:
    now = state([*crew(), piece("K", 6, 5, WHITE)], options={"doze_enemies": False})
    assert refused(now, doze((6, 5))) == "WEC-48"
    GAME.legal(now, BLACK, doze(heading=BACK))


@pytest.mark.parametrize(
    ("others", "action"),
    [
        pytest.param([piece("FP", 6, 5, WHITE)], doze(), id="WEC-05 opposed pieces"),
        pytest.param([piece("Q", 6, 5)], doze(), id="WEC-03 three pieces"),
        pytest.param(
            [piece("Q", 5, 6), piece("TA", 6, 6, hand="left")], doze((5, 6)),
            id="WEC-04 no coexistence",
        ),
        pytest.param([piece("Q", 7, 5)], doze((6, 5)), id="WEC-48 nothing in a picked square"),
        pytest.param(
            [piece("Q", 5, 7)], doze((5, 7)), id="WEC-48 does not touch the Dozer's square"
        ),
        pytest.param(
            [piece("Q", 5, 6), piece("TA", 5, 4, hand="left"), piece("CL", 3, 3, hand="left")],
            doze((5, 6), (5, 4)), id="WEC-48 connected through the Dozer's alone",
        ),
        pytest.param(
            [piece("DS", 5, 6), piece("FP", 5, 6, WHITE)], doze((5, 6)),
            id="WEC-48 an opposed pair is not picked",
        ),
        pytest.param(
            [piece("FP", 5, column) for column in (6, 7, 8, 9, 10)],
            doze(*[(5, column) for column in (6, 7, 8, 9, 10)]), id="WEC-48 five squares",
        ),
        pytest.param([], doze((5, 5)), id="WEC-48 its own square"),
        pytest.param([], doze(heading=8), id="WEC-48 no such direction"),
        pytest.param([piece("FP", 6, 5)], Doze(public(1), (100,), 0), id="WEC-48 no square"),
    ],
)  # fmt: skip
def test_wec_48_refusals(others: list[Piece], action: Doze) -> None:
    assert refused(state([*crew(), *others]), action) == "WEC-48"


def test_wec_48_a_coexisting_pair_may_form() -> None:
    now = state([*crew(), piece("Q", 5, 6), piece("AAA", 6, 6), AWAY])
    moved = shifts(now, doze((5, 6)))
    assert (moved[3], moved[4]) == (cell(6, 6), cell(6, 6))


def test_wec_48_not_off_the_board() -> None:
    now = state([*crew(10, 5), piece("K", 1, 1, WHITE)])
    assert refused(now, doze()) == "WEC-48"
    edge = state([*crew(9, 5), piece("FP", 10, 5), piece("K", 1, 1, WHITE)])
    assert refused(edge, doze((10, 5))) == "WEC-48"


@pytest.mark.parametrize(
    "pieces",
    [
        pytest.param([piece("DO", 5, 5)], id="no companion"),
        pytest.param([piece("DS", 5, 5), piece("K", 5, 5)], id="not a Dozer"),
        pytest.param([piece("DO", 5, 5), piece("JE", 5, 5, level=AIR)], id="another level"),
        pytest.param([piece("DO", 5, 5), piece("FP", 5, 5, WHITE)], id="an enemy is none"),
        pytest.param(
            [piece("DO", 5, 5, level=AIR), piece("CH", 5, 5, level=AIR, hand="left")],
            id="not at Ground",
        ),
    ],
)
def test_wec_48_needs_a_companion_at_ground(pieces: list[Piece]) -> None:
    assert refused(state(pieces), doze()) == "WEC-48"


@pytest.mark.parametrize(
    ("changes", "rule"),
    [({"stunned": 2}, "WEC-56"), ({"acted": 1}, "WEC-16")],
)
def test_who_may_not_doze(changes: dict[str, Any], rule: str) -> None:
    now = state(
        [piece("DO", 5, 5, **changes), piece("K", 5, 5)],
        options={"action_constraint": "one_per_piece"},
    )
    assert refused(now, doze()) == rule


def test_wec_56_a_stunned_piece_is_dozed() -> None:
    now = state([piece("DO", 5, 5), piece("K", 5, 5, stunned=9), AWAY])
    assert shifts(now, doze())[2] == cell(6, 5)


def test_wec_48_a_doze_is_the_move() -> None:
    after, events = run(state([*crew(), AWAY]), BLACK, doze())
    assert after.spent == Spent(move=1)
    assert refused(after, doze()) == "WEC-11"
    assert of(events, SpentOne)[0].what == "move"


def test_wec_16_being_dozed_uses_up_nothing() -> None:
    after, _ = run(state([*crew(), AWAY], turn=3), BLACK, doze())
    assert [piece.acted for piece in after.pieces[:2]] == [3, 0]


# -- unseen enemies --------------------------------------------------------------------------


def shadow(kind: str, row: int, column: int, side: int = WHITE) -> Piece:
    return piece(kind, row, column, side, hidden=True, gear=["SH"])


@pytest.mark.parametrize(
    ("at", "shown"),
    [
        pytest.param([(6, 5)], [(6, 5)], id="target of the Dozer's square"),
        pytest.param([(6, 6)], [(6, 6)], id="target of a picked square"),
        pytest.param([(6, 6), (6, 5)], [(6, 5)], id="the Dozer's target is asked first"),
        pytest.param([(6, 5), (6, 6)], [(6, 5)], id="whatever the order"),
    ],
)
def test_wec_48_an_unseen_enemy_thwarts_it(
    at: list[tuple[int, int]], shown: list[tuple[int, int]]
) -> None:
    now = state([*crew(), piece("Q", 5, 6), *[shadow("FP", *square) for square in at], AWAY])
    after, events = run(now, BLACK, doze((5, 6)))
    assert [where(after, handle) for handle in (1, 2, 3)] == [cell(5, 5), cell(5, 5), cell(5, 6)]
    assert after.spent == Spent(move=1)
    revealed = of(events, Changed, cause="shown")
    assert [event.after.cell for event in revealed] == [cell(*square) for square in shown]
    assert [event.square for event in of(events, Thwarted, what="doze")] == [cell(*shown[0])]


def test_wec_48_all_of_the_first_square_are_shown_and_picked_squares_come_first() -> None:
    """(5,4) is picked and holds a public enemy beside two; it is asked before (6,5)."""
    now = state([*crew(), piece("FP", 5, 4, WHITE), shadow("AAA", 5, 4), shadow("FP", 6, 5), AWAY])
    _, events = run(now, BLACK, doze((5, 4)))
    assert [e.after.cell for e in of(events, Changed, cause="shown")] == [cell(5, 4)]


def test_wec_48_a_privately_seen_enemy_cannot_be_picked() -> None:
    hidden = shadow("AAA", 6, 5)
    now = state([*crew(), hidden, AWAY], secrets=(Secret(sighted=(hidden,)), Secret()))
    assert refused(now, doze((6, 5))) == "WEC-48"
    assert refused(now, doze()) == "WEC-48"
    # Nor beside the Dozer, where nothing would be pushed into it.
    assert refused(now, doze((6, 5), heading=RIGHT)) == "WEC-48"


# -- own unseen pieces -----------------------------------------------------------------------


def test_wec_48_own_unseen_pieces_go_along_unseen() -> None:
    now = state([piece("DO", 5, 5), shadow("K", 5, 5, BLACK), shadow("FP", 5, 6, BLACK), AWAY])
    action = doze((5, 6))
    assert GAME.split(now, BLACK, action) == (action, None)
    GAME.legal(GAME.public(now), BLACK, action)
    after, events = run(now, BLACK, action)
    assert sorted(event.only for event in of(events, Changed)) == [(), (BLACK,), (BLACK,)]
    assert find(after, BLACK, unseen(6, 5)) is not None
    assert find(after, BLACK, unseen(6, 6)) is not None


def test_wec_48_an_unseen_dozer_dozes_veiled() -> None:
    now = state([shadow("DO", 5, 5, BLACK), piece("Q", 5, 5), shadow("FP", 6, 5), AWAY])
    action = doze(dozer=unseen(5, 5))
    assert GAME.split(now, BLACK, action) == (None, action)
    played = play(now, action)
    assert [probe.form for probe in played.probes] == [Form.OCCUPIED, Form.SHOW]
    assert of(played.events, Thwarted)[0].only == (BLACK,)
    free = play(now, doze(dozer=unseen(5, 5), heading=BACK))
    assert [probe.form for probe in free.probes] == [Form.OCCUPIED]
    assert where(free.after, 1) == cell(4, 5)
    assert find(free.after, BLACK, unseen(4, 5)) is not None


def test_wec_48_the_longest_question_has_nine_cells() -> None:
    """Four picked squares, the Dozer's target and theirs."""
    line = [piece("FP", 5, column) for column in (6, 7, 8, 9)]
    now = state([shadow("DO", 5, 5, BLACK), piece("K", 5, 5), *line, AWAY])
    action = doze((5, 6), (5, 7), (5, 8), (5, 9), dozer=unseen(5, 5))
    (asked,) = play(now, action).probes
    assert asked.cells == (  # type: ignore[attr-defined]
        *[cell(5, column) for column in (6, 7, 8, 9)],
        *[cell(6, column) for column in (5, 6, 7, 8, 9)],
    )


def test_wec_12_dozes_of_the_opening_are_legal_and_each_listed_once() -> None:
    now = GAME.start({})
    listed = list(dozes(now, BLACK))
    assert len(listed) == len(set(listed)) > 0
    for action in listed:
        GAME.legal(now, BLACK, action)
