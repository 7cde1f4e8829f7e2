"""Spectators: what every seat has signed, some Turns later if so agreed, and nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from cloakboard.engine.codec import encode as canonical
from cloakboard.netplay.errors import Lost, NetplayError, Refused
from cloakboard.netplay.identity import Identity
from cloakboard.netplay.invite import Watch
from cloakboard.netplay.links.greeting import Me, Table, greet, say
from cloakboard.netplay.links.memory import MemoryLink, MemoryNet, MemoryTransport
from cloakboard.netplay.links.mesh import NO_ROOM
from cloakboard.netplay.lockstep import spectator
from cloakboard.netplay.lockstep.effects import Ended, Happened
from cloakboard.netplay.lockstep.gallery import (
    ENDED,
    shown_entries,
)
from cloakboard.netplay.lockstep.spectator import Spectator
from cloakboard.netplay.transcript import Request, encode, sign_request
from cloakboard.netplay.wire import (
    Bye,
    EntryFrame,
    Heads,
    Hello,
    Message,
    RequestFrame,
    Said,
    Watching,
    unpack,
)
from tests.netplay.rig import Rig, secret
from tests.netplay.test_online import GAMES, LINE, Side
from tests.netplay.test_online import run as with_sides
from tests.tiny import game as line

OPEN = {"spectators": True, "spectator_delay": 0}


# --- which entries ------------------------------------------------------------------------------


@pytest.mark.parametrize("delay", [0, 1, 3])
def test_jq_104_what_is_shown_is_old_enough(delay: int) -> None:
    """After each action a spectator may have the entries that were written at least so many
    Turns ago; before that nothing at all."""
    rig = Rig(line(3), 5, {"turns": 20}, room=OPEN | {"spectator_delay": delay})
    peer, written = rig.peers[0], [0]  # the Turn in which each entry was written
    for _ in range(30):
        before = len(peer.entries), rig.game.turn(peer.core.shown)
        if not rig.step() or peer.core.result is not None:
            break
        written += [before[1]] * (len(peer.entries) - before[0])
        now = rig.game.turn(peer.core.shown)
        shown = shown_entries(peer)
        if now < delay:
            assert shown == 0
        assert all(turn <= now - delay for turn in written[:shown])
        assert delay or shown == len(peer.entries)
    assert shown > 1, "it never came to that"


def test_jq_104_an_undo_shows_nothing_earlier() -> None:
    rig = Rig(line(2), 5, {"turns": 20}, room=OPEN | {"spectator_delay": 2})
    rig.play(9)
    before = shown_entries(rig.peers[0])
    for peer in rig.peers:
        peer.request("undo", 1)
        rig.flush()
    assert shown_entries(rig.peers[0]) <= before


def test_veil_3_no_spectator_gets_an_opened_secret() -> None:
    """Not even after the match, of which it then may have all the rest at once."""
    rig = Rig(line(2), 5, {"turns": 20}, room=OPEN | {"spectator_delay": 9})
    rig.play(9)
    assert shown_entries(rig.peers[0]) == 0
    played = len(rig.entries(0))
    rig.peers[1].request("resign")
    rig.flush()
    assert rig.peers[0].closed
    shown = b"".join(encode(entry) for entry in rig.entries(0)[: shown_entries(rig.peers[0])])
    assert played <= shown_entries(rig.peers[0]) < len(rig.entries(0))
    for seat in range(2):
        assert secret(seat, rig.salt).reveal() not in shown


def test_the_public_state_folds_from_what_is_shown() -> None:
    rig = Rig(line(3), 5, {"turns": 20}, room=OPEN)
    told: list[Any] = []
    watch = Watch("memory:x", rig.peers[0].id, rig.peers[0].keys[0])
    spectator = Spectator(watch, None, None, {LINE.id: LINE, "line3": line(3)}, told.append)  # type: ignore[arg-type]
    for _ in range(12):
        rig.step()
        for entry in rig.entries(0)[len(spectator.entries) :]:
            spectator.fold(entry)
        assert spectator.core is not None
        assert canonical(spectator.core.view) == canonical(rig.peers[1].core.shown)
    events = [event for one in told if isinstance(one, Happened) for event in one.events]
    assert events and not any(event.only for event in events)


# --- over a transport -------------------------------------------------------------------------


class Seat:
    """A spectator at one side of a match."""

    def __init__(self, net: MemoryNet, folder: Path, watch: Watch) -> None:
        folder.mkdir()
        self.identity = Identity.open(folder)
        self.me = Me(self.identity, self.identity.key, folder.name, "test")
        self.transport = net.transport(self.identity.key)
        self.told: list[Any] = []
        self.watch = watch
        self.spectator = Spectator(watch, self.transport, self.me, GAMES, self.told.append, 3.0)


def play_on(*sides: Side) -> None:
    """To the end of the match."""
    for side in sides:
        side.stop_after = 10_000
        side.changed.set()


async def sees_the_end(seat: Seat, watching: asyncio.Task[None]) -> None:
    await watching
    assert seat.spectator.core is not None and seat.spectator.core.result is not None


def run(
    test: Callable[[Side, Side, MemoryNet, Watch], Awaitable[None]],
    folder: Path,
    settings: dict[str, Any] | None = None,
) -> None:
    """A match that is being played, and the invite to watch it at the host's machine."""

    async def within(host: Side, guest: Side, net: MemoryNet) -> None:
        invite: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        table = Table(LINE, settings=OPEN if settings is None else settings)
        hosting = asyncio.create_task(host.party.host(table, invite.set_result))
        guest_links = await guest.party.join(await invite)
        links = await hosting, guest_links
        assert host.party.online is not None
        watch = Watch(
            f"memory:{host.identity.key.hex()}", host.party.online.match.id, host.identity.key
        )
        playing = [
            asyncio.create_task(side.play(link))
            for side, link in zip((host, guest), links, strict=True)
        ]
        try:
            await test(host, guest, net, watch)
            await asyncio.gather(*playing)
        finally:
            for task in playing:
                task.cancel()

    with_sides(within, folder)


def test_a_spectator_sees_the_public_match_and_nothing_else(tmp_path: Path) -> None:
    """A capture of all that reaches it: entries of the chain, byte for byte, and a goodbye."""

    async def test(host: Side, guest: Side, net: MemoryNet, watch: Watch) -> None:
        seat = Seat(net, tmp_path / "cid", watch)
        await seat.spectator.run()
        assert host.party.online is not None
        match = host.party.online.match
        core = seat.spectator.core
        assert core is not None
        assert canonical(core.view) == canonical(match.core.shown)
        assert core.result == match.core.result
        assert [type(one) for one in seat.told].count(Ended) == 1
        chain = {encode(entry) for entry in match.entries}
        got = [unpack(sent.frame) for sent in net.sent if sent.target == seat.identity.key]
        entries = [one.data for one in got if isinstance(one, EntryFrame)]
        assert set(entries) <= chain and len(entries) == len(seat.spectator.entries)
        assert not any(b"opened" in data for data in entries)
        rest = [type(one).__name__ for one in got if not isinstance(one, EntryFrame)]
        assert rest == ["Hello", "Bye"]

    run(test, tmp_path)


def test_a_spectator_whose_link_breaks_comes_again(tmp_path: Path) -> None:
    async def test(host: Side, guest: Side, net: MemoryNet, watch: Watch) -> None:
        host.stop_after = guest.stop_after = 2  # the match is not over when it comes again
        seat = Seat(net, tmp_path / "cid", watch)
        watching = asyncio.create_task(seat.spectator.run())
        while len(seat.spectator.entries) < 4:
            await asyncio.sleep(0)
        for link in [link for link in net._links if seat.identity.key in (link.peer,)]:
            await link.close()
        assert host.party.online is not None
        gallery = host.party.online.gallery
        for is_there in (False, True):
            while bool(gallery.spectators) != is_there:
                await asyncio.sleep(0.001)
        play_on(host, guest)
        await sees_the_end(seat, watching)

    run(test, tmp_path)


def test_a_spectator_waits_for_players_who_look_for_each_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who knocks meanwhile is told nothing, and comes again until both are there."""
    is_back = asyncio.Event()
    dial = MemoryTransport.dial

    async def test(host: Side, guest: Side, net: MemoryNet, watch: Watch) -> None:
        host.stop_after = guest.stop_after = 2
        seat = Seat(net, tmp_path / "cid", watch)
        watching = asyncio.create_task(seat.spectator.run())
        while len(seat.spectator.entries) < 4:
            await asyncio.sleep(0)

        async def kept(transport: MemoryTransport, address: str) -> MemoryLink:
            if transport.key == guest.identity.key:
                await is_back.wait()
            return await dial(transport, address)

        monkeypatch.setattr(MemoryTransport, "dial", kept)
        net.cut(host.identity.key, guest.identity.key)

        def greeted() -> int:
            got = [unpack(sent.frame) for sent in net.sent if sent.target == seat.identity.key]
            return sum(isinstance(one, Hello) for one in got)

        while greeted() < 2:
            assert not watching.done()
            await asyncio.sleep(0.001)
        is_back.set()
        assert host.party.online is not None
        while not host.party.online.gallery.spectators:
            await asyncio.sleep(0.001)
        play_on(host, guest)
        await sees_the_end(seat, watching)

    run(test, tmp_path)


def test_a_machine_that_does_not_answer_leaves_no_link_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def mute(*_: Any) -> None:
        raise Lost("the other machine does not answer; try again")

    async def within() -> None:
        net = MemoryNet()
        host = net.transport(b"h" * 32)
        seat = Seat(net, tmp_path / "cid", Watch(host.address(), bytes(32), b"h" * 32))
        with pytest.raises(Lost):
            await seat.spectator._visit(await seat.transport.dial(host.address()))
        assert net.links_of(seat.identity.key) == []

    monkeypatch.setattr(spectator, "greet", mute)
    asyncio.run(within())


@pytest.mark.parametrize("settings", [{}, {"spectators": False, "spectator_delay": 3}])
def test_jq_104_nobody_watches_where_all_agreed_that_nobody_does(
    settings: dict[str, Any], tmp_path: Path
) -> None:
    async def test(host: Side, guest: Side, net: MemoryNet, watch: Watch) -> None:
        seat = Seat(net, tmp_path / "cid", watch)
        with pytest.raises((Refused, Lost)):
            await seat.spectator.run()
        got = [unpack(sent.frame) for sent in net.sent if sent.target == seat.identity.key]
        assert not any(isinstance(one, EntryFrame) for one in got)

    run(test, tmp_path, settings)


def test_jq_104_before_the_delay_nothing_at_all(tmp_path: Path) -> None:
    async def test(host: Side, guest: Side, net: MemoryNet, watch: Watch) -> None:
        host.stop_after = guest.stop_after = 0
        seat = Seat(net, tmp_path / "cid", watch)
        watching = asyncio.create_task(seat.spectator.run())
        while host.party.online is None or not host.party.online.gallery.spectators:
            await asyncio.sleep(0)
        for _ in range(50):
            await asyncio.sleep(0)
        got = [unpack(sent.frame) for sent in net.sent if sent.target == seat.identity.key]
        assert [type(one).__name__ for one in got] == ["Hello"]
        watching.cancel()
        play_on(host, guest)

    run(test, tmp_path, OPEN | {"spectator_delay": 20})


def entry_of(match: Any) -> Message:
    return EntryFrame(encode(match.entries[-1]))


def request_of(match: Any) -> Message:
    stranger = Identity(b"x" * 32)
    plain = Request(match.id, match.core.place.head, 0, "resign")
    return RequestFrame(encode(sign_request(stranger, plain)))


async def heard(link: Any) -> tuple[int, str | None]:
    """How many entries the other side sent, and why it closed a link, if it said so."""
    entries, reason = 0, None
    with suppress(NetplayError):
        while True:
            message = unpack(await link.receive())
            entries += isinstance(message, EntryFrame)
            if isinstance(message, Bye):
                reason = message.reason
    return entries, reason


async def last_word(link: Any) -> str | None:
    """Why the other side closed a link, if it said so."""
    return (await heard(link))[1]


@pytest.mark.parametrize(
    "make",
    [
        entry_of,
        request_of,
        lambda match: Said("hello", ""),
        lambda match: Heads(0, 1, bytes(32), bytes(32)),
        lambda match: Watching(0),
    ],
)
def test_a_spectator_says_nothing(make: Callable[[Any], Message], tmp_path: Path) -> None:
    """Whatever it sends ends its link, and the match knows nothing of it."""

    async def test(host: Side, guest: Side, net: MemoryNet, watch: Watch) -> None:
        host.stop_after = guest.stop_after = 0  # else the end of the match may come first
        seat = Seat(net, tmp_path / "cid", watch)
        assert host.party.online is not None
        link = await seat.transport.dial(watch.address)
        await greet(link, seat.me, NO_ROOM, watch.match)
        await say(link, Watching(0))
        await say(link, make(host.party.online.match))
        assert await last_word(link) == "a spectator only watches"
        play_on(host, guest)

    run(test, tmp_path)


@pytest.mark.parametrize(
    ("entries", "reason"), [(-1, "a spectator says how far it has watched"), (10**9, ENDED)]
)
def test_a_spectator_that_says_nonsense_gets_nothing(
    entries: int, reason: str, tmp_path: Path
) -> None:
    async def test(host: Side, guest: Side, net: MemoryNet, watch: Watch) -> None:
        seat = Seat(net, tmp_path / "cid", watch)
        link = await seat.transport.dial(watch.address)
        await greet(link, seat.me, NO_ROOM, watch.match)
        await say(link, Watching(entries))
        assert await heard(link) == (0, reason)

    run(test, tmp_path)
