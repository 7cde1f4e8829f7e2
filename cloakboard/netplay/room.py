"""How two machines that have just connected come to entry 0, or find the match they share.

See `wire` for the steps. Whatever a stranger says is checked before it is answered; each step
has a time limit; what does not fit ends the link with a sentence for both players.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from cloakboard.engine.errors import EngineError
from cloakboard.engine.game import Game
from cloakboard.netplay.errors import (
    Blocked,
    Forged,
    Lost,
    Malformed,
    Mismatch,
    NetplayError,
    Refused,
)
from cloakboard.netplay.identity import Identity, verify
from cloakboard.netplay.judge import check_opening, keys_of
from cloakboard.netplay.opening import (
    check_seat,
    clean_name,
    compose,
    joint_entry,
    lay_down,
    opening_header,
)
from cloakboard.netplay.secrets import tagged
from cloakboard.netplay.transcript import (
    JOINT_DOMAIN,
    Entry,
    Opening,
    encode,
    read_entry,
    read_opening,
    sign_joint,
)
from cloakboard.netplay.transport import Link
from cloakboard.netplay.wire import (
    PROTOCOL,
    Bye,
    EntryFrame,
    Hello,
    Joined,
    Message,
    Offer,
    Signed,
    Terms,
    pack,
    unpack,
)

HELLO_DOMAIN: Final = "cloak/hello/1"
STEP_SECONDS: Final = 20.0
NO_MATCH: Final = b""
NOT_NOW: Final = "this player is not taking guests now"
"""What whoever is blocked reads; it says nothing of why."""


def refuses_nobody(_key: bytes) -> bool:
    """The block list of whoever has none."""
    return False


@dataclass(frozen=True, slots=True)
class Me:
    """Who this machine is to others: identity, transport key, shown name, program version.
    `refuses` says of an identity key whether its player is blocked here."""

    identity: Identity
    transport_key: bytes
    name: str
    app: str
    refuses: Callable[[bytes], bool] = refuses_nobody


@dataclass(frozen=True, slots=True)
class Table:
    """What the host proposes. `host_seat`: where the host sits."""

    game: Game
    options: Mapping[str, Any] = field(default_factory=dict)
    setup: str = ""
    host_seat: int = 0


@dataclass(frozen=True, slots=True)
class Begun:
    """A match that all have signed."""

    entry: Entry
    opening: Opening
    match: bytes
    seat: int


async def say(link: Link, message: Message) -> None:
    """Sends one message."""
    await link.send(pack(message))


async def hear(link: Link, seconds: float = STEP_SECONDS) -> Message:
    """The next message. Raises `Lost` when none comes in time, `Refused` for a `Bye`."""
    try:
        async with asyncio.timeout(seconds):
            message = unpack(await link.receive())
    except TimeoutError:
        raise Lost("the other machine does not answer; try again") from None
    if isinstance(message, Bye):
        raise Refused(f"the other side left: {clean_reason(message.reason)}")
    return message


def clean_reason(text: str) -> str:
    """A stranger's sentence, fit to be shown."""
    return "".join(c for c in text if c.isprintable())[:300]


async def part(link: Link, error: Exception) -> None:
    """Tells the other side why, and closes."""
    try:
        await say(link, Bye(NOT_NOW if isinstance(error, Blocked) else str(error)[:300]))
        await link.close()
    except NetplayError:
        return


async def greet(link: Link, me: Me, room: bytes, match: bytes) -> Hello:
    """Both sides' `Hello`; returns the other's, checked. Raises `NetplayError`."""
    nonce = os.urandom(32)
    own = _hello_bytes(room, match, nonce, me.transport_key, link.peer)
    proof = me.identity.sign(HELLO_DOMAIN, own)
    hello = Hello(PROTOCOL, me.app, room, match, me.identity.key, clean_name(me.name), nonce, proof)
    await say(link, hello)
    other = await hear(link)
    if not isinstance(other, Hello):
        raise Malformed("the other machine does not speak Cloakboard", what="hello")
    if other.protocol != PROTOCOL:
        raise Mismatch(
            f"the other side runs Cloakboard {clean_reason(other.app)}, this is {me.app}; "
            "both players need the same version, so update the older one",
            what="protocol",
            expected=PROTOCOL,
            actual=other.protocol,
        )
    if len(other.key) != 32 or len(other.nonce) != 32:
        raise Malformed("the other machine's greeting is malformed", what="hello")
    said = _hello_bytes(other.room, other.match, other.nonce, link.peer, me.transport_key)
    verify(other.key, HELLO_DOMAIN, said, other.proof)
    if other.key == me.identity.key:
        raise Refused("that is your own identity; two players need two profiles (--profile DIR)")
    if me.refuses(other.key):
        raise Blocked("you have blocked this player; unblock them under Friends to play with them")
    if other.room != room:
        raise Refused("the invite is of another room; ask your friend for a new one")
    if other.match != match:
        raise Mismatch(
            "the other side wants to go on with another match; open the same save on both sides",
            what="match",
        )
    return other


def _hello_bytes(room: bytes, match: bytes, nonce: bytes, own: bytes, peer: bytes) -> bytes:
    return tagged("cloak/hello/1", room, match, nonce, own, peer)


async def host_match(link: Link, me: Me, room: bytes, table: Table) -> Begun:
    """The host's side of a new match of two seats."""
    game, seat = table.game, table.host_seat
    guest = 1 - seat
    hello = await greet(link, me, room, NO_MATCH)
    options = tuple(sorted(game.options.complete(table.options).items()))
    await say(link, Terms(game.id, game.rules_version, options, table.setup, game.seats, guest))
    joined = await _expect(link, Joined)
    theirs = check_seat(joined.seat)
    if theirs.key != hello.key:
        raise Forged("the other machine laid down another key than it greeted with", what="seat")
    nonce = tagged("cloak/table/1", room, *sorted((me.identity.key, hello.key)))
    mine = lay_down(me.identity, me.name, nonce, seat)
    seats = (mine, theirs) if seat == 0 else (theirs, mine)
    opening = compose(game, me.app, table.options, table.setup, nonce, seats)
    await say(link, Offer(encode(opening)))
    signed = await _expect(link, Signed)
    header = opening_header(opening)
    verify(theirs.key, JOINT_DOMAIN, encode(header), signed.signature)
    own = sign_joint(me.identity, header)
    entry = joint_entry(opening, (own, signed.signature) if seat == 0 else (signed.signature, own))
    opening, match = check_opening(entry, game)
    await say(link, EntryFrame(encode(entry)))
    return Begun(entry, opening, match, seat)


async def join_match(
    link: Link, me: Me, room: bytes, host: bytes, games: Mapping[str, Game]
) -> tuple[Begun, Game]:
    """The guest's side. `host`: the identity the invite names."""
    hello = await greet(link, me, room, NO_MATCH)
    if hello.key != host:
        raise Forged("who answers is not the player that invited you; ask for a new invite")
    terms = await _expect(link, Terms)
    game = _check_terms(terms, games)
    nonce = tagged("cloak/table/1", room, *sorted((me.identity.key, hello.key)))
    mine = lay_down(me.identity, me.name, nonce, terms.seat)
    await say(link, Joined(mine))
    offer = await _expect(link, Offer)
    opening = read_opening(offer.opening)
    expected = compose(
        game,
        opening.app,
        dict(terms.options),
        terms.setup,
        nonce,
        tuple(mine if s == terms.seat else check_seat(o) for s, o in enumerate(opening.seats)),
    )
    if encode(expected) != offer.opening or keys_of(opening)[1 - terms.seat] != host:
        raise Forged("the host offers another match than it proposed", what="offer")
    await say(link, Signed(terms.seat, sign_joint(me.identity, opening_header(opening))))
    sealed = await _expect(link, EntryFrame)
    entry = read_entry(sealed.data)
    opening, match = check_opening(entry, game)
    if encode(opening) != offer.opening:
        raise Forged("the host signed another match than it offered", what="entry")
    return Begun(entry, opening, match, terms.seat), game


def _check_terms(terms: Terms, games: Mapping[str, Game]) -> Game:
    game = games.get(terms.game)
    if game is None:
        raise Mismatch(
            f"the host plays {clean_reason(terms.game)}, which this version does not have; update "
            "Cloakboard",
            what="game",
        )
    if game.rules_version != terms.rules_version:
        raise Mismatch(
            f"the host plays {game.title} by rules version {terms.rules_version}, this program by "
            f"{game.rules_version}; both players need the same version",
            what="rules",
            expected=game.rules_version,
            actual=terms.rules_version,
        )
    if terms.seats != game.seats or not 0 <= terms.seat < game.seats or game.seats != 2:
        raise Malformed("the host proposes seats that the game does not have", what="terms")
    try:
        game.start(game.options.complete(dict(terms.options)), terms.setup)
    except EngineError as error:
        raise Mismatch(f"the host's rules cannot be played here: {error}", what="options") from None
    return game


async def _expect(link: Link, kind: type[Any]) -> Any:
    message = await hear(link)
    if not isinstance(message, kind):
        raise Malformed("the other machine sent a message out of place", what="message")
    return message
