"""The start position against the tabulated one (WEC section 3, WEC-82)."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from cloakboard.engine.errors import BadOption, BadSetup
from cloakboard.engine.wec import GAME
from cloakboard.engine.wec.options import ARTICLE_COUNTS
from cloakboard.engine.wec.pieces import (
    ARTICLES,
    INHERENT,
    KINDS,
    PRIMARIES,
    SECONDARIES,
    WEAPONS,
)
from cloakboard.engine.wec.state import BLACK, SIDES, WHITE, Lock, Secret, State
from tests.engine.wec.build import cell

TABLE = json.loads((Path(__file__).parents[2] / "data" / "wec" / "setup.json").read_text())
SIDE = {"black": BLACK, "white": WHITE}


@pytest.fixture(scope="module")
def opening() -> State:
    state: State = GAME.start({})
    return state


def test_every_piece_stands_where_the_table_says(opening: State) -> None:
    found = Counter((one.side, one.cell, one.kind, one.hand) for one in opening.pieces)
    expected = Counter(
        (SIDE[one["side"]], cell(one["row"], one["column"]), one["code"], one.get("hand", ""))
        for one in TABLE["pieces"]
    )
    assert found == expected
    assert found.total() == 56


def test_every_article_lies_where_the_table_says(opening: State) -> None:
    found = Counter((one.square, one.gear.kind) for one in opening.lying)
    expected = Counter(
        (cell(one["row"], one["column"]), kind)
        for one in TABLE["articles"]
        for kind in one["articles"]
    )
    assert found == expected
    assert Counter(one.gear.kind for one in opening.lying) == TABLE["article_counts"]
    assert dict(ARTICLE_COUNTS) == TABLE["article_counts"]


def test_wec_82_reinforcements(opening: State) -> None:
    found = {(one.side, one.square, one.kind, one.hand) for one in opening.reserves}
    expected = {
        (SIDE[one["side"]], cell(one["row"], one["column"]), one["code"], one["hand"] or "")
        for one in TABLE["reinforcements"]
    }
    assert found == expected
    for side in SIDES:
        kinds = Counter(one.kind for one in opening.reserves if one.side == side)
        assert kinds == TABLE["per_side"]
    assert GAME.start({"reinforcements": False}).reserves == ()


def test_a_fresh_state(opening: State) -> None:
    assert (opening.turn, opening.side, opening.winner) == (1, BLACK, None)
    assert opening.secrets == (Secret(), Secret())
    assert GAME.turn(opening) == 0
    assert GAME.result(opening) is None
    for one in opening.pieces:
        assert one.unmoved
        assert one.gear == ()
        assert one.own_ready == (0,) * len(WEAPONS.get(one.kind, ()))


def test_wec_91_the_stealth_pawns_are_locked_on_to_each_other(opening: State) -> None:
    assert opening.locks == (Lock(1, BLACK), Lock(2, WHITE))
    pawns = {one.side: (one.own_lock, one.locked) for one in opening.pieces if one.kind == "SHP"}
    assert pawns == {BLACK: (1, 2), WHITE: (2, 1)}
    assert opening.next_lock == 3


def test_wec_97_all_but_the_stealthed_are_public_numbered_in_order(opening: State) -> None:
    hidden = [one.kind for one in opening.pieces if not one.handle]
    assert hidden == ["AAA"] * 4
    public = [one for one in opening.pieces if one.handle]
    assert sorted(one.handle for one in public) == list(range(1, 53))
    by_handle = sorted(public, key=lambda one: one.handle)
    assert by_handle == sorted(public, key=lambda one: (one.cell, one.kind))
    assert opening.next_handle == 53


@pytest.mark.parametrize(
    ("options", "hidden"),
    [
        pytest.param({"stealth_invisible": False}, Counter(), id="WEC-90 stealth hides nothing"),
        pytest.param(
            {"stealth_lock_on": False}, Counter({"AAA": 4, "SHP": 2}), id="WEC-91 no lock-on"
        ),
        pytest.param(
            {"stealth_range_detection": True, "stealth_range": 6}, Counter({"AAA": 4}),
            id="WEC-92 out of range",
        ),
        pytest.param(
            {"stealth_range_detection": True, "stealth_range": 7}, Counter(),
            id="WEC-92 seven rows away",
        ),
    ],
)  # fmt: skip
def test_wec_97_options_that_change_who_is_seen(
    options: dict[str, bool | int], hidden: Counter[str]
) -> None:
    state = GAME.start(options)
    assert Counter(one.kind for one in state.pieces if not one.handle) == hidden


def test_wec_92_unseen_detectors_see_from_the_start() -> None:
    """Without lock-on the Stealth Pawns are unseen and see the enemy's AAA and Stealth Pawn."""
    options = {"stealth_lock_on": False, "stealth_range_detection": True, "stealth_range": 7}
    state = GAME.start(options)
    assert state.locks == ()
    for side in SIDES:
        secret = state.secrets[side]
        assert secret is not None
        assert Counter(one.kind for one in secret.sighted) == {"AAA": 2, "SHP": 1}
        assert {one.side for one in secret.sighted} == {1 - side}


@pytest.mark.parametrize(
    ("government", "primary", "secondary", "defences"),
    [
        ("monarchy", "K", "Q", {"K": ("AFL", "ARL"), "Q": ("ACS", "AST")}),
        ("dictatorship", "DI", "AS", {"DI": ("ACS", "ARL"), "AS": ("AFL", "AST")}),
        ("theocracy", "AV", "AC", {"AV": ("AST", "ARL"), "AC": ("AFL", "ACS")}),
        ("democracy", "PR", "PM", {"PR": ("ACS", "AFL"), "PM": ("ARL", "AST")}),
    ],
)
def test_wec_21_governments(
    government: str, primary: str, secondary: str, defences: dict[str, tuple[str, str]]
) -> None:
    """White's own choice, also for the reinforcement; Black keeps the standard."""
    state = GAME.start({"government.1": government})
    squares = {one.cell: one.kind for one in state.pieces}
    assert (squares[cell(10, 6)], squares[cell(10, 5)]) == (primary, secondary)
    assert (squares[cell(1, 5)], squares[cell(1, 6)]) == ("K", "Q")
    white = [one.kind for one in state.reserves if one.side == WHITE]
    assert secondary in white
    for kind, pair in defences.items():
        assert set(INHERENT[kind]) == set(pair)


def test_articles_left_out() -> None:
    state = GAME.start({"articles.XXX": 0})
    assert all(one.gear.kind != "XXX" for one in state.lying)
    assert len(state.lying) == 64


def test_other_start_positions_are_refused() -> None:
    with pytest.raises(BadSetup):
        GAME.start({}, "8/8")
    with pytest.raises(BadOption):
        GAME.start({"no_such": 1})


def test_wec_20_the_codes_of_pieces_and_articles() -> None:
    pieces = "FP RP STP CP SOP XP SHP TA CL CH DO JE SU DS AAA K DI AV PR Q AS AC PM"
    articles = "FL ST CS RL SL TL BI JP SC SH ASH AFL AST ACS ARL ASL ATL XXX"
    assert set(KINDS) == set(pieces.split())
    assert set(ARTICLES) == set(articles.split())
    assert (len(KINDS), len(ARTICLES)) == (23, 18)


def test_wec_22_government_pieces_have_no_weapon_of_their_own() -> None:
    assert not WEAPONS.keys() & {*PRIMARIES, *SECONDARIES}
    assert {len(INHERENT[kind]) for kind in (*PRIMARIES, *SECONDARIES)} == {2}


def test_wec_24_tanks_clerics_and_choppers_have_a_hand_and_no_others(opening: State) -> None:
    handed = [(one.kind, one.hand) for one in opening.pieces]
    handed += [(one.kind, one.hand) for one in opening.reserves]
    for kind, hand in handed:
        assert (hand in ("left", "right")) is (kind in ("TA", "CL", "CH"))
        assert hand in ("left", "right", "")
