"""Halls: an MQTT broker's retained messages as lists of open rooms, for friends far apart.

A room's signed advert is the retained message of `cloakboard/1/rooms/<id>`; an empty one ends
it. The host's last will is that empty message, so the broker itself takes a room away whose
machine died. The broker and everybody on it are strangers. What each thing answers:
- the advert's signature, and its room under its own id: false and copied rooms.
- `Listing`'s bounds, a bounded queue, and a size told to the broker: floods.
- the host reads its own topic: whoever empties or overwrites it is overruled, not too often.
- an expiry in the advert, and one told to the broker: rooms whose will never came.
"""

from __future__ import annotations

import asyncio
import logging
import random
import ssl
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote, urlsplit

from cloakboard.netplay.errors import Malformed, NetplayError
from cloakboard.netplay.finding.advert import (
    LIFE_S,
    MAX_ADVERT,
    RENEW_S,
    Advert,
    OnChange,
    Signer,
)
from cloakboard.netplay.finding.listing import Listing, nobody
from cloakboard.netplay.identity import Identity

if TYPE_CHECKING:
    from aiomqtt import Client, Will

TOPIC: Final = "cloakboard/1/rooms/"
PLAIN_PORT: Final = 1883
TLS_PORT: Final = 8883
MAX_URL: Final = 300
MAX_WAITING: Final = 8_192  # messages that came and were not yet read
GAP_S: Final = 0.2  # between two adverts of a room
AGAIN_S: Final = 0.5  # until a member that shall leave is told so once more
REPAIR_S: Final = 5.0  # between two times that a room which others took away is shown again
MQTT_5: Final = 5
MQTT_3: Final = 4  # 3.1.1, as the protocol numbers itself
_WRONG_VERSION: Final = (1, 132)  # refusals of a connection, in 3.1.1 and in 5
_WRONG_PASSWORD: Final = (4, 5, 134, 135)

_log = logging.getLogger(__name__)
_mqtt_log = logging.getLogger(f"{__name__}.mqtt")
_mqtt_log.setLevel(logging.ERROR)  # below that a flood would fill the disk


@dataclass(frozen=True, slots=True)
class HallAddress:
    """Where a hall is. `password` is shown by no `repr` and no text."""

    host: str
    port: int
    tls: bool
    user: str = ""
    password: str = field(default="", repr=False)

    @property
    def label(self) -> str:
        """What a hall is called: its host, and its port if that is unusual."""
        usual = self.port == (TLS_PORT if self.tls else PLAIN_PORT)
        return self.host if usual else f"{self.host}:{self.port}"


@dataclass(frozen=True, slots=True)
class Pace:
    """Seconds: before the first try to come back to a hall, and at most between two; within
    which a broker must hear of each machine."""

    first_s: float = 1.0
    most_s: float = 60.0
    keepalive_s: int = 15


USUAL: Final = Pace()


def parse_hall(text: str) -> HallAddress:
    """The hall that `HOST`, `HOST:PORT`, `mqtts://…` or `mqtt://USER:PASSWORD@…` names; without
    a scheme it is encrypted.

    Raises `Malformed`, which holds no password; so it does for one that would go unencrypted.
    """
    text = text.strip()
    try:
        parts = urlsplit(text if "://" in text else f"mqtts://{text}")
        port, host = parts.port, parts.hostname
    except ValueError:
        host = port = parts = None
    if (
        parts is None
        or not host
        or not host.isprintable()
        or " " in host
        or len(text) > MAX_URL
        or parts.scheme not in ("mqtt", "mqtts")
        or parts.path not in ("", "/")
        or parts.query
        or parts.fragment
        or port == 0
    ):
        raise Malformed(
            "a hall is named by its host, such as hall.example.org, or as mqtts://HOST:PORT; "
            "correct that line",
            what="hall",
        )
    tls = parts.scheme == "mqtts"
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    if password and not tls and not _is_here(host):
        raise Malformed(
            f"the password for {host} would go through the network unencrypted; use mqtts://",
            what="hall",
        )
    return HallAddress(host, port or (TLS_PORT if tls else PLAIN_PORT), tls, user, password)


class _Member:
    """What announcer and finder share: a connection that comes back."""

    def __init__(self, address: HallAddress, pace: Pace) -> None:
        self.address: Final = address
        self.version = MQTT_5  # falls to `MQTT_3` for a broker that knows no more
        self._pace = pace
        self._problem = ""
        self._running: asyncio.Task[None] | None = None

    def problem(self) -> str:
        """As `Announcer.problem` and `Finder.problem`."""
        return self._problem

    async def close(self) -> None:
        """Leaves the hall."""
        running, self._running = self._running, None
        while running is not None and not running.done():
            # A wait of aiomqtt's swallows a cancellation that comes together with its answer.
            running.cancel()
            await asyncio.wait([running], timeout=AGAIN_S)

    def _start(self) -> None:
        if self._running is None or self._running.done():
            self._running = asyncio.create_task(self._run())

    async def _run(self) -> None:
        """Sits in the hall for as long as it is wanted."""
        try:
            from aiomqtt import MqttError
        except ImportError:
            self._tell("halls need the package aiomqtt, which does not load here")
            return
        loop = asyncio.get_running_loop()
        waited = 0.0
        while self._is_wanted():
            begun = loop.time()
            try:
                async with self._client() as client:
                    await self._sit(client)
            except MqttError as error:
                self._failed(error)
            except Exception as error:
                # A broker's bytes may trip the client; the hall is lost, nothing else is.
                _log.warning("hall %s: %s", self.address.label, type(error).__name__)
                self._tell(self._unreachable)
            if self._is_wanted():
                if loop.time() - begun > self._pace.most_s:
                    waited = 0.0
                waited = min(max(2 * waited, self._pace.first_s), self._pace.most_s)
                await asyncio.sleep(waited * random.uniform(0.5, 1))

    def _is_wanted(self) -> bool:
        raise NotImplementedError

    async def _sit(self, client: Client) -> None:
        raise NotImplementedError

    def _will(self) -> Will | None:
        return None

    def _tell(self, problem: str) -> None:
        self._problem = problem

    @property
    def _unreachable(self) -> str:
        return f"the hall {self.address.label} cannot be reached; it is tried again"

    def _failed(self, error: Exception) -> None:
        code = getattr(error, "rc", None)
        code = getattr(code, "value", code)
        if code in _WRONG_VERSION and self.version == MQTT_5:
            self.version = MQTT_3
        elif code in _WRONG_PASSWORD:
            self._tell(
                f"the hall {self.address.label} does not take this name and password; "
                "correct them in the settings"
            )
        elif "CERTIFICATE" in str(error).upper():
            self._tell(f"the hall {self.address.label} has no certificate that can be trusted")
        else:
            self._tell(self._unreachable)

    def _client(self) -> Client:
        from aiomqtt import Client, Message, ProtocolVersion

        class Inbox(asyncio.Queue[Message]):
            """Keeps no message that is too long to be an advert, whatever the broker lets pass."""

            def put_nowait(self, item: Message) -> None:
                if not isinstance(item.payload, bytes) or len(item.payload) <= MAX_ADVERT:
                    super().put_nowait(item)

        where = self.address
        options: dict[str, Any] = {}
        if self.version == MQTT_5:
            options["properties"] = _properties("CONNECT", MaximumPacketSize=2 * MAX_ADVERT)
        else:
            options["clean_session"] = True
        return Client(
            where.host,
            where.port,
            username=where.user or None,
            password=where.password or None,
            tls_context=ssl.create_default_context() if where.tls else None,
            protocol=ProtocolVersion(self.version),
            will=self._will(),
            keepalive=self._pace.keepalive_s,
            queue_type=Inbox,
            max_queued_incoming_messages=MAX_WAITING,
            logger=_mqtt_log,
            **options,
        )


class HallAnnouncer(_Member):
    """See `advert.Announcer`."""

    def __init__(self, address: HallAddress, identity: Identity, pace: Pace = USUAL) -> None:
        super().__init__(address, pace)
        self._signer = Signer(identity)
        self._advert: Advert | None = None
        self._changed = asyncio.Event()
        self._room = b""
        self._sent: deque[bytes] = deque(maxlen=8)

    def publish(self, advert: Advert) -> None:
        """As `Announcer.publish`."""
        self._advert = advert
        self._changed.set()
        self._start()

    def withdraw(self) -> None:
        """As `Announcer.withdraw`."""
        self._advert = None
        self._changed.set()

    async def close(self) -> None:
        """Withdraws the room, as far as the hall can still be told, and leaves."""
        self.withdraw()
        if self._running is not None and self._room:
            await asyncio.wait([self._running], timeout=1.0)
        await super().close()

    def _is_wanted(self) -> bool:
        return self._advert is not None

    @property
    def _topic(self) -> str:
        return TOPIC + self._room.hex()

    def _will(self) -> Will:
        from aiomqtt import Will

        assert self._advert is not None
        self._room = self._advert.room
        return Will(self._topic, b"", qos=1, retain=True)

    async def _sit(self, client: Client) -> None:
        await client.subscribe(self._topic, qos=1)
        self._tell("")
        guarding = asyncio.create_task(self._guard(client))
        try:
            while self._advert is not None and self._advert.room == self._room:
                self._changed.clear()
                await self._show(client, self._advert)
                await asyncio.sleep(GAP_S)
                await self._await_change(guarding)
            await client.publish(self._topic, b"", qos=1, retain=True)
        finally:
            self._room = b""
            guarding.cancel()
            with suppress(asyncio.CancelledError):
                await guarding

    async def _await_change(self, guarding: asyncio.Task[None]) -> None:
        """Waits for a change or the time to renew; raises what ended the connection."""
        changing = asyncio.create_task(self._changed.wait())
        try:
            await asyncio.wait(
                {changing, guarding}, timeout=RENEW_S, return_when=asyncio.FIRST_COMPLETED
            )
        finally:
            changing.cancel()
        if guarding.done():
            guarding.result()

    async def _show(self, client: Client, advert: Advert) -> None:
        try:
            signed = self._signer.sign(advert)
        except NetplayError as error:
            self._tell(str(error))
            return
        self._sent.append(signed)
        fades = None
        if self.version == MQTT_5:
            fades = _properties("PUBLISH", MessageExpiryInterval=LIFE_S)
        await client.publish(self._topic, signed, qos=1, retain=True, properties=fades)

    async def _guard(self, client: Client) -> None:
        """Shows the room again when somebody else, or a late will, has changed its topic."""
        loop = asyncio.get_running_loop()
        next_at = loop.time() + GAP_S
        repair: asyncio.TimerHandle | None = None
        async for message in client.messages:
            is_due = repair is None or repair.when() <= loop.time()
            if message.payload not in self._sent and is_due:
                repair = loop.call_at(max(next_at, loop.time() + GAP_S), self._changed.set)
                next_at = repair.when() + REPAIR_S


class HallFinder(_Member):
    """See `advert.Finder`."""

    def __init__(
        self,
        address: HallAddress,
        on_change: OnChange,
        hides: Callable[[bytes], bool] = nobody,
        favours: Callable[[bytes], bool] = nobody,
        pace: Pace = USUAL,
    ) -> None:
        """Looks at once; must be made on the loop. See `Listing`."""
        super().__init__(address, pace)
        self._on_change = on_change
        self.listing: Final = Listing(on_change, hides=hides, favours=favours)
        self._start()

    def adverts(self) -> tuple[Advert, ...]:
        """As `Finder.adverts`; what was last known while the hall cannot be reached."""
        return self.listing.adverts()

    def _is_wanted(self) -> bool:
        return True

    def _tell(self, problem: str) -> None:
        if problem != self._problem:
            self._problem = problem
            self._on_change()

    async def _sit(self, client: Client) -> None:
        # Rooms that ended meanwhile are not told of; all others are told of again at once.
        self.listing.clear()
        await client.subscribe(f"{TOPIC}+", qos=0)
        self._tell("")
        async for message in client.messages:
            name = message.topic.value.removeprefix(TOPIC)
            payload = message.payload
            if isinstance(payload, bytes) and payload:
                self.listing.put(name, payload)
            else:
                self.listing.drop(name)


def _properties(packet: str, **values: int) -> Any:
    from paho.mqtt.packettypes import PacketTypes
    from paho.mqtt.properties import Properties

    kind = getattr(PacketTypes, packet)
    properties = Properties(kind)  # type: ignore[no-untyped-call]  # paho leaves it untyped
    for name, value in values.items():
        setattr(properties, name, value)
    return properties


def _is_here(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
