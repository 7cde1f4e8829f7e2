"""A device of the local network is asked about once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from cloakboard.netplay.errors import Refused
from cloakboard.netplay.finding import devices as devices_module
from cloakboard.netplay.finding.devices import FILE_NAME, MOST_ASKING, Devices, Porter
from cloakboard.netplay.identity import fingerprint_words

ANN, BOB = bytes([1]) * 32, bytes([2]) * 32


def always() -> bool:
    return True


def run(test: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(asyncio.wait_for(test(), 10))


async def asked(porter: Porter, count: int = 1) -> None:
    while len(porter.asking) < count:
        await asyncio.sleep(0)


def test_a_device_that_is_let_in_is_not_asked_about_again(tmp_path: Path) -> None:
    async def test() -> None:
        porter = Porter(Devices(tmp_path, lambda: 5.0), always)
        coming = asyncio.create_task(porter.check(ANN, "Ann\n"))
        await asked(porter)
        assert [(a.name, a.words) for a in porter.asking] == [("Ann", fingerprint_words(ANN))]
        porter.answer(BOB, True)
        assert not coming.done()
        porter.answer(ANN, True)
        await coming
        assert porter.asking == ()
        await porter.check(ANN, "Ann")
        again = Devices(tmp_path)
        await Porter(again, always).check(ANN, "Ann")
        assert [(d.key, d.name, d.since) for d in again.known()] == [(ANN, "Ann", 5)]
        again.forget(ANN)
        assert not Devices(tmp_path).knows(ANN)

    run(test)


def test_a_device_that_is_not_let_in_is_asked_about_again(tmp_path: Path) -> None:
    async def test() -> None:
        porter = Porter(Devices(tmp_path), always)
        for _ in range(2):
            coming = asyncio.create_task(porter.check(ANN, "Ann"))
            await asked(porter)
            porter.answer(ANN, False)
            with pytest.raises(Refused, match="does not let you in"):
                await coming
        assert not (tmp_path / FILE_NAME).exists()

    run(test)


def test_nobody_waits_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devices_module, "ASK_S", 0.01)

    async def test() -> None:
        porter = Porter(Devices(tmp_path), always)
        with pytest.raises(Refused, match="ask your friend to allow it"):
            await porter.check(ANN, "Ann")
        assert porter.asking == ()

    run(test)


def test_a_crowd_is_turned_away(tmp_path: Path) -> None:
    async def test() -> None:
        porter = Porter(Devices(tmp_path), always)
        waiting = [
            asyncio.create_task(porter.check(bytes([n]) * 32, f"{n}")) for n in range(MOST_ASKING)
        ]
        await asked(porter, MOST_ASKING)
        with pytest.raises(Refused, match="try again in a minute"):
            await porter.check(bytes([99]) * 32, "late")
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        assert porter.asking == ()

    run(test)


def test_where_nobody_is_asked_everybody_passes(tmp_path: Path) -> None:
    async def test() -> None:
        devices = Devices(tmp_path)
        await Porter(devices, lambda: False).check(ANN, "Ann")
        assert not devices.knows(ANN)

    run(test)


@pytest.mark.parametrize(
    "data", [b"", b"{", b'[{"key": "AA==", "name": "x", "since": 1}]', b"\xff"]
)
def test_10_a_damaged_file_is_kept_aside(tmp_path: Path, data: bytes) -> None:
    (tmp_path / FILE_NAME).write_bytes(data)
    assert Devices(tmp_path).known() == ()
    assert (tmp_path / "devices.bad").read_bytes() == data
