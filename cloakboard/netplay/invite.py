"""Invites: one line of text that says where a room is, which room, and whose.

`cloak1:` + base32, lower case without padding, of a msgpack record and its 4-byte checksum. The
checksum catches slips of the hand; that the right player answers is what `host` is for. As a link
it is `cloakboard:` and the same line. A key that is handed on without a room has a form of its own.
"""

from __future__ import annotations

import base64
import hashlib
import re
from typing import Annotated, Final, TypeVar

import msgspec
import segno

from cloakboard.netplay.errors import Malformed, Mismatch

PREFIX: Final = "cloak1:"
LINK: Final = "cloakboard:"
"""Stands before an invite that is a link, for a desktop to open."""
KEY_PREFIX: Final = "cloakkey1:"
WATCH_PREFIX: Final = "cloakwatch1:"
ROOM_BYTES: Final = 16
MAX_ADDRESS: Final = 1024
MAX_TEXT: Final = 4096
_CHECK_BYTES: Final = 4
_KEY_BYTES: Final = 32
_PREFIX_FORM: Final = re.compile(r"cloak(\d{1,4}):")
_KEY_FORM: Final = re.compile(r"[0-9a-f]{64}")


class Invite(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """`address`: what the transport dials; `room`: the room's id; `host`: the inviting player's
    identity key, which must sign what the other end of the connection first says; `ticket`: what
    lets whoever was invited in, empty where the room is shown to strangers."""

    address: Annotated[str, msgspec.Meta(min_length=1, max_length=MAX_ADDRESS)]
    room: Annotated[bytes, msgspec.Meta(min_length=ROOM_BYTES, max_length=ROOM_BYTES)]
    host: Annotated[bytes, msgspec.Meta(min_length=32, max_length=32)]
    ticket: Annotated[bytes, msgspec.Meta(max_length=ROOM_BYTES)] = b""

    def text(self) -> str:
        """The line to paste."""
        return _written(PREFIX, msgspec.msgpack.encode(self))

    def __repr__(self) -> str:
        return f"Invite({self.address!r}, {self.room!r}, {self.host!r})"  # without the ticket


class Watch(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """An invite to watch: `address` of a seat's machine, the id of the `match`, and `host`: that
    player's identity key."""

    address: Annotated[str, msgspec.Meta(min_length=1, max_length=MAX_ADDRESS)]
    match: Annotated[bytes, msgspec.Meta(min_length=32, max_length=32)]
    host: Annotated[bytes, msgspec.Meta(min_length=32, max_length=32)]

    def text(self) -> str:
        """The line to hand on."""
        return _written(WATCH_PREFIX, msgspec.msgpack.encode(self))


def parse_invite(text: str) -> Invite:
    """The invite that `text` holds; white space anywhere and letter case do not matter.

    Raises `Malformed` for no invite or a damaged one, `Mismatch` for one of another version.
    """
    line = _line(text)
    prefix = _PREFIX_FORM.match(line)
    if prefix is None:
        raise Malformed(
            f"this is not an invite; an invite is one line that begins with {PREFIX}",
            what="invite",
        )
    if prefix.group() != PREFIX:
        raise Mismatch(
            f"this invite is of the version {prefix.group()} and this Cloakboard reads {PREFIX}; "
            "both players need the same version, so update the older one",
            what="invite version",
            expected=PREFIX,
            actual=prefix.group(),
        )
    return _read(line, PREFIX, Invite)


_Line = TypeVar("_Line", Invite, Watch)


def _read(line: str, prefix: str, kind: type[_Line]) -> _Line:
    """What a line holds behind its prefix. Raises `Malformed` unless it is the one line of it."""
    slip = Malformed("the invite is cut off or mistyped; copy the whole line again", what="invite")
    if len(line) > MAX_TEXT:
        raise slip
    try:
        found = msgspec.msgpack.decode(_record_in(line, prefix), type=kind)
    except (ValueError, msgspec.DecodeError) as error:
        raise slip from error
    if found.text() != line:
        raise slip
    return found


def is_meant(text: str) -> bool:
    """Whether a text, maybe mistyped, begins as an invite does."""
    return _PREFIX_FORM.match(_line(text)) is not None


def is_watch(text: str) -> bool:
    """Whether a text looks like an invite to watch."""
    return _line(text).startswith(WATCH_PREFIX)


def parse_watch(text: str) -> Watch:
    """The invite to watch that `text` holds. Raises `Malformed`."""
    line = _line(text)
    if not line.startswith(WATCH_PREFIX):
        raise Malformed(
            f"this is no invite to watch; it is one line that begins with {WATCH_PREFIX}",
            what="invite",
        )
    return _read(line, WATCH_PREFIX, Watch)


def parse_any(text: str) -> Invite | Watch:
    """The invite to play or to watch that `text` holds; see `parse_invite`."""
    return parse_watch(text) if is_watch(text) else parse_invite(text)


def key_text(key: bytes, address: str = "") -> str:
    """A player's key, and where their machine is found, as a line to hand on; `read_who` reads
    it."""
    return _written(KEY_PREFIX, key + address.encode())


def read_who(text: str) -> tuple[bytes, str]:
    """The key of the player whom an invite, a line of `key_text` or 64 hex digits names, and the
    address in it or nothing. Raises `NetplayError`, with a way out."""
    line = _line(text)
    if _KEY_FORM.fullmatch(line):
        return bytes.fromhex(line), ""
    if not line.startswith(KEY_PREFIX):
        if not is_watch(line) and not _PREFIX_FORM.match(line):
            raise Malformed(
                f"this is neither an invite, which begins with {PREFIX}, nor a key, which begins "
                f"with {KEY_PREFIX}; copy the whole line that your friend sent",
                what="invite",
            )
        invite = parse_any(line)
        return invite.host, invite.address
    slip = Malformed("the key is cut off or mistyped; copy the whole line again", what="key")
    try:
        record = _record_in(line, KEY_PREFIX)
        key, address = record[:_KEY_BYTES], record[_KEY_BYTES:].decode()
    except ValueError:
        raise slip from None
    is_whole = len(key) == _KEY_BYTES and len(address) <= MAX_ADDRESS
    if not is_whole or key_text(key, address) != line:
        raise slip
    return key, address


def _line(text: str) -> str:
    """What was pasted or clicked, without white space, in small letters, not as a link."""
    line = "".join(text[: 2 * MAX_TEXT].split()).lower()
    return line.removeprefix(LINK).lstrip("/")


def qr_matrix(text: str) -> tuple[tuple[bool, ...], ...]:
    """The QR picture of an invite as rows of dark (True) modules, without the quiet zone.

    Upper case, which `parse_invite` takes as well, lets a QR code pack two letters in 11 bits.
    """
    code = segno.make(text.upper(), error="m", micro=False)
    return tuple(tuple(bool(module) for module in row) for row in code.matrix)


def _written(prefix: str, record: bytes) -> str:
    """The line of a record."""
    code = base64.b32encode(record + _check(record)).decode("ascii")
    return prefix + code.rstrip("=").lower()


def _record_in(line: str, prefix: str) -> bytes:
    """The record in a line. Raises `ValueError` if it is none, or its checksum does not hold."""
    code = line[len(prefix) :].upper()
    data = base64.b32decode(code + "=" * (-len(code) % 8))
    record, check = data[:-_CHECK_BYTES], data[-_CHECK_BYTES:]
    if check != _check(record):
        raise ValueError("the checksum does not hold")
    return record


def _check(record: bytes) -> bytes:
    return hashlib.blake2b(record, digest_size=_CHECK_BYTES, person=b"cloak1 invite").digest()
