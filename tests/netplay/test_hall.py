"""Halls: a list of rooms on a real Mosquitto, with hostile company."""

from __future__ import annotations

import asyncio
import logging
import re
import ssl
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import aiomqtt
import pytest

from cloakboard.netplay.errors import Malformed
from cloakboard.netplay.finding.advert import MAX_ADVERT, sign_advert
from cloakboard.netplay.finding.hall import (
    MQTT_3,
    MQTT_5,
    TOPIC,
    HallAddress,
    HallAnnouncer,
    HallFinder,
    Pace,
    parse_hall,
)
from cloakboard.netplay.finding.listing import MAX_ROOMS_OF_ONE
from tests.netplay.adverts import LIMIT_S, Bell, player, room
from tests.netplay.broker import Broker, find_mosquitto, wire_to

QUICK = Pace(first_s=0.05, most_s=0.2)
MANY = 200  # the rooms that a hall must be able to hold at least


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    broker = Broker(tmp_path)
    broker.start()
    yield broker
    broker.stop()


def run(test: Callable[[], Awaitable[None]]) -> None:
    async def limited() -> None:
        async with asyncio.timeout(3 * LIMIT_S):
            await test()

    asyncio.run(limited())


def at(port: int) -> HallAddress:
    return HallAddress("127.0.0.1", port, tls=False)


def hosts(finder: HallFinder) -> set[str]:
    return {advert.host for advert in finder.adverts()}


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("hall.example.org", HallAddress("hall.example.org", 8883, True)),
        (" hall.example.org:444 ", HallAddress("hall.example.org", 444, True)),
        ("mqtts://hall.example.org", HallAddress("hall.example.org", 8883, True)),
        ("mqtt://10.0.0.7", HallAddress("10.0.0.7", 1883, False)),
        ("mqtt://[fd00::1]:99/", HallAddress("fd00::1", 99, False)),
        ("mqtts://ann:p%40ss@h.org", HallAddress("h.org", 8883, True, "ann", "p@ss")),
        ("mqtt://ann:pass@localhost", HallAddress("localhost", 1883, False, "ann", "pass")),
    ],
)
def test_a_hall_is_named_by_a_line(text: str, address: HallAddress) -> None:
    assert parse_hall(text) == address


@pytest.mark.parametrize(
    "text",
    [
        "",
        "mqtt://",
        "http://h.org",
        "h.org/x",
        "h.org?a",
        "h.org:0",
        "h.org:99999",
        "h:x",
        "mqtts://h h.org",
        "mqtts://h\u202egro.",
        "a" * 301,
    ],
)
def test_what_names_no_hall_is_refused(text: str) -> None:
    with pytest.raises(Malformed, match="named by its host"):
        parse_hall(text)


def test_a_password_goes_nowhere_unencrypted_and_is_not_told() -> None:
    with pytest.raises(Malformed, match="unencrypted") as caught:
        parse_hall("mqtt://ann:sesame@hall.example.org")
    assert "sesame" not in str(caught.value)
    address = parse_hall("mqtts://ann:sesame@hall.example.org:99")
    assert "sesame" not in f"{address} {address!r}"
    assert address.label == "hall.example.org:99"


@pytest.mark.parametrize("version", [MQTT_5, MQTT_3])
def test_a_room_is_found_changes_and_goes(broker: Broker, version: int) -> None:
    async def test() -> None:
        bell = Bell()
        finder = HallFinder(at(broker.port), bell)
        announcer = HallAnnouncer(at(broker.port), player(1))
        announcer.version = version
        announcer.publish(room(1, free=1))
        await bell.until(lambda: [a.free for a in finder.adverts()] == [1])
        announcer.publish(room(1, free=0))
        await bell.until(lambda: [a.free for a in finder.adverts()] == [0])
        announcer.publish(room(2, player(1)))
        await bell.until(lambda: [a.room for a in finder.adverts()] == [room(2).room])
        announcer.withdraw()
        await bell.until(lambda: finder.adverts() == ())
        assert (announcer.problem(), finder.problem()) == ("", "")
        await asyncio.gather(announcer.close(), finder.close())

    run(test)


def test_two_hundred_rooms_are_listed_stay_current_and_the_dead_go(broker: Broker) -> None:
    async def test() -> None:
        bell = Bell()
        async with wire_to(broker.port) as wire:
            living = [HallAnnouncer(at(broker.port), player(n)) for n in range(MANY - 1)]
            dying = HallAnnouncer(at(wire.port), player(MANY), pace=Pace(first_s=600))
            for number, announcer in enumerate(living):
                announcer.publish(room(number))
            dying.publish(room(MANY))
            early = HallFinder(at(broker.port), bell)
            await bell.until(lambda: len(early.adverts()) == MANY)
            late = HallFinder(at(broker.port), bell)
            await bell.until(lambda: len(late.adverts()) == MANY)
            living[7].publish(room(7, free=0))
            await bell.until(lambda: sum(a.free for a in late.adverts()) == MANY - 1)
            wire.cut()
            await bell.until(lambda: len(late.adverts()) == len(early.adverts()) == MANY - 1)
            assert f"Player {MANY}" not in hosts(late)
            assert late.listing.ignored == 0
            await asyncio.gather(*(each.close() for each in (*living, dying, early, late)))

    run(test)


NOW = 1_800_000_000.0


@pytest.mark.parametrize("version", [MQTT_5, MQTT_3])
def test_hostile_messages_are_left_out(broker: Broker, version: int) -> None:
    honest = sign_advert(player(1), room(1), 1, NOW)
    false = {
        f"{TOPIC}{room(2).room.hex()}": honest,
        f"{TOPIC}{room(1).room.hex()}": honest[:-1] + bytes([honest[-1] ^ 1]),
        f"{TOPIC}{room(3).room.hex()}": b"{}",
        f"{TOPIC}{room(4).room.hex()}": bytes(3 * MAX_ADVERT),
        f"{TOPIC}nonsense": honest,
        f"{TOPIC}{'x' * 900}": honest,
    }
    for number in range(10, 12 + MAX_ROOMS_OF_ONE):
        advert = room(number, player(5), host="Flood")
        false[TOPIC + advert.room.hex()] = sign_advert(player(5), advert, 1, NOW)

    async def test() -> None:
        async with aiomqtt.Client("127.0.0.1", broker.port) as hostile:
            for topic, payload in false.items():
                await hostile.publish(topic, payload, qos=1, retain=True)
            bell = Bell()
            finder = HallFinder(at(broker.port), bell)
            finder.version = version
            finder.listing.clock = lambda: NOW
            await bell.until(lambda: "Flood" in hosts(finder))
            topic = TOPIC + room(50).room.hex()
            await hostile.publish(topic, sign_advert(player(50), room(50), 1, NOW), qos=1)
            await bell.until(lambda: "Player 50" in hosts(finder))
            assert sorted(a.host for a in finder.adverts()) == ["Flood"] * 4 + ["Player 50"]
            # The oversize message does not get so far as to be counted.
            assert finder.listing.ignored == len(false) - MAX_ROOMS_OF_ONE - 1
            await finder.close()

    run(test)


@pytest.mark.parametrize("payload", [b"", b"mine now"], ids=["emptied", "overwritten"])
def test_a_room_that_somebody_takes_away_comes_back(broker: Broker, payload: bytes) -> None:
    async def test() -> None:
        bell = Bell()
        announcer = HallAnnouncer(at(broker.port), player(1))
        announcer.publish(room(1))
        finder = HallFinder(at(broker.port), bell)
        await bell.until(lambda: bool(finder.adverts()))
        before = finder.adverts()[0].counter
        async with aiomqtt.Client("127.0.0.1", broker.port) as hostile:
            await hostile.publish(TOPIC + room(1).room.hex(), payload, qos=1, retain=True)
            await hostile.subscribe(TOPIC + room(1).room.hex())
            async for message in hostile.messages:
                if message.payload not in (b"", payload) and not message.retain:
                    break
        late = HallFinder(at(broker.port), bell)
        await bell.until(lambda: bool(late.adverts()))
        assert late.adverts()[0].counter > before
        await asyncio.gather(announcer.close(), finder.close(), late.close())

    run(test)


def test_a_hall_that_was_away_comes_back(broker: Broker) -> None:
    async def test() -> None:
        bell = Bell()
        announcer = HallAnnouncer(at(broker.port), player(1), QUICK)
        announcer.publish(room(1))
        finder = HallFinder(at(broker.port), bell, pace=QUICK)
        await bell.until(lambda: bool(finder.adverts()))
        broker.stop()
        await bell.until(lambda: "cannot be reached" in finder.problem())
        assert hosts(finder) == {"Player 1"}
        announcer.publish(room(1, free=0))
        broker.start()
        await bell.until(lambda: [a.free for a in finder.adverts()] == [0])
        assert finder.problem() == ""
        await asyncio.gather(announcer.close(), finder.close())

    run(test)


def test_who_leaves_while_a_cancellation_is_swallowed_leaves_all_the_same(
    broker: Broker, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test() -> None:
        finder = HallFinder(at(broker.port), Bell())
        entered, swallowed = asyncio.Event(), []
        sit = finder._sit

        async def deaf(client: aiomqtt.Client) -> None:
            entered.set()
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                swallowed.append(True)
            await sit(client)

        monkeypatch.setattr(finder, "_sit", deaf)
        await entered.wait()
        await finder.close()
        assert swallowed

    run(test)


def test_a_hall_that_is_not_there_is_told_of() -> None:
    async def test() -> None:
        bell = Bell()
        finder = HallFinder(at(1), bell, pace=QUICK)
        await bell.until(lambda: bool(finder.problem()))
        assert finder.problem() == "the hall 127.0.0.1:1 cannot be reached; it is tried again"
        await finder.close()

    run(test)


@pytest.mark.parametrize("version", [MQTT_5, MQTT_3])
def test_a_password_opens_a_hall_and_stands_in_no_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, version: int
) -> None:
    secrets = tmp_path / "passwords"
    tool = find_mosquitto("mosquitto_passwd")
    subprocess.run([tool, "-c", "-b", str(secrets), "ann", "sesame"], check=True)
    broker = Broker(tmp_path, f"password_file {secrets}", "allow_anonymous false")
    broker.start()
    caplog.set_level(logging.DEBUG)

    async def test() -> None:
        bell = Bell()
        url = f"mqtt://ann:{{}}@127.0.0.1:{broker.port}"
        announcer = HallAnnouncer(parse_hall(url.format("sesame")), player(1))
        announcer.publish(room(1))
        finder = HallFinder(parse_hall(url.format("sesame")), bell)
        refused = HallFinder(parse_hall(url.format("guessed")), bell, pace=QUICK)
        for member in (announcer, finder, refused):
            member.version = version
        await bell.until(lambda: bool(finder.adverts()) and bool(refused.problem()))
        assert "does not take this name and password" in refused.problem()
        assert refused.adverts() == ()
        await asyncio.gather(announcer.close(), finder.close(), refused.close())

    try:
        run(test)
    finally:
        broker.stop()
    assert "sesame" not in caplog.text
    assert "guessed" not in caplog.text


CERTIFICATE = Path(__file__).parents[1] / "data" / "hall.pem"


def test_an_encrypted_hall_is_entered_if_its_certificate_is_trusted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broker = Broker(
        tmp_path, f"certfile {CERTIFICATE}", f"keyfile {CERTIFICATE}", "allow_anonymous true"
    )
    broker.start()

    async def test() -> None:
        bell = Bell()
        address = HallAddress("127.0.0.1", broker.port, tls=True)
        refused = HallFinder(address, bell, pace=QUICK)
        await bell.until(lambda: bool(refused.problem()))
        assert "no certificate that can be trusted" in refused.problem()
        monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
        announcer = HallAnnouncer(address, player(1))
        announcer.publish(room(1))
        finder = HallFinder(address, bell)
        await bell.until(lambda: hosts(finder) == {"Player 1"})
        await asyncio.gather(announcer.close(), finder.close(), refused.close())

    try:
        run(test)
    finally:
        broker.stop()


def test_the_hall_of_the_docs_takes_rooms_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = (Path(__file__).parents[2] / "docs" / "hosting.md").read_text("utf-8")
    config, access = (
        page.partition(f"```{kind}\n")[2].partition("```")[0] for kind in ("conf", "acl")
    )
    (tmp_path / "acl").write_text(access)
    (tmp_path / "acl").chmod(0o600)
    lines = [line for line in config.splitlines() if not line.startswith(("listener", "pers"))]
    settings = [
        re.sub(r"/etc/mosquitto/certs/\S+", str(CERTIFICATE), line).replace(
            "/etc/mosquitto/cloakboard.acl", str(tmp_path / "acl")
        )
        for line in lines
    ]
    assert len(settings) == 8
    broker = Broker(tmp_path, *settings)
    broker.start()
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))

    async def test() -> None:
        bell = Bell()
        address = HallAddress("127.0.0.1", broker.port, tls=True)
        finder = HallFinder(address, bell)
        announcer = HallAnnouncer(address, player(1))
        announcer.publish(room(1))
        await bell.until(lambda: hosts(finder) == {"Player 1"})
        context = ssl.create_default_context()
        async with aiomqtt.Client("127.0.0.1", broker.port, tls_context=context) as client:
            await client.subscribe("elsewhere")
            await client.publish("elsewhere", b"x", qos=1)
            await client.subscribe(TOPIC + "+")
            async for message in client.messages:
                assert message.topic.value == TOPIC + room(1).room.hex()
                break
        await asyncio.gather(announcer.close(), finder.close())

    try:
        run(test)
    finally:
        broker.stop()


def test_40_without_aiomqtt_there_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "aiomqtt", None)

    async def test() -> None:
        bell = Bell()
        finder = HallFinder(at(1), bell)
        await bell.until(lambda: "need the package aiomqtt" in finder.problem())
        await finder.close()

    run(test)
