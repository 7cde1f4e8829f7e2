"""Articles and reinforcements, case by case (WEC-06, WEC-23, WEC-30 to WEC-35, WEC-80)."""

from __future__ import annotations

from typing import Any

import pytest

from cloakboard.engine.errors import IllegalAction
from cloakboard.engine.wec import GAME
from cloakboard.engine.wec.actions import Drop, Exchange, PickUp, Reinforce
from cloakboard.engine.wec.board import find
from cloakboard.engine.wec.detection import hidden_by
from cloakboard.engine.wec.events import Article, Came, Changed, LockEnded, LockMade, Thwarted
from cloakboard.engine.wec.options import agreed
from cloakboard.engine.wec.rules.handling import drops, exchanges, pick_ups, reinforces
from cloakboard.engine.wec.state import (
    AIR,
    BLACK,
    SUB,
    WHITE,
    Arming,
    Flight,
    Gear,
    Lock,
    Lying,
    Piece,
    Reserve,
    Secret,
    Spent,
    State,
    square_at,
)
from tests.engine.wec.build import cell, lying, of, piece, public, run, state, unseen
from tests.engine.wec.checked import play

AWAY = piece("K", 10, 10, WHITE)


def refused(now: State, action: Any) -> str:
    with pytest.raises(IllegalAction) as caught:
        GAME.legal(now, now.side, action)
    assert action not in list(GAME.actions(now, now.side))
    return caught.value.rule


def gear_of(now: State, handle: int) -> list[str]:
    holder = next(one for one in now.pieces if one.handle == handle)
    return [gear.kind for gear in holder.gear]


# -- room ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "gear", "article", "fits"),
    [
        pytest.param("K", [], "FL", True, id="WEC-23 one article"),
        pytest.param("K", ["FL"], "FL", False, id="WEC-23 not two"),
        pytest.param("XP", ["FL"], "FL", True, id="WEC-23 XXX Pawn two"),
        pytest.param("XP", ["FL", "ST"], "FL", False, id="WEC-23 XXX Pawn not three"),
        pytest.param("K", ["XXX"], "FL", True, id="WEC-23 XXX and one"),
        pytest.param("K", ["XXX", "FL"], "FL", True, id="WEC-23 XXX and two"),
        pytest.param("K", ["XXX", "FL", "ST"], "FL", False, id="WEC-23 the XXX counts"),
        pytest.param("K", ["XXX", "XXX", "ST"], "FL", False, id="WEC-23 two XXX do not stack"),
        pytest.param("XP", ["XXX", "FL"], "FL", True, id="WEC-23 XXX Pawn with XXX three"),
        pytest.param("XP", ["XXX", "FL", "ST"], "FL", False, id="WEC-23 nor with its own box"),
        pytest.param("K", ["FL"], "XXX", False, id="WEC-30 full hands take no XXX"),
        pytest.param("K", [], "XXX", True, id="WEC-30 empty hands do"),
    ],
)
def test_wec_23_room_for_a_pick_up(kind: str, gear: list[str], article: str, fits: bool) -> None:
    now = state([piece(kind, 5, 5, gear=gear), AWAY], lying(5, 5, article))
    action = PickUp(public(1), article)
    assert (action in list(pick_ups(now, BLACK))) is fits
    if not fits:
        assert refused(now, action) == "WEC-23"
        return
    after, _ = run(now, BLACK, action)
    assert gear_of(after, 1) == [*gear, article]
    assert after.lying == ()


# -- pick-up ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "article", "rule"),
    [
        pytest.param(piece("K", 5, 6), "FL", "WEC-30", id="WEC-30 another square"),
        pytest.param(piece("JE", 5, 5, level=AIR), "FL", "WEC-30", id="WEC-30 not at Ground"),
        pytest.param(piece("SU", 5, 5, level=SUB), "FL", "WEC-30", id="WEC-30 nor from Sub"),
        pytest.param(piece("K", 5, 5), "ST", "WEC-30", id="WEC-30 no such article"),
        pytest.param(piece("K", 5, 5, stunned=9), "FL", "WEC-56", id="WEC-56 stunned"),
    ],
)
def test_wec_30_refusals(one: Piece, article: str, rule: str) -> None:
    now = state([one], lying(5, 5, "FL"))
    assert refused(now, PickUp(public(1), article)) == rule


def test_wec_30_one_of_two_alike_is_told_by_its_count() -> None:
    articles = [Lying(square_at(5, 5), Gear("FL", ready)) for ready in (0, 7)]
    now = state([piece("K", 5, 5), AWAY], articles)
    assert list(pick_ups(now, BLACK)) == [PickUp(public(1), "FL"), PickUp(public(1), "FL", 7)]
    after, events = run(now, BLACK, PickUp(public(1), "FL", 7))
    holder = find(after, BLACK, public(1))
    assert holder is not None
    assert holder.gear == (Gear("FL", 7),)
    assert after.lying == (articles[0],)
    assert of(events, Article) == [Article(square=square_at(5, 5), gear=Gear("FL", 7), came=False)]


def test_wec_11_one_pick_up_a_turn() -> None:
    now = state([piece("K", 5, 5), AWAY], lying(5, 5, "XXX", "FL"))
    after, _ = run(now, BLACK, PickUp(public(1), "XXX"))
    assert refused(after, PickUp(public(1), "FL")) == "WEC-11"
    assert after.spent == Spent(pickup=1)


@pytest.mark.parametrize("kind", ["K", "DI", "AV", "PR"])
def test_wec_33_a_primary_takes_no_stealth(kind: str) -> None:
    pieces, articles = [piece(kind, 5, 5), AWAY], lying(5, 5, "SH", "FL")
    now = state(pieces, articles)
    assert refused(now, PickUp(public(1), "SH")) == "WEC-33"
    GAME.legal(now, BLACK, PickUp(public(1), "FL"))
    allowed = state(pieces, articles, options={"king_may_stealth": True})
    GAME.legal(allowed, BLACK, PickUp(public(1), "SH"))


def test_wec_33_a_secondary_does() -> None:
    GAME.legal(state([piece("Q", 5, 5)], lying(5, 5, "SH")), BLACK, PickUp(public(1), "SH"))


def test_wec_35_an_unseen_pick_up_shows_only_the_article_leaving() -> None:
    now = state([piece("AAA", 5, 5, hidden=True), AWAY], lying(5, 5, "FL"))
    action = PickUp(unseen(5, 5), "FL")
    assert GAME.split(now, BLACK, action) == (None, action)
    played = play(now, action)
    shown = [event for event in played.events if not event.only]
    assert shown == [Article(square=square_at(5, 5), gear=Gear("FL"), came=False)]
    assert GAME.public(played.after) == GAME.public(state([AWAY]))


def test_wec_91_picking_up_an_anti_stealth_locks_on() -> None:
    hidden = piece("FP", 8, 8, WHITE, hidden=True, gear=["SH"])
    now = state([piece("K", 5, 5), hidden, AWAY], lying(5, 5, "ASH"))
    after, events = run(now, BLACK, PickUp(public(1), "ASH"), draws=[0])
    (made,) = of(events, LockMade)
    assert (made.side, made.holder) == (BLACK, 1)
    holder = find(after, BLACK, public(1))
    assert holder is not None
    assert holder.gear == (Gear("ASH", 0, made.number),)


# -- drop ------------------------------------------------------------------------------------


def test_wec_31_drops_to_the_ground_of_its_square_from_any_level() -> None:
    for level in (0, AIR, SUB):
        now = state([piece("SU", 5, 5, level=level, gear=[Gear("FL", 8)]), AWAY])
        after, _ = run(now, BLACK, Drop(public(1), 0))
        assert after.lying == (Lying(square_at(5, 5), Gear("FL", 8)),)
        assert gear_of(after, 1) == []


@pytest.mark.parametrize(
    ("kind", "gear", "there", "place", "rule"),
    [
        pytest.param("K", ["FL"], ["ST"], 0, None, id="WEC-06 beside one"),
        pytest.param("K", ["FL"], ["ST", "CS"], 0, "WEC-31", id="WEC-06 not beside two"),
        pytest.param("K", ["XXX", "FL"], [], 0, None, id="WEC-23 the XXX with one left"),
        pytest.param("K", ["XXX", "FL", "ST"], [], 0, "WEC-23", id="WEC-31 two left are too many"),
        pytest.param("XP", ["XXX", "FL", "ST"], [], 0, None, id="WEC-23 but not for its own box"),
        pytest.param("K", ["XXX", "FL", "ST"], [], 1, None, id="WEC-31 another one"),
        pytest.param("K", ["FL"], [], 1, "WEC-31", id="WEC-31 no such article"),
    ],
)
def test_wec_31_drops(
    kind: str, gear: list[str], there: list[str], place: int, rule: str | None
) -> None:
    now = state([piece(kind, 5, 5, gear=gear), AWAY], lying(5, 5, *there))
    if rule:
        assert refused(now, Drop(public(1), place)) == rule
        return
    assert Drop(public(1), place) in list(drops(now, BLACK))
    after, _ = run(now, BLACK, Drop(public(1), place))
    assert gear_of(after, 1) == gear[:place] + gear[place + 1 :]
    assert sorted(one.gear.kind for one in after.lying) == sorted([*there, gear[place]])
    assert refused(after, Drop(public(1), 0)) == "WEC-11"


def test_wec_31_an_unseen_drop_shows_only_the_article() -> None:
    now = state([piece("AAA", 5, 5, hidden=True, gear=["FL"]), AWAY])
    played = play(now, Drop(unseen(5, 5), 0))
    shown = [event for event in played.events if not event.only]
    assert shown == [Article(square=square_at(5, 5), gear=Gear("FL"), came=True)]


def test_wec_91_a_dropped_anti_stealth_ends_its_lock() -> None:
    now = state(
        [
            piece("K", 5, 5, gear=[Gear("ASH", 0, 4)]),
            piece("FP", 8, 8, WHITE, gear=["SH"], locked=4),
            AWAY,
        ],
        locks=(Lock(4, BLACK),),
    )
    after, events = run(now, BLACK, Drop(public(1), 0))
    assert [event.number for event in of(events, LockEnded)] == [4]
    assert after.locks == ()
    assert after.lying == lying(5, 5, "ASH")
    target = find(after, WHITE, public(2))
    assert target is not None
    assert target.locked == 0


@pytest.mark.parametrize(
    ("kind", "gear", "hidden"),
    [("AAA", ["SH"], True), ("XP", ["SH", "SH"], True), ("XP", ["SH", "FL"], False)],
)
def test_wec_34_stealth_does_not_stack(kind: str, gear: list[str], hidden: bool) -> None:
    """Whoever lays down one Stealth is hidden as well by the one that is left."""
    now = state([piece(kind, 5, 5, hidden=True, gear=gear), AWAY])
    after, _ = run(now, BLACK, Drop(unseen(5, 5), 0))
    left = find(after, BLACK, unseen(5, 5))
    assert left is not None
    assert hidden_by(agreed(after.options), left) == ("stealth" if hidden else "")


# -- exchange --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("giver", "receiver", "allowed"),
    [
        pytest.param(("FP", 5, 5, 0), ("DS", 5, 5, 0), True, id="the same square"),
        pytest.param(("FP", 5, 5, 0), ("RP", 6, 6, 0), True, id="a diagonal neighbour"),
        pytest.param(("FP", 5, 5, 0), ("RP", 5, 7, 0), False, id="two squares away"),
        pytest.param(("FP", 5, 5, 0), ("SU", 5, 5, SUB), False, id="another level"),
        pytest.param(("JE", 5, 5, AIR), ("CH", 5, 6, AIR), True, id="both in the Air"),
        pytest.param(("FP", 1, 1, 0), ("Q", 9, 9, 0), True, id="to a secondary piece"),
        pytest.param(("AC", 1, 1, 0), ("SU", 9, 9, SUB), True, id="from one, at any level"),
        pytest.param(("FP", 1, 1, 0), ("K", 9, 9, 0), False, id="a primary is none"),
    ],
)
def test_wec_32_reach(
    giver: tuple[str, int, int, int], receiver: tuple[str, int, int, int], allowed: bool
) -> None:
    def placed(what: tuple[str, int, int, int], gear: list[str]) -> Piece:
        kind, row, column, level = what
        return piece(kind, row, column, level=level, gear=gear, hand="left")

    now = state([placed(giver, ["FL"]), placed(receiver, []), AWAY])
    action = Exchange(public(1), public(2), 0)
    assert (action in list(exchanges(now, BLACK))) is allowed
    if not allowed:
        assert refused(now, action) == "WEC-32"
        return
    after, events = run(now, BLACK, action)
    assert (gear_of(after, 1), gear_of(after, 2)) == ([], ["FL"])
    assert [event.cause for event in of(events, Changed)] == ["gives", "receives"]
    assert after.spent == Spent(exchange=1)


def pair(gives: list[str], has: list[str], kinds: tuple[str, str] = ("FP", "RP")) -> State:
    return state([piece(kinds[0], 5, 5, gear=gives), piece(kinds[1], 5, 6, gear=has), AWAY])


@pytest.mark.parametrize(
    ("gives", "has", "give", "take", "result"),
    [
        pytest.param(["FL"], ["ST"], 0, 0, (["ST"], ["FL"]), id="WEC-32 swap"),
        pytest.param(["FL"], ["ST"], 0, -1, "WEC-23", id="WEC-32 no room"),
        pytest.param(["XXX"], ["ST"], 0, -1, ([], ["ST", "XXX"]), id="WEC-32 room after it"),
        pytest.param(
            ["XXX", "FL", "AST"], [], 0, -1, "WEC-23", id="WEC-32 the giver keeps too much"
        ),
        pytest.param(
            ["XXX", "FL", "AST"], ["ST"], 1, 0, (["XXX", "AST", "ST"], ["FL"]),
            id="WEC-23 what comes is the newest",
        ),
        pytest.param(
            ["XXX", "FL"], ["XXX", "ST", "CS"], 1, 0, "WEC-23", id="WEC-32 both are checked"
        ),
        pytest.param(["FL"], ["ST"], 0, 1, "WEC-32", id="WEC-32 no such article there"),
        pytest.param(["FL"], ["ST"], 1, -1, "WEC-32", id="WEC-32 no such article here"),
    ],
)  # fmt: skip
def test_wec_32_room_holds_afterwards(
    gives: list[str], has: list[str], give: int, take: int, result: Any
) -> None:
    now = pair(gives, has)
    action = Exchange(public(1), public(2), give, take)
    if isinstance(result, str):
        assert refused(now, action) == result
        return
    after, _ = run(now, BLACK, action)
    assert (gear_of(after, 1), gear_of(after, 2)) == result


def test_wec_32_a_swap_is_listed_once_and_legal_named_from_either_side() -> None:
    now = pair(["FL"], ["ST"])
    assert list(exchanges(now, BLACK)) == [Exchange(public(1), public(2), 0, 0)]
    GAME.legal(now, BLACK, Exchange(public(2), public(1), 0, 0))


@pytest.mark.parametrize(("gives", "has", "take"), [(["SH"], [], -1), (["SH"], ["FL"], 0)])
def test_wec_33_no_exchange_gives_a_primary_stealth(
    gives: list[str], has: list[str], take: int
) -> None:
    now = pair(gives, has, ("FP", "K"))
    assert refused(now, Exchange(public(1), public(2), 0, take)) == "WEC-33"
    back = pair(["FL"], ["SH"], ("K", "FP"))
    assert refused(back, Exchange(public(1), public(2), 0, 0)) == "WEC-33"


def test_wec_33_what_a_primary_has_it_may_hand_on() -> None:
    now = pair(["SH"], [], ("K", "FP"))
    GAME.legal(now, BLACK, Exchange(public(1), public(2), 0))


def test_wec_32_neither_may_be_stunned_and_they_are_friends() -> None:
    now = state(
        [
            piece("FP", 5, 5, gear=["FL"]),
            piece("RP", 5, 6, stunned=9),
            piece("FP", 5, 4, WHITE),
        ]
    )
    assert refused(now, Exchange(public(1), public(2), 0)) == "WEC-56"
    assert refused(now, Exchange(public(1), public(3), 0)) == "WEC-11"
    assert refused(now, Exchange(public(1), public(1), 0)) == "WEC-32"


def test_wec_16_an_exchange_uses_up_both_pieces() -> None:
    now = state(
        [piece("FP", 5, 5, gear=["FL"]), piece("RP", 5, 6), AWAY],
        turn=3,
        options={"action_constraint": "one_per_piece"},
    )
    after, _ = run(now, BLACK, Exchange(public(1), public(2), 0))
    assert [one.acted for one in after.pieces if one.side == BLACK] == [3, 3]
    assert refused(after, Drop(public(2), 0)) == "WEC-16"


def test_wec_91_an_exchange_hands_the_lock_on() -> None:
    now = state(
        [
            piece("FP", 5, 5, gear=[Gear("ASH", 0, 4)]),
            piece("RP", 5, 6),
            piece("FP", 8, 8, WHITE, gear=["SH"], locked=4),
            AWAY,
        ],
        locks=(Lock(4, BLACK),),
    )
    after, _ = run(now, BLACK, Exchange(public(1), public(2), 0))
    holder = find(after, BLACK, public(2))
    assert holder is not None
    assert holder.gear == (Gear("ASH", 0, 4),)
    assert after.locks == (Lock(4, BLACK),)


def test_wec_53_the_count_goes_with_the_article() -> None:
    now = state([piece("FP", 5, 5, gear=[Gear("FL", 9)]), piece("RP", 5, 6), AWAY])
    after, _ = run(now, BLACK, Exchange(public(1), public(2), 0))
    holder = find(after, BLACK, public(2))
    assert holder is not None
    assert holder.gear == (Gear("FL", 9),)


def test_wec_97_an_exchange_with_an_unseen_piece_shows_the_public_partner_alone() -> None:
    now = state([piece("AAA", 5, 5, hidden=True, gear=["FL"]), piece("RP", 5, 6), AWAY])
    action = Exchange(unseen(5, 5), public(1), 0)
    assert GAME.split(now, BLACK, action) == (None, action)
    played = play(now, action)
    shown = [event for event in played.events if not event.only]
    assert [(event.cause, event.after.handle) for event in shown] == [  # type: ignore[attr-defined]
        ("receives", 1)
    ]
    assert played.after.spent == Spent()


def test_wec_71_in_flight_other_articles_change_hands() -> None:
    flight = Flight("JP", 0, 1, 1)
    now = state(
        [piece("XP", 5, 5, level=AIR, gear=["JP", "FL"], flight=flight), piece("Q", 1, 1), AWAY]
    )
    GAME.legal(now, BLACK, Exchange(public(1), public(2), 1))


# -- reinforcements --------------------------------------------------------------------------

CALLED = square_at(8, 4)


def waiting(
    *pieces: Piece,
    kinds: tuple[str, ...] = ("JE",),
    armed: tuple[Arming, ...] = (Arming(CALLED, left=True),),
    **fields: Any,
) -> State:
    return state(
        [piece("K", 1, 1), *pieces, AWAY],
        reserves=tuple(Reserve(BLACK, CALLED, kind, fields.pop("hand", "")) for kind in kinds),
        secrets=(Secret(armed=armed), Secret()),
        **fields,
    )


def test_wec_80_it_appears_at_ground_without_articles_and_is_seen() -> None:
    now = waiting(kinds=("TA",), hand="right")
    assert list(reinforces(now, BLACK)) == [Reinforce(CALLED, "TA")]
    after, events = run(now, BLACK, Reinforce(CALLED, "TA"))
    (came,) = of(events, Changed, cause="reinforces")
    assert came.after == Piece(
        side=BLACK, kind="TA", cell=CALLED, hand="right", handle=3, own_ready=(0,)
    )
    assert after.reserves == ()
    assert of(events, Came) == [Came(side=BLACK, square=CALLED, kind="TA")]
    assert after.spent == Spent(reinforce=1)


@pytest.mark.parametrize(
    ("now", "rule"),
    [
        pytest.param(waiting(armed=()), "WEC-80", id="not armed"),
        pytest.param(waiting(armed=(Arming(CALLED),)), "WEC-80", id="nobody left it"),
        pytest.param(waiting(piece("FP", 8, 4)), "WEC-80", id="an own piece at Ground"),
        pytest.param(waiting(piece("FP", 8, 4, WHITE)), "WEC-80", id="an enemy at Ground"),
        pytest.param(waiting(kinds=("SU",)), "WEC-80", id="another kind waits"),
        pytest.param(waiting(spent=Spent(reinforce=1)), "WEC-11", id="one a Turn"),
    ],
)
def test_wec_80_refusals(now: State, rule: str) -> None:
    assert refused(now, Reinforce(CALLED, "JE")) == rule


def test_wec_80_only_the_ground_matters() -> None:
    now = waiting(piece("JE", 8, 4, level=AIR), piece("SU", 8, 4, level=SUB))
    GAME.legal(now, BLACK, Reinforce(CALLED, "JE"))


def test_wec_81_of_two_the_player_chooses_and_the_second_waits() -> None:
    now = waiting(kinds=("JE", "SU"))
    assert list(reinforces(now, BLACK)) == [Reinforce(CALLED, "JE"), Reinforce(CALLED, "SU")]
    after, _ = run(now, BLACK, Reinforce(CALLED, "SU"))
    assert after.reserves == (Reserve(BLACK, CALLED, "JE"),)
    secret = after.secrets[BLACK]
    assert secret is not None
    assert secret.armed == (Arming(CALLED),)


def test_wec_80_an_unseen_enemy_keeps_it_out() -> None:
    now = waiting(piece("FP", 8, 4, WHITE, hidden=True, gear=["SH"]))
    after, events = run(now, BLACK, Reinforce(CALLED, "JE"))
    assert after.reserves == now.reserves
    assert after.spent == Spent(reinforce=1)
    assert [event.after.kind for event in of(events, Changed, cause="shown")] == ["FP"]
    assert of(events, Thwarted) == [Thwarted(side=BLACK, what="reinforce", square=CALLED)]


def test_wec_80_whether_it_is_armed_is_secret() -> None:
    GAME.legal(GAME.public(waiting(armed=())), BLACK, Reinforce(CALLED, "JE"))
    assert cell(8, 4) == CALLED
