"""The tables of actions are whole (style: no member lacks its row)."""

from __future__ import annotations

import typing
from collections import Counter

from cloakboard.engine.wec import GAME
from cloakboard.engine.wec.actions import Action, AnyAction, EndTurn
from cloakboard.engine.wec.board import refs
from cloakboard.engine.wec.pieces import PAWNS
from cloakboard.engine.wec.rules import RULES
from cloakboard.engine.wec.rules.moving import moves
from cloakboard.engine.wec.state import BLACK, Gear, Lying, Spent, square_at
from tests.engine.wec.build import cell, piece, run, state


def test_every_action_has_its_row() -> None:
    assert set(RULES) == set(typing.get_args(AnyAction))
    assert set(RULES) == set(Action.__subclasses__())


def test_the_opening_lists_moves_first_and_dozes_last() -> None:
    kinds = [type(action).__name__ for action in GAME.actions(GAME.start({}), BLACK)]
    order = list(dict.fromkeys(kinds))
    assert (order[0], order[-1]) == ("Move", "Doze")
    assert kinds == sorted(kinds, key=order.index)


def test_moves_of_the_opening_counted_by_hand() -> None:
    """Pawns 18 single and 16 double steps. A Sub: 4 squares beside it and down, and down with
    its Dozer. A Chopper: 6 ways to 4 targets on either level, and with its Jet 10, since one
    target holds an own pawn. Government, tanks and clerics are shut in."""
    opening = GAME.start({})
    kinds = {ref: piece.kind for ref, piece in refs(opening, BLACK)}
    counts = Counter(
        "pawn" if kinds[move.piece] in PAWNS else kinds[move.piece]
        for move in moves(opening, BLACK)
    )
    assert counts == {
        "pawn": 34,
        "AAA": 2 * 5,
        "DS": 2 * 6,
        "DO": 2 * 4,
        "SU": 2 * 6,
        "JE": 2,
        "CH": 2 * 22,
    }


def test_wec_97_what_is_over_leaves_no_trace_in_a_piece_shown_later() -> None:
    """Turn 17 ends: whoever acted or fired in it unseen is like one that never did, also what
    it used and laid down. What still counts in Turn 18 stays."""
    past = piece(
        "AAA", 5, 5, hidden=True, acted=17, fired=17, stunned=18, shown_till=16,
        own_ready=(18,), gear=[Gear("BI", ready=18)],
    )  # fmt: skip
    running = piece(
        "AAA", 5, 7, hidden=True, stunned=19, shown_till=17,
        own_ready=(21,), gear=[Gear("FL", ready=21)],
    )  # fmt: skip
    used = Lying(square_at(2, 2), Gear("BI", ready=18))
    now = state([past, running, piece("K", 1, 1)], [used], turn=17, spent=Spent(move=1))
    after, _ = run(now, BLACK, EndTurn())
    at = {one.cell: one for one in after.pieces}
    assert at[cell(5, 5)] == piece("AAA", 5, 5, hidden=True, gear=["BI"])
    kept = at[cell(5, 7)]
    assert (kept.stunned, kept.shown_till, kept.own_ready) == (19, 17, (21,))
    assert kept.gear == (Gear("FL", ready=21),)
    assert after.lying == (Lying(square_at(2, 2), Gear("BI")),)
