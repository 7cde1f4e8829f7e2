"""Every decoder of what comes from outside, in one table, for all that feed them: hypothesis in
`test_fuzz`, and the coverage-guided runs of the night (`python -m tests.netplay.fuzz`)."""

from __future__ import annotations

import importlib
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from cloakboard.achievements.errors import KeepingError
from cloakboard.achievements.ledger import Copy
from cloakboard.client import save_names
from cloakboard.client.saved import FORMAT, Saved
from cloakboard.engine import registry
from cloakboard.engine.codec import Codec, Coder
from cloakboard.engine.codec import encode as canonical
from cloakboard.engine.errors import EngineError
from cloakboard.engine.game import Game
from cloakboard.keeping import copies
from cloakboard.keeping.chain import record_of_proof
from cloakboard.netplay import identity, invite, settings, wire
from cloakboard.netplay.errors import NetplayError
from cloakboard.netplay.finding import devices, friends, presence
from cloakboard.netplay.finding.advert import read_advert
from cloakboard.netplay.finding.lan_rooms import signed_in
from cloakboard.netplay.lockstep import journal, saves
from cloakboard.netplay.lockstep.journal import Journal
from cloakboard.netplay.room.statements import read_said
from cloakboard.netplay.transcript import (
    Opening,
    Verdict,
    encode,
    read_body,
    read_entry,
    read_opening,
    read_request,
)
from tests.engine.skirmish import Skirmish
from tests.netplay.rig import Rig
from tests.netplay.rig import identity as player
from tests.play import random_game
from tests.tiny import game as line

META: Final = journal.Meta("test", "line2", 1, 0, 0)
NOW: Final = 1_800_000_000
SCENARIOS: Final = Path(registry.__file__).parents[1] / "assets" / "scenarios"


class Decoder(NamedTuple):
    """`read` gives a value for `samples`, and for any other bytes a value or one of `refusals`.
    `write`, where a value has one form only: what `read` took is what it gives back."""

    read: Callable[[bytes], Any]
    refusals: tuple[type[Exception], ...]
    samples: tuple[bytes, ...]
    write: Callable[[Any], bytes] | None = None


# -- of what other machines send -----------------------------------------------------------------


@cache
def _played() -> Rig:
    rig = Rig(line(2), 3, {"turns": 4})
    rig.peers[0].request("draw")
    rig.flush()
    rig.play()
    return rig


def _frames() -> Decoder:
    frames = {frame for _, _, frame in _played().wire}
    frames |= {wire.pack(m) for m in (wire.Bye("on"), wire.Heads(0, 1, bytes(32), bytes(32)))}
    return Decoder(wire.unpack, (NetplayError,), tuple(sorted(frames)), wire.pack)


def _entries() -> Decoder:
    return Decoder(read_entry, (NetplayError,), tuple(map(encode, _played().entries(0))), canonical)


def _requests() -> Decoder:
    messages = [wire.unpack(frame) for _, _, frame in _played().wire]
    data = tuple(m.data for m in messages if isinstance(m, wire.RequestFrame))
    return Decoder(read_request, (NetplayError,), data, canonical)


def _openings() -> Decoder:
    return Decoder(read_opening, (NetplayError,), (_played().entries(0)[0].body,), canonical)


def _bodies() -> Decoder:
    entry = _played().entries(0)[1]

    def read(data: bytes) -> Any:
        return read_body(msgspec.structs.replace(entry, body=data))

    bodies = tuple({one.body for one in _played().entries(0)[1:]})
    return Decoder(read, (NetplayError,), bodies, canonical)


def _adverts() -> Decoder:
    from tests.netplay.test_advert import SIGNED

    return Decoder(lambda data: read_advert(data, NOW), (NetplayError,), (SIGNED,))


def _records_of_services() -> Decoder:
    """What a text record of the local network says, its strings one after the other."""

    def read(data: bytes) -> bytes:
        strings = (part.partition(b"=") for part in data.split(b"\n"))
        return signed_in({name: value if sign else None for name, sign, value in strings})

    return Decoder(read, (), (b"v=1\n0=abc\n1=def", b"v=1\n0"))


def _statements() -> Decoder:
    from cloakboard.netplay.room.statements import Leave, Said, sign_said

    said = Said(b"r" * 16, player(0).key, 1, 0, bytes(32), Leave("tired"))
    return Decoder(read_said, (NetplayError,), (sign_said(player(0), said),), canonical)


def _pings() -> Decoder:
    ping = presence.Ping(player(0).key, bytes(presence._NONCE_BYTES), "memory:00", "", bytes(64))
    return Decoder(presence.read_ping, (), (canonical(ping),))


def _pongs() -> Decoder:
    watch = invite.Watch("memory:00", bytes(32), player(0).key).text()
    pong = presence.Pong(player(0).key, "memory:00", True, watch, bytes(64))
    return Decoder(presence._read_pong, (NetplayError,), (canonical(pong),))


def _invites() -> Decoder:
    text = invite.Invite("memory:00", bytes(range(16)), player(0).key).text()
    samples = (text.encode(), text.upper().encode(), f" {text} ".encode())
    return Decoder(_of_text(invite.parse_invite), (NetplayError,), samples)


def _watches() -> Decoder:
    text = invite.Watch("memory:00", bytes(range(32)), player(0).key).text()
    samples = (text.encode(), text.upper().encode())
    return Decoder(_of_text(invite.parse_watch), (NetplayError,), samples)


def _keys() -> Decoder:
    samples = (invite.key_text(player(0).key).encode(), player(0).key.hex().encode())
    return Decoder(_of_text(invite.read_who), (NetplayError,), samples)


def _proofs() -> Decoder:
    """Signed records of finished matches, as friends tell them."""
    rig = _played()
    proof = [e for e in rig.entries(0)[1:] if isinstance(read_body(e), Verdict)]
    data = canonical([encode(entry) for entry in (rig.entries(0)[0], *proof)])
    games = {rig.game.id: rig.game}

    def read(data: bytes) -> Any:
        try:
            told = msgspec.msgpack.decode(data, type=tuple[bytes, ...])
        except (msgspec.MsgspecError, ValueError, RecursionError):
            return None
        return record_of_proof(told, games)

    return Decoder(read, (KeepingError,), (data,))


# -- of files --------------------------------------------------------------------------------------


def _of_file(name: str, read: Callable[[Path], Any]) -> Callable[[bytes], Any]:
    """A reader of a folder with one file in it."""

    def reading(data: bytes) -> Any:
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / name).write_bytes(data)
            return read(Path(folder))

    return reading


def _written(write: Callable[[Path], Any], name: str) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder))
        return (Path(folder) / name).read_bytes()


def _saves() -> Decoder:
    name = f"match{journal.SUFFIX}"
    data = _written(lambda folder: _played().write(0, folder / name), name)
    return Decoder(_of_file(name, lambda f: journal.read(f / name)), (NetplayError,), (data,))


def _records_of_saves() -> Decoder:
    """A save whose hashes hold, as anybody can make one: its first record, then the others."""
    name = f"match{journal.SUFFIX}"

    def read(folder: Path, data: bytes) -> Any:
        kind, payload = data[:1] or journal.META, data[1:]
        file = Journal(folder / name, journal.MAGIC)
        (folder / name).write_bytes(journal.MAGIC)
        if kind != journal.META:
            file.append(journal.META, encode(META))
            file.append(journal.ENTRY, encode(_played().entries(0)[0]))
        file.append(kind, payload)
        file.append(journal.ENTRY, encode(_played().entries(0)[1]))
        file.close()
        saves.listing(folder)
        return journal.read(folder / name)

    def reading(data: bytes) -> Any:
        with tempfile.TemporaryDirectory() as folder:
            return read(Path(folder), data)

    entry = journal.ENTRY + encode(_played().entries(0)[1])
    samples = (journal.META + encode(META), entry, b"N\xff", b"A\x01memory:00", b"A", b"Z")
    return Decoder(reading, (NetplayError,), samples)


def _tables() -> Decoder:
    """Matches of one machine."""
    codec, table = Codec(line(2)), random_game(line(2), 5, 9)
    actions = tuple((r.seat, codec.action.encode(r.action), 0) for r in table.log)
    saved = Saved(FORMAT, "line2", 1, {}, "", b"seed", ("a", "b"), (), actions, 0)
    read = _of_file("a", lambda folder: Saved.read(folder / "a"))
    return Decoder(read, (EngineError,), (canonical(saved),))


def _names_of_tables() -> Decoder:
    """A file that lies where a match of one machine would be kept."""

    def read(folder: Path) -> Any:
        return save_names.place_for(folder, "a", ".table", b"seed").name

    return Decoder(_of_file("a.table", read), (), decoder("table").samples)


def _settings() -> Decoder:
    def change(folder: Path) -> None:
        settings.SettingsFile(folder).change(sound_volume=10, rules={"wec": {"a": 1}})

    data = _written(change, settings.FILE_NAME)
    return Decoder(
        _of_file(settings.FILE_NAME, lambda f: settings.SettingsFile(f).now), (), (data,)
    )


def _books() -> Decoder:
    def fill(folder: Path) -> None:
        friends.FriendsFile(folder, player(0).key).add_key(player(1).key, "Ann")

    def read(folder: Path) -> Any:
        return friends.FriendsFile(folder, player(0).key).known()

    return Decoder(_of_file(friends.FILE_NAME, read), (), (_written(fill, friends.FILE_NAME),))


def _devices() -> Decoder:
    def let_in(folder: Path) -> None:
        devices.Devices(folder).let_in(player(1).key, "Ann")

    name = devices.FILE_NAME
    return Decoder(
        _of_file(name, lambda f: devices.Devices(f).known()), (), (_written(let_in, name),)
    )


def _key_files() -> Decoder:
    data = _written(identity.Identity.open, identity.FILE_NAME)
    return Decoder(_of_file(identity.FILE_NAME, identity.Identity.open), (NetplayError,), (data,))


def _copies() -> Decoder:
    """Exported records, as far as their form."""

    def read(folder: Path) -> Any:
        return copies._read(folder / "r", player(0).key)

    inner = canonical(Copy((), (), {}))
    signed = copies._Signed(player(0).key, player(0).sign(copies.DOMAIN, inner), inner)
    sample = copies.MAGIC + canonical(signed)
    return Decoder(_of_file("r", read), (KeepingError,), (sample,))


# -- of a game's records and texts -----------------------------------------------------------------


def _coded(game: Game, kind: str) -> Callable[[], Decoder]:
    def made() -> Decoder:
        coder: Coder = getattr(Codec(game), kind)
        table = random_game(game, 5, 40)
        samples = {
            "state": [table.state],
            "action": [record.action for record in table.log],
            "event": [event for record in table.log for event in record.events],
        }.get(kind, [])
        data = tuple({coder.encode(sample) for sample in samples})
        return Decoder(coder.decode, (EngineError,), data, coder.encode)

    return made


def _notation(game_id: str, syntax_alone: bool) -> Callable[[], Decoder]:
    def made() -> Decoder:
        notation: Any = importlib.import_module(registry.NOTATIONS[game_id])
        text = notation.write(random_game(registry.game(game_id), 7, 14))
        read = _of_text(notation.read if syntax_alone else notation.replay)
        return Decoder(read, (EngineError,), (text.encode(),))

    return made


def _scenarios(game_id: str, *texts: str) -> Callable[[], Decoder]:
    def made() -> Decoder:
        files = sorted((SCENARIOS / game_id).glob("*.toml"))
        samples = (*(file.read_bytes() for file in files), *(text.encode() for text in texts))
        read = _of_text(lambda text: registry.scenario(game_id, text))
        return Decoder(read, (EngineError,), samples)

    return made


def _setups(game_id: str) -> Callable[[], Decoder]:
    """Start positions, as entry 0 holds them."""

    def made() -> Decoder:
        game = registry.game(game_id)
        options = game.options.complete({})
        return Decoder(_of_text(lambda text: game.start(options, text)), (EngineError,), (b"",))

    return made


def _of_text(read: Callable[[str], Any]) -> Callable[[bytes], Any]:
    return lambda data: read(data.decode("utf-8", "replace"))


def _opened_entry() -> Decoder:
    """Entry 0 of a stranger's match, as far as a match is made of it."""
    from cloakboard.netplay.lockstep.core import Core

    rig = _played()

    def read(data: bytes) -> Any:
        opening: Opening = read_opening(data)
        return Core(rig.game, opening, bytes(32)).digest()

    return Decoder(read, (NetplayError, EngineError), (rig.entries(0)[0].body,))


GAMES: Final[dict[str, Game]] = {
    "line": line(3),
    "wec": Skirmish(),
    "trid": registry.game("trid"),
}
KINDS: Final = ("state", "action", "event", "probe", "answer", "label")

DECODERS: Final[dict[str, Callable[[], Decoder]]] = {
    "frame": _frames,
    "entry": _entries,
    "request": _requests,
    "opening": _openings,
    "opened match": _opened_entry,
    "body": _bodies,
    "advert": _adverts,
    "service": _records_of_services,
    "statement": _statements,
    "ping": _pings,
    "pong": _pongs,
    "invite": _invites,
    "invite to watch": _watches,
    "key": _keys,
    "record": _proofs,
    "save": _saves,
    "record of a save": _records_of_saves,
    "table": _tables,
    "name of a table": _names_of_tables,
    "settings": _settings,
    "friends": _books,
    "devices": _devices,
    "key file": _key_files,
    "records": _copies,
    **{f"{name} {kind}": _coded(game, kind) for name, game in GAMES.items() for kind in KINDS},
    "wec notation": _notation("wec", True),
    "wec history": _notation("wec", False),
    "trid notation": _notation("trid", True),
    "trid history": _notation("trid", False),
    "wec scenario": _scenarios("wec"),
    "trid scenario": _scenarios("trid"),
    "wec setup": _setups("wec"),
    "trid setup": _setups("trid"),
}


@cache
def decoder(name: str) -> Decoder:
    """A decoder of the table, with samples."""
    return DECODERS[name]()


def feed(name: str, data: bytes) -> Any:
    """What a decoder makes of any bytes: a value, or the error by which it refuses them. Whatever
    else it raises is a defect. A value of one form is written back and compared."""
    one = decoder(name)
    try:
        value = one.read(data)
    except one.refusals as refusal:
        return refusal
    if one.write is not None:
        assert one.read(one.write(value)) == value
    return value
