"""Matches that the other side never comes back to, kept as such from the list of saves.

What is asked and answered is in words here; the keeper reads the whole save, maybe repeats its
audit, and waits for the disk, so that is done on a thread of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from cloakboard.achievements.errors import KeepingError, Obstacle, Unclaimable
from cloakboard.client.carrier import Report
from cloakboard.client.texts import sentence
from cloakboard.netplay.errors import NetplayError

if TYPE_CHECKING:
    from cloakboard.client.lobby import SaveRow
    from cloakboard.keeping.keeper import Keeper

NOT_KEPT: Final = "Not kept as never finished"
ALREADY: Final = "Your records have this match as never finished already."
WHY: Final[Mapping[Obstacle, str]] = MappingProxyType(
    {
        Obstacle.OTHERS: "This is a match of others; only who plays in it can keep it so.",
        Obstacle.ENDED: "This match has ended, and your records have its end.",
        Obstacle.CLAIMED: ALREADY,
        Obstacle.FORGOTTEN: "You had its record forgotten, so it stays out of your records.",
    }
)


def refusal(save: SaveRow) -> str:
    """Why a save cannot be kept as never finished, as far as the list knows; empty if it can."""
    if save.is_local:
        return "This match is on this machine alone: nobody else can stay away from it."
    if save.problem:
        return "This save cannot be read, so nothing can be kept of its match."
    return ALREADY if save.is_claimed else ""


def question(save: SaveRow) -> str:
    """What it means to keep a save as never finished."""
    return (
        f"{save.title}: your records on this machine say from now on that the other side never "
        "came back. The match moves no rating and counts there as one that they left. The save "
        "stays: you can still go on with it together, and if it ends after all, its end takes the "
        "place of this record."
    )


class Claims:
    """Keeps matches of one profile as never finished."""

    def __init__(self, keeper: Keeper) -> None:
        self._keeper = keeper
        self._thread = ThreadPoolExecutor(1, "claims")

    def claim(self, save: Path) -> Future[Report]:
        """Keeps the match of a save so, if that can be."""
        return self._thread.submit(self._claim, save)

    def _claim(self, save: Path) -> Report:
        try:
            self._keeper.claim(save)
        except Unclaimable as error:
            return Report(NOT_KEPT, WHY[error.obstacle])
        except (KeepingError, NetplayError) as error:
            return Report(NOT_KEPT, sentence(str(error)))
        return Report("Kept as never finished", "It is in your records now, unrated.")
