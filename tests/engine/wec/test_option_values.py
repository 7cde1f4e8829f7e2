"""Every value of every option of RULES section 10, by what it changes at the board.

A row is an option, a value, further options it needs, what is looked at, and what is seen then.
Numbers have their first, standard and last value at least.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, Final

import pytest

from cloakboard.engine.options import Option
from cloakboard.engine.table import Table
from cloakboard.engine.wec import GAME
from cloakboard.engine.wec.actions import (
    Action,
    Blast,
    Doze,
    Launch,
    LimitedRocket,
    Move,
    PickUp,
    TakeOff,
)
from cloakboard.engine.wec.notation.positions import read_scenario, write_setup
from cloakboard.engine.wec.options import ARTICLE_COUNTS, OPTIONS
from cloakboard.engine.wec.state import AIR, BLACK, SQUARES, SUB, WHITE, State
from tests.engine.wec.build import cell, lying, piece, public, run, state, unseen

Options = dict[str, Any]
Look = Callable[[Options], Any]
FORWARD: Final = 0
AHEAD: Final = range(10)  # squares ahead of the corner (1,1)


def offered(now: State, kind: type[Action]) -> list[Any]:
    """The actions of one kind that Black has."""
    return [action for action in GAME.actions(GAME.view(now, BLACK), BLACK) if type(action) is kind]


def started(options: Options, black: str = "", white: str = "") -> State:
    """The start position with these entries, blanks between them."""
    text = f"format = 1\nblack = {black.split()}\nwhite = {white.split()}"
    now: State = GAME.start(options, write_setup(read_scenario(text).position))
    return now


def reach(kind: str, row: int, column: int, hand: str = "") -> Look:
    """Where a lone piece of Black's that has moved before can go, as (row, column)."""

    def look(options: Options) -> set[tuple[int, int]]:
        now = state([piece(kind, row, column, hand=hand)], options=options)
        ends = {move.route[-1] % SQUARES for move in offered(now, Move)}
        return {(end // 10 + 1, end % 10 + 1) for end in ends}

    return look


def straight(kind: str) -> Look:
    """How far a piece of the standard set goes straight ahead from the corner."""
    return lambda options: max(
        row - 1 for row, column in reach(kind, 1, 1, HAND.get(kind, ""))(options) if column == 1
    )


def slanting(kind: str) -> Look:
    """The same on the diagonal."""
    return lambda options: max(
        row - 1 for row, column in reach(kind, 1, 1, HAND.get(kind, ""))(options) if column == row
    )


HAND: Final = {"TA": "right", "CL": "right"}


def up_to(there: Callable[[Options, int], bool]) -> Look:
    """Up to how many squares ahead something is so, from 0 on without a gap; -1: never."""

    def look(options: Options) -> int:
        so = [there(options, distance) for distance in AHEAD]
        count = sum(so)
        assert so == [True] * count + [False] * (len(so) - count)
        return count - 1

    return look


def detects(watcher: str, hider: str) -> Look:
    """How far ahead of Black's watcher a White piece is seen."""
    return up_to(
        lambda options, distance: any(
            one.side == WHITE and one.handle
            for one in started(options, watcher, hider.format(1 + distance)).pieces
        )
    )


def hidden(black: str) -> Look:
    """How many of these pieces White does not see."""
    return lambda options: sum(not one.handle for one in started(options, black).pieces)


def fires(options: Options, shooter: str, level: int, gear: str, action: Action) -> bool:
    """Whether a hidden piece of Black's is public after it fired."""
    now = state([piece(shooter, 1, 1, level=level, hidden=True, gear=[gear])], options=options)
    after, _ = run(now, BLACK, action)
    return after.pieces[0].handle > 0


def government(side: int) -> Look:
    def look(options: Options) -> set[str]:
        known = {"K", "DI", "AV", "PR", "Q", "AS", "AC", "PM"}
        now = GAME.start(options)
        return {one.kind for one in now.pieces if one.side == side} & known

    return look


def limited_rocket(options: Options, distance: int) -> bool:
    now = state([piece("JE", 1, 1, level=AIR), piece("K", 1 + distance, 1, WHITE)], options=options)
    return bool(offered(now, LimitedRocket))


def homing(options: Options, distance: int) -> bool:
    target = piece("SU", 1 + distance, 1, WHITE, SUB)
    now = state([piece("DS", 1, 1), target], options=options)
    return any(launch.heading == -1 for launch in offered(now, Launch))


def blast(weapon: str, kind: str) -> Look:
    """Up to how far ahead the piece hits; its own square is no target, but counted."""

    def there(options: Options, distance: int) -> bool:
        if distance == 0:
            return True
        now = state([piece(kind, 1, 1), piece("JE", 1 + distance, 1, WHITE)], options=options)
        after, _ = run(now, BLACK, Blast(public(1), weapon, FORWARD))
        return after.pieces[1:] != now.pieces[1:]

    return up_to(there)


def stunned(options: Options) -> int:
    """The first Turn in which a piece stunned in Turn 1 can act."""
    now = state([piece("STP", 1, 1), piece("JE", 2, 1, WHITE)], options=options)
    after, _ = run(now, BLACK, Blast(public(1), "ST", FORWARD))
    return after.pieces[1].stunned


def ready(kind: str, action: Action) -> Look:
    """The first Turn in which the piece's own weapon, fired in Turn 1, can fire again."""

    def look(options: Options) -> int:
        after, _ = run(state([piece(kind, 5, 5)], options=options), BLACK, action)
        return after.pieces[0].own_ready[0]

    return look


def dozes_enemy(options: Options) -> bool:
    pieces = [piece("DO", 5, 5), piece("STP", 5, 5), piece("JE", 6, 5, WHITE)]
    return any(cell(6, 5) in doze.picked for doze in offered(state(pieces, options=options), Doze))


def picks_up_stealth(options: Options) -> bool:
    now = state([piece("K", 5, 5)], lying(5, 5, "SH"), options=options)
    return bool(offered(now, PickUp))


def takes_off(pack: str) -> Look:
    def look(options: Options) -> bool:
        now = state([piece("K", 5, 5, gear=[pack])], options=options)
        return bool(offered(now, TakeOff))

    return look


def takes_off_on_board(options: Options) -> bool:
    pieces = [piece("CH", 5, 5, level=AIR, hand="left"), piece("STP", 5, 5, level=AIR, gear=["JP"])]
    return bool(offered(state(pieces, options=options), TakeOff))


def after_a_move(options: Options) -> tuple[bool, bool]:
    """Whether the piece that has moved, and another one, may fire then."""
    now = state([piece("FP", 5, 5), piece("FP", 2, 2)], options=options)
    move = next(one for one in offered(now, Move) if one.piece == public(1))
    after, _ = run(now, BLACK, move)
    firers = {action.piece for action in offered(after, Blast)}
    return public(1) in firers, public(2) in firers


def jet_takes(options: Options) -> bool:
    pieces = [piece("JE", 5, 5, level=AIR), piece("JE", 6, 5, WHITE, AIR)]
    now = state(pieces, options=options)
    return any(move.route[-1] == cell(6, 5, AIR) for move in offered(now, Move))


def laid(kind: str) -> Look:
    """How many of a kind lie on the board, how many at all, and whether any square has more
    than two (WEC-06)."""

    def look(options: Options) -> tuple[int, int, bool]:
        lies = GAME.start(options).lying
        squares = Counter(one.square for one in lies)
        return sum(one.gear.kind == kind for one in lies), len(lies), max(squares.values()) > 2

    return look


def undoes(options: Options) -> bool:
    table = Table(GAME, options)
    table.act(BLACK, next(iter(table.actions(BLACK))))
    return table.can_undo


TOTAL: Final = sum(ARTICLE_COUNTS.values())
NO_ARTICLES: Final = dict.fromkeys((f"articles.{kind}" for kind in ARTICLE_COUNTS), 0)
MASS: Final = {"movement": "mass_destruction"}
STANDARD: Final = {"movement": "standard"}
MOVES: Final = {"movement": "standard", "action_constraint": "move_only"}
BY_RANGE: Final = {"stealth_range_detection": True}
UNSEEN: Final = unseen(1, 1)

ROWS: Final[list[tuple[str, Any, Options, Look, Any]]] = [
    # The weaponized tank is the worked example of DATA; the standard one goes straight, that of
    # mass destruction zig-zags: (k, 1), (k, 0), and (3, -1), which is beyond the edge.
    ("movement", "weaponized", {}, reach("TA", 1, 1, "right"),
     {(2, 1), (3, 1), (4, 1), (5, 1), (6, 2), (7, 3), (8, 4), (1, 2), (1, 3), (1, 4), (1, 5)}),
    ("movement", "standard", {}, reach("TA", 1, 1, "right"),
     {(row, 1) for row in range(2, 9)} | {(1, column) for column in range(2, 9)}),
    ("movement", "mass_destruction", {}, reach("TA", 1, 1, "right"), {(2, 2), (3, 1)}),
    ("pawn_variant", "forward_and_sides", MASS, reach("FP", 5, 5),
     {(6, 4), (6, 5), (6, 6), (5, 4), (5, 6)}),
    ("pawn_variant", "forward", MASS, reach("FP", 5, 5), {(6, 4), (6, 5), (6, 6)}),
    ("pawn_variant", "all_but_straight_ahead", MASS, reach("FP", 5, 5),
     {(6, 4), (6, 6), (5, 4), (5, 6)}),
    *[("tank_range", n, STANDARD, straight("TA"), n) for n in (6, 7, 8)],
    *[("cleric_range", n, STANDARD, slanting("CL"), n) for n in (6, 7, 8)],
    *[("queen_tank_range", n, STANDARD, straight("Q"), n) for n in (6, 7, 8)],
    *[("queen_cleric_range", n, STANDARD, slanting("Q"), n) for n in (6, 7, 8)],
    *[
        (f"government.{side}", name, {}, government(side), set(kinds.split()))
        for side in (BLACK, WHITE)
        for name, kinds in {
            "monarchy": "K Q", "dictatorship": "DI AS", "theocracy": "AV AC", "democracy": "PR PM",
        }.items()
    ],
    ("stealth_invisible", True, {}, hidden("AAA(1,1) SHP(1,2) K(1,3)"), 2),
    ("stealth_invisible", False, {}, hidden("AAA(1,1) SHP(1,2) K(1,3)"), 0),
    ("sub_invisible", True, {}, hidden("SUv(1,1) SU(1,2) K(1,3)"), 1),
    ("sub_invisible", False, {}, hidden("SUv(1,1) SU(1,2) K(1,3)"), 0),
    ("stealth_lock_on", True, {}, lambda options: len(GAME.start(options).locks), 2),
    ("stealth_lock_on", False, {}, lambda options: len(GAME.start(options).locks), 0),
    ("stealth_range_detection", True, {}, detects("JE^(1,1)1ASH", "AAA({},1)"), 3),
    ("stealth_range_detection", False, {}, detects("JE^(1,1)1ASH", "AAA({},1)"), -1),
    *[("stealth_range", n, BY_RANGE, detects("JE^(1,1)1ASH", "AAA({},1)"), n) for n in AHEAD],
    *[("sub_range", n, {}, detects("DS(1,1)", "SUv({},1)"), n) for n in AHEAD],
    *[
        ("seen_when_firing_stealth", on, {},
         lambda options: fires(options, "AAA", 0, "ST", Blast(UNSEEN, "ST", FORWARD)), on)
        for on in (True, False)
    ],
    *[
        ("seen_when_firing_sub", on, {},
         lambda options: fires(options, "SU", SUB, "ST", Blast(unseen(1, 1, SUB), "ST", FORWARD)),
         on)
        for on in (True, False)
    ],
    # A sub that carries a Stealth, two squares from a Torpedo launcher.
    ("dominance", "submersion", {}, detects("DS(1,1)", "SUv({},1)1SH"), 3),
    ("dominance", "stealth", {}, detects("DS(1,1)", "SUv({},1)1SH"), -1),
    *[("jet_rocket_range", n, {}, up_to(limited_rocket), n) for n in AHEAD],
    *[("homing_range", n, {}, up_to(homing), n) for n in AHEAD],
    *[("stun_range", n, {}, blast("ST", "STP"), n) for n in AHEAD if n],
    *[("stun_turns", n, {}, stunned, 2 + n) for n in (1, 3, 255)],
    *[("flamer_range", n, {}, blast("FL", "FP"), n) for n in (1, 2)],
    *[("doze_enemies", on, {}, dozes_enemy, on) for on in (True, False)],
    *[("king_may_stealth", on, {}, picks_up_stealth, on) for on in (True, False)],
    *[("king_may_fly", on, {}, takes_off("JP"), on) for on in (True, False)],
    *[("king_may_submerge", on, {}, takes_off("SC"), on) for on in (True, False)],
    ("transport_from", "ground", {}, takes_off_on_board, False),
    ("transport_from", "any", {}, takes_off_on_board, True),
    ("action_constraint", "none", {}, after_a_move, (True, True)),
    ("action_constraint", "one_per_piece", {}, after_a_move, (False, True)),
    ("action_constraint", "move_only", {}, after_a_move, (False, False)),
    *[("sub_jet_combat", on, MOVES, jet_takes, on) for on in (True, False)],
    *[("rate_stun", n, {}, ready("STP", Blast(public(1), "ST", 0)), 1 + n) for n in (1, 2, 99)],
    *[("rate_flamer", n, {}, ready("FP", Blast(public(1), "FL", 0)), 1 + n) for n in (1, 4, 99)],
    *[
        ("rate_conversion", n, {}, ready("CP", Blast(public(1), "CS", 0)), 1 + n)
        for n in (1, 4, 99)
    ],
    *[
        ("rate_launchers", n, {}, ready(kind, Launch(public(1), weapon, 0)), 1 + n)
        for n in (1, 4, 99)
        for kind, weapon in (("RP", "RL"), ("JE", "SL"), ("DS", "TL"))
    ],
    *[
        (f"articles.{kind}", n, {}, laid(kind), (n, TOTAL - usual + n, False))
        for kind, usual in ARTICLE_COUNTS.items()
        for n in (0, 1, usual, usual + 3, 200 - TOTAL + usual)
    ],
    *[(f"articles.{kind}", 200, NO_ARTICLES, laid(kind), (200, 200, False))
      for kind in ARTICLE_COUNTS],
    *[
        ("reinforcements", on, {}, lambda options: len(GAME.start(options).reserves), 20 * on)
        for on in (True, False)
    ],
    *[("competitive", on, {}, undoes, not on) for on in (True, False)],
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "value", "more", "look", "expected"),
    [pytest.param(*row, id=f"{row[0]}={row[1]}") for row in ROWS],
)
def test_value(name: str, value: Any, more: Options, look: Look, expected: Any) -> None:
    assert look({**more, name: value}) == expected


def needed(option: Option) -> set[Any]:
    """The values that have to have a row."""
    if option.choices:
        return set(option.choices)
    return {*option.span, option.default} if option.span else {True, False}


@pytest.mark.parametrize("option", OPTIONS.options, ids=lambda option: option.name)
def test_every_option_has_a_row_for_its_values(option: Option) -> None:
    assert needed(option) <= {value for name, value, *_ in ROWS if name == option.name}


def halves(options: Options, kind: str) -> tuple[int, int]:
    """How many of a kind lie in Black's half, and how many in White's."""
    squares = [one.square for one in GAME.start(options).lying if one.gear.kind == kind]
    return sum(square < 50 for square in squares), sum(square >= 50 for square in squares)


def test_articles_lie_in_pairs_opposite_each_other() -> None:
    for count in (2, 4, 8, 12):
        lies = GAME.start({"articles.SL": count, "articles.FL": 10}).lying
        found = Counter((one.square, one.gear.kind) for one in lies)
        turned = Counter((99 - one.square, one.gear.kind) for one in lies)
        assert found == turned


def test_single_articles_take_turns_between_the_halves() -> None:
    few = {"articles.FL": 1, "articles.ST": 1}
    assert (halves(few, "FL"), halves(few, "ST")) == ((1, 0), (0, 1))
    many = {"articles.FL": 3, "articles.ST": 3}
    assert (halves(many, "FL"), halves(many, "ST")) == ((2, 1), (1, 2))


def test_fewer_articles_lie_nearest_the_middle() -> None:
    """Of eight SAM launchers, in rows 3, 4, 7 and 8, four are left: those of rows 4 and 7."""
    squares = [one.square for one in GAME.start({"articles.SL": 4}).lying if one.gear.kind == "SL"]
    assert sorted(square // 10 + 1 for square in squares) == [4, 4, 7, 7]
