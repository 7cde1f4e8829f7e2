"""Every frame of a match, searched for what its receiver may not know (KNOWN_FAILURES 27)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from cloakboard.engine.codec import encode
from cloakboard.engine.game import Game
from cloakboard.engine.wec import GAME as WEC
from cloakboard.engine.wec.probes import described, unseen
from cloakboard.engine.wec.state import SQUARES, SUB, Piece
from cloakboard.netplay.transcript import Act, Answer, Trace, read_body, read_entry
from cloakboard.netplay.veil.secrets import Secret
from cloakboard.netplay.wire import EntryFrame, unpack
from tests.cheats.positions import crowd
from tests.engine.skirmish import Skirmish
from tests.netplay.rig import Rig, secret
from tests.tiny import game as line

SUB_CELLS = range(SUB * SQUARES, (SUB + 1) * SQUARES)  # numbers that mean nothing else in WEC


class Watched(Rig):
    """Keeps, of each choice, the frames that it set going and what nobody else may know of it:
    the bytes of its secret part, and each seat's unseen pieces that are unseen after it."""

    def __init__(self, game: Game, seed: int) -> None:
        self.noted: list[tuple[int, bytes, int]] = []
        super().__init__(game, seed)
        self.wire.clear()

    def step(self) -> bool:
        seat = next((s for s, peer in enumerate(self.peers) if peer.may_act), None)
        if seat is None:
            return False
        peer = self.peers[seat]
        action = self.choose(seat)
        assert action is not None
        shown, sealed = self.game.split(peer.core.view, seat, action)
        if sealed not in (None, shown):  # a carrier's secret part may be that it carries nobody
            self.noted.append((seat, encode(sealed), len(self.wire)))
        peer.act(action)
        self.flush()
        return True

    def sent(self, source: int, since: int = 0) -> Iterator[bytes]:
        return (frame for seat, _, frame in self.wire[since:] if seat == source)


def open_numbers(frame: bytes) -> set[int]:
    """Every integer in what a frame says in clear: open actions, answers, traces."""
    message = unpack(frame)
    assert isinstance(message, EntryFrame)
    body = read_body(read_entry(message.data))
    told = [body.action] if isinstance(body, Act) else []
    for part in getattr(body, "parts", ()):
        if isinstance(part, Answer):
            told.append(part.data)
        elif isinstance(part, Trace):
            told += [*part.events, part.probe] if part.probe else part.events
    return {number for data in told for number in _numbers(msgspec.msgpack.decode(data))}


def _numbers(value: Any) -> Iterator[int]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for inner in value:
            yield from _numbers(inner)
    elif isinstance(value, int):
        yield value


def records(piece: Piece) -> set[bytes]:
    """The encodings an unseen piece could have on the wire."""
    bare = {piece, described(piece)}
    return {encode(one) for one in bare} | {encode([one]) for one in bare}


GAMES = {"wec": WEC, "crowd": crowd(), "skirmish": Skirmish()}


@pytest.mark.parametrize("name", GAMES)
def test_veil_14_no_frame_holds_an_unseen_piece(name: str) -> None:
    """After each choice: no frame it set going holds a record of a piece that is still unseen,
    and none names in clear the cell of one that is submerged."""
    unseen_ever = 0
    rig = Watched(GAMES[name], 5)
    for _ in range(40 if name == "wec" else 25):
        since = len(rig.wire)
        if not rig.step():
            break
        for seat in range(2):
            hidden = unseen(rig.peers[seat].core.view, seat)
            unseen_ever += len(hidden)
            shown = {piece.cell for piece in rig.peers[seat].core.shown.pieces}
            cells = {p.cell for p in hidden if p.cell in SUB_CELLS} - shown
            for frame in rig.sent(seat, since):
                assert not any(record in frame for piece in hidden for record in records(piece))
                assert not cells & open_numbers(frame)
    assert unseen_ever > 20


@pytest.mark.parametrize("game", [line(2), line(3), crowd(), Skirmish()], ids=lambda g: g.id)
def test_veil_4_no_frame_holds_the_secret_part_of_an_action(game: Game) -> None:
    """From its commitment on, and until the secrets are opened."""
    noted = 0
    for seed in range(3):
        rig = Watched(game, seed)
        for _ in range(12):
            rig.step()
        for seat, sealed, since in rig.noted:
            assert len(sealed) > 12
            assert not any(sealed in frame for frame in rig.sent(seat, since))
        noted += len(rig.noted)
    assert noted >= 3


def test_veil_3_the_secret_leaves_with_the_result_only() -> None:
    rig = Watched(line(2), 2)
    for _ in range(10):
        rig.step()
    secrets = [secret(seat, rig.salt).reveal() for seat in range(2)]
    assert not any(one in frame for one in secrets for _, _, frame in rig.wire)
    rig.peers[0].request("resign")
    rig.flush()
    assert all(any(one in frame for _, _, frame in rig.wire) for one in secrets)


def test_what_a_seat_holds_shows_nothing_in_words() -> None:
    """A log line or a traceback that has a match's machine in it holds no secret."""
    rig = Watched(line(2), 2)
    hand = rig.peers[0].core._hand
    assert hand is not None
    for value in (hand, hand.secret, hand.bound, hand.chain):
        shown = repr(value) + str(value)
        assert hand.secret.reveal().hex() not in shown and repr(hand.secret.reveal()) not in shown
    assert isinstance(hand.secret, Secret)


def test_veil_1_a_machine_holds_no_other_seats_secrets() -> None:
    """After any choice each machine's state is a view of its own seat: seen once more through
    that view, nothing goes."""
    for game in (line(3), crowd()):
        rig = Rig(game, 7)
        for _ in range(12):
            rig.step()
            for seat, peer in enumerate(rig.peers):
                view = peer.core.view
                assert encode(game.view(view, seat)) == encode(view)
                assert encode(game.public(view)) == encode(peer.core.shown)
