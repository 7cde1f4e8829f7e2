"""Time for each action (VEIL 8), by clocks turned by hand."""

from __future__ import annotations

from typing import Any

import pytest

from cloakboard.engine.game import Result
from cloakboard.netplay.lockstep.clock import Thinking
from cloakboard.netplay.lockstep.effects import Consented, Continued, Doubted, OverTime
from cloakboard.netplay.lockstep.match import Match
from tests.netplay.rig import Rig
from tests.netplay.test_resume import ended_well
from tests.tiny import game as line

ROOM = {"move_seconds": 60, "grace_seconds": 10}


class Timed(Rig):
    """Peers with a clock each, in milliseconds; `stuck` seats do not look at theirs."""

    shares_audit = True

    def __init__(self, seats: int = 2, room: dict[str, Any] | None = None) -> None:
        self.now = [0] * seats
        self.stuck: set[int] = set()
        super().__init__(line(seats), 5, {"turns": 30}, room=ROOM if room is None else room)

    def load(self, seat: int) -> Match:
        peer = super().load(seat)
        peer._now_ms = lambda: self.now[seat]
        return peer

    def wait(self, seconds: int) -> None:
        """Time passes, second by second."""
        for _ in range(seconds):
            for seat in range(self.game.seats):
                self.now[seat] += 1000
                if seat not in self.stuck:
                    self.peers[seat].tick()
            self.flush()

    @property
    def mover(self) -> int:
        return self.peers[0].core.floor()[0]

    def agree(self, kind: str, value: int = 0) -> None:
        for peer in self.peers:
            peer.request(kind, value)
            self.flush()


def test_jq_111_whose_time_is_over_signs_it() -> None:
    rig = Timed()
    rig.step()
    loser = rig.mover
    rig.wait(70)
    assert rig.peers[0].core.result is None, "limit and grace are not over yet"
    rig.wait(1)
    assert {peer.core.result for peer in rig.peers} == {Result((1 - loser,), "time")}
    ended_well(rig)


def test_jq_111_nobody_signs_for_another() -> None:
    """A machine that does not look at its clock: the other is told after round trip and two
    seconds, once, and the match goes on."""
    rig = Timed()
    rig.step()
    late, other = rig.mover, 1 - rig.mover
    rig.stuck = {late}
    rig.peers[other].rtt_ms[late] = 1000
    rig.wait(73)
    assert OverTime(late) not in rig.told[other]
    rig.wait(5)
    assert rig.told[other].count(OverTime(late)) == 1
    rig.peers[other].request("time")  # is its own loss alone
    rig.flush()
    assert rig.peers[0].core.result == Result((late,), "time")


def test_jq_111_time_begins_anew_with_each_action() -> None:
    rig = Timed()
    for _ in range(8):
        rig.wait(65)
        assert rig.step()
    assert rig.peers[0].core.result is None


def test_jq_111_what_is_no_action_does_not_begin_it_anew() -> None:
    """An offer that the mover takes in or makes leaves its clock as it is."""
    rig = Timed()
    rig.step()
    rig.wait(40)
    mover = rig.mover
    rig.peers[1 - mover].request("draw")
    rig.flush()
    thinking = rig.peers[0].thinking
    assert thinking == Thinking(mover, 40_000, 60_000, 10_000)
    rig.wait(31)
    assert rig.peers[0].core.result == Result((1 - mover,), "time")


def test_jq_111_a_pause_and_a_lost_link_cost_no_time() -> None:
    rig = Timed()
    rig.step()
    rig.wait(50)
    rig.agree("pause")
    assert not any(peer.may_act for peer in rig.peers) and rig.peers[0].thinking is None
    rig.wait(500)
    rig.peers[0].request("continue")
    rig.flush()
    assert rig.peers[1].thinking == Thinking(rig.mover, 50_000, 60_000, 10_000)
    rig.cut()
    rig.wait(500)
    rig.reconnect()
    rig.wait(19)
    assert rig.peers[0].core.result is None
    assert rig.step()


def test_jq_111_a_machine_that_slept_has_not_thought_meanwhile() -> None:
    """Nobody looks at the clock for an hour; then the match goes on with the time it had."""
    rig = Timed()
    rig.step()
    mover = rig.mover
    rig.wait(30)
    rig.now[mover] += 3_600_000
    rig.peers[mover].tick()
    rig.flush()
    assert rig.peers[0].core.result is None
    assert rig.peers[mover].thinking == Thinking(mover, 30_000, 60_000, 10_000)
    rig.wait(41)
    assert rig.peers[0].core.result == Result((1 - mover,), "time")


def test_jq_111_a_pause_and_more_time_outlast_a_restart() -> None:
    rig = Timed(3)
    rig.step()
    rig.agree("extend", 120_000)
    rig.agree("pause")
    rig.crash(1)
    rig.peers[1]._now_ms = lambda: rig.now[1]
    rig.reconnect(1, 0, 2)
    assert all(peer.core.requests.is_paused for peer in rig.peers)
    assert all(peer.core.clock.limit_ms == 180_000 for peer in rig.peers)
    assert not rig.step()
    rig.peers[1].request("continue")
    rig.flush()
    assert all(Continued() in told for told in rig.told)
    assert rig.step()


@pytest.mark.parametrize("value", [0, -1, 3_600_001])
def test_jq_111_no_extension_of_no_sense(value: int) -> None:
    rig = Timed()
    rig.step()
    rig.agree("extend", value)
    assert rig.peers[0].pending == [] and rig.peers[0].core.clock.limit_ms == 60_000


def test_jq_111_more_time_for_this_action_by_consent() -> None:
    rig = Timed(3)
    rig.step()
    rig.wait(69)
    rig.agree("extend", 120_000)
    assert all(Consented("extend", 120_000) in told for told in rig.told)
    rig.wait(110)
    assert rig.step()
    thinking = rig.peers[0].thinking
    assert thinking is not None and thinking.limit_ms == 60_000


def test_jq_111_an_undo_begins_it_anew() -> None:
    rig = Timed()
    rig.play(5)
    seat = next(s for s in (0, 1) if rig.peers[s].undo_target is not None)
    rig.wait(60)
    rig.agree("undo", rig.peers[seat].undo_target or 0)
    rig.wait(60)
    assert rig.peers[0].core.result is None and rig.step()


@pytest.mark.parametrize(("more_ms", "doubted"), [(2999, False), (3001, True)])
def test_jq_111_a_statement_too_short_is_told_and_changes_nothing(
    more_ms: int, doubted: bool
) -> None:
    """The other's clock runs slow: within round trip and two seconds it is accepted."""
    rig = Timed()
    rig.step()
    slow, other = rig.mover, 1 - rig.mover
    rig.peers[other].rtt_ms[slow] = 1000
    rig.now[slow] += 5000
    rig.now[other] += 5000 + more_ms
    rig.step()
    told = [one for one in rig.told[other] if isinstance(one, Doubted)]
    assert told == ([Doubted(slow, 5000, 5000 + more_ms)] if doubted else [])
    assert not rig.stopped()


def test_jq_111_without_a_limit_nobody_loses_on_time() -> None:
    rig = Timed(room={})
    rig.step()
    rig.wait(100)
    rig.agree("time")
    assert rig.peers[0].core.result is None and rig.peers[0].pending == []
