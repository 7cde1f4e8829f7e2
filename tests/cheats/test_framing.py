"""What a dishonest seat may try against the others: two versions, silence, old signatures, words
that mean nothing. No file ever convicts who followed the protocol (VEIL 1)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from cloakboard.engine.codec import encode as canonical
from cloakboard.engine.errors import EngineError
from cloakboard.engine.game import Game
from cloakboard.engine.wec.actions import EndTurn, Move, Ref
from cloakboard.engine.wec.events import Changed
from cloakboard.engine.wec.probes import Shown
from cloakboard.engine.wec.state import SUB, Flight, Gear, Piece
from cloakboard.netplay.errors import NetplayError
from cloakboard.netplay.lockstep.effects import Send
from cloakboard.netplay.lockstep.judge import judge
from cloakboard.netplay.lockstep.match import Match
from cloakboard.netplay.transcript import (
    Answer,
    Entry,
    Opened,
    Request,
    TaggedBody,
    Trace,
    encode,
    read_request,
    sign_entry,
    sign_request,
)
from cloakboard.netplay.wire import EntryFrame, RequestFrame, unpack
from tests.cheats.court import Court, blamed_in_play, convict
from tests.cheats.liars import Liar, forged, liar, part, raw
from tests.cheats.positions import crowd
from tests.cheats.test_hidden_lies import DIVE, END, SHOT, STEP, hides_from_lookup
from tests.engine.wec.build import cell
from tests.netplay.rig import Rig
from tests.tiny import game as line
from tests.tiny.events import Appeared
from tests.tiny.pieces import Kind, Token
from tests.tiny.probes import Told

SHORT = {"turns": 9}


def begin(game: Game, machine: dict[int, Callable[..., Match]]) -> Rig:
    """A match with two Turns played of it."""
    rig = Rig(game, 3, SHORT if game.id.startswith("line") else {}, machine=machine)
    if game.id.startswith("line"):
        rig.play(6)
    else:
        script = (SHOT, DIVE, END, (1, Move(Ref(4), (cell(6, 8),))), (1, EndTurn()))
        for seat, action in script:
            if rig.peers[seat].may_act:
                rig.peers[seat].act(action)
                rig.flush()
    return rig


def nobody_blamed(rig: Rig, liar: int, folder: Path) -> None:
    """No file of anybody at any cut blames anybody but the liar."""
    court = Court(rig)
    for seat in range(rig.game.seats):
        finding = court.verify(seat, folder)
        assert finding is None or finding.seat in (liar, -1), (seat, finding)
        assert court.blamed_earlier(seat) <= {liar, -1}
    assert blamed_in_play(rig, liar) <= {liar, -1}


GAMES: dict[str, Callable[[], Game]] = {
    "line2": lambda: line(2),
    "line3": lambda: line(3),
    "line4": lambda: line(4),
    "wec": crowd,
}
games = pytest.mark.parametrize("game", GAMES)


# --- two versions ----------------------------------------------------------------------------


class Forker(Match):
    """Signs another version of its fourth entry, and sends one or the other."""

    written = 0
    other: Entry | None = None
    splits = False  # whether each seat gets one version only

    def _write(self, body: TaggedBody, digest: bytes) -> None:
        super()._write(body, digest)
        self.written += 1
        if self.written != 4:
            return
        entry = self.entries[-1]
        header = replace(entry.header, used_ms=entry.header.used_ms + 1)
        self.other = sign_entry(self.identity, header, entry.body)
        frame = EntryFrame(encode(self.other))
        if self.splits:
            last = self.others[-1]
            self.outbox = [
                Send(last, frame) if isinstance(e, Send) and e.seat == last else e
                for e in self.outbox
            ]
        else:
            self._broadcast(frame)


@games
def test_two_versions_of_an_entry(game: str, tmp_path: Path) -> None:
    rig = begin(GAMES[game](), {0: Forker})
    assert rig.stopped()
    assert "two versions" in convict(rig, 0, tmp_path).text


def test_each_seat_gets_another_version(tmp_path: Path) -> None:
    """Of three: whoever first meets the other version blames nobody for following it, and the
    two files together convict."""

    class Splitter(Forker):
        splits = True

    rig = Rig(line(3), 3, SHORT, machine={0: Splitter})
    with pytest.raises(NetplayError, match="from another entry"):
        rig.play(9)
    nobody_blamed(rig, 0, tmp_path)
    splitter = rig.peers[0]
    assert isinstance(splitter, Splitter) and splitter.other is not None
    finding = judge(rig.game, rig.entries(1), [splitter.other])[0].finding
    assert finding is not None and finding.seat == 0


@games
def test_a_version_of_another_epoch_is_no_fork(game: str, tmp_path: Path) -> None:
    """A break between the two: the first was never part of the chain."""
    rig = begin(GAMES[game](), {})
    old = rig.entries(0)[-1]
    for seat in range(rig.game.seats):
        del rig.files[seat][-1]
        rig.crash(seat)
    rig.reconnect()
    rig.play(2)
    assert judge(rig.game, rig.entries(0), [old])[0].finding is None
    with pytest.raises(NetplayError, match="another past"):
        rig.peers[1].received(0, EntryFrame(encode(old)))
    assert not rig.stopped()


# --- silence -----------------------------------------------------------------------------------


class Mute(Liar):
    """A liar that does not open its secret."""

    def _write(self, body: TaggedBody, digest: bytes) -> None:
        if not isinstance(body, Opened):
            super()._write(body, digest)


@games
def test_refusing_to_open_hides_the_lie_and_is_no_win(game: str, tmp_path: Path) -> None:
    """Nobody is convicted, nothing is called clean, and the file says that it is not judged."""
    rig = begin(GAMES[game](), {0: lambda *args: Mute(*args, lies={"holds": hides_from_lookup})})
    rig.peers[1].request("resign")
    rig.flush()
    nobody_blamed(rig, 0, tmp_path)
    assert not any(peer.closed for peer in rig.peers)
    for seat in range(1, rig.game.seats):
        judgement, _ = judge(rig.game, rig.entries(seat))
        assert judgement.ended and not judgement.judged
        assert judgement.text == "cannot judge yet: hidden moves are not open"
    opened = {entry.header.author for entry in rig.entries(1) if b"opened" in entry.body}
    assert 0 not in opened


# --- old and forged signatures ------------------------------------------------------------------


def test_a_declined_offer_cannot_be_taken_up_later(tmp_path: Path) -> None:
    """Seat 1 offers a draw, seat 0 plays on; Turns later it takes the old offer in beside its
    own. The game goes on."""
    offers: list[Request] = []

    def takes_it_up(match: Any, header: Any, body: bytes) -> Any:
        if not offers or match.core.shown.turn < 3:
            return header, body
        mine = match.core.place.head
        own = Request(match.id, mine, 0, "draw")
        taken = (sign_request(match.identity, own), offers[0])
        return replace(header, requests=taken), body

    rig = Rig(line(2), 5, SHORT, machine={0: raw(takes_it_up)})
    rig.peers[1].request("draw")
    rig.flush()
    assert rig.peers[0].core.requests.draws == {1}
    frames = [unpack(frame) for source, _, frame in rig.wire if source == 1]
    offers += [read_request(f.data) for f in frames if isinstance(f, RequestFrame)]
    rig.play()
    assert rig.peers[0].has_lied  # type: ignore[attr-defined]
    assert {peer.core.result and peer.core.result.reason for peer in rig.peers} != {"agreed"}
    nobody_blamed(rig, 0, tmp_path)


def test_an_offer_stands_until_another_seat_acts() -> None:
    rig = Rig(line(2), 5, SHORT)
    rig.peers[1].request("draw")
    rig.flush()
    rig.step()
    assert rig.peers[0].core.requests.draws == rig.peers[1].core.requests.draws == set()
    rig.peers[1].request("draw")
    rig.peers[0].request("draw")
    rig.flush()
    assert {peer.core.result and peer.core.result.reason for peer in rig.peers} == {"agreed"}


def test_a_request_after_the_end_changes_nothing() -> None:
    """Who has won and had resigned too late has won."""
    rig = Rig(line(2), 5, SHORT)
    rig.peers[0].request("resign")
    late = [m for m in rig.peers[0].outbox if isinstance(m, Send)]
    rig.peers[1].request("resign")
    rig.peers[1].outbox.clear()
    rig.peers[1].pending.clear()
    rig.flush()
    assert late and all(peer.closed for peer in rig.peers)
    assert {peer.core.result and peer.core.result.winners for peer in rig.peers} == {(1,)}


@games
def test_a_forged_request_on_the_wire_is_refused(game: str) -> None:
    rig = begin(GAMES[game](), {})
    match = rig.peers[1].id
    for request in (
        Request(match, match, 1, "resign", signature=bytes(64)),
        Request(match, match, 9, "resign", signature=bytes(64)),
        Request(bytes(32), match, 0, "draw", signature=bytes(64)),
        Request(match, match, 0, "undo", signature=bytes(64)),
    ):
        with pytest.raises(NetplayError):
            rig.peers[1].received(0, RequestFrame(encode(request)))
    assert not rig.peers[1].pending and rig.peers[1].core.result is None


# --- what has no sense ---------------------------------------------------------------------------

PHANTOM = Token(7, Kind.SCOUT)


def shows_a_phantom(trace: Trace) -> Trace:
    """A token of the next seat, where that seat has none."""
    return replace(trace, events=(canonical(Appeared(seat=1, token=PHANTOM)), *trace.events))


def shows_a_phantom_sub(trace: Trace) -> Trace:
    before = Piece(1, "SU", cell(7, 7, SUB), own_ready=(0, 0))
    shown = Changed(cause="shown", before=before, after=replace(before, handle=8))
    return replace(trace, events=(canonical(shown), *trace.events))


@pytest.mark.parametrize("game", GAMES)
def test_a_piece_that_its_owner_does_not_have_is_not_shown(game: str, tmp_path: Path) -> None:
    """Otherwise the owner's honest moves would look impossible from then on."""
    phantom = shows_a_phantom_sub if game == "wec" else shows_a_phantom
    rig = begin(GAMES[game](), {0: liar(part(Trace, phantom))})
    for _ in range(20):
        rig.step()
    assert isinstance(rig.peers[0], Liar) and rig.peers[0].tampered
    assert [stop.seat for stop in rig.stopped() if "can" in stop.text or "could" in stop.text]
    nobody_blamed(rig, 0, tmp_path)


ODD = Piece(0, "ZZ", 5000, "middle", -3, (Gear("??", -1, 7),), (1, 2, 3), 9, 9)
LINE_NONSENSE: tuple[Any, ...] = (
    None, -1, 99, 2**40, Token(-5, Kind.GUNNER), Token(500, Kind.RUNNER), Token(8, Kind.SCOUT),
    Told((Token(99, Kind.SCOUT),), ()), Told((), (99, -1)), Told((Token(1, Kind.SCOUT),) * 3, (0,)),
    (), ((3, None),), ((-1, Token(0, Kind.SCOUT)), (9, None)),
)  # fmt: skip
WEC_NONSENSE: tuple[Any, ...] = (
    None, -7, 3, 9, 77, 2**40, (), ((5, None), (5, 9)), ((1, (ODD,)),), Shown(), Shown((ODD,)),
    Shown((replace(ODD, cell=cell(4, 7), handle=0),)),
    Shown((Piece(0, "CH", cell(4, 7)),)), Shown((Piece(0, "SU", cell(4, 7)),)),
    Shown((Piece(0, "K", cell(4, 7)), Piece(0, "K", cell(4, 7)))),
    Shown((Piece(1, "AAA", cell(4, 7)),)), Shown((Piece(0, "AAA", cell(4, 7), handle=5),)),
    Shown((Piece(0, "AAA", cell(4, 7), flight=Flight("??", 999, 1, 1)),)),
    Shown((Piece(0, "AAA", cell(4, 7), chased=(9, 8), hits=(("??", 5),), stunned=-4),)),
)  # fmt: skip


def nonsense(game: str) -> tuple[Any, ...]:
    return WEC_NONSENSE if game == "wec" else LINE_NONSENSE


def survives(rig: Rig, script: tuple[Any, ...]) -> None:
    """Plays on; whatever stops it does so in words."""
    try:
        for seat, action in script:
            if rig.peers[seat].may_act:
                rig.peers[seat].act(action)
                rig.flush()
        rig.play(12 if not script else 0)
    except (NetplayError, EngineError):
        pass


@games
def test_answers_without_sense(game: str, tmp_path: Path) -> None:
    """Well-formed answers that no rule foresees: the honest machines end the match in words, at
    the latest when they cannot go on, and nobody honest is blamed for it."""
    script = (STEP, END, (1, Move(Ref(4), (cell(4, 7),))), (1, EndTurn()), DIVE, END)
    for at, said in enumerate(nonsense(game)):
        for nth in range(1 if game == "wec" else 2):
            rig = Rig(GAMES[game](), at, machine={0: liar(part(Answer, from_the(nth, said)))})
            survives(rig, script if game == "wec" else ())
            nobody_blamed(rig, 0, tmp_path / f"{at}-{nth}")


def from_the(nth: int, said: Any) -> Callable[[Answer], Answer]:
    """A change of every answer but the first n."""
    count = iter(range(10**6))
    return lambda answer: Answer(canonical(said)) if next(count) >= nth else answer


@games
def test_labels_without_sense(game: str, tmp_path: Path) -> None:
    """The same of what a blind lookup gives."""
    labels = [label for label in nonsense(game) if fits(GAMES[game](), label)]
    assert len(labels) > 2
    script = (STEP, END, (1, EndTurn()), DIVE, END, (1, EndTurn()), STEP, END)
    for at, said in enumerate(labels):
        rig = Rig(
            GAMES[game](),
            at,
            machine={
                0: liar(
                    holds=lambda state, probe, truth, said=said: (
                        dict.fromkeys(truth, said) if probe.lookup != "path" else truth
                    )
                )
            },
        )
        survives(rig, script if game == "wec" else ())
        nobody_blamed(rig, 0, tmp_path / str(at))


def fits(game: Game, label: Any) -> bool:
    try:
        msgspec.msgpack.decode(canonical(label), type=game.types.label)
    except msgspec.MsgspecError:
        return False
    return True


def test_a_forged_resign_is_the_forgers(tmp_path: Path) -> None:
    """A resignation that the other never signed, in an entry of the forger's."""
    unsigned = Request(bytes(32), bytes(32), 1, "resign", signature=bytes(64))
    rig = begin(line(2), {0: raw(forged(unsigned))})
    assert convict(rig, 0, tmp_path).seat == 0


def test_nonsense_never_becomes_a_piece(tmp_path: Path) -> None:
    """What a stranger names and no rule could make is refused before it stands on any board:
    screens and computer players need not be ready for it."""
    script = (STEP, END, (1, Move(Ref(4), (cell(4, 7),))), (1, EndTurn()), DIVE, END)
    shown = [said for said in WEC_NONSENSE if isinstance(said, Shown) and said.pieces]
    known = {kind_of(piece) for piece in crowd().start({}, "").pieces}
    for at, said in enumerate(shown):
        rig = Rig(crowd(), at, machine={0: liar(part(Answer, from_the(0, said)))})
        survives(rig, script)
        for piece in rig.peers[1].core.view.pieces:
            assert kind_of(piece) in known, said
            assert piece.stunned >= 0 and not (piece.flight or piece.hits or piece.chased), said


def kind_of(piece: Piece) -> tuple[object, ...]:
    """What no Move changes of a piece."""
    return piece.side, piece.kind, piece.hand, piece.gear, len(piece.own_ready)
