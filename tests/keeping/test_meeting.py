"""Friends tell each other of matches; nobody learns of strangers, nobody is told lies."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterator
from pathlib import Path

import pytest

from cloakboard.achievements.standings import leaderboard
from cloakboard.keeping.copies import read_copy, write_copy
from cloakboard.keeping.keeper import Keeper
from cloakboard.keeping.sharing import Sharing
from cloakboard.netplay.errors import Lost, Malformed
from cloakboard.netplay.links.memory import MemoryNet, settle
from cloakboard.netplay.links.transport import Link, closed_here
from cloakboard.netplay.lockstep import meeting
from cloakboard.netplay.lockstep.meeting import Signed
from cloakboard.netplay.transcript import encode
from cloakboard.netplay.wire import Knows, Message, Records, pack, unpack
from tests.keeping.friends import Friend, match, meet
from tests.keeping.test_chain import GAMES, LINE, ended, proof
from tests.netplay.rig import opening_entry
from tests.netplay.test_waiting import silence


@pytest.fixture
def friends(tmp_path: Path) -> Iterator[list[Friend]]:
    net = MemoryNet()
    found = [Friend(net, tmp_path / name, seed) for seed, name in enumerate(("ann", "bob", "cid"))]
    yield found
    for friend in found:
        friend.close()


def run(work: Awaitable[None]) -> None:
    async def within() -> None:
        async with asyncio.timeout(60):
            await work

    asyncio.run(within())


def test_after_meeting_pairwise_all_have_the_same_table(
    friends: list[Friend], tmp_path: Path
) -> None:
    ann, bob, cid = friends

    async def play() -> None:
        for host, guest in ((ann, bob), (bob, cid), (ann, cid), (bob, ann), (cid, bob)):
            for friend in friends:
                friend.now += 60
            await match(host, guest)
        for host, guest in ((ann, bob), (bob, cid), (ann, cid)):
            await meet(host, guest)

    run(play())
    rules = ann.records()[0].rules
    tables = [leaderboard(friend.records(), LINE.id, rules=rules) for friend in friends]
    assert tables[0] == tables[1] == tables[2]
    assert len(ann.records()) == 5
    assert len(tables[0]) == 3
    assert ann.records() == bob.records() == cid.records()

    write_copy(ann.keeper, ann.identity, tmp_path / "all.records")
    (tmp_path / "fresh").mkdir()
    fresh = Keeper(tmp_path / "fresh", ann.identity.key, GAMES)
    assert read_copy(fresh, tmp_path / "all.records").fresh == 5
    assert leaderboard(fresh.ledger.records(), LINE.id, rules=rules) == tables[0]
    fresh.close()


def test_the_end_of_a_match_brings_news_of_earlier_ones(friends: list[Friend]) -> None:
    ann, bob, cid = friends

    async def play() -> None:
        await match(ann, cid)
        await match(ann, bob)
        assert len(bob.records()) == 1  # it has not met Cid
        await match(cid, bob)
        await match(ann, bob)

    run(play())
    assert len(bob.records()) == 4
    assert bob.sharing.refused == []


def test_who_waits_for_a_friend_ends_with_its_transport(friends: list[Friend]) -> None:
    ann = friends[0]

    class Closed:
        """A transport that is closed, and how often it was asked all the same."""

        asked = 0

        def address(self) -> str:
            return "memory:0a"

        async def accept(self) -> Link:
            self.asked += 1
            assert self.asked == 1, "it is asked again and again"
            raise closed_here()

    async def wait() -> None:
        async with ann.new_party() as party:
            party._transport = Closed()  # type: ignore[assignment]  # enough of it
            try:
                with pytest.raises(Lost):
                    await party.meet(lambda text: None)
            finally:
                party._transport = None

    run(wait())


def test_silent_links_hold_up_no_meeting(friends: list[Friend]) -> None:
    ann, bob, _ = friends

    async def play() -> None:
        await match(ann, bob)
        async with ann.new_party(), bob.new_party():
            invite: asyncio.Future[str] = asyncio.get_running_loop().create_future()
            hosting = asyncio.create_task(ann.party.meet(invite.set_result))
            where = await invite
            held = await silence(ann.net, f"memory:{ann.identity.key.hex()}")
            await settle()
            await bob.party.meet(lambda text: None, where)
            await hosting
            assert held

    run(play())


def test_nothing_is_told_of_strangers(friends: list[Friend]) -> None:
    ann, bob, cid = friends

    async def play() -> None:
        await match(ann, bob)
        await meet(ann, cid)

    run(play())
    assert cid.records() == []


def test_a_met_player_is_one_with_whom_a_match_was_finished(friends: list[Friend]) -> None:
    ann, bob, cid = friends
    run(match(ann, bob))
    assert ann.sharing.players() == {ann.identity.key, bob.identity.key}
    assert cid.sharing.players() == {cid.identity.key}


class Liar:
    """A share that tells what it is given."""

    def __init__(self, tells: list[tuple[bytes, ...]], keys: tuple[bytes, ...]) -> None:
        self._signed = [Signed(bytes([at]) * 32, keys, told) for at, told in enumerate(tells)]
        self.keys = keys

    def players(self) -> tuple[bytes, ...]:
        return self.keys

    def matches(self) -> tuple[bytes, ...]:
        return ()

    def signed(self) -> list[Signed]:
        return self._signed

    def take(self, proof: tuple[bytes, ...]) -> None: ...


def test_a_forged_record_is_refused_and_the_true_ones_beside_it_are_kept(tmp_path: Path) -> None:
    rig = ended()
    true = tuple(proof(rig))
    false = (encode(opening_entry(LINE, {"turns": 5})[0]), *true[1:])
    save = rig.write(0, tmp_path / "line2-000000000000.cloak")
    (tmp_path / "p").mkdir()
    keeper = Keeper(tmp_path / "p", rig.peers[0].keys[0], GAMES)
    keeper.keep(save)
    met = ended(seed=4)  # another match of the same two
    sharing = Sharing(keeper)
    sharing.players()
    for told in (false, (b"",), tuple(proof(met))):
        sharing.take(told)
    assert sharing.fresh == 1
    assert len(sharing.refused) == 2
    assert len(keeper.ledger.records()) == 2
    keeper.close()


class Scripted:
    """A link whose other end sends fixed messages."""

    peer = bytes(32)
    rtt_ms = None

    def __init__(self, *messages: Message) -> None:
        self.frames = [pack(message) for message in messages]

    async def send(self, frame: bytes) -> None: ...

    async def receive(self) -> bytes:
        return self.frames.pop(0)

    async def close(self) -> None: ...


class Narrow:
    """An end of a link that takes one frame at a time."""

    peer = bytes(32)
    rtt_ms = None

    def __init__(self) -> None:
        self.inbox: asyncio.Queue[bytes] = asyncio.Queue(1)
        self.other = self

    async def send(self, frame: bytes) -> None:
        await self.other.inbox.put(frame)

    async def receive(self) -> bytes:
        return await self.inbox.get()

    async def close(self) -> None: ...


def test_two_that_both_have_much_to_tell_do_not_wait_for_each_other() -> None:
    keys = (b"a" * 32, b"b" * 32)
    long = (bytes(meeting.TOLD_BYTES),)

    async def both() -> None:
        ann, bob = Narrow(), Narrow()
        ann.other, bob.other = bob, ann
        shares = [Liar([long] * 6, keys) for _ in range(2)]
        await asyncio.gather(*map(meeting.exchange, (ann, bob), shares))

    asyncio.run(asyncio.wait_for(both(), 10))


def test_who_does_not_take_what_it_is_told_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(meeting, "STEP_SECONDS", 0)
    keys = (b"a" * 32, b"b" * 32)
    link = Narrow()
    asked = Knows(SALT, *(meeting._marks(SALT, keys), b""))

    class Full(Scripted):
        async def send(self, frame: bytes) -> None:
            if not isinstance(unpack(frame), Knows):
                await link.inbox.put(frame)

    full = Full(asked, Records((), True))
    share = Liar([(bytes(meeting.TOLD_BYTES),)] * 3, keys)
    with pytest.raises(Lost, match="does not answer"):
        asyncio.run(asyncio.wait_for(meeting.exchange(full, share), 10))


HELD = Liar([], (bytes(32),))
SALT = bytes(16)


@pytest.mark.parametrize(
    "messages",
    [
        [Records((), True)],
        [Knows(b"short", b"", b"")],
        [Knows(SALT, b"1234567", b"")],
        [Knows(SALT, bytes(8 * (meeting.MOST_KNOWN + 1)), b"")],
        [Knows(SALT, b"", b""), Knows(SALT, b"", b"")],
        [Knows(SALT, b"", b""), *[Records((), False)] * meeting.MOST_FRAMES],
        [Knows(SALT, b"", b""), Records(((b"",),) * (meeting.MOST_RECORDS + 1), True)],
    ],
    ids=["no question", "salt", "odd marks", "too many marks", "no answer", "endless", "too many"],
)
def test_a_malformed_exchange_ends(messages: list[Message]) -> None:
    with pytest.raises(Malformed):
        run(meeting.exchange(Scripted(*messages), HELD))


def test_many_records_go_in_frames_of_bounded_size() -> None:
    keys = (bytes([1]) * 32, bytes([2]) * 32)
    liar = Liar([(bytes(30_000),)] * 40, keys)
    asked = meeting._knows(Liar([], keys), SALT)
    frames = meeting._told(liar, asked)
    assert [frame.is_last for frame in frames] == [False] * (len(frames) - 1) + [True]
    assert sum(len(frame.records) for frame in frames) == 40
    sizes = [sum(len(data) for proof in frame.records for data in proof) for frame in frames]
    assert max(sizes) <= meeting.TOLD_BYTES + 30_000
    assert meeting._told(liar, meeting._knows(Liar([], keys[:1]), SALT)) == [Records((), True)]
