"""How many watch: what machines tell each other of it, beside the chain and never too often."""

from __future__ import annotations

import pytest

from cloakboard.netplay.lockstep.audience import COUNTS, MAX_SPECTATORS, MOST_HEARD, PAUSE_MS
from cloakboard.netplay.lockstep.effects import Heard, Watched
from cloakboard.netplay.transcript import encode
from cloakboard.netplay.wire import Said
from tests.netplay.rig import Rig
from tests.tiny import game as line

OPEN = {"spectators": True, "mute": True}


def told(rig: Rig, seat: int) -> list[Watched]:
    return [one for one in rig.told[seat] if isinstance(one, Watched)]


class Watch:
    """The clock of a rig's first seat, turned by hand."""

    def __init__(self, rig: Rig) -> None:
        self.rig = rig
        self.now_ms = 0
        rig.peers[0]._audience._now_ms = lambda: self.now_ms

    def says(self, count: int, after_ms: int = PAUSE_MS) -> None:
        self.now_ms += after_ms
        self.rig.peers[0].tell_watched(count)
        self.rig.flush()


def test_the_others_are_told_also_where_nobody_talks() -> None:
    rig = Rig(line(3), 5, {"turns": 20}, room=OPEN)
    rig.play(3)
    watch = Watch(rig)
    for count in (0, 2, 2, MAX_SPECTATORS, 0):
        watch.says(count)
    for seat in (1, 2):
        assert told(rig, seat) == [Watched(0, count) for count in (2, MAX_SPECTATORS, 0)]
    assert told(rig, 0) == []
    assert not any(isinstance(one, Heard) for seat in range(3) for one in rig.told[seat])


def test_it_leaves_no_trace_in_the_match() -> None:
    silent, telling = (Rig(line(2), 5, {"turns": 20}, room=OPEN) for _ in range(2))
    watch = Watch(telling)
    for count in range(6):
        silent.step()
        telling.step()
        watch.says(count)
    assert told(telling, 1)
    assert [*map(encode, silent.entries(1))] == [*map(encode, telling.entries(1))]
    assert [kind for kind, _ in silent.files[1]] == [kind for kind, _ in telling.files[1]]


def test_what_changes_too_soon_is_told_once_time_has_gone() -> None:
    rig = Rig(line(2), 5, {"turns": 20}, room=OPEN)
    rig.play(3)
    watch = Watch(rig)
    watch.says(1)
    for count in (2, 3, 2):
        watch.says(count, after_ms=1)
    watch.says(3, after_ms=PAUSE_MS)
    assert told(rig, 1) == [Watched(0, 1), Watched(0, 3)]


@pytest.mark.parametrize("phrase", ["watched_9", "watched_-1", "watched_", "watched_2 "])
def test_what_is_no_number_is_not_heard(phrase: str) -> None:
    rig = Rig(line(2), 5, {"turns": 20}, room=OPEN)
    rig.peers[1].received(0, Said(phrase, "2"))
    rig.flush()
    assert told(rig, 1) == []


@pytest.mark.parametrize("phrase", COUNTS)
def test_no_player_says_it(phrase: str) -> None:
    rig = Rig(line(2), 5, {"turns": 20}, room={"spectators": True})
    assert not rig.peers[0].say(phrase, "")


def test_where_nobody_may_watch_nobody_is_told_or_heard() -> None:
    rig = Rig(line(2), 5, {"turns": 20})
    rig.play(3)
    Watch(rig).says(2)
    rig.peers[1].received(0, Said("watched_2", ""))
    rig.flush()
    assert told(rig, 1) == []
    assert not any(b"watched_" in frame for *_, frame in rig.wire)


def test_who_tells_without_end_is_not_heard() -> None:
    rig = Rig(line(2), 5, {"turns": 20}, room=OPEN)
    for number in range(100):
        rig.peers[1].received(0, Said(f"watched_{1 + number % 2}", ""))
    rig.flush()
    assert len(told(rig, 1)) == MOST_HEARD


def test_a_machine_that_is_gone_is_watched_by_nobody_and_told_anew() -> None:
    rig = Rig(line(2), 5, {"turns": 20}, room=OPEN)
    rig.play(3)
    watch = Watch(rig)
    watch.says(2)
    rig.cut()
    rig.flush()
    assert told(rig, 1) == [Watched(0, 2), Watched(0, 0)]
    watch.says(2)
    assert len(told(rig, 1)) == 2
    rig.reconnect()
    rig.flush()
    watch.says(2)
    assert told(rig, 1)[2:] == [Watched(0, 2)]


def test_once_the_match_is_over_nothing_is_told() -> None:
    rig = Rig(line(2), 5, {"turns": 20}, room=OPEN)
    rig.play(3)
    watch = Watch(rig)
    watch.says(2)
    rig.peers[1].request("resign")
    rig.flush()
    watch.says(0)
    assert told(rig, 1) == [Watched(0, 2)]
