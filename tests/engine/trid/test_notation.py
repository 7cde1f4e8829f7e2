"""Positions, moves and matches as text (RULES 10)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cloakboard.engine.codec import state_digest
from cloakboard.engine.errors import BadSetup, EngineError, Malformed
from cloakboard.engine.game import Result
from cloakboard.engine.table import Table
from cloakboard.engine.trid import GAME
from cloakboard.engine.trid.actions import Castle, Move, MoveBoard
from cloakboard.engine.trid.board import NAMED, NAMES, PINS
from cloakboard.engine.trid.notation import history
from cloakboard.engine.trid.notation.moves import read_move, write_move
from cloakboard.engine.trid.notation.positions import read_position, write_position
from cloakboard.engine.trid.notation.sheet import read_short, write_short
from cloakboard.engine.trid.options import complete
from cloakboard.engine.trid.pieces import START
from tests.engine.trid.build import found, placed, random_position, table
from tests.play import Dice, drawn_options, random_game

STANDARD = complete({})
EMPTY_BOARDS = "4/4/4/4|4/4/4/4|4/4/4/4|2/2|2/K1|2/2|k1/2"


def at_start(**fields: str) -> str:
    """The start position with some fields, by number, replaced."""
    words = START.split(" ")
    for number, word in fields.items():
        words[int(number[1:])] = word
    return " ".join(words)


def test_the_start_position_is_the_text_of_the_rules() -> None:
    assert write_position(table().state) == START
    assert START == (
        "QL1w,KL1w,QL6b,KL6b "
        "nbbn/dddd/4/4|4/4/4/4|4/4/DDDD/NBBN|DD/RQ|DD/KR|rq/dd|kr/dd w KQkq - 0 1"
    )


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "seven fields"),
        (START + " ", "seven fields"),
        (START.replace(" w ", "  w "), "seven fields"),
        (at_start(f0="QL1w,KL1w,QL6b"), "on 6 boards"),
        (at_start(f0="KL1w,QL1w,QL6b,KL6b"), "order"),
        (at_start(f0="QL1w,QL1w,QL6b,KL6b"), "four different pins"),
        (at_start(f0="QL1w,KL1w,QL6b,KL7b"), "'KL7b' is no attack board"),
        (at_start(f0="QL1w,KL1w,QL6b,KL6"), "'KL6' is no attack board"),
        (at_start(f1="4/4/4/4|4/4/4/4"), "on 7 boards"),
        (at_start(f1=EMPTY_BOARDS.replace("2/K1", "2/K1/2")), "2 rows"),
        (at_start(f1=EMPTY_BOARDS.replace("2/K1", "2/K")), "no row of 2"),
        (at_start(f1=EMPTY_BOARDS.replace("2/K1", "2/K.")), "no row of 2"),
        (at_start(f1=EMPTY_BOARDS.replace("2/K1", "2/KX")), "no row of 2"),
        (at_start(f1=EMPTY_BOARDS.replace("4/4/4/4|2", "4/4/4/5|2")), "no row of 4"),
        (at_start(f1=EMPTY_BOARDS.replace("4/4/4/4|2", "4/4/4/22|2"), f3="-"), "Write"),
        (at_start(f2="x"), "side to move"),
        (at_start(f2="wb"), "side to move"),
        (at_start(f3="QK"), "Castling rights"),
        (at_start(f3=""), "Castling rights"),
        (at_start(f4="a9N"), "stands on a square"),
        (at_start(f4="a7B"), "No pawn that has just moved"),
        (at_start(f5="-1"), "whole numbers"),
        (at_start(f5="007"), "whole numbers"),
        (at_start(f5="٣"), "whole numbers"),
        (at_start(f6="0"), "counts from 1"),
        (at_start(f6="12345"), "whole numbers"),
        (placed("Kd0KL1 kz9QL6 Ka2W"), "White has 2 kings"),
        (placed("Kd0KL1"), "Black has 0 kings"),
        (placed("Kd0KL1 kz9QL6 Pa8B"), "a8B stands where it promotes"),
        (placed("Kd0KL1 kz9QL6 pa0QL1"), "a0QL1 stands where it promotes"),
        (placed("Kd0KL1 kz9QL6 Ra9QL6"), "could take the king"),
        (placed("Kd0KL1 kz9QL6", rest="K - 0 9"), "needs a king on d0KL1 and a rook on e0KL1"),
        (placed("Kd0KL1 kz9QL6 pb5B", rest="- b5B 0 9"), "Nobody can take the pawn on b5B"),
    ],
)
def test_positions_that_are_refused(text: str, says: str) -> None:
    with pytest.raises(BadSetup, match=says):
        read_position(text, STANDARD)


@pytest.mark.parametrize("seed", range(20))
def test_positions_are_read_as_written(seed: int) -> None:
    dice = Dice(seed)
    options = drawn_options(GAME, dice)
    played = Table(GAME, options, write_position(random_position(dice, options)))
    for _ in range(4):
        text = write_position(played.state)
        again = GAME.start(options, text)
        assert write_position(again) == text
        fields = ("boards", "men", "side", "castling", "en_passant", "counter", "number")
        for name in fields:
            assert getattr(again, name) == getattr(played.state, name)
        if played.result is None:
            played.act(played.state.side, dice.choose(found(played.state)))


@given(st.text(alphabet="QKL1256wbNBWRPDdk/|,- 48", max_size=90))
def test_any_text_is_a_position_or_refused(text: str) -> None:
    try:
        state = read_position(text, STANDARD)
    except BadSetup:
        return
    assert write_position(state) == text


@given(st.integers(0, len(START)), st.integers(0, 3), st.text(max_size=3))
def test_a_changed_position_is_refused_or_read_as_written(at: int, cut: int, put: str) -> None:
    text = START[:at] + put + START[at + cut :]
    try:
        state = read_position(text, STANDARD)
    except BadSetup:
        return
    assert write_position(state) == text


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("a2W-a4N", Move(NAMED["a2W"], NAMED["a4N"])),
        ("b7B-b8B=Q", Move(NAMED["b7B"], NAMED["b8B"], "Q")),
        ("z1QL1-z2QL3", Move(NAMED["z1QL1"], NAMED["z2QL3"])),
        ("QL2-KL2", MoveBoard(PINS.index("QL2"), PINS.index("KL2"))),
        ("QL2-QL4r", MoveBoard(PINS.index("QL2"), PINS.index("QL4"), turned=True)),
        ("QL5-QL6=N", MoveBoard(PINS.index("QL5"), PINS.index("QL6"), promotion="N")),
        ("O-O", Castle()),
        ("O-O-O", Castle(queenside=True)),
    ],
)
def test_moves_for_machines(text: str, action: object) -> None:
    assert read_move(text) == action
    assert write_move(read_move(text)) == text


@pytest.mark.parametrize(
    "text", ["", "a2W", "a2W-a9W", "a2Wa3W", "a2W-a3W=K", "QL7-QL1", "o-o", "a2W-a3W\n", "b9B-b8B"]
)
def test_moves_that_are_refused(text: str) -> None:
    with pytest.raises(Malformed):
        read_move(text)


SHEET = [
    # RULES 10.2, each with a position in which it is needed.
    ("", "a1W-b3W", "Nb3W"),
    ("", "a2W-a4N", "a4N"),
    (placed("Kd0KL1 ke9KL6 Ba2W pd5N"), "a2W-d5N", "Bxd5N"),
    (placed("Kd0KL1 kz9QL6 Pb2W na3N"), "b2W-a3N", "bWxa3N"),
    (placed("Kd0KL1 kz9QL6 Nb3W Nd3W"), "b3W-c5N", "Nbc5N"),
    (placed("Kd0KL1 kz9QL6 Nb3W Nb7B"), "b3W-c5N", "N3c5N"),
    (placed("Kd0KL1 kz9QL6 Nb3W Nb3N"), "b3W-c5N", "NWc5N"),
    (placed("Kd0KL1 kz9QL6 Nb3W Nd3W Nb7B"), "b3W-c5N", "Nb3c5N"),
    (placed("Kd0KL1 kz9QL6 Pa3W Pa3N"), "a3W-a4N", "aWa4N"),
    (placed("Kd0KL1 kz9QL6 Da2W Pa3W"), "a2W-a4N", "a2Wa4N"),
    (placed("Kd0KL1 kz9QL6 Pb7B"), "b7B-b8B=Q", "b8B=Q"),
    (placed("Kd0KL1 ke9KL6 Pb7B"), "b7B-b8B=N", "b8B=N"),
    (placed("Kd0KL1 kz9QL6 Ra2W"), "a2W-a9QL6", "Ra9QL6+"),
    (placed("Kd1W Ra3W kz9QL6 pz8QL6 Re8KL6"), "e8KL6-e9KL6", "Re9KL6#"),
    (placed("Kd0KL1 Re0KL1 kz9QL6 pa4W", rest="K - 0 9"), "O-O", "O-O"),
    (placed("Kd3W Na4QL2 kz9QL6", boards="KL1w,QL2w,QL6b,KL6b"), "QL2-QL1", "QL1"),
    (placed("Kd3W Na4QL2 kz9QL6", boards="KL1w,QL2w,QL6b,KL6b"), "QL2-QL1r", "QL1r"),
    (placed("Kd0KL1 Na4QL2 kz9QL6", boards="KL1w,QL2w,QL6b,KL6b"), "QL2-QL1", "QL2-QL1"),
]


@pytest.mark.parametrize(("position", "move", "text"), SHEET)
def test_moves_on_the_score_sheet(position: str, move: str, text: str) -> None:
    state = table(position).state
    assert write_short(state, read_move(move)) == text
    assert read_short(state, text) == read_move(move)
    assert read_short(state, text.rstrip("+#")) == read_move(move)
    assert read_short(state, move) == read_move(move)


def test_en_passant_on_the_score_sheet() -> None:
    text = placed("Kd0KL1 Pc5N db7B kz9QL6", side="b")
    state = table(text, ["b7B-b5N"]).state
    assert write_short(state, read_move("c5N-b6B")) == "cNxb6Be.p."
    for said in ("cNxb6Be.p.", "cNxb6B e.p.", "cNxb6B", "cb6B"):
        assert read_short(state, said) == read_move("c5N-b6B")


def test_zeros_castle_too() -> None:
    state = table(placed("Kd0KL1 Re0KL1 Rz0QL1 kb8B", rest="KQ - 0 9")).state
    assert read_short(state, "0-0") == Castle()
    assert read_short(state, "0-0-0") == Castle(queenside=True)


@pytest.mark.parametrize(
    ("position", "text", "says"),
    [
        (placed("Kd0KL1 kz9QL6 Nb3W Nd3W"), "Nc5N", "Nbc5N or Ndc5N; say which"),
        ("", "Nc5N", "not a legal move"),
        ("", "a5N", "not a legal move"),
        ("", "O-O", "not a legal move"),
        ("", "hello", "is no move"),
        ("", "a2W-a9W", "no square a9W"),
    ],
)
def test_score_sheet_texts_that_are_refused(position: str, text: str, says: str) -> None:
    with pytest.raises(Malformed, match=says):
        read_short(table(position).state, text)


@pytest.mark.parametrize("seed", range(600, 615))
def test_every_move_is_read_back_from_both_texts(seed: int) -> None:
    dice = Dice(seed)
    options = drawn_options(GAME, dice)
    state = random_position(dice, options)
    short = {}
    for action in found(state):
        assert read_move(write_move(action)) == action
        short[write_short(state, action)] = action
    assert len(short) == len(found(state))
    for said, action in list(short.items())[:: 1 + len(short) // 8]:
        assert read_short(state, said) == action


# -- whole matches ---------------------------------------------------------------------------


def test_a_match_as_text() -> None:
    played = table("", ["a2W-a4N", "b7B-b5N", "a1W-b3W"], blocking="column")
    assert history.write(played, ("Ann", 'Bo "B"')) == (
        '[Game "TRID"]\n[Rules "1"]\n[Option "blocking" "column"]\n[White "Ann"]\n'
        '[Black "Bo \\"B\\""]\n[Result "*"]\n\n1. a4N b5N\n2. Nb3W\n'
    )


def test_a_match_from_a_position_of_blacks() -> None:
    text = placed("Kd0KL1 Pc5N db7B kz9QL6", side="b")
    played = table(text, ["b7B-b5N", "c5N-b6B"])
    said = history.write(played)
    assert said.endswith("\n9... b5N\n10. cNxb6Be.p.\n")
    assert history.replay(said).state == played.state


@pytest.mark.parametrize("seed", range(4))
def test_matches_are_read_as_written(seed: int) -> None:
    played = random_game(GAME, seed, 60, drawn_options(GAME, Dice(seed)))
    if seed == 2:
        played.resign(0)
    said = history.write(played, ("A", "B {}"))
    again = history.replay(said)
    assert (again.log, again.state, again.result) == (played.log, played.state, played.result)
    assert history.write(again, ("A", "B {}")) == said
    score = history.read(said)
    assert score.names == ("A", "B {}")
    assert [text for _, text in score.moves] == [
        word for line in said.split("\n\n")[1].splitlines() for word in line.split()[1:]
    ]


def test_fifty_random_matches_and_their_positions_go_out_and_in() -> None:
    for seed in range(100, 150):
        played = random_game(GAME, seed, 24, drawn_options(GAME, Dice(seed)))
        again = history.replay(history.write(played))
        assert state_digest(GAME, again.state) == state_digest(GAME, played.state)
        assert again.log == played.log
        there = GAME.start(played.options, write_position(played.state))
        assert write_position(there) == write_position(played.state)


def test_remarks_numbers_and_line_ends_are_free() -> None:
    text = '[Game "TRID"]\n[Rules "1"]\n\n{a\nremark} 1. a2W-a4N {so} b5N\r\n 2. Nb3W'
    replayed = history.replay(text)
    assert [write_move(record.action) for record in replayed.log] == [
        "a2W-a4N",
        "b7B-b5N",
        "a1W-b3W",
    ]
    assert replayed.result is None


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("", 1, "Game"),
        ('[Game "TRID"]\n', 1, "Rules"),
        ('[Game "WEC"]\n[Rules "1"]\n', 1, "Game is TRID"),
        ('[Game "TRID"]\n[Rules "2"]\n', 2, "Rules is 1"),
        ('[Game "TRID"]\n[Rules "1"]\n[Rules "1"]\n', 3, "twice"),
        ('[Game "TRID"]\n[Rules "1"]\n[Colour "1"]\n', 3, "names:"),
        ('[Game "TRID"]\n[Rules "1"]\n[Option "blocking"]\n', 3, "an Option has"),
        ('[Game "TRID"]\n[Rules "1"]\n[Option "blocking" "no"]\n', 3, "blocking cannot be"),
        ('[Game "TRID"]\n[Rules "1"]\n[Option "blok" "no"]\n', 3, "no option blok"),
        ('[Game "TRID"]\n[Rules "1"]\n[Setup "8"]\n', 1, "seven fields"),
        ('[Game "TRID"]\n[Rules "1"]\n[Result "Ann"]\n', 3, "Result is"),
        ('[Game "TRID"]\n[Rules "1"]\n\n1. a4N b5N\n2. Nb5N\n', 5, "not a legal move"),
        ('[Game "TRID"]\n[Rules "1"]\n[Result "White: checkmate"]\n\n1. a4N\n', 1, "end with"),
    ],
)
def test_matches_that_are_refused(text: str, line: int, says: str) -> None:
    with pytest.raises(history.NotationError, match=says) as refused:
        history.replay(text)
    assert refused.value.line == line
    assert str(refused.value).startswith(f"Line {line}: ")


def test_moves_after_the_end_are_refused() -> None:
    text = placed("Kd1W nd2W kz9QL6")
    said = f'[Game "TRID"]\n[Rules "1"]\n[Setup "{text}"]\n\n9. Kxd2W Kz8QL6\n'
    with pytest.raises(history.NotationError, match="after the end"):
        history.replay(said)


@pytest.mark.parametrize("said", ["White: resigned", "draw: agreed"])
def test_an_agreement_after_the_end_is_refused(said: str) -> None:
    text = placed("Kd1W nd2W kz9QL6")
    tags = f'[Game "TRID"]\n[Rules "1"]\n[Setup "{text}"]\n[Result "{said}"]\n'
    with pytest.raises(history.NotationError, match=f"draw: bare kings, not {said}"):
        history.replay(f"{tags}\n9. Kxd2W\n")


def test_agreed_draws_are_kept() -> None:
    played = table("", ["a2W-a4N"])
    played.offer_draw(0)
    played.offer_draw(1)
    assert history.replay(history.write(played)).result == Result((), "agreed")


@given(st.text(alphabet='[]"\\ \n{}1.aW-Game TRIDRules', max_size=60))
def test_any_text_is_a_match_or_refused(text: str) -> None:
    try:
        replayed = history.replay(text)
    except EngineError:
        return
    assert history.replay(history.write(replayed)).log == replayed.log


def test_all_squares_have_names() -> None:
    assert len(NAMED) == len(NAMES) == 96
