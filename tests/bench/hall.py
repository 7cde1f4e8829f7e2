"""The list of a hall with 200 rooms, beside the broker's bare delivery of the same messages to a
client that does nothing with them."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Final

import aiomqtt

from cloakboard.netplay.finding.advert import Signer
from cloakboard.netplay.finding.hall import TOPIC, HallAddress, HallFinder
from tests.bench.timing import summed_up
from tests.netplay.adverts import Bell, player, room
from tests.netplay.broker import Broker

ROOMS: Final = 200
ROUNDS: Final = 9


def run() -> Iterator[str]:
    """One line: until all are listed, and how often the bare delivery that is."""
    with tempfile.TemporaryDirectory() as folder:
        broker = Broker(Path(folder))
        broker.start()
        try:
            yield asyncio.run(_measured(broker.port))
        finally:
            broker.stop()


async def _measured(port: int) -> str:
    async with aiomqtt.Client("127.0.0.1", port) as client:
        for number in range(ROOMS):
            advert = room(number, settings={"scored": False, "move_seconds": 30})
            signed = Signer(player(number)).sign(advert)
            await client.publish(TOPIC + advert.room.hex(), signed, qos=1, retain=True)
    spent = [
        (await _timed(lambda: _listed(port)), await _timed(lambda: _delivered(port)))
        for _ in range(ROUNDS + 1)
    ][1:]
    taken = summed_up(spent)
    return (
        f"hall: {ROOMS} rooms listed {taken.left * 1000:.0f} ms after the door, "
        f"{taken.ratio:.2f}x the broker's bare delivery of their messages"
    )


async def _timed(work: Callable[[], Awaitable[None]]) -> float:
    start = time.perf_counter()
    await work()
    return time.perf_counter() - start


async def _listed(port: int) -> None:
    bell = Bell()
    finder = HallFinder(HallAddress("127.0.0.1", port, tls=False), bell)
    await bell.until(lambda: len(finder.adverts()) == ROOMS)
    await finder.close()


async def _delivered(port: int) -> None:
    async with aiomqtt.Client("127.0.0.1", port) as client:
        await client.subscribe(f"{TOPIC}+")
        count = 0
        async for _ in client.messages:
            count += 1
            if count == ROOMS:
                return
