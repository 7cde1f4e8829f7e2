"""The position and the actions in words."""

from typing import Any, get_args

import pytest

from cloakboard.engine.wec import GAME, names, text
from cloakboard.engine.wec import actions as acts
from cloakboard.engine.wec.pieces import ARTICLES, KINDS, WEAPONS
from cloakboard.engine.wec.rules.acting import ALLOWED
from cloakboard.engine.wec.state import (
    AIR,
    BLACK,
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
    State,
    square_at,
)
from tests.engine.wec.build import cell, lying, piece, public, state, unseen

TANK = piece("TA", 2, 3, hand="right", handle=1)
CHOPPER = piece("CH", 4, 5, hand="left", level=AIR, handle=2)
STUNNER = piece("STP", 2, 2, handle=3, own_ready=(12,), gear=[Gear("BI"), Gear("FL", 13)])
GHOST = piece("AAA", 7, 7, hidden=True)
FLYER = piece("Q", 3, 3, level=AIR, handle=4, flight=Flight("JP", square_at(9, 9), 1, 9))
KING = piece("K", 1, 5, handle=5, stunned=14)
FOE = piece("JE", 4, 6, WHITE, AIR, handle=6)
SUBMARINE = piece("SU", 10, 1, WHITE, SUB, hidden=True)


def position(*pieces: Piece, **fields: Any) -> State:
    return state(pieces or (TANK,), turn=11, **fields)


@pytest.mark.parametrize(
    ("table", "keys"),
    [
        (names.PIECES, set(KINDS)),
        (names.ARTICLES, {*ARTICLES, *(one for own in WEAPONS.values() for one in own)}),
        (text.ALLOWANCE, set(ALLOWED)),
        (text.SENTENCES, set(get_args(acts.AnyAction))),
    ],
)
def test_every_kind_has_its_word(table: Any, keys: set[Any]) -> None:
    assert set(table) == keys


def test_a_grid_shows_codes_by_side_with_row_one_at_the_bottom() -> None:
    now = position(TANK, piece("DO", 1, 1, handle=7), piece("SU", 1, 1, handle=8), FOE)
    ground, air = GAME.text(now).split("\n\n")[1:3]
    assert ground.splitlines() == [
        "Ground",
        "       1     2     3     4     5     6     7     8     9    10",
        *(f"{row:>2}" + "     ." * 10 for row in range(10, 2, -1)),
        " 2     .     .    TA     .     .     .     .     .     .     .",
        " 1 DO+SU     .     .     .     .     .     .     .     .     .",
    ]
    assert air.splitlines()[8] == " 4  .  .  .  .  . je  .  .  .  ."


def test_levels_that_hold_nothing_are_left_out() -> None:
    shown = GAME.text(position(TANK))
    assert "\nGround\n" in shown
    assert "Air" not in shown
    assert "Sub" not in shown


def test_articles_are_marked_where_nobody_stands_and_listed_with_their_counts() -> None:
    litter = (*lying(2, 3, "XXX"), *lying(2, 4, "SH", "XXX"))
    shown = GAME.text(position(TANK, lying=litter))
    assert " 2  .  . TA  *  .  .  .  .  .  .\n" in shown
    assert "Articles lying:\n  (2,3) XXX box\n  (2,4) stealth, XXX box\n" in shown


@pytest.mark.parametrize(
    ("one", "line"),
    [
        (TANK, "Tank (2,3), right-handed"),
        (CHOPPER, "Chopper (4,5) Air, left-handed"),
        # Turn 11: own gun from Turn 12 on, the flamer from Turn 13 on (WEC-53).
        (
            STUNNER,
            "Stun Gun Pawn (2,2): carries bike, flamer (cools for 2 Turns); its own stun gun (cools"
            " for 1 Turn)",
        ),
        (GHOST, "AAA (7,7): unseen"),
        (FLYER, "Queen (3,3) Air: flies by jump pack towards (9,9)"),
        (KING, "King (1,5): stunned for 3 Turns"),
    ],
)
def test_a_piece_is_listed_with_all_that_is_known_of_it(one: Piece, line: str) -> None:
    assert f"Black's pieces:\n  {line}\n" in GAME.text(position(one))


def test_what_a_seat_may_not_know_is_not_there() -> None:
    full = position(TANK, GHOST, SUBMARINE)
    assert "AAA" in GAME.text(full)
    assert "AAA" in GAME.text(GAME.view(full, BLACK))
    assert "AAA" not in GAME.text(GAME.view(full, WHITE))
    assert GAME.text(GAME.view(full, WHITE)).count("su") == 1
    assert "Sub" not in GAME.text(GAME.public(full))


def test_a_private_sighting_is_shown_to_its_seat_and_once() -> None:
    secrets = (Secret(sighted=(SUBMARINE,)), Secret())
    full = position(TANK, SUBMARINE, secrets=secrets)
    line = "White's pieces:\n  Submarine (10,1) Sub: unseen\n"
    assert line in GAME.text(GAME.view(full, BLACK))
    assert GAME.text(full).count("Submarine (10,1) Sub") == 1
    assert "Submarine (10,1)" not in GAME.text(GAME.public(full))


@pytest.mark.parametrize(
    ("shot", "line"),
    [
        (
            Projectile(1, "R", BLACK, square_at(5, 5), 7),
            "Black's rocket at (5,5) flying forward-left",
        ),
        (
            Projectile(1, "S", WHITE, square_at(5, 5), -1, True, BLACK, cell(4, 5, AIR)),
            "White's SAM at (5,5) homing on (4,5) Air",
        ),
    ],
)
def test_a_projectile_is_listed(shot: Projectile, line: str) -> None:
    assert f"Projectiles:\n  {line}\n" in GAME.text(position(projectiles=(shot,)))


@pytest.mark.parametrize(
    ("holder", "line"),
    [
        (
            piece("SHP", 2, 5, handle=7, own_lock=1),
            "Black's Stealth Pawn (2,5) has locked on to White's AAA (9,9)",
        ),
        (TANK, "Black's unseen holder has locked on to White's AAA (9,9)"),
    ],
)
def test_a_lock_names_its_holder_if_it_is_known(holder: Piece, line: str) -> None:
    locked = piece("AAA", 9, 9, WHITE, handle=8, locked=1)
    shown = GAME.text(position(holder, locked, locks=(Lock(1, BLACK),)))
    assert f"Locks:\n  {line}\n" in shown


def test_activation_squares_say_what_their_owner_knows() -> None:
    squares = [square_at(8, column) for column in (1, 2, 3)]
    now = position(
        reserves=tuple(Reserve(BLACK, square, "JE") for square in squares),
        secrets=(Secret(armed=(Arming(squares[0]), Arming(squares[1], True))), Secret()),
    )
    assert "  Black at (8,1) (armed), (8,2) (armed and left), (8,3)\n" in GAME.text(now)
    assert "  Black at (8,1), (8,2), (8,3)\n" in GAME.text(GAME.view(now, WHITE))


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        (
            {},
            "Turn 11, Black to play. Left: 1 Move, 2 Fires, 1 Pick-up, 1 Drop, 1 Exchange,"
            " 1 Reinforce.",
        ),
        (
            {"spent": Spent(move=1, fires=1, drop=1), "side": WHITE},
            "Turn 11, White to play. Left: 1 Fire, 1 Pick-up, 1 Exchange, 1 Reinforce.",
        ),
        (
            {"options": {"action_constraint": "move_only"}},
            "Turn 11, Black to play. Left: 1 Move.",
        ),
        (
            {"options": {"action_constraint": "move_only"}, "spent": Spent(move=1)},
            "Turn 11, Black to play. Left: nothing but to end the Turn.",
        ),
        ({"winner": WHITE}, "Turn 11. White has won."),
    ],
)
def test_the_first_line_says_whose_turn_it_is_and_what_is_left(
    fields: dict[str, Any], line: str
) -> None:
    assert GAME.text(position(**fields)).splitlines()[0] == line


@pytest.mark.parametrize(
    ("action", "sentence"),
    [
        (acts.Move(public(1), (cell(3, 3), cell(4, 3))), "Tank (2,3) moves to (4,3)"),
        (
            acts.Move(public(2), (cell(5, 5, AIR), cell(6, 6, AIR), cell(6, 6)), public(4)),
            "Chopper (4,5) Air moves to (6,6) over (5,5) with Queen (3,3) Air",
        ),
        (acts.Doze(public(1), (), 2), "Tank (2,3) dozes right"),
        (
            acts.Doze(public(1), (cell(2, 4), cell(3, 4)), 4),
            "Tank (2,3) dozes backward with (2,4) and (3,4)",
        ),
        (acts.Blast(public(3), "ST", 7), "Stun Gun Pawn (2,2) fires its stun gun forward-left"),
        (acts.Launch(public(1), "SL", 0), "Tank (2,3) fires its SAM launcher forward"),
        (
            acts.Launch(public(1), "SL", -1, 6, cell(4, 6, AIR), "JE"),
            "Tank (2,3) fires its SAM launcher at Jet (4,6) Air",
        ),
        (
            acts.LimitedRocket(public(1), cell(4, 6)),
            "Tank (2,3) fires its limited rocket at (4,6)",
        ),
        (acts.Bike(public(3), cell(3, 2)), "Stun Gun Pawn (2,2) rides its bike to (3,2)"),
        (
            acts.TakeOff(public(1), "JP", cell(9, 9)),
            "Tank (2,3) takes off with its jump pack towards (9,9)",
        ),
        (
            acts.TakeOff(public(1), "SC", cell(9, 9)),
            "Tank (2,3) dives with its scuba towards (9,9)",
        ),
        (acts.Fly(public(4)), "Queen (3,3) Air flies on towards (9,9)"),
        (acts.PickUp(public(1), "XXX"), "Tank (2,3) picks up the XXX box"),
        (acts.PickUp(public(1), "ST", 14), "Tank (2,3) picks up the stun gun (cools for 3 Turns)"),
        (acts.Drop(public(3), 1), "Stun Gun Pawn (2,2) drops its flamer"),
        (
            acts.Exchange(public(3), public(1), 0),
            "Stun Gun Pawn (2,2) hands its bike to Tank (2,3)",
        ),
        (
            acts.Exchange(public(3), public(5), 0, 0),
            "Stun Gun Pawn (2,2) swaps its bike for the stealth of King (1,5)",
        ),
        (acts.Reinforce(square_at(8, 1), "JE"), "Black calls the Jet at (8,1)"),
        (acts.EndTurn(), "Black ends the Turn"),
        (acts.Drop(unseen(7, 7), 0), "An unseen piece drops its article"),
    ],
)
def test_an_action_is_one_sentence(action: acts.Action, sentence: str) -> None:
    armed_king = piece("K", 1, 5, handle=5, gear=["SH"])
    now = position(TANK, CHOPPER, STUNNER, FLYER, armed_king, FOE)
    assert GAME.say(now, action) == sentence


def test_seats_are_called_by_their_colours() -> None:
    assert GAME.seat_names() == ("Black", "White")
