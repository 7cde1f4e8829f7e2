"""Rooms on the local network: a service (`_cloakroom._udp`) each, named after the room's id, with
the signed advert in its text record."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from cloakboard.netplay.errors import NetplayError
from cloakboard.netplay.finding.advert import RENEW_S, Advert, Signer
from cloakboard.netplay.finding.lan import Lan, Service
from cloakboard.netplay.finding.listing import Listing
from cloakboard.netplay.identity import Identity

if TYPE_CHECKING:
    from zeroconf.asyncio import AsyncServiceInfo

ROOMS: Final = "_cloakroom._udp.local."
_CHUNK: Final = 240  # bytes; a string of a text record holds 255
_FORM: Final = b"1"


class LanAnnouncer:
    """See `advert.Announcer`; for one room at a time."""

    def __init__(self, lan: Lan, identity: Identity) -> None:
        self._lan = lan
        self._signer = Signer(identity)
        self._advert: Advert | None = None
        self._renewing: asyncio.Task[None] | None = None
        self._problem = ""

    def publish(self, advert: Advert) -> None:
        """As `Announcer.publish`."""
        if self._advert is not None and self._advert.room != advert.room:
            self.withdraw()
        self._advert = advert
        self._show()
        if self._renewing is None:
            self._renewing = asyncio.create_task(self._renew())

    def withdraw(self) -> None:
        """As `Announcer.withdraw`."""
        if self._renewing is not None:
            self._renewing.cancel()
            self._renewing = None
        if self._advert is not None:
            self._lan.hide(f"{self._advert.room.hex()}.{ROOMS}")
            self._advert = None

    def problem(self) -> str:
        """As `Announcer.problem`."""
        return self._problem

    def _show(self) -> None:
        assert self._advert is not None
        try:
            signed = self._signer.sign(self._advert)
        except NetplayError as error:
            self._problem = str(error)
            return
        self._problem = ""
        self._lan.show(Service(ROOMS, self._advert.room.hex(), 1, text_record(signed)))

    async def _renew(self) -> None:
        while True:
            await asyncio.sleep(RENEW_S)
            self._show()


class LanFinder:
    """See `advert.Finder`."""

    def __init__(self, lan: Lan, listing: Listing) -> None:
        self._lan = lan
        self.listing: Final = listing
        self._browsing = lan.browse(ROOMS, self._heard, listing.drop)

    def adverts(self) -> tuple[Advert, ...]:
        """As `Finder.adverts`."""
        return self.listing.adverts()

    def problem(self) -> str:
        """As `Finder.problem`."""
        return ""

    async def close(self) -> None:
        """Looks no longer."""
        await self._lan.unbrowse(self._browsing)

    def _heard(self, label: str, info: AsyncServiceInfo) -> None:
        self.listing.put(label, signed_in(info.properties))


def text_record(signed: bytes) -> bytes:
    """A text record: strings `v=1`, `0=…`, `1=…`, each after its length (RFC 6763, 6)."""
    strings = [b"v=" + _FORM]
    for number, start in enumerate(range(0, len(signed), _CHUNK)):
        strings.append(b"%d=%b" % (number, signed[start : start + _CHUNK]))
    return b"".join(bytes([len(string)]) + string for string in strings)


def signed_in(properties: dict[bytes, bytes | None]) -> bytes:
    """The bytes that a text record holds; empty for one of another form."""
    if properties.get(b"v") != _FORM:
        return b""
    chunks: list[bytes] = []
    while (chunk := properties.get(b"%d" % len(chunks))) is not None:
        chunks.append(chunk)
    return b"".join(chunks)
