"""Weapons, rule by rule (WEC-50 to WEC-58)."""

from __future__ import annotations

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
from cloakboard.engine.wec.state import (
    AIR,
    BLACK,
    GROUND,
    SUB,
    WHITE,
    Arming,
    Flight,
    Gear,
    Lock,
    Piece,
    Projectile,
    Reserve,
    Secret,
    Spent,
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

AT = {"R": GROUND, "S": AIR, "T": SUB}


def shot(number: int, kind: str, row: int, column: int, heading: int = AHEAD) -> Projectile:
    """Black's directed projectile."""
    return Projectile(number, kind, BLACK, square_at(row, column), heading)


# -- strength, hits and counts ---------------------------------------------------------------

STRENGTH: list[Any] = [
    # level, firer, weapon, defence; one weapon against one defence does nothing, two are one more
    (GROUND, "K", "FL", "AFL"),
    (GROUND, "K", "ST", "AST"),
    (GROUND, "K", "CS", "ACS"),
]


@pytest.mark.parametrize(("weapons", "defences"), [(1, 0), (1, 1), (2, 1), (2, 2), (1, 2), (2, 0)])
@pytest.mark.parametrize(("level", "firer", "weapon", "defence"), STRENGTH)
def test_wec_50_strength_against_defences(
    level: int, firer: str, weapon: str, defence: str, weapons: int, defences: int
) -> None:
    shooter = piece("XP", 5, 5, gear=[weapon] * weapons)
    target = piece("XP", 6, 5, WHITE, gear=[defence] * defences)
    after, _ = run(state([shooter, target, *KINGS]), BLACK, Blast(public(1), weapon, AHEAD))
    left = [p for p in after.pieces if p.handle == 2 and p.side == WHITE and not p.stunned]
    assert bool(left) is (weapons <= defences)
    assert after.spent == Spent(fires=1)  # all of them together are one Fire
    assert all(gear.ready for gear in one(after, 1).gear)


@pytest.mark.parametrize(("launcher", "defence"), [("RL", "ARL"), ("SL", "ASL"), ("TL", "ATL")])
@pytest.mark.parametrize(("weapons", "defences"), [(1, 1), (2, 1), (2, 2), (1, 0)])
def test_wec_50_launchers_too(launcher: str, defence: str, weapons: int, defences: int) -> None:
    level = AT[launcher[0]]
    target = piece("XP", 6, 5, WHITE, level, gear=[defence] * defences)
    now = state([piece("XP", 5, 5, gear=[launcher] * weapons), target, *KINGS])
    now, _ = run(now, BLACK, Launch(public(1), launcher, AHEAD))
    assert len(now.projectiles) == weapons
    assert (where(ended(now), 2) is None) is (weapons > defences)


def test_wec_51_hits_of_two_firers_add_up_within_a_turn() -> None:
    """One Anti-flamer: Black's first flamer does nothing, its second exceeds it; had a Turn
    passed between them, the count would begin again."""
    now = state(
        [piece("FP", 5, 5), piece("TA", 7, 5, hand="left"), piece("FP", 6, 5, WHITE), *KINGS]
    )
    first, _ = run(now, BLACK, Blast(public(1), "FL", AHEAD))
    assert one(first, 3).hits == (("FL", 1),)
    both, _ = run(first, BLACK, Blast(public(2), "FL", BACK))
    assert where(both, 3) is None
    later = ended(ended(first))
    assert one(later, 3).hits == ()
    again, _ = run(later, BLACK, Blast(public(2), "FL", BACK))
    assert one(again, 3).hits == (("FL", 1),)


def test_wec_51_counts_are_kept_per_weapon_kind() -> None:
    target = piece("XP", 6, 5, WHITE, gear=["AFL", "AST"])
    now = state([piece("FP", 5, 5), piece("STP", 7, 5), target, *KINGS])
    now, _ = run(now, BLACK, Blast(public(1), "FL", AHEAD))
    now, _ = run(now, BLACK, Blast(public(2), "ST", BACK))
    assert one(now, 3).hits == (("FL", 1), ("ST", 1))


def test_wec_51_judged_with_the_defences_of_that_moment() -> None:
    """Stunned between two flames, it has laid down the Anti-flamer that stood against one."""
    target = piece("XP", 6, 5, WHITE, gear=["AFL"])
    now = state([piece("STP", 5, 5), piece("FP", 7, 5), target, *KINGS])
    now, _ = run(now, BLACK, Blast(public(1), "ST", AHEAD))
    now, _ = run(now, BLACK, Blast(public(2), "FL", BACK))
    assert where(now, 3) is None


def test_wec_52_a_piece_fires_once_a_turn_with_whatever_it_has() -> None:
    now = state([piece("XP", 5, 5, gear=["FL", "RL"]), *KINGS], turn=5)
    after, _ = run(now, BLACK, Blast(public(1), "FL", AHEAD))
    assert refused(after, Launch(public(1), "RL", AHEAD)) == "WEC-52"
    biker = state([piece("XP", 5, 5, gear=["FL", "BI"]), *KINGS], turn=5)
    after, _ = run(biker, BLACK, Bike(public(1), cell(6, 5)))
    assert refused(after, Blast(public(1), "FL", AHEAD)) == "WEC-52"


@pytest.mark.parametrize("weapon", ["FL", "ST", "CS", "RL", "SL", "TL"])
def test_wec_52_an_article_fires_once_a_turn_whoever_has_it(weapon: str) -> None:
    rates = dict.fromkeys(("rate_flamer", "rate_stun", "rate_conversion", "rate_launchers"), 1)
    now = state([piece("K", 5, 5, gear=[weapon]), piece("Q", 5, 6), KINGS[1]], options=rates)
    fire = Blast if weapon in ("FL", "ST", "CS") else Launch
    now, _ = run(now, BLACK, fire(public(1), weapon, AHEAD))
    now, _ = run(now, BLACK, Exchange(public(1), public(2), 0))
    assert refused(now, fire(public(2), weapon, AHEAD)) == "WEC-53"


RATES: list[Any] = [
    ("FL", "FP", 4), ("ST", "STP", 2), ("CS", "CP", 4), ("RL", "RP", 4), ("SL", "AAA", 4),
    ("TL", "DS", 4),
]  # fmt: skip


@pytest.mark.parametrize(("weapon", "kind", "rate"), RATES)
def test_wec_53_ready_again_in_turn_t_plus_r(weapon: str, kind: str, rate: int) -> None:
    """Fired in Turn 10 by the piece itself and by what it carries."""
    fire = Blast if weapon in ("FL", "ST", "CS") else Launch
    now = state([piece(kind, 5, 5, gear=[weapon]), *KINGS], turn=10)
    fired, _ = run(now, BLACK, fire(public(1), weapon, AHEAD))
    shooter = one(fired, 1)
    assert (shooter.own_ready, shooter.gear) == ((10 + rate,), (Gear(weapon, 10 + rate),))
    for turn, ready in ((10 + rate - 1, False), (10 + rate, True)):
        again = state([shooter, *KINGS], turn=turn)
        if ready:
            GAME.legal(again, BLACK, fire(public(1), weapon, AHEAD))
        else:
            assert refused(again, fire(public(1), weapon, AHEAD)) == "WEC-53"


def test_wec_53_the_limited_rocket_and_the_launchers_beside_it() -> None:
    """A Jet's SAM launcher keeps its own count, the rocket launcher it carries fires with it."""
    jet = piece("JE", 5, 5, level=AIR, gear=["RL"])
    now = state([jet, piece("STP", 5, 5, WHITE), *KINGS], turn=10)
    fired, _ = run(now, BLACK, LimitedRocket(public(1), square_at(5, 5)))
    assert (one(fired, 1).own_ready, one(fired, 1).gear) == ((0, 14), (Gear("RL", 14),))


def test_wec_53_a_weapon_still_cooling_goes_on_counting_from_its_own_shot() -> None:
    """Its own flamer fires in Turn 10; the carried one, fired in Turn 9, is ready in 13."""
    now = state([piece("FP", 5, 5, gear=[Gear("FL", 13)]), *KINGS], turn=10)
    fired, _ = run(now, BLACK, Blast(public(1), "FL", AHEAD))
    assert (one(fired, 1).own_ready, one(fired, 1).gear) == ((14,), (Gear("FL", 13),))


HANDED: list[Any] = [
    # how the article that is cooling until Turn 14 changes hands: pieces, lying, action -> it is
    ("by exchange", [piece("FP", 5, 5, gear=[Gear("CS", 14)]), piece("RP", 5, 6)], (),
     Exchange(public(1), public(2), 0)),
    ("by drop", [piece("FP", 5, 5, gear=[Gear("CS", 14)])], (), Drop(public(1), 0)),
    ("by a loss", [piece("FP", 5, 5), piece("STP", 6, 5, WHITE, gear=[Gear("CS", 14)])], (),
     Blast(public(1), "FL", AHEAD)),
    ("by conversion", [piece("CP", 5, 5), piece("STP", 6, 5, WHITE, gear=[Gear("CS", 14)])], (),
     Blast(public(1), "CS", AHEAD)),
    ("by stun", [piece("STP", 5, 5), piece("FP", 6, 5, WHITE, gear=[Gear("CS", 14)])], (),
     Blast(public(1), "ST", AHEAD)),
    ("by pick-up", [piece("RP", 3, 3)], (Gear("CS", 14),), PickUp(public(1), "CS", 14)),
]  # fmt: skip


@pytest.mark.parametrize(
    ("pieces", "lies", "action"), [r[1:] for r in HANDED], ids=[f"WEC-53 {r[0]}" for r in HANDED]
)
def test_a_count_goes_where_the_article_goes(
    pieces: list[Piece], lies: tuple[Gear, ...], action: Action
) -> None:
    there = [replace(lying(3, 3, gear.kind)[0], gear=gear) for gear in lies]
    after, _ = run(state([*pieces, *KINGS], there, turn=12), BLACK, action)
    everywhere = [lie.gear for lie in after.lying] + [g for p in after.pieces for g in p.gear]
    assert everywhere == [Gear("CS", 14)]


FRIENDS: list[Any] = [
    # weapon, action by Black's piece 1 upon Black's piece 2 -> hit
    ("flamer", "FL", [], True), ("stun gun", "ST", [], True), ("conversion", "CS", [], False),
    ("rocket launcher", "RL", [], True), ("limited rocket", "LR", [], True),
]  # fmt: skip


@pytest.mark.parametrize(
    ("weapon", "hit"), [(r[1], r[3]) for r in FRIENDS], ids=[f"WEC-54 {r[0]}" for r in FRIENDS]
)
def test_friends_are_hit_by_all_but_conversion(weapon: str, hit: bool) -> None:
    """The friend shares its cell with nobody; the limited rocket also needs an enemy there."""
    friend = piece("DO", 6, 5)
    if weapon == "LR":
        pair = [piece("JE", 6, 5, level=AIR), friend, piece("RP", 6, 5, WHITE)]
        after, _ = run(state([*pair, *KINGS]), BLACK, LimitedRocket(public(1), square_at(6, 5)))
    elif weapon == "RL":
        now = state([piece("K", 5, 5, gear=["RL"]), friend, KINGS[1]])
        now, _ = run(now, BLACK, Launch(public(1), "RL", AHEAD))
        after = ended(now)
    else:
        now = state([piece("K", 5, 5, gear=[weapon]), friend, KINGS[1]])
        after, _ = run(now, BLACK, Blast(public(1), weapon, AHEAD))
    untouched = [p for p in after.pieces if p.handle == 2 and not p.stunned and not p.hits]
    assert bool(untouched) is not hit


# -- flamer and stun gun ---------------------------------------------------------------------


@pytest.mark.parametrize("heading", range(8))
def test_wec_55_in_each_of_eight_directions(heading: int) -> None:
    """Clockwise from forward; only what stands there is burnt."""
    around = [(6, 5), (6, 6), (5, 6), (4, 6), (4, 5), (4, 4), (5, 4), (6, 4)]
    now = state([piece("FP", 5, 5), *[piece("STP", r, c, WHITE) for r, c in around]])
    after, _ = run(now, BLACK, Blast(public(1), "FL", heading))
    gone = [at for number, at in enumerate(around, 2) if where(after, number) is None]
    assert gone == [around[heading]]


@pytest.mark.parametrize(("firer", "level"), [("K", GROUND), ("JE", AIR), ("SU", SUB)])
def test_wec_55_at_the_firers_level(firer: str, level: int) -> None:
    there = [piece("XP", 6, 5, WHITE, at) for at in (GROUND, AIR, SUB)]
    now = state([piece(firer, 5, 5, level=level, gear=["FL"]), *there, KINGS[1]])
    after, _ = run(now, BLACK, Blast(public(1), "FL", AHEAD))
    assert [p.level for p in after.pieces if p.kind == "XP"] == [
        at for at in (GROUND, AIR, SUB) if at != level
    ]


@pytest.mark.parametrize("hidden", [False, True])
def test_wec_55_all_squares_in_range_are_hit_whatever_stands_before(hidden: bool) -> None:
    first = piece("AAA", 6, 5, WHITE, hidden=True) if hidden else piece("FP", 6, 5, WHITE)
    now = state([piece("FP", 5, 5), first, piece("STP", 7, 5, WHITE, handle=8)],
                options={"flamer_range": 2})  # fmt: skip
    after, _ = run(now, BLACK, Blast(public(1), "FL", AHEAD))
    assert where(after, 8) is None


@pytest.mark.parametrize(
    ("option", "primary"), [("king_may_fly", "K"), ("king_may_fly", "DI"), ("king_may_fly", "PR")]
)
def test_wec_55a_a_primary_kept_down_takes_no_jump_pack(option: str, primary: str) -> None:
    pack = [piece(primary, 5, 5, gear=["JP"]), KINGS[1]]
    GAME.legal(state(pack), BLACK, TakeOff(public(1), "JP", 0))
    kept = state(pack, options={option: False})
    assert refused(kept, TakeOff(public(1), "JP", 0)) == "WEC-55a"
    scuba = [piece(primary, 5, 5, gear=["SC"]), KINGS[1]]
    GAME.legal(state(scuba, options={option: False}), BLACK, TakeOff(public(1), "SC", 0))
    kept = state(scuba, options={"king_may_submerge": False})
    assert refused(kept, TakeOff(public(1), "SC", 0)) == "WEC-55a"


def test_wec_56_a_stunned_piece_does_nothing_until_its_count_is_over() -> None:
    """Stunned in Turn 10 with 3 Turns: it cannot act in 10, 11, 12, 13; in Turn 14 it can."""
    now = state([piece("STP", 6, 5), piece("K", 7, 5, WHITE), piece("Q", 9, 9, WHITE)], turn=9,
                side=BLACK)  # fmt: skip
    now = replace(now, turn=10, side=BLACK)
    now, _ = run(now, BLACK, Blast(public(1), "ST", AHEAD))
    assert one(now, 2).stunned - now.turn == 4  # Turns to come, the running one included
    acts = {}
    for turn in range(10, 16):
        if now.side == WHITE:
            acts[turn] = any(isinstance(a, Move) and a.piece == public(2) for a in
                             GAME.actions(now, WHITE))  # fmt: skip
        now = ended(now)
    assert acts == {11: False, 13: False, 15: True}


def test_wec_56_it_can_be_carried_dozed_and_taken() -> None:
    dull = piece("RP", 5, 5, stunned=99)
    now = state([piece("SU", 5, 5), dull, *KINGS])
    after, _ = run(now, BLACK, Move(public(1), (cell(5, 6),), public(2)))
    assert where(after, 2) == cell(5, 6)
    now = state([piece("DO", 5, 5), dull, *KINGS])
    after, _ = run(now, BLACK, Doze(public(1), (), AHEAD))
    assert where(after, 2) == cell(6, 5)
    now = state([piece("FP", 4, 5, WHITE), piece("TA", 6, 5, WHITE, hand="left"), dull, *KINGS],
                side=WHITE)  # fmt: skip
    after, _ = run(now, WHITE, Move(public(2), (cell(5, 5),)))
    assert where(after, 3) is None


@pytest.mark.parametrize(
    ("old", "turns", "new"),
    [
        pytest.param(12, 3, 14, id="WEC-56 a longer count replaces it"),
        pytest.param(14, 3, 14, id="WEC-56 the same"),
        pytest.param(15, 3, 15, id="WEC-56 a shorter one does not"),
        pytest.param(12, 1, 12, id="WEC-56 one Turn"),
    ],
)
def test_a_new_stun(old: int, turns: int, new: int) -> None:
    target = piece("K", 6, 5, WHITE, stunned=old)
    now = state([piece("STP", 5, 5), target], turn=10, options={"stun_turns": turns})
    after, _ = run(now, BLACK, Blast(public(1), "ST", AHEAD))
    assert one(after, 2).stunned == new


def test_wec_56_wec_91_a_holder_and_its_target_stunned_together_lose_their_lock() -> None:
    """An opposed pair: Black's holder and White's target are stunned by one shot."""
    holder = piece("DO", 6, 5, gear=[Gear("ASH", lock=3)])
    target = piece("RP", 6, 5, WHITE, gear=["SH"], locked=3)
    for pair in ([holder, target], [target, holder]):
        now = state([piece("K", 5, 5, gear=["ST"]), *pair, KINGS[1]], locks=(Lock(3, BLACK),))
        after, _ = run(now, BLACK, Blast(public(1), "ST", AHEAD))
        assert after.locks == ()
        assert [p.locked for p in after.pieces] == [0] * 4
        assert [p.stunned for p in after.pieces if p.square == square_at(6, 5)] == [5, 5]


# -- conversion ------------------------------------------------------------------------------


@pytest.mark.parametrize("unseen_too", [False, True])
def test_wec_57_all_enemies_of_the_adjacent_square_and_no_others(unseen_too: bool) -> None:
    pair = [
        piece("DO", 6, 5, WHITE, gear=["RL"]),
        piece("AAA", 6, 5, WHITE, gear=["TL"], hidden=unseen_too),
    ]
    others = [piece("RP", 7, 5, WHITE), piece("SU", 6, 5, WHITE, SUB), piece("RP", 6, 6, WHITE)]
    now = state([piece("CP", 5, 5), *pair, *others, *KINGS])
    after, _ = run(now, BLACK, Blast(public(1), "CS", AHEAD))
    turned = [p for p in after.pieces if p.cell == cell(6, 5)]
    assert [(p.kind, p.side, [g.kind for g in p.gear]) for p in turned] == [
        ("AAA", BLACK, ["TL"]), ("DO", BLACK, ["RL"]),
    ]  # fmt: skip
    assert sum(p.side == WHITE for p in after.pieces) == len(others) + 1


def test_wec_58_a_converted_piece_may_act_at_once_and_its_mate_too() -> None:
    now = state([piece("CP", 5, 5), piece("DO", 6, 5, WHITE), piece("CP", 6, 5, WHITE), *KINGS])
    now, _ = run(now, BLACK, Blast(public(1), "CS", AHEAD))
    assert [(p.kind, p.side) for p in now.pieces if p.cell == cell(6, 5)] == [
        ("DO", BLACK), ("CP", WHITE),
    ]  # fmt: skip
    now, _ = run(now, BLACK, Move(public(2), (cell(7, 5),)))
    assert (where(now, 2), where(now, 3)) == (cell(7, 5), cell(6, 5))


def test_wec_58_it_converts_back() -> None:
    pair = [piece("DO", 6, 5), piece("CP", 6, 5, WHITE)]
    now = state([*pair, piece("CL", 7, 5, WHITE, hand="left"), *KINGS], side=WHITE)
    after, _ = run(now, WHITE, Blast(public(3), "CS", AHEAD))
    assert [p.side for p in after.pieces if p.cell == cell(6, 5)] == [WHITE, WHITE]
    GAME.legal(replace(after, side=BLACK), BLACK, Move(public(4), (cell(1, 2),)))


PAIR = [piece("DO", 6, 5), piece("RP", 6, 5, WHITE)]  # 1 and 2
HIGH = [piece("CH", 6, 5, level=AIR, hand="left"), piece("JE", 6, 5, WHITE, AIR)]
OVER = (cell(4, 4, AIR), cell(5, 4, AIR), cell(6, 5, AIR), cell(6, 5))
CROWDED: list[Any] = [
    # who wants in besides the pair, the action, the rule that refuses it
    ("a Move", PAIR, [piece("DS", 5, 5)], Move(public(3), (cell(6, 5),)), "WEC-04"),
    ("taking", PAIR, [piece("TA", 5, 5, hand="left")], Move(public(3), (cell(6, 5),)), "WEC-04"),
    ("a chopper from above", PAIR, [piece("CH", 4, 4, hand="right")], Move(public(3), OVER),
     "WEC-04"),
    ("a loaded carrier", PAIR, [piece("SU", 5, 5), piece("DS", 5, 5)],
     Move(public(3), (cell(6, 5),), public(4)), "WEC-04"),
    ("a bike", PAIR, [piece("DS", 5, 5, gear=["BI"])], Bike(public(3), cell(6, 5)), "WEC-70"),
    ("a doze", PAIR, [piece("DO", 5, 5), piece("DS", 5, 5)], Doze(public(3), (), AHEAD), "WEC-48"),
    ("a take-off", HIGH, [piece("DS", 6, 5, gear=["JP"])], TakeOff(public(3), "JP", 0), "WEC-72"),
    ("a reinforcement", PAIR, [], Reinforce(square_at(6, 5), "DO"), "WEC-80"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("pair", "third", "action", "rule"),
    [r[1:] for r in CROWDED],
    ids=[f"WEC-58 {r[0]}" for r in CROWDED],
)
def test_nothing_else_enters_a_shared_cell(
    pair: list[Piece], third: list[Piece], action: Action, rule: str
) -> None:
    square = square_at(6, 5)
    now = state(
        [*pair, *third, *KINGS],
        reserves=(Reserve(BLACK, square, "DO"),),
        secrets=(Secret(armed=(Arming(square, True),)), Secret()),
    )
    assert refused(now, action) == rule
    free = state([*third, *KINGS], reserves=now.reserves, secrets=now.secrets)
    if third:
        action = _renamed(action)
    GAME.legal(free, BLACK, action)  # it is the pair that bars it


def _renamed(action: Action) -> Action:
    """The action of the third piece when the pair, which has the numbers 1 and 2, is away."""
    fields: dict[str, Ref] = {
        name: public(ref.handle - 2)
        for name in ("piece", "dozer", "passenger")
        if isinstance(ref := getattr(action, name, None), Ref)
    }
    return replace(action, **fields)


@pytest.mark.parametrize("kind", ["DS", "RP"])
def test_wec_58_a_flyer_waits_and_a_falling_one_is_destroyed(kind: str) -> None:
    flight = Flight("JP", square_at(6, 5), 1, 3)
    flyer = piece(kind, 5, 5, level=AIR, gear=["JP"], flight=flight)
    after, _ = run(state([*PAIR, flyer, *KINGS], turn=5), BLACK, Fly(public(3)))
    assert where(after, 3) == cell(6, 5, AIR)
    over = replace(flyer, cell=cell(6, 5, AIR))
    gun = piece("JE", 7, 5, WHITE, AIR, gear=["ST"])
    after, _ = run(state([*PAIR, over, gun, *KINGS], turn=6, side=WHITE), WHITE,
                   Blast(public(4), "ST", AHEAD))  # fmt: skip
    assert (where(after, 3), where(after, 1), where(after, 2)) == (None, *[cell(6, 5)] * 2)


def test_wec_58_projectiles_enter_and_hit_both() -> None:
    pair = [piece("DO", 6, 5), piece("STP", 6, 5, WHITE)]
    now = state([*pair, *KINGS], projectiles=(shot(1, "R", 5, 5),), next_shot=2)
    after = ended(now)
    assert (where(after, 1), where(after, 2)) == (None, None)


def test_wec_58_the_pair_lasts_until_one_leaves() -> None:
    now = state([*PAIR, piece("DS", 5, 5), *KINGS])
    now = ended(ended(now))
    assert one(now, 1).handle
    assert one(now, 2).handle
    now, _ = run(now, BLACK, Move(public(1), (cell(6, 6),)))
    alone = replace(now, spent=Spent())
    assert refused(alone, Move(public(3), (cell(6, 5),))) == "WEC-41"  # an enemy, no pair
    GAME.legal(alone, BLACK, Move(public(3), (cell(5, 6),)))
