"""What is iroh's own: loopback only, ports, relays, strangers, silence, a missing library."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from iroh import iroh_ffi as ffi

from cloakboard.netplay.errors import Lost, Malformed, NetplayError, Refused
from cloakboard.netplay.links.iroh_transport import _MAX_GREETED, _ROOM, IrohTransport
from cloakboard.netplay.links.network import NetworkMissing, open_network
from cloakboard.netplay.links.transport import MAX_FRAME, Patience
from tests.netplay.links import SHORT, dial_raw, iroh_pair, joined, open_local, raw_endpoint, run

ECHO = """
import asyncio, os
from cloakboard.netplay.links.iroh_transport import IrohTransport

async def main():
    transport = await IrohTransport.open(os.urandom(32), local=True)
    print(transport.address(), flush=True)
    link = await transport.accept()
    while True:
        await link.send(await link.receive())

asyncio.run(main())
"""


def test_24_a_local_transport_is_bound_to_loopback_only() -> None:
    async def test() -> None:
        transport = await open_local()
        assert transport._endpoint is not None
        sockets = transport._endpoint.bound_sockets()
        assert sockets
        for socket in sockets:
            assert socket.startswith(("127.0.0.1:", "[::1]:"))
        target = ffi.EndpointTicket.from_string(transport.address()).endpoint_addr()
        assert target.direct_addresses() == [f"127.0.0.1:{transport.port}"]
        assert target.relay_url() is None
        await transport.close()

    run(test)


def test_24_a_local_transport_that_is_bound_elsewhere_does_not_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ffi.Endpoint, "bound_sockets", lambda self: ["127.0.0.1:5", "[::]:6"])

    async def test() -> None:
        with pytest.raises(NetplayError, match=r"could not keep to this machine.*\[::\]:6"):
            await open_local()

    run(test)


def test_the_same_secret_and_port_give_the_same_address_again() -> None:
    async def test() -> None:
        first = await open_local(bytes(32))
        address, port = first.address(), first.port
        await first.close()
        again = await open_local(bytes(32), port)
        assert (again.address(), again.port) == (address, port)
        await again.close()

    run(test)


def test_the_port_is_free_again_though_a_link_is_still_held() -> None:
    async def test() -> None:
        host, guest = await open_local(), await open_local()
        links = await joined(host, guest)
        port = host.port
        await host.close()
        again = await open_local(port=port)
        assert again.port == port
        assert all(link.rtt_ms is None for link in links if link.peer == guest.key)
        await again.close()
        await guest.close()

    run(test)


def test_a_port_that_is_taken_is_replaced() -> None:
    async def test() -> None:
        first = await open_local()
        second = await open_local(port=first.port)
        assert second.port != first.port
        await asyncio.gather(*(joined(first, second), joined(second, first)))
        await asyncio.gather(first.close(), second.close())

    run(test)


def test_ones_own_invite_is_refused() -> None:
    async def test() -> None:
        transport = await open_local()
        with pytest.raises(Refused, match="your own"):
            await transport.dial(transport.address())
        await transport.close()

    run(test)


def test_a_local_transport_does_not_dial_other_machines() -> None:
    async def test() -> None:
        transport = await open_local()
        key = ffi.SecretKey.generate().public()
        far = ffi.EndpointAddr(key, "https://relay.example.org", ["192.0.2.9:4000"])
        with pytest.raises(Refused, match="without --local"):
            await transport.dial(str(ffi.EndpointTicket.from_addr(far)))
        await transport.close()

    run(test)


@pytest.mark.parametrize("relays", [(), ("https://relay.invalid",)], ids=["none", "own"])
def test_25_without_internet_it_opens_and_reaches_its_neighbour(relays: tuple[str, ...]) -> None:
    async def test() -> None:
        one, other = [
            await IrohTransport.open(os.urandom(32), relays=relays, patience=SHORT)
            for _ in range(2)
        ]
        near, far = await joined(one, other)
        await near.send(b"x")
        assert await far.receive() == b"x"
        await asyncio.gather(one.close(), other.close())

    run(test)


def test_a_relay_that_is_no_url_is_named() -> None:
    async def test() -> None:
        with pytest.raises(Malformed, match=r"nonsense\) is no URL"):
            await IrohTransport.open(bytes(32), relays=["nonsense"], patience=SHORT)

    run(test)


@pytest.mark.parametrize(
    "garbage",
    [
        pytest.param(b"\xff" * 4, id="endless frame"),
        pytest.param((MAX_FRAME + 1).to_bytes(4, "big"), id="one byte too long"),
        pytest.param(b"GET / HTTP/1.1\r\n\r\n", id="another protocol"),
    ],
)
def test_garbage_ends_the_link_with_the_reason(garbage: bytes) -> None:
    async def test() -> None:
        transport = await open_local()
        connection, _ = await dial_raw(await raw_endpoint(), transport, garbage)
        link = await transport.accept()
        with pytest.raises(Malformed, match="announced a frame of"):
            await link.receive()
        with pytest.raises(Malformed):
            await link.receive()
        assert "given up" in await connection.closed()
        await transport.close()

    run(test)


def test_one_who_dials_and_says_nothing_keeps_nobody_waiting() -> None:
    async def test() -> None:
        one, other = await open_local(), await open_local()
        connection, _ = await dial_raw(await raw_endpoint(), one, b"")
        near, far = await joined(other, one)
        await near.send(b"x")
        assert await far.receive() == b"x"
        assert "closed by peer" in await connection.closed()
        await asyncio.gather(one.close(), other.close())

    run(test)


def test_many_who_dial_and_say_nothing_keep_nobody_out() -> None:
    """They may take longer than this test does, and are more than there are places."""

    async def test() -> None:
        one, other = await open_local(patience=replace(SHORT, hello_ms=600_000)), await open_local()
        endpoint = await raw_endpoint()
        for _ in range(_MAX_GREETED + 4):
            await dial_raw(endpoint, one, b"")
        near, far = await joined(other, one)
        await near.send(b"x")
        assert await far.receive() == b"x"
        await asyncio.gather(one.close(), other.close())

    run(test)


def test_who_is_gone_before_it_is_refused_ends_nothing() -> None:
    class Gone:
        async def refuse(self) -> None:
            raise ffi.IrohError.__new__(ffi.IrohError)

    class Endpoint:
        """An endpoint that so many dial, and nobody after them."""

        left = 3

        def id(self) -> Endpoint:
            return self

        def to_bytes(self) -> bytes:
            return bytes(32)

        async def accept_next(self) -> Gone | None:
            self.left -= 1
            return Gone() if self.left >= 0 else None

    async def within() -> None:
        endpoint = Endpoint()
        transport = IrohTransport(endpoint, True, SHORT)  # type: ignore[arg-type]  # enough of it
        for _ in range(_ROOM):
            transport._dialled.push(None)  # type: ignore[arg-type]  # links nobody has taken
        await transport._listening
        assert endpoint.left == -1

    asyncio.run(within())


def test_a_quiet_link_outlives_the_patience_by_its_signs_of_life() -> None:
    async def test() -> None:
        async with iroh_pair() as kind:
            near, far = await joined(kind.one, kind.other)
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(2 * SHORT.lost_ms / 1000):
                    await far.receive()
            await near.send(b"still here")
            assert await far.receive() == b"still here"

    run(test)


def test_a_peer_that_does_not_read_slows_the_sender_and_is_not_lost() -> None:
    patience = Patience(ping_ms=50, lost_ms=900)

    async def test() -> None:
        one, other = await open_local(patience=patience), await open_local(patience=patience)
        near, far = await joined(one, other)
        frames = [bytes([number]) * (MAX_FRAME // 8) for number in range(200)]

        async def send_all() -> None:
            for frame in frames:
                await near.send(frame)

        sending = asyncio.create_task(send_all())
        await asyncio.wait([sending], timeout=1.5 * patience.lost_ms / 1000)
        assert not sending.done()
        assert [await far.receive() for _ in frames] == frames
        await sending
        await asyncio.gather(one.close(), other.close())

    run(test)


def test_a_killed_peer_is_lost_within_the_patience() -> None:
    async def test() -> None:
        peer = subprocess.Popen(
            [sys.executable, "-c", ECHO],
            stdout=subprocess.PIPE,
            cwd=Path(__file__).parents[2],
        )
        try:
            assert peer.stdout is not None
            address = (await asyncio.to_thread(peer.stdout.readline)).decode().strip()
            transport = await open_local()
            link = await transport.dial(address)
            await link.send(b"x")
            assert await link.receive() == b"x"
            peer.send_signal(signal.SIGKILL)
            with pytest.raises(Lost):
                await link.receive()
            await transport.close()
        finally:
            peer.kill()
            peer.communicate()

    run(test)


def test_it_runs_on_a_loop_in_a_background_thread() -> None:
    outcome: list[bytes] = []

    async def test() -> None:
        async with iroh_pair() as kind:
            near, far = await joined(kind.one, kind.other)
            await near.send(b"from a thread")
            outcome.append(await far.receive())

    worker = threading.Thread(target=run, args=(test,))
    worker.start()
    worker.join()
    assert outcome == [b"from a thread"]


def test_open_network_opens_it() -> None:
    async def test() -> None:
        transport = await open_network(bytes(32), local=True, patience=SHORT)
        assert transport.address().startswith("endpoint")
        await transport.close()

    run(test)


def test_40_without_iroh_only_the_network_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "iroh", None)
    monkeypatch.delitem(sys.modules, "cloakboard.netplay.links.iroh_transport")

    async def test() -> None:
        with pytest.raises(NetworkMissing, match="games on this machine work without it"):
            await open_network(bytes(32), local=True)

    run(test)


def test_40_nothing_but_opening_the_network_loads_iroh() -> None:
    code = (
        "import sys, cloakboard.netplay.links.network, cloakboard.netplay.links.memory\n"
        "import cloakboard.netplay.invite, cloakboard.netplay.profile\n"
        "sys.exit('iroh' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[2])


class Street:
    """Hears where machines wait, and tells it as told."""

    def __init__(self, *told: str) -> None:
        self.told = told
        self.heard: list[tuple[bytes, int]] = []
        self.asked: list[bytes] = []

    def here(self, key: bytes, port: int) -> None:
        self.heard.append((key, port))

    def where(self, key: bytes) -> tuple[str, ...]:
        self.asked.append(key)
        return self.told


def test_24_a_peer_whose_address_has_changed_is_found_on_the_local_network() -> None:
    async def test() -> None:
        street = Street()
        host = await IrohTransport.open(bytes(32), relays=(), patience=SHORT, near=street)
        accepting = asyncio.create_task(host.accept())
        await asyncio.sleep(0)
        assert street.heard == [(host.key, host.port)]
        old = ffi.EndpointAddr(ffi.EndpointId.from_bytes(host.key), None, ["127.0.0.1:9"])
        ticket = str(ffi.EndpointTicket.from_addr(old))
        lost = await IrohTransport.open(os.urandom(32), relays=(), patience=SHORT)
        with pytest.raises(Lost):
            await lost.dial(ticket)
        helper = Street(f"127.0.0.1:{host.port}")
        guest = await IrohTransport.open(os.urandom(32), relays=(), patience=SHORT, near=helper)
        link = await guest.dial(ticket)
        assert (await accepting).peer == guest.key
        assert (link.peer, helper.asked) == (host.key, [host.key])
        await asyncio.gather(host.close(), guest.close(), lost.close())

    run(test)


def test_24_a_local_transport_asks_nobody() -> None:
    async def test() -> None:
        street = Street("192.0.2.1:9")
        one = await IrohTransport.open(os.urandom(32), local=True, patience=SHORT, near=street)
        other = await open_local()
        await joined(other, one)
        await joined(one, other)
        assert (street.heard, street.asked) == ([], [])
        await asyncio.gather(one.close(), other.close())

    run(test)
