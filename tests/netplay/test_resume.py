"""Crashes and lost links: the match goes on, and nobody ever signs twice for one place."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cloakboard.engine.game import Result
from cloakboard.netplay.errors import Forged, Malformed, Mismatch
from cloakboard.netplay.lockstep.effects import Send
from cloakboard.netplay.lockstep.judge import Judgement, judge
from cloakboard.netplay.lockstep.match import Match
from cloakboard.netplay.transcript import encode
from cloakboard.netplay.wire import Bye, Heads, Signed, unpack
from tests.cheats.positions import crowd
from tests.netplay.rig import Dying, Rig
from tests.netplay.watch import Places, Uses, derivations, once, signatures
from tests.tiny import game as line

SHORT = {"turns": 3}


@pytest.fixture
def signed() -> Iterator[Places]:
    """Every header any identity signed as an entry's one author, by place and author."""
    with signatures() as places:
        yield places


@pytest.fixture
def derived() -> Iterator[Uses]:
    """What each secret that must be used once was used for: notes, questions, answers."""
    with derivations() as uses:
        yield uses


class Crashing(Dying):
    """A match of a few Turns with a peer that dies."""

    def __init__(self, seats: int, seed: int, victim: int = 0, at: int = -1) -> None:
        self.victim, self.at = victim, at
        super().__init__(line(seats), seed, SHORT)

    def live(self) -> None:
        """Plays to the end, and on after the crash, whoever notices first that all are back."""
        while self.step() or (self.died and not self.peers[0].connected):
            if not self.peers[0].connected:
                seats = range(self.game.seats)
                self.reconnect(*self.random.sample(seats, len(seats)))


def files(rig: Rig) -> set[tuple[bytes, ...]]:
    """The chains of all journals, each once."""
    return {tuple(encode(entry) for entry in rig.entries(seat)) for seat in range(rig.game.seats)}


def ended_well(rig: Rig) -> None:
    assert all(peer.closed for peer in rig.peers)
    assert {peer.judgement.text for peer in rig.peers if peer.judgement} == {"clean"}
    assert not rig.stopped()
    assert len(files(rig)) == 1


@pytest.mark.parametrize("victim", [0, 1])
def test_veil_8_a_crash_before_any_write_or_send(
    victim: int, signed: Places, derived: Uses
) -> None:
    """A machine dies before each thing it has to do, in turn, and goes on from its journal."""
    whole = Crashing(2, 5, victim)
    whole.live()
    ended_well(whole)
    assert whole.effects > 20
    for at in range(whole.effects):
        rig = Crashing(2, 5, victim, at)
        rig.live()
        assert rig.died
        ended_well(rig)
        assert once(signed) and once(derived), at
        signed.clear()
        derived.clear()


@pytest.mark.parametrize("seats", [3, 4])
def test_veil_8_more_than_two_seats_crash_in_turn(
    seats: int, signed: Places, derived: Uses
) -> None:
    for at in range(0, 60, 7):
        rig = Crashing(seats, 3, victim=at % seats, at=at)
        rig.live()
        ended_well(rig)
        assert once(signed) and once(derived), at
        signed.clear()
        derived.clear()


def test_veil_8_many_crashes_in_one_match_of_wec(signed: Places, derived: Uses) -> None:
    """Each machine dies in turn after some actions; every break begins an epoch."""
    rig = Rig(crowd(), 4)
    for crash in range(6):
        for _ in range(3):
            rig.step()
        rig.crash(crash % 2)
        rig.reconnect(crash % 2, 1 - crash % 2)
        assert {peer.core.place.epoch for peer in rig.peers} == {crash + 1}
    rig.peers[0].request("resign")
    rig.flush()
    ended_well(rig)
    assert once(signed) and once(derived)


# --- cuts of the link -----------------------------------------------------------------------


class Cut(Rig):
    """A rig whose links break before frame number `at` (from 0) arrives; `frames` counts."""

    shares_audit = True

    def __init__(self, seats: int, seed: int, at: int = -1) -> None:
        self.at = at
        self.frames = 0
        super().__init__(line(seats), seed, SHORT)

    def flush(self) -> None:
        for seat in range(self.game.seats):
            self.carry_out(seat)
        while self.queue:
            if self.frames == self.at:
                self.cut()
            self.frames += 1
            if self.queue:
                source, target, frame = self.queue.popleft()
                self.peers[target].received(source, unpack(frame))
                self.carry_out(target)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_known_failures_9_a_cut_at_any_frame_then_resigning(seats: int) -> None:
    """The link breaks, a player resigns while it is down, the link comes back: all machines
    have the same end."""
    whole = Cut(seats, 7)
    whole.play()
    resigned = 0
    for at in range(0, whole.frames, 1 if seats == 2 else 9):
        rig = Cut(seats, 7, at)
        rig.play()
        loser = at % seats
        known = {peer.core.result for peer in rig.peers} - {None}  # of one that was ahead
        rig.peers[loser].request("resign")
        rig.reconnect(*rig.random.sample(range(seats), seats))
        rig.play()
        ended_well(rig)
        others = tuple(seat for seat in range(seats) if seat != loser)
        # An entry that another seat still owed may end the match before the request is known.
        (result,) = {peer.core.result for peer in rig.peers}
        assert result in (known or {Result(others, "resigned"), whole.peers[0].core.result})
        resigned += result == Result(others, "resigned")
    assert resigned > 5


def test_known_failures_22_every_frame_may_come_again() -> None:
    """Each frame arrives one to four times: nothing happens twice."""
    for seed in range(3):
        rig = Rig(line(3 if seed == 2 else 2), seed, SHORT)
        rig.shares_audit = True
        rig.copies = lambda rig=rig: rig.random.randint(1, 4)  # type: ignore[misc]
        for _ in range(4):
            rig.step()
        rig.peers[1].request("draw")
        rig.flush()
        rig.crash(0)
        rig.reconnect(1, 0, *range(2, rig.game.seats))
        rig.play()
        ended_well(rig)


def test_known_failures_22_a_taken_request_sent_again_does_nothing() -> None:
    rig = Rig(line(2), 1, SHORT)
    rig.peers[0].request("draw")
    rig.flush()
    before = files(rig)
    asked = [frame for source, _, frame in rig.wire if source == 0 and b"draw" in frame]
    for frame in asked * 3:
        rig.peers[1].received(0, unpack(frame))
        rig.carry_out(1)
    rig.flush()
    assert files(rig) == before


def test_known_failures_22_heads_told_before_the_missing_entries_may_come_again() -> None:
    """Heads are told twice in a resume; the first ones, come late once more, break nothing."""
    rig = Rig(line(2), 1, SHORT)
    rig.play(2)
    del rig.files[1][-1]
    rig.crash(1)
    rig.wire.clear()
    rig.reconnect()
    heads = [frame for source, _, frame in rig.wire if source == 1 and b"heads" in frame[:8]]
    assert len(heads) == 2
    before = files(rig)
    for frame in heads:
        rig.peers[0].received(1, unpack(frame))
    rig.flush()
    assert files(rig) == before
    rig.play()
    ended_well(rig)


@pytest.mark.parametrize("seats", [3, 4])
def test_links_of_their_own_pace(seats: int) -> None:
    """Frames of different links overtake each other; each link keeps its order."""
    rig = Rig(line(seats), 4, {"turns": 6})
    rig.shares_audit = True

    def flush() -> None:
        for seat in range(seats):
            rig.carry_out(seat)
        while rig.queue:
            links = sorted({(source, target) for source, target, _ in rig.queue})
            link = rig.random.choice(links)
            at = next(n for n, (*ends, _) in enumerate(rig.queue) if tuple(ends) == link)
            source, target, frame = rig.queue[at]
            del rig.queue[at]
            rig.peers[target].received(source, unpack(frame))
            rig.carry_out(target)

    rig.flush = flush  # type: ignore[method-assign]
    rig.play(5)
    rig.crash(2)
    rig.reconnect(2, 0, 1, *range(3, seats))
    rig.play()
    ended_well(rig)


def test_of_three_the_last_to_resume_takes_what_the_others_did_meanwhile() -> None:
    """The frames of one link are late: the others have resumed, and one has played, before the
    third has every signature."""
    rig = Rig(line(3), 4, {"turns": 6})
    rig.shares_audit = True
    while not rig.peers[0].may_act:
        rig.step()
    rig.cut()
    for seat, peer in enumerate(rig.peers):
        peer.reconnect()
        rig.carry_out(seat)
    late: list[tuple[int, int, bytes]] = []

    def flush() -> None:
        while rig.queue:
            source, target, frame = rig.queue.popleft()
            if (source, target) == (1, 2) and (late or b"signed" in frame[:10]):
                late.append((source, target, frame))
                continue
            rig.peers[target].received(source, unpack(frame))
            rig.carry_out(target)

    flush()
    assert [peer.resuming for peer in rig.peers] == [False, False, True]
    action = rig.choose(0)
    assert action is not None
    rig.peers[0].act(action)
    rig.carry_out(0)
    flush()
    rig.queue.extend(late)
    rig.flush()
    assert len(files(rig)) == 1
    rig.play()
    ended_well(rig)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_who_begins_meets_a_machine_that_had_to_start_again(seats: int) -> None:
    """One dies right after entry 0: the others begin the match, and it comes to go on with it."""
    rig = Rig(line(seats), 1, SHORT)
    rig.shares_audit = True
    rig.files = [file[:1] for file in rig.files]
    rig.peers = [rig.load(seat) for seat in range(seats)]
    rig.queue.clear()
    for peer in rig.peers[1:]:
        peer.begin()
    rig.peers[0].reconnect()
    rig.flush()
    rig.play()
    ended_well(rig)
    assert {peer.core.place.epoch for peer in rig.peers} == {1}


# --- clocks ---------------------------------------------------------------------------------


class Ancient(Match):
    """A machine whose clock stands long before 1970."""

    def judged(self, judgement: Judgement, ended: int = 0) -> None:
        super().judged(judgement, -(10**9))


def test_a_clock_that_stands_before_1970_accuses_nobody() -> None:
    rig = Rig(line(2), 1, SHORT, machine=Ancient)
    rig.play()
    ended_well(rig)


# --- a dishonest resume ----------------------------------------------------------------------


@pytest.mark.parametrize("hidden", [1, 2, 3, 5, 8])
def test_veil_8_who_hides_its_tail_gets_it_back_and_no_proof(hidden: int) -> None:
    """A peer comes back as if it had lost the end of its file. Whatever the other signed there
    convicts nobody, and both go on from the longer chain."""
    rig = Rig(line(2), 6, {"turns": 6})
    rig.play(9)
    had = rig.entries(0)
    del rig.files[1][-hidden:]
    rig.crash(1)
    rig.reconnect(1, 0)
    assert rig.entries(1)[: len(had)] == had
    rig.play()
    ended_well(rig)
    for seat in range(2):
        chain = rig.entries(seat)
        assert judge(rig.game, chain, had)[0].finding is None
        for cut in range(len(had) - hidden, len(had)):
            assert judge(rig.game, chain[:cut], had)[0].finding is None


def test_veil_8_an_entry_lost_with_a_disk_is_no_fork() -> None:
    """An entry that its author never sent is found again by nobody: after the resume its place
    is another epoch's, and the old signature proves nothing (both files lost it)."""
    rig = Rig(line(2), 6, {"turns": 6})
    rig.play(9)
    lost = rig.entries(0)[-3:]
    for seat in range(2):
        del rig.files[seat][-3:]
    rig.crash(0)
    rig.crash(1)
    rig.reconnect()
    rig.play()
    ended_well(rig)
    assert judge(rig.game, rig.entries(0), lost)[0].finding is None


def test_veil_8_saves_that_differ_are_kept_and_said_so() -> None:
    """Two chains of one match: neither machine signs anything on top of the other."""
    one, two = (Rig(line(2), 6, {"turns": 6}) for _ in range(2))
    one.play(2)
    two.random.seed(99)
    two.play(3)
    one.files[1] = two.files[1]
    one.crash(1)
    with pytest.raises(Mismatch, match="differ"):
        one.reconnect()
    assert one.entries(1) == two.entries(1)


def test_veil_8_a_resume_needs_every_signature() -> None:
    rig = Rig(line(2), 6, SHORT)
    rig.crash(1)
    for peer in rig.peers:
        peer.reconnect()
    rig.carry_out(0)
    with pytest.raises(Malformed, match="another seat"):
        rig.peers[0].received(1, Signed(0, bytes(64)))
    rig.peers[0].received(1, Signed(1, bytes(64)))
    heads = next(effect for effect in rig.peers[1].outbox if isinstance(effect, Send)).message
    assert isinstance(heads, Heads)
    with pytest.raises(Forged):
        rig.peers[0].received(1, heads)
    assert rig.peers[0].core.place.epoch == 0 and not rig.peers[0].may_act


@pytest.mark.parametrize("seq", [-1, 0, 1, 3, 10**9])
def test_heads_of_no_chain(seq: int) -> None:
    """Numbers that no honest machine names end the link or are waited for, and nothing more."""
    rig = Rig(line(2), 6, SHORT)
    rig.play(2)
    rig.cut()
    rig.peers[0].reconnect()
    heads = Heads(0, seq, bytes(32), bytes(32))
    if seq < 10**9:
        with pytest.raises(Mismatch):
            rig.peers[0].received(1, heads)
    else:
        rig.peers[0].received(1, heads)
    assert not rig.peers[0].may_act
    with pytest.raises(Malformed):
        rig.peers[0].received(1, Heads(0, seq, b"", b""))


def test_messages_out_of_place_are_refused() -> None:
    rig = Rig(line(2), 6, SHORT)
    rig.crash(1)
    rig.reconnect()
    for message in (Heads(0, 1, bytes(32), bytes(32)), Signed(1, bytes(64)), Bye("no")):
        with pytest.raises(Malformed, match="out of place"):
            rig.peers[0].received(1, message)
