"""Looking back: recordings of tables and files, reels, what plays them, and the list of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec.structs import replace as struct_replace

from cloakboard.client import recording as recordings
from cloakboard.client.local_session import LocalSession
from cloakboard.client.projector import PAUSE_MS, Projector
from cloakboard.client.recording import Recording, for_seat, of_file, of_table
from cloakboard.client.reel import Parted, Reel
from cloakboard.client.shelf import Shelf, read_text
from cloakboard.engine.errors import IllegalAction
from cloakboard.engine.game import Game
from cloakboard.engine.registry import game
from cloakboard.engine.wec.actions import EndTurn, Move
from cloakboard.engine.wec.board import find
from cloakboard.engine.wec.notation import NotationError
from cloakboard.engine.wec.notation.positions import write_setup
from cloakboard.engine.wec.position import Placed, Position
from cloakboard.engine.wec.state import BLACK, WHITE, square_at
from cloakboard.netplay.errors import NetplayError
from cloakboard.netplay.identity import Identity
from cloakboard.netplay.profile import Profile
from cloakboard.netplay.transcript import header_hash
from cloakboard.netplay.veil.blind import Hand
from tests.netplay.rig import Rig, identity, secret

WEC = game("wec")
GAMES: Mapping[str, Game] = {"wec": WEC}


def played(seed: bytes, actions: int) -> LocalSession:
    session = LocalSession(WEC, ("Ann", "Bob"), seed=seed)
    for _ in range(actions):
        seat = session.to_act()[0]
        session.act(seat, session._chosen(seat))
    return session


def moved(session: LocalSession, start: tuple[int, int], end: tuple[int, int]) -> None:
    """Moves a Ground piece and ends the Turn."""
    seat = session.to_act()[0]
    state = session.state(seat)
    for action in session.actions(seat):
        if isinstance(action, Move) and action.route[-1] == square_at(*end):
            piece = find(state, seat, action.piece)
            if piece is not None and piece.cell == square_at(*start):
                session.act(seat, action)
                session.act(seat, EndTurn())
                return
    raise AssertionError(f"no move from {start} to {end}")


@pytest.fixture(scope="module")
def rig() -> Rig:
    """A match over the net, cut off after some actions."""
    rig = Rig(WEC, 5)
    rig.shares_audit = True
    for _ in range(24):
        assert rig.step()
    return rig


@pytest.fixture(scope="module")
def ended(rig: Rig, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a finished match; `unfinished.cloak` beside it is of the time before."""
    folder = tmp_path_factory.mktemp("saves")
    rig.write(BLACK, folder / "unfinished.cloak")
    rig.peers[WHITE].request("resign")
    rig.flush()
    return rig.write(BLACK, folder / "ended.cloak")


def test_veil_8_what_was_taken_back_is_not_in_the_recording(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither during the match nor after it; play cannot go on from it at one machine, where
    pieces would get other numbers."""
    rig = Rig(WEC, 5)
    rig.shares_audit = True
    rig.play(12)
    for seat in (WHITE, BLACK):
        for other in (seat, 1 - seat):
            target = rig.peers[seat].undo_target
            if target is not None:
                rig.peers[other].request("undo", target)
                rig.flush()
        rig.play(5)
    counters = dict.fromkeys(WEC.types.counters, 0)

    def same(recording: Recording, seat: int) -> bool:
        reel = Reel(recording, seat)
        shown, known = reel.state(reel.steps), rig.peers[seat].core.view
        return bool(struct_replace(shown, **counters) == struct_replace(known, **counters))

    hand = Hand(secret(BLACK, rig.salt), rig.opening, rig.peers[BLACK].id, BLACK)
    monkeypatch.setattr(recordings, "own_hand", lambda *_: hand)
    during = of_file(rig.write(BLACK, tmp_path / "during.cloak"), GAMES, identity(BLACK))
    assert same(during, BLACK) and not during.is_straight
    rig.peers[WHITE].request("resign")
    rig.flush()
    whole = of_file(rig.write(BLACK, tmp_path / "after.cloak"), GAMES)
    assert same(whole, BLACK) and same(whole, WHITE)
    assert not whole.can_go_on(1)


def test_a_finished_match_of_friends_is_recorded_whole(rig: Rig, ended: Path) -> None:
    whole = of_file(ended, GAMES)
    assert whole.is_whole
    assert whole.result is not None
    assert whole.result.winners == (BLACK,)
    reel = Reel(whole, None)
    full = reel.state(reel.steps)
    for seat in (BLACK, WHITE):
        assert WEC.view(full, seat) == rig.peers[seat].core.view
        eyes = Reel(whole, seat)
        assert eyes.state(eyes.steps) == rig.peers[seat].core.view


def test_an_unfinished_match_of_friends_tells_what_its_seat_knows(
    rig: Rig, ended: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = header_hash(rig.entry.header)

    def hand(key: Identity, opening: object, match_id: bytes, seat: int) -> Hand:
        return Hand(secret(seat, rig.salt), rig.opening, match, seat)

    monkeypatch.setattr(recordings, "own_hand", hand)
    known = of_file(ended.with_name("unfinished.cloak"), GAMES, identity(BLACK))
    whole = of_file(ended, GAMES)
    assert known.seat == BLACK
    assert known.result is None
    limited = for_seat(whole, BLACK)
    assert [record.events for record in known.log] == [record.events for record in limited.log]
    assert [record.action for record in known.log] == [record.action for record in limited.log]
    with pytest.raises(AssertionError):
        known.start(None)


def test_a_match_of_strangers_is_not_opened(ended: Path) -> None:
    with pytest.raises(NetplayError, match="holds no seat"):
        of_file(ended.with_name("unfinished.cloak"), GAMES, Identity(bytes(32)))


@pytest.mark.parametrize("eyes", [None, BLACK, WHITE])
def test_a_reel_of_a_table_ends_where_the_table_is(eyes: int | None) -> None:
    session = played(b"reel", 60)
    reel = Reel(of_table(session.table, session.names), eyes)
    assert reel.steps == 60 + sum(record.forced for record in session.table.log)
    table = session.table
    assert reel.state(reel.steps) == (table.state if eyes is None else table.view(eyes))
    assert reel.state(0) == reel.recording.start(eyes)
    starts = reel.turn_starts
    assert [reel.state(step).turn for step in starts] == list(range(1, table.state.turn + 1))


def test_a_limited_recording_names_nothing_unseen() -> None:
    session = played(b"reel", 60)
    limited = of_table(session.table, session.names, WHITE)
    for record in limited.log:
        assert not any(event.only == (BLACK,) for event in record.events)
        if record.seat == BLACK and isinstance(record.action, Move):
            assert record.action.piece.handle
    assert limited.seed is None
    assert not limited.can_go_on(1)


def test_wec_49_a_stopped_move_tells_both_places() -> None:
    position = Position(
        pieces=(
            Placed(BLACK, "K", square_at(1, 1)),
            Placed(BLACK, "TA", square_at(2, 10), "left"),
            Placed(WHITE, "K", square_at(10, 1)),
            Placed(WHITE, "AAA", square_at(7, 9)),
        )
    )
    session = LocalSession(WEC, ("Ann", "Bob"), setup=write_setup(position))
    moved(session, (2, 10), (8, 8))
    reel = Reel(of_table(session.table, session.names), BLACK)
    assert reel.parted(1) == Parted(square_at(2, 10), square_at(8, 8), square_at(7, 9))
    assert reel.parted(2) is None
    assert reel.sentences(1) == (
        "Black's Tank sets out for 8,8 and is stopped at 7,9 by what it did not see.",
        "White's AAA comes into view at 7,9.",
        "Black's Tank moves from 2,10 to 7,9.",
        "White's AAA is taken at 7,9.",
    )
    assert "{met (7,9)}" in reel.notation()


def test_lines_lead_to_their_steps() -> None:
    session = LocalSession(WEC, ("Ann", "Bob"))
    moved(session, (2, 2), (3, 1))
    moved(session, (9, 9), (8, 10))
    reel = Reel(of_table(session.table, session.names), None)
    assert [(line.step, line.turn, line.side, line.text) for line in reel.lines] == [
        (1, 1, BLACK, "Black's Stun Gun Pawn moves from 2,2 to 3,1."),
        (3, 2, WHITE, "White's Stun Gun Pawn moves from 9,9 to 8,10."),
    ]
    assert [(line.step, line.text) for line in reel.notation_lines] == [
        (2, "1. MV:STP(2,2)->(3,1)"),
        (4, "2. MV:STP(9,9)->(8,10)"),
    ]
    assert reel.touched(1) == (square_at(2, 2), square_at(3, 1))
    assert reel.sentences(0) == ("The start position.",)


def test_what_tells_of_the_whole_match_is_worked_out_once() -> None:
    session = played(b"show", 10)
    reel = Reel(of_table(session.table, session.names), BLACK)
    assert reel.lines and reel.lines is reel.lines
    assert reel.notation_lines is reel.notation_lines


def test_a_projector_steps_and_jumps() -> None:
    session = played(b"show", 30)
    reel = Reel(of_table(session.table, session.names), BLACK)
    projector = Projector(reel)
    for step in range(1, reel.steps + 1):
        assert projector.forward()
        while projector.next_event() is not None:
            pass
        assert projector.shown == reel.state(step)
    assert not projector.forward()
    projector.go(-5)
    assert (projector.step, projector.shown) == (0, reel.state(0))
    projector.forward()
    projector.forward()  # the first step is not waited for
    assert projector.step == 2
    starts = reel.turn_starts
    projector.go(starts[2])
    assert projector.by_turns(1) == starts[3]
    assert projector.by_turns(-1) == starts[1]
    assert projector.by_turns(1000) == reel.steps
    assert projector.by_turns(-1000) == 0


def test_it_plays_by_itself_at_its_speed() -> None:
    session = played(b"show", 6)
    projector = Projector(Reel(of_table(session.table, session.names), None))
    projector.set_speed(1)
    projector.play(True)
    assert projector.rest(1)
    projector.forward()
    while projector.next_event() is not None:
        pass
    assert not projector.rest(PAUSE_MS / 2 - 1)
    assert projector.rest(1)
    projector.set_speed(-10)
    assert projector.speed == 0.5


def test_play_goes_on_from_a_step() -> None:
    session = played(b"go", 40)
    recording = of_table(session.table, session.names)
    again = LocalSession.going_on(recording, 21)
    reel = Reel(recording, None)
    assert again.table.state == reel.state(len(again.table.log))
    assert len(again.table.log) >= 21
    for _ in range(10):
        seat = again.to_act()[0]
        again.act(seat, again._chosen(seat))
    with pytest.raises(IllegalAction):
        LocalSession.going_on(of_table(session.table, session.names, BLACK), 3)


def test_notation_is_read_back_to_the_same_positions() -> None:
    session = played(b"text", 50)
    recording = of_table(session.table, session.names)
    text = Reel(recording, None).notation()
    again = read_text(text)
    assert again.names == ("Ann", "Bob")
    assert again.seed is None
    one, other = Reel(recording, None), Reel(again, None)
    assert other.state(other.steps) == one.state(one.steps)
    broken = text.replace("1. MV:", "1. MV:?", 1)
    with pytest.raises(NotationError, match="Line"):
        read_text(broken)


@pytest.fixture
def shelf(tmp_path: Path, ended: Path) -> Shelf:
    profile = Profile.open(tmp_path / "profile")
    (profile.saves / "ended.cloak").write_bytes(ended.read_bytes())
    return Shelf(profile, Identity.open(profile.folder), GAMES)


def test_the_shelf_lists_and_opens(shelf: Shelf) -> None:
    saves = shelf.folder.parent / "saves"
    computer = LocalSession(WEC, ("Ann", "Computer"), computers=(1,), saves=saves)
    computer.save("alone")
    LocalSession(WEC, ("Ann", "Bob"), saves=saves).save("two")
    over = LocalSession(WEC, ("Ann", "Bob"), saves=saves)
    over.resign(0)
    (finished,) = (saves / "finished").iterdir()
    (saves / "broken.cloak").write_bytes(b"nothing")
    path = shelf.write("evening", Reel(of_table(computer.table, ("A", "B")), None).notation())
    assert shelf.write("evening", '[Game "WEC"]\nx') != path
    kept = {row.path.name: bool(row.problem) for row in shelf.kept()}
    assert kept == {
        "ended.cloak": False,
        "alone.table": False,
        "broken.cloak": True,
        "evening.wec": False,
        "evening-2.wec": False,
        finished.name: False,
    }
    assert shelf.open(finished).is_whole
    assert shelf.open(saves / "ended.cloak").is_whole
    assert shelf.open(saves / "alone.table").seat == 0
    assert shelf.open(path).is_whole
    with pytest.raises(NotationError):
        shelf.open(path.with_name("evening-2.wec"))


def test_a_recording_without_its_seed_goes_on_only_without_chance() -> None:
    session = played(b"draws", 10)
    recording: Recording = replace(of_table(session.table, session.names), seed=None)
    drawn = session.table.drawn
    assert recording.can_go_on(len(recording.log)) == (drawn == 0)
