"""The local network: services shown and found by multicast DNS, with no internet and no server.

A peer (`_cloakpeer._udp`) is named after its transport key and says by which addresses that key
is reached now; it is shown only while a machine waits to be dialled, and is how two machines find
each other again when one's address has changed. It is a hint and no more: the transport proves
the key. Rooms are in `lan_rooms`.

Whoever is on the same network can read all of it. Records last `TTL_S`, so what dies without a
word is gone soon.
"""

from __future__ import annotations

import asyncio
import base64
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, Final

from cloakboard.netplay.errors import NetplayError

if TYPE_CHECKING:
    from zeroconf import ServiceStateChange, Zeroconf
    from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

PEERS: Final = "_cloakpeer._udp.local."
TTL_S: Final = 60
LOOK_MS: Final = 3_000  # for a service's records
WATCH_S: Final = 2.0  # between looks at this machine's own addresses
HERE_S: Final = 30.0  # how long a machine that waits to be dialled says where it is
ASKED_AT_ONCE: Final = 32  # services, for their records
MAX_SERVICES: Final = 2_000  # of a kind, that are known or wait to be asked
MAX_PEERS: Final = 256
MAX_ADDRESSES: Final = 8

_log = logging.getLogger(__name__)

UNHEARD: Final = (
    "the local network cannot be used to find rooms here; send your friend the invite instead"
)


class LanMissing(NetplayError):
    """zeroconf is not installed, or no multicast socket can be opened."""


@dataclass(frozen=True, slots=True)
class Service:
    """One of this machine's own services; `text`: its whole text record."""

    kind: str
    label: str
    port: int
    text: bytes

    @property
    def name(self) -> str:
        return f"{self.label}.{self.kind}"


class Lan:
    """This machine's ear and voice on the local network. Made by `open`, on the loop that it
    then runs on."""

    def __init__(self, zeroconf: AsyncZeroconf, own: Callable[[], tuple[str, ...]]) -> None:
        self._zeroconf = zeroconf
        self._own = own
        self._addresses = own()
        self._wanted: dict[str, Service] = {}
        self._shown: dict[str, tuple[Service, tuple[str, ...]]] = {}
        self._changed = asyncio.Event()
        self._here_until: dict[str, float] = {}
        self._peers: dict[bytes, tuple[str, ...]] = {}
        self._browsers: dict[Heard, AsyncServiceBrowser] = {}
        self._hears_peers = False
        self._work: set[asyncio.Task[Any]] = set()
        self._start(self._keep_shown())
        self._start(self._watch())

    @classmethod
    async def open(cls, interfaces: list[str] | None = None) -> Lan:
        """`interfaces`: own addresses to use, None for all. Raises `LanMissing`."""
        try:
            from zeroconf import InterfaceChoice, IPVersion
            from zeroconf.asyncio import AsyncZeroconf

            chosen = InterfaceChoice.All if interfaces is None else interfaces
            zeroconf = AsyncZeroconf(interfaces=chosen, ip_version=IPVersion.V4Only)
            await zeroconf.zeroconf.async_wait_for_start()
        except Exception as error:
            # zeroconf raises what the system's sockets do, and its own timeouts besides.
            _log.warning("no multicast: %s", error)
            raise LanMissing(UNHEARD) from error
        if interfaces is None:
            return cls(zeroconf, _own_addresses)
        return cls(zeroconf, lambda: tuple(interfaces))

    async def close(self) -> None:
        """Withdraws all that this machine shows, and listens no longer."""
        for task in self._work:
            task.cancel()
        await asyncio.gather(*self._work, return_exceptions=True)
        for browser in self._browsers.values():
            await browser.async_cancel()
        self._browsers.clear()
        with suppress(Exception):
            await self._zeroconf.async_close()

    def here(self, key: bytes, port: int) -> None:
        """Says for the next `HERE_S` where the holder of a transport key is dialled."""
        service = Service(PEERS, peer_label(key), port, b"")
        self._here_until[service.name] = time.monotonic() + HERE_S
        self.show(service)

    def where(self, key: bytes) -> tuple[str, ...]:
        """`address:port` of a transport key as heard on the local network; empty, and listened
        for from now on, if nothing was heard."""
        if not self._hears_peers:
            self._hears_peers = True
            self.browse(PEERS, self.heard_peer, self.lost_peer)
        return self._peers.get(key, ())

    def show(self, service: Service) -> None:
        """Shows a service, or another text of the same one."""
        if self._wanted.get(service.name) != service:
            self._wanted[service.name] = service
            self._changed.set()

    def hide(self, name: str) -> None:
        """Shows a service no longer."""
        if self._wanted.pop(name, None) is not None:
            self._changed.set()

    def browse(
        self,
        kind: str,
        on_heard: Callable[[str, AsyncServiceInfo], None],
        on_lost: Callable[[str], None],
    ) -> Heard:
        """Listens to services of a kind until `unbrowse`; callbacks are given labels."""
        heard = Heard(kind, on_heard, on_lost, self._start)
        self._listen(heard)
        return heard

    async def unbrowse(self, heard: Heard) -> None:
        """Listens no longer."""
        browser = self._browsers.pop(heard, None)
        if browser is not None:
            await browser.async_cancel()

    def _listen(self, heard: Heard) -> None:
        from zeroconf.asyncio import AsyncServiceBrowser

        self._browsers[heard] = AsyncServiceBrowser(
            self._zeroconf.zeroconf, heard.kind, handlers=[heard.changed]
        )

    def _start(self, work: Any) -> asyncio.Task[Any]:
        task: asyncio.Task[Any] = asyncio.create_task(work)
        self._work.add(task)
        task.add_done_callback(self._work.discard)
        return task

    async def _keep_shown(self) -> None:
        """Brings what is shown to what is wanted, one change after the other."""
        while True:
            await self._changed.wait()
            self._changed.clear()
            for name in [name for name in self._shown if name not in self._wanted]:
                service, addresses = self._shown.pop(name)
                await self._tell(self._zeroconf.async_unregister_service(_info(service, addresses)))
            for name, service in list(self._wanted.items()):
                now, before = (service, self._addresses), self._shown.get(name)
                if now == before:
                    continue
                info = _info(*now)
                if before is None:
                    telling = self._zeroconf.async_register_service(
                        info, cooperating_responders=True
                    )
                else:
                    telling = self._zeroconf.async_update_service(info)
                if await self._tell(telling):
                    self._shown[name] = now

    async def _tell(self, telling: Awaitable[Awaitable[Any]]) -> bool:
        """The first packet now, its repetitions meanwhile; whether it could be told at all."""
        try:
            repeating = await telling
        except Exception as error:
            _log.warning("the local network was not told: %s", error)
            return False
        self._start(_quietly(repeating))
        return True

    async def _watch(self) -> None:
        """Follows this machine's addresses, and takes back where it was when nobody waits."""
        while True:
            await asyncio.sleep(WATCH_S)
            now = time.monotonic()
            for name in [name for name, until in self._here_until.items() if until < now]:
                del self._here_until[name]
                self.hide(name)
            addresses = self._own()
            if addresses != self._addresses:
                self._addresses = addresses
                with suppress(Exception):
                    await self._zeroconf.async_update_interfaces()
                self._changed.set()
                # A new network answers only whoever asks.
                for heard, browser in list(self._browsers.items()):
                    await browser.async_cancel()
                    heard.forget()
                    self._listen(heard)

    def heard_peer(self, label: str, info: AsyncServiceInfo) -> None:
        """Takes in where a transport key is; what makes no sense is left out."""
        key = _peer_key(label)
        if key is None or info.port is None or (key not in self._peers and self._is_crowded()):
            return
        places = [ip_address(place) for place in info.parsed_addresses()[:MAX_ADDRESSES]]
        self._peers[key] = tuple(
            f"[{place}]:{info.port}" if place.version == 6 else f"{place}:{info.port}"
            for place in places
            if not place.is_multicast and not place.is_unspecified
        )

    def _is_crowded(self) -> bool:
        return len(self._peers) >= MAX_PEERS

    def lost_peer(self, label: str) -> None:
        """That key no longer waits to be dialled."""
        key = _peer_key(label)
        if key is not None:
            self._peers.pop(key, None)


class Heard:
    """Asks for the records of services that come up; a bounded number at a time."""

    def __init__(
        self,
        kind: str,
        on_heard: Callable[[str, AsyncServiceInfo], None],
        on_lost: Callable[[str], None],
        start: Callable[[Any], Any],
    ) -> None:
        self.kind = kind
        self._on_heard = on_heard
        self._on_lost = on_lost
        self._start = start
        self._at_once = asyncio.Semaphore(ASKED_AT_ONCE)
        # Services that are being asked, and the last that happened to each since then.
        self._asked: dict[str, ServiceStateChange | None] = {}
        self._known: set[str] = set()

    def changed(
        self,
        zeroconf: Zeroconf,
        service_type: str,
        name: str,
        state_change: ServiceStateChange,
    ) -> None:
        """What the browser calls: a service has come, changed or gone."""
        from zeroconf import ServiceStateChange

        label = name.removesuffix(f".{self.kind}")
        is_gone = state_change is ServiceStateChange.Removed
        if is_gone:
            self._known.discard(label)
            self._on_lost(label)
        if name in self._asked:
            self._asked[name] = state_change
        elif not is_gone and (label in self._known or self._has_place):
            self._asked[name] = None
            self._start(self._ask(zeroconf, name, label))

    @property
    def _has_place(self) -> bool:
        return len(self._asked) + len(self._known) < MAX_SERVICES

    def forget(self) -> None:
        """Nothing is known any more: what goes on another network is not told of here."""
        for label in self._known:
            self._on_lost(label)
        self._known.clear()

    async def _ask(self, zeroconf: Zeroconf, name: str, label: str) -> None:
        from zeroconf import ServiceStateChange
        from zeroconf.asyncio import AsyncServiceInfo

        try:
            async with self._at_once:
                news: ServiceStateChange | None = ServiceStateChange.Added
                while news in (ServiceStateChange.Added, ServiceStateChange.Updated):
                    self._asked[name] = None
                    info = AsyncServiceInfo(self.kind, name)
                    is_told = await info.async_request(zeroconf, LOOK_MS)
                    news = self._asked[name]
                if is_told and news is None:
                    self._known.add(label)
                    self._on_heard(label, info)
        except Exception as error:
            # What strangers send may trip zeroconf; it costs their service, not the list.
            _log.info("a service could not be read: %s", error)
        finally:
            del self._asked[name]


def _info(service: Service, addresses: tuple[str, ...]) -> AsyncServiceInfo:
    from zeroconf.asyncio import AsyncServiceInfo

    return AsyncServiceInfo(
        service.kind,
        service.name,
        port=service.port,
        properties=service.text,
        server=f"cloak-{service.label}"[:60] + ".local.",
        host_ttl=TTL_S,
        other_ttl=TTL_S,
        parsed_addresses=list(addresses),
    )


def peer_label(key: bytes) -> str:
    """What the service of a transport key is called, in base32 as labels hold 63 characters."""
    return base64.b32encode(key).decode("ascii").rstrip("=").lower()


def _peer_key(label: str) -> bytes | None:
    try:
        key = base64.b32decode(label.upper() + "=" * (-len(label) % 8))
    except ValueError:
        return None
    return key if len(key) == 32 else None


def _own_addresses() -> tuple[str, ...]:
    """This machine's IPv4 addresses on its networks; loopback alone if it is on none."""
    import ifaddr

    found = [str(ip.ip) for adapter in ifaddr.get_adapters() for ip in adapter.ips if ip.is_IPv4]
    outside = sorted(place for place in found if not ip_address(place).is_loopback)
    return tuple(outside[:MAX_ADDRESSES]) or ("127.0.0.1",)


async def _quietly(work: Awaitable[Any]) -> None:
    with suppress(Exception):
        await work
