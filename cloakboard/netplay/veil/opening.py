"""Entry 0: what each seat lays down before the first move, and all signatures under it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from cloakboard.engine.game import Game
from cloakboard.netplay.errors import Malformed
from cloakboard.netplay.identity import Identity
from cloakboard.netplay.plain import one_line
from cloakboard.netplay.room_settings import settings
from cloakboard.netplay.transcript import (
    ALL_SEATS,
    NO_HASH,
    VERSION,
    Entry,
    Header,
    Opening,
    SeatOpening,
    body_hash,
    encode,
)
from cloakboard.netplay.veil.blind import Hand
from cloakboard.netplay.veil.chain import Chain
from cloakboard.netplay.veil.seal import box_public, open_sealed, seal_to_identity
from cloakboard.netplay.veil.secrets import SECRET_BYTES, Secret

NAME_LENGTH: Final = 40  # characters of a player's name
_SEALED_BYTES: Final = 128


def lay_down(
    identity: Identity, name: str, nonce: bytes, seat: int, secret: Secret | None = None
) -> SeatOpening:
    """A seat's part of entry 0, with a fresh secret from the operating system unless one is
    given. `nonce` is the table's."""
    secret = secret or Secret(os.urandom(SECRET_BYTES))
    prepared = secret.prepare(nonce, seat)
    return SeatOpening(
        key=identity.key,
        name=clean_name(name),
        box=box_public(prepared),
        commitment=prepared.commitment(),
        sealed=seal_to_identity(identity.seed, _context(nonce, seat), secret.reveal()),
        tip=Chain(prepared).tip,
    )


def own_hand(identity: Identity, opening: Opening, match: bytes, seat: int) -> Hand:
    """The hand of a seat, its secret opened with the identity that sealed it.

    Raises `Forged` if this identity does not hold the seat.
    """
    sealed = opening.seats[seat].sealed
    secret = Secret(open_sealed(identity.seed, _context(opening.nonce, seat), sealed))
    return Hand(secret, opening, match, seat)


def _context(nonce: bytes, seat: int) -> tuple[str, bytes, int]:
    return "cloak/secret", nonce, seat


def clean_name(name: str) -> str:
    """A player's name as others may be shown it: printable, one line, not too long."""
    return one_line(name, NAME_LENGTH) or "Player"


def compose(
    game: Game,
    app: str,
    options: Mapping[str, Any],
    setup: str,
    nonce: bytes,
    seats: tuple[SeatOpening, ...],
    room: Mapping[str, Any] = MappingProxyType({}),
) -> Opening:
    """The body of entry 0. Raises `BadOption` for options that are none of the game's, or
    settings that are none of the `room`'s."""
    agreed = game.options.complete(options)
    return Opening(
        version=VERSION,
        app=app,
        game=game.id,
        rules_version=game.rules_version,
        options=tuple(sorted(agreed.items())),
        setup=setup,
        room=settings(room),
        nonce=nonce,
        seats=seats,
    )


def check_seat(seat: SeatOpening) -> SeatOpening:
    """The seat's part itself if its fields have the sizes they must have. Raises `Malformed`."""
    sizes = len(seat.key), len(seat.box), len(seat.commitment), len(seat.tip)
    if sizes != (32, 32, 32, 32) or len(seat.sealed) > _SEALED_BYTES:
        raise Malformed("the other machine laid down something of the wrong size", what="seat")
    if seat.name != clean_name(seat.name):
        raise Malformed("the other player's name cannot be shown", what="name")
    return seat


def opening_header(opening: Opening) -> Header:
    """The header of entry 0; its hash is the match's id."""
    return Header(
        version=VERSION,
        match=NO_HASH,
        epoch=0,
        seq=0,
        author=ALL_SEATS,
        prev=NO_HASH,
        state=NO_HASH,
        used_ms=0,
        requests=(),
        body=body_hash(encode(opening)),
    )


def joint_entry(opening: Opening, signatures: tuple[bytes, ...]) -> Entry:
    """Entry 0 with every seat's signature, in seat order."""
    return Entry(opening_header(opening), encode(opening), signatures)
