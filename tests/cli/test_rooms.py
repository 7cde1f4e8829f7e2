"""Rooms from the command line, in a hall on a real Mosquitto."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import aiomqtt
import pytest

from cloakboard.cli.main import main
from cloakboard.cli.rooms import Wanted
from cloakboard.netplay.finding.advert import Signer
from cloakboard.netplay.finding.devices import Devices
from cloakboard.netplay.finding.hall import TOPIC
from cloakboard.netplay.identity import Identity, fingerprint_words
from cloakboard.netplay.settings import SettingsFile
from tests.cli.test_cli import Running, closing
from tests.netplay.adverts import player, room
from tests.netplay.broker import Broker

Output = pytest.CaptureFixture[str]
ADVERTS = (
    room(1, title="Friday"),
    room(2, game="trid", free=0, settings={"scored": False, "limit": 30}),
    room(3, game="ludo", needs_password=True),
)


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[str]:
    broker = Broker(tmp_path)
    broker.start()
    yield f"mqtt://127.0.0.1:{broker.port}"
    broker.stop()


async def show(hall: str) -> None:
    """Leaves all adverts in the hall."""
    async with aiomqtt.Client("127.0.0.1", int(hall.rpartition(":")[2])) as client:
        for number, advert in enumerate(ADVERTS, 1):
            signed = Signer(player(number)).sign(advert)
            await client.publish(TOPIC + advert.room.hex(), signed, qos=1, retain=True)


def test_rooms_of_a_hall_are_listed(tmp_path: Path, capsys: Output, hall: str) -> None:
    asyncio.run(show(hall))
    folder = tmp_path / "profile"
    look = ["rooms", "--profile", str(folder), "--wait", "2", "--hall", hall]
    assert main(look) == 0
    label = hall.removeprefix("mqtt://")
    lines = {line.partition(" ")[2] for line in capsys.readouterr().out.splitlines()}
    words = [fingerprint_words(player(n).key) for n in range(4)]
    assert lines == {
        f"{label}: Friday, Weaponized Chess, Player 1 ({words[1]}), 1 of 2 seats free",
        f"{label}: Tri-Dimensional Chess, Player 2 ({words[2]}), 0 of 2 seats free, "
        "scored=off, limit=30",
        f"{label}: ludo, Player 3 ({words[3]}), 1 of 2 seats free, password, another version",
    }
    SettingsFile(folder).change(halls=(hall,), lan=False)
    assert main(["rooms", "--profile", str(folder), "--wait", "2", "--free", "1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert {each["invite"] for each in told} == {ADVERTS[0].text(), ADVERTS[2].text()}


@pytest.mark.parametrize(
    ("wanted", "fitting"),
    [
        (Wanted(), {1, 2, 3}),
        (Wanted(game="trid"), {2}),
        (Wanted(free=1), {1, 3}),
        (Wanted(free=2), set()),
        (Wanted(is_open=True), {1, 2}),
        (Wanted(game="ludo", is_open=True), set()),
        (Wanted(settings=("scored=off",)), {2}),
        (Wanted(settings=("scored=on",)), {1, 3}),
        (Wanted(settings=("scored=off", "limit=30")), {2}),
        (Wanted(settings=("scored=off", "limit=3")), set()),
        (Wanted(settings=("tank_range=7",)), {1}),
        (Wanted(settings=("nonsense=1",)), set()),
    ],
)
def test_rooms_are_chosen_by_game_seats_and_password(wanted: Wanted, fitting: set[int]) -> None:
    assert {n for n, advert in enumerate(ADVERTS, 1) if wanted.fits(advert)} == fitting


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["rooms", "--hall", "http://x"], "named by its host"),
        (["host", "wec", "--hall", "mqtt://a:b@example.org"], "unencrypted"),
        (["host", "wec", "--lan", "--local"], "--local keeps to this machine"),
        (["join", "Ann", "--local"], "not an invite"),
        (["join", "cloak1:abc", "--hall", "h.org"], "cut off or mistyped"),
        (["rooms", "--setting", "scored"], "no setting as NAME=VALUE"),
        (["rooms", "--setting", "flying=on"], "no setting as NAME=VALUE"),
        (["rooms", "--game", "trid", "--setting", "tank_range=6"], "no setting as NAME=VALUE"),
        (["rooms", "--game", "ludo"], "no game 'ludo'"),
        (["host", "wec", "--relays", "relay"], "relay is no relay"),
    ],
)
def test_bad_input_is_one_line(
    tmp_path: Path, capsys: Output, arguments: list[str], says: str
) -> None:
    assert main([*arguments, "--profile", str(tmp_path)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("cloakboard: ")
    assert says in line


@pytest.mark.parametrize("wait", ["nan", "inf", "-1", "1e9", "soon"])
def test_nobody_waits_for_ever(capsys: Output, wait: str) -> None:
    with pytest.raises(SystemExit) as left:
        main(["rooms", f"--wait={wait}"])
    assert left.value.code == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "is none of 0 to 604800 seconds" in line


def direct(folder: Path) -> None:
    """A profile that uses no relay and no local network."""
    folder.mkdir()
    SettingsFile(folder).change(relays=(), lan=False)


def test_a_match_is_shown_in_a_hall_and_joined_by_the_name_of_its_host(
    tmp_path: Path, hall: str
) -> None:
    profiles = [tmp_path / name for name in "AB"]
    for folder in profiles:
        direct(folder)
    bot = ["--bot", "random", "--max-turns", 2, "--hall", hall]
    host, guest = (
        Running(tmp_path, name, [*command, *bot, "--profile", folder])
        for name, command, folder in (
            ("host", ["host", "wec", "--name", "Ann"], profiles[0]),
            ("guest", ["join", "ann", "--name", "Bob"], profiles[1]),
        )
    )
    assert (host.end(), guest.end()) == (0, 0), host.err + guest.err
    assert closing(host.out) == closing(guest.out)
    assert closing(host.out)[3] == "clean"
    # A hall is meant for strangers: nobody is asked about, or remembered.
    assert not Devices(profiles[0]).knows(Identity.open(profiles[1]).key)


def test_a_room_that_nobody_shows_is_not_found(tmp_path: Path, capsys: Output, hall: str) -> None:
    direct(tmp_path / "p")
    code = main(["join", "Ann", "--hall", hall, "--wait", "1", "--profile", str(tmp_path / "p")])
    assert code == 3
    assert "no room of Ann was found" in capsys.readouterr().err
