"""`python -m tests.client.kept_pictures`: takes the pictures of friends, leaderboards, a player's
card, achievements and a toast, each at two sizes, of a profile that is made up."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from PIL import Image

from cloakboard.achievements.record import Audit, MatchRecord
from cloakboard.client.local_session import LocalSession
from cloakboard.client.porch import Presence
from cloakboard.client.social import Social
from cloakboard.client.views.table import TableScreen
from cloakboard.client.window import CloakWindow, Screen
from cloakboard.engine.registry import game, games
from cloakboard.keeping.keeper import Keeper
from cloakboard.netplay.finding.friends import FriendsFile
from cloakboard.netplay.identity import Identity
from cloakboard.netplay.settings import SettingsFile
from tests.achievements.samples import ANNA, BEN, CARA, DANA, DAY, record
from tests.client.conftest import Settings, resized, virtual_screen

FOLDER: Final = Path(__file__).parents[2] / "docs" / "pictures"
SIZES: Final = ((1280, 720), (2560, 1440))
COLOURS: Final = 256
NOON: Final = 1_760_000_000
EARNED: Final = ("first-match", "first-win", "clean-audit", "wec-doze-five", "all-lessons")


class Street:
    """A porch from which some friends are seen."""

    seen: Final = {BEN: Presence.HERE, CARA: Presence.BUSY}

    def look(self) -> None: ...

    def presence(self, key: bytes) -> Presence:
        return self.seen.get(key, Presence.AWAY)

    def watch(self, key: bytes) -> str:
        return "cloakwatch1:c" if key == CARA else ""

    def address(self) -> str:
        return ""

    def calls(self) -> list[Any]:
        return []

    def sent(self) -> list[Any]:
        return []


def records() -> list[MatchRecord]:
    """Forty matches of four players, the last with audits that are not clean."""
    pairs = ((ANNA, BEN), (BEN, CARA), (CARA, ANNA), (DANA, ANNA))
    found = []
    for number in range(1, 41):
        winners: tuple[int, ...] = ((0,), (1,), (0,), (0,), ())[number % 5]
        when = NOON - (41 - number) * DAY
        found.append(record(number, *pairs[number % 4], winners=winners, ended=when))
    audits = ((Audit.REFUSED, (1,)), (Audit.PENDING, (1,)))
    for number, (audit, by) in enumerate(audits, 50):
        found.append(record(number, ANNA, BEN, audit=audit, by=by, ended=NOON + number))
    return found


def profile(folder: Path) -> tuple[Keeper, FriendsFile]:
    """Anna's, with three friends and one player kept out."""
    keeper = Keeper(folder, ANNA, games(), clock=lambda: NOON)
    for one in records():
        keeper.ledger.add(one)
    for id_ in EARNED:
        keeper.ledger.unlock(id_, NOON - DAY)
    keeper.ledger.announce()
    for lesson in ("moves", "firing", "seeing"):
        keeper.keep_lesson(lesson, "wec")
    book = FriendsFile(folder, ANNA, clock=lambda: NOON)
    for key, name in ((BEN, "Ben from work"), (CARA, "Cara"), (DANA, "Dana")):
        book.add_key(key, name)
        book.saw(key)
    book.block(b"x" * 32, "Xaver")
    return keeper, book


def take() -> None:
    """Takes them all."""
    with virtual_screen(), tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        keeper, book = profile(folder)
        window = CloakWindow(Settings(motion="none"), has_sound=False)
        porch: Any = Street()
        social = Social(
            window, keeper, Identity(b"a" * 32), folder, SettingsFile(folder), book, porch,
            lambda key: None, lambda invite: None,
        )  # fmt: skip
        social._identity.key = ANNA  # type: ignore[misc]  # whose matches these are
        window.open_screen(Screen(window))
        try:
            for size in SIZES:
                resized(window, *size)
                for picture, show in {
                    "friends": social.show_friends,
                    "leaderboard": social.show_leaderboard,
                    "card": lambda: social.show_card(BEN),
                    "achievements": social.show_achievements,
                    "toast": lambda: toast(window, social, keeper),
                }.items():
                    keep(window, f"{picture}-{size[1]}", show)
        finally:
            window.close()
            keeper.close()


def toast(window: CloakWindow, social: Social, keeper: Keeper) -> None:
    """Two achievements are earned during a match."""
    session = LocalSession(game("wec"), ("Anna", "Computer"), seed=b"t", computers=(1,))
    window.open_screen(TableScreen(window, session, window.close))
    for one in [one for one in keeper.every if one.id not in keeper.ledger.unlocks()][:2]:
        keeper.ledger.unlock(one.id, NOON)
    keeper._has_news = True
    social.tell_news()


def keep(window: CloakWindow, name: str, show: Callable[[], None]) -> None:
    """A picture of what is shown, and away with it."""
    show()
    for _ in range(5):
        window.on_update(0.1)
    path = FOLDER / f"{name}.png"
    window.screenshot(path)
    with Image.open(path) as picture:
        small = picture.convert("RGB").quantize(
            COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE
        )
    small.save(path, optimize=True)
    window.close_screen()


if __name__ == "__main__":
    take()
