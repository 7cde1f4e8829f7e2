"""Adverts: what a host says of an open room to whoever looks for one, signed by the host.

A signed advert is the host's key, the advert's canonical bytes and the signature over them. It
may come from any broker or any machine of the network, so it is read in this order: size, form,
signature, then meaning. What each step answers:
1. size and form: floods, and texts that spoil a list.
2. signature under a domain of its own: a room in another player's name.
3. the invite names the same key: somebody else's room offered as one's own.
4. expiry and counter: an old advert played again; the newest of a room holds.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Final, Protocol

import msgspec

from cloakboard.netplay.errors import Forged, Malformed, Stale
from cloakboard.netplay.identity import Identity, verify
from cloakboard.netplay.invite import Invite
from cloakboard.netplay.transcript import Record, encode
from cloakboard.netplay.wire import PROTOCOL

ADVERT_DOMAIN: Final = "cloak/advert/1"
MAX_ADVERT: Final = 4096  # bytes of a signed one
MAX_SEATS: Final = 16
MAX_SETTINGS: Final = 32
LIFE_S: Final = 600
"""How long an advert holds; a host that is there renews it every `RENEW_S`."""
RENEW_S: Final = LIFE_S / 3
SKEW_S: Final = 600
"""How far two machines' clocks may differ without the one missing the other's rooms."""
_TITLE: Final = 60  # characters
_NAME: Final = 40
_VALUE: Final = 60
_COUNT: Final = 1 << 53

Count = Annotated[int, msgspec.Meta(ge=0, le=_COUNT)]
Seats = Annotated[int, msgspec.Meta(ge=0, le=MAX_SEATS)]
Short = Annotated[str, msgspec.Meta(max_length=_NAME)]
Named = Annotated[str, msgspec.Meta(min_length=1, max_length=_NAME)]
Number = Annotated[int, msgspec.Meta(ge=-_COUNT, le=_COUNT)]
Value = bool | Number | Annotated[str, msgspec.Meta(max_length=_VALUE)]


class Advert(Record, frozen=True, kw_only=True):
    """An open room. `invite` leads there, and its `host` is the key that signs; `game` and
    `rules_version` as in the registry; `title`: what the host calls the room, may be empty;
    `host`: how the host wishes to be shown; `seats` in all and `free` among them; `settings`:
    what is worth knowing before one joins, as names and values; `needs_password`;
    `protocol`: of `wire`; `counter` rises with each advert of a room; `expires`: unix seconds.
    """

    invite: Invite
    game: Named
    rules_version: Count
    host: Named
    seats: Annotated[int, msgspec.Meta(ge=1, le=MAX_SEATS)]
    free: Seats
    title: Annotated[str, msgspec.Meta(max_length=_TITLE)] = ""
    settings: Annotated[tuple[tuple[Named, Value], ...], msgspec.Meta(max_length=MAX_SETTINGS)] = ()
    needs_password: bool = False
    protocol: Count = PROTOCOL
    counter: Count = 0
    expires: Count = 0

    @property
    def key(self) -> bytes:
        """The host's identity, 32 bytes."""
        return self.invite.host

    @property
    def room(self) -> bytes:
        """The room's id."""
        return self.invite.room

    def text(self) -> str:
        """The invite to join by."""
        return self.invite.text()

    def setting(self, name: str) -> bool | int | str | None:
        """A setting's value, None if the advert does not tell it."""
        return dict(self.settings).get(name)


class _Signed(Record, frozen=True):
    key: Annotated[bytes, msgspec.Meta(min_length=32, max_length=32)]
    body: Annotated[bytes, msgspec.Meta(min_length=1, max_length=MAX_ADVERT)]
    signature: Annotated[bytes, msgspec.Meta(min_length=64, max_length=64)]


_signed_decoder = msgspec.msgpack.Decoder(_Signed)
_advert_decoder = msgspec.msgpack.Decoder(Advert)


class Announcer(Protocol):
    """A place where a room can be shown. All methods return at once and are called on the
    network's loop; what goes wrong is told by `problem` and never stops the room."""

    def publish(self, advert: Advert) -> None:
        """Show the room like this from now on. Counter and expiry are the announcer's own, so
        the caller leaves them out, and it calls again only when the room has changed."""

    def withdraw(self) -> None:
        """Show the room no longer."""

    def problem(self) -> str:
        """One sentence: why nobody sees the room here. Empty while all is well."""


class Finder(Protocol):
    """A list of rooms that stays current. It calls `on_change`, given when it was made, on the
    network's loop after each change."""

    def adverts(self) -> tuple[Advert, ...]:
        """All that is known, oldest first; each was signed by its host and has not expired."""

    def problem(self) -> str:
        """One sentence: why the list is empty or old. Empty while all is well."""

    async def close(self) -> None:
        """Looks no longer."""


OnChange = Callable[[], None]


def make_advert(
    invite: Invite,
    *,
    game: str,
    rules_version: int,
    host: str,
    seats: int,
    free: int,
    title: str = "",
    settings: Mapping[str, bool | int | str] | None = None,
    needs_password: bool = False,
) -> Advert:
    """An advert with its texts cut and cleaned, so that every machine can read it."""
    told = tuple(
        (_clean(name, _NAME), _clean(value, _VALUE) if isinstance(value, str) else value)
        for name, value in list((settings or {}).items())[:MAX_SETTINGS]
    )
    return Advert(
        invite=invite,
        game=game,
        rules_version=rules_version,
        host=_clean(host, _NAME) or "Player",
        seats=seats,
        free=free,
        title=_clean(title, _TITLE),
        settings=told,
        needs_password=needs_password,
    )


def sign_advert(identity: Identity, advert: Advert, counter: int, now_s: float) -> bytes:
    """A signed advert that holds for `LIFE_S` from `now_s`, unix seconds.

    Raises `Malformed` if the invite is another player's or the advert is too long to be read.
    """
    if advert.key != identity.key:
        raise Malformed("a room can be shown by its host alone", what="advert")
    advert = msgspec.structs.replace(advert, counter=counter, expires=int(now_s) + LIFE_S)
    body = encode(advert)
    data = encode(_Signed(identity.key, body, identity.sign(ADVERT_DOMAIN, body)))
    read_advert(data, now_s)
    return data


class Signer:
    """Signs what one announcer shows; every advert counts higher than those before it, those
    of an earlier run included, as long as the clock goes forward."""

    def __init__(self, identity: Identity, clock: Callable[[], float] = time.time) -> None:
        """`clock` gives unix seconds."""
        self._identity = identity
        self._clock = clock
        self._counter = 0

    def sign(self, advert: Advert) -> bytes:
        """As `sign_advert`."""
        now = self._clock()
        self._counter = max(self._counter + 1, int(now * 1000))
        return sign_advert(self._identity, advert, self._counter, now)


def read_advert(data: bytes, now_s: float) -> Advert:
    """The advert that signed bytes hold, `now_s` in unix seconds.

    Raises `Malformed` for what is none, too long, or holds text that cannot be shown; `Forged`
    if its host did not sign it; `Stale` if it has expired, or expires later than any would.
    """
    if len(data) > MAX_ADVERT:
        raise _bad("it is too long")
    signed = _strict(_signed_decoder, data)
    verify(signed.key, ADVERT_DOMAIN, signed.body, signed.signature)
    advert: Advert = _strict(_advert_decoder, signed.body)
    if advert.key != signed.key:
        raise Forged("an advert leads to another player's room", what="advert")
    texts = [(advert.title, _TITLE), (advert.host, _NAME)]
    texts += [(name, _NAME) for name, _ in advert.settings]
    texts += [(value, _VALUE) for _, value in advert.settings if isinstance(value, str)]
    if any(_clean(text, limit) != text for text, limit in texts):
        raise _bad("its text cannot be shown")
    if len({name for name, _ in advert.settings}) != len(advert.settings):
        raise _bad("it tells a setting twice")
    if advert.free > advert.seats:
        raise _bad("more seats are free than there are")
    if not 0 < advert.expires + SKEW_S - now_s <= LIFE_S + 2 * SKEW_S:
        raise Stale("an advert has expired, or a clock is wrong by many minutes", what="advert")
    return advert


def _strict(decoder: msgspec.msgpack.Decoder[Any], data: bytes) -> Any:
    try:
        record = decoder.decode(data)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        raise _bad("its form is none of Cloakboard's") from None
    if encode(record) != data:
        raise _bad("its form is not the one form")
    return record


def _bad(why: str) -> Malformed:
    return Malformed(f"an advert of a room cannot be used: {why}", what="advert")


def _clean(text: str, limit: int) -> str:
    """A line as a list may show it; cleaning it once more changes nothing."""
    kept = "".join(c if c.isprintable() else " " * c.isspace() for c in text)
    return " ".join(kept.split())[:limit].rstrip()
