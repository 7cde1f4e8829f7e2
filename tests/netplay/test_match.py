"""Honest matches: all machines see one match, whatever the game and whoever asks for what."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from cloakboard.engine.codec import encode as canonical
from cloakboard.engine.errors import IllegalAction
from cloakboard.engine.game import Game, Result
from cloakboard.engine.wec import GAME as WEC
from cloakboard.netplay.errors import NetplayError
from cloakboard.netplay.lockstep import journal
from cloakboard.netplay.lockstep.effects import Declined, Ended, Happened, Judged, Offered
from cloakboard.netplay.lockstep.faults import FINDING_LENGTH
from cloakboard.netplay.lockstep.judge import judge
from cloakboard.netplay.transcript import (
    ALL_SEATS,
    Entry,
    Reply,
    Request,
    body_hash,
    encode,
    header_hash,
    read_body,
    sign_entry,
)
from cloakboard.netplay.veil.group import hash_to_point
from cloakboard.netplay.wire import (
    Bye,
    EntryFrame,
    Heads,
    Hello,
    Message,
    RequestFrame,
    Signed,
    pack,
    unpack,
)
from tests.engine.skirmish import Skirmish
from tests.netplay.rig import Rig, identity
from tests.strategies import damaged, garbage
from tests.tiny import game as line
from tests.tiny.actions import End

MATCHES: dict[str, tuple[Game, int, dict[str, int], int]] = {  # game, seed, options, choices
    "line2 to its end": (line(2), 1, {}, 1000),
    "line2 until the Turns are over": (line(2), 4, {"turns": 8, "cells": 24}, 1000),
    "line3 to its end": (line(3), 2, {"turns": 15}, 1000),
    "line4 to its end": (line(4), 2, {"turns": 15}, 1000),
    "wec": (WEC, 3, {}, 30),
    "wec in a crowd": (Skirmish(), 8, {}, 25),
}


@pytest.mark.parametrize("name", MATCHES)
def test_an_honest_match_is_clean_on_every_machine_and_from_its_file(
    name: str, tmp_path: Path
) -> None:
    game, seed, options, choices = MATCHES[name]
    rig = Rig(game, seed, options)
    rig.play(choices)
    rig.peers[seed % game.seats].request("resign")  # nothing, if the match is over
    rig.flush()
    assert all(peer.closed for peer in rig.peers) and not rig.stopped()
    assert len({peer.core.digest() for peer in rig.peers}) == 1
    assert len({tuple(map(encode, rig.entries(seat))) for seat in range(game.seats)}) == 1
    judgements = []
    for seat, peer in enumerate(rig.peers):
        contents = journal.read(rig.write(seat, tmp_path / f"{seat}.cloak"))
        judgement, state = judge(game, contents.entries, contents.refused)
        assert judgement.text == "clean" and judgement.judged and judgement.ended
        assert (judgement.digest, judgement.result) == (peer.core.digest(), peer.core.result)
        assert canonical(state) == canonical(peer.core.shown)
        assert peer.judgement is not None and peer.judgement.text == "clean"
        judgements.append(judgement)
        told = [type(one) for one in rig.told[seat] if type(one) in (Ended, Judged)]
        assert told == [Ended, Judged]
    assert len(set(map(str, judgements))) == 1


@pytest.mark.parametrize("game", [line(3), WEC], ids=lambda game: game.id)
def test_veil_2_every_point_is_at_hand_before_the_first_action(game: Game) -> None:
    """Otherwise the time of a reply would tell which cells are held for the first time."""
    hash_to_point.cache_clear()
    rig = Rig(game, 4)
    made = hash_to_point.cache_info().misses
    rig.play(12)
    assert any(isinstance(read_body(entry), Reply) for entry in rig.entries(0)[1:])
    assert hash_to_point.cache_info().misses == made > 0


@pytest.mark.parametrize("game", [line(3), Skirmish()], ids=lambda game: game.id)
def test_a_machine_that_starts_from_its_journal_is_where_it_was(game: Game) -> None:
    rig = Rig(game, 9)
    for _ in range(4):
        rig.play(3)
        for seat, peer in enumerate(rig.peers):
            loaded = rig.load(seat)
            assert canonical(loaded.core.view) == canonical(peer.core.view)
            assert loaded.core.place.head == peer.core.place.head
            assert loaded.core.floor() == peer.core.floor()
            assert not loaded.may_act, "nobody is connected yet"


def test_what_happened_folds_to_what_is() -> None:
    """The events told to a seat, folded over its start, give its view."""
    game = line(3)
    rig = Rig(game, 3)
    rig.play(20)
    full = game.start({}, "", rig.peers[0].id)
    for seat, peer in enumerate(rig.peers):
        state = game.view(full, seat)
        for told in rig.told[seat]:
            for event in told.events if isinstance(told, Happened) else ():
                state = game.apply(state, event)
        assert canonical(state) == canonical(peer.core.view)


def test_whoever_may_not_act_cannot_and_nothing_changes() -> None:
    rig = Rig(line(2), 1)
    for seat, action in ((1, End()), (0, End())):
        with pytest.raises(IllegalAction):
            rig.peers[seat].act(action)
    rig.flush()
    assert [len(rig.entries(seat)) for seat in range(2)] == [1, 1]
    rig.step()
    assert not rig.stopped()


# --- resignation and draws ----------------------------------------------------------------------


@pytest.mark.parametrize("seat", [0, 1, 2])
@pytest.mark.parametrize("choices", [0, 1, 4])
def test_anyone_resigns_at_any_time(seat: int, choices: int) -> None:
    rig = Rig(line(3), 6, {"turns": 9})
    rig.shares_audit = True
    rig.play(choices)
    rig.peers[seat].request("resign")
    rig.flush()
    others = tuple(other for other in range(3) if other != seat)
    assert {peer.core.result for peer in rig.peers} == {Result(others, "resigned")}
    assert all(peer.closed for peer in rig.peers)
    openers = [e.header.author for e in rig.entries(0) if b"opened" in e.body]
    assert openers == [seat, *others], "the loser opens first"


def test_a_draw_needs_every_seat() -> None:
    rig = Rig(line(3), 6, {"turns": 9})
    rig.shares_audit = True
    for seat in (1, 0):
        rig.peers[seat].request("draw")
        rig.peers[seat].request("draw")
        rig.flush()
        assert rig.peers[2].core.result is None
    assert [one.seat for one in rig.told[2] if isinstance(one, Offered)] == [1, 0]
    rig.peers[2].request("draw")
    rig.flush()
    assert {peer.core.result for peer in rig.peers} == {Result((), "agreed")}
    assert all(peer.closed for peer in rig.peers)


@pytest.mark.parametrize("seat", [0, 1])
def test_who_offers_a_draw_is_told_that_it_is_declined(seat: int) -> None:
    """Whether it stands in the chain already or waits for the other's next entry."""
    rig = Rig(line(2), 6, {"turns": 9})
    rig.peers[seat].request("draw")
    rig.flush()
    rig.peers[1 - seat].decline("draw")
    rig.flush()
    assert rig.told[seat].count(Declined(1 - seat, "draw")) == 1
    assert rig.peers[0].core.result is None


# --- the same bytes everywhere -------------------------------------------------------------------

PLAY = """
import hashlib
from tests.engine.skirmish import Skirmish
from tests.netplay.rig import Rig, identity
from tests.tiny import game
for played in (game(3), Skirmish()):
    rig = Rig(played, 4)
    rig.play(14)
    print(hashlib.blake2b(repr([rig.files, rig.wire]).encode()).hexdigest())
"""


def test_veil_14_two_hash_seeds_the_same_bytes() -> None:
    """Everything a machine writes and sends, in programs that order sets and dicts otherwise."""
    printed = [
        subprocess.run(
            [sys.executable, "-c", PLAY],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert printed[0] == printed[1] != ""


# --- anything on the wire ------------------------------------------------------------------------


@cache
def midgame() -> tuple[Rig, Entry]:
    """A match in its middle, and the next entry that seat 0 would send to seat 1."""
    rig, on = (Rig(line(2), 3, {"turns": 6}) for _ in range(2))
    rig.play(4)
    on.play(4)
    seq = on.peers[1].core.place.seq
    while len(on.entries(0)) == seq or on.entries(0)[seq].header.author != 0:
        seq = on.peers[1].core.place.seq
        rig.files = [list(file) for file in on.files]
        on.step()
    return rig, on.entries(0)[seq]


sizes = st.binary(max_size=40)
numbers = st.integers(-(2**63), 2**63 - 1)
anything = garbage()


@cache
def messages() -> st.SearchStrategy[Message]:
    """Messages of every kind, most of them with something true in them."""
    rig, following = midgame()
    chain = rig.entries(1)
    head = header_hash(chain[-1].header)
    requests = st.builds(
        Request,
        st.just(rig.peers[0].id) | sizes,
        st.just(head) | sizes,
        st.integers(-3, 3),
        st.sampled_from(["resign", "draw", "undo"]),
        sizes,
    )
    return st.one_of(
        st.builds(EntryFrame, anything),
        st.builds(EntryFrame, st.sampled_from([*map(encode, chain), encode(following)])),
        st.builds(EntryFrame, damaged(st.just(encode(following)))),
        st.builds(RequestFrame, anything | requests.map(encode)),
        st.builds(Heads, numbers, st.just(len(chain)) | numbers, st.just(head) | sizes, sizes),
        st.builds(Signed, st.integers(-1, 2), sizes),
        st.builds(Bye, st.text()),
        st.builds(Hello, numbers, st.text(), sizes, sizes, sizes, st.text(), sizes, sizes),
    )


@settings(max_examples=40)
@given(st.lists(st.deferred(lambda: messages()), min_size=1, max_size=4), st.booleans())
def test_any_message_ends_in_words(said: list[Message], resuming: bool) -> None:
    """A stranger's message raises nothing but a `NetplayError`. What it changes it changes by an
    entry; nobody honest is blamed."""
    rig, _ = midgame()
    machine = rig.load(1)
    machine.begin()
    machine.drain()
    if resuming:
        machine.reconnect()
    before = machine.core.place.seq, machine.core.digest()
    for message in said:
        with suppress(NetplayError):
            machine.received(0, unpack(pack(message)))
    if machine.core.place.seq == before[0]:
        assert machine.core.digest() == before[1]
    assert machine.core.result is None
    assert machine.stopped is None or machine.stopped.seat in (0, ALL_SEATS)


def test_what_a_stranger_writes_into_an_entry_is_cleaned_before_it_is_told() -> None:
    rig, entry = midgame()
    body = msgspec.msgpack.encode(["\x1b[2J" + "x" * 9_000])
    header = replace(entry.header, body=body_hash(body))
    machine = rig.load(1)
    machine.begin()
    machine.received(0, EntryFrame(encode(sign_entry(identity(0), header, body))))
    assert machine.stopped is not None
    told = machine.stopped.text
    assert told.isprintable() and len(told) <= FINDING_LENGTH
    assert "not readable" in told and "\x1b" not in machine.stopped.report
    signed = sign_entry(identity(0), header, body)
    finding = judge(rig.game, rig.entries(1), [signed])[0].finding
    assert finding is not None and finding.text == told


@settings(max_examples=40)
@given(st.data())
def test_any_entry_that_its_author_signed_ends_in_words(data: st.DataObject) -> None:
    """Entries of seat 0, well signed and wrong in their header or body: they are taken, or the
    match stops, and the file convicts nobody else."""
    rig, entry = midgame()
    body = data.draw(st.just(entry.body) | damaged(st.just(entry.body)) | anything)
    header = replace(
        entry.header,
        epoch=data.draw(st.just(entry.header.epoch) | numbers),
        seq=data.draw(st.just(entry.header.seq) | st.integers(-40, 40) | numbers),
        author=data.draw(st.just(0) | st.integers(-2, 2)),
        state=data.draw(st.just(entry.header.state) | sizes),
        used_ms=data.draw(numbers),
        body=body_hash(body),
    )
    signed = sign_entry(identity(0), header, body)
    machine = rig.load(1)
    machine.begin()
    with suppress(NetplayError):
        machine.received(0, EntryFrame(encode(signed)))
    assert machine.stopped is None or machine.stopped.seat in (0, ALL_SEATS)
    finding = judge(rig.game, rig.entries(1), [signed])[0].finding
    assert finding is None or finding.seat in (0, ALL_SEATS)
