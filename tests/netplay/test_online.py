"""Whole matches over a transport in one process: begun, cut, left, resumed, refused."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from cloakboard.engine.ai import dice
from cloakboard.netplay.errors import Lost, Malformed, NetplayError, Refused
from cloakboard.netplay.identity import Identity
from cloakboard.netplay.links import mesh
from cloakboard.netplay.links.greeting import Table
from cloakboard.netplay.links.memory import MemoryNet
from cloakboard.netplay.lockstep import journal, saves
from cloakboard.netplay.lockstep import online as online_module
from cloakboard.netplay.lockstep.effects import Send, Write
from cloakboard.netplay.lockstep.journal import SUFFIX
from cloakboard.netplay.lockstep.judge import judge
from cloakboard.netplay.lockstep.online import LinkState, Told
from cloakboard.netplay.profile import Profile
from cloakboard.netplay.room.party import Links, Party, Plan
from cloakboard.netplay.wire import Bye
from tests.tiny import game

LINE = game(2)
GAMES = {LINE.id: LINE}


class Side:
    """One player: a profile of its own, a random player at its seat, and what it was told."""

    def __init__(self, net: MemoryNet, folder: Path, seed: int, patience_s: float = 5.0) -> None:
        self.profile = Profile.open(folder)
        self.identity = Identity.open(folder)
        self.net = net
        self.seed = seed
        self.told: list[Told] = []
        self.plan = Plan(
            profile=self.profile,
            identity=self.identity,
            name=folder.name,
            app="test",
            patience_s=patience_s,
        )
        self.changed = asyncio.Event()
        self.stop_after = 10_000  # own actions
        self.party = self.new_party()

    def new_party(self) -> Party:
        async def network(plan: Plan) -> Any:
            return self.net.transport(plan.identity.key)

        self.party = Party(self.plan, GAMES, self.tell, network)
        return self.party

    def tell(self, told: Told) -> None:
        self.told.append(told)
        self.changed.set()

    async def play(self, link: Links | None) -> None:
        bot = asyncio.create_task(self.bot())
        try:
            await self.party.play(link)
        finally:
            bot.cancel()

    async def bot(self) -> None:
        online = self.party.online
        assert online is not None
        match, count = online.match, len(online.match.entries)
        while True:
            self.changed.clear()
            if match.may_act and self.stop_after > 0:
                self.stop_after -= 1
                view = match.core.view
                action = dice.choose(match.game, view, match.seat, self.seed, count)
                assert action is not None
                count += 1
                await online.act(action)
                continue
            await self.changed.wait()

    @property
    def file(self) -> Path:
        return next(self.profile.saves.glob(f"*{SUFFIX}"))


async def begin(host: Side, guest: Side) -> tuple[Links, Links]:
    """Both sides of a new match of Line, the guest by the host's invite."""
    invite: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    hosting = asyncio.create_task(host.party.host(Table(LINE), invite.set_result))
    guest_link = await guest.party.join(await invite)
    return await hosting, guest_link


def run(test: Callable[[Side, Side, MemoryNet], Awaitable[None]], folder: Path, **kw: Any) -> None:
    """Runs a test of two sides whose parties are open."""

    async def within() -> None:
        async with asyncio.timeout(60), AsyncExitStack() as stack:
            net = MemoryNet()
            host, guest = (
                Side(net, folder / name, seed, **kw) for seed, name in enumerate(("ann", "bob"))
            )
            stack.callback(host.profile.close)
            stack.callback(guest.profile.close)
            await stack.enter_async_context(host.party)
            await stack.enter_async_context(guest.party)
            await test(host, guest, net)

    asyncio.run(within())


def check_end(host: Side, guest: Side) -> None:
    """Both machines came to one end, and their files say so on their own."""
    for side in (host, guest):
        assert side.party.online is not None
        assert side.party.online.match.closed
    ends = [saves.verify_file(side.file, GAMES)[0] for side in (host, guest)]
    assert [end.text for end in ends] == ["clean", "clean"]
    assert ends[0] == ends[1]


def test_a_match_from_invite_to_verdict(tmp_path: Path) -> None:
    async def test(host: Side, guest: Side, net: MemoryNet) -> None:
        links = await begin(host, guest)
        await asyncio.gather(host.play(links[0]), guest.play(links[1]))
        check_end(host, guest)

    run(test, tmp_path)


def test_a_cut_link_is_found_again_and_the_match_goes_on(tmp_path: Path) -> None:
    async def test(host: Side, guest: Side, net: MemoryNet) -> None:
        links = await begin(host, guest)
        net.cut_after = 9
        await asyncio.gather(host.play(links[0]), guest.play(links[1]))
        check_end(host, guest)
        for side in (host, guest):
            qualities = [told.quality for told in side.told if isinstance(told, LinkState)]
            assert "lost" in qualities
            assert qualities[-1] != "lost"

    run(test, tmp_path)


def test_both_stop_and_resume_from_their_saves(tmp_path: Path) -> None:
    async def test(host: Side, guest: Side, net: MemoryNet) -> None:
        host.stop_after = guest.stop_after = 2
        links = await begin(host, guest)
        playing = [
            asyncio.create_task(side.play(link))
            for side, link in zip((host, guest), links, strict=True)
        ]
        await asyncio.sleep(0.3)
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        for side in (host, guest):
            await side.party.__aexit__()
            side.stop_after = 10_000
            await side.new_party().__aenter__()
            side.party.resume(side.file, lambda text: None)
        await asyncio.gather(host.play(None), guest.play(None))
        check_end(host, guest)

    run(test, tmp_path)


def test_a_friend_who_does_not_come_back_leaves_a_save(tmp_path: Path) -> None:
    async def test(host: Side, guest: Side, net: MemoryNet) -> None:
        host.stop_after = 0
        links = await begin(host, guest)
        playing = asyncio.create_task(host.play(links[0]))
        await guest.party.__aexit__()
        with pytest.raises(Lost, match="resume it later"):
            await playing
        judgement, contents = saves.verify_file(host.file, GAMES)
        assert judgement.text == "not finished"
        assert contents.damaged == 0
        left = [told.seconds_left for told in host.told if isinstance(told, LinkState)]
        assert left[-1] == 0

    run(test, tmp_path, patience_s=1.0)


def test_a_machine_that_slept_still_looks_for_its_friend(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its clock jumps by an hour while the link is down: patience counts the time awake."""
    slept = [0.0]
    clock = SimpleNamespace(monotonic=lambda: time.monotonic() + slept[0])
    monkeypatch.setattr(mesh, "time", clock)

    async def test(host: Side, guest: Side, net: MemoryNet) -> None:
        links = await begin(host, guest)
        net.cut_after = 9

        def tell(told: Told) -> None:
            if isinstance(told, LinkState) and told.quality == "lost" and not slept[0]:
                slept[0] = 3600.0
            guest.tell(told)

        assert guest.party.online is not None
        guest.party.online._tell = tell
        await asyncio.gather(host.play(links[0]), guest.play(links[1]))
        assert slept[0]
        check_end(host, guest)

    run(test, tmp_path, patience_s=30.0)


def test_veil_8_what_is_to_be_written_outlives_a_cancelled_task(tmp_path: Path) -> None:
    """A link is let go while a frame waits to leave: records behind it are written all the same,
    or the file would have a gap; the frame itself is forgotten with its link."""

    async def test(host: Side, guest: Side, net: MemoryNet) -> None:
        await begin(host, guest)
        online, sent = host.party.online, []
        assert online is not None

        class Full:
            async def send(self, frame: bytes) -> None:
                sent.append(frame)
                await asyncio.Event().wait()

        online._links = {1: Full()}  # type: ignore[dict-item]  # all that is used of one
        online.match.outbox += [Send(1, Bye("waits")), Write(journal.NAME, b"kept")]
        carrying = asyncio.create_task(online._carry_out())
        await asyncio.sleep(0.01)
        carrying.cancel()
        await asyncio.gather(carrying, return_exceptions=True)
        assert len(sent) == 1 and journal.read(host.file).name == ""
        await online._forget_frames()
        await online._carry_out()
        assert len(sent) == 1 and journal.read(host.file).name == "kept"

    run(test, tmp_path)


def test_leaving_tells_the_other_side(tmp_path: Path) -> None:
    async def test(host: Side, guest: Side, net: MemoryNet) -> None:
        host.stop_after = 0
        links = await begin(host, guest)
        playing = asyncio.create_task(host.play(links[0]))
        leaving = asyncio.create_task(guest.play(links[1]))
        await asyncio.sleep(0.05)
        assert guest.party.online is not None
        await guest.party.online.leave()
        await leaving
        with pytest.raises(Refused, match="the other player left"):
            await playing

    run(test, tmp_path)


def test_an_audit_that_nobody_waits_for_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its player leaves, the file is closed, and the program goes on."""
    go_on = threading.Event()

    def slow(*of: Any) -> Any:
        assert go_on.wait(30)
        return judge(*of)

    monkeypatch.setattr(online_module, "judge", slow)

    async def test(host: Side, guest: Side, net: MemoryNet) -> None:
        links = await begin(host, guest)
        playing = [asyncio.create_task(s.play(links[n])) for n, s in enumerate((host, guest))]
        online = host.party.online
        assert online is not None
        while online._auditing is None:
            await asyncio.sleep(0)
        await online.leave()
        await asyncio.gather(*playing, return_exceptions=True)
        written = host.file.read_bytes()
        await host.party.__aexit__()
        go_on.set()
        with pytest.raises(asyncio.CancelledError):
            await online._auditing
        assert host.file.read_bytes() == written

    run(test, tmp_path)


def test_a_foreign_profile_cannot_play_a_save(tmp_path: Path) -> None:
    async def test(host: Side, guest: Side, net: MemoryNet) -> None:
        host.stop_after = 0
        await begin(host, guest)
        stranger = Identity.open(tmp_path)
        with pytest.raises(Refused, match="holds no seat"):
            saves.open_match(host.file, stranger, GAMES)

    run(test, tmp_path)


@pytest.mark.parametrize("text", ["", "hello", "cloak1:", "cloak1:abcdefgh"])
def test_what_is_no_invite_is_refused_in_words(tmp_path: Path, text: str) -> None:
    async def test(host: Side, guest: Side, net: MemoryNet) -> None:
        with pytest.raises(Malformed, match="invite"):
            await guest.party.join(text)

    run(test, tmp_path)


def test_garbage_at_the_door_does_not_stop_the_host(tmp_path: Path) -> None:
    async def test(host: Side, guest: Side, net: MemoryNet) -> None:
        invite: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        hosting = asyncio.create_task(host.party.host(Table(LINE), invite.set_result))
        text = await invite
        stranger = net.transport(b"S" * 32)
        for frame in (b"", b"\x00", b"GET / HTTP/1.1\r\n\r\n", bytes(5000)):
            knock = await stranger.dial(f"memory:{host.identity.key.hex()}")
            if frame:
                await knock.send(frame)
        link = await guest.party.join(text)
        await asyncio.gather(host.play(await hosting), guest.play(link))
        check_end(host, guest)

    run(test, tmp_path)


def test_one_bad_save_among_good_ones_is_listed_with_its_problem(tmp_path: Path) -> None:
    """KNOWN_FAILURES 10."""

    async def test(host: Side, guest: Side, net: MemoryNet) -> None:
        await begin(host, guest)
        (host.profile.saves / f"broken{SUFFIX}").write_bytes(b"CLOAKBOARD 1\n\x00\x00")
        listed = saves.listing(host.profile.saves)
        assert [bool(save.problem) for save in listed] == [False, True]
        assert "broken" in listed[1].problem

    run(test, tmp_path)


def test_errors_are_netplay_errors(tmp_path: Path) -> None:
    missing = tmp_path / f"nothing{SUFFIX}"
    with pytest.raises(NetplayError, match="cannot be read"):
        saves.verify_file(missing, GAMES)


def test_known_failures_20_a_seat_that_starts_again_is_let_in_at_once(tmp_path: Path) -> None:
    """The host has not noticed that the guest's program is gone; the guest comes back by its key
    alone, and both play to the end."""

    async def test(host: Side, guest: Side, net: MemoryNet) -> None:
        invite: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        hosting = asyncio.create_task(host.party.host(Table(LINE), invite.set_result))
        guest_links = await guest.party.join(await invite)
        guest.stop_after = host.stop_after = 2
        playing = asyncio.create_task(host.play(await hosting))
        first = asyncio.create_task(guest.play(guest_links))
        while len(guest.party.online.match.entries if guest.party.online else ()) < 4:
            await asyncio.sleep(0)
        net.unplug(guest.identity.key)
        first.cancel()
        await asyncio.gather(first, return_exceptions=True)
        net._held.clear()  # its last words never arrive
        net.plug(guest.identity.key)
        guest.stop_after = host.stop_after = 10_000
        if guest.party.opened is not None:
            guest.party.opened.journal.close()
        await guest.new_party().__aenter__()
        guest.party.resume(guest.file, lambda text: None)
        await asyncio.gather(playing, guest.play(None))
        check_end(host, guest)

    run(test, tmp_path)
