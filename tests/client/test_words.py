"""Sentences of the history, of tooltips and of the end."""

from __future__ import annotations

import pytest

from cloakboard.client import words
from cloakboard.engine.game import Result
from cloakboard.engine.wec.events import (
    CAUSES,
    AnyEvent,
    Article,
    Came,
    Changed,
    Flew,
    Lapsed,
    Thwarted,
    TurnEnded,
    Won,
)
from cloakboard.engine.wec.options import complete
from cloakboard.engine.wec.pieces import ARTICLES, KINDS
from cloakboard.engine.wec.state import (
    AIR,
    BLACK,
    SUB,
    WHITE,
    Flight,
    Gear,
    Piece,
    Projectile,
    State,
    square_at,
)

TANK = Piece(BLACK, "TA", square_at(2, 1), hand="left", handle=1)
HIGH = Piece(WHITE, "CH", 100 + square_at(4, 7), handle=2)


@pytest.mark.parametrize(
    ("event", "expected"),
    [
        (
            Changed(
                cause="moves",
                before=TANK,
                after=Piece(BLACK, "TA", square_at(4, 1), hand="left", handle=1),
            ),
            "Black's Tank moves from 2,1 to 4,1.",
        ),
        (Changed(cause="taken", before=HIGH), "White's Chopper is taken at 4,7 Air."),
        (
            Changed(
                cause="converted",
                before=HIGH,
                after=Piece(BLACK, "CH", 100 + square_at(4, 7), handle=2),
            ),
            "White's Chopper at 4,7 Air is converted and now fights for Black.",
        ),
        (
            Changed(
                cause="picks_up",
                before=TANK,
                after=Piece(BLACK, "TA", square_at(2, 1), gear=(Gear("ASH"),), handle=1),
            ),
            "Black's Tank at 2,1 picks up an Anti-stealth.",
        ),
        (Changed(cause="moves", before=TANK), "Black's Tank goes out of view."),
        (Changed(cause="marked", before=TANK, after=TANK), ""),
        (Article(square=square_at(3, 3), gear=Gear("BI"), came=True), "Bike now lies at 3,3."),
        (
            Flew(
                square=square_at(5, 5),
                after=Projectile(1, "T", WHITE, square_at(5, 5), -1, True, BLACK, 205),
            ),
            "White's torpedo is launched at 5,5, homing on 1,6 Sub.",
        ),
        (
            Came(side=BLACK, square=square_at(8, 2), kind="AAA"),
            "Black calls up an AAA at 8,2.",
        ),
        (
            Thwarted(side=BLACK, what="doze", square=square_at(3, 4)),
            "The push fails: an unseen piece stands at 3,4.",
        ),
        (TurnEnded(), ""),
        (Won(side=WHITE), "White wins."),
    ],
)
def test_events_in_words(event: AnyEvent, expected: str) -> None:
    assert words.told(event) == expected


def test_wec_97_what_goes_out_of_view_is_named() -> None:
    sub = Piece(WHITE, "SU", 200 + square_at(10, 2), handle=9)
    before = State(options=complete({}), pieces=(TANK, sub))
    assert words.sentences(before, Lapsed(handles=(9,))) == (
        "White's Submarine at 10,2 Sub goes out of view.",
    )
    assert words.sentences(before, TurnEnded()) == ()


@pytest.mark.parametrize("cause", CAUSES)
def test_every_cause_has_its_sentence(cause: str) -> None:
    text = words.told(Changed(cause=cause, before=TANK, after=TANK))
    assert cause in words.CHANGES
    assert "{" not in text
    assert text.endswith(".") or cause in ("marked", "locks")  # told by other events


@pytest.mark.parametrize("code", [*KINDS, *ARTICLES])
def test_every_code_has_a_name(code: str) -> None:
    assert words.PIECES.get(code) or words.ARTICLES.get(code)


def test_a_tooltip_tells_level_load_stun_and_flight() -> None:
    state = State(options=complete({}), turn=5)
    piece = Piece(
        WHITE,
        "FP",
        200 + square_at(4, 7),
        gear=(Gear("SC"), Gear("SL", ready=7)),
        stunned=8,
        own_ready=(6,),
        flight=Flight("SC", square_at(9, 9), 1, 4),
    )
    assert piece.level == SUB
    assert words.condition(state, piece) == (
        "Sub, 4,7",
        "Carries Scuba and SAM launcher",
        "Stunned for 3 more Turns",
        "Weapons cool for 2 more Turns",
        "In flight to 9,9",
    )


def test_wec_53_and_56_counts_are_the_turns_still_to_come() -> None:
    state = State(options=complete({}), turn=5)
    ready = Piece(WHITE, "FP", square_at(4, 7), own_ready=(5,), stunned=5)
    assert (words.cooling(state, ready), words.stun_left(state, ready)) == (0, 0)
    cooling = Piece(WHITE, "FP", square_at(4, 7), own_ready=(9,), stunned=6)
    assert (words.cooling(state, cooling), words.stun_left(state, cooling)) == (4, 1)


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("TA", ("Armed with Flamer",)),
        ("SHP", ("Has Stealth and Anti-stealth",)),
        ("K", ("Has Anti-flamer and Anti-rocket",)),  # WEC-21
        ("JE", ("Armed with SAM launcher and Limited rocket",)),
        ("XP", ("Carries two articles",)),  # WEC-23
        ("DS", ("Armed with Torpedo launcher",)),
    ],
)
def test_what_a_piece_has_of_its_own(kind: str, expected: tuple[str, ...]) -> None:
    assert words.abilities(Piece(BLACK, kind, 0)) == expected


@pytest.mark.parametrize(
    ("result", "headline", "sentence"),
    [
        (Result((0,), "primary"), "Black wins", "Ann (Black): the enemy leader"),
        (Result((1,), "resigned"), "White wins", "Bob (White): the other side resigned."),
        (Result((), "agreed"), "Draw", "Both sides agreed"),
    ],
)
def test_outcome(result: Result, headline: str, sentence: str) -> None:
    title, text = words.outcome(result, ("Ann", "Bob"))
    assert title == headline
    assert text.startswith(sentence)


def test_a_level_is_named_unless_it_is_ground() -> None:
    assert words.place(square_at(4, 7)) == "4,7"
    assert words.place(AIR * 100 + square_at(10, 10)) == "10,10 Air"
