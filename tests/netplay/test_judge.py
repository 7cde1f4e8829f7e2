"""The audit from files alone: what it says of whole, cut, mixed and damaged ones. What it says
of liars is in `tests/cheats`."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from cloakboard.engine.wec import GAME as WEC
from cloakboard.netplay.errors import NetplayError
from cloakboard.netplay.lockstep.judge import check_opening, judge
from cloakboard.netplay.transcript import (
    ALL_SEATS,
    Entry,
    Opened,
    body_hash,
    encode,
    header_hash,
    read_body,
    read_entry,
    sign_entry,
    sign_joint,
)
from tests.netplay.rig import Rig, identity, opening_entry
from tests.tiny import game as line

GAME = line(2)


@cache
def match(seed: int = 1) -> tuple[Entry, ...]:
    """A whole honest match with a break in it."""
    rig = Rig(GAME, seed, {"turns": 6})
    rig.shares_audit = True
    rig.play(5)
    rig.crash(1)
    rig.reconnect()
    rig.play()
    assert all(peer.closed for peer in rig.peers)
    return tuple(rig.entries(0))


def text(entries: tuple[Entry, ...] | list[Entry], refused: tuple[Entry, ...] = ()) -> str:
    return judge(GAME, entries, refused)[0].text


def test_a_whole_match_is_clean() -> None:
    judgement, state = judge(GAME, match())
    assert judgement.text == "clean"
    assert judgement.judged and judgement.ended and judgement.result is not None
    assert judgement.turns == GAME.turn(state) > 0
    assert judgement.seats == ("player 0", "player 1")


def test_every_cut_of_an_honest_match_blames_nobody() -> None:
    opened = [at for at, e in enumerate(match()) if at and isinstance(read_body(e), Opened)]
    ended = opened[0]
    for cut in (1, 2, 5, ended - 1, ended, ended + 1, ended + 2, len(match()) - 1):
        judgement, _ = judge(GAME, match()[:cut])
        assert judgement.finding is None
        if cut < ended:
            assert judgement.text == "not finished"
        elif cut <= opened[1]:
            assert judgement.text.startswith("cannot judge yet")
        else:
            assert judgement.text == "clean"


def test_honest_entries_among_the_refused_prove_nothing() -> None:
    """Whatever of a match is laid beside it, of it or of another one."""
    other = match(2)
    for cut in (4, len(match()) - 4, len(match())):
        kept = match()[:cut]
        assert judge(GAME, kept, match()[1:] + other[1:])[0].finding is None


# --- files put together by others --------------------------------------------------------------


def without(at: int) -> list[Entry]:
    return [entry for number, entry in enumerate(match()) if number != at]


def swapped(at: int) -> list[Entry]:
    entries = list(match())
    entries[at], entries[at + 1] = entries[at + 1], entries[at]
    return entries


def twice(at: int) -> list[Entry]:
    return [*match()[: at + 1], *match()[at:]]


def from_another_match(at: int) -> list[Entry]:
    return [*match()[:at], *match(2)[at:]]


def another_body(at: int) -> list[Entry]:
    entries = list(match())
    entries[at] = replace(entries[at], body=entries[at + 1].body)
    return entries


def another_signature(at: int) -> list[Entry]:
    entries = list(match())
    entries[at] = replace(entries[at], signatures=match()[at + 1].signatures)
    return entries


def another_digest(at: int) -> list[Entry]:
    entries = list(match())
    entries[at] = replace(entries[at], header=replace(entries[at].header, state=bytes(32)))
    return entries


@pytest.mark.parametrize("at", [1, 6, 12])
@pytest.mark.parametrize(
    "damage",
    [without, swapped, twice, from_another_match, another_body, another_signature, another_digest],
)
def test_veil_14_a_file_that_others_damaged_blames_the_file(damage: object, at: int) -> None:
    """No seat is named for what it signed at another place, or did not sign at all."""
    assert callable(damage)
    judgement, _ = judge(GAME, damage(at))
    assert judgement.finding is not None and judgement.finding.seat == ALL_SEATS
    assert "the file" in judgement.text


@settings(max_examples=30)
@given(st.data())
def test_veil_14_a_flipped_byte_blames_the_file(data: st.DataObject) -> None:
    at = data.draw(st.integers(1, len(match()) - 1))
    whole = bytearray(encode(match()[at]))
    whole[data.draw(st.integers(0, len(whole) - 1))] ^= data.draw(st.integers(1, 255))
    try:
        entry = read_entry(bytes(whole))
    except NetplayError:
        return
    for entries, refused in (
        ([*match()[:at], entry, *match()[at + 1 :]], []),
        (list(match()), [entry]),
        (list(match()[:at]), [entry]),
    ):
        finding = judge(GAME, entries, refused)[0].finding
        assert finding is None or finding.seat == ALL_SEATS


# --- entry 0 ------------------------------------------------------------------------------------


def opening(**fields: object) -> Entry:
    """Entry 0 with other fields in its body, signed by all."""
    _, body = opening_entry(GAME)
    data = encode(replace(body, **fields))
    header = replace(opening_entry(GAME)[0].header, body=body_hash(data))
    return Entry(header, data, tuple(sign_joint(identity(seat), header) for seat in range(2)))


def test_entry_0_gives_the_match_its_id() -> None:
    entry = opening()
    assert check_opening(entry, GAME)[1] == header_hash(entry.header)


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        (opening(game="chess"), "chess"),
        (opening(rules_version=9), "rules 9"),
        (opening(seats=opening_entry(GAME)[1].seats[:1]), "lacks a signature"),
        (replace(opening(), signatures=opening().signatures[:1]), "lacks a signature"),
        (replace(opening(), signatures=opening().signatures[::-1]), "not by the key"),
        (replace(opening(), body=b"\xc1"), "not readable"),
        (match()[1], "not readable"),
        (opening(options=(("cells", 1000), ("fuel", 3), ("turns", 60))), "cells"),
        (opening(options=(("colour", 3),)), "colour"),
        (opening(setup="upside down"), "set-up"),
    ],
    ids=[
        "another game", "another version", "a seat less", "unsigned", "wrong order", "garbage",
        "no opening", "bad option", "no option", "bad setup",
    ],
)  # fmt: skip
def test_a_file_with_a_bad_entry_0_is_refused_in_words(entry: Entry, words: str) -> None:
    with pytest.raises(Exception, match=words) as raised:
        judge(GAME, [entry, *match()[1:]])
    assert type(raised.value).__module__.endswith(".errors")


def test_the_names_in_a_strangers_file_are_cleaned() -> None:
    one, other = opening_entry(GAME)[1].seats
    entry = opening(seats=(replace(one, name="\x1b[2JEve"), other))
    assert judge(GAME, [entry])[0].seats == ("[2JEve", "player 1")


def test_seats_that_the_game_does_not_have() -> None:
    three, _ = opening_entry(line(3))
    body = replace(opening_entry(line(3))[1], game="line2")
    header = replace(three.header, body=body_hash(encode(body)))
    signatures = tuple(sign_joint(identity(seat), header) for seat in range(3))
    with pytest.raises(NetplayError, match="played by 2"):
        check_opening(Entry(header, encode(body), signatures), GAME)


def test_a_match_of_another_game_is_refused() -> None:
    with pytest.raises(NetplayError, match="this program plays wec"):
        judge(WEC, match())


def test_an_entry_that_all_signed_is_a_resume_or_nothing() -> None:
    """Signed by every seat, and still no action of anybody's."""
    kept = list(match()[:1])
    first = match()[1]
    header = replace(first.header, author=ALL_SEATS)
    joint = Entry(header, first.body, tuple(sign_joint(identity(s), header) for s in range(2)))
    judgement, _ = judge(GAME, [*kept, joint])
    assert judgement.finding is not None and judgement.finding.seat == ALL_SEATS
    assert "no resume" in judgement.finding.text


def test_a_number_below_the_chain_in_a_refused_entry() -> None:
    last = match()[-1]
    for seq in (-1, -(10**6), 0):
        refused = sign_entry(identity(0), replace(last.header, seq=seq), last.body)
        assert judge(GAME, match(), [refused])[0].finding is None
