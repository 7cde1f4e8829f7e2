"""Moving, rule by rule (WEC-40 to WEC-49)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from cloakboard.engine.table import Table
from cloakboard.engine.wec import GAME
from cloakboard.engine.wec.actions import (
    Action,
    Bike,
    Blast,
    Doze,
    Fly,
    Move,
    Ref,
    Reinforce,
    TakeOff,
)
from cloakboard.engine.wec.events import Changed, Thwarted
from cloakboard.engine.wec.notation.clauses import Move as MoveClause
from cloakboard.engine.wec.notation.scribe import Scribe
from cloakboard.engine.wec.rules.moving import moves
from cloakboard.engine.wec.state import (
    AIR,
    BLACK,
    GROUND,
    SUB,
    WHITE,
    Arming,
    Flight,
    Piece,
    Reserve,
    Secret,
    State,
    square_at,
)
from tests.engine.wec.build import (
    AHEAD,
    KINGS,
    cell,
    ended,
    of,
    one,
    piece,
    public,
    refused,
    run,
    state,
    unseen,
    where,
)

Square = tuple[int, int]


def ends(now: State, ref: Ref, passenger: Ref | None = None, level: int = GROUND) -> set[Square]:
    """Rows and columns where Moves of a piece may end at a level."""
    return {
        (move.route[-1] % 100 // 10 + 1, move.route[-1] % 10 + 1)
        for move in moves(now, now.side)
        if (move.piece, move.passenger) == (ref, passenger) and move.route[-1] // 100 == level
    }


def route(*squares: Square, level: int = GROUND) -> tuple[int, ...]:
    return tuple(cell(row, column, level) for row, column in squares)


# -- paths and ends --------------------------------------------------------------------------


@pytest.mark.parametrize("reach", [6, 7, 8])
def test_wec_40_as_far_as_its_range_and_stopping_anywhere(reach: int) -> None:
    """A right tank from (1,1): four straight ahead, then to the right; (9,5) is the eighth."""
    way = [(2, 1), (3, 1), (4, 1), (5, 1), (6, 2), (7, 3), (8, 4), (9, 5)]
    now = state([piece("TA", 1, 1, hand="right"), KINGS[1]], options={"tank_range": reach})
    assert [at in ends(now, public(1)) for at in way] == [True] * reach + [False] * (8 - reach)


@pytest.mark.parametrize("side", [BLACK, WHITE])
def test_wec_40_blocked_behind_a_piece_of_either_side(side: int) -> None:
    now = state([piece("TA", 1, 1, hand="right"), piece("RP", 4, 1, side), KINGS[1]])
    straight = {(row, column) for row, column in ends(now, public(1)) if row > 1}
    assert straight == {(2, 1), (3, 1)} | ({(4, 1)} if side == WHITE else set())


@pytest.mark.parametrize("level", [AIR, SUB])
@pytest.mark.parametrize("kind", ["K", "DO", "DS", "AAA", "RP", "TA", "CL", "Q"])
def test_wec_40_off_the_ground_only_those_at_home_move(kind: str, level: int) -> None:
    carrier = piece("CH" if level == AIR else "SU", 5, 5, level=level, hand="left")
    now = state([piece(kind, 5, 5, level=level, hand="left"), carrier, KINGS[1]])
    assert not [move for move in moves(now, BLACK) if move.piece == public(1)]


@pytest.mark.parametrize("between", [None, BLACK, WHITE])
def test_wec_42_a_piece_between_stops_the_two_square_move(between: int | None) -> None:
    pieces = [piece("FP", 2, 5, unmoved=True), KINGS[1]]
    if between is not None:
        pieces.append(piece("RP", 3, 6, between))
    now = state(pieces)
    assert ((4, 7) in ends(now, public(1))) is (between is None)
    assert (4, 3) in ends(now, public(1))


def test_wec_42_the_two_square_move_takes_nothing_it_sees() -> None:
    now = state([piece("FP", 2, 5, unmoved=True), piece("RP", 4, 7, WHITE), KINGS[1]])
    assert (4, 7) not in ends(now, public(1))


PAWN = piece("FP", 5, 5, unmoved=True)
LIFTED = (cell(5, 5, AIR), cell(6, 6, AIR), cell(7, 7, AIR))
ORIGIN: list[Any] = [
    # what happens to the pawn on its origin square: who else, the action, the pawn's handle
    ("its Move", [PAWN], Move(public(1), route((6, 6))), False),
    ("a bike", [replace(PAWN, gear=piece("FP", 1, 1, gear=["BI"]).gear)],
     Bike(public(1), cell(5, 6)), False),
    ("a jump pack", [replace(PAWN, gear=piece("FP", 1, 1, gear=["JP"]).gear)],
     TakeOff(public(1), "JP", 0), False),
    ("being carried", [PAWN, piece("SU", 5, 5)], Move(public(2), route((5, 6)), public(1)), False),
    ("being lifted", [PAWN, piece("CH", 5, 5, hand="right")],
     Move(public(2), LIFTED, public(1)), False),
    ("being dozed", [PAWN, piece("DO", 5, 5)], Doze(public(2), (), AHEAD), False),
    ("firing", [PAWN], Blast(public(1), "FL", AHEAD), True),
    ("another's Move", [PAWN, piece("DS", 3, 3)], Move(public(2), route((3, 4))), True),
]  # fmt: skip


@pytest.mark.parametrize(
    ("pieces", "action", "stays"), [r[1:] for r in ORIGIN], ids=[f"WEC-42 {r[0]}" for r in ORIGIN]
)
def test_what_ends_origin(pieces: list[Piece], action: Action, stays: bool) -> None:
    after, _ = run(state([*pieces, *KINGS]), BLACK, action)
    assert one(after, 1).unmoved is stays


@pytest.mark.parametrize("enemy_dozer", [True, False])
def test_wec_42_dozed_by_the_enemy_ends_origin_conversion_does_not(enemy_dozer: bool) -> None:
    pawn = piece("FP", 6, 5, WHITE, unmoved=True)
    if enemy_dozer:
        crew = [piece("DO", 5, 5), piece("RP", 5, 5)]
        after, _ = run(state([pawn, *crew, *KINGS]), BLACK, Doze(public(2), (square_at(6, 5),), 0))
    else:
        after, _ = run(state([pawn, piece("CP", 5, 5), *KINGS]), BLACK, Blast(public(2), "CS", 0))
    assert one(after, 1).unmoved is not enemy_dozer


# -- who takes by moving ---------------------------------------------------------------------

TAKERS = {
    "FP": True, "RP": True, "STP": True, "CP": True, "SOP": True, "XP": True, "SHP": True,
    "TA": True, "CL": True, "K": True, "DI": True, "Q": True, "PM": True,
    "DO": False, "DS": False, "AAA": False, "SU": False,
}  # fmt: skip


@pytest.mark.parametrize("kind", TAKERS)
def test_wec_41_combat_movers_take_others_do_not(kind: str) -> None:
    """One square ahead for all, but a Cleric's path is diagonal."""
    at = (6, 6) if kind == "CL" else (6, 5)
    now = state([piece(kind, 5, 5, hand="left"), piece("RP", *at, WHITE), *KINGS])
    move = Move(public(1), route(at))
    if TAKERS[kind]:
        after, _ = run(now, BLACK, move)
        assert (where(after, 1), where(after, 2)) == (cell(*at), None)
    else:
        assert refused(now, move) == "WEC-41"


# -- subs, jets, choppers --------------------------------------------------------------------


def test_wec_43_a_sub_dives_surfaces_and_goes_one_square() -> None:
    now = state([piece("SU", 5, 5), *KINGS])
    beside = {(r, c) for r in (4, 5, 6) for c in (4, 5, 6)} - {(5, 5)}
    assert (ends(now, public(1)), ends(now, public(1), level=SUB)) == (beside, {(5, 5)})
    low = state([piece("SU", 5, 5, level=SUB), *KINGS])
    assert (ends(low, public(1), level=SUB), ends(low, public(1))) == (beside, {(5, 5)})


def test_wec_44_a_jet_rises_flies_and_lands() -> None:
    now = state([piece("JE", 5, 5), *KINGS])
    assert (ends(now, public(1)), ends(now, public(1), level=AIR)) == (set(), {(5, 5)})
    high = state([piece("JE", 5, 5, level=AIR), piece("JE", 6, 5, level=AIR), *KINGS])
    near = {(r, c) for r in (4, 5, 6) for c in (4, 5, 6)} - {(5, 5), (6, 5)}
    far = {(r, c) for r in (3, 5, 7) for c in (3, 5, 7)} - {(5, 5), (7, 5)}
    assert ends(high, public(1), level=AIR) == near | far  # the other Jet bars one line
    assert ends(high, public(1)) == {(5, 5)}


def test_wec_45_the_route_named_is_the_route_flown() -> None:
    """Of the two shortest routes to (7,6) one meets an unseen jet, the other does not."""
    shadow = piece("JE", 6, 6, WHITE, AIR, gear=["SH"], hidden=True)
    now = state([piece("CH", 5, 5, hand="right"), shadow, *KINGS])
    over = [
        (cell(5, 5, AIR), via, cell(7, 6, AIR), cell(7, 6))
        for via in (cell(6, 5, AIR), cell(6, 6, AIR))
    ]
    listed = [m.route for m in moves(now, BLACK) if m.route[-1] == cell(7, 6)]
    assert listed == over  # forward first, then forward-right
    free, _ = run(now, BLACK, Move(public(1), over[0]))
    assert where(free, 1) == cell(7, 6)
    met, _ = run(now, BLACK, Move(public(1), over[1]))
    assert where(met, 1) == cell(6, 6, AIR)
    assert [p.kind for p in met.pieces if p.side == WHITE] == ["K"]


@pytest.mark.parametrize("level", [GROUND, AIR])
def test_wec_45_a_passenger_does_not_bar_its_own_air(level: int) -> None:
    now = state(
        [piece("CH", 5, 5, level=level, hand="right"), piece("RP", 5, 5, level=level), *KINGS]
    )
    assert (7, 7) in ends(now, public(1), passenger=public(2))


# -- carrying and losing the carrier ---------------------------------------------------------


@pytest.mark.parametrize("kind", ["SU", "CH"])
@pytest.mark.parametrize("side", [BLACK, WHITE])
def test_wec_46_only_a_friendly_piece_of_its_cell_is_carried(kind: str, side: int) -> None:
    """From Ground with it or without; an enemy that shares the cell is no passenger."""
    now = state([piece(kind, 5, 5, hand="right"), piece("RP", 5, 5, side), *KINGS])
    alone, loaded = ends(now, public(1)), ends(now, public(1), public(2))
    assert alone
    assert bool(loaded) is (side == BLACK)


@pytest.mark.parametrize(
    ("carrier", "level", "passenger", "must"),
    [
        ("SU", SUB, "RP", True), ("SU", SUB, "SU", False), ("CH", AIR, "DO", True),
        ("CH", AIR, "JE", False), ("CH", AIR, "CH", False),
    ],
)  # fmt: skip
def test_wec_46_off_the_ground_who_is_not_at_home_comes_along(
    carrier: str, level: int, passenger: str, must: bool
) -> None:
    now = state(
        [
            piece(carrier, 5, 5, level=level, hand="right"),
            piece(passenger, 5, 5, level=level, hand="right"),
            *KINGS,
        ]
    )
    alone = [m for m in moves(now, BLACK) if m.piece == public(1) and m.passenger is None]
    assert bool(alone) is not must
    assert [m for m in moves(now, BLACK) if m.piece == public(1) and m.passenger == public(2)]


RIDERS: list[Any] = [
    # level, carrier, its mate, Black's weapon -> what is left of the two, and whose
    ("carrier destroyed, at Sub", SUB, "SU", piece("FP", 6, 5, WHITE, SUB), "FL", []),
    ("carrier destroyed, in the Air", AIR, "CH", piece("FP", 6, 5, WHITE, AIR), "FL", []),
    ("a jet is at home", AIR, "CH", piece("JE", 6, 5, WHITE, AIR, gear=["AFL"]), "FL",
     [("JE", WHITE)]),
    ("a sub is not at home in the Air", AIR, "CH", piece("SU", 6, 5, WHITE, AIR, gear=["AFL"]),
     "FL", []),
    ("a jet is not at home at Sub", SUB, "SU", piece("JE", 6, 5, WHITE, SUB, gear=["AFL"]), "FL",
     []),
    ("it flies by itself", AIR, "CH", piece("XP", 6, 5, WHITE, AIR, gear=["JP", "AFL"],
     flight=Flight("JP", 0, 1, 1)), "FL", [("XP", WHITE)]),
    ("carrier converted", AIR, "CH", piece("CP", 6, 5, WHITE, AIR), "CS", [("CH", BLACK)]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("level", "carrier", "mate", "weapon", "left"),
    [r[1:] for r in RIDERS],
    ids=[f"WEC-47 {r[0]}" for r in RIDERS],
)
def test_who_loses_its_carrier(
    level: int, carrier: str, mate: Piece, weapon: str, left: list[tuple[str, int]]
) -> None:
    firer = piece("JE" if level == AIR else "SU", 5, 5, level=level, gear=[weapon])
    now = state([firer, piece(carrier, 6, 5, WHITE, level, hand="left"), mate, *KINGS])
    after, _ = run(now, BLACK, Blast(public(1), weapon, AHEAD))
    assert [(p.kind, p.side) for p in after.pieces if p.square == square_at(6, 5)] == left


# -- dozing ----------------------------------------------------------------------------------

HEADINGS = [(6, 5), (6, 6), (5, 6), (4, 6), (4, 5), (4, 4), (5, 4), (6, 4)]


@pytest.mark.parametrize("heading", range(8))
def test_wec_48_in_each_of_eight_directions_with_four_squares(heading: int) -> None:
    """A block of four beside the Dozer's square, of both owners; each piece goes one square."""
    block = [(4, 6), (4, 7), (5, 6), (5, 7)]
    others = [
        piece("RP", 4, 6, WHITE), piece("DS", 4, 7), piece("AAA", 5, 6), piece("CP", 5, 7, WHITE),
    ]  # fmt: skip
    now = state([piece("DO", 5, 5), piece("RP", 5, 5), *others, *KINGS])
    after, _ = run(now, BLACK, Doze(public(1), tuple(square_at(*at) for at in block), heading))
    down, right = HEADINGS[heading][0] - 5, HEADINGS[heading][1] - 5
    for number, (row, column) in enumerate([(5, 5), (5, 5), *block], 1):
        assert where(after, number) == cell(row + down, column + right)


def shadow(row: int, column: int) -> Piece:
    return piece("AAA", row, column, WHITE, hidden=True)


ASKED: list[Any] = [
    # where unseen enemies stand -> which cell is shown; picked are (6,6) and (6,7), forward
    ("the picked squares first, as named", [(6, 7), (6, 6), (6, 5)], (6, 6)),
    ("the later picked square before any target", [(6, 7), (6, 5), (7, 6)], (6, 7)),
    ("then the target of the Dozer's", [(7, 6), (7, 7), (6, 5)], (6, 5)),
    ("then theirs, as named", [(7, 7), (7, 6)], (7, 6)),
    ("the last of them", [(7, 7)], (7, 7)),
    ("none elsewhere", [(5, 6), (8, 6)], None),
]


@pytest.mark.parametrize("hidden_dozer", [False, True])
@pytest.mark.parametrize(
    ("at", "shown"), [r[1:] for r in ASKED], ids=[f"WEC-48 {r[0]}" for r in ASKED]
)
def test_what_a_doze_asks(at: list[Square], shown: Square | None, hidden_dozer: bool) -> None:
    """On the picked squares a public enemy with coexistence stands beside the unseen one."""
    crew = [
        piece("DO", 5, 5, hidden=hidden_dozer, gear=["SH"]), piece("RP", 5, 5),
        piece("DS", 6, 6, WHITE), piece("DS", 6, 7, WHITE),
    ]  # fmt: skip
    now = state([*crew, *[shadow(*square) for square in at], *KINGS])
    dozer = unseen(5, 5) if hidden_dozer else public(1)
    action = Doze(dozer, (square_at(6, 6), square_at(6, 7)), AHEAD)
    after, events = run(now, BLACK, action)
    seen = [event.after.cell for event in of(events, Changed, cause="shown")]
    assert seen == ([cell(*shown)] if shown else [])
    assert bool(of(events, Thwarted)) is (shown is not None)
    crew_now = [p.square for p in after.pieces if p.kind in ("DO", "RP")]
    assert crew_now == [square_at(5 if shown else 6, 5)] * 2
    secret = after.secrets[BLACK]
    assert secret is not None
    assert after.spent.move + secret.spent.move == 1


def test_wec_48_both_unseen_pieces_of_the_first_square_are_shown() -> None:
    pair = [shadow(6, 5), piece("DS", 6, 5, WHITE, gear=["SH"], hidden=True)]
    now = state([piece("DO", 5, 5), piece("RP", 5, 5), *pair, *KINGS])
    _, events = run(now, BLACK, Doze(public(1), (), AHEAD))
    assert [e.after.kind for e in of(events, Changed, cause="shown")] == ["AAA", "DS"]


# -- collisions ------------------------------------------------------------------------------

KNIGHT = (cell(5, 5, AIR), cell(6, 5, AIR), cell(7, 6, AIR), cell(7, 6))
MET: list[Any] = [
    # mover, route, where the unseen enemy is -> it is met there
    ("on a tank's path", piece("TA", 5, 5, hand="left"), route((6, 5), (7, 5)), cell(6, 5)),
    ("at its end", piece("TA", 5, 5, hand="left"), route((6, 5), (7, 5)), cell(7, 5)),
    ("a destroyer's end", piece("DS", 5, 5), route((6, 6)), cell(6, 6)),
    ("a dozer's", piece("DO", 5, 5), route((6, 6)), cell(6, 6)),
    ("an AAA's", piece("AAA", 5, 5), route((4, 5)), cell(4, 5)),
    ("a jet's first square", piece("JE", 5, 5, level=AIR),
     route((6, 5), (7, 5), level=AIR), cell(6, 5, AIR)),
    ("a jet's second", piece("JE", 5, 5, level=AIR), route((6, 5), (7, 5), level=AIR),
     cell(7, 5, AIR)),
    ("a jet's landing", piece("JE", 5, 5, level=AIR), (cell(5, 5),), cell(5, 5)),
    ("a jet's rise", piece("JE", 5, 5), (cell(5, 5, AIR),), cell(5, 5, AIR)),
    ("a sub's dive", piece("SU", 5, 5), (cell(5, 5, SUB),), cell(5, 5, SUB)),
    ("a sub's rise", piece("SU", 5, 5, level=SUB), (cell(5, 5),), cell(5, 5)),
    ("a pawn's quiet step", piece("FP", 5, 5), route((6, 6)), cell(6, 6)),
    ("on a pawn's two squares", piece("FP", 5, 5, unmoved=True), route((6, 6), (7, 7)),
     cell(6, 6)),
    ("over a chopper", piece("CH", 5, 5, hand="right"), KNIGHT, cell(5, 5, AIR)),
    ("on a chopper's route", piece("CH", 5, 5, hand="right"), KNIGHT, cell(6, 5, AIR)),
    ("over its target", piece("CH", 5, 5, hand="right"), KNIGHT, cell(7, 6, AIR)),
    ("at its target", piece("CH", 5, 5, hand="right"), KNIGHT, cell(7, 6)),
]  # fmt: skip


@pytest.mark.parametrize("hidden", [False, True])
@pytest.mark.parametrize(
    ("mover", "way", "at"), [r[1:] for r in MET], ids=[f"WEC-49 {r[0]}" for r in MET]
)
def test_a_collision(mover: Piece, way: tuple[int, ...], at: int, hidden: bool) -> None:
    """Whoever moves stops there and takes, whether or not it takes by moving, seen or unseen."""
    enemy = piece("AAA", 0, 0, WHITE, cell=at, gear=["SH", "FL"], hidden=True)
    if hidden:
        mover = replace(mover, handle=0)
    now = state([mover, enemy, *KINGS])
    ref = Ref(cell=mover.cell) if hidden else public(1)
    after, events = run(now, BLACK, Move(ref, way))
    stopped = [p.cell for p in after.pieces if p.side == BLACK and p.kind == mover.kind]
    assert stopped == [at]
    assert [event.before.kind for event in of(events, Changed, cause="taken")] == ["AAA"]
    assert [lie.square for lie in after.lying] == [at % 100] * 2


BOTH: list[Any] = [
    # mover, whether it may end upon a seen enemy
    ("a combat mover", "TA", True), ("a King", "K", True), ("a pawn", "FP", True),
    ("no combat mover", "DS", False),
]  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "takes"), [r[1:] for r in BOTH], ids=[f"WEC-49 {r[0]}" for r in BOTH]
)
def test_the_end_cell_is_probed_also_when_a_seen_enemy_stands_there(kind: str, takes: bool) -> None:
    now = state([piece(kind, 5, 5, hand="left"), piece("RP", 6, 5, WHITE), shadow(6, 5), *KINGS])
    move = Move(public(1), route((6, 5)))
    if takes:
        after, events = run(now, BLACK, move)
        assert where(after, 1) == cell(6, 5)
        assert len(of(events, Changed, cause="taken")) == 2
        assert [p.kind for p in after.pieces if p.side == WHITE] == ["K"]
    else:
        assert refused(now, move) == "WEC-41"


@pytest.mark.parametrize("loaded", [False, True])
def test_wec_49_a_carrier_and_its_passenger_stop_there(loaded: bool) -> None:
    pieces = [piece("SU", 5, 5), piece("RP", 5, 5), shadow(6, 5), *KINGS]
    passenger = public(2) if loaded else None
    after, _ = run(state(pieces), BLACK, Move(public(1), route((6, 5)), passenger))
    assert where(after, 1) == cell(6, 5)
    assert where(after, 2) == cell(6 if loaded else 5, 5)
    assert [p.kind for p in after.pieces if p.side == WHITE] == ["K"]


def test_wec_49_the_history_has_the_intended_and_the_actual_move() -> None:
    table = Table(GAME)
    table.state = state([piece("TA", 2, 4, hand="left"), shadow(5, 4), *KINGS])
    scribe = Scribe(GAME, table.state, None)
    table.act(BLACK, Move(public(1), route((3, 4), (4, 4), (5, 4), (6, 4))))
    scribe.take(table.log[0])
    ((_, move),) = scribe.running.clauses
    assert isinstance(move, MoveClause)
    assert (move.goal, move.met) == (cell(6, 4), cell(5, 4))


def test_wec_49_a_flyer_collides_as_any_mover_does() -> None:
    flyer = piece("DO", 5, 5, level=AIR, gear=["JP"], flight=Flight("JP", square_at(9, 9), 1, 3))
    enemy = piece("JE", 6, 6, WHITE, AIR, gear=["SH"], hidden=True)
    after, _ = run(state([flyer, enemy, *KINGS], turn=5), BLACK, Fly(public(1)))
    assert where(after, 1) == cell(6, 6, AIR)
    assert [p.kind for p in after.pieces if p.side == WHITE] == ["K"]


def test_wec_13_several_pieces_change_place_in_one_turn() -> None:
    """A doze, a bike and a call: one Move, one Fire, one Reinforce; nobody's Move is spent."""
    now = state(
        [piece("DO", 5, 5), piece("RP", 5, 5), piece("FP", 3, 3, gear=["BI"]), *KINGS],
        reserves=(Reserve(BLACK, square_at(8, 4), "JE"),),
        secrets=(Secret(armed=(Arming(square_at(8, 4), True),)), Secret()),
    )
    now, _ = run(now, BLACK, Doze(public(1), (), AHEAD))
    now, _ = run(now, BLACK, Bike(public(3), cell(3, 4)))
    now, _ = run(now, BLACK, Reinforce(square_at(8, 4), "JE"))
    assert (now.spent.move, now.spent.fires, now.spent.reinforce) == (1, 1, 1)
    assert [where(now, n) for n in (1, 2, 3)] == [cell(6, 5), cell(6, 5), cell(3, 4)]
    now = ended(ended(now))
    GAME.legal(now, BLACK, Move(public(2), route((7, 6))))
