"""What a person at a terminal can ask of a friend, by words."""

from __future__ import annotations

import asyncio
import io
import sys
import threading
from collections.abc import Iterator

import pytest

from cloakboard.cli import terminal as module
from cloakboard.cli.terminal import Terminal
from cloakboard.engine.game import Action
from cloakboard.netplay.lockstep import journal
from cloakboard.netplay.lockstep.effects import Heard, Watched
from tests.client.pair import Pair, Wire
from tests.tiny import game

LINE = game(2)


class Told(Wire):
    """A peer whose terminal is told what happens."""

    async def leave(self) -> None:
        self.is_left = True


def typed(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    """The lines that the person types, in order; then it leaves."""
    left: Iterator[str] = iter((*lines, "leave"))
    monkeypatch.setattr(module, "_read_line", lambda: next(left))


def sit(pair: Pair, seat: int) -> Terminal:
    """One turn at the terminal of a seat, which is told all that was told before."""
    terminal = Terminal()
    for told in pair.rig.told[seat]:
        terminal.tell(told)
    match = pair.rig.peers[seat]
    actions = list(match.game.actions(match.core.view, seat))
    asyncio.run(terminal._turn(Told(pair, seat), actions))  # type: ignore[arg-type]
    return terminal


@pytest.fixture
def pair() -> Pair:
    pair = Pair(LINE)
    pair.play(5)
    return pair


def test_a_friend_is_asked_and_agrees_by_the_same_word(
    pair: Pair, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    mover = pair.rig.peers[0].core.floor()[0]
    target = pair.rig.peers[1 - mover].undo_target
    assert target is not None
    pair.rig.peers[1 - mover].request("undo", target)
    pair.deliver()
    typed(monkeypatch, "undo")
    sit(pair, mover)
    assert "the other side asks for: undo" in capsys.readouterr().out
    assert pair.rig.peers[mover].core.timeline.last_choice(1 - mover) != target


def test_a_friend_is_asked_and_declines(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    mover = pair.rig.peers[0].core.floor()[0]
    pair.rig.peers[1 - mover].request("pause")
    pair.rig.peers[1 - mover].offer_name("friday")
    pair.deliver()
    typed(monkeypatch, "decline")
    sit(pair, mover)
    assert pair.rig.peers[0].pending == pair.rig.peers[1].pending == []
    assert not any(kind == journal.NAME for kind, _ in pair.rig.files[mover])


def test_who_resigns_asks_for_nothing(pair: Pair, capsys: pytest.CaptureFixture[str]) -> None:
    pair.rig.peers[0].request("resign")
    pair.deliver()
    for told in pair.rig.told[1]:
        Terminal().tell(told)
    out = capsys.readouterr().out
    assert "the match is over" in out and "asks for" not in out


def test_words_for_talk_and_names(
    pair: Pair, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    mover = pair.rig.peers[0].core.floor()[0]
    pair.rig.peers[1 - mover].offer_name("friday")
    pair.deliver()
    typed(monkeypatch, "say good evening", "save", "dance")
    sit(pair, mover)
    assert module.HELP in capsys.readouterr().out
    assert (journal.NAME, b"friday") in pair.rig.files[1 - mover]
    Terminal().tell(pair.rig.told[1 - mover][-2])
    assert "good evening" in capsys.readouterr().out


@pytest.mark.parametrize("line", ["²", "٣", "9" * 5_000, "-1", "1.0"])
def test_what_is_no_number_of_an_action_plays_nothing(
    pair: Pair, line: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    mover = pair.rig.peers[0].core.floor()[0]
    entries = len(pair.rig.entries(mover))
    typed(monkeypatch, line)
    sit(pair, mover)
    assert len(pair.rig.entries(mover)) == entries
    assert module.HELP in capsys.readouterr().out.splitlines()


def test_what_is_typed_in_another_encoding_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"caf\xe9\n"), "utf-8"))
    assert [module._read_line(), module._read_line()] == ["", "leave"]


def test_a_number_typed_for_a_position_that_is_gone_plays_nothing(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    mover = pair.rig.peers[0].core.floor()[0]
    before = len(pair.rig.entries(0))

    def late() -> str:
        pair.rig.peers[1 - mover].request("draw")  # the mover takes it in meanwhile
        pair.deliver()
        return "0"

    monkeypatch.setattr(module, "_read_line", late)
    sit(pair, mover)
    assert len(pair.rig.entries(0)) == before + 1


class Played(Told):
    """A peer that tells when it has acted."""

    def __init__(self, pair: Pair, seat: int) -> None:
        super().__init__(pair, seat)
        self.has_acted = threading.Event()

    async def act(self, action: Action) -> None:
        await super().act(action)
        self.has_acted.set()


def test_jq_105_the_computer_plays_until_it_is_told_otherwise(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Typed on, it plays and the other side is told; typed off, the person is asked again."""
    pair = Pair(LINE, room={"computers_take_over": True})
    pair.play(5)
    mover = pair.rig.peers[0].core.floor()[0]
    terminal = Terminal()
    peer = Played(pair, mover)
    before = len(pair.rig.entries(0))

    def read() -> Iterator[str]:
        yield "computer on"
        assert peer.has_acted.wait(5)
        yield "computer off"
        while True:
            yield "leave"

    lines = read()
    monkeypatch.setattr(module, "_read_line", lambda: next(lines))

    async def play() -> None:
        changed = asyncio.Event()
        playing = asyncio.create_task(terminal.play(peer, changed))  # type: ignore[arg-type]
        while not playing.done() and "plays_again" not in phrases(pair, 1 - mover):
            changed.set()
            await asyncio.sleep(0)
        playing.cancel()

    asyncio.run(play())
    assert peer.has_acted.is_set() and len(pair.rig.entries(0)) > before
    assert phrases(pair, 1 - mover) == ["stands_in", "plays_again"]
    assert module.ITS_TURN in capsys.readouterr().out


def phrases(pair: Pair, seat: int) -> list[str]:
    """The quick phrases that a seat has heard."""
    return [told.phrase for told in pair.rig.told[seat] if isinstance(told, Heard)]


@pytest.mark.parametrize(
    ("told", "line"),
    [
        (Watched(0, 0), "watching at the machine of seat 0: 0"),
        (Watched(1, 2), "watching at the machine of seat 1: 2"),
        (Watched(0, 2, ("cid", "dee")), "watching at the machine of seat 0: 2 (cid, dee)"),
    ],
)
def test_how_many_watch_is_told(
    told: Watched, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Terminal().tell(told)
    assert capsys.readouterr().out == f"{line}\n"


def test_where_the_room_does_not_allow_it_no_computer_plays(
    pair: Pair, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = len(pair.rig.entries(0))
    typed(monkeypatch, "computer on")
    sit(pair, pair.rig.peers[0].core.floor()[0])
    assert "its settings do not allow it" in capsys.readouterr().out
    assert len(pair.rig.entries(0)) == before
