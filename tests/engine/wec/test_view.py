"""What a seat may know, what blind lookups hold, and what an unseen action can show."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from cloakboard.engine.codec import Codec
from cloakboard.engine.errors import IllegalAction
from cloakboard.engine.events import Event
from cloakboard.engine.probes import Form
from cloakboard.engine.wec import GAME
from cloakboard.engine.wec.actions import Blast
from cloakboard.engine.wec.events import (
    Article,
    Came,
    Changed,
    Fell,
    Flew,
    Lapsed,
    LockEnded,
    LockMade,
    Sighted,
    SpentOne,
    Thwarted,
    TurnEnded,
    Won,
)
from cloakboard.engine.wec.probes import InLine, Path, Sight
from cloakboard.engine.wec.state import (
    AIR,
    BLACK,
    SUB,
    WHITE,
    Flight,
    Gear,
    Lock,
    Piece,
    Projectile,
    Secret,
    Spent,
    State,
    square_at,
)
from tests.engine.wec.build import cell, lying, piece, public, state
from tests.engine.wec.checked import play

# -- views ----------------------------------------------------------------------------------


def test_wec_97_a_view_holds_own_pieces_and_public_ones() -> None:
    secrets = (Secret(spent=Spent(move=1)), Secret(spent=Spent(drop=1)))
    seen = [piece("RP", 2, 2), piece("RP", 9, 9, WHITE)]
    own, theirs = piece("AAA", 2, 3, hidden=True), piece("AAA", 9, 8, WHITE, hidden=True)
    full = state([*seen, own, theirs], secrets=secrets)
    assert GAME.view(full, BLACK).pieces == tuple(p for p in full.pieces if p != theirs)
    assert GAME.view(full, WHITE).pieces == tuple(p for p in full.pieces if p != own)
    assert GAME.view(full, BLACK).secrets == (secrets[BLACK], None)
    assert GAME.view(full, WHITE).secrets == (None, secrets[WHITE])
    assert GAME.public(full).secrets == (None, None)
    assert [one.kind for one in GAME.public(full).pieces] == ["RP", "RP"]
    assert GAME.public(GAME.view(full, BLACK)) == GAME.public(full)


def test_result_and_turn() -> None:
    assert GAME.result(state()) is None
    assert GAME.turn(state(turn=1)) == 0
    ended = GAME.result(state(winner=WHITE))
    assert ended is not None
    assert ended.winners == (WHITE,)


# -- lookups --------------------------------------------------------------------------------


def sizes(**options: Any) -> dict[str, tuple[int, int]]:
    found = GAME.lookups(options)
    return {name: (one.points, one.rows) for name, one in found.items()}


def test_sizes_of_the_lookups() -> None:
    assert sizes() == {"path": (10, 26), "limit": (1, 10), "sight": (100, 12)}
    assert sizes(stun_range=4)["limit"] == (1, 5)
    assert sizes(stealth_range_detection=True)["sight"] == (400, 38)
    assert sizes(stealth_range_detection=True, sub_invisible=False)["sight"] == (300, 26)
    assert "sight" not in sizes(sub_invisible=False)


def test_the_longest_description_fits_its_label() -> None:
    many = 2**32 - 1
    longest = Piece(
        side=WHITE,
        kind="AAA",
        cell=299,
        hand="right",
        gear=(Gear("XXX", many, many),) * 3,
        own_ready=(many, many),
        own_lock=many,
        locked=many,
        unmoved=True,
        stunned=many,
        fired=many,
        acted=many,
        shown_till=many,
        flight=Flight("JP", 99, many, many),
    )
    label = (longest, longest)
    size = GAME.lookups({})["sight"].label_bytes
    assert len(Codec(GAME).label.encode(label)) <= size


LINE = tuple(cell(row, 5) for row in range(6, 11))
LIMITS: list[Any] = [
    # rows of: the asker's own unseen piece, a public one, the owner's unseen -> key, rows held
    (None, None, None, 5, {}),
    (8, None, None, 3, {}),
    (None, 7, None, 2, {}),
    (8, 7, 9, 2, {4: 4, 5: 4}),
    (None, None, 6, 5, {1: 1, 2: 1, 3: 1, 4: 1, 5: 1}),
]


@pytest.mark.parametrize(("own", "seen", "theirs", "key", "held"), LIMITS)
def test_wec_56_the_limit_lookup(own: Any, seen: Any, theirs: Any, key: int, held: Any) -> None:
    pieces = []
    if own:
        pieces.append(piece("AAA", own, 5, BLACK, hidden=True))
    if seen:
        pieces.append(piece("RP", seen, 5, WHITE))
    if theirs:
        pieces.append(piece("AAA", theirs, 5, WHITE, hidden=True))
    full = state(pieces)
    probe = InLine(owner=WHITE, asker=BLACK, cells=LINE)
    assert GAME.query(GAME.view(full, BLACK), probe) == (key,)
    assert GAME.holds(GAME.view(full, WHITE), probe) == held


def test_the_path_lookup_says_no_more_than_that_a_cell_is_held() -> None:
    full = state([piece("AAA", 6, 5, WHITE, hidden=True), piece("RP", 7, 5, WHITE)])
    probe = Path(owner=WHITE, asker=BLACK, cells=(cell(8, 5), cell(6, 5)))
    assert GAME.query(GAME.view(full, BLACK), probe) == (cell(6, 5), cell(8, 5))
    assert GAME.holds(GAME.view(full, WHITE), probe) == {cell(6, 5): None}


def test_wec_93_the_sight_lookup() -> None:
    diver = piece("SU", 6, 5, WHITE, SUB, hidden=True, chased=(3,))
    full = state([diver, piece("AAA", 6, 5, WHITE, hidden=True), piece("DS", 1, 1)])
    probe = Sight(owner=WHITE, asker=BLACK)
    keys = GAME.query(GAME.view(full, BLACK), probe)
    assert keys == tuple(
        sorted(cell(row, column, SUB) for row in range(1, 5) for column in range(1, 5))
    )
    # Only what this kind of detection can show, without what follows it.
    assert GAME.holds(GAME.view(full, WHITE), probe) == {diver.cell: (replace(diver, chased=()),)}


def test_every_probe_answers_from_its_owners_view() -> None:
    pieces = [
        piece("STP", 5, 5),
        piece("AAA", 7, 5, hidden=True),
        piece("AAA", 8, 5, WHITE, hidden=True),
    ]
    before = state(pieces)
    for probe in play(before, Blast(public(1), "ST", 0)).probes:
        if probe.form in (Form.TELL, Form.SHOW, Form.OWN):
            full = GAME.answer(before, probe)
            assert GAME.answer(GAME.view(before, probe.owner), probe) == full


# -- admits ---------------------------------------------------------------------------------

RP = piece("RP", 6, 5, WHITE, handle=2)
DO = piece("DO", 4, 5, handle=3)
JE = piece("JE", 6, 6, WHITE, AIR, handle=4)
CARRIED = piece("STP", 4, 6, gear=["FL"], handle=5)
HUNT = Projectile(1, "S", BLACK, 33, -1, True, WHITE, JE.cell)
HIDDEN = piece("AAA", 3, 3, WHITE, hidden=True)
OWN = piece("FP", 2, 2, gear=["SH"], hidden=True)


def world(**fields: Any) -> State:
    """A public state with Black to act."""
    shown: State = GAME.public(
        state(
            [piece("K", 1, 1), RP, DO, JE, CARRIED],
            lying(5, 5, "FL", "ST"),
            turn=9,
            projectiles=(HUNT,),
            next_shot=2,
            locks=(Lock(1, BLACK),),
            next_lock=2,
            **fields,
        )
    )
    return shown


def change(cause: str, before: Piece, **fields: Any) -> Changed:
    return Changed(cause=cause, before=before, after=replace(before, **fields))


SHOT = Projectile(2, "S", BLACK, 33, 0)
ADMITTED: list[tuple[str, Event]] = [
    ("its own unseen piece fires", change("fires", OWN, handle=6, fired=9, own_ready=(13,))),
    ("an unseen enemy is met", change("shown", HIDDEN, handle=6)),
    ("an unseen enemy is locked on", change("locked", HIDDEN, handle=6)),
    ("a seen enemy is taken", Changed(cause="taken", before=RP)),
    ("a friend is burnt", Changed(cause="burnt", before=DO)),
    ("a passenger is crushed", Changed(cause="crushed", before=CARRIED)),
    ("an enemy converts", change("converted", RP, side=BLACK, hits=(("CS", 1),))),
    ("a passenger is lost by conversion", Changed(cause="converted", before=RP)),
    ("an enemy is stunned", change("stunned", RP, stunned=13, hits=(("ST", 1),))),
    ("a hit without effect", change("hit", RP, hits=(("FL", 1),))),
    ("a stunned flyer falls", change("falls", JE, cell=JE.square)),
    ("a piece is dozed", change("dozed", RP, cell=cell(7, 5))),
    ("its own piece is carried", change("carried", CARRIED, cell=cell(4, 6, SUB))),
    ("its own piece gets an article", change("receives", CARRIED, gear=(), acted=9)),
    ("an article appears", Article(square=7, gear=Gear("FL"), came=True)),
    ("an article goes", Article(square=square_at(5, 5), gear=Gear("FL"), came=False)),
    ("a launch", Flew(square=33, after=SHOT)),
    (
        "a homing launch",
        Flew(
            square=33,
            after=replace(SHOT, heading=-1, homing=True, target_side=WHITE, target_cell=3),
        ),
    ),
    (
        "a shot lets go",
        Flew(
            square=33,
            before=HUNT,
            after=replace(HUNT, heading=1, homing=False, target_side=-1, target_cell=-1),
        ),
    ),
    ("a shot's target turns", Flew(square=33, before=HUNT, after=replace(HUNT, target_side=BLACK))),
    ("a lock by an unseen holder", LockMade(number=2, side=BLACK, holder=0, target=2)),
    ("a lock ends", LockEnded(number=1)),
    ("a shown Fire", SpentOne(side=BLACK, what="fires")),
    ("a primary falls", Fell(side=WHITE)),
]


@pytest.mark.parametrize("event", [row[1] for row in ADMITTED], ids=[row[0] for row in ADMITTED])
def test_admitted(event: Event) -> None:
    GAME.admits(world(), BLACK, event)


REFUSED: list[tuple[str, Event]] = [
    ("a private event", change("hit", OWN, fired=3)),
    ("nothing becomes something", Changed(cause="reinforces", after=replace(HIDDEN, handle=6))),
    ("a piece that is not there", Changed(cause="taken", before=replace(RP, cell=7))),
    (
        "a piece of other articles",
        change("hit", replace(RP, gear=(Gear("FL"),)), hits=(("FL", 1),)),
    ),
    ("its own piece is taken", Changed(cause="taken", before=DO)),
    ("a projectile's kill", Changed(cause="sam", before=JE)),
    ("an enemy moves", change("moves", RP, cell=cell(7, 5))),
    ("an enemy is carried", change("carried", RP, cell=cell(7, 5))),
    ("an enemy's article goes", change("gives", replace(RP), gear=(Gear("FL"),))),
    ("a hit that changes more", change("hit", RP, hits=(("FL", 1),), stunned=99)),
    ("a friend converts", change("converted", DO, side=WHITE)),
    ("an enemy converts to its side", change("converted", RP, hits=(("CS", 1),))),
    ("a stun that is over", change("stunned", RP, stunned=9)),
    ("a stun that leaves articles", change("stunned", CARRIED, stunned=13)),
    ("a fall from Ground", change("falls", RP, cell=RP.cell + 1)),
    ("a fall elsewhere", change("falls", JE, cell=3)),
    ("a doze of two squares", change("dozed", RP, cell=cell(8, 5))),
    ("a doze in Air", change("dozed", JE, cell=JE.cell + 1)),
    ("off the board", change("carried", CARRIED, cell=300)),
    ("another number", change("shown", HIDDEN, handle=7)),
    ("a show that changes the piece", change("shown", HIDDEN, handle=6, cell=3)),
    ("a show of no piece of the game", change("shown", replace(HIDDEN, kind="ZZ"), handle=6)),
    ("a show without a number", change("shown", HIDDEN, fired=1)),
    ("an unseen piece is lost", Changed(cause="taken", before=HIDDEN)),
    ("an enemy fires", change("fires", HIDDEN, handle=6, fired=9)),
    ("firing in another Turn", change("fires", OWN, handle=6, fired=8)),
    ("firing that moves", change("fires", OWN, handle=6, fired=9, cell=3)),
    ("firing that loses an article", change("fires", OWN, handle=6, fired=9, gear=())),
    ("its own piece is locked on", change("locked", OWN, handle=6)),
    ("what has no stealth is locked on", change("locked", replace(HIDDEN, kind="RP"), handle=6)),
    ("an article leaves where none lies", Article(square=7, gear=Gear("FL"), came=False)),
    ("another one leaves", Article(square=square_at(5, 5), gear=Gear("RL"), came=False)),
    ("a third article", Article(square=square_at(5, 5), gear=Gear("FL"), came=True)),
    ("an article of no kind", Article(square=7, gear=Gear("ZZ"), came=True)),
    ("an article with a lock", Article(square=7, gear=Gear("ASH", lock=1), came=True)),
    ("an article off the board", Article(square=100, gear=Gear("FL"), came=True)),
    ("a launch out of number", Flew(square=33, after=replace(SHOT, number=7))),
    ("the enemy's launch", Flew(square=33, after=replace(SHOT, side=WHITE))),
    ("a launch of no kind", Flew(square=33, after=replace(SHOT, kind="Z"))),
    ("a launch in no heading", Flew(square=33, after=replace(SHOT, heading=-1))),
    ("a launch elsewhere", Flew(square=34, after=SHOT)),
    ("homing on a friend", Flew(square=33, after=replace(HUNT, number=2, target_side=BLACK))),
    ("a homing rocket", Flew(square=33, after=replace(HUNT, number=2, kind="R"))),
    ("a projectile ends", Flew(square=33, before=HUNT)),
    ("a projectile moves", Flew(square=34, before=HUNT, after=replace(HUNT, square=34))),
    ("a projectile that is not there", Flew(square=33, before=SHOT, after=SHOT)),
    ("a lock out of number", LockMade(number=3, side=BLACK, holder=0, target=2)),
    ("the enemy's lock", LockMade(number=2, side=WHITE, holder=0, target=3)),
    ("a lock by a seen holder", LockMade(number=2, side=BLACK, holder=3, target=2)),
    ("a lock on a friend", LockMade(number=2, side=BLACK, holder=0, target=3)),
    ("a lock that is none ends", LockEnded(number=2)),
    ("a Move in public", SpentOne(side=BLACK, what="move")),
    ("the enemy's Fire", SpentOne(side=WHITE, what="fires")),
    ("a primary falls of no side", Fell(side=2)),
    ("a reinforcement", Came(side=BLACK, square=3, kind="DO")),
    ("a lapse", Lapsed(handles=(2,))),
    ("a sighting", Sighted(pieces=())),
    ("a thwarted doze", Thwarted(side=BLACK, what="doze", square=3)),
    ("the end of the Turn", TurnEnded()),
    ("the end of the match", Won(side=BLACK)),
]


@pytest.mark.parametrize("event", [row[1] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_refused(event: Event) -> None:
    with pytest.raises(IllegalAction):
        GAME.admits(world(), BLACK, event)


def test_a_third_fire_and_a_second_fall_are_refused() -> None:
    for event in (SpentOne(side=BLACK, what="fires"), Fell(side=WHITE)):
        with pytest.raises(IllegalAction):
            GAME.admits(world(spent=Spent(fires=2), fallen=(WHITE,)), BLACK, event)


def test_what_is_for_one_seat_is_not_shown() -> None:
    with pytest.raises(IllegalAction):
        GAME.admits(world(), BLACK, SpentOne(side=BLACK, what="fires", only=(BLACK,)))
