"""Turns and actions, rule by rule (WEC-10 to WEC-17)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from cloakboard.engine.game import Result
from cloakboard.engine.table import Table
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
    Launch,
    LimitedRocket,
    Move,
    PickUp,
    Ref,
    Reinforce,
    TakeOff,
)
from cloakboard.engine.wec.events import Changed, Fell, TurnEnded
from cloakboard.engine.wec.rules import RULES
from cloakboard.engine.wec.state import (
    AIR,
    BLACK,
    SIDES,
    WHITE,
    Arming,
    Flight,
    Gear,
    Piece,
    Projectile,
    Reserve,
    Secret,
    Spent,
    State,
    square_at,
)
from tests.engine.wec.build import (
    KINGS,
    cell,
    lying,
    of,
    one,
    piece,
    public,
    refused,
    run,
    state,
    where,
)

FORWARD = 0
CALLED = square_at(8, 4)


# -- the allowance ---------------------------------------------------------------------------


def busy() -> State:
    """One of each action, and another of its kind, for Black."""
    return state(
        [
            piece("FP", 5, 5),  # 1 and 2 fire
            piece("RP", 5, 8),
            piece("XP", 1, 3),  # 3 picks up
            piece("XP", 3, 3, gear=["ASL", "ATL"]),  # 4 drops
            piece("Q", 1, 8, gear=["XXX", "ST", "CS"]),  # 5 exchanges with 6
            piece("XP", 1, 6),
            piece("DS", 3, 9),  # 7 moves
            piece("STP", 3, 5),
            *KINGS,
        ],
        lying(1, 3, "AST", "AFL"),
        reserves=(Reserve(BLACK, CALLED, "JE"), Reserve(BLACK, CALLED + 1, "SU")),
        secrets=(Secret(armed=(Arming(CALLED, True), Arming(CALLED + 1, True))), Secret()),
    )


ONCE: list[Any] = [
    # field of Spent, the action, another one of its kind
    ("fires", Blast(public(1), "FL", FORWARD), None),
    ("pickup", PickUp(public(3), "AST"), PickUp(public(3), "AFL")),
    ("drop", Drop(public(4), 0), Drop(public(4), 0)),
    ("move", Move(public(7), (cell(4, 9),)), Move(public(7), (cell(3, 9),))),
    ("exchange", Exchange(public(5), public(6), 1), Exchange(public(5), public(6), 1)),
    ("reinforce", Reinforce(CALLED, "JE"), Reinforce(CALLED + 1, "SU")),
    ("fires", Launch(public(2), "RL", FORWARD), Blast(public(8), "ST", FORWARD)),
]


@pytest.mark.parametrize("rows", [ONCE, ONCE[::-1], ONCE[3:] + ONCE[:3]])
def test_wec_11_each_kind_as_often_as_allowed_in_any_order(rows: list[Any]) -> None:
    now = busy()
    assert refused(now, EndTurn()) == "WEC-12"
    for what, action, _ in rows:
        used = getattr(now.spent, what)
        now, _ = run(now, BLACK, action)
        assert getattr(now.spent, what) == used + 1
    assert now.spent == Spent(1, 2, 1, 1, 1, 1)
    for _, _, another in rows:
        if another is not None:
            assert refused(now, another) == "WEC-11"
    after, _ = run(now, BLACK, EndTurn())
    assert (after.turn, after.side, after.spent) == (2, WHITE, Spent())


# -- ending the Turn -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hidden", "may"),
    [
        pytest.param([], False, id="WEC-12 a Move exists"),
        pytest.param(
            [piece("AAA", 9, 5, WHITE, hidden=True)], False, id="WEC-12 it would only collide"
        ),
        pytest.param(
            [piece("RP", 9, r, WHITE) for r in (4, 6)], True, id="WEC-12 both ways are barred"
        ),
        pytest.param(
            [piece("RP", 9, 4, WHITE), piece("RP", 9, 6, WHITE),
             piece("AAA", 8, 6, WHITE, hidden=True)],
            True, id="WEC-12 what it could take is not seen",
        ),
        pytest.param(
            [piece("RP", 9, 4, WHITE), piece("RP", 9, 6, WHITE), piece("RP", 8, 6, WHITE)],
            False, id="WEC-12 what it can take is seen",
        ),
    ],
)  # fmt: skip
def test_wec_12_whether_a_move_exists_is_judged_by_what_is_seen(hidden: Any, may: bool) -> None:
    """Black has one pawn, at (8,5): it goes to (9,4) and (9,6), takes at (9,5), (8,4), (8,6)."""
    now = state([piece("FP", 8, 5), *hidden])
    assert (EndTurn() in list(GAME.actions(GAME.view(now, BLACK), BLACK))) is may
    if may:
        run(now, BLACK, EndTurn())
    else:
        assert refused(now, EndTurn()) == "WEC-12"


@pytest.mark.parametrize("doze_enemies", [True, False])
def test_wec_12_a_doze_is_a_move_too(doze_enemies: bool) -> None:
    """In the corner, behind three enemies it may not take, a Dozer can only push."""
    shut_in = [piece("RP", r, c, WHITE) for r, c in ((1, 2), (2, 1), (2, 2))]
    now = state(
        [piece("DO", 1, 1), piece("RP", 1, 1, stunned=9), *shut_in],
        options={"doze_enemies": doze_enemies},
    )
    offered = {type(action) for action in GAME.actions(now, BLACK)}
    assert offered == ({Doze} if doze_enemies else {EndTurn})
    if doze_enemies:
        assert refused(now, EndTurn()) == "WEC-12"


# -- winning ---------------------------------------------------------------------------------

MINE, THEIRS = "mine", "theirs"
BURNT: list[Any] = [
    # whose primaries the mover's flames reach -> whether the mover wins
    ("the enemy's", [THEIRS], True),
    ("the mover's own", [MINE], False),
    ("both at once", [THEIRS, MINE], False),
    ("both, the own first", [MINE, THEIRS], False),
]


@pytest.mark.parametrize("mover", SIDES)
@pytest.mark.parametrize(
    ("reached", "wins"), [r[1:] for r in BURNT], ids=[f"WEC-14 {r[0]}" for r in BURNT]
)
def test_primaries_burnt_in_one_turn(reached: list[str], wins: bool, mover: int) -> None:
    step = 1 if mover == BLACK else -1
    targets = [
        piece("AV", 5 + step * far, 5, mover if whose == MINE else 1 - mover)
        for far, whose in enumerate(reached, 1)
    ]
    now = state(
        [piece("FP", 5, 5, mover), *targets],
        side=mover,
        spent=Spent(move=1),
        options={"flamer_range": 2},
    )
    now, events = run(now, mover, Blast(public(1), "FL", FORWARD))
    assert len(of(events, Fell)) == len(reached)
    assert GAME.result(now) is None
    assert GAME.to_act(now) == (mover,)  # play goes on until the Turn ends
    after, _ = run(now, mover, EndTurn())
    assert GAME.result(after) == Result((mover if wins else 1 - mover,), "primary")


def test_wec_14_the_own_primary_may_yet_fall_to_a_projectile() -> None:
    """Black burns White's primary, but a rocket on its way enters the cell of Black's own."""
    now = state(
        [piece("FP", 5, 5), piece("AV", 6, 5, WHITE), piece("DI", 2, 2)],
        projectiles=tuple(Projectile(n, "R", WHITE, square_at(3, 2), FORWARD) for n in (1, 2)),
        next_shot=3,
        spent=Spent(move=1),
    )
    now, _ = run(now, BLACK, Blast(public(1), "FL", FORWARD))
    after, _ = run(now, BLACK, EndTurn())
    assert GAME.result(after) == Result((WHITE,), "primary")


@pytest.mark.parametrize(("rockets", "stands"), [(1, True), (2, False)])
def test_wec_14_it_counts_for_who_owned_it_when_it_was_first_lost(
    rockets: int, stands: bool
) -> None:
    """Black converts White's King; rockets then destroy it, Black's by now. White lost it."""
    now = state(
        [piece("CP", 5, 5), piece("K", 6, 5, WHITE), piece("K", 1, 1)],
        projectiles=tuple(
            Projectile(n, "R", WHITE, square_at(7, 5), FORWARD) for n in range(1, rockets + 1)
        ),
        next_shot=rockets + 1,
        spent=Spent(move=1),
    )
    now, events = run(now, BLACK, Blast(public(1), "CS", FORWARD))
    assert [fell.side for fell in of(events, Fell)] == [WHITE]
    after, events = run(now, BLACK, EndTurn())
    assert of(events, Fell) == []
    assert (where(after, 2) is not None) is stands
    assert GAME.result(after) == Result((BLACK,), "primary")


def test_wec_14_a_loss_is_that_turns_alone() -> None:
    now = state([piece("FP", 5, 5), piece("AV", 6, 5, WHITE)], spent=Spent(move=1), turn=3)
    after, _ = run(now, BLACK, Blast(public(1), "FL", FORWARD))
    assert (after.fallen, after.winner) == ((WHITE,), None)
    assert GAME.apply(after, TurnEnded()).fallen == ()


@pytest.mark.parametrize("asker", SIDES)
def test_wec_15_resigning_and_draws_are_no_actions_of_a_turn(asker: int) -> None:
    table = Table(GAME)
    before = table.state
    table.offer_draw(asker)
    table.offer_draw(asker)  # nobody accepts their own offer
    assert (table.state, table.to_act, table.result) == (before, (BLACK,), None)
    table.offer_draw(1 - asker)
    assert (table.result, table.to_act) == (Result((), "agreed"), ())
    other = Table(GAME)
    other.resign(asker)
    assert other.result == Result((1 - asker,), "resigned")


# -- action constraint -----------------------------------------------------------------------


def crowd(**fields: Any) -> State:
    """Black's pieces, among them one for each kind of action, in Turn 5."""
    return state(
        [
            piece("DO", 3, 3),  # 1
            piece("K", 3, 3),  # 2
            piece("SU", 1, 5),  # 3
            piece("XP", 1, 5, gear=["FL"]),  # 4
            piece("JE", 6, 6, level=AIR),  # 5
            piece("Q", 5, 2, gear=["BI"]),  # 6
            piece("XP", 5, 8, gear=["JP"]),  # 7
            piece("STP", 3, 8),  # 8
            piece("STP", 6, 6, WHITE),  # 9
            KINGS[1],  # 10
        ],
        lying(3, 8, "AST"),
        turn=5,
        reserves=(Reserve(BLACK, CALLED, "TA", "left"),),
        secrets=(Secret(armed=(Arming(CALLED, True),)), Secret()),
        **fields,
    )


USES: list[Any] = [
    # action, the pieces it uses up, pieces it does not
    ("a Move", Move(public(6), (cell(6, 2),)), [6], [2, 4]),
    ("a carrier's Move", Move(public(3), (cell(2, 5),), public(4)), [3], [4]),
    ("a doze", Doze(public(1), (), FORWARD), [1], [2]),
    ("a blast", Blast(public(4), "FL", FORWARD), [4], [3]),
    ("a launch", Launch(public(5), "SL", FORWARD), [5], [6]),
    ("a limited rocket", LimitedRocket(public(5), square_at(6, 6)), [5], [6]),
    ("a bike", Bike(public(6), cell(5, 3)), [6], [4]),
    ("a take-off", TakeOff(public(7), "JP", 0), [7], [4]),
    ("a pick-up", PickUp(public(8), "AST"), [8], [4]),
    ("a drop", Drop(public(4), 0), [4], [3]),
    ("an exchange", Exchange(public(6), public(2), 0), [2, 6], [4]),
    ("a reinforcement", Reinforce(CALLED, "TA"), [], [11]),
]


def names(now: State, handle: int) -> bool:
    """Whether an action of that piece is offered."""
    return any(
        getattr(action, field, None) == public(handle)
        for action in GAME.actions(now, now.side)
        for field in ("piece", "dozer", "giver")
    )


@pytest.mark.parametrize(
    ("action", "used", "free"), [r[1:] for r in USES], ids=[f"WEC-16 {r[0]}" for r in USES]
)
def test_one_action_per_piece(action: Action, used: list[int], free: list[int]) -> None:
    now = crowd(options={"action_constraint": "one_per_piece"})
    after, _ = run(now, BLACK, action)
    assert [p.handle for p in after.pieces if p.acted] == sorted(
        used, key=lambda handle: [p.handle for p in after.pieces].index(handle)
    )
    assert not any(names(after, handle) for handle in used)
    unspent = replace(after, spent=Spent(), turn=after.turn)
    assert all(names(unspent, handle) for handle in free)
    for handle in used:
        if where(after, handle) is not None and handle != 2:
            assert refused(unspent, Blast(public(handle), "FL", FORWARD)) == "WEC-16"


def test_wec_16_flying_on_uses_up_nothing() -> None:
    flyer = piece("Q", 5, 5, level=AIR, gear=["JP"], flight=Flight("JP", square_at(5, 6), 1, 3))
    now = state([flyer, *KINGS], turn=5, options={"action_constraint": "one_per_piece"})
    after, _ = run(now, BLACK, Fly(public(1)))
    assert one(after, 1).acted == 0
    run(after, BLACK, Move(public(1), (cell(6, 6),)))


@pytest.mark.parametrize("action", [r[1] for r in USES], ids=[f"WEC-16 {r[0]}" for r in USES])
def test_a_turn_is_the_move_alone(action: Action) -> None:
    now = crowd(options={"action_constraint": "move_only"})
    kinds = {type(offered) for offered in GAME.actions(now, BLACK)}
    assert kinds == {Move, Doze}
    if isinstance(action, Move | Doze):
        after, _ = run(now, BLACK, action)
        assert [type(offered) for offered in GAME.actions(after, BLACK)] == [EndTurn]
    else:
        assert refused(now, action) == "WEC-16"


def test_every_action_has_a_row_here() -> None:
    assert {type(row[1]) for row in USES} == set(RULES) - {Fly, EndTurn}


# -- the end of a Turn -----------------------------------------------------------------------


def rocket(number: int, row: int, column: int) -> Projectile:
    """A rocket that enters (row, column) at the end of the Turn."""
    return Projectile(number, "R", BLACK, square_at(row - 1, column), FORWARD)


@pytest.mark.parametrize(
    ("kind", "armed"),
    [
        pytest.param("RP", True, id="WEC-17 it stands against the rocket"),
        pytest.param("FP", False, id="WEC-17 the rocket comes before the arming"),
    ],
)
def test_squares_are_armed_after_the_projectiles(kind: str, armed: bool) -> None:
    now = state(
        [piece(kind, 8, 4), *KINGS],
        projectiles=(rocket(1, 8, 4),),
        next_shot=2,
        reserves=(Reserve(BLACK, CALLED, "JE"),),
        spent=Spent(move=1),
    )
    after, _ = run(now, BLACK, EndTurn())
    assert after.secrets[BLACK] == Secret(armed=(Arming(CALLED),) if armed else ())


def test_wec_17_hits_are_cleared_after_the_projectiles() -> None:
    """One Anti-rocket: the limited rocket alone does nothing, with the rocket at the end both
    exceed it. A Turn later the rocket would be alone again."""
    now = state(
        [piece("JE", 5, 5, level=AIR), piece("RP", 5, 5, WHITE), *KINGS],
        projectiles=(rocket(1, 5, 5),),
        next_shot=2,
        spent=Spent(move=1),
    )
    hit, _ = run(now, BLACK, LimitedRocket(public(1), square_at(5, 5)))
    assert one(hit, 2).hits == (("RL", 1),)
    after, _ = run(hit, BLACK, EndTurn())
    assert where(after, 2) is None
    late = replace(now, projectiles=(rocket(1, 4, 5),))
    late, _ = run(late, BLACK, LimitedRocket(public(1), square_at(5, 5)))
    late, _ = run(late, BLACK, EndTurn())
    late, _ = run(replace(late, spent=Spent(move=1)), WHITE, EndTurn())
    assert one(late, 2).hits == ()


def test_wec_17_sight_is_settled_after_the_hits() -> None:
    """White's only detector falls to a rocket, so Black's public sub goes out of view."""
    now = state(
        [piece("SU", 6, 6, level=2), piece("DS", 8, 4, WHITE), *KINGS],
        spent=Spent(move=1),
    )
    kept, _ = run(now, BLACK, EndTurn())
    assert where(kept, 1) is not None
    shot = replace(now, projectiles=(rocket(1, 8, 4),), next_shot=2)
    after, _ = run(shot, BLACK, EndTurn())
    assert where(after, 1) is None
    assert [p.handle for p in after.pieces if p.kind == "SU"] == [0]


def test_wec_17_last_the_flyers_of_the_side_now_to_play_in_the_order_of_take_off() -> None:
    def flyer(kind: str, row: int, side: int, number: int) -> Piece:
        flight = Flight("JP", square_at(row, 9), number, 2)
        return piece(kind, row, 5, side, AIR, gear=["JP"], flight=flight)

    table = Table(GAME)
    table.state = state(
        [flyer("FP", 3, WHITE, 9), flyer("RP", 5, WHITE, 8), flyer("CP", 7, BLACK, 7), *KINGS],
        turn=4,
        side=BLACK,
        spent=Spent(move=1),
    )
    table.act(BLACK, Fly(public(3)))
    events = table.act(BLACK, EndTurn())
    told = [
        (
            type(event).__name__,
            event.after.handle if isinstance(event, Changed) and event.after else 0,
        )
        for event in events
    ]
    assert told == [
        ("TurnEnded", 0), ("Sighted", 0), ("Sighted", 0), ("Changed", 2), ("Changed", 1),
    ]  # fmt: skip
    assert [record.forced for record in table.log] == [False, False, True, True]


def test_wec_13_a_passenger_still_has_its_own_actions() -> None:
    """Carried to (2,5), it fires and picks up there, and can be dozed on."""
    now = crowd()
    after, _ = run(now, BLACK, Move(public(3), (cell(2, 5),), public(4)))
    assert where(after, 4) == cell(2, 5)
    after, _ = run(after, BLACK, Blast(public(4), "FL", FORWARD))
    assert after.spent == Spent(move=1, fires=1)


def test_wec_10_counters_count_turns_of_either_side() -> None:
    """A flamer fired in Turn 5 with rate 4 is ready in Turn 9, Black's third Turn from there."""
    now = crowd()
    now, _ = run(now, BLACK, Blast(public(4), "FL", FORWARD))
    shots = []
    for turn in range(5, 11):
        assert (now.turn, now.side) == (turn, BLACK if turn % 2 else WHITE)
        shots.append(bool(_offers(now, public(4))))
        now, _ = run(replace(now, spent=Spent(move=1)), now.side, EndTurn())
    assert shots == [False, False, False, False, True, False]
    assert one(now, 4).gear == (Gear("FL"),)


def _offers(now: State, shooter: Ref) -> list[Action]:
    return [a for a in GAME.actions(now, now.side) if isinstance(a, Blast) and a.piece == shooter]
