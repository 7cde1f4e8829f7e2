"""A friend whose machine has moved since a match was saved, and has been found elsewhere since."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cloakboard.netplay.errors import Lost
from cloakboard.netplay.links.memory import MemoryNet
from cloakboard.netplay.room import party as under_test
from cloakboard.netplay.room.party import Party, Plan
from tests.netplay.test_online import GAMES, Side, begin, check_end, run

MOVED = b"M" * 32  # the host's transport key afterwards, and so its address
HERE = f"memory:{MOVED.hex()}"


async def resumed(host: Side, guest: Side, where: Callable[[bytes], str]) -> None:
    """Both go on from their saves, the host at another address."""

    async def elsewhere(plan: Plan) -> Any:
        return host.net.transport(MOVED)

    for side in (host, guest):
        await side.party.__aexit__()
        side.stop_after = 10_000
    host.net.unplug(host.identity.key)
    host.party = Party(host.plan, GAMES, host.tell, elsewhere)
    guest.plan = replace(guest.plan, where=where)
    guest.new_party()
    for side in (host, guest):
        await side.party.__aenter__()
        side.party.resume(side.file, lambda text: None)
    playing = [asyncio.create_task(side.play(None)) for side in (host, guest)]
    try:
        await asyncio.gather(*playing)
    finally:
        for task in playing:
            task.cancel()


@pytest.mark.parametrize(
    ("knows", "is_found"),
    [pytest.param(HERE, True, id="known"), pytest.param("", False, id="not known")],
)
def test_a_match_goes_on_where_the_friend_was_found_since(
    tmp_path: Path, knows: str, is_found: bool
) -> None:
    async def test(host: Side, guest: Side, net: MemoryNet) -> None:
        host.stop_after = 0
        links = await begin(host, guest)
        playing = [
            asyncio.create_task(side.play(link))
            for side, link in zip((host, guest), links, strict=True)
        ]
        while not (host.told and guest.told):
            await asyncio.sleep(0)
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        where = {host.identity.key: knows}
        if is_found:
            await resumed(host, guest, lambda key: where[key])
            check_end(host, guest)
        else:
            with pytest.raises(Lost):
                await resumed(host, guest, lambda key: where[key])

    run(test, tmp_path, patience_s=1.0)


def test_of_no_key_it_is_known_where_it_is_unless_somebody_says_so() -> None:
    assert under_test.nowhere(b"k" * 32) == ""
