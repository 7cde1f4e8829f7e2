"""Transports and reinforcements, rule by rule (WEC-70 to WEC-82)."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from msgspec.structs import replace

from cloakboard.engine.wec import GAME
from cloakboard.engine.wec.actions import (
    Action,
    Bike,
    Blast,
    Doze,
    Drop,
    EndTurn,
    Exchange,
    Fly,
    Move,
    PickUp,
    Reinforce,
    TakeOff,
)
from cloakboard.engine.wec.pieces import HANDED
from cloakboard.engine.wec.state import (
    AIR,
    BLACK,
    GROUND,
    SIDES,
    SUB,
    WHITE,
    Arming,
    Flight,
    Gear,
    Piece,
    Reserve,
    Secret,
    Spent,
    State,
    square_at,
)
from tests.engine.wec.build import (
    AHEAD,
    BACK,
    KINGS,
    cell,
    ended,
    lying,
    one,
    piece,
    public,
    refused,
    run,
    state,
    where,
)

PACKS = {"JP": AIR, "SC": SUB}


# -- the bike --------------------------------------------------------------------------------


def test_wec_70_one_square_at_ground_in_place_of_a_fire() -> None:
    """In every direction, besides the Move, by whoever carries it; it takes no passenger."""
    now = state([piece("SU", 5, 5, gear=["BI"]), piece("RP", 5, 5), *KINGS], spent=Spent(move=1))
    rides = {a.cell for a in GAME.actions(now, BLACK) if isinstance(a, Bike)}
    assert rides == {cell(r, c) for r in (4, 5, 6) for c in (4, 5, 6)} - {cell(5, 5)}
    after, _ = run(now, BLACK, Bike(public(1), cell(6, 6)))
    assert (where(after, 1), where(after, 2)) == (cell(6, 6), cell(5, 5))
    assert after.spent == Spent(move=1, fires=1)


@pytest.mark.parametrize("kind", ["TA", "K", "DS"])
def test_wec_70_it_takes_nothing_it_sees_and_what_it_does_not_see(kind: str) -> None:
    rider = piece(kind, 5, 5, gear=["BI"], hand="left")
    now = state([rider, piece("RP", 6, 5, WHITE), *KINGS])
    assert refused(now, Bike(public(1), cell(6, 5))) == "WEC-70"
    met = state([rider, piece("AAA", 6, 5, WHITE, hidden=True), *KINGS])
    after, _ = run(met, BLACK, Bike(public(1), cell(6, 5)))
    assert where(after, 1) == cell(6, 5)
    assert [p.kind for p in after.pieces if p.side == WHITE] == ["K"]


# -- flights ---------------------------------------------------------------------------------


@pytest.mark.parametrize("hidden", [False, True])
@pytest.mark.parametrize("pack", PACKS)
def test_wec_71_a_flight_from_take_off_to_landing(pack: str, hidden: bool) -> None:
    """From (5,5) to (7,4), in Turns 5, 7 and 9: up at once, (6,4) along both axes, then down at
    (7,4) when it arrives. Between its own Turns it stands still."""
    gear = ["XXX", "SH", pack] if hidden else [pack]
    now = state([piece("RP", 5, 5, gear=gear, hidden=hidden), *KINGS], turn=5)
    flights = []
    offered = GAME.actions(now, BLACK)
    take_off = next(a for a in offered if isinstance(a, TakeOff) and a.target == square_at(7, 4))
    now, _ = run(now, BLACK, take_off)
    for _ in range(5):
        (flyer,) = [p for p in now.pieces if p.kind == "RP"]
        flights.append(flyer.cell)
        now = ended(now)
        owed = GAME.forced(now, now.side)
        if owed is not None:
            assert list(GAME.actions(now, now.side)) == [owed]
            now, _ = run(now, now.side, owed)
    level = PACKS[pack]
    up, on = cell(5, 5, level), cell(6, 4, level)
    assert flights == [up, up, on, on, cell(7, 4)]


def test_wec_71_any_target_but_its_own_square() -> None:
    now = state([piece("RP", 5, 5, gear=["JP"]), *KINGS])
    targets = [a.target for a in GAME.actions(now, BLACK) if isinstance(a, TakeOff)]
    assert targets == [square for square in range(100) if square != square_at(5, 5)]
    assert refused(now, TakeOff(public(1), "JP", square_at(5, 5))) == "WEC-71"


def airborne(pack: str = "JP", target: tuple[int, int] = (9, 5), **fields: Any) -> Piece:
    """Black's XXX Pawn in flight over (5,5), which has flown on in Turn 5."""
    flight = Flight(pack, square_at(*target), 1, fields.pop("flown", 5))
    level, gear = PACKS[pack], fields.pop("gear", [pack])
    return piece("XP", 5, 5, level=level, gear=gear, flight=flight, **fields)


@pytest.mark.parametrize("pack", PACKS)
def test_wec_71_in_flight_no_move_and_no_fire_but_articles_change_hands(pack: str) -> None:
    flyer = airborne(pack, gear=[pack, "FL"])
    level = PACKS[pack]
    now = state([flyer, piece("Q", 1, 5), *KINGS], lying(5, 5, "ST"), turn=5)
    assert refused(now, Move(public(1), (cell(6, 5, level),))) == "WEC-71"
    assert refused(now, Blast(public(1), "FL", AHEAD)) == "WEC-71"
    assert refused(now, TakeOff(public(1), pack, 0)) == "WEC-71"
    assert refused(now, PickUp(public(1), "ST")) == "WEC-30"
    run(now, BLACK, Drop(public(1), 1))
    run(now, BLACK, Exchange(public(1), public(2), 1))


@pytest.mark.parametrize(
    ("gear", "place", "free"),
    [
        pytest.param(["JP"], 0, False, id="WEC-71 the only pack"),
        pytest.param(["JP", "JP"], 0, True, id="WEC-71 one of two"),
        pytest.param(["SC", "JP"], 1, False, id="WEC-71 the last of its kind"),
        pytest.param(["SC", "JP"], 0, True, id="WEC-71 another kind"),
    ],
)
def test_the_pack_in_use_is_kept(gear: list[str], place: int, free: bool) -> None:
    now = state([airborne(gear=gear), piece("Q", 1, 5, gear=["JP"]), *KINGS], turn=5)
    for action in (Drop(public(1), place), Exchange(public(2), public(1), 0, place)):
        if free:
            GAME.legal(now, BLACK, action)
        else:
            assert refused(now, action) == "WEC-71"


def test_wec_71_landed_it_acts_in_that_turn() -> None:
    flyer = airborne(target=(6, 5), flown=3, gear=["JP", "FL"])
    now = state([flyer, *KINGS], lying(6, 5, "ST"), turn=5)
    now, _ = run(now, BLACK, Fly(public(1)))
    assert one(now, 1).flight is None
    run(now, BLACK, Move(public(1), (cell(7, 6),)))
    run(now, BLACK, Blast(public(1), "FL", AHEAD))
    run(now, BLACK, Drop(public(1), 0))
    run(now, BLACK, TakeOff(public(1), "JP", 0))


def test_wec_71_a_converted_flyer_flies_on_in_its_new_owners_turns() -> None:
    flight = Flight("JP", square_at(6, 9), 1, 4)
    flyer = piece("XP", 6, 5, WHITE, AIR, gear=["JP"], flight=flight)
    now = state([flyer, piece("JE", 5, 5, level=AIR, gear=["CS"]), *KINGS], turn=5)
    now, _ = run(now, BLACK, Blast(public(2), "CS", AHEAD))
    seen = []
    for _ in range(3):
        seen.append((where(now, 1), GAME.forced(now, now.side)))
        now = ended(now)
        owed = GAME.forced(now, now.side)
        if owed is not None:
            now, _ = run(now, now.side, owed)
    at = [cell(6, 5, AIR), cell(6, 5, AIR), cell(6, 6, AIR)]
    assert seen == [(one_cell, None) for one_cell in at]


@pytest.mark.parametrize(
    ("carrier", "pack", "down", "lands"),
    [
        ("SU", "SC", (cell(5, 5),), True),
        ("SU", "SC", (cell(5, 6, SUB),), False),
        ("CH", "JP", (cell(6, 6, AIR), cell(7, 7, AIR), cell(7, 7)), True),
    ],
)
def test_wec_71_a_carried_flyer_has_landed_when_it_comes_to_ground(
    carrier: str, pack: str, down: tuple[int, ...], lands: bool
) -> None:
    flyer = airborne(pack)
    now = state([flyer, piece(carrier, 5, 5, level=PACKS[pack], hand="right"), *KINGS], turn=5)
    after, _ = run(now, BLACK, Move(public(2), down, public(1)))
    assert where(after, 1) == down[-1]
    assert (one(after, 1).flight is None) is lands


def test_wec_71_its_target_becomes_public_with_the_flyer() -> None:
    """Unseen it takes off; a stun shot that it stands against brings it to light."""
    hidden = airborne(gear=["XXX", "SH", "JP"], hidden=True)
    gun = piece("JE", 6, 5, WHITE, AIR, gear=["ST"])
    kept = replace(hidden, kind="STP", own_ready=(0,))  # stands against one stun
    now = state([kept, gun, *KINGS], turn=6, side=WHITE)
    assert all(p.flight is None for p in GAME.view(now, WHITE).pieces)
    after, _ = run(now, WHITE, Blast(public(1), "ST", AHEAD))
    (flyer,) = [p for p in GAME.view(after, WHITE).pieces if p.kind == "STP"]
    assert flyer.flight == hidden.flight


WAY: list[Any] = [
    # what stands where, of whom -> where Black's flyer over (5,5) ends; its target is (6,5)
    ("nothing", [], GROUND, 0),
    ("own below", [piece("RP", 6, 5)], AIR, 0),
    ("own above", [piece("JE", 6, 5, level=AIR)], None, 0),
    ("own below with coexistence", [piece("DO", 6, 5)], GROUND, 0),
    ("an enemy above", [piece("JE", 6, 5, WHITE, AIR)], AIR, 1),
    ("an enemy below", [piece("RP", 6, 5, WHITE)], GROUND, 1),
    ("enemies below", [piece("DO", 6, 5, WHITE), piece("RP", 6, 5, WHITE)], GROUND, 2),
    ("enemies above and below", [piece("JE", 6, 5, WHITE, AIR), piece("RP", 6, 5, WHITE)], AIR, 1),
    ("own below, an enemy above", [piece("JE", 6, 5, WHITE, AIR), piece("RP", 6, 5)], AIR, 1),
    ("an opposed pair below", [piece("DO", 6, 5), piece("RP", 6, 5, WHITE)], AIR, 0),
    ("an opposed pair above", [piece("CH", 6, 5, level=AIR, hand="left"),
     piece("JE", 6, 5, WHITE, AIR)], None, 0),
]  # fmt: skip


@pytest.mark.parametrize("unseen", [False, True])
@pytest.mark.parametrize(
    ("others", "level", "taken"), [r[1:] for r in WAY], ids=[f"WEC-72 {r[0]}" for r in WAY]
)
def test_what_a_flyer_meets(others: Any, level: int | None, taken: int, unseen: bool) -> None:
    """Opposed pairs are public; all else may be unseen."""
    held = {(p.cell, p.side) for p in others}
    if unseen and len({at for at, _ in held}) == len(held):
        others = [replace(p, handle=0, gear=(Gear("SH"),)) for p in others]
    now = state([airborne(target=(6, 5), flown=3), *others, *KINGS], turn=5)
    after, _ = run(now, BLACK, Fly(public(1)))
    assert where(after, 1) == (cell(5, 5, AIR) if level is None else cell(6, 5, level))
    assert len(now.pieces) - len(after.pieces) == taken


@pytest.mark.parametrize("pack", PACKS)
@pytest.mark.parametrize(
    ("kind", "side", "hidden", "rule"),
    [
        pytest.param("JE", BLACK, False, "WEC-72", id="WEC-72 own pieces bar the take-off"),
        pytest.param("SU", BLACK, False, None, id="WEC-72 unless they share"),
        pytest.param("JE", WHITE, False, None, id="WEC-72 a seen enemy is taken"),
        pytest.param("JE", WHITE, True, None, id="WEC-72 and an unseen one"),
    ],
)
def test_take_off_counts_as_entering(
    kind: str, side: int, hidden: bool, rule: str | None, pack: str
) -> None:
    other = piece(kind, 5, 5, side, PACKS[pack], hidden=hidden, gear=["SH"] if hidden else [])
    now = state([piece("RP", 5, 5, gear=[pack]), other, *KINGS])
    action = TakeOff(public(1), pack, 0)
    if rule:
        assert refused(now, action) == rule
        return
    after, _ = run(now, BLACK, action)
    assert where(after, 1) == cell(5, 5, PACKS[pack])
    assert len([p for p in after.pieces if p.kind == kind]) == (side == BLACK)


@pytest.mark.parametrize("pack", PACKS)
@pytest.mark.parametrize("level", [AIR, SUB])
def test_wec_73_off_the_ground_only_with_the_option_and_only_carried(level: int, pack: str) -> None:
    """The pack brings it to its own level at once, straight through Ground if need be."""
    carrier = piece("CH" if level == AIR else "SU", 5, 5, level=level, hand="left")
    aboard = piece("RP", 5, 5, level=level, gear=[pack])
    action = TakeOff(public(1), pack, 0)
    assert refused(state([aboard, carrier, *KINGS]), action) == "WEC-73"
    options = {"transport_from": "any"}
    below = piece("AAA", 5, 5, WHITE, hidden=True)
    after, _ = run(state([aboard, carrier, below, *KINGS], options=options), BLACK, action)
    assert where(after, 1) == cell(5, 5, PACKS[pack])
    assert [p.kind for p in after.pieces if p.side == WHITE] == ["AAA", "K"]
    jet = piece("JE", 5, 5, level=AIR, gear=[pack])
    assert refused(state([jet, *KINGS], options=options), action) == "WEC-73"
    ground = state([piece("RP", 5, 5, gear=[pack]), *KINGS], options=options)
    GAME.legal(ground, BLACK, action)


# -- reinforcements --------------------------------------------------------------------------

CALLED = square_at(8, 4)


def with_reserve(*pieces: Piece, armed: bool = True, **fields: Any) -> State:
    """Black's Jet waits on (8,4), armed unless said otherwise; nobody has left it."""
    secret = Secret(armed=(Arming(CALLED),) if armed else ())
    return state(
        [*pieces, *KINGS],
        reserves=fields.pop("reserves", (Reserve(BLACK, CALLED, "JE"),)),
        secrets=(secret, Secret()),
        **fields,
    )


def callable_now(now: State) -> bool:
    """Whether Black could call the reinforcement, were it Black's Turn."""
    mine = replace(now, side=BLACK, spent=Spent())
    return Reinforce(CALLED, "JE") in list(GAME.actions(mine, BLACK))


HOLDER = piece("DS", 8, 4)
CREW = [piece("DO", 8, 3, WHITE), piece("RP", 8, 3, WHITE)]
LEAVING: list[Any] = [
    # pieces, the first on the square; whose action -> whether the square counts as left
    ("its Move", [HOLDER], BLACK, Move(public(1), (cell(8, 5),)), True),
    ("up into the Air", [piece("JE", 8, 4)], BLACK, Move(public(1), (cell(8, 4, AIR),)), True),
    ("down to Sub", [piece("SU", 8, 4)], BLACK, Move(public(1), (cell(8, 4, SUB),)), True),
    ("a bike", [piece("RP", 8, 4, gear=["BI"])], BLACK, Bike(public(1), cell(8, 5)), True),
    ("a jump pack", [piece("RP", 8, 4, gear=["JP"])], BLACK, TakeOff(public(1), "JP", 0), True),
    ("dozed by its own side", [HOLDER, piece("DO", 8, 3), piece("RP", 8, 3)], BLACK,
     Doze(public(2), (CALLED,), AHEAD), True),
    ("dozed by the enemy", [HOLDER, *CREW], WHITE, Doze(public(2), (CALLED,), BACK), True),
    ("unseen", [piece("AAA", 8, 4, hidden=True)], BLACK, None, True),
    ("burnt there", [HOLDER, piece("FP", 7, 4, WHITE)], WHITE, Blast(public(2), "FL", BACK),
     False),
    ("taken there", [HOLDER, piece("TA", 9, 4, WHITE, hand="left")], WHITE,
     Move(public(2), (cell(8, 4),)), False),
    ("converted there", [HOLDER, piece("CP", 9, 4, WHITE)], WHITE, Blast(public(2), "CS", AHEAD),
     False),
    ("another's leaving elsewhere", [HOLDER, piece("DS", 2, 2)], BLACK,
     Move(public(2), (cell(2, 3),)), False),
]  # fmt: skip


@pytest.mark.parametrize("armed", [True, False])
@pytest.mark.parametrize(
    ("pieces", "side", "action", "left"),
    [r[1:] for r in LEAVING],
    ids=[f"WEC-80 {r[0]}" for r in LEAVING],
)
def test_leaving_an_armed_square(
    pieces: list[Piece], side: int, action: Action | None, left: bool, armed: bool
) -> None:
    now = with_reserve(*pieces, armed=armed, side=side)
    if action is None:
        ref = next(a.piece for a in GAME.actions(now, BLACK)
                   if isinstance(a, Move) and a.piece.handle == 0)  # fmt: skip
        action = Move(ref, (cell(8, 5),))
    after, _ = run(now, side, action)
    empty = not [p for p in after.pieces if p.cell == CALLED]
    assert callable_now(after) is (left and armed and empty)


@pytest.mark.parametrize("turns", [0, 1, 2])
def test_wec_80_armed_by_a_piece_at_ground_at_the_end_of_a_turn(turns: int) -> None:
    """Moved away in the same Turn it came: not armed. A Turn later, of either side: armed."""
    now = with_reserve(piece("DS", 8, 3), armed=False)
    now, _ = run(now, BLACK, Move(public(1), (cell(8, 4),)))
    for _ in range(turns):
        now = ended(now)
    now = replace(now, side=BLACK, spent=Spent())
    now, _ = run(now, BLACK, Move(public(1), (cell(8, 5),)))
    assert callable_now(now) is (turns > 0)


@pytest.mark.parametrize("level", [AIR, SUB])
def test_wec_80_a_piece_above_or_below_arms_nothing(level: int) -> None:
    kind = "JE" if level == AIR else "SU"
    after = ended(with_reserve(piece(kind, 8, 4, level=level), armed=False))
    assert after.secrets[BLACK] == Secret()


def test_wec_80_two_on_the_square_one_leaves_one_stays() -> None:
    """Not while Ground is held; the other's later loss frees it, since one has left."""
    pair = [HOLDER, piece("RP", 8, 4), piece("FP", 7, 4, WHITE)]
    now, _ = run(with_reserve(*pair), BLACK, Move(public(1), (cell(8, 5),)))
    assert not callable_now(now)
    now, _ = run(ended(now), WHITE, Blast(public(3), "FL", BACK))
    assert where(now, 2) is None
    assert callable_now(now)


def test_wec_80_what_arrives_is_seen_until_the_end_of_the_turn() -> None:
    now = with_reserve(piece("DS", 8, 4), reserves=(Reserve(BLACK, CALLED, "AAA"),))
    now, _ = run(now, BLACK, Move(public(1), (cell(8, 5),)))
    now, _ = run(now, BLACK, Reinforce(CALLED, "AAA"))
    (came,) = [p for p in now.pieces if p.kind == "AAA"]
    assert came == Piece(BLACK, "AAA", CALLED, handle=4, own_ready=(0,))
    assert [p.handle for p in ended(now).pieces if p.kind == "AAA"] == [0]


def test_wec_81_two_are_armed_together_the_second_waits_for_the_next_leaving() -> None:
    both = (Reserve(BLACK, CALLED, "JE"), Reserve(BLACK, CALLED, "SU"))
    now = with_reserve(HOLDER, reserves=both)
    now, _ = run(now, BLACK, Move(public(1), (cell(8, 5),)))
    offered = [a for a in GAME.actions(now, BLACK) if isinstance(a, Reinforce)]
    assert offered == [Reinforce(CALLED, "JE"), Reinforce(CALLED, "SU")]
    now, _ = run(now, BLACK, Reinforce(CALLED, "SU"))
    now = replace(ended(ended(now)), spent=Spent())
    assert not callable_now(now)
    now, _ = run(now, BLACK, Move(public(4), (cell(8, 4, SUB),)))
    assert callable_now(now)  # the Sub that came has left it by diving
    now, _ = run(now, BLACK, Reinforce(CALLED, "JE"))
    assert now.reserves == ()
    secret = now.secrets[BLACK]
    assert secret is not None
    assert secret.armed == ()


@pytest.mark.parametrize("side", SIDES)
def test_wec_81_a_square_holds_one_handed_or_two_unhanded(side: int) -> None:
    squares: dict[int, list[str]] = {}
    for reserve in GAME.start({}).reserves:
        if reserve.side == side:
            squares.setdefault(reserve.square, []).append(reserve.kind)
    assert squares
    assert all(
        len(kinds) == 1 or (len(kinds) == 2 and not HANDED & set(kinds))
        for kinds in squares.values()
    )


@pytest.mark.parametrize("government", ["monarchy", "theocracy"])
@pytest.mark.parametrize("side", SIDES)
def test_wec_82_what_waits_and_where(side: int, government: str) -> None:
    """Ten of each side, deep in the enemy's half; of the secondary piece the own one."""
    secondary = {"monarchy": "Q", "theocracy": "AC"}[government]
    waiting = [r for r in GAME.start({f"government.{side}": government}).reserves if r.side == side]
    assert Counter(r.kind for r in waiting) == Counter(
        {"JE": 2, "SU": 2, secondary: 1, "DO": 1, "CL": 1, "TA": 1, "AAA": 1, "DS": 1}
    )
    rows = {r.square // 10 + 1 for r in waiting}
    assert rows <= (set(range(6, 11)) if side == BLACK else set(range(1, 6)))


def test_wec_82_both_players_know_squares_and_contents() -> None:
    now = GAME.start({})
    assert GAME.view(now, WHITE).reserves == GAME.public(now).reserves == now.reserves
    assert EndTurn() not in list(GAME.actions(now, BLACK))
