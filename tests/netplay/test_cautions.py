"""What a member's own records say against somebody in the room: who is told, and what of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from cloakboard.netplay.links.greeting import Table
from cloakboard.netplay.links.memory import MemoryNet
from cloakboard.netplay.room.cautions import Cautions
from cloakboard.netplay.room.door import Conduct
from cloakboard.netplay.room.statements import House
from tests.netplay.players import Player, all_ready, full, gather, run
from tests.netplay.rig import identity
from tests.netplay.rooms import Gathering
from tests.tiny import game

LIMITS = {"max_disconnect_rate": 20, "max_disconnects": 5}


@pytest.fixture(autouse=True)
def three_seats(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.netplay.test_online.GAMES", {g.id: g for g in map(game, (2, 3))})


async def knows(player: Player, other: Player, conduct: Conduct) -> None:
    """That player's records have this of the other, and nothing of anybody else."""
    key = other.identity.key
    player.plan = replace(player.plan, conduct=lambda k: conduct if k == key else Conduct())
    await player.new_party().__aenter__()


def told(player: Player) -> list[tuple[str, Conduct, str, int]]:
    assert player.sitting is not None
    return [(c.name, c.conduct, c.setting, c.limit) for c in player.sitting.cautions]


@pytest.mark.parametrize(
    ("settings", "conduct", "beyond"),
    [
        (LIMITS, Conduct(10, 2), None),
        (LIMITS, Conduct(10, 3), ("max_disconnect_rate", 20)),
        (LIMITS, Conduct(100, 6), ("max_disconnects", 5)),
        (LIMITS, Conduct(), None),
        ({}, Conduct(10, 10), None),
    ],
)
def test_of_three_the_second_alone_knows_more_and_is_told(
    tmp_path: Path, settings: dict[str, Any], conduct: Conduct, beyond: tuple[str, int] | None
) -> None:
    async def test(players: list[Player], net: MemoryNet) -> None:
        ann, bob, cy = players
        await knows(bob, cy, conduct)
        tasks = await gather(players, Table(game(3), settings=settings))
        assert told(bob) == ([("cy", conduct, *beyond)] if beyond is not None else [])
        assert told(ann) == told(cy) == []
        if beyond is not None:  # it is a word to bob, and holds up nobody
            assert len(await all_ready(players, tasks)) == 3

    run(test, tmp_path, 3)


def test_who_was_cut_off_comes_back_to_a_room_that_it_was_told_of(tmp_path: Path) -> None:
    async def test(players: list[Player], net: MemoryNet) -> None:
        ann, bob, cy = players
        await knows(bob, cy, Conduct(4, 3))
        await gather(players, Table(game(3), settings=LIMITS))
        before = bob.sitting
        net.cut(bob.identity.key)
        await ann.until(lambda room: room.free == 1)
        await ann.until(full)
        await bob.until(lambda room: bob.sitting is not before and full(room))
        assert told(bob) == [("cy", Conduct(4, 3), "max_disconnect_rate", 20)]

    run(test, tmp_path, 3)


def test_it_is_told_at_each_coming_and_each_limit_and_the_records_are_asked_no_oftener() -> None:
    gathering = Gathering(3)
    ann, bob, cy = gathering.keeper, gathering.add(), identity(2)
    asked: list[bytes] = []

    def conduct(key: bytes) -> Conduct:
        asked.append(key)
        return Conduct(8, 4) if key == cy.key else Conduct()

    cautions = Cautions(bob.key, conduct)

    def after(act: Callable[[], object]) -> list[tuple[int, str, int]]:
        """All cautions, once what is said is heard."""
        act()
        gathering.flush()
        assert bob.room is not None
        cautions.look(bob.room)
        return [(caution.place, caution.setting, caution.limit) for caution in cautions.all]

    def agree(**limits: int) -> None:
        ann.ask(House(tuple(limits.items())))
        gathering.flush()
        assert bob.room is not None
        place = bob.room.requests[0].place
        for member in gathering.members[1:]:
            member.accept(place)

    assert after(gathering.add) == []
    guest = gathering.members[2]
    assert after(partial(ann.chat, "hello")) == []
    assert asked == [ann.key, cy.key]
    first = (6, "max_disconnect_rate", 40)
    assert after(partial(agree, max_disconnect_rate=40)) == [first]
    assert after(partial(agree, max_disconnect_rate=50)) == [first]
    second = (12, "max_disconnects", 3)
    assert after(partial(agree, max_disconnects=3)) == [first, second]
    assert after(guest.leave) == [first, second]
    assert after(guest.enter) == [first, second, (14, "max_disconnects", 3)]
    assert len(asked) == 2 + 3 * 2 + 1 + 2


def test_the_company_of_before_one_came_is_no_caution() -> None:
    gathering = Gathering(3, settings=LIMITS)
    gathering.add()
    cautions = Cautions(identity(2).key, lambda key: Conduct(2, 2))
    for names in ([], ["player 0", "player 1"]):
        assert gathering.keeper.room is not None
        cautions.look(gathering.keeper.room)
        assert [caution.name for caution in cautions.all] == names
        if not names:
            gathering.add()
