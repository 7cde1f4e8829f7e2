"""The pieces and what they are, rule by rule (WEC-20 to WEC-24 and the table before them)."""

from __future__ import annotations

import pytest

from cloakboard.engine.wec import GAME
from cloakboard.engine.wec.actions import Blast, Doze, Exchange, Move, PickUp
from cloakboard.engine.wec.kit import count, has
from cloakboard.engine.wec.notation.parser import read_turn
from cloakboard.engine.wec.notation.reader import Reader
from cloakboard.engine.wec.pieces import ARTICLES, COEXISTS, COMBAT, KINDS, PRIMARIES, SECONDARIES
from cloakboard.engine.wec.rules.moving import moves
from cloakboard.engine.wec.state import AIR, BLACK, SUB, WHITE
from tests.engine.wec.build import cell, lying, one, piece, public, refused, run, state

AWAY = piece("K", 10, 10, WHITE)

# Section 3 of the rules: inherent abilities, takes by moving, coexists.
TABLE: dict[str, tuple[str, bool, bool]] = {
    "FP": ("FL AFL", True, False), "RP": ("RL ARL", True, False), "STP": ("ST AST", True, False),
    "CP": ("CS ACS", True, False), "SOP": ("SL TL", True, False), "XP": ("", True, False),
    "SHP": ("SH ASH", True, False), "TA": ("FL", True, False), "CL": ("CS", True, False),
    "CH": ("ST", True, True), "DO": ("", False, True), "JE": ("SL LR", False, False),
    "SU": ("TL LR", False, True), "DS": ("TL", False, True), "AAA": ("SH SL", False, True),
    "K": ("AFL ARL", True, False), "Q": ("ACS AST", True, False),
    "DI": ("ACS ARL", True, False), "AS": ("AFL AST", True, False),
    "AV": ("AST ARL", True, False), "AC": ("AFL ACS", True, False),
    "PR": ("ACS AFL", True, False), "PM": ("ARL AST", True, False),
}  # fmt: skip


@pytest.mark.parametrize("kind", TABLE)
def test_wec_20_every_piece_is_as_its_row_says(kind: str) -> None:
    inherent, takes, coexists = TABLE[kind]
    bare = piece(kind, 5, 5)
    assert {a: count(bare, a) for a in (*ARTICLES, "LR") if has(bare, a)} == dict.fromkeys(
        inherent.split(), 1
    )
    assert (kind in COMBAT, kind in COEXISTS) == (takes, coexists)


def test_wec_20_the_table_has_every_code() -> None:
    assert set(TABLE) == set(KINDS)


@pytest.mark.parametrize(
    ("read", "written"),
    [
        ("1. MV:SP(2,2)->(3,1)", "1. MV:STP(2,2)->(3,1)"),
        ("1. MV:{none},PU:RP(3,2)^JU", "1. MV:{none},PU:RP(3,2)^JP"),
    ],
)
def test_wec_20_older_codes_are_read(read: str, written: str) -> None:
    assert read_turn(Reader(read))[0] == read_turn(Reader(written))[0]


WEAPONS = {"FL": "FP", "CS": "CP", "ST": "STP"}
GOVERNMENTS = {
    "monarchy": ("K", "Q"), "dictatorship": ("DI", "AS"), "theocracy": ("AV", "AC"),
    "democracy": ("PR", "PM"),
}  # fmt: skip


@pytest.mark.parametrize("weapon", WEAPONS)
@pytest.mark.parametrize("government", GOVERNMENTS)
def test_wec_21_what_each_government_stands_against(government: str, weapon: str) -> None:
    """One weapon without effect where the row names its defence; and each has both pieces."""
    for kind in GOVERNMENTS[government]:
        now = state([piece(WEAPONS[weapon], 5, 5), piece(kind, 6, 5, WHITE), AWAY])
        after, _ = run(now, BLACK, Blast(public(1), weapon, 0))
        stands = [p for p in after.pieces if p.kind == kind and p.side == WHITE and not p.stunned]
        expected = f"A{weapon}" in TABLE[kind][0].split()
        assert bool([p for p in stands if p.handle == 2]) is expected
    opening = GAME.start({"government.0": government})
    kinds = [p.kind for p in opening.pieces if p.side == BLACK]
    assert [kind for kind in kinds if kind in (*PRIMARIES, *SECONDARIES)] == list(
        GOVERNMENTS[government]
    )


@pytest.mark.parametrize("government", GOVERNMENTS)
def test_wec_22_primaries_and_secondaries_move_alike_and_fire_nothing(government: str) -> None:
    routes = []
    for kind in GOVERNMENTS[government]:
        now = state([piece(kind, 5, 5), AWAY])
        assert not [a for a in GAME.actions(now, BLACK) if type(a) is not Move]
        routes.append([move.route for move in moves(now, BLACK)])
    eight = {(cell(r, c),) for r in (4, 5, 6) for c in (4, 5, 6)} - {(cell(5, 5),)}
    assert set(routes[0]) == eight
    queen = state([piece("Q", 5, 5), AWAY])
    assert routes[1] == [move.route for move in moves(queen, BLACK)]


@pytest.mark.parametrize(
    ("kind", "gear", "room"),
    [
        ("FP", [], 1), ("FP", ["XXX"], 2), ("FP", ["XXX", "XXX"], 1),
        ("XP", [], 2), ("XP", ["XXX"], 2), ("XP", ["XXX", "XXX"], 1),
    ],
)  # fmt: skip
def test_wec_23_how_many_more_it_takes(kind: str, gear: list[str], room: int) -> None:
    """From the Queen's hands, one a Turn."""
    for more in range(4):
        laden = piece(kind, 5, 5, gear=[*gear, *["FL"] * more])
        now = state([laden, piece("Q", 5, 6, gear=["ST"])])
        hand = Exchange(public(2), public(1), 0)
        assert (hand in list(GAME.actions(now, BLACK))) is (more < room)
        picks = state([laden], lying(5, 5, "CS"))
        assert (PickUp(public(1), "CS") in list(GAME.actions(picks, BLACK))) is (more < room)


def test_wec_23_a_second_xxx_gives_no_room() -> None:
    now = state([piece("FP", 5, 5, gear=["XXX", "FL", "ST"])], lying(5, 5, "XXX"))
    assert refused(now, PickUp(public(1), "XXX")) == "WEC-23"


@pytest.mark.parametrize("hand", ["left", "right"])
@pytest.mark.parametrize("kind", ["TA", "CL", "CH"])
def test_wec_24_a_hand_is_for_life(kind: str, hand: str) -> None:
    """It stays with a new owner, and the moves with it; White's are Black's turned round."""
    level = AIR if kind == "CH" else 0
    firer = piece("JE" if level else "K", 2, 2, level=level, gear=["CS"])
    now = state([firer, piece(kind, 2, 3, WHITE, level, hand=hand), AWAY])
    after, _ = run(now, BLACK, Blast(public(1), "CS", 2))
    turned = one(after, 2)
    assert (turned.side, turned.hand) == (BLACK, hand)
    ends = [{m.route for m in moves(after, BLACK) if m.piece == public(2)}]
    for born_with in (hand, "right" if hand == "left" else "left"):
        born = state([firer, piece(kind, 2, 3, BLACK, level, hand=born_with), AWAY])
        ends.append({m.route for m in moves(born, BLACK) if m.piece == public(2)})
    assert ends[0] == ends[1] != ends[2]


def test_wec_24_dozing_and_carrying_leave_the_hand() -> None:
    now = state([piece("DO", 5, 5), piece("TA", 5, 5, hand="left"), AWAY])
    after, _ = run(now, BLACK, Doze(public(1), (), 0))
    assert one(after, 2).hand == "left"
    loaded = state([piece("SU", 5, 5), piece("CL", 5, 5, hand="right"), AWAY])
    after, _ = run(loaded, BLACK, Move(public(1), (cell(5, 5, SUB),), public(2)))
    assert one(after, 2).hand == "right"
