"""Talk and names of saves: off the transcript, bounded, cleaned (KNOWN_FAILURES 8)."""

from __future__ import annotations

import pytest

from cloakboard.netplay.lockstep import journal
from cloakboard.netplay.lockstep.effects import Declined, Heard, Named, NameOffered, Offered
from cloakboard.netplay.lockstep.machine import MOST_OFFERS
from cloakboard.netplay.lockstep.talk import BURST, PAUSE_MS, PHRASES, TEXT_LENGTH, Talk
from cloakboard.netplay.transcript import Request, encode, sign_request
from cloakboard.netplay.wire import Naming, RequestFrame, Said, pack
from tests.netplay.rig import Rig
from tests.tiny import game as line


def heard(rig: Rig, seat: int) -> list[Heard]:
    return [told for told in rig.told[seat] if isinstance(told, Heard)]


def test_known_failures_8_talk_leaves_no_trace_in_the_match() -> None:
    """The same match with and without talk: one chain, byte for byte, and nothing of what was
    said in any file."""
    silent, talking = (Rig(line(3), 4, {"turns": 12}) for _ in range(2))
    for turn in range(6):
        silent.step()
        assert talking.peers[turn % 3].say("", f"plover {turn}")
        assert talking.peers[0].say("well", "")
        talking.flush()
        talking.peers[0]._now_ms = lambda turn=turn: turn * 60_000  # type: ignore[misc]
        talking.step()
    assert [encode(entry) for entry in silent.entries(0)][1:3]
    for seat in range(3):
        kept = b"".join(data for _, data in talking.files[seat])
        assert b"plover" not in kept and b"well" not in kept
        assert [kind for kind, _ in talking.files[seat]] == [kind for kind, _ in silent.files[seat]]
        states = [entry.header.state for entry in talking.entries(seat)]
        assert states == [entry.header.state for entry in silent.entries(seat)]
        assert Heard(1, "", "plover 1") in heard(talking, seat)


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("  well \n played\t", "well played"),
        ("\x1b[31mred\x00", "[31mred"),
        ("\u202eevil", "evil"),  # turns the line's direction
        ("비", "비"),
        ("x" * 999, "x" * TEXT_LENGTH),
        ("\u200b\u0007", ""),
    ],
)
def test_a_strangers_text_is_cleaned(typed: str, shown: str) -> None:
    said = Talk(is_muted=False).passes(1, Said("", typed), 0)
    assert (said.text if said else "") == shown


@pytest.mark.parametrize("phrase", PHRASES)
def test_a_quick_phrase_crosses_as_its_id(phrase: str) -> None:
    rig = Rig(line(2), 4)
    assert rig.peers[0].say(phrase, "ignored")
    rig.flush()
    assert heard(rig, 1) == [Heard(0, phrase, "")]
    assert PHRASES[phrase].encode() not in b"".join(frame for *_, frame in rig.wire)


def test_what_is_no_phrase_is_not_heard() -> None:
    rig = Rig(line(2), 4)
    assert not rig.peers[0].say("dance", "")
    rig.peers[1].received(0, Said("dance", "text beside it"))
    rig.peers[1].received(0, Said("", "   "))
    rig.flush()
    assert heard(rig, 1) == []


def test_who_talks_too_fast_is_not_heard() -> None:
    """At once as much as one may say in a row, then one at a time."""
    talk = Talk(is_muted=False)
    said = [talk.passes(0, Said("", str(n)), 0) for n in range(BURST + 5)]
    assert [one is not None for one in said] == [True] * BURST + [False] * 5
    assert talk.passes(1, Said("hello", ""), 0), "each seat for itself"
    assert not talk.passes(0, Said("hello", ""), PAUSE_MS - 1)
    assert talk.passes(0, Said("hello", ""), PAUSE_MS)
    assert not talk.passes(0, Said("hello", ""), PAUSE_MS)


def test_jq_109_nobody_talks_in_a_muted_room() -> None:
    rig = Rig(line(2), 4, room={"mute": True})
    assert not rig.peers[0].say("hello", "")
    rig.peers[1].received(0, Said("hello", ""))
    rig.flush()
    assert heard(rig, 0) == heard(rig, 1) == []
    assert not any(pack(Said("hello", "")) == frame for *_, frame in rig.wire)


# --- names of saves -----------------------------------------------------------------------------


def names(rig: Rig, seat: int) -> list[bytes]:
    return [data for kind, data in rig.files[seat] if kind == journal.NAME]


def test_a_name_is_written_everywhere_once_all_agree() -> None:
    rig = Rig(line(3), 4)
    rig.peers[0].offer_name(" The  long\nevening ")
    rig.flush()
    for seat in (1, 2):
        assert names(rig, 0) == []
        assert NameOffered(0, "The long evening") in rig.told[seat]
        rig.peers[seat].agree_on_name(0, "The long evening")
        rig.flush()
    for seat in range(3):
        assert names(rig, seat) == [b"The long evening"]
        assert Named("The long evening") in rig.told[seat]


def test_a_name_that_is_declined_is_written_nowhere() -> None:
    rig = Rig(line(2), 4)
    rig.peers[0].offer_name("evening")
    rig.flush()
    rig.peers[1].decline("save")
    rig.flush()
    assert Declined(1, "save") in rig.told[0]
    rig.peers[0].received(1, Naming("evening", agreed=True))
    rig.flush()
    assert names(rig, 0) == names(rig, 1) == []


def test_who_declined_a_name_is_not_asked_again_at_once() -> None:
    rig = Rig(line(2), 4)
    for _ in range(3):
        rig.peers[0].offer_name("evening")
        rig.flush()
        rig.peers[1].decline("save")
        rig.flush()
    assert rig.told[1].count(NameOffered(0, "evening")) == 1


@pytest.mark.parametrize("name", ["", "   ", "other"])
def test_nobody_can_be_made_to_write_a_name(name: str) -> None:
    """Agreeing to what was never offered does nothing."""
    rig = Rig(line(2), 4)
    rig.peers[0].offer_name("evening")
    rig.peers[0].received(1, Naming(name, agreed=True))
    rig.flush()
    assert names(rig, 0) == []
    rig.peers[0].received(1, Naming("../../etc/passwd", agreed=False))
    rig.flush()
    assert names(rig, 0) == [], "it is display text, and it is not written by itself"


# --- floods -------------------------------------------------------------------------------------


def test_who_offers_names_without_end_is_not_heard() -> None:
    rig = Rig(line(2), 4)
    for number in range(100):
        rig.peers[1].received(0, Naming(f"name {number}", agreed=False))
    offered = [told for told in rig.peers[1].drain() if isinstance(told, NameOffered)]
    assert offered == [NameOffered(0, f"name {number}") for number in range(MOST_OFFERS)]


def test_who_changes_a_request_without_end_is_not_heard() -> None:
    rig = Rig(line(2), 4, room={"move_seconds": 60})
    match = rig.peers[1]
    for minutes in range(1, 60):
        plain = Request(match.id, match.core.place.head, 0, "extend", minutes * 60_000)
        signed = sign_request(rig.peers[0].identity, plain)
        match.received(0, RequestFrame(encode(signed)))
    offered = [told.value for told in match.drain() if isinstance(told, Offered)]
    assert offered == [minutes * 60_000 for minutes in range(1, 2 + MOST_OFFERS)]
    assert [one.value for one in match.pending] == offered[-1:]
