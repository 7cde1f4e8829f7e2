"""The player's settings as the window reads and writes them."""

from __future__ import annotations

import locale
from collections import deque
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from cloakboard.client.boards.wec_figures import Style
from cloakboard.client.texts import of_system
from cloakboard.client.tokens import PieceSet
from cloakboard.netplay.settings import Settings, SettingsFile, Window

DEFAULT_SIZE: Final = (1280, 720)


class HeldSettings(SettingsFile):
    """A settings file for a window, which goes on whatever the disk does: what cannot be written
    holds until the program ends. `refusals`: sentences that tell of it, to be taken away."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.refusals: deque[str] = deque()

    def change(self, **changes: object) -> Settings:
        """As `SettingsFile.change`, without `OSError`."""
        try:
            return super().change(**changes)
        except OSError as error:
            self.refusals.append(f"Not kept: {error.strerror or error}")
            self.now = msgspec.structs.replace(self.now, **changes)
            return self.now


class KeptSettings:
    """`WindowSettings` over a settings file. What a player changes is on the disk at once; the
    window's place is written by `keep_window`, which the window's end calls."""

    def __init__(self, file: HeldSettings) -> None:
        self.file = file
        place = file.now.window
        self.window_x: int | None = place.x if place else None
        self.window_y: int | None = place.y if place else None
        self.window_width = place.width if place else DEFAULT_SIZE[0]
        self.window_height = place.height if place else DEFAULT_SIZE[1]
        self.is_fullscreen = bool(place and place.full_screen)

    @property
    def ui_scale(self) -> float:
        """The player's own scale, 1 is the system's."""
        return self.file.now.ui_scale / 100

    @ui_scale.setter
    def ui_scale(self, scale: float) -> None:
        self.file.change(ui_scale=round(scale * 100))

    @property
    def language(self) -> str:
        """The language of the texts."""
        language = self.file.now.language
        return of_system(locale.getlocale()[0] or "") if language == "system" else language

    @language.setter
    def language(self, language: str) -> None:
        self.file.change(language=language)

    @property
    def motion(self) -> str:
        """How much moves."""
        return self.file.now.motion

    @motion.setter
    def motion(self, amount: str) -> None:
        self.file.change(motion=amount)

    @property
    def volume(self) -> float:
        """0 to 1."""
        return self.file.now.sound_volume / 100

    @volume.setter
    def volume(self, volume: float) -> None:
        self.file.change(sound_volume=round(volume * 100))

    @property
    def is_muted(self) -> bool:
        """No sound at all."""
        return self.file.now.sound_muted

    @is_muted.setter
    def is_muted(self, is_muted: bool) -> None:
        self.file.change(sound_muted=is_muted)

    @property
    def style(self) -> Style:
        """How pieces are drawn."""
        now = self.file.now
        return Style(PieceSet(now.piece_set), now.colour_blind)

    def rules(self, game_id: str) -> dict[str, Any]:
        """The player's own changes of a game's options."""
        return dict(self.file.now.rules.get(game_id, {}))

    def first_rules(self, game_id: str) -> dict[str, Any]:
        """What a new match begins with."""
        return self.rules(game_id) if self.file.now.start_with == "mine" else {}

    def keep_rules(self, game_id: str, changes: Mapping[str, Any]) -> None:
        """Makes these the player's own."""
        self.file.change(rules={**self.file.now.rules, game_id: dict(changes)})

    def keep_window(self) -> None:
        """Writes the window's size and place."""
        self.file.change(
            window=Window(
                x=self.window_x or 0,
                y=self.window_y or 0,
                width=self.window_width,
                height=self.window_height,
                full_screen=self.is_fullscreen,
            )
        )
