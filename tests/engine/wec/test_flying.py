"""Jump packs and scubas, case by case (WEC-71 to WEC-73)."""

from __future__ import annotations

from typing import Any

import pytest

from cloakboard.engine.errors import IllegalAction
from cloakboard.engine.probes import Form
from cloakboard.engine.table import Table
from cloakboard.engine.wec import GAME
from cloakboard.engine.wec.actions import Drop, EndTurn, Exchange, Fly, Move, TakeOff
from cloakboard.engine.wec.board import find
from cloakboard.engine.wec.events import Changed, SpentOne
from cloakboard.engine.wec.rules.flying import flight_number, take_offs
from cloakboard.engine.wec.state import (
    AIR,
    BLACK,
    GROUND,
    SUB,
    WHITE,
    Flight,
    Gear,
    Piece,
    Secret,
    Spent,
    State,
    square_at,
)
from tests.engine.wec.build import cell, of, piece, public, run, state, unseen, where
from tests.engine.wec.checked import play

AWAY = piece("K", 10, 10, WHITE)
TURN = 5


def flyer(
    row: int,
    column: int,
    target: tuple[int, int],
    kind: str = "Q",
    pack: str = "JP",
    number: int = 1,
    **fields: Any,
) -> Piece:
    """A piece in flight that has not advanced in Turn 5."""
    return piece(
        kind,
        row,
        column,
        level=AIR if pack == "JP" else SUB,
        gear=fields.pop("gear", [pack]),
        flight=Flight(pack, square_at(*target), number, 3),
        **fields,
    )


def flying(*pieces: Piece, **fields: Any) -> State:
    return state([*pieces, AWAY], turn=TURN, **fields)


def advance(now: State, handle: int = 1) -> Piece:
    """The flyer after its advance."""
    fly = Fly(public(handle))
    assert GAME.forced(now, BLACK) == fly
    assert list(GAME.actions(now, BLACK)) == [fly]
    after, _ = run(now, BLACK, fly)
    landed = find(after, BLACK, public(handle))
    assert landed is not None
    return landed


def refused(now: State, action: Any) -> str:
    with pytest.raises(IllegalAction) as caught:
        GAME.legal(now, now.side, action)
    assert action not in list(GAME.actions(now, now.side))
    return caught.value.rule


# -- taking off ------------------------------------------------------------------------------


@pytest.mark.parametrize(("pack", "level"), [("JP", AIR), ("SC", SUB)])
def test_wec_71_takes_off_in_its_own_square_in_place_of_a_fire(pack: str, level: int) -> None:
    now = state([piece("K", 5, 5, gear=[pack], unmoved=True), AWAY], turn=TURN)
    targets = [action.target for action in take_offs(now, BLACK)]
    assert targets == [square for square in range(100) if square != square_at(5, 5)]
    after, events = run(now, BLACK, TakeOff(public(1), pack, square_at(7, 7)))
    lifted = find(after, BLACK, public(1))
    assert lifted is not None
    assert lifted.cell == cell(5, 5, level)
    assert lifted.flight == Flight(pack, square_at(7, 7), 6 * TURN + 2, TURN)
    assert lifted.gear == (Gear(pack, ready=TURN + 1),)
    assert (lifted.fired, lifted.unmoved) == (TURN, False)
    assert after.spent == Spent(fires=1)
    assert of(events, Changed)[0].cause == "takes_off"


@pytest.mark.parametrize(
    ("pieces", "options", "target", "rule"),
    [
        pytest.param([piece("K", 5, 5)], {}, (7, 7), "WEC-71", id="no pack"),
        pytest.param([piece("K", 5, 5, gear=["JP"])], {}, (5, 5), "WEC-71", id="its own square"),
        pytest.param(
            [piece("K", 5, 5, gear=["JP"], fired=TURN)], {}, (7, 7), "WEC-71",
            id="WEC-52 has fired",
        ),
        pytest.param(
            [piece("K", 5, 5, gear=[Gear("JP", ready=TURN + 1)])], {}, (7, 7), "WEC-71",
            id="WEC-52 the pack was used",
        ),
        pytest.param(
            [piece("K", 5, 5, gear=["JP"], stunned=9)], {}, (7, 7), "WEC-56", id="WEC-56 stunned"
        ),
        pytest.param(
            [piece("K", 5, 5, gear=["JP"]), piece("JE", 5, 5, level=AIR)], {}, (7, 7), "WEC-72",
            id="WEC-72 own pieces bar the way",
        ),
        pytest.param(
            [
                piece("DS", 5, 5, gear=["JP"]),
                piece("JE", 5, 5, level=AIR),
                piece("JE", 5, 5, WHITE, AIR),
            ],
            {}, (7, 7), "WEC-72", id="WEC-72 an opposed pair bars it",
        ),
        pytest.param(
            [piece("K", 5, 5, gear=["JP"])], {"king_may_fly": False}, (7, 7), "WEC-55a",
            id="WEC-55a a primary stays down",
        ),
        pytest.param(
            [piece("Q", 5, 5, level=AIR, gear=["SC"]), piece("CH", 5, 5, level=AIR, hand="left")],
            {}, (7, 7), "WEC-73", id="WEC-73 carried, from Ground only",
        ),
        pytest.param(
            [piece("JE", 5, 5, level=AIR, gear=["SC"])], {"transport_from": "any"}, (7, 7),
            "WEC-73", id="WEC-73 not carried",
        ),
    ],
)  # fmt: skip
def test_take_offs_refused(
    pieces: list[Piece], options: dict[str, Any], target: tuple[int, int], rule: str
) -> None:
    now = state(pieces, turn=TURN, options=options)
    pack = pieces[0].gear[0].kind if pieces[0].gear else "JP"
    assert refused(now, TakeOff(public(1), pack, square_at(*target))) == rule


@pytest.mark.parametrize("pack", ["JP", "SC"])
def test_wec_73_with_the_option_a_carried_piece_takes_off_where_it_is(pack: str) -> None:
    """The pack brings it to its own level at once."""
    now = state(
        [piece("Q", 5, 5, level=AIR, gear=[pack]), piece("CH", 5, 5, level=AIR, hand="left"), AWAY],
        options={"transport_from": "any"},
    )
    after, _ = run(now, BLACK, TakeOff(public(1), pack, square_at(7, 7)))
    assert where(after, 1) == cell(5, 5, AIR if pack == "JP" else SUB)


def test_wec_04_takes_off_beside_a_piece_with_coexistence() -> None:
    now = state([piece("K", 5, 5, gear=["JP"]), piece("CH", 5, 5, level=AIR, hand="left"), AWAY])
    after, _ = run(now, BLACK, TakeOff(public(1), "JP", square_at(7, 7)))
    assert where(after, 1) == cell(5, 5, AIR)


@pytest.mark.parametrize("hidden", [False, True])
def test_wec_72_takes_an_enemy_it_meets_when_it_takes_off(hidden: bool) -> None:
    now = state(
        [
            piece("DS", 5, 5, gear=["JP"]),
            piece("JE", 5, 5, WHITE, AIR, hidden=hidden, gear=["SH"] if hidden else []),
            AWAY,
        ]
    )
    after, _ = run(now, BLACK, TakeOff(public(1), "JP", square_at(7, 7)))
    assert [p.kind for p in after.pieces if p.side == WHITE] == ["K"]


def test_wec_71_the_target_of_an_unseen_piece_is_secret() -> None:
    now = state([piece("K", 5, 5, hidden=True, gear=["SH", "JP"]), AWAY])
    action = TakeOff(unseen(5, 5), "JP", square_at(7, 7))
    assert GAME.split(now, BLACK, action) == (None, action)
    played = play(now, action)
    assert GAME.public(played.after) == GAME.public(now)
    assert [probe.form for probe in played.probes] == [Form.OCCUPIED]
    assert of(played.events, SpentOne)[0].only == (BLACK,)


@pytest.mark.parametrize(
    ("order", "numbers"),
    [("PP", [32, 35]), ("PV", [32, 33]), ("VP", [30, 32]), ("VV", [30, 31])],
)
def test_wec_17_flights_are_numbered_in_the_order_of_take_off(
    order: str, numbers: list[int]
) -> None:
    """Public and veiled take-offs of Turn 5, whatever the others know of the veiled ones."""
    found = []
    for place in range(2):
        spent = Spent(fires=order[:place].count("P"))
        secret = Secret(spent=Spent(fires=order[:place].count("V")))
        now = state([AWAY], turn=TURN, spent=spent, secrets=(secret, Secret()))
        veiled = order[place] == "V"
        found.append(flight_number(now, BLACK, veiled))
        if not veiled:
            assert flight_number(GAME.public(now), BLACK, veiled) == found[-1]
    assert found == numbers
    assert found == sorted(found)


# -- flying on -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("at", "target", "end"),
    [
        pytest.param((5, 5), (8, 6), (6, 6, AIR), id="along both axes while both differ"),
        pytest.param((5, 5), (5, 8), (5, 6, AIR), id="then along one"),
        pytest.param((5, 5), (2, 2), (4, 4, AIR), id="backwards"),
        pytest.param((5, 5), (6, 5), (6, 5, GROUND), id="arriving and coming down are one"),
        pytest.param((5, 5), (5, 5), (5, 5, GROUND), id="over the target it comes down"),
    ],
)
def test_wec_71_one_king_step_a_turn(
    at: tuple[int, int], target: tuple[int, int], end: tuple[int, int, int]
) -> None:
    moved = advance(flying(flyer(*at, target)))
    assert moved.cell == cell(*end)
    expected = None if end[2] == GROUND else Flight("JP", square_at(*target), 1, TURN)
    assert moved.flight == expected


def test_wec_71_a_scuba_goes_below_and_surfaces() -> None:
    assert advance(flying(flyer(5, 5, (7, 5), pack="SC"))).cell == cell(6, 5, SUB)
    assert advance(flying(flyer(6, 5, (7, 5), pack="SC"))).cell == cell(7, 5)


def test_wec_71_in_flight_it_makes_no_move_or_fire_but_may_once_it_has_landed() -> None:
    high = flying(flyer(5, 5, (8, 8), kind="CH", hand="left"))
    after, _ = run(high, BLACK, Fly(public(1)))
    assert refused(after, Move(public(1), (cell(7, 4),))) == "WEC-71"
    low = flying(flyer(5, 5, (6, 5)))
    after, _ = run(low, BLACK, Fly(public(1)))
    assert [action for action in GAME.actions(after, BLACK) if isinstance(action, Move)]


def test_wec_17_flyers_advance_in_the_order_of_take_off_before_anything_else() -> None:
    now = flying(
        flyer(5, 5, (8, 8), number=20),
        flyer(2, 2, (8, 8), kind="FP", number=10),
        piece("K", 1, 1),
    )
    assert GAME.forced(now, BLACK) == Fly(public(2))
    assert refused(now, Fly(public(1))) == "WEC-17"
    assert refused(now, Move(public(3), (cell(1, 2),))) == "WEC-71"
    after, _ = run(now, BLACK, Fly(public(2)))
    assert GAME.forced(after, BLACK) == Fly(public(1))
    after, _ = run(after, BLACK, Fly(public(1)))
    assert GAME.forced(after, BLACK) is None
    assert refused(after, Fly(public(1))) == "WEC-71"


def test_wec_71_nobody_flies_in_the_enemys_turn() -> None:
    now = flying(flyer(5, 5, (8, 8)), side=WHITE)
    assert GAME.forced(now, BLACK) is None
    assert GAME.forced(now, WHITE) is None


def test_wec_71_the_table_lets_it_fly_until_it_lands() -> None:
    table = Table(GAME)
    pack = state([piece("K", 5, 5, gear=["JP"]), piece("FP", 1, 1), AWAY, piece("FP", 9, 9, WHITE)])
    table.state = pack
    table.act(BLACK, TakeOff(public(1), "JP", square_at(7, 5)))
    cells = []
    for _ in range(5):
        seat = table.to_act[0]
        cells.append(where(table.state, 1))
        table.act(seat, next(a for a in table.actions(seat) if isinstance(a, Move)))
        table.act(seat, EndTurn())
    assert cells[:4] == [
        cell(5, 5, AIR), cell(5, 5, AIR), cell(6, 5, AIR), cell(6, 5, AIR),
    ]  # fmt: skip
    assert cells[4] == cell(7, 5)


# -- what it meets ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("others", "at", "end"),
    [
        pytest.param([piece("JE", 6, 6, level=AIR)], (8, 8), (5, 5, AIR), id="own piece: waits"),
        pytest.param(
            [piece("CH", 6, 6, level=AIR, hand="left")], (8, 8), (6, 6, AIR), id="WEC-04 shares"
        ),
        pytest.param([piece("K", 6, 6)], (6, 6), (6, 6, AIR), id="only the landing is barred"),
        pytest.param(
            [piece("K", 6, 6), piece("JE", 6, 6, level=AIR)], (6, 6), (5, 5, AIR),
            id="both are barred",
        ),
        pytest.param([piece("AAA", 6, 6)], (6, 6), (6, 6, GROUND), id="WEC-04 lands beside"),
        pytest.param(
            [piece("JE", 6, 6, level=AIR), piece("CH", 6, 6, WHITE, AIR, hand="left")],
            (8, 8), (5, 5, AIR), id="an opposed pair bars it",
        ),
    ],
)  # fmt: skip
@pytest.mark.parametrize("hidden", [False, True])
def test_wec_72_against_its_own_side_it_stops_short(
    others: list[Piece], at: tuple[int, int], end: tuple[int, int, int], hidden: bool
) -> None:
    """Own pieces bar a public flyer also when the enemy does not see them; then the owner says
    so, and all machines go on alike."""
    if hidden and len({one.side for one in others}) == 1:
        others = [piece(p.kind, 1, 1, cell=p.cell, hand=p.hand, hidden=True) for p in others]
    moved = advance(flying(flyer(5, 5, at), *others))
    assert moved.cell == cell(*end)
    assert (moved.flight is None) is (end[2] == GROUND)
    if moved.flight is not None:
        assert moved.flight.flown == TURN


def test_wec_58_an_opposed_pair_bars_also_a_flyer_that_coexists() -> None:
    pair = [piece("JE", 6, 6, level=AIR), piece("JE", 6, 6, WHITE, AIR)]
    assert advance(flying(flyer(5, 5, (8, 8), kind="DS"), *pair)).cell == cell(5, 5, AIR)


def enemy(row: int, column: int, level: int, hidden: bool) -> Piece:
    return piece("JE", row, column, WHITE, level, hidden=hidden, gear=["SH"] if hidden else [])


@pytest.mark.parametrize("hidden", [False, True])
@pytest.mark.parametrize(
    ("level", "target", "end"),
    [
        pytest.param(AIR, (8, 8), (6, 6, AIR), id="on its way"),
        pytest.param(AIR, (6, 6), (6, 6, AIR), id="over the target: it stops there"),
        pytest.param(GROUND, (6, 6), (6, 6, GROUND), id="where it lands"),
    ],
)
def test_wec_72_takes_an_enemy_it_meets(
    level: int, target: tuple[int, int], end: tuple[int, int, int], hidden: bool
) -> None:
    now = flying(flyer(5, 5, target, kind="DS"), enemy(6, 6, level, hidden))
    after, _ = run(now, BLACK, Fly(public(1)))
    assert where(after, 1) == cell(*end)
    assert [p.kind for p in after.pieces if p.side == WHITE] == ["K"]


@pytest.mark.parametrize("own", [False, True])
def test_wec_72_an_unseen_flyer_is_veiled(own: bool) -> None:
    """Its owner knows what bars it and asks only for the enemy."""
    hidden = flyer(5, 5, (8, 8), hidden=True, gear=["JP", "SH"])
    others = [piece("JE", 6, 6, level=AIR)] if own else [enemy(6, 6, AIR, True)]
    now = flying(hidden, *others)
    fly = Fly(unseen(5, 5, AIR))
    assert GAME.forced(now, BLACK) == fly
    assert GAME.split(now, BLACK, fly) == (None, fly)
    played = play(now, fly)
    forms = [probe.form for probe in played.probes]
    assert forms == ([] if own else [Form.OCCUPIED, Form.SHOW])
    assert all(event.only == (BLACK,) for event in of(played.events, Changed, cause="flies"))
    assert find(played.after, BLACK, unseen(5, 5, AIR) if own else unseen(6, 6, AIR)) is not None


def test_wec_90_a_public_flyers_target_is_public() -> None:
    now = flying(flyer(5, 5, (8, 8)))
    assert GAME.forced(GAME.public(now), BLACK) == Fly(public(1))
    GAME.legal(GAME.public(now), BLACK, Fly(public(1)))


# -- the pack in flight ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("gear", "rule"),
    [(["JP"], "WEC-71"), (["JP", "JP"], None), (["JP", "FL"], "WEC-71")],
)
def test_wec_71_the_last_pack_is_kept(gear: list[str], rule: str | None) -> None:
    flight = Flight("JP", square_at(8, 8), 1, TURN)
    now = flying(
        piece("XP", 5, 5, level=AIR, gear=gear, flight=flight),
        piece("CH", 5, 6, level=AIR, hand="left"),
    )
    for action in (Drop(public(1), 0), Exchange(public(1), public(2), 0)):
        if rule:
            assert refused(now, action) == rule
        else:
            GAME.legal(now, BLACK, action)
    if gear[-1] == "FL":
        GAME.legal(now, BLACK, Drop(public(1), 1))
        GAME.legal(now, BLACK, Exchange(public(1), public(2), 1))
