"""Making a start position: what is refused, what is listed, undo, and where it is kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from cloakboard.client.draft import (
    ArticleBrush,
    Brush,
    Draft,
    Eraser,
    LockBrush,
    PieceBrush,
    mended,
    turned,
)
from cloakboard.client.library import WEC, Library, Listed
from cloakboard.client.words import spelled
from cloakboard.engine.errors import BadSetup
from cloakboard.engine.registry import game
from cloakboard.engine.wec.options import complete
from cloakboard.engine.wec.position import Placed, Position, Scenario
from cloakboard.engine.wec.setup import standard
from cloakboard.engine.wec.state import AIR, BLACK, SUB, WHITE, Reserve, square_at

GAME = game("wec")
AT = square_at(4, 7)


def cell(level: int, square: int = AT) -> int:
    return level * 100 + square


def draft(*pieces: Placed, lying: tuple[tuple[int, str], ...] = ()) -> Draft:
    return Draft(Scenario(position=Position(pieces=pieces, lying=lying)))


TANK = Placed(BLACK, "TA", AT, "left")
PUT: list[tuple[str, Draft, Brush, int, str]] = [
    (
        "WEC-03 a third piece",
        draft(TANK, Placed(BLACK, "DO", AT)),
        PieceBrush(BLACK, "SU"),
        AT,
        "one level of a square holds two",
    ),
    (
        "WEC-04 two that do not coexist",
        draft(TANK),
        PieceBrush(BLACK, "STP"),
        AT,
        "Stun Gun Pawn and Tank cannot share",
    ),
    (
        "WEC-05 opposed pieces",
        draft(TANK),
        PieceBrush(WHITE, "STP"),
        AT,
        "The enemies",
    ),
    (
        "WEC-06 a third article",
        draft(lying=((AT, "FL"), (AT, "ST"))),
        ArticleBrush("BI"),
        AT,
        "3 articles lie at (4,7)",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("case", "made", "brush", "where", "says"), PUT, ids=[p[0] for p in PUT])
def test_what_the_rules_forbid_is_refused(
    case: str, made: Draft, brush: Brush, where: int, says: str
) -> None:
    before = made.position
    assert says in made.put(brush, where, None)
    assert made.position == before
    assert not made.can_undo


def test_wec_23_a_second_article_is_refused_and_wec_33_a_kings_stealth() -> None:
    made = draft(TANK, Placed(BLACK, "K", 4))
    tank = made.position.pieces[1]
    assert tank.kind == "TA"
    assert made.give(tank, "FL") == ""
    assert made.selected is not None
    assert "carries 2 articles; it can carry 1" in made.give(made.selected, "ST")
    king = made.position.pieces[0]
    assert "may not carry a Stealth" in made.give(king, "SH")
    made.set_options({"king_may_stealth": True})
    assert made.give(king, "SH") == ""


def test_wec_81_a_second_handed_reinforcement_is_refused() -> None:
    made = draft()
    assert made.put(PieceBrush(BLACK, "TA", "left", True), AT, None) == ""
    assert "one reinforcement with a hand" in made.put(PieceBrush(BLACK, "DO", "", True), AT, None)
    assert made.position.reserves == (Reserve(BLACK, AT, "TA", "left"),)


def test_wec_47_a_missing_carrier_is_listed_until_it_comes() -> None:
    made = draft()
    assert made.put(PieceBrush(BLACK, "STP"), cell(AIR), None) == ""
    assert [fault.rule for fault in made.faults()] == ["WEC-47"]
    assert made.warnings() == ()
    assert made.put(PieceBrush(BLACK, "CH", "left"), cell(AIR), None) == ""
    assert made.faults() == ()
    assert {fault.rule for fault in made.warnings()} == {"WEC-12", "WEC-14"}


def test_pieces_are_moved_altered_and_taken_away() -> None:
    made = draft(TANK)
    assert made.alter(TANK, stun=3, moved=True) == ""
    tank = made.selected
    assert tank == Placed(BLACK, "TA", AT, "left", (), 3, True)
    assert made.move(tank, square_at(1, 1)) == ""
    drawn = made.picture().pieces[0]
    assert (drawn.cell, drawn.stunned, drawn.unmoved) == (0, 4, False)
    assert made.placed(drawn) == made.selected
    assert made.erase(0, drawn) == ""
    assert made.is_empty
    assert made.erase(0) == "Nothing is there to take away."


def test_the_eraser_takes_one_thing_at_a_time() -> None:
    made = draft(TANK, lying=((AT, "FL"),))
    made.put(PieceBrush(BLACK, "DO", "", True), AT, None)
    for left in (2, 1, 0):
        assert made.put(Eraser(), AT, None) == ""
        position = made.position
        assert len(position.pieces) + len(position.lying) + len(position.reserves) == left


def test_articles_go_to_the_piece_pointed_at_or_to_the_square() -> None:
    made = draft(TANK)
    drawn = made.picture().pieces[0]
    assert made.put(ArticleBrush("FL"), AT, drawn) == ""
    assert made.put(ArticleBrush("ST"), AT, None) == ""
    assert [one.articles for one in made.position.pieces] == [("FL",)]
    assert made.position.lying == ((AT, "ST"),)
    assert made.selected is not None
    assert made.take(made.selected, 0) == ""
    assert [one.articles for one in made.position.pieces] == [()]


def test_undo_and_redo_go_through_every_position() -> None:
    made = draft()
    seen = [made.position]
    for square in range(5):
        made.put(PieceBrush(BLACK, "STP"), square, None)
        seen.append(made.position)
    for position in reversed(seen[:-1]):
        made.undo()
        assert made.position == position
    assert not made.can_undo
    for position in seen[1:]:
        made.redo()
        assert made.position == position
    made.undo()
    made.put(PieceBrush(WHITE, "STP"), 50, None)
    assert not made.can_redo


def test_wec_91_locks_lose_what_is_taken_away() -> None:
    made = Draft(Scenario(position=standard(complete({}))))
    pawns = [one for one in made.position.pieces if one.kind == "SHP"]
    assert [one.holds for one in pawns] == [(1,), (2,)]
    drawn = next(p for p in made.picture().pieces if made.placed(p) == pawns[0])
    assert made.erase(drawn.square, drawn) == ""
    left = next(one for one in made.position.pieces if one.kind == "SHP")
    assert (left.holds, left.locked) == ((), 0)
    assert made.faults() == ()


KING = Placed(BLACK, "K", 4)
HOLDER = Placed(BLACK, "TA", 11, "left", ("ASH",))
HIDER = Placed(WHITE, "AAA", 71)
LOCKED_HIDER = Placed(WHITE, "AAA", 72, holds=(), locked=1)
LOCKING: list[tuple[str, Placed, Placed, dict[str, bool], str]] = [
    ("an enemy", HOLDER, HIDER, {}, ""),
    ("an own piece", HOLDER, KING, {}, "locks on to an enemy piece"),
    ("without Anti-stealth", KING, HIDER, {}, "no free Anti-stealth"),
    ("one that is locked", HOLDER, LOCKED_HIDER, {}, "locked on to already"),
    ("not in this match", HOLDER, HIDER, {"stealth_lock_on": False}, "no Anti-stealth locks on"),
]


@pytest.mark.parametrize(
    ("holder", "target", "options", "says"),
    [row[1:] for row in LOCKING],
    ids=[f"WEC-91 {row[0]}" for row in LOCKING],
)
def test_locks_are_laid(
    holder: Placed, target: Placed, options: dict[str, bool], says: str
) -> None:
    other = Placed(BLACK, "SHP", 12, holds=(1,))
    pieces = (KING, HOLDER, HIDER, other, LOCKED_HIDER)
    made = Draft(Scenario(position=Position(pieces=pieces), options=options))
    drawn = next(p for p in made.picture().pieces if made.placed(p) == target)
    refusal = made.put(LockBrush(holder), drawn.cell, drawn)
    assert says in refusal
    if says:
        assert set(made.position.pieces) == set(pieces)
        return
    assert refusal == ""
    after = Placed(BLACK, "TA", 11, "left", ("ASH",), holds=(2,))
    locked = Placed(WHITE, "AAA", 71, locked=2)
    assert set(made.position.pieces) == {KING, other, LOCKED_HIDER, after, locked}
    assert made.selected == after
    assert (made.bound_to(after), made.bound_to(locked)) == ((locked,), (after,))
    assert made.faults() == ()
    assert made.lock_on(after, LOCKED_HIDER).startswith("That piece has no free Anti-stealth")
    assert made.unlock(locked) == ""
    assert set(made.position.pieces) == set(pieces)


def test_wec_91_a_lock_goes_with_the_anti_stealth() -> None:
    made = draft(HOLDER, HIDER)
    assert made.lock_on(HOLDER, HIDER) == ""
    (holder,) = [one for one in made.position.pieces if one.holds]
    assert made.take(holder, 0) == ""
    assert all((one.holds, one.locked) == ((), 0) for one in made.position.pieces)


def test_locks_are_numbered_anew() -> None:
    position = Position(
        pieces=(
            Placed(BLACK, "SHP", 1, holds=(2,), locked=3),
            Placed(WHITE, "SHP", 2, holds=(3,), locked=2),
            Placed(WHITE, "SHP", 3, holds=(1,)),
        )
    )
    assert [(one.holds, one.locked) for one in mended(position).pieces] == [
        ((1,), 2),
        ((2,), 1),
        ((), 0),
    ]


def test_turning_twice_changes_nothing() -> None:
    position = standard(complete({})).sorted()
    assert turned(position).sorted() != position
    assert turned(turned(position)).sorted() == position
    tank = turned(Position(pieces=(TANK,))).pieces[0]
    assert (tank.side, tank.cell, tank.hand) == (WHITE, square_at(7, 4), "left")


def test_a_position_is_played_as_it_was_made() -> None:
    made = draft(Placed(BLACK, "K", 4), Placed(WHITE, "K", 95), TANK)
    made.put(PieceBrush(WHITE, "SU"), cell(SUB, 60), None)
    start = WEC.start(made.scenario)
    state = GAME.start(GAME.options.complete(start.options), start.setup)
    assert sorted((p.side, p.kind, p.cell) for p in state.pieces) == sorted(
        (p.side, p.kind, p.cell) for p in made.position.pieces
    )


@pytest.fixture
def library(tmp_path: Path) -> Library[Scenario]:
    return Library(tmp_path, WEC)


def test_own_positions_are_kept_listed_and_deleted(library: Library[Scenario]) -> None:
    made = Scenario(
        position=Position(title="Two Kings!", pieces=(Placed(0, "K", 4), Placed(1, "K", 95))),
        options={"tank_range": 8},
    )
    path = library.keep(made)
    assert path.name == "two-kings.toml"
    (library.folder / "broken.toml").write_text("nonsense")
    rows = library.listed()
    own = {row.title: row for row in rows if row.path is not None}
    assert set(own) == {"Two Kings!", "broken"}
    assert own["broken"].problem
    kept = own["Two Kings!"]
    assert library.draft(kept).position == made.position.sorted()
    assert library.start(kept).options == {"tank_range": 8}
    assert library.start(kept).title == "Two Kings!"
    library.delete(kept)
    assert not path.exists()


def test_those_that_come_along_can_all_be_played(library: Library[Scenario]) -> None:
    rows = [row for row in library.listed() if row.path is None]
    assert len(rows) >= 12
    for row in rows:
        assert row.problem == ""
        assert row.teaches
        start = library.start(row)
        GAME.start(GAME.options.complete(start.options), start.setup)


def test_a_name_that_is_none_is_refused(library: Library[Scenario]) -> None:
    with pytest.raises(KeyError):
        library.draft(Listed("nowhere", "", ""))


def test_text_goes_out_and_in() -> None:
    made = Scenario(position=Position(title="T", pieces=(TANK,)), options={"doze_enemies": False})
    assert WEC.paste(WEC.write(made)) == Scenario(
        position=made.position.sorted(), options=made.options
    )
    with pytest.raises(BadSetup):
        WEC.paste("   ")


def test_codes_are_spelled_out() -> None:
    said = spelled("The STP cannot be at (8,2) Air; put a Sub or Chopper beside the K")
    assert said == (
        "The Stun Gun Pawn cannot be at (8,2) Air; put a Sub or Chopper beside the King"
    )
